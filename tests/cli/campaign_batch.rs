//! Campaigns under GNU parallel and under Slurm, whose daemons the test starts on the loopback interface.

use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use super::campaign::{folder, merged};
use super::program::Folder;
use super::support::{has_program, skip};

const PROGRAM: &str = env!("CARGO_BIN_EXE_tensorsmith");
const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/check/campaign/slurm.sh");

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

/// Slurm's controller and one node of two processors.
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
        let configuration = format!(
            "ClusterName=test\nSlurmctldHost={host}(127.0.0.1)\nSlurmUser={user}\nSlurmdUser={user}\n\
             AuthType=auth/none\nCredType=cred/none\nSlurmctldPort={controller}\nSlurmdPort={node}\n\
             StateSaveLocation={}\nSlurmdSpoolDir={}\nSlurmctldPidFile={}\nSlurmdPidFile={}\n\
             ProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\nSwitchType=switch/none\nMpiDefault=none\n\
             SelectType=select/cons_tres\nSelectTypeParameters=CR_CPU\nReturnToService=2\nKillWait=1\n\
             NodeName={host} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN\n\
             PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:4\n",
            at("state"),
            at("spool"),
            at("slurmctld.pid"),
            at("slurmd.pid"),
        );
        folder.write("slurm.conf", configuration);
        let daemon = |program: &str| {
            let log = std::fs::File::create(folder.path(&format!("{program}.log"))).expect("a new file");
            let mut command = Command::new(program);
            command.arg("-D").env("SLURM_CONF", folder.path("slurm.conf")).stdout(Stdio::null()).stderr(log);
            command.spawn().expect("the daemon starts")
        };
        let slurm = Slurm { daemons: ["slurmctld", "slurmd"].map(daemon).into() };
        let start = Instant::now();
        while !String::from_utf8_lossy(&shell(folder, "sinfo -h -o %T").stdout).contains("idle") {
            let logs = || ["slurmctld.log", "slurmd.log"].map(|log| folder.read(log)).concat();
            assert!(start.elapsed() < Duration::from_secs(60), "Slurm does not start:\n{}", logs());
            std::thread::sleep(Duration::from_millis(200));
        }
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

/// An array of seven tasks; then one whose tasks were cancelled after a moment, and the same line again.
#[test]
fn campaign_under_slurm() {
    if !["slurmctld", "slurmd", "sbatch"].iter().all(|program| has_program(program, "-V")) {
        return skip("slurm", "slurmctld, slurmd and sbatch are not all on PATH");
    }
    let (folder, whole) = whole();
    let slurm = Slurm::start(&folder);
    let line = documented("sbatch --wait ").replace("slurm.sh", SCRIPT);
    let output = shell(&folder, &line);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(merged(&folder, "results"), whole);

    let cancelled = line.replace("--wait", "--parsable").replace(" results", " cancelled");
    let job = shell(&folder, &cancelled);
    assert!(job.status.success(), "{job:?}");
    std::thread::sleep(Duration::from_millis(300));
    let job = String::from_utf8_lossy(&job.stdout).trim().to_owned();
    let ended = shell(&folder, &format!("scancel --signal=KILL --full {job}; scancel {job}"));
    assert!(ended.status.success(), "{ended:?}");
    let again = shell(&folder, &line.replace(" results", " cancelled"));
    assert!(again.status.success(), "{again:?}");
    assert_eq!(merged(&folder, "cancelled"), whole);

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
        assert!(output.status.code() == Some(2) && said.contains("usage: sbatch --array=1-SHARDS"), "{output:?}");
    }
    assert!(folder.content().is_empty());
}
