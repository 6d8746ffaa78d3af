use super::*;

fn mv(usi: &str) -> Move {
    usi.parse().unwrap()
}

#[test]
fn centipawns_are_odds_on_a_logarithmic_scale() {
    assert_eq!(Score::from_expected(0.5, 600), Score::Cp(0));
    assert_eq!(Score::from_expected(0.75, 600), Score::Cp(659));
    assert_eq!(Score::from_expected(0.25, 600), Score::Cp(-659));
    assert_eq!(Score::from_expected(1.0, 600), Score::Cp(8289));
    assert_eq!(Score::from_expected(0.0, 600), Score::Cp(-8289));
}

#[test]
fn an_info_line_ends_with_the_pv() {
    let effort = Effort {
        time: Duration::from_millis(500),
        nodes: 1000,
        seldepth: 1,
        hashfull: 3,
    };
    let line = Line {
        score: Score::Cp(-12),
        pv: vec![mv("7g7f"), mv("P*5e")],
    };
    assert_eq!(
        info_line(&effort, &line, 1, false),
        "info depth 2 seldepth 2 time 500 nodes 1000 nps 2000 hashfull 3 score cp -12 pv 7g7f P*5e"
    );
    assert_eq!(
        info_line(
            &effort,
            &Line {
                score: Score::Lost,
                pv: vec![]
            },
            2,
            true
        ),
        "info depth 0 seldepth 1 time 500 nodes 1000 nps 2000 hashfull 3 multipv 2 score mate -"
    );
}

#[test]
fn scores_are_read_as_they_are_written() {
    for score in [
        Score::Cp(0),
        Score::Cp(-30),
        Score::Mate(3),
        Score::Mate(-4),
        Score::Won,
        Score::Lost,
    ] {
        let text = score.to_string();
        let (kind, value) = text.split_once(' ').unwrap();
        assert_eq!(parse_score(kind, value), Some(score));
    }
    assert_eq!(parse_score("mate", "+5"), Some(Score::Mate(5)));
    assert_eq!(parse_score("mate", "-0"), Some(Score::Lost));
    assert_eq!(parse_score("cp", "many"), None);
}

#[test]
fn messages_are_one_ascii_line() {
    assert_eq!(
        info_string("no net \u{5c06}.onnx\nat all"),
        "info string no net ?.onnx?at all"
    );
}

#[test]
fn bestmove_names_the_ponder_move_behind_a_move_only() {
    assert_eq!(
        bestmove_line(BestMove::Move(mv("7g7f")), None),
        "bestmove 7g7f"
    );
    assert_eq!(
        bestmove_line(BestMove::Move(mv("8h2b+")), Some(mv("3a2b"))),
        "bestmove 8h2b+ ponder 3a2b"
    );
    assert_eq!(
        bestmove_line(BestMove::Resign, Some(mv("3a2b"))),
        "bestmove resign"
    );
    assert_eq!(bestmove_line(BestMove::Win, None), "bestmove win");
}

#[test]
fn the_other_player_sees_the_rest_of_a_line_with_the_score_turned() {
    for (score, expected) in [
        (Score::Cp(35), Score::Cp(-35)),
        (Score::Mate(3), Score::Mate(-2)),
        (Score::Mate(-4), Score::Mate(3)),
        (Score::Won, Score::Lost),
    ] {
        let line = Line {
            score,
            pv: vec![mv("7g7f"), mv("3c3d")],
        };
        let expected = Line {
            score: expected,
            pv: vec![mv("3c3d")],
        };
        assert_eq!(line.after_first(), expected);
    }
}
