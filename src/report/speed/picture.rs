//! Measurements as a picture: a bar for each contestant on a logarithmic scale, longer where it is faster.

use super::{Speed, SpeedRow};
use crate::report::svg::{Anchor, Svg};

const MARGIN: f64 = 12.0;
/// Baselines of the lines above the bars, and where the bars begin.
const NAME: f64 = 20.0;
const SCALE: f64 = 42.0;
const TOP: f64 = 50.0;
const LEFT: f64 = 230.0;
/// Length of a factor of ten.
const DECADE: f64 = 95.0;
/// Room for the number behind the longest bar.
const NUMBER: f64 = 60.0;
const BAR: f64 = 14.0;
const STEP: f64 = 18.0;
/// Between two subjects, with the name of the second.
const GAP: f64 = 26.0;

/// Millions a second.
fn rate(row: &SpeedRow) -> f64 {
    1e3 / row.nanoseconds[1]
}

/// Colours: the fast engines, complete co-simulations, and all others.
fn class(contestant: &str) -> &'static str {
    match contestant.split(',').next().unwrap_or_default() {
        "wide" | "netlist" | "gemm" => "integer",
        both if both.contains('+') => "product",
        _ => "lost",
    }
}

/// Draws rates of all contestants, subject by subject.
pub fn picture(speed: &Speed) -> String {
    let rates = || speed.rows.iter().map(rate);
    let least = rates().fold(f64::INFINITY, f64::min).log10().floor();
    let greatest = rates().fold(0.0, f64::max).log10().ceil().max(least + 1.0);
    let (decades, subjects) = ((greatest - least) as usize, speed.subjects());
    let width = LEFT + (greatest - least) * DECADE + NUMBER;
    let bottom = TOP + subjects.len() as f64 * GAP + speed.rows.len() as f64 * STEP;
    let height = bottom + MARGIN;

    let mut svg = Svg::default();
    svg.ground(width, height);
    let title = format!("{}: million {} a second", speed.title, speed.quantity);
    svg.text("name", Anchor::Start, MARGIN, NAME, &title);
    for decade in 0..=decades {
        let x = LEFT + decade as f64 * DECADE;
        let value = 10f64.powf(least + decade as f64);
        svg.text("small", Anchor::Middle, x, SCALE, &format!("{value}"));
        svg.line("guide", &[(x, TOP), (x, bottom)]);
    }
    let mut y = TOP;
    for subject in subjects {
        svg.text("name", Anchor::Start, MARGIN, y + GAP - 8.0, subject);
        y += GAP;
        for row in speed.rows.iter().filter(|row| row.subject == subject) {
            let length = (rate(row).log10() - least) * DECADE;
            svg.text("small", Anchor::End, LEFT - 6.0, y + BAR - 3.0, &row.contestant);
            svg.rectangle(class(&row.contestant), LEFT, y, length, BAR);
            svg.text("small halo", Anchor::Start, LEFT + length + 5.0, y + BAR - 3.0, &number(rate(row)));
            y += STEP;
        }
    }
    svg.finish(width, height, &title)
}

fn number(rate: f64) -> String {
    if rate < 10.0 { format!("{rate:.2}") } else { format!("{rate:.0}") }
}
