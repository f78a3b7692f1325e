//! Symmetric weights: one stored weight for configurations that are reflections of each other.
//!
//! Every kind of pattern has a reflection that maps its squares onto themselves. A configuration
//! and its reflection must have the same weight, so they form one *class*. Classes are numbered in
//! the order of their smaller index. This nearly halves the number of weights: 114,363 for 226,314
//! configurations.
//!
//! Exchanging the colours could halve it again, with the weight negated. That would make the
//! evaluation ignore whose move it is, and it is less accurate. Measured:
//! docs/experiments/evaluation.md, "Symmetry of the colours".

use std::sync::LazyLock;

use super::patterns::{CONFIGURATIONS, KINDS, configurations, first_index, length, nth_square};
use crate::othello::Symmetry;

/// The number of classes of all kinds, and so of weights in a stage.
pub const SYMMETRY_CLASSES: usize = 114_363;

/// The class of every configuration, in the order of a table of weights.
pub fn symmetry_classes() -> &'static [u32] {
    static CLASSES: LazyLock<Box<[u32]>> = LazyLock::new(compute);
    &CLASSES
}

fn compute() -> Box<[u32]> {
    let mut classes = vec![0; CONFIGURATIONS].into_boxed_slice();
    let mut next = 0;
    for kind in 0..KINDS.len() {
        let reflection = reflection(kind);
        let classes = &mut classes[first_index(kind)..][..configurations(kind)];
        for index in 0..reflection.len() {
            let other = reflection[index] as usize;
            if other < index {
                classes[index] = classes[other];
            } else {
                classes[index] = next;
                next += 1;
            }
        }
    }
    assert_eq!(next as usize, SYMMETRY_CLASSES);
    classes
}

/// `reflection(kind)[index]`: the index of the reflection of the configuration at `index`.
fn reflection(kind: usize) -> Vec<u32> {
    let length = length(kind);
    let squares: Vec<_> = (0..length).map(|n| nth_square(kind, n)).collect();
    // The symmetry that maps the kind onto itself and moves a square. The long diagonal has two
    // that map it onto itself; one of them moves no square.
    let images = Symmetry::ALL
        .iter()
        .filter_map(|symmetry| {
            squares
                .iter()
                .map(|&s| squares.iter().position(|&t| t == symmetry.square(s)))
                .collect::<Option<Vec<_>>>()
        })
        .find(|images| !images.is_sorted())
        .expect("every kind has a reflection");
    // Digit by digit, from the least significant. The table for n digits is three copies of that
    // for n - 1, with 0, 1 and 2 as the new digit.
    let mut reflection = Vec::with_capacity(configurations(kind));
    reflection.push(0);
    for n in (0..length).rev() {
        let place_value = 3u32.pow((length - 1 - images[n]) as u32);
        let known = reflection.len();
        for digit in 1..3 {
            reflection.extend_from_within(..known);
            reflection[digit * known..]
                .iter_mut()
                .for_each(|index| *index += digit as u32 * place_value);
        }
    }
    reflection
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Features;
    use crate::eval::patterns::{EMPTY_INDICES, FEATURES};
    use crate::othello::Position;

    #[test]
    fn the_reflection_of_a_reflection_is_the_configuration() {
        for kind in 0..KINDS.len() {
            let reflection = reflection(kind);
            assert!(
                (0..reflection.len())
                    .all(|index| reflection[reflection[index] as usize] as usize == index)
            );
        }
    }

    #[test]
    fn the_images_of_a_position_have_the_same_classes() {
        let mut position = Position::START;
        while let Some(square) = position.moves().into_iter().last() {
            position = position.play(square).expect("legal");
            let classes = |position: &Position| {
                let features = Features::of(position).0;
                let mut classes: Vec<u32> = (0..FEATURES)
                    .map(|lane| {
                        symmetry_classes()
                            [(EMPTY_INDICES[lane] + i32::from(features[lane])) as usize]
                    })
                    .collect();
                classes.sort_unstable();
                classes
            };
            for symmetry in Symmetry::ALL {
                assert_eq!(classes(&symmetry.position(position)), classes(&position));
            }
        }
    }
}
