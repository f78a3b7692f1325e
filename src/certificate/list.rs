//! Certificates for a list of positions: a file for each, in one folder.

use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use thiserror::Error;

use super::folder::{CertificateFolder, WriteError, bounds, decides, file_name};
use super::{CertificateOptions, certify};
use crate::batch::executor::{HelpedTaskList, in_order};
use crate::batch::{Searchers, StopSignal, ThreadError};
use crate::othello::{Position, Symmetry};
use crate::search::{Bounds, Limits, Request, Searcher, Window};

/// Why a list could not be certified.
#[derive(Debug, Error)]
pub enum CertifyError {
    /// A thread could not be started.
    #[error(transparent)]
    Threads(#[from] ThreadError),
    /// A certificate could not be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The result could not be reported.
    #[error(transparent)]
    Report(io::Error),
}

/// How a list is certified.
#[derive(Clone, Debug)]
pub struct ListOptions {
    /// The folder of the certificates.
    pub folder: CertificateFolder,
    /// How each certificate is made.
    pub certificate: CertificateOptions,
}

/// A position of a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ToCertify {
    /// Its identifier.
    pub id: String,
    /// The position.
    pub position: Position,
    /// The scores that are distinguished.
    pub window: Window,
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
    I: IntoIterator<Item = ToCertify>,
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
        let work = |searcher: &mut Searcher, task| certify_one(searcher, task, options);
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
    ToCertify { id, position, window }: ToCertify,
    ListOptions { folder, certificate }: &ListOptions,
) -> Result<Option<Certified>, CertifyError> {
    let file = file_name(&position);
    let (position, _) = Symmetry::canonical(position);
    let empties = position.empties().count();
    if let Some((claim, bytes)) = folder.claim(&position)
        && decides(bounds(&claim), window)
    {
        let (bounds, moves) = (bounds(&claim), claim.moves);
        let (solved_in, certified_in) = (Duration::ZERO, Duration::ZERO);
        let kept = Certified { id, empties, bounds, file, bytes, moves, solved_in, certified_in };
        return Ok(Some(kept));
    }
    let start = Instant::now();
    let request = Request { position, window, all_moves: false };
    let solution = searcher.solve_within(&request, &Limits::NONE);
    let solved_in = start.elapsed();
    if solution.stopped.is_some() {
        return Ok(None);
    }
    let bounds = solution.bounds;
    let start = Instant::now();
    let Some(made) = certify(searcher, &position, bounds, certificate) else { return Ok(None) };
    let certified_in = start.elapsed();
    folder.write(&position, &made.file)?;
    let (bytes, moves) = (made.file.len() as u64, made.moves);
    Ok(Some(Certified { id, empties, bounds, file, bytes, moves, solved_in, certified_in }))
}
