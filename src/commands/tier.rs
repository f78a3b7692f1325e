//! `--tier` and `YOSE_TIER`: the build tier that the user asks for.
//!
//! The executable with all tiers starts with a launcher (`launcher/`), which reads both and runs
//! the build for that tier. Here it is only confirmed: a build has one tier.

use std::env;

use anyhow::{Result, bail};

use yose::tier::{NAME, faster};

/// The environment variable with the default of `--tier`. The launcher reads it too.
const VARIABLE: &str = "YOSE_TIER";

/// The build tier that the user asks for.
#[derive(Clone, Debug, clap::Args)]
pub struct TierArgs {
    #[cfg_attr(
        target_arch = "x86_64",
        doc = "Use this build tier: portable, x86-64-v3 or x86-64-v4"
    )]
    #[cfg_attr(target_arch = "aarch64", doc = "Use this build tier: aarch64-neon")]
    #[cfg_attr(
        not(any(target_arch = "x86_64", target_arch = "aarch64")),
        doc = "Use this build tier: portable"
    )]
    ///
    /// The default is the value of the environment variable YOSE_TIER, or the fastest tier for this
    /// CPU if it is not set or empty. Only an executable with several tiers has a choice; `yose
    /// --version` prints the tier.
    #[arg(long, value_name = "TIER", global = true, hide_short_help = true)]
    tier: Option<String>,
}

impl TierArgs {
    /// Checks that this program is of that tier.
    ///
    /// # Errors
    /// If it is of another.
    pub fn check(&self) -> Result<()> {
        // Not read by clap, whose message would blame `--tier` for the variable.
        let variable = || env::var_os(VARIABLE).filter(|value| !value.is_empty());
        let (wanted, what) = match (&self.tier, variable()) {
            (Some(wanted), _) => (wanted.clone(), "--tier"),
            (None, Some(value)) => {
                (value.to_string_lossy().into_owned(), "the environment variable YOSE_TIER")
            }
            (None, None) => return Ok(()),
        };
        if wanted != NAME {
            bail!(
                "{what} is `{wanted}`, but this program was built for the tier {NAME} alone; \
                 only an executable with several tiers has a choice"
            );
        }
        Ok(())
    }
}

/// The lines about the tier in `--version`.
pub fn description() -> String {
    let own = format!("build tier: {NAME}");
    match faster() {
        None => own,
        Some(faster) => format!(
            "{own}\nfaster on this CPU: {faster}, with RUSTFLAGS=\"-C target-cpu={faster}\" cargo \
             install yose"
        ),
    }
}
