//! The exit status of the program.

use std::process::ExitCode;

/// The outcome of a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// Everything is done.
    Done,
    /// Everything is done, and a comparison found a difference.
    Different,
    /// Wrong usage, or a file that cannot be read or written. Everything else is done.
    Failure,
    /// Some lines of the input were invalid; all others are done.
    Invalid,
    /// Some positions hit a limit; all others are done.
    Limit,
    /// Ended by SIGTERM, SIGHUP or a deadline. Finished results are safe, and the same command can
    /// be run again.
    Terminated,
    /// Ended by SIGINT, which is Ctrl-C.
    Interrupted,
}

impl Exit {
    /// The status that the program ends with.
    pub const fn status(self) -> u8 {
        match self {
            Exit::Done => 0,
            Exit::Different => 1,
            Exit::Failure => 2,
            Exit::Invalid => 3,
            Exit::Limit => 4,
            // EX_TEMPFAIL of sysexits.h: try again later.
            Exit::Terminated => 75,
            // 128 + SIGINT, as shells report it.
            Exit::Interrupted => 130,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.status())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn done_is_0() {
        assert_eq!(Exit::Done.status(), 0);
    }

    #[test]
    fn different_is_1() {
        assert_eq!(Exit::Different.status(), 1);
    }

    #[test]
    fn failure_is_2_as_clap_has_it_for_wrong_usage() {
        assert_eq!(Exit::Failure.status(), 2);
    }

    #[test]
    fn invalid_is_3() {
        assert_eq!(Exit::Invalid.status(), 3);
    }

    #[test]
    fn unfinished_work_has_statuses_of_its_own() {
        assert_eq!(
            [Exit::Limit, Exit::Terminated, Exit::Interrupted].map(Exit::status),
            [4, 75, 130]
        );
    }
}
