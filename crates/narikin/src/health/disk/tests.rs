use super::*;

#[test]
fn a_folder_that_is_absent_has_no_disk() {
    assert_eq!(free_mib(Path::new("no/such/folder")), None);
    assert!(free_mib(Path::new(".")).is_some());
}
