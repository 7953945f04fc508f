//! Non-negative numbers with 53 bits of precision that never underflow.
//!
//! The chance that a long story meets its conditions can be far below the smallest `f64`; whether
//! it is zero decides what is satisfiable. So each number carries an exponent of its own.
//! Only IEEE addition, multiplication and division are used, in a fixed order.

/// A number `mantissa · 2^exponent`, with the mantissa in [1, 2), or zero.
///
/// ```
/// use storysim::weight::Weight;
/// let half = Weight::ONE.over(2);
/// assert_eq!(half.plus(half), Weight::ONE);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weight {
    mantissa: f64,
    exponent: i32,
}

const MANTISSA_BITS: u32 = 52;
const EXPONENT_BIAS: i32 = 1023;

impl Weight {
    /// The number 0.
    pub const ZERO: Self = Self { mantissa: 0.0, exponent: 0 };
    /// The number 1.
    pub const ONE: Self = Self { mantissa: 1.0, exponent: 0 };

    /// The weight of a positive normal number, or of zero.
    pub fn new(value: f64) -> Self {
        Self { mantissa: value, exponent: 0 }.normalized()
    }

    fn normalized(self) -> Self {
        if self.mantissa == 0.0 {
            return Self::ZERO;
        }
        let bits = self.mantissa.to_bits();
        let shift = (bits >> MANTISSA_BITS) as i32 - EXPONENT_BIAS;
        let fraction = bits & ((1 << MANTISSA_BITS) - 1);
        let mantissa = f64::from_bits(fraction | (EXPONENT_BIAS as u64) << MANTISSA_BITS);
        Self { mantissa, exponent: self.exponent + shift }
    }

    /// Whether the weight is 0.
    pub fn is_zero(self) -> bool {
        self.mantissa == 0.0
    }

    /// The sum of two weights.
    pub fn plus(self, other: Self) -> Self {
        let (large, small) = if self.is_zero() || (!other.is_zero() && self.exponent < other.exponent) {
            (other, self)
        } else {
            (self, other)
        };
        if small.is_zero() {
            return large;
        }
        let mantissa = large.mantissa + small.mantissa * power_of_two(small.exponent - large.exponent);
        Self { mantissa, exponent: large.exponent }.normalized()
    }

    /// The product of two weights.
    pub fn times(self, other: Self) -> Self {
        let mantissa = self.mantissa * other.mantissa;
        Self { mantissa, exponent: self.exponent + other.exponent }.normalized()
    }

    /// The weight divided by a positive integer.
    pub fn over(self, divisor: usize) -> Self {
        Self { mantissa: self.mantissa / divisor as f64, exponent: self.exponent }.normalized()
    }

    /// The quotient of two weights.
    ///
    /// # Panics
    /// In debug builds, if the divisor is 0.
    pub fn divided_by(self, divisor: Self) -> Self {
        debug_assert!(!divisor.is_zero());
        let exponent = self.exponent - divisor.exponent;
        Self { mantissa: self.mantissa / divisor.mantissa, exponent }.normalized()
    }

    /// The weight to the power of a natural number, by repeated squaring.
    pub fn to_the(self, mut power: usize) -> Self {
        let (mut base, mut product) = (self, Self::ONE);
        while power > 0 {
            if power % 2 == 1 {
                product = product.times(base);
            }
            base = base.times(base);
            power /= 2;
        }
        product
    }

    /// The larger of two weights.
    pub fn larger(self, other: Self) -> Self {
        let (own, others) = ((!self.is_zero(), self.exponent), (!other.is_zero(), other.exponent));
        if (others, other.mantissa) > (own, self.mantissa) { other } else { self }
    }

    /// The weight as a share of `unit`; zero if it is below about 2^-1000.
    pub fn share_of(self, unit: Self) -> f64 {
        if self.is_zero() {
            return 0.0;
        }
        self.mantissa / unit.mantissa * power_of_two(self.exponent - unit.exponent)
    }

    /// The decimal logarithm, for printing only. It must not decide what is drawn.
    pub fn log10(self) -> f64 {
        self.mantissa.log10() + f64::from(self.exponent) * std::f64::consts::LOG10_2
    }

    /// The bits of mantissa and exponent, for comparing weights.
    pub fn bits(self) -> (u64, i32) {
        (self.mantissa.to_bits(), self.exponent)
    }
}

/// The number 2^exponent for exponents up to 1000; zero for exponents below -1000.
fn power_of_two(exponent: i32) -> f64 {
    if exponent < -1000 {
        return 0.0;
    }
    f64::from_bits(((exponent + EXPONENT_BIAS) as u64) << MANTISSA_BITS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn agrees_with_f64_where_f64_reaches(a in 1e-9..1e9_f64, b in 1e-9..1e9_f64, n in 1..50_usize) {
            let (x, y) = (Weight::new(a), Weight::new(b));
            prop_assert_eq!(x.plus(y), Weight::new(a + b));
            prop_assert_eq!(x.times(y), Weight::new(a * b));
            prop_assert_eq!(x.over(n), Weight::new(a / n as f64));
            prop_assert_eq!(x.divided_by(y), Weight::new(a / b));
            prop_assert!((x.to_the(n).log10() - n as f64 * a.log10()).abs() < 1e-11 * n as f64);
            prop_assert!((x.share_of(y) - a / b).abs() <= a / b * 1e-15);
            prop_assert!((x.log10() - a.log10()).abs() < 1e-12);
        }
    }

    #[test]
    fn does_not_underflow() {
        let mut tiny = Weight::ONE;
        for _ in 0..1_000_000 {
            tiny = tiny.over(24);
        }
        assert!(!tiny.is_zero());
        assert!((tiny.log10() + 1e6 * 24_f64.log10()).abs() < 1e-3);
        assert_eq!(tiny.plus(Weight::ONE), Weight::ONE);
        assert_eq!(tiny.share_of(Weight::ONE), 0.0);
        assert_eq!(tiny.share_of(tiny), 1.0);
        assert_eq!(Weight::ZERO.plus(tiny), tiny);
        assert_eq!(tiny.plus(Weight::ZERO), tiny);
        assert!(tiny.times(Weight::ZERO).is_zero());
        assert_eq!(Weight::ZERO.larger(tiny), tiny);
        assert_eq!(tiny.larger(Weight::new(1.5)), Weight::new(1.5));
        assert_eq!(Weight::new(1.5).larger(Weight::ONE), Weight::new(1.5));
    }

    #[test]
    fn shares_end_at_two_to_the_minus_1000() {
        let (half, last) = (Weight::ONE.over(2), Weight::ONE.over(2).to_the(1000));
        assert_eq!(last.share_of(Weight::ONE), 2_f64.powi(-1000));
        assert_eq!(last.times(half).share_of(Weight::ONE), 0.0);
        assert_eq!(last.times(half).share_of(half), 2_f64.powi(-1000));
    }

    #[test]
    fn bits_tell_equal_weights() {
        let weights = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0].map(Weight::new);
        for (at, one) in weights.iter().enumerate() {
            for (other_at, other) in weights.iter().enumerate() {
                assert_eq!(one.bits() == other.bits(), at == other_at, "{one:?} {other:?}");
            }
        }
    }
}
