//! The passes of the iterative deepening by selectivity: one or more selective passes, then the
//! exact one.

/// How much of a score a search pass may take from the evaluation instead of proving it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SearchPass {
    /// ProbCut: a node is cut off where the evaluation lies above alpha by this many tenths of its
    /// standard deviation.
    Selective(u32),
    /// Nothing: every bound is proven.
    Exact,
}
