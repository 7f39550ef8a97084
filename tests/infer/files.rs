//! What is found as files: every kind of hypothesis reads as it is written, and what does not is no file.

use tensorsmith::describe::catalogue;
use tensorsmith::describe::instruction::Instruction;
use tensorsmith::describe::subject::Subject;
use tensorsmith::describe::unit::{ProductOrder, Scheme};
use tensorsmith::infer::{Composition, Equivalent, Finding, Interface, ParameterEvidence, Setting, Space};

use super::shared::{long_tier, sampled};

/// A finding with something to say of every parameter.
fn finding(space: &Space, hypothesis: &Instruction) -> Finding {
    let parameters = space.parameters(hypothesis);
    let row = |values: &Vec<Setting>| ParameterEvidence {
        field: values[0].field(),
        value: values[0].text(),
        exclusions: Vec::new(),
        indistinguishable: Vec::new(),
    };
    Finding {
        hypothesis: hypothesis.clone(),
        parameters: parameters.iter().filter(|values| !values.is_empty()).map(row).collect(),
        refuted: Vec::new(),
        equivalent: vec![Equivalent { hypothesis: hypothesis.clone(), parameters: Vec::new(), decision: None }],
        recorded: false,
        asked: 7,
        confirmed: 0,
    }
}

/// First hypotheses of every scheme and composition, for the interface of every unit and instruction, in the ordinary tier of one
/// in eight.
#[test]
fn hypotheses_of_every_kind_read_as_they_are_written() {
    let interfaces = catalogue::units().into_iter().map(|unit| unit.interface());
    let interfaces = interfaces.chain(catalogue::instructions().into_iter().map(|instruction| instruction.interface()));
    let interfaces: Vec<Interface> = interfaces.collect();
    let (mut units, mut instructions) = (0, 0);
    for interface in sampled(&interfaces, 8) {
        let space = Space::new(interface.clone(), std::iter::empty());
        for scheme in Scheme::ALL {
            let compositions = Composition::all(interface, scheme);
            for hypothesis in compositions.iter().filter_map(|composition| space.start(scheme, composition)) {
                let written = finding(&space, &hypothesis).written("found", "a test", "some.toml");
                let written = written.unwrap_or_else(|error| panic!("{}, {scheme:?}: {error}", interface.name));
                match &written.subject {
                    Subject::Unit(_) => units += 1,
                    Subject::Instruction(instruction) => {
                        instructions += 1;
                        let added = usize::from(instruction.final_addition.is_some());
                        assert_eq!(written.files.len(), 2 + added, "{}", interface.name);
                    }
                }
                assert_eq!(written.files[0].name, "some.toml");
            }
        }
    }
    let least = if long_tier() { 100 } else { 25 };
    assert!(units > least && instructions > least, "{units} units, {instructions} instructions");
}

#[test]
fn what_does_not_read_the_same_is_no_file() {
    let unit = catalogue::unit("tiny-truncating").expect("a unit");
    let space = Space::new(unit.interface(), std::iter::empty());
    let whole = Composition::whole(&space.interface);
    let hypothesis = space.start(Scheme::Fused, &whole).expect("a hypothesis");
    let refused = |change: fn(&mut Instruction), name| {
        let mut wrong = hypothesis.clone();
        change(&mut wrong);
        finding(&space, &wrong).written(name, "a test", "some.toml").expect_err("no file").to_string()
    };
    let error = refused(|_| {}, "No Name");
    assert!(error.contains("some.toml: field `name`"), "{error}");
    // A field that files of this scheme do not have.
    let error = refused(|wrong| wrong.unit.order = ProductOrder::Descending, "found");
    assert_eq!(error, "some.toml: what was found does not read as it is written");
}
