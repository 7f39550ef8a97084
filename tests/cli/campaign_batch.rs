//! Campaigns under GNU parallel and under Slurm, whose daemons the test starts with a key of their own.

use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use super::campaign::{folder, merged};
use super::program::Folder;
use super::support::{has_program, skip};

const PROGRAM: &str = env!("CARGO_BIN_EXE_tensorsmith");
const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/check/campaign/slurm.sh");

/// 367 pieces, of which each takes some milliseconds: they take seconds, so that there is time to cancel them.
const MANY: &str = r#"
name = "many"
engines = ["emulator", "reference"]
piece = 8192
vectors = 3_000_000

[[run]]
subjects = ["volta-fp16-fp32"]
"#;

/// The folder of the small campaign, and what one process makes of it.
fn whole() -> (Folder, String) {
    let folder = folder();
    folder.succeed(&["campaign", "small.toml", "--out", "whole"]);
    let report = merged(&folder, "whole");
    (folder, report)
}

/// The line of the documentation that begins so, for the small campaign.
fn documented(beginning: &str) -> String {
    let text = include_str!("../../src/check/campaign/CAMPAIGN_FILE.md");
    let line = text.lines().find(|line| line.starts_with(beginning)).expect("a line of the documentation");
    line.replace("nightly", "small").replace("64", "7")
}

fn shell(folder: &Folder, line: &str) -> Output {
    let path = std::env::var("PATH").unwrap_or_default();
    let own = Path::new(PROGRAM).parent().expect("a folder").display();
    let mut command = Command::new("bash");
    command.args(["-c", line]).current_dir(folder.path(".")).env("PATH", format!("{own}:{path}"));
    command.env("SLURM_CONF", folder.path("slurm.conf")).env("TENSORSMITH", PROGRAM);
    command.output().expect("bash starts")
}

#[test]
fn campaign_under_gnu_parallel() {
    let gnu = Command::new("parallel").arg("--version").output();
    if !gnu.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains("GNU parallel")) {
        return skip("parallel", "GNU parallel is not on PATH");
    }
    let (folder, whole) = whole();
    let output = shell(&folder, &documented("seq 64 | parallel "));
    assert!(output.status.success(), "{output:?}");
    let shards = std::fs::read_dir(folder.path("results")).expect("results").count();
    assert_eq!((shards, merged(&folder, "results")), (7, whole));
}

/// What a line says.
fn said(folder: &Folder, line: &str) -> String {
    String::from_utf8_lossy(&shell(folder, line).stdout).trim().to_owned()
}

fn wait_until(what: &str, holds: impl Fn() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_secs(60), "{what} within a minute");
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// Munge, and Slurm's controller and one node of two processors.
struct Slurm {
    daemons: Vec<Child>,
}

impl Slurm {
    /// Starts it in a folder, where `SLURM_CONF` is then slurm.conf.
    fn start(folder: &Folder) -> Slurm {
        let output = |program: &str, argument: &str| {
            let output = Command::new(program).arg(argument).output().expect("a program of every system");
            String::from_utf8_lossy(&output.stdout).trim().to_owned()
        };
        let (user, host) = (output("id", "-un"), output("hostname", "-s"));
        let listeners = [0, 1].map(|_| TcpListener::bind("127.0.0.1:0").expect("a free port"));
        let [controller, node] = listeners.map(|one| one.local_addr().expect("it is bound").port());
        let at = |name: &str| folder.path(name).display().to_string();
        for name in ["state", "spool"] {
            std::fs::create_dir(folder.path(name)).expect("a new folder");
        }
        // Slurm listens on every interface: only who has the key may submit.
        let key = "umask 077; head -c 128 /dev/urandom > munge.key";
        assert!(shell(folder, key).status.success(), "a key is made");
        let configuration = format!(
            "ClusterName=test\nSlurmctldHost={host}(127.0.0.1)\nSlurmUser={user}\nSlurmdUser={user}\n\
             AuthType=auth/munge\nCredType=cred/munge\nAuthInfo=socket={}\nSlurmctldPort={controller}\nSlurmdPort={node}\n\
             StateSaveLocation={}\nSlurmdSpoolDir={}\nSlurmctldPidFile={}\nSlurmdPidFile={}\n\
             ProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\nSwitchType=switch/none\nMpiDefault=none\n\
             SelectType=select/cons_tres\nSelectTypeParameters=CR_CPU\nReturnToService=2\nKillWait=1\n\
             NodeName={host} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN\n\
             PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:4\n",
            at("munge.socket"),
            at("state"),
            at("spool"),
            at("slurmctld.pid"),
            at("slurmd.pid"),
        );
        folder.write("slurm.conf", configuration);
        let daemon = |program: &str, arguments: &[String]| {
            let log = std::fs::File::create(folder.path(&format!("{program}.log"))).expect("a new file");
            let mut command = Command::new(program);
            command.args(arguments).env("SLURM_CONF", folder.path("slurm.conf")).stdout(Stdio::null()).stderr(log);
            command.spawn().expect("the daemon starts")
        };
        let munge = [
            "--foreground".to_owned(),
            "--force".to_owned(),
            format!("--socket={}", at("munge.socket")),
            format!("--key-file={}", at("munge.key")),
            format!("--log-file={}", at("munge.log")),
            format!("--pid-file={}", at("munge.pid")),
            format!("--seed-file={}", at("munge.seed")),
        ];
        let mut slurm = Slurm { daemons: vec![daemon("munged", &munge)] };
        wait_until("munge starts", || folder.path("munge.socket").exists());
        slurm.daemons.extend(["slurmctld", "slurmd"].map(|program| daemon(program, &["-D".to_owned()])));
        wait_until("Slurm starts", || said(folder, "sinfo -h -o %T").contains("idle"));
        slurm
    }
}

impl Drop for Slurm {
    fn drop(&mut self) {
        for daemon in self.daemons.iter_mut().rev() {
            let _ = daemon.kill();
            let _ = daemon.wait();
        }
    }
}

/// An array of seven tasks; then one that is cancelled, and the same line again.
#[test]
fn campaign_under_slurm() {
    if !["munged", "slurmctld", "slurmd", "sbatch"].iter().all(|program| has_program(program, "-V")) {
        return skip("slurm", "munged, slurmctld, slurmd and sbatch are not all on PATH");
    }
    let (folder, whole) = whole();
    let slurm = Slurm::start(&folder);
    let line = documented("sbatch --wait ").replace("slurm.sh", SCRIPT);
    let output = shell(&folder, &line);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(merged(&folder, "results"), whole);

    // Cancelled when some pieces of many are there: the same line runs the others.
    folder.write("small.toml", MANY);
    folder.succeed(&["campaign", "small.toml", "--out", "many"]);
    let cancelled = line.replace(" results", " cancelled");
    let job = said(&folder, &cancelled.replace("--wait", "--parsable"));
    let pieces = || said(&folder, "cat cancelled/*.results").matches("\"piece\"").count();
    wait_until("a piece is there", || pieces() > 0);
    assert!(shell(&folder, &format!("scancel --signal=KILL --full {job}; scancel {job}")).status.success());
    wait_until("the job is gone", || said(&folder, "squeue -h").is_empty());
    let run = folder.run(&["merge", "small.toml", "cancelled"]);
    assert!(run.code == 2 && run.stderr.contains("pieces are missing"), "{run:?}");
    let again = shell(&folder, &cancelled);
    assert!(again.status.success(), "{again:?}");
    assert_eq!(merged(&folder, "cancelled"), merged(&folder, "many"));

    // A task that finds nothing to run fails, and so does the array.
    let failing = shell(&folder, &line.replace("small.toml", "missing.toml"));
    assert!(!failing.status.success(), "{failing:?}");
    drop(slurm);
}

#[test]
fn slurm_script_outside_of_an_array() {
    let folder = Folder::new();
    for arguments in ["", "small.toml", "small.toml results"] {
        let output = shell(&folder, &format!("unset SLURM_ARRAY_TASK_ID; {SCRIPT} {arguments}"));
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && said.contains("sbatch --array=1-SHARDS"), "{output:?}");
    }
    // Of these not all shards would run.
    for (first, last, count) in [("1", "63", "32"), ("0", "63", "64"), ("3", "7", "2")] {
        let array = format!("SLURM_ARRAY_TASK_MIN={first} SLURM_ARRAY_TASK_MAX={last} SLURM_ARRAY_TASK_COUNT={count}");
        let output = shell(&folder, &format!("SLURM_ARRAY_TASK_ID=3 {array} {SCRIPT} small.toml results"));
        assert_eq!(output.status.code(), Some(2), "{output:?}");
    }
    assert!(folder.content().is_empty());
}
