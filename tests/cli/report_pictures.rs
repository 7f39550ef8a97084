//! The pictures of the report: well-formed, everything inside its picture, no box over another, and the same as before.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use tensorsmith::describe::catalogue;
use tensorsmith::report::pictures;

use super::program::snapshot;

/// A rectangle, of a box or of the room that a text takes.
#[derive(Debug, Clone)]
pub(super) struct Shape {
    pub class: String,
    pub text: String,
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
}

fn attribute(element: &BytesStart, name: &str) -> String {
    let found =
        element.attributes().map(|pair| pair.expect("an attribute")).find(|pair| pair.key.as_ref() == name.as_bytes());
    String::from_utf8(found.unwrap_or_else(|| panic!("no {name}")).value.into_owned()).expect("UTF-8")
}

fn number(element: &BytesStart, name: &str) -> f64 {
    attribute(element, name).parse().expect("a number")
}

/// Width of a letter in a wide font.
fn letter(class: &str) -> f64 {
    match class.split(' ').next() {
        Some("name") => 7.2,
        Some("mono") => 6.7,
        Some("small") => 5.7,
        _ => 5.9,
    }
}

fn text_shape(element: &BytesStart, text: &str) -> Shape {
    let class = attribute(element, "class");
    let width = text.chars().count() as f64 * letter(&class);
    let (x, y) = (number(element, "x"), number(element, "y"));
    let left = match attribute(element, "text-anchor").as_str() {
        "start" => x,
        "middle" => x - width / 2.0,
        _ => x - width,
    };
    Shape { class, text: text.to_owned(), left, top: y - 8.0, right: left + width, bottom: y + 2.0 }
}

/// Everything in a picture: its edges first.
pub(super) fn shapes(picture: &str) -> Vec<Shape> {
    let mut reader = Reader::from_str(picture);
    let mut shapes = Vec::new();
    let mut open: Option<BytesStart> = None;
    loop {
        match reader.read_event().expect("well-formed") {
            Event::Start(element) if element.name().as_ref() == b"svg" => {
                let edges: Vec<f64> =
                    attribute(&element, "viewBox").split(' ').map(|edge| edge.parse().expect("a number")).collect();
                let (class, text) = ("edges".to_owned(), String::new());
                shapes.push(Shape { class, text, left: edges[0], top: edges[1], right: edges[2], bottom: edges[3] });
            }
            Event::Start(element) if element.name().as_ref() == b"text" => open = Some(element.into_owned()),
            Event::Text(text) => {
                if let Some(element) = open.take().filter(|element| attribute(element, "class") != "halo") {
                    shapes.push(text_shape(&element, &text.xml10_content().expect("text")));
                }
            }
            Event::Empty(element) if element.name().as_ref() == b"rect" => {
                let (left, top) = (number(&element, "x"), number(&element, "y"));
                let (right, bottom) = (left + number(&element, "width"), top + number(&element, "height"));
                let (class, text) = (attribute(&element, "class"), String::new());
                shapes.push(Shape { class, text, left, top, right, bottom });
            }
            Event::Eof => return shapes,
            _ => {}
        }
    }
}

fn inside(inner: &Shape, outer: &Shape) -> bool {
    let slack = 0.5;
    inner.left >= outer.left - slack
        && inner.top >= outer.top - slack
        && inner.right <= outer.right + slack
        && inner.bottom <= outer.bottom + slack
}

pub(super) fn overlap(one: &Shape, other: &Shape) -> bool {
    one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom
}

/// What is wrong with a picture.
pub(super) fn faults(picture: &str) -> Vec<String> {
    let shapes = shapes(picture);
    let (edges, rest) = shapes.split_first().expect("a picture has edges");
    let mut faults: Vec<String> =
        rest.iter().filter(|shape| !inside(shape, edges)).map(|shape| format!("outside: {shape:?}")).collect();
    let boxes: Vec<&Shape> = rest.iter().filter(|shape| ["box", "port"].contains(&shape.class.as_str())).collect();
    let texts: Vec<&Shape> = rest.iter().filter(|shape| !shape.text.is_empty()).collect();
    for (place, one) in boxes.iter().enumerate() {
        faults.extend(
            boxes[..place].iter().filter(|other| overlap(one, other)).map(|_| format!("boxes overlap: {one:?}")),
        );
        let crosses = |text: &&&Shape| overlap(text, one) && !inside(text, one);
        faults.extend(texts.iter().filter(crosses).map(|text| format!("leaves its box: {text:?}")));
    }
    for (place, one) in texts.iter().enumerate() {
        faults.extend(
            texts[..place].iter().filter(|other| overlap(one, other)).map(|other| format!("{one:?} over {other:?}")),
        );
    }
    faults
}

#[test]
fn pictures_of_every_unit_have_room() {
    let units = catalogue::units();
    for unit in &units {
        // A list has no picture of one window.
        for picture in pictures(unit).into_iter().filter(|picture| !picture.is_empty()) {
            let texts = shapes(&picture).iter().filter(|shape| !shape.text.is_empty()).count();
            assert!(texts >= 3, "{}: only {texts} texts", unit.name);
            assert_eq!(faults(&picture), Vec::<String>::new(), "{}", unit.name);
        }
    }
    println!("looked at 2 pictures of {} units", units.len());
}

/// Negative control: a longer text and a shifted box are found.
#[test]
fn planted_faults_in_a_picture_are_found() {
    let unit = catalogue::unit("hopper-fp16-fp32").expect("a unit");
    let [datapath, window] = pictures(&unit);
    for (name, right, wrong, picture) in [
        ("a text too long for its box", "24-bit<", "24-bit and a good deal more<", &datapath),
        ("a box over another", "height=\"40.5\" rx", "height=\"80\" rx", &datapath),
        ("a text beyond the edge", "2 rounded<", "2 rounded, and so on, and so on<", &window),
    ] {
        assert!(picture.contains(right), "{name}: {right} is not there: {picture}");
        assert!(!faults(&picture.replace(right, wrong)).is_empty(), "{name} was not found");
    }
}

#[test]
fn pictures_snapshot_hopper_fp16_fp32() {
    let [datapath, window] = pictures(&catalogue::unit("hopper-fp16-fp32").expect("a unit"));
    snapshot("datapath-hopper-fp16-fp32.svg", &datapath);
    snapshot("window-hopper-fp16-fp32.svg", &window);
}
