//! Runs a tool on the files of a folder. It ends with its limit of time, and both end with this program.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::path::Path;
use std::process::Child;
use std::time::{Duration, Instant};

use crate::describe::text::Foreign;
use crate::verilate::tied;

/// Where the limit is no one's choice. The catalogue's largest unit takes Yosys two minutes of one processor.
pub(crate) const LIMIT: Duration = Duration::from_secs(15 * 60);

/// How a tool ended.
pub(crate) enum Ended {
    Well,
    /// It was ended at the limit.
    OutOfTime,
    /// There is no such program.
    Missing,
    /// What it said, or how it ended where it said nothing.
    Badly(String),
}

/// What a tool said, in its folder.
const SAID: &str = "said";

/// A file that is written to see that there is room.
const ROOM: &str = "room";
const ROOM_BYTES: usize = 4 << 20;
/// How the line begins that says that there is none.
pub(super) const NO_ROOM: &str = "no room in";

/// Runs a program in a folder, which is this program's to remove. At the limit, or when this program ends in whatever way, it is
/// ended too, with all that it started, and in the second case the folder is removed.
///
/// # Errors
/// The folder cannot be written, or no program can be started.
pub(crate) fn run(program: &OsStr, arguments: &[&str], folder: &Path, limit: Duration) -> io::Result<Ended> {
    let said = folder.join(SAID);
    let output = File::create(&said)?;
    let mut command = tied::command(program, folder, "");
    // What the program and those that it starts work on is in the folder too. They put its name into lines of a shell, so it is a
    // plain one.
    command.current_dir(folder).env("TMPDIR", ".").args(arguments);
    command.stdout(output.try_clone()?).stderr(output);
    let mut child = command.spawn()?;
    let in_time = has_ended_within(&mut child, limit);
    let status = tied::end(&mut child)?;
    if !in_time {
        return Ok(Ended::OutOfTime);
    }
    if status.success() {
        return Ok(Ended::Well);
    }
    let said = std::fs::read(said)?;
    let said = String::from_utf8_lossy(&said).trim().to_owned();
    let said = if said.is_empty() { status.to_string() } else { said };
    Ok(match status.code() {
        Some(tied::NOT_FOUND) => Ended::Missing,
        _ => Ended::Badly(said + &lack_of_room(folder)),
    })
}

/// That there is no room left, where that is so: what a program says of it may be lost too.
fn lack_of_room(folder: &Path) -> String {
    match std::fs::write(folder.join(ROOM), vec![b' '; ROOM_BYTES]) {
        Ok(()) => String::new(),
        Err(error) => format!("\n{NO_ROOM} {}: {error}", folder.shown()),
    }
}

/// How often the end of the program is looked for.
const GLANCE: Duration = Duration::from_millis(10);

/// Waits until a program ends, or the limit is reached.
fn has_ended_within(child: &mut Child, limit: Duration) -> bool {
    let start = Instant::now();
    while start.elapsed() < limit {
        if tied::has_ended(child) {
            return true;
        }
        std::thread::sleep(GLANCE);
    }
    false
}
