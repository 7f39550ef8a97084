//! A tile of D on arithmetic of binary32, for every level of instructions: columns of B a register, elements of A spread over
//! it. A product is exact; a power of two puts it on the grid of its block, and what lies below the grid is truncated by the
//! conversion to an integer.
//!
//! ```text
//!   a * b              1i.ffffffff                  exact
//!   * 2^(F - anchor)   1i.ffffffff * 2^distance     exact
//!   to an integer      1iffff                       toward zero, with its sign
//! ```
//!
//! Infinities and NaN are rare, and decided beside the arithmetic.

use std::marker::PhantomData;
use std::ops::Range;

use super::numbers::{BIAS, INFINITY, Numbers, Scale, Target};
use super::panel::{COLUMNS, Columns, LANES, Layout, PanelA, PanelB, ROWS, Rows, Tile};
use crate::isa::Isa;
use crate::lanes::{Lanes, Level, Mask, Singles, WithLevel, Work, with_level};

/// Fraction bits of binary32.
const FRACTION_BITS: u32 = 23;
/// How far below the anchor a term may lie before it is cut to nothing: more than its bits.
const REACH: i32 = 64;

/// Evaluates tiles of D.
pub(super) struct Kernel {
    numbers: Numbers,
    run: fn(&mut Task),
}

/// A tile, and what is added to it.
struct Task<'a> {
    numbers: &'a Numbers,
    layout: Layout,
    a: Rows<'a>,
    b: Columns<'a>,
    tile: &'a mut Tile,
}

impl Kernel {
    /// The kernel of a level.
    ///
    /// # Panics
    /// The processor lacks the level.
    pub fn new(numbers: Numbers, isa: Isa) -> Kernel {
        Kernel { numbers, run: with_level(isa, OnLevel) }
    }

    /// The panels' blocks of K added to a tile.
    pub fn add(&self, layout: Layout, (a, row): (&PanelA, usize), (b, column): (&PanelB, usize), tile: &mut Tile) {
        let (a, b) = (a.rows(row), b.columns(column));
        let places = a.values.len();
        assert!(places == b.values.len() && places.is_multiple_of(self.numbers.products));
        (self.run)(&mut Task { numbers: &self.numbers, layout, a, b, tile });
    }

    /// Results in binary32, which binary16 holds, as its encodings.
    pub fn halves(&self, singles: &[u32], halves: &mut [u16]) {
        assert_eq!(singles.len(), halves.len());
        for (&bits, half) in singles.iter().zip(halves) {
            let (sign, magnitude) = ((bits >> 16 & 0x8000) as u16, bits & !(1 << 31));
            let value = match magnitude {
                // Below 2^-14: in units of 2^-24.
                0..0x3880_0000 => (f32::from_bits(magnitude) * 16_777_216.0) as u16,
                0x3880_0000..INFINITY => ((magnitude - (112 << FRACTION_BITS)) >> 13) as u16,
                INFINITY => 0x7c00,
                _ => {
                    *half = self.numbers.nan as u16;
                    continue;
                }
            };
            *half = sign | value;
        }
    }
}

/// An exponent beside a significand, in the bits of a binary32: at the place of its exponent field.
pub(super) fn exponent_apart(exponent: i32) -> f32 {
    f32::from_bits((exponent << FRACTION_BITS) as u32)
}

struct OnLevel;

impl WithLevel for OnLevel {
    type Output = fn(&mut Task);

    fn run<S: Level>(self) -> fn(&mut Task) {
        |task| match task.layout {
            Layout::Whole(_) => S::Lanes32::call::<_, _, Add<S::Lanes32, false>>(task, &mut ()),
            Layout::Apart => S::Lanes32::call::<_, _, Add<S::Lanes32, true>>(task, &mut ()),
        }
    }
}

struct Add<L, const APART: bool>(PhantomData<L>);

impl<L: Singles, const APART: bool> Work<Task<'_>, ()> for Add<L, APART> {
    /// Block by block of K, and of each two registers of columns at a time: so many have their exponents in one.
    #[inline(always)]
    fn run(task: &mut Task, (): &mut ()) {
        let products = task.numbers.products;
        for first in (0..task.a.values.len()).step_by(products) {
            let own = first..first + products;
            for column in (0..COLUMNS).step_by(2 * L::COUNT) {
                let greatest = anchors::<L>(task, own.clone(), column);
                let (mut low, mut high) = ([L::of(0); ROWS], [L::of(0); ROWS]);
                for row in 0..ROWS {
                    [low[row], high[row]] = greatest[row].widened_shorts();
                }
                add::<L, APART>(task, own.clone(), column, low);
                add::<L, APART>(task, own.clone(), column + L::COUNT, high);
            }
        }
    }
}

/// What a block has found before its products are added.
#[derive(Clone, Copy)]
struct Start<L> {
    anchor: L,
    /// 2^(F - anchor), or as an exponent what is to be added to those of products.
    scale: L,
    /// The addend on the grid.
    addend: L,
}

/// An exponent at the place of the exponent field.
#[inline(always)]
fn field<L: Singles>(exponent: i32) -> L {
    L::of(i64::from(exponent) << FRACTION_BITS)
}

/// Registers of columns from one on.
#[inline(always)]
fn columns<L: Singles>(singles: &[super::panel::Singles; 2], column: usize) -> L {
    L::load_singles(&singles[column / LANES].0[column % LANES..])
}

/// The greatest exponents of the products of a block, not below the floor, in lanes of 16 bits.
#[inline(always)]
fn anchors<L: Singles>(task: &Task, own: Range<usize>, column: usize) -> [L; ROWS] {
    let floor = (task.numbers.floor - BIAS) as i16 as u16;
    let mut greatest = [L::of(i64::from(u32::from(floor) * 0x1_0001)); ROWS];
    for (a, b) in task.a.exponents[own.clone()].iter().zip(&task.b.exponents[own]) {
        let b = L::load_shorts(&b.0[column..]);
        for row in 0..ROWS {
            greatest[row] = greatest[row].maximum_shorts(L::of(a[row].into()).add_shorts(b));
        }
    }
    greatest
}

/// Adds one block of K to a register of columns of every row: quickly, and where a lane asks for it once more with care.
#[inline(always)]
fn add<L: Singles, const APART: bool>(task: &mut Task, own: Range<usize>, column: usize, greatest: [L; ROWS]) {
    let mut results = match task.numbers.is_narrow {
        true => quick::<L, APART, true>(task, own.clone(), column, &greatest),
        false => quick::<L, APART, false>(task, own.clone(), column, &greatest),
    };
    if results.1.any() {
        results.0 = careful::<L, APART>(task, own, column, &greatest);
    }
    for row in 0..ROWS {
        results.0[row].store_singles(&mut task.tile[row][column / LANES].0[column % LANES..]);
    }
}

/// What comes of a block whose anchors, and sums, lie where 2^(F - anchor) and its inverse are normal numbers of binary32, nothing
/// is infinite or NaN, and results neither overflow nor are subnormal; and the lanes that are not so. Narrow units have no sum
/// of more than 31 bits.
#[inline(always)]
fn quick<L: Singles, const APART: bool, const NARROW: bool>(
    task: &Task,
    own: Range<usize>,
    column: usize,
    greatest: &[L; ROWS],
) -> ([L; ROWS], L::Mask) {
    let numbers = task.numbers;
    let none = Start { anchor: L::of(0), scale: L::of(0), addend: L::of(0) };
    let mut starts = [none; ROWS];
    let (mut least, mut most) = (L::of(i32::MAX.into()), L::of(0));
    for row in 0..ROWS {
        let addend = columns::<L>(&task.tile[row], column);
        let field = (addend & L::of(i32::MAX.into())).shift_right(FRACTION_BITS);
        let mut exponent = field.maximum(L::of(numbers.addend_min.into())).plus(-BIAS);
        // Else the exponent that a zero seems to have lies so low that the lane is done with care.
        if numbers.addend_min > 1 {
            exponent = L::select(field.equals(L::of(0)), greatest[row], exponent);
        }
        let anchor = greatest[row].maximum(exponent);
        let scale = (L::of((numbers.fraction_bits + BIAS).into()) - anchor).shift_left(FRACTION_BITS);
        starts[row] = Start { anchor, scale, addend: addend.times_single(scale).integer_of_single() };
        (least, most) = (least.minimum(anchor), most.maximum(anchor));
    }
    let (mut sums, mut others) = ([L::of(0); ROWS], [L::of(0); ROWS]);
    for row in 0..ROWS {
        sums[row] = starts[row].addend;
    }
    if NARROW {
        sum::<L, APART>(task, own, column, &starts, &mut sums);
    } else {
        let middle = own.start + numbers.products.div_ceil(2);
        sum::<L, APART>(task, own.start..middle, column, &starts, &mut sums);
        sum::<L, APART>(task, middle..own.end, column, &starts, &mut others);
    }
    let (mut results, mut wide) = ([L::of(0); ROWS], L::of(0));
    for row in 0..ROWS {
        results[row] = match numbers.target {
            Target::Single { mask } => {
                let (one, other) = (sums[row], others[row]);
                let sum = if NARROW { one } else { one + other };
                let sign = sum.shift_right_signed(31);
                let magnitude = (sum ^ sign) - sign;
                if !NARROW {
                    // The sum has more than 31 bits, or all but.
                    wide = wide | ((one ^ sum) & (other ^ sum)) | magnitude.plus(1 << 7);
                }
                // To the nearest, and one back where that is above.
                let nearest = magnitude.single_of_integer();
                let above = (magnitude - nearest.integer_of_single()).shift_right_signed(31);
                let inverse = L::of(254 << FRACTION_BITS) - starts[row].scale;
                let truncated = ((nearest + above) & L::of(mask.into())).times_single(inverse);
                truncated | (sum & L::of(1 << 31))
            }
            Target::Half => convert(numbers, [sums[row], others[row]], starts[row].anchor),
        };
    }
    let low = L::of((numbers.fraction_bits - BIAS + 1).into());
    let high = L::of((numbers.limit - BIAS).into());
    (results, least.less_than(low) | high.less_than(most) | wide.bit(31))
}

/// What comes of any block.
#[inline(always)]
fn careful<L: Singles, const APART: bool>(
    task: &Task,
    own: Range<usize>,
    column: usize,
    greatest: &[L; ROWS],
) -> [L; ROWS] {
    let numbers = task.numbers;
    let scale = match task.layout {
        Layout::Whole(scale) => scale,
        Layout::Apart => Scale { min: 0, max: 0 },
    };
    let none = Start { anchor: L::of(0), scale: L::of(0), addend: L::of(0) };
    let mut starts = [none; ROWS];
    for row in 0..ROWS {
        starts[row] = start::<L, APART>(numbers, scale, greatest[row], columns(&task.tile[row], column));
    }
    let middle = own.start + numbers.products.div_ceil(2);
    let (mut sums, mut others) = ([L::of(0); ROWS], [L::of(0); ROWS]);
    for row in 0..ROWS {
        sums[row] = starts[row].addend;
    }
    sum::<L, APART>(task, own.start..middle, column, &starts, &mut sums);
    sum::<L, APART>(task, middle..own.end, column, &starts, &mut others);
    let mut results = [L::of(0); ROWS];
    for row in 0..ROWS {
        let result = convert(numbers, [sums[row], others[row]], starts[row].anchor);
        results[row] = special(task, own.clone(), row, column, result);
    }
    results
}

/// The anchor of the products and the addend, and the addend on the grid.
#[inline(always)]
fn start<L: Singles, const APART: bool>(numbers: &Numbers, scale: Scale, greatest: L, addend: L) -> Start<L> {
    let magnitude = addend & L::of(i32::MAX.into());
    let own_field = magnitude.shift_right(FRACTION_BITS).maximum(L::of(1));
    let exponent = own_field.maximum(L::of(numbers.addend_min.into())).plus(-BIAS);
    let exponent = L::select(magnitude.equals(L::of(0)), greatest, exponent);
    let anchor = greatest.maximum(exponent);

    let fraction_bits = numbers.fraction_bits;
    let distance = (own_field - anchor).plus(-BIAS).maximum(L::of((-REACH).into()));
    let power = distance.plus(BIAS + fraction_bits - FRACTION_BITS as i32).shift_left(FRACTION_BITS);
    let significand = (magnitude - own_field.shift_left(FRACTION_BITS) + field(1)).single_of_integer();
    let signed = significand | (addend & L::of(1 << 31));
    let on_grid = signed.times_single(power).integer_of_single();

    let scale = match APART {
        true => (L::of((fraction_bits + BIAS).into()) - anchor).shift_left(FRACTION_BITS),
        false => {
            let distance = L::of(fraction_bits.into()) - anchor;
            distance.clamp(scale.min.into(), scale.max.into()).plus(BIAS).shift_left(FRACTION_BITS)
        }
    };
    Start { anchor, scale, addend: on_grid }
}

/// Adds products on the grid.
#[inline(always)]
fn sum<L: Singles, const APART: bool>(
    task: &Task,
    places: Range<usize>,
    column: usize,
    starts: &[Start<L>; ROWS],
    sums: &mut [L; ROWS],
) {
    let (a, b) = (&task.a.values[places.clone()], &task.b.values[places.clone()]);
    if APART {
        // Only products with zero lie above the anchor.
        let (mut lowest, mut highest) = ([L::of(0); ROWS], [L::of(0); ROWS]);
        for row in 0..ROWS {
            let anchor = starts[row].anchor.clamp((REACH - 254).into(), 254);
            lowest[row] = anchor.plus(-REACH).shift_left(FRACTION_BITS);
            highest[row] = starts[row].anchor.clamp(-254, 254).shift_left(FRACTION_BITS);
        }
        let (apart_a, apart_b) = (&task.a.apart[places.clone()], &task.b.apart[places]);
        for ((a, b), (apart_a, apart_b)) in a.iter().zip(b).zip(apart_a.iter().zip(apart_b)) {
            let (b, apart_b) = (columns::<L>(b, column), columns::<L>(apart_b, column));
            for row in 0..ROWS {
                let product = L::of(a[row].to_bits().into()).times_single(b);
                let exponent =
                    (L::of(apart_a[row].to_bits().into()) + apart_b).maximum(lowest[row]).minimum(highest[row]);
                sums[row] = sums[row] + product.times_single(exponent + starts[row].scale).integer_of_single();
            }
        }
        return;
    }
    for (a, b) in a.iter().zip(b) {
        let b = columns::<L>(b, column);
        for row in 0..ROWS {
            let product = L::of(a[row].to_bits().into()).times_single(b);
            sums[row] = sums[row] + product.times_single(starts[row].scale).integer_of_single();
        }
    }
}

/// A sum becomes a result in binary32. Each half of it has its sign in 32 bits, the sum itself needs one bit more: that is
/// the sign of both halves, and where theirs differ that of the sum of 32 bits.
#[inline(always)]
fn convert<L: Singles>(numbers: &Numbers, [one, other]: [L; 2], anchor: L) -> L {
    let sum = one + other;
    let negative = ((one & other) | ((one | other) & sum)).shift_right_signed(31);
    let magnitude = (sum ^ negative) - negative;
    let leading = magnitude.leading_zeros();
    let normal = magnitude.shift_left_by(leading);
    let top = anchor.plus(31 - numbers.fraction_bits) - leading;
    let result = match numbers.target {
        Target::Single { mask } => {
            let exponent = top.maximum(L::of(-126));
            let kept = normal.shift_right_by((exponent - top).plus(8));
            let result = (exponent.plus(126).shift_left(FRACTION_BITS) + kept) & L::of(mask.into());
            let overflow = L::of(numbers.overflow.into());
            L::select(overflow.is_below(result), overflow, result)
        }
        Target::Half => {
            let exponent = top.maximum(L::of(-14));
            let discarded = (exponent - top).plus(21);
            let kept = normal.rounded(discarded).single_of_integer();
            let result = kept.times_single(exponent.plus(BIAS - 10).clamp(1, 254).shift_left(FRACTION_BITS));
            let infinity = L::of(INFINITY.into());
            L::select(result.less_than(L::of(65_536f32.to_bits().into())), result, infinity)
        }
    };
    let result = L::select(magnitude.equals(L::of(0)), L::of(0), result);
    let sign = negative & L::of(1 << 31);
    match numbers.rounded_zero_positive {
        true => L::select(result.equals(L::of(0)), result, result | sign),
        false => result | sign,
    }
}

/// Infinities and NaN of a block in the place of results, as IEEE 754-2019, 7.2 says.
#[inline(always)]
fn special<L: Singles>(task: &Task, own: Range<usize>, row: usize, column: usize, result: L) -> L {
    let none = L::Mask::all(false);
    let mut found = Found { nan: none, plus: none, minus: none };
    found.add(L::of(1f32.to_bits().into()), columns(&task.tile[row], column));
    for (a, b) in task.a.values[own.clone()].iter().zip(&task.b.values[own]) {
        found.add(L::of(a[row].to_bits().into()), columns(b, column));
    }
    let result = L::select(found.plus, L::of(INFINITY.into()), result);
    let result = L::select(found.minus, L::of((INFINITY | 1 << 31).into()), result);
    L::select(found.nan | found.plus & found.minus, L::of(task.numbers.nan_single.into()), result)
}

/// What the terms of a block have shown: NaN or an invalid product, plus and minus infinity.
struct Found<M> {
    nan: M,
    plus: M,
    minus: M,
}

impl<M: Mask> Found<M> {
    /// What a product shows: zero times infinity is invalid.
    #[inline(always)]
    fn add<L: Lanes<Mask = M>>(&mut self, a: L, b: L) {
        let (mask, infinity) = (L::of(i32::MAX.into()), L::of(INFINITY.into()));
        let (magnitude_a, magnitude_b) = (a & mask, b & mask);
        let (greater, lesser) = (magnitude_a.maximum(magnitude_b), magnitude_a.minimum(magnitude_b));
        let infinite = !greater.less_than(infinity);
        let below = (a ^ b).bit(31);
        self.nan = self.nan | infinity.less_than(greater) | infinite & lesser.equals(L::of(0));
        self.plus = self.plus | infinite & !below;
        self.minus = self.minus | infinite & below;
    }
}
