use super::*;
use crate::testing::test_folder;

#[test]
fn a_launcher_names_program_library_and_net() {
    let script = launcher("usi", "libopenvino_c.so.1", "net.onnx");
    assert!(script.starts_with("#!/bin/sh\n"));
    assert!(script.contains("NARIKIN_OPENVINO=$PWD/lib/libopenvino_c.so.1\n"));
    assert!(script.ends_with("exec bin/narikin usi --model net.onnx \"$@\"\n"));
}

#[test]
fn only_an_engine_folder_or_an_empty_one_is_replaced() {
    let folder = test_folder("export-engine-replace");
    assert!(check_replaceable(&folder.join("absent")).is_ok());
    assert!(check_replaceable(&folder).is_ok());
    fs::write(folder.join("letter.txt"), "dear").unwrap();
    let error = check_replaceable(&folder).unwrap_err().to_string();
    assert!(
        error.ends_with("is there and no engine folder: choose another name"),
        "{error}"
    );
    fs::write(folder.join(LAUNCHER), "").unwrap();
    assert!(check_replaceable(&folder).is_ok());
}

#[test]
fn a_program_that_needs_libtorch_is_refused() {
    let folder = test_folder("export-engine-lean");
    let program = folder.join("program");
    fs::write(&program, b"ELF libtorch_cpu.so\0 more").unwrap();
    let error = check_lean(&program).unwrap_err().to_string();
    assert!(error.contains("is linked with libtorch"), "{error}");
    fs::write(&program, b"ELF libm.so\0 more").unwrap();
    assert!(check_lean(&program).is_ok());
}

#[test]
fn the_newest_version_of_glibc_that_a_program_asks_for_is_found() {
    assert_eq!(newest_glibc(b"ELF no version"), (0, 0));
    let symbols = b"GLIBC_2.9\0GLIBC_PRIVATE\0GLIBC_2.34\0x GLIBC_2.2.5\0GLIBC_ABI_DT_RELR\0GLIBC_";
    assert_eq!(newest_glibc(symbols), (2, 34));
}
