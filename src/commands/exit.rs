//! What the exit status tells.

use std::process::ExitCode;

/// How a command ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// All that was asked for is done.
    Done,
    /// All was done, and a comparison found a difference.
    Different,
    /// Wrong usage, or something could not be read or written. What could be done is done all the
    /// same.
    Failure,
    /// Some lines of the input were invalid; all others are done.
    Invalid,
    /// Some positions hit a limit; all others are done.
    Limit,
    /// Ended by SIGTERM or a deadline; what is done is safe, and the same command may go on with
    /// the rest.
    StopReason,
    /// Ended by Ctrl-C.
    Interrupted,
}

impl Exit {
    const fn status(self) -> u8 {
        match self {
            Exit::Done => 0,
            Exit::Different => 1,
            Exit::Failure => 2,
            Exit::Invalid => 3,
            Exit::Limit => 4,
            // EX_TEMPFAIL of sysexits.h: try again later.
            Exit::StopReason => 75,
            // As shells tell of a program that SIGINT has ended.
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
    fn what_is_not_done_has_its_own() {
        assert_eq!(
            [Exit::Limit, Exit::StopReason, Exit::Interrupted].map(Exit::status),
            [4, 75, 130]
        );
    }
}
