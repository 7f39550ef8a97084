//! Every layout of `mma`: a one in each place of A, and of B, beside small numbers everywhere else, lands where it must.

use super::cute::*;
use super::driver::{Driver, isolated};
use super::kernels::{self, THREAD, gather, head, kernel, registers, scatter};
use super::values::{Numbers, encode, product};
use crate::support;

/// An instruction: its name behind `mma.sync.aligned.`, its formats in the catalogue's names, and where CuTe puts the
/// values of A, B, C and D.
struct Case {
    opcode: &'static str,
    shape: [usize; 3],
    formats: [&'static str; 4],
    layouts: [Layout; 4],
}

const fn case(opcode: &'static str, shape: [usize; 3], formats: [&'static str; 4], [a, b, c]: [Layout; 3]) -> Case {
    Case { opcode, shape, formats, layouts: [a, b, c, c] }
}

/// One multiplication.
struct Problem {
    a: Vec<i64>,
    b: Vec<i64>,
    c: Vec<i64>,
}

impl Case {
    /// A one in each place of A, then of B; everything else is small and random.
    fn problems(&self) -> Vec<Problem> {
        let [m, n, k] = self.shape;
        let mut numbers = Numbers::new(9);
        let low = |format: &str| if format.starts_with('u') { 0 } else { -1 };
        let one_hot = |elements: usize, place: usize| {
            let mut matrix = vec![0; elements];
            matrix[place] = 1;
            matrix
        };
        let mut problems = Vec::new();
        for place in 0..m * k {
            let b = numbers.matrix(n * k, low(self.formats[1]), 1);
            problems.push(Problem { a: one_hot(m * k, place), b, c: numbers.matrix(m * n, -3, 3) });
        }
        for place in 0..n * k {
            let a = numbers.matrix(m * k, low(self.formats[0]), 1);
            problems.push(Problem { a, b: one_hot(n * k, place), c: numbers.matrix(m * n, -3, 3) });
        }
        problems
    }

    fn registers(&self) -> [kernels::Registers; 4] {
        let names = ["ra", "rb", "rc", "rd"];
        [0, 1, 2, 3].map(|place| registers(names[place], self.formats[place], self.layouts[place].value_count()))
    }

    fn text(&self, head: &str) -> String {
        let [a, b, c, d] = self.registers();
        let declarations = [a, b, c, d].map(|registers| registers.declaration()).concat();
        let loads = [a.load(0), b.load(1), c.load(2)].concat();
        let operands = format!("{}, {}, {}, {}", d.vector(), a.vector(), b.vector(), c.vector());
        let multiply = format!("mma.sync.aligned.{} {operands};\n", self.opcode);
        kernel(head, 4, &format!("{THREAD}{declarations}{loads}{multiply}{}", d.store(3)))
    }

    /// The lane that holds what CuTe gives to `thread`: of a quad pair, the lanes of its group in both halves of the warp.
    fn lane(&self, matrix: usize, thread: usize) -> usize {
        if self.layouts[0].thread_count() == 32 { thread } else { 4 * matrix + thread % 4 + 16 * (thread / 4) }
    }

    /// What every register of every thread of the launch is loaded with.
    fn loaded(&self, operand: usize, problems: &[Problem], per_warp: usize) -> Vec<u8> {
        let [_, _, k] = self.shape;
        let (layout, format) = (self.layouts[operand], self.formats[operand]);
        let bytes = self.registers()[operand].bytes() * self.registers()[operand].count;
        let mut image = vec![0; problems.len() / per_warp * 32 * bytes];
        for (number, problem) in problems.iter().enumerate() {
            let (matrix, columns) = match operand {
                0 => (&problem.a, k),
                1 => (&problem.b, k),
                _ => (&problem.c, self.shape[1]),
            };
            let rows = if operand == 1 { self.shape[1] } else { self.shape[0] };
            let threads = scatter(layout, format, rows, |row, column| matrix[row * columns + column]);
            for (thread, held) in threads.iter().enumerate() {
                let lane = self.lane(number % per_warp, thread);
                image[(number / per_warp * 32 + lane) * bytes..][..held.len()].copy_from_slice(held);
            }
        }
        image
    }

    fn check(&self, driver: &Driver, head: &str) {
        let problems = self.problems();
        let per_warp = 32 / self.layouts[0].thread_count();
        let [m, n, _] = self.shape;
        let inputs = [0, 1, 2].map(|operand| self.loaded(operand, &problems, per_warp));
        let d = self.registers()[3];
        let (bytes, warps) = (d.count * d.bytes(), problems.len() / per_warp);
        let inputs = [inputs[0].as_slice(), &inputs[1], &inputs[2]];
        let written = driver.run(&self.text(head), warps as u32, 32, &inputs, warps * 32 * bytes);
        let written = written.unwrap_or_else(|failure| panic!("{}: {failure:?}", self.opcode));
        let layout = self.layouts[3];
        for (number, problem) in problems.iter().enumerate() {
            let expected = product(self.shape, &problem.a, &problem.b, &problem.c);
            let mut seen = vec![0; m * n];
            for thread in 0..layout.thread_count() {
                let lane = self.lane(number % per_warp, thread);
                let held = &written[(number / per_warp * 32 + lane) * bytes..][..bytes];
                for value in 0..layout.value_count() {
                    let (row, column) = layout.place(m, thread, value);
                    seen[row * n + column] += 1;
                    let (right, got) =
                        (encode(self.formats[3], expected[row * n + column]), gather(held, self.formats[3], value));
                    assert_eq!(got, right, "{} problem {number}, d[{row}][{column}]", self.opcode);
                }
            }
            assert!(seen.iter().all(|times| *times == 1), "{}: every element once", self.opcode);
        }
    }
}

const HALF: &str = "binary16";
const SINGLE: &str = "binary32";
const M16N8K8: [usize; 3] = [16, 8, 8];
const M16N8K16: [usize; 3] = [16, 8, 16];
const M16N8K32: [usize; 3] = [16, 8, 32];

/// In the ordinary tier every second of them.
fn run(cases: &[Case], version: &str, target: &str) {
    let driver = Driver::ready();
    support::sampled(cases, 2).iter().for_each(|case| case.check(&driver, &head(version, target)));
}

fn doubles() -> [Case; 4] {
    let formats = ["binary64"; 4];
    [
        case("m8n8k4.row.col.f64.f64.f64.f64", [8, 8, 4], formats, [X_8X4_WORD, X_8X4_WORD, C_8X8]),
        case("m16n8k4.row.col.f64.f64.f64.f64", [16, 8, 4], formats, [A_16X4_WORD, X_8X4_WORD, C_16X8]),
        case("m16n8k8.row.col.f64.f64.f64.f64.rn", M16N8K8, formats, [A_16X8_WORD, B_8X8_WORD, C_16X8]),
        case("m16n8k16.row.col.f64.f64.f64.f64", M16N8K16, formats, [A_16X16_WORD, B_8X16_WORD, C_16X8]),
    ]
}

fn integers() -> [Case; 5] {
    let formats = |a, b| [a, b, "int32", "int32"];
    let bytes = [A_16X16_BYTE, X_8X16_BYTE, C_16X8];
    let long_bytes = [A_16X32_BYTE, B_8X32_BYTE, C_16X8];
    let nibbles = [A_16X32_NIBBLE, X_8X32_NIBBLE, C_16X8];
    let long_nibbles = [A_16X64_NIBBLE, B_8X64_NIBBLE, C_16X8];
    [
        case("m16n8k16.row.col.s32.s8.u8.s32", M16N8K16, formats("int8", "uint8"), bytes),
        case("m16n8k16.row.col.satfinite.s32.s8.s8.s32", M16N8K16, formats("int8", "int8"), bytes),
        case("m16n8k32.row.col.s32.u8.s8.s32", M16N8K32, formats("uint8", "int8"), long_bytes),
        case("m16n8k32.row.col.s32.s4.s4.s32", M16N8K32, formats("int4", "int4"), nibbles),
        case("m16n8k64.row.col.s32.u4.s4.s32", [16, 8, 64], formats("uint4", "int4"), long_nibbles),
    ]
}

#[test]
fn fake_cute_one_hot_hopper_floats() {
    let (k8, k16) = ([A_16X8_ROW, B_8X8_ROW, C_16X8], [A_16X16_HALF, B_8X16_HALF, C_16X8]);
    let k32 = [A_16X32_BYTE, B_8X32_BYTE, C_16X8];
    let single = |format| [format, format, SINGLE, SINGLE];
    isolated("layouts::fake_cute_one_hot_hopper_floats", &[], || {
        let cases = [
            case("m16n8k16.row.col.f32.f16.f16.f32", M16N8K16, single(HALF), k16),
            case("m16n8k16.row.col.f16.f16.f16.f16", M16N8K16, [HALF; 4], k16),
            case("m16n8k16.row.col.f32.bf16.bf16.f32", M16N8K16, single("bfloat16"), k16),
            case("m16n8k8.row.col.f32.f16.f16.f32", M16N8K8, single(HALF), k8),
            case("m16n8k8.row.col.f16.f16.f16.f16", M16N8K8, [HALF; 4], k8),
            case("m16n8k8.row.col.f32.bf16.bf16.f32", M16N8K8, single("bfloat16"), k8),
            case("m16n8k8.row.col.f32.tf32.tf32.f32", M16N8K8, single("tf32"), [A_16X8_WORD, B_8X8_WORD, C_16X8]),
            case("m16n8k4.row.col.f32.tf32.tf32.f32", [16, 8, 4], single("tf32"), [A_16X4_WORD, X_8X4_WORD, C_16X8]),
            case("m16n8k32.row.col.f32.e4m3.e5m2.f32", M16N8K32, ["e4m3", "e5m2", SINGLE, SINGLE], k32),
            case("m16n8k32.row.col.f16.e4m3.e4m3.f16", M16N8K32, ["e4m3", "e4m3", HALF, HALF], k32),
        ];
        run(&cases, "8.7", "sm_90");
    });
}

#[test]
fn fake_cute_one_hot_hopper_doubles_and_integers() {
    isolated("layouts::fake_cute_one_hot_hopper_doubles_and_integers", &[], || {
        run(&doubles(), "8.0", "sm_90a");
        run(&integers(), "8.0", "sm_80");
    });
}

#[test]
fn fake_cute_one_hot_volta_quad_pairs() {
    let shape = [8, 8, 4];
    let word = [QUAD_PAIR_8X4, QUAD_PAIR_8X4, QUAD_PAIR_C_WORD];
    let half = [QUAD_PAIR_8X4, QUAD_PAIR_8X4, QUAD_PAIR_C_HALF];
    let single = ["binary16", "binary16", SINGLE, SINGLE];
    isolated("layouts::fake_cute_one_hot_volta_quad_pairs", &[("FAKE_CUDA_ARCH", "70")], || {
        let mut mixed = case("m8n8k4.row.col.f32.f16.f16.f16", shape, [HALF, HALF, HALF, SINGLE], half);
        mixed.layouts[3] = QUAD_PAIR_C_WORD;
        let cases = [
            case("m8n8k4.row.col.f32.f16.f16.f32", shape, single, word),
            case("m8n8k4.row.col.f16.f16.f16.f16", shape, [HALF; 4], half),
            mixed,
        ];
        run(&cases, "6.4", "sm_70");
    });
}

#[test]
fn fake_cute_one_hot_turing() {
    isolated("layouts::fake_cute_one_hot_turing", &[("FAKE_CUDA_ARCH", "75")], || {
        let (bytes, nibbles) = ([X_8X16_BYTE, X_8X16_BYTE, C_8X8], [X_8X32_NIBBLE, X_8X32_NIBBLE, C_8X8]);
        let single = ["binary16", "binary16", SINGLE, SINGLE];
        let cases = [
            case("m8n8k16.row.col.s32.s8.u8.s32", [8, 8, 16], ["int8", "uint8", "int32", "int32"], bytes),
            case("m8n8k32.row.col.s32.u4.s4.s32", [8, 8, 32], ["uint4", "int4", "int32", "int32"], nibbles),
            case("m16n8k8.row.col.f32.f16.f16.f32", M16N8K8, single, [A_16X8_ROW, B_8X8_ROW, C_16X8]),
        ];
        run(&cases, "6.5", "sm_75");
    });
}

#[test]
fn fake_cute_one_hot_ada() {
    isolated("layouts::fake_cute_one_hot_ada", &[("FAKE_CUDA_ARCH", "89")], || {
        let (k16, formats) = ([A_16X16_BYTE, X_8X16_BYTE, C_16X8], ["e4m3", "e5m2", SINGLE, SINGLE]);
        run(&[case("m16n8k16.row.col.f32.e4m3.e5m2.f32", M16N8K16, formats, k16)], "8.7", "sm_89");
    });
}

#[test]
fn fake_cute_one_hot_blackwell() {
    isolated("layouts::fake_cute_one_hot_blackwell", &[("FAKE_CUDA_ARCH", "120")], || {
        let k32 = [A_16X32_BYTE, B_8X32_BYTE, C_16X8];
        let single = |a, b| [a, b, SINGLE, SINGLE];
        let cases = [
            case("kind::f8f6f4.m16n8k32.row.col.f32.e2m1.e3m2.f32", M16N8K32, single("e2m1", "e3m2"), k32),
            case("m16n8k32.row.col.kind::f8f6f4.f32.e2m3.e4m3.f32", M16N8K32, single("e2m3", "e4m3"), k32),
            case("kind::f8f6f4.m16n8k32.row.col.f32.e5m2.e2m1.f32", M16N8K32, single("e5m2", "e2m1"), k32),
        ];
        run(&cases, "8.7", "sm_120a");
    });
}
