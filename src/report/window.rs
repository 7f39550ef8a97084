//! The picture of a unit's window: the bits of the sum by weight, and where addend, products and result stand in it.
//!
//! Columns are bits of the sum, bit 0 at the right end of the sum; what lies further right is lost.

use super::steps::bits;
use super::svg::{Anchor, Svg};
use crate::describe::plan::{FusedPlan, IntegerPlan, Plan};
use crate::describe::unit::{AlignmentRounding, Unit};
use crate::emit;

const WIDTH: f64 = 360.0;
const MARGIN: f64 = 8.0;
const BAR: f64 = 18.0;
/// From one bar to the next: its label, and air.
const PITCH: f64 = 42.0;
/// Room for the numbers of bits below the sum.
const NUMBERS: f64 = 12.0;
/// Room for the two lines of weights on top.
const WEIGHTS: f64 = 38.0;

/// A part of a bar: class of its colour, and bits.
type Part = (&'static str, u32);

/// A bar: label above it, number of its highest bit, parts from the highest down.
struct Bar {
    label: String,
    high: i64,
    parts: Vec<Part>,
}

/// A picture before places are worked out.
struct Window {
    sum_width: u32,
    /// Bit with the weight of the anchor, and what to call the weights of that bit and of bit 0.
    anchor: Option<u32>,
    weights: [String; 2],
    bars: Vec<Bar>,
    /// Names of the classes of colour used, in order.
    legend: Vec<(&'static str, String)>,
}

/// Draws the window of a unit.
pub(super) fn draw(unit: &Unit, plan: &Plan) -> String {
    let window = match plan {
        Plan::Fused(fused) => aligned(fused, ["c", "a product"]),
        Plan::Integer(integer) => integers(unit, integer),
        // Each step has a window of its own, or none.
        Plan::Steps(_) => return String::new(),
    };
    window.draw(&format!("Bits of the sum of {}: {}", unit.name, emit::window_picture(unit).join("; ")))
}

/// The part of a bar of `width` bits from bit `high` down that lies at bit 0 or above, then what lies below.
fn kept_and_lost(class: &'static str, high: i64, width: u32) -> Vec<Part> {
    let kept = (high + 1).clamp(0, i64::from(width)) as u32;
    [(class, kept), ("lost", width - kept)].into_iter().filter(|part| part.1 > 0).collect()
}

/// `addend` and `name` say what stands in the window.
fn aligned(plan: &FusedPlan, [addend, name]: [&str; 2]) -> Window {
    let fraction = i64::from(plan.fraction_bits);
    let term = &plan.terms;
    let addend_width = plan.c.precision();
    let high = fraction + i64::from(term.width) - i64::from(term.fraction_bits) - 1;
    // An example that loses about half of its bits.
    let lost_wanted = i64::from((term.width / 2).max(1));
    let distance = (high + 1 - i64::from(term.width) + lost_wanted).max(1);
    let lost = (lost_wanted).max(distance - (high + 1 - i64::from(term.width)));
    let fate = match plan.alignment_rounding {
        AlignmentRounding::ToOdd => "ORed into bit 0",
        AlignmentRounding::TowardZero => "cut off",
        _ => "rounded away",
    };
    let kept = plan.result.fraction_bits + 1;
    let result_label = match fraction + 1 - i64::from(kept) {
        below if below > 0 => format!("d, leading one at the anchor: {}, {below} rounded", bits(kept)),
        _ => format!("d, leading one at the anchor: {}", bits(kept)),
    };
    let bar = |label: String, high: i64, parts: Vec<Part>| Bar { label, high, parts };
    let mut bars = vec![
        bar(
            format!("{addend}, if its exponent is the anchor: {}", bits(addend_width)),
            fraction,
            kept_and_lost("addend", fraction, addend_width),
        ),
        bar(
            format!("{name}, if its exponent is the anchor: {}", bits(term.width)),
            high,
            kept_and_lost("product", high, term.width),
        ),
        bar(
            format!("{name}, exponent {distance} lower: {} {fate}", bits(lost as u32)),
            high - distance,
            kept_and_lost("product", high - distance, term.width),
        ),
        bar(
            format!("the sum: {}", bits(plan.sum_width)),
            i64::from(plan.sum_width) - 1,
            vec![
                ("sign", 1),
                ("carry", plan.carry_bits),
                ("integer", term.integer_bits),
                ("fraction", plan.fraction_bits),
            ],
        ),
        bar(result_label, fraction, kept_and_lost("result", fraction, kept)),
    ];
    if !plan.has_addend {
        bars.remove(0);
    }
    Window {
        sum_width: plan.sum_width,
        anchor: Some(plan.fraction_bits),
        weights: [format!("bit {fraction} weighs 2^anchor"), format!("bit 0 weighs 2^(anchor \u{2212} {fraction})")],
        bars,
        legend: vec![
            ("sign", "sign".to_owned()),
            ("carry", format!("carry {}", plan.carry_bits)),
            ("integer", format!("integer {}", term.integer_bits)),
            ("fraction", format!("fraction F = {fraction}")),
            ("lost", fate.to_owned()),
        ],
    }
}

fn integers(unit: &Unit, plan: &IntegerPlan) -> Window {
    let bar = |label: String, width: u32, parts: Vec<Part>| Bar { label, high: i64::from(width) - 1, parts };
    let formats = &unit.formats;
    let end = if plan.saturates { "only tell if d is clamped" } else { "are cut" };
    let result = match plan.sum_width.saturating_sub(plan.d.width) {
        0 => format!("d: {}", formats.d.name),
        above => format!("d: {}; {} of the sum above {end}", formats.d.name, bits(above)),
    };
    Window {
        sum_width: plan.sum_width.max(plan.d.width),
        anchor: None,
        weights: [format!("bit {} is the sign", plan.sum_width - 1), "bit 0 weighs 1".to_owned()],
        bars: vec![
            bar(format!("c: {}", formats.c.name), plan.c.width, vec![("addend", plan.c.width)]),
            bar(
                format!("a product: {}", bits(plan.product_width)),
                plan.product_width,
                vec![("product", plan.product_width)],
            ),
            bar(
                format!("the sum: {}", bits(plan.sum_width)),
                plan.sum_width,
                vec![("sign", 1), ("integer", plan.sum_width - 1)],
            ),
            bar(result, plan.d.width, vec![("result", plan.d.width)]),
        ],
        legend: vec![("sign", "sign".to_owned()), ("integer", format!("integer {}", plan.sum_width - 1))],
    }
}

/// Lines between the bits of a part, where bits are wide enough to tell apart.
fn draw_bits(svg: &mut Svg, left: f64, top: f64, bit: f64, width: u32) {
    for number in (1..width).filter(|_| bit >= 4.0) {
        let x = left + f64::from(number) * bit;
        svg.line("tick", &[(x, top), (x, top + BAR)]);
    }
}

impl Bar {
    /// The sum begins with its sign.
    fn is_sum(&self) -> bool {
        self.parts.first().is_some_and(|part| part.0 == "sign")
    }

    /// Numbers of the first bit of each part of the sum, and of bit 0, below it; those that would touch are left out.
    fn draw_numbers(&self, svg: &mut Svg, edge: &dyn Fn(i64) -> f64, bit: f64, base: f64) {
        let mut next = self.high;
        let mut firsts = Vec::new();
        for &(_, width) in self.parts.iter().filter(|part| part.1 > 0) {
            firsts.push(next);
            next -= i64::from(width);
        }
        let place = |number: i64| {
            let half = number.to_string().len() as f64 * 3.3;
            ((edge(number) + bit / 2.0).max(MARGIN + half), half)
        };
        let (last, last_half) = place(0);
        let mut free = 0.0;
        for number in firsts {
            let (x, half) = place(number);
            if x - half >= free && x + half + 4.0 <= last - last_half {
                svg.text("small halo", Anchor::Middle, x, base, &number.to_string());
                free = x + half + 4.0;
            }
        }
        svg.text("small halo", Anchor::Middle, last, base, "0");
    }
}

impl Window {
    /// Bits below bit 0 that some bar reaches down to.
    fn below(&self) -> u32 {
        let bar = |bar: &Bar| bar.parts.iter().map(|part| i64::from(part.1)).sum::<i64>() - bar.high - 1;
        self.bars.iter().map(bar).max().unwrap_or(0).max(0) as u32
    }

    fn draw(&self, title: &str) -> String {
        let mut svg = Svg::default();
        let bit = (WIDTH - 2.0 * MARGIN) / f64::from(self.sum_width + self.below());
        // Left edge of the bit of that number.
        let edge = |number: i64| MARGIN + (i64::from(self.sum_width) - 1 - number) as f64 * bit;
        let bottom = WEIGHTS + self.bars.len() as f64 * PITCH + NUMBERS;
        self.draw_weights(&mut svg, &edge, bit, bottom);
        let mut label = WEIGHTS + 12.0;
        for bar in &self.bars {
            svg.text("text halo", Anchor::Start, MARGIN, label, &bar.label);
            let mut high = bar.high;
            for &(class, width) in bar.parts.iter().filter(|part| part.1 > 0) {
                let (left, top) = (edge(high), label + 6.0);
                svg.rectangle(&format!("bits {class}"), left, top, f64::from(width) * bit, BAR);
                draw_bits(&mut svg, left, top, bit, width);
                high -= i64::from(width);
            }
            if bar.is_sum() {
                bar.draw_numbers(&mut svg, &edge, bit, label + 6.0 + BAR + 11.0);
                label += NUMBERS;
            }
            label += PITCH;
        }
        let height = self.draw_legend(&mut svg, bottom + 14.0);
        svg.finish(WIDTH, height, title)
    }

    /// The weights of two bits, with dashed lines through all bars.
    fn draw_weights(&self, svg: &mut Svg, edge: &dyn Fn(i64) -> f64, bit: f64, bottom: f64) {
        let (first, last) = match self.anchor {
            Some(anchor) => (edge(i64::from(anchor)) + bit / 2.0, edge(0) + bit / 2.0),
            None => (edge(i64::from(self.sum_width) - 1) + bit / 2.0, edge(0) + bit / 2.0),
        };
        let places = [(first, 13.0, &self.weights[0]), (last, 28.0, &self.weights[1])];
        for (x, base, _) in places {
            svg.line("guide", &[(x, base + 4.0), (x, bottom)]);
        }
        for (x, base, label) in places {
            let half = label.chars().count() as f64 * 3.1;
            let middle = x.clamp(MARGIN + half, WIDTH - MARGIN - half);
            svg.text("small halo", Anchor::Middle, middle, base, label);
        }
    }

    /// Colours and their names below the bars; returns the lowest edge.
    fn draw_legend(&self, svg: &mut Svg, top: f64) -> f64 {
        let (mut x, mut y) = (MARGIN, top);
        let used = |class: &str| self.bars.iter().flat_map(|bar| &bar.parts).any(|part| part.0 == class && part.1 > 0);
        for (class, name) in self.legend.iter().filter(|entry| used(entry.0)) {
            let width = 18.0 + name.chars().count() as f64 * 6.3 + 10.0;
            if x + width > WIDTH - MARGIN && x > MARGIN {
                (x, y) = (MARGIN, y + 18.0);
            }
            svg.rectangle(&format!("bits {class}"), x, y - 10.0, 12.0, 12.0);
            svg.text("small", Anchor::Start, x + 17.0, y, name);
            x += width;
        }
        y + 8.0
    }
}
