#![no_main]

use libfuzzer_sys::fuzz_target;
use yose::records::Format;

fuzz_target!(|bytes: &[u8]| yose_fuzz::check(bytes, Some(Format::JsonLines)));
