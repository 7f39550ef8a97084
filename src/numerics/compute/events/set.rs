//! Sets of events: what happened on one vector. Knows no event in particular.

use super::Event;

/// A set of events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EventSet(pub(super) u64);

impl EventSet {
    /// Whether the event happened.
    pub fn contains(self, event: Event) -> bool {
        self.0 >> event as u32 & 1 == 1
    }

    /// The events of both.
    #[inline]
    pub fn union(self, other: EventSet) -> EventSet {
        EventSet(self.0 | other.0)
    }

    #[inline]
    pub(super) fn add(&mut self, event: Event, happened: bool) {
        self.0 |= u64::from(happened) << event as u32;
    }
}
