//! The attention block: all squares look at all others.

use super::graph::{Folded, Graph, int, ints};
use crate::SQUARES;
use crate::shape::position_indices;

impl Graph<'_> {
    /// Attention and two 1x1 convolutions behind it, each beside a shortcut.
    pub(super) fn attention_block(&mut self, block: u32, x: &str) -> String {
        let name = |part: &str| format!("attention.{block}.{part}");
        let looked = self.attention(&format!("attention.{block}"), x);
        let out = self.normalised(&name("out"), &name("bn2"), &looked);
        let sum = self.node("Add", &[&out, x], &name("sum1"), vec![]);
        let x = self.node("Relu", &[&sum], &name("relu1"), vec![]);
        let hidden = self.normalised(&name("fc1"), &name("bn3"), &x);
        let hidden = self.node("Relu", &[&hidden], &name("relu2"), vec![]);
        let out = self.normalised(&name("fc2"), &name("bn4"), &hidden);
        let sum = self.node("Add", &[&out, &x], &name("sum2"), vec![]);
        self.node("Relu", &[&sum], &name("relu3"), vec![])
    }

    /// What each square sees of the others, `[N, C, 9, 9]`.
    fn attention(&mut self, name: &str, x: &str) -> String {
        let shape = self.model.manifest.shape;
        let (channels, heads) = (shape.channels as usize, shape.attention_heads as usize);
        let part = |part: &str| format!("{name}.{part}");
        let Folded {
            mut scale,
            mut bias,
        } = self.batch_norm(&part("bn1"));
        // Queries are the first third; what divides all scores can as well be in their weights.
        let divisor = ((channels / heads) as f64).sqrt();
        scale[..channels].iter_mut().for_each(|x| *x /= divisor);
        let queries = bias[..channels].iter_mut();
        queries.for_each(|x| *x = (f64::from(*x) / divisor) as f32);
        let all = self.convolution(&part("qkv"), x, &scale, Some(&bias));
        let by_head = [0, heads as i64, (channels / heads) as i64, SQUARES as i64];
        let by_head = self.integers(&part("by_head"), &by_head);
        let [queries, keys, values] =
            [("queries", 0), ("keys", 1), ("values", 2)].map(|(third, i)| {
                let which = i * channels..(i + 1) * channels;
                let planes = self.channels(&part(&format!("{third}.planes")), &all, which);
                self.node("Reshape", &[&planes, &by_head], &part(third), vec![])
            });
        let turned = vec![ints("perm", &[0, 1, 3, 2])];
        let queries = self.node(
            "Transpose",
            &[&queries],
            &part("queries.turned"),
            turned.clone(),
        );
        let values = self.node(
            "Transpose",
            &[&values],
            &part("values.turned"),
            turned.clone(),
        );
        let scores = self.node("MatMul", &[&queries, &keys], &part("scores"), vec![]);
        let position = self.positions(&part("position"), heads);
        let scores = self.node("Add", &[&scores, &position], &part("scores.sum"), vec![]);
        let last = vec![int("axis", 3)];
        let weights = self.node("Softmax", &[&scores], &part("weights"), last);
        let seen = self.node("MatMul", &[&weights, &values], &part("seen"), vec![]);
        let seen = self.node("Transpose", &[&seen], &part("seen.turned"), turned);
        let as_planes = self.integers(&part("as_planes"), &[0, channels as i64, 9, 9]);
        self.node(
            "Reshape",
            &[&seen, &as_planes],
            &part("seen.planes"),
            vec![],
        )
    }

    /// What distance adds to the scores, for each pair of squares: `[1, heads, 81, 81]`.
    fn positions(&mut self, name: &str, heads: usize) -> String {
        let table = &self.model.tensors[name].data;
        let of_pair = position_indices();
        let by_head = table.chunks_exact(table.len() / heads);
        let of_pairs: Vec<f32> = by_head
            .flat_map(|head| of_pair.iter().map(|&index| head[index as usize]))
            .collect();
        self.constant(name, &[1, heads, SQUARES, SQUARES], &of_pairs)
    }

    /// A convolution with the batch normalisation behind it.
    fn normalised(&mut self, name: &str, norm: &str, input: &str) -> String {
        let Folded { scale, bias } = self.batch_norm(norm);
        self.convolution(name, input, &scale, Some(&bias))
    }
}
