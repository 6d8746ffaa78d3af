use super::*;

/// On the first GPU.
fn gpu(precision: Precision) -> Placement {
    Placement {
        device: ComputeDevice::Cuda(0),
        ..cpu(precision)
    }
}

#[test]
fn a_gpu_answers_as_the_cpu_does() {
    let model = model();
    // Single precision on a GPU may be TF32, whose numbers have ten bits of fraction.
    for (precision, of_logits, of_values) in
        [(Precision::F32, 0.01, 0.01), (Precision::Bf16, 0.05, 0.02)]
    {
        let Ok(mut on_gpu) = TchEvaluator::new(&model, &gpu(precision), 256) else {
            eprintln!("no GPU here: nothing compared");
            return;
        };
        let mut on_cpu = evaluator(&model, Precision::F32);
        for n in [1, 64, 200] {
            let (found, expected) = (answers(&mut on_gpu, n), answers(&mut on_cpu, n));
            check_close(&found, &expected, of_logits, of_values);
        }
    }
}
