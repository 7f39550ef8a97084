//! Reading `[[step]]`: one table a step. Each field is checked by itself; what concerns several steps is checked elsewhere.

use std::ops::RangeInclusive;

use serde::Deserialize;
use toml::{Table, Value};

use super::step_list::Permutation;
use super::{EXPONENT_FLOORS, FRACTION_BITS_MAX, PRODUCTS_MAX, Unit};
use crate::describe::arithmetic::{
    AddendPlace, AddendWindow, Exponent, Flushing, InputSubnormals, Negate, Order, Round, RoundTo, Start, Step,
    StepRound, Window, ZeroSign,
};
use crate::describe::file::{FileError, FormatEntry, FormatOf, Given, value};
use crate::describe::format::{Format, Overflow, Rounding};

pub(super) const ORDERS: [&str; 3] = ["at-once", "chain", "tree"];
pub(super) const STARTS: [(&str, Start); 2] = [("first", Start::First), ("zero", Start::Zero)];
pub(super) const PLACES: [(&str, AddendPlace); 2] = [("first", AddendPlace::First), ("last", AddendPlace::Last)];
pub(super) const NEGATED: [(&str, Negate); 4] =
    [("all", Negate::All), ("odd", Negate::Odd), ("even", Negate::Even), ("c", Negate::C)];
pub(super) const INPUTS: [(&str, InputSubnormals); 3] = [
    ("kept", InputSubnormals::Kept),
    ("flushed", InputSubnormals::Flushed),
    ("flushed-to-plus-zero", InputSubnormals::FlushedToPlusZero),
];
pub(super) const ZEROS: [(&str, ZeroSign); 3] =
    [("ieee", ZeroSign::Ieee), ("positive", ZeroSign::Positive), ("negative", ZeroSign::Negative)];
pub(super) const RESULTS: [(&str, Flushing); 3] =
    [("kept", Flushing::Kept), ("flushed", Flushing::Flushed), ("flushed-if-tiny", Flushing::FlushedIfTiny)];
pub(super) const OVERFLOWS: [(&str, Overflow); 3] =
    [("infinity", Overflow::Infinity), ("saturate", Overflow::Saturate), ("ieee", Overflow::Ieee)];
pub(super) const PERMUTATIONS: [(&str, Permutation); 2] =
    [("descending", Permutation::Descending), ("interleaved-pairs", Permutation::InterleavedPairs)];

/// Words of a window and of a rounding that later versions may read.
const PLANNED: [(&str, &str); 2] = [("sticky", "none"), ("complement", "two")];

pub(super) fn roundings() -> [(&'static str, Rounding); 6] {
    Rounding::ALL.map(|rounding| (rounding.name(), rounding))
}

/// Least and greatest exponents of a rounding without a format, and powers of two that a sum is multiplied by.
const EXPONENTS: RangeInclusive<i64> = -2200..=2200;

/// The greatest precision of a rounding without a format.
const PRECISION_MAX: i64 = 256;

/// The greatest width of a window that wraps.
const WIDTH_MAX: i64 = 512;

/// The greatest reach of an addend.
const REACH_MAX: i64 = 4400;

/// A table of the file, and its path in errors: `step 1.window`.
struct Entry<'a> {
    file: &'a str,
    path: String,
    table: &'a Table,
}

impl<'a> Entry<'a> {
    fn path_of(&self, key: &str) -> String {
        format!("{}.{key}", self.path)
    }

    fn refuse(&self, key: &str, value: impl ToString, allowed: impl ToString) -> FileError {
        FileError::value(self.file, &self.path_of(key), value, allowed)
    }

    fn known(&self, keys: &[&str]) -> Result<(), FileError> {
        match self.table.keys().find(|key| !keys.contains(&key.as_str())) {
            Some(key) => Err(self.refuse(key, "unknown", keys.join(", "))),
            None => Ok(()),
        }
    }

    fn has(&self, key: &str) -> bool {
        self.table.contains_key(key)
    }

    fn missing(&self, key: &str, allowed: impl ToString) -> FileError {
        self.refuse(key, "missing", allowed)
    }

    fn number(&self, key: &str, range: RangeInclusive<i64>) -> Result<Option<i64>, FileError> {
        match self.table.get(key) {
            None => Ok(None),
            Some(Value::Integer(number)) if range.contains(number) => Ok(Some(*number)),
            Some(other) => Err(self.refuse(key, other, format!("{} to {}", range.start(), range.end()))),
        }
    }

    fn count(&self, key: &str, range: RangeInclusive<i64>) -> Result<Option<u32>, FileError> {
        Ok(self.number(key, range)?.map(|number| number as u32))
    }

    fn exponent(&self, key: &str, range: RangeInclusive<i64>) -> Result<Option<i32>, FileError> {
        Ok(self.number(key, range)?.map(|number| number as i32))
    }

    fn word<T: Clone>(&self, key: &str, words: &[(&str, T)]) -> Result<Option<T>, FileError> {
        let Some(given) = self.table.get(key) else { return Ok(None) };
        let found = words.iter().find(|(word, _)| given.as_str() == Some(word));
        found.map(|(_, meaning)| Some(meaning.clone())).ok_or_else(|| self.refuse(key, given, listed(words)))
    }

    fn needed<T: Clone>(&self, key: &str, words: &[(&str, T)]) -> Result<T, FileError> {
        self.word(key, words)?.ok_or_else(|| self.missing(key, listed(words)))
    }

    fn truth(&self, key: &str) -> Result<bool, FileError> {
        match self.table.get(key) {
            None => Ok(false),
            Some(Value::Boolean(truth)) => Ok(*truth),
            Some(other) => Err(self.refuse(key, other, "false, true")),
        }
    }

    fn table(&self, key: &str) -> Result<Option<Entry<'a>>, FileError> {
        match self.table.get(key) {
            None => Ok(None),
            Some(Value::Table(table)) => Ok(Some(Entry { file: self.file, path: self.path_of(key), table })),
            Some(other) => Err(self.refuse(key, other, "a table")),
        }
    }
}

/// The words of a choice, as errors list them.
fn listed<T>(words: &[(&str, T)]) -> String {
    words.iter().map(|(word, _)| value(word)).collect::<Vec<_>>().join(", ")
}

/// Reads the list of steps.
pub(super) fn read(unit: &mut Unit, given: &Given) -> Result<(), FileError> {
    let tables: Vec<Value> = given.parse()?;
    if tables.is_empty() {
        return Err(given.refuse("empty", "at least one [[step]]"));
    }
    let mut steps: Vec<Step> = Vec::new();
    for (index, table) in tables.iter().enumerate() {
        let Value::Table(table) = table else { return Err(given.refuse(table, "tables: [[step]]")) };
        let entry = Entry { file: given.file, path: format!("step {}", index + 1), table };
        let mut step = step(unit, &entry)?;
        let numbers = numbers_before(unit.products, &steps);
        if step.window.is_none() && !entry.has("exponent") && is_of_one_number(&step, numbers) {
            step.exponent = Exponent::Own;
        }
        steps.push(step);
    }
    if let Some(list) = &mut unit.list {
        list.steps = steps;
    }
    Ok(())
}

/// Reads the order of products.
pub(super) fn read_permutation(unit: &mut Unit, given: &Given) -> Result<(), FileError> {
    let allowed = format!(
        "\"descending\", \"interleaved-pairs\", or a list that names each of the {} products once",
        unit.products
    );
    let permutation = match given.parse::<Value>()? {
        Value::String(word) => {
            PERMUTATIONS.iter().find(|(known, _)| word == *known).map(|(_, meaning)| meaning.clone())
        }
        Value::Array(list) => {
            let indices: Option<Vec<u32>> =
                list.iter().map(|index| index.as_integer().and_then(|index| u32::try_from(index).ok())).collect();
            indices
                .filter(|indices| {
                    let mut sorted = indices.clone();
                    sorted.sort_unstable();
                    sorted.into_iter().eq(0..unit.products)
                })
                .map(Permutation::Listed)
        }
        _ => None,
    };
    let permutation = permutation.ok_or_else(|| match given.parse::<Value>() {
        Ok(value) => given.refuse(value, &allowed),
        Err(error) => error,
    })?;
    if let Some(list) = &mut unit.list {
        list.permutation = permutation;
    }
    Ok(())
}

/// Numbers that a step takes which follows others.
pub(super) fn numbers_before(products: u32, steps: &[Step]) -> u32 {
    let left = |count: u32, step: &Step| match step.group {
        Some(group) => count / group * step.lanes,
        None => step.lanes,
    };
    steps.iter().fold(products, left)
}

/// Whether each part of a step, which takes so many numbers, has one.
pub(super) fn is_of_one_number(step: &Step, numbers: u32) -> bool {
    step.c.is_none() && step.group.unwrap_or(numbers) == step.lanes
}

fn step(unit: &Unit, entry: &Entry) -> Result<Step, FileError> {
    entry.known(&[
        "by", "c", "exponent", "group", "inputs", "lanes", "negate", "order", "round", "scaled", "shift", "start",
        "window", "zero",
    ])?;
    let products = 1..=i64::from(PRODUCTS_MAX);
    let window = entry.table("window")?.map(|window| read_window(&window)).transpose()?;
    let list = unit.list.clone().unwrap_or_default();
    Ok(Step {
        group: entry.count("group", products.clone())?,
        lanes: entry.count("lanes", products)?.unwrap_or(1),
        order: order(entry)?,
        c: entry.word("c", &PLACES)?,
        negate: entry.word("negate", &NEGATED)?,
        inputs: entry.word("inputs", &INPUTS)?.unwrap_or(list.addend),
        exponent: exponent(entry, &window)?,
        window,
        shift: entry.exponent("shift", EXPONENTS)?.unwrap_or(0),
        scaled: entry.truth("scaled")?,
        zero: entry.word("zero", &ZEROS)?.unwrap_or(list.zero),
        round: rounds(unit, entry)?,
    })
}

fn order(entry: &Entry) -> Result<Order, FileError> {
    let word = entry.word("order", &ORDERS.map(|word| (word, word)))?.unwrap_or(ORDERS[0]);
    if entry.has("start") && word != "chain" {
        return Err(entry.refuse("start", "given", "nothing unless order = \"chain\""));
    }
    if entry.has("by") && word == "at-once" {
        return Err(entry.refuse("by", "given", "nothing unless order = \"chain\" or \"tree\""));
    }
    let by = |least: u32| Ok(entry.count("by", least.into()..=i64::from(PRODUCTS_MAX))?.unwrap_or(least));
    Ok(match word {
        "chain" => Order::Chain { by: by(1)?, start: entry.word("start", &STARTS)?.unwrap_or(Start::First) },
        "tree" => Order::Tree { by: by(2)? },
        _ => Order::AtOnce,
    })
}

/// The exponent of a sum: where nothing is given the anchor of a window, and of an exact sum of several numbers the leading one's.
fn exponent(entry: &Entry, window: &Option<Window>) -> Result<Exponent, FileError> {
    let by_default = match window {
        Some(_) => Exponent::Anchor,
        None => Exponent::Leading,
    };
    let allowed = format!("\"anchor\", \"leading\", or {} to {}", EXPONENTS.start(), EXPONENTS.end());
    match entry.table.get("exponent") {
        None => Ok(by_default),
        Some(Value::String(word)) if word == "anchor" => Ok(Exponent::Anchor),
        Some(Value::String(word)) if word == "leading" => Ok(Exponent::Leading),
        Some(Value::Integer(number)) if EXPONENTS.contains(number) => Ok(Exponent::Fixed(*number as i32)),
        Some(other) => Err(entry.refuse("exponent", other, allowed)),
    }
}

fn read_window(entry: &Entry) -> Result<Window, FileError> {
    entry.known(&["addend", "complement", "floor", "fraction_bits", "rounding", "sticky", "width"])?;
    for (key, only) in PLANNED {
        entry.word(key, &[(only, ())])?;
    }
    let bits = 0..=i64::from(FRACTION_BITS_MAX);
    let missing = || entry.missing("fraction_bits", format!("0 to {FRACTION_BITS_MAX}"));
    let fraction_bits = entry.count("fraction_bits", bits)?.ok_or_else(missing)?;
    let addend = entry.table("addend")?.map(|addend| {
        addend.known(&["fraction_bits", "reach"])?;
        let missing = || addend.missing("fraction_bits", format!("0 to {fraction_bits}, those of the window"));
        Ok(AddendWindow {
            fraction_bits: addend.count("fraction_bits", 0..=fraction_bits.into())?.ok_or_else(missing)?,
            reach: addend.count("reach", 0..=REACH_MAX)?,
        })
    });
    Ok(Window {
        fraction_bits,
        rounding: entry.needed("rounding", &roundings())?,
        floor: entry.exponent("floor", EXPONENT_FLOORS)?,
        width: entry.count("width", 2..=WIDTH_MAX)?,
        addend: addend.transpose()?,
    })
}

/// `round`: one rounding or a list of them.
fn rounds(unit: &Unit, entry: &Entry) -> Result<Vec<StepRound>, FileError> {
    match entry.table.get("round") {
        None => Ok(Vec::new()),
        Some(Value::Array(all)) => all.iter().map(|one| round(unit, entry, one)).collect(),
        Some(one) => Ok(vec![round(unit, entry, one)?]),
    }
}

fn round(unit: &Unit, entry: &Entry, given: &Value) -> Result<StepRound, FileError> {
    let table = match given {
        Value::String(word) if word == "d" => return Ok(StepRound::Result),
        Value::Table(table) => table,
        other => return Err(entry.refuse("round", other, "\"d\", the rounding of [conversion], or a table")),
    };
    let round = Entry { file: entry.file, path: entry.path_of("round"), table };
    round.known(&[
        "exponent_max",
        "exponent_min",
        "format",
        "infinities",
        "overflow",
        "precision",
        "rounded_zero",
        "rounding",
        "subnormals",
    ])?;
    round.word("infinities", &[("kept", ())])?;
    let to = round_to(unit, &round)?;
    let rounds = !matches!(to, RoundTo::Range { precision: None, .. });
    let has_least = matches!(to, RoundTo::Format(_) | RoundTo::Range { exponent_min: Some(_), .. });
    if round.has("subnormals") && !has_least {
        return Err(round.refuse("subnormals", "given", "nothing unless there is a format or exponent_min"));
    }
    let rounding = match rounds {
        true => round.needed("rounding", &roundings())?,
        false => round.word("rounding", &roundings())?.unwrap_or(Rounding::TowardZero),
    };
    let overflow = match &to {
        RoundTo::Format(_) => round.needed("overflow", &OVERFLOWS)?,
        RoundTo::Range { .. } => round.word("overflow", &OVERFLOWS[..1])?.unwrap_or(Overflow::Infinity),
    };
    Ok(StepRound::To(Round {
        to,
        rounding,
        overflow,
        subnormals: round.word("subnormals", &RESULTS)?.unwrap_or_default(),
        rounded_zero_positive: round.word("rounded_zero", &[("signed", false), ("positive", true)])?.unwrap_or(false),
    }))
}

fn round_to(unit: &Unit, round: &Entry) -> Result<RoundTo, FileError> {
    let range = ["precision", "exponent_min", "exponent_max"];
    if let Some(given) = round.table.get("format") {
        if let Some(key) = range.iter().find(|key| round.has(key)) {
            return Err(round.refuse(key, "given", "nothing beside `format`, which fixes it"));
        }
        return format(unit, round, given).map(RoundTo::Format);
    }
    if !round.has("precision") && !round.has("exponent_max") {
        return Err(round.missing("format", "`format`, or `precision` and `exponent_max`"));
    }
    if round.has("exponent_min") && !round.has("precision") {
        return Err(round.refuse("exponent_min", "given", "nothing unless there is a `precision`"));
    }
    Ok(RoundTo::Range {
        precision: round.count("precision", 1..=PRECISION_MAX)?,
        exponent_min: round.exponent("exponent_min", EXPONENTS)?,
        exponent_max: round.exponent("exponent_max", EXPONENTS)?,
    })
}

/// A format: that of a port, a name or a layout.
fn format(unit: &Unit, round: &Entry, given: &Value) -> Result<Format, FileError> {
    let formats = &unit.formats;
    let ports = [("a", &formats.a), ("b", &formats.b), ("c", &formats.c), ("d", &formats.d)];
    let port = ports.into_iter().find(|(port, format)| given.as_str() == Some(port) && !format.is_absent());
    let format = match port {
        Some((_, port)) => port.clone(),
        None => {
            let path = round.path_of("format");
            let entry = FormatEntry::deserialize(given.clone())
                .map_err(|error| FileError::value(round.file, &path, given, error.message().trim_end()))?;
            entry.format(round.file, &path, FormatOf::Numbers)?
        }
    };
    match format.is_integer() || format.nan().is_none() || !format.signed {
        true => Err(round.refuse("format", given, "a signed floating-point format with a NaN")),
        false => Ok(format),
    }
}
