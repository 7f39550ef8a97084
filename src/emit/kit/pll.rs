//! Dividers of phase-locked loops: the frequency below a wanted one and closest to it that a family's loop makes.
//!
//! A loop divides its input by `reference` and compares that with the oscillator, divided; the output is the oscillator divided by
//! `output`. Limits are those of the makers' data sheets.

use std::ops::RangeInclusive;

/// What the comparison sees of the oscillator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loop {
    /// The oscillator divided by `feedback`.
    Oscillator,
    /// The output divided by `feedback`.
    Output,
}

/// What a family's loop can do. Frequencies in hertz.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    pub closed: Loop,
    pub reference: RangeInclusive<u32>,
    pub feedback: RangeInclusive<u32>,
    /// Output dividers.
    pub outputs: Vec<u32>,
    pub input_hz: RangeInclusive<u64>,
    /// Of the input behind its divider.
    pub detector_hz: RangeInclusive<u64>,
    pub oscillator_hz: RangeInclusive<u64>,
    pub output_hz: RangeInclusive<u64>,
}

/// What to divide by, each as the number itself; primitives take some of them less one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dividers {
    pub reference: u32,
    pub feedback: u32,
    pub output: u32,
    /// Of the output, rounded to the nearest hertz.
    pub hz: u64,
}

const KHZ: u64 = 1_000;
const MHZ: u64 = 1_000_000;

impl Limits {
    /// EHXPLLL of ECP5 (Lattice FPGA-DS-02012, table "sysCLOCK PLL Timing"): output CLKOP alone is fed back, so that CLKOP_DIV is
    /// the feedback's divider, and CLKOS is what the design gets.
    pub fn ecp5() -> Limits {
        Limits {
            closed: Loop::Oscillator,
            reference: 1..=128,
            feedback: 1..=128,
            outputs: (1..=128).collect(),
            input_hz: 8 * MHZ..=400 * MHZ,
            detector_hz: 10 * MHZ..=400 * MHZ,
            oscillator_hz: 400 * MHZ..=800 * MHZ,
            output_hz: 3_125 * KHZ..=400 * MHZ,
        }
    }

    /// SB_PLL40 of iCE40 UltraPlus with simple feedback (Lattice FPGA-DS-02008, table "sysCLOCK PLL Timing"; FPGA-TN-02052).
    pub fn ice40() -> Limits {
        Limits {
            closed: Loop::Oscillator,
            reference: 1..=16,
            feedback: 1..=128,
            outputs: (1..=6).map(|power| 1 << power).collect(),
            input_hz: 10 * MHZ..=133 * MHZ,
            detector_hz: 10 * MHZ..=133 * MHZ,
            oscillator_hz: 533 * MHZ..=1_066 * MHZ,
            output_hz: 16 * MHZ..=275 * MHZ,
        }
    }

    /// rPLL of GW2A with speed C8/I7 (Gowin DS102, table of PLL parameters; UG286).
    pub fn gowin() -> Limits {
        Limits {
            closed: Loop::Output,
            reference: 1..=64,
            feedback: 1..=64,
            outputs: vec![2, 4, 8, 16, 32, 48, 64, 80, 96, 112, 128],
            input_hz: 3 * MHZ..=500 * MHZ,
            detector_hz: 3 * MHZ..=500 * MHZ,
            oscillator_hz: 500 * MHZ..=1_250 * MHZ,
            output_hz: 3_906_250..=625 * MHZ,
        }
    }

    /// PLLE2 of Artix-7 with speed 1 (AMD DS181, table of PLL switching characteristics; UG472).
    pub fn xilinx() -> Limits {
        Limits {
            closed: Loop::Oscillator,
            reference: 1..=56,
            feedback: 2..=64,
            outputs: (1..=128).collect(),
            input_hz: 19 * MHZ..=800 * MHZ,
            detector_hz: 19 * MHZ..=450 * MHZ,
            oscillator_hz: 800 * MHZ..=1_600 * MHZ,
            output_hz: 6_250 * KHZ..=800 * MHZ,
        }
    }

    /// Dividers for the frequency closest to a wanted one among those that are not above it; of several, those with the fastest
    /// comparison, then with the oscillator closest to the middle of its range. `None` where there are none.
    pub fn search(&self, input_hz: u64, wanted_hz: u64) -> Option<Dividers> {
        let middle = (self.oscillator_hz.start() + self.oscillator_hz.end()) / 2;
        let mut best: Option<((u128, u32, u64), Dividers)> = None;
        for reference in self.reference.clone() {
            for feedback in self.feedback.clone() {
                for output in self.outputs.iter().copied() {
                    let dividers = Dividers { reference, feedback, output, hz: 0 };
                    let Some((hz, oscillator_hz)) = self.frequencies(input_hz, dividers) else { continue };
                    if hz.is_above(wanted_hz) {
                        continue;
                    }
                    let short = u128::from(wanted_hz) * 1000 - hz.millihertz();
                    let rank = (short, reference, oscillator_hz.abs_diff(middle));
                    if best.as_ref().is_none_or(|(least, _)| rank < *least) {
                        best = Some((rank, Dividers { hz: hz.rounded(), ..dividers }));
                    }
                }
            }
        }
        best.map(|(_, dividers)| dividers)
    }

    /// The output's frequency, and the oscillator's; `None` where one is out of its range.
    fn frequencies(&self, input_hz: u64, dividers: Dividers) -> Option<(Fraction, u64)> {
        let [reference, feedback, output] = [dividers.reference, dividers.feedback, dividers.output].map(u64::from);
        let detector = Fraction { over: input_hz, under: reference };
        let (oscillator, out) = match self.closed {
            Loop::Oscillator => {
                let over = input_hz * feedback;
                (Fraction { over, under: reference }, Fraction { over, under: reference * output })
            }
            Loop::Output => {
                let over = input_hz * feedback;
                (Fraction { over: over * output, under: reference }, Fraction { over, under: reference })
            }
        };
        let fits = self.input_hz.contains(&input_hz)
            && detector.is_within(&self.detector_hz)
            && oscillator.is_within(&self.oscillator_hz)
            && out.is_within(&self.output_hz);
        fits.then(|| (out, oscillator.rounded()))
    }
}

/// A frequency in hertz, exactly.
#[derive(Clone, Copy)]
struct Fraction {
    over: u64,
    under: u64,
}

impl Fraction {
    fn is_above(self, hz: u64) -> bool {
        u128::from(self.over) > u128::from(hz) * u128::from(self.under)
    }

    fn is_within(self, range: &RangeInclusive<u64>) -> bool {
        !self.is_above(*range.end()) && u128::from(self.over) >= u128::from(*range.start()) * u128::from(self.under)
    }

    fn millihertz(self) -> u128 {
        u128::from(self.over) * 1000 / u128::from(self.under)
    }

    fn rounded(self) -> u64 {
        (self.over + self.under / 2) / self.under
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(limits: &Limits, input: u64, wanted: u64) -> Option<[u64; 4]> {
        let dividers = limits.search(input, wanted)?;
        let [reference, feedback, output] = [dividers.reference, dividers.feedback, dividers.output].map(u64::from);
        Some([reference, feedback, output, dividers.hz])
    }

    /// Where the output is a multiple of the input, `ecppll` of Project Trellis gives the same oscillator.
    #[test]
    fn ecp5() {
        let limits = Limits::ecp5();
        assert_eq!(found(&limits, 25 * MHZ, 50 * MHZ), Some([1, 24, 12, 50 * MHZ]));
        assert_eq!(found(&limits, 100 * MHZ, 50 * MHZ), Some([1, 6, 12, 50 * MHZ]));
        assert_eq!(found(&limits, 48 * MHZ, 60 * MHZ), Some([1, 10, 8, 60 * MHZ]));
        // 48 MHz of 25 MHz needs a comparison at 5 MHz, which is too slow.
        assert_eq!(found(&limits, 25 * MHZ, 48 * MHZ), Some([1, 23, 12, 47_916_667]));
        assert_eq!(found(&limits, 25 * MHZ, 3 * MHZ), None);
        assert_eq!(found(&limits, 4 * MHZ, 50 * MHZ), None);
    }

    /// As `icepll` of Project IceStorm has them.
    #[test]
    fn ice40() {
        let limits = Limits::ice40();
        assert_eq!(found(&limits, 12 * MHZ, 24 * MHZ), Some([1, 64, 32, 24 * MHZ]));
        assert_eq!(found(&limits, 12 * MHZ, 48 * MHZ), Some([1, 64, 16, 48 * MHZ]));
        assert_eq!(found(&limits, 12 * MHZ, 16 * MHZ), None);
        assert_eq!(found(&limits, 12 * MHZ, 15 * MHZ), None);
    }

    /// As `gowin_pll` of Project Apicula has them.
    #[test]
    fn gowin() {
        let limits = Limits::gowin();
        assert_eq!(found(&limits, 27 * MHZ, 54 * MHZ), Some([1, 2, 16, 54 * MHZ]));
        assert_eq!(found(&limits, 27 * MHZ, 48 * MHZ), Some([9, 16, 16, 48 * MHZ]));
        assert_eq!(found(&limits, 27 * MHZ, 40_500 * KHZ), Some([2, 3, 16, 40_500 * KHZ]));
    }

    #[test]
    fn xilinx() {
        let limits = Limits::xilinx();
        assert_eq!(found(&limits, 100 * MHZ, 50 * MHZ), Some([1, 12, 24, 50 * MHZ]));
        // A third of 100 MHz would be above it.
        assert_eq!(found(&limits, 100 * MHZ, 33_333 * KHZ), Some([5, 63, 38, 33_157_895]));
    }

    /// Every output of every family keeps its limits, is not above the wanted one, and no other dividers come closer.
    #[test]
    fn nothing_is_closer() {
        for (limits, input) in [
            (Limits::ecp5(), 25 * MHZ),
            (Limits::ice40(), 12 * MHZ),
            (Limits::gowin(), 27 * MHZ),
            (Limits::xilinx(), 100 * MHZ),
        ] {
            for wanted in [17 * MHZ, 31_234_567, 48 * MHZ, 97 * MHZ] {
                let Some(dividers) = limits.search(input, wanted) else { continue };
                assert!(dividers.hz <= wanted, "{dividers:?}");
                let (hz, _) = limits.frequencies(input, dividers).expect("within the limits");
                for reference in limits.reference.clone() {
                    for feedback in limits.feedback.clone() {
                        for output in limits.outputs.iter().copied() {
                            let other = Dividers { reference, feedback, output, hz: 0 };
                            let Some((other, _)) = limits.frequencies(input, other) else { continue };
                            assert!(other.is_above(wanted) || other.millihertz() <= hz.millihertz(), "{dividers:?}");
                        }
                    }
                }
            }
        }
    }
}
