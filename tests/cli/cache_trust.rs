//! What the cache believes: no file of another unit, none that others can write, and nothing that is no file. It waits for
//! nothing, and what is built serves where nothing can be written.
#![cfg(all(unix, feature = "rtl"))]

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use tensorsmith::emit::yosys;

use super::cache::{EVALUATE, UNIT, entries, evaluate, with_unit};
use super::program::Folder;
use super::support::seal::{sealed, unsealed};
use super::support::{needed, sampled, skip};

/// The unit beside itself with a right datapath.
const COSIM: [&str; 6] = ["cosim", "mine.toml", "--engines", "emulator,rtl", "--vectors", "2000"];
/// A command for which a netlist is made.
const NETLIST: [&str; 6] = ["cosim", "tiny-integer", "--engines", "emulator,netlist", "--vectors", "1000"];
/// How long a run may take that waits for nobody.
const PATIENCE: Duration = Duration::from_secs(60);

/// Two units of one name and shape, and where their library and their object lie in the cache.
struct Built {
    folder: Folder,
    mine: [String; 2],
    twin: [String; 2],
}

/// Libraries and objects of the unit's module.
fn files(folder: &Folder) -> Vec<String> {
    let of_kind = |kind| entries(folder, kind).into_iter().filter(|entry| entry["module"] == "cached_unit");
    let found = ["library", "object"].into_iter().flat_map(of_kind);
    found.map(|entry| format!("cache/{}", entry["name"].as_str().expect("a name"))).collect()
}

fn built() -> &'static Built {
    static BUILT: OnceLock<Built> = OnceLock::new();
    BUILT.get_or_init(|| {
        let folder = with_unit();
        let mine = files(&folder);
        folder.write("mine.toml", UNIT.replace("fraction_bits = 9", "fraction_bits = 2"));
        folder.succeed(&COSIM);
        folder.write("mine.toml", UNIT);
        let twin: Vec<String> = files(&folder).into_iter().filter(|name| !mine.contains(name)).collect();
        let two = |files: Vec<String>| files.try_into().expect("a library and an object");
        Built { folder, mine: two(mine), twin: two(twin) }
    })
}

/// A folder with a unit and a cache in which it is built, and another of the same name too.
fn folder() -> Folder {
    let built = &built().folder;
    let mut folder = Folder::new();
    folder.set("TENSORSMITH_CACHE", "cache");
    for (path, content) in built.content() {
        let name = path.strip_prefix(built.path("")).expect("it lies there").to_string_lossy().into_owned();
        content.iter().for_each(|content| folder.write(&name, content));
    }
    close(&folder, "cache");
    fs::read_dir(folder.path("cache")).expect("the cache").flatten().for_each(|entry| {
        close(&folder, &format!("cache/{}", entry.file_name().to_string_lossy()));
    });
    folder
}

/// Takes it from everybody but its owner to write a file, whatever the mask of who runs the test.
fn close(folder: &Folder, name: &str) {
    let mode = folder.path(name).metadata().expect("it is there").permissions().mode();
    allow(folder, name, mode & !0o022);
}

fn allow(folder: &Folder, name: &str, mode: u32) {
    fs::set_permissions(folder.path(name), Permissions::from_mode(mode)).expect("it is the test's own");
}

fn name(file: &str) -> &str {
    file.trim_start_matches("cache/")
}

/// Runs the program, which must end by itself.
fn in_time(folder: &Folder, arguments: &[&str]) -> i32 {
    let mut child = folder.command(arguments).stdout(Stdio::null()).spawn().expect("the program starts");
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
        if let Some(status) = child.try_wait().expect("a child") {
            return status.code().expect("it ends by itself");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    child.kill().and_then(|()| child.wait()).expect("a child");
    panic!("{arguments:?} waits");
}

/// The library of another unit under this unit's name, as a copy or a link, and its object, are replaced.
#[test]
fn models_of_other_units_are_replaced() {
    let folder = folder();
    let Built { mine: [mine, mine_object], twin: [twin, twin_object], .. } = built();
    let bytes = |file: &str| fs::read(folder.path(file)).expect("a file of the cache");
    let (right, wrong) = (bytes(mine), bytes(twin));
    let plants: [fn(&Path, &Path) -> std::io::Result<()>; 3] =
        [|from, to| fs::copy(from, to).map(drop), |from, to| fs::hard_link(from, to), |from, to| symlink(from, to)];
    let plant = |plant: fn(&Path, &Path) -> std::io::Result<()>, from: &str, to: &str| {
        let [from, to] = [from, to].map(|name| folder.path(name));
        fs::remove_file(&to).and_then(|()| plant(&from, &to)).expect("the cache is the test's own");
    };
    let plants = sampled(&plants, 2);
    for make in &plants {
        plant(**make, twin, mine);
        folder.succeed(&COSIM);
        assert!(folder.path(mine).symlink_metadata().is_ok_and(|found| found.is_file()), "it is no link");
        assert_eq!((bytes(mine).len(), bytes(twin) == wrong), (right.len(), true), "this one is replaced, not that");
    }
    plant(*plants[0], twin_object, mine_object);
    fs::remove_file(folder.path(mine)).expect("the cache is the test's own");
    folder.succeed(&COSIM);
    println!("ran {} times with a file of another unit", plants.len() + 1);
}

/// Even under a right seal: a model says what it was made from.
#[test]
fn models_under_a_forged_seal_are_refused() {
    let folder = folder();
    let parts = ["engine rtl: ", "cached_unit-", "made from other files", "remove it"];
    let Built { mine: [mine, mine_object], twin: [twin, twin_object], .. } = built();
    let forge = |twin: &str, mine: &str| {
        let bytes = fs::read(folder.path(twin)).expect("a file of the cache");
        folder.write(mine, sealed(name(mine), unsealed(&bytes)));
    };
    // The control: the test seals as the cache does.
    forge(mine, mine);
    let before = fs::read(folder.path(mine)).expect("a library");
    folder.succeed(&COSIM);
    assert!(fs::read(folder.path(mine)).expect("a library") == before, "it was not made again");

    forge(twin, mine);
    folder.refuse(&COSIM, &parts);
    forge(twin_object, mine_object);
    fs::remove_file(folder.path(mine)).expect("the cache is the test's own");
    let run = folder.run(&COSIM);
    assert!(run.code == 2 && parts.iter().all(|part| run.stderr.contains(part)), "{run:?}");
}

/// Whoever can write a model runs code as the user.
#[test]
fn what_others_can_write_is_refused() {
    let folder = folder();
    let library = &built().mine[0];
    let prove = ["prove", "tiny-nearest", "--property", "monotone"];
    let mut runs = 0;
    for (place, mode) in [("cache", 0o777), ("cache", 0o775), ("cache", 0o757), (library.as_str(), 0o666)] {
        let own = folder.path(place).metadata().expect("it is there").permissions().mode();
        allow(&folder, place, mode);
        let mode = format!("others can write it (mode {mode:o}); allowed: its owner alone (chmod go-w)");
        let parts = ["is refused: ", place, &mode];
        folder.refuse(&EVALUATE, &parts);
        if place == "cache" {
            folder.refuse(&prove, &parts);
            folder.refuse(&EVALUATE, &["TENSORSMITH_CACHE"]);
            runs += 2;
        }
        if place == "cache" && yosys::version().is_ok() {
            folder.refuse(&NETLIST, &parts);
            runs += 1;
        }
        allow(&folder, place, own);
        evaluate(&folder);
        runs += 2;
    }
    println!("ran {runs} commands on what others could write");
}

#[test]
fn what_another_owner_made_is_refused() {
    let folder = folder();
    let library = &built().mine[0];
    for place in ["cache", library.as_str()] {
        if let Err(why) = std::os::unix::fs::chown(folder.path(place), Some(12_345), None) {
            return skip("cache-owner", why);
        }
        folder.refuse(&EVALUATE, &["is refused: it belongs to user 12345", place, "allowed: user 0, who runs this"]);
        std::os::unix::fs::chown(folder.path(place), Some(0), None).expect("only root gets here");
    }
    evaluate(&folder);
}

/// The program without the rights of root, which writes everywhere; as it is where another user runs this test.
fn without_rights(command: &Command) -> Command {
    let rights = ["--bounding-set=-all", "--inh-caps=-all", "--ambient-caps=-all"];
    let is_root = rustix::process::geteuid().is_root();
    let mut bound = Command::new(if is_root { "setpriv" } else { "env" });
    bound.args(rights.iter().filter(|_| is_root)).arg(command.get_program()).args(command.get_args());
    command.get_current_dir().map(|folder| bound.current_dir(folder));
    bound.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    bound
}

#[test]
fn built_models_serve_where_nothing_can_be_written() {
    let folder = folder();
    folder.write("third.toml", UNIT.replace("cached-unit", "cached-third"));
    allow(&folder, "cache", 0o555);
    let run = |arguments: &[&str]| without_rights(&folder.command(arguments)).output().expect("the program starts");
    let touch = without_rights(Command::new("touch").arg(folder.path("cache/new"))).output();
    if !touch.is_ok_and(|touch| String::from_utf8_lossy(&touch.stderr).contains("Permission denied")) {
        return skip("read-only-cache", "root cannot be kept from writing here");
    }
    let before = folder.content();
    let output = run(&EVALUATE);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("| d (rtl) | 0x4600 "), "{output:?}");
    let output = run(&["eval", "third.toml", "--engines", "rtl"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && said.contains("error: engine rtl: cannot create "), "{output:?}");
    assert!(said.contains("/cache/work-") && said.contains("Permission denied"), "{said}");
    assert_eq!(folder.content(), before);
    allow(&folder, "cache", 0o755);
}

fn pipe(folder: &Folder, name: &str) {
    let made = Command::new("mkfifo").arg(folder.path(name)).status().expect("mkfifo is there");
    assert!(made.success(), "{name}");
}

/// A pipe in a file's place is replaced, and so is a damaged netlist; a folder is named, and stays.
#[test]
fn nothing_else_than_a_file_is_waited_for() {
    let folder = folder();
    let library = &built().mine[0];
    fs::remove_file(folder.path(library)).expect("the cache is the test's own");
    pipe(&folder, library);
    assert_eq!(in_time(&folder, &EVALUATE), 0);
    assert!(folder.path(library).is_file(), "it is made again");
    let named = |command: &[&str], file: &str| {
        fs::remove_file(folder.path(file)).expect("the cache is the test's own");
        folder.write(&format!("{file}/mine"), "kept");
        folder.refuse(command, &[file, "is refused: it is a folder; allowed: a file, or nothing"]);
        fs::remove_dir_all(folder.path(file)).expect("the cache is the test's own");
    };
    named(&EVALUATE, library);

    fs::remove_file(folder.path("cache/CACHEDIR.TAG")).expect("the cache is the test's own");
    pipe(&folder, "cache/CACHEDIR.TAG");
    assert_eq!(in_time(&folder, &["cache"]), 0);
    fs::remove_file(folder.path("cache/CACHEDIR.TAG")).expect("the cache is the test's own");
    let Some(_) = needed("cache-netlist", yosys::version()) else { return };
    folder.succeed(&NETLIST);
    let netlist = entries(&folder, "netlist")[0]["name"].as_str().map(|name| format!("cache/{name}")).expect("a name");
    let whole = fs::read(folder.path(&netlist)).expect("a netlist");
    let mut damaged = whole.clone();
    damaged[whole.len() / 2] ^= 1;
    folder.write(&netlist, &damaged);
    folder.succeed(&NETLIST);
    assert!(fs::read(folder.path(&netlist)).expect("a netlist") == whole, "it is made again");
    fs::remove_file(folder.path(&netlist)).expect("the cache is the test's own");
    pipe(&folder, &netlist);
    assert_eq!(in_time(&folder, &NETLIST), 0);
    assert!(folder.path(&netlist).is_file(), "it is made again");
    allow(&folder, &netlist, 0o664);
    folder.refuse(&NETLIST, &[&netlist, "is refused: others can write it (mode 664)"]);
    named(&NETLIST, &netlist);
}
