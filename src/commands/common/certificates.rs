//! The arguments of commands that write certificates.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use yose::certificate::{CertificateFolder, CertificateOptions, MAX_LEAF_EMPTIES};

/// How certificates are made.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct CertificateArgs {
    /// In certificates, positions with up to N empties are searched by the checker; from 0 to 14
    ///
    /// A greater number makes smaller files that take longer to check.
    #[arg(
        long,
        value_name = "N",
        default_value_t = CertificateOptions::default().leaf_empties,
        value_parser = clap::value_parser!(u32).range(..=i64::from(MAX_LEAF_EMPTIES))
    )]
    leaf_empties: u32,
}

impl CertificateArgs {
    /// The options of these arguments.
    pub fn options(self) -> CertificateOptions {
        CertificateOptions { leaf_empties: self.leaf_empties, ..CertificateOptions::default() }
    }
}

/// The folder of certificates with this path. It is made if it does not exist.
///
/// # Errors
/// If it cannot be made.
pub fn made_folder(path: &Path) -> Result<CertificateFolder> {
    fs::create_dir_all(path).with_context(|| path.display().to_string())?;
    Ok(CertificateFolder::new(path))
}
