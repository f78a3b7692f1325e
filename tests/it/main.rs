//! The tests of Yose from outside: the program as a user runs it, and the library as a program
//! calls it. They are one crate, so that everything is linked once.
//!
//! | module | what it tests |
//! |---|---|
//! | `exactness`, `threads`, `evaluation` | scores against a plain negamax, in any configuration |
//! | `suites` | the scores of the shipped suites |
//! | `certificates` | files that prove scores, and files with faults |
//! | `cli_*` | the program: output, exit statuses, signals, journals |
//! | `engine` | dialogues with `yose engine` |
//! | `evaluation_alternatives` | kernels that are only benchmarked |
//! | `documents` | the commands and the output that the documents quote |
//! | `public_api` | the public items of the library |
//! | `common`, `support` | what these share |

mod common;
mod support;

mod certificates;
mod cli_against;
mod cli_bad_input;
mod cli_batch;
mod cli_certificates;
mod cli_compression;
mod cli_formats;
mod cli_input;
mod cli_journal;
mod cli_merge;
mod cli_other;
mod cli_output;
mod cli_output_files;
mod cli_parquet;
mod cli_plan;
mod cli_report;
mod cli_review;
mod cli_solve;
mod cli_streams;
mod cli_train;
mod cli_verify;
mod cli_verify_journal;
mod documents;
mod engine;
mod evaluation;
mod evaluation_alternatives;
mod exactness;
mod public_api;
mod suites;
mod threads;
