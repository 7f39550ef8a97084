//! Pieces of SVG: boxes, text and arrows in classes, with the attributes of these. Nothing here knows what it draws.

use std::fmt::Write;

use super::look;

/// A drawing that grows piece by piece. Coordinates are units of the view box; y points down.
#[derive(Default)]
pub(super) struct Svg(String);

/// Where a text stands from its coordinate.
#[derive(Clone, Copy)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

impl Svg {
    pub fn rectangle(&mut self, class: &str, x: f64, y: f64, width: f64, height: f64) {
        let round = if class == "box" || class == "port" { " rx=\"6\"" } else { "" };
        let (x, y, width, height) = (number(x), number(y), number(width), number(height));
        let _ = writeln!(
            self.0,
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"{round}{}/>",
            look::attributes(class)
        );
    }

    /// The ground of a picture that stands alone, and its colours where that is dark.
    pub fn ground(&mut self, width: f64, height: f64) {
        let _ = writeln!(self.0, "<style>\n{}</style>", look::dark());
        self.rectangle("ground", 0.0, 0.0, width, height);
    }

    /// A text; with the class `halo` above a broad line of the ground's colour around its letters. That line is an element of its own:
    /// not every program draws the line of a text first.
    pub fn text(&mut self, class: &str, anchor: Anchor, x: f64, y: f64, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let (x, y, text) = (number(x), number(y), escaped(text));
        let plain = class.replace(" halo", "");
        let mut write = |class: &str, looks: &str| {
            let place = format!("x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\"");
            let _ = writeln!(self.0, "<text class=\"{class}\" {place}{}>{text}</text>", look::attributes(looks));
        };
        if plain != class {
            write("halo", &format!("{} {class}", look::WORDS));
        }
        write(&plain, &format!("{} {plain}", look::WORDS));
    }

    /// A line through the points.
    pub fn line(&mut self, class: &str, points: &[(f64, f64)]) {
        let _ =
            writeln!(self.0, "<polyline class=\"{class}\" points=\"{}\"{}/>", list(points), look::attributes(class));
    }

    /// A line through the points in strokes and gaps of these lengths.
    pub fn dashed_line(&mut self, class: &str, dashes: &str, points: &[(f64, f64)]) {
        let (points, look) = (list(points), look::attributes(class));
        let _ =
            writeln!(self.0, "<polyline class=\"{class}\" stroke-dasharray=\"{dashes}\" points=\"{points}\"{look}/>");
    }

    /// A closed shape with these corners.
    pub fn polygon(&mut self, class: &str, corners: &[(f64, f64)]) {
        let _ =
            writeln!(self.0, "<polygon class=\"{class}\" points=\"{}\"{}/>", list(corners), look::attributes(class));
    }

    /// A circle, as tall as wide.
    pub fn circle(&mut self, class: &str, x: f64, y: f64, radius: f64) {
        let (x, y, radius) = (number(x), number(y), number(radius));
        let look = look::attributes(class);
        let _ = writeln!(self.0, "<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"{look}/>");
    }

    /// A line through the points with a head at its end, which points down or, of a horizontal last piece, sideways.
    pub fn arrow(&mut self, points: &[(f64, f64)]) {
        const LENGTH: f64 = 6.0;
        const HALF: f64 = 3.5;
        self.line("wire", points);
        let [.., before, end] = points else { return };
        let corners = match before.1 == end.1 {
            false => [(end.0 - HALF, end.1 - LENGTH), (end.0 + HALF, end.1 - LENGTH)],
            true => {
                let back = if before.0 > end.0 { LENGTH } else { -LENGTH };
                [(end.0 + back, end.1 - HALF), (end.0 + back, end.1 + HALF)]
            }
        };
        let [left, right] = corners;
        self.polygon("head", &[left, right, *end]);
    }

    /// The whole picture. `title` says what it shows to those who cannot see it.
    pub fn finish(self, width: f64, height: f64, title: &str) -> String {
        let (width, height, title) = (number(width), number(height), escaped(title));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\">\n<title>{title}</title>\n{}</svg>",
            self.0
        )
    }
}

/// Points as an attribute holds them.
fn list(points: &[(f64, f64)]) -> String {
    let points: Vec<String> = points.iter().map(|&(x, y)| format!("{},{}", number(x), number(y))).collect();
    points.join(" ")
}

/// A coordinate with at most two decimals.
fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Text as XML holds it.
fn escaped(text: &str) -> String {
    let mut bytes = Vec::new();
    let written = tera::escape_html(text, &mut bytes);
    written.ok().and_then(|()| String::from_utf8(bytes).ok()).unwrap_or_default()
}
