//! What a handle holds: a unit or an instruction, its shape, and how often its events were seen. Nothing in it changes but those
//! numbers, so that threads share it as it is.

use std::ffi::CString;
use std::sync::atomic::{AtomicU64, Ordering};

use tensorsmith_numerics::compute::events::{Coverage, Event, unreachable};
use tensorsmith_numerics::describe::format::Format;
use tensorsmith_numerics::describe::instruction::Instruction;
use tensorsmith_numerics::describe::interface::Interface;
use tensorsmith_numerics::describe::plan::Plan;
use tensorsmith_numerics::describe::subject::Subject;
use tensorsmith_numerics::describe::unit::Flags;

/// Sizes of vectors and answers. Widths are bits of an encoding.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Shape {
    /// K: products of one result.
    pub products: u32,
    /// Scales of a in one vector, and as many of b; 0 where there are none.
    pub scales: u32,
    pub a_width: u32,
    pub b_width: u32,
    /// 0 where there is no addend.
    pub c_width: u32,
    pub d_width: u32,
    /// 0 where there are no scales.
    pub scale_a_width: u32,
    pub scale_b_width: u32,
    /// Exception flags of a result: 0 or 2.
    pub flags_width: u32,
    /// Rows of the instruction's own D; 1 for a unit.
    pub m: u32,
    /// Columns of the instruction's own D; 1 for a unit.
    pub n: u32,
    /// Zeros; later versions of the library may use them.
    pub reserved: [u32; 5],
}

/// A unit or an instruction that answers.
pub struct Unit {
    /// No other handle has the same.
    pub number: u64,
    pub instruction: Instruction,
    pub interface: Interface,
    /// Whether events can be counted and stages be shown: an instruction's blocks have their own.
    pub is_unit: bool,
    pub name: CString,
    /// Names of the formats of a, b, c, d and the scales of a and b; empty where there are none.
    pub formats: [CString; 6],
    /// The events that the unit can show, and how often each was counted.
    pub events: Vec<Counted>,
    vectors: AtomicU64,
}

/// What a handle points to may be used and closed by any thread: without that nothing compiles.
pub const fn may_be_shared<T: Send + Sync>() {}
const _: () = may_be_shared::<Unit>();

/// An event, and how often it was counted.
pub struct Counted {
    pub event: Event,
    pub name: CString,
    pub count: AtomicU64,
}

/// The number of the next handle.
static NEXT: AtomicU64 = AtomicU64::new(0);

fn c_string(text: &str) -> CString {
    CString::new(text).unwrap_or_default()
}

impl Unit {
    pub fn new(subject: &Subject) -> Unit {
        let (instruction, interface) = (subject.instruction(), subject.interface());
        let (is_unit, formats) = (matches!(subject, Subject::Unit(_)), &interface.formats);
        let name = |format: &Format| c_string(if format.is_absent() { "" } else { &format.name });
        let scales = interface.scales.as_ref();
        let [scale_a, scale_b] = scales.map_or_else(Default::default, |scales| [name(&scales.a), name(&scales.b)]);
        let plan = Plan::of(&instruction.unit);
        let of_unit = |event: &&Event| is_unit && unreachable(&plan, **event).is_none();
        let counted = |&event: &Event| Counted { event, name: c_string(event.name()), count: AtomicU64::new(0) };
        Unit {
            number: NEXT.fetch_add(1, Ordering::Relaxed),
            is_unit,
            name: c_string(subject.name()),
            formats: [name(&formats.a), name(&formats.b), name(&formats.c), name(&formats.d), scale_a, scale_b],
            events: Event::ALL.iter().filter(of_unit).map(counted).collect(),
            vectors: AtomicU64::new(0),
            instruction,
            interface,
        }
    }

    pub fn shape(&self) -> Shape {
        let Interface { products, formats, scales, flags, .. } = &self.interface;
        let scale = |of: fn(&_) -> &Format| scales.as_ref().map_or(0, |scales| of(scales).width());
        Shape {
            products: *products,
            scales: self.interface.scale_count(),
            a_width: formats.a.width(),
            b_width: formats.b.width(),
            c_width: if self.interface.has_addend() { formats.c.width() } else { 0 },
            d_width: formats.d.width(),
            scale_a_width: scale(|scales: &tensorsmith_numerics::describe::unit::Scales| &scales.a),
            scale_b_width: scale(|scales| &scales.b),
            flags_width: if *flags { Flags::WIDTH } else { 0 },
            m: self.instruction.shape.m,
            n: self.instruction.shape.n,
            reserved: [0; 5],
        }
    }

    /// Adds what an engine has counted since `before`.
    pub fn count(&self, before: Option<&Coverage>, after: &Coverage) {
        let new = |of: &dyn Fn(&Coverage) -> u64| of(after) - before.map_or(0, of);
        self.vectors.fetch_add(new(&Coverage::vectors), Ordering::Relaxed);
        for counted in &self.events {
            counted.count.fetch_add(new(&|coverage| coverage.of(counted.event)), Ordering::Relaxed);
        }
    }

    /// Vectors whose events were counted.
    pub fn vectors(&self) -> u64 {
        self.vectors.load(Ordering::Relaxed)
    }
}
