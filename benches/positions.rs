//! Times the solution of whole positions of 6 to 16 empties, and prints nodes per second.
//!
//! ```sh
//! cargo bench --bench positions
//! ```
//!
//! `instructions.rs` counts the instructions of the same runs. Use it for changes that are smaller
//! than the noise of the clock.

mod whole;

use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(3));
    targets = whole::positions
}
criterion_main!(benches);
