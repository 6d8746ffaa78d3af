//! What a visit costs without a network: `cargo bench -p narikin-search`.
//!
//! Every position of some games of a net that had learned for half an hour is searched with 32 visits
//! and `HashEvaluator`, whose own time is taken out. Microseconds of this thread's processor time, the
//! best of some rounds, so that what else the machine does hardly counts. The rules' share (legal moves
//! and mate in one of the positions that were evaluated) is measured alone.

#![expect(clippy::print_stdout, reason = "a program that prints a table")]

use std::hint::black_box;
use std::{fs, iter};

use rules::{Game, GameRules, MoveList, Position};
use search::{
    EvalAnswers, EvalRequest, Evaluator, EvaluatorError, HashEvaluator, LeafMate, PuctOptions,
    RootOptions, Search, SearchOptions, Step,
};

const GAMES: &str = include_str!("../testdata/games.usi");
const ROUNDS: usize = 7;

fn main() {
    let games: Vec<Game> = GAMES.lines().flat_map(positions_of).collect();
    println!(
        "{:<28}{:>10}{:>10}{:>10}{:>10}",
        "us of a visit", "all", "tree", "rules", "visits"
    );
    let puct = RootOptions::Puct(PuctOptions::default());
    let kinds = [
        ("gumbel", RootOptions::default(), LeafMate::One),
        ("puct", puct.clone(), LeafMate::One),
        ("puct, no mates", puct.clone(), LeafMate::None),
        ("puct, mates in three", puct, LeafMate::Three),
    ];
    for (name, root, leaf_mate) in kinds {
        let options = SearchOptions {
            visits: 32,
            root,
            leaf_mate,
            ..SearchOptions::default()
        };
        report(name, &games, &options);
    }
}

/// The game after each of its moves but the last.
fn positions_of(usi: &str) -> Vec<Game> {
    let (_, moves) = usi.split_once(" moves ").expect("a game has moves");
    let mut game = Game::new(Position::startpos(), GameRules::default());
    let after = moves.split_whitespace().map(|mv| {
        let before = game.clone();
        game.play(mv.parse().expect("a move"))
            .expect("a legal move");
        before
    });
    after.collect()
}

fn report(name: &str, games: &[Game], options: &SearchOptions) {
    let mut search = Search::new(&games[0], options, 0);
    let mut asked = Vec::new();
    let n_visits = pass(games, options, &mut search, &mut Keep(&mut asked));
    let mut moves = MoveList::new();
    let [mut all, mut own, mut rules] = [f64::INFINITY; 3];
    for _ in 0..ROUNDS {
        all = all.min(seconds(|| {
            pass(games, options, &mut search, &mut HashEvaluator { seed: 1 });
        }));
        let mut answers = EvalAnswers::new();
        own = own.min(seconds(|| {
            for position in &asked {
                let legal_moves = &moves_of(position)[..];
                let request = EvalRequest {
                    position: &position.0,
                    legal_moves,
                };
                let evaluated = HashEvaluator { seed: 1 }.evaluate(&[request], &mut answers);
                black_box(evaluated.is_ok());
            }
        }));
        rules = rules.min(seconds(|| {
            for (position, _) in &asked {
                position.legal_moves_into(&mut moves);
                if options.leaf_mate != LeafMate::None {
                    black_box(position.mate_in_one_among(&moves));
                }
            }
        }));
    }
    let us = |seconds: f64| 1e6 * seconds / f64::from(n_visits);
    println!(
        "{name:<28}{:>10.2}{:>10.2}{:>10.2}{n_visits:>10}",
        us(all - own),
        us(all - own - rules),
        us(rules)
    );
}

fn moves_of(asked: &(Position, MoveList)) -> &MoveList {
    &asked.1
}

/// Searches every position; the visits made.
fn pass(
    games: &[Game],
    options: &SearchOptions,
    search: &mut Search,
    evaluator: &mut dyn Evaluator,
) -> u32 {
    let mut answers = EvalAnswers::new();
    let mut n_visits = 0;
    for (game, seed) in iter::zip(games, 0..) {
        search.restart(game, options, seed);
        while let Step::Leaf = search.next_leaf() {
            let evaluated = evaluator.evaluate(&[search.request()], &mut answers);
            evaluated.expect("these evaluators never fail");
            let (logits, value) = answers.get(0);
            search.apply(logits, value).expect("a good answer");
        }
        black_box(search.best_move());
        n_visits += search.visit_count();
    }
    n_visits
}

/// [`HashEvaluator`] that keeps what it is asked.
struct Keep<'a>(&'a mut Vec<(Position, MoveList)>);

impl Evaluator for Keep<'_> {
    fn evaluate(
        &mut self,
        requests: &[EvalRequest<'_>],
        answers: &mut EvalAnswers,
    ) -> Result<(), EvaluatorError> {
        let positions = requests.iter().map(|request| request.position.clone());
        self.0.extend(positions.map(|position| {
            let moves = position.legal_moves();
            (position, moves)
        }));
        HashEvaluator { seed: 1 }.evaluate(requests, answers)
    }
}

/// Processor time of this thread that `work` takes.
fn seconds(work: impl FnOnce()) -> f64 {
    let before = thread_nanoseconds();
    work();
    (thread_nanoseconds() - before) as f64 / 1e9
}

/// Linux tells it in a file; its first number is the time on a processor.
fn thread_nanoseconds() -> u64 {
    let text = fs::read_to_string("/proc/thread-self/schedstat").expect("Linux");
    let first = text.split_whitespace().next().expect("three numbers");
    first.parse().expect("a number")
}
