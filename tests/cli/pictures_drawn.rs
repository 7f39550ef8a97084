//! One picture of each kind, drawn by a renderer that knows neither variables of CSS nor media queries: it has its colours. And without
//! any renderer: every element says its own.

use std::collections::BTreeSet;
use std::path::Path;

use quick_xml::Reader;
use quick_xml::events::Event;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};
use tensorsmith::describe::catalogue;
use tensorsmith::report::pictures;
use tensorsmith::report::speed::{self, Speed};

use super::program::Folder;

/// Elements whose colours are not plain, and whatever depends on a variable.
fn faults(picture: &str) -> Vec<String> {
    let mut faults = Vec::new();
    if picture.contains("var(") {
        faults.push("a variable of CSS".to_owned());
    }
    let mut reader = Reader::from_str(picture);
    loop {
        match reader.read_event().expect("well-formed") {
            Event::Start(element) | Event::Empty(element) => {
                let drawn = ["rect", "text", "polyline", "polygon", "circle"];
                let name = String::from_utf8_lossy(element.name().as_ref()).into_owned();
                if !drawn.contains(&name.as_str()) {
                    assert!(["svg", "title", "style"].contains(&name.as_str()), "{name} is not looked at");
                    continue;
                }
                let value = |key: &str| {
                    let found = element.attributes().flatten().find(|pair| pair.key.as_ref() == key.as_bytes());
                    found.map(|pair| String::from_utf8_lossy(&pair.value).into_owned())
                };
                let is_plain = |value: &String| {
                    let digits = value.strip_prefix('#').unwrap_or_default();
                    value == "none" || digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit())
                };
                let (fill, stroke) = (value("fill"), value("stroke"));
                if !fill.as_ref().is_some_and(is_plain) || !stroke.as_ref().is_none_or(is_plain) {
                    faults.push(format!("{name}: fill {fill:?}, stroke {stroke:?}"));
                }
            }
            Event::Eof => return faults,
            _ => {}
        }
    }
}

/// Colours of a drawn picture that at least 20 pixels have.
fn colours(picture: &str) -> BTreeSet<[u8; 4]> {
    let tree = Tree::from_str(picture, &Options::default()).expect("a picture");
    let size = tree.size().to_int_size();
    let mut drawn = Pixmap::new(size.width(), size.height()).expect("a size");
    resvg::render(&tree, Transform::identity(), &mut drawn.as_mut());
    let pixels: Vec<[u8; 4]> = drawn.pixels().iter().map(|p| [p.red(), p.green(), p.blue(), p.alpha()]).collect();
    let mut sorted = pixels;
    sorted.sort_unstable();
    sorted.chunk_by(|one, next| one == next).filter(|same| same.len() >= 20).map(|same| same[0]).collect()
}

/// A picture of each kind: its name, and colours it has at least.
fn one_of_each() -> Vec<(&'static str, String, usize)> {
    let folder = Folder::new();
    folder.succeed(&["study", "markidis", "--sizes", "16,32", "--rows", "2", "--svg", "study.svg", "--out", "made"]);
    folder.succeed(&["suite", "hickmann", "volta-fp16-fp32", "--pictures", "drawn"]);
    let unit = catalogue::unit("hopper-fp16-fp32").expect("a unit");
    let [datapath, window] = pictures(&unit);
    let measured = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bench/results/matrices-avx512.json");
    let speed = speed::picture(&Speed::read(&measured).expect("measurements"));
    vec![
        ("study", folder.read("study.svg"), 5),
        ("study, in a folder", folder.read("made/frobenius.svg"), 5),
        ("suite", folder.read("drawn/volta-fp16-fp32-internal-precision.svg"), 4),
        ("datapath", datapath, 3),
        ("window", window, 4),
        ("speed", speed, 3),
    ]
}

#[test]
fn pictures_have_their_colours_everywhere() {
    for (name, picture, least) in one_of_each() {
        assert_eq!(faults(&picture), Vec::<String>::new(), "{name}");
        let found = colours(&picture);
        println!("{name}: {} colours", found.len());
        assert!(found.len() >= least, "{name}: {found:?}");
        // Negative control: colours that only a variable has are not drawn, and are found in the text.
        let planted = with_variables(&picture);
        assert!(!faults(&planted).is_empty(), "{name}");
        assert!(colours(&planted).len() < found.len(), "{name}");
    }
}

/// The picture with a variable in place of every colour of an attribute.
fn with_variables(picture: &str) -> String {
    let mut parts = picture.split("=\"#");
    let mut planted = parts.next().expect("a part").to_owned();
    for part in parts {
        planted += "=\"var(--ink)";
        planted += &part[6..];
    }
    planted
}
