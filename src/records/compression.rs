//! Compressed files: gzip (RFC 1952, <https://www.rfc-editor.org/rfc/rfc1952>) and Zstandard
//! (RFC 8878, <https://www.rfc-editor.org/rfc/rfc8878>).
//!
//! What is read is recognised by its first bytes, whatever its name is. The end of the name of an
//! output decides how it is compressed. A file may consist of several parts, one after the other,
//! as `cat` makes them. Memory does not depend on the length of the file.

use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use flate2::Compression as GzipLevel;
use flate2::bufread::MultiGzDecoder;
use flate2::write::GzEncoder;
use ruzstd::decoding::StreamingDecoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

/// The bytes that are compressed at a time with Zstandard. Each makes a frame.
const FRAME: usize = 1 << 20;

/// The first bytes of a Parquet file. Its end must be read first, so a pipe cannot have one.
pub(super) const PARQUET: &[u8] = b"PAR1";

/// A method of compression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compression {
    /// gzip: `.gz`.
    Gzip,
    /// Zstandard: `.zst`.
    Zstandard,
}

impl Compression {
    /// The method that the end of a name asks for; `None` for no compression.
    pub fn of_path(path: &Path) -> Option<Compression> {
        match path.extension()?.to_str()? {
            "gz" => Some(Compression::Gzip),
            "zst" => Some(Compression::Zstandard),
            _ => None,
        }
    }

    /// The name without the end that asks for compression. It shows the format of the content.
    pub fn name_within(path: &Path) -> PathBuf {
        match Compression::of_path(path) {
            Some(_) => path.with_extension(""),
            None => path.to_owned(),
        }
    }

    /// Whether the content of a file has to be decoded before it can be read as text.
    pub(crate) fn is_encoded(begin: &[u8]) -> bool {
        begin.starts_with(PARQUET) || Compression::of_content(begin).is_some()
    }

    /// The method of content that begins with these bytes.
    fn of_content(begin: &[u8]) -> Option<Compression> {
        if begin.starts_with(&[0x1f, 0x8b]) {
            Some(Compression::Gzip)
        } else if begin.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
            Some(Compression::Zstandard)
        } else {
            None
        }
    }
}

/// Content that may be compressed. The method is recognised at the first read, not before: a pipe
/// may have nothing yet.
pub(super) struct Decompressed(State);

enum State {
    /// Nothing was read.
    Unread(Box<dyn BufRead>),
    Reading(Box<dyn BufRead>),
}

impl Decompressed {
    pub fn new(input: Box<dyn BufRead>) -> Decompressed {
        Decompressed(State::Unread(input))
    }

    fn reader(&mut self) -> io::Result<&mut dyn BufRead> {
        if let State::Unread(input) = &mut self.0 {
            let begin = input.fill_buf()?;
            if begin.starts_with(PARQUET) {
                let what = "Parquet cannot be read from a pipe; name the file";
                return Err(io::Error::new(io::ErrorKind::Unsupported, what));
            }
            let method = Compression::of_content(begin);
            let empty = Box::new(io::empty());
            let State::Unread(input) = std::mem::replace(&mut self.0, State::Reading(empty)) else {
                unreachable!("it was not read");
            };
            self.0 = State::Reading(match method {
                None => input,
                Some(Compression::Gzip) => Box::new(BufReader::new(MultiGzDecoder::new(input))),
                Some(Compression::Zstandard) => Box::new(BufReader::new(Frames::of(input))),
            });
        }
        match &mut self.0 {
            State::Reading(reader) => Ok(reader),
            State::Unread(_) => unreachable!("it was just opened"),
        }
    }
}

impl Read for Decompressed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.reader()?.read(buffer)
    }
}

impl BufRead for Decompressed {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.reader()?.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        if let State::Reading(reader) = &mut self.0 {
            reader.consume(count);
        }
    }
}

type Decoder = StreamingDecoder<Box<dyn BufRead>, ruzstd::decoding::FrameDecoder>;

/// The frames of Zstandard, one after the other.
enum Frames {
    /// Between two frames.
    Between(Box<dyn BufRead>),
    Within(Box<Decoder>),
    /// At the end, or after an error.
    End,
}

impl Frames {
    fn of(input: Box<dyn BufRead>) -> Frames {
        Frames::Between(input)
    }
}

impl Read for Frames {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            match std::mem::replace(self, Frames::End) {
                Frames::End => return Ok(0),
                Frames::Between(mut input) => {
                    if input.fill_buf()?.is_empty() {
                        return Ok(0);
                    }
                    let decoder = StreamingDecoder::new(input).map_err(io::Error::other)?;
                    *self = Frames::Within(Box::new(decoder));
                }
                Frames::Within(mut decoder) => match decoder.read(buffer)? {
                    0 => *self = Frames::Between(decoder.into_inner()),
                    read => {
                        *self = Frames::Within(decoder);
                        return Ok(read);
                    }
                },
            }
        }
    }
}

/// Compresses what is written to it. [`Compressor::finish`] writes the rest.
///
/// A flush writes nothing: content that is compressed in small pieces is hardly smaller.
pub struct Compressor<W: Write>(Method<W>);

enum Method<W: Write> {
    Gzip(Box<GzEncoder<W>>),
    Zstandard {
        output: W,
        /// What is not compressed yet: less than a frame.
        rest: Vec<u8>,
    },
}

impl<W: Write> Compressor<W> {
    /// Compresses what is written to `output`.
    pub fn new(method: Compression, output: W) -> Compressor<W> {
        Compressor(match method {
            Compression::Gzip => {
                Method::Gzip(Box::new(GzEncoder::new(output, GzipLevel::default())))
            }
            Compression::Zstandard => Method::Zstandard { output, rest: Vec::new() },
        })
    }

    /// The output.
    pub fn output(&self) -> &W {
        match &self.0 {
            Method::Gzip(encoder) => encoder.get_ref(),
            Method::Zstandard { output, .. } => output,
        }
    }

    /// Writes what is left, and returns the output.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(self) -> io::Result<W> {
        match self.0 {
            Method::Gzip(encoder) => encoder.finish(),
            Method::Zstandard { mut output, rest } => {
                output.write_all(&compress_to_vec(&*rest, CompressionLevel::Fastest))?;
                Ok(output)
            }
        }
    }
}

impl<W: Write> Write for Compressor<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            Method::Gzip(encoder) => encoder.write(bytes),
            Method::Zstandard { output, rest } => {
                let taken = bytes.len().min(FRAME - rest.len());
                rest.extend_from_slice(&bytes[..taken]);
                if rest.len() == FRAME {
                    output.write_all(&compress_to_vec(&**rest, CompressionLevel::Fastest))?;
                    rest.clear();
                }
                Ok(taken)
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<W: Write> fmt::Debug for Compressor<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Compressor").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: Vec<u8>) -> io::Result<Vec<u8>> {
        let mut content = Vec::new();
        let mut reader = Decompressed::new(Box::new(BufReader::new(io::Cursor::new(bytes))));
        reader.read_to_end(&mut content).map(|_| content)
    }

    #[test]
    fn what_is_compressed_is_read_back_and_a_torn_file_is_an_error() {
        // Several frames.
        let text: Vec<u8> =
            (0..300_000u32).flat_map(|n| format!("{},", n % 977).into_bytes()).collect();
        assert!(text.len() > FRAME);
        for method in [Compression::Gzip, Compression::Zstandard] {
            for content in [&text[..], b"", b"a"] {
                let mut compressor = Compressor::new(method, Vec::new());
                compressor.write_all(content).expect("memory");
                let bytes = compressor.finish().expect("memory");
                assert!(read(bytes.clone()).expect("whole") == content, "{method:?}");
                let twice = [bytes.clone(), bytes.clone()].concat();
                assert!(read(twice).expect("whole") == [content, content].concat(), "{method:?}");
                let torn = bytes[..bytes.len() - 1].to_vec();
                assert!(read(torn).is_err(), "{method:?}");
            }
        }
        for plain in [&b""[..], b"\x1f", b"(", b"text"] {
            assert_eq!(read(plain.to_vec()).expect("it is plain"), plain);
        }
    }

    #[test]
    fn the_name_says_how_and_what() {
        let within = |name: &str| {
            (Compression::of_path(Path::new(name)), Compression::name_within(Path::new(name)))
        };
        assert_eq!(within("a/b.jsonl.zst"), (Some(Compression::Zstandard), "a/b.jsonl".into()));
        assert_eq!(within("b.csv.gz"), (Some(Compression::Gzip), "b.csv".into()));
        assert_eq!(within("gz"), (None, "gz".into()));
    }
}
