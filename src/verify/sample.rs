//! A random sample of a list, drawn in one pass.
//!
//! The method is reservoir sampling (Vitter, "Random sampling with a reservoir", 1985, algorithm R,
//! <https://doi.org/10.1145/3147.3165>). The first positions fill the reservoir. After that the
//! n-th position replaces a random one with probability `positions / n`. So every position of the
//! list is drawn with the same probability, and at most `positions` are in memory.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::records::{Entry, Item};

/// The size and the seed of a random sample.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    /// The number of positions with claims.
    pub positions: usize,
    /// The seed. The same list and seed give the same sample.
    pub seed: u64,
}

impl Sample {
    /// Draws positions with claims from a list, and returns them in the order of the list.
    /// Positions without claims are left out. Errors of lines, claims and files are kept, so that
    /// they are reported.
    pub fn draw(&self, items: impl Iterator<Item = Item>) -> Vec<Item> {
        let mut rng = Pcg64Mcg::seed_from_u64(self.seed);
        let (mut drawn, mut others, mut seen) = (Vec::<(usize, Item)>::new(), Vec::new(), 0);
        for (number, item) in items.enumerate() {
            match &item {
                Item::Entry(Entry { problem: Ok(problem), .. }) if problem.claims.is_empty() => {
                    others.extend(malformed_claims(number, item));
                }
                Item::Entry(Entry { problem: Ok(_), .. }) => {
                    seen += 1;
                    if drawn.len() < self.positions {
                        drawn.push((number, item));
                    } else {
                        let (mut left_out, index) = ((number, item), rng.random_range(0..seen));
                        if index < self.positions {
                            std::mem::swap(&mut drawn[index], &mut left_out);
                        }
                        others.extend(malformed_claims(left_out.0, left_out.1));
                    }
                }
                _ => others.push((number, item)),
            }
        }
        drawn.append(&mut others);
        drawn.sort_by_key(|&(number, _)| number);
        drawn.into_iter().map(|(_, item)| item).collect()
    }
}

/// An entry that is not drawn, with its malformed claims only. `None` if it has none.
fn malformed_claims(number: usize, mut item: Item) -> Option<(usize, Item)> {
    let Item::Entry(Entry { problem: Ok(problem), .. }) = &mut item else { return None };
    problem.claims.clear();
    (!problem.malformed.is_empty()).then_some((number, item))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::{ReadOptions, Reader, Source};

    /// A list of 100 lines with a claim, 10 without, and one that cannot be read.
    fn list() -> Reader {
        const START: &str = "---------------------------OX------XO--------------------------- X";
        let line = |number| match number {
            50 => "wrong\n".to_owned(),
            number if number % 11 == 10 => format!("{START};\n"),
            _ => format!("{START}; d3:+2;\n"),
        };
        let bytes = (0..111).map(line).collect::<String>().into_bytes();
        Reader::new(
            vec![Source::Memory { name: "list", bytes: bytes.into() }],
            ReadOptions::default(),
        )
    }

    fn lines(sample: Sample) -> Vec<usize> {
        let number = |item: Item| match item {
            Item::Entry(entry) => {
                entry.id.strip_prefix("list:").and_then(|line| line.parse().ok()).expect("a line")
            }
            other => panic!("{other:?}"),
        };
        sample.draw(list()).into_iter().map(number).collect()
    }

    #[test]
    fn a_sample_is_in_order_and_the_same_for_the_same_seed() {
        let sample = Sample { positions: 20, seed: 1 };
        let drawn = lines(sample);
        assert_eq!(drawn.len(), 21, "and the invalid line");
        assert!(drawn.is_sorted() && drawn.contains(&51));
        assert!(drawn.iter().all(|line| line % 11 != 0), "lines without claims are not drawn");
        assert_eq!(drawn, lines(sample));
        assert_ne!(drawn, lines(Sample { seed: 2, ..sample }));
        assert_eq!(lines(Sample { positions: 1000, seed: 1 }).len(), 101, "all of them");
    }

    #[test]
    fn every_position_is_drawn_with_the_same_probability() {
        let mut counts = [0u32; 112];
        for seed in 0..2000 {
            for line in lines(Sample { positions: 10, seed }) {
                counts[line] += 1;
            }
        }
        // 2000 draws of 10 out of 100: 200 each, with a standard deviation below 14.
        for (line, &count) in
            counts.iter().enumerate().skip(1).filter(|(line, _)| line % 11 != 0 && *line != 51)
        {
            assert!((130..=270).contains(&count), "line {line} was drawn {count} times");
        }
    }
}
