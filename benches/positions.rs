//! How long whole positions take, from a few empties to what a second is enough for.
//!
//! `cargo bench --bench positions`. `instructions.rs` counts the instructions of the same runs, for
//! changes that clocks cannot tell apart.

mod whole;

use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(3));
    targets = whole::positions
}
criterion_main!(benches);
