//! The destination and the format of the output.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::{ValueEnum, ValueHint};

use yose::records::Source;

/// A format that a command writes.
pub trait Format: ValueEnum + Clone + Send + Sync + 'static {
    /// The format for people.
    const TABLE: Self;

    /// The default format of a file with this extension.
    fn of_extension(extension: Option<&str>) -> Self;
}

/// The file and the format of the records.
#[derive(Clone, Debug, clap::Args)]
pub struct OutputArgs<F: Format> {
    #[command(flatten)]
    pub file: OutputFileArgs,

    /// Format of the records
    ///
    /// The default is a table on a terminal, JSON Lines for a file name that ends in .jsonl,
    /// .ndjson or .json, and CSV otherwise. `yose solve` writes OBF to a file name that ends in
    /// .obf.
    #[arg(long, value_name = "FORMAT")]
    format: Option<F>,
}

impl<F: Format> OutputArgs<F> {
    /// The format of the records.
    pub fn format(&self) -> F {
        match (&self.format, self.file.path()) {
            (Some(format), _) => format.clone(),
            (None, None) if io::stdout().is_terminal() => F::TABLE,
            (None, None) => F::of_extension(None),
            (None, Some(path)) => {
                F::of_extension(path.extension().and_then(|extension| extension.to_str()))
            }
        }
    }
}

/// The file of the records.
#[derive(Clone, Debug, clap::Args)]
pub struct OutputFileArgs {
    /// Write the records to FILE instead of standard output
    ///
    /// An existing file is an error unless --force is given.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,

    /// Replace the file that --output names, if it exists
    #[arg(long, requires = "output")]
    pub force: bool,
}

impl OutputFileArgs {
    /// The file; `None` for standard output.
    pub fn path(&self) -> Option<&Path> {
        self.output.as_deref().filter(|path| path.as_os_str() != "-")
    }

    /// The destination of the records.
    ///
    /// # Errors
    /// If it is one of `inputs`.
    pub fn destination(&self, inputs: &[Source]) -> Result<Destination<'_>> {
        let Some(path) = self.path() else {
            if inputs.iter().any(|source| is_same_file(source, Path::new("/dev/stdout"))) {
                bail!("standard output goes into one of the inputs; send it to another file");
            }
            return Ok(Destination::Stdout);
        };
        if inputs.iter().any(|source| is_same_file(source, path)) {
            bail!("{}: is one of the inputs; give --output another name", path.display());
        }
        if path.is_dir() {
            bail!("{}: is a directory; give --output the name of a file", path.display());
        }
        let special =
            fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir());
        Ok(if special { Destination::Device(path) } else { Destination::File(path) })
    }

    /// Opens the destination of the records. An existing file is replaced only under `--force`.
    ///
    /// # Errors
    /// If it is one of `inputs`, cannot be written, or exists and must not be replaced.
    pub fn open(&self, inputs: &[Source]) -> Result<Box<dyn Write>> {
        self.destination(inputs)?.open(self.force)
    }
}

/// The destination of records.
#[derive(Debug)]
pub enum Destination<'a> {
    /// Standard output.
    Stdout,
    /// A device or a pipe. It has no content that could be lost.
    Device(&'a Path),
    /// A file, which may not exist yet.
    File(&'a Path),
}

impl Destination<'_> {
    /// Opens the destination. An existing file is replaced only with `force`.
    ///
    /// # Errors
    /// If it cannot be written, or exists and must not be replaced.
    pub fn open(&self, force: bool) -> Result<Box<dyn Write>> {
        let (path, result) = match *self {
            Destination::Stdout => return Ok(Box::new(io::stdout())),
            Destination::Device(path) => (path, OpenOptions::new().write(true).open(path)),
            Destination::File(path) if force => (path, File::create(path)),
            Destination::File(path) => (path, File::create_new(path)),
        };
        let name = path.display();
        match result {
            Ok(file) => Ok(Box::new(file)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                bail!(
                    "{name}: exists already, and may hold results; \
                     give another name, or --force to replace it"
                )
            }
            Err(error) => Err(error).with_context(|| format!("{name}: cannot be written")),
        }
    }
}

/// Whether a source is the regular file `path`. On systems without `/dev/stdin`, standard input
/// counts as another file.
pub fn is_same_file(source: &Source, path: &Path) -> bool {
    let source = match source {
        Source::Stdin => Path::new("/dev/stdin"),
        Source::File(input) => input,
        Source::Memory { .. } => return false,
    };
    match (fs::canonicalize(source), fs::canonicalize(path)) {
        (Ok(one), Ok(other)) => one == other && one.is_file(),
        _ => false,
    }
}
