//! The text layout of the public repository MATLAB-tensor-core, file by file; `recording::public` says how it looks.
//!
//! It holds values, not encodings, and no header. What would not come back as it is does not go out.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use super::elements::FIELDS;
use super::lines::Lines;
use super::{ExchangeError, Row, Told};
use crate::describe::format::Format;
use crate::describe::instruction::RecordedAddend;
use crate::describe::interface::Interface;
use crate::describe::subject::Subject;
use crate::recording::header::Header;
use crate::recording::public::{exactly, recorded_addend, recorded_result, word};
use crate::recording::recorded::Recorded;

/// Where the files of a subject and a device stand, and what they mean.
struct Place {
    interface: Interface,
    /// Of a, b, c and d.
    paths: [PathBuf; 4],
    addend: RecordedAddend,
}

impl Place {
    /// # Errors
    /// The layout cannot say the subject's values, or no file can have the device's name.
    fn of(root: &Path, recorded: &Recorded, device: &str) -> Result<Place, String> {
        let interface = recorded.interface();
        check_subject(&interface)?;
        let plain = |letter: char| letter.is_ascii_alphanumeric() || "-.".contains(letter);
        if device.is_empty() || device.starts_with('.') || !device.chars().all(plain) {
            return Err(format!("device {device:?}; allowed: a name of letters, digits, - and ."));
        }
        let formats = &interface.formats;
        let (operands, result, addend) = match recorded.subject() {
            Some(Subject::Instruction(instruction)) => instruction
                .recordings
                .iter()
                .find(|recordings| recordings.devices.iter().any(|known| known == device))
                .map(|found| (found.operands.clone(), found.result.clone(), found.addend)),
            _ => None,
        }
        .unwrap_or_else(|| {
            let (a, b) = (folder_name(&formats.a), folder_name(&formats.b));
            let operands = if a == b { a } else { format!("{a}-{b}") };
            (operands, folder_name(&formats.d), RecordedAddend::File)
        });
        let folder = root.join(device).join(&operands);
        let path = |operand: &str, format: &str| folder.join(format!("{operand}_{device}_{format}.txt"));
        let paths = [path("a", &operands), path("b", &operands), path("c", "fp32"), path("d", &result)];
        Ok(Place { interface, paths, addend })
    }

    /// The words of a row: of all operands a, of b, of c, of d; or why they would not come back.
    fn words(&self, row: &Row) -> Result<[Vec<u32>; 4], String> {
        let formats = &self.interface.formats;
        let each = |operand: usize, format: &Format| -> Result<Vec<u32>, String> {
            row[operand].iter().map(|&bits| word_of(FIELDS[operand], format, bits)).collect()
        };
        let c = match self.addend {
            RecordedAddend::Zero if row[4].iter().any(|&c| c != formats.c.zero(false)) => {
                return Err(
                    "field `c` is not zero; allowed: zero, or another device, because the recordings of this one \
                            are read with c = 0"
                        .to_owned(),
                );
            }
            _ => each(4, &formats.c)?,
        };
        // The result's word stays whole where it has 32 bits.
        let d = match formats.d.width() {
            32 => row[5].iter().map(|&d| d as u32).collect(),
            _ => each(5, &formats.d)?,
        };
        // Every row has an addend, also of a unit that has none.
        Ok([each(0, &formats.a)?, each(1, &formats.b)?, if c.is_empty() { vec![0] } else { c }, d])
    }
}

/// Whether values of the subject are values of binary32, and vectors have nothing that the layout has no file for.
fn check_subject(interface: &Interface) -> Result<(), String> {
    let formats = &interface.formats;
    let all = [&formats.a, &formats.b, &formats.c, &formats.d];
    let unheld = all.into_iter().find(|format| !format.is_absent() && !Format::binary32().holds(format));
    let named = &interface.name;
    match unheld {
        Some(format) => Err(format!(
            "field `subject` is {named:?} with {} numbers; allowed: formats whose numbers binary32 holds",
            format.name
        )),
        None if interface.scales.is_some() => {
            Err(format!("field `subject` is {named:?} with scales; allowed: units without scales"))
        }
        None if interface.flags => {
            Err(format!("field `subject` is {named:?} with exception flags; allowed: units without flags"))
        }
        None => Ok(()),
    }
}

/// The name of a format in folders and files.
fn folder_name(format: &Format) -> String {
    match format.name.as_str() {
        "binary16" => "fp16".to_owned(),
        "bfloat16" => "bf16".to_owned(),
        "e4m3" | "e5m2" => format.name.to_uppercase(),
        _ if format.width() == 32 && format.name != "tf32" => "fp32".to_owned(),
        _ => format.name.clone(),
    }
}

/// The binary32 word of an encoding, from which the same encoding is read.
fn word_of(operand: &str, format: &Format, bits: u64) -> Result<u32, String> {
    let word = match *format == Format::binary32() {
        true => bits as u32,
        false => (format.to_f64(bits) as f32).to_bits(),
    };
    match exactly(format, word) {
        Ok(read) if read == bits => Ok(word),
        _ => Err(format!(
            "field `{operand}` is {bits:#x}; allowed: encodings that a binary32 value tells apart, which signs and payloads \
             of NaN and padding bits of {} are not",
            format.name
        )),
    }
}

/// Writes the four files.
pub(super) struct Sink {
    /// The recording that is exported, for errors.
    recording: PathBuf,
    place: Place,
    files: [BufWriter<File>; 4],
}

impl Sink {
    pub fn new(recording: &Path, root: &Path, header: &Header, device: Option<&str>) -> Result<Sink, ExchangeError> {
        let refuse = |problem| ExchangeError::place(recording, "the header", problem);
        let recorded = header.recorded().map_err(refuse)?;
        let device = device.or(header.device.get("name").map(String::as_str)).ok_or_else(|| {
            refuse("it names no device; allowed: an export that is told one, with --device".to_owned())
        })?;
        let place = Place::of(root, &recorded, device).map_err(refuse)?;
        let write = |path: &PathBuf| {
            let folder = path.parent().unwrap_or(root);
            let made = std::fs::create_dir_all(folder).and_then(|()| File::create(path));
            made.map(BufWriter::new).map_err(|source| ExchangeError::Write { path: path.clone(), source })
        };
        let [a, b, c, d] = &place.paths;
        let files = [write(a)?, write(b)?, write(c)?, write(d)?];
        Ok(Sink { recording: recording.to_owned(), place, files })
    }
}

impl super::Sink for Sink {
    fn vector(&mut self, number: u64, row: &Row) -> Result<(), ExchangeError> {
        let refuse = |problem| ExchangeError::place(&self.recording, format!("vector {number}"), problem);
        let words = self.place.words(row).map_err(refuse)?;
        for (operand, (file, words)) in self.files.iter_mut().zip(words).enumerate() {
            let text: Vec<String> = match operand {
                0 | 1 => words.iter().map(|word| format!("{word:08x}")).collect(),
                _ => words.iter().map(|word| format!("{word:032b}")).collect(),
            };
            let written = writeln!(file, "{}", text.join(" "));
            written.map_err(|source| ExchangeError::Write { path: self.place.paths[operand].clone(), source })?;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<(), ExchangeError> {
        for (file, path) in self.files.iter_mut().zip(&self.place.paths) {
            file.flush().map_err(|source| ExchangeError::Write { path: path.clone(), source })?;
        }
        Ok(())
    }
}

/// Reads the four files side by side.
pub(super) struct Source {
    place: Place,
    files: [Lines; 4],
    header: Header,
    /// Words in the first row of a; rows of a and b are as long, and shorter than K where zeros fill the rest.
    length: Option<usize>,
}

impl Source {
    pub fn new(root: &Path, told: &Told) -> Result<Source, ExchangeError> {
        let refuse = |problem| ExchangeError::place(root, "the public layout", problem);
        let device =
            told.device.as_deref().ok_or_else(|| refuse("names no device; allowed: one, by --device".to_owned()))?;
        let place = Place::of(root, &told.recorded, device).map_err(refuse)?;
        let header = told.header("public", rows(&place.paths[0], longest(&place.interface))?);
        let [a, b, c, d] = &place.paths;
        let files = [Lines::open(a)?, Lines::open(b)?, Lines::open(c)?, Lines::open(d)?];
        Ok(Source { place, files, header, length: None })
    }
}

/// Longest line of a or b: words of 8 digits, and blanks.
fn longest(interface: &Interface) -> usize {
    64 + 16 * interface.products as usize
}

/// Rows of a file, at least one.
fn rows(path: &Path, longest: usize) -> Result<u64, ExchangeError> {
    let mut lines = Lines::open(path)?;
    lines.need(longest, || "at least one row".to_owned())?;
    let mut rows = 1;
    while lines.next(longest)?.is_some() {
        rows += 1;
    }
    Ok(rows)
}

impl super::Source for Source {
    fn header(&self) -> &Header {
        &self.header
    }

    fn vector(&mut self, row: &mut Row) -> Result<(), ExchangeError> {
        row.iter_mut().for_each(Vec::clear);
        let interface = &self.place.interface;
        let (k, vectors) = (interface.products as usize, self.header.vectors());
        let wanted = || format!("{vectors} rows, as many as of a");
        for (operand, format) in [&interface.formats.a, &interface.formats.b].into_iter().enumerate() {
            let lines = &mut self.files[operand];
            let text = lines.need(longest(interface), wanted)?;
            let words = hexadecimal(FIELDS[operand], text, format);
            row[operand] = words.map_err(|problem| lines.refuse(problem))?;
            let (found, length) = (row[operand].len(), *self.length.get_or_insert(row[operand].len()));
            if found != length || found == 0 || found > k {
                let allowed = if length > k || length == 0 { k } else { length };
                let least = if length > k || length == 0 { "1 to " } else { "" };
                let problem = format!("field `{}` has {found} words; allowed: {least}{allowed}", FIELDS[operand]);
                return Err(lines.refuse(problem));
            }
            row[operand].resize(k, format.zero(false));
        }
        for (file, operand) in [(2, 4), (3, 5)] {
            let lines = &mut self.files[file];
            let text = lines.need(128, wanted)?;
            let parsed = match word(text.trim(), 2, 32) {
                None => Err(format!("field `{}` is {text:?}; allowed: 32 binary digits", FIELDS[operand])),
                Some(word) if operand == 4 => addend(interface, self.place.addend, word).map(|c| row[4].extend(c)),
                Some(word) => recorded_result(&interface.formats.d, word)
                    .map(|d| row[5].push(d))
                    .map_err(|problem| format!("field `d`: {problem}")),
            };
            parsed.map_err(|problem| lines.refuse(problem))?;
        }
        Ok(())
    }

    fn end(&mut self) -> Result<(), ExchangeError> {
        let vectors = self.header.vectors();
        self.files.iter_mut().try_for_each(|lines| lines.end(vectors, &|_| false))
    }
}

/// The unit's addend; none of a unit that has none, whose words are zero.
fn addend(interface: &Interface, recorded: RecordedAddend, word: u32) -> Result<Option<u64>, String> {
    match interface.has_addend() {
        true => Ok(Some(recorded_addend(&interface.formats.c, recorded, word))),
        false if word == 0 => Ok(None),
        false => Err(format!("field `c` is {word:032b}; allowed: zero, because {} has no addend", interface.name)),
    }
}

fn hexadecimal(operand: &str, text: &str, format: &Format) -> Result<Vec<u64>, String> {
    let each = |token: &str| {
        let word = word(token, 16, 8)
            .ok_or_else(|| format!("field `{operand}` is {token:?}; allowed: words of 8 hexadecimal digits"))?;
        exactly(format, word).map_err(|problem| format!("field `{operand}`: {problem}"))
    };
    text.split_whitespace().map(each).collect()
}
