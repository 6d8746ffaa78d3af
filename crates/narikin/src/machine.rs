//! What this machine is: for `run.json` and `doctor`.

use std::fs;
use std::sync::LazyLock;
use std::thread;
use std::time::{Duration, Instant};

use serde::Serialize;

/// The machine as far as speed and precision depend on it.
#[derive(Debug, Clone, Serialize)]
pub struct Machine {
    /// The processor's name as the system gives it, or `unknown`.
    pub cpu: String,
    /// Processor cores that this process may use.
    pub cores: usize,
    /// Operating system and architecture, such as `linux x86_64`.
    pub system: String,
    /// Whether the CPU multiplies bf16 vectors (AVX-512 BF16).
    pub avx512_bf16: bool,
    /// Whether the CPU multiplies bf16 tiles (AMX).
    pub amx_bf16: bool,
    /// Whether the CPU multiplies int8 vectors (AVX-512 VNNI).
    pub avx512_vnni: bool,
}

impl Machine {
    /// Looks at the machine. Where the system tells nothing, flags are false.
    pub fn detect() -> Machine {
        let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let flags: Vec<&str> = field(&text, "flags")
            .unwrap_or_default()
            .split(' ')
            .collect();
        Machine {
            cpu: field(&text, "model name").unwrap_or("unknown").to_owned(),
            cores: cores(),
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            avx512_bf16: flags.contains(&"avx512_bf16"),
            amx_bf16: flags.contains(&"amx_bf16"),
            avx512_vnni: flags.contains(&"avx512_vnni"),
        }
    }
}

/// Processor cores that this process may use, at least 1.
pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Time that this thread has spent on a processor; where the system does not tell it, time on the clock.
/// On a machine that others use, too, only the former says what work costs.
pub fn thread_time() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = text.and_then(|text| text.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(|| START.elapsed(), Duration::from_nanos)
}

/// Time that all threads of this process, those that have ended included, have spent on processors.
pub fn process_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(
        time.tv_sec.unsigned_abs(),
        time.tv_nsec.unsigned_abs() as u32,
    )
}

/// The first value of `name` in the text of `/proc/cpuinfo`.
fn field<'a>(cpuinfo: &'a str, name: &str) -> Option<&'a str> {
    cpuinfo.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        (key.trim() == name).then(|| value.trim())
    })
}
