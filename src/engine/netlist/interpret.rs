//! Runs a program step by step, on any processor: a plane is eight words of 64 bits.

use super::allocate::{Place, Program, Step};
use super::planes::Plane;

/// A table's function on planes: bit `4 x + 2 y + z` of the table is its value where the operands are x, y and z.
type Function = fn(&mut Plane, &Plane, &Plane);

/// Registers: as many as any machine has.
const REGISTERS: usize = 32;

/// Functions by their tables.
static FUNCTIONS: [Function; 256] = functions();

/// Runs the program on its planes.
pub fn interpret(program: &Program, planes: &mut [Plane]) {
    let mut registers = [Plane::default(); REGISTERS];
    for step in &program.steps {
        match *step {
            Step::Move { to, from } => registers[to as usize] = operand(&registers, planes, from),
            Step::Store { to, from } => planes[to as usize] = registers[from as usize],
            Step::Lut { table, to, second, third } => {
                let (second, third) = (registers[second as usize], operand(&registers, planes, third));
                FUNCTIONS[table as usize](&mut registers[to as usize], &second, &third);
            }
        }
    }
}

fn operand(registers: &[Plane; REGISTERS], planes: &[Plane], place: Place) -> Plane {
    match place {
        Place::Register(register) => registers[register as usize],
        Place::Memory(plane) => planes[plane as usize],
    }
}

/// The function of a table that is known to the compiler, which leaves few operations of it.
fn function<const TABLE: u8>(x: &mut Plane, y: &Plane, z: &Plane) {
    for word in 0..x.0.len() {
        let (a, b, c) = (x.0[word], y.0[word], z.0[word]);
        x.0[word] = a & of_two(TABLE >> 4, b, c) | !a & of_two(TABLE & 15, b, c);
    }
}

/// Bit `2 b + c` of four.
#[inline(always)]
fn of_two(table: u8, b: u64, c: u64) -> u64 {
    match table {
        0 => 0,
        1 => !(b | c),
        2 => !b & c,
        3 => !b,
        4 => b & !c,
        5 => !c,
        6 => b ^ c,
        7 => !(b & c),
        8 => b & c,
        9 => !(b ^ c),
        10 => c,
        11 => !b | c,
        12 => b,
        13 => b | !c,
        14 => b | c,
        _ => u64::MAX,
    }
}

macro_rules! sixteen {
    ($functions:ident, $high:expr, $($low:expr),*) => { $($functions[16 * $high + $low] = function::<{ 16 * $high + $low }>;)* };
}

const fn functions() -> [Function; 256] {
    let mut functions: [Function; 256] = [function::<0>; 256];
    macro_rules! all {
        ($($high:expr),*) => { $(sixteen!(functions, $high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);)* };
    }
    all!(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    functions
}
