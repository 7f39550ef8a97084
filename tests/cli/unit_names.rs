//! Names of units that would be no names of modules and files, or those of others.

use super::bad_units::{changed, refused};

#[test]
fn names_out_of_range() {
    let cases = [
        ("\"mine\"", "\"Mine\"", "`name` is \"Mine\"; allowed: at most 64 lower-case letters"),
        ("\"mine\"", "\"../mine\"", "`name` is \"../mine\"; allowed: at most 64 lower-case letters"),
        ("\"mine\"", "\"always-ff\"", "`name` is \"always-ff\"; allowed: a name that is no keyword"),
        ("\"mine\"", "\"wire\"", "`name` is \"wire\"; allowed: a name that is no keyword of SystemVerilog"),
        ("\"mine\"", "\"tensorsmith-align\"", "allowed: a name that does not begin as the modules of the library do"),
        ("\"mine\"", "\"std\"", "`name` is \"std\"; allowed: a name that is no package of SystemVerilog"),
        ("\"mine\"", "\"mine-registered\"", "allowed: a name that does not end as the registered module"),
        ("\"mine\"", "\"\"", "`name` is \"\"; allowed: at most 64 lower-case letters"),
    ];
    for (from, to, message) in cases {
        refused(changed(from, to), &[message]);
    }
}
