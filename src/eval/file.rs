//! The weight file: what `yose train` writes, what is embedded, and what `--weights` reads.
//!
//! A file is a line of text (name and version of the format), the SHA-256 of the rest, and the rest
//! compressed (DEFLATE). All numbers are little endian. The rest, uncompressed:
//!
//! | bytes | what |
//! |---|---|
//! | 4, then so many | the origin: a text that says how the weights were made |
//! | 1 | the number of stages, at least two |
//! | 1 each | the stages' empties, ascending |
//! | 61 × 2 | the constant for each number of empties, 0 to 60 |
//! | 7 × 61 × 2 | the standard deviation of the score about searches of 0 to 6 plies, by empties |
//! | 1 | the number of parameters, at most 255 |
//! | 1, then so many, then 4 | for each parameter the length of its name, the name, and the value |
//! | stages × 114,363 × 2 | the weights of each stage by class; from the second on, differences |
//!
//! The parameters are what the search was fitted to with these weights: how far values are from
//! scores, what replies cost, and so on. Here they are names and numbers;
//! [`crate::search::PARAMETERS`] says what they mean.

use std::collections::BTreeMap;
use std::io::{Read, Write};

use flate2::Compression;
use flate2::bufread::DeflateDecoder;
use flate2::write::DeflateEncoder;
use sha2::{Digest, Sha256};
use thiserror::Error;

use super::CLASSES;

/// How many depths a deviation is known for.
pub const DEVIATION_DEPTHS: usize = 7;

/// The largest weight, either way. 46 of them fit in 16 bits, so that the halves of a packed word
/// never meet.
const MAX_WEIGHT: i16 = 712;

const HEAD: &[u8] = b"yose weights 2\n";

/// The weight file that is part of the program.
pub const EMBEDDED: &[u8] = include_bytes!("weights.bin");

/// Why a weight file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum WeightsError {
    /// It begins like another kind of file.
    #[error("this is no weight file; `yose train fit` makes one")]
    NoWeights,
    /// It was made for another version of the program.
    #[error("this weight file has a format that this version of yose does not know")]
    OtherVersion,
    /// It is cut short, or bytes of it have changed.
    #[error("this weight file is damaged: {0}")]
    Damaged(&'static str),
}

/// The weights of one stage of the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StageWeights {
    /// The number of empties for which they hold.
    pub empties: u8,
    /// A weight for each class, in 1 / [`UNIT`](super::UNIT) disc.
    pub weights: Vec<i16>,
}

/// What a weight file says before the weights come.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Description {
    /// How the weights were made.
    pub origin: String,
    /// The stages' empties, ascending.
    pub stages: Vec<u8>,
}

/// All that an evaluation is made from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weights {
    origin: String,
    stages: Vec<StageWeights>,
    constants: [i16; 61],
    deviation: [[u16; 61]; DEVIATION_DEPTHS],
    parameters: BTreeMap<String, i32>,
}

impl Weights {
    /// Weights from their parts, without parameters. Weights that are too large are cut to the
    /// largest.
    ///
    /// # Panics
    /// Unless there are at least two stages, in ascending order of their empties, with a weight for
    /// each class.
    pub fn new(
        origin: String,
        mut stages: Vec<StageWeights>,
        constants: [i16; 61],
        deviation: [[u16; 61]; DEVIATION_DEPTHS],
    ) -> Weights {
        assert!(stages.len() >= 2 && stages.is_sorted_by(|a, b| a.empties < b.empties));
        for stage in &mut stages {
            assert_eq!(stage.weights.len(), CLASSES);
            stage
                .weights
                .iter_mut()
                .for_each(|weight| *weight = (*weight).clamp(-MAX_WEIGHT, MAX_WEIGHT));
        }
        Weights { origin, stages, constants, deviation, parameters: BTreeMap::new() }
    }

    /// Weights that know nothing: every value is zero.
    pub fn zero() -> Weights {
        let stage = |empties| StageWeights { empties, weights: vec![0; CLASSES] };
        Weights::new(
            "zero".into(),
            vec![stage(10), stage(60)],
            [0; 61],
            [[12 * super::UNIT as u16; 61]; DEVIATION_DEPTHS],
        )
    }

    /// The weights that are part of the program.
    ///
    /// # Errors
    /// If the embedded file is damaged.
    pub fn embedded() -> Result<Weights, WeightsError> {
        Weights::read(EMBEDDED)
    }

    /// The same with every weight and constant changed by `change`.
    pub fn map(&self, mut change: impl FnMut(i16) -> i16) -> Weights {
        let mut new = self.clone();
        new.constants = new.constants.map(&mut change);
        for stage in &mut new.stages {
            stage
                .weights
                .iter_mut()
                .for_each(|weight| *weight = change(*weight).clamp(-MAX_WEIGHT, MAX_WEIGHT));
        }
        new
    }

    /// How the weights were made.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// The stages, in ascending order of their empties.
    pub fn stages(&self) -> &[StageWeights] {
        &self.stages
    }

    /// What is added for each number of empties, in 1 / [`UNIT`](super::UNIT) disc.
    pub fn constants(&self) -> &[i16; 61] {
        &self.constants
    }

    /// `deviation()[depth][empties]`: the standard deviation of the score about the value of a
    /// search `depth` plies deep, in 1 / [`UNIT`](super::UNIT) disc.
    pub fn deviation(&self) -> &[[u16; 61]; DEVIATION_DEPTHS] {
        &self.deviation
    }

    /// The parameters of the search that were fitted with these weights, by their names
    /// ([`crate::search::ParameterSpec::name`]). None, if they were not fitted.
    pub fn parameters(&self) -> &BTreeMap<String, i32> {
        &self.parameters
    }

    /// The same weights with other parameters and another origin.
    ///
    /// # Panics
    /// If there are more than 255 parameters, or a name has more than 255 bytes.
    pub fn with_parameters(self, parameters: BTreeMap<String, i32>, origin: String) -> Weights {
        let most = usize::from(u8::MAX);
        assert!(parameters.len() <= most && parameters.keys().all(|name| name.len() <= most));
        Weights { origin, parameters, ..self }
    }

    /// The same weights with another deviation and origin.
    pub fn with_deviation(
        self,
        deviation: [[u16; 61]; DEVIATION_DEPTHS],
        origin: String,
    ) -> Weights {
        Weights { origin, deviation, ..self }
    }

    /// The same weights with another origin.
    pub fn with_origin(self, origin: String) -> Weights {
        Weights { origin, ..self }
    }

    /// The two stages between which `empties` lies, as the number of the first, and which part of
    /// the way to the second it is (0 to 1).
    pub fn place(&self, empties: usize) -> (usize, f64) {
        let of: Vec<f64> = self.stages.iter().map(|stage| f64::from(stage.empties)).collect();
        let empties = (empties as f64).clamp(of[0], of[of.len() - 1]);
        let first = of[1..of.len() - 1].iter().filter(|&&stage| stage <= empties).count();
        (first, (empties - of[first]) / (of[first + 1] - of[first]))
    }

    /// The file's bytes.
    pub fn write(&self) -> Vec<u8> {
        let mut plain = (self.origin.len() as u32).to_le_bytes().to_vec();
        plain.extend(self.origin.as_bytes());
        plain.push(self.stages.len() as u8);
        plain.extend(self.stages.iter().map(|stage| stage.empties));
        plain.extend(self.constants.iter().flat_map(|number| number.to_le_bytes()));
        plain.extend(self.deviation.iter().flatten().flat_map(|number| number.to_le_bytes()));
        plain.push(self.parameters.len() as u8);
        for (name, value) in &self.parameters {
            plain.push(name.len() as u8);
            plain.extend(name.as_bytes());
            plain.extend(value.to_le_bytes());
        }
        let mut before = vec![0; CLASSES];
        for StageWeights { weights, .. } in &self.stages {
            let differences = weights.iter().zip(&before).map(|(weight, before)| weight - before);
            plain.extend(differences.flat_map(i16::to_le_bytes));
            before.clone_from(weights);
        }
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(&plain).expect("a vector takes all");
        let packed = encoder.finish().expect("a vector takes all");
        [HEAD, Sha256::digest(&packed).as_slice(), &packed].concat()
    }

    /// The weights of a file.
    ///
    /// # Errors
    /// If it is none, or of another version, or damaged.
    pub fn read(file: &[u8]) -> Result<Weights, WeightsError> {
        let (digest, packed) = parts(file)?;
        if Sha256::digest(packed).as_slice() != digest {
            return Err(WeightsError::Damaged("its checksum is wrong"));
        }
        Plain::of(packed).weights().ok_or(MALFORMED)
    }

    /// What a file says before the weights come. That is quickly read; the rest may still be
    /// damaged.
    ///
    /// # Errors
    /// If it is no weight file, or of another version, or damaged here.
    pub fn describe(file: &[u8]) -> Result<Description, WeightsError> {
        let (_, packed) = parts(file)?;
        Plain::of(packed).description().ok_or(MALFORMED)
    }
}

const MALFORMED: WeightsError = WeightsError::Damaged("its content is malformed");

/// A file's checksum and what it is of.
fn parts(file: &[u8]) -> Result<(&[u8], &[u8]), WeightsError> {
    let version = HEAD.len() - 2;
    let rest = match file.strip_prefix(HEAD) {
        Some(rest) => rest,
        None if file.starts_with(&HEAD[..version]) => return Err(WeightsError::OtherVersion),
        None => return Err(WeightsError::NoWeights),
    };
    rest.split_at_checked(32).ok_or(WeightsError::Damaged("it is cut short"))
}

/// What is left to read. It is inflated piece by piece: what is read once need not lie in memory
/// all at once, which at the start of the program takes longer than the reading.
struct Plain<'a>(DeflateDecoder<&'a [u8]>);

impl<'a> Plain<'a> {
    fn of(packed: &'a [u8]) -> Plain<'a> {
        Plain(DeflateDecoder::new(packed))
    }

    fn bytes<const N: usize>(&mut self) -> Option<[u8; N]> {
        let mut bytes = [0; N];
        self.0.read_exact(&mut bytes).ok()?;
        Some(bytes)
    }

    /// As many bytes as there is room for.
    fn fill(&mut self, mut room: Vec<u8>) -> Option<Vec<u8>> {
        self.0.read_exact(&mut room).ok()?;
        Some(room)
    }

    fn numbers(&mut self) -> Option<[u16; 61]> {
        let bytes = self.bytes::<122>()?;
        Some(std::array::from_fn(|n| u16::from_le_bytes([bytes[2 * n], bytes[2 * n + 1]])))
    }

    fn description(&mut self) -> Option<Description> {
        let length = u32::from_le_bytes(self.bytes()?) as usize;
        // No sound file says as much; a malformed one shall not fill the memory.
        if length > 16 << 20 {
            return None;
        }
        let origin = self.text(length)?;
        let [count] = self.bytes()?;
        Some(Description { origin, stages: self.fill(vec![0; count.into()])? })
    }

    fn text(&mut self, length: usize) -> Option<String> {
        String::from_utf8(self.fill(vec![0; length])?).ok()
    }

    fn parameter(&mut self) -> Option<(String, i32)> {
        let [length] = self.bytes()?;
        Some((self.text(length.into())?, i32::from_le_bytes(self.bytes()?)))
    }

    fn weights(mut self) -> Option<Weights> {
        let Description { origin, stages: empties } = self.description()?;
        let constants = self.numbers()?.map(|number| number as i16);
        let mut deviation = [[0; 61]; DEVIATION_DEPTHS];
        for row in &mut deviation {
            *row = self.numbers()?;
        }
        let [count] = self.bytes()?;
        let parameters = (0..count).map(|_| self.parameter()).collect::<Option<_>>()?;
        let mut stages: Vec<StageWeights> = Vec::with_capacity(empties.len());
        let mut bytes = vec![0; 2 * CLASSES];
        for empties in empties {
            bytes = self.fill(bytes)?;
            let differences =
                bytes.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]]));
            let weights = match stages.last() {
                None => differences.collect(),
                Some(before) => {
                    before.weights.iter().zip(differences).map(|(a, b)| a.wrapping_add(b)).collect()
                }
            };
            stages.push(StageWeights { empties, weights });
        }
        let at_its_end = self.0.read(&mut [0]).ok()? == 0;
        let sound = at_its_end
            && stages.len() >= 2
            && stages.is_sorted_by(|a, b| a.empties < b.empties)
            && stages
                .iter()
                .flat_map(|stage| &stage.weights)
                .all(|weight| weight.unsigned_abs() <= MAX_WEIGHT as u16);
        sound.then_some(Weights { origin, stages, constants, deviation, parameters })
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};

    use super::*;

    fn sample() -> Weights {
        let mut rng = rand::rngs::SmallRng::seed_from_u64(1);
        let stage = |empties: u8, rng: &mut rand::rngs::SmallRng| StageWeights {
            empties,
            weights: (0..CLASSES).map(|_| rng.random_range(-MAX_WEIGHT..=MAX_WEIGHT)).collect(),
        };
        let stages = vec![stage(10, &mut rng), stage(14, &mut rng), stage(22, &mut rng)];
        let constants = std::array::from_fn(|n| n as i16 - 30);
        let parameters = [("one".to_owned(), 1), ("less".to_owned(), -70_000)].into();
        let weights = Weights::new(String::new(), stages, constants, [[300; 61]; DEVIATION_DEPTHS]);
        weights.with_parameters(parameters, "a test".into())
    }

    #[test]
    fn a_file_reads_back() {
        let weights = sample();
        assert_eq!(Weights::read(&weights.write()), Ok(weights));
    }

    #[test]
    fn a_file_describes_itself() {
        let description = Description { origin: "a test".into(), stages: vec![10, 14, 22] };
        assert_eq!(Weights::describe(&sample().write()), Ok(description));
        for (file, error) in [
            (&b"XO"[..], WeightsError::NoWeights),
            (b"yose weights 1\n", WeightsError::OtherVersion),
            (HEAD, WeightsError::Damaged("it is cut short")),
            (&[HEAD, &[7; 50]].concat(), MALFORMED),
        ] {
            assert_eq!(Weights::describe(file), Err(error));
        }
    }

    #[test]
    fn damage_is_noticed() {
        let file = sample().write();
        for cut in [0, 5, 20, 60, file.len() - 1] {
            assert!(Weights::read(&file[..cut]).is_err());
        }
        for place in [HEAD.len(), 40, 50, file.len() / 2, file.len() - 1] {
            let mut file = file.clone();
            file[place] ^= 1;
            assert_eq!(Weights::read(&file), Err(WeightsError::Damaged("its checksum is wrong")));
        }
        assert_eq!(Weights::read(b"XO"), Err(WeightsError::NoWeights));
        assert_eq!(Weights::read(b"yose weights 1\n"), Err(WeightsError::OtherVersion));
    }

    #[test]
    fn a_checksum_does_not_hide_nonsense() {
        let file = |plain: &[u8]| {
            let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
            encoder.write_all(plain).expect("a vector takes all");
            let packed = encoder.finish().expect("a vector takes all");
            [HEAD, Sha256::digest(&packed).as_slice(), &packed].concat()
        };
        // No origin, two stages, constants and deviations, no parameters, and every weight the
        // smallest number there is.
        let head = [0, 0, 0, 0, 2, 10, 14];
        let weights = [[0, 0x80], [0, 0]].map(|number| number.repeat(CLASSES)).concat();
        let huge = [&head[..], &[0; 8 * 122 + 1], &weights].concat();
        let zero = [&head[..], &[0; 8 * 122 + 1], &vec![0; 4 * CLASSES]].concat();
        // A parameter whose name is no text.
        let parameter =
            [&head[..], &[0; 8 * 122], &[1, 1, 0xff, 0, 0, 0, 0], &vec![0; 4 * CLASSES]].concat();
        assert_eq!(Weights::read(&file(&zero)).map(|weights| weights.stages().len()), Ok(2));
        for plain in [
            &[9; 5000][..],
            &huge,
            &parameter,
            &zero[..zero.len() - 1],
            &[&zero[..], &[0]].concat(),
            &[0; 500],
        ] {
            assert_eq!(Weights::read(&file(plain)), Err(MALFORMED), "{} bytes", plain.len());
        }
    }

    #[test]
    fn stages_are_placed() {
        let weights = sample();
        for (empties, place) in [
            (0, (0, 0.0)),
            (10, (0, 0.0)),
            (13, (0, 0.75)),
            (14, (1, 0.0)),
            (18, (1, 0.5)),
            (40, (1, 1.0)),
        ] {
            assert_eq!(weights.place(empties), place);
        }
    }

    #[test]
    fn no_sum_leaves_its_half_of_a_word() {
        assert!(super::super::patterns::FEATURES * MAX_WEIGHT as usize <= i16::MAX as usize);
    }
}
