use super::*;

/// The number that a half's bits stand for, from the definition.
fn value(bits: u16) -> f64 {
    let sign = if bits & 0x8000 == 0 { 1.0 } else { -1.0 };
    let (exponent, fraction) = (
        i32::from(bits >> 10 & 0x1f),
        f64::from(bits & 0x3ff) / 1024.0,
    );
    sign * match exponent {
        0 => fraction * 2.0_f64.powi(-14),
        31 => f64::INFINITY,
        _ => (1.0 + fraction) * 2.0_f64.powi(exponent - 15),
    }
}

#[test]
fn every_half_is_written_as_itself() {
    for bits in (0..=0x7c00).chain(0x8000..=0xfc00) {
        assert_eq!(f16_bits(value(bits) as f32), bits, "{bits:#06x}");
    }
}

#[test]
fn numbers_between_two_halves_go_to_the_nearer_and_ties_to_the_even_one() {
    for bits in 0..0x7bff_u16 {
        let (low, high) = (value(bits), value(bits + 1));
        let middle = ((low + high) / 2.0) as f32;
        assert_eq!(f64::from(middle), (low + high) / 2.0);
        assert_eq!(f16_bits(middle), bits + (bits & 1), "{bits:#06x}");
        assert_eq!(f16_bits(middle.next_down()), bits, "{bits:#06x}");
        assert_eq!(f16_bits(middle.next_up()), bits + 1, "{bits:#06x}");
        assert_eq!(
            f16_bits(-middle.next_up()),
            0x8000 | (bits + 1),
            "{bits:#06x}"
        );
    }
}

#[test]
fn what_no_half_can_hold_becomes_infinite_or_nothing() {
    assert_eq!(f16_bits(MAX), 0x7bff);
    assert_eq!(f16_bits(65_519.0), 0x7bff);
    assert_eq!(f16_bits(65_520.0), 0x7c00);
    assert_eq!(f16_bits(f32::MAX), 0x7c00);
    assert_eq!(f16_bits(f32::NEG_INFINITY), 0xfc00);
    assert_eq!(f16_bits(f32::MIN_POSITIVE), 0);
    assert_eq!(f16_bits(-1e-45), 0x8000);
    assert_eq!(f16_bits(f32::NAN) & 0x7fff, 0x7e00);
}
