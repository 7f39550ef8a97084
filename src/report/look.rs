//! What pictures look like: colours on light and on dark ground, and the attributes of each class.
//!
//! Elements carry the attributes themselves, with the colours for light ground: many programs that draw SVG know neither variables of CSS
//! nor media queries. A style sheet holds only what differs on dark ground; it beats the attributes in browsers.

use std::collections::BTreeMap;
use std::fmt::Write;

/// Name, on light ground, on dark ground. The page of a report has them as variables of CSS.
#[rustfmt::skip]
const COLOURS: [(&str, &str, &str); 30] = [
    ("ground",   "#ffffff", "#14171b"), ("panel",     "#f6f7f9", "#1d2126"),
    ("ink",      "#1b1f24", "#e4e8ec"), ("quiet",     "#5a6470", "#a2acb7"),
    ("rule",     "#d5dae0", "#3a424b"), ("link",      "#0b57a4", "#7ab8f5"),
    ("good",     "#e3f4e6", "#173622"), ("good-ink",  "#17592a", "#9fdcae"),
    ("bad",      "#c62828", "#d93838"), ("bad-ink",   "#ffffff", "#ffffff"),
    ("warn",     "#fdf0d0", "#3d3113"), ("warn-ink",  "#6b4a00", "#f2d48a"),
    ("sign",     "#8e6bbf", "#a98ad6"), ("carry",     "#e3a13a", "#c98a26"),
    ("integer",  "#4a90c8", "#3f7fb3"), ("fraction",  "#9cc7e6", "#2f5f86"),
    ("lost",     "#c9ced6", "#454d57"), ("addend",    "#d98a8a", "#b56565"),
    ("product",  "#7fbf8e", "#4f9361"), ("result",    "#6f7fd0", "#6a79cc"),
    ("edge",     "#000000", "#000000"), ("edge-part", ".22",     ".45"),
    ("curve-0",  "#0b57a4", "#7ab8f5"), ("curve-1",   "#c2571a", "#f0a05c"),
    ("curve-2",  "#2e7d32", "#81c784"), ("curve-3",   "#7b3fb5", "#b48ade"),
    ("curve-4",  "#b3261e", "#f2837b"), ("curve-5",   "#00838f", "#5fc4cf"),
    ("curve-6",  "#8a6d00", "#d8bd4a"), ("curve-7",   "#5a6470", "#a2acb7"),
];

/// How many colours there are for curves.
pub(super) const CURVES: usize = 8;

const SANS: &str = "system-ui, -apple-system, Segoe UI, Roboto, Helvetica Neue, Arial, sans-serif";
const MONO: &str = "ui-monospace, Menlo, Consolas, DejaVu Sans Mono, monospace";

/// What all texts have.
pub(super) const WORDS: &str = "words";

/// A class with its attributes.
type Look = (&'static str, &'static [(&'static str, &'static str)]);

/// The attributes of each class. `$` stands before the name of a colour, `$own` is that of a curve, which the class `of-0` and so on
/// chooses. Of several classes the last one counts.
#[rustfmt::skip]
const LOOKS: [Look; 24] = [
    (WORDS,       &[("fill", "$ink"), ("font-family", SANS), ("font-size", "11")]),
    ("name",      &[("font-size", "12"), ("font-weight", "600")]),
    ("small",     &[("fill", "$quiet"), ("font-size", "10.5")]),
    ("mono",      &[("font-family", MONO), ("xml:space", "preserve")]),
    ("halo",      &[("fill", "none"), ("stroke", "$ground"), ("stroke-width", "4"), ("stroke-linejoin", "round")]),
    ("box",       &[("fill", "$panel"), ("stroke", "$rule")]),
    ("port",      &[("fill", "$ground"), ("stroke", "$integer"), ("stroke-width", "1.5")]),
    ("wire",      &[("fill", "none"), ("stroke", "$quiet"), ("stroke-width", "1.2")]),
    ("head",      &[("fill", "$quiet")]),
    ("guide",     &[("fill", "none"), ("stroke", "$quiet"), ("stroke-width", ".8"), ("stroke-dasharray", "3 3")]),
    ("tick",      &[("fill", "none"), ("stroke", "$edge"), ("stroke-opacity", "$edge-part"), ("stroke-width", ".5")]),
    ("bits",      &[("stroke", "$ground"), ("stroke-width", ".75")]),
    ("sign",      &[("fill", "$sign")]),
    ("carry",     &[("fill", "$carry")]),
    ("integer",   &[("fill", "$integer")]),
    ("fraction",  &[("fill", "$fraction")]),
    ("lost",      &[("fill", "$lost")]),
    ("addend",    &[("fill", "$addend")]),
    ("product",   &[("fill", "$product")]),
    ("result",    &[("fill", "$result")]),
    ("ground",    &[("fill", "$ground")]),
    ("curve",     &[("fill", "none"), ("stroke", "$own"), ("stroke-width", "1.8"), ("stroke-linejoin", "round")]),
    ("point",     &[("fill", "$own"), ("stroke", "$own")]),
    ("published", &[("fill", "$ground"), ("stroke", "$own"), ("stroke-width", "1.5")]),
];

/// A value of an attribute on light and on dark ground. `own` is the name of the colour that `$own` stands for.
fn value(value: &'static str, own: &str) -> [&'static str; 2] {
    match value.strip_prefix('$') {
        None => [value; 2],
        Some(name) => {
            let name = if name == "own" { own } else { name };
            let found = COLOURS.iter().find(|(known, ..)| *known == name);
            found.map_or(["#000000"; 2], |(_, light, dark)| [light, dark])
        }
    }
}

/// The attributes of an element of some classes, as they stand in its tag, each after a blank.
pub(super) fn attributes(classes: &str) -> String {
    let own = classes.split(' ').find_map(|class| class.strip_prefix("of-")).map(|number| format!("curve-{number}"));
    let own = own.unwrap_or_default();
    let mut attributes = BTreeMap::new();
    for class in classes.split(' ') {
        let look = LOOKS.iter().filter(|(known, _)| *known == class);
        attributes.extend(look.flat_map(|(_, look)| look.iter().copied()));
    }
    attributes.into_iter().fold(String::new(), |mut text, (name, plain)| {
        let _ = write!(text, " {name}=\"{}\"", value(plain, &own)[0]);
        text
    })
}

/// The style sheet with what differs on dark ground.
pub(super) fn dark() -> String {
    let mut rules = String::new();
    let mut rule = |selector: &str, look: &[(&str, &'static str)], own: &str| {
        let coloured = look.iter().filter(|(_, plain)| plain.starts_with('$'));
        let text: Vec<String> = coloured.map(|(name, plain)| format!("{name}: {}", value(plain, own)[1])).collect();
        if !text.is_empty() {
            let _ = writeln!(rules, "  svg {selector} {{ {} }}", text.join("; "));
        }
    };
    for (class, look) in LOOKS {
        match look.iter().any(|(_, plain)| *plain == "$own") {
            false if class == WORDS => rule("text", look, ""),
            false => rule(&format!(".{class}"), look, ""),
            true => {
                (0..CURVES).for_each(|number| rule(&format!(".{class}.of-{number}"), look, &format!("curve-{number}")))
            }
        }
    }
    format!("@media (prefers-color-scheme: dark) {{\n{rules}}}\n")
}

/// The style sheet of a page: the colours as variables, and pictures on dark ground.
pub(super) fn page() -> String {
    let variables = |place: fn(&(&'static str, &'static str, &'static str)) -> &'static str| {
        COLOURS.iter().map(|colour| format!("--{}: {};", colour.0, place(colour))).collect::<Vec<_>>().join(" ")
    };
    let (light, dark_ground) = (variables(|colour| colour.1), variables(|colour| colour.2));
    format!(":root {{ {light} }}\n@media (prefers-color-scheme: dark) {{ :root {{ {dark_ground} }} }}\n{}", dark())
}
