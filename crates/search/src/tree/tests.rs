use rules::{Move, Position};

use super::{NodeId, Status, Tree};
use crate::Wdl;

/// A tree whose root has three moves, each leading to a node with the status given.
fn tree_with(children: [Status; 3]) -> (Tree, [NodeId; 3]) {
    let moves: Vec<Move> = Position::startpos().legal_moves()[..3].to_vec();
    let mut tree = Tree::default();
    let root = tree.add_node(Status::Open, &moves);
    assert_eq!(root, NodeId::ROOT);
    let mut edge_idx = 0;
    let ids = children.map(|status| {
        let child = tree.add_node(status, &[]);
        tree.attach(tree.edge_id(root, edge_idx), child);
        edge_idx += 1;
        child
    });
    (tree, ids)
}

#[track_caller]
fn check_root_after_proof(children: [Status; 3], proven_idx: usize, expected: Status) {
    let (mut tree, ids) = tree_with(children);
    tree.prove(NodeId::ROOT, ids[proven_idx]);
    assert_eq!(tree.node(NodeId::ROOT).status(), expected);
}

#[test]
fn a_node_and_an_edge_stay_small() {
    assert_eq!(size_of::<super::Node>(), 48);
    assert_eq!(size_of::<super::Edge>(), 12);
}

#[test]
fn a_child_whose_mover_is_mated_wins() {
    let children = [
        Status::Open,
        Status::Lost { plies: 0 },
        Status::Won { plies: 1 },
    ];
    check_root_after_proof(children, 1, Status::Won { plies: 1 });
}

#[test]
fn a_loss_needs_every_move_and_lasts_as_long_as_the_longest() {
    let won = |plies| Status::Won { plies };
    check_root_after_proof([won(1), won(5), won(3)], 2, Status::Lost { plies: 6 });
    check_root_after_proof([won(1), Status::Open, won(3)], 2, Status::Open);
    check_root_after_proof([won(1), Status::Drawn, won(3)], 2, Status::Open);
}

#[test]
fn a_repetition_proves_nothing() {
    let won = Status::Won { plies: 1 };
    check_root_after_proof([won, Status::CountsAsWon, won], 2, Status::Open);
    assert_eq!(Status::CountsAsLost.of_parent(), Status::Open);
    assert_eq!(Status::CountsAsLost.value(), Some(Wdl::LOSS));
}

#[test]
fn the_parent_sees_the_negated_mean_of_its_child() {
    let (mut tree, [child, ..]) = tree_with([Status::Open; 3]);
    assert_eq!(tree.node(child).value(), None);
    tree.add_visit(child, Wdl::WIN);
    tree.add_visit(
        child,
        Wdl {
            win: 0.25,
            draw: 0.5,
            loss: 0.25,
        },
    );
    let node = tree.node(child);
    assert_eq!(node.n_visits(), 2);
    assert_eq!(
        node.value(),
        Some(Wdl {
            win: 0.625,
            draw: 0.25,
            loss: 0.125
        })
    );
    assert_eq!(node.q(0.0), 0.5);
    assert_eq!(node.q_for_parent(0.0), -0.5);
}

#[test]
fn a_draw_is_worth_the_opposite_to_the_other_side() {
    let (mut tree, [child, ..]) = tree_with([Status::Open; 3]);
    tree.add_visit(child, Wdl::DRAW);
    assert_eq!(tree.node(child).q(0.25), 0.25);
    assert_eq!(tree.node(child).q_for_parent(0.25), 0.25);
    assert_eq!(tree.node(child).q(-0.25), -0.25);
}

#[test]
fn millions_of_visits_do_not_wear_out_the_mean() {
    let (mut tree, [child, ..]) = tree_with([Status::Open; 3]);
    let value = Wdl {
        win: 0.51,
        draw: 0.0,
        loss: 0.49,
    };
    for _ in 0..3_000_000 {
        tree.add_visit(child, value);
    }
    assert!((tree.node(child).q(0.0) - 0.02).abs() < 1e-6);
}
