//! Other programs read what was written: Icarus Verilog the memory files, NumPy the arrays.

use std::process::Command;

use super::*;

/// Memories of the sizes that the files name, read and printed again.
fn bench(layout: &Layout, vectors: u64) -> String {
    let names = ["a", "b", "scale_a", "scale_b", "c", "d"];
    let [products, scales] = [layout.products, layout.scales];
    let mut text = "// Reads memory files and prints them.\nmodule bench;\n".to_owned();
    for (name, (count, width)) in
        names.iter().zip([products, products, scales, scales, 1, 1].into_iter().zip(layout.widths))
    {
        if count * width == 0 {
            continue;
        }
        let last = count * width - 1;
        text += &format!("  reg [{last}:0] {name} [0:{}];\n", vectors - 1);
        text += &format!("  integer {name}_v;\n  initial begin\n    $readmemh(\"{name}.hex\", {name});\n");
        text += &format!("    for ({name}_v = 0; {name}_v < {vectors}; {name}_v = {name}_v + 1)\n");
        text += &format!("      $display(\"{name} %0d %h\", {name}_v, {name}[{name}_v]);\n  end\n");
    }
    text + "endmodule\n"
}

/// What Icarus read from a folder of memory files, a line an operand and a vector.
fn icarus(folder: &Path, layout: &Layout, vectors: u64) -> Vec<String> {
    fs::write(folder.join("bench.sv"), bench(layout, vectors)).expect("a file");
    let run = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).current_dir(folder).output().expect("the program starts");
        let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        assert!(output.status.success(), "{program}: {said}");
        said
    };
    let said = run("iverilog", &["-g2012", "-Wall", "-o", "bench.vvp", "bench.sv"]);
    assert_eq!(said, "", "no warning");
    run("vvp", &["-n", "bench.vvp"]).lines().map(str::to_owned).collect()
}

#[test]
fn icarus_reads_memory_files() {
    let Some(()) = support::needs_icarus("icarus") else { return };
    let mut words = 0;
    for subject in ["hopper-fp16-fp32", "blackwell-nvf4-fp32", "riscv-fp16-fp32", "fma-fp64", "tiny-nearest"] {
        let folder = Folder::new(subject, 40);
        let header = folder.export(Form::Readmemh).expect("a recording");
        let other = folder.path("other");
        let read = icarus(&other, &header.layout, 40);
        let mut expected = Vec::new();
        for name in ["a", "b", "scale_a", "scale_b", "c", "d"] {
            let Ok(text) = fs::read_to_string(other.join(format!("{name}.hex"))) else { continue };
            let lines = text.lines().skip(3).enumerate();
            expected.extend(lines.map(|(vector, line)| format!("{name} {vector} {line}")));
        }
        assert!(expected.len() >= 120, "{subject}");
        let sorted = |mut lines: Vec<String>| {
            lines.sort();
            lines
        };
        words += expected.len();
        assert_eq!(sorted(read), sorted(expected), "{subject}");
        // Elements are where the emitted modules take them: the first operand a in the lowest bits.
        let (_, chunks) = read_file(&folder.path("in.tsrec"));
        let width = header.layout.widths[0] as usize;
        let first =
            fs::read_to_string(other.join("a.hex")).expect("a file").lines().nth(3).unwrap_or_default().to_owned();
        let low = u64::from_str_radix(&first[first.len().saturating_sub(16)..], 16).expect("digits");
        let mask = if width == 64 { u64::MAX } else { (1 << width) - 1 };
        assert_eq!(low & mask, chunks[0].batch.a[0], "{subject}");
    }
    println!("Icarus read {words} words as they were written");
}

fn read_file(path: &Path) -> (Header, Vec<Chunk>) {
    read(&fs::read(path).expect("a file")).expect("a recording")
}

/// NEP 1: magic, version 1.0, length of the header, a Python dictionary padded with blanks to a multiple of 64 bytes and
/// ended with a line feed (a tuple may end with a comma); then the elements, little-endian, rows one after the other.
#[test]
fn arrays_are_what_the_specification_says() {
    let cases = [
        ("hopper-fp16-fp32", "a", 2, "'<u2'", "(40, 16, )"),
        ("hopper-fp16-fp32", "c", 4, "'<u4'", "(40, )"),
        ("fma-fp64", "d", 8, "'<u8'", "(40, )"),
        ("blackwell-nvf4-fp32", "scale_a", 1, "'|u1'", "(40, 4, )"),
        ("tiny-nearest", "b", 1, "'|u1'", "(40, 2, )"),
    ];
    for (subject, name, size, descr, shape) in cases {
        let folder = Folder::new(subject, 40);
        folder.export(Form::Npy).expect("a recording");
        let bytes = fs::read(folder.path("other").join(format!("{name}.npy"))).expect("a file");
        assert_eq!(&bytes[..8], b"\x93NUMPY\x01\x00", "{subject} {name}");
        let length = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
        assert_eq!((10 + length) % 64, 0, "the elements are aligned");
        let text = std::str::from_utf8(&bytes[10..10 + length]).expect("a text");
        assert!(text.ends_with('\n') && text.is_ascii());
        let said: String = text.split_whitespace().collect();
        let wanted: String = format!("{{'descr':{descr},'fortran_order':False,'shape':{shape},}}").replace(' ', "");
        assert_eq!(said, wanted, "{subject} {name}");
        let (_, chunks) = read_file(&folder.path("in.tsrec"));
        let batch = &chunks[0].batch;
        let elements = match name {
            "a" => &batch.a,
            "b" => &batch.b,
            "scale_a" => &batch.scale_a,
            "c" => &batch.c,
            _ => &chunks[0].results,
        };
        let expected: Vec<u8> = elements.iter().flat_map(|element| element.to_le_bytes()[..size].to_vec()).collect();
        assert_eq!(&bytes[10 + length..], expected, "{subject} {name}");
        assert!(!folder.path("other").join("scale_b.npy").exists() || subject.contains("nvf4"));
    }
}

#[test]
fn numpy_reads_arrays() {
    let has_numpy = Command::new("python3").args(["-c", "import numpy"]).output();
    if !has_numpy.is_ok_and(|output| output.status.success()) {
        return support::skip("numpy", "python3 with numpy is not here");
    }
    let folder = Folder::new("hopper-fp16-fp32", 40);
    folder.export(Form::Npy).expect("a recording");
    let script = "import json, numpy; h = json.load(open('recording.json')); a = numpy.load('a.npy'); d = numpy.load('d.npy'); \
                  print(h['subject'], a.shape, a.dtype, d.shape, d.dtype, int(a.astype('u8').sum()), int(d.astype('u8').sum()))";
    let output = Command::new("python3").args(["-c", script]).current_dir(folder.path("other")).output();
    let output = output.expect("python3 starts");
    let (_, chunks) = read_file(&folder.path("in.tsrec"));
    let (a, d): (u64, u64) = (chunks[0].batch.a.iter().sum(), chunks[0].results.iter().sum());
    let expected = format!("hopper-fp16-fp32 (40, 16) uint16 (40,) uint32 {a} {d}\n");
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{}", String::from_utf8_lossy(&output.stderr));
    // What NumPy writes itself, big-endian too, is read.
    let script = "import numpy; numpy.save('a.npy', numpy.load('a.npy').astype('>u2'))";
    let output = Command::new("python3").args(["-c", script]).current_dir(folder.path("other")).output();
    assert!(output.expect("python3 starts").status.success());
    folder.import(Form::Npy, "").expect("what NumPy wrote");
    assert_eq!(fs::read(folder.path("in.tsrec")).expect("a file"), fs::read(folder.path("out.tsrec")).expect("a file"));
}
