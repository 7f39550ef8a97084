//! Elements of matrices in registers: how wide they are, and how many a register holds (PTX ISA, "Matrix Data-types" and
//! "Packing"). No places in a matrix here.

use crate::ptx::program::Register;
use crate::run::Cta;

/// The type of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Element {
    F16,
    Bf16,
    Tf32,
    F32,
    F64,
    E4m3,
    E5m2,
    E3m2,
    E2m3,
    E2m1,
    S8,
    U8,
    S4,
    U4,
    S32,
}

impl Element {
    /// The type of that name in PTX.
    pub fn named(name: &str) -> Option<Element> {
        Some(match name {
            "f16" => Element::F16,
            "bf16" => Element::Bf16,
            "tf32" => Element::Tf32,
            "f32" => Element::F32,
            "f64" => Element::F64,
            "e4m3" => Element::E4m3,
            "e5m2" => Element::E5m2,
            "e3m2" => Element::E3m2,
            "e2m3" => Element::E2m3,
            "e2m1" => Element::E2m1,
            "s8" => Element::S8,
            "u8" => Element::U8,
            "s4" => Element::S4,
            "u4" => Element::U4,
            "s32" => Element::S32,
            _ => return None,
        })
    }

    /// Its name in the catalogue.
    pub fn format(self) -> &'static str {
        match self {
            Element::F16 => "binary16",
            Element::Bf16 => "bfloat16",
            Element::Tf32 => "tf32",
            Element::F32 => "binary32",
            Element::F64 => "binary64",
            Element::E4m3 => "e4m3",
            Element::E5m2 => "e5m2",
            Element::E3m2 => "e3m2",
            Element::E2m3 => "e2m3",
            Element::E2m1 => "e2m1",
            Element::S8 => "int8",
            Element::U8 => "uint8",
            Element::S4 => "int4",
            Element::U4 => "uint4",
            Element::S32 => "int32",
        }
    }

    /// Bits that it takes in a register. The narrow types of .kind::f8f6f4 have a byte each.
    pub fn container(self) -> u32 {
        match self {
            Element::F64 => 64,
            Element::Tf32 | Element::F32 | Element::S32 => 32,
            Element::F16 | Element::Bf16 => 16,
            Element::S4 | Element::U4 => 4,
            _ => 8,
        }
    }

    /// Bits of its encoding, and how far above the container's lowest bit it starts: six-bit types lie in bits 5 to 0 of
    /// their byte, e2m1 in bits 5 to 2.
    fn field(self) -> (u32, u32) {
        match self {
            Element::E3m2 | Element::E2m3 => (6, 0),
            Element::E2m1 => (4, 2),
            _ => (self.container(), 0),
        }
    }

    /// Bits of a register that holds such elements.
    pub fn register_width(self) -> u32 {
        if self == Element::F64 { 64 } else { 32 }
    }

    /// Elements in a register.
    pub fn per_register(self) -> usize {
        (self.register_width() / self.container()) as usize
    }

    /// The bit of the sign, of floating-point types.
    pub fn sign(self) -> Option<u64> {
        let integer = matches!(self, Element::S8 | Element::U8 | Element::S4 | Element::U4 | Element::S32);
        (!integer).then(|| 1 << (self.field().0 - 1))
    }
}

/// The part of a matrix that a thread holds, in the same registers in every thread.
#[derive(Debug, Clone)]
pub struct Fragment {
    pub element: Element,
    pub registers: Vec<Register>,
}

impl Fragment {
    /// Elements that a thread holds.
    pub fn len(&self) -> usize {
        self.registers.len() * self.element.per_register()
    }

    /// Encoding of element `i` of a thread.
    pub fn get(&self, cta: &Cta, thread: usize, i: usize) -> u64 {
        let per = self.element.per_register();
        let (width, above) = self.element.field();
        let low = (i % per) as u32 * self.element.container() + above;
        let mask = if width == 64 { u64::MAX } else { (1 << width) - 1 };
        cta.register(self.registers[i / per], thread) >> low & mask
    }

    /// Writes all elements of a thread.
    pub fn set(&self, cta: &mut Cta, thread: usize, elements: &[u64]) {
        let per = self.element.per_register();
        let (_, above) = self.element.field();
        for (register, held) in self.registers.iter().zip(elements.chunks(per)) {
            let place = |i: usize| i as u32 * self.element.container() + above;
            let word = held.iter().enumerate().fold(0, |word, (i, element)| word | element << place(i));
            cta.set(*register, thread, word);
        }
    }
}
