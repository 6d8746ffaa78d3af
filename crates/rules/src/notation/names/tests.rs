use crate::{
    PieceKind, Square, digit_value, full_width_digit, kanji_digit, kanji_number, parse_kanji_number,
};

#[test]
fn every_name_of_a_piece_is_read_as_that_piece() {
    for kind in PieceKind::ALL {
        for name in [kind.kanji(), kind.kanji_single(), kind.kanji_full()] {
            assert_eq!(PieceKind::from_kanji(name), Some(kind), "{name}");
        }
        assert_eq!(PieceKind::from_csa(kind.csa()), Some(kind));
    }
    for (name, kind) in [
        ("王", PieceKind::King),
        ("竜", PieceKind::Dragon),
        ("竜馬", PieceKind::Horse),
    ] {
        assert_eq!(PieceKind::from_kanji(name), Some(kind));
    }
    for name in ["", "象", "歩歩", "成", "成玉", "P"] {
        assert_eq!(PieceKind::from_kanji(name), None, "{name}");
    }
    assert_eq!(PieceKind::from_csa("fu"), None);
}

#[test]
fn single_kanji_and_csa_letters_differ_for_all_kinds() {
    for a in PieceKind::ALL {
        for b in PieceKind::ALL {
            let same = a == b;
            assert_eq!(a.kanji_single() == b.kanji_single(), same);
            assert_eq!(a.csa() == b.csa(), same);
            assert_eq!(a.english() == b.english(), same);
        }
        assert_eq!(a.kanji_single().chars().count(), 1);
        assert_eq!(a.kanji_full().chars().count(), 2);
    }
}

#[test]
fn squares_have_their_japanese_names() {
    for (usi, kanji) in [
        ("7f", "７六"),
        ("1a", "１一"),
        ("9i", "９九"),
        ("5e", "５五"),
    ] {
        assert_eq!(usi.parse::<Square>().unwrap().kanji(), kanji);
    }
}

#[test]
fn digits_of_all_scripts_have_their_value() {
    for n in 1..=9 {
        let half = char::from(b'0' + n);
        for digit in [half, full_width_digit(n), kanji_digit(n)] {
            assert_eq!(digit_value(digit), Some(n), "{digit}");
        }
    }
    for other in ['0', '０', '〇', '十', 'a', ':', '：', '零', '丁'] {
        assert_eq!(digit_value(other), None, "{other}");
    }
}

#[test]
fn numbers_in_kanji_are_read_as_they_were_written() {
    for n in 1..100 {
        assert_eq!(parse_kanji_number(&kanji_number(n)), Some(n));
        assert_eq!(parse_kanji_number(&n.to_string()), Some(n));
    }
    let written: Vec<String> = [0, 1, 9, 10, 11, 18, 20, 99].map(kanji_number).into();
    assert_eq!(
        written,
        ["", "一", "九", "十", "十一", "十八", "二十", "九十九"]
    );
    for (text, n) in [("一八", 18), ("１８", 18), ("一〇", 10), ("１０", 10)] {
        assert_eq!(parse_kanji_number(text), Some(n), "{text}");
    }
    for text in ["", "十十", "百", "0", "01", "一二三", "x"] {
        assert_eq!(parse_kanji_number(text), None, "{text}");
    }
}
