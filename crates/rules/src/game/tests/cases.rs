//! The rule cases of `testdata/cases.tsv`: each row asks one question about one position.

use super::*;
use crate::{Declaration, PieceKind};

const CASES: &str = include_str!("../../../testdata/cases.tsv");

struct Case {
    id: &'static str,
    position: &'static str,
    question: &'static str,
    expected: &'static str,
}

fn cases() -> impl Iterator<Item = Case> {
    CASES.lines().skip(1).map(|line| {
        let fields: Vec<&str> = line.split('\t').collect();
        let [id, position, question, expected, _why] = fields[..] else {
            panic!("not five fields: {line}");
        };
        Case {
            id,
            position,
            question,
            expected,
        }
    })
}

/// The answer, in the words of the file.
fn answer(case: &Case) -> String {
    let question = case.question;
    let position = || Position::from_sfen(case.position).unwrap();
    if let Some(mv) = question.strip_prefix("legal ") {
        return legality(&position(), mv.trim_end_matches('?')).to_owned();
    }
    if let Some(rule) = question.strip_prefix("declaration by the side to move under ") {
        return verdict(position(), rule).to_owned();
    }
    if let Some(limit) = question.strip_prefix("result of the game; move limit in plies: ") {
        return result_of(&game(case.position, limit_rules(limit))).to_owned();
    }
    match question {
        "number of legal moves" => position().legal_moves().len().to_string(),
        "result of the game" | "result of the game (fourfold repetition rules)" => {
            result_of(&game(case.position, no_limit())).to_owned()
        }
        "canonical SFEN written back" => position().to_string(),
        "White pawns in hand" => position()
            .hand(Color::White)
            .count(PieceKind::Pawn)
            .to_string(),
        "accepted?" => match Position::from_sfen(case.position) {
            Ok(_) => "yes".to_owned(),
            Err(_) => "no".to_owned(),
        },
        // R21: no such game is known.
        "result" => {
            let [black, white] = Color::ALL.map(|side| repetition_outcome(side, true, true).winner);
            assert_eq!(black, white);
            black.map_or("draw", Color::as_str).to_owned()
        }
        question => panic!("unknown question {question:?}"),
    }
}

fn legality(position: &Position, mv: &str) -> &'static str {
    // A promoting drop is not even a move.
    let Ok(mv) = mv.parse::<Move>() else {
        return "illegal";
    };
    let reason = position.why_illegal(mv);
    assert_eq!(position.is_legal(mv), reason.is_none(), "{reason:?}");
    if reason.is_none() { "legal" } else { "illegal" }
}

fn verdict(position: Position, rule: &str) -> &'static str {
    let name = rule.split([' ', ',', '-']).next().unwrap();
    let rules = GameRules {
        declaration: name.parse().unwrap(),
        credit_handicap: !rule.ends_with("without handicap adjustment"),
        ..no_limit()
    };
    let mut game = Game::new(position, rules);
    if rule.ends_with("two-piece handicap (White gave rook and bishop)") {
        let start = "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
        let given = Position::from_sfen(start)
            .unwrap()
            .handicap_points(Color::White);
        game = game.with_given_points(Color::White, given);
    }
    if game.try_move().is_some() {
        return "win";
    }
    match game.declaration() {
        Declaration::Win => "win",
        Declaration::Draw => "draw",
        Declaration::No => "no",
    }
}

fn limit_rules(text: &str) -> GameRules {
    let (limit, style) = text.split_once(' ').unwrap();
    GameRules {
        max_ply: Some(limit.parse().unwrap()),
        max_ply_style: if style == "(JSA style)" {
            PlyLimitStyle::Jsa
        } else {
            assert!(style.starts_with("(plain limit"), "{style}");
            PlyLimitStyle::Plain
        },
        ..GameRules::default()
    }
}

/// For SFENs and where a choice is left the file says a little more than the answer.
fn expected(case: &Case) -> &'static str {
    match case.question {
        "accepted?" | "result" => case.expected.split([' ', ',']).next().unwrap(),
        _ => case.expected,
    }
}

#[test]
fn every_rule_case_has_its_answer() {
    let mut n_cases = 0;
    for case in cases() {
        n_cases += 1;
        let answer = answer(&case);
        assert_eq!(answer, expected(&case), "{}: {}", case.id, case.question);
    }
    assert_eq!(n_cases, 127);
}

#[test]
fn every_rule_case_that_asks_for_a_move_has_the_same_answer_for_the_other_colour() {
    let mut n_cases = 0;
    for case in cases() {
        let Some(mv) = case.question.strip_prefix("legal ") else {
            continue;
        };
        let Ok(mv) = mv.trim_end_matches('?').parse::<Move>() else {
            continue;
        };
        let position = Position::from_sfen(case.position).unwrap();
        let (turned, turned_mv) = (turned(&position), turned_move(mv));
        assert_eq!(
            turned.why_illegal(turned_mv),
            position.why_illegal(mv),
            "{}: {turned_mv} in {turned}",
            case.id
        );
        n_cases += 1;
    }
    assert!(n_cases >= 45, "{n_cases}");
}

/// The position with the board turned round and the colours exchanged.
fn turned(position: &Position) -> Position {
    let sfen = position.to_string();
    let fields: Vec<&str> = sfen.split(' ').collect();
    let swapped = |text: &str| -> String {
        let swap = |c: char| match c {
            c if c.is_ascii_lowercase() => c.to_ascii_uppercase(),
            c => c.to_ascii_lowercase(),
        };
        text.chars().map(swap).collect()
    };
    // The mark of a promoted piece stays before its letter.
    let mut squares: Vec<String> = Vec::new();
    for c in fields[0].chars() {
        match squares.last_mut() {
            Some(square) if square == "+" => square.push(c),
            _ => squares.push(c.to_string()),
        }
    }
    squares.reverse();
    let side = if fields[1] == "b" { "w" } else { "b" };
    let board = swapped(&squares.concat());
    let sfen = format!("{board} {side} {} {}", swapped(fields[2]), fields[3]);
    Position::from_sfen(&sfen).unwrap()
}

fn turned_move(mv: Move) -> Move {
    let to = mv.to().rotated();
    match (mv.from(), mv.drop_kind()) {
        (Some(from), _) => Move::board(from.rotated(), to, mv.is_promotion()),
        (None, kind) => Move::drop(kind.unwrap(), to),
    }
}
