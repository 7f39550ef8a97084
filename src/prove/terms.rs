//! A unit as a graph of terms: the datapath text on variables instead of numbers, with the plan's signals.

use dashu_int::IBig;

use crate::compute::Inputs;
use crate::compute::record::{Signal, record};
use crate::compute::word::term::{Graph, Interval, Term};
use crate::describe::interface::Interface;
use crate::describe::plan::Plan;
use crate::describe::unit::Unit;
use crate::engine::Vector;

/// The operands of a unit, a variable each: `a[0]`, `b[0]`, ..., `c`, `scale_a[0]`, `scale_b[0]`, ...
#[derive(Debug, Clone)]
pub struct InputTerms {
    pub a: Vec<Term>,
    pub b: Vec<Term>,
    pub c: Term,
    pub scale_a: Vec<Term>,
    pub scale_b: Vec<Term>,
}

impl InputTerms {
    /// New variables for the operands of a unit, in the graph that is being built. An addend that the unit does not have
    /// is 0.
    pub fn new(unit: &Unit) -> InputTerms {
        InputTerms::of(&unit.interface())
    }

    /// The same, for any interface.
    pub fn of(interface: &Interface) -> InputTerms {
        let list = |name: &str, count: u32, width: u32| {
            let variable = |index| Term::variable(&format!("{name}[{index}]"), Interval::unsigned(width));
            (0..count).map(variable).collect::<Vec<_>>()
        };
        let [a, b] = [&interface.formats.a, &interface.formats.b].map(|format| format.width());
        let [scale_a, scale_b] = interface.scale_widths();
        InputTerms {
            a: list("a", interface.products, a),
            b: list("b", interface.products, b),
            c: match interface.has_addend() {
                true => Term::variable("c", Interval::unsigned(interface.formats.c.width())),
                false => Term::number(IBig::ZERO),
            },
            scale_a: list("scale_a", interface.scale_count(), scale_a),
            scale_b: list("scale_b", interface.scale_count(), scale_b),
        }
    }

    /// As the datapath text takes them.
    pub fn inputs(&self) -> Inputs<'_, Term> {
        Inputs { a: &self.a, b: &self.b, c: self.c, scale_a: &self.scale_a, scale_b: &self.scale_b }
    }

    /// The numbers of a vector for the variables of a graph in which these operands are the first ones. Other variables get
    /// none.
    pub fn numbers(&self, graph: &Graph, vector: &Vector) -> Vec<IBig> {
        let mut numbers = vec![IBig::ZERO; graph.variables().len()];
        let lists = [(&self.a, &vector.a), (&self.b, &vector.b)];
        let scales = [(&self.scale_a, &vector.scale_a), (&self.scale_b, &vector.scale_b)];
        let given = lists.into_iter().chain(scales).flat_map(|(terms, values)| terms.iter().zip(values));
        for (term, value) in given.chain([(&self.c, &vector.c)]) {
            if let Some(index) = graph.variables().iter().position(|variable| variable.node == term.node()) {
                numbers[index] = IBig::from(*value);
            }
        }
        numbers
    }

    /// The vector whose encodings the operands have in `numbers`, given by node.
    pub fn vector(&self, number: impl Fn(Term) -> u64) -> Vector {
        let list = |terms: &[Term]| terms.iter().map(|term| number(*term)).collect();
        Vector {
            a: list(&self.a),
            b: list(&self.b),
            c: number(self.c),
            scale_a: list(&self.scale_a),
            scale_b: list(&self.scale_b),
        }
    }
}

/// The answer of a unit and all its named stages, as terms.
#[derive(Debug, Clone)]
pub struct UnitTerms {
    pub inputs: InputTerms,
    /// The result, with the flags above it if the unit has them.
    pub answer: Term,
    /// The signals that traces show, in their order and encodings; flags are 0 or 1.
    pub signals: Vec<(Signal, Vec<Term>)>,
    /// Of rounded operations, the stages of each by name: `step[0].sum` and so on.
    pub steps: Vec<(String, Vec<Term>)>,
}

impl UnitTerms {
    /// Runs the datapath text of a unit on new variables, in a graph of its own.
    pub fn of(unit: &Unit) -> (Graph, UnitTerms) {
        let plan = Plan::of(unit);
        Graph::build(|| UnitTerms::on(&plan, InputTerms::new(unit)))
    }

    /// Runs the datapath text on these operands, in the graph that is being built.
    pub fn on(plan: &Plan, inputs: InputTerms) -> UnitTerms {
        let (answer, mut record) = record(plan, inputs.inputs());
        let steps = record.take_steps();
        UnitTerms { inputs, answer, signals: record.shown(), steps }
    }

    /// The values of a signal.
    ///
    /// # Panics
    /// The unit has no signal of that name.
    pub fn signal(&self, name: &str) -> &[Term] {
        let found = self.signals.iter().find(|(signal, _)| signal.name == name);
        &found.unwrap_or_else(|| panic!("the unit has no signal {name}")).1
    }
}
