//! Executes a program that is in memory, in place of this one.
//!
//! Linux executes files only. The program is written into a file in memory (`memfd_create`), or,
//! where the system forbids to execute those (sysctl `vm.memfd_noexec`), into a temporary file
//! whose name is removed before it is executed. Nothing is left behind in either case.

use std::env;
use std::ffi::{CStr, CString, OsStr, OsString, c_char};
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::fd::{AsRawFd, FromRawFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

unsafe extern "C" {
    /// The environment as the C library has it.
    static environ: *const *const c_char;
}

/// The name of the file in memory. `src/process_name.rs` of Yose gives the process its name.
const NAME: &CStr = c"yose";

/// Executes the program with these arguments and the environment of this process. Returns only if
/// that is impossible, with a message.
///
/// # Safety
/// `argv` is an array of strings that ends with a null pointer.
pub(crate) unsafe fn execute(program: &[u8], argv: *const *const c_char) -> String {
    let run = |file: io::Result<File>| -> io::Error {
        match file {
            // SAFETY: the condition of this function; `environ` is such an array too.
            Ok(file) => unsafe {
                libc::fexecve(file.as_raw_fd(), argv, environ);
                io::Error::last_os_error()
            },
            Err(error) => error,
        }
    };
    let mut reasons = vec![format!("in memory: {}", run(written(program, in_memory)))];
    for folder in folders() {
        let error = run(written(program, |program| temporary(program, &folder)));
        reasons.push(format!("in {}: {error}", folder.to_string_lossy()));
    }
    format!(
        "the build of Yose for this CPU cannot be executed ({}); set TMPDIR to a folder in which \
         programs can be executed, or use an executable with one tier",
        reasons.join("; ")
    )
}

/// The folders for a temporary file.
fn folders() -> Vec<OsString> {
    let own = env::var_os("TMPDIR").filter(|folder| !folder.is_empty());
    own.into_iter().chain(["/tmp", "/var/tmp", "/dev/shm"].map(OsString::from)).collect()
}

/// Writes the program with `write`, whatever limit of file sizes there is for Yose's own output.
fn written(program: &[u8], write: impl FnOnce(&[u8]) -> io::Result<File>) -> io::Result<File> {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: both structures live through the calls. There is one thread, and the disposition of
    // SIGXFSZ is put back.
    unsafe {
        let limited = libc::getrlimit(libc::RLIMIT_FSIZE, &mut limit) == 0
            && limit.rlim_cur != libc::RLIM_INFINITY;
        if !limited {
            return write(program);
        }
        let raised = libc::rlimit { rlim_cur: limit.rlim_max, ..limit };
        libc::setrlimit(libc::RLIMIT_FSIZE, &raised);
        let before = libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
        let file = write(program);
        libc::signal(libc::SIGXFSZ, before);
        libc::setrlimit(libc::RLIMIT_FSIZE, &limit);
        file
    }
}

/// A file in memory with the program.
fn in_memory(program: &[u8]) -> io::Result<File> {
    // SAFETY: the name is a string. The descriptor is new.
    let create = |flags| unsafe {
        match libc::memfd_create(NAME.as_ptr(), libc::MFD_CLOEXEC | flags) {
            -1 => Err(io::Error::last_os_error()),
            descriptor => Ok(File::from_raw_fd(descriptor)),
        }
    };
    // Before Linux 6.3 there is no such flag, and every file in memory can be executed.
    let mut file = create(libc::MFD_EXEC).or_else(|error| match error.raw_os_error() {
        Some(libc::EINVAL) => create(0),
        _ => Err(error),
    })?;
    file.write_all(program)?;
    Ok(file)
}

/// A file with the program in a folder of its own, both of which are removed from the directory.
fn temporary(program: &[u8], folder: &OsStr) -> io::Result<File> {
    let mut template = folder.to_owned().into_vec();
    template.extend(b"/yose-XXXXXX");
    let template = CString::new(template).map_err(io::Error::other)?.into_raw();
    // SAFETY: the string can be written to, and its length is kept.
    let (made, own) = unsafe { (libc::mkdtemp(template), CString::from_raw(template)) };
    if made.is_null() {
        return Err(io::Error::last_os_error());
    }
    let own = Path::new(OsStr::from_bytes(own.as_bytes()));
    // The name is the one of the process.
    let path = own.join("yose");
    let file = executable(program, &path);
    let _ = fs::remove_file(&path);
    let _ = fs::remove_dir(own);
    file
}

/// A new file with the program, open for reading only: a file that is open for writing cannot be
/// executed.
fn executable(program: &[u8], path: &Path) -> io::Result<File> {
    const OWNER_ONLY: u32 = 0o700;
    let mut file = File::options().write(true).create_new(true).mode(OWNER_ONLY).open(path)?;
    file.write_all(program)?;
    drop(file);
    File::open(path)
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    /// What `echo` prints when it is executed from this file.
    fn echo(file: &File) -> String {
        let path = format!("/proc/self/fd/{}", file.as_raw_fd());
        let output = Command::new(path).arg("words").output().expect("it can be executed");
        String::from_utf8(output.stdout).expect("text")
    }

    #[test]
    fn a_file_in_memory_can_be_executed() {
        let program = fs::read("/bin/echo").expect("echo");
        assert_eq!(echo(&in_memory(&program).expect("a file")), "words\n");
    }

    #[test]
    fn a_temporary_file_can_be_executed_and_leaves_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let program = fs::read("/bin/echo").expect("echo");
        let file = temporary(&program, folder.path().as_os_str()).expect("a file");
        assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 0);
        assert_eq!(echo(&file), "words\n");
    }

    #[test]
    fn a_folder_that_is_not_there_is_an_error() {
        let error = temporary(b"", OsStr::new("/none")).expect_err("no folder");
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
    }
}
