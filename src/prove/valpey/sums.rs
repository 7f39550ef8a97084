//! Section 4.3: accumulation order and normalisation of partial sums.

use super::units::{device, finite, operations, part, positive, without_addend};
use super::{Question, Row, published, row};
use crate::compute::word::Word;
use crate::prove::InputTerms;

pub(super) fn rows() -> Vec<Row> {
    vec![
        row(
            "accumulation-order",
            "section 4.3, property 3; table 4",
            "three products with (p1 + p2) + p3 other than p1 + (p2 + p3), each sum rounded toward zero",
            published("9.87", "0.25"),
            accumulation_order,
        ),
        row(
            "normalisation",
            "section 4.3, property 4; table 4",
            "positive a, b, c with (p1 + p2) + c, each sum rounded toward zero, other than the sum normalised once",
            published("9.63", "0.25"),
            normalisation,
        ),
    ]
}

fn accumulation_order() -> Question {
    Question::new(|| {
        let chain = |order| operations("fma-chain", 3, "binary32", "toward-zero", order);
        let inputs = without_addend(&chain("ascending"));
        let parts = ["ascending", "descending"].map(|order| part(chain(order), &inputs));
        let differ = !parts[0].terms.answer.equals(parts[1].terms.answer);
        (differ & finite(&inputs, &parts[0].unit), parts.into())
    })
}

fn normalisation() -> Question {
    Question::new(|| {
        let each = operations("pairwise", 2, "binary32", "toward-zero", "");
        let once = device("volta-fp16-fp32", 2, true);
        let inputs = InputTerms::new(&once);
        let parts = vec![part(each, &inputs), part(once, &inputs)];
        let differ = !parts[0].terms.answer.equals(parts[1].terms.answer);
        (differ & positive(&inputs, &parts[1].unit), parts)
    })
}
