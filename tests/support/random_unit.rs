//! Random unit files that the reader accepts, as proptest strategies: every format, custom layouts, every option.
//!
//! A unit is drawn as the text of its file, so that a failure prints what a person can run.

#[path = "random_addition.rs"]
mod random_addition;
#[path = "random_format.rs"]
mod random_format;
#[path = "random_scales.rs"]
mod random_scales;

use std::fmt;

use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
use random_addition::{AdditionRecipe, addition};
use random_format::{Entry, entry, narrow, tiny, usual};
use random_scales::{ScalesRecipe, scales};
use tensorsmith::describe::plan::Plan;
use tensorsmith::describe::unit::{FileError, Unit};

/// How a unit without scales sums.
#[derive(Debug, Clone)]
enum Summation {
    /// Everything at once, aligned and cut.
    Fused,
    /// Rounded operations, with c in the format of d.
    Operations(Operations),
    Exact,
    /// Products first, then c.
    ThenAdd(AdditionRecipe),
}

/// What only units of rounded operations say.
#[derive(Debug, Clone, Copy)]
struct Operations {
    scheme: &'static str,
    descending: bool,
    if_tiny: bool,
    to_plus_zero: bool,
}

/// One of the schemes of rounded operations.
fn operations() -> impl Strategy<Value = Operations> {
    let scheme = select(vec!["fma-chain", "even-odd-chain", "pairwise", "pair-chain"]);
    (scheme, any::<[bool; 3]>()).prop_map(|(scheme, [descending, if_tiny, to_plus_zero])| Operations {
        scheme,
        descending: descending && scheme == "fma-chain",
        if_tiny,
        to_plus_zero,
    })
}

/// The fields of a unit file.
#[derive(Clone)]
pub struct Recipe {
    summation: Summation,
    products: u32,
    formats: [Entry; 4],
    fraction_bits: u32,
    alignment_rounding: &'static str,
    floor: Option<i32>,
    normalise: bool,
    carry_bits: Option<u32>,
    rounding: &'static str,
    overflow: &'static str,
    negative_zero: bool,
    rounded_zero_positive: bool,
    flushed: [bool; 3],
    scales: Option<ScalesRecipe>,
    /// A fused sum without an addend.
    bare: bool,
    flags: bool,
}

impl fmt::Display for Recipe {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let [a, b, c, d] = &self.formats;
        let operations = match &self.summation {
            Summation::Operations(operations) => Some(operations),
            _ => None,
        };
        let (if_tiny, to_plus_zero) =
            operations.map_or((false, false), |operations| (operations.if_tiny, operations.to_plus_zero));
        let word = |flushed: bool, flush: &'static str| if flushed { flush } else { "kept" };
        let input = if to_plus_zero { "flushed-to-plus-zero" } else { "flushed" };
        let [operands, addend] = [self.flushed[0], self.flushed[1]].map(|flushed| word(flushed, input));
        let result = word(self.flushed[2], if if_tiny { "flushed-if-tiny" } else { "flushed" });
        let (scheme, c) = match (&self.scales, &self.summation) {
            (Some(_), _) => ("block-scaled", c),
            (None, Summation::Operations(operations)) => (operations.scheme, d),
            (None, Summation::Fused) => ("fused", c),
            (None, Summation::Exact) => ("exact", c),
            (None, Summation::ThenAdd(_)) => ("fused-then-add", c),
        };
        writeln!(out, "name = \"random\"\nscheme = {scheme:?}\nproducts = {}\n", self.products)?;
        let c = if self.bare { String::new() } else { format!("c = {}\n", c.text) };
        writeln!(out, "[formats]\na = {}\nb = {}\n{c}d = {}\n", a.text, b.text, d.text)?;
        if matches!(self.summation, Summation::Fused | Summation::ThenAdd(_)) {
            self.write_alignment(out)?;
        }
        if operations.is_some_and(|operations| operations.descending) {
            writeln!(out, "[sum]\norder = \"descending\"\n")?;
        }
        writeln!(out, "[conversion]\nrounding = {:?}\noverflow = {:?}", self.rounding, self.overflow)?;
        if self.flags {
            writeln!(out, "flags = true")?;
        }
        if operations.is_none() {
            let exact_zero = if self.negative_zero { "negative" } else { "positive" };
            let rounded_zero = if self.rounded_zero_positive { "positive" } else { "signed" };
            writeln!(out, "exact_zero = {exact_zero:?}\nrounded_zero = {rounded_zero:?}\n")?;
        }
        writeln!(out, "[subnormals]\noperands = {operands:?}\naddend = {addend:?}\nresult = {result:?}")
    }
}

impl Recipe {
    /// What only an aligned sum says.
    fn write_alignment(&self, out: &mut fmt::Formatter) -> fmt::Result {
        writeln!(out, "[alignment]\nfraction_bits = {}", self.fraction_bits)?;
        writeln!(out, "rounding = {:?}", self.alignment_rounding)?;
        match self.floor {
            Some(floor) => writeln!(out, "exponent_floor = {floor}")?,
            None => writeln!(out, "exponent_floor = \"none\"")?,
        }
        writeln!(out, "normalise_products = {}\n", self.normalise)?;
        if let Some(scales) = &self.scales {
            writeln!(out, "{scales}")?;
        }
        if let Summation::ThenAdd(addition) = &self.summation {
            return write!(out, "{addition}");
        }
        if let Some(carry_bits) = self.carry_bits {
            writeln!(out, "[sum]\ncarry_bits = {carry_bits}\n")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Recipe {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        writeln!(out, "unit file:\n{self}")
    }
}

impl Recipe {
    /// Reads the unit as a user's file is read.
    pub fn unit(&self) -> Result<Unit, FileError> {
        Unit::from_toml("random.toml", &self.to_string())
    }

    /// Bits of the machine word that the plan asks for, where the reader accepts the unit.
    fn word_bits(&self) -> Option<u32> {
        self.unit().ok().map(|unit| Plan::of(&unit).word_bits())
    }

    /// The same unit with a window that needs as nearly `target` bits of a machine word as it can.
    fn with_word_bits(mut self, target: u32) -> Recipe {
        let distance = |fraction_bits: &u32| {
            let other = Recipe { fraction_bits: *fraction_bits, ..self.clone() };
            other.word_bits().map_or(u32::MAX, |bits| bits.abs_diff(target))
        };
        self.fraction_bits = (1..=100).min_by_key(distance).unwrap_or(self.fraction_bits);
        self
    }
}

/// Least and greatest exponent of a term beside the addend.
fn term_exponents(a: &Entry, b: &Entry, scales: Option<&ScalesRecipe>) -> (i32, i32) {
    let elements = (a.exponent_min + b.exponent_min, a.exponent_max + b.exponent_max);
    match scales {
        None => elements,
        Some(scales) if scales.group.is_some() => scales.exponents(),
        Some(scales) => (elements.0 + scales.exponents().0, elements.1 + scales.exponents().1),
    }
}

/// How a unit sums; `low` and `high` are the least and the greatest exponent of a floor.
fn summation(scaled: bool, low: i32, high: i32) -> impl Strategy<Value = Summation> {
    let operations = operations().prop_map(Summation::Operations);
    let rest = prop_oneof![5 => Just(Summation::Fused), 2 => operations, 1 => Just(Summation::Exact)];
    (addition(), rest).prop_map(move |(addition, rest)| match addition {
        _ if scaled => Summation::Fused,
        Some(addition) => Summation::ThenAdd(addition.with_floors(low, high)),
        None => rest,
    })
}

/// What only a fused sum can leave out or add: the addend, with what it reaches; flags, which need room above d.
fn with_options(mut recipe: Recipe, bare: bool, flags: bool) -> Recipe {
    if !matches!(recipe.summation, Summation::Fused) || recipe.scales.is_some() {
        return recipe;
    }
    if bare {
        let [a, b, ..] = &recipe.formats;
        let (_, high) = term_exponents(a, b, None);
        recipe.bare = true;
        recipe.floor = recipe.floor.map(|floor| floor.min(high.clamp(-2200, 2200)));
        recipe.carry_bits = recipe.carry_bits.map(|bits| bits.min(recipe.products.ilog2() + 1));
        recipe.flushed[1] = false;
    }
    let with_flags = Recipe { flags, ..recipe.clone() };
    match with_flags.unit() {
        Err(error) if error.to_string().contains("conversion.flags") => recipe,
        _ => with_flags,
    }
}

fn recipe_of(formats: [Entry; 4], scales: Option<ScalesRecipe>) -> impl Strategy<Value = Recipe> {
    let [a, b, c, d] = &formats;
    let term = term_exponents(a, b, scales.as_ref());
    let low = term.0.min(c.exponent_min) - 20;
    let high = term.1.max(c.exponent_max);
    let (low, high) = (low.clamp(-2200, 2200), high.clamp(-2200, 2200));
    let near = (d.exponent_min - 60).clamp(low, high);
    let floor = prop_oneof![
        3 => Just(None),
        3 => (low..=high).prop_map(Some),
        2 => (near..=(near + 80).min(high)).prop_map(Some),
    ];
    let alignment = select(vec!["toward-zero", "downward", "nearest-even", "to-odd"]);
    let roundings =
        select(vec!["nearest-even", "nearest-away", "toward-zero", "toward-positive", "toward-negative", "to-odd"]);
    let overflow = select(vec!["infinity", "saturate", "ieee"]);
    let products = prop_oneof![4 => 1..=5u32, 2 => 6..=16u32, 1 => 17..=64u32];
    let fraction_bits = prop_oneof![3 => 1..=12u32, 2 => 13..=40u32, 1 => 41..=100u32];
    let carry_bits = prop_oneof![3 => Just(None), 2 => (0..=8u32).prop_map(Some)];
    let minus_zero = d.has_minus_zero;
    (
        (products, fraction_bits, alignment, floor, any::<bool>(), carry_bits),
        (roundings, overflow, any::<bool>(), any::<[bool; 3]>(), summation(scales.is_some(), low, high)),
        (prop_oneof![3 => Just(false), 1 => Just(true)], prop_oneof![3 => Just(false), 1 => Just(true)]),
    )
        .prop_map(move |(window, rest, options)| {
            let (products, fraction_bits, alignment_rounding, floor, normalise, carry_bits) = window;
            let (rounding, overflow, negative_zero, flushed, summation) = rest;
            let products = match &summation {
                Summation::ThenAdd(addition) => addition.products(products),
                // Two chains, and pairs.
                Summation::Operations(Operations { scheme: "even-odd-chain" | "pair-chain", .. }) => {
                    products.next_multiple_of(2)
                }
                _ => scales.as_ref().map_or(products, ScalesRecipe::products),
            };
            let group = scales.as_ref().and_then(|scales| scales.group).unwrap_or(1);
            let recipe = Recipe {
                summation,
                products,
                formats: formats.clone(),
                fraction_bits,
                alignment_rounding,
                floor,
                normalise: normalise && scales.is_none(),
                carry_bits: carry_bits.map(|bits| bits.min((products / group + 1).ilog2() + 1)),
                rounding,
                overflow,
                negative_zero: negative_zero && minus_zero,
                // Not drawn, so that the other draws stay as they are.
                rounded_zero_positive: minus_zero && fraction_bits % 2 == 1,
                flushed,
                scales: scales.clone(),
                bare: false,
                flags: false,
            };
            with_options(recipe, options.0, options.1)
        })
}

/// Any unit. A third of them are brought near the limits of the machine words, 64 and 128 bits.
pub fn recipe() -> impl Strategy<Value = Recipe> {
    let any = (entry(false), entry(false), entry(false), entry(true));
    let tiny = (tiny(false), tiny(false), tiny(false), tiny(true));
    let formats = prop_oneof![6 => any, 1 => tiny].prop_map(|(a, b, c, d)| [a, b, c, d]);
    let formats_and_scales = (formats, scales(), narrow(), narrow()).prop_map(|([a, b, c, d], scales, e, f)| {
        let grouped = scales.as_ref().is_some_and(|scales| scales.group.is_some());
        (if grouped { [e, f, c, d] } else { [a, b, c, d] }, scales)
    });
    let target = prop_oneof![4 => Just(None), 1 => (62..=66u32).prop_map(Some), 1 => (126..=130u32).prop_map(Some)];
    // In a box: values of such strategies lie in each other, and without optimisation a thread's stack has no room for them.
    let recipes = formats_and_scales.prop_flat_map(|(formats, scales)| recipe_of(formats, scales).boxed()).boxed();
    (recipes, target).prop_map(|(recipe, target)| match target {
        Some(target) => recipe.with_word_bits(target),
        None => recipe,
    })
}

/// A unit whose blocks can follow each other: c has the format of d. Two thirds have formats of matrix instructions.
#[allow(dead_code, reason = "every test file uses a part")]
pub fn chained_recipe() -> impl Strategy<Value = Recipe> {
    let any = (entry(false), entry(false), entry(true));
    let usual = (usual(false), usual(false), usual(true));
    let formats = prop_oneof![1 => any, 2 => usual].prop_map(|(a, b, d)| [a, b, d.clone(), d]);
    formats.prop_flat_map(|formats| recipe_of(formats, None).boxed())
}

/// Units that the reader accepts, without end, the same in every run.
pub fn units() -> impl Iterator<Item = Unit> {
    let mut runner =
        TestRunner::new_with_rng(ProptestConfig::default(), TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let strategy = recipe();
    let drawn = move || strategy.new_tree(&mut runner).expect("the strategy draws").current().unit().ok();
    std::iter::repeat_with(drawn).flatten()
}
