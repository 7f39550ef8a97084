//! Runs a tool on the files of a folder. It ends with its limits of time and of what it prints, and all of it ends with this program.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::describe::text::Foreign;
use crate::verilate::tied::{self, Met};

/// Where the limit is no one's choice. The catalogue's largest unit takes Yosys two minutes of one processor.
pub(crate) const LIMIT: Duration = Duration::from_secs(15 * 60);

/// What a tool may use.
#[derive(Clone, Copy)]
pub(crate) struct Bounds<'a> {
    /// Time in all; or of one that writes this file in the folder, without more in it.
    pub time: Duration,
    pub grows: Option<&'a str>,
    /// Bytes that it may print.
    pub output: u64,
    /// Bytes of address space, where it matters.
    pub memory: Option<u64>,
    /// File in the folder for its standard output; without, what it prints is one text.
    pub printed: Option<&'a str>,
}

impl Bounds<'_> {
    /// Those of a tool that runs nothing that a user wrote.
    pub fn within(time: Duration) -> Self {
        Bounds { time, grows: None, output: tied::PRINTED, memory: None, printed: None }
    }
}

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

/// What a tool said, in its folder, and how much of it is read: the end.
const SAID: &str = "said";
const SAID_READ: u64 = 1 << 16;

/// A file that is written to see that there is room.
const ROOM: &str = "room";
const ROOM_BYTES: usize = 4 << 20;
/// How the line begins that says that there is none.
pub(super) const NO_ROOM: &str = "no room in";

/// Runs a program in a folder, which is this program's to remove. At a limit, or when this program ends in whatever way, it is
/// ended too, with all that it started, and in the second case the folder is removed.
///
/// # Errors
/// The folder cannot be written, or no program can be started.
pub(crate) fn run(command: &Command, folder: &Path, bounds: Bounds) -> io::Result<Ended> {
    let output = File::create(folder.join(SAID))?;
    let memory = bounds.memory.map(|bytes| format!("ulimit -v {} 2>/dev/null", bytes >> 10)).unwrap_or_default();
    let mut tied = tied::command(command.get_program(), folder, &memory);
    // What the program and those that it starts work on is in the folder too. They put its name into lines of a shell, so it is a
    // plain one.
    tied.current_dir(folder).envs(["TMP", "TMPDIR", "TEMP"].map(|name| (name, "."))).args(command.get_args());
    let printed = match bounds.printed {
        Some(name) => File::create(folder.join(name))?,
        None => output.try_clone()?,
    };
    let mut child = tied.stdout(Stdio::from(printed)).stderr(output).spawn()?;
    let length = |name: &str| folder.join(name).metadata().map_or(0, |found| found.len());
    let grown = || bounds.grows.map_or(0, length);
    let met = tied::wait(&mut child, bounds.time, bounds.output, || length(SAID), grown);
    let status = tied::end(&mut child)?;
    match met {
        Met::End => {}
        Met::Time => return Ok(Ended::OutOfTime),
        Met::Printed => {
            let more = format!("it printed more than {} KiB", bounds.output >> 10);
            return Ok(Ended::Badly(format!("{}\n{more}", said(folder)?)));
        }
    }
    if status.success() {
        return Ok(Ended::Well);
    }
    let said = said(folder)?;
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

/// The end of what a program said in a folder.
///
/// # Errors
/// None ran there.
pub(crate) fn said(folder: &Path) -> io::Result<String> {
    let mut file = File::open(folder.join(SAID))?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(SAID_READ)))?;
    let mut bytes = Vec::new();
    file.take(SAID_READ).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).trim().to_owned())
}
