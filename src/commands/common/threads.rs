//! The number of threads.

use std::num::NonZeroUsize;
use std::thread;

/// The number of threads that solve.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct ThreadArgs {
    /// Number of threads that solve
    ///
    /// The default is the number of processors that this program may use: an affinity mask
    /// (`taskset`) and the limits of a control group (a container, a batch system) count. Threads
    /// are started as there is work for them.
    #[arg(short, long, value_name = "N", value_parser = parse)]
    threads: Option<NonZeroUsize>,
}

impl ThreadArgs {
    /// The number of threads.
    pub fn count(self) -> NonZeroUsize {
        self.threads.unwrap_or_else(all_cores)
    }
}

fn parse(text: &str) -> Result<NonZeroUsize, String> {
    match text.trim().parse() {
        Ok(0) => Err("no thread would solve; give 1 or more".to_owned()),
        Ok(count) => Ok(NonZeroUsize::new(count).expect("it is not 0")),
        Err(_) => Err("it is not a whole number".to_owned()),
    }
}

/// The number of processors that this program may use; 1 if the system does not report it.
pub fn all_cores() -> NonZeroUsize {
    thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}
