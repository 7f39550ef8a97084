//! One element of a product with every intermediate, as text.

use crate::cli::output::say;
use crate::cli::table::table;
use tensorsmith::study::Trace;

/// Numbers on a line.
const ON_A_LINE: usize = 6;

pub(super) fn show(trace: &Trace) {
    let Trace { curve, unit, row, column, .. } = trace;
    say!("{curve}, by {unit}: D[{row}][{column}]");
    let words = |name: &str, words: &[Vec<f64>]| (1..=words.len()).map(|word| format!("{name}{word}")).collect();
    let [a, b]: [Vec<String>; 2] = [words("A", &trace.words_a), words("B", &trace.words_b)];
    let headings = [vec!["k".to_owned(), "a".to_owned()], a, vec!["b".to_owned()], b].concat();
    let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
    let row = |k: usize| {
        let of = |words: &[Vec<f64>]| words.iter().map(|word| number(word[k])).collect::<Vec<_>>();
        let [a, b] = [of(&trace.words_a), of(&trace.words_b)];
        [vec![k.to_string(), number(trace.a[k])], a, vec![number(trace.b[k])], b].concat()
    };
    let rows = (0..trace.a.len()).map(row).collect();
    say!("{}", table(&headings, &(0..headings.len()).collect::<Vec<_>>(), rows));
    for product in &trace.products {
        let [first, second] = product.words;
        say!("A{first} B{second} = {}", number(product.sum));
        lines("after each step", &product.steps);
        lines("parts of K", &product.parts);
    }
    let (result, truth, error) = (number(trace.result), number(trace.truth), trace.error);
    say!("result {result}, truth {truth}, error {error:.3e}, relative {:.3e}\n", trace.relative());
}

fn lines(name: &str, numbers: &[f64]) {
    for (place, some) in numbers.chunks(ON_A_LINE).enumerate() {
        let name = if place == 0 { format!("{name}:") } else { " ".repeat(name.len() + 1) };
        say!("  {name} {}", some.iter().map(|&one| number(one)).collect::<Vec<_>>().join("  "));
    }
}

/// The shortest decimal that stands for the number alone.
fn number(value: f64) -> String {
    let magnitude = value.abs();
    if value == 0.0 || (1e-4..1e7).contains(&magnitude) { value.to_string() } else { format!("{value:e}") }
}
