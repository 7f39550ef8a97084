//! Named, seeded generators of vectors, shaped so that every stage of a unit has something to do.
//!
//! A chunk of vectors is a pure function of unit, seed and chunk number. Uniform random bits alone are a hollow stimulus:
//! a fifth of them are NaN or infinite, and the addend rarely meets the products.
//!
//! Vectors of one class are drawn together, one in a lane of numbers (`lanes`): sixteen where 32 bits are enough for the unit's
//! formats, eight elsewhere. They are drawn in registers of AVX-512 where the processor has them, lane by lane elsewhere, with
//! the same vectors.
//!
//! Architecture invariant: knows descriptions only, never a plan or an engine's answer.

mod classes;
mod draw;
mod exceptions;
mod exhaustive;
mod fill;
mod integers;
mod late_addend;
mod multiply_add;
mod operand;
mod scaled;
mod shape;
mod vectors;

pub use exhaustive::{Exhaustive, INPUT_BITS_MAX};
pub use operand::Operand;

use crate::describe::interface::Frame;
use crate::describe::unit::{Scheme, Unit};
use crate::engine::Batch;
use crate::lanes::{Lanes, Work};
use draw::{Draw, Source};
use scaled::Scaled;
use shape::Shape;
use vectors::Vectors;

/// Vectors in one chunk: few enough to stay in a processor's cache while engines answer them.
pub const CHUNK: usize = 1024;

/// Calls a generator as a function of its own: all in one would take the compiler minutes.
macro_rules! work {
    ($vectors:ident.$generate:ident($source:ident)) => {{
        struct Generator;
        impl<L: Lanes> Work<Vectors<'_, L>, Source<L>> for Generator {
            #[inline(always)]
            fn run(vectors: &mut Vectors<'_, L>, source: &mut Source<L>) {
                vectors.$generate(&mut Draw::new(source));
            }
        }
        L::call::<Vectors<L>, Source<L>, Generator>($vectors, $source)
    }};
}

/// Work for which lanes of 32 bits are not enough.
macro_rules! wide {
    ($work:expr) => {
        if L::BITS == 64 { $work } else { unreachable!("the class has lanes of 64 bits") }
    };
}

macro_rules! classes {
    (
        floating-point: $($(#[$doc:meta])* $class:ident = $name:literal => $generate:ident),*;
        multiply-add: $($(#[$add_doc:meta])* $add:ident = $add_name:literal => $add_generate:ident),*;
        late-addend: $($(#[$late_doc:meta])* $late:ident = $late_name:literal => $late_generate:ident),*;
        integer: $($(#[$integer_doc:meta])* $integer:ident = $integer_name:literal => $integer_generate:ident),*;
        flags: $($(#[$flags_doc:meta])* $flags:ident = $flags_name:literal => $flags_generate:ident),*;
    ) => {
        /// A kind of stimulus.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Class {
            $($(#[$doc])* $class,)*
            $($(#[$add_doc])* $add,)*
            $($(#[$late_doc])* $late,)*
            $($(#[$integer_doc])* $integer,)*
            $($(#[$flags_doc])* $flags,)*
        }

        impl Class {
            /// Every class.
            pub const ALL: &'static [Class] =
                &[$(Class::$class,)* $(Class::$add,)* $(Class::$late,)* $(Class::$integer,)* $(Class::$flags),*];

            /// Classes of floating-point units, in the order in which vectors alternate.
            const FLOATING_POINT: &'static [Class] = &[$(Class::$class),*];

            /// Classes of chains of fused multiply-adds: a fused sum cuts its products before any rounding, so that the
            /// last ones would have nothing to show there.
            const MULTIPLY_ADD: &'static [Class] = &[$(Class::$class,)* $(Class::$add),*];

            /// Classes of units that add the addend to the sum of the products.
            const LATE_ADDEND: &'static [Class] = &[$(Class::$class,)* $(Class::$late),*];

            /// Classes of integer units, in the order in which vectors alternate.
            const INTEGER: &'static [Class] = &[Class::Uniform, $(Class::$integer),*];

            /// Classes of floating-point units with exception flags.
            const WITH_FLAGS: &'static [Class] = &[$(Class::$class,)* $(Class::$flags),*];

            /// Whether it needs lanes of 64 bits whatever the formats are: it computes with exact products.
            fn is_wide(self) -> bool {
                matches!(self, $(Class::$add)|* | $(Class::$integer)|*)
            }

            /// Name in reports and on the command line.
            pub fn name(self) -> &'static str {
                match self {
                    $(Class::$class => $name,)*
                    $(Class::$add => $add_name,)*
                    $(Class::$late => $late_name,)*
                    $(Class::$integer => $integer_name,)*
                    $(Class::$flags => $flags_name,)*
                }
            }

            /// Draws one vector of this class in every lane.
            #[inline(always)]
            fn generate<L: Lanes>(self, vectors: &mut Vectors<L>, source: &mut Source<L>) {
                match self {
                    $(Class::$class => work!(vectors.$generate(source)),)*
                    $(Class::$add => wide!(work!(vectors.$add_generate(source))),)*
                    $(Class::$late => work!(vectors.$late_generate(source)),)*
                    $(Class::$integer => wide!(work!(vectors.$integer_generate(source))),)*
                    $(Class::$flags => work!(vectors.$flags_generate(source)),)*
                }
            }
        }
    };
}

classes! {
    floating-point:
    /// Uniform random encodings, of integers too.
    Uniform = "uniform" => uniform,
    /// All terms within a few binades of each other.
    Close = "close" => close,
    /// Terms near both edges of the alignment window.
    WindowEdge = "window-edge" => window_edge,
    /// Sums half way between two results, or next to half way.
    Tie = "tie" => tie,
    /// Large terms that cancel, and a small rest.
    Cancellation = "cancellation" => cancellation,
    /// Subnormal operands, addends and results.
    Subnormal = "subnormal" => subnormal,
    /// Zeros of both signs among ordinary numbers.
    Zero = "zero" => zero,
    /// Infinities and NaN among ordinary numbers.
    NonFinite = "non-finite" => non_finite,
    /// Sums around the largest finite result.
    OverflowEdge = "overflow-edge" => overflow_edge,
    /// Largest significands in one binade and of one sign: the largest carry.
    CarryOut = "carry-out" => carry_out,
    /// No addend, and products around the least exponent an anchor can have.
    Floor = "floor" => floor,
    /// Small integers and powers of two, as in published feature tests.
    Simple = "simple" => simple,
    /// Every special value in every operand position, in turn.
    SpecialPosition = "special-position" => special_position;

    multiply-add:
    /// A product and minus its leading bits: what it has below the last place of c remains.
    Residue = "residue" => residue,
    /// A product just beside half a unit in the last place of c.
    DoubleRounding = "double-rounding" => double_rounding,
    /// A product half way between two results, and c anywhere below it.
    TieBreaker = "tie-breaker" => tie_breaker,
    /// Sums just beside the least normal result.
    LeastNormal = "least-normal" => least_normal,
    /// Products that overflow, alone or together, beside an infinite addend.
    OverflowBesideInfinity = "overflow-beside-infinity" => overflow_beside_infinity;

    late-addend:
    /// An addend just below a power of two, and products around its last place.
    BinadeEdge = "binade-edge" => binade_edge,
    /// An addend around the least exponent at which it is kept.
    AddendEdge = "addend-edge" => addend_edge;

    integer:
    /// Integers next to zero.
    SmallIntegers = "small-integers" => small_integers,
    /// The least and the greatest integers, their neighbours, and -1, 0 and 1.
    ExtremeIntegers = "extreme-integers" => extreme_integers,
    /// Products that cancel each other or the addend, and a small rest.
    IntegerCancellation = "integer-cancellation" => integer_cancellation,
    /// Sums around the greatest and the least result.
    IntegerOverflow = "integer-overflow" => integer_overflow,
    /// Largest products of one sign.
    LargestSums = "largest-sums" => largest_sums;

    flags:
    /// Infinities, zeros and NaN, signalling and quiet, in several operands at once.
    Exceptions = "exceptions" => exceptions;
}

impl Class {
    /// The classes that fit a unit, in the order in which vectors alternate.
    pub fn of(unit: &Unit) -> &'static [Class] {
        match unit.scheme {
            Scheme::Fused | Scheme::Exact if unit.conversion.flags => Class::WITH_FLAGS,
            // Nothing is lost before the one rounding.
            Scheme::Exact => Class::MULTIPLY_ADD,
            Scheme::Fused | Scheme::BlockScaled => Class::FLOATING_POINT,
            Scheme::Integer => Class::INTEGER,
            scheme if scheme.rounds_each_operation() => Class::MULTIPLY_ADD,
            _ => Class::LATE_ADDEND,
        }
    }

    /// The class of that name.
    pub fn named(name: &str) -> Option<Class> {
        Class::ALL.iter().copied().find(|class| class.name() == name)
    }
}

/// Shaped vectors of one unit: the classes take turns.
#[derive(Debug, Clone)]
pub struct Stimulus {
    shape: Shape,
    scaled: Option<Scaled>,
    seed: u64,
    classes: Vec<Class>,
    /// Whether lanes of 32 bits are enough.
    short: bool,
}

impl Stimulus {
    /// All classes that fit a unit, or a frame, in turn.
    pub fn shaped(frame: impl Into<Frame>, seed: u64) -> Stimulus {
        let frame = frame.into();
        let classes = Class::of(&frame.unit).to_vec();
        Stimulus::of_classes(frame, seed, classes)
    }

    /// Only the given classes, which fit the unit, in turn.
    ///
    /// # Panics
    /// There is no class, or one that does not fit the unit.
    pub fn of_classes(frame: impl Into<Frame>, seed: u64, classes: Vec<Class>) -> Stimulus {
        let frame = frame.into();
        assert!(!classes.is_empty(), "a stimulus has at least one class");
        assert!(classes.iter().all(|class| Class::of(&frame.unit).contains(class)), "the classes fit the unit");
        let shape = Shape::of(&frame);
        let short = shape.operands().into_iter().all(Operand::is_short) && !classes.iter().any(|class| class.is_wide());
        Stimulus { shape, scaled: Scaled::of(&frame), seed, classes, short }
    }

    /// A batch that fits the unit.
    pub fn empty_batch(&self) -> Batch {
        Batch::new(self.shape.products as u32, self.shape.scales as u32)
    }

    /// The class of vector `index` of the whole stimulus.
    pub fn class_of(&self, index: u64) -> Class {
        self.classes[(index % CHUNK as u64) as usize % self.classes.len()]
    }

    /// The classes that take turns.
    pub fn classes(&self) -> &[Class] {
        &self.classes
    }
}
