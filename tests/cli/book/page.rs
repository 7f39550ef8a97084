//! A page of the book as what is done for it: files that it shows are written, commands are run. Runs nothing.

use crate::tidy::markdown::fences;

/// A part of a page, in order.
pub enum Part {
    File { name: String, text: String },
    Console(Console),
}

/// A block of commands with what they print.
#[derive(Default)]
pub struct Console {
    /// What the machine must have.
    pub needs: Option<String>,
    /// A folder of the project that the commands read.
    pub files: Option<String>,
    pub steps: Vec<Step>,
}

pub struct Step {
    pub line: usize,
    pub command: String,
    pub code: i32,
    pub expected: Vec<String>,
}

impl Step {
    /// Whether the page leaves out something of what is printed.
    pub fn has_ellipsis(&self) -> bool {
        self.expected.iter().any(|line| line.contains("..."))
    }
}

/// The parts of a page.
pub fn parts(text: &str) -> Result<Vec<Part>, String> {
    let mut parts = Vec::new();
    for fence in fences(text) {
        let mut words = fence.info.split(',');
        let language = words.next().unwrap_or_default();
        let options: Vec<(&str, &str)> = words.map(|word| word.split_once('=').unwrap_or((word, ""))).collect();
        let wrong = |option: &str| format!("line {}: {option} is no option of {language}", fence.line);
        if language != "console" {
            for (option, value) in options {
                match option {
                    "file" => parts.push(Part::File { name: value.to_owned(), text: fence.text.clone() }),
                    "ignore" => {}
                    _ => return Err(wrong(option)),
                }
            }
            continue;
        }
        let mut console = Console::default();
        let mut code = 0;
        for (option, value) in options {
            match option {
                "needs" => console.needs = Some(value.to_owned()),
                "files" => console.files = Some(value.to_owned()),
                "exit" => code = value.parse().map_err(|_| wrong(option))?,
                _ => return Err(wrong(option)),
            }
        }
        for (index, line) in fence.text.lines().enumerate() {
            match (line.strip_prefix("$ "), console.steps.last_mut()) {
                (Some(command), _) => console.steps.push(Step {
                    line: fence.line + 1 + index,
                    command: command.to_owned(),
                    code: 0,
                    expected: Vec::new(),
                }),
                (None, Some(step)) => step.expected.push(line.to_owned()),
                (None, None) => return Err(format!("line {}: a block of commands begins with $", fence.line)),
            }
        }
        console.steps.last_mut().ok_or_else(|| format!("line {}: no command", fence.line))?.code = code;
        parts.push(Part::Console(console));
    }
    Ok(parts)
}
