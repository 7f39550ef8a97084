//! Faults planted in SystemVerilog text: every operator and constant of the code, one at a time.

/// A planted fault: the line, and the text with it.
#[derive(Debug, Clone)]
pub struct Mutant {
    pub file: String,
    pub line: usize,
    pub what: String,
    pub text: String,
}

/// Replacements of operators, longer ones first. Nothing else is to be read of what they replace.
const OPERATORS: [(&str, &str); 23] = [
    ("<<", ">>"),
    (">>", "<<"),
    ("==", "!="),
    ("!=", "=="),
    ("<=", "<"),
    (">=", ">"),
    ("&&", "||"),
    ("||", "&&"),
    ("+:", ""),
    ("-:", ""),
    ("++", ""),
    ("::", ""),
    ("+", "-"),
    ("-", "+"),
    ("*", "+"),
    ("&", "|"),
    ("|", "&"),
    ("^", "&"),
    ("<", "<="),
    (">", ">="),
    ("~", ""),
    ("!", ""),
    ("?", " == '0 ?"),
];

/// Every mutant of a file: of the code below the ports.
pub fn mutants(file: &str, text: &str) -> Vec<Mutant> {
    let mut all = Vec::new();
    let mut start = 0;
    let mut body = false;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let code = line.split("//").next().unwrap_or_default();
        if body {
            for (place, length, with) in replacements(code) {
                let at = start + place;
                let what = format!("{:?} becomes {with:?} in {:?}", &text[at..at + length], code.trim());
                let text = format!("{}{with}{}", &text[..at], &text[at + length..]);
                all.push(Mutant { file: file.to_owned(), line: number + 1, what, text });
            }
        }
        body |= code.starts_with(");");
        start += line.len();
    }
    all
}

/// Place, length and replacement of what can be changed in a line.
fn replacements(code: &str) -> Vec<(usize, usize, String)> {
    let mut all = Vec::new();
    let mut place = 0;
    while place < code.len() {
        let rest = &code[place..];
        if let Some((operator, with)) = OPERATORS.iter().find(|(operator, _)| rest.starts_with(operator)) {
            // Parts of slices and counters are no operators of the datapath.
            if !with.is_empty() || ["~", "!"].contains(operator) {
                all.push((place, operator.len(), (*with).to_owned()));
            }
            place += operator.len();
            continue;
        }
        if let Some((length, with)) = constant(code, place) {
            all.push((place, length, with));
            place += length;
            continue;
        }
        place += rest.chars().next().map_or(1, char::len_utf8);
    }
    all
}

/// A constant at a place and its neighbour: '0, 1'b1, 5.
fn constant(code: &str, place: usize) -> Option<(usize, String)> {
    let rest = &code[place..];
    let swaps = [("'0", "'1"), ("'1", "'0"), ("1'b0", "1'b1"), ("1'b1", "1'b0")];
    if let Some((from, to)) = swaps.iter().find(|(from, _)| rest.starts_with(from)) {
        return Some((from.len(), (*to).to_owned()));
    }
    let before = code[..place].chars().next_back();
    if before.is_some_and(|letter| letter.is_alphanumeric() || letter == '_' || letter == '\'') {
        return None;
    }
    let length = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
    let after = rest[length..].chars().next();
    if length == 0 || after.is_some_and(|letter| letter.is_alphanumeric() || letter == '_' || letter == '\'') {
        return None;
    }
    Some((length, (rest[..length].parse::<u64>().ok()? + 1).to_string()))
}
