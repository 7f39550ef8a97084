//! Each planted fault shows, and only where it must; planted failures and the log.

use super::cute::{A_16X16_HALF, B_8X16_HALF, C_16X8};
use super::driver::{Driver, isolated};
use super::kernels::{THREAD, gather, head, kernel, registers, scatter};
use super::values::{Numbers, encode, product};

const FAULT: &str = "FAKE_CUDA_FAULT";

/// The elements of D = A B + C, m16n8k16, of fp16 in two blocks, that are wrong: (block, row, column).
fn wrong() -> Vec<(usize, usize, usize)> {
    let mut numbers = Numbers::new(5);
    let (a, b, c) = (numbers.matrix(256, -9, 9), numbers.matrix(128, -9, 9), numbers.matrix(128, -9, 9));
    let twice = |threads: Vec<Vec<u8>>| threads.concat().repeat(2);
    let inputs = [
        twice(scatter(A_16X16_HALF, "binary16", 16, |row, k| a[row * 16 + k])),
        twice(scatter(B_8X16_HALF, "binary16", 8, |column, k| b[column * 16 + k])),
        twice(scatter(C_16X8, "binary32", 16, |row, column| c[row * 8 + column])),
    ];
    let half = |name, values| registers(name, "binary16", values);
    let single = |name| registers(name, "binary32", 4);
    let (ra, rb, rc, rd) = (half("ra", 8), half("rb", 4), single("rc"), single("rd"));
    let declarations = [ra, rb, rc, rd].map(|registers| registers.declaration()).concat();
    let loads = ra.load(0) + &rb.load(1) + &rc.load(2);
    let operands = [rd, ra, rb, rc].map(|registers| registers.vector()).join(", ");
    let multiply = format!("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {operands};\n");
    let body = format!("{THREAD}{declarations}{loads}{multiply}{}", rd.store(3));
    let inputs = [inputs[0].as_slice(), &inputs[1], &inputs[2]];
    let text = kernel(&head("8.0", "sm_90"), 4, &body);
    let written = Driver::ready().run(&text, 2, 32, &inputs, 2 * 32 * 16).expect("it runs");
    let expected = product([16, 8, 16], &a, &b, &c);
    let mut wrong = Vec::new();
    for (thread, held) in written.chunks(16).enumerate() {
        for value in 0..4 {
            let (row, column) = C_16X8.place(16, thread % 32, value);
            if gather(held, "binary32", value) != encode("binary32", expected[row * 8 + column]) {
                wrong.push((thread / 32, row, column));
            }
        }
    }
    wrong
}

#[test]
fn without_a_fault() {
    isolated("faults::without_a_fault", &[], || assert_eq!(wrong(), []));
}

#[test]
fn unwritten() {
    isolated("faults::unwritten", &[(FAULT, "unwritten")], || assert_eq!(wrong(), [(0, 0, 0)]));
}

#[test]
fn short_read() {
    isolated("faults::short_read", &[(FAULT, "short-read")], || {
        let wrong = wrong();
        assert!(wrong.iter().all(|(block, ..)| *block == 1), "{wrong:?}");
        assert!(wrong.len() > 100, "{wrong:?}");
    });
}

#[test]
fn swapped() {
    isolated("faults::swapped", &[(FAULT, "swapped")], || {
        let (wrong, swapped) = (wrong(), |row: usize, column: usize| row.is_multiple_of(8) && column < 4);
        assert!(wrong.len() > 8 && wrong.iter().all(|(_, row, column)| swapped(*row, *column)), "{wrong:?}");
    });
}

#[test]
fn wrong_bit() {
    isolated("faults::wrong_bit", &[(FAULT, "wrong-bit")], || assert_eq!(wrong(), [(0, 0, 0)]));
}

#[test]
fn transposed() {
    isolated("faults::transposed", &[(FAULT, "transposed")], || {
        let wrong = wrong();
        assert!(wrong.len() > 200, "{wrong:?}");
    });
}

#[test]
fn an_unknown_fault_is_refused() {
    isolated("faults::an_unknown_fault_is_refused", &[(FAULT, "gremlins")], || {
        assert_eq!(Driver::load().initialise().map_err(|failure| failure.code), Err(999));
    });
}

#[test]
fn planned_failures() {
    let plan = "cuMemAlloc_v2:2=2,cuCtxSynchronize=719";
    isolated("faults::planned_failures", &[("FAKE_CUDA_FAIL", plan)], || {
        let driver = Driver::ready();
        let codes: Vec<Option<i32>> = (0..3).map(|_| driver.allocate(4).err().map(|failure| failure.code)).collect();
        assert_eq!(codes, [None, Some(2), None]);
        let codes: Vec<Option<i32>> = (0..2).map(|_| driver.synchronise().err().map(|failure| failure.code)).collect();
        assert_eq!(codes, [Some(719), None]);
    });
}

#[test]
fn a_planned_failure_of_the_first_call() {
    let test = "faults::a_planned_failure_of_the_first_call";
    isolated(test, &[("FAKE_CUDA_FAIL", "cuInit=802")], || {
        assert_eq!(Driver::load().initialise().map_err(|failure| failure.code), Err(802));
    });
}

#[test]
fn the_log_counts_what_is_left() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("calls");
    let variables = [("FAKE_CUDA_LOG", path.to_str().expect("a path of letters"))];
    isolated("faults::the_log_counts_what_is_left", &variables, leaves_one_allocation);
}

fn leaves_one_allocation() {
    let driver = Driver::ready();
    let first = driver.allocate(4).expect("memory");
    driver.allocate(4).expect("memory");
    driver.free(first).expect("it is live");
    assert!(driver.free(first).is_err());
    driver.release(0).expect("a release");
    let log = std::env::var("FAKE_CUDA_LOG").expect("a path");
    let log = std::fs::read_to_string(log).expect("a log");
    let lines: Vec<&str> = log.lines().collect();
    let expected = [
        "cuInit 0",
        "cuDevicePrimaryCtxRetain 0",
        "cuCtxSetCurrent 0",
        "cuMemAlloc_v2 0",
        "cuMemAlloc_v2 0",
        "cuMemFree_v2 0",
        "cuMemFree_v2 1",
        "released: 1 allocations and 0 modules left",
        "cuDevicePrimaryCtxRelease_v2 0",
    ];
    assert_eq!(lines, expected);
}
