#![allow(missing_docs)]
use std::sync::atomic::{AtomicI32, Ordering::Relaxed};
const D: [i32; 32] = [99, 8, 4, 14, 20, 30, 0, 16, 12, 99, 1, 2, 2, 12, 3, 0, 8, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
static K: [AtomicI32; 32] = { let mut a = [const { AtomicI32::new(0) }; 32]; let mut i = 0; while i < 32 { a[i] = AtomicI32::new(D[i]); i += 1; } a };
#[inline(always)]
pub fn k(i: usize) -> i32 { K[i].load(Relaxed) }
pub fn init() { if let Ok(s) = std::env::var("YK") { for part in s.split(',').filter(|p| !p.is_empty()) { let (i, v) = part.split_once('=').unwrap(); K[i.parse::<usize>().unwrap()].store(v.parse().unwrap(), Relaxed); } } }
