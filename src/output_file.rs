//! Output files that have their name only when they are complete.
//!
//! An [`OutputFile`] is written under another name, beside its destination. [`OutputFile::commit`]
//! forces it to the disk and renames it. A file system renames in one step, so whoever opens the
//! destination finds the old file, no file, or the whole new one. The method is that of POSIX
//! `rename`: <https://pubs.opengroup.org/onlinepubs/9799919799/functions/rename.html>. Then the
//! folder is forced to the disk too, so that the file keeps its name after a power failure.
//!
//! There are two kinds:
//!
//! - A *temporary* file ([`OutputFile::create`]) is removed unless it is committed. Its content
//!   takes little time to make again. Its name is `.NAME.xxxxxx.yose.tmp`. A process that is killed
//!   leaves it behind; the next process that writes the same destination removes it.
//! - A *partial* file ([`OutputFile::create_partial`]) stays if it is not committed: its content
//!   may be the work of hours. Its name is `NAME.part`. It is never overwritten unless the caller
//!   replaces existing files.
//!
//! A destination that is a device or a pipe is written directly. It has no content to protect.
//!
//! What must hold: no other code of this program creates an output file under its final name,
//! except a journal, which is a file that is known to be unfinished.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use tempfile::TempPath;
use thiserror::Error;

/// The end of the names of temporary files.
const TEMPORARY: &str = ".yose.tmp";

/// The number of random characters before [`TEMPORARY`].
const RANDOM: usize = 6;

/// What happens to an existing file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Existing {
    /// It is an error, at the start and when the new file gets its name.
    Keep,
    /// It is replaced. It must be writable, and no other run may be writing it.
    Replace,
    /// It is replaced. The caller has opened and locked it.
    ReplaceLocked,
}

/// Why an output file cannot be written. Each message begins with the name of a file.
#[derive(Debug, Error)]
pub enum OutputFileError {
    /// The destination exists, and must not be replaced.
    #[error("{file}: exists already, and may hold results")]
    Exists {
        /// The name of the file.
        file: String,
    },
    /// An earlier run has left its partial file, which must not be replaced.
    #[error("{file}: exists already, and has the results of a run that did not end")]
    Unfinished {
        /// The name of the partial file.
        file: String,
    },
    /// Another run has locked it.
    #[error("{file}: another run is writing it")]
    Locked {
        /// The name of the file.
        file: String,
    },
    /// It cannot be written.
    #[error("{file}: cannot be written: {error}")]
    Write {
        /// The name of the file.
        file: String,
        /// The system's reason.
        error: io::Error,
    },
}

/// The same error, without the name of the file, for callers that add it.
impl From<OutputFileError> for io::Error {
    fn from(error: OutputFileError) -> io::Error {
        match error {
            OutputFileError::Write { error, .. } => error,
            OutputFileError::Exists { .. } => ErrorKind::AlreadyExists.into(),
            OutputFileError::Unfinished { .. } | OutputFileError::Locked { .. } => {
                io::Error::new(ErrorKind::ResourceBusy, error)
            }
        }
    }
}

/// A file that gets its name when it is complete.
#[derive(Debug)]
pub struct OutputFile {
    /// The name of the destination, in messages.
    name: String,
    writer: BufWriter<File>,
    /// `None` for a device or a pipe, and after the commit.
    pending: Option<Pending>,
}

/// A file that does not have its final name yet.
#[derive(Debug)]
struct Pending {
    /// Removed when it is dropped, unless the cleanup is disabled.
    path: TempPath,
    is_partial: bool,
    target: PathBuf,
    replaces: bool,
    /// The file that will be replaced; it is locked until then.
    _old: Option<File>,
}

impl OutputFile {
    /// Starts a temporary file for the destination `path`. It is removed unless it is committed.
    ///
    /// # Errors
    /// If the destination exists and must not be replaced, if another run writes it, or if no file
    /// can be made beside it.
    pub fn create(path: &Path, existing: Existing) -> Result<OutputFile, OutputFileError> {
        OutputFile::begin(path, existing, |target| {
            let (folder, name) = (folder_of(target), name_of(target));
            remove_abandoned(folder, &name);
            let mut builder = tempfile::Builder::new();
            let prefix = format!(".{name}.");
            builder.prefix(&prefix).suffix(TEMPORARY).rand_bytes(RANDOM);
            // Without the lock, another run could take the file for an abandoned one. A system
            // without locks has no abandoned files that can be recognised.
            let make = |path: &Path| {
                let mut options = OpenOptions::new();
                options.read(true).write(true).create_new(true);
                open_locked(&mut options, path)?.ok_or_else(|| ErrorKind::AlreadyExists.into())
            };
            let file = builder.make_in(folder, make).map_err(|error| write_error(path, error))?;
            Ok(file.into_parts())
        })
    }

    /// Starts a partial file for the destination `path`: `path` with `.part` appended. It stays if
    /// it is not committed, unless it is empty.
    ///
    /// # Errors
    /// As for [`OutputFile::create`]. A partial file of an earlier run is an error under
    /// [`Existing::Keep`].
    pub fn create_partial(path: &Path, existing: Existing) -> Result<OutputFile, OutputFileError> {
        let mut output = OutputFile::begin(path, existing, |target| {
            let partial = partial_path(target);
            let name = || partial_name(path);
            let not_written = |error| OutputFileError::Write { file: name(), error };
            let mut options = OpenOptions::new();
            let options = options.write(true).create(true).truncate(false);
            let file = open_locked(options, &partial).map_err(not_written)?;
            let file = file.ok_or_else(|| OutputFileError::Locked { file: name() })?;
            // A process that was killed at once leaves an empty file.
            let is_empty = file.metadata().map_err(not_written)?.len() == 0;
            if existing == Existing::Keep && !is_empty {
                return Err(OutputFileError::Unfinished { file: name() });
            }
            file.set_len(0).map_err(not_written)?;
            Ok((file, TempPath::try_from_path(&partial).map_err(not_written)?))
        })?;
        if let Some(pending) = &mut output.pending {
            pending.is_partial = true;
            pending.path.disable_cleanup(true);
        }
        Ok(output)
    }

    /// Checks the destination, and makes the file that will replace it with `make`.
    fn begin(
        path: &Path,
        existing: Existing,
        make: impl FnOnce(&Path) -> Result<(File, TempPath), OutputFileError>,
    ) -> Result<OutputFile, OutputFileError> {
        let name = path.display().to_string();
        let metadata = match fs::metadata(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            metadata => Some(metadata.map_err(|error| write_error(path, error))?),
        };
        let is_file = metadata.as_ref().is_none_or(fs::Metadata::is_file);
        if !is_file {
            let device = OpenOptions::new().write(true).open(path);
            let writer = BufWriter::new(device.map_err(|error| write_error(path, error))?);
            return Ok(OutputFile { name, writer, pending: None });
        }
        let old = match existing {
            Existing::Keep if fs::symlink_metadata(path).is_ok() => {
                return Err(OutputFileError::Exists { file: name });
            }
            Existing::Replace if metadata.is_some() => {
                let old = open_locked(OpenOptions::new().write(true), path);
                let old = old.map_err(|error| write_error(path, error))?;
                Some(old.ok_or_else(|| OutputFileError::Locked { file: name.clone() })?)
            }
            _ => None,
        };
        // The file that a symbolic link names is replaced, not the link.
        let target = match &metadata {
            Some(_) => fs::canonicalize(path).map_err(|error| write_error(path, error))?,
            None => path.to_owned(),
        };
        let (file, temporary) = make(&target)?;
        if let Some(metadata) = metadata {
            file.set_permissions(metadata.permissions()).map_err(|e| write_error(path, e))?;
        }
        let replaces = existing != Existing::Keep;
        let pending = Pending { path: temporary, is_partial: false, target, replaces, _old: old };
        let writer = BufWriter::with_capacity(1 << 16, file);
        Ok(OutputFile { name, writer, pending: Some(pending) })
    }

    /// The name of the file that has the content now, in messages: the partial file if there is
    /// one, else the destination.
    pub fn present_name(&self) -> String {
        match &self.pending {
            Some(pending) if pending.is_partial => partial_name(Path::new(&self.name)),
            _ => self.name.clone(),
        }
    }

    /// Opens the content that was flushed, for reading from its start.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub fn open_again(&self) -> io::Result<File> {
        match &self.pending {
            Some(pending) => File::open(&pending.path),
            None => Err(ErrorKind::Unsupported.into()),
        }
    }

    /// Another handle of the file, with the same lock and the same offset.
    ///
    /// # Errors
    /// If the system has no more handles.
    pub fn handle(&self) -> io::Result<File> {
        self.writer.get_ref().try_clone()
    }

    /// Forces the content to the disk and gives the file its name. Returns the file, positioned at
    /// its end; it is locked while it is open.
    ///
    /// # Errors
    /// If it cannot be written, or if the destination exists by now and must not be replaced. A
    /// temporary file is then removed; a partial file stays.
    pub fn commit(mut self) -> Result<File, OutputFileError> {
        let name = self.name.clone();
        let not_written = |error| OutputFileError::Write { file: name.clone(), error };
        self.writer.flush().map_err(not_written)?;
        let file = self.writer.get_ref().try_clone().map_err(not_written)?;
        let Some(pending) = &self.pending else { return Ok(file) };
        file.sync_all().map_err(not_written)?;
        let (replaces, target) = (pending.replaces, pending.target.clone());
        if !replaces && fs::symlink_metadata(&target).is_ok() {
            return Err(OutputFileError::Exists { file: name });
        }
        let Some(Pending { path, .. }) = self.pending.take() else { return Ok(file) };
        let renamed = if replaces {
            path.persist(&target)
        } else {
            path.persist_noclobber(&target).or_else(|error| match error.error.kind() {
                // Not every file system can rename without replacing, or make hard links.
                ErrorKind::Unsupported | ErrorKind::PermissionDenied | ErrorKind::InvalidInput => {
                    error.path.persist(&target)
                }
                _ => Err(error),
            })
        };
        match renamed.map_err(|error| error.error) {
            Ok(()) => {
                sync_folder(folder_of(&target));
                Ok(file)
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                Err(OutputFileError::Exists { file: name })
            }
            Err(error) => Err(not_written(error)),
        }
    }

    /// Ends a partial file that will not be complete, and returns its name; `None` for a device or
    /// a pipe.
    ///
    /// # Errors
    /// If the rest of it cannot be written.
    pub fn leave_partial(mut self) -> Result<Option<String>, OutputFileError> {
        let name = self.present_name();
        match self.writer.flush() {
            Ok(()) => Ok(self.pending.as_ref().map(|_| name)),
            Err(error) => Err(OutputFileError::Write { file: name, error }),
        }
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

impl Drop for OutputFile {
    fn drop(&mut self) {
        let Some(pending) = &mut self.pending else { return };
        // An error was reported when the content was written, or the caller gave the file up.
        let _ = self.writer.flush();
        // An empty partial file has no results.
        if pending.is_partial
            && self.writer.get_ref().metadata().is_ok_and(|metadata| metadata.len() == 0)
        {
            pending.path.disable_cleanup(false);
        }
    }
}

/// Forces the names of the files in a folder to the disk, on systems that can. An error is ignored:
/// the content of the file is safe, and not every file system knows this.
fn sync_folder(folder: &Path) {
    #[cfg(unix)]
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
    #[cfg(not(unix))]
    let _ = folder;
}

/// The name of a partial file: `path` with `.part` appended.
pub fn partial_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    name.into()
}

/// The name of the partial file of `path`, in messages. (The file is beside the file that a
/// symbolic link names.)
fn partial_name(path: &Path) -> String {
    partial_path(path).display().to_string()
}

/// Opens a file that one run at a time may write, and locks it until it is closed. `None` if
/// another run writes it. On a system without locks, every run may.
///
/// On Windows a lock would forbid this run, too, to read the file through another handle. There,
/// the file is not shared with others that write.
///
/// # Errors
/// If it cannot be opened.
pub(crate) fn open_locked(options: &mut OpenOptions, path: &Path) -> io::Result<Option<File>> {
    #[cfg(windows)]
    {
        use std::os::windows::fs::OpenOptionsExt;

        const SHARE_READ_AND_DELETE: u32 = 1 | 4;
        const SHARING_VIOLATION: i32 = 32;
        match options.share_mode(SHARE_READ_AND_DELETE).open(path) {
            Err(error) if error.raw_os_error() == Some(SHARING_VIOLATION) => Ok(None),
            opened => opened.map(Some),
        }
    }
    #[cfg(not(windows))]
    {
        let file = options.open(path)?;
        let locked = matches!(file.try_lock(), Err(fs::TryLockError::WouldBlock));
        Ok((!locked).then_some(file))
    }
}

fn write_error(path: &Path, error: io::Error) -> OutputFileError {
    OutputFileError::Write { file: path.display().to_string(), error }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The name of a file within the names of its temporary files. A long one is cut, since the system
/// limits the length of names.
fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.chars().take(60).collect()
}

/// Removes the temporary files of processes that were killed: those that nobody has locked. Files
/// that cannot be listed, opened or removed stay; they do no harm.
fn remove_abandoned(folder: &Path, name: &str) {
    let prefix = format!(".{name}.");
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let file_name = entry.file_name();
        let middle =
            file_name.to_str().and_then(|text| text.strip_prefix(&prefix)?.strip_suffix(TEMPORARY));
        let is_temporary = middle.is_some_and(|middle| {
            middle.len() == RANDOM && middle.bytes().all(|byte| byte.is_ascii_alphanumeric())
        });
        let mut options = OpenOptions::new();
        options.read(true).write(true);
        if is_temporary && matches!(open_locked(&mut options, &entry.path()), Ok(Some(_))) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names and contents of all files in a folder, sorted.
    fn files(folder: &Path) -> Vec<(String, String)> {
        let entries = fs::read_dir(folder).expect("a folder");
        let mut files: Vec<(String, String)> = entries
            .map(|entry| entry.expect("a file"))
            .map(|entry| {
                let text = fs::read_to_string(entry.path()).expect("a text");
                (entry.file_name().to_string_lossy().into_owned(), text)
            })
            .collect();
        files.sort();
        files
    }

    fn pair(name: &str, text: &str) -> (String, String) {
        (name.to_owned(), text.to_owned())
    }

    #[test]
    fn a_file_has_its_name_when_it_is_complete() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("out");
        let mut output = OutputFile::create(&path, Existing::Keep).expect("a file");
        output.write_all(b"abc").expect("it can be written");
        output.flush().expect("it can be written");
        assert!(!path.exists());
        drop(output);
        assert_eq!(files(folder.path()), [], "a temporary file is removed");

        let mut output = OutputFile::create(&path, Existing::Keep).expect("a file");
        output.write_all(b"abc").expect("it can be written");
        output.commit().expect("it gets its name");
        assert_eq!(files(folder.path()), [pair("out", "abc")]);
        assert!(matches!(
            OutputFile::create(&path, Existing::Keep),
            Err(OutputFileError::Exists { .. })
        ));

        let mut output = OutputFile::create(&path, Existing::Replace).expect("a file");
        output.write_all(b"d").expect("it can be written");
        assert!(matches!(
            OutputFile::create(&path, Existing::Replace),
            Err(OutputFileError::Locked { .. })
        ));
        assert_eq!(fs::read_to_string(&path).expect("the old file"), "abc");
        output.commit().expect("it gets its name");
        assert_eq!(files(folder.path()), [pair("out", "d")]);
    }

    #[test]
    fn a_file_that_appears_in_the_meantime_is_not_replaced() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("out");
        let output = OutputFile::create(&path, Existing::Keep).expect("a file");
        fs::write(&path, "another").expect("it can be written");
        assert!(matches!(output.commit(), Err(OutputFileError::Exists { .. })));
        assert_eq!(files(folder.path()), [pair("out", "another")]);
    }

    #[test]
    fn a_partial_file_stays_unless_it_is_empty() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("out");
        drop(OutputFile::create_partial(&path, Existing::Keep).expect("a file"));
        assert_eq!(files(folder.path()), []);
        let mut output = OutputFile::create_partial(&path, Existing::Keep).expect("a file");
        output.write_all(b"abc").expect("it can be written");
        assert!(
            output
                .leave_partial()
                .is_ok_and(|name| name.is_some_and(|name| name.ends_with("out.part")))
        );
        assert_eq!(files(folder.path()), [pair("out.part", "abc")]);
        assert!(matches!(
            OutputFile::create_partial(&path, Existing::Keep),
            Err(OutputFileError::Unfinished { .. })
        ));
        let mut output = OutputFile::create_partial(&path, Existing::Replace).expect("a file");
        output.write_all(b"d").expect("it can be written");
        output.commit().expect("it gets its name");
        assert_eq!(files(folder.path()), [pair("out", "d")]);
    }

    #[test]
    fn abandoned_files_are_removed_and_others_stay() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("out");
        for name in [".out.abc123.yose.tmp", ".out.x.abc123.yose.tmp", ".out.abc123.tmp"] {
            fs::write(folder.path().join(name), name).expect("it can be written");
        }
        let running = OutputFile::create(&path, Existing::Keep).expect("a file");
        let other = OutputFile::create(&path, Existing::Keep).expect("a file");
        drop((running, other));
        let names: Vec<String> = files(folder.path()).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, [".out.abc123.tmp", ".out.x.abc123.yose.tmp"]);
    }

    #[test]
    #[cfg(unix)]
    fn links_and_permissions_are_respected() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a folder");
        let (path, link) = (folder.path().join("out"), folder.path().join("link"));
        fs::write(&path, "old").expect("it can be written");
        fs::set_permissions(&path, PermissionsExt::from_mode(0o640)).expect("its owner may");
        std::os::unix::fs::symlink("out", &link).expect("a link");
        let mut output = OutputFile::create(&link, Existing::Replace).expect("a file");
        output.write_all(b"new").expect("it can be written");
        output.commit().expect("it gets its name");
        assert!(fs::symlink_metadata(&link).is_ok_and(|metadata| metadata.is_symlink()));
        assert_eq!(files(folder.path()), [pair("link", "new"), pair("out", "new")]);
        let mode = fs::metadata(&path).expect("a file").permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
        drop(File::create(folder.path().join("usual")).expect("a file"));
        let output = OutputFile::create(&folder.path().join("next"), Existing::Keep);
        output.expect("a file").commit().expect("it gets its name");
        let mode = |name: &str| {
            fs::metadata(folder.path().join(name)).expect("a file").permissions().mode()
        };
        assert_eq!(mode("next"), mode("usual"), "a new file is like others");
    }
}
