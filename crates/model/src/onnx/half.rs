//! Half precision: 1 bit of sign, 5 of exponent, 10 of fraction.

/// The largest finite number.
pub(super) const MAX: f32 = 65_504.0;

/// Bits of an f32's fraction that a half does not have.
const DROPPED: u32 = 13;
/// Difference of the exponents' biases, 127 and 15.
const BIAS: u32 = 127 - 15;

/// The bits of the nearest half, ties to even. What rounds above [`MAX`] becomes infinite, a NaN
/// stays one.
pub(super) fn f16_bits(x: f32) -> u16 {
    let bits = x.to_bits();
    let sign = (bits >> 16 & 0x8000) as u16;
    let magnitude = bits & 0x7fff_ffff;
    if magnitude > 0x7f80_0000 {
        return sign | 0x7e00;
    }
    let exponent = magnitude >> 23;
    let rounded = if exponent > BIAS {
        // Adding lets a fraction that rounds up run over into the exponent, as it should.
        let rebased = magnitude - (BIAS << 23);
        round(rebased, DROPPED)
    } else {
        // Below 2^-14 the exponent stays, and the fraction with its leading 1 moves down.
        let fraction = magnitude & 0x7f_ffff | 0x80_0000;
        round(fraction, (DROPPED + 1 + BIAS - exponent).min(31))
    };
    sign | rounded.min(0x7c00) as u16
}

/// `x / 2^n_bits` to the nearest whole number, ties to even.
fn round(x: u32, n_bits: u32) -> u32 {
    let half = 1 << (n_bits - 1);
    let odd = x >> n_bits & 1;
    (x + half - 1 + odd) >> n_bits
}

#[cfg(test)]
mod tests;
