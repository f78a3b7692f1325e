//! A stream of bytes with its digest: lines and blocks within bounded memory.
//!
//! `BufRead::read_until` reads a file without line ends, such as a disc image, into memory whole.
//! This reader skips a line that is too long while it reads it.

use std::fmt;
use std::io::{self, BufRead, Read};

use sha2::{Digest, Sha256};

use crate::digest::hex;

/// The longest line that is read, in bytes. The longest useful line, 64 squares with a field for
/// each of 33 moves, has some 400.
pub const LONGEST_LINE: usize = 1 << 16;

/// The result of reading a line.
#[derive(PartialEq, Eq, Debug)]
pub enum LineRead {
    /// A line. The buffer contains its bytes without the end of the line.
    Line,
    /// A line longer than [`LONGEST_LINE`].
    TooLong,
    /// A line with a NUL byte, which no text contains.
    NotText,
    /// The end of the stream.
    End,
}

/// A stream of bytes, and the digest of the bytes that were read.
pub struct Stream {
    input: Box<dyn BufRead>,
    digest: Sha256,
    ends: LineEnds,
}

/// What the end of the last line leaves for the next one.
#[derive(Default)]
struct LineEnds {
    /// Whether the last line ended with a carriage return. A line feed that follows belongs to it.
    /// It is looked for when the next line is read: to wait for it would delay the answer to a
    /// line of a pipe.
    after_return: bool,
}

impl Stream {
    /// A stream of this input, with the digest of no bytes.
    pub fn new(input: Box<dyn BufRead>) -> Stream {
        Stream { input, digest: Sha256::new(), ends: LineEnds::default() }
    }

    /// The SHA-256 of all bytes that were read, in hexadecimal. Resets the digest.
    pub fn finish_digest(&mut self) -> String {
        hex(&self.digest.finalize_reset())
    }

    /// Reads the next line into `line`, whose content is replaced. A line ends with a line feed, a
    /// carriage return, or a carriage return and a line feed. The last line may lack an end.
    ///
    /// # Errors
    /// If the input cannot be read, like all functions here.
    pub fn read_line(&mut self, line: &mut Vec<u8>) -> io::Result<LineRead> {
        let Stream { input, digest, ends } = self;
        read_line(&mut **input, ends, line, |bytes| digest.update(bytes))
    }

    /// The next byte, which remains unread; `None` at the end.
    pub fn peek(&mut self) -> io::Result<Option<u8>> {
        loop {
            match self.input.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                available => return Ok(available?.first().copied()),
            }
        }
    }

    /// Fills the buffer, and returns the number of bytes read: fewer at the end of the stream.
    pub fn fill(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut length = 0;
        while length < buffer.len() && self.peek()?.is_some() {
            let read = self.input.read(&mut buffer[length..])?;
            self.digest.update(&buffer[length..length + read]);
            length += read;
        }
        Ok(length)
    }
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stream").finish_non_exhaustive()
    }
}

/// [`Stream::read_line`], with a call of `seen` for all bytes that are read.
fn read_line(
    input: &mut dyn BufRead,
    ends: &mut LineEnds,
    line: &mut Vec<u8>,
    mut seen: impl FnMut(&[u8]),
) -> io::Result<LineRead> {
    line.clear();
    let (mut any, mut too_long) = (false, false);
    loop {
        let available = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            available => available?,
        };
        if available.is_empty() {
            break;
        }
        if std::mem::take(&mut ends.after_return) && available[0] == b'\n' {
            seen(b"\n");
            input.consume(1);
            continue;
        }
        any = true;
        let end = available.iter().position(|&byte| matches!(byte, b'\n' | b'\r'));
        let piece = &available[..end.unwrap_or(available.len())];
        let length = end.map_or(available.len(), |end| end + 1);
        if piece.contains(&0) {
            return Ok(LineRead::NotText);
        }
        too_long |= line.len() + piece.len() > LONGEST_LINE;
        if !too_long {
            line.extend_from_slice(piece);
        }
        ends.after_return = end.is_some_and(|end| available[end] == b'\r');
        seen(&available[..length]);
        input.consume(length);
        if end.is_some() {
            break;
        }
    }
    Ok(match (any, too_long) {
        (false, _) => LineRead::End,
        (true, true) => LineRead::TooLong,
        (true, false) => LineRead::Line,
    })
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use proptest::prelude::*;

    use super::*;

    fn lines_of(bytes: &[u8], capacity: usize) -> Vec<(LineRead, String)> {
        let mut input = BufReader::with_capacity(capacity, bytes);
        let (mut ends, mut line, mut found) = (LineEnds::default(), Vec::new(), Vec::new());
        loop {
            let read = read_line(&mut input, &mut ends, &mut line, |_| {}).expect("it can be read");
            let last = matches!(read, LineRead::End | LineRead::NotText);
            found.push((read, String::from_utf8(line.clone()).expect("UTF-8")));
            if last {
                return found;
            }
        }
    }

    #[test]
    fn lines_end_in_any_way() {
        for capacity in [1, 2, 3, 100] {
            let lines: Vec<String> =
                lines_of(b"a\nbc\r\n\n\r\nd", capacity).into_iter().map(|(_, line)| line).collect();
            assert_eq!(lines, ["a", "bc", "", "", "d", ""]);
            let texts = |bytes| -> Vec<String> {
                lines_of(bytes, capacity).into_iter().map(|(_, line)| line).collect()
            };
            assert_eq!(texts(b"a\rbc\r\rd\r"), ["a", "bc", "", "d", ""], "returns alone");
            assert_eq!(texts(b"a\r\nb\rc\nd\n\re\r\n"), ["a", "b", "c", "d", "", "e", ""]);
            assert_eq!(texts(b"a\r\n"), ["a", ""]);
            assert_eq!(texts(b"a\r"), ["a", ""]);
            assert_eq!(lines_of(b"", capacity), [(LineRead::End, String::new())]);
            assert_eq!(lines_of(b"a\nb\0c\n", capacity)[1].0, LineRead::NotText);
        }
    }

    #[test]
    fn a_long_line_is_dropped_and_the_next_one_read() {
        let mut bytes = vec![b'x'; 10 * LONGEST_LINE];
        bytes.extend_from_slice(b"\nnext\n");
        let found = lines_of(&bytes, 8192);
        assert_eq!(found[0].0, LineRead::TooLong);
        assert!(found[0].1.len() <= LONGEST_LINE);
        assert_eq!(found[1], (LineRead::Line, "next".to_owned()));
    }

    proptest! {
        #[test]
        fn every_byte_is_seen_and_the_buffer_does_not_matter(
            bytes in prop::collection::vec(
                prop_oneof![any::<u8>(), Just(b'\n'), Just(b'\r')],
                0..40,
            ),
            capacity in 1usize..20,
        ) {
            let mut input = BufReader::with_capacity(capacity, &bytes[..]);
            let (mut line, mut seen, mut lines) = (Vec::new(), Vec::new(), Vec::new());
            let mut ends = LineEnds::default();
            let last = loop {
                let see = |piece: &[u8]| seen.extend_from_slice(piece);
                match read_line(&mut input, &mut ends, &mut line, see)
                    .expect("memory can be read")
                {
                    LineRead::Line => lines.push(line.clone()),
                    read => break read,
                }
            };
            if last == LineRead::End {
                prop_assert_eq!(&seen, &bytes);
            } else {
                prop_assert!(last == LineRead::NotText && bytes.contains(&0));
                prop_assert!(bytes.starts_with(&seen));
            }
            // With one kind of end.
            let mut plain = bytes.clone();
            let is_pair = |at: usize| bytes[at] == b'\n' && at > 0 && bytes[at - 1] == b'\r';
            for at in (0..bytes.len()).rev().filter(|&at| is_pair(at)) {
                plain.remove(at);
            }
            let expected: Vec<&[u8]> =
                plain.split(|byte| matches!(byte, b'\n' | b'\r')).collect();
            prop_assert_eq!(&lines[..], &expected[..lines.len()]);
        }
    }
}
