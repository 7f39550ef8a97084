//! A dot-product unit, d = convert(c + sum of L products), as a checked description.
//!
//! The TOML form is documented in `UNIT_FILE.md` beside this file; [`Unit::from_toml`] reads it, [`Unit::to_toml`] writes it.

#![doc = include_str!("UNIT_FILE.md")]

mod addition;
mod build;
mod fields;
mod file;
mod flags;
mod implied;
pub(in crate::describe) mod names;
pub mod pipeline;
pub(in crate::describe) mod reserved;
mod scheme;
mod step_file;
mod step_list;
mod step_text;

pub use addition::{ADDEND_REACH_MAX, Addition, Groups, ProductOverflow, TOTAL_FRACTION_BITS_MAX};
pub use build::{Build, Target};
pub(in crate::describe) use file::evidence_names;
pub use file::{documentation, spelled};
pub use flags::Flags;
pub use pipeline::Cut;
pub use reserved::is_keyword;
pub use scheme::{Family, Scheme};
pub use step_list::{Permutation, StepList};

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

pub use super::file::FileError;
use super::format::{Format, Overflow, Rounding};
use super::words::words_of;

/// The greatest number of products of a unit of a named scheme.
pub const PRODUCTS_MAX: u32 = 64;

/// The greatest number of products of a list of steps.
pub const LISTED_PRODUCTS_MAX: u32 = 256;

/// The greatest number of fraction bits of a window.
pub const FRACTION_BITS_MAX: u32 = 100;

/// Least and greatest exponent of a floor.
pub(in crate::describe) const EXPONENT_FLOORS: RangeInclusive<i64> = -2200..=2200;

/// Which product of a chain is added first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProductOrder {
    /// That of `a[0]` and `b[0]`.
    #[default]
    Ascending,
    /// The last one.
    Descending,
}

impl ProductOrder {
    fn is_ascending(&self) -> bool {
        *self == ProductOrder::Ascending
    }
}

/// Formats of operands, addend and result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Formats {
    pub a: Format,
    pub b: Format,
    /// [`Format::absent`] for a unit without an addend.
    #[serde(skip_serializing_if = "Format::is_absent")]
    pub c: Format,
    pub d: Format,
}

impl Formats {
    /// Whether there is an addend c.
    pub fn has_addend(&self) -> bool {
        !self.c.is_absent()
    }
}

/// What happens to the bits of a term below the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AlignmentRounding {
    /// Cut off in sign and magnitude: toward zero.
    TowardZero,
    /// Cut off in two's complement: toward minus infinity.
    Downward,
    /// To nearest, ties to even.
    NearestEven,
    /// Ored into the last bit kept: a sticky bit.
    ToOdd,
}

impl AlignmentRounding {
    /// Every rounding.
    pub const ALL: [AlignmentRounding; 4] = [
        AlignmentRounding::TowardZero,
        AlignmentRounding::Downward,
        AlignmentRounding::NearestEven,
        AlignmentRounding::ToOdd,
    ];

    /// Whether a term can grow by one unit of the window's last place.
    pub fn rounds_up(self) -> bool {
        matches!(self, AlignmentRounding::Downward | AlignmentRounding::NearestEven)
    }
}

/// How terms are brought to one exponent. Schemes whose unit files have no such table imply one, except integers, which are at
/// one exponent already, and lists of steps, each of which has its own window.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Alignment {
    /// F: fraction bits kept below the anchor exponent.
    pub fraction_bits: u32,
    pub rounding: AlignmentRounding,
    /// Least exponent the anchor can take; `None` where only the terms decide.
    pub exponent_floor: Option<i32>,
    /// Whether products are normalised to [1, 2) before alignment; otherwise their significand lies in [1, 4).
    pub normalise_products: bool,
}

impl Alignment {
    /// A window of no bits, cut toward zero, without a floor.
    pub const PLAIN: Alignment = Alignment {
        fraction_bits: 0,
        rounding: AlignmentRounding::TowardZero,
        exponent_floor: None,
        normalise_products: false,
    };
}

/// How the sum becomes a result. Of an integer unit only the overflow counts: it rounds nothing and has no NaN.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Conversion {
    pub rounding: Rounding,
    pub overflow: Overflow,
    /// Encoding of every NaN result.
    pub nan: u64,
    /// Sign of an exact zero sum, true for minus zero; `false` for schemes of rounded operations, whose zeros have the
    /// signs of IEEE 754-2019, 6.3.
    pub zero_negative: bool,
    /// Whether another sum that is rounded, or flushed, to zero becomes plus zero; `false` for the same schemes.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub rounded_zero_positive: bool,
    /// Whether the unit tells invalid operations and overflow beside its result: see [`Flags`].
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub flags: bool,
}

/// Which subnormal numbers are taken as, or become, zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Flush {
    /// Subnormal a and b count as zero.
    pub operands: bool,
    /// Subnormal c counts as zero.
    pub addend: bool,
    /// A result that would be subnormal becomes zero of its sign.
    pub result: bool,
    /// So does a least normal result that is rounded up from a tiny one: what is below the least normal number when it is
    /// rounded as if exponents had no bound (IEEE 754-2019, 7.5, tininess after rounding). Only together with `result`.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub tiny_result: bool,
    /// Flushed operands and addends become +0, whatever their sign.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub to_plus_zero: bool,
}

/// How well a constant is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Grade {
    /// Recorded results of the silicon were reproduced without a mismatch.
    Replayed,
    /// Compared with the instruction running on a machine.
    Live,
    /// Published figures of the silicon's results, such as errors of whole products, follow from it, and from no other value that
    /// was tried; the results themselves are not at hand.
    Reported,
    /// A published source says so.
    Stated,
    /// Sources disagree; the value is the best supported one.
    Conflict,
    /// Follows from answers of an engine, of which nothing else was known.
    Inferred,
    /// Chosen by the author of the unit; no hardware behind it.
    Chosen,
}

impl Grade {
    /// Name in unit files and listings.
    pub fn name(self) -> &'static str {
        words_of::<Grade>()[self as usize]
    }
}

/// Where a constant comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Evidence {
    pub grade: Grade,
    pub source: String,
}

/// Scales of a block-scaled unit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Scales {
    /// Formats of a's and of b's scales.
    pub a: Format,
    pub b: Format,
    /// Products that share a scale of a and a scale of b.
    pub block: u32,
    /// Products summed exactly before alignment; `None` where each product is aligned by itself.
    pub group: Option<u32>,
}

/// One dot-product unit.
///
/// ```
/// use tensorsmith_numerics::describe::unit::Unit;
///
/// let text = r#"
///     name       = "my-bf16-dot4"
///     scheme     = "fused"
///     products   = 4
///     formats    = { a = "bfloat16", b = "bfloat16", c = "binary32", d = "binary32" }
///     alignment  = { fraction_bits = 24, rounding = "toward-zero", exponent_floor = -132 }
///     conversion = { rounding = "nearest-even", overflow = "infinity" }
/// "#;
/// let unit = Unit::from_toml("my-unit.toml", text).expect("a unit");
/// assert_eq!((unit.products, unit.formats.d.width(), unit.input_bits()), (4, 32, 160));
///
/// let error = Unit::from_toml("my-unit.toml", &text.replace("= 4", "= 400")).expect_err("too many products");
/// assert_eq!(error.to_string(), "my-unit.toml: field `products` is 400; allowed: 1 to 64");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Unit {
    /// Lower-case words joined by hyphens.
    pub name: String,
    /// One line for people.
    pub summary: String,
    pub scheme: Scheme,
    /// L: number of products.
    pub products: u32,
    pub formats: Formats,
    /// `None` for integers and lists of steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alignment: Option<Alignment>,
    /// Scales of a and b, for block-scaled units.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scales: Option<Scales>,
    /// How the sum of products and the addend are added, for units that add the addend afterwards.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub addition: Option<Addition>,
    /// The sum of a unit whose file lists its steps.
    #[serde(skip)]
    pub list: Option<StepList>,
    /// Integer bits above the 2 of the window, sign not counted; `None` for as many as the sum can need.
    pub carry_bits: Option<u32>,
    /// The first product of a chain of fused multiply-adds.
    #[serde(skip_serializing_if = "ProductOrder::is_ascending")]
    pub order: ProductOrder,
    pub conversion: Conversion,
    pub flush: Flush,
    #[serde(flatten)]
    pub build: Build,
    /// Evidence by field path, such as `alignment.fraction_bits`.
    pub evidence: BTreeMap<String, Evidence>,
}

const ALIGNED: &str = "only integers and lists of steps have no alignment";

impl Unit {
    /// What a unit of a scheme has before anything is said of it: no name, no formats, and the defaults of unit files.
    pub fn plain(scheme: Scheme) -> Unit {
        let none = Format::absent;
        Unit {
            name: String::new(),
            summary: String::new(),
            scheme,
            products: 0,
            formats: Formats { a: none(), b: none(), c: none(), d: none() },
            alignment: scheme.has_window().then_some(Alignment::PLAIN),
            scales: (scheme == Scheme::BlockScaled).then(|| Scales { a: none(), b: none(), block: 1, group: None }),
            addition: (scheme == Scheme::FusedThenAdd).then_some(Addition::PLAIN),
            list: (scheme == Scheme::Steps).then(StepList::default),
            carry_bits: None,
            order: ProductOrder::default(),
            conversion: Conversion {
                rounding: Rounding::TowardZero,
                overflow: if scheme == Scheme::Integer { Overflow::Wrap } else { Overflow::Infinity },
                nan: 0,
                zero_negative: false,
                rounded_zero_positive: false,
                flags: false,
            },
            flush: Flush::default(),
            build: Build::default(),
            evidence: BTreeMap::new(),
        }
    }

    /// The alignment of a scheme that has one.
    ///
    /// # Panics
    /// The unit adds integers or is a list of steps.
    pub fn alignment(&self) -> &Alignment {
        self.alignment.as_ref().expect(ALIGNED)
    }

    /// The same, to be changed.
    ///
    /// # Panics
    /// As [`Unit::alignment`].
    pub fn alignment_mut(&mut self) -> &mut Alignment {
        self.alignment.as_mut().expect(ALIGNED)
    }

    /// Terms beside the addend: products, or groups of products that are summed exactly.
    pub fn terms(&self) -> u32 {
        let group = self.scales.as_ref().and_then(|scales| scales.group);
        self.products / group.unwrap_or(1)
    }

    /// Whether there is an addend c beside the terms.
    pub fn has_addend(&self) -> bool {
        self.formats.has_addend()
    }

    /// Scales of a, and as many of b.
    pub fn scale_count(&self) -> u32 {
        self.scales.as_ref().map_or(0, |scales| self.products / scales.block)
    }

    /// Bits of all operands, scales and the addend together.
    pub fn input_bits(&self) -> u32 {
        self.interface().input_bits()
    }

    /// Name of the module in SystemVerilog and C++.
    pub fn module_name(&self) -> String {
        self.name.replace('-', "_")
    }
}
