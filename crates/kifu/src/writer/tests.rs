use rules::{Handicap, Position};

use super::*;
use crate::{End, Ending, Note, Ply, Variation};

#[test]
fn kif_and_ki2_take_one_game_per_file() {
    let record = Record::new(Position::startpos(), []);
    for format in Format::ALL {
        let mut writer = GameWriter::new(Vec::new(), format, Encoding::Utf8);
        writer.write(&record).unwrap();
        let second = writer.write(&record);
        assert_eq!(second.is_ok(), format.holds_many(), "{}", format.name());
        if let Err(error) = second {
            let expected = format!("{} holds one game per file, found a second", format.name());
            assert_eq!(error.to_string(), expected);
        }
    }
}

#[test]
fn what_is_no_record_is_not_written() {
    let moves = ["7g7e", "3c3d"].map(|mv| mv.parse().unwrap());
    let record = Record::new(Position::startpos(), moves);
    let mut writer = GameWriter::new(Vec::new(), Format::Usi, Encoding::Utf8);
    let error = writer.write(&record).unwrap_err().to_string();
    assert!(
        error.starts_with("ply 1: the move 7g7e is illegal"),
        "{error}"
    );
    assert!(writer.into_inner().is_empty());
}

#[test]
fn bytes_before_and_between_games_are_those_of_the_format() {
    let record = Record::new(Position::startpos(), []);
    let two = |format, encoding| {
        let mut writer = GameWriter::new(Vec::new(), format, encoding);
        writer.write(&record).unwrap();
        writer.write(&record).unwrap();
        String::from_utf8(writer.into_inner()).unwrap()
    };
    assert_eq!(
        two(Format::Csa(CsaVersion::V30), Encoding::Utf8),
        "'CSA encoding=UTF-8\nV3.0\nPI\n+\n/\nPI\n+\n"
    );
    assert_eq!(
        two(Format::Csa(CsaVersion::V30), Encoding::ShiftJis),
        "'CSA encoding=SHIFT_JIS\r\nV3.0\r\nPI\r\n+\r\n/\r\nPI\r\n+\r\n"
    );
    assert_eq!(
        two(Format::Csa(CsaVersion::V22), Encoding::Utf8Bom),
        "\u{feff}V2.2\nPI\n+\n/\nPI\n+\n"
    );
    assert_eq!(
        two(Format::Usi, Encoding::Utf8),
        "position startpos\nposition startpos\n"
    );
}

/// A two-piece game with a variation, as it stands in the files.
fn sample() -> Record {
    let moves = ["6a5b", "7g7f", "5c5d"].map(|mv| mv.parse().unwrap());
    let mut record = Record::new(Handicap::TwoPiece.position(), moves);
    record.add_header(crate::HeaderKey::Black, "A");
    record.main.plies[1]
        .notes
        .push(Note::Text("注釈".to_owned()));
    record.main.end = Some(End::new(Ending::Resign));
    let mut line = crate::Line::default();
    line.plies.push(Ply::new("2g2f".parse().unwrap()));
    record.main.add_variation(Variation { at: 1, line });
    record
}

#[test]
fn kif_has_one_move_a_line() {
    let expected = "\
#KIF version=2.0 encoding=UTF-8
手合割：二枚落ち
下手：A
手数----指手---------消費時間--
   1 ５二金(61)
   2 ７六歩(77)+
*注釈
   3 ５四歩(53)
   4 投了
まで3手で上手の勝ち

変化：2手
   2 ２六歩(27)
";
    let bytes = write(&sample(), Format::Kif, Encoding::Utf8).unwrap();
    assert_eq!(String::from_utf8(bytes).unwrap(), expected);
}

#[test]
fn ki2_has_six_moves_a_line() {
    let expected = "\
手合割：二枚落ち
下手：A

△５二金右   ▲７六歩
*注釈
△５四歩
まで3手で上手の勝ち

変化：2手
▲２六歩
";
    let bytes = write(&sample(), Format::Ki2, Encoding::Utf8).unwrap();
    assert_eq!(String::from_utf8(bytes).unwrap(), expected);
    let moves = "2h3h 8b7b 3h2h 7b8b 2h3h 8b7b 3h2h";
    let moves = moves.split(' ').map(|mv| mv.parse().unwrap());
    let record = Record::new(Position::startpos(), moves);
    let text = String::from_utf8(write(&record, Format::Ki2, Encoding::Utf8).unwrap()).unwrap();
    let lines: Vec<&str> = text.lines().filter(|line| line.starts_with('▲')).collect();
    assert_eq!(lines.len(), 2, "{text}");
    assert_eq!(lines[1], "▲２八飛");
}
