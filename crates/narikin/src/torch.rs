//! What the program asks of libtorch beside training. In a build without the feature `torch` every
//! answer is "there is none".

use model::{Model, Precision};
use search::Evaluator;
use serde::Serialize;

/// What libtorch sees of this machine.
#[derive(Debug, Serialize)]
pub struct Libtorch {
    /// Its version.
    pub version: &'static str,
    /// Whether it has oneDNN, which CPU convolutions need to be fast.
    pub onednn: bool,
    /// The CPU, then each CUDA device.
    pub devices: Vec<TorchDevice>,
}

/// A device that libtorch sees.
#[derive(Debug, Serialize)]
pub struct TorchDevice {
    /// `cpu` or `cuda:N`.
    pub device: String,
    /// `bf16` or `f32`: how convolutions are computed on it unless something else is asked for.
    pub precision: &'static str,
    /// What went wrong in a small test, if something did.
    pub fault: Option<String>,
}

/// The word for a precision in reports.
pub fn precision_name(precision: Precision) -> &'static str {
    match precision.resolved() {
        Precision::Bf16 => "bf16",
        _ => "f32",
    }
}

#[cfg(feature = "torch")]
pub use answers::evaluator;
pub use answers::{cpu_evaluator, device_evaluator, look, naive_evaluator};

#[cfg(feature = "torch")]
mod answers {
    use trainer::{ComputeDevice, NaiveEvaluator, Placement, TchEvaluator};

    use super::{Evaluator, Libtorch, Model, TorchDevice, precision_name};

    /// Asks libtorch what it sees, and lets each device compute something.
    pub fn look() -> Option<Libtorch> {
        let report = trainer::devices();
        let devices = report.devices.into_iter().map(|check| TorchDevice {
            device: check.device.to_string(),
            precision: precision_name(check.precision),
            fault: check.fault,
        });
        Some(Libtorch {
            version: report.torch,
            onednn: report.onednn,
            devices: devices.collect(),
        })
    }

    /// The naive network that others are measured against.
    ///
    /// # Errors
    ///
    /// If the model is refused.
    pub fn naive_evaluator(model: &Model) -> anyhow::Result<Option<Box<dyn Evaluator>>> {
        Ok(Some(Box::new(NaiveEvaluator::new(model)?)))
    }

    /// The evaluator for one thread of a CPU without OpenVINO.
    ///
    /// # Errors
    ///
    /// If the model is refused.
    pub fn cpu_evaluator(
        model: &Model,
        max_batch: usize,
    ) -> anyhow::Result<Option<Box<dyn Evaluator>>> {
        let placement = Placement {
            device: ComputeDevice::Cpu,
            ..Placement::default()
        };
        evaluator(model, &placement, max_batch).map(Some)
    }

    /// The evaluator for the device of libtorch's that is called `device`.
    ///
    /// # Errors
    ///
    /// If the model is refused or the device is absent.
    pub fn device_evaluator(
        model: &Model,
        device: &str,
        max_batch: usize,
    ) -> anyhow::Result<Box<dyn Evaluator>> {
        let placement = Placement {
            device: device.parse()?,
            ..Placement::default()
        };
        evaluator(model, &placement, max_batch)
    }

    /// The evaluator for a device of libtorch's.
    ///
    /// # Errors
    ///
    /// If the model is refused or the device is absent.
    pub fn evaluator(
        model: &Model,
        placement: &Placement,
        max_batch: usize,
    ) -> anyhow::Result<Box<dyn Evaluator>> {
        Ok(Box::new(TchEvaluator::new(model, placement, max_batch)?))
    }
}

#[cfg(not(feature = "torch"))]
mod answers {
    use super::{Evaluator, Libtorch, Model};

    /// There is no libtorch in this build.
    pub fn look() -> Option<Libtorch> {
        None
    }

    /// There is no libtorch in this build.
    ///
    /// # Errors
    ///
    /// Always.
    pub fn device_evaluator(
        _model: &Model,
        device: &str,
        _max_batch: usize,
    ) -> anyhow::Result<Box<dyn Evaluator>> {
        anyhow::bail!("this build has no libtorch, so it has no device {device}")
    }

    /// There is no libtorch in this build.
    pub fn naive_evaluator(_model: &Model) -> anyhow::Result<Option<Box<dyn Evaluator>>> {
        Ok(None)
    }

    /// There is no libtorch in this build.
    pub fn cpu_evaluator(
        _model: &Model,
        _max_batch: usize,
    ) -> anyhow::Result<Option<Box<dyn Evaluator>>> {
        Ok(None)
    }
}
