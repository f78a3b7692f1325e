//! The parts of a line of progress as text.

/// The line without its less important parts, as far as they do not fit into this width: the range
/// of the remaining time, the threads, the speed, the share.
pub(super) fn fitting(mut line: String, width: usize) -> String {
    if line.len() > width
        && let Some(range) = line.find(" (")
    {
        line.truncate(range);
    }
    for ending in ["threads busy", "nodes/s", "% done"] {
        if line.len() > width {
            let parts = line.split(", ").filter(|part| !part.ends_with(ending));
            line = parts.collect::<Vec<_>>().join(", ");
        }
    }
    line
}

/// A number of seconds as `m:ss` or `h:mm:ss`, with days before it if there are any.
pub(super) fn clock(seconds: f64) -> String {
    let seconds = seconds as u64;
    let (days, hours, minutes) = (seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60);
    match (days, hours) {
        (0, 0) => format!("{minutes}:{:02}", seconds % 60),
        (0, _) => format!("{hours}:{minutes:02}:{:02}", seconds % 60),
        (1, _) => format!("1 day {hours}:{minutes:02}:{:02}", seconds % 60),
        _ => format!("{days} days {hours}:{minutes:02}:{:02}", seconds % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_narrow_terminal_has_no_range() {
        let line = "5 of 6 positions, 0:14, about 0:06 left (0:01 to 0:12)";
        assert_eq!(fitting(line.to_owned(), line.len()), line);
        let narrow = fitting(line.to_owned(), line.len() - 1);
        assert_eq!(narrow, "5 of 6 positions, 0:14, about 0:06 left");
        let long =
            "5 of 6 positions, 70% done, 9 M nodes, 3.0 M nodes/s, 1 of 2 threads busy, 0:14";
        let fit = |width| fitting(long.to_owned(), width);
        assert_eq!(fit(60), "5 of 6 positions, 70% done, 9 M nodes, 3.0 M nodes/s, 0:14");
        assert_eq!(fit(50), "5 of 6 positions, 70% done, 9 M nodes, 0:14");
        assert_eq!(fit(40), "5 of 6 positions, 9 M nodes, 0:14");
        assert_eq!(fitting(narrow.clone(), 3), narrow);
    }

    #[test]
    fn durations_have_minutes_hours_and_days() {
        let text = |seconds: u64| clock(seconds as f64);
        assert_eq!(
            [text(5), text(3600), text(90_061), text(200_000)],
            ["0:05", "1:00:00", "1 day 1:01:01", "2 days 7:33:20"]
        );
    }
}
