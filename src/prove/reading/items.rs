//! Modules and packages: what they declare, assign and instantiate.

use std::collections::{BTreeMap, BTreeSet};

use super::blocks::always;
use super::functions::{Function, function};
use super::names::{declared, enumerators, without_values};
use super::reader::{Reader, split};
use super::statements::{is_declaration, plain, targets};
use super::tokens::{Kind, Token};
use super::words::is_name;
use super::{Objection, object};

/// Gates that are expressions.
const GATES: [&str; 8] = ["and", "nand", "or", "nor", "xor", "xnor", "buf", "not"];

/// Objects to the first item that tools read differently, or that is not understood.
pub fn check(tokens: &[Token]) -> Result<(), Objection> {
    let mut reader = Reader::new(tokens);
    while !reader.is_at_end() {
        if reader.is_one_of(&["module", "macromodule", "package"]) {
            module(&mut reader)?;
        } else if !reader.take(";") {
            let what = "a declaration outside of modules and packages, which Yosys takes for those of the same name in them, in \
                        other files too; allowed: modules and packages";
            return object(reader.line(), what);
        }
    }
    Ok(())
}

/// A module or a package.
#[derive(Default)]
pub struct Module<'t> {
    /// Whether it has no variables.
    is_package: bool,
    /// Parameters, types and values of enumerations.
    constants: BTreeSet<&'t str>,
    variables: BTreeSet<&'t str>,
    functions: Vec<Function<'t>>,
    /// Procedures behind `@*`: the line and the names that each reads.
    starred: Vec<(usize, Vec<&'t str>)>,
    /// What is declared around this place, and on which line.
    pub scopes: Vec<BTreeMap<&'t str, usize>>,
}

fn module(reader: &mut Reader) -> Result<(), Objection> {
    let is_package = reader.next()?.is("package");
    let mut module = Module { is_package, scopes: vec![BTreeMap::new()], ..Module::default() };
    if reader.is_one_of(&["automatic", "static"]) {
        reader.next()?;
    }
    reader.name()?;
    while reader.is("import") {
        module.item(reader)?;
    }
    if reader.take("#") {
        module.constants(reader.group()?)?;
    }
    if reader.is("(") {
        module.ports(reader.group()?)?;
    }
    reader.expect(";")?;
    let end = if is_package { "endpackage" } else { "endmodule" };
    while !reader.take(end) {
        module.item(reader)?;
    }
    reader.label()?;
    module.finish()
}

impl<'t> Module<'t> {
    fn finish(self) -> Result<(), Objection> {
        let constants: BTreeSet<&str> = self.constants.difference(&self.variables).copied().collect();
        if let Some((line, _)) =
            self.starred.iter().find(|(_, reads)| reads.iter().all(|name| constants.contains(name)))
        {
            let what = "`@*` before what reads no signal: no simulator ever runs it; allowed: assign, always_comb";
            return object(*line, what);
        }
        self.functions.iter().try_for_each(|function| function.check(&constants))
    }

    /// Notes a name, which is declared once in its scope.
    fn declare(&mut self, name: &'t Token) -> Result<(), Objection> {
        let scope = self.scopes.last_mut().and_then(|scope| scope.insert(&name.text, name.line));
        match scope {
            Some(line) => object(
                name.line,
                format!(
                    "`{}` is declared twice, first on line {line}: some tools take both as one; allowed: once",
                    name.text
                ),
            ),
            None => Ok(()),
        }
    }

    fn constants(&mut self, tokens: &'t [Token]) -> Result<(), Objection> {
        for declared in declared(tokens) {
            self.constants.insert(&declared.name.text);
            self.declare(declared.name)?;
        }
        Ok(())
    }

    fn ports(&mut self, tokens: &'t [Token]) -> Result<(), Objection> {
        let ports = declared(tokens);
        without_values(&ports, "the port")?;
        let has_directions = tokens.iter().any(|token| token.is_one_of(&["input", "output", "inout"]));
        for port in ports.iter().filter(|_| has_directions) {
            self.variables.insert(&port.name.text);
            self.declare(port.name)?;
        }
        Ok(())
    }

    /// Declares variables or nets.
    fn variables(&mut self, tokens: &'t [Token], may_have_values: bool) -> Result<(), Objection> {
        let variables = declared(tokens);
        if !may_have_values {
            without_values(&variables, "the variable")?;
        }
        if let Some(first) = variables.first().filter(|_| self.is_package) {
            return object(first.name.line, "a variable outside of modules; allowed: parameters, types and functions");
        }
        for variable in variables {
            self.variables.insert(&variable.name.text);
            self.declare(variable.name)?;
        }
        self.values(tokens)
    }

    /// The values of an enumeration.
    fn values(&mut self, tokens: &'t [Token]) -> Result<(), Objection> {
        for value in enumerators(tokens) {
            self.constants.insert(&value.text);
            self.declare(value)?;
        }
        Ok(())
    }

    /// Takes one item.
    pub fn item(&mut self, reader: &mut Reader<'t>) -> Result<(), Objection> {
        let Some(first) = reader.ahead(0) else { return reader.not_understood("endmodule") };
        match first.text.as_str() {
            ";" | "generate" | "endgenerate" => reader.next().map(drop),
            "parameter" | "localparam" | "genvar" => self.constants(reader.line_of_text()?),
            "typedef" => {
                let tokens = reader.line_of_text()?;
                self.constants(tokens)?;
                self.values(tokens)
            }
            "import" => match reader.line_of_text()?.iter().find(|token| token.kind == Kind::Text) {
                Some(text) => object(text.line, "a function in another language; allowed: SystemVerilog"),
                None => Ok(()),
            },
            "wire" | "tri" | "uwire" => self.variables(reader.line_of_text()?, true),
            "input" | "output" | "inout" => without_values(&declared(reader.line_of_text()?), "the port"),
            "function" => {
                let function = function(reader)?;
                self.functions.push(function);
                Ok(())
            }
            "assign" => assign(reader),
            "always" | "always_comb" | "always_ff" | "always_latch" => {
                self.starred.extend(always(reader)?);
                Ok(())
            }
            "begin" | "if" | "for" | "case" => {
                let labels = self.generate(reader)?;
                labels.into_values().try_for_each(|label| self.declare(label))
            }
            "assert" | "assume" | "cover" | "restrict" | "timeunit" | "timeprecision" => {
                reader.line_of_text().map(drop)
            }
            _ if first.kind == Kind::System => reader.line_of_text().map(drop),
            _ if first.is_one_of(&GATES) => reader.line_of_text().map(drop),
            _ if is_instance(reader) => self.instances(reader),
            _ if is_declaration(reader) => self.variables(reader.line_of_text()?, false),
            // Behind the name of a type may stand a range.
            _ if is_name(first)
                && [1, 3].iter().any(|&places| reader.ahead(places).is_some_and(|next| next.is("["))) =>
            {
                self.variables(reader.line_of_text()?, false)
            }
            _ => reader.not_understood("declarations, assign, always_comb, always_ff, instances, generate, functions"),
        }
    }

    fn instances(&mut self, reader: &mut Reader<'t>) -> Result<(), Objection> {
        let line = reader.next()?.line;
        if reader.take("#") {
            reader.group()?;
        }
        for instance in split(reader.line_of_text()?, &[","]) {
            let (name, ports) = (instance.first(), instance.last());
            match name.filter(|name| is_name(name)).zip(ports.filter(|last| last.is(")"))) {
                Some((name, _)) if split(instance, &["="]).len() == 1 => self.declare(name)?,
                _ => return object(line, "an instance; allowed: `module #(...) name (...);`"),
            }
        }
        Ok(())
    }
}

/// Takes continuous assignments.
fn assign(reader: &mut Reader) -> Result<(), Objection> {
    let line = reader.next()?.line;
    for part in split(reader.line_of_text()?, &[","]) {
        match split(part, &["="])[..] {
            [left, right] => {
                targets(left)?;
                plain(right)?;
            }
            _ => return object(line, "`assign`; allowed: `assign name = expression;`"),
        }
    }
    Ok(())
}

/// Whether an instance of a module starts here: a name, parameters, a name and a parenthesis.
fn is_instance(reader: &Reader) -> bool {
    let is = |places: usize, text: &str| reader.ahead(places).is_some_and(|token| token.is(text));
    let named = reader.ahead(1).is_some_and(is_name) && (is(2, "(") || is(2, "["));
    // An array of instances has its parenthesis behind the brackets.
    let is_array = || {
        let mut rest = (2..).map_while(|places| reader.ahead(places)).take_while(|token| !token.is(";"));
        rest.any(|token| token.is("("))
    };
    reader.is_name() && (is(1, "#") || named && (is(2, "(") || is_array()))
}
