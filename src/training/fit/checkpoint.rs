//! The state of a fit on disk, so that a fit that is interrupted goes on where it stood and ends
//! with the same weights, bit for bit.
//!
//! A line with a name, the SHA-256 of what the fit was asked for (options and samples) and of what
//! follows, and the state. It is for the same machine on the same day: numbers are written as they
//! lie in memory, and what does not fit is left aside without a word, as then the fit begins anew,
//! which costs a minute.

use std::fs;
use std::io;
use std::path::Path;

use sha2::{Digest, Sha256};

use super::gradient::State;
use super::{Best, Options};
use crate::training::data::{Sample, part_of, write_samples};

const HEAD: &[u8] = b"yose fit 1\n";

/// By what a fit is known again.
pub(super) type Task = [u8; 32];

pub(super) fn task(samples: &[Sample], options: &Options) -> Task {
    let mut digest = Sha256::new();
    digest.update(format!("{options:?}\n"));
    for samples in samples.chunks(1 << 12) {
        let mut bytes = Vec::new();
        write_samples(&mut bytes, samples).expect("a vector takes all");
        digest.update(bytes);
    }
    digest.finalize().into()
}

pub(super) fn write(path: &Path, task: Task, state: &State, best: &Best) -> io::Result<()> {
    let mut plain = Vec::new();
    plain.extend(state.iteration.to_ne_bytes());
    plain.extend(best.iteration.to_ne_bytes());
    plain.extend(state.size.to_ne_bytes());
    plain.extend(best.error.to_ne_bytes());
    for numbers in [&state.weights, &state.residuals, &state.direction, &best.weights] {
        plain.extend((numbers.len() as u64).to_ne_bytes());
        plain.extend_from_slice(bytemuck::cast_slice(numbers));
    }
    let part = part_of(path);
    fs::write(&part, [HEAD, &task, Sha256::digest(&plain).as_slice(), &plain].concat())?;
    fs::rename(part, path)
}

/// The state in a file, if there is one and it is of this task.
pub(super) fn read(path: &Path, task: Task) -> Option<(State, Best)> {
    let file = fs::read(path).ok()?;
    let rest = file.strip_prefix(HEAD)?.strip_prefix(&task)?;
    let (digest, mut rest) = rest.split_at_checked(32)?;
    if Sha256::digest(rest).as_slice() != digest {
        return None;
    }
    let iteration = u32::from_ne_bytes(take(&mut rest)?);
    let best_iteration = u32::from_ne_bytes(take(&mut rest)?);
    let size = f64::from_ne_bytes(take(&mut rest)?);
    let error = f64::from_ne_bytes(take(&mut rest)?);
    let mut numbers = || {
        let count = usize::try_from(u64::from_ne_bytes(take(&mut rest)?)).ok()?;
        let (bytes, after) = rest.split_at_checked(count.checked_mul(4)?)?;
        rest = after;
        Some(
            bytes
                .as_chunks()
                .0
                .iter()
                .map(|&bytes| f32::from_ne_bytes(bytes))
                .collect::<Vec<f32>>(),
        )
    };
    let (weights, residuals, direction) = (numbers()?, numbers()?, numbers()?);
    let best = Best { iteration: best_iteration, error, weights: numbers()? };
    Some((State { iteration, weights, residuals, direction, size }, best))
}

fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (part, after) = rest.split_first_chunk()?;
    *rest = after;
    Some(*part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_reads_back_for_its_own_task() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("state");
        let state = State {
            iteration: 7,
            weights: vec![1.0, 2.0],
            residuals: vec![3.0],
            direction: vec![4.0, 5.0],
            size: 6.0,
        };
        let best = Best { iteration: 3, error: 8.0, weights: vec![9.0, 10.0] };
        let (task, other) = (
            task(&[], &Options::default()),
            task(&[], &Options { iterations: 1, ..Options::default() }),
        );
        assert_eq!(read(&path, task), None);
        write(&path, task, &state, &best).expect("it can be written");
        assert_eq!(read(&path, task), Some((state, best)));
        assert_eq!(read(&path, other), None);
        let mut file = fs::read(&path).expect("it is there");
        *file.last_mut().expect("it is not empty") ^= 1;
        fs::write(&path, file).expect("it can be written");
        assert_eq!(read(&path, task), None);
    }
}
