//! Words and delays to which tools give different meanings wherever they stand.

use super::tokens::{Kind, Token};
use super::{Objection, object};

/// How deep statements, generated blocks and brackets may stand in each other.
pub(super) const DEPTH: usize = 200;

/// Keywords, what tools do with them, and what is allowed instead.
const REFUSED: [(&[&str], &str); 11] = [
    (
        &["initial"],
        "a simulator runs it once, and Yosys takes what it assigns for all times; allowed: assign, always_comb",
    ),
    (&["defparam"], "Yosys leaves it out; allowed: parameters of an instance, `#(.Width(8))`"),
    (&["bind"], "Yosys leaves it out; allowed: instances in the module itself"),
    (&["force", "release", "deassign"], "only simulators obey it; allowed: assign, always_comb"),
    (&["specify", "primitive", "table"], "only some tools read it; allowed: assign, always_comb"),
    (
        &["wait", "fork", "join", "event", "final", "disable", "forever", "while", "repeat", "do", "foreach"],
        "tools carry it out differently; allowed: assign, always_comb, always_ff, for",
    ),
    (
        &["task", "program", "class", "checker", "config", "library", "interface", "export", "extern"],
        "tools read it differently; allowed: modules, packages and functions",
    ),
    (&["alias", "interconnect", "nettype", "clocking", "modport"], "tools read it differently; allowed: ports"),
    (
        &["trireg", "tri0", "tri1", "triand", "trior", "wand", "wor", "supply0", "supply1"],
        "tools resolve it differently; allowed: wire",
    ),
    (
        &["tran", "nmos", "pmos", "cmos", "pullup", "pulldown", "bufif0", "bufif1", "notif0", "notif1"],
        "tools resolve it differently; allowed: assign",
    ),
    (
        &["real", "realtime", "shortreal", "time", "string", "chandle"],
        "tools compute with it differently; allowed: vectors of bits",
    ),
];

/// System functions of elaboration and of bits, and checks at elaboration, which end a tool or do nothing.
const SYSTEM: [&str; 16] = [
    "$signed",
    "$unsigned",
    "$clog2",
    "$bits",
    "$size",
    "$left",
    "$right",
    "$high",
    "$low",
    "$countones",
    "$onehot",
    "$onehot0",
    "$error",
    "$fatal",
    "$warning",
    "$info",
];

/// Objects to the first such word or delay.
pub fn check(tokens: &[Token]) -> Result<(), Objection> {
    let mut brackets = 0usize;
    tokens.iter().enumerate().try_for_each(|(place, token)| {
        match token.kind {
            Kind::Symbol if ["(", "[", "{"].contains(&token.text.as_str()) => brackets += 1,
            Kind::Symbol if [")", "]", "}"].contains(&token.text.as_str()) => brackets = brackets.saturating_sub(1),
            _ => {}
        }
        if brackets > DEPTH {
            return object(token.line, format!("more than {DEPTH} brackets in each other; allowed: fewer"));
        }
        let text = token.text.as_str();
        match token.kind {
            Kind::Word => match REFUSED.iter().find(|(words, _)| words.contains(&text)) {
                Some((_, why)) => object(token.line, format!("`{text}`: {why}")),
                None => Ok(()),
            },
            Kind::System if !SYSTEM.contains(&text) => {
                let reads = ["$readmemh", "$readmemb", "$fopen"].contains(&text);
                let why = if reads { "reads another file" } else { "is no function of bits for all tools" };
                object(token.line, format!("{text} {why}; allowed: {}", SYSTEM.join(", ")))
            }
            Kind::Escaped => object(token.line, format!("the name {text} behind a backslash; allowed: plain names")),
            Kind::Symbol if text == "##" || text == "#" && !is_parameters(tokens, place) => {
                let what = "a delay, which simulators obey and Yosys ignores; allowed: text without delays, `#(` for parameters";
                object(token.line, what)
            }
            _ => Ok(()),
        }
    })
}

/// Whether `#` starts the parameters of a module or of an instance: the module's name stands before it, or imports of the
/// module's header do.
fn is_parameters(tokens: &[Token], place: usize) -> bool {
    let Some(before) = place.checked_sub(1).and_then(|place| tokens.get(place)) else { return false };
    let import = || tokens[..place].iter().rposition(|token| token.is("import")).unwrap_or_default();
    let is_header = || import().checked_sub(2).is_some_and(|head| tokens[head].is("module"));
    let behind_name = is_name(before) || before.is(";") && is_header();
    behind_name && tokens.get(place + 1).is_some_and(|token| token.is("("))
}

/// Whether a token is a name and no keyword.
pub fn is_name(token: &Token) -> bool {
    match token.kind {
        Kind::Word => !KEYWORDS.contains(&token.text.as_str()),
        kind => kind == Kind::Escaped,
    }
}

/// Keywords that are not refused by themselves.
const KEYWORDS: [&str; 89] = [
    "always",
    "always_comb",
    "always_ff",
    "always_latch",
    "and",
    "assert",
    "assign",
    "assume",
    "automatic",
    "begin",
    "bit",
    "break",
    "buf",
    "byte",
    "case",
    "casex",
    "casez",
    "const",
    "continue",
    "cover",
    "default",
    "edge",
    "else",
    "end",
    "endcase",
    "endfunction",
    "endgenerate",
    "endmodule",
    "endpackage",
    "enum",
    "for",
    "function",
    "generate",
    "genvar",
    "if",
    "iff",
    "import",
    "inout",
    "input",
    "inside",
    "int",
    "integer",
    "localparam",
    "logic",
    "longint",
    "module",
    "nand",
    "negedge",
    "nor",
    "not",
    "or",
    "output",
    "package",
    "packed",
    "parameter",
    "posedge",
    "priority",
    "property",
    "pure",
    "ref",
    "reg",
    "restrict",
    "return",
    "sequence",
    "shortint",
    "signed",
    "specparam",
    "static",
    "struct",
    "tagged",
    "tri",
    "type",
    "typedef",
    "union",
    "unique",
    "unique0",
    "unsigned",
    "uwire",
    "var",
    "vectored",
    "scalared",
    "void",
    "wire",
    "with",
    "within",
    "xnor",
    "xor",
    "macromodule",
    "this",
];
