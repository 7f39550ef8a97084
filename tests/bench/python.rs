//! Programs in Python that answer what they read once, then once more for each line, and say how long it took them.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

/// One that runs.
pub struct Program {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

/// A Python, which finds beside itself what it has installed: MMA-Sim compiles a part of itself.
fn command(python: &str) -> Command {
    let mut command = Command::new(python);
    if let Some(folder) = Path::new(python).parent().filter(|folder| !folder.as_os_str().is_empty()) {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders = std::iter::once(folder.to_path_buf()).chain(std::env::split_paths(&path));
        command.env("PATH", std::env::join_paths(folders).expect("folders of the variable PATH"));
    }
    command
}

/// What `TENSORSMITH_PEER_PYTHON` names, or `python3`, if it has a module; else how to get it.
pub fn with_module(module: &str, how: &str) -> Result<String, String> {
    let python = std::env::var("TENSORSMITH_PEER_PYTHON").unwrap_or("python3".to_owned());
    match said(&python, &format!("import {module}")) {
        Some(_) => Ok(python),
        None => Err(format!("{python} has no {module}: {how}, TENSORSMITH_PEER_PYTHON names its Python")),
    }
}

/// What some lines of Python print.
pub fn said(python: &str, lines: &str) -> Option<String> {
    let output = command(python).args(["-c", lines]).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

impl Program {
    /// Starts a script of this folder and gives it what it reads.
    pub fn start(python: &str, script: &str, arguments: &[&str], read: &[u8]) -> Program {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bench").join(script);
        let mut child = command(python)
            .arg(script)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("python starts");
        let (mut to, from) = (child.stdin.take().expect("piped"), child.stdout.take().expect("piped"));
        to.write_all(read).and_then(|()| to.flush()).expect("python reads");
        Program { child, to, from: BufReader::new(from) }
    }

    /// So many bytes of its answer.
    pub fn answer(&mut self, count: usize) -> Vec<u8> {
        let mut answer = vec![0; count];
        self.from.read_exact(&mut answer).expect("python answers");
        answer
    }

    /// Has it answer again and tells how long it took.
    pub fn turn(&mut self) -> Duration {
        self.to.write_all(b"\n").and_then(|()| self.to.flush()).expect("python reads");
        let mut line = String::new();
        self.from.read_line(&mut line).expect("python answers");
        Duration::from_secs_f64(line.trim().parse().expect("seconds"))
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
