//! The forward pass again, as plainly as it can be written: f64, no folding, no libraries.

use crate::Model;
use data::{BOARD_PLANES, HAND_PLANES, encode_board, encode_hands};
use rules::Position;

/// A stack of 9x9 planes, `planes[channel][9 * (file - 1) + rank - 1]`.
type Planes = Vec<[f64; 81]>;

/// All 2,187 logits, and win, draw and loss, of the side to move.
pub(crate) fn forward(model: &Model, position: &Position) -> (Vec<f64>, [f64; 3]) {
    let (board, hands) = inputs(position);
    let on_board = convolution(model, "stem.board", &board);
    let in_hand = convolution(model, "stem.hands", &hands);
    let mut x = relu(batch_norm(model, "stem.bn", sum(on_board, &in_hand)));
    let shape = &model.manifest.shape;
    for block in 0..shape.blocks {
        let name = |part: &str| format!("blocks.{block}.{part}");
        let y = convolution(model, &name("conv1"), &x);
        let mut y = batch_norm(model, &name("bn1"), y);
        if shape.pools_in(block) {
            pool(model, &name("pool"), &mut y);
        }
        let y = convolution(model, &name("conv2"), &relu(y));
        let mut y = batch_norm(model, &name("bn2"), y);
        if 0 < shape.squeeze_ratio {
            squeeze(model, &name("se"), &mut y);
        }
        x = relu(sum(y, &x));
    }
    for block in 0..shape.attention_blocks {
        let name = |part: &str| format!("attention.{block}.{part}");
        let all = convolution(model, &name("qkv"), &x);
        let all = batch_norm(model, &name("bn1"), all);
        let y = convolution(model, &name("out"), &attend(model, &name("position"), &all));
        x = relu(sum(batch_norm(model, &name("bn2"), y), &x));
        let y = convolution(model, &name("fc1"), &x);
        let y = relu(batch_norm(model, &name("bn3"), y));
        let y = convolution(model, &name("fc2"), &y);
        x = relu(sum(batch_norm(model, &name("bn4"), y), &x));
    }
    let mut logits = convolution(model, "policy", &x).concat();
    for (logit, &bias) in logits.iter_mut().zip(tensor(model, "policy.bias")) {
        *logit += f64::from(bias);
    }
    let value = convolution(model, "value.conv", &x);
    let value = relu(batch_norm(model, "value.bn", value)).concat();
    let hidden: Vec<f64> = fully_connected(model, "value.fc1", &value)
        .iter()
        .map(|x| x.max(0.0))
        .collect();
    let wdl: Vec<f64> = fully_connected(model, "value.fc2", &hidden)
        .iter()
        .map(|x| x.exp())
        .collect();
    let total: f64 = wdl.iter().sum();
    (logits, [wdl[0] / total, wdl[1] / total, wdl[2] / total])
}

fn inputs(position: &Position) -> (Planes, Planes) {
    let mut board = [0.0; BOARD_PLANES * 81];
    encode_board(position, &mut board);
    let mut hands = [0.0; HAND_PLANES];
    encode_hands(position, &mut hands);
    let board = (0..BOARD_PLANES)
        .map(|plane| std::array::from_fn(|square| f64::from(board[81 * plane + square])))
        .collect();
    (board, hands.iter().map(|&x| [f64::from(x); 81]).collect())
}

fn tensor<'a>(model: &'a Model, name: &str) -> &'a [f32] {
    &model.tensors[name].data
}

/// Each output plane is the sum over input planes and over the kernel's places on the board.
fn convolution(model: &Model, name: &str, input: &Planes) -> Planes {
    let name = format!("{name}.weight");
    let weight = tensor(model, &name);
    let shape = &model.tensors[&name].shape;
    let (n_out, n_in, side) = (shape[0], shape[1], shape[2]);
    assert_eq!(input.len(), n_in);
    let reach = (side / 2) as isize;
    let mut output = vec![[0.0; 81]; n_out];
    for out in 0..n_out {
        for (plane, squares) in input.iter().enumerate() {
            for row in 0..side {
                for column in 0..side {
                    let w = f64::from(weight[((out * n_in + plane) * side + row) * side + column]);
                    for (square, sum) in output[out].iter_mut().enumerate() {
                        let from_row = square as isize / 9 + row as isize - reach;
                        let from_column = square as isize % 9 + column as isize - reach;
                        if (0..9).contains(&from_row) && (0..9).contains(&from_column) {
                            let from = (9 * from_row + from_column) as usize;
                            *sum += w * squares[from];
                        }
                    }
                }
            }
        }
    }
    output
}

fn batch_norm(model: &Model, name: &str, mut x: Planes) -> Planes {
    let part = |part: &str, i: usize| f64::from(tensor(model, &format!("{name}.{part}"))[i]);
    for (i, plane) in x.iter_mut().enumerate() {
        let deviation = (part("running_var", i) + 1e-5).sqrt();
        for x in plane {
            let normal = (*x - part("running_mean", i)) / deviation;
            *x = part("weight", i) * normal + part("bias", i);
        }
    }
    x
}

fn pool(model: &Model, name: &str, y: &mut Planes) {
    let pooled = model.manifest.shape.pool_channels as usize;
    let first = relu(y[..pooled].to_vec());
    let maxima = first
        .iter()
        .map(|plane| plane.iter().fold(0.0, |most: f64, &x| most.max(x)));
    let known: Vec<f64> = first.iter().map(mean).chain(maxima).collect();
    let added = fully_connected(model, name, &known);
    for (plane, added) in y[pooled..].iter_mut().zip(added) {
        plane.iter_mut().for_each(|x| *x += added);
    }
}

fn squeeze(model: &Model, name: &str, y: &mut Planes) {
    let means: Vec<f64> = y.iter().map(mean).collect();
    let mut hidden = fully_connected(model, &format!("{name}.fc1"), &means);
    hidden.iter_mut().for_each(|x| *x = x.max(0.0));
    let weights = fully_connected(model, &format!("{name}.fc2"), &hidden);
    for (plane, weight) in y.iter_mut().zip(weights) {
        plane.iter_mut().for_each(|x| *x /= 1.0 + (-weight).exp());
    }
}

/// One head after the other, one square after the other.
fn attend(model: &Model, position: &str, all: &Planes) -> Planes {
    let shape = &model.manifest.shape;
    let (channels, heads) = (shape.channels as usize, shape.attention_heads as usize);
    let width = channels / heads;
    let mut seen = vec![[0.0; 81]; channels];
    for head in 0..heads {
        let third = |i: usize| &all[i * channels + head * width..][..width];
        let (queries, keys, values) = (third(0), third(1), third(2));
        for from in 0..81 {
            let scores: Vec<f64> = (0..81)
                .map(|to| {
                    let products = queries.iter().zip(keys).map(|(q, k)| q[from] * k[to]);
                    let files = to / 9 + 8 - from / 9;
                    let ranks = to % 9 + 8 - from % 9;
                    let by_distance = tensor(model, position)[(head * 17 + files) * 17 + ranks];
                    products.sum::<f64>() / (width as f64).sqrt() + f64::from(by_distance)
                })
                .collect();
            let total: f64 = scores.iter().map(|score| score.exp()).sum();
            for (seen, value) in seen[head * width..].iter_mut().zip(values) {
                let parts = scores
                    .iter()
                    .zip(value)
                    .map(|(score, v)| score.exp() / total * v);
                seen[from] = parts.sum();
            }
        }
    }
    seen
}

fn mean(plane: &[f64; 81]) -> f64 {
    plane.iter().sum::<f64>() / 81.0
}

fn relu(mut x: Planes) -> Planes {
    x.iter_mut().flatten().for_each(|x| *x = x.max(0.0));
    x
}

fn sum(mut x: Planes, y: &Planes) -> Planes {
    for (x, y) in x.iter_mut().flatten().zip(y.iter().flatten()) {
        *x += y;
    }
    x
}

fn fully_connected(model: &Model, name: &str, input: &[f64]) -> Vec<f64> {
    let weight = tensor(model, &format!("{name}.weight"));
    let bias = tensor(model, &format!("{name}.bias"));
    (0..bias.len())
        .map(|out| {
            let products =
                (0..input.len()).map(|i| f64::from(weight[out * input.len() + i]) * input[i]);
            products.sum::<f64>() + f64::from(bias[out])
        })
        .collect()
}
