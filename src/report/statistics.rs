//! Figures of lists: quantiles, the ratio of two runs with its interval, samples.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// The value below which this share of the values lies, 0 to 1; 0 without values. Between two
/// neighbours it is interpolated, so that of two values the tenths are not the same.
pub fn quantile(sorted: &[f64], share: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else { return 0.0 };
    let place = last as f64 * share;
    let below = place as usize;
    let (lower, upper) = (sorted[below], sorted[(below + 1).min(last)]);
    lower + (upper - lower) * place.fract()
}

/// A ratio of sums, and the interval that holds it in 19 of 20 cases.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ratio {
    /// The ratio.
    pub ratio: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// The ratio of the sum of the second to that of the first values, over pairs; `None` if a sum is
/// 0.
///
/// The interval is that of the bootstrap: pairs are drawn at random, as many as there are, and the
/// ratio is computed again; 19 of 20 such ratios lie in it. The draws are the same each time.
/// Source: B. Efron, "Bootstrap methods: another look at the jackknife", 1979,
/// <https://doi.org/10.1214/aos/1176344552>.
pub fn ratio_of_sums(pairs: &[(f64, f64)]) -> Option<Ratio> {
    const DRAWS: usize = 1000;
    let ratio = |sums: (f64, f64)| (sums.0 > 0.0 && sums.1 > 0.0).then(|| sums.1 / sums.0);
    let add = |sum: (f64, f64), pair: &(f64, f64)| (sum.0 + pair.0, sum.1 + pair.1);
    let all = ratio(pairs.iter().fold((0.0, 0.0), add))?;
    let mut rng = Pcg64Mcg::seed_from_u64(1);
    // Some thousand pairs are enough for the width of the interval.
    let drawn = pairs.len().min(2000);
    let narrower = (drawn as f64 / pairs.len() as f64).sqrt();
    let mut ratios: Vec<f64> = (0..DRAWS)
        .filter_map(|_| {
            let draw = (0..drawn).map(|_| &pairs[rng.random_range(0..pairs.len())]);
            ratio(draw.fold((0.0, 0.0), add))
        })
        .collect();
    ratios.sort_by(f64::total_cmp);
    let end = |share| all * (quantile(&ratios, share) / all).powf(narrower);
    Some(Ratio { ratio: all, low: end(0.025), high: end(0.975) })
}

/// The numbers of `count` of `all` things, evenly spaced, from the first to the last.
pub fn evenly(all: usize, count: usize) -> Vec<usize> {
    match (all, count) {
        (all, count) if count >= all => (0..all).collect(),
        (_, 0) => Vec::new(),
        (_, 1) => vec![0],
        (all, count) => (0..count).map(|index| index * (all - 1) / (count - 1)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_lie_between_neighbours() {
        let values = [1.0, 2.0, 3.0, 4.0, 12.0];
        assert_eq!(
            [0.0, 0.5, 0.875, 1.0].map(|share| quantile(&values, share)),
            [1.0, 3.0, 8.0, 12.0]
        );
        assert_eq!([0.0, 0.25, 0.5].map(|share| quantile(&[4.0, 8.0], share)), [4.0, 5.0, 6.0]);
        assert_eq!(quantile(&[7.0], 0.9), 7.0);
        assert_eq!(quantile(&[], 0.5), 0.0);
    }

    #[test]
    fn a_ratio_lies_in_its_interval() {
        let pairs: Vec<(f64, f64)> = (1..200)
            .map(|n| (f64::from(n), f64::from(n) * if n % 2 == 0 { 0.5 } else { 0.9 }))
            .collect();
        let Ratio { ratio, low, high } = ratio_of_sums(&pairs).expect("a ratio");
        assert!(low < ratio && ratio < high && low > 0.6 && high < 0.8, "{low} {ratio} {high}");
        let same = ratio_of_sums(&[(2.0, 2.0), (3.0, 3.0)]).expect("a ratio");
        assert_eq!((same.low, same.ratio, same.high), (1.0, 1.0, 1.0));
        assert_eq!(ratio_of_sums(&[]), None);
        assert_eq!(ratio_of_sums(&[(0.0, 1.0)]), None);
    }

    #[test]
    fn samples_have_the_first_and_the_last() {
        assert_eq!(evenly(10, 4), [0, 3, 6, 9]);
        assert_eq!(evenly(3, 5), [0, 1, 2]);
        assert_eq!((evenly(3, 0).len(), evenly(3, 1)), (0, vec![0]));
    }
}
