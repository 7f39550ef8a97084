//! Mutations of a valid file by its structure: it is parsed, values and keys are changed, and it is printed again. What
//! comes out is always TOML; what it means is another matter.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use toml::{Table, Value};

use super::edits::number;

/// A file, and the keys that its mutations touched: a message that refuses it must name one of them.
#[derive(Debug, Clone)]
pub struct Mutated {
    pub text: String,
    pub keys: Vec<String>,
}

/// One change; places are drawn from all values of the file.
#[derive(Debug, Clone)]
enum Mutation {
    Replace(Index, Value),
    Drop(Index),
    Add(Index, String, Value),
    Rename(Index, String),
    Swap(Index, Index),
    Copy(Index, Index),
    /// To a value near by: another number, the other truth, another word of the same sort.
    Nudge(Index, i64),
    /// Into a list, or into a table under that key, so many times.
    Wrap(Index, Option<String>, usize),
}

/// Steps from the root to a value: keys, and indices in decimal.
type Place = Vec<String>;

/// Words that can stand for each other.
const SORTS: [&[&str]; 10] = [
    &["binary16", "bfloat16", "tf32", "binary32", "e4m3", "e5m2", "e4m3fnuz", "e2m1", "ue4m3", "ue8m0", "binary64"],
    &["toward-zero", "downward", "nearest-even", "to-odd", "toward-positive"],
    &["infinity", "saturate", "ieee", "none", "negative-zero-nan"],
    &["kept", "flushed"],
    &["positive", "negative"],
    &["contiguous", "interleaved-pairs"],
    &["addend", "zero"],
    &[
        "hopper-fp16-fp32",
        "volta-fp16-fp32",
        "ampere-bf16-fp32",
        "hopper-e4m3-fp32",
        "tiny-nearest",
        "hopper-fp16-fp16",
    ],
    &["addition-fp32", "addition-fp16", "tiny-nearest"],
    &["unit.toml", "adder.toml", "missing.toml", "no-products.toml", "no-toml.toml", "broken.toml", "folder.toml"],
];

fn words() -> impl Strategy<Value = String> {
    let known = [
        "",
        "fused",
        "binary16",
        "bfloat16",
        "binary32",
        "binary64",
        "tf32",
        "e4m3",
        "e5m2fnuz",
        "e2m1",
        "ue8m0",
        "ieee",
        "none",
        "derived",
        "toward-zero",
        "downward",
        "to-odd",
        "nearest-even",
        "infinity",
        "saturate",
        "negative",
        "flushed",
        "contiguous",
        "interleaved-pairs",
        "addend",
        "zero",
        "hopper-fp16-fp16",
        "tiny-nearest",
        "addition-fp32",
        "addition-fp16",
        "0x0",
        "0xffffffffffffffffff",
        "0x-1",
        "wire",
        "\u{0}\u{7f}\"'\\\n\u{1F980}",
    ];
    prop_oneof![4 => select(known.to_vec()).prop_map(str::to_owned), 1 => "[a-z0-9-]{1,80}", 1 => any::<String>()]
}

/// Any value; mostly numbers and words.
fn value() -> impl Strategy<Value = Value> {
    let floats = vec![0.0, -0.0, 1.5, 1e308, 5e-324, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 4.0];
    let times = vec!["1979-05-27", "07:32:00.999999", "1979-05-27T07:32:00Z", "2024-02-29T00:00:00+23:59"];
    let leaf = prop_oneof![
        6 => number().prop_map(Value::Integer),
        6 => words().prop_map(Value::String),
        2 => any::<bool>().prop_map(Value::Boolean),
        2 => select(floats).prop_map(Value::Float),
        1 => select(times).prop_map(|text| Value::Datetime(text.parse().expect("a time"))),
    ];
    leaf.prop_recursive(4, 24, 6, |inner| {
        let table = vec((key(), inner.clone()), 0..5).prop_map(|entries| Value::Table(entries.into_iter().collect()));
        prop_oneof![1 => vec(inner, 0..6).prop_map(Value::Array), 1 => table]
    })
}

fn key() -> impl Strategy<Value = String> {
    let known = vec!["name", "a", "formats", "bias", "products", "unit", "k", "grade", "", "a.b", "é", "\u{0}\n"];
    prop_oneof![3 => select(known).prop_map(str::to_owned), 1 => "[a-z_]{1,12}"]
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let place = any::<Index>;
    prop_oneof![
        6 => (place(), value()).prop_map(|(place, value)| Mutation::Replace(place, value)),
        20 => (place(), -9..=9i64).prop_map(|(place, by)| Mutation::Nudge(place, by)),
        2 => place().prop_map(Mutation::Drop),
        2 => (place(), key(), value()).prop_map(|(place, key, value)| Mutation::Add(place, key, value)),
        1 => (place(), key()).prop_map(|(place, key)| Mutation::Rename(place, key)),
        2 => (place(), place()).prop_map(|(one, other)| Mutation::Swap(one, other)),
        2 => (place(), place()).prop_map(|(from, to)| Mutation::Copy(from, to)),
        1 => (place(), proptest::option::of(key()), 1..40usize)
            .prop_map(|(place, key, times)| Mutation::Wrap(place, key, times)),
    ]
}

/// One to three mutations of one of the files.
pub fn mutated(texts: Vec<String>) -> impl Strategy<Value = Mutated> {
    (select(texts), vec(mutation(), 1..4)).prop_map(|(text, mutations)| {
        let mut root = Value::Table(text.parse().expect("the original is TOML"));
        let mut keys = Vec::new();
        for mutation in &mutations {
            mutate(&mut root, mutation, &mut keys);
        }
        Mutated { text: toml::to_string(&root).expect("any table can be printed"), keys }
    })
}

/// The same within a text that a case file holds: its unit file.
pub fn mutated_within(texts: Vec<String>, field: &'static str) -> impl Strategy<Value = Mutated> {
    let with_field = |text: &String| {
        let table: Table = text.parse().expect("the original is TOML");
        table.get(field).and_then(Value::as_str).map(|inner| (inner.to_owned(), table.clone()))
    };
    let pairs: Vec<(String, Table)> = texts.iter().filter_map(with_field).collect();
    select(pairs).prop_flat_map(move |(inner, outer)| {
        mutated(vec![inner]).prop_map(move |mutated| {
            let mut outer = outer.clone();
            outer.insert(field.to_owned(), Value::String(mutated.text));
            Mutated { text: toml::to_string(&outer).expect("any table can be printed"), keys: mutated.keys }
        })
    })
}

fn mutate(root: &mut Value, mutation: &Mutation, keys: &mut Vec<String>) {
    let mut places = Vec::new();
    collect(root, &mut Vec::new(), &mut places);
    if places.is_empty() {
        return;
    }
    let at = |index: &Index| index.get(&places).clone();
    match mutation {
        Mutation::Replace(place, value) => put(root, &at(place), value.clone(), keys),
        Mutation::Drop(place) => {
            let place = at(place);
            keys.extend(place.iter().cloned());
            remove(root, &place);
        }
        Mutation::Add(place, key, value) => {
            let place = at(place);
            let parent = place[..place.len() - 1].to_vec();
            if let Some(Value::Table(table)) = get(root, &parent) {
                keys.push(key.clone());
                keys.extend(parent);
                collect_keys(value, keys);
                table.insert(key.clone(), value.clone());
            }
        }
        Mutation::Rename(place, key) => {
            let mut place = at(place);
            keys.extend(place.iter().cloned());
            if let (Some(value), Some(last)) = (remove(root, &place), place.last_mut()) {
                last.clone_from(key);
                put(root, &place, value, keys);
            }
        }
        Mutation::Swap(one, other) => {
            let (one, other) = (at(one), at(other));
            let values = (get(root, &one).cloned(), get(root, &other).cloned());
            if let (Some(first), Some(second)) = values {
                put(root, &one, second, keys);
                put(root, &other, first, keys);
            }
        }
        Mutation::Copy(from, to) => {
            if let Some(value) = get(root, &at(from)).cloned() {
                put(root, &at(to), value, keys);
            }
        }
        Mutation::Nudge(place, by) => {
            let place = at(place);
            if let Some(value) = get(root, &place) {
                nudge(value, *by);
                keys.extend(place);
            }
        }
        Mutation::Wrap(place, key, times) => {
            let place = at(place);
            let Some(mut value) = get(root, &place).cloned() else { return };
            for _ in 0..*times {
                value = match key {
                    None => Value::Array(vec![value]),
                    Some(key) => Value::Table([(key.clone(), value)].into_iter().collect()),
                };
            }
            put(root, &place, value, keys);
        }
    }
}

fn nudge(value: &mut Value, by: i64) {
    match value {
        Value::Integer(number) => *number = number.wrapping_add(by),
        Value::Boolean(truth) => *truth = !*truth,
        Value::String(word) => {
            let sort = SORTS.iter().find_map(|sort| Some((sort, sort.iter().position(|known| known == word)?)));
            if let Some((sort, index)) = sort {
                *word = sort[(index as i64 + by).rem_euclid(sort.len() as i64) as usize].to_owned();
            }
        }
        _ => {}
    }
}

/// Every value below the root.
fn collect(value: &Value, place: &mut Place, places: &mut Vec<Place>) {
    let children: Vec<(String, &Value)> = match value {
        Value::Table(table) => table.iter().map(|(key, value)| (key.clone(), value)).collect(),
        Value::Array(list) => list.iter().enumerate().map(|(index, value)| (index.to_string(), value)).collect(),
        _ => Vec::new(),
    };
    for (step, child) in children {
        place.push(step);
        places.push(place.clone());
        collect(child, place, places);
        place.pop();
    }
}

fn collect_keys(value: &Value, keys: &mut Vec<String>) {
    let mut places = Vec::new();
    collect(value, &mut Vec::new(), &mut places);
    keys.extend(places.into_iter().filter_map(|mut place| place.pop()));
}

fn get<'a>(root: &'a mut Value, place: &[String]) -> Option<&'a mut Value> {
    place.iter().try_fold(root, |value, step| match value {
        Value::Table(table) => table.get_mut(step),
        Value::Array(list) => list.get_mut(step.parse::<usize>().ok()?),
        _ => None,
    })
}

/// Sets a value whose parent exists.
fn put(root: &mut Value, place: &Place, value: Value, keys: &mut Vec<String>) {
    let Some((last, parent)) = place.split_last() else { return };
    keys.extend(place.iter().cloned());
    collect_keys(&value, keys);
    match get(root, parent) {
        Some(Value::Table(table)) => drop(table.insert(last.clone(), value)),
        Some(Value::Array(list)) => {
            if let Some(slot) = last.parse().ok().and_then(|index: usize| list.get_mut(index)) {
                *slot = value;
            }
        }
        _ => {}
    }
}

fn remove(root: &mut Value, place: &Place) -> Option<Value> {
    let (last, parent) = place.split_last()?;
    match get(root, parent)? {
        Value::Table(table) => table.remove(last),
        Value::Array(list) => {
            last.parse().ok().filter(|&index: &usize| index < list.len()).map(|index| list.remove(index))
        }
        _ => None,
    }
}
