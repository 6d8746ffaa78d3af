//! A text as numbered lines, with places for error messages.

use crate::error::{Fault, Refusal};

/// One line of a text, without its end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TextLine<'a> {
    /// Counted from 1.
    pub(crate) number: usize,
    /// Its text.
    pub(crate) text: &'a str,
}

impl<'a> TextLine<'a> {
    /// Where `part`, a slice of this line, begins; the end of the line for any other text.
    pub(crate) fn place(&self, part: &str) -> Place {
        let start = self.text.as_ptr() as usize;
        let byte = (part.as_ptr() as usize)
            .checked_sub(start)
            .filter(|&byte| byte <= self.text.len());
        let before = byte.and_then(|byte| self.text.get(..byte));
        Place {
            line: self.number,
            column: before.unwrap_or(self.text).chars().count() + 1,
        }
    }

    /// The refusal that something else than `expected` stands at `part`, a slice of this line.
    pub(crate) fn unexpected(&self, part: &str, expected: &'static str) -> Refusal {
        self.place(part).fault(Fault::unexpected(part, expected))
    }
}

/// A place in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    /// Counted from 1.
    pub(crate) line: usize,
    /// In characters, counted from 1.
    pub(crate) column: usize,
}

impl Place {
    /// The refusal for what is wrong here.
    pub(crate) fn fault(self, fault: impl Into<Fault>) -> Refusal {
        Refusal {
            line: self.line,
            column: self.column,
            fault: fault.into(),
        }
    }
}

/// The lines of a text, whose first has the number `first`. A line ends at a line feed, with or
/// without a carriage return before it; the mark that DOS put at the end of a text is left out.
pub(crate) fn lines(text: &str, first: usize) -> impl Iterator<Item = TextLine<'_>> {
    let text = text.strip_suffix('\x1a').unwrap_or(text);
    let text = text.strip_suffix('\n').unwrap_or(text);
    text.split('\n')
        .zip(first..)
        .map(|(text, number)| TextLine {
            number,
            text: text.strip_suffix('\r').unwrap_or(text),
        })
}
