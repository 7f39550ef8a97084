//! Writing a unit as the text of a unit file, which reads back as the same unit. Checks and computes nothing.

use serde::Serialize;

use super::{Addition, Alignment, Evidence, Flush, Scales, Scheme, Unit};
use crate::describe::format::Format;

/// A value as TOML spells it: text in quotes, words of the file, lists.
pub fn value(value: &impl Serialize) -> String {
    toml::Value::try_from(value).map_or_else(|_| String::new(), |value| value.to_string())
}

/// A number, or the word that stands for none.
pub fn number_or<T: ToString>(number: Option<T>, word: &str) -> String {
    number.map_or_else(|| value(&word), |number| number.to_string())
}

/// A format: its name, or its layout.
pub(in crate::describe) fn format_entry(format: &Format) -> String {
    if Format::named(&format.name).as_ref() == Some(format) {
        return value(&format.name);
    }
    let padding = match format.padding_bits {
        0 => String::new(),
        bits => format!(", padding_bits = {bits}"),
    };
    let (exponent, fraction, bias) = (format.exponent_bits, format.fraction_bits, format.bias);
    let non_finite = value(&format.non_finite);
    format!(
        "{{ exponent_bits = {exponent}, fraction_bits = {fraction}, bias = {bias}, non_finite = {non_finite}{padding} }}"
    )
}

/// An entry of the table `evidence`.
fn evidence_entry(evidence: &Evidence) -> String {
    format!("{{ grade = {}, source = {} }}", value(&evidence.grade), value(&evidence.source))
}

/// The table of that name, after an empty line.
fn table(name: &str, entries: &[(&str, String)]) -> String {
    let lines: String = entries.iter().map(|(field, value)| format!("{field} = {value}\n")).collect();
    format!("\n[{name}]\n{lines}")
}

impl Unit {
    /// The text of a unit file that [`Unit::from_toml`] reads as this unit. Each field that the scheme has is written, also
    /// where it is the default; a format without a name of its own takes the name of its layout.
    pub fn to_toml(&self) -> String {
        let mut text = format!("name = {}\n", value(&self.name));
        if !self.summary.is_empty() {
            text += &format!("summary = {}\n", value(&self.summary));
        }
        text += &format!("scheme = {}\nproducts = {}\n", value(&self.scheme), self.products);
        text += &self.formats_table();
        if let Scheme::Fused | Scheme::BlockScaled | Scheme::FusedThenAdd = self.scheme {
            text += &alignment_table(&self.alignment);
        }
        text += &self.scales.as_ref().map_or(String::new(), scales_table);
        text += &self.addition.as_ref().map_or(String::new(), addition_table);
        match self.scheme {
            Scheme::Fused | Scheme::BlockScaled => {
                text += &table("sum", &[("carry_bits", number_or(self.carry_bits, "derived"))]);
            }
            Scheme::FmaChain => text += &table("sum", &[("order", value(&self.order))]),
            _ => {}
        }
        text += &self.conversion_table();
        if self.scheme != Scheme::Integer {
            text += &subnormals_table(&self.flush);
        }
        if !self.cuts.is_empty() {
            text += &table("pipeline", &[("cuts", value(&self.cuts))]);
        }
        if !self.target.is_default() {
            text += &table("rtl", &[("target", value(&self.target))]);
        }
        if !self.evidence.is_empty() {
            let entry = |(field, evidence)| format!("{} = {}\n", value(field), evidence_entry(evidence));
            text += "\n[evidence]\n";
            text.extend(self.evidence.iter().map(entry));
        }
        text
    }

    fn formats_table(&self) -> String {
        let formats = &self.formats;
        let all = [("a", &formats.a), ("b", &formats.b), ("c", &formats.c), ("d", &formats.d)];
        let present = all.into_iter().filter(|(_, format)| !format.is_absent());
        table("formats", &present.map(|(field, format)| (field, format_entry(format))).collect::<Vec<_>>())
    }

    fn conversion_table(&self) -> String {
        let conversion = &self.conversion;
        let overflow = ("overflow", value(&conversion.overflow));
        if self.scheme == Scheme::Integer {
            return table("conversion", &[overflow]);
        }
        // TOML integers are signed: an encoding of 64 bits may be a negative one.
        let nan = match conversion.nan as i64 {
            negative @ ..0 => negative.to_string(),
            nan => format!("{nan:#x}"),
        };
        let exact_zero = match (self.scheme.rounds_each_operation(), conversion.zero_negative) {
            (true, _) => "ieee",
            (false, true) => "negative",
            (false, false) => "positive",
        };
        let rounding = ("rounding", value(&conversion.rounding));
        let mut entries = vec![rounding, overflow, ("nan", nan), ("exact_zero", value(&exact_zero))];
        if conversion.rounded_zero_positive {
            entries.push(("rounded_zero", value(&"positive")));
        }
        if conversion.flags {
            entries.push(("flags", value(&true)));
        }
        table("conversion", &entries)
    }
}

fn alignment_table(alignment: &Alignment) -> String {
    let entries = [
        ("fraction_bits", alignment.fraction_bits.to_string()),
        ("rounding", value(&alignment.rounding)),
        ("exponent_floor", number_or(alignment.exponent_floor, "none")),
        ("normalise_products", value(&alignment.normalise_products)),
    ];
    table("alignment", &entries)
}

fn scales_table(scales: &Scales) -> String {
    let (a, b) = (format_entry(&scales.a), format_entry(&scales.b));
    let mut entries = vec![("a", a), ("b", b), ("block", scales.block.to_string())];
    entries.extend(scales.group.map(|group| ("group", group.to_string())));
    table("scales", &entries)
}

fn addition_table(addition: &Addition) -> String {
    let mut entries = vec![
        ("groups", value(&addition.groups)),
        ("product_overflow", value(&addition.product_overflow)),
        ("sum_fraction_bits", addition.sum_fraction_bits.to_string()),
        ("addend_fraction_bits", addition.addend_fraction_bits.to_string()),
        ("rounding", value(&addition.rounding)),
        ("exponent_floor", number_or(addition.exponent_floor, "none")),
        ("addend_reach", number_or(addition.addend_reach, "unlimited")),
    ];
    entries.extend(addition.total_fraction_bits.map(|bits| ("total_fraction_bits", bits.to_string())));
    table("addition", &entries)
}

fn subnormals_table(flush: &Flush) -> String {
    table("subnormals", &subnormals(flush))
}

/// The entries of the table `subnormals`.
pub fn subnormals(flush: &Flush) -> [(&'static str, String); 3] {
    let input = if flush.to_plus_zero { "flushed-to-plus-zero" } else { "flushed" };
    let result = if flush.tiny_result { "flushed-if-tiny" } else { "flushed" };
    let rule = |flushed: bool, word: &str| value(&if flushed { word } else { "kept" });
    [
        ("operands", rule(flush.operands, input)),
        ("addend", rule(flush.addend, input)),
        ("result", rule(flush.result, result)),
    ]
}
