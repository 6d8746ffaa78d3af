use super::*;
use crate::testing::random_positions;

const HCP_VECTORS: &str = include_str!("../../../testdata/hcp.tsv");
const PSV_VECTORS: &str = include_str!("../../../testdata/psv.tsv");
const CODES: [PositionCode; 2] = [PositionCode::Hcp, PositionCode::PackedSfen];

fn position(sfen: &str) -> Position {
    Position::from_sfen(sfen).expect(sfen)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn bytes(hex: &str) -> [u8; PACKED_LEN] {
    std::array::from_fn(|i| u8::from_str_radix(&hex[2 * i..][..2], 16).unwrap())
}

fn check_vectors(code: PositionCode, vectors: &str) {
    let mut n = 0;
    for line in vectors.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [id, sfen, packed] = fields[..] else {
            panic!("{line}")
        };
        assert_eq!(hex(&code.pack(&position(sfen)).unwrap()), packed, "{id}");
        let read = code.unpack(&bytes(packed), 0).unwrap();
        let without_number = sfen.rsplit_once(' ').unwrap().0;
        assert_eq!(read.to_string(), format!("{without_number} 1"), "{id}");
        n += 1;
    }
    assert_eq!(n, 83);
}

#[test]
fn hcp_bytes_are_those_of_the_published_vectors() {
    check_vectors(PositionCode::Hcp, HCP_VECTORS);
}

#[test]
fn packed_sfen_bytes_are_those_of_the_published_vectors() {
    check_vectors(PositionCode::PackedSfen, PSV_VECTORS);
}

#[test]
fn random_positions_come_back_with_the_ply_that_is_given() {
    for code in CODES {
        for position in random_positions(1, 300) {
            let packed = code.pack(&position).unwrap();
            assert_eq!(code.unpack(&packed, position.ply()).unwrap(), position);
        }
    }
}

#[track_caller]
fn check_not_packed(sfen: &str, expected: &str) {
    for code in CODES {
        assert_eq!(
            code.pack(&position(sfen)).unwrap_err().to_string(),
            expected
        );
    }
}

#[test]
fn positions_without_a_king_are_refused_by_name() {
    check_not_packed(
        "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1",
        "black has no king in 4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1: 32 bytes hold positions \
         with both kings only",
    );
}

#[test]
fn sets_with_a_piece_too_many_are_refused_by_name() {
    check_not_packed(
        "4k4/9/9/9/9/9/9/9/4K4 b 3B 1",
        "found 3 pieces of kind Bishop in 4k4/9/9/9/9/9/9/9/4K4 b 3B 1, at most 2 can be packed",
    );
}

#[track_caller]
fn check_not_unpacked(code: PositionCode, change: impl Fn(&mut [u8; PACKED_LEN]), expected: &str) {
    let mut packed = code.pack(&Position::startpos()).unwrap();
    change(&mut packed);
    let error = code.unpack(&packed, 0).unwrap_err();
    assert_eq!(crate::testing::chain(&error), expected);
}

#[test]
fn bytes_that_are_no_position_are_refused_with_the_bit() {
    let hcp = PositionCode::Hcp;
    check_not_unpacked(
        hcp,
        |b| b[0] = 0xfe,
        "found black's king on square 127, expected 0 to 80",
    );
    check_not_unpacked(
        hcp,
        // White's king, bits 8 to 14, where Black's is.
        |b| b[1] = b[1] & 0x80 | 44,
        "found both kings on 5i",
    );
    check_not_unpacked(
        hcp,
        |b| b.fill(0xff),
        "found black's king on square 127, expected 0 to 80",
    );
    check_not_unpacked(
        hcp,
        // All ones is a rook, until the stream ends within one.
        |b| b[2..].fill(0xff),
        "the code at bit 255 goes on after the last of 256 bits",
    );
    check_not_unpacked(
        PositionCode::PackedSfen,
        // Empty squares, then Black's pawns in hand.
        |b| b[2..].fill(0),
        "found 54 pieces of kind Pawn, expected 18 on the board, in hands and in the box together",
    );
}

#[test]
fn hands_of_a_handicap_without_its_box_are_not_taken_for_pawns() {
    // How some older programs wrote the two-piece handicap: zeros at the end.
    let two_piece = "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
    let mut packed = PositionCode::Hcp.pack(&position(two_piece)).unwrap();
    assert_eq!(packed[30..], [0x3c, 0x5e]);
    packed[30] &= 0x03;
    packed[31] = 0;
    assert_eq!(
        PositionCode::Hcp.unpack(&packed, 0).unwrap_err(),
        UnpackFault::Overrun { bit: 254 }
    );
}

#[test]
fn a_position_that_cannot_arise_is_refused_with_the_reason() {
    let mut packed = PositionCode::Hcp.pack(&Position::startpos()).unwrap();
    // The first bit is the side to move: now White, whose opponent stands in no check.
    packed[0] |= 1;
    PositionCode::Hcp.unpack(&packed, 0).unwrap();
    let check = position("4k4/4R4/9/9/9/9/9/9/4K4 w R2B4G4S4N4L18P 1");
    let mut packed = PositionCode::Hcp.pack(&check).unwrap();
    packed[0] &= !1;
    let error = PositionCode::Hcp.unpack(&packed, 0).unwrap_err();
    assert_eq!(
        crate::testing::chain(&error),
        "found an impossible position: white's king on 5a is in check by the rook on 5b, but black is \
         to move"
    );
}

#[test]
fn every_flipped_bit_gives_another_position_or_an_error() {
    for code in CODES {
        for position in random_positions(2, 20) {
            let packed = code.pack(&position).unwrap();
            for bit in 0..BITS {
                let mut flipped = packed;
                flipped[bit / 8] ^= 1 << (bit % 8);
                if let Ok(other) = code.unpack(&flipped, position.ply()) {
                    assert_ne!(other, position, "{code:?} bit {bit}");
                }
            }
        }
    }
}
