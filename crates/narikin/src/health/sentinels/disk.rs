//! Whether there is room for what the run has to write.

use super::{Alarm, Vitals};

/// With less than this the run stops, while it still can write a checkpoint.
const STOP_MIB: u64 = 256;

/// With less than this it warns.
const WARN_MIB: u64 = 2048;

pub(super) fn space(vitals: &Vitals<'_>) -> Option<Alarm> {
    let free = vitals.health.machine.disk_free_mib?;
    let message = |what: &str| {
        format!(
            "{what}: {free} MiB are free on the disk of the run folder. Make room (old nets in models/ are not \
             needed to go on); the run goes on where it stands when it is started again"
        )
    };
    match free {
        0..STOP_MIB => Alarm::stop("disk-space", message("the disk is full")),
        STOP_MIB..WARN_MIB => Alarm::warn("disk-space", message("the disk is nearly full")),
        _ => None,
    }
}
