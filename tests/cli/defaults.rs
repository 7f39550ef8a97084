//! The instruction that a product takes where none is named: one for all operand formats of every device, the same in all commands, with
//! its source; and what is said where there is none.

use serde_json::Value;
use tensorsmith::describe::catalogue;
use tensorsmith::describe::defaults::Wanted;
use tensorsmith::describe::device::Device;

use super::program::{Folder, assert_fields};

fn device(name: &str) -> Device {
    Device::meant(name).unwrap_or_else(|| panic!("no device {name}"))
}

fn chosen(device: &Device, a: &str, b: &str, c: Option<&str>) -> Result<String, String> {
    let found = device.default_for(&Wanted { a, b, c, converts: false });
    found.map(|(instruction, _)| instruction.name.clone()).map_err(|error| error.to_string())
}

/// Operands without a default, and those whose results are narrower than others that the device has.
fn faults(device: &Device) -> Vec<String> {
    let mut faults = Vec::new();
    for own in device.instructions.iter().filter(|own| own.unit.scales.is_none()) {
        let (a, b) = (own.a.name.as_str(), own.b.name.as_str());
        match device.default_for(&Wanted { a, b, c: None, converts: false }) {
            Err(error) => faults.push(error.to_string()),
            Ok((taken, _)) if taken.d().width() < own.d().width() => {
                faults.push(format!("{}: {} is narrower than {}", device.name, taken.name, own.name));
            }
            Ok(_) => {}
        }
    }
    faults
}

#[test]
fn every_operand_format_of_a_device_has_a_default() {
    let mut looked_at = 0;
    for device in catalogue::devices() {
        assert_eq!(faults(&device), Vec::<String>::new());
        for listed in &device.defaults {
            assert!(listed.evidence.source.len() > 20, "{}: {listed:?}", device.name);
            looked_at += listed.instructions.len();
        }
    }
    assert!(looked_at > 150, "{looked_at}");
    // What is left out, or listed behind a narrower one, is found.
    let mut planted = device("H100");
    planted.defaults.remove(0);
    assert!(faults(&planted).iter().any(|fault| fault.contains("a of e4m3, b of e4m3") || fault.contains("narrower")));
    let mut planted = device("Ada");
    planted.defaults.reverse();
    assert!(faults(&planted).iter().any(|fault| fault.contains("ada-mma-m16n8k32-e4m3-fp16 is narrower")));
}

#[test]
fn defaults_are_what_libraries_run() {
    for (name, [a, b], c, instruction) in [
        ("H100", ["e4m3"; 2], None, "hopper-wgmma-k32-e4m3-fp32"),
        ("H200", ["e4m3"; 2], Some("binary32"), "hopper-wgmma-k32-e4m3-fp32"),
        ("H100", ["e4m3", "e5m2"], None, "hopper-wgmma-k32-e4m3-e5m2-fp32"),
        ("H100", ["e4m3"; 2], Some("binary16"), "hopper-wgmma-k32-e4m3-fp16"),
        ("H100", ["binary16"; 2], None, "hopper-wgmma-k16-fp16-fp32"),
        ("H100", ["binary16"; 2], Some("binary16"), "hopper-wgmma-k16-fp16-fp16"),
        ("H100", ["tf32"; 2], None, "hopper-wgmma-k8-tf32-fp32"),
        ("B200", ["e4m3"; 2], None, "blackwell-tcgen05-k32-e4m3-fp32"),
        ("B200", ["bfloat16"; 2], None, "blackwell-tcgen05-k16-bf16-fp32"),
        ("Ada", ["e4m3"; 2], None, "ada-mma-m16n8k32-e4m3-fp32"),
        ("L40S", ["e5m2"; 2], None, "ada-mma-m16n8k32-e5m2-fp32"),
        ("RTX PRO 6000 Blackwell", ["e4m3"; 2], None, "blackwell-mma-f8f6f4-m16n8k32-e4m3-e4m3-fp32"),
        ("A100", ["int4"; 2], None, "ampere-mma-m16n8k64-int4-int32"),
        ("MI300X", ["e4m3fnuz"; 2], None, "cdna3-mfma-m16n16k32-e4m3fnuz-fp32"),
        ("MI300", ["binary32"; 2], None, "cdna-mfma-m16n16k4-fp32-fp32"),
        ("MI250X", ["bfloat16"; 2], None, "cdna2-mfma-m16n16k16-bf16-1k-fp32"),
    ] {
        let own = device(name);
        let found = chosen(&own, a, b, c).unwrap_or_else(|error| panic!("{error}"));
        let alike = found == instruction || found == instruction.replacen("e4m3-e4m3", "e4m3", 1);
        assert!(alike, "{name}, {a} x {b}: {found}, not {instruction}");
    }
    let refused = chosen(&device("H100"), "binary32", "binary32", None).expect_err("no unit of binary32");
    assert!(refused.starts_with("H100 has no instruction for a of binary32, b of binary32; allowed: "), "{refused}");
    assert!(refused.contains("tf32") && refused.contains("binary16"), "{refused}");
    let refused = chosen(&device("H100"), "tf32", "tf32", Some("binary16")).expect_err("no such addend");
    assert!(refused.ends_with("allowed: formats of c: binary32"), "{refused}");
    // Where a result is wanted, too, that is what is said.
    let other = catalogue::instruction("volta-wmma-m16n16k16-fp16-fp16-from-fp32").expect("an instruction");
    let own = device("H100");
    let refused = own.default_like(&other).expect_err("no such result").to_string();
    assert!(
        refused.contains("c of binary32 with d of binary16; allowed: formats of c: binary32 with d of binary32"),
        "{refused}"
    );
    // A rule for operands lets binary32 words be tf32.
    let converted = Wanted { a: "binary32", b: "binary32", c: None, converts: true };
    assert_eq!(own.default_for(&converted).expect("tf32").0.name, "hopper-wgmma-k8-tf32-fp32");
    assert!(device("V100").default_for(&converted).is_err());
}

/// A device file that lists another device's instruction, or one with scales, is refused.
#[test]
fn wrong_defaults_are_refused() {
    let text = include_str!("../../src/numerics/describe/catalogue/devices/B200.toml");
    for wrong in ["volta-mma-m8n8k4-fp16-fp32", "blackwell-tcgen05-nvf4-k64-e2m1-fp32", "no-such"] {
        let planted =
            text.replacen("[[defaults]]\ninstructions = [", &format!("[[defaults]]\ninstructions = [\"{wrong}\", "), 1);
        let error = Device::from_toml("B200.toml", &planted).expect_err("it is refused").to_string();
        assert!(error.contains("defaults.instructions") && error.contains(wrong), "{error}");
    }
}

#[test]
fn devices_list_their_defaults() {
    let folder = Folder::new();
    let listed: Value =
        serde_json::from_str(&folder.succeed(&["devices", "H100", "--defaults", "--json", "-"]).stdout).expect("JSON");
    let first = &listed["devices"][0]["defaults"][0];
    assert_fields(first, &["operands", "c", "d", "instruction", "evidence"]);
    assert_eq!(
        (&first["instruction"], &first["evidence"]["grade"]),
        (&"hopper-wgmma-k16-fp16-fp32".into(), &"live".into())
    );
}

/// `gemm --device` takes the instruction, and reports which; text and unsigned integers have no format by themselves.
#[test]
fn gemm_takes_the_default_of_a_device() {
    let folder = Folder::new();
    folder.write("a.txt", vec!["16"; 512].join(" "));
    folder.write("b.txt", vec!["16"; 512].join("\n"));
    let arguments = ["gemm", "--a", "a.txt", "--b", "b.txt", "--device"];
    for (device, instruction) in [
        ("H100", "hopper-wgmma-k32-e4m3-fp32"),
        ("B200", "blackwell-tcgen05-k32-e4m3-fp32"),
        ("Ada", "ada-mma-m16n8k32-e4m3-fp32"),
    ] {
        let run = folder.succeed(&[&arguments[..], &[device, "--dtype", "e4m3"]].concat());
        assert_eq!(run.stdout, "131072\n", "{device}");
        assert!(run.stderr.contains(&format!("{device}, e4m3 x e4m3: {instruction} [")), "{}", run.stderr);
    }
    folder.refuse(&[&arguments[..], &["H100"]].concat(), &["a.txt", "--dtype FORMAT"]);
    folder.refuse(
        &[&arguments[..], &["H100", "--dtype", "float32"]].concat(),
        &["--device: H100 has no instruction", "tf32"],
    );
    folder.refuse(&[&arguments[..], &["H100", "--dtype", "fp9"]].concat(), &["--dtype: \"fp9\"", "e4m3"]);
    folder.refuse(&[&arguments[..], &["H100", "--dtype", "e4m3,e4m3,e4m3"]].concat(), &["--dtype: 3 formats"]);
    folder.refuse(&[&arguments[..], &["H1000", "--dtype", "e4m3"]].concat(), &["H1000", "nearest: H100"]);
    folder.refuse(&["gemm", "--a", "a.txt", "--b", "b.txt"], &["INSTRUCTION", "--device"]);
    // Arrays of NumPy say theirs: what was written of results in binary32 is refused, and tf32 named.
    let tf32 = [&arguments[..], &["H100", "--dtype", "tf32", "--out", "d.npy"]].concat();
    folder.succeed(&tf32);
    let arrays = ["gemm", "--device", "H100", "--a", "d.npy", "--b", "d.npy", "--pad"];
    folder.refuse(&arrays, &["a of binary32, b of binary32", "tf32", "--dtype"]);
    let run = folder.succeed(&["gemm", "--device", "MI300", "--a", "d.npy", "--b", "d.npy", "--pad"]);
    assert!(run.stderr.contains("cdna-mfma-m16n16k4-fp32-fp32"), "{}", run.stderr);
}

/// fp8 on devices whose results fill binary32, or whose operands are FNUZ.
#[test]
fn study_of_fp8_runs_on_all_devices() {
    let folder = Folder::new();
    let arguments = ["study", "fp8-promotion", "--sizes", "32", "--rows", "2", "--device", "H100,B200,MI300,Ada,V100"];
    let run = folder.succeed(&[&arguments[..], &["--json", "study.json"]].concat());
    let report = folder.json("study.json");
    let taken: Vec<(&str, Option<&str>)> = report["devices"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|own| (own["curve"].as_str().expect("a name"), own["instruction"].as_str()))
        .collect();
    for curve in ["in the unit", "every 128", "every 32"] {
        for (device, instruction) in [
            ("H100", Some("hopper-wgmma-k32-e4m3-fp32")),
            ("B200", Some("blackwell-tcgen05-k32-e4m3-fp32")),
            ("MI300", Some("cdna3-mfma-m16n16k32-e4m3fnuz-fp32")),
            ("Ada", Some("ada-mma-m16n8k32-e4m3-fp32")),
            ("V100", None),
        ] {
            assert!(taken.contains(&(&format!("{curve} {device}"), instruction)), "{curve} {device}: {taken:?}");
        }
    }
    let text = run.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    for said in [
        "in the unit V100: skipped, because V100 has no instruction for a of e4m3, b of e4m3, c of binary32",
        "in the unit MI300: cdna3-mfma-m16n16k32-e4m3fnuz-fp32 (a is e4m3fnuz, e4m3 in the file;",
        "in the unit H100: hopper-wgmma-k32-e4m3-fp32 [live]",
    ] {
        assert!(text.contains(said), "{said}: {text}");
    }
}
