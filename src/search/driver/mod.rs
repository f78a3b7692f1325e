//! From a position to its score, best move and principal variation.
//!
//! | file | what it does |
//! |---|---|
//! | `searcher` | [`Searcher`]: one thread's solver and its tables |
//! | `root` | score first, then best move, principal variation and the scores of all moves |
//! | `passes` | the score: selective passes of growing confidence, then the exact pass |
//! | `mtdf` | one pass: null windows that start at a guess |
//! | `refuter` | one move that proves a bound, for certificates |

pub(in crate::search) mod mtdf;
pub(in crate::search) mod passes;
pub(in crate::search) mod refuter;
pub(in crate::search) mod root;
pub(in crate::search) mod searcher;

pub(crate) use refuter::Refuter;
pub use searcher::Searcher;
