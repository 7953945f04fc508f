//! Random numbers whose bytes are a promise.
//!
//! The generator is `Pcg64Mcg` of `rand_pcg`, whose output is fixed by its definition (O'Neill,
//! *PCG: a family of simple fast space-efficient statistically good algorithms for random number
//! generation*, 2014). Everything above it (bounded integers, shuffle, sampling, weighted choice)
//! is our own, because `rand` changed the output of its samplers between releases.
//!
//! A stream is never passed on from story to story. It follows from (seed, storyboard, purpose) by
//! a BLAKE3 key made once per run, and from the story's index by a fixed mix of key and index. So
//! row N needs no other row, and neighbouring seeds or indices have nothing in common.

use rand::Rng;
pub use rand_pcg::Pcg64Mcg as Stream;

/// The purpose of a stream. Each purpose has streams of its own so that, for instance, the choice of words can never
/// change what happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Draws who plays which role, and which place each bind stands for.
    Cast,
    /// Draws the events.
    Walk,
    /// Draws the events of stories that are only drawn to see how many meet a goal.
    Trial,
    /// Draws the numbers that a storyboard draws for each story.
    Numbers,
    /// Draws verbs and names of things.
    Words,
    /// Draws what others do around a story.
    Around,
    /// Draws in which order the events of woven stories happen, who takes part in them, and the seeds of their strands.
    Weave,
    /// Draws which stories are kept where shares are balanced.
    Balance,
    /// Draws which choices a question offers, and their order.
    Choices,
    /// Draws which question is asked of those that are written as one.
    Questions,
    /// Draws which rows are examples in the prompt of another one.
    Examples,
    /// Draws the pilot stories that say how difficult questions usually are.
    Difficulty,
    /// Draws the answers of responders that guess.
    Answers,
    /// Draws the order in which changes of a story are tried until one makes a twin.
    Twin,
    /// Draws the order in which changes of what the target does are tried until one makes a twin.
    TargetTwin,
}

impl Purpose {
    /// The name of the purpose in the key. It is part of the promise on bytes.
    const fn label(self) -> &'static str {
        match self {
            Self::Cast => "cast",
            Self::Walk => "walk",
            Self::Trial => "trial",
            Self::Numbers => "numbers",
            Self::Words => "words",
            Self::Around => "around",
            Self::Weave => "weave",
            Self::Balance => "balance",
            Self::Choices => "choices",
            Self::Questions => "questions",
            Self::Examples => "examples",
            Self::Difficulty => "difficulty",
            Self::Answers => "answers",
            Self::Twin => "twin",
            Self::TargetTwin => "target twin",
        }
    }
}

/// The key of all streams of one purpose in one run.
///
/// ```
/// use rand::Rng;
/// use storysim::rng::{Purpose, StreamKey};
/// let key = StreamKey::derive(7, "my storyboard", Purpose::Walk);
/// let (mut first, mut again) = (key.stream(42, 0), key.stream(42, 0));
/// assert_eq!(first.next_u64(), again.next_u64());
/// assert_ne!(first.next_u64(), key.stream(43, 0).next_u64());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamKey {
    first: u128,
    second: u128,
}

impl StreamKey {
    /// Derives the key from the run's seed, the storyboard's fingerprint and the purpose.
    pub fn derive(seed: u64, fingerprint: &str, purpose: Purpose) -> Self {
        let mut hasher = blake3::Hasher::new_derive_key("storysim 1 stream key");
        hasher.update(&seed.to_le_bytes());
        hasher.update(purpose.label().as_bytes());
        hasher.update(&[0]); // ends the label: no two (label, fingerprint) run together
        hasher.update(fingerprint.as_bytes());
        let bytes = hasher.finalize();
        let half = |at: usize| {
            let mut word = [0; 16];
            word.copy_from_slice(&bytes.as_bytes()[at..at + 16]);
            u128::from_le_bytes(word)
        };
        Self { first: half(0), second: half(16) }
    }

    /// The stream of one story or, where a purpose needs several streams for a story, of its `part`.
    #[inline]
    pub fn stream(&self, index: u64, part: u64) -> Stream {
        // The finalizer of MurmurHash3, widened to 128 bits, with the second half of the key let in
        // between its two rounds. Each line is a bijection, so no two indices of a run coincide
        // before the generator takes its state, which is odd.
        let mut x = self.first ^ u128::from(index) ^ u128::from(part) << 64;
        x ^= x >> 67;
        x = x.wrapping_mul(0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645);
        x ^= x >> 65;
        x = x.wrapping_add(self.second);
        x = x.wrapping_mul(0x5851_f42d_4c95_7f2d_1405_7b7e_f767_814f);
        x ^= x >> 67;
        x = x.wrapping_mul(0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645);
        x ^= x >> 64;
        Stream::new(x)
    }
}

/// A uniform integer below `bound`, without bias (Lemire, *Fast random integer generation in an
/// interval*, 2019).
///
/// # Panics
/// If `bound` is 0.
#[inline]
pub fn below(stream: &mut Stream, bound: u32) -> u32 {
    assert!(bound > 0, "nothing is below 0");
    let bound = u64::from(bound);
    loop {
        let product = u128::from(stream.next_u64()) * u128::from(bound);
        let low = product as u64;
        // 2^64 mod bound values of `low` would make some results likelier than others.
        if low >= bound || low >= bound.wrapping_neg() % bound {
            return (product >> 64) as u32;
        }
    }
}

/// One draw of the generator, cut into uniform integers one after another.
///
/// The digits of a mixed-radix number: each call of [`Digits::below`] takes the next one. As long as the product of
/// all bounds is at most 2^32, every outcome has its exact probability to within 2^-62. So this is for the hot loop,
/// where the actors and destinations of several steps come from one draw.
///
/// ```
/// use storysim::rng::{Digits, Purpose, StreamKey};
/// let mut stream = StreamKey::derive(7, "doc", Purpose::Walk).stream(0, 0);
/// let mut digits = Digits::draw(&mut stream);
/// let (actor, way) = (digits.below(8), digits.below(3));
/// assert!(actor < 8 && way < 3);
/// ```
#[derive(Clone, Debug)]
pub struct Digits {
    fraction: u64,
}

impl Digits {
    /// Digits that are all 0, from no draw.
    pub const NONE: Self = Self { fraction: 0 };

    /// Makes a draw of the generator.
    #[inline]
    pub fn draw(stream: &mut Stream) -> Self {
        Self { fraction: stream.next_u64() }
    }

    /// The next digit: an integer below `bound`. A `bound` of 0 gives 0.
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        let product = u128::from(self.fraction) * u128::from(bound);
        self.fraction = product as u64;
        (product >> 64) as u32
    }
}

/// Moves a uniform sample of `count` items, in uniform order, to the front of `items`
/// (Fisher and Yates, stopped early). With `count` = `items.len()` it is a shuffle.
///
/// # Panics
/// If `items` has fewer than `count`, or more than 2^32 items.
pub fn sample_to_front<T>(stream: &mut Stream, items: &mut [T], count: usize) {
    assert!(count <= items.len());
    for front in 0..count {
        let rest = u32::try_from(items.len() - front).expect("fewer than 2^32 items");
        if rest > 1 {
            items.swap(front, front + below(stream, rest) as usize);
        }
    }
}

/// Draws the index of an item, with probabilities proportional to the weights.
///
/// `cumulative` holds the sums of the weights up to and including each item: it never falls, and its last
/// entry is positive. An item of weight 0 is never chosen. The probabilities are off by at most
/// items · 2^-52, because the sums are rounded and a draw has 53 bits. Costs O(items).
///
/// # Panics
/// If `cumulative` is empty.
///
/// ```
/// use storysim::rng::{Purpose, StreamKey, weighted};
/// let mut stream = StreamKey::derive(7, "doc", Purpose::Walk).stream(0, 0);
/// assert_eq!(weighted(&mut stream, &[0.0, 0.5, 0.5]), 1);
/// ```
#[inline]
pub fn weighted(stream: &mut Stream, cumulative: &[f64]) -> usize {
    chosen(stream.next_u64(), cumulative)
}

/// The index of an item that a given draw chooses, by the same weights as in [`weighted`].
#[inline]
pub fn chosen(draw: u64, cumulative: &[f64]) -> usize {
    let draw = scaled(draw >> UNUSED_BITS, cumulative[cumulative.len() - 1]);
    cumulative.iter().map(|&sum| usize::from(draw >= sum)).sum()
}

/// The smallest draw that chooses an item after `item`; 2^64 if there is none.
///
/// ```
/// use storysim::rng::{chosen, limit};
/// let cumulative = [0.1, 0.3, 1.0];
/// let first = limit(&cumulative, 0) as u64;
/// assert_eq!([chosen(first - 1, &cumulative), chosen(first, &cumulative)], [0, 1]);
/// ```
pub fn limit(cumulative: &[f64], item: usize) -> u128 {
    let (sum, total) = (cumulative[item], cumulative[cumulative.len() - 1]);
    let (mut low, mut high) = around_limit(sum, total);
    while low < high {
        let middle = low.midpoint(high);
        (low, high) = if is_beyond(middle, sum, total) { (low, middle) } else { (middle + 1, high) };
    }
    u128::from(low) << UNUSED_BITS
}

/// The first 32 bits of [`limit`], or the largest number if there is no such draw. Mostly they are known without a search.
///
/// ```
/// use storysim::rng::{first_bits_of_limit, limit};
/// let cumulative = [0.1, 0.3, 1.0];
/// assert_eq!(u128::from(first_bits_of_limit(&cumulative, 1)), limit(&cumulative, 1) >> 32);
/// assert_eq!(first_bits_of_limit(&cumulative, 2), u32::MAX);
/// ```
pub fn first_bits_of_limit(cumulative: &[f64], item: usize) -> u32 {
    let (low, high) = around_limit(cumulative[item], cumulative[cumulative.len() - 1]);
    let first_bits = |limit: u128| u32::try_from(limit >> u32::BITS).unwrap_or(u32::MAX);
    let [least, most] = [low, high].map(|limit| first_bits(u128::from(limit) << UNUSED_BITS));
    if least == most { least } else { first_bits(limit(cumulative, item)) }
}

/// The least and the greatest that a limit can be, in draws without their unused bits.
fn around_limit(sum: f64, total: f64) -> (u64, u64) {
    // It lies here, but for rounding; where numbers are so small that rounding is all, anywhere.
    let near = (sum / total * DRAWS as f64) as u64;
    let (low, high) = (near.saturating_sub(8), near.saturating_add(8).min(DRAWS));
    let is_elsewhere =
        low > 0 && is_beyond(low - 1, sum, total) || high < DRAWS && !is_beyond(high, sum, total);
    if is_elsewhere { (0, DRAWS) } else { (low, high) }
}

/// Whether a draw chooses an item after the one up to which the weights add up to `sum`.
fn is_beyond(draw: u64, sum: f64, total: f64) -> bool {
    scaled(draw, total) >= sum
}

/// The number of bits of a draw that a choice does not use; it uses 53.
const UNUSED_BITS: u32 = 11;
const DRAWS: u64 = 1 << (u64::BITS - UNUSED_BITS);

/// A draw as a share of `total`, always less than it.
#[inline]
fn scaled(draw: u64, total: f64) -> f64 {
    // A share below 1, so that the product, correctly rounded, is at most the total. Where it is the total,
    // the item that made the sum so large is chosen.
    let scaled = draw as f64 * (1.0 / DRAWS as f64) * total;
    if scaled < total { scaled } else { total.next_down() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stream() -> Stream {
        StreamKey::derive(7, "test vector", Purpose::Walk).stream(1, 0)
    }

    /// Reference vector: `Pcg64Mcg` with the state of the PCG C library's demo.
    #[test]
    fn generator_is_pcg64_mcg() {
        let mut generator = Stream::new(42);
        let drawn: Vec<u64> = (0..6).map(|_| generator.next_u64()).collect();
        assert_eq!(
            drawn,
            [
                0x63b4_a3a8_13ce_700a,
                0x3829_5420_0617_ab24,
                0xa7fd_85ae_3fe9_50ce,
                0xd715_286a_a288_7737,
                0x60c9_2fee_2e59_f32c,
                0x84c4_e96b_eff3_0017
            ]
        );
    }

    /// Value stability: these numbers may never change without a heading in CHANGELOG.md.
    #[test]
    fn vectors() {
        let key = StreamKey::derive(7, "test vector", Purpose::Walk);
        let states: Vec<String> = [(0, 0), (1, 0), (0, 1), (u64::MAX, 3)]
            .iter()
            .map(|&(index, part)| format!("{:032x}", key.stream(index, part).state()))
            .collect();
        insta::assert_debug_snapshot!("stream_states", states);
        let mut s = stream();
        let below: Vec<u32> = (1..=24).map(|bound| below(&mut s, bound)).collect();
        insta::assert_compact_debug_snapshot!("below", below);
        let digits: Vec<[u32; 3]> = (0..8)
            .map(|_| {
                let mut d = Digits::draw(&mut s);
                [d.below(8), d.below(3), d.below(1000)]
            })
            .collect();
        insta::assert_compact_debug_snapshot!("digits", digits);
        let mut items: Vec<u32> = (0..10).collect();
        sample_to_front(&mut s, &mut items, 10);
        insta::assert_compact_debug_snapshot!("shuffle", items);
        let mut items: Vec<u32> = (0..10).collect();
        sample_to_front(&mut s, &mut items, 3);
        insta::assert_compact_debug_snapshot!("sample", &items[..3]);
        let weighted: Vec<usize> = (0..16).map(|_| weighted(&mut s, &[0.25, 0.5, 1.0])).collect();
        insta::assert_compact_debug_snapshot!("weighted", weighted);
    }

    #[test]
    fn every_bit_of_seed_index_and_part_moves_half_the_state() {
        let key = StreamKey::derive(7, "test vector", Purpose::Walk);
        let base = key.stream(1000, 0).state();
        for bit in 0..64 {
            for other in [key.stream(1000 ^ 1 << bit, 0), key.stream(1000, 1 << bit)] {
                let flipped = (base ^ other.state()).count_ones();
                assert!((34..=94).contains(&flipped), "bit {bit}: {flipped} of 128");
            }
            let other = StreamKey::derive(7 ^ 1 << bit, "test vector", Purpose::Walk);
            let flipped = (base ^ other.stream(1000, 0).state()).count_ones();
            assert!((34..=94).contains(&flipped), "seed bit {bit}: {flipped} of 128");
        }
        for purpose in [Purpose::Cast, Purpose::Words, Purpose::Choices] {
            assert_ne!(key, StreamKey::derive(7, "test vector", purpose));
        }
    }

    /// A stream whose first draw is this number.
    fn stream_that_draws(first: u64) -> Stream {
        // A draw is the halves of the new state, one xor the other, turned by the highest six bits. The state is odd.
        let high = !first & 1;
        let state = u128::from(high) << 64 | u128::from(first ^ high);
        // The new state is the old one times this.
        let mut multiplier = Stream::new(1);
        multiplier.next_u64();
        let multiplier = multiplier.state();
        // Newton's rounds double the number of right bits, of which there are three at first.
        let inverse = (0..6).fold(multiplier, |inverse, _| {
            inverse.wrapping_mul(2_u128.wrapping_sub(multiplier.wrapping_mul(inverse)))
        });
        let stream = Stream::new(state.wrapping_mul(inverse));
        assert_eq!(stream.clone().next_u64(), first);
        stream
    }

    /// Of all 2^64 draws, 2^64 mod `bound` are thrown away: one each of the results that would be likelier.
    #[test]
    fn what_would_be_a_bias_is_drawn_again() {
        let third = u64::MAX / 3;
        let cases = [
            (3, 0, None),
            (3, 1, Some(0)),
            (3, third, Some(0)),
            (3, third + 1, Some(1)),
            (3, 2 * third + 1, Some(2)), // leaves 1, which is the first that is kept
            (3, u64::MAX, Some(2)),
            (4, 0, Some(0)),
            (4, 1 << 62, Some(1)),
            (6, 0, None),
            (6, 1, Some(0)),
            (6, third + 1, Some(2)),  // leaves 4, which is the first that is kept
            (6, 2 * third + 1, None), // leaves 2
            (1, 0, Some(0)),
            (1, u64::MAX, Some(0)),
        ];
        for (bound, first, wanted) in cases {
            let (mut drawn, mut once) = (stream_that_draws(first), stream_that_draws(first));
            let result = below(&mut drawn, bound);
            once.next_u64();
            let is_first = drawn.state() == once.state();
            assert_eq!(is_first.then_some(result), wanted, "{first} below {bound}");
            assert!(result < bound);
        }
    }

    /// However small or large the weights, and however high the draw.
    #[test]
    fn only_what_has_a_weight_is_chosen() {
        for unit in [f64::from_bits(1), f64::MIN_POSITIVE, 1.0, 1.5, f64::MAX] {
            for draw in [0, 1, 1 << 63, u64::MAX] {
                assert_eq!(weighted(&mut stream_that_draws(draw), &[0.0, unit, unit]), 1, "{draw} of {unit}");
            }
        }
    }

    /// Every sampler against its definition: counts within 6 standard deviations.
    #[test]
    fn samplers_are_uniform() {
        let mut s = stream();
        let rounds = 240_000_u32;
        let near = |count: u32, share: f64| {
            let mean = f64::from(rounds) * share;
            (f64::from(count) - mean).abs() < 6.0 * (mean * (1.0 - share)).sqrt()
        };
        let (mut bounded, mut pairs, mut orders) = ([0; 6], [0; 24], [0; 6]);
        let mut chosen = [0; 3];
        for _ in 0..rounds {
            bounded[below(&mut s, 6) as usize] += 1;
            let mut digits = Digits::draw(&mut s);
            pairs[(digits.below(8) * 3 + digits.below(3)) as usize] += 1;
            let mut items = [0, 1, 2];
            sample_to_front(&mut s, &mut items, 3);
            orders[items[0] * 2 + usize::from(items[1] > items[2])] += 1;
            chosen[weighted(&mut s, &[0.5, 1.0, 4.0])] += 1;
        }
        assert!(bounded.iter().all(|&count| near(count, 1.0 / 6.0)), "{bounded:?}");
        assert!(pairs.iter().all(|&count| near(count, 1.0 / 24.0)), "{pairs:?}");
        assert!(orders.iter().all(|&count| near(count, 1.0 / 6.0)), "{orders:?}");
        assert!(near(chosen[0], 0.125) && near(chosen[1], 0.125) && near(chosen[2], 0.75));
    }
}
