use std::fs;

use std::io::Write;

use super::{WholeFile, write_whole};

#[test]
fn a_file_is_replaced_and_no_temporary_one_is_left() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x");
    write_whole(&path, b"old").unwrap();
    write_whole(&path, b"new").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"new");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_file_that_cannot_be_written_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("absent").join("x");
    let message = write_whole(&path, b"new").unwrap_err().to_string();
    assert_eq!(message, format!("cannot write {}.tmp", path.display()));
}

#[test]
fn a_file_that_is_not_finished_leaves_the_old_one_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x");
    write_whole(&path, b"old").unwrap();
    let mut file = WholeFile::create(&path).unwrap();
    file.write_all(b"half").unwrap();
    drop(file);
    assert_eq!(fs::read(&path).unwrap(), b"old");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}
