//! Threads that live as long as a solver and run one job after the other.

use std::fmt;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};

use crate::batch::executor::worker_thread;

type Job = Box<dyn FnOnce() + Send>;

/// A thread that waits for jobs. Dropping it waits for the job that it runs.
pub(super) struct Thread {
    /// `None` only while the thread is dropped.
    jobs: Option<Sender<Job>>,
    handle: Option<JoinHandle<()>>,
}

impl Thread {
    /// Starts the thread with this index, which is part of its name.
    pub(super) fn start(index: usize) -> io::Result<Thread> {
        let (sender, jobs) = mpsc::channel::<Job>();
        let handle = worker_thread(index).spawn(move || jobs.into_iter().for_each(|job| job()))?;
        Ok(Thread { jobs: Some(sender), handle: Some(handle) })
    }

    /// Runs a job after those that were given before.
    pub(super) fn run<R: Send + 'static>(
        &self,
        job: impl FnOnce() -> R + Send + 'static,
    ) -> Pending<R> {
        let (sender, result) = mpsc::sync_channel(1);
        let job = Box::new(move || {
            // The receiver is gone only if the caller has panicked.
            let _ = sender.send(catch_unwind(AssertUnwindSafe(job)));
        });
        let jobs = self.jobs.as_ref().expect("the thread is not dropped");
        jobs.send(job).expect("a thread catches the panics of its jobs");
        Pending(result)
    }
}

impl Drop for Thread {
    fn drop(&mut self) {
        drop(self.jobs.take());
        if let Some(handle) = self.handle.take() {
            let _ = handle.join();
        }
    }
}

impl fmt::Debug for Thread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Thread").finish_non_exhaustive()
    }
}

/// The result of a job that may still run.
pub(super) struct Pending<R>(Receiver<thread::Result<R>>);

impl<R> Pending<R> {
    /// Waits for the result; an error is the panic of the job.
    pub(super) fn result(self) -> thread::Result<R> {
        self.0.recv().expect("a job always sends its result")
    }

    /// Waits for the result. Panics if the job has panicked.
    pub(super) fn wait(self) -> R {
        self.result().unwrap_or_else(|panic| resume_unwind(panic))
    }
}
