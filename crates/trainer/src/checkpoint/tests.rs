use super::*;
use crate::testing::{Folder, batch, cpu, tiny};
use crate::{TrainOptions, Trainer};
use model::{Model, Precision};
use std::error::Error;

fn checkpoint() -> Checkpoint {
    let options = TrainOptions::default();
    let mut trainer = Trainer::new(tiny(), &options, &cpu(Precision::F32), 1).unwrap();
    trainer.step(&batch(8, 1)).unwrap();
    trainer.checkpoint(serde_json::json!({ "random": [1, 2, 3] }))
}

/// The file's bytes with its manifest changed.
fn with_manifest(checkpoint: &Checkpoint, change: impl Fn(&mut serde_json::Value)) -> Vec<u8> {
    let bytes = checkpoint.to_bytes();
    let (_, header) = SafeTensors::read_metadata(&bytes).unwrap();
    let mut metadata = header.metadata().clone().unwrap();
    let text = metadata.get_mut(METADATA_KEY).unwrap();
    let mut manifest = serde_json::from_str(text).unwrap();
    change(&mut manifest);
    *text = manifest.to_string();
    let file = SafeTensors::deserialize(&bytes).unwrap();
    safetensors::serialize(file.tensors(), Some(metadata)).unwrap()
}

/// Each message of the error that loading these bytes gives, outermost first.
fn refusal(test: &str, bytes: &[u8]) -> Vec<String> {
    let folder = Folder::new(test);
    let file = folder.file("c");
    fs::write(&file, bytes).unwrap();
    let error = Checkpoint::load(&file).unwrap_err();
    let mut messages = vec![error.to_string().replace(&*file.to_string_lossy(), "FILE")];
    let mut source = error.source();
    while let Some(error) = source {
        messages.push(error.to_string());
        source = error.source();
    }
    messages
}

#[test]
fn a_checkpoint_comes_back_as_it_was() {
    let folder = Folder::new("roundtrip");
    let file = folder.file("step-1.safetensors");
    let checkpoint = checkpoint();
    checkpoint.save(&file).unwrap();
    assert_eq!(Checkpoint::load(&file).unwrap(), checkpoint);
    assert_eq!(folder.names(), ["step-1.safetensors"]);
}

#[test]
fn a_failed_write_leaves_the_old_checkpoint() {
    let folder = Folder::new("failed-write");
    let file = folder.file("c");
    let old = checkpoint();
    old.save(&file).unwrap();
    fs::create_dir(folder.file("c.tmp")).unwrap();
    let error = old.save(&file).unwrap_err();
    assert!(
        error.to_string().starts_with("cannot write ") && error.to_string().ends_with("c.tmp"),
        "{error}"
    );
    assert_eq!(Checkpoint::load(&file).unwrap(), old);
    assert!(folder.path().exists());
}

#[test]
fn a_cut_file_is_refused() {
    let bytes = checkpoint().to_bytes();
    for len in [0, 7, 100, bytes.len() - 1] {
        let messages = refusal("cut", &bytes[..len]);
        let expected = format!("checkpoint FILE of {len} bytes is not a whole safetensors file");
        assert_eq!(messages[0], expected);
    }
}

#[test]
fn a_model_is_no_checkpoint() {
    let folder = Folder::new("model");
    let file = folder.file("m");
    Model::random(tiny(), 1, true).save(&file).unwrap();
    let messages = refusal("no-checkpoint", &fs::read(file).unwrap());
    assert_eq!(
        messages,
        ["checkpoint FILE has no metadata `narikin-checkpoint`, expected a manifest"]
    );
}

#[test]
fn other_formats_and_encodings_are_refused() {
    let checkpoint = checkpoint();
    let bytes = with_manifest(&checkpoint, |manifest| manifest["format"] = 9.into());
    let messages = refusal("format", &bytes);
    assert_eq!(
        messages,
        ["checkpoint FILE has format 9, this build reads 1 to 2"]
    );
    let bytes = with_manifest(&checkpoint, |manifest| {
        manifest["model"]["encoding"] = 7.into()
    });
    let messages = refusal("encoding", &bytes);
    assert_eq!(
        messages,
        ["checkpoint FILE has encoding 7, this build uses 1"]
    );
    let bytes = with_manifest(&checkpoint, |manifest| manifest["nots"] = 7.into());
    let messages = refusal("unknown", &bytes);
    assert_eq!(messages[0], "checkpoint FILE has a bad manifest");
    assert!(
        messages[1].starts_with("unknown field `nots`"),
        "{messages:?}"
    );
}

#[test]
fn tensors_of_another_shape_are_refused() {
    let checkpoint = checkpoint();
    let change = |manifest: &mut serde_json::Value| {
        manifest["model"]["shape"]["channels"] = 9.into();
    };
    let messages = refusal("shape", &with_manifest(&checkpoint, change));
    assert_eq!(
        messages,
        [
            "tensors of checkpoint FILE refused",
            "tensor `weights.stem.board.weight` has shape [8, 62, 3, 3], expected [9, 62, 3, 3]"
        ]
    );
    let change = |manifest: &mut serde_json::Value| {
        manifest["model"]["shape"]["blocks"] = 0.into();
    };
    let messages = refusal("range", &with_manifest(&checkpoint, change));
    assert_eq!(
        messages,
        ["checkpoint FILE: shape.blocks = 0: expected a number from 1 to 64"]
    );
}

#[test]
fn missing_and_surplus_tensors_are_refused() {
    let mut missing = checkpoint();
    let moment = missing.moments.get_mut("mean_square").unwrap();
    moment.remove("policy.bias");
    assert_eq!(
        refusal("missing", &missing.to_bytes())[1],
        "tensor `moment.mean_square.policy.bias` is missing, expected shape [2187]"
    );
    let mut surplus = checkpoint();
    let tensor = NamedTensor {
        shape: vec![1],
        data: vec![0.0],
    };
    surplus.average.insert("extra".to_owned(), tensor.clone());
    assert_eq!(
        refusal("surplus", &surplus.to_bytes())[1],
        "tensor `average.extra` of shape [1] is not part of the network"
    );
    let mut other = checkpoint();
    let moment = BTreeMap::from([("policy.bias".to_owned(), tensor)]);
    other.moments.insert("third".to_owned(), moment);
    assert_eq!(
        refusal("moment", &other.to_bytes())[1],
        "tensor `moment.third.policy.bias` of shape [1] is not part of the network"
    );
}

#[test]
fn other_number_formats_and_numbers_that_are_none_are_refused() {
    let checkpoint = checkpoint();
    let bytes = checkpoint.to_bytes();
    let (_, header) = SafeTensors::read_metadata(&bytes).unwrap();
    let file = SafeTensors::deserialize(&bytes).unwrap();
    let views = file.iter().map(|(name, view)| {
        let dtype = if name == "average.policy.bias" {
            Dtype::I32
        } else {
            view.dtype()
        };
        let view = TensorView::new(dtype, view.shape().to_vec(), view.data()).unwrap();
        (name, view)
    });
    let changed = safetensors::serialize(views, header.metadata().clone()).unwrap();
    assert_eq!(
        refusal("dtype", &changed)[1],
        "tensor `average.policy.bias` has type I32, expected F32"
    );
    let mut broken = checkpoint;
    let tensor = broken.weights.get_mut("value.fc2.bias").unwrap();
    tensor.data[1] = f32::NAN;
    let folder = Folder::new("nan");
    let error = broken.save(&folder.file("c")).unwrap_err();
    assert_eq!(
        error.source().unwrap().to_string(),
        "tensor `weights.value.fc2.bias` has NaN at element 1, expected a finite number"
    );
    assert!(folder.names().is_empty());
}
