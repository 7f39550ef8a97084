//! Solvers that are missing, slow, greedy or wrong: an answer only where there is one.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use dashu_int::IBig;
use tensorsmith::compute::word::Word;
use tensorsmith::compute::word::term::{Graph, Interval, Term, TermFlag};
use tensorsmith::engine::cache::Store;
use tensorsmith::prove::smt::Query;
use tensorsmith::prove::solver::{Answer, Limits, Program, Reason, Solver};
use tensorsmith::prove::{Asked, Prover};

use crate::prove::support::prover;

/// x * x = 49, and x > 10.
fn squares() -> (Graph, [TermFlag; 2]) {
    Graph::build(|| {
        let x = Term::variable("x", Interval::unsigned(8));
        [(x * x).equals(Term::literal(49)), Term::literal(10).less_than(x)]
    })
}

const LIMITS: Limits = Limits { time: Duration::from_secs(60), memory_bytes: 2 << 30 };

/// A program that does what the script says when it is given a file, as a solver.
fn fake(folder: &Path, script: &str) -> Solver {
    let path: PathBuf = folder.join("fake-solver");
    let text = format!("#!/bin/sh\n[ \"$1\" = --version ] && echo 'fake 1.2' && exit\n{script}\n");
    std::fs::write(&path, text).expect("the test's folder can be written");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("an executable");
    let mut found = Solver::at(Program::Z3, path.as_os_str());
    while found.is_none() {
        // Another test's process may hold the file open for writing a little longer.
        std::thread::yield_now();
        found = Solver::at(Program::Z3, path.as_os_str());
    }
    found.expect("it was found")
}

fn ask_fake(script: &str, limits: Limits) -> Answer {
    let folder = tempfile::tempdir().expect("a folder");
    let (graph, [square, _]) = squares();
    let query = Query { graph: &graph, asserted: vec![square.node()] };
    fake(folder.path(), script).ask(&query, limits).0
}

#[test]
fn bitwuzla_answers_with_values() {
    let Some(prover) = prover() else { return };
    let (graph, [square, large]) = squares();
    let one = Query { graph: &graph, asserted: vec![square.node()] };
    assert_eq!(prover.ask(&one).answer, Answer::Satisfiable(vec![IBig::from(7)]));
    let both = Query { graph: &graph, asserted: vec![square.node(), large.node()] };
    assert_eq!(prover.ask(&both).answer, Answer::Unsatisfiable);
}

#[test]
fn true_values_are_an_answer_and_others_are_none() {
    let satisfiable = |value: &str| ask_fake(&format!("echo sat; echo '((|x| {value}))'"), LIMITS);
    assert_eq!(satisfiable("#x07"), Answer::Satisfiable(vec![IBig::from(7)]));
    assert_eq!(satisfiable("#b00000111"), Answer::Satisfiable(vec![IBig::from(7)]));
    for (value, why) in [("#x08", "do not satisfy"), ("seven", "no value for |x|"), ("", "no value for |x|")] {
        let Answer::Unknown(Reason::Nonsense(text)) = satisfiable(value) else { panic!("{value} is an answer") };
        assert!(text.contains(why), "{text}");
    }
    let Answer::Unknown(reason) = ask_fake("echo sat; echo '((|y| #x07))'", LIMITS) else { panic!("y is no variable") };
    assert!(reason.to_string().contains("no variable"), "{reason}");
}

#[test]
fn a_solver_that_crashes_or_says_anything_else_knows_nothing() {
    let unknown = |script: &str| match ask_fake(script, LIMITS) {
        Answer::Unknown(reason) => reason,
        answer => panic!("{script}: {answer:?}"),
    };
    assert_eq!(unknown("echo unknown"), Reason::GaveUp);
    assert!(matches!(unknown("echo well then"), Reason::Nonsense(text) if text.contains("well then")));
    assert!(matches!(unknown("echo '(error \"line 3\")'; echo unsat"), Reason::Nonsense(_)));
    assert!(matches!(unknown("echo oops >&2; exit 3"), Reason::Crashed(text) if text.contains("oops")));
    assert!(matches!(unknown("echo unsat; kill -9 $$"), Reason::Crashed(_)));
    assert!(matches!(unknown("exit 0"), Reason::Nonsense(_)));
    assert!(matches!(unknown("echo std::bad_alloc >&2; exit 134"), Reason::Memory(_)));
    assert_eq!(ask_fake("echo unsat; exit 1", LIMITS), Answer::Unsatisfiable);
}

#[test]
fn limits_of_time_and_memory_are_kept() {
    let short = Limits { time: Duration::from_millis(300), ..LIMITS };
    let start = std::time::Instant::now();
    assert_eq!(ask_fake("exec sleep 60", short), Answer::Unknown(Reason::Time(short.time)));
    assert!(start.elapsed() < Duration::from_secs(20), "it was ended at its limit");
    let limited = "[ \"$(ulimit -v)\" = 131072 ] && echo unsat";
    assert_eq!(ask_fake(limited, Limits { memory_bytes: 128 << 20, ..LIMITS }), Answer::Unsatisfiable);
}

#[test]
fn answers_are_kept_and_kept_witnesses_are_checked() {
    let folder = tempfile::tempdir().expect("a folder");
    let cache = folder.path().join("kept");
    let counted = format!("echo x >> '{}/asked'; echo sat; echo '((|x| #x07))'", folder.path().display());
    let prover = Prover::new(fake(folder.path(), &counted), LIMITS).keeping(Store::open(&cache));
    let (graph, [square, large]) = squares();
    let query = Query { graph: &graph, asserted: vec![square.node()] };
    let asked = || std::fs::read_to_string(folder.path().join("asked")).unwrap_or_default().lines().count();
    let seven = Answer::Satisfiable(vec![IBig::from(7)]);
    let expect = |cached: bool, count: usize| {
        let Asked { answer, cached: was_cached, .. } = prover.ask(&query);
        assert_eq!((answer, was_cached, asked()), (seven.clone(), cached, count));
    };
    expect(false, 1);
    expect(true, 1);

    let files = || {
        let names = std::fs::read_dir(&cache).expect("a folder").flatten().map(|entry| entry.path());
        names.filter(|path| path.extension().is_some_and(|ending| ending == "proof")).collect::<Vec<_>>()
    };
    assert_eq!(files().len(), 1);
    let name = files()[0].file_stem().expect("a name").to_string_lossy().into_owned();
    let (subject, key) = name.split_once('-').expect("subject and key");
    // A file that is whole, and says what is not true.
    let kept = prover.store.get(subject, key).expect("it is kept");
    let text = String::from_utf8(kept).expect("text");
    assert!(text.contains("\"7\""), "{text}");
    prover.store.put(subject, key, text.replace("\"7\"", "\"8\"").as_bytes());
    expect(false, 2);
    std::fs::write(&files()[0], "{").expect("it can be written");
    expect(false, 3);
    expect(true, 3);

    // Another query is another file, and what is not true is not kept.
    let both = Query { graph: &graph, asserted: vec![square.node(), large.node()] };
    assert!(matches!(prover.ask(&both).answer, Answer::Unknown(Reason::Nonsense(_))));
    assert_eq!(files().len(), 1);
}
