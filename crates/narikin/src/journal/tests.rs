use super::*;
use crate::testing::test_folder;

#[test]
fn lines_read_back_and_a_torn_one_is_cut_off() {
    let path = test_folder("journal-torn").join("lines.jsonl");
    assert!(read_journal::<u32>(&path, "a number").unwrap().is_empty());
    let mut journal = Journal::open(&path).unwrap();
    journal.append(&1u32).unwrap();
    journal.append(&22).unwrap();
    fs::write(&path, b"1\n22\n33").unwrap();
    assert_eq!(read_journal::<u32>(&path, "a number").unwrap(), vec![1, 22]);
    Journal::open(&path).unwrap().append(&4u32).unwrap();
    assert_eq!(
        read_journal::<u32>(&path, "a number").unwrap(),
        vec![1, 22, 4]
    );
}

#[test]
fn a_whole_line_of_something_else_is_named() {
    let path = test_folder("journal-bad").join("lines.jsonl");
    fs::write(&path, b"1\n\"two\"\n").unwrap();
    let error = read_journal::<u32>(&path, "a number").unwrap_err();
    let message = error.to_string();
    assert!(
        message.ends_with("lines.jsonl line 2: not a number of this version"),
        "{message}"
    );
}
