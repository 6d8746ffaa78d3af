//! A position in 32 bytes, as the data files of other programs hold it.
//!
//! A bit stream, bit i being bit `i % 8` of byte `i / 8`: the side to move (1 is White), the squares
//! of both kings (7 bits each), the other squares in the order of their numbers, the hands, and the
//! pieces that are in no hand and not on the board ("box"). Every piece has a code whose length
//! differs with the kind; with both kings and a full set the stream has exactly 256 bits, however
//! the pieces are spread, because a piece in hand or in the box is one bit shorter and leaves an
//! empty square, one bit, behind. The move number and the history are not stored.

use rules::{Color, Piece, PieceKind, Position, PositionBuilder, PositionError, Square};
use thiserror::Error;

/// Bytes of a position.
pub const PACKED_LEN: usize = 32;
const BITS: usize = 8 * PACKED_LEN;
const N_KINDS: usize = PieceKind::HAND.len();

/// Pieces of each kind in a full set, by [`PieceKind::index`].
const FULL_SET: [u32; N_KINDS] = [18, 4, 4, 4, 2, 2, 4];

/// Kinds in the order in which hands and box are written.
const HAND_ORDER: [PieceKind; N_KINDS] = [
    PieceKind::Pawn,
    PieceKind::Lance,
    PieceKind::Knight,
    PieceKind::Silver,
    PieceKind::Gold,
    PieceKind::Bishop,
    PieceKind::Rook,
];

/// One of the two ways of packing a position into 32 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PositionCode {
    /// HuffmanCodedPos, of Apery, dlshogi and cshogi.
    Hcp,
    /// PackedSfen, of YaneuraOu.
    PackedSfen,
}

/// Why a position cannot be packed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PackFault {
    /// Without both kings the stream would be 257 bits long, and the last one lost.
    #[error("{0} has no king in {1}: 32 bytes hold positions with both kings only")]
    MissingKing(Color, String),
    /// More pieces of a kind than there are in a set.
    #[error("found {found} pieces of kind {kind:?} in {sfen}, at most {limit} can be packed")]
    TooMany {
        /// Which kind, unpromoted.
        kind: PieceKind,
        /// How many, board and hands together.
        found: u32,
        /// How many a set has.
        limit: u32,
        /// The position.
        sfen: String,
    },
}

/// Why 32 bytes are no position.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum UnpackFault {
    /// A side has no king, which others write as square 81.
    #[error(
        "found no king of {0}'s (square 81): such positions do not fit into 32 bytes, and the last \
         piece is lost"
    )]
    NoKing(Color),
    /// A king stands off the board.
    #[error("found {color}'s king on square {found}, expected 0 to 80")]
    King {
        /// Whose king.
        color: Color,
        /// The square's number.
        found: u8,
    },
    /// Both kings stand on one square.
    #[error("found both kings on {0}")]
    SameSquare(Square),
    /// Bits that stand for no piece in hand or box.
    #[error("found no piece's code at bit {bit}")]
    Code {
        /// Where the code begins.
        bit: usize,
    },
    /// A code that the end of the stream cuts off.
    #[error("the code at bit {bit} goes on after the last of {BITS} bits")]
    Overrun {
        /// Where the code begins.
        bit: usize,
    },
    /// Not a full set of pieces.
    #[error(
        "found {found} pieces of kind {kind:?}, expected {expected} on the board, in hands and in \
         the box together"
    )]
    Set {
        /// Which kind, unpromoted.
        kind: PieceKind,
        /// How many.
        found: u32,
        /// How many a set has.
        expected: u32,
    },
    /// The pieces stand as they never could.
    #[error("found an impossible position")]
    Position(#[source] PositionError),
}

impl PositionCode {
    /// The position in 32 bytes; its ply is not in them. Pieces that are missing, as in handicap
    /// games, are written as lying in the box: dlshogi itself does not read those.
    ///
    /// # Errors
    ///
    /// A position without both kings or with more pieces than a set has.
    pub fn pack(self, position: &Position) -> Result<[u8; PACKED_LEN], PackFault> {
        let boxed = boxed(position)?;
        let kings = kings(position)?;
        let codes = self.codes();
        let mut bits = BitWriter::default();
        bits.put(Code {
            bits: position.side_to_move().index() as u8,
            len: 1,
        });
        for king in kings {
            bits.put(Code {
                bits: king.index() as u8,
                len: 7,
            });
        }
        for square in Square::all().filter(|square| !kings.contains(square)) {
            bits.put(match position.piece_at(square) {
                Some(piece) => codes.board(piece),
                None => EMPTY,
            });
        }
        for color in Color::ALL {
            for kind in HAND_ORDER {
                for _ in 0..position.hand(color).count(kind) {
                    bits.put(codes.hand[color.index()][kind.index()]);
                }
            }
        }
        for kind in HAND_ORDER {
            for _ in 0..boxed[kind.index()] {
                bits.put(codes.boxed[kind.index()]);
            }
        }
        assert_eq!(bits.len, BITS, "two kings and a full set fill the stream");
        Ok(bits.bytes)
    }

    /// The position in 32 bytes, with the ply that the caller knows. Hands and box may come in any
    /// order.
    ///
    /// # Errors
    ///
    /// Bytes that are no position, or one that could not arise in a game.
    pub fn unpack(self, bytes: &[u8; PACKED_LEN], ply: u32) -> Result<Position, UnpackFault> {
        let codes = self.codes();
        let mut bits = BitReader { bytes, at: 0 };
        let mut builder = PositionBuilder::new();
        builder.set_ply(ply);
        builder.set_side_to_move(Color::ALL[usize::from(bits.fixed(1))]);
        let kings = read_kings(&mut bits)?;
        let mut counts = [0; N_KINDS];
        for (color, king) in Color::ALL.into_iter().zip(kings) {
            let kind = PieceKind::King;
            builder.put(king, Piece { color, kind });
        }
        for square in Square::all().filter(|square| !kings.contains(square)) {
            let Found { len, meaning } = codes.on_board[bits.peek()];
            bits.skip(len)?;
            if let Meaning::Piece(piece) = meaning {
                builder.put(square, piece);
                counts[piece.kind.unpromoted().index()] += 1;
            }
        }
        while bits.at < BITS {
            let Found { len, meaning } = codes.off_board[bits.peek()];
            let bit = bits.at;
            bits.skip(len)?;
            let kind = match meaning {
                Meaning::Piece(Piece { color, kind }) => {
                    builder.add_to_hand(color, kind, 1);
                    kind
                }
                Meaning::Boxed(kind) => kind,
                Meaning::Nothing => return Err(UnpackFault::Code { bit }),
            };
            counts[kind.index()] += 1;
        }
        check_set(&counts)?;
        builder.build().map_err(UnpackFault::Position)
    }

    fn codes(self) -> &'static Codes {
        match self {
            Self::Hcp => &HCP,
            Self::PackedSfen => &PACKED_SFEN,
        }
    }
}

fn kings(position: &Position) -> Result<[Square; 2], PackFault> {
    let king = |color| {
        let missing = || PackFault::MissingKing(color, position.to_string());
        position.king(color).ok_or_else(missing)
    };
    Ok([king(Color::Black)?, king(Color::White)?])
}

/// How many pieces of each kind are neither on the board nor in a hand.
fn boxed(position: &Position) -> Result<[u32; N_KINDS], PackFault> {
    let mut boxed = FULL_SET;
    for kind in PieceKind::HAND {
        let promoted = kind.promoted();
        let found: u32 = Color::ALL
            .into_iter()
            .map(|color| {
                let on_board = |kind| position.pieces(color, kind).len();
                position.hand(color).count(kind) + on_board(kind) + promoted.map_or(0, on_board)
            })
            .sum();
        let limit = FULL_SET[kind.index()];
        boxed[kind.index()] = limit.checked_sub(found).ok_or_else(|| PackFault::TooMany {
            kind,
            found,
            limit,
            sfen: position.to_string(),
        })?;
    }
    Ok(boxed)
}

/// A kind of which less than a full set is on the board and in hands, if there is one.
pub(super) fn missing_kind(position: &Position) -> Option<PieceKind> {
    let boxed = boxed(position).ok()?;
    PieceKind::HAND
        .into_iter()
        .find(|kind| boxed[kind.index()] > 0)
}

fn read_kings(bits: &mut BitReader<'_>) -> Result<[Square; 2], UnpackFault> {
    let mut king = |color| {
        let found = bits.fixed(7);
        Square::new(found).ok_or(match found {
            81 => UnpackFault::NoKing(color),
            _ => UnpackFault::King { color, found },
        })
    };
    let kings = [king(Color::Black)?, king(Color::White)?];
    if kings[0] == kings[1] {
        Err(UnpackFault::SameSquare(kings[0]))
    } else {
        Ok(kings)
    }
}

fn check_set(counts: &[u32; N_KINDS]) -> Result<(), UnpackFault> {
    for kind in PieceKind::HAND {
        let (found, expected) = (counts[kind.index()], FULL_SET[kind.index()]);
        if found != expected {
            return Err(UnpackFault::Set {
                kind,
                found,
                expected,
            });
        }
    }
    Ok(())
}

/// The lowest `len` bits of `bits`, written lowest first.
#[derive(Debug, Clone, Copy)]
struct Code {
    bits: u8,
    len: u8,
}

/// An empty square.
const EMPTY: Code = Code { bits: 0, len: 1 };

/// What the next bits stand for, and how many they are.
#[derive(Debug, Clone, Copy)]
struct Found {
    len: u8,
    meaning: Meaning,
}

#[derive(Debug, Clone, Copy)]
enum Meaning {
    Piece(Piece),
    Boxed(PieceKind),
    /// An empty square; off the board, no code.
    Nothing,
}

/// The codes of one [`PositionCode`], and the same the other way round: by the next eight bits.
struct Codes {
    /// By colour, then [`PieceKind::index`].
    board: [[Code; 14]; 2],
    hand: [[Code; N_KINDS]; 2],
    boxed: [Code; N_KINDS],
    on_board: [Found; 256],
    off_board: [Found; 256],
}

static HCP: Codes = Codes::new(
    [
        "pc01", "pc0011", "pc0111", "pc1011", "pc011111", "pc111111", "c01111",
    ],
    [
        "c00", "c0001", "c0011", "c0101", "c011111", "c111111", "c0111",
    ],
    [
        "010", "01001", "01011", "01101", "0001111", "0101111", "11101",
    ],
);

static PACKED_SFEN: Codes = Codes::new(
    [
        "cp01", "cp0011", "cp1011", "cp0111", "cp011111", "cp111111", "c01111",
    ],
    [
        "c00", "c0001", "c0101", "c0011", "c001111", "c011111", "c0111",
    ],
    [
        "010", "01001", "01101", "01011", "0101111", "0111111", "11011",
    ],
);

impl Codes {
    /// From patterns by [`PieceKind::HAND`], highest bit first: `c` is set for White, `p` for a
    /// promoted piece.
    const fn new(board: [&str; N_KINDS], hand: [&str; N_KINDS], boxed: [&str; N_KINDS]) -> Self {
        let nothing = Found {
            len: 1,
            meaning: Meaning::Nothing,
        };
        let mut codes = Self {
            board: [[EMPTY; 14]; 2],
            hand: [[EMPTY; N_KINDS]; 2],
            boxed: [EMPTY; N_KINDS],
            on_board: [nothing; 256],
            off_board: [nothing; 256],
        };
        let mut i = 0;
        while i < N_KINDS {
            let kind = PieceKind::HAND[i];
            codes.boxed[i] = code(boxed[i], false, false);
            let meaning = Meaning::Boxed(kind);
            codes.off_board = with(codes.off_board, codes.boxed[i], meaning);
            let mut c = 0;
            while c < 2 {
                let color = Color::ALL[c];
                let white = c == 1;
                codes.hand[c][i] = code(hand[i], white, false);
                let meaning = Meaning::Piece(Piece { color, kind });
                codes.off_board = with(codes.off_board, codes.hand[c][i], meaning);
                codes.board[c][i] = code(board[i], white, false);
                codes.on_board = with(codes.on_board, codes.board[c][i], meaning);
                if let Some(kind) = kind.promoted() {
                    codes.board[c][kind.index()] = code(board[i], white, true);
                    let meaning = Meaning::Piece(Piece { color, kind });
                    codes.on_board = with(codes.on_board, codes.board[c][kind.index()], meaning);
                }
                c += 1;
            }
            i += 1;
        }
        codes
    }

    /// # Panics
    ///
    /// Never asked for a king, whose square stands at the front of the stream.
    fn board(&self, piece: Piece) -> Code {
        self.board[piece.color.index()][piece.kind.index()]
    }
}

const fn code(pattern: &str, white: bool, promoted: bool) -> Code {
    let pattern = pattern.as_bytes();
    let (mut bits, mut i) = (0, 0);
    while i < pattern.len() {
        let bit = match pattern[i] {
            b'c' => white,
            b'p' => promoted,
            digit => digit == b'1',
        };
        bits = bits << 1 | bit as u8;
        i += 1;
    }
    Code {
        bits,
        len: pattern.len() as u8,
    }
}

/// The table with the meaning entered wherever the next bits begin with `code`.
const fn with(mut table: [Found; 256], code: Code, meaning: Meaning) -> [Found; 256] {
    let len = code.len;
    let mut next = code.bits as usize;
    while next < 256 {
        table[next] = Found { len, meaning };
        next += 1 << len;
    }
    table
}

#[derive(Default)]
struct BitWriter {
    bytes: [u8; PACKED_LEN],
    len: usize,
}

impl BitWriter {
    fn put(&mut self, Code { bits, len }: Code) {
        let shifted = u16::from(bits) << (self.len % 8);
        let byte = self.len / 8;
        self.bytes[byte] |= shifted as u8;
        if shifted >> 8 != 0 {
            self.bytes[byte + 1] |= (shifted >> 8) as u8;
        }
        self.len += usize::from(len);
    }
}

struct BitReader<'a> {
    bytes: &'a [u8; PACKED_LEN],
    at: usize,
}

impl BitReader<'_> {
    /// The next eight bits; zeros follow the end.
    fn peek(&self) -> usize {
        let byte = |i: usize| self.bytes.get(i).map_or(0, |&byte| usize::from(byte));
        let first = self.at / 8;
        (byte(first) | byte(first + 1) << 8) >> (self.at % 8) & 0xff
    }

    fn skip(&mut self, len: u8) -> Result<(), UnpackFault> {
        let end = self.at + usize::from(len);
        if BITS < end {
            return Err(UnpackFault::Overrun { bit: self.at });
        }
        self.at = end;
        Ok(())
    }

    /// A number at the front of the stream, where there are always bits left.
    fn fixed(&mut self, len: u8) -> u8 {
        let number = self.peek() & ((1 << len) - 1);
        self.at += usize::from(len);
        number as u8
    }
}

#[cfg(test)]
mod tests;
