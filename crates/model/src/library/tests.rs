use super::*;
use crate::runtime::OPENVINO;
use crate::testing::chain;
use tempfile::TempDir;

fn find_with(variables: &[(&str, &Path)]) -> Result<PathBuf, LibraryError> {
    OPENVINO.find_with(&|name| {
        let (_, value) = variables.iter().find(|(known, _)| *known == name)?;
        Some(value.as_os_str().to_owned())
    })
}

fn folder_with_library(below: &str, name: &str) -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let library = folder.path().join(below).join(name);
    fs::create_dir_all(library.parent().unwrap()).unwrap();
    fs::write(&library, "").unwrap();
    (folder, library)
}

#[test]
fn the_variable_comes_before_the_cache() {
    let (cache, in_cache) = folder_with_library(OPENVINO.cache_folder, "libopenvino_c.so.2641");
    let (_elsewhere, chosen) = folder_with_library("", "libopenvino_c.so");
    let found = find_with(&[
        ("NARIKIN_CACHE", cache.path()),
        ("NARIKIN_OPENVINO", &chosen),
    ]);
    assert_eq!(found.unwrap(), chosen);
    let found = find_with(&[
        ("NARIKIN_CACHE", cache.path()),
        ("NARIKIN_OPENVINO", Path::new("")),
        ("HOME", Path::new("/nowhere")),
    ]);
    assert_eq!(found.unwrap(), in_cache);
}

#[test]
fn the_cache_is_where_setup_puts_it() {
    let (home, library) = folder_with_library(
        &format!(".cache/narikin/{}", OPENVINO.cache_folder),
        "libopenvino_c.so.2641",
    );
    assert_eq!(find_with(&[("HOME", home.path())]).unwrap(), library);
    let (cache, library) = folder_with_library(
        &format!("narikin/{}", OPENVINO.cache_folder),
        "libopenvino_c.so.2641",
    );
    let variables = [("HOME", home.path()), ("XDG_CACHE_HOME", cache.path())];
    assert_eq!(find_with(&variables).unwrap(), library);
}

#[test]
fn another_file_in_the_variable_is_refused() {
    let (_folder, library) = folder_with_library("", "libtorch.so");
    let error = find_with(&[("NARIKIN_OPENVINO", &library)]).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            "NARIKIN_OPENVINO is {}, expected the path of a file whose name starts with \
             libopenvino_c.so",
            library.display()
        )
    );
}

#[test]
fn what_was_looked_for_and_the_remedy_are_named() {
    let empty = TempDir::new().unwrap();
    let error = find_with(&[("NARIKIN_CACHE", empty.path())]).unwrap_err();
    let folder = empty.path().join(OPENVINO.cache_folder);
    let expected = format!(
        "no libopenvino_c.so.* in {} (run scripts/setup, or set NARIKIN_OPENVINO to the path of \
         the library)",
        folder.display()
    );
    assert_eq!(
        chain(&error),
        format!("{expected}: No such file or directory (os error 2)")
    );
    fs::create_dir(&folder).unwrap();
    let error = find_with(&[("NARIKIN_CACHE", empty.path())]).unwrap_err();
    assert_eq!(chain(&error), expected);
    assert_eq!(
        find_with(&[]).unwrap_err().to_string(),
        "OpenVINO not looked for: none of NARIKIN_OPENVINO, NARIKIN_CACHE, XDG_CACHE_HOME and \
         HOME is set"
    );
}

#[test]
fn a_system_that_does_not_tell_its_processors_is_refused() {
    let root = TempDir::new().unwrap();
    let files = ["/sys/processors", "/proc/processors"];
    let error = OPENVINO.check_processors(root.path(), files).unwrap_err();
    assert_eq!(
        error.to_string(),
        "OpenVINO cannot count the processors of this system: neither /sys/processors nor \
         /proc/processors is there, mount /sys or /proc"
    );
    fs::create_dir(root.path().join("proc")).unwrap();
    fs::write(root.path().join("proc/processors"), "").unwrap();
    assert!(OPENVINO.check_processors(root.path(), files).is_ok());
}
