//! The seeds of a target and mutations of them, for tests that need no fuzzer.

use std::path::Path;

/// A fixed stream of pseudo-random numbers (Knuth's linear congruence, upper bits).
struct Stream(u64);

impl Stream {
    /// The next number, in `0..n`.
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

/// Runs `check` on every file of `folder` (from the root of the repository) and on `rounds`
/// mutations of each.
///
/// # Panics
///
/// If the folder has no files, or `check` does.
pub(crate) fn check_all(folder: &str, rounds: u32, check: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(folder);
    let mut files: Vec<_> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    assert!(!files.is_empty(), "no seeds in {}", folder.display());
    let seeds: Vec<Vec<u8>> = files
        .iter()
        .map(|file| std::fs::read(file).unwrap())
        .collect();
    let mut stream = Stream(seeds.len() as u64);
    for seed in &seeds {
        check(seed);
        for _ in 0..rounds {
            let mut data = seed.clone();
            for _ in 0..=stream.below(4) {
                mutate(&mut data, &seeds, &mut stream);
            }
            check(&data);
        }
    }
}

/// One small change: a byte or a piece of text, in, out, moved or changed.
fn mutate(data: &mut Vec<u8>, seeds: &[Vec<u8>], stream: &mut Stream) {
    let range = |len: usize, stream: &mut Stream| {
        let start = stream.below(len + 1);
        start..(start + stream.below(12)).min(len)
    };
    let at = stream.below(data.len() + 1);
    match stream.below(5) {
        0 => data.insert(at, stream.below(256) as u8),
        1 => drop(data.drain(range(data.len(), stream))),
        2 => {
            if let Some(byte) = data.get_mut(at) {
                *byte ^= 1 << stream.below(8);
            }
        }
        3 => {
            let piece = data[range(data.len(), stream)].to_vec();
            data.splice(at..at, piece);
        }
        _ => {
            let other = &seeds[stream.below(seeds.len())];
            let piece = other[range(other.len(), stream)].to_vec();
            data.splice(at..at, piece);
        }
    }
}
