use crate::{Color, Move, MoveList, PieceKind, Position, Square, divide, perft};

mod scattered;

const PERFT: &str = include_str!("../../testdata/perft.tsv");

/// A fixed stream of pseudo-random numbers, for walks over positions.
struct Stream(u64);

impl Stream {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) as usize % n
    }
}

/// Calls `check` with the positions of random games, `plies` in all.
fn walk(seed: u64, plies: u32, mut check: impl FnMut(&Position, &MoveList)) {
    let mut stream = Stream(seed);
    let mut position = Position::startpos();
    for _ in 0..plies {
        let moves = position.legal_moves();
        if moves.is_empty() || position.ply() > 300 {
            position = Position::startpos();
            continue;
        }
        check(&position, &moves);
        position.do_move(moves[stream.below(moves.len())]);
    }
}

/// The position as if set up anew from its SFEN.
fn rebuilt(position: &Position) -> Position {
    Position::from_sfen(&position.to_string()).unwrap()
}

#[test]
fn perft_agrees_with_other_generators() {
    let slow = std::env::var_os("RUN_SLOW_TESTS").is_some();
    let limit = if slow { 1_000_000_000 } else { 1_000_000 };
    let mut checked = 0;
    for line in PERFT.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let (depth, nodes): (u32, u64) = (fields[1].parse().unwrap(), fields[2].parse().unwrap());
        if nodes > limit {
            continue;
        }
        let mut position = Position::from_sfen(fields[0]).unwrap();
        let before = position.clone();
        assert_eq!(
            perft(&mut position, depth),
            nodes,
            "{} depth {depth}",
            fields[0]
        );
        assert_eq!(position, before);
        checked += 1;
    }
    assert!(checked > 200, "{checked}");
}

#[test]
fn divide_sums_to_perft() {
    let mut position = Position::startpos();
    let parts = divide(&mut position, 3);
    assert_eq!(parts.len(), 30);
    assert_eq!(parts.iter().map(|&(_, nodes)| nodes).sum::<u64>(), 25470);
    assert!(divide(&mut position, 0).is_empty());
}

/// Every move that could be written down: all squares to all squares, and all drops.
fn all_moves() -> Vec<Move> {
    (0..1 << 15).filter_map(Move::from_raw).collect()
}

/// The slow truth: a pseudo-legal move is legal if the king is not attacked after it, and a pawn
/// drop does not mate.
fn slowly_legal(position: &Position, mv: Move) -> bool {
    let us = position.side_to_move();
    if let Some(kind) = mv.drop_kind() {
        let doubled = kind == PieceKind::Pawn
            && Square::all().any(|square| {
                square.file() == mv.to().file()
                    && position.piece_at(square)
                        == Some(crate::Piece {
                            color: us,
                            kind: PieceKind::Pawn,
                        })
            });
        let farthest = match kind {
            PieceKind::Pawn | PieceKind::Lance => 1,
            PieceKind::Knight => 2,
            _ => 0,
        };
        if position.hand(us).count(kind) == 0
            || position.piece_at(mv.to()).is_some()
            || doubled
            || mv.to().rank_for(us) <= farthest
        {
            return false;
        }
    } else {
        let from = mv.from().unwrap();
        let Some(piece) = position.piece_at(from).filter(|piece| piece.color == us) else {
            return false;
        };
        let reach = crate::attacks(piece.kind, us, from, position.occupied());
        if !reach.contains(mv.to()) || position.occupied_by(us).contains(mv.to()) {
            return false;
        }
        let zone = from.in_zone(us) || mv.to().in_zone(us);
        if mv.is_promotion() && (piece.kind.promoted().is_none() || !zone) {
            return false;
        }
        let farthest = match piece.kind {
            PieceKind::Pawn | PieceKind::Lance => 1,
            PieceKind::Knight => 2,
            _ => 0,
        };
        if !mv.is_promotion() && mv.to().rank_for(us) <= farthest {
            return false;
        }
        if position
            .piece_at(mv.to())
            .is_some_and(|piece| piece.kind == PieceKind::King)
        {
            return false;
        }
    }
    let mut after = position.clone();
    after.do_move(mv);
    if after
        .king(us)
        .is_some_and(|king| !after.attackers_to(king, us.flipped()).is_empty())
    {
        return false;
    }
    let pawn_drop_check = mv.drop_kind() == Some(PieceKind::Pawn) && after.in_check();
    !(pawn_drop_check
        && all_moves()
            .into_iter()
            .all(|reply| !slowly_legal(&after, reply)))
}

#[test]
fn the_generator_equals_the_slow_definition_on_every_writable_move() {
    let all = all_moves();
    let mut n_positions = 0;
    walk(1, 4000, |position, moves| {
        n_positions += 1;
        if n_positions % 97 != 0 {
            return;
        }
        for &mv in &all {
            let legal = moves.contains(&mv);
            assert_eq!(legal, slowly_legal(position, mv), "{mv} in {position}");
        }
    });
    assert!(n_positions > 1000);
}

#[test]
fn the_generator_equals_the_slow_definition_in_every_check_of_random_games() {
    let all = all_moves();
    let mut checks = [0; 2];
    walk(9, 12_000, |position, moves| {
        if position.in_check() {
            checks[position.side_to_move().index()] += 1;
            for &mv in &all {
                let legal = moves.contains(&mv);
                assert_eq!(legal, slowly_legal(position, mv), "{mv} in {position}");
            }
        }
    });
    assert!(checks.iter().all(|&n| n > 50), "{checks:?}");
}

#[test]
fn no_move_is_generated_twice() {
    walk(2, 3000, |position, moves| {
        let mut sorted = moves.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), moves.len(), "{position}");
    });
}

#[test]
fn do_and_undo_keep_key_checkers_and_boards_equal_to_a_fresh_set_up() {
    walk(3, 1500, |position, moves| {
        let mut copy = position.clone();
        for &mv in moves {
            let undo = copy.do_move(mv);
            assert_eq!(copy, rebuilt(&copy), "{mv} in {position}");
            copy.undo_move(undo);
        }
        assert_eq!(&copy, position);
    });
}

#[test]
fn gives_check_tells_what_doing_the_move_shows() {
    walk(4, 4000, |position, moves| {
        for &mv in moves {
            let mut after = position.clone();
            after.do_move(mv);
            assert_eq!(
                position.gives_check(mv),
                after.in_check(),
                "{mv} in {position}"
            );
        }
    });
}

#[test]
fn checking_moves_are_the_legal_moves_that_give_check() {
    let mut n_checks = 0;
    walk(7, 6000, |position, moves| {
        let mut expected: Vec<Move> = moves.to_vec();
        expected.retain(|&mv| position.gives_check(mv));
        let mut found = position.checking_moves().to_vec();
        expected.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, expected, "{position}");
        n_checks += found.len();
    });
    assert!(n_checks > 1000, "{n_checks}");
}

#[test]
fn is_legal_knows_every_writable_move() {
    let all = all_moves();
    let mut n_positions = 0;
    walk(8, 3000, |position, moves| {
        n_positions += 1;
        if n_positions % 23 == 0 {
            for &mv in &all {
                let listed = moves.contains(&mv);
                assert_eq!(position.is_legal(mv), listed, "{mv} in {position}");
            }
        }
        assert_eq!(position.has_legal_move(), !moves.is_empty(), "{position}");
    });
}

#[test]
fn mate_in_one_is_found_exactly_where_a_move_mates() {
    let mut mates = 0;
    walk(5, 6000, |position, moves| {
        let slow = moves.iter().any(|&mv| {
            let mut after = position.clone();
            after.do_move(mv);
            after.is_checkmate()
        });
        let found = position.mate_in_one();
        assert_eq!(found.is_some(), slow, "{position}");
        if let Some(mv) = found {
            mates += 1;
            let mut after = position.clone();
            after.do_move(mv);
            assert!(after.is_checkmate(), "{mv} in {position}");
        }
    });
    assert!(mates > 20, "{mates}");
}

#[test]
fn the_mirror_image_has_the_mirrored_moves() {
    walk(6, 1000, |position, moves| {
        let mirror = position.mirrored();
        let mut expected: Vec<Move> = moves.iter().map(|mv| mv.mirrored()).collect();
        let mut found = mirror.legal_moves().to_vec();
        expected.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, expected, "{position}");
        assert_eq!(&mirror.mirrored(), position);
    });
}

#[test]
fn the_players_exchanged_have_the_turned_moves() {
    walk(10, 1000, |position, moves| {
        scattered::check_turned(position, moves);
    });
}

#[test]
fn the_position_with_most_moves_fits_the_list() {
    let sfen = "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1";
    assert_eq!(Position::from_sfen(sfen).unwrap().legal_moves().len(), 593);
}

#[test]
fn black_is_zero_and_squares_are_file_major() {
    assert_eq!((Color::Black.index(), Color::White.index()), (0, 1));
    for (name, index) in [("1a", 0), ("1i", 8), ("7g", 60), ("9i", 80)] {
        let square: Square = name.parse().unwrap();
        assert_eq!(square.index(), index);
        assert_eq!(square.to_string(), name);
    }
}
