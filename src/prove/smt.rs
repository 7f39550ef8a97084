//! Graphs as SMT-LIB 2 text, logic QF_BV: a function for each node, no `let`, widths from ranges.
//!
//! A number whose range has negative ones is in two's complement, any other without a sign. Only the low bits that
//! something needs are computed: of a sum, of a product and of a shift to the left the low bits follow from the operands'
//! low bits. What a claim says narrows the width, so that the text means the graph only where all claims hold.

use std::fmt::Write;

use dashu_int::IBig;

use crate::compute::word::term::{Graph, Node, NodeId};

/// A question: is there a value of every variable for which all these flags hold?
#[derive(Debug, Clone)]
pub struct Query<'a> {
    pub graph: &'a Graph,
    pub asserted: Vec<NodeId>,
}

impl Query<'_> {
    /// The whole text, from the logic to the request of the variables' values.
    pub fn text(&self) -> String {
        let mut printer = Printer { graph: self.graph, widths: self.widths(), text: String::new() };
        printer.text.push_str("(set-logic QF_BV)\n(set-option :produce-models true)\n");
        let names = printer.variables();
        for (id, node) in self.graph.nodes() {
            if printer.widths[id.index()] > 0 {
                printer.define(id, node);
            }
        }
        for flag in &self.asserted {
            let line = format!("(assert {})\n", printer.name(*flag));
            printer.text.push_str(&line);
        }
        printer.text.push_str("(check-sat)\n");
        if !names.is_empty() {
            let line = format!("(get-value ({}))\n", names.join(" "));
            printer.text.push_str(&line);
        }
        printer.text
    }

    /// Whether these numbers, one for each variable, satisfy it: evaluated without bound, not as the text has it.
    pub fn is_satisfied_by(&self, numbers: &[IBig]) -> bool {
        let variables = self.graph.variables();
        numbers.len() == variables.len()
            && variables.iter().zip(numbers).all(|(variable, number)| variable.range.contains(number))
            && {
                let values = self.graph.evaluate(numbers);
                self.asserted.iter().all(|flag| values.holds(*flag))
            }
    }

    /// How many low bits of each node are needed; 0 of those that are not.
    fn widths(&self) -> Vec<u32> {
        let mut needed = vec![0; self.graph.len()];
        for flag in &self.asserted {
            needed[flag.index()] = 1;
        }
        for (id, node) in self.graph.nodes().rev() {
            if needed[id.index()] > 0 {
                need_operands(self.graph, node, needed[id.index()], &mut needed);
            }
        }
        needed
    }
}

/// Notes what the low `bits` bits of a node need of its operands.
fn need_operands(graph: &Graph, node: &Node, bits: u32, needed: &mut [u32]) {
    let mut need = |id: NodeId, bits: u32| {
        let whole = graph.range(id).width();
        let own = &mut needed[id.index()];
        *own = (*own).max(bits.min(whole));
    };
    let whole = u32::MAX;
    match *node {
        Node::Constant(_) | Node::Variable(_) | Node::Truth(_) => {}
        Node::Add(one, two) | Node::Subtract(one, two) | Node::Multiply(one, two) => {
            need(one, bits);
            need(two, bits);
        }
        Node::Negate(one) | Node::Claimed(one, _) | Node::Wrap { of: one, .. } => need(one, bits),
        // A number of which no bit is needed is still named.
        Node::ShiftLeft(one, amount) => need(one, bits.saturating_sub(amount).max(1)),
        Node::ShiftRight(one, amount) => need(one, bits.saturating_add(amount)),
        Node::ShiftLeftBy(one, amount) => {
            need(one, bits);
            need(amount, whole);
        }
        Node::Field { of, low, .. } => need(of, bits.saturating_add(low)),
        Node::Select { flag, yes, no } => {
            need(flag, 1);
            need(yes, bits);
            need(no, bits);
        }
        Node::Bit(of, index) => need(of, index + 1),
        Node::LeadingZeros { of, .. } => need(of, whole),
        Node::Not(of) => need(of, 1),
        Node::ShiftRightBy(one, two) | Node::Equals(one, two) | Node::LessThan(one, two) => {
            need(one, whole);
            need(two, whole);
        }
        Node::And(one, two) | Node::Or(one, two) | Node::Xor(one, two) => {
            need(one, 1);
            need(two, 1);
        }
    }
}

/// The low `width` bits of a number, in two's complement if it is negative.
fn literal(number: &IBig, width: u32) -> String {
    let modulus = IBig::ONE << width as usize;
    let rest = number % &modulus;
    let bits = if rest < IBig::ZERO { rest + modulus } else { rest };
    format!("(_ bv{bits} {width})")
}

struct Printer<'a> {
    graph: &'a Graph,
    widths: Vec<u32>,
    text: String,
}

impl Printer<'_> {
    /// Declares the variables that are needed, with their ranges, and returns their names.
    fn variables(&mut self) -> Vec<String> {
        let mut names = Vec::new();
        for variable in self.graph.variables() {
            if self.widths[variable.node.index()] == 0 {
                continue;
            }
            // All its bits, so that the value that comes back is the variable's.
            let (name, width) = (format!("|{}|", variable.name), variable.range.width());
            self.widths[variable.node.index()] = width;
            let (low, high) = (&variable.range.low, &variable.range.high);
            let _ = writeln!(self.text, "(declare-const {name} (_ BitVec {width}))");
            let order = if variable.range.is_signed() { "bvsle" } else { "bvule" };
            let (least, greatest) = (literal(low, width), literal(high, width));
            let _ = writeln!(self.text, "(assert ({order} {least} {name}))");
            let _ = writeln!(self.text, "(assert ({order} {name} {greatest}))");
            names.push(name);
        }
        names
    }

    fn name(&self, id: NodeId) -> String {
        match self.graph.node(id) {
            Node::Variable(index) => format!("|{}|", self.graph.variables()[*index as usize].name),
            Node::Constant(number) => literal(number, self.widths[id.index()]),
            Node::Truth(value) => value.to_string(),
            _ => format!("n{}", id.index()),
        }
    }

    /// Bits that hold a number, and whether they have a sign.
    fn shape(&self, id: NodeId) -> (u32, bool) {
        (self.widths[id.index()], self.graph.range(id).is_signed())
    }

    /// The low `width` bits of a number; those above its own are its sign or zeros.
    fn at(&self, id: NodeId, width: u32) -> String {
        if let Node::Constant(number) = self.graph.node(id) {
            return literal(number, width);
        }
        let (own, signed) = self.shape(id);
        resized(&self.name(id), own, width, signed)
    }

    fn define(&mut self, id: NodeId, node: &Node) {
        if matches!(node, Node::Variable(_) | Node::Constant(_) | Node::Truth(_)) {
            return;
        }
        let width = self.widths[id.index()];
        let body = match *node {
            Node::LeadingZeros { of, width: within } => self.leading_zeros(id, of, within, width),
            _ if node.is_flag() => self.flag(node),
            _ => self.number(node, width),
        };
        let sort = if node.is_flag() { "Bool".to_owned() } else { format!("(_ BitVec {width})") };
        let _ = writeln!(self.text, "(define-fun n{} () {sort} {body})", id.index());
    }

    fn number(&self, node: &Node, width: u32) -> String {
        let binary = |operator, one, two| format!("({operator} {} {})", self.at(one, width), self.at(two, width));
        match *node {
            Node::Add(one, two) => binary("bvadd", one, two),
            Node::Subtract(one, two) => binary("bvsub", one, two),
            Node::Multiply(one, two) => binary("bvmul", one, two),
            Node::Negate(one) => format!("(bvneg {})", self.at(one, width)),
            Node::ShiftLeft(_, amount) if amount >= width => literal(&IBig::ZERO, width),
            Node::ShiftLeft(one, amount) => {
                format!("(concat {} {})", self.at(one, width - amount), literal(&IBig::ZERO, amount))
            }
            Node::ShiftRight(one, amount) | Node::Field { of: one, low: amount, .. } => self.bits(one, amount, width),
            Node::ShiftLeftBy(one, amount) => {
                let working = width.max(self.shape(amount).0);
                let shifted = format!("(bvshl {} {})", self.at(one, working), self.at(amount, working));
                resized(&shifted, working, width, false)
            }
            Node::ShiftRightBy(one, amount) => {
                let working = self.shape(one).0.max(self.shape(amount).0);
                let shifted = format!("(bvlshr {} {})", self.at(one, working), self.at(amount, working));
                resized(&shifted, working, width, false)
            }
            Node::Select { flag, yes, no } => {
                format!("(ite {} {} {})", self.name(flag), self.at(yes, width), self.at(no, width))
            }
            Node::Wrap { of, .. } | Node::Claimed(of, _) => self.at(of, width),
            _ => unreachable!("flags, counts, variables and constants are defined elsewhere"),
        }
    }

    /// Bits `low .. low + width` of a number of 0 or more.
    fn bits(&self, of: NodeId, low: u32, width: u32) -> String {
        let own = self.shape(of).0;
        if low >= own {
            return literal(&IBig::ZERO, width);
        }
        let high = own.min(low + width);
        resized(&format!("((_ extract {} {low}) {})", high - 1, self.name(of)), high - low, width, false)
    }

    /// Counts by halves, each half a function of its own. A one just below the number makes the count of 0 its width.
    ///
    /// ```text
    ///   padded   number 1 0 0 ... 0     2^stages bits
    /// ```
    fn leading_zeros(&mut self, id: NodeId, of: NodeId, within: u32, width: u32) -> String {
        let stages = u32::BITS - within.leading_zeros();
        let total = 1 << stages;
        let one_below = literal(&(IBig::ONE << (total - within - 1) as usize), total - within);
        let mut value = format!("(concat {} {one_below})", self.at(of, within));
        let mut bits = String::new();
        for stage in (0..stages).rev() {
            let (whole, half) = (2u32 << stage, 1u32 << stage);
            let (name, empty) = (format!("n{}_{stage}", id.index()), format!("n{}_{stage}_empty", id.index()));
            let upper = format!("((_ extract {} {half}) {name})", whole - 1);
            let _ = writeln!(self.text, "(define-fun {name} () (_ BitVec {whole}) {value})");
            let zeros = literal(&IBig::ZERO, half);
            let _ = writeln!(self.text, "(define-fun {empty} () Bool (= {upper} {zeros}))");
            value = format!("(ite {empty} ((_ extract {} 0) {name}) {upper})", half - 1);
            let _ = write!(bits, " (ite {empty} #b1 #b0)");
        }
        let count = if stages == 1 { bits.trim().to_owned() } else { format!("(concat{bits})") };
        resized(&count, stages, width, false)
    }

    fn flag(&self, node: &Node) -> String {
        let flags = |operator, one, two| format!("({operator} {} {})", self.name(one), self.name(two));
        match *node {
            Node::Not(of) => format!("(not {})", self.name(of)),
            Node::And(one, two) => flags("and", one, two),
            Node::Or(one, two) => flags("or", one, two),
            Node::Xor(one, two) => flags("xor", one, two),
            Node::Bit(of, index) => format!("(= {} #b1)", self.bits(of, index, 1)),
            Node::Equals(one, two) => self.compared("=", "=", one, two),
            Node::LessThan(one, two) => self.compared("bvult", "bvslt", one, two),
            _ => unreachable!("numbers are no flags to define"),
        }
    }

    /// Compares two numbers in bits that hold both, with a sign if one has it.
    fn compared(&self, unsigned: &str, signed: &str, one: NodeId, two: NodeId) -> String {
        let shapes = [self.shape(one), self.shape(two)];
        let any_signed = shapes.iter().any(|(_, signed)| *signed);
        let bits = |(width, signed): &(u32, bool)| width + u32::from(any_signed && !signed);
        let width = shapes.iter().map(bits).max().unwrap_or(1);
        let operator = if any_signed { signed } else { unsigned };
        format!("({operator} {} {})", self.at(one, width), self.at(two, width))
    }
}

/// Bits brought to another width: cut above, or filled with the sign or zeros.
fn resized(text: &str, from: u32, to: u32, signed: bool) -> String {
    match to.cmp(&from) {
        std::cmp::Ordering::Equal => text.to_owned(),
        std::cmp::Ordering::Less => format!("((_ extract {} 0) {text})", to - 1),
        std::cmp::Ordering::Greater => {
            let extend = if signed { "sign_extend" } else { "zero_extend" };
            format!("((_ {extend} {}) {text})", to - from)
        }
    }
}
