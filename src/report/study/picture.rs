//! Errors over the size, both on logarithmic scales: a line for each curve, circles for what was published.

use std::collections::BTreeMap;

use super::StudyReport;
use crate::report::page::{CURVES_STYLE, PICTURE_STYLE};
use crate::report::svg::{Anchor, Svg};
use crate::study::{Curve, Norm};

const LEFT: f64 = 64.0;
const TOP: f64 = 44.0;
const PLOT: [f64; 2] = [460.0, 340.0];
const BOTTOM: f64 = 46.0;
/// Room for the names of curves.
const NAMES: f64 = 220.0;
const STEP: f64 = 20.0;
/// Colours there are.
const COLOURS: usize = 8;

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
    svg.style(&[PICTURE_STYLE, CURVES_STYLE].concat());
    svg.rectangle("ground", 0.0, 0.0, width, height);
    let title = format!("{}: {}", report.study.name, norm.title());
    svg.text("name", Anchor::Start, 12.0, 22.0, &title);
    let Some(axes) = Axes::of(&all) else { return svg.finish(width, height, &title) };
    grid(&mut svg, &axes);
    let names = LEFT + PLOT[0] + 18.0;
    for (number, curve) in curves.iter().enumerate() {
        let colour = number % COLOURS;
        let points: Vec<(f64, f64)> =
            computed(curve).into_iter().map(|(size, error)| axes.place(size, error)).collect();
        for (size, error) in published(curve) {
            let (x, y) = axes.place(size, error);
            svg.circle(&format!("published of-{colour}"), x, y, 4.5);
        }
        svg.line(&format!("curve of-{colour}"), &points);
        points.iter().for_each(|(x, y)| svg.circle(&format!("point of-{colour}"), *x, *y, 2.5));
        let y = TOP + 8.0 + number as f64 * STEP;
        match points.is_empty() {
            false => svg.line(&format!("curve of-{colour}"), &[(names, y - 4.0), (names + 18.0, y - 4.0)]),
            true => svg.circle(&format!("published of-{colour}"), names + 9.0, y - 4.0, 4.5),
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
