//! The reorder buffer: puts results that arrive in any order back into the order of the input.

use std::collections::VecDeque;

/// Holds results until all results before them have arrived. It holds at most the numbers between
/// the first missing result and the last one that has arrived; the
/// [`Queue`](super::queue::Queue) bounds that range.
#[derive(Debug)]
pub struct ReorderBuffer<T> {
    /// The number of the first missing result, which belongs at the front of `waiting`.
    next: u64,
    waiting: VecDeque<Option<T>>,
}

impl<T> Default for ReorderBuffer<T> {
    fn default() -> ReorderBuffer<T> {
        ReorderBuffer { next: 0, waiting: VecDeque::new() }
    }
}

impl<T> ReorderBuffer<T> {
    /// Adds the result with this number.
    ///
    /// # Panics
    /// If the result with this number was returned already.
    pub fn insert(&mut self, number: u64, item: T) {
        let index = number.checked_sub(self.next).expect("each number comes once") as usize;
        if index >= self.waiting.len() {
            self.waiting.resize_with(index + 1, || None);
        }
        self.waiting[index] = Some(item);
    }

    /// Removes the next result in order, and returns it with its number. `None` if it has not
    /// arrived.
    pub fn pop(&mut self) -> Option<(u64, T)> {
        let item = self.waiting.front_mut()?.take()?;
        self.waiting.pop_front();
        self.next += 1;
        Some((self.next - 1, item))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_waits_for_those_before_it() {
        let mut buffer = ReorderBuffer::default();
        let mut after = |number| {
            buffer.insert(number, number * 10);
            std::iter::from_fn(|| buffer.pop()).collect::<Vec<_>>()
        };
        assert_eq!(after(2), []);
        assert_eq!(after(0), [(0, 0)]);
        assert_eq!(after(1), [(1, 10), (2, 20)]);
        assert_eq!(after(3), [(3, 30)]);
    }
}
