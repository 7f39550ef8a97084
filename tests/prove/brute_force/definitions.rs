//! Properties on all inputs of a unit, from the definitions of its formats and from the emulator's answers.

use super::units::BITS_OF_STAGES;
use dashu_int::IBig;
use tensorsmith::describe::format::{Class, Format, low_mask};
use tensorsmith::describe::plan::FusedPlan;
use tensorsmith::describe::unit::{Scheme, Unit};
use tensorsmith::engine::{Batch, Emulator, Engine, Trace, Vector};

/// How two results are ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// IEEE 754-2019, 5.11: NaN is neither less nor greater than anything.
    Unordered,
    /// Wrong on purpose: a NaN is the number that its exponent and fraction fields would mean.
    NanIsNumber,
}

/// All inputs of a unit, with what it answers. Bits of an index, from the lowest: c, then a and b product by product, then scales.
pub struct Inputs {
    unit: Unit,
    batch: Batch,
    answers: Vec<u64>,
}

impl Inputs {
    pub fn of(unit: &Unit) -> Inputs {
        let (formats, scales) = (&unit.formats, unit.interface().scale_widths());
        let mut batch = Batch::of_unit(unit);
        for index in 0..1u64 << super::units::bits(unit) {
            let mut left = index;
            let mut take = |width: u32| {
                let bits = left & low_mask(width);
                left >>= width;
                bits
            };
            let mut vector = Vector { c: take(formats.c.width()), ..Vector::default() };
            for _ in 0..unit.products {
                vector.a.push(take(formats.a.width()));
                vector.b.push(take(formats.b.width()));
            }
            for _ in 0..unit.scale_count() {
                vector.scale_a.push(take(scales[0]));
                vector.scale_b.push(take(scales[1]));
            }
            batch.push(&vector);
        }
        let answers = answers(unit, &batch);
        Inputs { unit: unit.clone(), batch, answers }
    }

    pub fn len(&self) -> u64 {
        self.answers.len() as u64
    }

    fn vectors(&self) -> impl Iterator<Item = (Vector, u64)> {
        (0..self.batch.len()).map(|v| (self.batch.vector(v), self.answers[v]))
    }

    /// Vectors whose operands are numbers.
    fn finite(&self) -> impl Iterator<Item = (Vector, u64)> {
        let formats = &self.unit.formats;
        let number = |format: &Format, bits: &u64| format.decode(*bits).is_finite();
        self.vectors().filter(move |(vector, _)| {
            let c = !formats.has_addend() || number(&formats.c, &vector.c);
            c && vector.a.iter().all(|a| number(&formats.a, a)) && vector.b.iter().all(|b| number(&formats.b, b))
        })
    }
}

fn answers(unit: &Unit, batch: &Batch) -> Vec<u64> {
    Emulator::uncounted(unit).answers(batch).expect("emulators answer")
}

/// Whether a property holds; none where it is not decided here.
pub fn holds(property: &str, inputs: &Inputs, order: Order) -> Option<bool> {
    let unit = &inputs.unit;
    let derived = || FusedPlan::of(unit).carry_bits_derived;
    let same = |unit: &Unit, [one, other]: [u32; 2]| {
        with_carry_bits(unit, one, inputs) == with_carry_bits(unit, other, inputs)
    };
    let normalised = || {
        let mut unit = unit.clone();
        unit.alignment_mut().normalise_products = true;
        unit
    };
    Some(match property {
        "monotone" => monotone(inputs, order),
        "operand-order" => operand_order(inputs),
        "special-values" => inputs.vectors().all(|(vector, answer)| special(unit, &vector, answer)),
        "conversion-rounded" | "truncation-error" | "no-overflow" | "products-exact" | "anchor-greatest"
            if super::units::bits(unit) > BITS_OF_STAGES =>
        {
            return None;
        }
        "conversion-rounded" => inputs.finite().all(|(vector, answer)| rounded(unit, &vector, answer)),
        "truncation-error" => inputs.vectors().all(|(vector, _)| cut_toward_zero(unit, &vector)),
        "products-exact" => inputs.finite().all(|(vector, _)| exact_products(unit, &vector, &trace(unit, &vector))),
        "anchor-greatest" => inputs.finite().all(|(vector, _)| greatest_anchor(unit, &vector, &trace(unit, &vector))),
        "no-overflow" => inputs.vectors().all(|(vector, _)| fits(unit, &vector)),
        "slices-exact" => inputs.vectors().all(|(vector, answer)| exact_slices(unit, &vector, answer)),
        "carry-bits-sufficient" => {
            let own = FusedPlan::of(unit).carry_bits;
            same(unit, [own, if own < derived() { derived() } else { derived() + 1 }])
        }
        "carry-bits-necessary" => !same(unit, [derived(), derived() - 1]),
        "carry-bits-sufficient-normalised" => same(&normalised(), [derived() - 1, derived()]),
        "carry-bits-necessary-normalised" => !same(&normalised(), [derived() - 1, derived() - 2]),
        _ => return None,
    })
}

/// Answers to numbers with so many carry bits.
fn with_carry_bits(unit: &Unit, bits: u32, inputs: &Inputs) -> Vec<u64> {
    let unit = Unit { carry_bits: Some(bits), ..unit.clone() };
    let mut batch = Batch::of_unit(&unit);
    inputs.finite().for_each(|(vector, _)| batch.push(&vector));
    answers(&unit, &batch)
}

fn number(format: &Format, bits: u64, order: Order) -> Option<f64> {
    match (format.decode(bits).class, order) {
        (Class::Nan, Order::Unordered) => None,
        (Class::Nan, Order::NanIsNumber) => {
            let Format { fraction_bits, bias, .. } = *format;
            let (field, fraction) =
                (format.magnitude(bits) >> fraction_bits, format.magnitude(bits) & low_mask(fraction_bits));
            let significand = (fraction + (u64::from(field > 0) << fraction_bits)) as f64;
            let number = significand * 2f64.powi(field.max(1) as i32 - bias - fraction_bits as i32);
            Some(if bits & format.sign_bit() == 0 { number } else { -number })
        }
        _ => Some(format.to_f64(bits)),
    }
}

fn monotone(inputs: &Inputs, order: Order) -> bool {
    let formats = &inputs.unit.formats;
    let mut finite = inputs.finite().peekable();
    // c has the lowest bits of an index: vectors alike in all else follow each other.
    while let Some((first, answer)) = finite.next() {
        let mut results = vec![(first.c, answer)];
        while let Some((next, answer)) = finite.next_if(|(next, _)| next.a == first.a && next.b == first.b) {
            results.push((next.c, answer));
        }
        let numbers = results.iter().filter_map(|(c, d)| Some((formats.c.to_f64(*c), number(&formats.d, *d, order)?)));
        let numbers: Vec<(f64, f64)> = numbers.collect();
        let decreases = |(c, d): &(f64, f64)| numbers.iter().any(|(greater, less)| c < greater && less < d);
        if numbers.iter().any(decreases) {
            return false;
        }
    }
    true
}

fn operand_order(inputs: &Inputs) -> bool {
    let mut exchanged = Batch::of_unit(&inputs.unit);
    for (mut vector, _) in inputs.vectors() {
        vector.a.swap(0, 1);
        vector.b.swap(0, 1);
        exchanged.push(&vector);
    }
    answers(&inputs.unit, &exchanged) == inputs.answers
}

/// A class after subnormals are flushed.
fn class(format: &Format, bits: u64, flushed: bool) -> (Class, bool) {
    let decoded = format.decode(bits);
    match decoded.class {
        Class::Subnormal if flushed => (Class::Zero, decoded.negative),
        class => (class, decoded.negative),
    }
}

fn special(unit: &Unit, vector: &Vector, answer: u64) -> bool {
    let (formats, flush) = (&unit.formats, &unit.flush);
    let (mut nan, mut infinite) = (false, [false; 2]);
    for (a, b) in vector.a.iter().zip(&vector.b) {
        let (a, b) = (class(&formats.a, *a, flush.operands), class(&formats.b, *b, flush.operands));
        let either = |class: Class| a.0 == class || b.0 == class;
        nan |= either(Class::Nan) || (either(Class::Infinite) && either(Class::Zero));
        infinite[usize::from(a.1 != b.1)] |= either(Class::Infinite) && !either(Class::Nan);
    }
    if formats.has_addend() {
        let c = class(&formats.c, vector.c, flush.addend);
        nan |= c.0 == Class::Nan;
        infinite[usize::from(c.1)] |= c.0 == Class::Infinite;
    }
    let d = &formats.d;
    let answer = answer & d.mask();
    match (nan, infinite) {
        (true, _) | (_, [true, true]) => answer == unit.conversion.nan,
        (_, [true, false]) => Some(answer) == d.infinity(false),
        (_, [false, true]) => Some(answer) == d.infinity(true),
        _ => d.decode(answer).class != Class::Nan,
    }
}

fn trace(unit: &Unit, vector: &Vector) -> Trace {
    Emulator::uncounted(unit).trace_of(vector).expect("a vector of the unit")
}

fn signal(trace: &Trace, name: &str) -> Vec<i64> {
    let (_, values) = trace.values.iter().find(|(signal, _)| signal.name == name).expect("the signal");
    values.iter().map(|value| i64::try_from(value).expect("few bits")).collect()
}

/// Exponent of the last bit of an aligned sum.
fn place(unit: &Unit, trace: &Trace) -> i32 {
    signal(trace, "anchor")[0] as i32 - unit.alignment().fraction_bits as i32
}

fn rounded(unit: &Unit, vector: &Vector, answer: u64) -> bool {
    let (trace, d, conversion) = (trace(unit, vector), &unit.formats.d, &unit.conversion);
    let sum = signal(&trace, "sum")[0];
    let number = sum as f64 * 2f64.powi(place(unit, &trace));
    let magnitude = d.magnitude(d.from_f64(number, conversion.rounding, conversion.overflow));
    let negative = match sum {
        0 => conversion.zero_negative,
        _ => sum < 0 && !(magnitude == 0 && conversion.rounded_zero_positive),
    };
    answer & d.mask() == d.assemble(negative, magnitude)
}

fn cut_toward_zero(unit: &Unit, vector: &Vector) -> bool {
    let (trace, formats, flush) = (trace(unit, vector), &unit.formats, &unit.flush);
    let number = |format: &Format, bits: u64, flushed: bool| match class(format, bits, flushed).0 {
        Class::Zero => Some(0.0),
        _ => format.decode(bits).is_finite().then(|| format.to_f64(bits)),
    };
    let products = vector
        .a
        .iter()
        .zip(&vector.b)
        .map(|(a, b)| Some(number(&formats.a, *a, flush.operands)? * number(&formats.b, *b, flush.operands)?));
    let addend = formats.has_addend().then(|| number(&formats.c, vector.c, flush.addend));
    let Some(terms) = products.chain(addend).collect::<Option<Vec<f64>>>() else { return true };
    let (place, aligned) = (place(unit, &trace), signal(&trace, "aligned"));
    let cut = terms.iter().zip(&aligned).all(|(term, aligned)| (term * 2f64.powi(-place)).trunc() == *aligned as f64);
    cut && aligned.iter().sum::<i64>() == signal(&trace, "sum")[0]
}

/// A number's value, 0 where it is flushed.
fn value(format: &Format, bits: u64, flushed: bool) -> f64 {
    if class(format, bits, flushed).0 == Class::Zero { 0.0 } else { format.to_f64(bits) }
}

/// Whether the products of a trace are those of the operands, which are numbers, with their signs.
fn exact_products(unit: &Unit, vector: &Vector, trace: &Trace) -> bool {
    let (formats, flush) = (&unit.formats, unit.flush.operands);
    let [negative, exponent, significand] =
        ["negative", "exponent", "significand"].map(|what| signal(trace, &format!("product_{what}")));
    let fraction_bits = FusedPlan::of(unit).terms.fraction_bits as i32;
    vector.a.iter().zip(&vector.b).enumerate().all(|(index, (&a, &b))| {
        let own = significand[index] as f64 * 2f64.powi(exponent[index] as i32 - fraction_bits);
        let signs = formats.a.decode(a).negative != formats.b.decode(b).negative;
        let exact = value(&formats.a, a, flush) * value(&formats.b, b, flush);
        own == exact.abs() && (negative[index] != 0) == signs
    })
}

/// Whether the anchor of a trace is the greatest exponent of a term that is not zero, or the floor. Operands are numbers.
fn greatest_anchor(unit: &Unit, vector: &Vector, trace: &Trace) -> bool {
    let formats = &unit.formats;
    let exponent = |format: &Format, bits: u64, flushed: bool| {
        (value(format, bits, flushed) != 0.0).then(|| format.decode(bits).exponent)
    };
    let products = vector.a.iter().zip(&vector.b).filter_map(|(&a, &b)| {
        let flush = unit.flush.operands;
        Some(exponent(&formats.a, a, flush)? + exponent(&formats.b, b, flush)?)
    });
    let (mut greatest, mut lowest) = (products.max(), formats.a.exponent_min() + formats.b.exponent_min());
    if formats.has_addend() {
        greatest = greatest.max(exponent(&formats.c, vector.c, unit.flush.addend));
        lowest = lowest.min(formats.c.exponent_min());
    }
    let floor = unit.alignment().exponent_floor.map_or(lowest, |floor| lowest.max(floor));
    signal(trace, "anchor")[0] == i64::from(greatest.map_or(floor, |greatest| greatest.max(floor)))
}

/// Whether products and anchors of a unit are found wrong where another one is expected: with subnormals kept or flushed, and
/// with another floor.
pub fn other_stages_are_found(unit: &Unit) -> bool {
    let (inputs, mut flushed, mut raised) = (Inputs::of(unit), unit.clone(), unit.clone());
    flushed.flush.operands ^= true;
    raised.alignment_mut().exponent_floor = Some(100);
    let differs = |holds: &dyn Fn(&Vector, &Trace) -> bool| {
        inputs.finite().any(|(vector, _)| !holds(&vector, &trace(unit, &vector)))
    };
    differs(&|vector, trace| exact_products(&flushed, vector, trace))
        && differs(&|vector, trace| greatest_anchor(&raised, vector, trace))
}

/// Whether every stage fits its width.
fn fits(unit: &Unit, vector: &Vector) -> bool {
    trace(unit, vector).values.iter().all(|(signal, values)| {
        let (sign, width) = (usize::from(signal.signed), signal.width as usize);
        let high = IBig::ONE << (width - sign);
        let low = if signal.signed { -high.clone() } else { IBig::ZERO };
        values.iter().all(|value| low <= *value && *value < high)
    })
}

/// Whether products of slices of one bit, added to +0, have their exact sum.
fn exact_slices(unit: &Unit, vector: &Vector, answer: u64) -> bool {
    let formats = &unit.formats;
    let value = |format: &Format, bits: u64| match unit.scheme {
        Scheme::Integer => format.integer(bits) as f64,
        _ => format.to_f64(bits),
    };
    let list = |format: &Format, list: &[u64]| list.iter().map(|bits| value(format, *bits)).collect::<Vec<f64>>();
    let (a, b) = (list(&formats.a, &vector.a), list(&formats.b, &vector.b));
    let slices = a.iter().chain(&b).all(|slice| [-1.0, 0.0, 1.0].contains(slice));
    if vector.c != 0 || !slices {
        return true;
    }
    value(&formats.d, answer & formats.d.mask()) == a.iter().zip(&b).map(|(a, b)| a * b).sum::<f64>()
}
