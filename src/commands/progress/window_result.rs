//! A line for what a null window of a long search has shown, as users of engines know it: depth and
//! selectivity, bounds, best move, nodes.

use std::time::Duration;

use yose::records::output::readable;
use yose::search::WindowResult;

use super::text::clock;

/// What a null window has shown: `thread 2, 0:10: 24@73%, score >= +14, best f5, 23 M nodes`.
pub fn result_line(worker: usize, result: &WindowResult, elapsed: Duration) -> String {
    let (time, selectivity) = (clock(elapsed.as_secs_f64()), selectivity(result.margin));
    let best = result.best_move.map_or_else(String::new, |best| format!(", best {best}"));
    format!(
        "thread {}, {time}: {}@{selectivity}%, {}{best}, {} M nodes",
        worker + 1,
        result.empties,
        score(result.lower, result.upper),
        readable(result.mega_nodes * (1 << 20) / 1_000_000)
    )
}

/// The bounds that a pass has found so far.
fn score(lower: i32, upper: i32) -> String {
    match (lower, upper) {
        (lower, upper) if lower == upper => format!("score {lower:+}"),
        (lower, 64) => format!("score >= {lower:+}"),
        (-64, upper) => format!("score <= {upper:+}"),
        (lower, upper) => format!("score {lower:+} to {upper:+}"),
    }
}

/// The confidence of a pass in percent: the share of a normal distribution within its margin, as
/// Edax names its selectivities. 100 is the exact pass.
fn selectivity(margin: Option<u32>) -> u32 {
    let Some(tenths) = margin else { return 100 };
    // The error function by its series: margins are at most some deviations.
    let x = f64::from(tenths) / 10.0 / std::f64::consts::SQRT_2;
    let (mut term, mut sum) = (x, x);
    for n in 1..200 {
        let n = f64::from(n);
        term *= -x * x / n;
        sum += term / (2.0 * n + 1.0);
    }
    let share = sum * std::f64::consts::FRAC_2_SQRT_PI;
    // What is not exact is never 100 %.
    ((share * 100.0).round() as u32).min(99)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_depth_selectivity_bounds_move_and_nodes() {
        let line = |margin, lower, upper| {
            let best_move = Some("f5".parse().expect("a square"));
            let result =
                WindowResult { empties: 24, margin, lower, upper, best_move, mega_nodes: 23 };
            result_line(1, &result, Duration::from_secs(10))
        };
        assert_eq!(
            line(Some(11), 14, 64),
            "thread 2, 0:10: 24@73%, score >= +14, best f5, 24 M nodes"
        );
        assert!(line(None, -64, -2).contains(": 24@100%, score <= -2, "));
        assert!(line(None, -4, 2).contains("score -4 to +2"));
        assert!(line(Some(33), 0, 0).contains("24@99%, score +0"));
    }

    #[test]
    fn selectivities_are_those_of_a_normal_distribution() {
        let names = [9, 11, 15, 20, 26, 33].map(|tenths| selectivity(Some(tenths)));
        assert_eq!(names, [63, 73, 87, 95, 99, 99]);
    }
}
