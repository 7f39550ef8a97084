//! What a study file says.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::norms::Norm;
use crate::describe::format::{Format, Rounding};
use crate::describe::instruction::Instruction;

/// A study with its units, as its file says it.
#[derive(Debug, Clone)]
pub struct Study {
    pub said: Said,
    /// What multiplies for each curve; none for a curve that was only published.
    pub instructions: Vec<Option<Instruction>>,
    /// The folder that paths in the file start from.
    pub folder: PathBuf,
}

/// The fields of a study file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Said {
    pub name: String,
    /// One line for people.
    pub summary: String,
    /// Where it was published.
    #[serde(default)]
    pub source: String,
    /// What readers should know, a paragraph each.
    #[serde(default)]
    pub notes: Vec<String>,
    /// Norms that are shown, the first one drawn.
    #[serde(default = "every_norm")]
    pub norms: Vec<Norm>,
    pub matrices: Drawn,
    #[serde(default)]
    pub truth: Truth,
    pub curves: Vec<Curve>,
    /// Units of the study's own by name: the fields of a unit file but for the name.
    #[serde(default)]
    pub units: BTreeMap<String, toml::Table>,
    #[serde(default)]
    pub claims: Vec<Claim>,
}

fn every_norm() -> Vec<Norm> {
    Norm::ALL.to_vec()
}

/// The matrices A and B.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Drawn {
    pub distribution: Distribution,
    /// A and B are n x n; none where they come from files.
    #[serde(default)]
    pub sizes: Vec<usize>,
    /// The largest size that is computed where none is asked for.
    pub largest: Option<usize>,
    /// Sizes that are asked for in place of these.
    #[serde(skip)]
    pub asked: Option<Vec<usize>>,
    /// Seed of the first size.
    #[serde(default = "one")]
    pub seed: u64,
    /// What is added to the seed from size to size.
    #[serde(default)]
    pub seed_step: u64,
    /// Rows of the product that are computed, spread evenly; all where it is missing.
    pub rows: Option<usize>,
    /// Format that the entries are rounded to, nearest-even, before anything else.
    pub format: Option<String>,
}

fn one() -> u64 {
    1
}

impl Drawn {
    /// The seed of the size in that place.
    pub(super) fn seed_of(&self, place: usize) -> u64 {
        self.seed.wrapping_add(self.seed_step.wrapping_mul(place as u64))
    }

    /// Sizes that are computed, each with its place among those of the study, from which its seed follows.
    pub(super) fn chosen(&self) -> Vec<(usize, usize)> {
        let usual = || self.sizes.iter().copied().filter(|size| self.largest.is_none_or(|largest| *size <= largest));
        let chosen = self.asked.clone().unwrap_or_else(|| usual().collect());
        chosen.into_iter().map(|size| (self.sizes.iter().filter(|own| **own < size).count(), size)).collect()
    }
}

/// What entries are drawn from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Distribution {
    /// (r1 + r2) / (2 RAND_MAX) - 1/2 of two draws of glibc's `rand`.
    GlibcTriangular,
    Uniform {
        low: f64,
        high: f64,
    },
    Normal {
        mean: f64,
        deviation: f64,
    },
    /// A sign and a significand in [1, 2), times two to the power of a whole number of that range.
    LogUniform {
        exponents: [i32; 2],
    },
    /// Arrays of NumPy or text, beside the study file.
    Files {
        a: String,
        b: String,
    },
}

/// What results are held against.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub struct Truth {
    pub arithmetic: Arithmetic,
}

/// How the true product is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "kebab-case")]
pub enum Arithmetic {
    /// Compensated sums of exact products, as if in twice the precision of binary64 (Ogita, Rump, Oishi 2005, Dot2).
    #[default]
    Compensated,
    /// Products and sums rounded to binary64, K ascending.
    Binary64,
}

/// One algorithm.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Curve {
    pub name: String,
    /// Unit or instruction that multiplies: a name of the catalogue, or a file beside the study file. A curve without one was only
    /// published.
    pub unit: Option<String>,
    /// Whether the instructions of other devices may take the place of the unit.
    #[serde(default)]
    pub devices: bool,
    /// Formats that operands are brought to, one after the other, before they are split.
    #[serde(default)]
    pub input: Vec<Rounded>,
    #[serde(default)]
    pub words: Words,
    /// Words of A and of B that are multiplied, in their order.
    #[serde(default = "main_product")]
    pub products: Vec<[u32; 2]>,
    #[serde(default)]
    pub combination: Combination,
    #[serde(default)]
    pub add: Rounded,
    /// Sums leave the unit after so many places of K and are added in binary32.
    pub promote_every: Option<u32>,
    /// Products whose sums do so; all of them where it is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub promote_products: Option<Vec<[u32; 2]>>,
    /// K is summed in at most so many parts, which are added in binary32: for all sizes or for some.
    pub split_k: Option<Parts>,
    /// Format that results are brought to in the end.
    pub result: Option<Rounded>,
    #[serde(default)]
    pub published: BTreeMap<Norm, BTreeMap<String, f64>>,
}

fn main_product() -> Vec<[u32; 2]> {
    vec![[1, 1]]
}

/// How an operand becomes words of the unit's format.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Words {
    #[serde(default = "single")]
    pub count: u32,
    /// Of each word; the last one holds for all that follow.
    #[serde(default = "nearest_even")]
    pub rounding: Vec<Rounding>,
    /// What is left after a word is multiplied by two to this power before the next one.
    #[serde(default)]
    pub shift: u32,
    /// Integer slices of so many bits below the greatest exponent of a row of A or a column of B, for integer units.
    pub slice_bits: Option<u32>,
}

fn single() -> u32 {
    1
}

fn nearest_even() -> Vec<Rounding> {
    vec![Rounding::NearestEven]
}

impl Default for Words {
    fn default() -> Words {
        Words { count: single(), rounding: nearest_even(), shift: 0, slice_bits: None }
    }
}

/// How products of words become one result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "kebab-case")]
pub enum Combination {
    /// Each is computed by itself; they are added outside the unit.
    #[default]
    Separate,
    /// Each is the addend of the next.
    Chained,
}

/// A format outside the unit, and how numbers are brought to it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rounded {
    pub format: String,
    #[serde(default = "to_nearest")]
    pub rounding: Rounding,
}

fn to_nearest() -> Rounding {
    Rounding::NearestEven
}

impl Rounded {
    /// The format, which a study that was read has, with the rounding.
    pub(super) fn named(&self) -> Option<(Format, Rounding)> {
        Some((Format::named(&self.format)?, self.rounding))
    }
}

impl Default for Rounded {
    fn default() -> Rounded {
        Rounded { format: "binary32".to_owned(), rounding: to_nearest() }
    }
}

/// Parts of K.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged, expecting = "expected a number, or a table of numbers by size")]
pub enum Parts {
    All(u32),
    BySize(BTreeMap<String, u32>),
}

impl Parts {
    /// Parts for a size.
    pub fn of(&self, size: usize) -> u32 {
        match self {
            Parts::All(parts) => *parts,
            Parts::BySize(sizes) => sizes.get(&size.to_string()).copied().unwrap_or(1),
        }
    }

    pub(super) fn all(&self) -> Vec<u32> {
        match self {
            Parts::All(parts) => vec![*parts],
            Parts::BySize(sizes) => sizes.values().copied().collect(),
        }
    }
}

/// A sentence about two curves, which their ratio bears or does not.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// What is said, and by whom.
    pub text: String,
    pub curve: String,
    pub against: String,
    pub norm: Norm,
    /// Least and greatest ratio of the curve to the other that bears it.
    pub ratio: [f64; 2],
}

impl Study {
    /// Whether errors were published for a curve and a size that are computed.
    pub fn is_published(&self) -> bool {
        let sizes: Vec<String> = self.said.matrices.chosen().into_iter().map(|(_, size)| size.to_string()).collect();
        let published = self.computed().flat_map(|(curve, _)| curve.published.values());
        published.flat_map(BTreeMap::keys).any(|size| sizes.contains(size))
    }

    /// The study with some of its curves, and claims about these.
    pub fn only(mut self, names: &[String]) -> Study {
        let curves = self.said.curves.into_iter().zip(self.instructions);
        let (curves, instructions) = curves.filter(|(curve, _)| names.contains(&curve.name)).unzip();
        (self.said.curves, self.instructions) = (curves, instructions);
        self.keep_claims();
        self
    }

    /// Drops claims about curves that are not there.
    pub(super) fn keep_claims(&mut self) {
        let named: BTreeSet<&str> = self.said.curves.iter().map(|curve| curve.name.as_str()).collect();
        let is_there = |claim: &Claim| [&claim.curve, &claim.against].iter().all(|name| named.contains(name.as_str()));
        self.said.claims.retain(is_there);
    }

    /// Curves that are computed, with what multiplies for them.
    pub fn computed(&self) -> impl Iterator<Item = (&Curve, &Instruction)> {
        self.said.curves.iter().zip(&self.instructions).filter_map(|(curve, own)| Some((curve, own.as_ref()?)))
    }

    /// Whether a device's instruction can take the unit's place in one of the curves.
    pub fn takes_devices(&self) -> bool {
        self.said.curves.iter().zip(&self.instructions).any(|(curve, own)| curve.devices && own.is_some())
    }

    /// The first seed of a size that has more bits than the distribution takes.
    pub fn seed_too_great(&self) -> Option<u64> {
        let drawn = &self.said.matrices;
        let of_32_bits = drawn.distribution == Distribution::GlibcTriangular;
        let mut seeds = drawn.chosen().into_iter().map(|(place, _)| drawn.seed_of(place));
        seeds.find(|&seed| of_32_bits && u32::try_from(seed).is_err())
    }
}
