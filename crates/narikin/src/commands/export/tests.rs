use super::*;
use model::NetShape;

fn manifest(run: &str, name: &str) -> Manifest {
    Manifest {
        run: run.to_owned(),
        name: name.to_owned(),
        generation: 12,
        ..Manifest::untrained(NetShape::default())
    }
}

#[test]
fn every_generation_has_a_name_of_its_own() {
    let name = |run, name, precision| default_name(&manifest(run, name), precision);
    assert_eq!(
        name("quick", "quick-12", NetPrecision::F32),
        "quick-000012.onnx"
    );
    assert_eq!(
        name("quick", "", NetPrecision::F16),
        "quick-000012-f16.onnx"
    );
    assert_eq!(name("", "mine", NetPrecision::F32), "mine-000012.onnx");
    assert_eq!(name("", "", NetPrecision::F32), "narikin-000012.onnx");
    assert_eq!(name("a/b c", "", NetPrecision::F32), "a_b_c-000012.onnx");
    assert_eq!(name("成金", "", NetPrecision::F32), "成金-000012.onnx");
}

#[test]
fn a_path_is_a_file_unless_it_is_a_folder() {
    let target = |path: &str| target(Path::new(path), &manifest("r", ""), NetPrecision::F32);
    assert_eq!(target("net.onnx"), Path::new("net.onnx"));
    assert_eq!(target("."), Path::new("./r-000012.onnx"));
    assert_eq!(target("not/there/"), Path::new("not/there/r-000012.onnx"));
}
