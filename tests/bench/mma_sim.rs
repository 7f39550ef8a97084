//! MMA-Sim (Xie et al.), a model in Python, as a peer.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use tensorsmith::describe::unit::Unit;
use tensorsmith::engine::Batch;

/// Its name.
pub const MMA_SIM: &str = "MMA-Sim";

/// MMA-Sim in a Python of its own, with the vectors of a batch.
pub struct MmaSim {
    program: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    /// Answers that are not those expected.
    pub differences: usize,
}

/// MMA-Sim's names of a unit: class, architecture and instruction.
fn names(unit: &Unit) -> Option<[&'static str; 3]> {
    Some(match unit.name.as_str() {
        "volta-fp16-fp32" => ["MMA", "Volta", "m8n8k4.f32.f16.f16.f32"],
        "ampere-fp16-fp32" => ["MMA", "Ampere", "m16n8k8.f32.f16.f16.f32"],
        "ampere-tf32-fp32" => ["MMA", "Ampere", "m16n8k4.f32.tf32.tf32.f32"],
        "hopper-fp16-fp32" => ["MMA", "Hopper", "m16n8k16.f32.f16.f16.f32"],
        "hopper-fp16-fp16" => ["MMA", "Hopper", "m16n8k16.f16.f16.f16.f16"],
        "hopper-e4m3-fp32" => ["WGMMA", "Hopper", "m64n8k32.f32.e4m3.e4m3"],
        _ => return None,
    })
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

impl MmaSim {
    /// The Python that has it: what `TENSORSMITH_PEER_PYTHON` names, or `python3`.
    pub fn python() -> Result<String, String> {
        let python = std::env::var("TENSORSMITH_PEER_PYTHON").unwrap_or("python3".to_owned());
        let tried = command(&python).args(["-c", "import mmasim.nv_ptx"]).output();
        match tried {
            Ok(output) if output.status.success() => Ok(python),
            _ => Err(format!(
                "{python} has no mmasim: pip install mmasim numpy, TENSORSMITH_PEER_PYTHON names its Python"
            )),
        }
    }

    /// Its version.
    pub fn version(python: &str) -> String {
        let text = "import importlib.metadata as m; print(m.version('mmasim'), 'on torch', m.version('torch'))";
        let output = command(python).args(["-c", text]).output();
        output.map_or(String::new(), |output| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }

    /// Starts it on the vectors of a batch and compares its answers; `None` if it has not that unit.
    pub fn start(python: &str, unit: &Unit, batch: &Batch, expected: &[u64]) -> Option<MmaSim> {
        let [class, architecture, instruction] = names(unit)?;
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bench/mma_sim.py");
        let mut program = command(python)
            .arg(script)
            .args([class, architecture, instruction, &unit.products.to_string(), &batch.len().to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("python starts");
        let (mut to, from) = (program.stdin.take().expect("piped"), program.stdout.take().expect("piped"));
        let words = |words: &[u64]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
        let sent = [&batch.a, &batch.b, &batch.c].into_iter().try_for_each(|all| to.write_all(&words(all)));
        sent.and_then(|()| to.flush()).expect("python reads");
        let mut from = BufReader::new(from);
        let mut answers = vec![0; 8 * batch.len()];
        from.read_exact(&mut answers).expect("python answers");
        let d = &unit.formats.d;
        let same =
            |answer: u64, expected: u64| answer == expected || d.to_f64(answer).is_nan() && d.to_f64(expected).is_nan();
        let answers = answers.as_chunks().0.iter().map(|bytes| u64::from_le_bytes(*bytes) & d.mask());
        let differences = answers.zip(expected).filter(|&(answer, &expected)| !same(answer, expected)).count();
        Some(MmaSim { program, to, from, differences })
    }

    /// Answers all vectors again and tells how long it took.
    pub fn turn(&mut self) -> Duration {
        self.to.write_all(b"\n").and_then(|()| self.to.flush()).expect("python reads");
        let mut line = String::new();
        self.from.read_line(&mut line).expect("python answers");
        Duration::from_secs_f64(line.trim().parse().expect("seconds"))
    }
}

impl Drop for MmaSim {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}
