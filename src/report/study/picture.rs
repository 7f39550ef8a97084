//! Errors over the size, both on logarithmic scales: a line for each curve, hollow marks for what was published. Curves that share a
//! colour differ in their strokes and in the shape of their marks.

use std::collections::BTreeMap;

use super::StudyReport;
use crate::report::look::CURVES;
use crate::report::svg::{Anchor, Svg};
use crate::study::{Curve, Norm};

const LEFT: f64 = 64.0;
const TOP: f64 = 44.0;
const PLOT: [f64; 2] = [460.0, 340.0];
const BOTTOM: f64 = 46.0;
/// Room for the names of curves.
const NAMES: f64 = 220.0;
const STEP: f64 = 20.0;

/// Scales of both axes.
struct Axes {
    /// Exponents of two of the sizes, and of ten of the errors, at the ends.
    sizes: [f64; 2],
    errors: [f64; 2],
}

impl Axes {
    fn of(points: &[(usize, f64)]) -> Option<Axes> {
        let ends = |values: &mut dyn Iterator<Item = f64>| {
            values.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], value| [low.min(value), high.max(value)])
        };
        points.first()?;
        let [low, high] = ends(&mut points.iter().map(|(size, _)| (*size as f64).log2()));
        let [least, greatest] = ends(&mut points.iter().map(|(_, error)| error.log10()));
        let errors = [least.floor(), greatest.ceil().max(least.floor() + 1.0)];
        Some(Axes { sizes: [low, high.max(low + 1.0)], errors })
    }

    fn place(&self, size: usize, error: f64) -> (f64, f64) {
        let share = |[low, high]: [f64; 2], value: f64| (value - low) / (high - low);
        let x = LEFT + share(self.sizes, (size as f64).log2()) * PLOT[0];
        let y = TOP + (1.0 - share(self.errors, error.log10())) * PLOT[1];
        (x, y)
    }
}

/// What a curve is drawn in: one of the colours, and how often all of them were used before.
#[derive(Clone, Copy)]
struct Look {
    colour: usize,
    round: usize,
}

impl Look {
    fn of(number: usize) -> Look {
        Look { colour: number % CURVES, round: number / CURVES }
    }

    /// A line: whole in the first round, then of dashes with as many dots between them as rounds came after the second.
    fn line(self, svg: &mut Svg, points: &[(f64, f64)]) {
        let class = format!("curve of-{}", self.colour);
        match self.round {
            0 => svg.line(&class, points),
            round => svg.dashed_line(&class, &["5 2", &" 1 2".repeat(round - 1)].concat(), points),
        }
    }

    /// A circle, a square, a diamond or a triangle.
    fn mark(self, svg: &mut Svg, kind: &str, (x, y): (f64, f64), radius: f64) {
        let class = format!("{kind} of-{}", self.colour);
        let (half, long) = (radius * 0.9, radius * 1.3);
        match self.round % 4 {
            0 => svg.circle(&class, x, y, radius),
            1 => svg.polygon(
                &class,
                &[(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)],
            ),
            2 => svg.polygon(&class, &[(x, y - long), (x + long, y), (x, y + long), (x - long, y)]),
            _ => svg.polygon(&class, &[(x, y - long), (x + long, y + half), (x - long, y + half)]),
        }
    }
}

/// Draws the errors of all curves in a norm.
pub fn curves_picture(report: &StudyReport, norm: Norm) -> String {
    let published = |curve: &Curve| -> Vec<(usize, f64)> {
        let all = curve.published.get(&norm).into_iter().flat_map(BTreeMap::iter);
        let mut all: Vec<(usize, f64)> = all.filter_map(|(size, error)| Some((size.parse().ok()?, *error))).collect();
        all.sort_unstable_by_key(|(size, _)| *size);
        all
    };
    let computed = |curve: &Curve| -> Vec<(usize, f64)> {
        let own = report.points.iter().filter(|point| point.curve == curve.name);
        // An error of 0 has no place on a logarithmic scale.
        own.map(|point| (point.size, point.errors.of(norm))).filter(|(_, error)| *error > 0.0).collect()
    };
    let curves = &report.study.curves;
    let all: Vec<(usize, f64)> = curves.iter().flat_map(|curve| [published(curve), computed(curve)].concat()).collect();
    let height = (TOP + PLOT[1] + BOTTOM).max(TOP + curves.len() as f64 * STEP + 40.0);
    let width = LEFT + PLOT[0] + NAMES;

    let mut svg = Svg::default();
    svg.ground(width, height);
    let title = format!("{}: {}", report.study.name, norm.title());
    svg.text("name", Anchor::Start, 12.0, 22.0, &title);
    let Some(axes) = Axes::of(&all) else { return svg.finish(width, height, &title) };
    grid(&mut svg, &axes);
    let names = LEFT + PLOT[0] + 18.0;
    for (number, curve) in curves.iter().enumerate() {
        let look = Look::of(number);
        let points: Vec<(f64, f64)> =
            computed(curve).into_iter().map(|(size, error)| axes.place(size, error)).collect();
        for (size, error) in published(curve) {
            look.mark(&mut svg, "published", axes.place(size, error), 4.5);
        }
        look.line(&mut svg, &points);
        points.iter().for_each(|&point| look.mark(&mut svg, "point", point, 2.5));
        let y = TOP + 8.0 + number as f64 * STEP;
        match points.is_empty() {
            false => look.line(&mut svg, &[(names, y - 4.0), (names + 18.0, y - 4.0)]),
            true => look.mark(&mut svg, "published", (names + 9.0, y - 4.0), 4.5),
        }
        if look.round > 0 && !points.is_empty() {
            look.mark(&mut svg, "point", (names + 9.0, y - 4.0), 2.5);
        }
        svg.text("small", Anchor::Start, names + 25.0, y, &curve.name);
    }
    if curves.iter().any(|curve| curve.published.contains_key(&norm)) {
        let y = TOP + 14.0 + curves.len() as f64 * STEP;
        svg.circle("published of-7", names + 9.0, y - 4.0, 4.5);
        svg.text("small", Anchor::Start, names + 25.0, y, "published");
    }
    svg.finish(width, height, &title)
}

fn grid(svg: &mut Svg, axes: &Axes) {
    let right = LEFT + PLOT[0];
    let step = (((axes.errors[1] - axes.errors[0]) / 12.0).ceil() as i32).max(1);
    for exponent in (axes.errors[0] as i32..=axes.errors[1] as i32).step_by(step as usize) {
        let (_, y) = axes.place(1, 10f64.powi(exponent));
        svg.line("guide", &[(LEFT, y), (right, y)]);
        svg.text("small", Anchor::End, LEFT - 6.0, y + 4.0, &format!("1e{exponent}"));
    }
    for exponent in axes.sizes[0].ceil() as u32..=axes.sizes[1].floor() as u32 {
        let size = 1usize << exponent;
        let (x, _) = axes.place(size, 1.0);
        svg.line("guide", &[(x, TOP), (x, TOP + PLOT[1])]);
        svg.text("small", Anchor::Middle, x, TOP + PLOT[1] + 16.0, &size.to_string());
    }
    svg.text("small", Anchor::Middle, LEFT + PLOT[0] / 2.0, TOP + PLOT[1] + 34.0, "n");
}
