//! Bytes to text and back: UTF-8 and Shift_JIS.
//!
//! Shift_JIS here is what Japanese Windows means by it (code page 932, the Encoding Standard's
//! `shift_jis`).

use std::borrow::Cow;

use encoding_rs::{EncoderResult, SHIFT_JIS};

/// How a text is put into bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// UTF-8 without a byte order mark.
    Utf8,
    /// UTF-8 with a byte order mark in front.
    Utf8Bom,
    /// Shift_JIS, that is code page 932.
    ShiftJis,
}

/// The byte order mark in UTF-8.
pub(crate) const BOM: &[u8] = b"\xef\xbb\xbf";

/// Stands where Shift_JIS lacks a character: the mark that printers used for missing type.
const MISSING: &str = "〓";

/// Reads bytes as text: what a byte order mark says, else UTF-8 if they are that, else Shift_JIS.
///
/// What a file says about itself (`#KIF version=2.0 encoding=…`) is not asked: it is wrong too
/// often. Bytes that are neither become U+FFFD, in the reading that has fewer of them: a broken
/// character in a comment does not make a game unreadable, and elsewhere the reader stops at it.
///
/// # Errors
///
/// [`Utf16`] if the byte order mark is UTF-16's.
pub fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, Utf16> {
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return Err(Utf16);
    }
    if let Some(bytes) = bytes.strip_prefix(BOM) {
        return Ok(String::from_utf8_lossy(bytes));
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Ok(Cow::Borrowed(text));
    }
    let (shift_jis, broken) = SHIFT_JIS.decode_without_bom_handling(bytes);
    if !broken {
        return Ok(shift_jis);
    }
    let utf8 = String::from_utf8_lossy(bytes);
    let damage = |text: &str| text.chars().filter(|&c| c == '\u{fffd}').count();
    if damage(&utf8) <= damage(&shift_jis) {
        Ok(utf8)
    } else {
        Ok(shift_jis)
    }
}

/// A text in UTF-16, which no record format uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("found UTF-16, expected UTF-8 or Shift_JIS")]
pub struct Utf16;

/// Puts text into bytes, without a byte order mark.
///
/// Shift_JIS lacks many characters: those with a near relative there become it (☗ ▲, ☖ △, 〜 ～,
/// ¥ ￥, …), any other 〓.
pub fn encode(text: &str, encoding: Encoding) -> Cow<'_, [u8]> {
    match encoding {
        Encoding::Utf8 | Encoding::Utf8Bom => Cow::Borrowed(text.as_bytes()),
        Encoding::ShiftJis => Cow::Owned(encode_shift_jis(text)),
    }
}

fn encode_shift_jis(text: &str) -> Vec<u8> {
    let text = with_relatives(text);
    let mut encoder = SHIFT_JIS.new_encoder();
    let mut bytes = Vec::with_capacity(text.len() + 2);
    let mut rest: &str = &text;
    loop {
        // Room for the rest and one character more; the encoder stops short rather than overflow.
        bytes.reserve(rest.len() + 8);
        let (result, read) =
            encoder.encode_from_utf8_to_vec_without_replacement(rest, &mut bytes, true);
        rest = &rest[read..];
        match result {
            EncoderResult::InputEmpty => return bytes,
            EncoderResult::OutputFull => {}
            EncoderResult::Unmappable(_) => {
                let (missing, _, _) = SHIFT_JIS.encode(MISSING);
                bytes.extend_from_slice(&missing);
            }
        }
    }
}

/// Replaces characters that Shift_JIS lacks, or would turn into something else, by near relatives.
fn with_relatives(text: &str) -> Cow<'_, str> {
    let relative = |c: char| match c {
        '☗' | '⛊' => '▲',
        '☖' | '⛉' => '△',
        '〜' => '～',
        '‖' => '∥',
        '−' => '－',
        '—' => '―',
        // The Encoding Standard puts these two on the backslash and the tilde.
        '¥' => '￥',
        '‾' => '￣',
        '¢' => '￠',
        '£' => '￡',
        '¬' => '￢',
        '\u{a0}' => ' ',
        c => c,
    };
    if text.chars().all(|c| relative(c) == c) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().map(relative).collect())
}

#[cfg(test)]
mod tests;
