//! The program against a library that stands in for NVIDIA's driver and executes the kernels.

use tensorsmith::check::stimulus::Stimulus;
use tensorsmith::describe::catalogue;
use tensorsmith::describe::fragment::Tile;
use tensorsmith::engine::{Composed, Kind, Opened};

use super::library;
use super::support::{self, long_tier};

fn run(arguments: &[&str], environment: &[(&str, &str)]) -> (i32, String) {
    library::run(("TENSORSMITH_CUDA", &library::built("fake_cuda")), arguments, environment)
}

const MMA: &str = "hopper-mma-m16n8k16-fp16-fp32";
const WGMMA: &str = "hopper-wgmma-k16-fp16-fp32";

fn cosim(subject: &str) -> Vec<&str> {
    vec!["cosim", subject, "--engines", "emulator,cuda:0", "--vectors", "300"]
}

/// Devices, and their compute capabilities times ten.
const DEVICES: [(&str, &str); 6] =
    [("V100", "70"), ("T4", "75"), ("A100", "80"), ("Ada", "89"), ("H100", "90"), ("RTX-PRO-6000", "120")];

#[test]
fn every_instruction_agrees() {
    let all = [&["--vectors", "200"][..], &["--vectors", "300", "--matrices"]];
    // In the ordinary tier every second device, each in one way, in turn.
    let ways = |device: usize| if long_tier() { &all[..] } else { &all[device % 2..=device % 2] };
    for (index, &(device, capability)) in support::sampled(&DEVICES, 2).into_iter().enumerate() {
        let device = catalogue::device(device).expect("the device is in the catalogue");
        let own = device.instructions.iter().filter(|instruction| Tile::of(instruction).is_ok());
        let names: Vec<&str> = own.map(|instruction| instruction.name.as_str()).collect();
        assert!(names.len() > 5, "{}", device.name);
        for more in ways(index) {
            let arguments = [&["cosim", "--engines", "emulator,cuda:0"], *more, &names].concat();
            let (code, text) = run(&arguments, &[("FAKE_CUDA_ARCH", capability)]);
            assert_eq!(code, 0, "{}: {text}", device.name);
            assert!(text.contains(", 0 mismatches") && !text.contains("skipped"), "{}: {text}", device.name);
        }
    }
}

#[test]
fn units_that_are_an_instruction_agree() {
    let (code, text) =
        run(&["cosim", "hopper-fp16-fp32", "hopper-e4m3-fp32", "--engines", "reference,cuda", "--vectors", "300"], &[]);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("600 vectors compared, 0 mismatches"), "{text}");
}

#[test]
fn two_gpus_answer_in_one_process() {
    let arguments = ["cosim", MMA, "--engines", "emulator,cuda:0,cuda:1", "--vectors", "9000"];
    let (code, text) = run(&arguments, &[("FAKE_CUDA_DEVICES", "2")]);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("cuda:0     ran 9,000 vectors") && text.contains("cuda:1     ran 9,000 vectors"), "{text}");
}

/// An inference knows nothing of a GPU but its answers; the version of what answered stands beside what was found.
#[test]
fn a_gpu_is_inferred_from_its_answers() {
    let subjects = [
        ("volta-fp16-fp32", "70", "fused: 4 products\n", "23"),
        ("ampere-mma-m16n8k16-fp16-fp32", "80", "fused: 2 blocks of 8 products, contiguous, chained from c\n", "24"),
    ];
    for (subject, capability, found, bits) in subjects.into_iter().take(if long_tier() { 2 } else { 1 }) {
        let arguments = ["infer", subject, "--engine", "cuda:0", "--confirm", "1000"];
        let (code, text) = run(&arguments, &[("FAKE_CUDA_ARCH", capability)]);
        assert!(code == 0 && text.starts_with(&format!("cuda:0 is {found}")), "{subject}: {text}");
        assert!(text.contains("\nanswered by mma.sync.aligned."), "{text}");
        let row = text.lines().find(|line| line.starts_with("| alignment.fraction_bits ")).expect("a row of the table");
        assert_eq!(row.split('|').nth(2).map(str::trim), Some(bits), "{subject}: {row}");
    }
}

#[test]
fn planted_faults_are_found() {
    for subject in [MMA, WGMMA] {
        for matrices in [false, true] {
            // One bit of one result may vanish again in the steps along K.
            let faults =
                if matrices { &["swapped", "transposed"][..] } else { &["swapped", "transposed", "wrong-bit"] };
            for &fault in faults {
                let mut arguments = cosim(subject);
                arguments.extend(matrices.then_some("--matrices"));
                let (code, text) = run(&arguments, &[("FAKE_CUDA_FAULT", fault)]);
                assert_eq!(code, 1, "{subject} {fault}: {text}");
            }
        }
        for fault in ["unwritten", "short-read"] {
            let (code, text) = run(&cosim(subject), &[("FAKE_CUDA_FAULT", fault)]);
            assert_eq!(code, 2, "{subject} {fault}: {text}");
            assert!(text.contains("was not written or not read back"), "{subject} {fault}: {text}");
        }
    }
}

#[test]
fn every_call_is_checked_and_everything_is_given_back() {
    let folder = tempfile::tempdir().expect("there is room for files");
    let calls = [
        "cuInit",
        "cuDriverGetVersion",
        "cuDeviceGetCount",
        "cuDeviceGet",
        "cuDeviceGetName",
        "cuDeviceGetAttribute",
        "cuDevicePrimaryCtxRetain",
        "cuCtxSetCurrent",
        "cuModuleLoadDataEx",
        "cuModuleGetFunction",
        "cuMemAlloc_v2",
        "cuMemAlloc_v2:3",
        "cuMemcpyHtoD_v2",
        "cuMemsetD32_v2",
        "cuLaunchKernel",
        "cuCtxSynchronize",
        "cuMemcpyDtoH_v2",
    ];
    for call in calls {
        let log = folder.path().join(call.replace(':', "-"));
        let log = log.to_str().expect("a plain path");
        let (code, text) = run(&cosim(MMA), &[("FAKE_CUDA_FAIL", &format!("{call}=2")), ("FAKE_CUDA_LOG", log)]);
        let function = call.split(':').next().unwrap_or(call);
        assert_eq!(code, 2, "{call}: {text}");
        assert!(text.contains(&format!("{function} failed with code 2 (CUDA_ERROR_OUT_OF_MEMORY)")), "{call}: {text}");
        let log = std::fs::read_to_string(log).expect("the library has written its log");
        let retained = log.contains("cuDevicePrimaryCtxRetain 0");
        assert_eq!(retained, log.contains("released: 0 allocations and 0 modules left"), "{call}: {log}");
    }
}

#[test]
fn absent_gpus_are_skipped() {
    let skipped = |arguments: &[&str], environment: &[(&str, &str)], reason: &str| {
        let (code, text) = run(arguments, environment);
        assert!(code == 2 && text.contains("engine cuda:") && text.contains("was named"), "{code} {text}");
        let (code, text) = run(&[arguments, &["--allow-missing"]].concat(), environment);
        assert!(code == 0 && text.contains(reason), "{code} {text}");
    };
    let with_reference = |subject, engine| ["cosim", subject, "--engines", engine, "--vectors", "300"];
    skipped(
        &with_reference(MMA, "emulator,reference,cuda:0"),
        &[("FAKE_CUDA_DEVICES", "0")],
        "the NVIDIA driver finds no GPU",
    );
    skipped(
        &with_reference(MMA, "emulator,reference,cuda:3"),
        &[("FAKE_CUDA_DEVICES", "2")],
        "there is no GPU 3: the driver counts 2 from 0 on",
    );
    let lacks = "the catalogue knows no instruction hopper-mma-m16n8k16-fp16-fp32 of sm_80";
    skipped(&with_reference(MMA, "emulator,reference,cuda:0"), &[("FAKE_CUDA_ARCH", "80")], lacks);
    let alone = "the catalogue knows no instruction that is amx-bf16-fp32 alone of sm_90";
    skipped(&with_reference("amx-bf16-fp32", "emulator,reference,cuda:0"), &[], alone);
    let (code, text) = run(&cosim(MMA), &[("TENSORSMITH_CUDA", "/nonexistent/libcuda.so")]);
    assert!(code == 2 && text.contains("/nonexistent/libcuda.so: cannot be loaded"), "{text}");
    let (code, text) = run(&cosim(MMA), &[("FAKE_CUDA_DEVICES", "-1")]);
    assert!(code == 2 && text.contains("the driver counts -1 GPUs"), "{text}");
}

#[test]
fn a_kernel_that_the_driver_refuses() {
    let too_old = [("FAKE_CUDA_FAIL", "cuModuleLoadDataEx=222")];
    let (code, text) = run(&["cosim", MMA, "--engines", "emulator,reference,cuda:0", "--vectors", "300"], &too_old);
    assert!(code == 2 && text.contains("the NVIDIA driver is too old for hopper-mma-m16n8k16-fp16-fp32"), "{text}");
}

#[test]
fn a_device_is_recorded_and_replayed() {
    let folder = tempfile::tempdir().expect("there is room for files");
    let out = folder.path().join("out");
    let out = out.to_str().expect("a plain path");
    let suites = ["--suites", "shaped,random,corners", "--vectors", "50"];
    let arguments = [&["record", "--device", "H100", "--engine", "cuda:0", "--out", out], &suites[..]].concat();
    let (code, text) = run(&arguments, &[]);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("H100-0.tsrec"), "{text}");
    let (code, text) = run(&["replay", out, "--engines", "emulator"], &[]);
    assert!(code == 0 && text.contains(" 0 mismatches"), "{text}");
}

/// The context of a GPU belongs to no thread. The library that stands in for the driver checks which one each thread has.
#[test]
fn an_engine_answers_in_another_thread() {
    const LIBRARY: &str = "TENSORSMITH_CUDA";
    let library = library::built("fake_cuda");
    if std::env::var_os(LIBRARY).as_deref() != Some(library.as_os_str()) {
        let own = std::env::current_exe().expect("a test knows its own path");
        let mut test = std::process::Command::new(own);
        test.args(["cuda::engine::an_engine_answers_in_another_thread", "--exact"]).env(LIBRARY, library);
        let output = test.output().expect("the test starts");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && text.contains("1 passed"), "{text}");
        return;
    }
    let instruction = catalogue::instruction(MMA).expect("an instruction of the catalogue");
    let Ok(Opened::Ready(mut engine)) = Kind::Cuda(0).open_instruction(&instruction) else { panic!("a GPU is there") };
    let stimulus = Stimulus::shaped(instruction.frame(), 5);
    let mut batch = stimulus.empty_batch();
    stimulus.fill(0, 100, &mut batch);
    let expected = Composed::emulated(&instruction).answers(&batch).expect("emulators answer");
    assert_eq!(engine.answers(&batch).expect("the GPU answers"), expected);
    let answers = std::thread::spawn(move || engine.answers(&batch)).join().expect("no panic");
    assert_eq!(answers.expect("the GPU answers"), expected);
}
