//! Matrices as arrays of NumPy (NEP 1), of numbers where NumPy has the format, else of unsigned integers that hold encodings.

use std::io::{BufReader, Read};
use std::path::Path;

use npyz::{DType, Order};

use crate::cli::operands::Conversion;
use crate::cli::{Failure, output};
use tensorsmith::describe::file::open;
use tensorsmith::describe::format::{Format, NonFinite};
use tensorsmith::describe::text::Foreign;
use tensorsmith::engine::gemm::{Elements, Matrix};
use tensorsmith::recording::npy_header;

/// Bytes that are read at once.
const PIECE: usize = 1 << 20;

/// Whether a file's name says that it is an array.
pub(super) fn is_named(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("npy"))
}

/// Bytes of an element of a format.
fn bytes(format: &Format) -> usize {
    (format.width().div_ceil(8) as usize).next_power_of_two()
}

/// Letters of NumPy's types that hold a format, the one for results first.
fn letters(format: &Format) -> Vec<char> {
    let ieee = format.signed && format.non_finite == NonFinite::Ieee && format.subnormals;
    let own = match (format.width(), format.exponent_bits) {
        (16, 5) | (32, 8) | (64, 11) if ieee => Some('f'),
        (8 | 32, 0) if format.signed => Some('i'),
        _ => None,
    };
    own.into_iter().chain(['u']).collect()
}

/// The type of ml_dtypes that holds a format; NumPy writes its arrays as bytes without a meaning.
fn ml_dtypes(format: &Format) -> Option<&'static str> {
    Some(match format.name.as_str() {
        "bfloat16" => "bfloat16",
        "e4m3" => "float8_e4m3fn",
        "e5m2" => "float8_e5m2",
        "e4m3fnuz" => "float8_e4m3fnuz",
        "e5m2fnuz" => "float8_e5m2fnuz",
        "e3m2" => "float6_e3m2fn",
        "e2m3" => "float6_e2m3fn",
        "e2m1" => "float4_e2m1fn",
        "ue8m0" => "float8_e8m0fnu",
        "int4" => "int4",
        "uint4" => "uint4",
        _ => return None,
    })
}

/// The format of that name, as unit files, NumPy or ml_dtypes have it.
pub(super) fn named(name: &str) -> Option<Format> {
    let numpy = |format: &Format| match format.name.as_str() {
        "binary16" => Some("float16"),
        "binary32" => Some("float32"),
        "binary64" => Some("float64"),
        _ => ml_dtypes(format),
    };
    Format::standard().into_iter().find(|format| format.name == name || numpy(format) == Some(name))
}

/// The format that the type of an array's elements is: one of NumPy's numbers, or of those in `listed` the only one of its width. What
/// unsigned integers encode is not known.
pub(super) fn format(path: &Path, listed: &[String]) -> Result<Format, Failure> {
    let file = path.shown();
    let unread = |error: std::io::Error| Failure(format!("{file}: cannot be read: {error}"));
    let refuse = |problem: String| Failure(format!("{file}: {problem}"));
    let mut input = BufReader::new(open(path).map_err(unread)?);
    let (header, _) = npy_header(&mut input).map_err(unread)?.map_err(refuse)?;
    let found = match header.dtype() {
        DType::Plain(found) => found.to_string(),
        _ => "a record".to_owned(),
    };
    let plain = found.trim_start_matches(['<', '>', '|', '=']);
    let number = match plain {
        "f2" => Some("binary16"),
        "f4" => Some("binary32"),
        "f8" => Some("binary64"),
        "i1" => Some("int8"),
        "i4" => Some("int32"),
        _ => None,
    };
    let of_width = |format: &Format| plain == format!("V{}", bytes(format));
    let of_listed: Vec<Format> = listed.iter().filter_map(|name| named(name)).filter(of_width).collect();
    match (number.and_then(Format::named), of_listed.as_slice()) {
        (Some(format), _) => Ok(format),
        (None, [only]) => Ok(only.clone()),
        _ => Err(refuse(format!(
            "field `descr` is {found:?}; allowed beside --device: numbers of NumPy, or --dtype FORMAT"
        ))),
    }
}

/// Refuses a format that no array of ml_dtypes has.
pub(super) fn check_formats(named: &[String]) -> Result<(), Failure> {
    let known: Vec<[String; 2]> = Format::standard()
        .into_iter()
        .filter_map(|format| Some([ml_dtypes(&format)?.to_owned(), format.name]))
        .collect();
    match named.iter().find(|name| !known.iter().flatten().any(|known| known == *name)) {
        None => Ok(()),
        Some(name) => {
            let names: Vec<&str> = known.iter().map(|[_, name]| name.as_str()).collect();
            let allowed = format!("{}, or their names in ml_dtypes", names.join(", "));
            Err(Failure(format!("--format: {name:?}; allowed: {allowed}")))
        }
    }
}

/// The matrix in a file. Arrays of ml_dtypes do not say which format they hold: that is said by `named`.
pub(super) fn read(
    path: &Path,
    format: &Format,
    named: &[String],
    conversion: &mut Conversion,
) -> Result<Matrix, Failure> {
    let file = path.shown();
    let unread = |error: std::io::Error| Failure(format!("{file}: cannot be read: {error}"));
    let refuse = |problem: String| Failure(format!("{file}: {problem}"));
    let mut file_input = BufReader::new(open(path).map_err(unread)?);
    let (header, behind) = npy_header(&mut file_input).map_err(unread)?.map_err(refuse)?;
    let mut input = behind.as_slice().chain(file_input);
    let Kind { big_endian, is_number, from_ml_dtypes } = kind(&header.dtype(), format, named).map_err(refuse)?;
    let &[first, second] = header.shape() else {
        return Err(refuse(format!("field `shape` is {:?}; allowed: two dimensions", header.shape())));
    };
    let count = first.checked_mul(second).filter(|count| count.checked_mul(8).is_some_and(|all| all < i64::MAX as u64));
    let Some(count) = count.and_then(|count| usize::try_from(count).ok()) else {
        return Err(refuse(format!("field `shape` is {:?}; allowed: what fits into memory", header.shape())));
    };
    let (rows, columns) = (first as usize, second as usize);
    let elements = elements(&mut input, bytes(format), count, big_endian).map_err(unread)?;
    let found = elements.len();
    let rest = std::io::copy(&mut input, &mut std::io::sink()).map_err(unread)?;
    if found != count || rest > 0 {
        let problem = if found < count { format!("{found} elements") } else { format!("{rest} bytes too many") };
        return Err(refuse(format!("{problem}; allowed: {count} elements, as field `shape` says")));
    }
    let mut matrix = match header.order() {
        _ if count == 0 => Matrix { rows, columns, elements },
        Order::C => Matrix { rows, columns, elements },
        Order::Fortran => Matrix { rows: columns, columns: rows, elements }.transposed(),
    };
    // Types of ml_dtypes for integers of less than a byte leave the bits above them as they come.
    if from_ml_dtypes && format.is_integer() {
        (0..count).for_each(|index| matrix.elements.set(index, matrix.elements.get(index) & format.mask()));
    }
    let place = |index: usize| format!("element [{}, {}]", index / columns, index % columns);
    if let Some((index, value)) = matrix.elements.foreign(format) {
        let allowed = format!("encodings of {}, of {} bits", format.name, format.width());
        return Err(refuse(format!("{} is {value:#x}; allowed: {allowed}", place(index))));
    }
    if format.padding_bits > 0 {
        for index in 0..count {
            let bits = matrix.elements.get(index);
            let operand = conversion.word(format, bits, is_number, || format!("{file}: {}", place(index)))?;
            matrix.elements.set(index, operand);
        }
    }
    Ok(matrix)
}

/// What an array's elements are.
struct Kind {
    /// Whether the most significant byte comes first.
    big_endian: bool,
    /// Numbers of NumPy, else encodings.
    is_number: bool,
    from_ml_dtypes: bool,
}

/// What elements of that type are; or what is wrong with it.
fn kind(dtype: &DType, format: &Format, named: &[String]) -> Result<Kind, String> {
    let found = match dtype {
        DType::Plain(found) => found.to_string(),
        _ => "a record".to_owned(),
    };
    let own: Vec<String> = letters(format).iter().map(|letter| format!("{letter}{}", bytes(format))).collect();
    let plain = found.trim_start_matches(['<', '>', '|']);
    if plain == format!("V{}", bytes(format)) && ml_dtypes(format).is_some() {
        let is_named = named.iter().any(|name| *name == format.name || Some(name.as_str()) == ml_dtypes(format));
        let allowed = format!("--format {}, for arrays of ml_dtypes, which do not say their format", format.name);
        return match is_named {
            true => Ok(Kind { big_endian: found.starts_with('>'), is_number: true, from_ml_dtypes: true }),
            false => Err(format!("field `descr` is {found:?}; allowed: {allowed}")),
        };
    }
    match own.iter().find(|own| plain == own.as_str()) {
        Some(own) => {
            let is_number = !own.starts_with('u');
            Ok(Kind { big_endian: found.starts_with('>'), is_number, from_ml_dtypes: false })
        }
        None => {
            let allowed: Vec<String> = own.iter().map(|own| format!("{own:?}")).collect();
            Err(format!("field `descr` is {found:?}; allowed: {}, for {}", allowed.join(", "), format.name))
        }
    }
}

/// As many elements as there are, at most `count`.
fn elements(input: &mut impl Read, bytes: usize, count: usize, big: bool) -> std::io::Result<Elements> {
    let mut elements = Elements::zeros(8 * bytes as u32, 0);
    let mut piece = Vec::with_capacity(PIECE);
    while elements.len() < count {
        piece.clear();
        let wanted = PIECE.min((count - elements.len()) * bytes);
        input.by_ref().take(wanted as u64).read_to_end(&mut piece)?;
        elements.extend_from_bytes(&piece, big);
        if piece.len() < wanted {
            break;
        }
    }
    Ok(elements)
}

/// Writes a matrix of encodings of a format, row by row.
pub(super) fn write(
    path: &Path,
    format: &Format,
    [rows, columns]: [usize; 2],
    elements: &Elements,
) -> Result<(), Failure> {
    let (letter, bytes) = (letters(format)[0], bytes(format));
    let order = if bytes == 1 { '|' } else { '<' };
    let fields =
        format!("{{'descr': '{order}{letter}{bytes}', 'fortran_order': False, 'shape': ({rows}, {columns}), }}");
    // NEP 1: magic, version 1.0, two bytes of length; blanks and a line feed fill the header up to a multiple of 64 bytes.
    let length = (10 + fields.len() + 1).next_multiple_of(64) - 10;
    output::write_pieces(path, |file| {
        file.write_all(b"\x93NUMPY\x01\x00")?;
        file.write_all(&(length as u16).to_le_bytes())?;
        file.write_all(format!("{fields:<0$}\n", length - 1).as_bytes())?;
        (0..elements.len()).try_for_each(|place| {
            let element = elements.get(place).to_le_bytes();
            file.write_all(&element[..bytes])
        })
    })
}
