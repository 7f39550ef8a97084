//! Headers of NumPy arrays (NEP 1). They are looked at before they are read: what reads them calls itself for each bracket, and where it
//! gives up it repeats the whole header. Elements are not looked at.

use std::io::{self, Read};

use npyz::NpyHeader;

/// Bytes of a header at most, with what stands before it.
const LENGTH_MAX: u64 = 1 << 16;
/// Brackets that a header may open; one of a matrix opens two.
const BRACKETS_MAX: usize = 8;

/// The header at the beginning of a stream, and what was read behind it; or what is wrong with it.
///
/// # Errors
/// The stream cannot be read.
pub fn npy_header(input: &mut impl Read) -> io::Result<Result<(NpyHeader, Vec<u8>), String>> {
    let mut start = Vec::new();
    input.by_ref().take(LENGTH_MAX).read_to_end(&mut start)?;
    Ok(parse(&start).map(|(header, end)| (header, start.split_off(end))))
}

fn parse(start: &[u8]) -> Result<(NpyHeader, usize), String> {
    // Six bytes of magic, two of the version, then two or, from version 2.0 on, four bytes of length.
    let (first, length) = match start {
        [_, _, _, _, _, _, 1, _, low, high, ..] => (10, usize::from(u16::from_le_bytes([*low, *high]))),
        [_, _, _, _, _, _, _, _, a, b, c, d, ..] => (12, u32::from_le_bytes([*a, *b, *c, *d]) as usize),
        _ => (0, 0),
    };
    // In quotes too.
    let brackets = start[first..].iter().take(length).filter(|byte| b"([{".contains(byte)).count();
    if brackets > BRACKETS_MAX {
        return Err(format!("no NumPy array: a header of many brackets; allowed: {BRACKETS_MAX} at most"));
    }
    let mut behind = start;
    let header = NpyHeader::from_reader(&mut behind).map_err(|error| format!("no NumPy array: {error}"))?;
    Ok((header, start.len() - behind.len()))
}
