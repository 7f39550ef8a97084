//! The file beside a recording that grows: only one that was begun here is gone on with.

use std::fs::{self, File};

use super::program::Folder;

const RECORD: [&str; 8] = ["record", "tiny-fma", "--engine", "emulator", "--vectors", "50", "--out", "own.tsrec"];

#[test]
fn files_of_others_are_left_alone() {
    let folder = Folder::new();
    for content in ["my notes", "tensorsmith recipes", ""] {
        folder.write("own.tsrec.part", content);
        let run = folder.run(&RECORD);
        if content.is_empty() {
            assert_eq!(run.code, 0, "nothing is lost of an empty one: {run:?}");
            fs::remove_file(folder.path("own.tsrec")).expect("it is there");
        } else {
            assert!(
                run.code == 2 && run.stderr.contains("own.tsrec.part: is no recording that was begun here"),
                "{run:?}"
            );
            assert_eq!(folder.read("own.tsrec.part"), content);
        }
    }
}

/// A link would lead to a file that nobody has named.
#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    let folder = Folder::new();
    folder.write("victim", "");
    std::os::unix::fs::symlink(folder.path("victim"), folder.path("own.tsrec.part")).expect("there is room");
    let run = folder.run(&RECORD);
    assert!(run.code == 2 && run.stderr.contains("is no recording that was begun here"), "{run:?}");
    assert_eq!(folder.read("victim"), "");
}

#[test]
fn one_program_at_a_time() {
    let folder = Folder::new();
    let part = File::create(folder.path("own.tsrec.part")).expect("there is room");
    part.lock().expect("nobody else has it");
    let run = folder.run(&RECORD);
    assert!(run.code == 2 && run.stderr.contains("own.tsrec.part: is being written by another program"), "{run:?}");
    drop(part);
    folder.succeed(&RECORD);
}
