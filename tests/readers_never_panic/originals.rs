//! Valid files, from which the others are made.

use std::fs;
use std::path::Path;

/// A catalogue unit's text in its shortest form, and one with every table.
pub fn unit_texts() -> Vec<String> {
    let full = r#"name = "full"
scheme = "fused"
products = 3
[formats]
a = { exponent_bits = 4, fraction_bits = 3, bias = 8, non_finite = "negative-zero-nan", padding_bits = 2 }
b = "ue4m3"
c = "bfloat16"
d = { exponent_bits = 5, fraction_bits = 6, bias = 12, non_finite = "ieee", padding_bits = 4 }
[alignment]
fraction_bits = 9
rounding = "nearest-even"
exponent_floor = -5
normalise_products = true
[sum]
carry_bits = 1
[conversion]
rounding = "toward-positive"
overflow = "ieee"
nan = 0x7e00
exact_zero = "negative"
[subnormals]
operands = "flushed"
addend = "kept"
result = "flushed"
[evidence]
products = { grade = "chosen", source = "test" }
"#;
    let mut texts = catalogue([
        "units/volta-fp16-fp32",
        "units/hopper-bf16-fp32",
        "units/tiny-truncating",
        "units/tiny-fma",
        "units/avx512-bf16-fp32",
        "units/tiny-even-odd",
        "units/tiny-pairwise",
        "units/tiny-pair-chain",
        "units/tiny-integer",
        "units/tiny-exact",
        "units/tiny-then-add",
        "units/cdna3-bf16-fp32",
        "units/tiny-riscv",
    ]);
    texts.push(full.to_owned());
    texts
}

fn catalogue<const N: usize>(names: [&str; N]) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/numerics/describe/catalogue");
    let read = |name| fs::read_to_string(folder.join(format!("{name}.toml"))).expect("a file of the catalogue");
    names.into_iter().map(read).collect()
}

/// One block; one without an addend; two blocks; four blocks with a widened addend; blocks from zero with operands of another format and c added at the end.
pub fn instruction_texts() -> Vec<String> {
    catalogue([
        "instructions/volta-mma-m8n8k4-fp16-fp32",
        "instructions/ampere-mma-m16n8k16-bf16-fp32",
        "instructions/volta-wmma-m16n16k16-fp16-fp32-from-fp16",
        "instructions/hopper-mma-m16n8k32-e4m3-fp32",
        "instructions/riscv-rvbna-k4-e5m2-e4m3-fp32",
    ])
}

pub fn case_texts() -> Vec<String> {
    let plain = r#"summary = "two products"
unit = "tiny-nearest"
a = ["0x1", "0x2"]
b = ["0x3", "0x4"]
c = "0x3c"
expected = "0x3c"
[found]
seed = 1
index = 2
class = "tie"
tensorsmith = "0.1.0"
[[answers]]
engine = "emulator"
d = "0x3c"
"#;
    let unit = unit_texts().pop().expect("a unit");
    let own = format!(
        "unit = \"full\"\na = [\"0x1\", \"0x2\", \"0x3\"]\nb = [\"0x3\", \"0x4\", \"0x5\"]\nc = \"0x3f80\"\n\
         expected = \"0x3c00\"\nunit_file = '''\n{unit}'''\n"
    );
    vec![plain.to_owned(), own, own_instruction()]
}

/// A unit, and one that adds c at the end.
pub fn unit_file_texts() -> [String; 2] {
    catalogue(["units/hopper-fp16-fp32", "units/addition-fp32"]).try_into().expect("two files")
}

/// The same instruction with the units in files `unit.toml` and `adder.toml`, and with one of them in the catalogue.
pub fn instruction_texts_with_unit_files() -> Vec<String> {
    let text = catalogue(["instructions/hopper-mma-m16n8k32-e4m3-fp32"]).remove(0);
    let own_unit = text.replace("\"hopper-fp16-fp32\"", "\"unit.toml\"");
    let own_adder = text.replace("\"addition-fp32\"", "\"adder.toml\"");
    vec![own_unit.replace("\"addition-fp32\"", "\"adder.toml\""), own_unit, own_adder]
}

/// The case of an instruction with both units in files.
fn own_instruction() -> String {
    let [unit, adder] = unit_file_texts();
    let text = instruction_texts_with_unit_files().remove(0);
    let operands = vec!["\"0x38\""; 32].join(", ");
    format!(
        "unit = \"own\"\na = [{operands}]\nb = [{operands}]\nc = \"0x3f800000\"\nexpected = \"0x42040000\"\n\
         instruction_file = '''\n{text}'''\nunit_file = '''\n{unit}'''\nfinal_addition_file = '''\n{adder}'''\n"
    )
}
