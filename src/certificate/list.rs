//! Certificates for a list of positions: a file for each, in one folder.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use thiserror::Error;

use super::{CertificateOptions, certify};
use crate::batch::executor::{HelpedTaskList, in_order};
use crate::batch::{Searchers, StopSignal, ThreadError};
use crate::othello::{Position, Score, Symmetry};
use crate::output_file::{Existing, OutputFile};
use crate::search::{Bounds, Limits, Request, Searcher, Window};

/// The extension of certificates.
const EXTENSION: &str = "yosecert";

/// Why a list could not be certified.
#[derive(Debug, Error)]
pub enum CertifyError {
    /// A thread could not be started.
    #[error(transparent)]
    Threads(#[from] ThreadError),
    /// A certificate could not be written.
    #[error("{file}: {error}")]
    Write {
        /// The file.
        file: PathBuf,
        /// The system's reason.
        error: io::Error,
    },
    /// The result could not be reported.
    #[error(transparent)]
    Report(io::Error),
}

/// How a list is certified.
#[derive(Clone, Debug)]
pub struct ListOptions {
    /// The folder of the certificates.
    pub folder: PathBuf,
    /// The scores that are distinguished.
    pub window: Window,
    /// How each certificate is made.
    pub certificate: CertificateOptions,
}

/// The certificate of one position of a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certified {
    /// The identifier of the position.
    pub id: String,
    /// Its number of empties.
    pub empties: u32,
    /// What the certificate proves; that of the side to move.
    pub bounds: Bounds,
    /// The name of the file in the folder.
    pub file: String,
    /// The size of the file in bytes.
    pub bytes: u64,
    /// The number of moves in it.
    pub moves: u64,
    /// The time to solve the position. Zero if the folder had the certificate before.
    pub solved_in: Duration,
    /// The time to find the moves of the certificate.
    pub certified_in: Duration,
}

/// The name of the certificate of a position: both sides' discs of the canonical image in
/// hexadecimal.
pub fn file_name(position: &Position) -> String {
    let (Position { player, opponent }, _) = Symmetry::canonical(*position);
    let mut name = String::new();
    let _ = write!(name, "{:016x}-{:016x}.{EXTENSION}", player.0, opponent.0);
    name
}

/// The bounds that a certificate in memory claims, if it is one of this position, and if its digest
/// is that of its content. The proof is not checked.
pub(super) fn claimed_bounds(file: &[u8], position: &Position) -> Option<Bounds> {
    let claim = yose_check::read_claim(file).ok()?;
    let (canonical, _) = Symmetry::canonical(*position);
    let is_of =
        (claim.board.player, claim.board.opponent) == (canonical.player.0, canonical.opponent.0);
    let score = |discs: i8| Score::new(discs.into());
    is_of.then(|| Bounds { lower: score(claim.lower), upper: score(claim.upper) })
}

/// Solves each position of a list and writes its certificate. `report` gets them in the order of
/// the list. A position whose certificate is in the folder is not solved again.
///
/// After `stop` is set, no further position is solved.
///
/// # Errors
/// If a certificate cannot be written, if `report` fails, or if a thread cannot be started.
pub fn certify_list<I>(
    positions: I,
    options: &ListOptions,
    searchers: &mut Searchers,
    stop: &StopSignal,
    mut report: impl FnMut(Certified) -> io::Result<()>,
) -> Result<(), CertifyError>
where
    I: IntoIterator<Item = (String, Position)>,
    I::IntoIter: Send,
{
    let searchers = &mut searchers.searchers;
    let pool = Arc::clone(searchers[0].thread_pool());
    std::thread::scope(|scope| {
        let watch = || {
            if stop.wait(None).is_some() {
                pool.abort();
            }
        };
        std::thread::Builder::new().spawn_scoped(scope, watch).map_err(ThreadError)?;
        // Ends the watching thread.
        let _finish = stop.finish_on_drop();
        let tasks = HelpedTaskList::new(positions, &pool);
        let work = |searcher: &mut Searcher, (id, position): (String, Position)| {
            certify_one(searcher, id, &position, options)
        };
        in_order(searchers, &tasks, work, |certified| match certified? {
            Some(certified) => {
                report(certified).map_err(CertifyError::Report)?;
                Ok(ControlFlow::Continue(()))
            }
            None => Ok(ControlFlow::Break(())),
        })?
    })
}

/// Makes the certificate of one position. `None` if the search was aborted.
fn certify_one(
    searcher: &mut Searcher,
    id: String,
    position: &Position,
    options: &ListOptions,
) -> Result<Option<Certified>, CertifyError> {
    let file = file_name(position);
    let path = options.folder.join(&file);
    let (position, _) = Symmetry::canonical(*position);
    let empties = position.empties().count();
    if let Ok(content) = std::fs::read(&path)
        && let Some(bounds) = claimed_bounds(&content, &position)
        && decides(bounds, options.window)
    {
        let bytes = content.len() as u64;
        let moves = yose_check::read_claim(&content).map_or(0, |claim| claim.moves);
        let (solved_in, certified_in) = (Duration::ZERO, Duration::ZERO);
        let kept = Certified { id, empties, bounds, file, bytes, moves, solved_in, certified_in };
        return Ok(Some(kept));
    }
    let start = Instant::now();
    let request = Request { position, window: options.window, all_moves: false };
    let solution = searcher.solve_within(&request, &Limits::NONE);
    let solved_in = start.elapsed();
    if solution.stopped.is_some() {
        return Ok(None);
    }
    let start = Instant::now();
    let made = certify(searcher, &position, solution.bounds, &options.certificate);
    let Some(certificate) = made else { return Ok(None) };
    let certified_in = start.elapsed();
    write(&path, &certificate.file)
        .map_err(|error| CertifyError::Write { file: path.clone(), error })?;
    Ok(Some(Certified {
        id,
        empties,
        bounds: solution.bounds,
        file,
        bytes: certificate.file.len() as u64,
        moves: certificate.moves,
        solved_in,
        certified_in,
    }))
}

/// Whether bounds are all that a search of `window` finds.
fn decides(bounds: Bounds, window: Window) -> bool {
    bounds.exact().is_some()
        || (bounds.lower >= window.beta() && window.beta() < Score::MAX)
        || (bounds.upper <= window.alpha() && window.alpha() > Score::MIN)
}

/// Writes a file that has its name when it is complete.
fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut file = OutputFile::create(path, Existing::Replace)?;
    file.write_all(content)?;
    file.commit()?;
    Ok(())
}
