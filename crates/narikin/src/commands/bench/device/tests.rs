use super::*;

/// Lets the clock go on.
fn wait() {
    let started = Instant::now();
    while started.elapsed() < Duration::from_millis(2) {
        std::hint::spin_loop();
    }
}

#[test]
fn only_time_without_anybody_inside_is_idle() {
    let device = Device::new();
    device.enter();
    device.start();
    device.enter();
    wait();
    device.leave();
    wait();
    assert_eq!(device.idle(), Duration::ZERO);
    device.leave();
    wait();
    let idle = device.idle();
    assert!(Duration::from_millis(2) <= idle);
    device.enter();
    let idle = device.idle();
    wait();
    assert_eq!(device.idle(), idle);
    device.leave();
    device.start();
    device.enter();
    assert!(device.idle() < idle);
}
