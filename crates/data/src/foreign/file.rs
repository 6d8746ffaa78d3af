//! Bytes of a file: read with the offset in hand, written whole or not at all.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use super::ForeignFormat;
use super::error::{ForeignError, ForeignFault, WriteFault};
use crate::whole_file::WholeFile;

/// Reads field after field, and knows where it is.
pub(super) struct ByteReader {
    path: PathBuf,
    format: ForeignFormat,
    file: BufReader<File>,
    /// Bytes read so far.
    pub(super) offset: u64,
    /// Number of the record that is being read, from 0.
    pub(super) record: u64,
}

impl ByteReader {
    pub(super) fn open(path: &Path, format: ForeignFormat) -> Result<Self, ForeignError> {
        let file = File::open(path).map_err(ForeignError::io("open", path))?;
        Ok(Self {
            path: path.to_owned(),
            format,
            file: BufReader::with_capacity(1 << 18, file),
            offset: 0,
            record: 0,
        })
    }

    pub(super) fn at_end(&mut self) -> Result<bool, ForeignError> {
        let buffered = self.file.fill_buf();
        let buffered = buffered.map_err(ForeignError::io("read", &self.path))?;
        Ok(buffered.is_empty())
    }

    /// The next `N` bytes, all of which must be there.
    pub(super) fn array<const N: usize>(
        &mut self,
        part: &'static str,
    ) -> Result<[u8; N], ForeignError> {
        let mut array = [0; N];
        let mut found = 0;
        while found < N {
            match self.file.read(&mut array[found..]) {
                Ok(0) => {
                    let expected = N;
                    let fault = ForeignFault::Truncated {
                        part,
                        found,
                        expected,
                    };
                    return Err(self.damaged(self.offset, fault));
                }
                Ok(n) => found += n,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(ForeignError::io("read", &self.path)(error)),
            }
        }
        self.offset += N as u64;
        Ok(array)
    }

    pub(super) fn u16(&mut self, part: &'static str) -> Result<u16, ForeignError> {
        self.array(part).map(u16::from_le_bytes)
    }

    /// Passes over `n` bytes.
    pub(super) fn skip(&mut self, part: &'static str, n: u64) -> Result<(), ForeignError> {
        let skipped = io::copy(&mut (&mut self.file).take(n), &mut io::sink())
            .map_err(ForeignError::io("read", &self.path))?;
        if skipped < n {
            let fault = ForeignFault::Truncated {
                part,
                found: skipped as usize,
                expected: n as usize,
            };
            return Err(self.damaged(self.offset, fault));
        }
        self.offset += n;
        Ok(())
    }

    /// The record being read is damaged at `offset`.
    pub(super) fn damaged(&self, offset: u64, fault: ForeignFault) -> ForeignError {
        ForeignError::Damaged {
            path: self.path.clone(),
            format: self.format,
            record: self.record,
            offset,
            fault,
        }
    }
}

/// Writes record after record; only [`finish`](Self::finish) gives the file its name.
pub(super) struct ByteWriter {
    path: PathBuf,
    format: ForeignFormat,
    file: WholeFile,
    /// Records written so far.
    pub(super) n_records: u64,
}

impl ByteWriter {
    pub(super) fn create(path: &Path, format: ForeignFormat) -> Result<Self, ForeignError> {
        Ok(Self {
            path: path.to_owned(),
            format,
            file: WholeFile::create(path)?,
            n_records: 0,
        })
    }

    /// Appends one whole record.
    pub(super) fn append(&mut self, record: &[u8]) -> Result<(), ForeignError> {
        let written = self.file.write_all(record);
        written.map_err(ForeignError::io("write", &self.path))?;
        self.n_records += 1;
        Ok(())
    }

    pub(super) fn refused(&self, fault: WriteFault) -> ForeignError {
        ForeignError::Refused {
            path: self.path.clone(),
            format: self.format,
            record: self.n_records,
            fault,
        }
    }

    /// Makes it durable and gives it its name; the number of records in it.
    pub(super) fn finish(self) -> Result<u64, ForeignError> {
        self.file.finish()?;
        Ok(self.n_records)
    }
}
