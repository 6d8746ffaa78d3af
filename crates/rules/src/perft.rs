//! Counting move sequences, the usual check of a move generator.

use crate::{Move, MoveList, Position};

/// The number of legal move sequences of `depth` plies (the last ply is counted, not played).
pub fn perft(position: &mut Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        _ => counted(position, &mut lists(depth)),
    }
}

/// [`perft`] with the last ply played and taken back as well: slower, and nearer to what a search
/// does.
pub fn perft_made(position: &mut Position, depth: u32) -> u64 {
    made(position, &mut lists(depth))
}

/// [`perft`] of `depth`, split by the first move; empty at depth 0.
pub fn divide(position: &mut Position, depth: u32) -> Vec<(Move, u64)> {
    if depth == 0 {
        return Vec::new();
    }
    let moves = position.legal_moves();
    let mut counts = Vec::with_capacity(moves.len());
    for &mv in &moves {
        let undo = position.do_move(mv);
        counts.push((mv, perft(position, depth - 1)));
        position.undo_move(undo);
    }
    counts
}

/// One list per ply, made once.
fn lists(depth: u32) -> Vec<MoveList> {
    vec![MoveList::new(); depth as usize]
}

fn counted(position: &mut Position, lists: &mut [MoveList]) -> u64 {
    let (list, rest) = lists.split_first_mut().expect("a list per ply");
    position.legal_moves_into(list);
    if rest.is_empty() {
        return list.len() as u64;
    }
    let mut nodes = 0;
    for &mv in list.as_slice() {
        let undo = position.do_move(mv);
        nodes += counted(position, rest);
        position.undo_move(undo);
    }
    nodes
}

fn made(position: &mut Position, lists: &mut [MoveList]) -> u64 {
    let Some((list, rest)) = lists.split_first_mut() else {
        return 1;
    };
    position.legal_moves_into(list);
    let mut nodes = 0;
    for &mv in list.as_slice() {
        let undo = position.do_move(mv);
        nodes += made(position, rest);
        position.undo_move(undo);
    }
    nodes
}
