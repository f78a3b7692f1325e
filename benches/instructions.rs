//! Counts the instructions of the solution of whole positions, with the CPU's counter. The runs are
//! those of `positions.rs`.
//!
//! ```sh
//! cargo bench --bench instructions
//! ```
//!
//! The count hardly depends on the load of the machine: a difference of a thousandth is visible
//! where times vary by tenths. But fewer instructions may still take more time, for example by
//! cache misses, so a change is judged by `scripts/compare.sh`.
//!
//! Works on Linux only, if `/proc/sys/kernel/perf_event_paranoid` is 2 or less.

#[cfg(target_os = "linux")]
mod whole;

#[cfg(target_os = "linux")]
mod counter {
    use std::cell::RefCell;
    use std::time::Duration;

    use criterion::measurement::{Measurement, ValueFormatter};
    use criterion::{Criterion, Throughput};
    use perf_event::events::Hardware;
    use perf_event::{Builder, Counter};

    /// The instructions that this thread retires in user mode.
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
            &Format
        }
    }

    /// Prints counts in millions of instructions, and throughput in instructions per node.
    struct Format;

    impl Format {
        fn scale(values: &mut [f64], factor: f64) {
            values.iter_mut().for_each(|value| *value *= factor);
        }
    }

    impl ValueFormatter for Format {
        fn scale_values(&self, _typical: f64, values: &mut [f64]) -> &'static str {
            Format::scale(values, 1e-6);
            "M instructions"
        }

        fn scale_throughputs(
            &self,
            _typical: f64,
            throughput: &Throughput,
            values: &mut [f64],
        ) -> &'static str {
            if let Throughput::Elements(nodes) = throughput {
                Format::scale(values, 1.0 / *nodes as f64);
            }
            "instructions/node"
        }

        fn scale_for_machines(&self, _values: &mut [f64]) -> &'static str {
            "instructions"
        }
    }

    /// Runs the benchmarks. Prints an error if the kernel does not allow counting.
    pub fn run() {
        let counter = Builder::new(Hardware::INSTRUCTIONS).build().and_then(|mut counter| {
            counter.enable()?;
            Ok(counter)
        });
        let counter = match counter {
            Ok(counter) => counter,
            Err(error) => {
                return eprintln!(
                    "the instructions cannot be counted: {error}; check perf_event_paranoid"
                );
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
    counter::run();
}

#[cfg(not(target_os = "linux"))]
fn main() {
    eprintln!("instructions can be counted on Linux only");
}
