//! One vector of numbers on every instruction of some devices, through several engines.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::Path;

use serde::Serialize;

use super::output::{note, say};
use super::{Failure, Verdict, engines, input, output};
use crate::cli::table;
use tensorsmith::describe::device::Device;
use tensorsmith::describe::format::Format;
use tensorsmith::describe::instruction::Instruction;
use tensorsmith::describe::unit::Scales;
use tensorsmith::engine::{Batch, Engine, Kind, Opened, Vector};
use tensorsmith::recording::parse_exactly;
use tensorsmith::report::{Answer, Answers, Number};

/// The vector that tells the generations apart: its exact sum is -0.875 (Xie et al., arXiv 2511.10909, table 8).
const TELLING: (&str, &str, &str) = ("-8192,-0.5,-0.25,-0.125", "1024,1,1,1", "8388608");

/// A vector as people write it, before any format.
#[derive(Serialize)]
pub(super) struct Numbers {
    a: Vec<String>,
    b: Vec<String>,
    c: String,
}

impl Numbers {
    /// The given numbers, missing ones zero; without any the telling vector.
    pub fn new(a: Option<&[String]>, b: Option<&[String]>, c: Option<&str>) -> Result<Numbers, Failure> {
        let listed = |text: &str| text.split(',').map(str::to_owned).collect();
        let numbers = match (a, b, c) {
            (None, None, None) => Numbers { a: listed(TELLING.0), b: listed(TELLING.1), c: TELLING.2.to_owned() },
            _ => {
                let trimmed = |texts: &[String]| texts.iter().map(|text| text.trim().to_owned()).collect();
                let all = |texts: Option<&[String]>| texts.map_or(Vec::new(), trimmed);
                Numbers { a: all(a), b: all(b), c: c.unwrap_or("0").trim().to_owned() }
            }
        };
        // Every format of the catalogue lies within binary64: what that cannot hold is a slip of the pen.
        let wide = Format::binary64();
        for (operand, text) in numbers.all() {
            parse_exactly(&wide, text).map_err(|error| Failure(format!("--{operand}: {error}")))?;
        }
        Ok(numbers)
    }

    /// Every number with the operand that it belongs to.
    fn all(&self) -> impl Iterator<Item = (&'static str, &String)> {
        let a = self.a.iter().map(|text| ("a", text));
        a.chain(self.b.iter().map(|text| ("b", text))).chain([("c", &self.c)])
    }

    /// The vectors in the instruction's formats that make up this one, each as long as K, or why there are none. More than
    /// one where a program would accumulate: d of one is then c of the next.
    fn vectors(&self, instruction: &Instruction) -> Result<Vec<Vector>, String> {
        let k = instruction.shape.k as usize;
        let count = self.a.len().max(self.b.len());
        if count > k && instruction.c != *instruction.d() {
            return Err(format!("{count} products, K is {k}"));
        }
        let whole = count.max(1).next_multiple_of(k);
        let exactly = |operand: &str, format: &Format, text: &String| {
            parse_exactly(format, text).map_err(|_| format!("{operand} = {text} in {}", format.name))
        };
        let factors = |operand: &str, format: &Format, texts: &[String]| {
            let mut bits: Vec<u64> =
                texts.iter().map(|text| exactly(operand, format, text)).collect::<Result<_, _>>()?;
            bits.resize(whole, format.zero(false));
            Ok::<_, String>(bits)
        };
        let interface = instruction.interface();
        let ones = |format: fn(&Scales) -> &Format| {
            let one = |scales| exactly("scale", format(scales), &"1".to_owned());
            let one = interface.scales.as_ref().map(one).transpose()?.unwrap_or_default();
            Ok::<_, String>(vec![one; interface.scale_count() as usize])
        };
        let (a, b) = (factors("a", &instruction.a, &self.a)?, factors("b", &instruction.b, &self.b)?);
        let c = exactly("c", &instruction.c, &self.c).map_err(|error| match instruction.c.is_absent() {
            true => format!("c = {}, and there is no addend", self.c),
            false => error,
        })?;
        let (scale_a, scale_b) = (ones(|scales| &scales.a)?, ones(|scales| &scales.b)?);
        let vector = |(a, b): (&[u64], &[u64])| Vector {
            a: a.to_vec(),
            b: b.to_vec(),
            c,
            scale_a: scale_a.clone(),
            scale_b: scale_b.clone(),
        };
        Ok(a.chunks(k).zip(b.chunks(k)).map(vector).collect())
    }
}

#[derive(Serialize)]
struct Report<'a> {
    vector: &'a Numbers,
    devices: Vec<DeviceAnswers>,
    agreed: bool,
}

#[derive(Serialize)]
struct DeviceAnswers {
    device: String,
    instructions: Vec<Answers>,
}

/// Evaluates and prints; answers that differ between engines are a difference.
pub(super) fn run(
    devices: &[Device],
    numbers: &Numbers,
    kinds: &[Kind],
    json: Option<&Path>,
) -> Result<Verdict, Failure> {
    input::check_engines(kinds)?;
    let mut report = Report { vector: numbers, devices: Vec::new(), agreed: true };
    // Devices share instructions: each is asked once.
    let mut known: BTreeMap<&str, Answers> = BTreeMap::new();
    for device in devices {
        let mut instructions = Vec::new();
        for instruction in &device.instructions {
            let answers = match known.entry(&instruction.name) {
                Entry::Occupied(place) => place.into_mut(),
                Entry::Vacant(place) => place.insert(ask(instruction, numbers, kinds)?),
            };
            report.agreed &= !answers.differ();
            instructions.push(answers.clone());
        }
        report.devices.push(DeviceAnswers { device: device.name.clone(), instructions });
    }
    if known.values().all(|answers| answers.answers.iter().all(Option::is_none)) {
        return Err(Failure("no engine answered: none is there, or no instruction holds the vector".to_owned()));
    }
    let all = || report.devices.iter().flat_map(|device| &device.instructions).flat_map(|answers| &answers.answers);
    let skipped = |name: &str| {
        let place = kinds.iter().position(|kind| kind.name() == name);
        place.is_some_and(|place| all().skip(place).step_by(kinds.len()).all(Option::is_none))
    };
    if output::json_beside_text(json, &report)? {
        print(&report, kinds);
    }
    engines::check_ran(skipped)?;
    Ok(if report.agreed { Verdict::Agreed } else { Verdict::Differed })
}

fn ask(instruction: &Instruction, numbers: &Numbers, kinds: &[Kind]) -> Result<Answers, Failure> {
    let mut answers = Answers { instruction: instruction.name.clone(), not_representable: None, answers: Vec::new() };
    let vectors = match numbers.vectors(instruction) {
        Ok(vectors) => vectors,
        Err(reason) => {
            answers.not_representable = Some(reason);
            return Ok(answers);
        }
    };
    for &kind in kinds {
        answers.answers.push(match kind.open_instruction(instruction)? {
            Opened::Ready(mut engine) => Some(answer(instruction, engine.as_mut(), &vectors)?),
            Opened::Absent(reason) => {
                let reason = engines::skipped(kind, &reason)?;
                note!("{}: {}: skipped, because {reason}", instruction.name, kind.name());
                None
            }
        });
    }
    Ok(answers)
}

fn answer(instruction: &Instruction, engine: &mut dyn Engine, vectors: &[Vector]) -> Result<Answer, Failure> {
    let mut results = vec![vectors[0].c];
    for vector in vectors {
        engine.run(&Batch::of(&Vector { c: results[0], ..vector.clone() }), &mut results)?;
    }
    Ok(Answer::new(engine.name(), &Number { format: instruction.d(), bits: results[0] & instruction.d().mask() }))
}

fn print(report: &Report, kinds: &[Kind]) {
    let numbers = report.vector;
    say!("a = {}\nb = {}\nc = {}\n", numbers.a.join(" "), numbers.b.join(" "), numbers.c);
    let mut headings = vec!["device", "instruction"];
    headings.extend(kinds.iter().map(|kind| kind.name()));
    headings.push("");
    let (mut rows, mut missing, mut left_out) = (Vec::new(), vec![0; kinds.len()], 0);
    for device in &report.devices {
        for answers in &device.instructions {
            let mut row = vec![device.device.clone(), answers.instruction.clone()];
            if let Some(reason) = &answers.not_representable {
                row.resize(2 + kinds.len(), String::new());
                row.push(format!("not representable: {reason}"));
                left_out += 1;
            } else {
                for (place, answer) in answers.answers.iter().enumerate() {
                    missing[place] += usize::from(answer.is_none());
                    row.push(answer.as_ref().map_or("skipped".to_owned(), |answer| answer.decimal.clone()));
                }
                row.push(if answers.differ() { "engines disagree".to_owned() } else { String::new() });
            }
            rows.push(row);
        }
    }
    let asked = rows.len() - left_out;
    let numbers: Vec<usize> = (2..2 + kinds.len()).collect();
    say!("{}", table::table(&headings, &numbers, rows));
    for (kind, missing) in kinds.iter().zip(missing) {
        say!("{}: answered for {} instructions of devices, skipped {missing}", kind.name(), asked - missing);
    }
    say!("not representable: {left_out}");
}
