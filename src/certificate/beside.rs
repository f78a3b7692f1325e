//! Certificates of the positions of a run that solves a list: each is made as soon as its score is
//! known, while the tables have what the search has proved.

use parking_lot::Mutex;

use super::folder::{CertificateFolder, bounds};
use super::{CertificateOptions, certify};
use crate::batch::SolvedHook;
use crate::othello::{Position, Symmetry};
use crate::search::{Bounds, Searcher};

/// Writes the certificates of a run into a folder.
#[derive(Debug)]
pub struct CertificatesBeside {
    folder: CertificateFolder,
    options: CertificateOptions,
    made: Mutex<MadeBeside>,
}

/// What became of the certificates of a run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MadeBeside {
    /// The certificates in the folder, those of earlier runs included.
    pub certificates: u64,
    /// The positions whose bounds are proven and whose certificate was not finished, as the run was
    /// stopped.
    pub unfinished: u64,
    /// The files that could not be written.
    pub unwritten: u64,
    /// The reason of the first of them.
    pub error: Option<String>,
}

impl CertificatesBeside {
    /// Certificates in this folder.
    pub fn new(folder: CertificateFolder, options: CertificateOptions) -> CertificatesBeside {
        CertificatesBeside { folder, options, made: Mutex::default() }
    }

    /// What became of the certificates.
    pub fn made(&self) -> MadeBeside {
        self.made.lock().clone()
    }
}

impl SolvedHook for CertificatesBeside {
    fn solved(&self, searcher: &mut Searcher, position: &Position, proven: Bounds) {
        if proven == Bounds::UNKNOWN {
            return;
        }
        let (position, _) = Symmetry::canonical(*position);
        let kept = self.folder.claim(&position).is_some_and(|(claim, _)| {
            let claimed = bounds(&claim);
            claimed.lower >= proven.lower && claimed.upper <= proven.upper
        });
        if kept {
            self.made.lock().certificates += 1;
            return;
        }
        let certificate = certify(searcher, &position, proven, &self.options);
        let written = certificate.map(|made| self.folder.write(&position, &made.file));
        let mut made = self.made.lock();
        match written {
            Some(Ok(())) => made.certificates += 1,
            Some(Err(error)) => {
                made.unwritten += 1;
                made.error.get_or_insert_with(|| error.to_string());
            }
            None => made.unfinished += 1,
        }
    }
}
