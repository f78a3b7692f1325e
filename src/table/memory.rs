//! The memory of this process: whether tables fit into it, before they are allocated, and how much
//! of it is free.
//!
//! Linux overcommits: an allocation succeeds even if it is larger than the memory, and pages are
//! assigned when they are first written. Without this check, the system would end the program in
//! the middle of a long search.

use std::path::Path;
use std::sync::LazyLock;

use sysinfo::System;

use super::TableError;
use super::control_group::{GroupMemory, group_memory};

/// Checks that `count` tables of `bytes` bytes each fit into the memory of this machine, or of the
/// control group (cgroup) of this process if that is less.
///
/// # Errors
/// [`TableError::TooLarge`] if they do not fit.
pub fn check_memory(bytes: u64, count: usize) -> Result<(), TableError> {
    check(bytes, count, *MEMORY)
}

/// Checks that `count` tables of `bytes` bytes each fit into the memory, and then that they do so
/// together with the `each` bytes that each of `threads` threads needs of its own.
///
/// # Errors
/// [`TableError::TooLarge`] or [`TableError::TooManyThreads`] if they do not fit.
pub fn check_memory_with_threads(
    (bytes, count): (u64, usize),
    (each, threads): (u64, usize),
) -> Result<(), TableError> {
    check_memory(bytes, count)?;
    check_threads(bytes * count as u64, (each, threads), *MEMORY)
}

/// The memory that this process may use, read once.
static MEMORY: LazyLock<u64> = LazyLock::new(memory);

/// The bytes of memory of this machine, of the control group, or of the process (`ulimit -v`),
/// whichever are least. `u64::MAX` if the system does not report it.
fn memory() -> u64 {
    let machine = machine(System::total_memory);
    let group = group().map(|group| group.limit);
    machine.into_iter().chain(group).chain([address_space()]).min().unwrap_or(u64::MAX)
}

/// The bytes of memory that are free for this process: those of the machine, or of the control
/// group if these are fewer. `None` if the system does not report it.
pub(super) fn free() -> Option<u64> {
    let machine = machine(System::available_memory)?;
    Some(group().map_or(machine, |group| group.free.min(machine)))
}

/// The bytes of memory that are free, but at most half of what the process may still allocate
/// (`ulimit -v`): stacks take much more of the address space than of the memory. `None` if the
/// system does not report it.
pub(super) fn unreserved() -> Option<u64> {
    Some(free()?.min(address_space().saturating_sub(address_space_in_use()) / 2))
}

/// A figure of the machine in bytes; `None` if the system does not report it.
fn machine(figure: impl Fn(&System) -> u64) -> Option<u64> {
    let mut system = System::new().ok()?;
    system.refresh_memory();
    Some(figure(&system)).filter(|&bytes| bytes > 0)
}

/// The memory of the control group; `None` if it has no limit, or on systems without such groups.
fn group() -> Option<GroupMemory> {
    if !cfg!(all(target_os = "linux", not(miri))) {
        return None;
    }
    group_memory(Path::new("/proc/self"), Path::new("/sys/fs/cgroup"))
}

/// The limit of the address space of this process; `u64::MAX` if there is none.
fn address_space() -> u64 {
    #[cfg(all(target_os = "linux", not(miri)))]
    {
        let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        // SAFETY: `limit` is a structure that the call fills.
        if unsafe { libc::getrlimit(libc::RLIMIT_AS, &raw mut limit) } == 0 {
            return limit.rlim_cur;
        }
    }
    u64::MAX
}

/// The bytes of the address space that this process has allocated. 0 if the system does not report
/// it.
fn address_space_in_use() -> u64 {
    #[cfg(all(target_os = "linux", not(miri)))]
    {
        let kibibytes =
            |line: &str| line.strip_prefix("VmSize:")?.split_whitespace().next()?.parse().ok();
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        status.lines().find_map(kibibytes).map_or(0, |size: u64| size << 10)
    }
    #[cfg(not(all(target_os = "linux", not(miri))))]
    0
}

/// A size for people: in MiB, or in GiB from one GiB on.
pub fn readable_size(bytes: u64) -> String {
    match bytes as f64 / (1u64 << 30) as f64 {
        gibibytes if gibibytes < 1.0 => format!("{:.1} MiB", gibibytes * 1024.0),
        gibibytes => format!("{gibibytes:.1} GiB"),
    }
}

fn check_threads(
    tables: u64,
    (each, threads): (u64, usize),
    memory: u64,
) -> Result<(), TableError> {
    let all = each.checked_mul(threads as u64).and_then(|bytes| bytes.checked_add(tables));
    match all {
        Some(all) if all <= memory => Ok(()),
        _ => Err(TableError::TooManyThreads { threads, each, tables, memory }),
    }
}

fn check(bytes: u64, count: usize, memory: u64) -> Result<(), TableError> {
    match bytes.checked_mul(count as u64) {
        Some(all) if all <= memory => Ok(()),
        _ => Err(TableError::TooLarge { bytes, count, memory }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GIB: u64 = 1 << 30;

    #[test]
    fn tables_that_do_not_fit_are_an_error_with_their_size() {
        assert_eq!(check(20 * GIB, 1, 24 * GIB), Ok(()));
        assert_eq!(check(12 * GIB, 2, 24 * GIB), Ok(()));
        let error =
            |bytes, count| check(bytes, count, 24 * GIB).expect_err("too large").to_string();
        assert_eq!(
            error(200 * GIB, 1),
            "a table of 200.0 GiB does not fit into the memory of 24.0 GiB"
        );
        assert_eq!(
            error(7 * GIB, 4),
            "4 tables of 7.0 GiB each do not fit into the memory of 24.0 GiB"
        );
        assert!(check(u64::MAX, 2, u64::MAX).is_err(), "the product overflows");
    }

    #[test]
    fn threads_are_counted_with_the_table() {
        let check = |threads| check_threads(4 * GIB, (5 << 19, threads), 24 * GIB);
        assert_eq!(check(8192), Ok(()));
        assert_eq!(
            check(8193).expect_err("too many").to_string(),
            "8193 threads of 2.5 MiB each and 4.0 GiB for the table do not fit into the memory of \
             24.0 GiB"
        );
        assert!(check(usize::MAX).is_err(), "the product overflows");
    }

    #[test]
    fn free_memory_is_a_part_of_the_memory() {
        let (free, unreserved) = (free().expect("a figure"), unreserved().expect("a figure"));
        assert!(unreserved <= free && free <= *MEMORY, "{unreserved}, {free} of {}", *MEMORY);
        assert!(cfg!(not(target_os = "linux")) || address_space_in_use() > 1 << 20);
    }

    #[test]
    fn a_mebibyte_fits_and_an_exbibyte_does_not() {
        assert_eq!(check_memory(1 << 20, 1), Ok(()));
        assert!(check_memory(1 << 60, 1).is_err());
    }
}
