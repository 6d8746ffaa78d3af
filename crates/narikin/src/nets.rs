//! Nets that were read, and evaluators that run them.

mod file;

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, bail};
use model::{
    EvaluatorOptions, Model, OnnxNet, OpenVino, OpenVinoEvaluator, Precision, cpu_evaluator,
};
use search::Evaluator;

use crate::exit::Refuse;
use crate::machine::Machine;
use crate::torch;

pub use file::{NetFile, SHIPPED, is_shipped};

/// How exactly nets are computed on a CPU.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum CpuPrecision {
    /// What is fastest on this processor without a loss that could be measured: int8 with AVX-512
    /// VNNI and without AMX, else bf16 where there is AVX-512 BF16, else f32
    #[default]
    Auto,
    /// Single precision
    F32,
    /// Convolutions and matrix products in bfloat16
    Bf16,
    /// Convolutions between the first layer and the heads in 8 bits
    Int8,
}

impl CpuPrecision {
    /// What `Auto` means on this machine for our own nets of plain blocks, those that int8 was measured
    /// with; the others stay as they are.
    pub fn resolved(self) -> CpuPrecision {
        let machine = Machine::detect();
        let gains = machine.avx512_vnni && !machine.amx_bf16 && OpenVino::load().is_ok();
        match self {
            CpuPrecision::Auto if gains => CpuPrecision::Int8,
            chosen => chosen.resolved_to_floats(),
        }
    }

    /// What `Auto` means on this machine for all other nets.
    fn resolved_to_floats(self) -> CpuPrecision {
        match (self, Precision::Auto.resolved()) {
            (CpuPrecision::Auto, Precision::Bf16) => CpuPrecision::Bf16,
            (CpuPrecision::Auto, _) => CpuPrecision::F32,
            (chosen, _) => chosen,
        }
    }

    /// As it is typed.
    pub fn word(self) -> &'static str {
        match self {
            CpuPrecision::Auto => "auto",
            CpuPrecision::F32 => "f32",
            CpuPrecision::Bf16 => "bf16",
            CpuPrecision::Int8 => "int8",
        }
    }

    /// The precision of what is not in 8 bits.
    fn of_floats(self) -> Precision {
        match self {
            CpuPrecision::Auto | CpuPrecision::Int8 => Precision::Auto,
            CpuPrecision::F32 => Precision::F32,
            CpuPrecision::Bf16 => Precision::Bf16,
        }
    }
}

/// A net that was read and checked, ready to be run by any number of evaluators.
#[derive(Debug, Clone)]
pub struct Net {
    /// What to call it: the path as it was given.
    pub name: String,
    /// Weights and manifest; an ONNX file has neither in a form that we know.
    model: Option<Arc<Model>>,
    onnx: OnnxNet,
    precision: CpuPrecision,
    /// The net in 8 bits, once an evaluator has needed it.
    in_8_bits: Arc<Mutex<Option<OnnxNet>>>,
}

impl Net {
    /// Reads the net that `path` means: a model file, an ONNX file in dlshogi's interface, a run
    /// folder, whose current net is meant, or [`SHIPPED`].
    ///
    /// # Errors
    ///
    /// If there is no such net, or the file is refused; exit code 3.
    pub fn load(path: &Path) -> anyhow::Result<Net> {
        let file = NetFile::read(path)?;
        let name = path.display().to_string();
        if file.is_onnx() {
            let onnx = OnnxNet::from_bytes(&*file.bytes, &file.path).refused()?;
            return Ok(Net {
                name,
                model: None,
                onnx,
                precision: CpuPrecision::Auto,
                in_8_bits: Arc::default(),
            });
        }
        Ok(Net::from_model(&name, &file.model()?))
    }

    /// A net that was made in this process.
    pub fn from_model(name: &str, model: &Model) -> Net {
        let onnx = OnnxNet::from_model(model);
        Net {
            name: name.to_owned(),
            model: Some(Arc::new(model.clone())),
            onnx,
            precision: CpuPrecision::Auto,
            in_8_bits: Arc::default(),
        }
    }

    /// The same net, computed like this by evaluators on the CPU.
    ///
    /// # Errors
    ///
    /// If an ONNX file is to be computed in 8 bits; exit code 3.
    pub fn with_precision(mut self, precision: CpuPrecision) -> anyhow::Result<Net> {
        if precision == CpuPrecision::Int8 && self.model.is_none() {
            let message = format!("{} is an ONNX file: only models have an int8", self.name);
            return Err(anyhow::anyhow!(message)).refused();
        }
        self.precision = precision;
        Ok(self)
    }

    /// How exactly evaluators on the CPU compute it, if OpenVINO is here.
    pub fn precision(&self) -> CpuPrecision {
        match &self.model {
            Some(model) if model.manifest.shape.is_plain() => self.precision.resolved(),
            _ => self.precision.resolved_to_floats(),
        }
    }

    /// What OpenVINO is to run. A net is put into 8 bits once, by the first thread that needs it so.
    fn onnx(&self, library: &OpenVino, model: &Model) -> anyhow::Result<OnnxNet> {
        if self.precision() != CpuPrecision::Int8 {
            return Ok(self.onnx.clone());
        }
        let kept = self.in_8_bits.lock();
        let mut kept = kept.unwrap_or_else(PoisonError::into_inner);
        if let Some(net) = &*kept {
            return Ok(net.clone());
        }
        Ok(kept.insert(OnnxNet::quantized(library, model)?).clone())
    }

    /// Weights and manifest, if it is no ONNX file.
    pub fn model(&self) -> Option<&Model> {
        self.model.as_deref()
    }

    /// Generation of the net within its run; 0 where the file does not say.
    pub fn generation(&self) -> u32 {
        self.model
            .as_ref()
            .map_or(0, |model| model.manifest.generation)
    }

    /// An evaluator for one thread of the CPU that takes `max_batch` positions at once: OpenVINO's;
    /// where it is absent, libtorch's or ONNX Runtime's; and ONNX Runtime's for ONNX files that
    /// OpenVINO cannot run.
    ///
    /// # Errors
    ///
    /// If there is none of them, or an ONNX file cannot be run or answers nonsense (exit code 3).
    pub fn evaluator(&self, max_batch: usize) -> anyhow::Result<Box<dyn Evaluator>> {
        self.evaluator_on(1, max_batch)
    }

    /// [`Net::evaluator`] whose single calls are spread over `threads`.
    ///
    /// # Errors
    ///
    /// As there.
    pub fn evaluator_on(
        &self,
        threads: usize,
        max_batch: usize,
    ) -> anyhow::Result<Box<dyn Evaluator>> {
        let options = EvaluatorOptions {
            max_batch,
            threads,
            precision: self.precision.of_floats(),
        };
        let cannot_run = || format!("cannot run {}", self.name);
        let Some(model) = &self.model else {
            return cpu_evaluator(&self.onnx, &options)
                .with_context(cannot_run)
                .refused();
        };
        if let Ok(library) = OpenVino::load() {
            let onnx = self.onnx(&library, model).with_context(cannot_run)?;
            let evaluator = OpenVinoEvaluator::new(&library, onnx, &options);
            return Ok(Box::new(evaluator.with_context(cannot_run)?));
        }
        match torch::cpu_evaluator(model, max_batch)? {
            Some(evaluator) => Ok(evaluator),
            None => cpu_evaluator(&self.onnx, &options).with_context(cannot_run),
        }
    }

    /// An evaluator that runs on a device of libtorch's, such as a GPU.
    ///
    /// # Errors
    ///
    /// If the net is an ONNX file, or the device is absent.
    #[cfg(feature = "torch")]
    pub fn torch_evaluator(
        &self,
        placement: &trainer::Placement,
        max_batch: usize,
    ) -> anyhow::Result<Box<dyn Evaluator>> {
        match &self.model {
            Some(model) => torch::evaluator(model, placement, max_batch),
            None => bail!("{} is an ONNX file, which libtorch does not run", self.name),
        }
    }

    /// An evaluator that runs on the device of libtorch's that is called `device`, such as `cuda:0`.
    ///
    /// # Errors
    ///
    /// If the net is an ONNX file, or the device is absent.
    pub fn device_evaluator(
        &self,
        device: &str,
        max_batch: usize,
    ) -> anyhow::Result<Box<dyn Evaluator>> {
        match &self.model {
            Some(model) => torch::device_evaluator(model, device, max_batch),
            None => bail!("{} is an ONNX file, which libtorch does not run", self.name),
        }
    }

    /// The same net as libtorch runs it without any care for speed, to measure against; `None` for
    /// ONNX files and in builds without libtorch.
    ///
    /// # Errors
    ///
    /// If libtorch refuses the model.
    pub fn naive_evaluator(&self) -> anyhow::Result<Option<Box<dyn Evaluator>>> {
        let evaluator = self
            .model
            .as_ref()
            .map(|model| torch::naive_evaluator(model));
        Ok(evaluator.transpose()?.flatten())
    }
}
