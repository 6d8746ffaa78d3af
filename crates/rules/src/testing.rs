//! Random numbers and random games for tests.

use crate::{
    Color, Game, GameRules, MoveList, Piece, PieceKind, Position, PositionBuilder, Square,
};

/// A fixed stream of pseudo-random numbers (Knuth's linear congruence, upper bits).
pub(crate) struct Stream(pub(crate) u64);

impl Stream {
    /// The next number, in `0..n`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    /// One of the items.
    pub(crate) fn choose<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

/// Calls `check` with the positions of random games from `start`, `positions` in all, with at most
/// 300 plies a game.
pub(crate) fn walk(
    start: &Position,
    positions: u32,
    seed: u64,
    mut check: impl FnMut(&Position, &MoveList),
) {
    let mut stream = Stream(seed);
    let mut position = start.clone();
    for _ in 0..positions {
        let moves = position.legal_moves();
        check(&position, &moves);
        if moves.is_empty() || position.ply() > start.ply() + 300 {
            position = start.clone();
        } else {
            position.do_move(*stream.choose(&moves));
        }
    }
}

/// A game of random moves, to its end or to `max_plies`.
pub(crate) fn random_game(start: Position, stream: &mut Stream, max_plies: usize) -> Game {
    let mut game = Game::new(start, GameRules::default());
    while game.moves().len() < max_plies && game.outcome().is_none() {
        let moves = game.position().legal_moves();
        game.play_unchecked(*stream.choose(&moves));
    }
    game
}

/// A position that no game needs to reach: pieces thrown on the board and into the hands, with two
/// kings, one or none, and with any part of a set or up to twice of it.
pub(crate) fn scattered(stream: &mut Stream) -> Position {
    let mut builder = PositionBuilder::new();
    builder.set_side_to_move(*stream.choose(&Color::ALL));
    let anywhere = |stream: &mut Stream| Square::from_index(stream.below(Square::COUNT));
    for color in Color::ALL {
        if stream.below(6) > 0 {
            let kind = PieceKind::King;
            try_put(&mut builder, anywhere(stream), Piece { color, kind });
        }
    }
    for _ in 0..stream.below(45) {
        let (color, kind) = (
            *stream.choose(&Color::ALL),
            *stream.choose(&PieceKind::HAND),
        );
        let promoted = kind.promoted().filter(|_| stream.below(2) == 0);
        let kind = promoted.unwrap_or(kind);
        try_put(&mut builder, anywhere(stream), Piece { color, kind });
    }
    for _ in 0..stream.below(15) {
        let before = builder.clone();
        builder.add_to_hand(
            *stream.choose(&Color::ALL),
            *stream.choose(&PieceKind::HAND),
            1,
        );
        if builder.build().is_err() {
            builder = before;
        }
    }
    builder.build().expect("nothing was kept that is refused")
}

/// Puts a piece on a square, if that is empty and the position can still be built with it there.
pub(crate) fn try_put(builder: &mut PositionBuilder, square: Square, piece: Piece) {
    if builder.piece_at(square).is_none() {
        builder.put(square, piece);
        if builder.build().is_err() {
            builder.clear(square);
        }
    }
}

/// Whether there are more pieces of a kind than in a full set.
pub(crate) fn has_odd_set(position: &Position) -> bool {
    let on_board = |kind| position.of_kind(kind).len();
    PieceKind::HAND.into_iter().any(|kind| {
        let hands = Color::ALL.map(|color| position.hand(color).count(kind));
        let promoted = kind.promoted().map_or(0, on_board);
        on_board(kind) + promoted + hands[0] + hands[1] > kind.in_full_set()
    })
}
