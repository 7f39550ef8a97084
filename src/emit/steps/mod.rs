//! The module of a list of steps: products, instances of each link's operations, the encoding.

mod delay;
mod link;
mod operations;
mod runs;

use serde::Serialize;
use tera::Context;

use super::instance::{Group, NON_FINITE, code};
use super::wording::{conversion, formats, latency, subnormals};
use crate::describe::arithmetic::InputSubnormals;
use crate::describe::format::Format;
use crate::describe::plan::{InputPlan, NumberPlan, Registers, Source, StepsPlan, SumKind};
use crate::describe::unit::Unit;

use runs::{Entering, entering};

/// An instance of a module of `rtl/lib`, in lines.
#[derive(Debug, Clone, Serialize)]
#[serde(transparent)]
struct Instance(Vec<String>);

impl Instance {
    fn new(module: &str, name: &str, parameters: Vec<(&str, String)>, ports: Vec<(String, String)>) -> Instance {
        let lines = |given: Vec<(String, String)>| {
            let mut lines = Group { comment: String::new(), parameters: given }.lines();
            if let Some(last) = lines.last_mut() {
                last.pop();
            }
            lines.into_iter().map(|line| format!("    {line}")).collect::<Vec<String>>()
        };
        let parameters = parameters.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        let (first, middle, last) = (format!("{module} #("), format!(") {name} ("), ");".to_owned());
        Instance([vec![first], lines(parameters), vec![middle], lines(ports), vec![last]].concat())
    }
}

/// The declarations of a number's parts; of so many numbers, where they are several.
fn declared(prefix: &str, widths: Widths, count: Option<&str>) -> Vec<String> {
    let range = |width: u32| match count {
        None => format!("[{}:0]", width - 1),
        Some(count) if width == 1 => format!("[{count}-1:0]"),
        Some(count) => format!("[{count}*{width}-1:0]"),
    };
    let bit = if count.is_some() { range(1) + " " } else { String::new() };
    let bits = ["negative", "absent", "infinite", "nan"].map(|part| format!("{prefix}_{part}")).join(", ");
    // A width of 1 keeps its range: it is sliced as any other.
    vec![
        format!("logic {bit}{bits};"),
        format!("logic {} {prefix}_exponent;", range(widths.exponent)),
        format!("logic {} {prefix}_significand;", range(widths.significand)),
    ]
}

/// Names of all parts, and of those that products and roundings read.
const ALL: [&str; 6] = ["negative", "exponent", "significand", "absent", "infinite", "nan"];
const READ: [&str; 5] = ["negative", "exponent", "significand", "infinite", "nan"];

/// Bits of the parts of a number that is passed on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
struct Widths {
    exponent: u32,
    significand: u32,
}

impl Widths {
    fn of(number: &NumberPlan) -> Widths {
        Widths { exponent: number.exponent_width(), significand: number.width().max(1) }
    }

    /// A part of the number at some place among several.
    fn element(self, prefix: &str, place: &str, part: &str) -> String {
        match part {
            "exponent" => format!("{prefix}_exponent[{place}*{0} +: {0}]", self.exponent),
            "significand" => format!("{prefix}_significand[{place}*{0} +: {0}]", self.significand),
            part => format!("{prefix}_{part}[{place}]"),
        }
    }
}

/// The number that stands for a treatment of subnormal numbers.
fn flush_code(flush: InputSubnormals) -> u32 {
    match flush {
        InputSubnormals::Kept => 0,
        InputSubnormals::Flushed => 1,
        InputSubnormals::FlushedToPlusZero => 2,
    }
}

/// The ports of a number: each part with an ending and what it is connected to.
fn number_ports(prefix: &str, ending: &str, signal: impl Fn(&str) -> String, parts: &[&str]) -> Vec<(String, String)> {
    let prefix = if prefix.is_empty() { String::new() } else { format!("{prefix}_") };
    parts.iter().map(|part| (format!("{prefix}{part}_{ending}"), signal(part))).collect()
}

/// The parameters of an operand's format, and how it becomes a number.
fn operand(name: &str, format: &Format, input: &InputPlan, port: &str, prefix: &str, place: &str) -> Instance {
    let widths = Widths::of(&input.number);
    let number = |value: i64| value.to_string();
    let flush = if input.number.subnormal_bits.is_some() { flush_code(input.flushed) } else { 0 };
    let parameters = vec![
        ("SignBits", number(format.signed.into())),
        ("ExponentBits", number(format.exponent_bits.into())),
        ("FractionBits", number(format.fraction_bits.into())),
        ("PaddingBits", number(format.padding_bits.into())),
        ("Bias", number(format.bias.into())),
        ("NonFinite", code(&NON_FINITE, format.non_finite).to_string()),
        ("Widened", number(input.widened.is_some().into())),
        ("ExponentMin", number(input.number.exponent_min.into())),
        ("Flush", flush.to_string()),
        ("SubnormalBits", number(input.number.subnormal_bits.unwrap_or(0).into())),
        ("ExponentWidth", number(widths.exponent.into())),
    ];
    let part = |part: &str| match place {
        "" => format!("{prefix}_{part}"),
        place => widths.element(prefix, place, part),
    };
    let mut ports = vec![("operand_i".to_owned(), port.to_owned())];
    ports.extend(number_ports("", "o", part, &ALL));
    Instance::new("tensorsmith_operand", name, parameters, ports)
}

/// Whether an operand is a signalling NaN: its top fraction bit is 0, in formats that have some.
fn signalling(prefix: &str, input: &InputPlan) -> String {
    match input.operand.has_signalling_nan {
        true => format!("{prefix}_nan && !{prefix}_significand[{}]", input.operand.fraction_bits - 1),
        false => "1'b0".to_owned(),
    }
}

/// The lines that negate or flush a number before it enters the next link: `from` are its parts before, `to` those behind.
fn left(entering: Entering, number: &NumberPlan, from: &str, to: &dyn Fn(&str) -> String) -> Vec<String> {
    let flush = flush_code(entering.flush);
    let flushed: &[&str] = if flush > 0 { &["negative", "significand", "absent"] } else { &[] };
    let negative = if entering.negate { format!("!{from}_negative") } else { format!("{from}_negative") };
    let value = |part: &str| if part == "negative" { negative.clone() } else { format!("{from}_{part}") };
    let passed = ALL.into_iter().filter(|part| !flushed.contains(part));
    let mut lines: Vec<String> = passed.map(|part| format!("assign {} = {};", to(part), value(part))).collect();
    if flush > 0 {
        let parameters = vec![
            ("SignificandWidth", number.width().max(1).to_string()),
            ("SubnormalBits", number.subnormal_bits.unwrap_or(0).to_string()),
            ("Flush", flush.to_string()),
        ];
        let mut ports = number_ports("", "i", value, flushed);
        ports.push(("special_i".to_owned(), format!("{from}_infinite || {from}_nan")));
        ports.extend(number_ports("", "o", to, flushed));
        lines.extend(Instance::new("tensorsmith_flush", "u_flush", parameters, ports).0);
    }
    lines
}

/// The rows of the parameter table.
pub(super) fn table(unit: &Unit) -> Vec<(String, String)> {
    let mut rows = vec![("products".to_owned(), unit.products.to_string()), ("formats".to_owned(), formats(unit))];
    rows.extend(unit.step_texts().iter().enumerate().map(|(index, text)| {
        let fields: Vec<&str> = text.lines().collect();
        let fields = if fields.is_empty() { "all numbers at once".to_owned() } else { fields.join(", ") };
        (format!("step {}", index + 1), fields)
    }));
    rows.extend([
        ("conversion".to_owned(), format!("\"d\" is {}", conversion(unit))),
        ("subnormals".to_owned(), subnormals(unit)),
        ("NaN and zero".to_owned(), format!("every NaN is {:#x}, zero sums as the steps say", unit.conversion.nan)),
        ("latency".to_owned(), latency(unit)),
    ]);
    rows
}

/// Bits of every kind of sum.
pub(super) fn picture(unit: &Unit, plan: &StepsPlan) -> Vec<String> {
    let runs = runs::runs(plan, &Registers::of(unit, plan));
    let line = |run: &runs::Run| {
        let sum = &plan.links[run.first].sum;
        let (bits, fraction) = (sum.width, sum.number.fraction_bits);
        let last = run.first + run.count - 1;
        let links = if run.count == 1 { format!("link {last}") } else { format!("links {} to {last}", run.first) };
        match sum.kind {
            SumKind::Window { fraction_bits, .. } => {
                format!("{links}  {bits} bits with a sign, the last one weighs 2^(anchor - {fraction_bits})")
            }
            SumKind::Exact { place } => format!("{links}  {bits} bits with a sign, the last one weighs 2^{place}"),
            SumKind::Single { .. } => format!("{links}  one number, with {fraction} fraction bits"),
        }
    };
    runs.iter().map(line).collect()
}

/// The values that only the template of a list of steps prints.
pub(super) fn context(unit: &Unit, plan: &StepsPlan, context: &mut Context) {
    let formats = &unit.formats;
    let registers = Registers::of(unit, plan);
    let widths = |input: &InputPlan| Widths::of(&input.number);
    products(unit, plan, &registers, context);
    if let Some(c) = &plan.c {
        let declared = [declared("unpacked_c", widths(c), None), declared("c", widths(c), None)].concat();
        context.insert("c_declared", &declared);
        let edges = registers.operand(plan, Source::Addend);
        let word = if edges > 0 { "c_word" } else { "c_i" };
        if edges > 0 {
            let delay = delay::delayed("u_wait_c", "AddendWidth", &edges.to_string(), "c_i", "c_word");
            context.insert("c_delay", &delay);
        }
        context.insert("c_instance", &operand("u_c", &formats.c, c, word, "unpacked_c", ""));
        context.insert(
            "c_left",
            &left(entering(plan, Source::Addend), &c.number, "unpacked_c", &|part| format!("c_{part}")),
        );
        let signalling = signalling("unpacked_c", c);
        let rest = registers.latency() - edges;
        if rest > 0 {
            let raised = delay::delayed("u_c_raised", "1", &rest.to_string(), &signalling, "c_raised");
            context.insert("c_raised", &raised);
        }
        context.insert("c_signalling", &signalling);
    }
    if let (Some(formats), Some([a, b])) = (&unit.scales, &plan.scales) {
        let wide = [widths(a), widths(b), Widths::of(&plan.scale)];
        context.insert("scales_declared", &declared("scale", wide[2], Some("Scales")));
        context.insert("scales_parts", &ALL.map(|part| format!("scale_{part}")).join(", "));
        let factors = [declared("a", wide[0], None), declared("b", wide[1], None)].concat();
        context.insert("scale_factors_declared", &factors);
        let out = |part: &str| match part {
            "invalid" => "unused_invalid".to_owned(),
            part => wide[2].element("scale", "i", part),
        };
        let instances = [
            operand("u_a", &formats.a, a, "scale_a_i[i*ScaleAWidth +: ScaleAWidth]", "a", ""),
            operand("u_b", &formats.b, b, "scale_b_i[i*ScaleBWidth +: ScaleBWidth]", "b", ""),
            product(wide, [&|part| format!("a_{part}"), &|part| format!("b_{part}"), &out]),
        ];
        context.insert("scale_instances", &instances);
    }
    let runs = runs::runs(plan, &registers);
    let texts: Vec<link::RunText> =
        (0..runs.len()).map(|place| link::text(plan, &registers, &runs[..place], runs[place], unit)).collect();
    context.insert("runs", &texts);
    context.insert("links", &plan.links.len());
    let last = runs.last().map_or(0, |run| run.first);
    let index = runs.last().map_or(0, |run| run.count - 1);
    context.insert("pack_instance", &pack(unit, plan, &format!("gen_link_{last}[{index}].number")));
    if registers.are_behind_result() {
        context.insert("result_delay", &delay::delayed("u_result", "ResultWidth", "1", "packed_word", "d_o"));
    }
}

/// The ports of a module that may have registers; a constant clock where the unit has none.
fn clock(unit: &Unit) -> [(String, String); 2] {
    let signal = |name: &str| if unit.latency() == 0 { "1'b0".to_owned() } else { name.to_owned() };
    ["clk_i", "ce_i"].map(|name| (name.to_owned(), signal(name)))
}

/// The values of the loop of products.
fn products(unit: &Unit, plan: &StepsPlan, registers: &Registers, context: &mut Context) {
    let formats = &unit.formats;
    let widths = |input: &InputPlan| Widths::of(&input.number);
    context.insert("product_declared", &declared("product", Widths::of(&plan.product), Some("Products")));
    let mut factors = [declared("a", widths(&plan.a), None), declared("b", widths(&plan.b), None)].concat();
    if registers.are_behind_products() {
        factors.extend(declared("exact", Widths::of(&plan.product), None));
    }
    context.insert("factors_declared", &factors);
    let words = words(unit, plan, registers, context);
    let [a, b] = &words;
    let a = operand("u_a", &formats.a, &plan.a, a, "a", "");
    let b = operand("u_b", &formats.b, &plan.b, b, "b", "");
    let product_widths = Widths::of(&plan.product);
    let mut instances = vec![a, b];
    let element = |part: &str| product_widths.element("product", "i", part);
    let exact = |part: &str| match part {
        "invalid" => element(part),
        part => format!("exact_{part}"),
    };
    let out: &dyn Fn(&str) -> String = if registers.are_behind_products() { &exact } else { &element };
    let (a, b) = (|part: &str| format!("a_{part}"), |part: &str| format!("b_{part}"));
    let wide = [widths(&plan.a), widths(&plan.b), product_widths];
    instances.push(product(wide, [&a, &b, out]));
    if registers.are_behind_products() {
        instances.push(delay::number("u_register", product_widths, "1", &exact, &element));
    }
    context.insert("product_instances", &instances);
    context.insert("a_signalling", &signalling("a", &plan.a));
    context.insert("b_signalling", &signalling("b", &plan.b));
}

/// The words of a product's factors, behind registers where they wait; and the edges that its flags wait for the result.
fn words(unit: &Unit, plan: &StepsPlan, registers: &Registers, context: &mut Context) -> [String; 2] {
    let waits: Vec<u32> = (0..unit.products).map(|index| registers.operand(plan, Source::Product(index))).collect();
    let rests: Vec<u32> = waits.iter().map(|waited| registers.latency() - *waited).collect();
    let words = ["a_i[i*OperandAWidth +: OperandAWidth]", "b_i[i*OperandBWidth +: OperandBWidth]"];
    let mut tables = Vec::new();
    if plan.flags && rests.iter().any(|edges| *edges > 0) {
        let (edges, table) = delay::edges("FlagEdges", &rests);
        let raised = "product_signalling[i] || product_invalid[i]";
        context.insert("product_raised", &delay::delayed("u_raised", "1", &edges, raised, "product_raised[i]"));
        tables.extend(table);
    }
    let words = match waits.iter().any(|edges| *edges > 0) {
        false => words.map(str::to_owned),
        true => {
            let (edges, table) = delay::edges("FactorEdges", &waits);
            tables.extend(table);
            let value = format!("{{{}}}", words.join(", "));
            let delay = delay::delayed("u_wait", "OperandAWidth + OperandBWidth", &edges, &value, "{word_a, word_b}");
            context.insert("factors_delay", &delay);
            ["word_a", "word_b"].map(str::to_owned)
        }
    };
    context.insert("tables", &tables);
    words
}

/// The instance of the exact product of two numbers: their widths and the product's, and each one's parts.
fn product(widths: [Widths; 3], [x, y, out]: [&dyn Fn(&str) -> String; 3]) -> Instance {
    let [wide_x, wide_y, wide] = widths;
    let parameters = vec![
        ("ExponentXWidth", wide_x.exponent.to_string()),
        ("ExponentYWidth", wide_y.exponent.to_string()),
        ("SignificandXWidth", wide_x.significand.to_string()),
        ("SignificandYWidth", wide_y.significand.to_string()),
        ("ExponentWidth", wide.exponent.to_string()),
        ("SignificandWidth", wide.significand.to_string()),
    ];
    let mut ports = number_ports("x", "i", x, &READ);
    ports.extend(number_ports("y", "i", y, &READ));
    ports.extend(number_ports("", "o", out, &ALL));
    ports.push(("invalid_o".to_owned(), out("invalid")));
    Instance::new("tensorsmith_number_product", "u_product", parameters, ports)
}

/// The instance of the encoding.
fn pack(unit: &Unit, plan: &StepsPlan, number: &str) -> Instance {
    let (format, result) = (&unit.formats.d, &plan.result);
    let last = plan.links.last().map_or_else(NumberPlan::zero, |link| link.number.clone());
    let fields = format.exponent_bits + format.fraction_bits;
    let parameters = vec![
        ("ExponentWidth", last.exponent_width().to_string()),
        ("ExponentBits", format.exponent_bits.to_string()),
        ("FractionBits", format.fraction_bits.to_string()),
        ("PaddingBits", format.padding_bits.to_string()),
        ("ExponentMin", result.exponent_min.to_string()),
        ("HasInfinity", u32::from(result.infinity_magnitude.is_some()).to_string()),
        ("InfinityMagnitude", format!("{fields}'h{:x}", result.infinity_magnitude.unwrap_or(0))),
        ("NanWord", format!("{}'h{:x}", format.width(), result.nan)),
    ];
    let part = |part: &str| format!("{number}_{part}");
    let mut ports = number_ports("", "i", part, &READ);
    ports.push(("d_o".to_owned(), "packed_word".to_owned()));
    Instance::new("tensorsmith_number_pack", "u_pack", parameters, ports)
}
