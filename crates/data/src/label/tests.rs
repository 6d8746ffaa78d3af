use std::collections::HashSet;

use rules::{Color, Position};
use sha2::{Digest, Sha256};

use super::*;
use crate::testing::{mv, random_positions};

const PER_POSITION: &str = include_str!("../../testdata/dlshogi_labels.tsv");
const ALL: &str = include_str!("../../testdata/dlshogi_labels_all.tsv");

fn rows(table: &str) -> impl Iterator<Item = Vec<&str>> {
    table
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split('\t').collect())
}

fn side(text: &str) -> Color {
    match text {
        "b" => Color::Black,
        "w" => Color::White,
        _ => panic!("{text}"),
    }
}

#[test]
fn labels_are_dlshogis_for_every_possible_move() {
    let mut n_rows = 0;
    let mut lines = Vec::new();
    for row in rows(ALL) {
        let label = MoveLabel::of(mv(row[1]), side(row[0]));
        assert_eq!(label.index().to_string(), row[2], "{row:?}");
        lines.push(format!("{} {} {}\n", row[0], row[1], label.index()));
        n_rows += 1;
    }
    assert_eq!(n_rows, 7562);
    lines.sort();
    let digest = Sha256::digest(lines.concat());
    assert_eq!(
        format!("{digest:x}"),
        "cce4299ee608eb781b33abde7a27199d3c2f2527bb203242c4720c74a3c96bdc"
    );
}

#[test]
fn labels_are_dlshogis_in_its_sample_positions() {
    let mut n_rows = 0;
    for row in rows(PER_POSITION) {
        let position = Position::from_sfen(row[1]).expect(row[1]);
        let mv = mv(row[3]);
        assert_eq!(position.side_to_move(), side(row[2]));
        assert!(position.is_legal(mv), "{row:?}");
        let index = MoveLabel::of(mv, position.side_to_move()).index();
        assert_eq!(index.to_string(), row[6], "{row:?}");
        assert_eq!((index % 81).to_string(), row[8], "{row:?}");
        n_rows += 1;
    }
    assert_eq!(n_rows, 1081);
}

#[test]
fn labels_that_can_occur_are_1496() {
    let labels: HashSet<_> = rows(ALL)
        .map(|row| MoveLabel::of(mv(row[1]), side(row[0])))
        .collect();
    assert_eq!(labels.len(), 1496);
    assert!(labels.iter().all(|label| label.index() < N_LABELS));
}

#[test]
fn legal_moves_of_a_position_have_different_labels() {
    for position in random_positions(1, 500) {
        let legal = position.legal_moves();
        let side = position.side_to_move();
        let labels: HashSet<_> = legal.iter().map(|&mv| MoveLabel::of(mv, side)).collect();
        assert_eq!(labels.len(), legal.len(), "{position}");
    }
}

#[test]
fn mirrored_label_is_the_label_of_the_mirrored_move() {
    for row in rows(ALL) {
        let (mv, side) = (mv(row[1]), side(row[0]));
        let label = MoveLabel::of(mv, side);
        assert_eq!(
            label.mirrored(),
            MoveLabel::of(mv.mirrored(), side),
            "{row:?}"
        );
        assert_eq!(label.mirrored().mirrored(), label);
    }
}

#[test]
fn a_reply_has_the_opponents_plane_and_the_watchers_square() {
    let label = MoveLabel::of("3c3d".parse().unwrap(), Color::White);
    // White's pawn goes forward; Black, who waits, sees it come to 3d.
    assert_eq!(label.reply_index() / 81, 0);
    assert_eq!(label.reply_index() % 81, 9 * 2 + 3);
    assert_eq!(label.index() % 81, 9 * 6 + 5);
}
