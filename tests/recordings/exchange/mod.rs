//! Recordings in layouts of other programs: out and back again, and whatever is wrong is refused.

mod damage;
mod faults;
mod plain;
mod readers;
mod round_trip;

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use tensorsmith::recording::Recorded;
use tensorsmith::recording::exchange::{self, Exported, Form, To, Told};

use super::*;

/// Subjects whose every vector the layouts of encodings hold: with and without scales, addend, flags; integers; fp64.
fn subjects() -> Vec<String> {
    let units = support::one_unit_of_each_entry().into_iter().map(|unit| unit.name);
    units.chain(super::round_trip::some_instructions()).collect()
}

/// A folder with a recording of so many vectors as `in.tsrec`.
struct Folder {
    place: TempDir,
}

impl Folder {
    fn new(subject: &str, vectors: u64) -> Folder {
        Folder::with(&recording(subject, vectors, 4096))
    }

    fn with(recording: &[u8]) -> Folder {
        let folder = Folder { place: tempfile::tempdir().expect("a folder") };
        fs::write(folder.path("in.tsrec"), recording).expect("a file");
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.place.path().join(name)
    }

    fn export(&self, form: Form) -> Result<Header, String> {
        let device = (form == Form::Public).then_some("TEST");
        let what = Exported { device, subject: None };
        exchange::export(&self.path("in.tsrec"), &To::Layout(form), what, &self.path("other"))
            .map_err(|error| error.to_string())
    }

    fn import(&self, form: Form, subject: &str) -> Result<Header, String> {
        let told = (form == Form::Public).then(|| told(subject, "TEST"));
        exchange::import(&self.path("other"), form, told.as_ref(), &self.path("out.tsrec"))
            .map_err(|error| error.to_string())
    }

    /// Names of everything here, below folders too.
    fn names(&self) -> Vec<PathBuf> {
        let mut names = Vec::new();
        collect(self.place.path(), &mut names);
        names.sort();
        names
    }
}

/// What an import is told of vectors of the catalogue's.
fn told(subject: &str, device: &str) -> Told {
    let recorded = Recorded::Subject(Subject::named(subject).expect("a unit or an instruction of the catalogue"));
    Told { recorded, file: None, device: Some(device.to_owned()), time: None, numbers: false }
}

fn collect(folder: &Path, names: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect(&path, names);
        }
        names.push(path);
    }
}

/// A recording of finite vectors, as the public layout can hold it: no NaN, and padding bits are zero.
fn finite_recording(subject: &str, vectors: u64) -> Vec<u8> {
    let named = Subject::named(subject).expect("a unit or an instruction of the catalogue");
    let formats = named.interface().formats;
    let Ok(Opened::Ready(mut engine)) = Kind::Emulator.open_subject(&named) else { panic!("the emulator always runs") };
    let mut batch = chunks(subject, vectors, vectors as usize).remove(0).0;
    let tame = |bits: &mut u64, format: &tensorsmith::describe::format::Format| {
        let padding = (1 << format.padding_bits) - 1;
        *bits = if format.decode(*bits).is_finite() { *bits & !padding } else { format.zero(true) };
    };
    batch.a.iter_mut().for_each(|a| tame(a, &formats.a));
    batch.b.iter_mut().for_each(|b| tame(b, &formats.b));
    batch.c.iter_mut().for_each(|c| tame(c, &formats.c));
    let mut results = Vec::new();
    engine.run(&batch, &mut results).expect("the emulator never fails");
    // Sums that overflow apart may still make a NaN.
    results.iter_mut().for_each(|d| tame(d, &formats.d));
    let mut writer = Writer::new(Vec::new(), &header(subject, vectors)).expect("memory can be written");
    writer.chunk(&batch, &results).expect("memory can be written");
    writer.finish().expect("memory can be written")
}
