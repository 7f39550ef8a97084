//! Entries of the catalogue: one file, or a family of files that differ in their operand formats only. Text in, text out:
//! nothing here reads the files.

/// The operand formats of fp8 instructions.
pub(super) const FP8: &[&str] = &["e4m3", "e5m2"];
/// The operand formats of f8f6f4 instructions.
pub(super) const F8F6F4: &[&str] = &["e4m3", "e5m2", "e3m2", "e2m3", "e2m1"];

/// The operand formats of fp8 and bf8 instructions of AMD.
pub(super) const FNUZ: &[&str] = &["e4m3fnuz", "e5m2fnuz"];

/// The operand formats of integer instructions.
pub(super) const INT8: &[&str] = &["int8", "uint8"];
pub(super) const INT4: &[&str] = &["int4", "uint4"];
/// Pairs of equal widths, in either order, and each of them once.
pub(super) const INTEGERS: &[(&str, &str)] = &[
    ("int8", "int8"),
    ("int8", "uint8"),
    ("uint8", "int8"),
    ("uint8", "uint8"),
    ("int4", "int4"),
    ("int4", "uint4"),
    ("uint4", "int4"),
    ("uint4", "uint4"),
];
pub(super) const INTEGER_UNITS: &[(&str, &str)] =
    &[("int8", "int8"), ("int8", "uint8"), ("uint8", "uint8"), ("int4", "int4"), ("int4", "uint4"), ("uint4", "uint4")];

/// The formats of the operands a and b in the files of an entry.
pub(super) enum Operands {
    /// As the file says: an entry of one file.
    Given,
    /// Every pair of these formats, in the order of the list: with x y there is no y x.
    Unordered(&'static [&'static str]),
    /// Every pair of these formats.
    Ordered(&'static [&'static str]),
    /// Every pair of two different ones of these formats.
    Different(&'static [&'static str]),
    /// These pairs.
    Pairs(&'static [(&'static str, &'static str)]),
}

impl Operands {
    /// The formats of a and b of every member, and both in the order of the unit that takes them in either order.
    fn pairs(&self) -> Vec<Pair> {
        let (formats, wanted): (_, fn(usize, usize) -> bool) = match self {
            Operands::Given => return Vec::new(),
            Operands::Pairs(pairs) => {
                return pairs.iter().map(|&(a, b)| Pair { a, b, ordered: (a.min(b), a.max(b)) }).collect();
            }
            Operands::Unordered(formats) => (*formats, |a, b| a <= b),
            Operands::Ordered(formats) => (*formats, |_, _| true),
            Operands::Different(formats) => (*formats, |a, b| a != b),
        };
        let places = 0..formats.len();
        let all = places.clone().flat_map(|a| places.clone().map(move |b| (a, b)));
        let pair = |(a, b): (usize, usize)| Pair {
            a: formats[a],
            b: formats[b],
            ordered: (formats[a.min(b)], formats[a.max(b)]),
        };
        all.filter(|&(a, b)| wanted(a, b)).map(pair).collect()
    }
}

/// The formats of a member.
struct Pair {
    a: &'static str,
    b: &'static str,
    /// Both, in the order of the family's list, or of the alphabet where the pairs are listed.
    ordered: (&'static str, &'static str),
}

/// A file of the catalogue, or a family of files with placeholders in name and text:
///
/// ```text
///   {a} {b}      the formats of a and b
///   {operands}   both: "e4m3" where they are equal, else "e4m3-e5m2"
///   {pair}       both in the order of the family's list: the name of the unit that takes them in either order
/// ```
pub(super) struct Entry {
    pub name: &'static str,
    pub text: &'static str,
    pub operands: Operands,
}

/// Name and text of one file.
pub(super) struct Member {
    pub name: String,
    pub text: String,
}

impl Entry {
    /// The files that the entry stands for, in order.
    pub fn members(&self) -> Vec<Member> {
        if let Operands::Given = self.operands {
            return vec![Member { name: self.name.to_owned(), text: self.text.to_owned() }];
        }
        let member = |pair: Pair| {
            let expand = |text: &str| {
                text.replace("{a}", pair.a)
                    .replace("{b}", pair.b)
                    .replace("{operands}", &joined(pair.a, pair.b))
                    .replace("{pair}", &joined(pair.ordered.0, pair.ordered.1))
            };
            Member { name: expand(self.name), text: expand(self.text) }
        };
        self.operands.pairs().into_iter().map(member).collect()
    }
}

fn joined(a: &str, b: &str) -> String {
    if a == b { a.to_owned() } else { format!("{a}-{b}") }
}

/// The entries of a folder. A name stands once: it names the file, and the entry.
macro_rules! entries {
    ($folder:literal: $($name:literal $(for $operands:expr)?),* $(,)?) => {
        &[$($crate::describe::catalogue::family::Entry {
            name: $name,
            text: include_str!(concat!($folder, "/", $name, ".toml")),
            operands: $crate::describe::catalogue::family::entries!(@operands $($operands)?),
        }),*]
    };
    (@operands) => { $crate::describe::catalogue::family::Operands::Given };
    (@operands $operands:expr) => { $operands };
}
pub(super) use entries;
