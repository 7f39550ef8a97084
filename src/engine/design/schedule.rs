//! How a design is driven: what its phases may have (`sim/phases.h`), and which of it can be a cause. It runs nothing.

use crate::design::Design;
use crate::engine::rtl::model::Schedule;

/// What phases may have: the bits of `sim/phases.h`.
const GAPS: u32 = 1 << 0;
const LONG_GAPS: u32 = 1 << 1;
const STOPS: u32 = 1 << 2;
const LONG_STOPS: u32 = 1 << 3;
const REPEATS: u32 = 1 << 4;
const BURSTS: u32 = 1 << 5;
const RESETS: u32 = 1 << 6;
const DENSE: u32 = 1 << 7;

/// Vectors that a search for a cause offers in one go, where it is their number that matters, or where what is rare has to happen.
const MANY: usize = 4096;
/// How often it offers vectors where neither is so: few enough that their number does not matter.
const OFTEN: u32 = 4;

/// How a design is driven: with a bit of all, with nothing but vectors in order, with one disturbance or with all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    Usual,
    Nothing,
    FirstValues,
    Gaps,
    LongGaps,
    Stops,
    LongStops,
    Repeats,
    Reset,
    Many,
    FullRate,
    All,
}

impl Change {
    /// What a design depends on that answers otherwise then. Each cause is after those that it could be mistaken for.
    pub const CAUSES: [(Change, &str); 9] = [
        (Change::FirstValues, "the values that its registers start with, which nothing gives"),
        (Change::Gaps, "gaps between vectors and what stands at its inputs in them"),
        (Change::Stops, "being stopped, or a result that waits"),
        (Change::Repeats, "a vector that comes again at once, or after one other"),
        (Change::Reset, "a reset in mid-run"),
        (Change::Many, "how many vectors came before"),
        (Change::LongGaps, "long gaps between vectors and what stands at its inputs in them"),
        (Change::LongStops, "being stopped for long, or a result that waits for long"),
        (Change::FullRate, "many vectors without a gap or a stop between them"),
    ];

    /// What phases may have.
    fn phases(self) -> u32 {
        match self {
            Change::Usual => GAPS | LONG_GAPS | STOPS | LONG_STOPS | REPEATS | BURSTS | RESETS,
            Change::Nothing | Change::FirstValues | Change::Reset | Change::FullRate => 0,
            // No run at full rate is long then.
            Change::Gaps | Change::Many => DENSE | GAPS,
            Change::LongGaps => DENSE | LONG_GAPS,
            Change::Stops => DENSE | STOPS,
            Change::LongStops => DENSE | LONG_STOPS,
            Change::Repeats => DENSE | REPEATS,
            Change::All => DENSE | GAPS | LONG_GAPS | STOPS | LONG_STOPS | REPEATS,
        }
    }

    /// How often vectors come.
    fn rounds(self, vectors: usize) -> u32 {
        match self {
            Change::Gaps | Change::Stops => OFTEN,
            Change::Many | Change::LongGaps | Change::LongStops | Change::FullRate => {
                MANY.div_ceil(vectors.max(1)) as u32
            }
            _ => 1,
        }
    }

    /// Whether a design can be driven so: one that cannot be stopped would only get many vectors.
    pub fn applies(self, design: &Design) -> bool {
        let said = &design.said;
        match self {
            Change::Stops | Change::LongStops => can_stop(design) || can_wait(design),
            Change::Reset => said.reset.is_some(),
            _ => true,
        }
    }
}

/// Whether a clock enable can stop it.
pub fn can_stop(design: &Design) -> bool {
    design.said.clock.as_ref().is_some_and(|clock| clock.enable.is_some())
}

/// Whether its result can wait.
pub fn can_wait(design: &Design) -> bool {
    design.said.output.as_ref().is_some_and(|output| output.ready.is_some())
}

/// A way to drive a design with so many vectors.
pub fn schedule(design: &Design, change: Change, vectors: usize) -> Schedule {
    let has = |one: Change| change == one || change == Change::All;
    Schedule {
        seed: if has(Change::FirstValues) { 2 } else { 1 },
        phases: change.phases(),
        rounds: change.rounds(vectors),
        gaps: 0,
        stalls: 0,
        reset_after: if has(Change::Reset) { (vectors as u64 / 2).max(1) } else { 0 },
        latency: design.said.timing.latency.unwrap_or(0),
        patience: design.patience(),
        wave: String::new(),
    }
}
