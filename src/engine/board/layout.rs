//! How the operands of a vector lie in the bits of one word, as the stream around a unit takes them: from the lowest bit up a, b,
//! scales of a, scales of b, c; of each the first element lowest.

use super::super::{Batch, Vector};
use super::generator::Masks;
use crate::describe::format::Format;
use crate::describe::interface::Interface;

/// An element of a vector: how wide it is, and where it lies in a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operand {
    A,
    B,
    ScaleA,
    ScaleB,
    C,
}

/// The words of a vector of a unit.
#[derive(Debug, Clone)]
pub struct Layout {
    elements: Vec<(Operand, Format)>,
    bits: u32,
    answer: u32,
}

impl Layout {
    pub fn of(interface: &Interface) -> Layout {
        let formats = &interface.formats;
        let many = |operand, format: &Format, count: u32| vec![(operand, format.clone()); count as usize];
        let mut elements = many(Operand::A, &formats.a, interface.products);
        elements.extend(many(Operand::B, &formats.b, interface.products));
        if let Some(scales) = &interface.scales {
            elements.extend(many(Operand::ScaleA, &scales.a, interface.scale_count()));
            elements.extend(many(Operand::ScaleB, &scales.b, interface.scale_count()));
        }
        if interface.has_addend() {
            elements.push((Operand::C, formats.c.clone()));
        }
        let bits = elements.iter().map(|(_, format)| format.width()).sum();
        Layout { elements, bits, answer: interface.answer_width() }
    }

    /// Bits of a vector.
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// Bits of a result.
    pub fn answer_bits(&self) -> u32 {
        self.answer
    }

    /// Bytes of a vector on the line.
    pub fn vector_bytes(&self) -> usize {
        self.bits.div_ceil(8) as usize
    }

    /// Bytes of a result on the line.
    pub fn answer_bytes(&self) -> usize {
        self.answer.div_ceil(8) as usize
    }

    /// 64-bit lanes of a vector.
    pub fn lanes(&self) -> usize {
        self.bits.div_ceil(64) as usize
    }

    /// Appends the bytes of a vector, the lowest first.
    pub(super) fn pack(&self, vector: &Vector, bytes: &mut Vec<u8>) {
        let mut words = vec![0u64; self.lanes()];
        let mut place = 0;
        let scales = vector.scale_a.iter().chain(&vector.scale_b);
        let operands = vector.a.iter().chain(&vector.b).chain(scales).chain([&vector.c]);
        for ((_, format), &element) in self.elements.iter().zip(operands) {
            put(&mut words, place, format.width(), element);
            place += format.width();
        }
        self.bytes_of(&words, bytes);
    }

    /// Appends the bytes of a vector's words.
    pub(super) fn bytes_of(&self, words: &[u64], bytes: &mut Vec<u8>) {
        bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()).take(self.vector_bytes()));
    }

    /// Appends the vector that lies in these words to a batch.
    pub(super) fn unpack(&self, words: &[u64], batch: &mut Batch) {
        let (mut place, mut has_addend) = (0, false);
        for (operand, format) in &self.elements {
            let width = format.width();
            let element = get(words, place, width);
            place += width;
            match operand {
                Operand::A => batch.a.push(element),
                Operand::B => batch.b.push(element),
                Operand::ScaleA => batch.scale_a.push(element),
                Operand::ScaleB => batch.scale_b.push(element),
                Operand::C => {
                    batch.c.push(element);
                    has_addend = true;
                }
            }
        }
        if !has_addend {
            batch.c.push(0);
        }
    }

    /// Masks that say of each element which bits are kept and which are set: by the function, of operand (is it a factor?) and
    /// format.
    fn masks(&self, of: impl Fn(Operand, &Format) -> (u64, u64)) -> Masks {
        let (mut keep, mut set, mut place) = (vec![0; self.lanes()], vec![0; self.lanes()], 0);
        for (operand, format) in &self.elements {
            let (kept, given) = of(*operand, format);
            put(&mut keep, place, format.width(), kept);
            put(&mut set, place, format.width(), given);
            place += format.width();
        }
        Masks { keep, set }
    }
}

/// What vectors of a run look like: which bits of them are drawn, and which are given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Every bit is drawn.
    Uniform,
    /// Exponents lie in four binades around 1, so that all terms meet.
    Near,
    /// As `Near`, with three bits of each significand drawn: sums that are ties, or zero.
    Short,
    /// As `Near`, with all signs positive.
    Positive,
    /// Factors of a and b subnormal, c as it comes.
    Subnormal,
    /// Exponents at the upper end: overflow, infinities, NaN.
    Large,
}

impl Shape {
    pub const ALL: [Shape; 6] =
        [Shape::Near, Shape::Uniform, Shape::Short, Shape::Positive, Shape::Large, Shape::Subnormal];

    pub fn name(self) -> &'static str {
        match self {
            Shape::Uniform => "uniform",
            Shape::Near => "near",
            Shape::Short => "short",
            Shape::Positive => "positive",
            Shape::Subnormal => "subnormal",
            Shape::Large => "large",
        }
    }

    /// The masks of vectors of this shape.
    pub fn masks(self, layout: &Layout) -> Masks {
        layout.masks(|operand, format| {
            let (exponent, fraction) = (format.exponent_bits, format.padding_bits + format.fraction_bits);
            // What does not belong to the number is zero.
            let all = ones(format.width()) & !ones(format.padding_bits);
            if exponent == 0 {
                return (all, 0);
            }
            let field = ones(exponent) << fraction;
            let bias = ones(exponent.saturating_sub(1));
            // The two lowest bits of the exponent are drawn; those above are the bias's, or all ones.
            let drawn = ones(exponent.min(2));
            let near = (all & !field | drawn << fraction, (bias & !drawn) << fraction);
            let is_scale = matches!(operand, Operand::ScaleA | Operand::ScaleB);
            let is_factor = matches!(operand, Operand::A | Operand::B);
            match self {
                Shape::Uniform => (all, 0),
                Shape::Near => near,
                Shape::Short => {
                    let lost = ones(fraction.saturating_sub(3));
                    (near.0 & !lost, near.1)
                }
                Shape::Positive => (near.0 & ones(exponent + fraction), near.1),
                Shape::Large if !is_scale => (near.0, (ones(exponent) & !drawn) << fraction),
                Shape::Subnormal if is_factor => (all & !field, 0),
                Shape::Large | Shape::Subnormal => (all, 0),
            }
        })
    }
}

fn ones(width: u32) -> u64 {
    if width >= 64 { !0 } else { (1 << width) - 1 }
}

/// Puts an element into words whose bits there are zero.
fn put(words: &mut [u64], place: u32, width: u32, element: u64) {
    let (index, shift, element) = (place as usize / 64, place % 64, element & ones(width));
    words[index] |= element << shift;
    if shift + width > 64 {
        words[index + 1] |= element >> (64 - shift);
    }
}

fn get(words: &[u64], place: u32, width: u32) -> u64 {
    let (index, shift) = (place as usize / 64, place % 64);
    let mut element = words[index] >> shift;
    if shift + width > 64 {
        element |= words[index + 1] << (64 - shift);
    }
    element & ones(width)
}
