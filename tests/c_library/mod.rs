//! The C library: programs of C and C++ get the emulator's answers, under the sanitizers of addresses and of threads, and see
//! planted ones; what it refuses, with which text; its names for linkers, loaders and pkg-config.
#![cfg(target_os = "linux")]

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tensorsmith::check::stimulus::Stimulus;
use tensorsmith::describe::subject::Subject;
use tensorsmith::engine::{Batch, Composed};

use crate::support::c_library::CLibrary;
use crate::support::{in_parallel, long_tier, needs_program};

/// Units and instructions of all kinds: scales, flags, integers, blocks, c of another format, c added last.
const SUBJECTS: [&str; 8] = [
    "volta-fp16-fp32",
    "tiny-pairwise",
    "blackwell-nvf4-fp32",
    "riscv-fp16-fp32",
    "ampere-mma-m16n8k16-fp16-fp32",
    "volta-mma-m8n8k4-fp16-fp32-from-fp16",
    "ampere-mma-m16n8k32-int8-int32",
    "ampere-mma-m8n8k4-fp16-fp32",
];

const ADDRESSES: &[&str] = &["-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
const THREADS: &[&str] = &["-fsanitize=thread"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Shaped vectors as the example programs read them, with what the emulator answers.
fn lines(name: &str, count: usize) -> Vec<String> {
    let subject = Subject::named(name).unwrap_or_else(|| panic!("{name} is in the catalogue"));
    let (instruction, interface) = (subject.instruction(), subject.interface());
    let mut batch = Batch::of_interface(&interface);
    Stimulus::shaped(subject.frame(), 5).fill(0, count, &mut batch);
    let mut answers = Vec::new();
    Composed::emulated(&instruction).run(&batch, &mut answers).expect("the emulator answers");
    let line = |index: usize| {
        let vector = batch.vector(index);
        let operands =
            vector.operands().take(if interface.has_addend() { usize::MAX } else { vector.operands().count() - 1 });
        let result = interface.split_answer(answers[index]).0;
        operands.chain([result]).map(|value| format!("{value:x}")).collect::<Vec<String>>().join(" ")
    };
    (0..count).map(line).collect()
}

/// The same with one wrong expectation.
fn planted(lines: &[String]) -> Vec<String> {
    let mut lines = lines.to_vec();
    let line = &mut lines[16];
    let last = line.pop().and_then(|digit| digit.to_digit(16)).expect("a digit");
    *line += &format!("{:x}", last ^ 1);
    lines
}

/// What a program says to vectors, and its status.
fn run(program: &Path, arguments: &[&str], lines: &[String]) -> (Option<i32>, String) {
    let mut command = Command::new(program);
    command.env("TSAN_OPTIONS", format!("suppressions={}", root().join("tests/c_library/threads.supp").display()));
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let mut input = child.stdin.take().expect("a pipe");
    let text = lines.join("\n") + "\n";
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let Output { status, stdout, stderr } = child.wait_with_output().expect("the program ends");
    // A program that has refused a line reads no more.
    let _ = writer.join().expect("no panic");
    (status.code(), String::from_utf8_lossy(&[stdout, stderr].concat()).into_owned())
}

fn vectors() -> usize {
    if long_tier() { 100_000 } else { 500 }
}

#[test]
fn c_emulator_shaped_vectors() {
    let library = CLibrary::new();
    let dot = library.compile("examples/c/dot.c", "dot", ADDRESSES);
    in_parallel(&SUBJECTS, |&name| {
        let (lines, count) = (lines(name, vectors()), vectors());
        let (code, said) = run(&dot, &[name], &lines);
        assert_eq!((code, said), (Some(0), format!("{name}: {count} vectors compared, 0 mismatches\n")));
        let (code, said) = run(&dot, &[name], &planted(&lines));
        assert!(code == Some(1) && said.starts_with("line 17: "), "{code:?}: {said}");
        assert!(said.ends_with(&format!("{name}: {count} vectors compared, 1 mismatches\n")), "{said}");
    });
    let (code, said) = run(&dot, &["volta-fp16-fp32"], &["1 2 3".to_owned()]);
    assert_eq!((code, said.as_str()), (Some(2), "error: line 1 has 3 numbers; allowed: 9, or one more\n"));
}

fn compare_on_threads(sanitizer: &[&str], program: &str) {
    let subjects = if long_tier() { &SUBJECTS[..] } else { &SUBJECTS[2..6] };
    let library = CLibrary::new();
    let threads = library.compile("examples/c/threads.cpp", program, sanitizer);
    in_parallel(subjects, |&name| {
        let (lines, count) = (lines(name, vectors()), vectors());
        let expected = |wrong: usize| {
            let compared = format!("{name}: {count} vectors compared on 4 threads, ");
            format!("{compared}{wrong} mismatches with one handle, {wrong} with one each, 0 elements of D differ\n")
        };
        assert_eq!(run(&threads, &[name, "4"], &lines), (Some(0), expected(0)));
        assert_eq!(run(&threads, &[name, "4"], &planted(&lines)), (Some(1), expected(1)));
    });
}

#[test]
fn cpp_emulator_threads_under_the_sanitizer_of_addresses() {
    compare_on_threads(ADDRESSES, "threads-addresses");
}

#[test]
fn cpp_emulator_threads_under_the_sanitizer_of_threads() {
    compare_on_threads(THREADS, "threads-threads");
}

/// The sanitizers are there: each finds what it is for.
#[test]
fn sanitizers_find_planted_faults() {
    let library = CLibrary::new();
    for (sanitizer, fault, found) in [
        (ADDRESSES, "long", "AddressSanitizer: stack-buffer-overflow"),
        (THREADS, "race", "ThreadSanitizer: data race"),
    ] {
        let program = library.compile("tests/c_library/faults.c", fault, sanitizer);
        let (code, said) = run(&program, &[fault], &[]);
        assert!(code != Some(0) && said.contains(found), "{fault}: {code:?}: {said}");
    }
}

/// The same programs with a library that was compiled for the sanitizer, too. It sees a result that the library writes behind the
/// end of the caller's array, which it does not see in a library that was not.
#[test]
fn library_compiled_for_the_sanitizer_of_addresses() {
    if !long_tier() {
        return;
    }
    let (library, plain) = (CLibrary::instrumented(), CLibrary::new());
    let faults = |library: &CLibrary| library.compile("tests/c_library/faults.c", "results", ADDRESSES);
    assert_eq!(run(&faults(&plain), &["results"], &[]), (Some(0), String::new()));
    let (code, said) = run(&faults(&library), &["results"], &[]);
    assert!(code != Some(0) && said.contains("AddressSanitizer: heap-buffer-overflow"), "{code:?}: {said}");

    refused_and_said(&library);
    let dot = library.compile("examples/c/dot.c", "dot", ADDRESSES);
    let threads = library.compile("examples/c/threads.cpp", "threads", ADDRESSES);
    in_parallel(&SUBJECTS, |&name| {
        let (lines, count) = (lines(name, 10_000), 10_000);
        let compared = format!("{name}: {count} vectors compared");
        assert_eq!(run(&dot, &[name], &lines), (Some(0), format!("{compared}, 0 mismatches\n")));
        let (code, said) = run(&threads, &[name, "4"], &lines);
        assert!(code == Some(0) && said.starts_with(&format!("{compared} on 4 threads, 0 mismatches")), "{said}");
    });
}

#[test]
fn what_is_refused_and_said() {
    refused_and_said(&CLibrary::new());
}

/// With TENSORSMITH_REWRITE_SNAPSHOTS=1 the expected lines are written anew.
fn refused_and_said(library: &CLibrary) {
    let program = library.compile("tests/c_library/contract.c", "contract", ADDRESSES);
    let output = Command::new(program).output().expect("the program starts");
    let (said, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{said}{errors}");
    assert!(errors.contains("planted"), "the panic is said: {errors}");
    let path = root().join("tests/c_library/contract.txt");
    if std::env::var_os("TENSORSMITH_REWRITE_SNAPSHOTS").is_some_and(|value| value == "1") {
        return std::fs::write(path, said.as_bytes()).expect("the lines can be written");
    }
    assert_eq!(said, std::fs::read_to_string(path).expect("the expected lines"));
    assert!(said.contains("\npanic: 7 a fault of the library: planted\n"), "{said}");
}

/// The static library serves as well.
#[test]
fn static_library_emulator_shaped_volta() {
    let library = CLibrary::new();
    let program = library.folder().join("static");
    let mut compile = Command::new("cc");
    compile.arg(root().join("examples/c/dot.c")).arg(CLibrary::archive());
    compile.arg("-I").arg(CLibrary::include()).args(["-lm", "-lpthread", "-ldl", "-o"]).arg(&program);
    assert!(compile.status().expect("the compiler starts").success());
    let (code, said) = run(&program, &["volta-fp16-fp32"], &lines("volta-fp16-fp32", 100));
    assert_eq!((code, said.as_str()), (Some(0), "volta-fp16-fp32: 100 vectors compared, 0 mismatches\n"));
}

/// A program finds the library by what pkg-config says of the folder that `./x c-library` makes.
#[test]
fn installed_library_emulator_shaped_volta() {
    if !long_tier() {
        return;
    }
    let Some(()) = needs_program("pkg-config", "pkg-config", "--version") else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let prefix = folder.path().join("installed");
    let made = Command::new("./x").args(["c-library", "--prefix"]).arg(&prefix).current_dir(root()).output();
    let made = made.expect("it starts");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let flags = Command::new("pkg-config")
        .args(["--cflags", "--libs", "tensorsmith"])
        .env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig"))
        .output()
        .expect("pkg-config runs");
    let flags = String::from_utf8(flags.stdout).expect("text");
    let program = folder.path().join("dot");
    let mut compile = Command::new("cc");
    compile.arg(root().join("examples/c/dot.c")).args(flags.split_whitespace()).arg("-o").arg(&program);
    compile.arg(format!("-Wl,-rpath,{}", prefix.join("lib").display()));
    assert!(compile.status().expect("the compiler starts").success(), "{flags}");
    let (code, said) = run(&program, &["volta-fp16-fp32"], &lines("volta-fp16-fp32", 100));
    assert_eq!((code, said.as_str()), (Some(0), "volta-fp16-fp32: 100 vectors compared, 0 mismatches\n"));
}

/// The names that loaders look for: that of the file has the interface's major version, which the header says, and the functions
/// are those of the header.
#[test]
fn names_for_loaders() {
    let library = CLibrary::new();
    let file = library.folder().join("libtensorsmith.so");
    let said = |program: &str, argument: &str| {
        let output = Command::new(program).arg(argument).arg(&file).output().expect("binutils are there");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let header = std::fs::read_to_string(CLibrary::include().join("tensorsmith.h")).expect("the header");
    let line = header.lines().find_map(|line| line.strip_prefix("#define TENSORSMITH_ABI_MAJOR "));
    let name = format!("Library soname: [libtensorsmith.so.{}]", line.expect("a version"));
    let dynamic = said("readelf", "-d");
    assert!(dynamic.contains(&name), "{name}: {dynamic}");
    let symbols = said("nm", "-D");
    let exported =
        symbols.lines().filter_map(|line| line.split(" T ").nth(1)).filter(|name| *name != "tensorsmith_planted_panic");
    let mut exported: Vec<&str> = exported.collect();
    let declared = |line: &&str| !line.starts_with(['/', ' ']) && line.contains("tensorsmith_") && line.contains('(');
    let functions =
        header.lines().filter(declared).filter_map(|line| line.split('(').next()?.rsplit([' ', '*']).next());
    let mut functions: Vec<&str> = functions.collect();
    exported.sort_unstable();
    functions.sort_unstable();
    assert!(functions.len() > 15, "{functions:?}");
    assert_eq!(exported, functions);
}
