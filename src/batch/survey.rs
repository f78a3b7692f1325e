//! A first look at the inputs, before anything is solved.
//!
//! Reading a list costs a thousandth of solving it, so it is done twice where that is possible: the
//! first time for the sum of the predicted costs, which a good estimate of the time left needs, and
//! for the inputs' digests, which stand at the head of a JSON Lines output. What can be read only
//! once (standard input, a pipe) is left alone.

use super::cost;
use super::shard::Shard;
use crate::records::{Entry, Input, Item, ReadOptions, Reader, Source};

/// How much there is to do.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Workload {
    /// Positions that can be solved.
    pub positions: u64,
    /// The sum of their predicted costs.
    pub cost: f64,
}

/// What the first look found.
#[derive(Clone, PartialEq, Debug)]
pub struct Survey {
    /// How much there is to do; none if a source can be read only once.
    pub workload: Option<Workload>,
    /// All sources, with the digests of those that can be read twice.
    pub inputs: Vec<Input>,
}

impl Survey {
    /// Reads those sources that can be read twice, and counts the positions that belong to `shard`.
    /// What is wrong with them is not told: the second reading will.
    pub fn of(sources: &[Source], reading: ReadOptions, shard: Option<Shard>) -> Survey {
        let mut workload = Workload::default();
        let mut inputs = Vec::with_capacity(sources.len());
        for source in sources {
            if !source.is_regular_file() {
                inputs.push(Input { name: source.name(), sha256: None });
                continue;
            }
            let mut reader = Reader::new(vec![source.clone()], reading);
            for item in reader.by_ref() {
                if let Item::Entry(Entry { problem: Ok(problem), .. }) = item
                    && shard.is_none_or(|shard| shard.has(Some(&problem.diagram.position)))
                {
                    workload.positions += 1;
                    workload.cost += cost::predict(&problem.diagram.position);
                }
            }
            inputs.extend_from_slice(reader.inputs());
        }
        Survey { workload: (!sources.iter().any(Source::is_stream)).then_some(workload), inputs }
    }

    /// Nothing but the sources' names.
    pub fn skipped(sources: &[Source]) -> Survey {
        let inputs =
            sources.iter().map(|source| Input { name: source.name(), sha256: None }).collect();
        Survey { workload: None, inputs }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "---------------------------OX------XO--------------------------- X\n";

    #[test]
    fn files_are_summed_up_and_streams_are_not() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let list = folder.path().join("list");
        std::fs::write(&list, [START, START, "wrong\n"].concat()).expect("it can be written");
        let sources = [list, folder.path().join("none")].map(Source::File).to_vec();
        let survey = Survey::of(&sources, ReadOptions::default(), None);
        let workload = survey.workload.expect("no source is a stream");
        assert_eq!(workload.positions, 2);
        assert_eq!(workload.cost, 2.0 * cost::predict(&crate::othello::Position::START));
        assert!(survey.inputs[0].sha256.is_some() && survey.inputs[1].sha256.is_none());

        let survey = Survey::of(&[sources[0].clone(), Source::Stdin], ReadOptions::default(), None);
        assert_eq!(survey.workload, None);
        assert!(survey.inputs[0].sha256.is_some());
    }
}
