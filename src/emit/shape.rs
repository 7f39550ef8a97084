//! The constants that give an emitted module's ports their widths, in columns.

use serde::Serialize;

use crate::describe::format::Format;
use crate::describe::interface::Interface;
use crate::describe::unit::{Family, Flags, Unit};

/// A constant with name and value padded to columns.
#[derive(Serialize)]
pub(super) struct Declaration {
    name: String,
    value: String,
    comment: String,
    /// Whether only who instantiates the module reads it.
    unread: bool,
}

fn declaration(name: &str, value: impl ToString, comment: impl ToString) -> Declaration {
    Declaration {
        name: name.to_owned(),
        value: value.to_string(),
        comment: comment.to_string(),
        unread: name == "Latency",
    }
}

/// The widths of a unit's ports. Some of them are parameters of the scheme's module, others follow from those.
pub(super) fn shape(unit: &Unit) -> Vec<Declaration> {
    let names: Vec<&str> = unit.build.cuts.iter().map(|cut| cut.name()).collect();
    let latency = (!unit.build.cuts.is_empty()).then(|| (unit.latency(), format!(": {}", names.join(", "))));
    let products = if unit.scheme.family() == Family::Steps { "L: products" } else { "L: products summed at once" };
    ports(&unit.interface(), products, latency)
}

/// The widths of a module's ports; what its products are, and after how many edges results come, with what is said of that.
pub(super) fn ports(interface: &Interface, products: &str, latency: Option<(u32, String)>) -> Vec<Declaration> {
    let formats = &interface.formats;
    let encoded = |name: &str, operand: &str, format: &Format| {
        declaration(name, format.width(), format!("encoded {operand}, {}", format.name))
    };
    let mut all = vec![
        declaration("Products", interface.products, products),
        encoded("OperandAWidth", "a", &formats.a),
        encoded("OperandBWidth", "b", &formats.b),
    ];
    if let Some(scales) = &interface.scales {
        all.push(declaration("Scales", interface.scale_count(), "scales of a, and as many of b"));
        all.push(encoded("ScaleAWidth", "scale of a", &scales.a));
        all.push(encoded("ScaleBWidth", "scale of b", &scales.b));
    }
    if interface.has_addend() {
        all.push(encoded("AddendWidth", "c", &formats.c));
    }
    all.push(encoded("ResultWidth", "d", &formats.d));
    if interface.flags {
        all.push(declaration("FlagsWidth", Flags::WIDTH, "exception flags: invalid, overflow"));
    }
    if let Some((edges, comment)) = latency {
        all.push(declaration("Latency", edges, format!("clock edges at ce_i = 1{comment}")));
    }
    pad(all)
}

/// The same but for the latency: name and value, without columns.
pub(super) fn widths(unit: &Unit) -> Vec<(String, String)> {
    let all = shape(unit).into_iter().filter(|one| !one.unread);
    all.map(|one| (one.name.trim().to_owned(), one.value.trim().to_owned())).collect()
}

/// Columns: names to the left, numbers to the right.
fn pad(declarations: Vec<Declaration>) -> Vec<Declaration> {
    let longest = |text: fn(&Declaration) -> &String| declarations.iter().map(|one| text(one).len()).max().unwrap_or(0);
    let (names, values) = (longest(|one| &one.name), longest(|one| &one.value));
    let padded = |Declaration { name, value, comment, unread }| Declaration {
        name: format!("{name:names$}"),
        value: format!("{value:>values$}"),
        comment,
        unread,
    };
    declarations.into_iter().map(padded).collect()
}
