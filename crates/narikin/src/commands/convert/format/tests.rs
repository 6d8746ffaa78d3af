use super::*;

const V22: FileFormat = FileFormat::Text(Format::Csa(CsaVersion::V22));
const V30: FileFormat = FileFormat::Text(Format::Csa(CsaVersion::V30));
const KIF: FileFormat = FileFormat::Text(Format::Kif);

#[track_caller]
fn check(
    path: &str,
    name: Option<FormatName>,
    encoding: Option<TextEncoding>,
    expected: (FileFormat, Encoding),
) {
    assert_eq!(
        format_of(Path::new(path), name, encoding).unwrap(),
        expected
    );
}

#[test]
fn the_name_of_a_file_tells_format_and_encoding() {
    check("a/b.csa", None, None, (V22, Encoding::Utf8));
    check("a/b.kif", None, None, (KIF, Encoding::ShiftJis));
    check("a/b.kifu", None, None, (KIF, Encoding::Utf8));
    check(
        "000001.nkg.open",
        None,
        None,
        (FileFormat::Records, Encoding::Utf8),
    );
}

#[test]
fn training_data_is_known_by_its_names() {
    for (path, format) in [
        ("a.hcpe", HCPE),
        ("a.hcpe2", HCPE),
        ("教師.psv", PSV),
        ("a.b.hcpe3", ForeignFormat::Hcpe3),
    ] {
        check(
            path,
            None,
            None,
            (FileFormat::Foreign(format), Encoding::Utf8),
        );
    }
    let psv = FileFormat::Foreign(PSV);
    check("a.bin", Some(FormatName::Psv), None, (psv, Encoding::Utf8));
}

#[test]
fn options_count_more_than_names() {
    let csa3 = Some(FormatName::Csa3);
    check("a.csa", csa3, None, (V30, Encoding::Utf8));
    check("a.kif", csa3, None, (V30, Encoding::Utf8));
    check("-", Some(FormatName::Kif), None, (KIF, Encoding::ShiftJis));
    check("a.kifu", Some(FormatName::Kif), None, (KIF, Encoding::Utf8));
    let utf8 = Some(TextEncoding::Utf8Bom);
    check("a.kif", None, utf8, (KIF, Encoding::Utf8Bom));
}

#[test]
fn a_name_that_tells_nothing_needs_an_option() {
    for path in ["-", "folder/", "file", "file.zip"] {
        let error = format_of(Path::new(path), None, None)
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("give it with --to (csa, csa3, kif"),
            "{error}"
        );
    }
}
