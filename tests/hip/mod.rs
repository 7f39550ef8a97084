//! AMD GPUs without one: the program against a library that stands in for AMD's driver and compiler.

use crate::support::{library, long_tier};

/// Kernels that one test has had compiled serve the others.
fn run(arguments: &[&str], environment: &[(&str, &str)]) -> (i32, String) {
    let kernels = ("FAKE_HIP_KERNELS", concat!(env!("CARGO_TARGET_TMPDIR"), "/fake_hip"));
    library::run(("TENSORSMITH_HIP", &library::built("fake_hip")), arguments, &[&[kernels], environment].concat())
}

const FP16: &str = "cdna3-mfma-m32n32k8-fp16-fp32";

fn cosim<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&["cosim", "--engines", "emulator,hip:0", "--vectors", "300"], more].concat()
}

#[test]
fn every_instruction_agrees() {
    let ways = [&["--vectors", "300"][..], &["--vectors", "500", "--matrices"]];
    // Every device compiles all of its kernels each time: in the ordinary tier a third of them in one way, the devices in turn.
    let ways = |device: usize| if long_tier() { &ways[..] } else { &ways[device % 2..=device % 2] };
    let devices = [("MI100", "gfx908"), ("MI250X", "gfx90a"), ("MI300", "gfx942")];
    for (index, (device, architecture)) in devices.into_iter().enumerate() {
        let device = tensorsmith::describe::catalogue::device(device).expect("the device is in the catalogue");
        let every = if long_tier() { 1 } else { 3 };
        let names = device.instructions.iter().step_by(every).map(|instruction| instruction.name.as_str());
        let names: Vec<&str> = names.collect();
        assert!(names.len() * every > 5, "{}", device.name);
        for more in ways(index) {
            let arguments = [&["cosim", "--engines", "emulator,hip:0"], *more, &names].concat();
            let (code, text) = run(&arguments, &[("FAKE_HIP_ARCH", architecture)]);
            assert_eq!(code, 0, "{text}");
            assert!(text.contains(", 0 mismatches") && !text.contains("skipped"), "{text}");
        }
    }
}

/// An inference knows nothing of a GPU but its answers.
#[test]
fn a_gpu_is_inferred_from_its_answers() {
    let subjects = [
        ("cdna1-fp16-fp32", "gfx908", "exact: 4 products\n"),
        ("cdna3-fp16-fp32", "gfx942", "fused-then-add: 8 products\n"),
    ];
    for (subject, architecture, found) in subjects.into_iter().take(if long_tier() { 2 } else { 1 }) {
        let arguments = ["infer", subject, "--engine", "hip:0", "--confirm", "1000"];
        let (code, text) = run(&arguments, &[("FAKE_HIP_ARCH", architecture)]);
        assert!(code == 0 && text.starts_with(&format!("hip:0 is {found}")), "{subject}: {text}");
        assert!(text.contains("\nanswered by __builtin_amdgcn_mfma_"), "{text}");
    }
}

#[test]
fn planted_faults_are_found() {
    for fault in ["swapped", "wrong-bit"] {
        let (code, text) = run(&cosim(&[FP16]), &[("FAKE_HIP_FAULT", fault)]);
        assert_eq!(code, 1, "{fault}: {text}");
    }
    for fault in ["unwritten", "short-read"] {
        let (code, text) = run(&cosim(&[FP16]), &[("FAKE_HIP_FAULT", fault)]);
        assert_eq!(code, 2, "{fault}: {text}");
        assert!(text.contains("was not written or not read back"), "{fault}: {text}");
    }
}

#[test]
fn every_call_is_checked() {
    for function in [
        "hipInit",
        "hipGetDeviceCount",
        "hipDeviceGet",
        "hipSetDevice",
        "hipDeviceGetName",
        "hipDriverGetVersion",
        "hiprtcCreateProgram",
        "hiprtcCompileProgram",
        "hiprtcGetCodeSize",
        "hiprtcGetCode",
        "hiprtcDestroyProgram",
        "hipModuleLoadDataEx",
        "hipModuleGetFunction",
        "hipMalloc",
        "hipMemcpyHtoD",
        "hipMemcpyDtoH",
        "hipMemsetD32",
        "hipModuleLaunchKernel",
        "hipDeviceSynchronize",
    ] {
        let (code, text) = run(&cosim(&[FP16]), &[("FAKE_HIP_FAIL", &format!("{function}=2"))]);
        assert_eq!(code, 2, "{function}: {text}");
        assert!(text.contains(&format!("{function} failed with code 2")), "{function}: {text}");
    }
}

#[test]
fn absent_gpus_are_skipped() {
    let cases = [
        (("FAKE_HIP_DEVICES", "0"), FP16, "the AMD driver finds no GPU"),
        (("FAKE_HIP_ARCH", "gfx1100"), FP16, "Fake gfx1100 is none of gfx908, gfx90a, gfx942"),
        (
            ("FAKE_HIP_ARCH", "gfx90a"),
            FP16,
            "the catalogue knows no instruction cdna3-mfma-m32n32k8-fp16-fp32 of gfx90a",
        ),
        (
            ("FAKE_HIP_ARCH", "gfx942"),
            "hopper-fp16-fp32",
            "the catalogue knows no instruction that is hopper-fp16-fp32 alone",
        ),
    ];
    for (variable, subject, reason) in cases {
        let engines = "emulator,reference,hip:0";
        let cosim = ["cosim", subject, "--engines", engines, "--vectors", "300"];
        let (code, text) = run(&cosim, &[variable]);
        assert!(code == 2 && text.contains("engine hip:0 was named"), "{text}");
        let (code, text) = run(&[&cosim[..], &["--allow-missing"]].concat(), &[variable]);
        assert!(text.contains(reason), "{text}");
        assert_eq!(code, 0, "{text}");
    }
    let (code, text) = run(&["cosim", "--engines", "emulator,reference,hip:1", "--vectors", "300", FP16], &[]);
    assert!(code == 2 && text.contains("there is no GPU 1: the driver counts 1 from 0 on"), "{text}");
    let (code, text) = run(&cosim(&[FP16]), &[("TENSORSMITH_HIP", "/nonexistent/libamdhip64.so")]);
    assert!(code == 2 && text.contains("/nonexistent/libamdhip64.so: cannot be loaded"), "{text}");
}

#[test]
fn a_device_is_recorded_and_replayed() {
    let folder = tempfile::tempdir().expect("there is room for files");
    let out = folder.path().join("out");
    let out = out.to_str().expect("a plain path");
    let suites = ["--suites", "shaped,random,corners", "--vectors", "100"];
    let (code, text) =
        run(&[&["record", "--device", "MI300", "--engine", "hip:0", "--out", out], &suites[..]].concat(), &[]);
    assert_eq!(code, 0, "{text}");
    let (code, text) = run(&["replay", out, "--engines", "emulator"], &[]);
    assert!(code == 0 && text.contains(" 0 mismatches"), "{text}");
}
