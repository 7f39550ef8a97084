//! `formats` on the command line.

use super::program::Folder;

#[test]
fn formats_have_their_ends() {
    let run = Folder::new().succeed(&["formats", "--json", "-"]);
    let rows: Vec<serde_json::Value> = serde_json::from_str(&run.stdout).expect("JSON alone");
    let row = |name: &str| rows.iter().find(|row| row["name"] == name).unwrap_or_else(|| panic!("{name}"));
    for (name, precision, epsilon, subnormal, normal, largest) in [
        ("binary64", 53, f64::EPSILON, f64::from_bits(1), f64::MIN_POSITIVE, f64::MAX),
        ("binary32", 24, f32::EPSILON.into(), f32::from_bits(1).into(), f32::MIN_POSITIVE.into(), f32::MAX.into()),
        ("binary16", 11, 2f64.powi(-10), 2f64.powi(-24), 2f64.powi(-14), 65504.0),
        ("e4m3", 4, 0.125, 2f64.powi(-9), 2f64.powi(-6), 448.0),
    ] {
        let row = row(name);
        assert_eq!(row["precision"], precision, "{name}");
        let values = ["epsilon", "smallest_subnormal", "smallest_normal", "largest"].map(|field| row[field].as_f64());
        assert_eq!(values, [epsilon, subnormal, normal, largest].map(Some), "{name}");
    }
    assert!(row("ue8m0")["smallest_subnormal"].is_null() && row("int8")["epsilon"].is_null());
    assert!(rows.iter().all(|row| row["units"].as_u64() > Some(0)), "a format of no unit");
}
