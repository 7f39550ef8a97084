//! The texts of `traps.txt`, and the leaf that they stand in.

/// The leaf, the line, and what stands there.
pub const LEAF: &str = "tensorsmith_round.sv";
pub const LINE: usize = 45;
pub const PLACE: &str = "    assign round_up = half && (rest || kept[0]);";

/// What a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Yosys reads it as the unit, and simulators run something else, or may.
    Trap,
    /// It is refused too.
    Other,
    /// It is proved.
    Honest,
}

/// A text in the place of the line.
pub struct Case {
    pub kind: Kind,
    pub text: String,
    /// The line of the leaf that is refused, and what is said of it.
    pub line: usize,
    pub says: &'static str,
}

/// All texts.
pub fn cases() -> Vec<Case> {
    let parts = include_str!("traps.txt").split("\n\n").filter(|part| !part.starts_with('#'));
    parts.map(case).collect()
}

fn case(part: &'static str) -> Case {
    let mut lines = part.trim_matches('\n').lines();
    let (kind, says) = match lines.next().and_then(|head| head.split_once(": ").or(Some((head, "")))) {
        Some(("trap", says)) => (Kind::Trap, says),
        Some(("other", says)) => (Kind::Other, says),
        Some(("honest", "")) => (Kind::Honest, ""),
        head => panic!("{head:?}"),
    };
    let lines: Vec<&str> = lines.collect();
    let mark = lines.iter().position(|line| line.starts_with('>'));
    assert_eq!(mark.is_some(), kind != Kind::Honest, "{part}");
    let text: Vec<String> =
        lines.iter().map(|line| format!("    {}", &line[2..]).replace("{CR}", "\r").replace("{FF}", "\u{c}")).collect();
    Case { kind, text: text.join("\n"), line: LINE + mark.unwrap_or_default(), says }
}
