//! Whole trees as text, in `testdata/golden`. `UPDATE_GOLDEN=1 cargo test -p narikin-search`
//! writes them anew; the difference is then to be read and explained in the commit.

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

use super::{MATSURI, game, gumbel, puct};
use crate::tree::{Edge, NodeId, Status};
use crate::{HashEvaluator, Search, SearchOptions, run};

/// Each visited node on a line: its move, visits, prior, mean q of the player who moved, and its
/// status if it is closed; replies indented below.
fn tree_text(search: &Search) -> String {
    let root = search.tree.node(NodeId::ROOT);
    let mut text = format!("root visits {} q {:.4}\n", root.n_visits(), root.q(0.0));
    write_children(search, NodeId::ROOT, 1, &mut text);
    writeln!(
        text,
        "best {} depth {}",
        search.best_move(),
        search.result().depth
    )
    .unwrap();
    text
}

fn write_children(search: &Search, id: NodeId, depth: usize, text: &mut String) {
    for edge in search.tree.edges(id) {
        let Edge {
            mv,
            prior,
            child: Some(child_id),
        } = *edge
        else {
            continue;
        };
        let child = search.tree.node(child_id);
        let (visits, q) = (child.n_visits(), child.q_for_parent(0.0));
        write!(
            text,
            "{:depth$}{mv} visits {visits} prior {prior:.4} q {q:.4}",
            ""
        )
        .unwrap();
        match child.status() {
            Status::Open => writeln!(text).unwrap(),
            closed => writeln!(text, " {closed:?}").unwrap(),
        }
        write_children(search, child_id, depth + 1, text);
    }
}

#[track_caller]
fn check_golden(name: &str, usi: &str, options: &SearchOptions) {
    let mut search = Search::new(&game(usi), options, 7);
    run(&mut search, &mut HashEvaluator { seed: 7 }).unwrap();
    let found = tree_text(&search);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("testdata/golden/{name}.txt"));
    if env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, &found).unwrap();
    }
    let expected = fs::read_to_string(&path).unwrap();
    assert_eq!(
        found, expected,
        "{name}: if this is meant, run with UPDATE_GOLDEN=1"
    );
}

#[test]
fn gumbel_trees_are_the_golden_ones() {
    check_golden("gumbel-startpos", "startpos", &gumbel(33));
    check_golden("gumbel-white", "startpos moves 7g7f", &gumbel(33));
    check_golden("gumbel-matsuri", MATSURI, &gumbel(33));
    check_golden(
        "gumbel-noise",
        "startpos",
        &SearchOptions {
            noise: true,
            ..gumbel(33)
        },
    );
}

#[test]
fn puct_trees_are_the_golden_ones() {
    check_golden("puct-startpos", "startpos", &puct(33));
    check_golden("puct-white", "startpos moves 7g7f", &puct(33));
    check_golden("puct-matsuri", MATSURI, &puct(33));
    check_golden(
        "puct-noise",
        "startpos",
        &SearchOptions {
            noise: true,
            ..puct(33)
        },
    );
}

#[test]
fn trees_with_ends_of_games_are_the_golden_ones() {
    check_golden(
        "puct-endgame",
        "6k2/9/1P7/9/3G5/2n6/5s3/9/2G2K3 b r 1",
        &puct(60),
    );
    check_golden(
        "gumbel-endgame",
        "6k2/9/1P7/9/3G5/2n6/5s3/9/2G2K3 b r 1",
        &gumbel(60),
    );
}
