//! Finished games as bytes, samples and batches; input planes and move labels.
//!
//! Three layers, each usable without the next:
//!
//! - **Encoding**: [`encode_board`], [`encode_hands`] and [`MoveLabel`] turn a position and its
//!   moves into what the network sees, exactly as dlshogi defines it (`docs/encoding.md`).
//! - **Records**: a [`GameRecord`] is one whole game with what the search thought at each ply.
//!   [`RecordWriter`] appends games to a folder of shards, [`RecordReader`] reads one shard back
//!   and refuses whatever it does not know (`docs/record-format.md`).
//! - **Samples**: a [`Window`] holds the newest games and draws a [`Batch`] of plain arrays;
//!   [`SampleReader`] and [`ShufflePool`] make batches from files that need not fit into memory.
//!
//! Beside them: hcpe, hcpe3 and psv, the training data of other programs, are read and written by
//! [`PositionReader`], [`Hcpe3Reader`] and their writers (`docs/training-data.md`).
//!
//! Deliberately elsewhere: playing the games (`selfplay`), the network and its tensors (`trainer`
//! and `model`), the run folder and its lock (`narikin`). No plane is ever written to disk:
//! positions are encoded when they are sampled, so a change of planes does not void old games.

mod batch;
mod codec;
mod encoding;
mod foreign;
mod label;
mod quantize;
mod record;
mod samples;
mod shard;
mod targets;
mod whole_file;
mod window;

pub use batch::{AuxiliaryBatch, Batch};
pub use codec::CodecFault;
pub use encoding::{
    BOARD_PLANES, ENCODING_VERSION, HAND_PLANES, PACKED_BYTES, encode_board, encode_board_bytes,
    encode_board_mirrored, encode_hands, encode_packed,
};
pub use foreign::{
    ConversionOptions, Ending, ForeignError, ForeignFault, ForeignFormat, GameResult,
    HCPE3_MAX_PLIES, Handicaps, Hcpe3Counts, Hcpe3Game, Hcpe3Ply, Hcpe3Reader, Hcpe3Writer,
    MoveCode, Opponent, PACKED_LEN, PackFault, PositionCode, PositionCounts, PositionFormat,
    PositionReader, PositionRecord, PositionWriter, UnpackFault, WriteFault, positions_of,
};
pub use label::{MoveLabel, N_LABELS};
pub use record::{BytesFault, GameRecord, PlyKind, PlyRecord, RecordFault, ValueWdl};
pub use samples::{AuxiliarySample, ReadOptions, Sample, SampleError, SampleReader, ShufflePool};
pub use shard::{
    Cut, Damage, RECORD_VERSION, RecordError, RecordReader, RecordWriter, Recovery, Shard,
    WriterOptions, is_record_file, list_shards,
};
pub use targets::N_HORIZONS;
pub use whole_file::{WholeFile, WriteError, write_whole};
pub use window::{
    SampleOptions, UnseenPlace, UnseenPositions, Window, unseen_batch, unseen_positions,
};

#[cfg(test)]
mod testing;
