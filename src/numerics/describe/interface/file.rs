//! Reading an interface from TOML, and writing it: what is known of a box that nobody has described yet.

use super::Interface;
use crate::describe::check::{OPERANDS_ALLOWED, holds_operands};
use crate::describe::file::Missing::{self, Refused, Unwritten};
use crate::describe::file::Value::{self, Format, Number, Plain};
use crate::describe::file::{Document, Field, FileError, FormatOf, between_marks, table, text};
use crate::describe::format::Format as NumberFormat;
use crate::describe::unit::names::{NAMES_ALLOWED, is_well_formed_name};
use crate::describe::unit::{Flags, Formats, Scales};

/// Most products: as many as a recording's vectors may have.
const PRODUCTS_MAX: i64 = 4096;

/// Every field, in the order in which files are read and written.
#[rustfmt::skip]
static FIELDS: &[Field<Interface>] = &[
    of("name", Refused, Plain(|interface| Some(&mut interface.name)),
        "lower-case letters, digits and single hyphens, a letter first, at most 64 of them"),
    of("products", Refused, Number(1..=PRODUCTS_MAX, None, |interface| Some(&mut interface.products)),
        "products of one result"),
    of("flags", Unwritten, Plain(|interface| Some(&mut interface.flags)),
        "whether two exception flags, overflow and invalid, stand above the result"),
    of("formats.a", Refused, Format(FormatOf::Numbers, |interface| Some(&mut interface.formats.a)), "first operands"),
    of("formats.b", Refused, Format(FormatOf::Numbers, |interface| Some(&mut interface.formats.b)), "second operands"),
    of("formats.c", Unwritten, Format(FormatOf::Numbers, |interface| Some(&mut interface.formats.c)),
        "addend; where it is missing there is none"),
    of("formats.d", Refused, Format(FormatOf::Numbers, |interface| Some(&mut interface.formats.d)), "result"),
    of("scales.a", Refused, Format(FormatOf::Scales, |interface| Some(&mut interface.scales.as_mut()?.a)),
        "scales of a's blocks; without the table there are no scales"),
    of("scales.b", Refused, Format(FormatOf::Scales, |interface| Some(&mut interface.scales.as_mut()?.b)),
        "scales of b's blocks"),
    of("scales.block", Refused, Number(1..=PRODUCTS_MAX, None, |interface| Some(&mut interface.scales.as_mut()?.block)),
        "consecutive products that share a scale of a and a scale of b, a divisor of `products`"),
];

const fn of(
    path: &'static str,
    missing: Missing<Interface>,
    value: Value<Interface>,
    meaning: &'static str,
) -> Field<Interface> {
    Field { path, value, missing, meaning }
}

/// What a file says before any field is read.
fn plain(scaled: bool) -> Interface {
    let none = NumberFormat::absent;
    Interface {
        name: String::new(),
        products: 1,
        formats: Formats { a: none(), b: none(), c: none(), d: none() },
        scales: scaled.then(|| Scales { a: none(), b: none(), block: 1, group: None }),
        flags: false,
    }
}

/// The fields of files of interfaces with scales, or without.
fn fields(scaled: bool) -> impl Iterator<Item = &'static Field<Interface>> {
    FIELDS.iter().filter(move |field| scaled || !field.is_within("scales"))
}

impl Interface {
    /// Whether these are the fields of an interface file: it has formats, and says nothing of how results are computed.
    pub fn is_file(fields: &toml::Table) -> bool {
        fields.contains_key("formats") && !fields.contains_key("scheme")
    }

    /// Reads and checks the text of an interface file; `file` names it in errors.
    ///
    /// # Errors
    /// A field is missing, unknown or not what is allowed, or it does not fit the others.
    pub fn from_toml(file: &str, text: &str) -> Result<Interface, FileError> {
        let document = Document::parse(file, text)?;
        document.check_known(&FIELDS.iter().map(|field| field.path).collect::<Vec<_>>())?;
        let scaled = document.given("scales").is_some();
        let mut interface = plain(scaled);
        fields(scaled).try_for_each(|field| field.read(&document, &mut interface, ""))?;
        let Interface { name, products, formats, scales, flags } = &interface;
        if !is_well_formed_name(name) {
            return Err(document.refuse("name", format!("{name:?}"), NAMES_ALLOWED));
        }
        let operands = [("a", &formats.a), ("b", &formats.b), ("c", &formats.c), ("d", &formats.d)];
        let other = |(_, format): &(&str, &NumberFormat)| !format.is_absent() && !holds_operands(format);
        if let Some((operand, format)) = operands.into_iter().find(other) {
            return Err(document.refuse(&format!("formats.{operand}"), &format.name, OPERANDS_ALLOWED));
        }
        if let Some(Scales { block, .. }) = scales.as_ref().filter(|scales| !products.is_multiple_of(scales.block)) {
            return Err(document.refuse("scales.block", block, format!("a divisor of products = {products}")));
        }
        let (widest, width) = (u64::BITS - Flags::WIDTH, formats.d.width());
        if *flags && width > widest {
            let allowed = format!("false: flags need a result of at most {widest} bits, and d has {width}");
            return Err(document.refuse("flags", flags, allowed));
        }
        Ok(interface)
    }

    /// The text of an interface file that [`Interface::from_toml`] reads as this interface.
    pub fn to_toml(&self) -> String {
        let scaled = self.scales.is_some();
        text(fields(scaled), self, &plain(scaled))
    }
}

/// The documentation of interface files with what the table of fields says of them between its marks.
pub fn documentation(text: &str) -> String {
    let mut plain = plain(true);
    let rows =
        FIELDS.iter().map(|field| [format!("`{}`", field.path), field.values(&mut plain), field.meaning.to_owned()]);
    between_marks(text, "fields", &table(["field", "value", "meaning"], rows))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCALED: &str = "name = \"box\"\nproducts = 32\nflags = true\n\
        formats = { a = \"e2m1\", b = \"e2m1\", c = \"binary32\", d = \"binary32\" }\n\
        scales = { a = \"ue8m0\", b = \"ue8m0\", block = 16 }\n";

    #[test]
    fn files_are_read_as_written() {
        let read = |text: &str| Interface::from_toml("box.toml", text).expect("an interface");
        let scaled = read(SCALED);
        assert_eq!((scaled.scale_count(), scaled.answer_width(), scaled.input_bits()), (2, 34, 320));
        let bare = read("name = \"box\"\nproducts = 4\nformats = { a = \"binary16\", b = \"e4m3\", d = \"bfloat16\" }");
        assert!(!bare.has_addend() && bare.scales.is_none() && !bare.flags);
        assert_eq!([read(&scaled.to_toml()), read(&bare.to_toml())], [scaled, bare]);
    }

    #[test]
    fn what_is_no_interface_is_refused() {
        for (from, to, message) in [
            ("= 32", "= 5000", "box.toml: field `products` is 5000; allowed: 1 to 4096"),
            ("= 16", "= 12", "field `scales.block` is 12; allowed: a divisor of products = 32"),
            ("\"box\"", "\"Box\"", "field `name` is \"Box\"; allowed: at most 64 lower-case"),
            ("d = \"binary32\"", "d = \"binary64\"", "field `flags` is true; allowed: false"),
            ("d = \"binary32\"", "d = \"e9m9\"", "formats.d"),
            ("d = \"binary32\"", "d = \"ue8m0\"", "field `formats.d` is ue8m0; allowed: a format with a fraction"),
            (", d = \"binary32\"", "", "missing field `d`"),
            (", block = 16", "", "missing field `block`"),
            ("flags = true", "rounding = 1", "unknown field `rounding`"),
        ] {
            let error = Interface::from_toml("box.toml", &SCALED.replacen(from, to, 1)).expect_err(to).to_string();
            assert!(error.contains(message), "{message:?} is missing in: {error}");
        }
    }
}
