//! Checkpoints of a fit. An interrupted fit continues from its checkpoint, and ends with the same
//! weights, bit for bit.
//!
//! A file has a line with the name and version of the format, the SHA-256 of the options and
//! samples, the SHA-256 of the state, and the state. Numbers are in the byte order of the machine.
//! A checkpoint that cannot be used is ignored without a message: the fit then starts from the
//! beginning, which costs about a minute.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use sha2::{Digest as _, Sha256};

use super::conjugate_gradient::CglsState;
use super::{Best, FitOptions};
use crate::digest::sha256;
use crate::output_file::{Existing, OutputFile};
use crate::training::data_set::{Sample, write_samples};

const HEADER: &[u8] = b"yose fit 1\n";

/// The SHA-256 of the options and samples of a fit.
pub(super) type Digest = [u8; 32];

/// The digest of a fit.
pub(super) fn digest(samples: &[Sample], options: &FitOptions) -> Digest {
    let mut digest = Sha256::new();
    digest.update(format!("{options:?}\n"));
    for samples in samples.chunks(1 << 12) {
        let mut bytes = Vec::new();
        write_samples(&mut bytes, samples).expect("a vector accepts all bytes");
        digest.update(bytes);
    }
    digest.finalize().into()
}

/// Writes a checkpoint, which has its name only when it is complete.
pub(super) fn write(path: &Path, digest: Digest, state: &CglsState, best: &Best) -> io::Result<()> {
    let mut bytes = Vec::new();
    bytes.extend(state.iteration.to_ne_bytes());
    bytes.extend(best.iteration.to_ne_bytes());
    bytes.extend(state.gradient_norm.to_ne_bytes());
    bytes.extend(best.error.to_ne_bytes());
    for vector in [&state.weights, &state.residuals, &state.direction, &best.weights] {
        bytes.extend((vector.len() as u64).to_ne_bytes());
        bytes.extend_from_slice(bytemuck::cast_slice(vector));
    }
    let mut output = OutputFile::create(path, Existing::Replace)?;
    for part in [HEADER, &digest, &sha256(&bytes), &bytes] {
        output.write_all(part)?;
    }
    output.commit()?;
    Ok(())
}

/// The state in a file; `None` if there is no valid checkpoint of this fit.
pub(super) fn read(path: &Path, digest: Digest) -> Option<(CglsState, Best)> {
    let file = fs::read(path).ok()?;
    let rest = file.strip_prefix(HEADER)?.strip_prefix(&digest)?;
    let (checksum, mut rest) = rest.split_at_checked(32)?;
    if sha256(rest) != checksum {
        return None;
    }
    let iteration = u32::from_ne_bytes(read_bytes(&mut rest)?);
    let best_iteration = u32::from_ne_bytes(read_bytes(&mut rest)?);
    let gradient_norm = f64::from_ne_bytes(read_bytes(&mut rest)?);
    let error = f64::from_ne_bytes(read_bytes(&mut rest)?);
    let (weights, residuals) = (read_vector(&mut rest)?, read_vector(&mut rest)?);
    let direction = read_vector(&mut rest)?;
    let best = Best { iteration: best_iteration, error, weights: read_vector(&mut rest)? };
    Some((CglsState { iteration, weights, residuals, direction, gradient_norm }, best))
}

/// Removes a vector from the front of `rest`; `None` if `rest` is too short.
fn read_vector(rest: &mut &[u8]) -> Option<Vec<f32>> {
    let count = usize::try_from(u64::from_ne_bytes(read_bytes(rest)?)).ok()?;
    let (bytes, after) = rest.split_at_checked(count.checked_mul(4)?)?;
    *rest = after;
    Some(bytes.as_chunks().0.iter().map(|&bytes| f32::from_ne_bytes(bytes)).collect())
}

/// Removes `N` bytes from the front of `rest`; `None` if `rest` is too short.
fn read_bytes<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (part, after) = rest.split_first_chunk()?;
    *rest = after;
    Some(*part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checkpoint_reads_back_for_its_own_fit_only() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("state");
        let state = CglsState {
            iteration: 7,
            weights: vec![1.0, 2.0],
            residuals: vec![3.0],
            direction: vec![4.0, 5.0],
            gradient_norm: 6.0,
        };
        let best = Best { iteration: 3, error: 8.0, weights: vec![9.0, 10.0] };
        let (own, other) = (
            digest(&[], &FitOptions::default()),
            digest(&[], &FitOptions { iterations: 1, ..FitOptions::default() }),
        );
        assert_eq!(read(&path, own), None);
        write(&path, own, &state, &best).expect("it can be written");
        assert_eq!(read(&path, own), Some((state, best)));
        assert_eq!(read(&path, other), None);
        let mut file = fs::read(&path).expect("it is there");
        *file.last_mut().expect("it is not empty") ^= 1;
        fs::write(&path, file).expect("it can be written");
        assert_eq!(read(&path, own), None);
    }
}
