//! The exponential function from additions and multiplications alone.

use std::f64::consts::LOG2_E;

/// The highest power in the polynomial. The first one left out is below 2^-57 of the result.
const DEGREE: usize = 13;

/// The number ln 2 in two parts: the first has so few bits that its small multiples are exact.
const LN_2_HIGH: f64 = f64::from_bits(0x3fe6_2e42_fee0_0000);
const LN_2_LOW: f64 = f64::from_bits(0x3dea_39ef_3579_3c76);

/// 1 / n! for n from 0 to [`DEGREE`].
const COEFFICIENTS: [f64; DEGREE + 1] = {
    let mut coefficients = [1.0; DEGREE + 1];
    let (mut n, mut factorial) = (1, 1.0);
    while n <= DEGREE {
        factorial *= n as f64;
        coefficients[n] = 1.0 / factorial;
        n += 1;
    }
    coefficients
};

/// The number e to the power of `x`, for `x` from -700 to 0, with a relative error below 2^-51; 0 below -700, and the
/// value at 0 above.
///
/// The platform's own function differs between platforms in the last bit. This one never does.
///
/// ```
/// use storysim::boost::exp;
/// assert_eq!(exp(0.0), 1.0);
/// assert!((exp(-1.0) * std::f64::consts::E - 1.0).abs() < 1e-15);
/// ```
#[inline]
pub fn exp(x: f64) -> f64 {
    if x < -700.0 || x.is_nan() {
        return 0.0;
    }
    let x = if x > 0.0 { 0.0 } else { x };
    // The nearest power of two, and what remains: at most half of ln 2.
    let halvings = (0.5 - x * LOG2_E) as u32;
    let rest = (x + f64::from(halvings) * LN_2_HIGH) + f64::from(halvings) * LN_2_LOW;
    let mut sum = COEFFICIENTS[DEGREE];
    for coefficient in COEFFICIENTS[..DEGREE].iter().rev() {
        sum = sum * rest + coefficient;
    }
    sum * f64::from_bits(u64::from(1023 - halvings) << 52)
}

/// Turns the scores of a row's choices into their probabilities.
pub fn softmax(scores: &mut [f64]) {
    let greatest =
        scores.iter().copied().fold(f64::NEG_INFINITY, |one, other| if other > one { other } else { one });
    let mut sum = 0.0;
    for score in scores.iter_mut() {
        *score = exp(*score - greatest);
        sum += *score;
    }
    for score in scores {
        *score /= sum;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// e^x by its definition as a limit of products, in integers: 2^120 stands for 1.
    fn by_halving(x: f64) -> f64 {
        // e^x = (e^(x / 2^12))^(2^12); the series of the small power in fixed point.
        const ONE: u128 = 1 << 120;
        let times = |a: u128, b: u128| {
            let (a_high, a_low) = (a >> 60, a & ((1 << 60) - 1));
            let (b_high, b_low) = (b >> 60, b & ((1 << 60) - 1));
            a_high * b_high + ((a_high * b_low) >> 60) + ((a_low * b_high) >> 60)
        };
        // x / 2^12 in units of 2^-120; x has at most 64 binary places.
        let small = ((-x * 2_f64.powi(64)) as u128) << (120 - 64 - 12);
        let (mut term, mut positive, mut negative) = (ONE, 0, 0);
        for n in 1..40 {
            if n % 2 == 1 {
                positive += term
            } else {
                negative += term
            }
            term = times(term, small) / n;
        }
        let mut power = positive - negative;
        for _ in 0..12 {
            power = times(power, power);
        }
        power as f64 / ONE as f64
    }

    #[test]
    fn is_the_exponential_function() {
        for at in 0..70_000 {
            let x = -f64::from(at) / 100.0;
            let (ours, platform) = (exp(x), x.exp());
            assert!((ours / platform - 1.0).abs() < 2_f64.powi(-51), "{x}: {ours} {platform}");
        }
        for at in 0..200_u32 {
            let x = -f64::from(at) / 32.0;
            let (ours, exact) = (exp(x), by_halving(x));
            assert!((ours / exact - 1.0).abs() < 2_f64.powi(-51), "{x}: {ours} {exact}");
        }
        assert_eq!(
            [exp(0.0), exp(1.0), exp(-701.0), exp(f64::NEG_INFINITY), exp(f64::NAN)],
            [1.0, 1.0, 0.0, 0.0, 0.0]
        );
    }

    #[test]
    fn bits_are_golden() {
        let bits = [-1e-9, -0.1, -0.5, -1.0, -3.25, -40.0, -699.0].map(|x| exp(x).to_bits());
        let golden = [
            0x3fef_ffff_ff76_8fa1,
            0x3fec_f46d_99d5_2b3a,
            0x3fe3_68b2_fc6f_960a,
            0x3fd7_8b56_362c_ef38,
            0x3fa3_da36_8521_902d,
            0x3c53_9792_499b_1a24,
            0x00e7_8694_fe9f_73cc,
        ];
        assert_eq!(bits, golden, "{bits:x?}");
    }

    #[test]
    fn probabilities_add_up() {
        let mut scores = [1.0, 3.0, -800.0, 3.0];
        softmax(&mut scores);
        assert!((scores.iter().sum::<f64>() - 1.0).abs() < 1e-15, "{scores:?}");
        assert_eq!((scores[1], scores[2]), (scores[3], 0.0));
    }
}
