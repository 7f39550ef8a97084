//! Every encoding of a format in another one, in RTL as `Conversion` has it.

use std::fmt::Write as _;
use std::process::Command;

use tensorsmith::describe::catalogue;
use tensorsmith::describe::format::{Class, Format};
use tensorsmith::emit::{self, tile};
use tensorsmith::engine::conversion::Conversion;

use super::support;

fn format(name: &str) -> Format {
    Format::named(name).expect("a format")
}

/// Formats of more bits are asked for so many encodings, as a power of two; 32 bits at most.
const DRAWN: u32 = 16;
/// An odd number, by which their upper bits follow from the lower ones.
const FACTOR: u64 = 40_503;

/// A format of few bits.
fn small(exponent_bits: u32, fraction_bits: u32, bias: i32) -> Format {
    let half = format("binary16");
    Format { name: format!("e{exponent_bits}m{fraction_bits} bias {bias}"), exponent_bits, fraction_bits, bias, ..half }
}

/// Formats that every instruction widens; then others: exponents that reach lower, a little lower, not lower, and the target's
/// subnormals.
fn pairs() -> Vec<[Format; 2]> {
    let mut pairs: Vec<[Format; 2]> = Vec::new();
    for instruction in catalogue::instructions() {
        let unit = &instruction.unit.formats;
        let [a, b] = if instruction.exchanged() { [&unit.b, &unit.a] } else { [&unit.a, &unit.b] };
        let adder = instruction.final_addition.as_ref().unwrap_or(&instruction.unit);
        let all = [(&instruction.a, a), (&instruction.b, b), (&instruction.c, &adder.formats.c), (&unit.d, &unit.c)];
        for (from, to) in all {
            let pair = [from.clone(), to.clone()];
            if from != to && to.holds(from) && !pairs.contains(&pair) {
                pairs.push(pair);
            }
        }
    }
    let names = [
        ("binary16", "binary32"),
        ("bfloat16", "binary32"),
        ("binary16", "binary64"),
        ("e4m3", "binary16"),
        ("e5m2", "binary16"),
        ("e2m1", "e4m3"),
        ("e3m2", "bfloat16"),
        ("e4m3fnuz", "bfloat16"),
        ("e5m2fnuz", "binary16"),
    ];
    pairs.extend(names.map(|(from, to)| [format(from), format(to)]));
    pairs.extend([
        [small(4, 3, 7), small(5, 6, 8)],
        [small(4, 3, 7), small(5, 6, 7)],
        [small(4, 3, 9), small(5, 8, 7)],
        [small(4, 3, 9), small(5, 4, 9)],
    ]);
    assert!(pairs.iter().all(|[from, to]| to.holds(from)), "a target that does not hold its source");
    pairs
}

/// The text of a bench that prints every encoding in the target, pair after pair.
fn bench(pairs: &[[Format; 2]]) -> String {
    let mut text = "module bench;\n".to_owned();
    let mut body = String::new();
    for (index, [from, to]) in pairs.iter().enumerate() {
        let parameters: Vec<String> = tile::widening(from, to).iter().map(|line| format!("    {line}\n")).collect();
        let (from, to) = (from.width(), to.width());
        let _ = write!(
            text,
            "  logic [{}:0] from_{index};\n  logic [{}:0] to_{index};\n  tensorsmith_widen #(\n{}  ) u_{index} (.number_i(from_{index}), .number_o(to_{index}));\n",
            from - 1,
            to - 1,
            parameters.concat()
        );
        let number =
            if from > DRAWN { format!("{{16'(n * {FACTOR}), 16'(n)}} >> {}", 32 - from) } else { "n".to_owned() };
        let _ = writeln!(
            body,
            "    for (int n = 0; n < {}; n++) begin from_{index} = {from}'({number}); #1 $display(\"%0h\", to_{index}); end",
            1_u32 << from.min(DRAWN)
        );
    }
    text + "  initial begin\n" + &body + "  end\nendmodule\n"
}

/// What the bench prints in Icarus Verilog, of sources changed in a way.
fn printed(pairs: &[[Format; 2]], change: impl Fn(&str) -> String) -> Option<Vec<u64>> {
    let folder = tempfile::tempdir().expect("a folder");
    let mut names = Vec::new();
    let mut write = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).expect("written");
        names.push(name.to_owned());
    };
    for module in ["tensorsmith_unpack", "tensorsmith_leading_zeros"] {
        emit::library(module).iter().for_each(|file| write(&file.name, &file.text));
    }
    let (name, text) = tile::MODULES.iter().find(|(name, _)| name.contains("widen")).expect("a module of tiles");
    write(name, &change(text));
    write("bench.sv", &bench(pairs));
    let run = |program: &str, arguments: &[&str]| {
        Command::new(program)
            .current_dir(folder.path())
            .args(arguments)
            .args(if program == "vvp" { &[] } else { &names[..] })
            .output()
    };
    let Ok(compiled) = run("iverilog", &["-g2012", "-Wall", "-o", "bench"]) else {
        support::skip("icarus", "iverilog is not on PATH");
        return None;
    };
    assert!(compiled.status.success() && compiled.stderr.is_empty(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let ran = run("vvp", &["bench"]).expect("vvp is there");
    let text = String::from_utf8_lossy(&ran.stdout).into_owned();
    Some(text.lines().map(|line| u64::from_str_radix(line, 16).expect("a number")).collect())
}

fn expected(pairs: &[[Format; 2]]) -> Vec<u64> {
    let all = |[from, to]: &[Format; 2]| {
        let conversion = Conversion::new(from, to).expect("it holds it");
        let number = |n: u64| match from.width() {
            width if width > DRAWN => (((n * FACTOR) & 0xffff) << 16 | n) >> (32 - width),
            _ => n,
        };
        (0..1 << from.width().min(DRAWN)).map(|n| conversion.apply(number(n))).collect::<Vec<u64>>()
    };
    pairs.iter().flat_map(all).collect()
}

#[test]
fn every_encoding_is_widened() {
    let pairs = pairs();
    let expected = expected(&pairs);
    let Some(found) = printed(&pairs, str::to_owned) else { return };
    assert_eq!(found.len(), expected.len());
    let mut place = 0;
    for [from, to] in &pairs {
        for _ in 0..1 << from.width().min(DRAWN) {
            let both = [found[place], expected[place]];
            // The emulator keeps the bits of a NaN where a format only loses its padding.
            let nan = from.width() > DRAWN && both.iter().all(|&bits| to.decode(bits).class == Class::Nan);
            assert!(nan || both[0] == both[1], "{} to {}: {both:x?} in place {place}", from.name, to.name);
            place += 1;
        }
    }
    println!("{} pairs of formats, {} encodings, 0 differ", pairs.len(), found.len());
}

/// A change of each part is seen.
#[test]
fn wrong_widening_is_found() {
    let pairs =
        [[small(4, 3, 7), small(5, 6, 8)], [small(4, 3, 9), small(5, 8, 7)], [format("e4m3"), format("binary16")]];
    let expected = expected(&pairs);
    for (from, to) in [
        ("significand << zeros", "significand << 1"),
        ("weight < ExponentWidth'(ToLeast)", "weight <= ExponentWidth'(ToLeast)"),
        ("nan ? Nan", "1'b0 ? Nan"),
        ("infinite ? '1", "1'b0 ? '1"),
        (": negative;", ": 1'b0;"),
        ("below ? '0", "1'b0 ? '0"),
    ] {
        let Some(found) = printed(&pairs, |text| support::replaced(text, from, to)) else { return };
        assert!(found != expected, "{to:?} is not found");
    }
}
