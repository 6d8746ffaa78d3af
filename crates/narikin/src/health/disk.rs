//! What the system says about memory and disk.

use std::fs;
use std::path::Path;

const MIB: u64 = 1 << 20;

/// Free space of the disk that `folder` is on, for who is not root, in MiB.
pub fn free_mib(folder: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(folder).ok()?;
    Some(disk.f_bavail.saturating_mul(disk.f_frsize) / MIB)
}

/// Memory that this process holds, in MiB.
pub fn memory_mib() -> Option<u64> {
    let text = fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib / 1024)
}

#[cfg(test)]
mod tests;
