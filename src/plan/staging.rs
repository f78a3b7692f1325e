//! A folder that has its name only when it is complete.
//!
//! It is made under another name beside its destination, and renamed at the end. A process that is
//! killed leaves it behind; the next one with the same destination removes it.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::PlanError;

/// The end of the names of such folders.
const TEMPORARY: &str = ".yose.tmp";

/// The file in such a folder that its process has locked.
const LOCK: &str = "making.lock";

/// A folder that does not have its final name yet. It is removed unless it is committed.
#[derive(Debug)]
pub(super) struct Staging {
    folder: TempDir,
    lock: File,
    target: PathBuf,
}

impl Staging {
    /// Makes the folder.
    ///
    /// # Errors
    /// If `target` exists and is not an empty folder, or if no folder can be made beside it.
    pub fn create(target: &Path) -> Result<Staging, PlanError> {
        let error = |error| PlanError::write(target, error);
        let exists = || Err(PlanError::Exists { folder: target.to_owned() });
        match fs::read_dir(target).map(|mut entries| entries.next().is_some()) {
            Ok(true) => return exists(),
            Err(reason) if reason.kind() == io::ErrorKind::NotADirectory => return exists(),
            Err(reason) if reason.kind() != io::ErrorKind::NotFound => return Err(error(reason)),
            _ => {}
        }
        let parent = match target.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        let name = target.file_name().unwrap_or_default().to_string_lossy();
        let prefix = format!(".{name}.");
        remove_abandoned(parent, &prefix);
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix).suffix(TEMPORARY);
        #[cfg(unix)]
        {
            // As for other folders, the mask of the process decides who may read it.
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(fs::Permissions::from_mode(0o777));
        }
        let folder = builder.tempdir_in(parent).map_err(error)?;
        let lock = File::create_new(folder.path().join(LOCK)).map_err(error)?;
        // A system without locks leaves the folder of a killed process behind.
        let _ = lock.try_lock();
        Ok(Staging { folder, lock, target: target.to_owned() })
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Gives the folder its name. Its files must be on the disk.
    ///
    /// # Errors
    /// If another folder has that name by now.
    pub fn commit(self) -> Result<(), PlanError> {
        let Staging { folder, lock, target } = self;
        let error = |error| PlanError::write(&target, error);
        drop(lock);
        fs::remove_file(folder.path().join(LOCK)).map_err(error)?;
        // An empty folder is replaced.
        fs::rename(folder.path(), &target).map_err(|reason| match reason.kind() {
            io::ErrorKind::DirectoryNotEmpty | io::ErrorKind::AlreadyExists => {
                PlanError::Exists { folder: target.clone() }
            }
            _ => error(reason),
        })?;
        // Nothing with that name is left to be removed.
        let _ = folder.keep();
        Ok(())
    }
}

/// Removes the folders of processes that were killed: those whose lock nobody holds. What cannot be
/// removed stays; it does no harm.
fn remove_abandoned(parent: &Path, prefix: &str) {
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let is_ours =
            name.to_str().is_some_and(|name| name.starts_with(prefix) && name.ends_with(TEMPORARY));
        let lock = || File::open(entry.path().join(LOCK));
        if is_ours && lock().is_ok_and(|lock| lock.try_lock().is_ok()) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_has_its_name_when_it_is_complete() {
        let parent = tempfile::tempdir().expect("a folder");
        let target = parent.path().join("plan");
        let staging = Staging::create(&target).expect("a folder");
        fs::write(staging.path().join("a"), "1").expect("a file");
        assert!(!target.exists());
        let abandoned = staging.path().to_owned();
        // As if the process were killed.
        let Staging { folder, lock, .. } = staging;
        let _ = folder.keep();
        drop(lock);
        assert!(abandoned.exists());

        let staging = Staging::create(&target).expect("a folder");
        assert!(!abandoned.exists(), "it is removed");
        let other = Staging::create(&target).expect("a folder");
        assert!(staging.path().exists(), "its process lives");
        fs::write(staging.path().join("a"), "2").expect("a file");
        staging.commit().expect("it gets its name");
        assert_eq!(fs::read_dir(&target).expect("a folder").count(), 1);
        assert!(matches!(other.commit(), Err(PlanError::Exists { .. })));
        assert!(matches!(Staging::create(&target), Err(PlanError::Exists { .. })));
        assert_eq!(fs::read_dir(parent.path()).expect("a folder").count(), 1, "no folder is left");
    }
}
