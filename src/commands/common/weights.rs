//! The weights of the evaluation.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use anyhow::{Context, Result};
use clap::ValueHint;

use yose::eval::{EMBEDDED, Evaluation, Weights};
use yose::records::Input;

/// The weights that a command uses.
#[derive(Clone, Debug, clap::Args)]
pub struct WeightsArgs {
    /// Weights of the evaluation: a weight file, `embedded`, or `zero` for weights that are all 0
    #[arg(
        long,
        value_name = "WEIGHTS",
        default_value = "embedded",
        value_hint = ValueHint::FilePath
    )]
    weights: WeightsSource,
}

impl WeightsArgs {
    /// The source of the weights.
    pub fn source(&self) -> &WeightsSource {
        &self.weights
    }
}

/// The source of weights.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WeightsSource {
    /// The program itself.
    Embedded,
    /// All weights are 0.
    Zero,
    /// A weight file.
    File(PathBuf),
}

impl FromStr for WeightsSource {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<WeightsSource, Self::Err> {
        Ok(match text {
            "embedded" => WeightsSource::Embedded,
            "zero" => WeightsSource::Zero,
            file => WeightsSource::File(file.into()),
        })
    }
}

impl WeightsSource {
    /// The weight file, if there is one.
    pub fn file(&self) -> Option<&Path> {
        match self {
            WeightsSource::File(path) => Some(path),
            WeightsSource::Embedded | WeightsSource::Zero => None,
        }
    }

    /// The weights, and a name that identifies them: for a file, the first digits of its SHA-256.
    pub fn read(&self) -> Result<(Weights, String)> {
        Ok(match self {
            WeightsSource::Embedded => (Weights::embedded()?, "embedded".to_owned()),
            WeightsSource::Zero => (Weights::zero(), "zero".to_owned()),
            WeightsSource::File(path) => {
                let (weights, bytes) = read_file(path)?;
                (weights, digest_prefix(&bytes))
            }
        })
    }

    /// An evaluation with the weights, and a name that identifies them.
    pub fn evaluation(&self) -> Result<(Arc<Evaluation>, String)> {
        if *self == WeightsSource::Embedded {
            return Ok((Evaluation::embedded(), "embedded".to_owned()));
        }
        let (weights, word) = self.read()?;
        Ok((Arc::new(Evaluation::new(&weights)), word))
    }

    /// An evaluation with the weights, and their description in a record: a name, and the SHA-256
    /// of their file.
    pub fn recorded(&self) -> Result<(Arc<Evaluation>, Input)> {
        let (evaluation, name, file) = self.loaded()?;
        let file = if *self == WeightsSource::Embedded { Some(EMBEDDED) } else { file.as_deref() };
        Ok((
            evaluation,
            match file {
                Some(file) => Input::with_digest(name, file),
                None => Input { name, sha256: None },
            },
        ))
    }

    /// The same for records that have no digests: none is computed.
    pub fn named(&self) -> Result<(Arc<Evaluation>, Input)> {
        let (evaluation, name, _) = self.loaded()?;
        Ok((evaluation, Input { name, sha256: None }))
    }

    /// An evaluation with the weights, their name, and the bytes of the file if there is one.
    fn loaded(&self) -> Result<(Arc<Evaluation>, String, Option<Vec<u8>>)> {
        Ok(match self {
            WeightsSource::Embedded => (Evaluation::embedded(), "embedded".to_owned(), None),
            WeightsSource::Zero => {
                (Arc::new(Evaluation::new(&Weights::zero())), "zero".to_owned(), None)
            }
            WeightsSource::File(path) => {
                let (weights, bytes) = read_file(path)?;
                (Arc::new(Evaluation::new(&weights)), path.display().to_string(), Some(bytes))
            }
        })
    }
}

/// A file's weights and its bytes.
fn read_file(path: &Path) -> Result<(Weights, Vec<u8>)> {
    /// No weight file is nearly as large. A larger file must not fill the memory.
    const LARGEST: u64 = 64 << 20;
    let name = path.display();
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(LARGEST).read_to_end(&mut bytes))
        .with_context(|| format!("{name}: cannot be read"))?;
    let weights = Weights::read(&bytes).with_context(|| name.to_string())?;
    Ok((weights, bytes))
}

/// The first 16 hexadecimal digits of a file's SHA-256.
pub fn digest_prefix(file: &[u8]) -> String {
    let mut word = Input::with_digest(String::new(), file).sha256.unwrap_or_default();
    word.truncate(16);
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_have_names() {
        let source = |text: &str| text.parse::<WeightsSource>().expect("anything is a source");
        assert_eq!(
            [source("zero"), source("embedded"), source("./zero")],
            [WeightsSource::Zero, WeightsSource::Embedded, WeightsSource::File("./zero".into())]
        );
    }
}
