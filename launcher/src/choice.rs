//! Which tier to run: the one that the user asks for, or the fastest one for the CPU.

use crate::cpu::{Features, Tier};

/// The environment variable that Yose reads too (`src/commands/tier.rs`).
pub(crate) const VARIABLE: &str = "YOSE_TIER";

/// The option.
const OPTION: &[u8] = b"--tier";

/// The tier to run: that of the arguments, else that of the variable, else the fastest of the
/// `carried` ones on this CPU.
///
/// # Errors
/// A message, if that tier does not exist or if the CPU cannot run it.
pub(crate) fn tier(
    arguments: &[&[u8]],
    variable: Option<&[u8]>,
    carried: &[Tier],
    cpu: Features,
) -> Result<Tier, String> {
    let (name, what) = match (asked(arguments), variable.filter(|value| !value.is_empty())) {
        (Some(name), _) => (name, "--tier"),
        (None, Some(name)) => (name, "the environment variable YOSE_TIER"),
        (None, None) => return fastest(carried, cpu),
    };
    let Some(&tier) = carried.iter().find(|tier| tier.name().as_bytes() == name) else {
        let name = String::from_utf8_lossy(name);
        return Err(format!("{what} is `{name}`; the tiers are {}", names(carried)));
    };
    if !cpu.can_run(tier) {
        let can = carried.iter().copied().filter(|tier| cpu.can_run(*tier)).collect::<Vec<_>>();
        return Err(format!(
            "{what} is `{}`, which this CPU cannot run; it can run {}",
            tier.name(),
            names(&can)
        ));
    }
    Ok(tier)
}

/// The fastest carried tier: the best one for the CPU, or a smaller one.
fn fastest(carried: &[Tier], cpu: Features) -> Result<Tier, String> {
    let best = cpu.fastest_tier();
    carried.iter().copied().filter(|tier| *tier <= best).max().ok_or_else(|| match carried {
        [] => "this launcher was built without Yose; scripts/build-all-tiers.sh builds both".into(),
        _ => format!("this CPU cannot run the tiers of this executable, {}", names(carried)),
    })
}

/// The value of `--tier` before `--`. A `--tier` without a value is left to Yose to report.
fn asked<'a>(arguments: &[&'a [u8]]) -> Option<&'a [u8]> {
    let mut arguments = arguments.iter().take_while(|argument| **argument != b"--");
    while let Some(argument) = arguments.next() {
        match argument.strip_prefix(OPTION) {
            Some([]) => return arguments.next().copied(),
            Some([b'=', value @ ..]) => return Some(value),
            _ => {}
        }
    }
    None
}

/// Names for a sentence.
fn names(tiers: &[Tier]) -> String {
    let names: Vec<&str> = tiers.iter().rev().map(|tier| tier.name()).collect();
    match names.as_slice() {
        [] => "none of them".into(),
        [one] => (*one).into(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: &[Tier] = &Tier::ALL;

    /// A CPU that has what the tier needs, and nothing else.
    fn cpu(tier: Tier) -> Features {
        tier.needs()
    }

    /// A CPU on which the tier v4 is the fastest.
    fn late() -> Features {
        Features { leaf_7c: 1 << 6, ..Tier::V4.needs() }
    }

    fn with(arguments: &[&str], variable: Option<&str>, cpu: Features) -> Result<Tier, String> {
        let arguments: Vec<&[u8]> = arguments.iter().map(|argument| argument.as_bytes()).collect();
        tier(&arguments, variable.map(str::as_bytes), ALL, cpu)
    }

    #[test]
    fn the_fastest_tier_is_the_default() {
        assert_eq!(with(&["solve"], None, Features::NONE), Ok(Tier::Portable));
        assert_eq!(with(&["solve"], None, cpu(Tier::V3)), Ok(Tier::V3));
        assert_eq!(with(&["solve"], None, cpu(Tier::V4)), Ok(Tier::V3));
        assert_eq!(with(&["solve"], None, late()), Ok(Tier::V4));
        assert_eq!(with(&[], Some(""), late()), Ok(Tier::V4));
    }

    #[test]
    fn the_option_is_found_before_the_double_hyphen() {
        for arguments in [
            &["--tier", "x86-64-v3", "solve"][..],
            &["--tier=x86-64-v3", "solve"],
            &["solve", "list.obf", "--tier", "x86-64-v3"],
            &["solve", "--tier=x86-64-v3", "--", "list.obf"],
        ] {
            assert_eq!(with(arguments, None, late()), Ok(Tier::V3), "{arguments:?}");
        }
        for arguments in [
            &["solve", "--", "--tier", "x86-64-v3"][..],
            &["solve", "--tiers", "x86-64-v3"],
            &["solve", "--tier"],
        ] {
            assert_eq!(with(arguments, None, late()), Ok(Tier::V4), "{arguments:?}");
        }
    }

    #[test]
    fn the_option_comes_before_the_variable() {
        assert_eq!(with(&[], Some("portable"), late()), Ok(Tier::Portable));
        let arguments = ["--tier", "x86-64-v3"];
        assert_eq!(with(&arguments, Some("portable"), late()), Ok(Tier::V3));
        assert_eq!(with(&arguments, Some("nonsense"), late()), Ok(Tier::V3));
    }

    #[test]
    fn a_slower_tier_can_be_asked_for() {
        assert_eq!(with(&["--tier=x86-64-v4"], None, cpu(Tier::V4)), Ok(Tier::V4));
    }

    #[test]
    fn what_cannot_be_run_is_refused() {
        assert_eq!(
            with(&["--tier=x86-64-v4"], None, cpu(Tier::V3)),
            Err("--tier is `x86-64-v4`, which this CPU cannot run; it can run portable and \
                 x86-64-v3"
                .into())
        );
        assert_eq!(
            with(&[], Some("x86-64-v3"), Features::NONE),
            Err("the environment variable YOSE_TIER is `x86-64-v3`, which this CPU cannot run; \
                 it can run portable"
                .into())
        );
        assert_eq!(
            with(&["--tier", "v5"], None, late()),
            Err("--tier is `v5`; the tiers are portable, x86-64-v3 and x86-64-v4".into())
        );
        assert!(tier(&[b"--tier=\xff\0"], None, ALL, late()).is_err());
        assert!(tier(&[b"--tier="], None, ALL, late()).is_err());
    }

    #[test]
    fn an_executable_with_fewer_tiers_runs_the_fastest_that_is_there() {
        let carried = [Tier::V3, Tier::Portable];
        assert_eq!(tier(&[], None, &carried, late()), Ok(Tier::V3));
        assert!(tier(&[], None, &[Tier::V3], Features::NONE).is_err());
        assert!(tier(&[], None, &[], late()).expect_err("no tier").contains("without Yose"));
    }
}
