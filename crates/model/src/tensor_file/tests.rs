use super::*;
use crate::expected_tensors;
use crate::testing::{SMALL, chain, lively_net};
use safetensors::tensor::TensorView;
use std::collections::HashMap;
use tempfile::TempDir;

#[test]
fn a_model_is_known_as_one() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("net");
    lively_net(SMALL, 1).save(&path).unwrap();
    let file = TensorFile::load(&path).unwrap();
    assert!(file.is_model());
    let expected = expected_tensors(&SMALL);
    assert_eq!(file.n_tensors, expected.len());
    let n_elements: usize = expected
        .iter()
        .map(|(_, shape)| shape.iter().product::<usize>())
        .sum();
    assert_eq!(file.n_elements, n_elements);
    assert_eq!(file.not_finite, None);
}

#[test]
fn other_files_are_counted_and_looked_through() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("other");
    let bytes: Vec<u8> = [1.0_f32, f32::NAN]
        .iter()
        .flat_map(|x| x.to_le_bytes())
        .collect();
    let view = |bytes| TensorView::new(Dtype::F32, vec![2], bytes).unwrap();
    let ones = [0_u8; 8];
    let tensors = [("b", view(&bytes)), ("a", view(&ones))];
    let metadata = HashMap::from([("format".to_owned(), "pt".to_owned())]);
    fs::write(
        &path,
        safetensors::serialize(tensors, Some(metadata)).unwrap(),
    )
    .unwrap();
    let file = TensorFile::load(&path).unwrap();
    assert!(!file.is_model());
    assert_eq!((file.n_tensors, file.n_elements), (2, 4));
    assert_eq!(file.not_finite.as_deref(), Some("b"));
    assert_eq!(file.metadata["format"], "pt");
}

#[test]
fn a_file_cut_short_is_refused() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("net");
    lively_net(SMALL, 1).save(&path).unwrap();
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
    let error = chain(&TensorFile::load(&path).unwrap_err());
    assert!(error.contains("is not a whole safetensors file"), "{error}");
}
