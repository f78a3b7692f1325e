//! Cutting a stream of bytes into lines, each within bounds.
//!
//! `BufRead::read_until` would take a file without line ends, a disc image for one, into memory
//! whole. Here a line that is too long is dropped while it is read, and only its existence is told.

use std::io::{self, BufRead};

/// The longest line that is read, in bytes. The longest useful one, 64 squares and a field for each
/// of 33 moves, has some 400.
pub const LONGEST: usize = 1 << 16;

/// What was found in the stream.
#[derive(PartialEq, Eq, Debug)]
pub enum Cut {
    /// A line; its bytes, without the end of the line, are in the buffer.
    Line,
    /// A line longer than [`LONGEST`].
    TooLong,
    /// A NUL byte, which no text holds, in the coming line.
    NotText,
    /// The end of the stream.
    End,
}

/// Reads the next line into `line`, which is emptied first, and shows every byte that is taken from
/// the stream to `seen`. The last line need not have an end; a carriage return before the end
/// belongs to it.
pub fn next(
    input: &mut dyn BufRead,
    line: &mut Vec<u8>,
    mut seen: impl FnMut(&[u8]),
) -> io::Result<Cut> {
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
        any = true;
        let end = available.iter().position(|&byte| byte == b'\n');
        let piece = &available[..end.unwrap_or(available.len())];
        let taken = end.map_or(available.len(), |end| end + 1);
        if piece.contains(&0) {
            return Ok(Cut::NotText);
        }
        too_long |= line.len() + piece.len() > LONGEST;
        if !too_long {
            line.extend_from_slice(piece);
        }
        seen(&available[..taken]);
        input.consume(taken);
        if end.is_some() {
            break;
        }
    }
    if line.last() == Some(&b'\r') {
        line.pop();
    }
    Ok(match (any, too_long) {
        (false, _) => Cut::End,
        (true, true) => Cut::TooLong,
        (true, false) => Cut::Line,
    })
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use proptest::prelude::*;

    use super::*;

    fn cuts(bytes: &[u8], capacity: usize) -> Vec<(Cut, String)> {
        let mut input = BufReader::with_capacity(capacity, bytes);
        let (mut line, mut found) = (Vec::new(), Vec::new());
        loop {
            let cut = next(&mut input, &mut line, |_| {}).expect("memory can be read");
            let last = matches!(cut, Cut::End | Cut::NotText);
            found.push((cut, String::from_utf8(line.clone()).expect("UTF-8")));
            if last {
                return found;
            }
        }
    }

    #[test]
    fn lines_end_in_any_way() {
        for capacity in [1, 2, 3, 100] {
            let lines: Vec<String> =
                cuts(b"a\nbc\r\n\n\r\nd", capacity).into_iter().map(|(_, line)| line).collect();
            assert_eq!(lines, ["a", "bc", "", "", "d", ""]);
            assert_eq!(cuts(b"", capacity), [(Cut::End, String::new())]);
            assert_eq!(cuts(b"a\nb\0c\n", capacity)[1].0, Cut::NotText);
        }
    }

    #[test]
    fn a_long_line_is_dropped_and_the_next_one_read() {
        let mut bytes = vec![b'x'; 10 * LONGEST];
        bytes.extend_from_slice(b"\nnext\n");
        let found = cuts(&bytes, 8192);
        assert_eq!(found[0].0, Cut::TooLong);
        assert!(found[0].1.len() <= LONGEST);
        assert_eq!(found[1], (Cut::Line, "next".to_owned()));
    }

    proptest! {
        #[test]
        fn every_byte_is_seen_and_the_buffer_does_not_matter(bytes: Vec<u8>, capacity in 1usize..20) {
            let mut input = BufReader::with_capacity(capacity, &bytes[..]);
            let (mut line, mut seen, mut lines) = (Vec::new(), Vec::new(), Vec::new());
            let last = loop {
                match next(&mut input, &mut line, |piece| seen.extend_from_slice(piece)).expect("memory can be read") {
                    Cut::Line => lines.push(line.clone()),
                    cut => break cut,
                }
            };
            if last == Cut::End {
                prop_assert_eq!(&seen, &bytes);
            } else {
                prop_assert!(last == Cut::NotText && bytes.contains(&0) && bytes.starts_with(&seen));
            }
            let without = |line: &[u8]| line.strip_suffix(b"\r").unwrap_or(line).to_vec();
            let expected: Vec<Vec<u8>> = bytes.split(|&byte| byte == b'\n').map(without).collect();
            prop_assert_eq!(&lines[..], &expected[..lines.len()]);
        }
    }
}
