use super::*;

#[test]
fn file_endings_name_formats() {
    let format = |extension| Format::from_extension(extension).map(|(format, _)| format);
    assert_eq!(format("csa"), Some(Format::Csa(CsaVersion::V22)));
    assert_eq!(format("Ki2U"), Some(Format::Ki2));
    assert_eq!(format("sfen"), Some(Format::Usi));
    assert_eq!(format("pgn"), Some(Format::Pgn));
    assert_eq!(format("nkg"), None);
    assert_eq!(format(""), None);
}
