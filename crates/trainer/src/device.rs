//! Devices: which one to compute on, how exactly, and whether it works.

use model::Precision;
use std::fmt;
use std::str::FromStr;
use tch::{Cuda, Device, Kind, TchError, Tensor};

/// The version of libtorch that tch is bound to; another one does not build.
pub const TORCH_VERSION: &str = "2.11.0";

/// A device by name: `auto`, `cpu`, `cuda` or `cuda:N`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ComputeDevice {
    /// The first CUDA device that libtorch sees, else the CPU.
    #[default]
    Auto,
    /// The CPU.
    Cpu,
    /// A CUDA device, counted from 0. An error where it is absent: nothing falls back.
    Cuda(usize),
}

/// Where and how exactly a network computes; about a machine, not about a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Placement {
    /// The device.
    pub device: ComputeDevice,
    /// Threads within one operation on the CPU, at least 1. Only with 1 are results promised to be
    /// the same, bit for bit, in every run.
    pub threads: usize,
    /// How exactly to compute convolutions. Parameters, batch statistics, heads and losses are
    /// float32 in any case.
    pub precision: Precision,
}

impl Default for Placement {
    fn default() -> Self {
        Self {
            device: ComputeDevice::Auto,
            threads: 1,
            precision: Precision::Auto,
        }
    }
}

/// Why there is no such device.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DeviceError {
    /// A name that means nothing.
    #[error("device `{found}`: expected auto, cpu, cuda or cuda:N")]
    Name {
        /// The name.
        found: String,
    },
    /// A CUDA device that libtorch does not see.
    #[error("device cuda:{index} is absent: {}", seen(*n_devices))]
    Absent {
        /// Number of the device asked for.
        index: usize,
        /// Number of CUDA devices that are there.
        n_devices: usize,
    },
    /// No threads to compute with.
    #[error("threads = {found}: expected a whole number from 1 to 1024")]
    Threads {
        /// Number asked for.
        found: usize,
    },
}

fn seen(n_devices: usize) -> String {
    match n_devices {
        0 => format!("libtorch {TORCH_VERSION} as linked here sees no CUDA device"),
        1 => "libtorch sees cuda:0 only".to_owned(),
        n => format!("libtorch sees cuda:0 to cuda:{}", n - 1),
    }
}

/// A [`Placement`] that was found to exist.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Placed {
    pub(crate) device: Device,
    /// Kind of convolutions and of the activations between them.
    pub(crate) kind: Kind,
    threads: i32,
}

impl Placement {
    /// Finds the device and decides what `Auto` means on it.
    pub(crate) fn resolve(&self) -> Result<Placed, DeviceError> {
        let &Self {
            device,
            threads,
            precision,
        } = self;
        let device = device.resolve()?;
        if !(1..=1024).contains(&threads) {
            return Err(DeviceError::Threads { found: threads });
        }
        let kind = match (precision, device) {
            (Precision::Bf16, _) | (Precision::Auto, Device::Cuda(_)) => Kind::BFloat16,
            (precision, _) if precision.resolved() == Precision::Bf16 => Kind::BFloat16,
            _ => Kind::Float,
        };
        Ok(Placed {
            device,
            kind,
            threads: threads as i32,
        })
    }
}

impl Placed {
    /// Gives libtorch its number of threads. It is a property of the calling thread, so everything
    /// that computes says it anew.
    pub(crate) fn use_threads(&self) {
        tch::set_num_threads(self.threads);
    }

    /// `Bf16` or `F32`.
    pub(crate) fn precision(&self) -> Precision {
        match self.kind {
            Kind::BFloat16 => Precision::Bf16,
            _ => Precision::F32,
        }
    }
}

impl ComputeDevice {
    fn resolve(self) -> Result<Device, DeviceError> {
        let n_devices = n_cuda_devices();
        match self {
            Self::Cpu => Ok(Device::Cpu),
            Self::Auto if n_devices == 0 => Ok(Device::Cpu),
            Self::Auto => Ok(Device::Cuda(0)),
            Self::Cuda(index) if index < n_devices => Ok(Device::Cuda(index)),
            Self::Cuda(index) => Err(DeviceError::Absent { index, n_devices }),
        }
    }
}

impl FromStr for ComputeDevice {
    type Err = DeviceError;

    fn from_str(name: &str) -> Result<Self, DeviceError> {
        let unknown = || DeviceError::Name {
            found: name.to_owned(),
        };
        match name.split_once(':') {
            None if name == "auto" => Ok(Self::Auto),
            None if name == "cpu" => Ok(Self::Cpu),
            None if name == "cuda" => Ok(Self::Cuda(0)),
            Some(("cuda", index)) => index.parse().map(Self::Cuda).map_err(|_| unknown()),
            _ => Err(unknown()),
        }
    }
}

impl fmt::Display for ComputeDevice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Cpu => f.write_str("cpu"),
            Self::Cuda(index) => write!(f, "cuda:{index}"),
        }
    }
}

/// What libtorch sees of this machine.
#[derive(Debug, Clone, PartialEq)]
pub struct DeviceReport {
    /// Version of libtorch.
    pub torch: &'static str,
    /// Whether libtorch was built with oneDNN, which CPU convolutions need to be fast.
    pub onednn: bool,
    /// Version of cuDNN; absent where there is no CUDA device.
    pub cudnn: Option<i64>,
    /// The CPU, then each CUDA device.
    pub devices: Vec<DeviceCheck>,
}

/// One device and whether it computes.
#[derive(Debug, Clone, PartialEq)]
pub struct DeviceCheck {
    /// The device.
    pub device: ComputeDevice,
    /// What [`Precision::Auto`] means on it.
    pub precision: Precision,
    /// What went wrong in a small convolution forward and backward, in both precisions.
    pub fault: Option<String>,
}

/// Asks libtorch for its devices and lets each compute something with a known answer.
#[must_use]
pub fn devices() -> DeviceReport {
    let n_devices = n_cuda_devices();
    let devices =
        std::iter::once(ComputeDevice::Cpu).chain((0..n_devices).map(ComputeDevice::Cuda));
    DeviceReport {
        torch: TORCH_VERSION,
        onednn: tch::utils::has_mkldnn(),
        cudnn: (0 < n_devices).then(tch::utils::version_cudnn),
        devices: devices.map(check).collect(),
    }
}

fn n_cuda_devices() -> usize {
    usize::try_from(Cuda::device_count()).unwrap_or(0)
}

fn check(device: ComputeDevice) -> DeviceCheck {
    let placed = Placement {
        device,
        ..Placement::default()
    }
    .resolve()
    .expect("libtorch counted this device");
    placed.use_threads();
    let fault = [Kind::Float, Kind::BFloat16]
        .into_iter()
        .find_map(|kind| self_test(placed.device, kind).err());
    DeviceCheck {
        device,
        precision: placed.precision(),
        fault,
    }
}

/// Convolves a 9x9 board of ones with a 3x3 filter of ones: 49 sums of 9, 28 of 6 and 4 of 4, all
/// exact in bfloat16, and so are the gradients.
fn self_test(device: Device, kind: Kind) -> Result<(), String> {
    const SUM: f64 = 49.0 * 9.0 + 28.0 * 6.0 + 4.0 * 4.0;
    let compute = || -> Result<(f64, f64), TchError> {
        let board = Tensor::f_ones([2, 16, 9, 9], (kind, device))?;
        let filter = Tensor::f_ones([16, 16, 3, 3], (kind, device))?.f_set_requires_grad(true)?;
        let y = board.f_conv2d(&filter, None::<Tensor>, [1, 1], [1, 1], [1, 1], 1)?;
        let sum = y.f_sum(Kind::Float)?;
        let gradient = Tensor::f_run_backward(&[&sum], &[&filter], false, false)?;
        let centre = gradient[0]
            .f_select(2, 1)?
            .f_select(2, 1)?
            .f_mean(Kind::Float)?;
        Ok((sum.f_double_value(&[])?, centre.f_double_value(&[])?))
    };
    let expected = (2.0 * 16.0 * 16.0 * SUM, 2.0 * 81.0);
    match compute() {
        Ok(found) if found == expected => Ok(()),
        Ok(found) => Err(format!(
            "a {kind:?} convolution gave {found:?}, expected {expected:?}"
        )),
        Err(error) => Err(format!("a {kind:?} convolution failed: {error}")),
    }
}

#[cfg(test)]
mod tests;
