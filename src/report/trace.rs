//! Two traces beside each other, with the first difference marked.

use crate::compute::record::Signal;
use crate::engine::Trace;

/// A table of all signals of two traces: name, value in one, value in the other. The first differing row is marked.
pub fn side_by_side(left_name: &str, left: &Trace, right_name: &str, right: &Trace) -> String {
    let difference = left.first_difference(right);
    let mut rows =
        vec![(String::new(), "stage".to_owned(), "signal".to_owned(), left_name.to_owned(), right_name.to_owned())];
    for ((signal, left), (_, right)) in left.values.iter().zip(&right.values) {
        for (element, (left, right)) in left.iter().zip(right).enumerate() {
            let first =
                difference.as_ref().is_some_and(|found| found.signal == signal.name && found.element == element);
            let mark = match (first, left == right) {
                (true, _) => "-->",
                (false, false) => "  !",
                (false, true) => "",
            };
            let name = element_name(signal, element);
            let stage = format!("{:?}", signal.stage).to_lowercase();
            rows.push((mark.to_owned(), stage, name, left.to_string(), right.to_string()));
        }
    }
    columns(&rows)
}

/// A table of all signals of one trace, where there is no other to hold it against.
pub fn one_trace(name: &str, trace: &Trace) -> String {
    let mut rows = vec![["", "stage", "signal", name, ""].map(str::to_owned).into()];
    for (signal, values) in &trace.values {
        for (element, value) in values.iter().enumerate() {
            let stage = format!("{:?}", signal.stage).to_lowercase();
            rows.push((String::new(), stage, element_name(signal, element), value.to_string(), String::new()));
        }
    }
    columns(&rows)
}

fn element_name(signal: &Signal, element: usize) -> String {
    if signal.elements == 1 { signal.name.to_owned() } else { format!("{}[{element}]", signal.name) }
}

fn columns(rows: &[(String, String, String, String, String)]) -> String {
    let width = |pick: fn(&(String, String, String, String, String)) -> &String| {
        rows.iter().map(|row| pick(row).len()).max().unwrap_or(0)
    };
    let (stage, name, left, right) =
        (width(|row| &row.1), width(|row| &row.2), width(|row| &row.3), width(|row| &row.4));
    let lines = rows
        .iter()
        .map(|row| format!("{:3} {:stage$}  {:name$}  {:>left$}  {:>right$}", row.0, row.1, row.2, row.3, row.4));
    lines.map(|line| format!("{}\n", line.trim_end())).collect()
}
