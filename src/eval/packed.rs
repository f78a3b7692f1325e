//! Two 16-bit numbers in one 32-bit word, added and scaled together
//! ("Packed Evaluation", chess programming).
//!
//! The word is `late * 65536 + early`. Sums and multiples of words are words of the sums and
//! multiples, as long as both numbers stay within 16 bits; a negative low half borrows one from the
//! high half, which taking apart gives back. Words must not be divided.

/// Two numbers in a word.
#[inline(always)]
pub const fn pack(early: i16, late: i16) -> i32 {
    ((late as i32) << 16).wrapping_add(early as i32)
}

/// The low number.
#[inline(always)]
pub const fn early(word: i32) -> i32 {
    word as i16 as i32
}

/// The high number, with what the low one has borrowed.
#[inline(always)]
pub const fn late(word: i32) -> i32 {
    word.wrapping_add(0x8000) >> 16
}

/// The parts into which the way from one stage to the next is divided.
pub const BLENDS: i32 = 16;

/// Both numbers mixed: `part` of [`BLENDS`] parts of the high one, the rest of the low one,
/// rounded.
#[inline(always)]
pub const fn blend(word: i32, part: i32) -> i32 {
    (early(word) * (BLENDS - part) + late(word) * part + BLENDS / 2) >> BLENDS.ilog2()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn both_come_back(a: i16, b: i16) {
            prop_assert_eq!((early(pack(a, b)), late(pack(a, b))), (i32::from(a), i32::from(b)));
        }

        #[test]
        fn sums_and_multiples_too(a in -4000i16..4000, b in -4000i16..4000, c in -4000i16..4000, d in -4000i16..4000, k in -4i32..=4) {
            let word = pack(a, b) + pack(c, d) * k - pack(b, c);
            let expect = |x, y, z| i32::from(x) + i32::from(y) * k - i32::from(z);
            prop_assert_eq!((early(word), late(word)), (expect(a, c, b), expect(b, d, c)));
        }

        /// Over the whole range: whatever goes in, if only what comes out fits in 16 bits.
        #[test]
        fn sums_that_fit(terms: [[i16; 2]; 2], sums: [i16; 2]) {
            // The last term leads to the wanted sum, or as near to it as a term can.
            let exact = [0, 1].map(|half| {
                let before = i32::from(terms[0][half]) - i32::from(terms[1][half]);
                let last = (i32::from(sums[half]) - before).clamp(i16::MIN.into(), i16::MAX.into()) as i16;
                (last, before + i32::from(last))
            });
            prop_assume!(exact.iter().all(|&(_, sum)| i16::try_from(sum).is_ok()));
            let word = pack(terms[0][0], terms[0][1])
                .wrapping_sub(pack(terms[1][0], terms[1][1]))
                .wrapping_add(pack(exact[0].0, exact[1].0));
            prop_assert_eq!((early(word), late(word)), (exact[0].1, exact[1].1));
        }

        #[test]
        fn multiples_that_fit(products: [i16; 2], k in -300i16..=300) {
            prop_assume!(k != 0);
            let [a, b] = products.map(|product| (i32::from(product) / i32::from(k)).clamp(-32767, 32767) as i16);
            let word = pack(a, b).wrapping_mul(k.into());
            prop_assert_eq!((early(word), late(word)), (i32::from(a) * i32::from(k), i32::from(b) * i32::from(k)));
        }

        #[test]
        fn a_blend_is_a_weighted_mean(a: i16, b: i16, part in 0..=BLENDS) {
            let mean = (f64::from(a) * f64::from(BLENDS - part) + f64::from(b) * f64::from(part)) / f64::from(BLENDS);
            prop_assert!((f64::from(blend(pack(a, b), part)) - mean).abs() <= 0.5);
            prop_assert_eq!((blend(pack(a, b), 0), blend(pack(a, b), BLENDS)), (i32::from(a), i32::from(b)));
        }
    }
}
