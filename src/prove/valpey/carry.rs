//! Section 4.4: how many carry bits the sum needs, of 5, 9 and 17 terms, in the paper's count and in that of unit files.

use super::units::device;
use super::{Expected, Published, Questions, Row, published, row};
use crate::describe::unit::Unit;
use crate::prove::property::{Subject, apart, no_overflow, with_carry_bits};

/// A device, its terms, and the carry bits that they need in the paper's count.
struct Sum {
    device: &'static str,
    products: u32,
    paper_bits: u32,
    /// Names of the rows: needed and enough in the paper's count, needed and enough in that of unit files.
    names: [&'static str; 4],
    times: Option<Published>,
}

const SUMS: [Sum; 3] = [
    Sum {
        device: "volta-fp16-fp32",
        products: 4,
        paper_bits: 3,
        names: [
            "5-terms-3-carry-bits",
            "5-terms-4-equal-3",
            "5-terms-3-carry-bits-above-window",
            "5-terms-4-equal-3-above-window",
        ],
        times: published("410.25", "72.793"),
    },
    Sum {
        device: "ampere-fp16-fp32",
        products: 8,
        paper_bits: 4,
        names: [
            "9-terms-4-carry-bits",
            "9-terms-5-equal-4",
            "9-terms-4-carry-bits-above-window",
            "9-terms-5-equal-4-above-window",
        ],
        times: published("> 6 h", "> 6 h"),
    },
    Sum {
        device: "hopper-fp16-fp32",
        products: 16,
        paper_bits: 5,
        names: [
            "17-terms-5-carry-bits",
            "17-terms-6-equal-5",
            "17-terms-5-carry-bits-above-window",
            "17-terms-6-equal-5-above-window",
        ],
        times: None,
    },
];

pub(super) fn rows() -> Vec<Row> {
    SUMS.iter().flat_map(of_sum).collect()
}

fn of_sum(sum: &'static Sum) -> Vec<Row> {
    // In the paper's count the window has one integer bit, in that of unit files two.
    let counts = [
        (true, 1, "section 4.3", "above one integer bit, products normalised to [1, 2)"),
        (
            false,
            0,
            "section 4.3, in the count of unit files",
            "above the window of two integer bits, products in [1, 4)",
        ),
    ];
    let mut rows = Vec::new();
    for (index, (normalised, fewer, source, count)) in counts.into_iter().enumerate() {
        let (bits, terms) = (sum.paper_bits, sum.products + 1);
        let unit = move || device(sum.device, sum.products, normalised);
        let compared = move |bits: [u32; 2]| apart(&bits.map(|bits| with_carry_bits(&unit(), bits)));
        let needed = format!("{terms} terms: some sum differs between {bits} and {} carry bits {count}", bits - 1);
        let times = sum.times.filter(|_| index == 0);
        let own = [bits - fewer, bits - fewer - 1];
        let mut some = row(sum.names[2 * index], source, needed, times, move || compared(own));
        some.task.premises = widths(unit, own, fewer);
        rows.push(some);

        let enough = format!("{terms} terms: no sum differs between {} and {bits} carry bits {count}", bits + 1);
        let more = [bits - fewer, bits - fewer + 1];
        let mut none = row(sum.names[2 * index + 1], source, enough, None, move || compared(more));
        none.task.expected = Expected::None;
        none.task.premises = widths(unit, more, fewer);
        rows.push(none);
    }
    rows
}

/// That no width overflows in either of the units with so many carry bits.
fn widths(unit: impl Fn() -> Unit + Copy + Send + Sync + 'static, bits: [u32; 2], fewer: u32) -> Questions {
    let mut premises: Questions = Vec::new();
    for bits in bits {
        let label = format!("no internal width overflows with {} carry bits", bits + fewer);
        premises.push((label, Box::new(move || no_overflow(&Subject::of(&Unit { carry_bits: Some(bits), ..unit() })))));
    }
    premises
}
