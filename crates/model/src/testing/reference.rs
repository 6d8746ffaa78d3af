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
    for block in 0..model.manifest.shape.blocks {
        let name = |part: &str| format!("blocks.{block}.{part}");
        let y = convolution(model, &name("conv1"), &x);
        let y = relu(batch_norm(model, &name("bn1"), y));
        let y = convolution(model, &name("conv2"), &y);
        let y = batch_norm(model, &name("bn2"), y);
        x = relu(sum(y, &x));
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
