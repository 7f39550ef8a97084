//! The picture of a unit's datapath: boxes from operands to result, narrow enough for a phone. What the boxes say comes
//! from `steps`; only places are worked out here.

use super::steps::{Datapath, Lane, Step};
use super::svg::{Anchor, Svg};

/// Width of the picture, and of the margin around it.
const WIDTH: f64 = 360.0;
const MARGIN: f64 = 6.0;
/// Between the lane of the products and that of the addend.
const GUTTER: f64 = 14.0;
const ADDEND_WIDTH: f64 = 116.0;
const LINE: f64 = 14.5;
/// From the top of a box to the baseline of its name, and of the first line below.
const NAME_BASE: f64 = 17.0;
const PADDING: f64 = 10.0;
const ARROW: f64 = 24.0;
/// Width of a letter of running text and of a name, in a wide font.
const LETTER: f64 = 5.9;
const NAME_LETTER: f64 = 7.2;

/// Where a box stands.
struct Place {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
}

impl Place {
    fn centre(&self) -> f64 {
        self.x + self.width / 2.0
    }

    fn bottom(&self) -> f64 {
        self.y + self.height
    }
}

/// The picture while it grows.
struct Drawing {
    svg: Svg,
    /// Right edge of the boxes.
    right: f64,
    /// The lowest box of the products and of the addend; the same where they have met.
    products: Place,
    addend: Place,
    met: bool,
    /// What leaves the last box.
    out: String,
}

/// Draws the datapath of the unit of that name.
pub(super) fn draw(unit: &str, datapath: &Datapath) -> String {
    let mut drawing = Drawing::begin(datapath, WIDTH - MARGIN);
    datapath.steps.iter().for_each(|step| drawing.step(step));
    let bottom = drawing.output(&datapath.result);
    drawing.svg.finish(WIDTH, bottom + MARGIN, &format!("Datapath of {unit}: {}", datapath.caption))
}

/// The text cut into lines that fit a box of that width.
fn wrapped(text: &[String], width: f64, letter: f64) -> Vec<String> {
    let letters = ((width - 2.0 * PADDING) / letter).floor().max(8.0) as usize;
    let lines = text.iter().flat_map(|paragraph| textwrap::wrap(paragraph, letters));
    lines.map(|line| line.into_owned()).collect()
}

impl Drawing {
    /// The ports of the operands, with room for as many lines as the products' port has.
    fn begin(datapath: &Datapath, right: f64) -> Drawing {
        let mut svg = Svg::default();
        let addend_x = right - ADDEND_WIDTH;
        let products_width = addend_x - GUTTER - MARGIN;
        let operands = wrapped(&datapath.operands, products_width, NAME_LETTER);
        let addend = wrapped(std::slice::from_ref(&datapath.addend), ADDEND_WIDTH, NAME_LETTER);
        let height = |lines: &[String]| lines.len() as f64 * LINE + 11.0;
        let products = Place { x: MARGIN, y: MARGIN, width: products_width, height: height(&operands) };
        let addend_place = Place { x: addend_x, y: MARGIN, width: ADDEND_WIDTH, height: height(&addend) };
        let met = datapath.addend.is_empty();
        for (place, lines) in [(&products, &operands), (&addend_place, &addend)].into_iter().take(2 - usize::from(met))
        {
            svg.rectangle("port", place.x, place.y, place.width, place.height);
            for (index, line) in lines.iter().enumerate() {
                svg.text("name", Anchor::Start, place.x + PADDING, place.y + NAME_BASE + index as f64 * LINE, line);
            }
        }
        Drawing { svg, right, products, addend: addend_place, met, out: String::new() }
    }

    fn step(&mut self, step: &Step) {
        let (x, right, above) = match step.lane {
            Lane::Products => (self.products.x, self.products.x + self.products.width, self.products.bottom()),
            Lane::Addend => (self.addend.x, self.right, self.addend.bottom().max(MARGIN)),
            Lane::All => (MARGIN, self.right, self.products.bottom().max(self.addend.bottom())),
        };
        let lines = wrapped(&step.text, right - x, LETTER);
        let place = Place {
            x,
            y: above + ARROW,
            width: right - x,
            height: NAME_BASE + lines.len() as f64 * LINE + if lines.is_empty() { 7.0 } else { 9.0 },
        };
        self.connect(step.lane, &place);
        self.svg.rectangle("box", place.x, place.y, place.width, place.height);
        self.svg.text("name", Anchor::Start, place.x + PADDING, place.y + NAME_BASE, &step.name);
        for (index, line) in lines.iter().enumerate() {
            let base = place.y + NAME_BASE + (index + 1) as f64 * LINE + 1.0;
            self.svg.text("text", Anchor::Start, place.x + PADDING, base, line);
        }
        if step.lane != Lane::Addend {
            self.out.clone_from(&step.out);
        }
        match step.lane {
            Lane::Products => self.products = place,
            Lane::Addend => self.addend = place,
            Lane::All => {
                self.met = true;
                self.addend = Place { ..place };
                self.products = place;
            }
        }
    }

    /// Arrows into a box, with the width of what flows.
    fn connect(&mut self, lane: Lane, place: &Place) {
        let from_products = (self.products.centre(), self.products.bottom());
        let from_addend = (self.addend.centre(), self.addend.bottom());
        match lane {
            Lane::Products => self.svg.arrow(&[from_products, (from_products.0, place.y)]),
            Lane::Addend => self.svg.arrow(&[from_addend, (from_addend.0, place.y)]),
            Lane::All => {
                self.svg.arrow(&[from_products, (from_products.0, place.y)]);
                if !self.met {
                    self.svg.arrow(&[from_addend, (from_addend.0, place.y)]);
                }
            }
        }
        if lane != Lane::Addend && !self.out.is_empty() {
            self.svg.text("small", Anchor::Start, from_products.0 + 8.0, place.y - ARROW / 2.0 + 3.0, &self.out);
        }
    }

    /// The port of the result; the lowest edge of the picture.
    fn output(&mut self, result: &str) -> f64 {
        let place = Place { x: MARGIN, y: self.products.bottom() + ARROW, width: self.right - MARGIN, height: 26.0 };
        self.connect(Lane::All, &place);
        self.svg.rectangle("port", place.x, place.y, place.width, place.height);
        self.svg.text("name", Anchor::Middle, place.centre(), place.y + NAME_BASE, result);
        place.bottom()
    }
}
