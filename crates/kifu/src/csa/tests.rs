use std::time::Duration;

use rules::{Handicap, Position};

use super::*;
use crate::{Analysis, Clock, End, Format, HeaderKey, Note, Record, read};

fn sample() -> Record {
    let moves = ["7g7f", "3c3d"].map(|mv| mv.parse().unwrap());
    let mut record = Record::new(Position::startpos(), moves);
    record.add_header(HeaderKey::Event, "見本");
    record.add_header(HeaderKey::White, "後手花子");
    record.add_header(HeaderKey::Black, "先手太郎");
    record.add_header(HeaderKey::TimeLimit, "5分+10秒");
    record.add_header(HeaderKey::MaxMoves, "256");
    record.add_header(HeaderKey::Note, "一行目\n二行目 \\ 円");
    record.add_header(HeaderKey::Named("表題".to_owned()), "x");
    record.main.notes.push(Note::Text("初めに".to_owned()));
    let ply = &mut record.main.plies[0];
    ply.clock = Some(Clock::of(Duration::from_millis(1_250)));
    ply.notes.push(Note::Analysis(Analysis {
        score: 30,
        pv: ["8c8d", "2g2f"].map(|mv| mv.parse().unwrap()).to_vec(),
        nodes: Some(1234),
    }));
    ply.notes.push(Note::Text("*一行目\n二行目".to_owned()));
    record.main.end = Some(End::new(Ending::MaxMoves));
    record
}

#[test]
fn version_3_tells_all() {
    let expected = "\
N+先手太郎
N-後手花子
$EVENT:見本
$TIME:300+10+0
$MAX_MOVES:256
$NOTE:一行目\\n二行目 \\\\ 円
'表題：x
PI
+
'*初めに
+7776FU
T1.25
'** 30 -8384FU +2726FU #1234
'* *一行目
'*二行目
-3334FU
%MAX_MOVES
";
    assert_eq!(write_csa(&sample(), CsaVersion::V30), expected);
}

#[test]
fn version_2_has_whole_seconds_and_its_own_time_control() {
    let text = write_csa(&sample(), CsaVersion::V22);
    assert!(text.starts_with("N+"), "{text}");
    assert!(text.contains("\n$TIME_LIMIT:00:05+10\n"), "{text}");
    assert!(text.contains("\n+7776FU\nT1\n"), "{text}");
    let mut record = sample();
    record.headers.clear();
    // V2.2 has no word for an increment: V3.0's is written, and older readers pass over it.
    record.add_header(HeaderKey::TimeLimit, "300+0+10");
    let text = write_csa(&record, CsaVersion::V22);
    assert!(text.starts_with("$TIME:300+0+10\n"), "{text}");
}

#[test]
fn a_start_that_is_not_even_is_drawn() {
    let record = Record::new(Handicap::TwoPiece.position(), []);
    let expected = "\
P1-KY-KE-GI-KI-OU-KI-GI-KE-KY
P2 *  *  *  *  *  *  *  *  * 
P3-FU-FU-FU-FU-FU-FU-FU-FU-FU
P4 *  *  *  *  *  *  *  *  * 
P5 *  *  *  *  *  *  *  *  * 
P6 *  *  *  *  *  *  *  *  * 
P7+FU+FU+FU+FU+FU+FU+FU+FU+FU
P8 * +KA *  *  *  *  * +HI * 
P9+KY+KE+GI+KI+OU+KI+GI+KE+KY
-
";
    assert_eq!(write_csa(&record, CsaVersion::V22), expected);
}

#[test]
fn an_analysis_that_does_not_fit_is_kept_as_text() {
    for text in [
        " 30 +7776FU",
        " good",
        " 30 #12 -8384FU",
        " 30.5",
        " 99999999999",
    ] {
        let csa = format!("PI\n+\n+7776FU\n'**{text}\n");
        let record = read(csa.as_bytes(), Format::Csa(CsaVersion::V22))
            .unwrap()
            .remove(0);
        assert_eq!(record.main.plies[0].notes, [Note::Engine(text.to_owned())]);
        assert!(write_csa(&record, CsaVersion::V22).contains(&format!("'**{text}\n")));
    }
}

#[test]
fn all_statements_of_the_definition_are_endings() {
    for name in [
        "TORYO",
        "CHUDAN",
        "SENNICHITE",
        "TIME_UP",
        "ILLEGAL_MOVE",
        "+ILLEGAL_ACTION",
        "-ILLEGAL_ACTION",
        "JISHOGI",
        "KACHI",
        "HIKIWAKE",
        "MATTA",
        "TSUMI",
        "FUZUMI",
        "ERROR",
        "MAX_MOVES",
    ] {
        assert!(ending(name, Color::Black, false).is_some(), "{name}");
    }
}
