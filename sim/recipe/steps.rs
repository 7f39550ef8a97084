//! The steps: verilate, compile, link. Each result is taken from the cache if it is there, and copied from there before
//! it is used, because the cache may be cleared at any time.
//!
//! Flags are decided here and nowhere else. Two decisions are no matter of taste: `-fno-dfg`, because the data-flow
//! pass of several Verilator releases computed wrong results, and no waiver of UNOPTFLAT, because such a unit would be
//! simulated by repeated settling. Nothing here prints.

use super::cache::{Cache, Key, Work};
use super::command::run;
use super::contents::{self, Kind};
use super::optimisation::Optimisation;
use super::unit::{DIFFERENCES, Lint, Unit};
use super::{Error, HARNESS, Tools};
use std::any::Any;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::thread;

/// Folder inside the work folder that Verilator writes to.
pub(super) const GENERATED: &str = "generated";
/// Included before everything else.
const HEADER: &str = "unit_before.h";
const CONFIGURATION: &str = "signals.vlt";
/// What is linked, in the work folder.
const LINKED: &str = "unit.linked";
/// End of the names of what drives a top.
const MODEL: &str = "_model.cpp";
/// How often a file that somebody removes from the cache is made again before a build gives up.
const ATTEMPTS: usize = 3;

const VERILATOR_FLAGS: [&str; 11] =
    ["--cc", "-O3", "-fno-dfg", "--x-assign", "fast", "--x-initial", "fast", "--assert", "-Wall", "-y", "."];
const MUTANT_FLAGS: [&str; 3] = ["-Wno-style", "-Wno-CMPCONST", "-Wno-UNSIGNED"];

/// `VL_TIME_CONTEXT` keeps the run-time library from asking the program for a clock.
const COMPILER_FLAGS: [&str; 5] = ["-std=c++17", "-fPIC", "-fvisibility=hidden", "-DVL_TIME_CONTEXT", "-DVERILATOR=1"];
/// Features of Verilator that its headers test for with #if.
const FEATURES_OFF: [&str; 6] =
    ["-DVM_SC=0", "-DVM_COVERAGE=0", "-DVM_TRACE=0", "-DVM_TRACE_FST=0", "-DVM_TRACE_VCD=0", "-DVM_TRACE_SAIF=0"];
/// The same of a model that writes waveforms.
const FEATURES_OF_WAVES: [&str; 6] =
    ["-DVM_SC=0", "-DVM_COVERAGE=0", "-DVM_TRACE=1", "-DVM_TRACE_FST=0", "-DVM_TRACE_VCD=1", "-DVM_TRACE_SAIF=0"];
const LINKER_FLAGS: [&str; 2] = ["-shared", "-fPIC"];
/// What makes a program of a table, and how it is compiled and linked with it.
const PROGRAM: &str = include_str!("../program.cpp");
const PROGRAM_FLAGS: [&str; 2] = ["-O3", "-pthread"];
/// Hides all symbols but the entry from the loader. Without it the standard library's unique symbols would keep
/// a library in memory for ever. The linker of macOS has no such scripts, and no such symbols.
const EXPORTS: &str = "{ global: tensorsmith_unit; local: *; };\n";
const EXPORTS_FLAGS: &[&str] = if cfg!(target_os = "macos") { &[] } else { &["-Wl,--version-script=exports.map"] };

/// Verilator's arguments for a module in files of the current folder.
pub(super) fn verilator_arguments(module: &str, lint: Lint, files: &[String]) -> Vec<String> {
    let mut arguments: Vec<String> = VERILATOR_FLAGS.map(String::from).to_vec();
    match lint {
        Lint::All => {}
        Lint::Mutant => arguments.extend(MUTANT_FLAGS.map(String::from)),
        Lint::Given => {
            arguments.push("-Wno-fatal".to_string());
            arguments.extend(DIFFERENCES.iter().map(|warning| format!("-Werror-{warning}")));
        }
    }
    arguments.extend(["--Mdir", GENERATED, "--prefix", &format!("V{module}")].map(String::from));
    arguments.extend(["--top-module", module].map(String::from));
    arguments.extend_from_slice(files);
    arguments
}

/// Gets the name of a module whose library or program is compiled now. What it returns is dropped at the end of that.
pub type Watcher = fn(&str) -> Box<dyn Any>;

static WATCHER: OnceLock<Watcher> = OnceLock::new();

/// Calls this function whenever something is compiled, and not taken from the cache. A program has one such function: the first.
pub fn watch(watcher: Watcher) {
    let _ = WATCHER.set(watcher);
}

pub(super) fn watched(module: &str) -> Option<Box<dyn Any>> {
    WATCHER.get().map(|watcher| watcher(module))
}

/// The tools and the cache they fill.
#[derive(Debug, Clone)]
pub struct Recipe {
    pub tools: Tools,
    pub cache: Cache,
    optimisation: Optimisation,
    /// Where the precompiled headers lie, if they are there: looked for once.
    headers: OnceLock<Option<PathBuf>>,
}

impl Recipe {
    pub fn new(tools: Tools, cache: Cache, optimisation: Optimisation) -> Self {
        Self { tools, cache, optimisation, headers: OnceLock::new() }
    }

    /// Compiles what no unit changes, once for all units that are built with this cache: two fifths of the time of a unit, in
    /// some 70 MB. GCC finds it beside the header; other compilers pass by it.
    pub fn precompile_headers(&self) -> Result<(), Error> {
        let name = self.headers_name();
        if self.cache.find(&name)?.is_some() {
            return Ok(());
        }
        let work = self.cache.work()?;
        write_harness(&work)?;
        run(self.compile(&work).args([self.optimisation.often, "-x", "c++-header", HEADER, "-o", "headers"]), &work)?;
        self.cache.publish(&work.path("headers"), &name).map(drop)
    }

    fn headers_name(&self) -> String {
        contents::name(Kind::Headers, "headers", &self.object_key("headers").finish())
    }

    /// Puts the precompiled headers beside the header, if they are in the cache; returns where.
    fn place_headers(&self, work: &Work) -> Option<PathBuf> {
        // Refused ones are passed by too.
        let find = || self.cache.find(&self.headers_name()).ok().flatten();
        let found = self.headers.get_or_init(find).as_ref()?;
        let place = work.path(&format!("{HEADER}.gch"));
        fs::hard_link(found, &place).ok().map(|()| place)
    }

    /// Verilator's run-time library: one object for all units, 3 to 5 seconds of compiling. A copy in that folder.
    pub fn runtime_object(&self, folder: &Path) -> Result<PathBuf, Error> {
        let name = contents::name(Kind::Object, "runtime", &self.object_key("runtime").finish());
        // No unit has this name: it begins as the modules of the library do.
        self.copy_of(&name, folder.join("tensorsmith_runtime.o"), || {
            let work = self.cache.work()?;
            write_harness(&work)?;
            run(self.compile(&work).args([self.optimisation.seldom, "-c", "runtime.cpp", "-o", "runtime.o"]), &work)?;
            self.cache.publish(&work.path("runtime.o"), &name)
        })
    }

    /// One unit with its harness; its only symbol of interest is `Unit::entry`. A copy in that folder.
    pub fn unit_object(&self, unit: &Unit, folder: &Path) -> Result<PathBuf, Error> {
        let name = contents::name(Kind::Object, &unit.module, &self.unit_key(unit));
        self.copy_of(&name, folder.join(format!("{}.o", unit.module)), || {
            let work = self.cache.work()?;
            self.verilate(unit, &work)?;
            write_harness(&work)?;
            work.write("unit.cpp", &unity(&unit.module, &unit.definitions(), "unit_model.cpp", &work)?)?;
            self.compile_unit(&work, FEATURES_OFF, unit.signals.is_empty())?;
            self.cache.publish(&work.path("unit.o"), &name)
        })
    }

    /// Compiles `unit.cpp`, with the precompiled headers if they are there.
    fn compile_unit(&self, work: &Work, features: [&str; 6], often: bool) -> Result<(), Error> {
        let optimisation = if often { self.optimisation.often } else { self.optimisation.seldom };
        let arguments = [optimisation, "-c", "unit.cpp", "-o", "unit.o"];
        let compile = || run(self.compile_with(work, features).args(arguments), work);
        if let Some(headers) = self.place_headers(work)
            && compile().is_err()
        {
            // They may be at fault; if the unit is, the compiler says so without them.
            fs::remove_file(&headers).map_err(|error| Error::files("remove", &headers, &error))?;
        }
        if !work.path("unit.o").exists() {
            compile()?;
        }
        Ok(())
    }

    /// The unit and the run-time library as a loadable library or as a program in the cache.
    pub fn linked(&self, unit: &Unit, kind: Kind) -> Result<PathBuf, Error> {
        let key = self.linked_key(kind, &self.unit_key(unit), &library_entry(&unit.module));
        let name = contents::name(kind, &unit.module, &key);
        if let Some(found) = self.cache.find(&name)? {
            return Ok(found);
        }
        let _watched = watched(&unit.module);
        let work = self.cache.work()?;
        let objects = thread::scope(|scope| {
            let runtime = scope.spawn(|| self.runtime_object(work.folder()));
            let unit = self.unit_object(unit, work.folder());
            let died = |_| Err(Error::Build("a thread of the build died".to_string()));
            Ok([unit?, runtime.join().unwrap_or_else(died)?])
        })?;
        write_harness(&work)?;
        self.link(kind, &unit.module, &objects, &work)?;
        self.cache.publish(&work.path(LINKED), &name)
    }

    /// Compiles one file with the run-time library, and publishes the library or the program under that name.
    pub(super) fn link_alone(
        &self,
        (module, kind): (&str, Kind),
        unity: &str,
        wave: bool,
        work: &Work,
        name: &str,
    ) -> Result<PathBuf, Error> {
        write_harness(work)?;
        work.write("unit.cpp", unity)?;
        let features = if wave { FEATURES_OF_WAVES } else { FEATURES_OFF };
        let runtime = if wave {
            let mut compile = self.compile_with(work, features);
            run(compile.args([self.optimisation.seldom, "-c", "runtime.cpp", "-o", "runtime.o"]), work)?;
            work.path("runtime.o")
        } else {
            self.runtime_object(work.folder())?
        };
        self.compile_unit(work, features, !wave)?;
        self.link(kind, module, &[work.path("unit.o"), runtime], work)?;
        self.cache.publish(&work.path(LINKED), name)
    }

    /// Links the objects of a module.
    fn link(&self, kind: Kind, module: &str, objects: &[PathBuf], work: &Work) -> Result<(), Error> {
        let mut link = self.compile(work);
        if kind == Kind::Program {
            work.write("program.cpp", PROGRAM)?;
            link.args(PROGRAM_FLAGS).arg(format!("-DTENSORSMITH_ENTRY={}", Unit::entry(module))).arg("program.cpp");
        } else {
            work.write("entry.cpp", &library_entry(module))?;
            work.write("exports.map", EXPORTS)?;
            link.args(LINKER_FLAGS).args(EXPORTS_FLAGS).arg("entry.cpp");
        }
        run(link.args(objects).args(["-o", LINKED]), work).map(drop)
    }

    fn linked_key(&self, kind: Kind, object: &str, entry: &str) -> String {
        let key = Key::new("library").text(object).text(&self.object_key("runtime").finish()).text(entry);
        if kind == Kind::Program {
            return key.text(PROGRAM).texts(PROGRAM_FLAGS).finish();
        }
        key.texts(LINKER_FLAGS).texts(EXPORTS_FLAGS.iter().copied()).text(EXPORTS).finish()
    }

    /// The key of the library or the program of a design.
    pub(super) fn design_key(&self, kind: Kind, harness: &str, hash: &str, wave: bool) -> String {
        let features = if wave { FEATURES_OF_WAVES } else { FEATURES_OFF };
        let key = self.object_key("design").text(harness).text(model(harness)).texts(features);
        self.linked_key(kind, &key.text(hash).finish(), "")
    }

    /// Copies a finished file, which is made first if it is not there.
    fn copy_of(
        &self,
        name: &str,
        destination: PathBuf,
        make: impl Fn() -> Result<PathBuf, Error>,
    ) -> Result<PathBuf, Error> {
        for attempt in 0..=ATTEMPTS {
            if self.cache.copy(name, &destination)? {
                return Ok(destination);
            }
            if attempt < ATTEMPTS {
                make()?;
            }
        }
        let folder = self.cache.folder().display();
        Err(Error::Files(format!("{name} was removed from {folder} {ATTEMPTS} times as soon as it was made")))
    }

    fn verilate(&self, unit: &Unit, work: &Work) -> Result<(), Error> {
        for (name, text) in &unit.sources {
            work.write(name, text)?;
        }
        let mut command = self.tools.verilator_command();
        command.current_dir(work.folder()).args(verilator_arguments(&unit.module, unit.lint, &unit.files()));
        if !unit.signals.is_empty() {
            work.write(CONFIGURATION, &unit.configuration())?;
            command.arg(CONFIGURATION);
        }
        run(&mut command, work)?;
        check_members(unit, work)
    }

    fn compile(&self, work: &Work) -> Command {
        self.compile_with(work, FEATURES_OFF)
    }

    fn compile_with(&self, work: &Work, features: [&str; 6]) -> Command {
        let mut command = self.tools.compiler_command();
        let include = self.tools.verilator_root().join("include");
        command.current_dir(work.folder()).args(COMPILER_FLAGS).args(features);
        command.arg("-I.").arg("-I").arg(GENERATED);
        command.arg("-isystem").arg(include.join("vltstd")).arg("-isystem").arg(include);
        command
    }

    fn unit_key(&self, unit: &Unit) -> String {
        self.object_key("unit")
            .text(model("unit_model.cpp"))
            .texts(verilator_arguments(&unit.module, unit.lint, &unit.files()).iter().map(String::as_str))
            .texts(unit.sources.iter().flat_map(|(name, text)| [name.as_str(), text.as_str()]))
            .text(&unit.configuration())
            .text(&unit.definitions())
            .finish()
    }

    fn object_key(&self, kind: &str) -> Key {
        Key::new(kind)
            .text(self.tools.stamp())
            .texts([self.optimisation.often, self.optimisation.seldom])
            .texts(COMPILER_FLAGS)
            .texts(FEATURES_OFF)
            .texts(HARNESS.iter().filter(|(name, _)| !name.ends_with(MODEL)).flat_map(|(name, text)| [*name, *text]))
    }
}

/// The file of the harness that drives a top: each kind of top has its own, and is not made anew where another one's changes.
fn model(name: &str) -> &'static str {
    HARNESS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text).expect("a file of the harness")
}

fn write_harness(work: &Work) -> Result<(), Error> {
    HARNESS.iter().try_for_each(|(name, text)| work.write(name, text))
}

/// All generated C++ files, the definitions and the harness as one translation unit.
pub(super) fn unity(module: &str, definitions: &str, harness: &str, work: &Work) -> Result<String, Error> {
    let files = generated(work)?;
    let sources = files.keys().filter(|name| name.ends_with(".cpp"));
    let includes: String = sources.map(|name| format!("#include \"{name}\"\n")).collect();
    let root = format!("#include \"V{module}___024root.h\"\n");
    Ok(format!("#include \"{HEADER}\"\n{includes}{root}{definitions}#include \"{harness}\"\n"))
}

/// The C++ that Verilator wrote: names and texts.
pub(super) fn generated(work: &Work) -> Result<BTreeMap<String, String>, Error> {
    let folder = work.path(GENERATED);
    let entries = fs::read_dir(&folder).map_err(|error| Error::files("read", &folder, &error))?;
    let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let read = |name: String| {
        let path = folder.join(&name);
        let text = fs::read_to_string(&path).map_err(|error| Error::files("read", &path, &error))?;
        Ok((name, text))
    };
    names.filter(|name| name.ends_with(".cpp") || name.ends_with(".h")).map(read).collect()
}

/// A configuration line that matches nothing is no error for Verilator; here it is one, before the compiler complains.
fn check_members(unit: &Unit, work: &Work) -> Result<(), Error> {
    if unit.signals.is_empty() {
        return Ok(());
    }
    let path = work.path(GENERATED).join(format!("V{}___024root.h", unit.module));
    let text = fs::read_to_string(&path).map_err(|error| Error::files("read", &path, &error))?;
    let is_word_end = |letter: char| !letter.is_ascii_alphanumeric() && letter != '_';
    let words: Vec<&str> = text.split(is_word_end).collect();
    for (name, _) in &unit.signals {
        if !words.contains(&unit.member(name).as_str()) {
            return Err(Error::Unit(format!("module {} has no signal {name} to read", unit.module)));
        }
    }
    Ok(())
}

/// The one exported symbol of a library, under a name that does not depend on the unit.
fn library_entry(module: &str) -> String {
    let entry = Unit::entry(module);
    format!(
        "#include \"unit_table.h\"\n\
         #define EXPORTED extern \"C\" __attribute__((visibility(\"default\")))\n\
         extern \"C\" const tensorsmith_unit_table* {entry}();\n\
         EXPORTED const tensorsmith_unit_table* tensorsmith_unit() {{ return {entry}(); }}\n"
    )
}
