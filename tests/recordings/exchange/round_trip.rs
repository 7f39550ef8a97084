//! Out and back: the same header, the same vectors, the same bytes.

use super::*;

#[test]
fn layouts_of_encodings_keep_every_byte() {
    let mut vectors = 0;
    for subject in support::sampled(&subjects(), 4) {
        let folder = Folder::new(subject, 150);
        for form in [Form::Jsonl, Form::Readmemh, Form::Npy, Form::Csv] {
            let exported = folder.export(form).unwrap_or_else(|error| panic!("{subject} {form:?}: {error}"));
            let imported = folder.import(form, subject).unwrap_or_else(|error| panic!("{subject} {form:?}: {error}"));
            assert_eq!((&exported, &imported), (&header(subject, 150), &header(subject, 150)), "{subject} {form:?}");
            let (before, after) = (fs::read(folder.path("in.tsrec")), fs::read(folder.path("out.tsrec")));
            assert_eq!(before.expect("a file"), after.expect("a file"), "{subject} {form:?}");
            fs::remove_file(folder.path("out.tsrec")).expect("a file");
            match form {
                Form::Jsonl | Form::Csv => fs::remove_file(folder.path("other")).expect("a file"),
                _ => fs::remove_dir_all(folder.path("other")).expect("a folder"),
            }
            vectors += 150;
        }
    }
    println!("{vectors} vectors came back as they were");
}

/// Chunks and parts: more vectors than a chunk has, in two suites.
#[test]
fn several_chunks_and_parts() {
    let mut header = header("tiny-nearest", 5000);
    header.parts.push(Part { suite: "random".to_owned(), seed: 8, vectors: 100 });
    let mut writer = Writer::new(Vec::new(), &header).expect("memory can be written");
    for size in [4096, 904, 100] {
        let (batch, results) = chunks("tiny-nearest", size, size as usize).remove(0);
        writer.chunk(&batch, &results).expect("memory can be written");
    }
    let whole = writer.finish().expect("memory can be written");
    for form in [Form::Jsonl, Form::Readmemh, Form::Npy, Form::Csv] {
        let folder = Folder::with(&whole);
        folder.export(form).expect("a recording");
        assert_eq!(folder.import(form, "").expect("what was exported"), header);
        assert_eq!(fs::read(folder.path("out.tsrec")).expect("a file"), whole, "{form:?}");
    }
}

/// The public layout keeps the vectors; its header is what the import was told.
#[test]
fn public_layout_keeps_the_vectors() {
    let subjects = [
        "volta-mma-m8n8k4-fp16-fp32",
        "volta-mma-m8n8k4-fp16-fp16",
        "ampere-mma-m16n8k8-tf32-fp32",
        "hopper-wgmma-k32-e4m3-fp32",
        "hopper-mma-m16n8k32-e4m3-e5m2-fp16",
        "amx-bf16-fp32",
        "fma-fp32",
    ];
    for subject in subjects {
        let whole = finite_recording(subject, 200);
        let folder = Folder::with(&whole);
        folder.export(Form::Public).unwrap_or_else(|error| panic!("{subject}: {error}"));
        let found = folder.import(Form::Public, subject).unwrap_or_else(|error| panic!("{subject}: {error}"));
        let (before, after) = (read(&whole), read(&fs::read(folder.path("out.tsrec")).expect("a file")));
        let ((header, chunks), (_, again)) = (before.expect("a recording"), after.expect("a recording"));
        assert_eq!((&found.layout, &found.subject), (&header.layout, &header.subject));
        assert_eq!((found.recorded.as_str(), found.engine.engine.as_str()), ("unknown", "TEST"));
        assert_eq!(found.device.get("name").map(String::as_str), Some("TEST"));
        assert_eq!(chunks, again, "{subject}");
    }
    println!("{} subjects came back from the public layout", subjects.len());
}

/// The synthetic recording of this repository: imported, it is what the reader of that layout makes of it, and the
/// export of it holds the same words.
#[test]
fn public_layout_agrees_with_its_reader() {
    use tensorsmith::recording::public::{Content, read_all};
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/fixture");
    let mut rows = 0;
    for recording in read_all(&fixture).expect("the fixture") {
        let Content::Rows { instruction, batch, expected } = recording.content else { panic!("every one is known") };
        let folder = Folder { place: tempfile::tempdir().expect("a folder") };
        let told = told(&instruction.name, &recording.device);
        let out = folder.path("in.tsrec");
        exchange::import(&fixture, Form::Public, Some(&told), &out).expect("the fixture");
        let (_, chunks) = read(&fs::read(&out).expect("a file")).expect("a recording");
        assert_eq!((chunks.len(), &chunks[0].batch, &chunks[0].results), (1, &batch, &expected));
        // The header names the device.
        exchange::export(&out, &To::Layout(Form::Public), Exported::default(), &folder.path("other"))
            .expect("finite vectors");
        let place = Path::new(&recording.device).join(&recording.operands);
        let name = format!("d_{}_{}.txt", recording.device, recording.result);
        let words = |root: &Path| fs::read_to_string(root.join(&place).join(&name)).expect("a file");
        assert_eq!(words(&folder.path("other")), words(&fixture));
        rows += expected.len();
    }
    assert_eq!(rows, 600);
}

#[test]
fn what_is_there_stays() {
    let folder = Folder::new("tiny-nearest", 20);
    fs::create_dir(folder.path("other")).expect("a folder");
    for form in [Form::Public, Form::Readmemh, Form::Jsonl, Form::Npy, Form::Csv] {
        let error = folder.export(form).expect_err("a folder of that name");
        assert!(error.contains("other: is there already; allowed: a new name"), "{error}");
    }
    fs::remove_dir(folder.path("other")).expect("a folder");
    folder.export(Form::Jsonl).expect("a new name");
    fs::write(folder.path("out.tsrec"), "mine").expect("a file");
    let error = folder.import(Form::Jsonl, "").expect_err("a file of that name");
    assert!(error.contains("out.tsrec: is there already"), "{error}");
    assert_eq!(fs::read(folder.path("out.tsrec")).expect("a file"), b"mine");
}

/// What the public layout could not give back does not go out, and leaves nothing behind.
#[test]
fn public_layout_refuses_what_it_cannot_hold() {
    let cases = [
        ("blackwell-nvf4-fp32", "with scales; allowed: units without scales"),
        ("fma-fp64", "with binary64 numbers; allowed: formats whose numbers binary32 holds"),
        ("integer-int8-int32-saturate", "with int8 numbers"),
        ("riscv-fp16-fp32", "with exception flags"),
        ("hopper-fp16-fp32", "allowed: encodings that a binary32 value tells apart"),
    ];
    for (subject, message) in cases {
        let folder = Folder::new(subject, 2000);
        let before = folder.names();
        let error = folder.export(Form::Public).expect_err("what it cannot hold");
        assert!(error.contains(message), "{subject}: {error}");
        assert_eq!(folder.names(), before, "{subject}");
    }
    let folder = Folder::with(&finite_recording("volta-fp16-fp32", 20));
    let export = |device| {
        let out = folder.path("other");
        let what = Exported { device, subject: None };
        exchange::export(&folder.path("in.tsrec"), &To::Layout(Form::Public), what, &out)
            .expect_err("no device")
            .to_string()
    };
    assert!(export(Some("a/b")).contains("device \"a/b\"; allowed: a name of letters, digits"), "{}", export(None));
    assert!(export(None).contains("\"none: software\"; allowed"), "the header's own name is no folder's");
    // Of this device, recordings are read with c = 0.
    let folder = Folder::with(&finite_recording("hopper-wgmma-k32-e4m3-fp32", 50));
    let out = folder.path("other");
    let error = exchange::export(
        &folder.path("in.tsrec"),
        &To::Layout(Form::Public),
        Exported { device: Some("H100"), subject: None },
        &out,
    )
    .expect_err("c is not zero");
    assert!(error.to_string().contains("field `c` is not zero; allowed: zero, or another device"), "{error}");
}
