//! A folder of certificates: a file for each position, up to symmetry.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use thiserror::Error;
use yose_check::Claim;

use crate::othello::{Position, Score, Symmetry};
use crate::output_file::{Existing, OutputFile};
use crate::search::{Bounds, Window};

/// The extension of certificates.
const EXTENSION: &str = "yosecert";

/// The limits of a check: bytes of memory, and positions that the searches of leaves look at. Those
/// of `yose-check`.
const CHECK_LIMITS: [u64; 2] = [4 << 30, 100_000_000_000];

/// A certificate that could not be written.
#[derive(Debug, Error)]
#[error("{}: {error}", file.display())]
pub struct WriteError {
    /// The file.
    pub file: PathBuf,
    /// The system's reason.
    pub error: io::Error,
}

/// A folder of certificates.
#[derive(Clone, Debug)]
pub struct CertificateFolder(PathBuf);

impl CertificateFolder {
    /// The folder with this path.
    pub fn new(path: impl Into<PathBuf>) -> CertificateFolder {
        CertificateFolder(path.into())
    }

    /// The path of the folder.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The path of the certificate of a position.
    fn file(&self, position: &Position) -> PathBuf {
        self.0.join(file_name(position))
    }

    /// What the certificate of a position claims, and its size in bytes. `None` if there is none,
    /// or if it is damaged. The proof is not checked.
    pub(super) fn claim(&self, position: &Position) -> Option<(Claim, u64)> {
        let content = std::fs::read(self.file(position)).ok()?;
        let claim = yose_check::read_claim(&content).ok()?;
        is_of(&claim, position).then_some((claim, content.len() as u64))
    }

    /// The bounds that the certificate of a position proves, found by the checker alone. `None` if
    /// there is no certificate. `stop` is called now and then, and ends the check if it is true.
    ///
    /// # Errors
    /// If the checker does not accept the file: its name and what is wrong with it.
    pub fn proven(
        &self,
        position: &Position,
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<Bounds>, String> {
        let file = self.file(position);
        let refused = |reason: &dyn std::fmt::Display| format!("{}: {reason}", file.display());
        let content = match std::fs::read(&file) {
            Ok(content) => content,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(refused(&error)),
        };
        let (claim, _) =
            yose_check::check(&content, CHECK_LIMITS, stop).map_err(|reason| refused(&reason))?;
        if is_of(&claim, position) {
            Ok(Some(bounds(&claim)))
        } else {
            Err(refused(&"it is the certificate of another position"))
        }
    }

    /// Writes the certificate of a position, in place of one that is there. The file has its name
    /// when it is complete.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn write(&self, position: &Position, content: &[u8]) -> Result<(), WriteError> {
        let file = self.file(position);
        let write = || -> io::Result<()> {
            let mut output = OutputFile::create(&file, Existing::Replace)?;
            output.write_all(content)?;
            output.commit()?;
            Ok(())
        };
        write().map_err(|error| WriteError { file, error })
    }
}

/// The name of the certificate of a position: both sides' discs of the canonical image in
/// hexadecimal.
pub fn file_name(position: &Position) -> String {
    let (Position { player, opponent }, _) = Symmetry::canonical(*position);
    let mut name = String::new();
    let _ = write!(name, "{:016x}-{:016x}.{EXTENSION}", player.0, opponent.0);
    name
}

/// The claimed bounds.
pub(super) fn bounds(claim: &Claim) -> Bounds {
    let score = |discs: i8| Score::new(discs.into());
    Bounds { lower: score(claim.lower), upper: score(claim.upper) }
}

/// Whether a claim is about this position or one of its images.
fn is_of(claim: &Claim, position: &Position) -> bool {
    let (canonical, _) = Symmetry::canonical(*position);
    (claim.board.player, claim.board.opponent) == (canonical.player.0, canonical.opponent.0)
}

/// Whether bounds are all that a search of `window` finds.
pub(super) fn decides(bounds: Bounds, window: Window) -> bool {
    bounds.exact().is_some()
        || (bounds.lower >= window.beta() && window.beta() < Score::MAX)
        || (bounds.upper <= window.alpha() && window.alpha() > Score::MIN)
}
