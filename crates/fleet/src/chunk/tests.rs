use super::*;

fn chunk() -> Chunk {
    let game = |sequence: u32| ChunkGame {
        sequence,
        remarks: vec![sequence as u8; 3],
        record: vec![7; 100 * sequence as usize],
    };
    Chunk {
        run: RunId([1, 2, 3, 4, 5, 6, 7, 8]),
        worker: 0x0102_0304,
        models: vec![
            ModelUse {
                generation: 0,
                hash: Hash::NONE,
            },
            ModelUse {
                generation: 12,
                hash: Hash::of(b"model"),
            },
        ],
        games: vec![game(3), game(0), game(9)],
    }
}

/// `bytes` with their checksum made right.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.truncate(bytes.len() - 4);
    let checksum = crc32fast::hash(&bytes);
    bytes.extend(checksum.to_le_bytes());
    bytes
}

#[test]
fn a_chunk_comes_back_as_it_was() {
    let bytes = chunk().encode();
    assert_eq!(Chunk::decode(&bytes).unwrap(), chunk());
    assert_eq!(Chunk::origin(&bytes), Some((chunk().run, 0x0102_0304)));
    assert!(bytes.len() < chunk().unpacked_len(), "equal bytes pack");
}

#[test]
fn the_layout_is_the_documented_one() {
    let bytes = chunk().encode();
    assert_eq!(bytes[..12], *b"\x89NKF\r\n\x1a\n\x01\0\0\0");
    assert_eq!(bytes[12..24], [1, 2, 3, 4, 5, 6, 7, 8, 4, 3, 2, 1]);
    assert_eq!(bytes[24..28], [2, 0, 3, 0]);
    let unpacked = 3 * (10 + 3) + 1200;
    assert_eq!(bytes[28..32], (unpacked as u32).to_le_bytes());
    assert_eq!(bytes[36..72], [0; 36]);
}

#[test]
fn every_cut_and_every_flipped_bit_is_refused() {
    let bytes = chunk().encode();
    for length in 0..bytes.len() {
        assert!(Chunk::decode(&bytes[..length]).is_err(), "{length}");
    }
    for bit in 0..8 * bytes.len() {
        let mut bytes = bytes.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        assert!(Chunk::decode(&bytes).is_err(), "bit {bit}");
    }
}

#[test]
fn refusals_say_what_was_found() {
    let bytes = chunk().encode();
    let with = |at: usize, value: u8| {
        let mut bytes = bytes.clone();
        bytes[at] = value;
        Chunk::decode(&sealed(bytes)).unwrap_err().to_string()
    };
    assert_eq!(with(8, 2), "found chunk format 2, this build reads 1");
    assert!(
        with(1, b'X').starts_with("found [89, 58, "),
        "{}",
        with(1, b'X')
    );
    assert_eq!(with(25, 9), "found 2306 models, expected at most 256");
    assert_eq!(with(26, 4), "game 3 of 4 is cut off");
    assert!(with(26, 2).contains("follow the last game"));
    assert!(with(31, 1).contains("bytes of games, expected at most 16777216"));
    assert!(with(24, 3).contains("bytes, expected"));
    let oversized = Chunk::decode(&vec![0; MAX_CHUNK_BYTES + 1]).unwrap_err();
    let expected = "the message has 1000001 bytes, at most 1000000 are taken";
    assert_eq!(oversized.to_string(), expected);
}

#[test]
fn a_right_checksum_over_rubbish_is_refused_without_a_panic() {
    let bytes = chunk().encode();
    for at in 12..bytes.len() - 4 {
        for value in [0, 1, 0x7f, 0xff] {
            let mut bytes = bytes.clone();
            bytes[at] = value;
            let _ = Chunk::decode(&sealed(bytes));
        }
    }
}

#[test]
fn message_ids_tell_chunks_apart() {
    let mut other = chunk();
    other.games[0].sequence = 4;
    let [a, b] = [chunk(), other].map(|chunk| Chunk::message_id(&chunk.encode()));
    assert_ne!(a, b);
    assert_eq!(a, Chunk::message_id(&chunk().encode()));
    Chunk::message_id(&[]);
    Chunk::message_id(&[1; 9]);
}
