//! The memory of the control group (cgroup) of this process: what Linux, a container or a service
//! manager allows.
//!
//! Groups are nested, and the limit of every group above counts. Source: The Linux kernel
//! documentation, "Control Group v2" and "Memory Resource Controller",
//! <https://docs.kernel.org/admin-guide/cgroup-v2.html> and
//! <https://docs.kernel.org/admin-guide/cgroup-v1/memory.html>.

use std::fs;
use std::path::{Path, PathBuf};

/// The memory of a control group, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct GroupMemory {
    /// The least limit of the group and of those above it.
    pub(super) limit: u64,
    /// What is left of it. Files in the cache of the system that nobody has read lately count as
    /// free.
    pub(super) free: u64,
}

/// The names of the files of a group.
struct Names {
    limits: &'static [&'static str],
    usage: &'static str,
    /// The line of `memory.stat` with the bytes that the system can take back at once.
    reclaimable: &'static str,
}

const VERSION_1: Names = Names {
    limits: &["memory.limit_in_bytes"],
    usage: "memory.usage_in_bytes",
    reclaimable: "total_inactive_file",
};

const VERSION_2: Names = Names {
    limits: &["memory.max", "memory.high"],
    usage: "memory.current",
    reclaimable: "inactive_file",
};

/// The memory of the group of a process. `process` is its folder in `/proc`, and `mounted` is
/// `/sys/fs/cgroup`. `None` if no group has a limit.
pub(super) fn group_memory(process: &Path, mounted: &Path) -> Option<GroupMemory> {
    let text = fs::read_to_string(process.join("cgroup")).ok()?;
    let groups = text.lines().filter_map(|line| group(line, mounted));
    let memory = groups.flat_map(|(names, root, folder)| {
        let above = folder.ancestors().take_while(|folder| folder.starts_with(&root));
        above.filter_map(|folder| memory(folder, names)).collect::<Vec<_>>()
    });
    memory.reduce(|a, b| GroupMemory { limit: a.limit.min(b.limit), free: a.free.min(b.free) })
}

/// The names, the root and the folder of the group in a line of `/proc/PID/cgroup`, if its
/// controllers include that of the memory.
fn group(line: &str, mounted: &Path) -> Option<(&'static Names, PathBuf, PathBuf)> {
    let mut fields = line.splitn(3, ':');
    let (number, controllers, path) = (fields.next()?, fields.next()?, fields.next()?);
    let (names, root) = if number == "0" && controllers.is_empty() {
        (&VERSION_2, mounted.to_owned())
    } else if controllers.split(',').any(|controller| controller == "memory") {
        (&VERSION_1, mounted.join("memory"))
    } else {
        return None;
    };
    // A group outside of the namespace of the process begins with `/..`.
    let inside = !path.split('/').any(|part| part == "..");
    let folder = if inside { root.join(path.trim_start_matches('/')) } else { root.clone() };
    Some((names, root, folder))
}

/// The memory of the group with this folder; `None` if it has no limit.
fn memory(folder: &Path, names: &Names) -> Option<GroupMemory> {
    let number = |name: &&str| fs::read_to_string(folder.join(name)).ok()?.trim().parse().ok();
    let limit: u64 = names.limits.iter().filter_map(number).min()?;
    let usage = number(&names.usage)?;
    let statistics = fs::read_to_string(folder.join("memory.stat")).unwrap_or_default();
    let value = |line: &str| line.strip_prefix(names.reclaimable)?.trim().parse().ok();
    let reclaimable: u64 = statistics.lines().find_map(value).unwrap_or(0);
    Some(GroupMemory { limit, free: limit.saturating_sub(usage.saturating_sub(reclaimable)) })
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1 << 20;

    /// A folder with these files, in which `proc/cgroup` has the groups of a process.
    fn memory_of(files: &[(&str, &str)]) -> Option<GroupMemory> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("it can be made");
            fs::write(path, text).expect("it can be written");
        }
        group_memory(&folder.path().join("proc"), &folder.path().join("sys"))
    }

    #[test]
    fn the_limit_of_every_group_above_counts() {
        let files = [
            ("proc/cgroup", "0::/a/b\n"),
            ("sys/memory.current", "1"),
            ("sys/a/memory.max", "209715200\n"),
            ("sys/a/memory.current", "199229440\n"),
            ("sys/a/memory.stat", "anon 4096\ninactive_file 94371840\ninactive_file_x 1\n"),
            ("sys/a/b/memory.max", "max\n"),
            ("sys/a/b/memory.high", "314572800\n"),
            ("sys/a/b/memory.current", "0\n"),
        ];
        let memory = Some(GroupMemory { limit: 200 * MIB, free: 100 * MIB });
        assert_eq!(memory_of(&files), memory);
        assert_eq!(memory_of(&files[..6]), memory);
    }

    #[test]
    fn version_1_has_other_names() {
        let files = [
            ("proc/cgroup", "5:devices:/x\n4:cpu,memory:/a\n0::/\n"),
            ("sys/memory/a/memory.limit_in_bytes", "104857600\n"),
            ("sys/memory/a/memory.usage_in_bytes", "52428800\n"),
            ("sys/memory/memory.limit_in_bytes", "9223372036854771712\n"),
            ("sys/memory/memory.usage_in_bytes", "4096\n"),
        ];
        let memory = Some(GroupMemory { limit: 100 * MIB, free: 50 * MIB });
        assert_eq!(memory_of(&files), memory);
    }

    #[test]
    fn a_group_that_is_not_there_or_has_no_limit() {
        for groups in ["0::/../x\n", "0::/not/mounted\n", "0::/\n"] {
            let files = [
                ("proc/cgroup", groups),
                ("sys/memory.max", "104857600"),
                ("sys/memory.current", "204857600"),
                ("x/memory.max", "1"),
            ];
            let memory = Some(GroupMemory { limit: 100 * MIB, free: 0 });
            assert_eq!(memory_of(&files), memory, "{groups}");
        }
        let unlimited = [("proc/cgroup", "0::/\n"), ("sys/memory.max", "max\n")];
        for files in [&[][..], &unlimited, &[("proc/cgroup", "\n:\n0:\nwrong")]] {
            assert_eq!(memory_of(files), None);
        }
    }
}
