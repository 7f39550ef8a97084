//! `wgmma`: its layouts in registers and in shared memory, and the order that it needs.

use super::cute::{GROUP_A_BYTE, GROUP_A_HALF, GROUP_A_WORD, GROUP_D, Layout};
use super::driver::{Driver, Failure, isolated};
use super::kernels::{Registers, THREAD, gather, head, kernel, registers, scatter};
use super::values::{Numbers, encode, product};

/// An instruction on one warpgroup: D = A B, or D = A B + D.
#[derive(Clone, Copy)]
struct Case {
    types: &'static str,
    n: usize,
    k: usize,
    a: &'static str,
    b: &'static str,
    d: &'static str,
    /// What follows scale-d.
    immediates: &'static str,
    /// Where CuTe puts A in registers.
    a_layout: Option<Layout>,
    accumulates: bool,
}

/// The parts of the kernel that a test may leave out.
#[derive(Clone, Copy)]
struct Order {
    fence: &'static str,
    proxy: &'static str,
    barrier: &'static str,
    commit: &'static str,
    wait: &'static str,
}

const ORDER: Order = Order {
    fence: "wgmma.fence.sync.aligned;\n",
    proxy: "fence.proxy.async;\n",
    barrier: "bar.sync 0;\n",
    commit: "wgmma.commit_group.sync.aligned;\n",
    wait: "wgmma.wait_group.sync.aligned 0;\n",
};

fn width(format: &str) -> usize {
    match format {
        "tf32" => 32,
        "binary16" | "bfloat16" => 16,
        _ => 8,
    }
}

/// A K-major matrix in core matrices of 8 rows x 16 bytes: `leading` bytes between those that follow each other in K,
/// `stride` bytes between those that follow each other in rows.
fn cores(matrix: &[i64], format: &str, [rows, k]: [usize; 2], leading: usize, stride: usize) -> Vec<u8> {
    let bytes = width(format) / 8;
    let per_core = 16 / bytes;
    let mut image = vec![0; rows * k * bytes];
    for (place, value) in matrix.iter().enumerate() {
        let (row, k) = (place / k, place % k);
        let at = row / 8 * stride + k / per_core * leading + row % 8 * 16 + k % per_core * bytes;
        image[at..at + bytes].copy_from_slice(&encode(format, *value).to_le_bytes()[..bytes]);
    }
    image
}

/// Copies an image of shared memory, 16 bytes a thread and step.
fn copies(bytes: usize) -> String {
    let step = |at: usize| {
        let inside =
            format!("mad.lo.u32 %to, %tid0, 16, %base;\nadd.u32 %to, %to, {at};\nmad.wide.u32 %at, %tid0, 16, %p0;\n");
        let limit = (bytes - at).min(2048) / 16;
        format!(
            "{inside}setp.lt.u32 %q, %tid0, {limit};\n@%q ld.global.v4.u32 {{%w0, %w1, %w2, %w3}}, [%at+{at}];\n\
             @%q st.shared.v4.u32 [%to], {{%w0, %w1, %w2, %w3}};\n"
        )
    };
    (0..bytes).step_by(2048).map(step).collect()
}

impl Case {
    /// Strides of A: rows of core matrices; of B: columns of core matrices, so that no two of them are alike.
    fn strides(&self) -> [usize; 4] {
        [128, self.k * width(self.a) / 128 * 128, self.n / 8 * 128, 128]
    }

    fn accumulator(&self) -> Registers {
        registers("rd", self.d, self.n / 2)
    }

    fn text(&self, order: Order) -> String {
        let [a_leading, a_stride, b_leading, b_stride] = self.strides();
        let a_bytes = if self.a_layout.is_some() { 0 } else { 64 * self.k * width(self.a) / 8 };
        let bytes = a_bytes + self.n * self.k * width(self.b) / 8;
        let descriptor = |name: &str, start: usize, leading: usize, stride: usize| {
            let high = (leading as u64) >> 4 << 16 | (stride as u64) >> 4 << 32;
            format!(
                "add.u32 %to, %base, {start};\nshr.u32 %to, %to, 4;\ncvt.u64.u32 {name}, %to;\nor.b64 {name}, {name}, {high:#x};\n"
            )
        };
        let d = self.accumulator();
        let a_registers = self.a_layout.map(|layout| registers("ra", self.a, layout.value_count()));
        let a_declared = a_registers.map_or_else(String::new, |a| a.declaration() + &a.load(1));
        let a_operand = a_registers.map_or_else(|| "%da".to_owned(), |a| a.vector());
        let multiply = format!(
            "wgmma.mma_async.sync.aligned.m64n{}k{}.{} {}, {a_operand}, %db, %q{};\n",
            self.n,
            self.k,
            self.types,
            d.vector(),
            self.immediates
        );
        let Order { fence, proxy, barrier, commit, wait } = order;
        let body = [
            THREAD,
            ".reg .u32 %w<4>, %tid0, %base, %to;\n.reg .b64 %da, %db;\n.reg .pred %q;\n",
            &format!(".shared .align 128 .b8 room[{bytes}];\nmov.u32 %tid0, %tid.x;\nmov.u32 %base, room;\n"),
            &d.declaration(),
            &a_declared,
            &d.load(2),
            &copies(bytes),
            &descriptor("%da", 0, a_leading, a_stride),
            &descriptor("%db", a_bytes, b_leading, b_stride),
            &format!("mov.u32 %to, {};\nsetp.ne.u32 %q, %to, 0;\n", u8::from(self.accumulates)),
            &[proxy, barrier, fence, &multiply, commit, wait].concat(),
            &d.store(3),
        ];
        kernel(&head("8.4", "sm_90a"), 4, &body.concat())
    }

    /// Runs on small random matrices, and compares every element.
    fn run(&self, driver: &Driver, order: Order, seed: u64) -> Result<(), Failure> {
        let mut numbers = Numbers::new(seed);
        let low = |format: &str| if format.starts_with('u') { 0 } else { -1 };
        let shape = [64, self.n, self.k];
        let a = numbers.matrix(64 * self.k, low(self.a), 1);
        let b = numbers.matrix(self.n * self.k, low(self.b), 1);
        let c = numbers.matrix(64 * self.n, -3, 3);
        let [a_leading, a_stride, b_leading, b_stride] = self.strides();
        let mut image = cores(&a, self.a, [64, self.k], a_leading, a_stride);
        let mut a_held = vec![0; 16];
        if let Some(layout) = self.a_layout {
            image.clear();
            a_held = scatter(layout, self.a, 64, |row, k| a[row * self.k + k]).concat();
        }
        image.extend(cores(&b, self.b, [self.n, self.k], b_leading, b_stride));
        let d = self.accumulator();
        let bytes = d.count * d.bytes();
        let threads = scatter(GROUP_D, self.d, 64, |row, column| c[(row * self.n + column) % c.len()]);
        let held: Vec<u8> = threads.iter().flat_map(|thread| thread[..bytes].to_vec()).collect();
        let written = driver.run(&self.text(order), 1, 128, &[&image, &a_held, &held], 128 * bytes)?;
        let sign = |value: i64| if self.immediates.starts_with(", -1, 1") { -value } else { value };
        let products = product(shape, &a, &b, &vec![0; c.len()]);
        for (thread, held) in written.chunks(bytes).enumerate() {
            for value in 0..self.n / 2 {
                let (row, column) = GROUP_D.place(64, thread, value);
                let place = row * self.n + column;
                let expected = sign(products[place]) + if self.accumulates { c[place] } else { 0 };
                assert_eq!(gather(held, self.d, value), encode(self.d, expected), "{} d[{row}][{column}]", self.types);
            }
        }
        Ok(())
    }
}

const F16: Case = Case {
    types: "f32.f16.f16",
    n: 8,
    k: 16,
    a: "binary16",
    b: "binary16",
    d: "binary32",
    immediates: ", 1, 1, 0, 0",
    a_layout: None,
    accumulates: true,
};

const FP8: Case = Case { types: "f32.e4m3.e5m2", k: 32, a: "e4m3", b: "e5m2", immediates: ", 1, 1", ..F16 };

const INT8: Case = Case { types: "s32.s8.u8", a: "int8", b: "uint8", d: "int32", immediates: "", ..FP8 };

const TF32: Case = Case { types: "f32.tf32.tf32", k: 8, a: "tf32", b: "tf32", ..FP8 };

#[test]
fn fake_cute_random_warpgroups() {
    let half = |case: Case| Case { a_layout: Some(GROUP_A_HALF), immediates: ", 1, 1, 0", ..case };
    let cases = [
        F16,
        Case { n: 64, ..F16 },
        Case { n: 256, accumulates: false, ..F16 },
        Case { immediates: ", -1, 1, 0, 0", ..F16 },
        Case { types: "f16.f16.f16", d: "binary16", n: 24, ..F16 },
        Case { types: "f32.bf16.bf16", a: "bfloat16", b: "bfloat16", n: 16, ..F16 },
        half(F16),
        half(Case { n: 40, ..F16 }),
        TF32,
        Case { a_layout: Some(GROUP_A_WORD), n: 32, ..TF32 },
        FP8,
        Case { types: "f16.e5m2.e5m2", a: "e5m2", d: "binary16", n: 16, ..FP8 },
        Case { a_layout: Some(GROUP_A_BYTE), n: 16, ..FP8 },
        INT8,
        Case { types: "s32.u8.u8", a: "uint8", n: 48, ..INT8 },
        Case { a_layout: Some(GROUP_A_BYTE), ..INT8 },
    ];
    isolated("warpgroups::fake_cute_random_warpgroups", &[], || {
        let driver = Driver::ready();
        for case in &cases {
            for seed in 1..6 {
                case.run(&driver, ORDER, seed).unwrap_or_else(|failure| panic!("{}: {failure:?}", case.types));
            }
        }
    });
}

/// What the kernel ends in.
fn ending(order: Order) -> i32 {
    F16.run(&Driver::ready(), order, 1).map_or_else(|failure| failure.code, |()| 0)
}

#[test]
fn without_the_fence() {
    isolated("warpgroups::without_the_fence", &[], || assert_eq!(ending(Order { fence: "", ..ORDER }), 719));
}

#[test]
fn without_the_proxy_fence() {
    isolated("warpgroups::without_the_proxy_fence", &[], || assert_eq!(ending(Order { proxy: "", ..ORDER }), 719));
}

#[test]
fn without_the_barrier() {
    isolated("warpgroups::without_the_barrier", &[], || assert_eq!(ending(Order { barrier: "", ..ORDER }), 719));
}

#[test]
fn without_the_commit() {
    isolated("warpgroups::without_the_commit", &[], || assert_eq!(ending(Order { commit: "", ..ORDER }), 719));
}

#[test]
fn without_the_wait() {
    isolated("warpgroups::without_the_wait", &[], || assert_eq!(ending(Order { wait: "", ..ORDER }), 719));
}

#[test]
fn with_a_wait_that_is_too_short() {
    let wait = "wgmma.wait_group.sync.aligned 1;\n";
    isolated("warpgroups::with_a_wait_that_is_too_short", &[], || assert_eq!(ending(Order { wait, ..ORDER }), 719));
}

#[test]
fn with_registers_changed_after_the_fence() {
    let fence = "wgmma.fence.sync.aligned;\nmov.f32 %rd0, 0f00000000;\n";
    let test = "warpgroups::with_registers_changed_after_the_fence";
    isolated(test, &[], || assert_eq!(ending(Order { fence, ..ORDER }), 719));
}

#[test]
fn swizzled_descriptors_are_refused() {
    let fence = "or.b64 %db, %db, 0x4000000000000000;\nwgmma.fence.sync.aligned;\n";
    let test = "warpgroups::swizzled_descriptors_are_refused";
    isolated(test, &[], || assert_eq!(ending(Order { fence, ..ORDER }), 719));
}
