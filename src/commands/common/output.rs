//! The destination and the format of the output.

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Error, Result, bail};
use clap::{ValueEnum, ValueHint};

use yose::output_file::{Existing, OutputFile};
use yose::records::Source;
use yose::records::compression::{Compression, Compressor};
#[cfg(feature = "parquet")]
use yose::records::parquet::ParquetWriter;

use crate::commands::output_error;

/// A format that a command writes.
pub trait Format: ValueEnum + Clone + Send + Sync + 'static {
    /// The format for people.
    const TABLE: Self;
    /// When which format is the default, for the help.
    const DEFAULT: &str;

    /// The default format of a file with this extension.
    fn of_extension(extension: Option<&str>) -> Self;
}

/// The help of --format.
const FORMAT: &str = "Format of the records";

/// The file and the format of the records.
#[derive(Clone, Debug, clap::Args)]
pub struct OutputArgs<F: Format> {
    #[command(flatten)]
    pub file: OutputFileArgs,

    /// The format of the records.
    #[arg(long, value_name = "FORMAT", help = FORMAT, long_help = format!("{FORMAT}\n\n{}", F::DEFAULT))]
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
                let name = Compression::name_within(path);
                F::of_extension(name.extension().and_then(|extension| extension.to_str()))
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

    /// An error of writing the records, with the name of the file that has them now. `stream` is an
    /// output that is no journal.
    pub fn error(&self, stream: Option<&OutputStream>, error: impl Into<Error>) -> Error {
        match (stream, self.path()) {
            (Some(stream), _) => stream.error(error),
            (None, Some(journal)) => error.into().context(journal.display().to_string()),
            (None, None) => error.into(),
        }
    }

    /// Ends the output of a run. Returns its journal, if it has one, and the name of the partial
    /// file of another output, if that will not be complete.
    ///
    /// # Errors
    /// If the rest cannot be written.
    pub fn end(
        &self,
        stream: Option<OutputStream>,
        complete: bool,
    ) -> Result<(Option<&Path>, Option<String>)> {
        Ok(match stream {
            None => (self.path(), None),
            Some(stream) if complete => (None, stream.finish().map(|()| None)?),
            Some(stream) => (None, stream.leave()?),
        })
    }

    /// The destination of the records.
    ///
    /// # Errors
    /// If it is one of `inputs`, or if its name asks for Parquet.
    pub fn destination(&self, inputs: &[Source]) -> Result<Destination<'_>> {
        if let Some(path) = self.path().filter(|path| is_parquet(path)) {
            bail!(
                "{}: the name is one for Parquet, which only `yose solve` and `yose merge` write",
                path.display()
            );
        }
        self.any_destination(inputs)
    }

    /// The destination of records in Parquet.
    ///
    /// # Errors
    /// If it is one of `inputs` or no file, or if this program was built without Parquet.
    pub fn parquet_destination(&self, inputs: &[Source]) -> Result<Destination<'_>> {
        if cfg!(not(feature = "parquet")) {
            bail!("this program has no Parquet; build Yose with `--features parquet`");
        }
        match self.any_destination(inputs)? {
            Destination::File(path) => Ok(Destination::Parquet(path)),
            Destination::Compressed(path, _) => {
                bail!("{}: Parquet is compressed within; leave .gz and .zst out", path.display())
            }
            _ => bail!("Parquet needs a file; name one with --output"),
        }
    }

    fn any_destination(&self, inputs: &[Source]) -> Result<Destination<'_>> {
        let Some(path) = self.path() else {
            if inputs.iter().any(|source| is_same_file(source, Path::new("/dev/stdout"))) {
                bail!("standard output goes into one of the inputs; send it to another file");
            }
            return Ok(Destination::Stdout);
        };
        not_an_input(path, inputs)?;
        if path.is_dir() {
            bail!("{}: is a directory; give --output the name of a file", path.display());
        }
        let special =
            fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir());
        Ok(match Compression::of_path(path) {
            _ if special => Destination::Device(path),
            None => Destination::File(path),
            Some(method) => Destination::Compressed(path, method),
        })
    }
}

/// The destination of records.
#[derive(Clone, Copy, Debug)]
pub enum Destination<'a> {
    /// Standard output.
    Stdout,
    /// A device or a pipe. It has no content that could be lost.
    Device(&'a Path),
    /// A file, which may not exist yet.
    File(&'a Path),
    /// A compressed file. It cannot be a journal.
    Compressed(&'a Path, Compression),
    /// A Parquet file, which is written from JSON Lines. It cannot be a journal.
    Parquet(&'a Path),
}

/// What becomes of an output file that is not finished.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unfinished {
    /// It is removed. Its content takes little time to make again.
    Removed,
    /// It stays beside its destination, with `.part` appended to its name.
    Kept,
}

impl Destination<'_> {
    /// Opens the destination. An existing file is replaced only with `force`.
    ///
    /// # Errors
    /// If it cannot be written, or exists and must not be replaced.
    pub fn open(&self, force: bool, unfinished: Unfinished) -> Result<OutputStream> {
        let existing = if force { Existing::Replace } else { Existing::Keep };
        let create = |path: &Path| match unfinished {
            Unfinished::Removed => OutputFile::create(path, existing),
            Unfinished::Kept => OutputFile::create_partial(path, existing),
        };
        Ok(match *self {
            Destination::Stdout => OutputStream::Stdout(io::stdout()),
            Destination::Device(path) | Destination::File(path) => {
                OutputStream::File(create(path)?)
            }
            Destination::Compressed(path, method) => {
                OutputStream::Compressed(Box::new(Compressor::new(method, create(path)?)))
            }
            #[cfg(feature = "parquet")]
            Destination::Parquet(path) => {
                OutputStream::Parquet(Box::new(ParquetWriter::new(create(path)?)), path.into())
            }
            #[cfg(not(feature = "parquet"))]
            Destination::Parquet(_) => unreachable!("this build makes no such destination"),
        })
    }
}

/// An output that is no journal: standard output, or a file that gets its name when it is finished.
#[derive(Debug)]
pub enum OutputStream {
    /// Standard output.
    Stdout(io::Stdout),
    /// A file.
    File(OutputFile),
    /// A compressed file.
    Compressed(Box<Compressor<OutputFile>>),
    /// A Parquet file, and its name.
    #[cfg(feature = "parquet")]
    Parquet(Box<ParquetWriter<OutputFile>>, PathBuf),
}

impl OutputStream {
    /// An error of this output, with the name of the file that has the content now.
    pub fn error(&self, error: impl Into<Error>) -> Error {
        match self {
            OutputStream::Stdout(_) => error.into(),
            OutputStream::File(file) => error.into().context(file.present_name()),
            OutputStream::Compressed(file) => error.into().context(file.output().present_name()),
            #[cfg(feature = "parquet")]
            OutputStream::Parquet(_, path) => error.into().context(name_of(path)),
        }
    }

    /// Ends an output that is complete: a file gets its name.
    ///
    /// # Errors
    /// If it cannot be written, or if a file with that name exists by now.
    pub fn finish(mut self) -> Result<()> {
        self.flush().map_err(|error| self.error(output_error(error)))?;
        match self {
            OutputStream::Stdout(_) => Ok(()),
            OutputStream::File(file) => Ok(file.commit().map(drop)?),
            OutputStream::Compressed(file) => {
                let name = file.output().present_name();
                let file = file.finish().map_err(|e| Error::new(e).context(name))?;
                Ok(file.commit().map(drop)?)
            }
            #[cfg(feature = "parquet")]
            OutputStream::Parquet(file, path) => {
                let file = file.finish().map_err(|e| Error::new(e).context(name_of(&path)))?;
                Ok(file.commit().map(drop)?)
            }
        }
    }

    /// Ends an output that will not be complete. Returns the name of its partial file, if it has
    /// one.
    ///
    /// # Errors
    /// If the rest of it cannot be written.
    pub fn leave(self) -> Result<Option<String>> {
        match self {
            OutputStream::Stdout(_) => Ok(None),
            OutputStream::File(file) => Ok(file.leave_partial()?),
            OutputStream::Compressed(file) => {
                let name = file.output().present_name();
                let file = file.finish().map_err(|e| Error::new(e).context(name))?;
                Ok(file.leave_partial()?)
            }
            #[cfg(feature = "parquet")]
            OutputStream::Parquet(file, path) => {
                let file = file.finish().map_err(|e| Error::new(e).context(name_of(&path)))?;
                Ok(file.leave_partial()?)
            }
        }
    }
}

#[cfg(feature = "parquet")]
fn name_of(path: &Path) -> String {
    path.display().to_string()
}

/// Whether the name of a file asks for Parquet.
pub fn is_parquet(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "parquet")
}

impl Write for OutputStream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            OutputStream::Stdout(stdout) => stdout.write(bytes),
            OutputStream::File(file) => file.write(bytes),
            OutputStream::Compressed(file) => file.write(bytes),
            #[cfg(feature = "parquet")]
            OutputStream::Parquet(file, _) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            OutputStream::Stdout(stdout) => stdout.flush(),
            OutputStream::File(file) => file.flush(),
            OutputStream::Compressed(file) => file.flush(),
            #[cfg(feature = "parquet")]
            OutputStream::Parquet(file, _) => file.flush(),
        }
    }
}

/// Checks that a file that will be written is not one of the inputs.
///
/// # Errors
/// If it is.
pub fn not_an_input(path: &Path, inputs: &[Source]) -> Result<()> {
    if inputs.iter().any(|source| is_same_file(source, path)) {
        bail!("{}: is one of the inputs; give --output another name", path.display());
    }
    Ok(())
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
