//! How the operands of a vector lie in the bits of one word, as the stream around a unit or a tile takes them: from the lowest bit up
//! a, b, scales of a, scales of b, c; of each the first element lowest.

use super::super::Batch;
use crate::describe::format::Format;
use crate::describe::interface::Interface;
use crate::emit::kit::Held;
use crate::emit::tile::Size;

/// An element of a vector: how wide it is, and where it lies in a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operand {
    A,
    B,
    ScaleA,
    ScaleB,
    C,
}

/// The words of a vector: of a unit its operands, of a tile all rows of A, columns of B and elements of C that it takes, of each
/// kind the first row or column lowest. A board answers it with the elements of D, the first one lowest.
#[derive(Debug, Clone)]
pub struct Layout {
    interface: Interface,
    size: Size,
    elements: Vec<(Operand, Format)>,
    bits: u32,
}

impl Layout {
    /// Of vectors of an interface, of which a board answers one at a time.
    pub fn of(interface: &Interface) -> Layout {
        Layout::of_tile(interface, Size::ONE)
    }

    /// Of vectors of an interface as the elements of a tile.
    pub fn of_tile(interface: &Interface, size: Size) -> Layout {
        let formats = &interface.formats;
        let many = |operand, format: &Format, count: u32| vec![(operand, format.clone()); count as usize];
        let Size { rows, columns } = size;
        let mut elements = many(Operand::A, &formats.a, rows * interface.products);
        elements.extend(many(Operand::B, &formats.b, columns * interface.products));
        if let Some(scales) = &interface.scales {
            elements.extend(many(Operand::ScaleA, &scales.a, rows * interface.scale_count()));
            elements.extend(many(Operand::ScaleB, &scales.b, columns * interface.scale_count()));
        }
        if interface.has_addend() {
            elements.extend(many(Operand::C, &formats.c, rows * columns));
        }
        let bits = elements.iter().map(|(_, format)| format.width()).sum();
        Layout { interface: interface.clone(), size, elements, bits }
    }

    /// Of what a board holds.
    pub fn of_held(held: &Held) -> Layout {
        Layout::of_tile(&held.interface(), held.size().unwrap_or(Size::ONE))
    }

    /// Bits of a vector.
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// Elements of D that a vector makes.
    pub fn cells(&self) -> usize {
        self.size.cells()
    }

    /// Row and column of one of them.
    pub fn cell(&self, index: usize) -> (usize, usize) {
        (index / self.size.columns as usize, index % self.size.columns as usize)
    }

    /// Bits of what is answered to a vector.
    pub fn answer_bits(&self) -> u32 {
        self.size.rows * self.size.columns * self.interface.answer_width()
    }

    /// Bytes of a vector on the line.
    pub fn vector_bytes(&self) -> usize {
        self.bits.div_ceil(8) as usize
    }

    /// Bytes of an answer on the line.
    pub fn answer_bytes(&self) -> usize {
        self.answer_bits().div_ceil(8) as usize
    }

    /// 64-bit lanes of a vector.
    pub fn lanes(&self) -> usize {
        self.bits.div_ceil(64) as usize
    }

    /// An empty batch for the elements of vectors.
    pub fn batch(&self) -> Batch {
        Batch::of_interface(&self.interface)
    }

    /// How many vectors a batch makes: each takes as many of its elements as share no row or column.
    pub(super) fn count(&self, batch: &Batch) -> usize {
        batch.len().div_ceil(self.size.apart())
    }

    /// The elements of a batch that are in one of these vectors, and which elements of D there.
    pub(super) fn places(&self, batch: &Batch, number: usize) -> impl Iterator<Item = (usize, usize)> + use<> {
        let (size, first) = (self.size, number * self.size.apart());
        let count = size.apart().min(batch.len() - first);
        (0..count).map(move |index| {
            let (row, column) = size.diagonal(number, index);
            (first + index, row * size.columns as usize + column)
        })
    }

    /// One of the vectors that a batch makes.
    pub(super) fn words(&self, batch: &Batch, number: usize) -> Vec<u64> {
        let (products, scales) = (batch.products() as usize, batch.scales() as usize);
        let (rows, columns) = (self.size.rows as usize, self.size.columns as usize);
        let mut operands = vec![0; self.elements.len()];
        let begins = [0, rows * products, (rows + columns) * products];
        let begins =
            [begins[0], begins[1], begins[2], begins[2] + rows * scales, begins[2] + (rows + columns) * scales];
        for (element, cell) in self.places(batch, number) {
            let (row, column) = self.cell(cell);
            let mut put = |begin: usize, own: &[u64]| operands[begin..][..own.len()].copy_from_slice(own);
            put(begins[0] + row * products, batch.a(element));
            put(begins[1] + column * products, batch.b(element));
            put(begins[2] + row * scales, &batch.scale_a[element * scales..][..scales]);
            put(begins[3] + column * scales, &batch.scale_b[element * scales..][..scales]);
            if self.interface.has_addend() {
                put(begins[4] + cell, &[batch.c[element]]);
            }
        }
        let (mut words, mut place) = (vec![0u64; self.lanes()], 0);
        for ((_, format), operand) in self.elements.iter().zip(operands) {
            put(&mut words, place, format.width(), operand);
            place += format.width();
        }
        words
    }

    /// Appends the bytes of a vector's words, the lowest first.
    pub(super) fn bytes_of(&self, words: &[u64], bytes: &mut Vec<u8>) {
        bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()).take(self.vector_bytes()));
    }

    /// Appends the elements that lie in a vector's words to a batch, row by row.
    pub(super) fn unpack(&self, words: &[u64], batch: &mut Batch) {
        let (interface, Size { rows, columns }) = (&self.interface, self.size);
        let (formats, products, scales) = (&interface.formats, interface.products, interface.scale_count());
        let [scale_a, scale_b] = interface.scale_widths();
        // Of each kind: bits of an element, elements of a row or a column, and where the first one lies.
        let a = (formats.a.width(), products, 0);
        let b = (formats.b.width(), products, a.0 * products * rows);
        let scales_a = (scale_a, scales, b.2 + b.0 * products * columns);
        let scales_b = (scale_b, scales, scales_a.2 + scale_a * scales * rows);
        let c = (formats.c.width(), 1, scales_b.2 + scale_b * scales * columns);
        let element = |(width, count, begin): (u32, u32, u32), line: u32, index: u32| {
            get(words, begin + (line * count + index) * width, width)
        };
        for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
            batch.a.extend((0..products).map(|index| element(a, row, index)));
            batch.b.extend((0..products).map(|index| element(b, column, index)));
            batch.scale_a.extend((0..scales).map(|index| element(scales_a, row, index)));
            batch.scale_b.extend((0..scales).map(|index| element(scales_b, column, index)));
            batch.c.push(if interface.has_addend() { element(c, row * columns + column, 0) } else { 0 });
        }
    }

    /// The answer of a board to a vector, which makes these elements, in words.
    pub(super) fn answer_words(&self, results: &[u64]) -> Vec<u64> {
        let (width, mut words) = (self.interface.answer_width(), vec![0; self.answer_bits().div_ceil(64) as usize]);
        for (place, &result) in (0..).zip(results) {
            put(&mut words, place * width, width, result);
        }
        words
    }

    /// The bytes of that answer.
    pub(super) fn answer(&self, results: &[u64]) -> Vec<u8> {
        self.answer_words(results).iter().flat_map(|word| word.to_le_bytes()).take(self.answer_bytes()).collect()
    }

    /// The elements in an answer.
    pub(super) fn results<'a>(&self, answer: &'a [u8]) -> impl Iterator<Item = u64> + use<'a> {
        let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
        let words: Vec<u64> = answer.chunks(8).map(word).collect();
        let (width, cells) = (self.interface.answer_width(), self.cells() as u32);
        (0..cells).map(move |cell| get(&words, cell * width, width))
    }

    /// What a signature takes of the elements that a vector makes: the words of the answer, each turned by one bit more than those
    /// below it.
    pub fn folded(&self, results: &[u64]) -> u64 {
        match results {
            [result] => *result,
            _ => (0..).zip(self.answer_words(results)).fold(0, |all, (turn, word)| all ^ word.rotate_left(turn)),
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

/// The bits that masks keep of what the generator draws, and those that they set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Masks {
    pub keep: Vec<u64>,
    pub set: Vec<u64>,
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
