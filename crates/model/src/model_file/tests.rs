use super::*;
use crate::testing::chain;
use tempfile::TempDir;

const TINY: NetShape = NetShape {
    blocks: 1,
    channels: 2,
    value_channels: 1,
    value_hidden: 2,
    squeeze_ratio: 0,
    pool_every: 0,
    pool_channels: 16,
    attention_blocks: 0,
    attention_heads: 4,
};

/// A tensor as it lies in a file.
struct Stored {
    name: String,
    dtype: Dtype,
    shape: Vec<usize>,
    bytes: Vec<u8>,
}

fn stored(model: &Model) -> Vec<Stored> {
    model
        .tensors
        .iter()
        .map(|(name, tensor)| Stored {
            name: name.clone(),
            dtype: Dtype::F32,
            shape: tensor.shape.clone(),
            bytes: little_endian(&tensor.data),
        })
        .collect()
}

fn file_bytes(manifest: &str, tensors: &[Stored]) -> Vec<u8> {
    let views = tensors.iter().map(|tensor| {
        let Stored {
            name,
            dtype,
            shape,
            bytes,
        } = tensor;
        (name, TensorView::new(*dtype, shape.clone(), bytes).unwrap())
    });
    let metadata = HashMap::from([(METADATA_KEY.to_owned(), manifest.to_owned())]);
    safetensors::serialize(views, Some(metadata)).unwrap()
}

fn manifest_text(model: &Model) -> String {
    serde_json::to_string(&model.manifest).unwrap()
}

/// Loads `bytes` as a file and compares the whole error text; `FILE` stands for its path.
#[track_caller]
fn check_refused(bytes: &[u8], expected: &str) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("net.safetensors");
    fs::write(&path, bytes).unwrap();
    let error = Model::load(&path).unwrap_err();
    let text = chain(&error).replace(&path.display().to_string(), "FILE");
    assert_eq!(text, expected);
}

#[track_caller]
fn check_tensors_refused(change: impl FnOnce(&mut Vec<Stored>), expected: &str) {
    let model = Model::random(TINY, 1, true);
    let mut tensors = stored(&model);
    change(&mut tensors);
    check_refused(
        &file_bytes(&manifest_text(&model), &tensors),
        &format!("weights of model file FILE refused: {expected}"),
    );
}

fn find<'a>(tensors: &'a mut [Stored], name: &str) -> &'a mut Stored {
    tensors.iter_mut().find(|t| t.name == name).unwrap()
}

#[test]
fn a_saved_model_loads_as_it_was_and_leaves_no_other_file() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("net.safetensors");
    let mut model = Model::random(TINY, 1, true);
    model.manifest.generation = 12;
    model.manifest.run = "quick".to_owned();
    model.save(&path).unwrap();
    assert_eq!(Model::load(&path).unwrap(), model);
    model.manifest.generation = 13;
    model.save(&path).unwrap();
    assert_eq!(Model::load(&path).unwrap(), model);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn the_same_model_gives_the_same_bytes() {
    let model = Model::random(TINY, 1, true);
    assert_eq!(model.to_bytes(), model.clone().to_bytes());
}

#[test]
fn a_manifest_is_one_json_object_in_the_metadata() {
    let bytes = Model::random(TINY, 1, true).to_bytes();
    let (_, header) = SafeTensors::read_metadata(&bytes).unwrap();
    let expected = r#"{"format":1,"encoding":1,"shape":{"blocks":1,"channels":2,"value_channels":1,"value_hidden":2},"generation":0,"steps":0,"samples":0,"games":0,"name":"","run":""}"#;
    assert_eq!(header.metadata().as_ref().unwrap()["narikin"], expected);
}

#[test]
fn a_file_that_is_not_there_is_an_error_with_its_path() {
    let error = Model::load(Path::new("nowhere/net.safetensors")).unwrap_err();
    assert_eq!(
        chain(&error),
        "cannot read model file nowhere/net.safetensors: No such file or directory (os error 2)"
    );
}

#[test]
fn a_truncated_file_is_refused() {
    let bytes = Model::random(TINY, 1, true).to_bytes();
    let cut = &bytes[..bytes.len() - 1];
    check_refused(
        cut,
        &format!(
            "model file FILE of {} bytes is not a whole safetensors file: \
             incomplete metadata, file not fully covered",
            cut.len()
        ),
    );
    check_refused(
        &bytes[..5],
        "model file FILE of 5 bytes is not a whole safetensors file: header too small",
    );
}

#[test]
fn every_truncation_is_refused() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("net.safetensors");
    let bytes = Model::random(TINY, 1, true).to_bytes();
    for length in (0..bytes.len()).step_by(97) {
        fs::write(&path, &bytes[..length]).unwrap();
        assert!(Model::load(&path).is_err(), "{length} of {}", bytes.len());
    }
}

#[test]
fn a_file_without_manifest_is_refused() {
    let model = Model::random(TINY, 1, true);
    let tensors = stored(&model);
    let views = tensors.iter().map(|t| {
        let view = TensorView::new(t.dtype, t.shape.clone(), &t.bytes).unwrap();
        (&t.name, view)
    });
    let bytes = safetensors::serialize(views, None).unwrap();
    check_refused(
        &bytes,
        "model file FILE has no metadata `narikin`, expected a manifest",
    );
}

#[test]
fn another_format_or_encoding_is_refused() {
    let model = Model::random(TINY, 1, true);
    let tensors = stored(&model);
    check_refused(
        &file_bytes(r#"{"format":3,"news":"from the future"}"#, &tensors),
        "model file FILE has format 3, this build reads 1 to 2",
    );
    let mut other = model.clone();
    other.manifest.encoding = 7;
    check_refused(
        &file_bytes(&manifest_text(&other), &tensors),
        "model file FILE has encoding 7, this build uses 1",
    );
}

#[test]
fn only_nets_that_need_it_are_of_the_newer_format() {
    let shape = NetShape {
        attention_blocks: 1,
        attention_heads: 2,
        ..TINY
    };
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("net.safetensors");
    for (shape, format) in [(TINY, 1), (shape, 2)] {
        let model = Model::random(shape, 1, true);
        assert_eq!(model.manifest.format, format);
        model.save(&path).unwrap();
        assert_eq!(Model::load(&path).unwrap(), model);
    }
    let model = Model::random(shape, 1, true);
    let older = manifest_text(&model).replace(r#""format":2"#, r#""format":1"#);
    check_refused(
        &file_bytes(&older, &stored(&model)),
        "model file FILE has format 1, but squeeze-excite, global pooling and attention are of \
         format 2",
    );
}

#[test]
fn a_shape_keeps_keys_that_say_nothing_in_it() {
    let shape = NetShape {
        attention_heads: 0,
        ..TINY
    };
    let manifest = Manifest::untrained(shape);
    let text = serde_json::to_string(&manifest).unwrap();
    assert_eq!(serde_json::from_str::<Manifest>(&text).unwrap(), manifest);
}

#[test]
fn a_manifest_with_a_field_too_many_or_a_shape_out_of_range_is_refused() {
    let model = Model::random(TINY, 1, true);
    let text = manifest_text(&model);
    check_refused(
        &file_bytes(&text.replace(r#""run""#, r#""ran""#), &stored(&model)),
        "model file FILE has a bad manifest: unknown field `ran`, expected one of `format`, \
         `encoding`, `shape`, `generation`, `steps`, `samples`, `games`, `name`, `run`",
    );
    let large = text.replace(r#""blocks":1"#, r#""blocks":1000000"#);
    check_refused(
        &file_bytes(&large, &stored(&model)),
        "model file FILE: shape.blocks = 1000000: expected a number from 1 to 64",
    );
}

#[test]
fn tensors_of_another_shape_are_refused() {
    let model = Model::random(TINY, 1, true);
    let mut wider = model.clone();
    wider.manifest.shape.channels = 4;
    check_refused(
        &file_bytes(&manifest_text(&wider), &stored(&model)),
        "weights of model file FILE refused: tensor `stem.board.weight` has shape \
         [2, 62, 3, 3], expected [4, 62, 3, 3]",
    );
    check_tensors_refused(
        |tensors| find(tensors, "value.fc1.weight").shape = vec![81, 2],
        "tensor `value.fc1.weight` has shape [81, 2], expected [2, 81]",
    );
}

#[test]
fn a_tensor_of_another_type_is_refused() {
    check_tensors_refused(
        |tensors| {
            let tensor = find(tensors, "policy.bias");
            tensor.dtype = Dtype::F16;
            tensor.bytes.truncate(2 * 2187);
        },
        "tensor `policy.bias` has type F16, expected F32",
    );
}

#[test]
fn a_missing_and_an_extra_tensor_are_refused() {
    check_tensors_refused(
        |tensors| tensors.retain(|t| t.name != "blocks.0.bn2.running_mean"),
        "tensor `blocks.0.bn2.running_mean` is missing, expected shape [2]",
    );
    check_tensors_refused(
        |tensors| {
            tensors.push(Stored {
                name: "blocks.1.conv1.weight".to_owned(),
                dtype: Dtype::F32,
                shape: vec![1],
                bytes: vec![0; 4],
            });
        },
        "tensor `blocks.1.conv1.weight` of shape [1] is not part of the network",
    );
}

#[test]
fn a_weight_that_is_no_number_is_refused() {
    check_tensors_refused(
        |tensors| {
            let bytes = &mut find(tensors, "policy.weight").bytes;
            bytes[4 * 53..][..4].copy_from_slice(&f32::NAN.to_le_bytes());
        },
        "tensor `policy.weight` has NaN at element 53, expected a finite number",
    );
    check_tensors_refused(
        |tensors| {
            let bytes = &mut find(tensors, "value.bn.running_var").bytes;
            bytes.copy_from_slice(&(-1.0_f32).to_le_bytes());
        },
        "tensor `value.bn.running_var` has -1 at element 0, expected a variance of 0 or more",
    );
}

#[test]
fn a_model_that_would_not_load_is_not_saved() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("net.safetensors");
    let mut model = Model::random(TINY, 1, true);
    let weights = &mut model.tensors.get_mut("value.fc2.weight").unwrap().data;
    weights[1] = f32::INFINITY;
    let error = model.save(&path).unwrap_err();
    assert_eq!(
        chain(&error).replace(&path.display().to_string(), "FILE"),
        "weights of model file FILE refused: tensor `value.fc2.weight` has inf at element 1, \
         expected a finite number"
    );
    model
        .tensors
        .get_mut("value.fc2.weight")
        .unwrap()
        .data
        .pop();
    assert_eq!(
        model.check().unwrap_err().to_string(),
        "tensor `value.fc2.weight` has 5 elements, expected 6"
    );
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_folder_that_is_not_there_is_an_error_with_the_file_that_was_tried() {
    let model = Model::random(TINY, 1, true);
    let error = model
        .save(Path::new("nowhere/net.safetensors"))
        .unwrap_err();
    assert_eq!(
        chain(&error),
        "cannot write nowhere/net.safetensors.tmp: \
         No such file or directory (os error 2)"
    );
}
