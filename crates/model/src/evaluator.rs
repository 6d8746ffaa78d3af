//! Running a net on a CPU with OpenVINO.

use crate::onnx::{INPUT_BOARD, INPUT_HANDS, OUTPUT_POLICY, OUTPUT_VALUE, OUTPUT_WDL};
use crate::tensors::{
    EvaluationError, HandPlanes, check_requests, read_answers, write_board_bytes, write_boards,
};
use crate::{OnnxNet, OnnxOutputs, OpenVino};
use data::{BOARD_PLANES, HAND_PLANES, N_LABELS};
use openvino::{
    CompiledModel, Core, DeviceType, ElementType, InferRequest, InferenceError, PartialShape,
    RwPropertyKey, Shape, Tensor,
};
use search::{EvalAnswers, EvalRequest, Evaluator, EvaluatorError};

/// Positions per call of the network, smallest first. Fixed, since each new shape is a compilation.
const BATCH_SIZES: [usize; 6] = [1, 8, 32, 64, 128, 256];

/// The batch size from which on a larger one is hardly faster per position, on processors with
/// and without AMX; so larger ones are never padded.
const FULL_SPEED_BATCH: usize = 8;

/// How exactly the network is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Precision {
    /// [`Bf16`](Self::Bf16) where the processor computes with it, else [`F32`](Self::F32).
    #[default]
    Auto,
    /// Single precision.
    F32,
    /// Convolutions and matrix products in bfloat16; twice as fast with AVX-512 BF16, and far
    /// more than that with AMX. Slow where the processor lacks both.
    Bf16,
}

impl Precision {
    /// What `Auto` means on this processor; other values stay as they are.
    #[must_use]
    pub fn resolved(self) -> Self {
        match self {
            Self::Auto if computes_bf16() => Self::Bf16,
            Self::Auto => Self::F32,
            chosen => chosen,
        }
    }

    /// OpenVINO's word for it.
    fn hint(self) -> &'static str {
        match self.resolved() {
            Self::Bf16 => "bf16",
            _ => "f32",
        }
    }
}

/// Every processor with AMX has AVX-512 BF16 too.
#[cfg(target_arch = "x86_64")]
fn computes_bf16() -> bool {
    std::arch::is_x86_feature_detected!("avx512bf16")
}

#[cfg(not(target_arch = "x86_64"))]
fn computes_bf16() -> bool {
    false
}

/// How to run a net.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EvaluatorOptions {
    /// Most positions per call of the network, at least 1; longer requests are cut up.
    pub max_batch: usize,
    /// How exactly to compute.
    pub precision: Precision,
    /// Threads for one call of the network, at least 1. More than one pays only where nothing else
    /// needs the cores, as in an engine that thinks about one game.
    pub threads: usize,
}

impl Default for EvaluatorOptions {
    fn default() -> Self {
        Self {
            max_batch: 64,
            precision: Precision::Auto,
            threads: 1,
        }
    }
}

/// One net on one thread of a CPU.
///
/// Takes whole batches of 256, 128, 64, 32 and 8 positions from a request, as `max_batch` allows,
/// and the rest as 8 padded or one by one. Each batch size is compiled when it is first needed
/// (about 50 ms). Threads want an evaluator each: they share nothing but the library.
///
/// An answer does not depend on the rest of its batch, but for rounding where batch sizes differ;
/// with widths that are multiples of 16 there was no difference at all on the processors tried.
pub struct OpenVinoEvaluator {
    core: Core,
    net: OnnxNet,
    max_batch: usize,
    /// One for each of [`BATCH_SIZES`], once it was needed.
    batches: [Option<CompiledBatch>; BATCH_SIZES.len()],
}

impl OpenVinoEvaluator {
    /// Gets ready to run `net`. Nothing is compiled yet.
    ///
    /// # Errors
    ///
    /// A library that does not start, or has no CPU device with the settings that we need.
    ///
    /// # Panics
    ///
    /// If `max_batch` is 0.
    pub fn new(
        _library: &OpenVino,
        net: OnnxNet,
        options: &EvaluatorOptions,
    ) -> Result<Self, EvaluatorError> {
        let max_batch = options.max_batch;
        assert!(0 < max_batch, "an evaluator takes at least one position");
        Ok(Self {
            core: cpu_core(options)?,
            net,
            max_batch,
            batches: [const { None }; BATCH_SIZES.len()],
        })
    }

    fn run(
        &mut self,
        size_idx: usize,
        requests: &[EvalRequest<'_>],
        answers: &mut EvalAnswers,
    ) -> Result<(), EvaluationError> {
        let batch = match &mut self.batches[size_idx] {
            Some(batch) => batch,
            empty => empty.insert(CompiledBatch::new(
                &mut self.core,
                &self.net,
                BATCH_SIZES[size_idx],
            )?),
        };
        batch.fill(requests)?;
        batch.request.infer().map_err(failed_to("run the net"))?;
        batch.read(requests, answers)
    }
}

/// The library's CPU device, set up as the options say.
pub(crate) fn cpu_core(options: &EvaluatorOptions) -> Result<Core, EvaluationError> {
    let threads = options.threads.max(1).to_string();
    let mut core = Core::new().map_err(|source| EvaluationError::Start { source })?;
    let properties = [
        (RwPropertyKey::InferenceNumThreads, threads.as_str()),
        (RwPropertyKey::NumStreams, "1"),
        (RwPropertyKey::HintEnableCpuPinning, "NO"),
        (
            RwPropertyKey::HintInferencePrecision,
            options.precision.hint(),
        ),
    ];
    core.set_properties(&DeviceType::CPU, properties)
        .map_err(failed_to("set up the CPU"))?;
    Ok(core)
}

impl Evaluator for OpenVinoEvaluator {
    fn evaluate(
        &mut self,
        requests: &[EvalRequest<'_>],
        answers: &mut EvalAnswers,
    ) -> Result<(), EvaluatorError> {
        answers.clear();
        check_requests(requests)?;
        let mut left = requests;
        while !left.is_empty() {
            let size_idx = next_size(left.len(), self.max_batch);
            let (now, later) = left.split_at(BATCH_SIZES[size_idx].min(left.len()));
            self.run(size_idx, now, answers)?;
            left = later;
        }
        Ok(())
    }
}

/// Index in [`BATCH_SIZES`] of the batch that takes the first of `n_left` positions.
fn next_size(n_left: usize, max_batch: usize) -> usize {
    let allowed = |size: usize| size == 1 || size <= max_batch;
    let filled = BATCH_SIZES
        .iter()
        .rposition(|&size| allowed(size) && size <= n_left)
        .expect("a batch of one is always allowed and filled");
    // A batch of 8 costs about as much as six batches of one.
    let pads = (6..FULL_SPEED_BATCH).contains(&n_left) && allowed(FULL_SPEED_BATCH);
    filled + usize::from(pads)
}

/// The net compiled for one batch size, with tensors that are set once and refilled.
struct CompiledBatch {
    request: InferRequest,
    /// `[N, 62, 9, 9]`, bytes or float32.
    board: Tensor,
    /// `[N, 57, 9, 9]`, or `[N, 57, 1, 1]` for a net that takes it so.
    hands: Tensor,
    hand_planes: HandPlanes,
    /// Logits, `[N, 2187]`.
    policy: Tensor,
    /// Win, draw, loss, `[N, 3]`, or the win probability, `[N, 1]`.
    value: Tensor,
    outputs: OnnxOutputs,
    /// Dropped after the request that it made.
    _compiled: CompiledModel,
}

impl CompiledBatch {
    fn new(core: &mut Core, net: &OnnxNet, n: usize) -> Result<Self, EvaluationError> {
        let (side, outputs) = (if net.uniform_hands() { 1 } else { 9 }, net.outputs());
        let (output_value, value_length) = match outputs {
            OnnxOutputs::WithWdl => (OUTPUT_WDL, 3),
            OnnxOutputs::Dlshogi => (OUTPUT_VALUE, 1),
        };
        let board_element = if net.board_bytes() {
            ElementType::U8
        } else {
            ElementType::F32
        };
        let board_shape = [n, BOARD_PLANES, 9, 9].map(|x| x as i64);
        let hands_shape = [n, HAND_PLANES, side, side].map(|x| x as i64);
        let mut compiled = compile(core, net.bytes(), &board_shape, &hands_shape)
            .map_err(failed_to("compile the net"))?;
        let build = || -> Result<Self, InferenceError> {
            let mut batch = Self {
                request: compiled.create_infer_request()?,
                board: Tensor::new(board_element, &Shape::new(&board_shape)?)?,
                hands: zeros(&hands_shape)?,
                hand_planes: HandPlanes::new(n, side * side),
                policy: zeros(&[n as i64, N_LABELS as i64])?,
                value: zeros(&[n as i64, value_length])?,
                outputs,
                _compiled: compiled,
            };
            let request = &mut batch.request;
            request.set_tensor(INPUT_BOARD, &batch.board)?;
            request.set_tensor(INPUT_HANDS, &batch.hands)?;
            request.set_tensor(OUTPUT_POLICY, &batch.policy)?;
            request.set_tensor(output_value, &batch.value)?;
            Ok(batch)
        };
        build().map_err(failed_to("bind the net's inputs and outputs"))
    }

    /// Writes the inputs. Positions behind `requests` keep what they had: padding is not looked at.
    fn fill(&mut self, requests: &[EvalRequest<'_>]) -> Result<(), EvaluationError> {
        let access = failed_to("hand out an input");
        if self.board.get_element_type().map_err(access)? == ElementType::U8 {
            write_board_bytes(requests, self.board.get_data_mut::<u8>().map_err(access)?);
        } else {
            write_boards(requests, self.board.get_data_mut::<f32>().map_err(access)?);
        }
        let hands = self.hands.get_data_mut::<f32>().map_err(access)?;
        self.hand_planes.write(requests, hands);
        Ok(())
    }

    /// Reads the logits of the legal moves and the value of each request.
    fn read(
        &self,
        requests: &[EvalRequest<'_>],
        answers: &mut EvalAnswers,
    ) -> Result<(), EvaluationError> {
        let access = failed_to("hand out an output");
        let policy = self.policy.get_data::<f32>().map_err(access)?;
        let value = self.value.get_data::<f32>().map_err(access)?;
        read_answers(requests, self.outputs, policy, value, answers)
    }
}

/// Compiles an ONNX file for inputs of these shapes.
pub(crate) fn compile(
    core: &mut Core,
    onnx: &[u8],
    board: &[i64],
    hands: &[i64],
) -> Result<CompiledModel, InferenceError> {
    let mut graph = core.read_model_from_buffer(onnx, None)?;
    let board = PartialShape::new_static(board.len() as i64, board)?;
    let hands = PartialShape::new_static(hands.len() as i64, hands)?;
    graph.reshape(&[(INPUT_BOARD, &board), (INPUT_HANDS, &hands)])?;
    core.compile_model(&graph, DeviceType::CPU)
}

/// A float32 tensor of this shape.
pub(crate) fn zeros(shape: &[i64]) -> Result<Tensor, InferenceError> {
    Tensor::new(ElementType::F32, &Shape::new(shape)?)
}

/// What went wrong when the library was asked to do something.
pub(crate) fn failed_to(action: &'static str) -> impl Fn(InferenceError) -> EvaluationError + Copy {
    move |source| EvaluationError::OpenVino { action, source }
}

#[cfg(test)]
mod tests;
