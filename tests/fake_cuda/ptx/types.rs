//! Types of PTX: which registers an instruction of a type accepts (PTX ISA, "Operand Type Checking"). No values here.

/// What the bits of a type mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    Bits,
    Unsigned,
    Signed,
    Float,
    Predicate,
}

/// A fundamental type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Type {
    pub meaning: Meaning,
    /// Bits; 1 for a predicate.
    pub width: u32,
}

impl Type {
    pub const PREDICATE: Type = Type { meaning: Meaning::Predicate, width: 1 };
    pub const B32: Type = Type { meaning: Meaning::Bits, width: 32 };
    pub const B64: Type = Type { meaning: Meaning::Bits, width: 64 };
    pub const F32: Type = Type { meaning: Meaning::Float, width: 32 };
    pub const F64: Type = Type { meaning: Meaning::Float, width: 64 };
    pub const S32: Type = Type { meaning: Meaning::Signed, width: 32 };

    /// The type of that name, without the dot.
    pub fn named(name: &str) -> Option<Type> {
        let (meaning, width) = match name {
            "pred" => return Some(Type::PREDICATE),
            "f16x2" => (Meaning::Float, "32"),
            _ => {
                let meaning = match name.chars().next()? {
                    'b' => Meaning::Bits,
                    'u' => Meaning::Unsigned,
                    's' => Meaning::Signed,
                    'f' => Meaning::Float,
                    _ => return None,
                };
                (meaning, &name[1..])
            }
        };
        let width = width.parse().ok()?;
        let exists = matches!((meaning, width), (Meaning::Float, 16 | 32 | 64) | (_, 8 | 16 | 32 | 64));
        (exists && meaning != Meaning::Predicate).then_some(Type { meaning, width })
    }

    /// Bytes in memory.
    pub fn bytes(self) -> usize {
        self.width as usize / 8
    }

    /// Mask of its bits.
    pub fn mask(self) -> u64 {
        if self.width == 64 { u64::MAX } else { (1 << self.width) - 1 }
    }

    /// Whether an instruction of this type takes a register declared so: the same width; untyped bits agree with any meaning,
    /// and signed with unsigned.
    pub fn accepts(self, register: Type) -> bool {
        let number = |meaning| matches!(meaning, Meaning::Signed | Meaning::Unsigned);
        let meanings = self.meaning == register.meaning
            || (number(self.meaning) && number(register.meaning))
            || (self.meaning != Meaning::Predicate
                && register.meaning != Meaning::Predicate
                && (self.meaning == Meaning::Bits || register.meaning == Meaning::Bits));
        self.width == register.width && meanings
    }

    /// Whether a load or store of this type takes a register declared so: it may be wider.
    pub fn moves(self, register: Type) -> bool {
        let widened = Type { width: register.width, ..self };
        let meaning = self.meaning != Meaning::Float || self.width == register.width;
        self.width <= register.width && meaning && widened.accepts(register)
    }
}
