//! Programs as engines that do not do their part: each fault is named within seconds, and nothing of the program is left.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::program::{Folder, Run, interruptible};
use super::support::in_parallel;

const UNIT: &str = "hopper-fp16-fp32";

/// The begin of a script that greets. Shells know neither vectors nor formats: these scripts answer 0 to everything.
const HELLO: &str = "echo $$ > pid; read hello; echo hello 1 script 1";

/// Answers everything.
const LOOP: &str = "while read line; do case $line in flush) echo flush ;; *) echo 0 ;; esac; done";

/// Runs a co-simulation with a script, and checks that it has ended with all that it started.
fn run(folder: &Folder, script: &str) -> Run {
    folder.write("unit.sh", script);
    let start = Instant::now();
    let run = folder.run(&[
        "cosim",
        UNIT,
        "--vectors",
        "5000",
        "--engines",
        "emulator,external",
        "--external",
        "exec sh unit.sh",
        "--external-timeout",
        "2",
    ]);
    assert!(start.elapsed() < Duration::from_secs(30), "{script}: {:?}", start.elapsed());
    for file in ["pid", "helper"] {
        if let Ok(pid) = std::fs::read_to_string(folder.path(file)) {
            assert!(is_gone(pid.trim()), "{script}: {file} {pid} is left");
        }
    }
    run
}

/// Whether a process has ended, at most a moment after it was killed. A helper may be left as a zombie: its parent is gone.
pub fn is_gone(pid: &str) -> bool {
    let status = Path::new("/proc").join(pid).join("status");
    let gone = || std::fs::read_to_string(&status).map_or(true, |status| status.contains("State:\tZ"));
    let start = Instant::now();
    while !gone() && start.elapsed() < Duration::from_secs(2) {
        std::thread::sleep(Duration::from_millis(10));
    }
    gone()
}

/// Every script fails with exit code 2, and the message has all of its parts.
fn refuse(scripts: &[(&str, String, &[&str])]) {
    in_parallel(scripts, |(name, script, parts)| {
        let run = run(&Folder::new(), script);
        assert_eq!(run.code, 2, "{name}: {run:?}");
        assert!(run.stderr.contains("error: engine external: program \"exec sh unit.sh\" "), "{name}: {}", run.stderr);
        for part in *parts {
            assert!(run.stderr.contains(part), "{name}: {part:?} is missing in: {}", run.stderr);
        }
        assert!(run.stderr.len() < 8000, "{name}: a message of {} bytes", run.stderr.len());
    });
    println!("ran {} programs that fail", scripts.len());
}

#[test]
fn programs_that_fail_at_their_hello() {
    refuse(&[
        ("hangs", "echo $$ > pid; sleep 100".into(), &["did not answer for 2 s (--external-timeout)", "no hello yet"]),
        ("hangs in a helper", "sleep 100 & echo $! > helper; wait".into(), &["did not answer for 2 s"]),
        ("ends", "exit 0".into(), &["exited with code 0; no hello yet"]),
        (
            "fails",
            "echo no licence >&2; exit 3".into(),
            &["exited with code 3; no hello", "standard error:\n  no licence"],
        ),
        ("crashes", "kill -SEGV $$".into(), &["signal 11", "no hello yet"]),
        ("closes its output", "echo $$ > pid; exec >&-; sleep 100".into(), &["closed its standard output"]),
        (
            "is not there",
            "exec ./no-such-unit".into(),
            &["code 127: the shell does not find a program", "no-such-unit"],
        ),
        (
            "greets with something else",
            "echo Simulation started; sleep 100".into(),
            &["said \"Simulation started\"", "allowed: \"hello 1 NAME VERSION\""],
        ),
        ("speaks another version", "echo hello 2 unit 1; sleep 100".into(), &["said \"hello 2 unit 1\""]),
        ("has no name", "echo hello 1; sleep 100".into(), &["said \"hello 1\""]),
        ("gives no reason", "echo unsupported; sleep 100".into(), &["said \"unsupported\""]),
        ("writes noise", "printf '\\377\\000\\033[2J\\n'; sleep 100".into(), &["which is no text", "no hello yet"]),
        ("writes one endless line", "cat /dev/zero".into(), &["wrote a line of more than 4096 bytes"]),
        ("writes random bytes", "cat /dev/urandom".into(), &["no hello yet"]),
        ("writes comments only", "while echo '# compiling'; do :; done".into(), &["did not answer for 2 s"]),
    ]);
}

#[test]
fn programs_that_fail_at_their_vectors() {
    let after_hello = |rest: &str| format!("{HELLO}; {rest}");
    // Answers some vectors, then does something else.
    let later = |rest: &str| after_hello(&format!("for i in 1 2 3 4 5; do read line; echo 0; done; {rest}"));
    refuse(&[
        ("hangs at once", after_hello("sleep 100"), &["did not answer for 2 s", "not answered yet: the vector "]),
        ("hangs in the middle", later("sleep 100"), &["did not answer for 2 s", "not answered yet: the vector "]),
        ("hangs in a helper", later("sleep 100 & echo $! > helper; wait"), &["did not answer for 2 s"]),
        ("reads nothing more", later("exec <&-; sleep 100"), &["did not answer for 2 s"]),
        (
            "ignores the signals of an end",
            later("trap '' TERM INT HUP; while :; do :; done"),
            &["did not answer for 2 s"],
        ),
        ("ends early", later("exit 0"), &["exited with code 0; not answered yet"]),
        ("fails", later("echo assertion failed >&2; exit 9"), &["exited with code 9", "\n  assertion failed"]),
        ("crashes", later("kill -KILL $$"), &["signal 9", "not answered yet"]),
        ("crashes in a line", later("printf 3f80; exit 1"), &["exited with code 1 in the middle of the line \"3f80\""]),
        ("closes its output", later("exec >&-; sleep 100"), &["closed its standard output"]),
        ("answers a word", later("echo nan; sleep 100"), &["answered \"nan\", which is no hexadecimal word"]),
        ("answers with a prefix", later("echo 0x0; sleep 100"), &["answered \"0x0\", which is no hexadecimal word"]),
        ("answers with a sign", later("echo -1; sleep 100"), &["answered \"-1\", which is no hexadecimal word"]),
        (
            "answers too much",
            later("echo 1ffffffff; sleep 100"),
            &["too wide; allowed: 32 bits", "asked was the vector"],
        ),
        ("answers far too much", later("echo 11112222333344445; sleep 100"), &["too wide; allowed: 32 bits"]),
        ("answers two words", later("echo 0 0; sleep 100"), &["which is 2 words; allowed: one"]),
        ("answers nothing", later("echo; sleep 100"), &["which is 0 words; allowed: one"]),
        ("answers noise", later("cat /dev/urandom"), &[]),
        ("answers without end", after_hello("while :; do echo 0; done"), &["answered more than the "]),
        ("answers twice", after_hello(&LOOP.replace("*) echo 0", "*) echo 0; echo 0")), &["answered more than the "]),
        (
            "leaves some out",
            after_hello(&LOOP.replace("*) echo 0", "*7) ;; *) echo 0")),
            &["vectors before its line flush"],
        ),
        (
            "does not flush",
            after_hello(&LOOP.replace("flush) echo flush", "flush) ")),
            &["not answered yet: the line flush"],
        ),
        ("writes comments only", later("while echo '# 99 %'; do :; done"), &["did not answer for 2 s"]),
    ]);
}

#[test]
fn programs_that_answer_differently() {
    let counting =
        "i=0; while read line; do i=$((i+1)); case $line in flush) echo flush ;; *) printf '%x\\n' $i ;; esac; done";
    // Right at first, and different after thousands of vectors: after some batches, and after some more.
    let after = |count: u32| counting.replace("$i ;;", &format!("$((i / {count})) ;;"));
    refuse(&[(
        "counts",
        format!("{HELLO}; {counting}"),
        &["answered 1, and 2 when it was asked again, to the vector "],
    )]);
    // Mismatches that were found before are reported, with what ended the run.
    for count in [3000, 4400] {
        let folder = Folder::new();
        let run = run(&folder, &format!("{HELLO}; {}", after(count)));
        assert_eq!(run.code, 1, "{count}: {run:?}");
        for part in ["MISMATCHES", "stopped", "answered 0, and 1 when it was asked again"] {
            assert!(run.stdout.contains(part), "{count}: {part:?} is missing in {}", run.stdout);
        }
    }
}

/// What is odd but allowed: comments, much on standard error, answers all at once at the flush, capitals, zeros.
#[test]
fn programs_that_take_liberties() {
    let liberties = [
        ("comments", format!("{HELLO}; {}", LOOP.replace("*) echo 0", "*) echo '# yes'; echo 0"))),
        ("much on standard error", format!("yes warning | head -c 3000000 >&2; {HELLO}; {LOOP}")),
        (
            "answers late",
            format!(
                "{HELLO}; {}",
                LOOP.replace("*) echo 0", "*) o=${o}0:")
                    .replace("echo flush", "echo $o | tr ':' '\\n' | sed '/^$/d'; o=; echo flush")
            ),
        ),
        ("zeros", format!("{HELLO}; {}", LOOP.replace("*) echo 0", "*) echo ' 00000000000 '"))),
    ];
    for (name, script) in &liberties {
        let folder = Folder::new();
        let run = run(&folder, script);
        // The answer is 0 to everything, and therefore wrong.
        assert_eq!(run.code, 1, "{name}: {run:?}");
    }
    println!("ran {} programs that take liberties", liberties.len());
}

/// The end: a warning, because every answer is there.
#[test]
fn programs_that_do_not_end_well() {
    let ends = [
        ("fails at the end", "exit 4", "in the end exited with code 4"),
        ("stays", "sleep 100", "does not end when its standard input does, and was killed"),
    ];
    in_parallel(&ends, |(name, end, part)| {
        let run = run(&Folder::new(), &format!("{HELLO}; {LOOP}; {end}"));
        assert_eq!(run.code, 1, "{name}: {run:?}");
        assert!(
            run.stderr.contains(&format!("warning: engine external: program \"exec sh unit.sh\" {part}")),
            "{}",
            run.stderr
        );
    });
}

/// Whatever ends the co-simulation, the program finds the end of its input.
#[test]
fn killed_cosimulations_leave_no_program() {
    let folder = Folder::new();
    folder.write("unit.sh", format!("{HELLO}; {LOOP}"));
    let cosim = ["cosim", UNIT, "--vectors", "100000000", "--engines", "emulator,external"];
    let mut child = folder.command(&[&cosim[..], &["--external", "exec sh unit.sh"]].concat());
    let mut child = child.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program starts");
    let pid = || std::fs::read_to_string(folder.path("pid")).unwrap_or_default().trim().to_owned();
    while pid().is_empty() {
        assert!(child.try_wait().expect("a child").is_none(), "it takes hours");
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(!is_gone(&pid()), "a program that runs is not gone");
    child.kill().expect("a child of this test");
    child.wait().expect("a child of this test");
    assert!(is_gone(&pid()), "{} is left", pid());
}

/// A program that does not look at its input is ended soon after a co-simulation that was killed.
#[test]
fn killed_cosimulations_leave_no_stubborn_program() {
    for signal in ["KILL", "INT"] {
        let folder = Folder::new();
        folder.write("unit.sh", format!("{HELLO}; sleep 1000 & echo $! > helper; wait"));
        let cosim = ["cosim", UNIT, "--vectors", "1000", "--engines", "emulator,external"];
        let command =
            folder.command(&[&cosim[..], &["--external", "exec sh unit.sh", "--external-timeout", "1"]].concat());
        let mut child =
            interruptible(&command).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program starts");
        let pid = |file| std::fs::read_to_string(folder.path(file)).unwrap_or_default().trim().to_owned();
        while pid("helper").is_empty() {
            assert!(child.try_wait().expect("a child").is_none(), "it waits for a second");
            std::thread::sleep(Duration::from_millis(1));
        }
        Command::new("kill")
            .args([&format!("-{signal}"), &child.id().to_string()])
            .status()
            .expect("the shell's tools");
        child.wait().expect("a child of this test");
        assert!(["pid", "helper"].iter().all(|file| is_gone(&pid(file))), "{signal}: the program is left");
    }
}

/// A program that does not answer a subject is skipped, as other engines are.
#[test]
fn programs_that_refuse_a_subject() {
    let folder = Folder::new();
    let run = run(&folder, "echo '# looking'; echo 'unsupported only bf16 here'");
    assert_eq!(run.code, 2, "nothing is left to compare: {run:?}");
    assert!(run.stdout.contains("the program says: only bf16 here"), "{}", run.stdout);
    assert!(!run.stderr.contains("warning"), "{}", run.stderr);
}

#[test]
fn program_that_is_not_there() {
    let folder = Folder::new();
    let eval = ["eval", UNIT, "--a", "1", "--b", "1", "--engines", "external", "--external", "./no-such-unit --fast"];
    folder.refuse(
        &eval,
        &["program \"./no-such-unit --fast\" exited with code 127: the shell does not find", "no-such-unit"],
    );
}
