//! Size and depth of the catalogue's main units, mapped by Yosys: `./x quality`. Measures no time.

#[allow(dead_code, reason = "the test reads what this writes")]
#[path = "../quality/table.rs"]
mod table;

use std::path::PathBuf;

use clap::Parser;
use table::{Quality, Row, SCHEMA, UNITS, markdown};
use tensorsmith::describe::catalogue;
use tensorsmith::emit::{synthesise, yosys};
use tensorsmith::report::VERSION;

#[derive(Parser)]
struct Arguments {
    /// Folder to write quality.json and quality.md to
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// As cargo calls benchmarks
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() {
    let arguments = Arguments::parse();
    let yosys = yosys::version().unwrap_or_else(|error| panic!("{error}"));
    let row = |name: &str| {
        let unit = catalogue::unit(name).expect("a unit of the catalogue");
        let found = synthesise(&unit).unwrap_or_else(|error| panic!("{error}"));
        println!("{name}: {} LUTs, depth {}, {:.1} s", found.lookup_tables, found.depth, found.seconds);
        Row { unit: name.to_owned(), lookup_tables: found.lookup_tables, depth: found.depth }
    };
    let quality = Quality {
        schema: SCHEMA,
        tensorsmith: VERSION.to_owned(),
        finished: chrono::Utc::now().format("%Y-%m-%d").to_string(),
        yosys,
        rows: UNITS.into_iter().map(row).collect(),
    };
    let text = markdown(&quality);
    println!("{text}");
    if let Some(folder) = arguments.out {
        std::fs::create_dir_all(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        let json = serde_json::to_string_pretty(&quality).expect("numbers and text") + "\n";
        for (name, text) in [("quality.json", json), ("quality.md", text)] {
            let path = folder.join(name);
            std::fs::write(&path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        }
    }
}
