//! Putting back into the order of the input what is finished in another.

use std::collections::VecDeque;

/// Holds what came too early. Memory is that of what lies between the first that is missing and the
/// last that is there; the [`Queue`](super::queue::Queue) bounds that.
#[derive(Debug)]
pub struct Order<T> {
    /// The number of the first that is missing, which is that of the first place.
    next: u64,
    early: VecDeque<Option<T>>,
}

impl<T> Default for Order<T> {
    fn default() -> Order<T> {
        Order { next: 0, early: VecDeque::new() }
    }
}

impl<T> Order<T> {
    /// Takes the one with this number.
    ///
    /// # Panics
    /// If it was given out already.
    pub fn put(&mut self, number: u64, item: T) {
        let place = number.checked_sub(self.next).expect("each number comes once") as usize;
        if place >= self.early.len() {
            self.early.resize_with(place + 1, || None);
        }
        self.early[place] = Some(item);
    }

    /// The next in order with its number, if it is there.
    pub fn next(&mut self) -> Option<(u64, T)> {
        let item = self.early.front_mut()?.take()?;
        self.early.pop_front();
        self.next += 1;
        Some((self.next - 1, item))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_early_waits() {
        let mut order = Order::default();
        let mut after = |number| {
            order.put(number, number * 10);
            std::iter::from_fn(|| order.next()).collect::<Vec<_>>()
        };
        assert_eq!(after(2), []);
        assert_eq!(after(0), [(0, 0)]);
        assert_eq!(after(1), [(1, 10), (2, 20)]);
        assert_eq!(after(3), [(3, 30)]);
    }
}
