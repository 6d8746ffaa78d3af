//! Texts as the formats can hold them.

use std::borrow::Cow;

/// The text on one line: what ends lines becomes a blank.
pub(crate) fn one_line(text: &str) -> Cow<'_, str> {
    if text.contains(['\n', '\r']) {
        Cow::Owned(text.replace(['\n', '\r'], " "))
    } else {
        Cow::Borrowed(text)
    }
}
