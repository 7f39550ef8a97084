//! Places that cannot be written: nothing half-written, and no long run in vain.

use super::program::{Folder, SOFTWARE};
use super::support::long_tier;

/// A folder with a regular file in it, below which nothing can be written whoever runs the test.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("file", "unchanged\n");
    std::fs::create_dir(folder.path("folder")).expect("a folder");
    folder
}

/// Where the whole catalogue is to be written all of it is emitted first: asked in the long tier.
#[test]
fn emit_below_a_file() {
    let folder = folder();
    for out in ["file", "file/rtl", "file/deeper/rtl"] {
        folder.refuse(&["emit", "tiny-nearest", "--out", out], &["error: output folder ", out, "cannot be written: "]);
    }
    if long_tier() {
        folder.refuse(&["emit", "--catalogue", "--out", "file/rtl"], &["error: output folder ", "file/rtl"]);
    }
}

/// A device file is neither a folder nor a plain file, and is said to be none, whoever asks.
#[cfg(unix)]
#[test]
fn device_files_are_no_folders() {
    let folder = folder();
    folder.refuse(&["replay", "/dev/null"], &["error: /dev/null: is neither a plain file nor a folder"]);
    for arguments in [
        &["emit", "tiny-nearest", "--out", "/dev/null"][..],
        &["man", "/dev/null"],
        &["record", "--device", "V100", "--engine", "emulator", "--vectors", "1", "--out", "/dev/null"],
    ] {
        folder.refuse(arguments, &["/dev/null: cannot be ", "is no folder"]);
    }
}

#[test]
fn emit_writes_all_and_again() {
    let folder = Folder::new();
    let first = folder.succeed(&["emit", "tiny-nearest", "--out", "a/b"]);
    let written = folder.content();
    assert_eq!(first.stdout.lines().count() + 2, written.len(), "the printed files, and two folders");
    assert!(first.stdout.lines().all(|line| folder.path(line).is_file()), "{}", first.stdout);
    folder.succeed(&["emit", "tiny-nearest", "--out", "a/b"]);
    assert_eq!(folder.content(), written, "the same again");
}

/// Files of another unit and of its own library that get another text are named; those of the same unit are not.
#[test]
fn emit_names_the_files_that_it_replaces() {
    let folder = Folder::new();
    let emit = |more: &[&str]| folder.succeed(&[&["emit"], more, &["--out", "rtl"]].concat()).stderr;
    assert_eq!(emit(&["tiny-nearest"]), "");
    assert_eq!(emit(&["tiny-nearest", "--pipeline", "2"]), "");
    assert_eq!(emit(&["tiny-fma"]), "rtl: replaced files of unit tiny-nearest: Bender.yml, README.md\n");
    assert_eq!(emit(&["tiny-fma"]), "");
    folder.write("rtl/tensorsmith_round.sv", folder.read("rtl/tensorsmith_round.sv") + "// mine\n");
    let replaced =
        "rtl: replaced files: tensorsmith_round.sv\nrtl: replaced files of unit tiny-fma: Bender.yml, README.md\n";
    assert_eq!(emit(&["tiny-nearest"]), replaced);
}

/// Reports that cannot be written are refused before the run: a run of so many vectors would not end in a test's time.
#[test]
fn reports_below_a_file() {
    let folder = folder();
    let run = ["cosim", "volta-fp16-fp32", "--vectors", "1000000000000", "--engines", SOFTWARE];
    let mut lines = 0;
    for place in ["file/report", "missing/report", "folder"] {
        for option in ["--json", "--junit"] {
            folder.refuse(&[&run[..], &[option, place]].concat(), &["error: ", place, "cannot be written: "]);
            lines += 1;
        }
        folder
            .refuse(&[&run[..], &["--json", "good.json", "--junit", place]].concat(), &[place, "cannot be written: "]);
        for others in [
            "units --json",
            "show tiny-nearest --json",
            "eval tiny-nearest --json",
            "replay folder --junit",
            "suite fasi --json",
            "distinguish volta-fp16-fp32 volta-fp16-fp32 --vectors 1000000000000 --json",
            "compare hopper-fp16-fp32 --fpga ecp5 --json",
            "tile hopper-mma-m16n8k16-fp16-fp32 --sizes 8x8 --fpga ecp5 --json",
            "study valero-lara-figure-4 --csv",
            "study valero-lara-figure-4 --svg",
            "prove cdna1-bf16-fp32 --json",
            "probes volta-fp16-fp32 --json",
        ] {
            let command: Vec<&str> = others.split(' ').chain([place]).collect();
            folder.refuse(&command, &[place, "cannot be written: "]);
            lines += 1;
        }
        lines += 1;
    }
    let prove = ["prove", "cdna1-bf16-fp32", "--rtl", "--certificates", "file/proof"];
    folder.refuse(&prove, &["file/proof: cannot be created: ", "is no folder"]);
    println!("ran {lines} reports that cannot be written");
}

/// A report replaces what was there, and other users can read it as they can any new file.
#[test]
fn report_replaces_a_file() {
    let folder = folder();
    let run = ["cosim", "tiny-nearest", "--vectors", "10", "--engines", SOFTWARE];
    folder.succeed(&[&run[..], &["--json", "file", "--junit", "out.xml"]].concat());
    assert_eq!(folder.json("file")["passed"], true);
    assert_eq!(folder.content().len(), 3, "no staged file is left");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = |name| folder.path(name).metadata().expect("a file").permissions().mode();
        folder.write("new", "");
        assert_eq!(mode("file"), mode("new"));
        assert_eq!(mode("out.xml"), mode("new"));
    }
}

/// What is no plain file is left alone, and of a link the file that it leads to is replaced.
#[cfg(unix)]
#[test]
fn devices_and_links_stay() {
    let (folder, other) = (folder(), Folder::new());
    let socket = other.path("socket");
    let _listening = std::os::unix::net::UnixListener::bind(&socket).expect("a socket");
    let socket = socket.to_str().expect("a path of this test");
    std::os::unix::fs::symlink("file", folder.path("link")).expect("a link");
    let run = ["cosim", "tiny-nearest", "--vectors", "10", "--engines", SOFTWARE, "--json"];
    folder.refuse(&[&run[..], &[socket]].concat(), &["socket: cannot be written: it is no plain file"]);
    let infer = ["infer", "tiny-nearest", "--engine", "emulator", "--out", socket];
    folder.refuse(&infer, &["socket: cannot be written: it is no plain file"]);
    folder.succeed(&[&run[..], &["link"]].concat());
    assert!(folder.path("link").is_symlink());
    assert_eq!(folder.json("file")["passed"], true);
}

/// A folder for cases that cannot be is found before the run.
#[test]
fn cases_below_a_file() {
    let run = ["cosim", "volta-fp16-fp32", "--vectors", "1000000000000", "--engines", SOFTWARE, "--cases"];
    for place in ["file", "file/cases"] {
        folder().refuse(&[&run[..], &[place]].concat(), &[place, "cannot be created: file is no folder"]);
    }
}

/// Standard output that cannot take the text is an error, not a panic.
#[cfg(target_os = "linux")]
#[test]
fn full_standard_output() {
    let full = std::fs::File::options().write(true).open("/dev/full").expect("every Linux has it");
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_tensorsmith"))
        .arg("units")
        .stdout(full)
        .output()
        .expect("the program starts");
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.starts_with("error: standard output: cannot be written: "), "{message}");
}
