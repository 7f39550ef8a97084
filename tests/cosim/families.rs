//! The catalogue's files: every entry stands for the names that its files carry, families for all of their members.

use tensorsmith::describe::catalogue;
use tensorsmith::describe::device::Device;
use tensorsmith::describe::instruction::Instruction;

#[test]
fn files_carry_the_names_of_their_entries() {
    let units: Vec<String> = catalogue::units().into_iter().map(|unit| unit.name).collect();
    let instructions: Vec<String> = catalogue::instructions().into_iter().map(|instruction| instruction.name).collect();
    let devices: Vec<String> = catalogue::devices().into_iter().map(|device| device.name).collect();
    assert_eq!(units, catalogue::names());
    assert_eq!(instructions, catalogue::instruction_names());
    assert_eq!(devices, catalogue::device_names());
    for names in [units, instructions, devices] {
        let mut sorted = names.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), names.len(), "a name stands for two files");
        assert!(names.iter().all(|name| !name.contains(['{', '}'])), "a placeholder was left over");
    }
    let left_over = |text: String| text.contains('{') || text.contains('}');
    assert!(!catalogue::units().into_iter().any(|unit| left_over(unit.summary)));
    assert!(!catalogue::instructions().into_iter().any(|instruction| left_over(instruction.summary)));
}

#[test]
fn families_have_all_their_members() {
    let fp8 = catalogue::unit_members("hopper-{operands}-fp16").expect("a family");
    assert_eq!(fp8, ["hopper-e4m3-fp16", "hopper-e4m3-e5m2-fp16", "hopper-e5m2-fp16"]);
    let mixed = catalogue::instruction_members("ada-mma-m16n8k32-{operands}-fp32").expect("a family");
    assert_eq!(mixed, ["ada-mma-m16n8k32-e4m3-e5m2-fp32", "ada-mma-m16n8k32-e5m2-e4m3-fp32"]);
    assert_eq!(catalogue::unit_members("blackwell-{operands}-fp32").expect("a family").len(), 15);
    let ordered = catalogue::instruction_members("blackwell-tcgen05-k32-{operands}-fp32").expect("a family");
    assert_eq!((ordered.len(), ordered[5].as_str()), (25, "blackwell-tcgen05-k32-e5m2-e4m3-fp32"));
    for name in ordered {
        let instruction = catalogue::instruction(&name).expect("an instruction of the catalogue");
        let unit = &instruction.unit.formats;
        let straight = (&instruction.a, &instruction.b) == (&unit.a, &unit.b);
        let exchanged = (&instruction.a, &instruction.b) == (&unit.b, &unit.a);
        assert!(straight || exchanged, "{name} on {}", instruction.unit.name);
    }
    assert_eq!(catalogue::unit_members("no such unit"), None);
    assert_eq!(catalogue::instruction_members("hopper-{operands}"), None);
}

const RIGHT: &str = r#"
name    = "test"
summary = "test"
unit    = "hopper-fp16-fp32"
shape   = { m = 16, n = 8, k = 16 }
order   = "contiguous"
start   = "addend"
evidence = { grade = "chosen", source = "a test" }
"#;

/// The right text with one line replaced, or a line more, is refused with all the parts in the message.
fn refused(from: &str, to: &str, parts: &[&str]) {
    let text = if from.is_empty() { format!("{to}\n{RIGHT}") } else { RIGHT.replace(from, to) };
    assert_ne!(text, RIGHT, "the fault changes something");
    let error = Instruction::from_toml("wrong.toml", &text).expect_err("a wrong instruction").to_string();
    for part in ["wrong.toml"].iter().chain(parts) {
        assert!(error.contains(part), "{part:?} is missing in: {error}");
    }
}

#[test]
fn wrong_instructions_are_refused() {
    let right = Instruction::from_toml("right.toml", RIGHT).expect("a right instruction");
    assert!(!right.exchanged() && right.tiles.is_none());
    let no_such = &["field `unit` is \"no-such\"", "volta-fp16-fp32, volta-fp16-fp16"];
    refused("\"hopper-fp16-fp32\"", "\"no-such\"", no_such);
    refused("k = 16", "k = 0", &["field `shape.k` is 0", "1 to 1024"]);
    refused("m = 16", "m = 2000", &["field `shape.m` is 2000", "1 to 1024"]);
    refused("", "operands = { a = \"e4m3\", b = \"e9m9\" }", &["field `operands.b` is \"e9m9\""]);
    let lossy = "operands = { a = \"bfloat16\", b = \"e4m3\" }";
    refused("", lossy, &["field `operands.a` is \"bfloat16\"", "the unit's binary16 holds exactly"]);
    refused("", "addend = \"binary64\"", &["field `addend` is \"binary64\"", "binary32 of hopper-fp16-fp32 holds"]);
    refused("\"addend\"\n", "\"zero\"\n", &["field `start` is \"zero\""]);
    refused("", "tile = \"m8n8k16\"", &["unknown field `tile`"]);
    // Two blocks, and a result that the addend cannot hold: nothing to chain through.
    let text = RIGHT.replace("hopper-fp16-fp32", "tiny-nearest");
    let text = format!("addend = \"e5m2\"\noperands = {{ a = \"e2m1\", b = \"e2m1\" }}\n{text}");
    assert!(Instruction::from_toml("tiny.toml", &text).is_ok(), "e5m2 results are e5m2 addends");
    // A chain whose last block would be filled up with products of zeros.
    let text = text.replace("tiny-nearest", "tiny-fma");
    assert!(Instruction::from_toml("chain.toml", &text).is_ok(), "eight blocks of two");
    let error = Instruction::from_toml("chain.toml", &text.replace("k = 16", "k = 15")).expect_err("half a block");
    assert!(error.to_string().contains("field `shape.k` is 15; allowed: multiples of 2"), "{error}");
    println!("refused 9 wrong instructions");
}

#[test]
fn wrong_devices_are_refused() {
    let device = |instructions: &str| {
        let text = format!(
            "name = \"X\"\nsummary = \"x\"\nparts = []\narchitecture = \"X\"\ntargets = []\nrecorded_as = []\n\
             instructions = [{instructions}]\ndefaults = []\n"
        );
        Device::from_toml("X.toml", &text)
    };
    let volta = "\"volta-mma-m8n8k4-fp16-fp32\"";
    assert_eq!(device(volta).expect("a right device").instructions.len(), 1);
    let family = device("\"hopper-wgmma-k32-{operands}-fp16\"").expect("a device with a family");
    assert_eq!(family.instructions.len(), 4);
    for (instructions, parts) in [
        ("\"no-such\"".to_owned(), ["`instructions` is \"no-such\"", "volta-mma-m8n8k4-fp16-fp32, "]),
        (format!("{volta}, {volta}"), ["fp16-fp32\" twice", "each instruction once"]),
        (
            "\"hopper-wgmma-k32-{operands}-fp16\", \"hopper-wgmma-k32-e5m2-fp16\"".to_owned(),
            ["k32-e5m2-fp16\" twice", "each instruction once"],
        ),
        (String::new(), ["`instructions` is []", "at least one"]),
    ] {
        let error = device(&instructions).expect_err("a wrong device").to_string();
        assert!(error.starts_with("X.toml: "), "{error}");
        assert!(parts.iter().all(|part| error.contains(part)), "{error}");
    }
    println!("refused 4 wrong devices");
}

/// What a publication reads into a device that is otherwise.
const OF_NO_DEVICE: [&str; 1] = ["hickmann-reading-m16n16k16-fp16-fp32"];

/// The folders that devices and instructions name are the same ones: a slip of the pen would leave a device unverified.
#[test]
fn recordings_belong_to_devices() {
    let devices = catalogue::devices();
    let known: Vec<&String> = devices.iter().flat_map(|device| &device.recorded_as).collect();
    for instruction in catalogue::instructions() {
        for folder in instruction.recordings.iter().flat_map(|recordings| &recordings.devices) {
            assert!(known.contains(&folder), "{}: no device was recorded as {folder}", instruction.name);
            let runs = devices.iter().any(|device| {
                device.recorded_as.contains(folder)
                    && device.instructions.iter().any(|own| own.name == instruction.name)
            });
            assert!(runs, "{}: recorded on {folder}, but no device lists it", instruction.name);
        }
    }
    let listed = |name: &str| devices.iter().any(|device| device.instructions.iter().any(|own| own.name == name));
    let others: Vec<&str> = catalogue::instruction_names().into_iter().filter(|name| !listed(name)).collect();
    assert_eq!(others, OF_NO_DEVICE, "instructions that no device lists");
}
