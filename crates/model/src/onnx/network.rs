//! What our network computes, layer by layer: the forward pass that [`to_onnx`](super::to_onnx)
//! describes.

use super::graph::{Folded, Graph, int};
use super::{INPUT_BOARD, INPUT_HANDS, OUTPUT_POLICY, OUTPUT_VALUE, OUTPUT_WDL};
use crate::NamedTensor;

impl Graph<'_> {
    /// The whole network, from the inputs to the outputs.
    pub(super) fn network(&mut self) {
        let trunk = self.trunk();
        self.policy_head(&trunk);
        self.value_head(&trunk);
    }

    /// Stem and blocks; the name of the last block's output, `[N, C, 9, 9]`.
    fn trunk(&mut self) -> String {
        let Folded { scale, bias } = self.batch_norm("stem.bn");
        let (board, hands) = (self.input(INPUT_BOARD), self.input(INPUT_HANDS));
        let board = self.activation(&board);
        let board = self.convolution("stem.board", &board, &scale, Some(&bias));
        let hands = self.convolution("stem.hands", &hands, &scale, None);
        let sum = self.node("Add", &[&board, &hands], "stem.sum", vec![]);
        let x = self.node("Relu", &[&sum], "stem", vec![]);
        let mut x = self.activation(&x);
        let shape = self.model.manifest.shape;
        for block in 0..shape.blocks {
            x = self.block(block, &x);
        }
        for block in 0..shape.attention_blocks {
            x = self.attention_block(block, &x);
        }
        x
    }

    fn block(&mut self, block: u32, x: &str) -> String {
        let shape = self.model.manifest.shape;
        let name = |part: &str| format!("blocks.{block}.{part}");
        let first = self.batch_norm(&name("bn1"));
        let mut y = self.convolution(&name("conv1"), x, &first.scale, Some(&first.bias));
        if shape.pools_in(block) {
            y = self.global_pooling(&name("pool"), &y, shape.pool_channels as usize);
        }
        let y = self.node("Relu", &[&y], &name("relu1"), vec![]);
        let y = self.activation(&y);
        let second = self.batch_norm(&name("bn2"));
        let mut y = self.convolution(&name("conv2"), &y, &second.scale, Some(&second.bias));
        if shape.squeezed().is_some() {
            y = self.squeeze_excite(&name("se"), &y);
        }
        let y = self.node("Add", &[&y, x], &name("sum"), vec![]);
        let y = self.node("Relu", &[&y], &name("relu2"), vec![]);
        self.activation(&y)
    }

    /// `y`, to whose later channels something is added that its first ones tell of the board.
    fn global_pooling(&mut self, name: &str, y: &str, pooled: usize) -> String {
        let part = |part: &str| format!("{name}.{part}");
        let first = self.channels(&part("first"), y, 0..pooled);
        let first = self.node("Relu", &[&first], &part("relu"), vec![]);
        let means = self.node("GlobalAveragePool", &[&first], &part("means"), vec![]);
        let maxima = self.node("GlobalMaxPool", &[&first], &part("maxima"), vec![]);
        let both = [&*means, &*maxima];
        let known = self.node("Concat", &both, &part("known"), vec![int("axis", 1)]);
        let added = self.channelwise(name, &known, pooled);
        self.node("Add", &[y, &added], &part("sum"), vec![])
    }

    /// `y` with each channel multiplied by what all of them together make of it.
    fn squeeze_excite(&mut self, name: &str, y: &str) -> String {
        let part = |part: &str| format!("{name}.{part}");
        let means = self.node("GlobalAveragePool", &[y], &part("means"), vec![]);
        let hidden = self.channelwise(&part("fc1"), &means, 0);
        let hidden = self.node("Relu", &[&hidden], &part("relu"), vec![]);
        let weights = self.channelwise(&part("fc2"), &hidden, 0);
        let weights = self.node("Sigmoid", &[&weights], &part("weights"), vec![]);
        self.node("Mul", &[y, &weights], &part("product"), vec![])
    }

    fn policy_head(&mut self, trunk: &str) {
        let n_planes = self.model.tensors["policy.weight"].shape[0];
        let planes = self.convolution("policy", trunk, &vec![1.0; n_planes], None);
        let flat = self.node("Flatten", &[&planes], "policy.flat", vec![int("axis", 1)]);
        let flat = self.as_float(&flat);
        let NamedTensor { shape, data } = &self.model.tensors["policy.bias"];
        let bias = self.float_constant("policy.bias", shape, data);
        self.node("Add", &[&flat, &bias], OUTPUT_POLICY, vec![]);
    }

    fn value_head(&mut self, trunk: &str) {
        let Folded { scale, bias } = self.batch_norm("value.bn");
        let planes = self.convolution("value.conv", trunk, &scale, Some(&bias));
        let planes = self.node("Relu", &[&planes], "value.relu1", vec![]);
        let flat = self.node("Flatten", &[&planes], "value.flat", vec![int("axis", 1)]);
        let hidden = self.fully_connected("value.fc1", &flat);
        let hidden = self.node("Relu", &[&hidden], "value.relu2", vec![]);
        let logits = self.fully_connected("value.fc2", &hidden);
        let logits = self.as_float(&logits);
        let wdl = self.node("Softmax", &[&logits], OUTPUT_WDL, vec![int("axis", 1)]);
        // Not a matrix product: that would be rounded to bf16 where the convolutions are.
        let worth = self.float_constant("value.worth", &[3], &[1.0, 0.5, 0.0]);
        let parts = self.node("Mul", &[&wdl, &worth], "value.parts", vec![]);
        let axes = self.integers("value.axes", &[1]);
        let keep = vec![int("keepdims", 1)];
        self.node("ReduceSum", &[&parts, &axes], OUTPUT_VALUE, keep);
    }
}
