//! Sizes of memory on the command line.

/// Reads a number of bytes: `256MiB`, `1GiB`, `512M`, `2G`, or plain bytes. K, M, G and T, with or
/// without `iB`, are powers of 1024; KB, MB, GB and TB are powers of 1000.
fn parse(text: &str) -> Result<u64, String> {
    const HINT: &str = "write a size as 256MiB, 1GiB, 512M, 2G, or a number of bytes";
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, unit) = text.split_at(end);
    if digits.is_empty() {
        return Err(format!("it does not begin with a whole number; {HINT}"));
    }
    let unit = unit.trim_start();
    let (base, power) = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => (1, 0),
        "k" | "kib" => (1024, 1),
        "m" | "mib" => (1024, 2),
        "g" | "gib" => (1024, 3),
        "t" | "tib" => (1024, 4),
        "kb" => (1000, 1),
        "mb" => (1000, 2),
        "gb" => (1000, 3),
        "tb" => (1000, 4),
        _ => return Err(format!("`{unit}` is not a unit; {HINT}")),
    };
    let number: Option<u64> = digits.parse().ok();
    number
        .and_then(|number| number.checked_mul(u64::pow(base, power)))
        .ok_or_else(|| "no machine has that much memory".to_owned())
}

/// Reads the size of a table, which is at least 1 MiB.
pub(super) fn parse_table(text: &str) -> Result<u64, String> {
    match parse(text)? {
        bytes if bytes < 1 << 20 => {
            Err(format!("{bytes} bytes are too few; the smallest table has 1MiB"))
        }
        bytes => Ok(bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        for (text, bytes) in [
            ("256MiB", 256 << 20),
            ("1GiB", 1 << 30),
            ("512M", 512 << 20),
            ("2G", 2 << 30),
            ("2g", 2 << 30),
            ("1 gib", 1 << 30),
            ("1048576", 1 << 20),
            ("4096K", 4 << 20),
            ("100MB", 100_000_000),
            ("3T", 3 << 40),
        ] {
            assert_eq!(parse_table(text), Ok(bytes), "{text}");
        }
    }

    #[test]
    fn a_text_that_is_no_size_is_an_error() {
        for (text, part) in [
            ("", "begin with a whole number"),
            ("MiB", "begin with a whole number"),
            ("-1G", "begin with a whole number"),
            ("1.5G", "`.5G` is not a unit"),
            ("12 parsecs", "`parsecs` is not a unit"),
            ("99999999999999999999", "that much memory"),
            ("99999999999T", "that much memory"),
            ("1000", "1000 bytes are too few"),
            ("0", "0 bytes are too few"),
        ] {
            let error = parse_table(text).expect_err(text);
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
