//! Recordings packed into files: sizes, gaps between numbers, strangers in the folder, damage.

use std::path::Path;

use tensorsmith::recording::Packs;

use super::*;

/// Names and lengths of the files in a folder.
fn files(folder: &Path) -> Vec<(String, u64)> {
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry"));
    let mut files: Vec<_> = entries
        .map(|entry| (entry.file_name().to_string_lossy().into_owned(), entry.metadata().expect("a file").len()))
        .collect();
    files.sort();
    files
}

/// Packs a recording of each subject, in their order.
fn pack(packs: &mut Packs, folder: &Path, subjects: &[&str]) {
    for subject in subjects {
        let path = folder.join("one.part");
        std::fs::write(&path, recording(subject, 100, 64)).expect("a file");
        let bytes = std::fs::metadata(&path).expect("a file").len();
        let packed = packs.add(&header(subject, 100), &path).expect("a file that grows");
        assert_eq!((packed.bytes, packed.header.subject.as_str()), (bytes, *subject));
        assert!(!path.exists(), "it was moved");
    }
}

#[test]
fn packed_below_a_size() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let subjects = ["tiny-nearest", "fma-fp32", "tiny-fma", "hopper-fp16-fp32", "tiny-exact"];
    let lengths = subjects.map(|subject| recording(subject, 100, 64).len() as u64);
    // The second one just fits; the fourth one is longer than any file should be.
    let limit = lengths[0] + lengths[1];
    assert!(lengths[3] > limit && lengths[2] + lengths[3] > limit, "{lengths:?}");
    let open = || Packs::open(folder, "X", limit).expect("whole files");
    pack(&mut open(), folder, &subjects[..3]);
    pack(&mut open(), folder, &subjects[3..]);
    let expected = [limit, lengths[2], lengths[3], lengths[4]];
    let expected = (0..4).map(|number| (format!("X-{number}.tsrec"), expected[number])).collect::<Vec<_>>();
    assert_eq!(files(folder), expected);
    let packs = open();
    for (subject, length) in subjects.iter().zip(lengths) {
        assert!(packs.find(subject).is_some_and(|packed| packed.bytes == length), "{subject}");
    }
    assert!(packs.find("fma-fp64").is_none());
}

/// A file that was taken away leaves a gap, and no file is written over; other names are other devices.
#[test]
fn gaps_and_strangers() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    pack(&mut Packs::open(folder, "X", 1).expect("nothing yet"), folder, &["tiny-nearest", "fma-fp32", "tiny-fma"]);
    std::fs::remove_file(folder.join("X-0.tsrec")).expect("a file");
    for name in ["X-7.tsrec.part", "XY-0.tsrec", "X-01.tsrec", "X-+3.tsrec", "X-.tsrec", "X-a.tsrec", "X.tsrec"] {
        std::fs::write(folder.join(name), "a stranger").expect("a file");
    }
    let mut packs = Packs::open(folder, "X", 1).expect("strangers are left alone");
    assert!(packs.find("tiny-nearest").is_none() && packs.find("fma-fp32").is_some());
    let before = std::fs::read(folder.join("X-2.tsrec")).expect("a file");
    pack(&mut packs, folder, &["tiny-nearest"]);
    assert_eq!(std::fs::read(folder.join("X-2.tsrec")).expect("a file"), before);
    assert_eq!(std::fs::read(folder.join("X-3.tsrec")).expect("a file"), recording("tiny-nearest", 100, 64));
    std::fs::write(folder.join("X-9.tsrec"), &before[..before.len() - 1]).expect("a file");
    let error = Packs::open(folder, "X", 1).err().expect("a damaged file").to_string();
    assert!(error.contains("X-9.tsrec: is damaged at offset "), "{error}");
    let error = Packs::open(&folder.join("none"), "X", 1).err().expect("no folder").to_string();
    assert!(error.contains("none: cannot be read"), "{error}");
}
