//! Constants and branches on them that Yosys evaluates otherwise than simulators do.

use super::tokens::{Kind, Token};
use super::words::is_name;
use super::{Objection, object};

/// Where a token stands.
#[derive(Default)]
struct Place {
    in_function: bool,
    /// In the declaration of a parameter, or in parameters of a module or an instance: how many parentheses are open there.
    in_parameters: Option<usize>,
    /// Whether the statement shifts something.
    shifts: bool,
}

/// Objects to the first constant or branch that tools read differently.
pub fn check(tokens: &[Token]) -> Result<(), Objection> {
    let mut place = Place::default();
    for (index, token) in tokens.iter().enumerate() {
        let before = index.checked_sub(1).map(|index| &tokens[index]);
        place.pass(tokens, index);
        match token.text.as_str() {
            "casex" if token.kind == Kind::Word => {
                return object(token.line, "`casex`: Yosys takes other arms for unknown bits; allowed: case, casez");
            }
            "casez" if place.in_function => {
                let what = "`casez` in a function: of constants Yosys takes another arm; allowed: case, if";
                return object(token.line, what);
            }
            "signed" | "unsigned" if is_bare_parameter(tokens, index) => {
                let what = "a parameter with a sign and no range, which Yosys takes without its sign; allowed: a type or a range";
                return object(token.line, what);
            }
            "struct" | "union" if token.kind == Kind::Word => members(&tokens[index..])?,
            text if token.kind == Kind::Number => number(text, token.line, before, &place)?,
            _ => {}
        }
    }
    Ok(())
}

impl Place {
    fn pass(&mut self, tokens: &[Token], index: usize) {
        let token = &tokens[index];
        match token.text.as_str() {
            _ if !matches!(token.kind, Kind::Word | Kind::Symbol) => {}
            "function" => self.in_function = true,
            "endfunction" => self.in_function = false,
            "parameter" | "localparam" | "#" => self.in_parameters = self.in_parameters.or(Some(0)),
            "(" => self.in_parameters = self.in_parameters.map(|open| open + 1),
            ")" => self.in_parameters = self.in_parameters.filter(|&open| open > 1).map(|open| open - 1),
            _ => {}
        }
        let ends = |token: &Token| token.is_one_of(&[";", "begin", "end", "else"]);
        if ends(token) {
            self.in_parameters = None;
        }
        if index == 0 || ends(&tokens[index - 1]) {
            let statement = tokens[index..].iter().take_while(|token| !ends(token));
            self.shifts = statement.into_iter().any(|token| token.is_one_of(&["<<", ">>", "<<<", ">>>"]));
        }
    }
}

/// Objects to `'1` where Yosys makes it one bit, and to signed numbers without a width.
fn number(text: &str, line: usize, before: Option<&Token>, place: &Place) -> Result<(), Objection> {
    let Some(letters) = text.strip_prefix('\'') else { return Ok(()) };
    let has_width = before.is_some_and(|before| before.kind == Kind::Number && !before.text.contains('\''));
    if letters.starts_with(['s', 'S']) && !has_width {
        return object(line, format!("{text}, whose sign Yosys loses; allowed: a width before it"));
    }
    let is_argument = before.is_some_and(|before| before.is_one_of(&["(", ","]));
    let elsewhere = place.in_function || place.in_parameters.is_some() || place.shifts || is_argument;
    if letters.len() == 1 && letters != "0" && elsewhere {
        let what = format!(
            "{text} in a parameter, a function, a shift or an argument, where Yosys makes it one bit; allowed: a number with a \
             width, a replication"
        );
        return object(line, what);
    }
    Ok(())
}

/// Whether a sign stands behind `parameter` and no range behind it.
fn is_bare_parameter(tokens: &[Token], index: usize) -> bool {
    let behind = index.checked_sub(1).is_some_and(|before| tokens[before].is_one_of(&["parameter", "localparam"]));
    behind && tokens.get(index + 1).is_some_and(is_name)
}

/// Objects to members of a structure whose range does not end at 0, or that have several.
fn members(tokens: &[Token]) -> Result<(), Objection> {
    let Some(open) = tokens.iter().position(|token| token.is("{")) else { return Ok(()) };
    let mut depth = 0usize;
    for (index, token) in tokens.iter().enumerate().skip(open) {
        depth = match token.text.as_str() {
            "{" => depth + 1,
            "}" => depth - 1,
            _ => depth,
        };
        if depth == 0 {
            break;
        }
        let is_several = token.is("[") && tokens[index - 1].is("]");
        let ends_elsewhere = token.is("]") && !(tokens[index - 1].text == "0" && tokens[index - 2].is(":"));
        if is_several || ends_elsewhere {
            let what = "a member whose range does not end at 0, or that has several, of which Yosys takes other bits; allowed: \
                        one range [high:0] a member";
            return object(token.line, what);
        }
    }
    Ok(())
}
