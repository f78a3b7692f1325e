//! How many instructions whole positions take: the same runs as `positions.rs`, told by the CPU's
//! own counter.
//!
//! `cargo bench --bench instructions`. The count hardly changes from one run to the next, whatever
//! else the machine is doing, so that a difference of a part in a thousand shows where clocks
//! wander by tenths. It is no time: a change that saves instructions can lose by waiting for
//! memory, so `scripts/compare.sh` has the last word. Linux only, and only where the kernel lets
//! programs count (`/proc/sys/kernel/perf_event_paranoid` of 2 or less).

#[cfg(target_os = "linux")]
mod whole;

#[cfg(target_os = "linux")]
mod counted {
    use std::cell::RefCell;
    use std::time::Duration;

    use criterion::measurement::{Measurement, ValueFormatter};
    use criterion::{Criterion, Throughput};
    use perf_event::events::Hardware;
    use perf_event::{Builder, Counter};

    /// Counts the instructions that this thread retires in user mode.
    struct Instructions(RefCell<Counter>);

    impl Measurement for Instructions {
        type Intermediate = u64;
        type Value = u64;

        fn start(&self) -> u64 {
            self.0.borrow_mut().read().expect("the counter is open")
        }

        fn end(&self, before: u64) -> u64 {
            self.start() - before
        }

        fn add(&self, a: &u64, b: &u64) -> u64 {
            a + b
        }

        fn zero(&self) -> u64 {
            0
        }

        fn to_f64(&self, count: &u64) -> f64 {
            *count as f64
        }

        fn formatter(&self) -> &dyn ValueFormatter {
            &Told
        }
    }

    /// How counts are printed: millions, and instructions a node.
    struct Told;

    impl Told {
        fn scale(values: &mut [f64], factor: f64) {
            values.iter_mut().for_each(|value| *value *= factor);
        }
    }

    impl ValueFormatter for Told {
        fn scale_values(&self, _typical: f64, values: &mut [f64]) -> &'static str {
            Told::scale(values, 1e-6);
            "M instructions"
        }

        fn scale_throughputs(
            &self,
            _typical: f64,
            throughput: &Throughput,
            values: &mut [f64],
        ) -> &'static str {
            if let Throughput::Elements(nodes) = throughput {
                Told::scale(values, 1.0 / *nodes as f64);
            }
            "instructions/node"
        }

        fn scale_for_machines(&self, _values: &mut [f64]) -> &'static str {
            "instructions"
        }
    }

    /// Runs the benchmarks, or says why nothing can be counted here.
    pub fn run() {
        let counter = Builder::new(Hardware::INSTRUCTIONS).build().and_then(|mut counter| {
            counter.enable()?;
            Ok(counter)
        });
        let counter = match counter {
            Ok(counter) => counter,
            Err(error) => {
                return eprintln!("the kernel does not let instructions be counted here: {error}");
            }
        };
        let mut criterion = Criterion::default()
            .with_measurement(Instructions(RefCell::new(counter)))
            .sample_size(10)
            .warm_up_time(Duration::from_millis(500))
            .measurement_time(Duration::from_secs(2))
            .configure_from_args();
        super::whole::positions(&mut criterion);
        criterion.final_summary();
    }
}

#[cfg(target_os = "linux")]
fn main() {
    counted::run();
}

#[cfg(not(target_os = "linux"))]
fn main() {
    eprintln!("instructions are counted on Linux only");
}
