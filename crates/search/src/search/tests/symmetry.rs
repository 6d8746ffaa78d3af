//! Black and White are alike: a position seen from the other side of the board has the same tree.

use std::collections::BTreeMap;

use rules::{Color, Game, GameRules, Move, Position};

use super::{MATSURI, game, gumbel, puct, wide_gumbel};
use crate::{
    EvalAnswers, EvalRequest, Evaluator, EvaluatorError, HashEvaluator, LeafMate, RootMove, Search,
    SearchOptions, mix_seed, run,
};

/// The same position with the board turned and the colours exchanged.
fn turned(sfen: &str) -> String {
    let swap = |c: char| match c {
        c if c.is_ascii_lowercase() => c.to_ascii_uppercase(),
        c => c.to_ascii_lowercase(),
    };
    let mut fields = sfen.split(' ');
    let mut next = || fields.next().unwrap();
    let board: String = next().chars().rev().map(swap).collect();
    // A promotion mark has come to stand behind its piece.
    let mut in_order = String::new();
    for c in board.chars() {
        if c == '+' {
            let piece = in_order.pop().unwrap();
            in_order.extend(['+', piece]);
        } else {
            in_order.push(c);
        }
    }
    let side = if next() == "b" { "w" } else { "b" };
    let hands: String = next().chars().map(swap).collect();
    format!("{in_order} {side} {hands} {}", next())
}

fn turned_move(mv: Move) -> Move {
    match (mv.from(), mv.drop_kind()) {
        (Some(from), _) => Move::board(from.rotated(), mv.to().rotated(), mv.is_promotion()),
        (None, kind) => Move::drop(kind.unwrap(), mv.to().rotated()),
    }
}

/// A hash of the position as Black sees it if Black is to move, else as White does.
struct ColourBlind;

impl Evaluator for ColourBlind {
    fn evaluate(
        &mut self,
        requests: &[EvalRequest<'_>],
        answers: &mut EvalAnswers,
    ) -> Result<(), EvaluatorError> {
        answers.clear();
        for request in requests {
            let is_black = request.position.side_to_move() == Color::Black;
            let sfen = request.position.to_string();
            let seen = if is_black { sfen } else { turned(&sfen) };
            let seen = Position::from_sfen(&seen).unwrap();
            let mut value = EvalAnswers::new();
            let legal_moves = seen.legal_moves();
            let same = EvalRequest {
                position: &seen,
                legal_moves: &legal_moves,
            };
            HashEvaluator { seed: 3 }.evaluate(&[same], &mut value)?;
            answers.push_with(value.get(0).1, request.legal_moves.len(), |logits| {
                for (logit, &mv) in logits.iter_mut().zip(request.legal_moves) {
                    let mv = if is_black { mv } else { turned_move(mv) };
                    let bits = mix_seed(seen.key(), u64::from(mv.raw()));
                    *logit = (bits >> 40) as f32 / (1 << 23) as f32;
                }
            });
        }
        Ok(())
    }
}

/// Visits, value and mate of each root move, and the best line.
type Tree = (BTreeMap<Move, (u32, Option<f32>, Option<i32>)>, Vec<Move>);

fn tree(sfen: &str, options: &SearchOptions, view: fn(Move) -> Move) -> Tree {
    let start = Position::from_sfen(sfen).unwrap();
    let mut search = Search::new(&Game::new(start, GameRules::default()), options, 1);
    run(&mut search, &mut ColourBlind).unwrap();
    let moves = search.root_moves().map(|root_move| {
        let RootMove { mv, visits, .. } = root_move;
        let q = root_move.value.map(|value| value.q());
        (view(mv), (visits, q, root_move.mate))
    });
    (moves.collect(), search.pv().into_iter().map(view).collect())
}

#[test]
fn the_other_side_of_the_board_has_the_same_tree() {
    let startpos = game("startpos").position().to_string();
    let sfens = [
        startpos.as_str(),
        MATSURI,
        "6k2/9/1P7/9/3G5/2n6/5s3/9/2G2K3 b r 1",
        "9/k8/1L7/P8/9/9/RP7/3K5/9 b - 1",
        // Entered kings, and a king under perpetual check.
        "+R+B2K4/GGSS5/PPPP5/9/9/9/9/9/4k4 w RB 1",
        "8k/R8/9/9/4p4/9/9/9/K8 b - 1",
    ];
    let three = SearchOptions {
        leaf_mate: LeafMate::Three,
        draw_value: 0.3,
        ..puct(400)
    };
    for options in [puct(400), gumbel(400), wide_gumbel(400), three] {
        for sfen in sfens {
            let seen_by_black = tree(sfen, &options, |mv| mv);
            let seen_by_white = tree(&turned(sfen), &options, turned_move);
            assert_eq!(seen_by_black.0, seen_by_white.0, "{sfen}");
            // A mate may be one of several with the same length.
            if seen_by_black.0.values().all(|(_, _, mate)| mate.is_none()) {
                assert_eq!(seen_by_black.1, seen_by_white.1, "{sfen}");
            }
        }
    }
}

#[test]
fn turning_twice_gives_the_position_again() {
    for sfen in [MATSURI, "4k4/9/9/9/9/9/9/9/4K4 b RB2p 1"] {
        let position = Position::from_sfen(sfen).unwrap();
        let there = Position::from_sfen(&turned(&position.to_string())).unwrap();
        let back = Position::from_sfen(&turned(&there.to_string())).unwrap();
        assert_eq!(back, position);
        assert_eq!(there.legal_moves().len(), position.legal_moves().len());
    }
}
