use super::*;

#[test]
fn device_names_come_back_as_they_were() {
    for name in ["auto", "cpu", "cuda:0", "cuda:3"] {
        assert_eq!(name.parse::<ComputeDevice>().unwrap().to_string(), name);
    }
    assert_eq!("cuda".parse(), Ok(ComputeDevice::Cuda(0)));
}

#[test]
fn unknown_device_names_are_refused() {
    for name in ["", "gpu", "cuda:", "cuda:x", "cuda:-1", "cpu:0", "CPU"] {
        let error = name.parse::<ComputeDevice>().unwrap_err();
        let expected = format!("device `{name}`: expected auto, cpu, cuda or cuda:N");
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn a_device_that_is_absent_is_an_error() {
    let placement = Placement {
        device: ComputeDevice::Cuda(99),
        ..Placement::default()
    };
    let error = placement.resolve().unwrap_err();
    let n_devices = n_cuda_devices();
    assert_eq!(
        error,
        DeviceError::Absent {
            index: 99,
            n_devices
        }
    );
    let start = "device cuda:99 is absent: libtorch ";
    assert!(error.to_string().starts_with(start), "{error}");
}

#[test]
fn zero_threads_are_refused() {
    let placement = Placement {
        threads: 0,
        ..Placement::default()
    };
    assert_eq!(
        placement.resolve().unwrap_err().to_string(),
        "threads = 0: expected a whole number from 1 to 1024"
    );
}

#[test]
fn every_device_passes_its_self_test() {
    let report = devices();
    assert_eq!(report.devices[0].device, ComputeDevice::Cpu);
    for check in report.devices {
        assert_eq!(check.fault, None, "{}", check.device);
    }
}
