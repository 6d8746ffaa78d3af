use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::arena::{has_openvino, small_net};
use crate::program::{check_refused, json_of, stdout_of, talk, test_folder, text};

#[test]
fn the_file_is_named_after_the_net_and_says_what_it_is() {
    let folder = test_folder("export names");
    let net = small_net(&folder);
    let report = json_of(&["export", &net, "--onnx", text(&folder), "--json"]);
    assert_eq!(report["schema"], 1);
    assert_eq!(report["precision"], "f32");
    let file = report["file"].as_str().unwrap();
    assert!(file.ends_with("/narikin-000000.onnx"), "{file}");
    let bytes = fs::metadata(file).unwrap().len();
    assert_eq!(report["bytes"], bytes);
    assert_eq!(report["model"]["shape"]["channels"], 8);

    let half = json_of(&[
        "export",
        &net,
        "--onnx",
        text(&folder),
        "--precision",
        "f16",
        "--json",
    ]);
    let file = half["file"].as_str().unwrap();
    assert!(file.ends_with("/narikin-000000-f16.onnx"), "{file}");
    assert!(half["bytes"].as_u64().unwrap() < bytes * 8 / 10, "{half}");

    // A folder that is not there yet is made.
    let new = format!("{}/", folder.join("new").display());
    let other = json_of(&["export", &net, "--onnx", &new, "--json"]);
    assert!(Path::new(other["file"].as_str().unwrap()).starts_with(&new));

    let inspected = json_of(&["inspect", file, "--json"]);
    assert_eq!(inspected["content"]["kind"], "onnx");
}

#[test]
fn without_a_net_the_one_that_comes_with_the_program_is_written() {
    let models = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models");
    let of_file = test_folder("export file").join("net.onnx");
    let file = format!("{models}/narikin-1.safetensors");
    stdout_of(&["export", &file, "--onnx", text(&of_file)]);
    let shipped = test_folder("export shipped").join("net.onnx");
    stdout_of(&["export", "--onnx", text(&shipped)]);
    assert_eq!(fs::read(&shipped).unwrap(), fs::read(of_file).unwrap());
    // The one that lies there is its twin.
    let twin = fs::read(format!("{models}/narikin-1.onnx")).unwrap();
    assert!(fs::read(shipped).unwrap() == twin);
}

#[test]
fn another_net_of_the_same_name_is_not_replaced_unasked() {
    let folder = test_folder("export replace");
    let net = small_net(&folder);
    let file = folder.join("成金 net.onnx");
    let export = ["export", &net, "--onnx", text(&file)];
    stdout_of(&export);
    // The same net may be written again.
    stdout_of(&export);
    let half = [&export[..], &["--precision", "f16"]].concat();
    check_refused(
        &half,
        3,
        &["成金 net.onnx", "holds something else", "--replace"],
    );
    let before = fs::metadata(&file).unwrap().len();
    stdout_of(&[&half[..], &["--replace"]].concat());
    assert!(fs::metadata(&file).unwrap().len() < before);
    let left: Vec<_> = fs::read_dir(&folder).unwrap().collect();
    assert_eq!(left.len(), 2, "{left:?}");
}

#[test]
fn what_is_no_model_is_refused() {
    let folder = test_folder("export refused");
    let net = small_net(&folder);
    let file = folder.join("net.onnx");
    stdout_of(&["export", &net, "--onnx", text(&file)]);
    check_refused(
        &["export", text(&file), "--onnx", text(&folder)],
        3,
        &["is an ONNX file, expected a model", "expected a model"],
    );
    check_refused(
        &["export", "no such net", "--onnx", text(&folder)],
        3,
        &["cannot read model file no such net"],
    );
    check_refused(
        &["export", text(&folder), "--onnx", text(&folder)],
        3,
        &["has no net yet"],
    );
    check_refused(
        &[
            "export",
            &net,
            "--onnx",
            text(&folder.join("not").join("there.onnx")),
        ],
        1,
        &["cannot write"],
    );
}

#[test]
fn an_exported_net_plays_as_the_model_does() {
    if !has_openvino() {
        return;
    }
    let folder = test_folder("export plays");
    let net = small_net(&folder);
    let file = folder.join("net.onnx");
    stdout_of(&["export", &net, "--onnx", text(&file)]);
    let options = [
        "--games",
        "2",
        "--visits",
        "4",
        "--max-ply",
        "40",
        "--threads",
        "1",
        "--json",
    ];
    let report = json_of(&[&["arena", &net, text(&file)], &options[..]].concat());
    assert_eq!(report["games"], 2);
    assert!(Path::new(report["b"].as_str().unwrap()).ends_with("net.onnx"));
}

#[test]
fn an_engine_folder_plays_without_anything_around_it() {
    if !has_openvino() {
        return;
    }
    let folder = test_folder("export engine");
    let net = small_net(&folder);
    let engine = folder.join("the engine");
    let export = ["export", &net, "--usi", text(&engine), "--json"];
    if !has_lean_program() {
        check_refused(
            &export,
            3,
            &["is linked with libtorch", "--no-default-features"],
        );
        return;
    }
    let report = json_of(&export);
    let bytes = report["bytes"].as_u64().unwrap();
    assert!(bytes <= 130_000_000, "{bytes}");
    let files = report["files"].as_array().unwrap();
    let has = |name: &str| {
        files
            .iter()
            .any(|file| file.as_str().unwrap().starts_with(name))
    };
    for name in [
        "narikin-usi",
        "README.txt",
        "net.safetensors",
        "bin/narikin",
        "lib/libopenvino_c.so",
    ] {
        assert!(has(name), "{name} is not in {files:?}");
    }
    // Again in its place, and then somewhere else.
    json_of(&export);
    let moved = folder.join("moved");
    fs::rename(&engine, &moved).unwrap();

    check_answers(Command::new(moved.join("narikin-usi")));
}

/// Whether there is a program for the folder: this one, or one in `target/lean`.
fn has_lean_program() -> bool {
    let program = Path::new(env!("CARGO_BIN_EXE_narikin"));
    let lean = program.with_file_name("../lean/release/narikin");
    !cfg!(feature = "torch") || lean.is_file()
}

/// With an empty environment it gets ready and answers.
#[track_caller]
fn check_answers(mut engine: Command) {
    let mut child = engine
        .env_clear()
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let lines = "usi\nisready\nposition startpos\ngo nodes 5\n";
    std::io::Write::write_all(&mut stdin, lines.as_bytes()).unwrap();
    let stdout = std::io::BufReader::new(child.stdout.take().unwrap());
    let mut said = Vec::new();
    for line in std::io::BufRead::lines(stdout).map_while(Result::ok) {
        let is_answer = line.starts_with("bestmove ");
        said.push(line);
        if is_answer {
            break;
        }
    }
    drop(stdin);
    assert!(child.wait().unwrap().success(), "{said:#?}");
    assert!(said.iter().any(|line| line == "readyok"), "{said:#?}");
    let last = said.last().expect("it has said readyok");
    assert!(last.starts_with("bestmove "), "{said:#?}");
}

/// A root folder of its own, with a shell, the libraries of C and C++ and a list of processors, and
/// nothing else: no `/dev`, no `/tmp`, no home. Needs root.
#[test]
fn an_engine_folder_plays_in_an_empty_system() {
    let user = Command::new("id").arg("-u").output().unwrap().stdout;
    let chroot = Path::new("/usr/sbin/chroot");
    if user != b"0\n" || !chroot.is_file() || !cfg!(target_os = "linux") {
        eprintln!("skipped: needs root and /usr/sbin/chroot");
        return;
    }
    if !has_openvino() || !has_lean_program() {
        eprintln!("skipped: needs OpenVINO and a build without libtorch");
        return;
    }
    let folder = test_folder("export-empty-system");
    let net = small_net(&folder);
    let root = folder.join("root");
    fs::create_dir_all(root.join("bin")).unwrap();
    let engine = root.join("engine");
    json_of(&["export", &net, "--usi", text(&engine), "--json"]);
    fs::copy("/bin/sh", root.join("bin/sh")).unwrap();
    let mut programs = vec![PathBuf::from("/bin/sh"), engine.join("bin/narikin")];
    let libraries = fs::read_dir(engine.join("lib")).unwrap();
    programs.extend(libraries.map(|entry| entry.unwrap().path()));
    for program in programs {
        copy_libraries_of(&program, &engine, &root);
    }
    let start = || {
        let mut command = Command::new(chroot);
        command.arg(&root).arg("/engine/narikin-usi").env_clear();
        command
    };
    // OpenVINO would look for processors for ever.
    let refused = talk(start(), "usi\nisready\n");
    let told = String::from_utf8(refused.stdout).unwrap();
    assert!(told.contains("info string cannot load"), "{told}");
    assert!(told.contains("mount /sys or /proc"), "{told}");
    assert_eq!(refused.status.code(), Some(1));

    fs::create_dir(root.join("proc")).unwrap();
    fs::copy("/proc/cpuinfo", root.join("proc/cpuinfo")).unwrap();
    check_answers(start());
}

/// Copies the system's libraries that `program` is linked with to the same place below `root`.
fn copy_libraries_of(program: &Path, engine: &Path, root: &Path) {
    let told = Command::new("ldd").arg(program).output().unwrap().stdout;
    let told = String::from_utf8(told).unwrap();
    let paths = told.split_whitespace().map(Path::new);
    for path in paths.filter(|path| path.is_absolute() && !path.starts_with(engine)) {
        let copy = root.join(path.strip_prefix("/").unwrap());
        fs::create_dir_all(copy.parent().unwrap()).unwrap();
        fs::copy(path, &copy).unwrap();
    }
}

#[test]
fn an_engine_folder_takes_no_other_folders_place() {
    let folder = test_folder("export engine refused");
    let net = small_net(&folder);
    if !has_openvino() {
        return;
    }
    let lean = folder.join("program");
    fs::write(&lean, "no libtorch here").unwrap();
    let export = [
        "export",
        &net,
        "--usi",
        text(&folder),
        "--program",
        text(&lean),
    ];
    check_refused(&export, 3, &["is there and no engine folder"]);
}
