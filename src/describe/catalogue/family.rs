//! Entries of the catalogue: one file, or a family of files that differ in their operand formats only. Text in, text out:
//! nothing here reads the files.

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
}

impl Operands {
    /// The pairs, as places in the list of formats; none for a given file.
    fn pairs(&self) -> (&'static [&'static str], Vec<(usize, usize)>) {
        let (formats, wanted): (_, fn(usize, usize) -> bool) = match self {
            Operands::Given => return (&[], Vec::new()),
            Operands::Unordered(formats) => (*formats, |a, b| a <= b),
            Operands::Ordered(formats) => (*formats, |_, _| true),
            Operands::Different(formats) => (*formats, |a, b| a != b),
        };
        let places = 0..formats.len();
        let all = places.clone().flat_map(|a| places.clone().map(move |b| (a, b)));
        (formats, all.filter(|&(a, b)| wanted(a, b)).collect())
    }
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
        let (formats, pairs) = self.operands.pairs();
        let member = |(a, b): (usize, usize)| {
            let expand = |text: &str| {
                let (first, second) = (formats[a.min(b)], formats[a.max(b)]);
                text.replace("{a}", formats[a])
                    .replace("{b}", formats[b])
                    .replace("{operands}", &joined(formats[a], formats[b]))
                    .replace("{pair}", &joined(first, second))
            };
            Member { name: expand(self.name), text: expand(self.text) }
        };
        pairs.into_iter().map(member).collect()
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
