//! A whole module: its head, module-level shared memory, and its entries.

use tensorsmith::describe::device::Device;

use super::block::Builder;
use super::program::{Kernel, Parameter, Program};
use super::text::{Cursor, members, without_comments};
use super::types::Type;
use super::{Parsed, PtxError, Target, target};

/// Parses PTX text for a device of a compute capability x 10.
///
/// # Errors
/// The text is not PTX, or not PTX that this device executes.
pub fn parse(text: &str, device: &Device, arch: u32) -> Parsed<Program> {
    let plain = without_comments(text)?;
    let mut cursor = Cursor::new(&plain);
    let target = head(&mut cursor, arch)?;
    let mut shared: Vec<String> = Vec::new();
    let mut program = Program::default();
    while cursor.peek().is_some() {
        let line = cursor.line;
        match cursor.word() {
            ".shared" => shared.push(cursor.until(';')?.to_owned()),
            ".visible" | ".weak" => {
                let word = cursor.word();
                if word != ".entry" {
                    return Err(PtxError::at(line, format!("{word:?} is not understood here; allowed: .entry")));
                }
                program.kernels.push(entry(&mut cursor, &shared, target, device)?);
            }
            ".entry" => program.kernels.push(entry(&mut cursor, &shared, target, device)?),
            other => {
                let found = if other.is_empty() { cursor.sample() } else { other };
                return Err(PtxError::at(line, format!("syntax error near {found:?}")));
            }
        }
    }
    Ok(program)
}

/// .version, .target and .address_size, which come first and in this order.
fn head(cursor: &mut Cursor, arch: u32) -> Parsed<Target> {
    let directive = |cursor: &mut Cursor, name: &str| match cursor.word() {
        word if word == name => Ok(()),
        word => Err(cursor.error(&format!("Missing {name} directive before {word:?}"))),
    };
    directive(cursor, ".version")?;
    let version = target::version(cursor.line, cursor.word())?;
    directive(cursor, ".target")?;
    let target = Target::read(cursor.line, cursor.word(), version, arch)?;
    directive(cursor, ".address_size")?;
    match cursor.word() {
        "64" => Ok(target),
        other => Err(cursor.error(&format!(".address_size {other} is not executed; allowed: 64"))),
    }
}

fn entry(cursor: &mut Cursor, shared: &[String], target: Target, device: &Device) -> Parsed<Kernel> {
    let mut kernel = Kernel { name: cursor.word().to_owned(), ..Kernel::default() };
    if kernel.name.is_empty() || kernel.name.starts_with('.') {
        return Err(cursor.error("syntax error: .entry without a name"));
    }
    if cursor.take('(') {
        let line = cursor.line;
        kernel.parameters = parameters(line, cursor.until(')')?)?;
    }
    while cursor.peek() == Some('.') {
        performance_directive(cursor, &mut kernel)?;
    }
    cursor.expect('{')?;
    let mut builder = Builder::new(kernel, target, device);
    for declaration in shared {
        builder.line = cursor.line;
        builder.declare_shared(declaration)?;
    }
    builder.body(cursor)?;
    builder.finish()
}

/// `.param .u64 a, .param .u64 .ptr .global .align 16 b`.
fn parameters(line: u32, list: &str) -> Parsed<Vec<Parameter>> {
    let mut parameters: Vec<Parameter> = Vec::new();
    let mut offset = 0_usize;
    for declaration in members(list) {
        let words: Vec<&str> = declaration.split_whitespace().collect();
        let wrong =
            || PtxError::at(line, format!("parameter {declaration:?} is not executed; allowed: .param .u64 name"));
        let [".param", kind, pointer @ .., name] = words.as_slice() else { return Err(wrong()) };
        let kind = kind.strip_prefix('.').and_then(Type::named).ok_or_else(wrong)?;
        let decoration = |word: &&str| matches!(*word, ".ptr" | ".global" | ".align") || word.parse::<u32>().is_ok();
        if !pointer.iter().all(decoration) || (kind.width != 64 && !pointer.is_empty()) || kind.bytes() == 0 {
            return Err(wrong());
        }
        if name.starts_with(['.', '%']) || name.ends_with(']') || parameters.iter().any(|known| known.name == *name) {
            return Err(wrong());
        }
        offset = offset.next_multiple_of(kind.bytes());
        parameters.push(Parameter { name: (*name).to_owned(), kind, offset });
        offset += kind.bytes();
    }
    Ok(parameters)
}

/// .maxntid and .reqntid, which bound the block; .minnctapersm, which does not.
fn performance_directive(cursor: &mut Cursor, kernel: &mut Kernel) -> Parsed<()> {
    let name = cursor.word().to_owned();
    let mut sizes = [1_u32; 3];
    for size in &mut sizes {
        let word = cursor.word();
        let wrong = format!("syntax error in {name}: {word:?} is no number");
        *size = word.parse().map_err(|_| cursor.error(&wrong))?;
        if !cursor.take(',') {
            break;
        }
    }
    match name.as_str() {
        ".maxntid" => kernel.largest_block = Some(sizes.iter().product()),
        ".reqntid" => kernel.required_block = Some(sizes),
        ".minnctapersm" => {}
        _ => return Err(cursor.error(&format!("directive {name} is not understood"))),
    }
    Ok(())
}
