//! The survey: a first reading of the inputs, before anything is solved.
//!
//! To read a list costs a thousandth of solving it. So files are read twice. The first reading
//! gives the sum of the predicted costs, which the estimate of the remaining time needs, and the
//! digests of the inputs, which belong into the header of a JSON Lines output. Standard input and
//! pipes can be read only once, and are left out.

use super::cost::{self, Cost};
use super::shard::Shard;
use crate::records::{Entry, Input, Item, ReadOptions, Reader, Source};

/// The size of a task.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Workload {
    /// The number of positions that can be solved.
    pub positions: u64,
    /// The sum of their predicted costs, in nodes.
    pub cost: Cost,
    /// The largest mean of the predicted cost of a position, in nodes.
    pub largest: f64,
}

impl Workload {
    /// Adds a position with this predicted cost.
    pub fn add(&mut self, cost: Cost) {
        self.positions += 1;
        self.cost += cost;
        self.largest = self.largest.max(cost.mean);
    }

    /// The predicted nodes of the positions that this many threads search at a time, at most.
    pub(crate) fn nodes_at_a_time(&self, threads: usize) -> f64 {
        self.cost.mean.min(self.largest * threads as f64)
    }
}

/// The result of a first reading.
#[derive(Clone, PartialEq, Debug)]
pub struct Survey {
    /// The size of the whole input; `None` if a source can be read only once.
    pub workload: Option<Workload>,
    /// All sources, with the digests of those that can be read twice.
    pub inputs: Vec<Input>,
    /// The length of the longest name of a record, in characters: its identifier, and its comment
    /// after a space. `None` if a source can be read only once.
    pub longest_name: Option<usize>,
}

impl Survey {
    /// Reads the sources that can be read twice, and sums up the positions of `shard`; of all parts
    /// if it is `None`. Errors are not reported: the second reading reports them.
    pub fn of(sources: &[Source], reading: ReadOptions, shard: Option<Shard>) -> Survey {
        let mut workload = Workload::default();
        let mut longest_name = 0;
        let mut inputs = Vec::with_capacity(sources.len());
        for source in sources {
            if !source.can_be_read_again() {
                inputs.push(Input { name: source.name(), sha256: None });
                continue;
            }
            let mut reader = Reader::new(vec![source.clone()], reading);
            for item in reader.by_ref() {
                let Item::Entry(Entry { id, notes, problem, .. }) = item else { continue };
                longest_name = longest_name.max(name_length(&id, notes.comment.as_deref()));
                if let Ok(problem) = problem
                    && shard.is_none_or(|shard| shard.contains(Some(&problem.diagram.position)))
                {
                    workload.add(cost::predict(&problem.diagram.position));
                }
            }
            inputs.extend_from_slice(reader.inputs());
        }
        let whole = !sources.iter().any(Source::is_stream);
        Survey {
            workload: whole.then_some(workload),
            inputs,
            longest_name: whole.then_some(longest_name),
        }
    }

    /// A survey with the names of the sources only. Nothing is read.
    pub fn names_only(sources: &[Source]) -> Survey {
        let inputs =
            sources.iter().map(|source| Input { name: source.name(), sha256: None }).collect();
        Survey { workload: None, inputs, longest_name: None }
    }
}

/// The length in characters of an identifier, and of a comment after a space.
fn name_length(id: &str, comment: Option<&str>) -> usize {
    id.chars().count() + comment.map_or(0, |comment| 1 + comment.chars().count())
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "---------------------------OX------XO--------------------------- X\n";

    #[test]
    fn files_are_surveyed_and_streams_are_not() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let list = folder.path().join("list");
        std::fs::write(&list, [START, START, "wrong\n"].concat()).expect("it can be written");
        let sources = [list, folder.path().join("none")].map(Source::File).to_vec();
        let survey = Survey::of(&sources, ReadOptions::default(), None);
        let workload = survey.workload.expect("no source is a stream");
        assert_eq!(workload.positions, 2);
        assert_eq!(workload.cost.mean, 2.0 * cost::predict(&crate::othello::Position::START).mean);
        assert!(survey.inputs[0].sha256.is_some() && survey.inputs[1].sha256.is_none());

        let one = cost::predict(&crate::othello::Position::START).mean;
        assert_eq!([1, 2, 3].map(|threads| workload.nodes_at_a_time(threads) / one), [1., 2., 2.]);

        let survey = Survey::of(&[sources[0].clone(), Source::Stdin], ReadOptions::default(), None);
        assert_eq!(survey.workload, None);
        assert!(survey.inputs[0].sha256.is_some());
    }
}
