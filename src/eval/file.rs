//! The weight file: what `yose train` writes, what is embedded, and what `--weights` reads.
//!
//! A file is a header (a line of text with the name and version of the format), the SHA-256 digest
//! of the rest, and the rest: the payload, compressed with DEFLATE. All numbers are little endian.
//! The payload:
//!
//! | bytes | content |
//! |---|---|
//! | 4, then as many | the origin: a text that describes how the weights were made |
//! | 1 | the number of stages, at least two |
//! | 1 each | the stages' empties, ascending |
//! | 61 × 2 | the constant for each number of empties, 0 to 60 |
//! | 7 × 61 × 2 | the standard deviation of the score about searches of 0 to 6 plies, by empties |
//! | 1 | the number of parameters, at most 255 |
//! | 1, then as many, then 4 | for each parameter: length of the name, the name, the value |
//! | stages × 114,363 × 2 | each stage's weights by class; from the second on, the differences |
//!
//! The order of the classes follows from the order of the squares in
//! [`KINDS`](super::patterns::KINDS). A change of that order is a new version of the format.
//!
//! The parameters are numbers that steer the search and were fitted together with the weights. Here
//! they are names and values; [`crate::search::PARAMETERS`] defines them.

use std::collections::BTreeMap;
use std::io::{Read, Write};

use flate2::Compression;
use flate2::bufread::DeflateDecoder;
use flate2::write::DeflateEncoder;
use thiserror::Error;

use super::SYMMETRY_CLASSES;
use crate::digest::sha256;

/// The number of search depths with a standard deviation: 0 to 6 plies.
pub const DEVIATION_DEPTHS: usize = 7;

/// The largest absolute value of a weight. The sum of 46 of them fits into 16 bits, so the halves
/// of a word ([`super::tapered`]) do not overflow.
const MAX_WEIGHT: i16 = 712;

const HEADER: &[u8] = b"yose weights 3\n";

/// The embedded weight file.
pub const EMBEDDED: &[u8] = include_bytes!("weights.bin");

/// Why a weight file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum WeightsError {
    /// It does not begin with the header.
    #[error("this is not a weight file; `yose train fit` makes one")]
    NoWeights,
    /// Its header has another version.
    #[error("this weight file was made for another version of yose; fit the weights again")]
    OtherVersion,
    /// It is truncated, or its content is not what its digest says.
    #[error("this weight file is damaged: {0}")]
    Damaged(&'static str),
}

/// The weights of one stage of the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StageWeights {
    /// The number of empties at which the weights hold.
    pub empties: u8,
    /// The weight of each symmetry class, in 1 / [`UNIT`](super::UNIT) disc.
    pub weights: Vec<i16>,
}

/// The beginning of a weight file's payload.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Description {
    /// How the weights were made.
    pub origin: String,
    /// The stages' empties, ascending.
    pub stages: Vec<u8>,
}

/// The content of a weight file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weights {
    origin: String,
    stages: Vec<StageWeights>,
    constants: [i16; 61],
    deviation: [[u16; 61]; DEVIATION_DEPTHS],
    parameters: BTreeMap<String, i32>,
}

impl Weights {
    /// Weights from their parts, without parameters. Weights that are too large are clamped.
    ///
    /// # Panics
    /// If there are fewer than two stages, if they are not in ascending order of their empties, or
    /// if one has not exactly one weight for each class.
    pub fn new(
        origin: String,
        mut stages: Vec<StageWeights>,
        constants: [i16; 61],
        deviation: [[u16; 61]; DEVIATION_DEPTHS],
    ) -> Weights {
        assert!(stages.len() >= 2 && stages.is_sorted_by(|a, b| a.empties < b.empties));
        for stage in &mut stages {
            assert_eq!(stage.weights.len(), SYMMETRY_CLASSES);
            stage
                .weights
                .iter_mut()
                .for_each(|weight| *weight = (*weight).clamp(-MAX_WEIGHT, MAX_WEIGHT));
        }
        Weights { origin, stages, constants, deviation, parameters: BTreeMap::new() }
    }

    /// Weights of zero: every position has the value 0.
    pub fn zero() -> Weights {
        let stage = |empties| StageWeights { empties, weights: vec![0; SYMMETRY_CLASSES] };
        Weights::new(
            "zero".into(),
            vec![stage(10), stage(60)],
            [0; 61],
            [[12 * super::UNIT as u16; 61]; DEVIATION_DEPTHS],
        )
    }

    /// The embedded weights. Their digest is not checked: a test does that, and a program that is
    /// damaged elsewhere would not notice either.
    ///
    /// # Errors
    /// If the embedded file is malformed.
    pub fn embedded() -> Result<Weights, WeightsError> {
        let (_, packed) = parts(EMBEDDED)?;
        Payload::of(packed).weights().ok_or(MALFORMED)
    }

    /// Weights with every weight and constant replaced by the result of `change`, clamped.
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

    /// The constant term for each number of empties, in 1 / [`UNIT`](super::UNIT) disc.
    pub fn constants(&self) -> &[i16; 61] {
        &self.constants
    }

    /// `deviation()[depth][empties]`: the standard deviation of the score about the value of a
    /// search `depth` plies deep, in 1 / [`UNIT`](super::UNIT) disc.
    pub fn deviation(&self) -> &[[u16; 61]; DEVIATION_DEPTHS] {
        &self.deviation
    }

    /// The parameters of the search that were fitted with these weights, by their names
    /// ([`crate::search::ParameterSpec::name`]). Empty if none were fitted.
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

    /// The interpolation for a number of empties: the index of the lower of two neighbouring
    /// stages, and the fraction of the way from it to the next one, 0 to 1.
    pub fn interpolation(&self, empties: usize) -> (usize, f64) {
        let stages: Vec<f64> = self.stages.iter().map(|stage| f64::from(stage.empties)).collect();
        let empties = (empties as f64).clamp(stages[0], stages[stages.len() - 1]);
        let low = stages[1..stages.len() - 1].iter().filter(|&&stage| stage <= empties).count();
        (low, (empties - stages[low]) / (stages[low + 1] - stages[low]))
    }

    /// The bytes of a weight file.
    pub fn write(&self) -> Vec<u8> {
        let mut payload = (self.origin.len() as u32).to_le_bytes().to_vec();
        payload.extend(self.origin.as_bytes());
        payload.push(self.stages.len() as u8);
        payload.extend(self.stages.iter().map(|stage| stage.empties));
        payload.extend(self.constants.iter().flat_map(|number| number.to_le_bytes()));
        payload.extend(self.deviation.iter().flatten().flat_map(|number| number.to_le_bytes()));
        payload.push(self.parameters.len() as u8);
        for (name, value) in &self.parameters {
            payload.push(name.len() as u8);
            payload.extend(name.as_bytes());
            payload.extend(value.to_le_bytes());
        }
        let mut before = vec![0; SYMMETRY_CLASSES];
        for StageWeights { weights, .. } in &self.stages {
            let differences = weights.iter().zip(&before).map(|(weight, before)| weight - before);
            payload.extend(differences.flat_map(i16::to_le_bytes));
            before.clone_from(weights);
        }
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(&payload).expect("a vector can be written");
        let packed = encoder.finish().expect("a vector can be written");
        [HEADER, &sha256(&packed), &packed].concat()
    }

    /// Reads a weight file.
    ///
    /// # Errors
    /// If it is not a weight file, has another version, or is damaged.
    pub fn read(file: &[u8]) -> Result<Weights, WeightsError> {
        let (digest, packed) = parts(file)?;
        if sha256(packed) != digest {
            return Err(WeightsError::Damaged("its checksum is wrong"));
        }
        Payload::of(packed).weights().ok_or(MALFORMED)
    }

    /// Reads the beginning of a weight file, without checking its digest. This takes little time;
    /// the rest may be damaged.
    ///
    /// # Errors
    /// If it is not a weight file, has another version, or is damaged at the beginning.
    pub fn describe(file: &[u8]) -> Result<Description, WeightsError> {
        let (_, packed) = parts(file)?;
        Payload::of(packed).description().ok_or(MALFORMED)
    }
}

const MALFORMED: WeightsError = WeightsError::Damaged("its content is malformed");

/// The digest of a file and its compressed payload.
fn parts(file: &[u8]) -> Result<(&[u8], &[u8]), WeightsError> {
    let name = HEADER.len() - 2;
    let rest = match file.strip_prefix(HEADER) {
        Some(rest) => rest,
        None if file.starts_with(&HEADER[..name]) => return Err(WeightsError::OtherVersion),
        None => return Err(WeightsError::NoWeights),
    };
    rest.split_at_checked(32).ok_or(WeightsError::Damaged("it is cut short"))
}

/// A reader of the payload. It decompresses piece by piece: allocating memory for all of it at once
/// would take longer than reading it.
struct Payload<'a>(DeflateDecoder<&'a [u8]>);

impl<'a> Payload<'a> {
    fn of(packed: &'a [u8]) -> Payload<'a> {
        Payload(DeflateDecoder::new(packed))
    }

    fn bytes<const N: usize>(&mut self) -> Option<[u8; N]> {
        let mut bytes = [0; N];
        self.0.read_exact(&mut bytes).ok()?;
        Some(bytes)
    }

    /// Fills a buffer and returns it.
    fn fill(&mut self, mut buffer: Vec<u8>) -> Option<Vec<u8>> {
        self.0.read_exact(&mut buffer).ok()?;
        Some(buffer)
    }

    fn numbers(&mut self) -> Option<[u16; 61]> {
        let bytes = self.bytes::<122>()?;
        Some(std::array::from_fn(|n| u16::from_le_bytes([bytes[2 * n], bytes[2 * n + 1]])))
    }

    fn description(&mut self) -> Option<Description> {
        let length = u32::from_le_bytes(self.bytes()?) as usize;
        // A malformed file must not fill the memory. No sound file has a longer origin.
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
        let mut bytes = vec![0; 2 * SYMMETRY_CLASSES];
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
        let at_end = self.0.read(&mut [0]).ok()? == 0;
        let sound = at_end
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
            weights: (0..SYMMETRY_CLASSES)
                .map(|_| rng.random_range(-MAX_WEIGHT..=MAX_WEIGHT))
                .collect(),
        };
        let stages = vec![stage(10, &mut rng), stage(14, &mut rng), stage(22, &mut rng)];
        let constants = std::array::from_fn(|n| n as i16 - 30);
        let parameters = [("one".to_owned(), 1), ("less".to_owned(), -70_000)].into();
        let weights = Weights::new(String::new(), stages, constants, [[300; 61]; DEVIATION_DEPTHS]);
        weights.with_parameters(parameters, "a test".into())
    }

    #[test]
    fn a_file_that_was_written_reads_back() {
        let weights = sample();
        assert_eq!(Weights::read(&weights.write()), Ok(weights));
    }

    #[test]
    fn the_embedded_file_is_what_its_digest_says() {
        assert_eq!(Weights::embedded(), Weights::read(EMBEDDED));
        assert!(Weights::read(EMBEDDED).is_ok());
    }

    #[test]
    fn the_beginning_of_a_file_has_origin_and_stages() {
        let description = Description { origin: "a test".into(), stages: vec![10, 14, 22] };
        assert_eq!(Weights::describe(&sample().write()), Ok(description));
        for (file, error) in [
            (&b"XO"[..], WeightsError::NoWeights),
            (b"yose weights 1\n", WeightsError::OtherVersion),
            (HEADER, WeightsError::Damaged("it is cut short")),
            (&[HEADER, &[7; 50]].concat(), MALFORMED),
        ] {
            assert_eq!(Weights::describe(file), Err(error));
        }
    }

    #[test]
    fn a_damaged_file_is_an_error() {
        let file = sample().write();
        for cut in [0, 5, 20, 60, file.len() - 1] {
            assert!(Weights::read(&file[..cut]).is_err());
        }
        for offset in [HEADER.len(), 40, 50, file.len() / 2, file.len() - 1] {
            let mut file = file.clone();
            file[offset] ^= 1;
            assert_eq!(Weights::read(&file), Err(WeightsError::Damaged("its checksum is wrong")));
        }
        assert_eq!(Weights::read(b"XO"), Err(WeightsError::NoWeights));
        assert_eq!(Weights::read(b"yose weights 1\n"), Err(WeightsError::OtherVersion));
    }

    #[test]
    fn a_malformed_payload_with_the_right_checksum_is_an_error() {
        let file = |payload: &[u8]| {
            let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
            encoder.write_all(payload).expect("a vector can be written");
            let packed = encoder.finish().expect("a vector can be written");
            [HEADER, &sha256(&packed), &packed].concat()
        };
        // No origin, two stages, constants and deviations of 0, no parameters, and every weight the
        // least 16-bit number.
        let beginning = [0, 0, 0, 0, 2, 10, 14];
        let weights = [[0, 0x80], [0, 0]].map(|number| number.repeat(SYMMETRY_CLASSES)).concat();
        let huge = [&beginning[..], &[0; 8 * 122 + 1], &weights].concat();
        let zero = [&beginning[..], &[0; 8 * 122 + 1], &vec![0; 4 * SYMMETRY_CLASSES]].concat();
        // A parameter whose name is not UTF-8.
        let parameter = [
            &beginning[..],
            &[0; 8 * 122],
            &[1, 1, 0xff, 0, 0, 0, 0],
            &vec![0; 4 * SYMMETRY_CLASSES],
        ]
        .concat();
        assert_eq!(Weights::read(&file(&zero)).map(|weights| weights.stages().len()), Ok(2));
        for payload in [
            &[9; 5000][..],
            &huge,
            &parameter,
            &zero[..zero.len() - 1],
            &[&zero[..], &[0]].concat(),
            &[0; 500],
        ] {
            assert_eq!(Weights::read(&file(payload)), Err(MALFORMED), "{} bytes", payload.len());
        }
    }

    #[test]
    fn empties_are_interpolated_between_stages() {
        let weights = sample();
        for (empties, expected) in [
            (0, (0, 0.0)),
            (10, (0, 0.0)),
            (13, (0, 0.75)),
            (14, (1, 0.0)),
            (18, (1, 0.5)),
            (40, (1, 1.0)),
        ] {
            assert_eq!(weights.interpolation(empties), expected);
        }
    }

    #[test]
    fn no_sum_of_weights_overflows_its_half_of_a_word() {
        assert!(super::super::patterns::FEATURES * MAX_WEIGHT as usize <= i16::MAX as usize);
    }
}
