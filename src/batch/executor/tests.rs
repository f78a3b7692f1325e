//! The guarantees of the executor, with tasks of a few microseconds and with searches.

use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::AtomicUsize;

use super::*;
use crate::search::{Config, Request, Window};

const CONTINUE: Result<ControlFlow<()>, ()> = Ok(ControlFlow::Continue(()));

/// A few microseconds of work that depends on the number.
fn busy(factor: &mut u64, number: u64) -> u64 {
    (0..number % 7 * 1000).fold(*factor, |a, b| a + b % 2)
}

#[test]
fn results_are_reported_in_the_order_of_the_tasks_until_a_break() {
    for workers in 1..=3 {
        let mut reported = Vec::new();
        let result = in_order(&mut vec![5; workers], &TaskList::new(0..100), busy, |result| {
            reported.push(result);
            if reported.len() == 80 { Ok(ControlFlow::Break(())) } else { CONTINUE }
        });
        assert_eq!(result.expect("threads"), Ok(()));
        assert_eq!(reported, (0..80).map(|number| busy(&mut 5, number)).collect::<Vec<_>>());
    }
}

#[test]
fn an_infinite_list_ends_when_the_report_fails() {
    let result = in_order(&mut [5; 3], &TaskList::new(0..), busy, |_| Err("full"));
    assert_eq!(result.expect("threads"), Err("full"));
}

#[test]
fn each_worker_keeps_its_own_state() {
    let mut states = [0; 3];
    let count = |state: &mut usize, _| *state += 1;
    in_order(&mut states, &TaskList::new(0..500), count, |()| CONTINUE)
        .expect("threads")
        .expect("the report does not fail");
    assert_eq!(states.iter().sum::<usize>(), 500);
}

#[test]
fn no_tasks_and_no_workers_give_no_results() {
    for (workers, tasks) in [(2, 0), (0, 9)] {
        let mut results = 0;
        let count = |_| {
            results += 1;
            CONTINUE
        };
        let result = in_order(&mut vec![5; workers], &TaskList::new(0..tasks), busy, count);
        assert_eq!(result.expect("threads"), Ok(()));
        assert_eq!(results, 0);
    }
}

#[test]
fn panics_of_workers_and_of_the_report_are_passed_on() {
    for in_worker in [true, false] {
        let begun = AtomicUsize::new(0);
        let work = |_: &mut (), number: usize| {
            begun.fetch_add(1, Ordering::SeqCst);
            assert!(!in_worker || number != 10, "as planned");
        };
        let report = |()| {
            assert!(in_worker, "as planned");
            CONTINUE
        };
        let panic = catch_unwind(AssertUnwindSafe(|| {
            in_order(&mut [(); 2], &TaskList::new(0..), work, report)
        }));
        assert!(panic.is_err() && begun.into_inner() > 0);
    }
}

/// FFO 20: six empties, +6.
const SIX: &str = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X";

fn searchers(threads: usize) -> Vec<Searcher> {
    let config = Config { table_bytes: 1 << 20, ..Config::default() };
    Searcher::pool(config, NonZeroUsize::new(threads).expect("some")).expect("1 MiB")
}

fn solve(searcher: &mut Searcher, text: &str) -> i32 {
    let diagram: crate::othello::Diagram = text.parse().expect("a position");
    let request = Request { position: diagram.position, window: Window::FULL, all_moves: false };
    searcher.solve(&request).bounds.lower.discs()
}

#[test]
fn helpers_end_with_the_last_task() {
    for count in [0, 1, 50] {
        let mut searchers = searchers(3);
        let pool = Arc::clone(searchers[0].thread_pool());
        let tasks = HelpedTaskList::new(std::iter::repeat_n(SIX, count), &pool);
        let mut scores = Vec::new();
        let report = |score| {
            scores.push(score);
            CONTINUE
        };
        let result = in_order(&mut searchers, &tasks, solve, report).expect("threads");
        assert_eq!(result, Ok(()));
        assert_eq!(scores, vec![6; count]);
    }
}

#[test]
fn one_task_at_a_time_means_that_no_two_run_together() {
    let mut searchers = searchers(3);
    let pool = Arc::clone(searchers[0].thread_pool());
    let tasks = HelpedTaskList::new(0..30, &pool).one_at_a_time();
    let running = AtomicUsize::new(0);
    let work = |searcher: &mut Searcher, _| {
        assert_eq!(running.fetch_add(1, Ordering::SeqCst), 0);
        let score = solve(searcher, SIX);
        running.fetch_sub(1, Ordering::SeqCst);
        score
    };
    let mut results = 0;
    let report = |score| {
        assert_eq!(score, 6);
        results += 1;
        CONTINUE
    };
    let result = in_order(&mut searchers, &tasks, work, report).expect("threads");
    assert_eq!((result, results), (Ok(()), 30));
}

#[test]
fn helpers_end_when_the_report_breaks_or_a_worker_panics() {
    for panics in [false, true] {
        let mut searchers = searchers(3);
        let pool = Arc::clone(searchers[0].thread_pool());
        let tasks = HelpedTaskList::new(0..30, &pool).one_at_a_time();
        let work = |_: &mut Searcher, _| assert!(!panics, "as planned");
        let report = |()| Ok::<_, ()>(ControlFlow::Break(()));
        let ended = catch_unwind(AssertUnwindSafe(|| {
            in_order(&mut searchers, &tasks, work, report).expect("threads")
        }));
        assert_eq!(ended.is_err(), panics);
    }
}

/// A queue of numbers whose workers wait until it is closed, and count what they prepare.
struct Counted {
    tasks: Mutex<Vec<u64>>,
    prepared: AtomicUsize,
    useful: usize,
    memory: usize,
    over: AtomicBool,
}

impl Counted {
    fn new(tasks: u64, useful: usize, memory: usize) -> Counted {
        Counted {
            tasks: Mutex::new((0..tasks).collect()),
            prepared: AtomicUsize::new(0),
            useful,
            memory,
            over: AtomicBool::new(false),
        }
    }
}

impl TaskQueue<()> for Counted {
    type Task = u64;

    fn next(&self) -> Option<u64> {
        self.tasks.lock().pop()
    }

    fn wait(&self, (): &mut (), _: &dyn Fn(Activity)) -> bool {
        thread::yield_now();
        !self.over.load(Ordering::SeqCst)
    }

    fn prepare(&self, (): &mut ()) -> Result<(), TableError> {
        if self.prepared.fetch_add(1, Ordering::SeqCst) < self.memory {
            Ok(())
        } else {
            Err(TableError::NoLocalTables(1 << 20))
        }
    }

    fn useful_workers(&self) -> usize {
        self.useful
    }

    fn close(&self) {
        self.over.store(true, Ordering::SeqCst);
        self.tasks.lock().clear();
    }
}

/// Does the tasks of a queue, each of which waits until `together` tasks run. Returns the number
/// of results and of threads that were refused.
fn done_together(queue: &Counted, tasks: usize, together: usize) -> (usize, usize) {
    let (running, refusals) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let (sender, results) = channel();
    let work = |worker: &Worker<u64>, (): &mut (), task| {
        running.fetch_add(1, Ordering::SeqCst);
        while running.load(Ordering::SeqCst) < together {
            thread::yield_now();
        }
        worker.report(task);
    };
    let refused = |_| {
        refusals.fetch_add(1, Ordering::SeqCst);
    };
    let received = execute(&mut [(); 50], queue, work, refused, sender, || {
        (0..tasks).filter_map(|_| results.receive()).count()
    });
    (received.expect("the first thread starts"), refusals.into_inner())
}

#[test]
fn threads_are_started_as_there_is_work() {
    // Three tasks run at the same time, so three workers are there, and one that waits for more.
    let queue = Counted::new(3, usize::MAX, usize::MAX);
    assert_eq!(done_together(&queue, 3, 3), (3, 0));
    let prepared = queue.prepared.into_inner();
    assert!((3..=4).contains(&prepared), "{prepared} of 50");
    // No more than are of use.
    let queue = Counted::new(100, 2, usize::MAX);
    assert_eq!(done_together(&queue, 100, 2), (100, 0));
    assert_eq!(queue.prepared.into_inner(), 2);
}

#[test]
fn a_thread_that_cannot_be_started_leaves_its_work_to_the_others() {
    let queue = Counted::new(100, usize::MAX, 2);
    assert_eq!(done_together(&queue, 100, 2), (100, 1));
    // The first one is needed.
    let queue = Counted::new(100, usize::MAX, 0);
    let (sender, _results) = channel::<u64>();
    let done = execute(&mut [(); 50], &queue, |_, (), _| (), |_| (), sender, || ());
    let error = done.expect_err("the first thread").to_string();
    assert!(error.ends_with("not enough memory for the tables of a thread, 1.0 MiB"), "{error}");
}
