//! Tapered evaluation: the values of two neighbouring stages in one 32-bit word, added in one sum
//! and interpolated at the end.
//!
//! The word is `high * 65536 + low`. A sum or a multiple of words is the word of the sums or the
//! multiples, as long as both numbers fit into 16 bits. A negative low number borrows one from the
//! high half, which [`high`] adds again. Words must not be divided.
//!
//! # Source
//!
//! Chess engines hold middlegame and endgame scores like this: Stockfish's `Score`. On tapering see
//! the Rustic book, "Tapering the evaluation", <https://rustic-chess.org/evaluation/tapering.html>.

/// The word of two numbers.
#[inline(always)]
pub const fn pack(low: i16, high: i16) -> i32 {
    ((high as i32) << 16).wrapping_add(low as i32)
}

/// The low number of a word.
#[inline(always)]
pub const fn low(word: i32) -> i32 {
    word as i16 as i32
}

/// The high number of a word, without the borrow of the low one.
#[inline(always)]
pub const fn high(word: i32) -> i32 {
    word.wrapping_add(0x8000) >> 16
}

/// The number of interpolation steps from one stage to the next.
pub const TAPER_STEPS: i32 = 16;

/// The interpolated value of a word, rounded: `step` is 0 for the low number and [`TAPER_STEPS`]
/// for the high one.
#[inline(always)]
pub const fn interpolate(word: i32, step: i32) -> i32 {
    (low(word) * (TAPER_STEPS - step) + high(word) * step + TAPER_STEPS / 2) >> TAPER_STEPS.ilog2()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn both_numbers_unpack(a: i16, b: i16) {
            prop_assert_eq!((low(pack(a, b)), high(pack(a, b))), (i32::from(a), i32::from(b)));
        }

        #[test]
        fn sums_and_multiples_unpack(
            a in -4000i16..4000, b in -4000i16..4000, c in -4000i16..4000, d in -4000i16..4000,
            k in -4i32..=4,
        ) {
            let word = pack(a, b) + pack(c, d) * k - pack(b, c);
            let expect = |x, y, z| i32::from(x) + i32::from(y) * k - i32::from(z);
            prop_assert_eq!((low(word), high(word)), (expect(a, c, b), expect(b, d, c)));
        }

        /// Any terms whose sums fit into 16 bits.
        #[test]
        fn sums_that_fit_unpack(terms: [[i16; 2]; 2], sums: [i16; 2]) {
            // The last term makes the sum equal to the wanted one, or as close as 16 bits allow.
            let exact = [0, 1].map(|half| {
                let before = i32::from(terms[0][half]) - i32::from(terms[1][half]);
                let last = i32::from(sums[half]) - before;
                let last = last.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
                (last, before + i32::from(last))
            });
            prop_assume!(exact.iter().all(|&(_, sum)| i16::try_from(sum).is_ok()));
            let word = pack(terms[0][0], terms[0][1])
                .wrapping_sub(pack(terms[1][0], terms[1][1]))
                .wrapping_add(pack(exact[0].0, exact[1].0));
            prop_assert_eq!((low(word), high(word)), (exact[0].1, exact[1].1));
        }

        #[test]
        fn multiples_that_fit_unpack(products: [i16; 2], k in -300i16..=300) {
            prop_assume!(k != 0);
            let factor = |product: i16| (i32::from(product) / i32::from(k)).clamp(-32767, 32767);
            let [a, b] = products.map(|product| factor(product) as i16);
            let word = pack(a, b).wrapping_mul(k.into());
            let expect = (i32::from(a) * i32::from(k), i32::from(b) * i32::from(k));
            prop_assert_eq!((low(word), high(word)), expect);
        }

        #[test]
        fn an_interpolated_value_is_the_rounded_weighted_mean(
            a: i16, b: i16, step in 0..=TAPER_STEPS,
        ) {
            let sum = f64::from(a) * f64::from(TAPER_STEPS - step) + f64::from(b) * f64::from(step);
            let mean = sum / f64::from(TAPER_STEPS);
            let word = pack(a, b);
            prop_assert!((f64::from(interpolate(word, step)) - mean).abs() <= 0.5);
            prop_assert_eq!(
                (interpolate(word, 0), interpolate(word, TAPER_STEPS)),
                (i32::from(a), i32::from(b))
            );
        }
    }
}
