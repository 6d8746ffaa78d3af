use super::*;

fn read(text: &str) -> Gate {
    let table: toml::Table = toml::from_str(text).unwrap();
    table["gate"].clone().try_into().unwrap()
}

#[test]
fn a_gate_is_a_word_or_a_table() {
    assert_eq!(read("gate = \"always\""), Gate::Always);
    let expected = GateMatch {
        games: 40,
        sprt: Some(Sprt {
            elo0: -5.0,
            elo1: 15.0,
            ..Sprt::default()
        }),
        ..GateMatch::default()
    };
    let text = "gate = { match = { games = 40, sprt = { elo0 = -5.0, elo1 = 15.0 } } }";
    assert_eq!(read(text), Gate::Match(expected));
}

#[test]
fn a_gate_out_of_range_is_refused_with_its_key() {
    let refused = |gate: GateMatch| Gate::Match(gate).check().unwrap_err().0;
    let odd = GateMatch {
        games: 3,
        ..GateMatch::default()
    };
    assert_eq!(refused(odd), "match.games");
    let score = GateMatch {
        score: 1.5,
        ..GateMatch::default()
    };
    assert_eq!(refused(score), "match.score");
    let sprt = GateMatch {
        sprt: Some(Sprt {
            elo1: -10.0,
            ..Sprt::default()
        }),
        ..GateMatch::default()
    };
    assert_eq!(refused(sprt), "match.sprt.elo1");
    assert_eq!(Gate::Match(GateMatch::default()).check(), Ok(()));
}
