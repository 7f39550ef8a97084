//! How often each event happened over many vectors.

use super::Event;
use super::EventSet;

/// How often each event happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Coverage {
    vectors: u64,
    counts: [u64; 64],
}

impl Default for Coverage {
    fn default() -> Self {
        Coverage { vectors: 0, counts: [0; 64] }
    }
}

impl Coverage {
    /// Counts the events of one vector.
    #[inline]
    pub fn count(&mut self, events: EventSet) {
        self.vectors += 1;
        for (index, count) in self.counts[..Event::ALL.len()].iter_mut().enumerate() {
            *count += events.0 >> index & 1;
        }
    }

    /// The events of both.
    pub fn and(mut self, other: &Coverage) -> Coverage {
        self.vectors += other.vectors;
        self.counts.iter_mut().zip(&other.counts).for_each(|(own, other)| *own += other);
        self
    }

    /// Vectors counted.
    pub fn vectors(&self) -> u64 {
        self.vectors
    }

    /// How often the event happened.
    pub fn of(&self, event: Event) -> u64 {
        self.counts[event as usize]
    }
}
