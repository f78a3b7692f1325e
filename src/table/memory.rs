//! How much memory there is for tables.
//!
//! The system hands memory over when it is first written, and gives out more than it has: without a
//! look at what there is, a table that is too large would be found out hours later, when the system
//! ends the program.

use std::sync::LazyLock;

use sysinfo::System;

use super::TableError;

/// Whether `count` tables of `bytes` bytes each fit into the memory of this machine, or of the
/// control group that the program runs in.
///
/// # Errors
/// If they do not, with both figures.
pub fn afford(bytes: u64, count: usize) -> Result<(), TableError> {
    static THERE: LazyLock<u64> = LazyLock::new(there);
    check(bytes, count, *THERE)
}

/// The bytes of memory; all that can be named where the system does not tell.
fn there() -> u64 {
    let Ok(mut system) = System::new() else { return u64::MAX };
    system.refresh_memory();
    let machine = Some(system.total_memory()).filter(|&bytes| bytes > 0);
    let group = system.cgroup_limits().map(|limits| limits.total_memory);
    machine.into_iter().chain(group).min().unwrap_or(u64::MAX)
}

fn check(bytes: u64, count: usize, there: u64) -> Result<(), TableError> {
    match bytes.checked_mul(count as u64) {
        Some(all) if all <= there => Ok(()),
        _ => Err(TableError::TooLarge { bytes, count, there }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GIB: u64 = 1 << 30;

    #[test]
    fn what_does_not_fit_is_refused_with_the_figures() {
        assert_eq!(check(20 * GIB, 1, 24 * GIB), Ok(()));
        assert_eq!(check(12 * GIB, 2, 24 * GIB), Ok(()));
        let error =
            |bytes, count| check(bytes, count, 24 * GIB).expect_err("too large").to_string();
        assert_eq!(
            error(200 * GIB, 1),
            "a table of 200.0 GiB does not fit into the memory there is, 24.0 GiB"
        );
        assert_eq!(
            error(7 * GIB, 4),
            "4 tables of 7.0 GiB each do not fit into the memory there is, 24.0 GiB"
        );
        assert!(check(u64::MAX, 2, u64::MAX).is_err(), "more than can be counted");
    }

    #[test]
    fn this_machine_has_memory() {
        assert_eq!(afford(1 << 20, 1), Ok(()));
        assert!(afford(1 << 60, 1).is_err(), "an exbibyte");
    }
}
