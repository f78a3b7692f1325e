//! The name of the process, as `ps`, `top` and `killall` show it.
//!
//! Linux takes it from the file that is executed. The launcher of the executable with all tiers
//! (`launcher/`) executes a file without a name, for which Linux takes the number of its descriptor
//! or the name of the memory file.

/// Gives this process the name of the program, if it was started by the launcher.
#[cfg(target_os = "linux")]
pub(crate) fn restore() {
    use std::{env, fs, path::Path};

    const FILE: &str = "/proc/self/comm";
    let Ok(name) = fs::read_to_string(FILE) else { return };
    let name = name.trim_end();
    if name.starts_with("memfd:") || name.bytes().all(|byte| byte.is_ascii_digit()) {
        let program = env::args_os().next().unwrap_or_default();
        let program = Path::new(&program).file_name().unwrap_or("yose".as_ref());
        // Without a name of its own the process works all the same.
        let _ = fs::write(FILE, program.as_encoded_bytes());
    }
}

/// Other systems have no launcher.
#[cfg(not(target_os = "linux"))]
pub(crate) fn restore() {}
