//! The build script's work when the feature `rtl` is on: the bridge and, with the feature `linked`, one object per unit of
//! `linked_units.txt` and a list of them.
//!
//! Where there is no Verilator no unit is linked, and a warning says so. Uses nothing of `src/` but the declaration of the bridge. A
//! failure is one short text and exit status 1.

#[allow(dead_code, unused_imports, reason = "libraries, and looking into the cache, are for the program")]
#[path = "verilate.rs"]
mod verilate;

use std::env;
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::Mutex;
use std::thread;
use verilate::{Cache, Error, Lint, Optimisation, Recipe, Tools, Unit};

const BRIDGE: &str = "sim/bridge.rs";
const WITHOUT: &str = "or build with --no-default-features: everything but the simulated hardware works without it";
const LINKED: &str = "sim/linked_units.txt";

/// Watches, builds, and ends the build script with a readable text if that fails.
pub fn main() {
    for path in ["rtl", "sim"] {
        println!("cargo:rerun-if-changed={path}");
    }
    for name in ["VERILATOR", "VERILATOR_ROOT", "CXX", "TENSORSMITH_CACHE"] {
        println!("cargo:rerun-if-env-changed={name}");
    }
    if let Err(error) = build() {
        eprintln!("{error}");
        process::exit(1);
    }
}

fn build() -> Result<(), Error> {
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let default_cache = target_folder(&out).join("tensorsmith-cache");
    println!("cargo:rustc-env=TENSORSMITH_CACHE_DEFAULT={}", default_cache.display());

    let recipe = if cfg!(feature = "linked") { recipe(default_cache)? } else { None };
    let units = if recipe.is_some() { read_units()? } else { Vec::new() };
    let tools = recipe.as_ref().map_or("none".to_string(), |recipe| recipe.tools.summary());
    println!("cargo:rustc-env=TENSORSMITH_RTL_TOOLS={tools}");
    let objects = recipe.map_or(Ok(Vec::new()), |recipe| build_objects(&recipe, &units, &out.join("objects")))?;

    let registry = out.join("linked_units.cpp");
    fs::write(&registry, registry_text(&units)).map_err(|error| Error::files("write", &registry, &error))?;
    cxx_build::bridge(BRIDGE)
        .include("sim")
        .file("sim/bridge.cpp")
        .file(&registry)
        .objects(&objects)
        .std("c++17")
        .try_compile("tensorsmith_rtl")
        .map_err(|error| Error::Build(format!("the bridge does not compile: {error}\n{WITHOUT}")))
}

/// The tools and their cache; none, with a warning, where no Verilator that works is found. One that is named must work.
fn recipe(default_cache: PathBuf) -> Result<Option<Recipe>, Error> {
    let given = |name: &str| env::var_os(name).filter(|value| !value.is_empty());
    let cache = Cache::open(&given("TENSORSMITH_CACHE").map_or(default_cache, PathBuf::from))?;
    match Tools::find(&cache) {
        Ok(tools) => Ok(Some(Recipe::new(tools, cache, Optimisation::default()))),
        Err(Error::Tools(why)) if given("VERILATOR").is_none() && given("CXX").is_none() => {
            println!("cargo:warning=no unit is linked into the program: {}", why.replace('\n', "; "));
            Ok(None)
        }
        Err(Error::Tools(why)) => Err(Error::Tools(format!("{why}\n{WITHOUT}"))),
        Err(error) => Err(error),
    }
}

/// The folder shared by all profiles: cargo marks it with a tag file; else it lies four levels above `OUT_DIR`.
fn target_folder(out: &Path) -> PathBuf {
    let mut above = out.ancestors().skip(1);
    let tagged = above.find(|folder| folder.join("CACHEDIR.TAG").is_file());
    tagged.or_else(|| out.ancestors().nth(4)).unwrap_or(out).to_path_buf()
}

/// The tops of `rtl/gen` that the list names, with the leaves of `rtl/lib`. One that is not there is left out: the emitter
/// that would write it must be built first.
fn read_units() -> Result<Vec<(String, Unit)>, Error> {
    let leaves = read_folder(Path::new("rtl/lib"))?;
    let list = Path::new(LINKED);
    let linked = fs::read_to_string(list).map_err(|error| Error::files("read", list, &error))?;
    let linked: Vec<&str> = linked.lines().filter(|line| !line.starts_with('#')).collect();
    let mut units = Vec::new();
    for (name, text) in read_folder(Path::new("rtl/gen"))? {
        let module = name.strip_suffix(".sv").filter(|module| linked.contains(module));
        let Some(module) = module else { continue };
        let mut sources = leaves.clone();
        sources.push((name.clone(), text));
        units.push((module.to_string(), Unit::new(module, &sources, &[], None, Lint::All)?));
    }
    Ok(units)
}

/// Names and texts of the SystemVerilog files of a folder, sorted; none if there is no such folder.
fn read_folder(folder: &Path) -> Result<Vec<(String, String)>, Error> {
    let Ok(entries) = fs::read_dir(folder) else { return Ok(Vec::new()) };
    let mut files = Vec::new();
    for path in entries.flatten().map(|entry| entry.path()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.ends_with(".sv") || name.ends_with(".svh") {
            let text = fs::read_to_string(&path).map_err(|error| Error::files("read", &path, &error))?;
            files.push((name, text));
        }
    }
    files.sort();
    Ok(files)
}

/// Compiles headers for these units and, where models of run time are optimised otherwise, for those.
fn headers(recipe: &Recipe) -> Result<(), Error> {
    recipe.precompile_headers()?;
    match Optimisation::from_environment()? {
        own if own == Optimisation::default() => Ok(()),
        own => Recipe::new(recipe.tools.clone(), recipe.cache.clone(), own).precompile_headers(),
    }
}

/// All objects, in that folder: the run-time library first, while the headers are compiled, then one per unit, on as many
/// threads as cargo allows.
fn build_objects(recipe: &Recipe, units: &[(String, Unit)], folder: &Path) -> Result<Vec<PathBuf>, Error> {
    fs::create_dir_all(folder).map_err(|error| Error::files("create", folder, &error))?;
    let runtime = thread::scope(|scope| {
        let headers = scope.spawn(|| headers(recipe));
        let runtime = recipe.runtime_object(folder)?;
        headers.join().unwrap_or_else(|_| Err(died()))?;
        Ok(runtime)
    })?;
    let waiting = Mutex::new(units.iter().enumerate());
    let next = || waiting.lock().ok()?.next();
    let work = || {
        let mut made = Vec::new();
        while let Some((index, (_, unit))) = next() {
            made.push((index, recipe.unit_object(unit, folder)));
        }
        made
    };
    let mut made: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> = (0..thread_count()).map(|_| scope.spawn(work)).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap_or_default()).collect()
    });
    made.sort_by_key(|(index, _)| *index);
    let units_made = made.len() == units.len();
    let objects = [Ok(runtime)].into_iter().chain(made.into_iter().map(|(_, object)| object));
    let objects = objects.collect::<Result<Vec<PathBuf>, _>>()?;
    if units_made { Ok(objects) } else { Err(died()) }
}

fn died() -> Error {
    Error::Build("a thread of the build script died".to_string())
}

fn thread_count() -> usize {
    let allowed = env::var("NUM_JOBS").ok().and_then(|jobs| jobs.parse().ok());
    allowed.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get)
}

/// The list that sim/bridge.cpp searches.
fn registry_text(units: &[(String, Unit)]) -> String {
    let entries: Vec<String> = units.iter().map(|(module, _)| Unit::entry(module)).collect();
    let declarations: String =
        entries.iter().map(|entry| format!("const tensorsmith_unit_table* {entry}();\n")).collect();
    let list: String = entries.iter().map(|entry| format!("    {entry},\n")).collect();
    format!(
        "// Written by build.rs: the units of sim/linked_units.txt.\n\
         #include \"unit_table.h\"\n\
         extern \"C\" {{\n{declarations}\
         extern const tensorsmith_unit_entry tensorsmith_linked_units[];\n\
         const tensorsmith_unit_entry tensorsmith_linked_units[] = {{\n{list}    nullptr,\n}};\n}}\n"
    )
}
