//! Boards from the command line: signed runs, cosim, what is told of boards that are not there, and a board that goes away.

use super::program::Folder;
#[cfg(all(feature = "rtl", unix))]
use super::support::{replaced, skip};

/// An engine that is not there is an error where it is named, and names the port.
#[test]
fn ports_that_are_not_there_are_named() {
    let folder = Folder::new();
    for arguments in [
        &["board", "board:/nonexistent/tty"][..],
        &["board", "board:/nonexistent/tty", "volta-fp16-fp32", "--vectors", "10"],
        &["cosim", "volta-fp16-fp32", "--engines", "emulator,board:/nonexistent/tty", "--vectors", "10"],
    ] {
        let run = folder.run(arguments);
        assert!(run.code == 2 && run.stderr.contains("/nonexistent/tty"), "{arguments:?}: {run:?}");
    }
    let allowed = folder.run(&[
        "cosim",
        "volta-fp16-fp32",
        "--engines",
        "emulator,reference,board:/nonexistent/tty",
        "--vectors",
        "10",
        "--allow-missing",
    ]);
    assert!(allowed.code == 0 && allowed.stdout.contains("is the board plugged in?"), "{allowed:?}");
}

#[test]
fn what_is_no_board_is_refused() {
    let folder = Folder::new();
    folder.write("plain", "no port");
    for (arguments, said) in [
        (&["board", "emulator"][..], "emulator is no board; allowed: board:PATH"),
        (&["board", "board:"], "nearest:"),
        (&["board", "board:/dev/null@77"], "nearest:"),
        (&["board", "board:sim"], "holds whatever unit it is asked for"),
        (&["board", "board:plain"], "plain: cannot be opened"),
        (&["board", "board:sim", "--vectors", "10"], "<UNIT>"),
        (&["board", "board:sim", "volta-fp16-fp32", "--shapes", "round"], "allowed: near, uniform"),
        (&["board", "board:sim", "volta-fp16-fp32", "--window", "0"], "allowed: a whole number from 1"),
        (&["board", "board:sim", "hopper-mma-m16n8k16-fp16-fp32"], "board:sim:1x1 holds a tile of hopper-mma"),
    ] {
        let run = folder.run(arguments);
        assert!(run.code == 2 && run.stderr.contains(said), "{arguments:?}: {run:?}");
    }
}

#[cfg(all(feature = "rtl", unix))]
mod simulated {
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    use tensorsmith::describe::catalogue;
    use tensorsmith::emit::kit::Held;
    use tensorsmith::emit::tile::Tile;
    use tensorsmith::engine::Batch;
    use tensorsmith::engine::board::simulated::{self, Faults, LINE, Simulated};
    use tensorsmith::engine::board::{Generator, Layout, Shape};

    use super::{Folder, replaced, skip};

    /// A simulated board, and its port.
    fn started(unit: &str) -> Option<(Simulated, String)> {
        changed(unit, &[])
    }

    /// The same, of whose module texts were changed for others.
    fn changed(unit: &str, changes: &[(&str, &str)]) -> Option<(Simulated, String)> {
        holding(&catalogue::unit(unit).expect("a unit of the catalogue").into(), changes)
    }

    fn holding(held: &Held, changes: &[(&str, &str)]) -> Option<(Simulated, String)> {
        let mut sources = simulated::sources(held, LINE).expect("sources");
        let text = &mut sources.last_mut().expect("the board's module").text;
        for (from, to) in changes {
            *text = replaced(text, from, to);
        }
        match Simulated::start(&held.module_name(), &sources, &Faults::default()) {
            Ok(simulated) => {
                let port = simulated.path().display().to_string();
                Some((simulated, port))
            }
            Err(error) => {
                skip("board", &error);
                None
            }
        }
    }

    /// What the command line says of a board behind a port, and of another unit than the board holds.
    #[test]
    fn boards_are_identified_compared_and_signed() {
        let Some((_simulated, port)) = started("tiny-nearest") else { return };
        let (folder, board) = (Folder::new(), format!("board:{port}"));
        let held = folder.run(&["board", &board]);
        assert!(held.code == 0 && held.stdout.contains("holds tiny-nearest"), "{held:?}");
        let engines = format!("emulator,{board}");
        let run =
            folder.run(&["cosim", "tiny-nearest", "--engines", &engines, "--vectors", "2000", "--json", "cosim.json"]);
        assert_eq!(run.code, 0, "{run:?}");
        let report = folder.json("cosim.json").to_string();
        assert!(report.contains(&board), "{report}");
        let signed =
            ["board", &board, "tiny-nearest", "--vectors", "30000", "--window", "5000", "--json", "signed.json"];
        let run = folder.run(&signed);
        assert!(run.code == 0 && run.stdout.contains("30000 vectors made and signed by the board, 0 of 6"), "{run:?}");
        let report = folder.json("signed.json");
        assert_eq!((&report["differing"], &report["repeated"]), (&0.into(), &0.into()), "{report}");
        for arguments in [
            &["board", &board, "volta-fp16-fp32"][..],
            &["cosim", "volta-fp16-fp32", "--engines", &engines, "--vectors", "10"],
        ] {
            let run = folder.run(arguments);
            let said = [run.stdout.as_str(), &run.stderr].concat();
            assert!(run.code == 2 && said.contains("the board holds tiny-nearest"), "{said}");
        }
    }

    /// A campaign whose vectors the board makes: pieces go on, shards add up, and one wrong bit of rare vectors is a mismatch with a
    /// case file.
    #[test]
    fn campaigns_are_signed() {
        let Some((_simulated, port)) = started("tiny-nearest") else { return };
        let wrong = "result ^ AnswerWidth'(operands[14:0] == 15'h2345)";
        let change = (".result_i(result)", &*format!(".result_i({wrong})"));
        let Some((_faulty, faulty)) = changed("tiny-nearest", &[change]) else {
            return;
        };
        let folder = Folder::new();
        let file = |port: &str| {
            format!(
                "name = \"signed\"\npiece = 16384\nvectors = 50_000\nseed = 3\n\n\
                 [[run]]\nsubjects = [\"tiny-nearest\"]\nengines = [\"wide\", \"board:{port}\"]\nsigned = true\n"
            )
        };
        folder.write("signed.toml", file(&port));
        for shard in ["1/2", "2/2", "2/2"] {
            folder.succeed(&["campaign", "signed.toml", "--out", "out", "--shard", shard]);
        }
        let merged = folder.succeed(&["merge", "signed.toml", "out", "--json", "-"]).stdout;
        let merged: serde_json::Value = serde_json::from_str(&merged).expect("JSON");
        let run = &merged["runs"][0];
        assert_eq!((&run["compared"], &run["mismatches"], &run["pieces"]), (&50_000.into(), &0.into(), &4.into()));
        assert!(
            run["engines"]
                .as_array()
                .is_some_and(|all| all.len() == 2 && all.iter().all(|one| one["vectors"] == 50_000)),
            "{run}"
        );
        folder.write("signed.toml", file(&faulty));
        let found = folder.run(&["campaign", "signed.toml", "--out", "faulty"]);
        assert!(found.code == 1 && found.stdout.contains(" signature"), "{found:?}");
        assert!(found.stdout.contains("tiny-nearest: first signature that differs: vector "), "{found:?}");
        let merged = folder.run(&["merge", "signed.toml", "faulty", "--json", "-"]);
        let merged: serde_json::Value = serde_json::from_str(&merged.stdout).expect("JSON");
        made_again(&merged["runs"][0]["first"]);
        let case = std::fs::read_to_string(case_file(&folder, "faulty").expect("a case file")).expect("a case file");
        assert!(case.contains("tiny-nearest") && case.contains(&faulty), "{case}");
        // Each piece has vectors of its own.
        let lines = folder.read("faulty/shard-1-of-1.results");
        let seeds: Vec<&str> =
            lines.match_indices("\"seed\":").filter_map(|(at, _)| lines[at..].split('}').next()).collect();
        let apart: std::collections::BTreeSet<&&str> = seeds.iter().collect();
        assert!(seeds.len() >= 2 && apart.len() == seeds.len(), "{lines}");
        // A board with a tile signs tiles of an instruction; one that holds a unit is not there for it.
        let volta =
            |board: &str| file("").replace("tiny-nearest", "volta-mma-m8n8k4-fp16-fp32").replace("board:", board);
        folder.write("signed.toml", volta("board:sim:2x2"));
        assert!(folder.succeed(&["campaign", "signed.toml", "--out", "tiles"]).stdout.contains("50,000"));
        folder.write("signed.toml", volta("board:sim"));
        let found = folder.run(&["campaign", "signed.toml", "--out", "none"]);
        assert!(found.code == 2 && found.stderr.contains("board:sim:1x1 holds a tile of volta-mma"), "{found:?}");
    }

    /// What is told of the first vector that differs makes it again.
    fn made_again(first: &serde_json::Value) {
        let unit = catalogue::unit("tiny-nearest").expect("a unit of the catalogue");
        let (layout, made) = (Layout::of(&unit.interface()), &first["signed"]);
        let shape = Shape::ALL.into_iter().find(|shape| made["shape"] == shape.name()).expect("a shape");
        let mut generator = Generator::new(&layout, made["seed"].as_u64().expect("a seed"), shape.masks(&layout));
        generator.skip(first["index"].as_u64().expect("an index"));
        let mut batch = Batch::of_unit(&unit);
        generator.draw(&layout, &mut Vec::new(), &mut batch);
        let operands: Vec<String> = batch.vector(0).operands().map(|bits| format!("{bits:#x}")).collect();
        assert_eq!(first["operands"], serde_json::json!(operands), "{first}");
    }

    fn case_file(folder: &Folder, name: &str) -> Option<std::path::PathBuf> {
        let files = std::fs::read_dir(folder.path(name)).expect("a folder").filter_map(Result::ok);
        files.map(|entry| entry.path()).find(|path| path.extension().is_some_and(|end| end == "toml"))
    }

    /// A result that is wrong once, and right when it is run again, is told as that; there is no vector for a case file.
    #[test]
    fn signed_campaigns_tell_of_what_came_once() {
        let counter = "logic [17:0] count_q;\n  always_ff @(posedge clk_i)\n    if (!rst_ni) count_q <= '0;\n    else if (result_valid && \
                       result_ready && !(&count_q)) count_q <= count_q + 1'b1;\n\n  logic                     unused_user;";
        // The self-test takes some 12,300 results before the first piece does.
        let wrong = ".result_i(result ^ AnswerWidth'(count_q == 18'd20000))";
        let changes = [("logic                     unused_user;", counter), (".result_i(result)", wrong)];
        let Some((_once, port)) = changed("tiny-nearest", &changes) else { return };
        let folder = Folder::new();
        let engines = format!("engines = [\"wide\", \"board:{port}\"]");
        let run = format!("[[run]]\nsubjects = [\"tiny-nearest\"]\n{engines}\nsigned = true\n");
        folder.write("signed.toml", format!("name = \"signed\"\nvectors = 20000\n\n{run}"));
        let run = folder.run(&["campaign", "signed.toml", "--out", "out"]);
        let said = "differed once, and not when it was run again";
        assert!(run.code == 1 && run.stdout.contains(said) && run.stdout.contains(" 1 signature "), "{run:?}");
        assert_eq!(case_file(&folder, "out"), None);
    }

    /// A board that is not there, or holds another unit, is an error that says so, allowed to be missing or not.
    #[test]
    fn signed_campaigns_need_their_board() {
        let Some((_simulated, port)) = started("tiny-nearest") else { return };
        let folder = Folder::new();
        for (subject, board, said) in [
            ("volta-fp16-fp32", port.as_str(), "the board holds tiny-nearest"),
            ("tiny-nearest", "/nonexistent/tty", "/nonexistent/tty"),
        ] {
            let engines = format!("engines = [\"wide\", \"board:{board}\"]");
            let run = format!("[[run]]\nsubjects = [\"{subject}\"]\n{engines}\nsigned = true\n");
            folder.write("signed.toml", format!("name = \"signed\"\nvectors = 5000\n\n{run}"));
            for more in [&[][..], &["--allow-missing"]] {
                let run = folder.run(&[&["campaign", "signed.toml", "--out", "out"], more].concat());
                assert!(run.code == 2 && run.stderr.contains(said), "{run:?}");
                assert!(!folder.path("out").exists(), "nothing ran, and nothing is left");
            }
        }
    }

    /// The protocol's implementation in Python understands the board, and makes the same vectors and the same signature.
    #[test]
    fn python_asks_a_board() {
        if !crate::cli::external::has_python() {
            return;
        }
        let instruction = catalogue::instruction("volta-mma-m8n8k4-fp16-fp32").expect("an instruction");
        let size = "2x2".parse().expect("a size");
        let tile = Tile::new(&instruction, size).and_then(Held::try_from).expect("it has a tile");
        let unit = catalogue::unit("tiny-nearest").expect("a unit of the catalogue");
        for held in [Held::from(unit), tile] {
            let Some((_simulated, port)) = holding(&held, &[]) else { return };
            let example = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/board/board.py");
            let output = Command::new("python3").args(["-B", example, &port]).output().expect("python starts");
            let text = String::from_utf8_lossy(&output.stdout);
            assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
            let unit = format!("unit         {}", held.name());
            assert!(text.contains(&unit) && text.contains("of 1000 vectors made on the chip"), "{text}");
        }
    }

    /// A board that is unplugged is an error that names it, at once, and no mismatch.
    #[test]
    fn a_board_that_goes_away_is_named() {
        let Some((simulated, port)) = started("tiny-nearest") else { return };
        let engines = format!("emulator,board:{port}");
        let mut command = Command::new(env!("CARGO_BIN_EXE_tensorsmith"));
        command.args(["cosim", "tiny-nearest", "--engines", &engines, "--vectors", "100000000"]);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        std::thread::sleep(Duration::from_secs(3));
        drop(simulated);
        let start = Instant::now();
        let output = child.wait_with_output().expect("it ends");
        assert!(start.elapsed() < Duration::from_secs(20), "it is noticed at once: {:?}", start.elapsed());
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.code() == Some(2) && errors.contains(&port) && errors.contains("the line failed"),
            "{errors}"
        );
        assert!(!errors.contains("panicked") && !errors.contains("mismatch"), "{errors}");
    }
}
