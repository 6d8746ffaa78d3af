//! Tests of the crate as a whole.

mod issues;
mod peers;
mod readers;
mod robust;
mod round_trips;
mod samples;
