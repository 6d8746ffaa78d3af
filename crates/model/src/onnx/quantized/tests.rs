use super::*;
use crate::onnx::proto::{GraphProto, ModelProto};
use crate::onnx::{to_observed_onnx, to_quantized_onnx};
use crate::testing::{SMALL, lively_net};
use prost::Message;

fn graph(ranges: Ranges) -> GraphProto {
    let bytes = to_quantized_onnx(&lively_net(SMALL, 1), ranges);
    ModelProto::decode(&*bytes).unwrap().graph.unwrap()
}

/// The inputs of the node that makes `value`, its operator first.
fn made_by<'a>(graph: &'a GraphProto, value: &str) -> Vec<&'a str> {
    let node = graph.node.iter().find(|node| node.output == [value]);
    let node = node.unwrap_or_else(|| panic!("nothing makes {value}"));
    let inputs = node.input.iter().map(String::as_str);
    std::iter::once(&*node.op_type).chain(inputs).collect()
}

#[test]
fn a_row_is_as_near_as_half_a_step_and_its_largest_weight_exact() {
    let (scales, whole) = quantize_rows(&[0.5, -1.0, 0.25, 0.0, 0.0, 0.0, 12.7, 0.04, -6.0], 3);
    assert_eq!(whole, [64, -127, 32, 0, 0, 0, 127, 0, -60]);
    assert_eq!(scales, [1.0 / 127.0, 1.0, 12.7 / 127.0]);
}

#[test]
fn without_ranges_it_is_the_net_as_it_is() {
    let model = lively_net(SMALL, 1);
    let plain = crate::testing::exported(&model, crate::OnnxOutputs::WithWdl);
    assert_eq!(to_quantized_onnx(&model, Ranges::new()), plain);
}

#[test]
fn an_activation_with_a_range_goes_through_8_bits_and_so_does_the_weight_that_meets_it() {
    let name = "blocks.0.relu1";
    let graph = graph(Ranges::from([(name.to_owned(), 2.0)]));
    assert_eq!(
        made_by(&graph, "blocks.0.conv2"),
        [
            "Conv",
            "blocks.0.relu1.dequantized",
            "blocks.0.conv2.weight",
            "blocks.0.conv2.bias"
        ]
    );
    assert_eq!(
        made_by(&graph, "blocks.0.relu1.quantized"),
        [
            "QuantizeLinear",
            name,
            "blocks.0.relu1.scale",
            "blocks.0.relu1.zero"
        ]
    );
    assert_eq!(
        made_by(&graph, "blocks.0.conv2.weight"),
        [
            "DequantizeLinear",
            "blocks.0.conv2.weight.int8",
            "blocks.0.conv2.weight.scale",
            "blocks.0.conv2.weight.zero"
        ]
    );
    let scale = graph
        .initializer
        .iter()
        .find(|weight| weight.name == "blocks.0.relu1.scale");
    assert_eq!(scale.unwrap().raw_data, (2.0_f32 / 255.0).to_le_bytes());
    let whole = graph
        .initializer
        .iter()
        .filter(|weight| weight.name.ends_with(".int8"));
    assert_eq!(whole.count(), 1);
}

#[test]
fn board_planes_with_a_range_come_as_bytes_and_need_no_quantizing() {
    let element = |graph: &GraphProto| {
        let input = graph.input.iter().find(|input| input.name == INPUT_BOARD);
        input
            .unwrap()
            .kind
            .as_ref()
            .unwrap()
            .tensor
            .as_ref()
            .unwrap()
            .element
    };
    let bytes = graph(Ranges::from([(INPUT_BOARD.to_owned(), MOST)]));
    assert_eq!(element(&bytes), UINT8);
    assert_eq!(
        made_by(&bytes, "input1.dequantized"),
        ["DequantizeLinear", "input1", "input1.scale", "input1.zero"]
    );
    assert!(
        bytes
            .node
            .iter()
            .all(|node| node.op_type != "QuantizeLinear")
    );
    assert_eq!(element(&graph(Ranges::new())), FLOAT);
}

#[test]
fn the_observed_net_tells_the_activations_between_its_convolutions() {
    let (bytes, names) = to_observed_onnx(&lively_net(SMALL, 1));
    let expected = [
        "stem",
        "blocks.0.relu1",
        "blocks.0.relu2",
        "blocks.1.relu1",
        "blocks.1.relu2",
    ];
    assert_eq!(names, expected);
    let graph = ModelProto::decode(&*bytes).unwrap().graph.unwrap();
    assert!(graph.output.iter().map(|output| &output.name).eq(&names));
}
