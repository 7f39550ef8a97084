//! Equivalence of two versions of a unit's files by Yosys and ABC alone: a second opinion that shares no code with the prover
//! but Yosys' reader.

use std::path::PathBuf;
use std::process::Command;

use tempfile::TempDir;
use tensorsmith::emit::SourceFile;

/// What ABC says of two networks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Opinion {
    /// They are one graph once equal nodes are shared.
    OneGraph,
    /// Its search shows them equivalent.
    Equivalent,
    Different,
}

/// The files of a unit as a graph in AIGER form.
pub struct Outside {
    module: String,
    folder: TempDir,
}

fn run(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output();
    let output = output.unwrap_or_else(|error| panic!("{program}: {error}"));
    let said = [output.stdout, output.stderr].concat();
    String::from_utf8_lossy(&said).into_owned()
}

impl Outside {
    /// The original.
    pub fn of(module: &str, sources: &[SourceFile]) -> Outside {
        let outside = Outside { module: module.to_owned(), folder: TempDir::new().expect("a folder for graphs") };
        outside.graph("original", sources);
        outside
    }

    fn graph(&self, name: &str, sources: &[SourceFile]) -> PathBuf {
        let folder = self.folder.path().join(name);
        std::fs::create_dir_all(&folder).expect("a folder");
        let paths = sources.iter().map(|source| {
            let path = folder.join(&source.name);
            std::fs::write(&path, &source.text).expect("a file");
            path.display().to_string()
        });
        let paths = paths.collect::<Vec<_>>().join(" ");
        let graph = self.folder.path().join(format!("{name}.aig"));
        let (module, written) = (&self.module, graph.display());
        let script = format!(
            "read_verilog -sv {paths}; hierarchy -top {module}; proc; opt_expr; opt_clean; simplemap; techmap; opt_expr; \
             opt_clean; flatten; opt_clean; aigmap; write_aiger {written}"
        );
        let _ = std::fs::remove_file(&graph);
        let said = run("yosys", &["-q", "-p", &script]);
        assert!(graph.is_file(), "{said}");
        graph
    }

    /// What ABC says of the original and this version.
    pub fn opinion(&self, sources: &[SourceFile]) -> Opinion {
        let changed = self.graph("changed", sources);
        let original = self.folder.path().join("original.aig");
        let said = run("yosys-abc", &["-q", &format!("cec {} {}", original.display(), changed.display())]);
        if said.contains("NOT EQUIVALENT") {
            Opinion::Different
        } else if said.contains("are equivalent after structural hashing") {
            Opinion::OneGraph
        } else if said.contains("Networks are equivalent") {
            Opinion::Equivalent
        } else {
            panic!("abc: {said}")
        }
    }
}
