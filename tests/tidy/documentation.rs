//! What the tables of fields say of files of units, instructions and interfaces, in their documentation.

use std::fs;
use std::path::Path;

use tensorsmith::describe::{instruction, interface, unit};

/// Brings the marked parts of a document up to date.
type Documentation = fn(&str) -> String;

const DOCUMENTS: [(&str, Documentation); 3] = [
    ("src/numerics/describe/unit/UNIT_FILE.md", unit::documentation),
    ("src/numerics/describe/instruction/INSTRUCTION_FILE.md", instruction::documentation),
    ("src/numerics/describe/interface/INTERFACE_FILE.md", interface::documentation),
];

/// With TENSORSMITH_REWRITE_SNAPSHOTS=1 the documents are written anew.
#[test]
fn documented_fields_are_those_of_the_tables() {
    for (name, documentation) in DOCUMENTS {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
        let text = fs::read_to_string(&path).expect("a document");
        let fresh = documentation(&text);
        if std::env::var_os("TENSORSMITH_REWRITE_SNAPSHOTS").is_some_and(|value| value == "1") {
            fs::write(&path, &fresh).expect("a document");
            continue;
        }
        assert_eq!(text, fresh, "{name} differs; run the test with TENSORSMITH_REWRITE_SNAPSHOTS=1");
    }
}
