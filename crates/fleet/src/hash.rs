//! SHA-256 hashes as they are written in messages.

use std::fmt::{self, Write as _};

use sha2::{Digest, Sha256};

/// A SHA-256 hash; its text is 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hash(pub [u8; 32]);

impl Hash {
    /// Stands for "no model": the net that knows nothing.
    pub const NONE: Hash = Hash([0; 32]);

    /// The hash of `bytes`.
    pub fn of(bytes: &[u8]) -> Hash {
        Hash(Sha256::digest(bytes).into())
    }

    /// Reads 64 hexadecimal digits; `None` for anything else.
    pub fn from_hex(text: &str) -> Option<Hash> {
        from_hex(text).map(Hash)
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_hex(&self.0, f)
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Tells a run from all others, whatever their names; its text is 16 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct RunId(pub [u8; 8]);

impl RunId {
    /// The identity of the run that `facts` are true of; together they must be true of no other.
    pub fn of(facts: &[&str]) -> RunId {
        let mut hasher = Sha256::new();
        for fact in facts {
            hasher.update((fact.len() as u64).to_le_bytes());
            hasher.update(fact);
        }
        let hash: [u8; 32] = hasher.finalize().into();
        RunId(std::array::from_fn(|index| hash[index]))
    }

    /// Reads 16 hexadecimal digits; `None` for anything else.
    pub fn from_text(text: &str) -> Option<RunId> {
        from_hex(text).map(RunId)
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_hex(&self.0, f)
    }
}

impl fmt::Debug for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

fn from_hex<const N: usize>(text: &str) -> Option<[u8; N]> {
    let digits = text.as_bytes();
    if digits.len() != 2 * N {
        return None;
    }
    let mut bytes = [0; N];
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
        let [high, low] = [pair[0], pair[1]].map(|digit| char::from(digit).to_digit(16));
        *byte = (high? << 4 | low?) as u8;
    }
    Some(bytes)
}

fn write_hex(bytes: &[u8], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        write!(text, "{byte:02x}")?;
    }
    f.pad(&text)
}

#[cfg(test)]
mod tests;
