//! `wmma` through global memory, whose fragments are opaque.

use super::driver::{Driver, isolated};
use super::kernels::{head, kernel, registers};
use super::values::{Numbers, encode, product};

/// An instruction: its types, formats of A, B, C and D in the catalogue's names, and K.
struct Case {
    types: &'static str,
    names: [&'static str; 3],
    formats: [&'static str; 4],
    k: usize,
}

fn bytes(format: &str) -> usize {
    if matches!(format, "binary16" | "bfloat16") { 2 } else { 4 }
}

fn packed(matrix: &[i64], format: &str) -> Vec<u8> {
    matrix.iter().flat_map(|value| encode(format, *value).to_le_bytes()[..bytes(format)].to_vec()).collect()
}

impl Case {
    fn text(&self) -> String {
        let doubled = |format: &str| if format == "binary16" { 2 } else { 1 };
        let a = registers("ra", self.formats[0], 16 * self.k / 32 * doubled(self.formats[0]));
        let b = registers("rb", self.formats[1], 16 * self.k / 32 * doubled(self.formats[1]));
        let (c, d) = (registers("rc", self.formats[2], 8), registers("rd", self.formats[3], 8));
        let shape = format!("m16n16k{}", self.k);
        let [ab, c_name, d_name] = self.names;
        let load = |role: &str, layout: &str, kind: &str, vector: String, place: usize, stride: usize| {
            let kind = format!("{layout}.{shape}.global.{kind}");
            format!("wmma.load.{role}.sync.aligned.{kind} {vector}, [%p{place}], {stride};\n")
        };
        let body = [
            a.declaration() + &b.declaration() + &c.declaration() + &d.declaration(),
            load("a", "row", ab, a.vector(), 0, self.k),
            load("b", "col", ab, b.vector(), 1, self.k),
            load("c", "row", c_name, c.vector(), 2, 16),
            format!(
                "wmma.mma.sync.aligned.row.col.{shape}.{} {}, {}, {}, {};\n",
                self.types,
                d.vector(),
                a.vector(),
                b.vector(),
                c.vector()
            ),
            format!("wmma.store.d.sync.aligned.row.{shape}.global.{d_name} [%p3], {}, 16;", d.vector()),
        ];
        kernel(&head("8.0", if self.formats[0] == "binary16" { "sm_70" } else { "sm_80" }), 4, &body.concat())
    }

    fn check(&self, driver: &Driver, text: &str, seed: u64) -> bool {
        let mut numbers = Numbers::new(seed);
        let (a, b) = (numbers.matrix(16 * self.k, -2, 2), numbers.matrix(16 * self.k, -2, 2));
        let c = numbers.matrix(256, -3, 3);
        let inputs = [packed(&a, self.formats[0]), packed(&b, self.formats[1]), packed(&c, self.formats[2])];
        let inputs = [inputs[0].as_slice(), &inputs[1], &inputs[2]];
        let written = driver.run(text, 1, 32, &inputs, 256 * bytes(self.formats[3]));
        let written = written.unwrap_or_else(|failure| panic!("{}: {failure:?}", self.types));
        written == packed(&product([16, 16, self.k], &a, &b, &c), self.formats[3])
    }
}

const HALF: Case = Case {
    types: "f32.f32",
    names: ["f16", "f32", "f32"],
    formats: ["binary16", "binary16", "binary32", "binary32"],
    k: 16,
};

#[test]
fn fake_integers_random_wmma() {
    let mixed = Case { types: "f32.f16", names: ["f16", "f16", "f32"], ..HALF };
    let cases = [
        HALF,
        Case { formats: ["binary16", "binary16", "binary16", "binary32"], ..mixed },
        Case { types: "f16.f16", names: ["f16"; 3], formats: ["binary16"; 4], ..HALF },
        Case {
            types: "f32.bf16.bf16.f32",
            names: ["bf16", "f32", "f32"],
            formats: ["bfloat16", "bfloat16", "binary32", "binary32"],
            k: 16,
        },
        Case {
            types: "f32.tf32.tf32.f32",
            names: ["tf32", "f32", "f32"],
            formats: ["tf32", "tf32", "binary32", "binary32"],
            k: 8,
        },
    ];
    isolated("wmma::fake_integers_random_wmma", &[], || {
        let driver = Driver::ready();
        for case in &cases {
            assert!((1..6).all(|seed| case.check(&driver, &case.text(), seed)), "{}", case.types);
        }
    });
}

#[test]
fn volta_takes_wmma_from_fp32_to_fp16() {
    let formats = ["binary16", "binary16", "binary32", "binary16"];
    let case = Case { types: "f16.f32", names: ["f16", "f32", "f16"], formats, ..HALF };
    isolated("wmma::volta_takes_wmma_from_fp32_to_fp16", &[("FAKE_CUDA_ARCH", "70")], || {
        let driver = Driver::ready();
        let text = case.text().replace(".version 8.0", ".version 6.3");
        assert!(case.check(&driver, &text, 1));
    });
}

#[test]
fn layouts_are_opaque_and_must_agree() {
    isolated("wmma::layouts_are_opaque_and_must_agree", &[], || {
        let driver = Driver::ready();
        let text = HALF.text();
        assert!(HALF.check(&driver, &text, 1));
        for (right, wrong) in [
            // A is loaded as if its columns followed each other.
            ("wmma.load.a.sync.aligned.row", "wmma.load.a.sync.aligned.col"),
            ("wmma.load.b.sync.aligned.col", "wmma.load.b.sync.aligned.row"),
            ("wmma.mma.sync.aligned.row.col", "wmma.mma.sync.aligned.col.col"),
            ("wmma.mma.sync.aligned.row.col", "wmma.mma.sync.aligned.row.row"),
        ] {
            assert!(text.contains(right));
            assert!(!HALF.check(&driver, &text.replace(right, wrong), 1), "{wrong}");
        }
    });
}
