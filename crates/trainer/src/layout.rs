//! Where each tensor of a network lies in two flat buffers.
//!
//! All parameters are one tensor of float32 and all running statistics another, so that an
//! optimizer step is a handful of operations instead of a hundred, one cast makes all bfloat16
//! weights, and the gradient comes back as one tensor too. The order is: 3x3 convolutions (cast
//! when training in bfloat16), other weights (decayed, as the convolutions are), then biases and
//! batch normalisations. 3x3 convolutions are stored with their input channels last, which is how
//! libtorch wants them beside channels-last activations: their views need no copy.

use crate::auxiliary::auxiliary_tensors;
use crate::network::Network;
use crate::options::AuxiliaryOptions;
use model::{NamedTensor, NetShape, expected_tensors};
use std::collections::{BTreeMap, HashMap, HashSet};
use tch::{Device, Kind, Tensor};

/// The buffers of one network.
#[derive(Debug)]
pub(crate) struct Weights {
    /// All parameters, one after the other.
    pub(crate) parameters: Tensor,
    /// Running means and variances.
    pub(crate) statistics: Tensor,
}

/// Names, shapes and places of a network's tensors; a function of its [`NetShape`] and its
/// auxiliary heads.
#[derive(Debug, Clone)]
pub(crate) struct Layout {
    shape: NetShape,
    /// Sorted by part, then as in [`expected_tensors`].
    slots: Vec<Slot>,
}

#[derive(Debug, Clone)]
struct Slot {
    name: String,
    shape: Vec<usize>,
    part: Part,
    len: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    /// Weights of 3x3 convolutions.
    Convolution,
    /// Weights of 1x1 convolutions and fully connected layers.
    Matrix,
    /// Biases, those of distances in attentions among them, and scale and shift of batch
    /// normalisations.
    Vector,
    /// Running means and variances.
    Statistic,
}

impl Layout {
    pub(crate) fn new(shape: NetShape, auxiliary: &AuxiliaryOptions) -> Self {
        let mut slots: Vec<Slot> = expected_tensors(&shape)
            .into_iter()
            .chain(auxiliary_tensors(&shape, auxiliary))
            .map(|(name, shape)| Slot {
                part: part(&name, &shape),
                len: shape.iter().product(),
                name,
                shape,
            })
            .collect();
        slots.sort_by_key(|slot| slot.part);
        Self { shape, slots }
    }

    pub(crate) fn shape(&self) -> NetShape {
        self.shape
    }

    /// Number of parameters that weight decay applies to; they are the first ones.
    pub(crate) fn n_decayed(&self) -> usize {
        self.len(|part| part < Part::Vector)
    }

    pub(crate) fn n_parameters(&self) -> usize {
        self.len(|part| part < Part::Statistic)
    }

    fn len(&self, is_meant: impl Fn(Part) -> bool) -> usize {
        let meant = self.slots.iter().filter(|slot| is_meant(slot.part));
        meant.map(|slot| slot.len).sum()
    }

    /// Copies checked tensors into new buffers on `device`.
    pub(crate) fn pack(&self, tensors: &BTreeMap<String, NamedTensor>, device: Device) -> Weights {
        Weights {
            parameters: self.pack_parameters(tensors, device),
            statistics: self.pack_slots(tensors, device, |part| part == Part::Statistic),
        }
    }

    /// Copies one number per parameter (the parameters, or an optimizer's moment of them).
    pub(crate) fn pack_parameters(
        &self,
        tensors: &BTreeMap<String, NamedTensor>,
        device: Device,
    ) -> Tensor {
        self.pack_slots(tensors, device, |part| part != Part::Statistic)
    }

    fn pack_slots(
        &self,
        tensors: &BTreeMap<String, NamedTensor>,
        device: Device,
        is_meant: impl Fn(Part) -> bool,
    ) -> Tensor {
        let mut flat = Vec::with_capacity(self.len(&is_meant));
        for slot in self.slots.iter().filter(|slot| is_meant(slot.part)) {
            let tensor = tensors
                .get(&slot.name)
                .expect("checked tensors hold every name of the layout");
            match slot.part {
                Part::Convolution => flat.extend(channels_last(&tensor.data, &slot.shape)),
                _ => flat.extend_from_slice(&tensor.data),
            }
        }
        Tensor::from_slice(&flat).to_device(device)
    }

    /// The named tensors of a network.
    pub(crate) fn unpack(&self, weights: &Weights) -> BTreeMap<String, NamedTensor> {
        let mut tensors = self.unpack_parameters(&weights.parameters);
        tensors.extend(self.unpack_slots(&weights.statistics, |part| part == Part::Statistic));
        tensors
    }

    /// The inverse of [`pack_parameters`](Self::pack_parameters).
    pub(crate) fn unpack_parameters(&self, flat: &Tensor) -> BTreeMap<String, NamedTensor> {
        self.unpack_slots(flat, |part| part != Part::Statistic)
    }

    fn unpack_slots(
        &self,
        flat: &Tensor,
        is_meant: impl Fn(Part) -> bool,
    ) -> BTreeMap<String, NamedTensor> {
        let flat = to_vec(flat);
        let mut rest = flat.as_slice();
        let mut tensors = BTreeMap::new();
        for slot in self.slots.iter().filter(|slot| is_meant(slot.part)) {
            let (own, later) = rest.split_at(slot.len);
            let data = match slot.part {
                Part::Convolution => channels_first(own, &slot.shape),
                _ => own.to_vec(),
            };
            let shape = slot.shape.clone();
            tensors.insert(slot.name.clone(), NamedTensor { shape, data });
            rest = later;
        }
        tensors
    }

    /// The network over views of `weights`, its 3x3 convolutions cast to `kind`.
    ///
    /// Gradients flow back into `weights.parameters`; running statistics are updated in place.
    pub(crate) fn network(&self, weights: &Weights, kind: Kind) -> Network {
        let lens = |is_meant: &dyn Fn(Part) -> bool| -> Vec<i64> {
            let meant = self.slots.iter().filter(|slot| is_meant(slot.part));
            meant.map(|slot| slot.len as i64).collect()
        };
        let convolutions = lens(&|part| part == Part::Convolution);
        let others = lens(&|part| part == Part::Matrix || part == Part::Vector);
        // Splits, since their gradients are joined in one go; every slice would fill a whole
        // buffer with zeros.
        let halves = weights.parameters.split_with_sizes(
            [convolutions.iter().sum::<i64>(), others.iter().sum()].as_slice(),
            0,
        );
        let mut flat = halves[0].to_kind(kind).split_with_sizes(&convolutions, 0);
        flat.extend(halves[1].split_with_sizes(&others, 0));
        // Slices, since views of a split may not be written to.
        let mut start = 0;
        for len in lens(&|part| part == Part::Statistic) {
            flat.push(weights.statistics.narrow(0, start, len));
            start += len;
        }
        let mut tensors: HashMap<&str, Tensor> = self
            .slots
            .iter()
            .zip(flat)
            .map(|(slot, flat)| (&*slot.name, slot.view(&flat)))
            .collect();
        let names: HashSet<&str> = tensors.keys().copied().collect();
        Network::new(&self.shape, &|name| names.contains(name), &mut |name| {
            tensors
                .remove(name)
                .expect("the layout lists every tensor of the network")
        })
    }
}

impl Slot {
    fn view(&self, flat: &Tensor) -> Tensor {
        let shape: Vec<i64> = self.shape.iter().map(|&len| len as i64).collect();
        match (self.part, shape.as_slice()) {
            (Part::Convolution, &[out, input, height, width]) => {
                flat.view([out, height, width, input]).permute([0, 3, 1, 2])
            }
            _ => flat.view(shape.as_slice()),
        }
    }
}

/// The numbers of a float32 tensor, row-major.
pub(crate) fn to_vec(tensor: &Tensor) -> Vec<f32> {
    Vec::try_from(tensor.detach().reshape([-1])).expect("a float32 tensor of one dimension")
}

fn part(name: &str, shape: &[usize]) -> Part {
    if name.ends_with(".running_mean") || name.ends_with(".running_var") {
        Part::Statistic
    } else if name.ends_with(".position") {
        Part::Vector
    } else {
        match shape {
            [_, _, 3, 3] => Part::Convolution,
            [_] => Part::Vector,
            _ => Part::Matrix,
        }
    }
}

/// `[out, in, height, width]` to `[out, height, width, in]`.
fn channels_last(data: &[f32], shape: &[usize]) -> impl Iterator<Item = f32> {
    let (input, area) = (shape[1], shape[2] * shape[3]);
    (0..data.len()).map(move |i| {
        let (out, square, channel) = (i / (input * area), i / input % area, i % input);
        data[(out * input + channel) * area + square]
    })
}

/// `[out, height, width, in]` to `[out, in, height, width]`, the shape given.
fn channels_first(data: &[f32], shape: &[usize]) -> Vec<f32> {
    let (input, area) = (shape[1], shape[2] * shape[3]);
    (0..data.len())
        .map(|i| {
            let (out, channel, square) = (i / (input * area), i / area % input, i % area);
            data[(out * area + square) * input + channel]
        })
        .collect()
}

#[cfg(test)]
mod tests;
