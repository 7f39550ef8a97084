//! The constants that give an emitted module's ports their widths, in columns.

use serde::Serialize;

use crate::describe::format::Format;
use crate::describe::unit::{Flags, Scheme, Unit};

/// A constant with name and value padded to columns.
#[derive(Serialize)]
pub(super) struct Declaration {
    name: String,
    /// The name without the blanks of its column.
    plain: String,
    value: String,
    /// What brings the comments into a column.
    gap: String,
    comment: String,
}

fn declaration(name: &str, value: impl ToString, comment: impl ToString) -> Declaration {
    Declaration {
        name: name.to_owned(),
        plain: name.to_owned(),
        value: value.to_string(),
        gap: String::new(),
        comment: comment.to_string(),
    }
}

/// The widths of a unit's ports. Some of them are parameters of the scheme's module, others follow from those.
pub(super) fn shape(unit: &Unit) -> Vec<Declaration> {
    let formats = &unit.formats;
    let encoded = |name: &str, operand: &str, format: &Format| {
        declaration(name, format.width(), format!("encoded {operand}, {}", format.name))
    };
    let mut all = vec![
        declaration("Products", unit.products, products(unit.scheme)),
        encoded("OperandAWidth", "a", &formats.a),
        encoded("OperandBWidth", "b", &formats.b),
    ];
    if let Some(scales) = &unit.scales {
        all.push(declaration("Scales", unit.scale_count(), "scales of a, and as many of b"));
        all.push(encoded("ScaleAWidth", "scale of a", &scales.a));
        all.push(encoded("ScaleBWidth", "scale of b", &scales.b));
    }
    if unit.has_addend() {
        all.push(encoded("AddendWidth", "c", &formats.c));
    }
    all.push(encoded("ResultWidth", "d", &formats.d));
    if unit.conversion.flags {
        all.push(declaration("FlagsWidth", Flags::WIDTH, "exception flags: invalid, overflow"));
    }
    pad(all)
}

fn products(scheme: Scheme) -> &'static str {
    match scheme {
        Scheme::Pairwise => "L: products, added in a tree",
        Scheme::EvenOddChain => "L: products, half of them in each chain",
        Scheme::FmaChain => "L: products, added one after the other",
        _ => "L: products summed at once",
    }
}

/// Columns: names to the left, numbers to the right, the separator directly behind a value.
fn pad(declarations: Vec<Declaration>) -> Vec<Declaration> {
    let is_number = |value: &str| value.parse::<i64>().is_ok();
    let longest = |texts: &mut dyn Iterator<Item = &String>| texts.map(String::len).max().unwrap_or(0);
    let name_width = longest(&mut declarations.iter().map(|declaration| &declaration.name));
    let mut numbers = declarations.iter().map(|declaration| &declaration.value).filter(|value| is_number(value));
    let number_width = longest(&mut numbers);
    let place = |value: String| if is_number(&value) { format!("{value:>number_width$}") } else { value };
    let placed: Vec<Declaration> =
        declarations.into_iter().map(|declared| Declaration { value: place(declared.value), ..declared }).collect();
    let value_width = longest(&mut placed.iter().map(|declaration| &declaration.value));
    let separate = |declared: Declaration| Declaration {
        name: format!("{:name_width$}", declared.name),
        gap: " ".repeat(value_width - declared.value.len()),
        ..declared
    };
    placed.into_iter().map(separate).collect()
}
