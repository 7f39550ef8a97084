//! Studies of whole products: published errors, claims of those who invented an algorithm, and elements step by step.

use std::path::Path;

use tensorsmith::study::{Entries, Given, Norm, PRESETS, Point, Run, Study, Trace, preset};

/// The errors of a study at some sizes.
fn points(study: &Study, sizes: &[usize], rows: Option<usize>) -> Vec<Point> {
    let mut study = study.clone();
    study.said.matrices.asked = Some(sizes.to_vec());
    study.said.matrices.rows = rows;
    let run = Run { study: &study, given: None, threads: None };
    run.run(&[], &|_| {}, &mut |_| Ok(())).unwrap_or_else(|error| panic!("{}: {error}", study.said.name))
}

fn named(name: &str) -> Study {
    preset(name).unwrap_or_else(|| panic!("{name} is a preset")).study()
}

fn error(points: &[Point], curve: &str, size: usize) -> f64 {
    let point = points.iter().find(|point| point.curve == curve && point.size == size);
    point.unwrap_or_else(|| panic!("{curve} at {size}")).errors.frobenius
}

/// How far errors are from those published, at most, as a share.
fn farthest(study: &Study, points: &[Point], norm: Norm, of: &[&str]) -> f64 {
    let mut compared = 0;
    let mut farthest: f64 = 0.0;
    for point in points.iter().filter(|point| of.contains(&point.curve.as_str())) {
        let curve = study.said.curves.iter().find(|curve| curve.name == point.curve).expect("its curve");
        let Some(published) = curve.published[&norm].get(&point.size.to_string()) else { continue };
        farthest = farthest.max((point.errors.of(norm) - published).abs() / published);
        compared += 1;
    }
    assert!(compared >= of.len(), "{compared} published errors compared");
    farthest
}

#[test]
fn every_preset_runs_and_its_notes_are_short() {
    for preset in PRESETS {
        let study = preset.study();
        assert_eq!(study.said.name, preset.name);
        assert!(!study.said.source.is_empty() && study.said.curves.len() > 3, "{}", preset.name);
        let points = points(&study, &[128], Some(4));
        assert_eq!(points.len(), study.computed().count(), "{}", preset.name);
        for Point { curve, errors, .. } in &points {
            let plausible = (0.0..1e-1).contains(&errors.frobenius) && errors.backward <= errors.relative;
            assert!(plausible, "{} {curve}: {errors:?}", preset.name);
        }
    }
}

/// TF64 as its authors computed it: every digit of figure 5 that binary64 can bear.
#[test]
fn errors_of_valero_lara_figure_5_are_the_published_ones() {
    let study = named("valero-lara-figure-5");
    let curves = ["SGEMM", "DGEMM", "1xTF64", "3xTF64", "4xTF64"];
    let sizes: &[usize] = if crate::support::long_tier() { &[128, 256, 512] } else { &[128, 256] };
    let all = points(&study, sizes, None);
    for norm in [Norm::L1, Norm::Frobenius, Norm::Max] {
        let farthest = farthest(&study, &all, norm, &curves);
        assert!(farthest < 1e-12, "{}: {farthest:e}", norm.name());
    }
    // Other matrices have other errors, and fewer rows estimate them.
    let mut other = study.clone();
    other.said.matrices.seed = 2;
    assert!(self::farthest(&other, &points(&other, &[128], None), Norm::Frobenius, &curves) > 1e-4);
    let sampled = self::farthest(&study, &points(&study, &[256], Some(64)), Norm::Frobenius, &curves);
    assert!((1e-9..0.02).contains(&sampled), "{sampled:e}");
}

/// Curves of cuBLAS on an A100, whose seeds nobody knows, follow from Ampere's unit and from no other.
#[test]
fn errors_of_valero_lara_figure_4_are_near_the_published_ones() {
    let study = named("valero-lara-figure-4");
    let curves = ["1xTF32", "3xTF32", "4xTF32"];
    let own = points(&study, &[128, 256, 512], Some(64));
    assert!(farthest(&study, &own, Norm::Frobenius, &curves) < 0.03);
    assert!(farthest(&study, &own, Norm::Frobenius, &["FP16 (mimic)", "SGEMM (CPU)"]) < 0.03);
    // Their CPU sums alone were published for fp16; a unit is as precise as one of tf32.
    let ratio = error(&own, "FP16 (unit)", 512) / error(&own, "1xTF32", 512);
    assert!((0.98..1.02).contains(&ratio), "{ratio}");
    // cuBLAS summed K in three parts at 256, and not in two.
    let text = preset("valero-lara-figure-4").expect("a preset").text;
    for (changed, size) in [
        (text.replace("split_k  = { 256 = 3 }", "split_k  = { 256 = 2 }"), 256),
        (text.replace("unit     = \"ampere-tf32-fp32\"", "unit     = \"hopper-tf32-fp32\""), 512),
    ] {
        let other = Study::from_toml(Path::new(""), "changed", &changed).expect("a study");
        let farthest = farthest(&other, &points(&other, &[size], Some(64)), Norm::Frobenius, &["3xTF32"]);
        assert!(farthest > 0.2, "{size}: {farthest}");
    }
}

/// A unit of Ampere's tf32 scheme with other constants: L products and F fraction bits, rounded so.
fn changed(text: &str, products: u32, fraction_bits: u32, rounding: &str) -> String {
    let unit = format!(
        "[units.changed]\nsummary = \"changed\"\nscheme = \"fused\"\nproducts = {products}\n\
         formats = {{ a = \"tf32\", b = \"tf32\", c = \"binary32\", d = \"binary32\" }}\n\
         alignment = {{ fraction_bits = {fraction_bits}, rounding = \"toward-zero\", exponent_floor = -132 }}\n\
         conversion = {{ rounding = \"{rounding}\", overflow = \"infinity\" }}\n\n[[claims]]"
    );
    let text = text.replace("\"ampere-tf32-fp32\"", "\"changed\"");
    text.replacen("[[claims]]", &unit, 1)
}

/// What grade `reported` of the composition of Ampere's tf32 instruction rests on: its chain is within 5 % of the published errors of
/// cuBLAS on an A100, and chains of units with other constants are not.
#[test]
fn published_curves_bear_a_reported_composition() {
    use tensorsmith::describe::catalogue;
    use tensorsmith::describe::unit::Grade;
    let reported = |name: &&str| catalogue::instruction(name).is_some_and(|own| own.evidence.grade == Grade::Reported);
    let graded: Vec<_> = catalogue::instruction_names().into_iter().filter(|name| reported(name)).collect();
    assert_eq!(graded, ["ampere-mma-m16n8k8-tf32-fp32"], "each has a test that bears it");
    let text = preset("valero-lara-figure-4").expect("a preset").text;
    let distance = |text: &str, size: usize| {
        let study = Study::from_toml(Path::new(""), "changed", text).expect("a study").only(&["3xTF32".to_owned()]);
        farthest(&study, &points(&study, &[size], Some(8)), Norm::Frobenius, &["3xTF32"])
    };
    for size in [128, 512] {
        // The preset's curve is that of the unit in the catalogue, and equals that of the description which is changed below.
        let own = distance(text, size);
        assert!(own < 0.05, "{size}: {own}");
        assert_eq!(own, distance(&changed(text, 4, 24, "toward-zero"), size), "{size}");
    }
    let others = [
        (4, 23, "toward-zero"),
        (4, 25, "toward-zero"),
        (8, 24, "toward-zero"),
        (2, 24, "toward-zero"),
        (4, 24, "nearest-even"),
    ];
    for (products, bits, rounding) in others {
        let other = distance(&changed(text, products, bits, rounding), 512);
        println!("L = {products}, F = {bits}, {rounding}: {:.1} % from the published errors", 100.0 * other);
        assert!(other > 0.4, "L = {products}, F = {bits}, {rounding}: {other}");
    }
}

/// Each algorithm does what it was invented for.
#[test]
fn algorithms_keep_their_promises() {
    let of = |name: &str, sizes: &[usize]| points(&named(name), sizes, Some(32));
    let markidis = of("markidis", &[128]);
    assert!(
        error(&markidis, "4 products, residuals first", 128) * 2.0 < error(&markidis, "4 products, main first", 128)
    );
    let scaled = of("ootomo-yokota", &[128]);
    let (outside, inside) = (error(&scaled, "fp16, 3 products", 128), error(&scaled, "fp16, summed in the unit", 128));
    assert!(outside < error(&scaled, "SGEMM", 128) && (2.4e-8..2.6e-8).contains(&inside), "{outside:e} {inside:e}");
    let blocks = of("fasi-2023", &[512]);
    for (curve, expected) in [
        ("double-tf32", 7.4e-8),
        ("double-tf32, blocks of 128", 2.0e-8),
        ("double-tf32, blocks of 64", 1.2e-8),
        ("double-tf32, blocks of 32", 0.78e-8),
    ] {
        let found = error(&blocks, curve, 512);
        assert!((found / expected - 1.0).abs() < 0.05, "{curve}: {found:e}");
    }
    let promoted = of("fp8-promotion", &[512]);
    assert!(error(&promoted, "every 128", 512) * 2.0 < error(&promoted, "in the unit", 512));
    let words = of("bf16x9", &[128]);
    assert!(error(&words, "bf16x9", 128) < error(&words, "SGEMM", 128));
    assert!(error(&words, "bf16x9", 128) * 10.0 < error(&words, "bf16x3", 128));
    // Slices are exact until binary64 ends.
    let slices = points(&named("ozaki-int8"), &[128], Some(8));
    assert!(error(&slices, "8 slices", 128) < error(&slices, "DGEMM", 128));
    assert!(error(&slices, "6 slices", 128) * 1e3 < error(&slices, "4 slices", 128));
}

/// Of Ootomo and Yokota's products only the main one leaves the unit. What the unit cuts of corrections hardly shows.
#[test]
fn corrections_are_summed_in_the_unit() {
    let curves = ["fp16, 3 products", "tf32, 3 products"];
    let study = named("ootomo-yokota").only(&curves.map(str::to_owned));
    let run = Run { study: &study, given: None, threads: None };
    for trace in run.trace(0, 0).expect("an element of the product") {
        for product in &trace.products {
            assert_eq!(product.parts.is_empty(), product.words != [1, 1], "{}, {:?}", trace.curve, product.words);
        }
    }
    let text = preset("ootomo-yokota").expect("a preset").text.replace("promote_products = [[1, 1]]\n", "");
    let all = Study::from_toml(Path::new(""), "changed", &text).expect("a study");
    let [own, all] = [&study, &all].map(|study| points(study, &[256], Some(32)));
    for curve in curves {
        let ratio = error(&own, curve, 256) / error(&all, curve, 256);
        assert!(ratio != 1.0 && (0.998..1.002).contains(&ratio), "{curve}: {ratio}");
    }
}

/// Compares the errors of whole products, on the kernels, with those of their elements step by step, on the scalar emulator. `check` sees
/// the traces of every element.
fn assert_traced(run: &Run, [rows, columns]: [usize; 2], check: &mut dyn FnMut(&[Trace])) {
    let name = &run.study.said.name;
    let points = run.run(&[], &|_| {}, &mut |_| Ok(())).unwrap_or_else(|error| panic!("{name}: {error}"));
    let (mut squares, mut relative) = (vec![0.0; points.len()], vec![0f64; points.len()]);
    for place in 0..rows * columns {
        let traces = run.trace(place / columns, place % columns).expect("an element of the product");
        for (number, trace) in traces.iter().enumerate() {
            squares[number] += trace.error * trace.error;
            relative[number] = relative[number].max(trace.relative());
        }
        check(&traces);
    }
    let first = points.iter().position(|point| point.errors.frobenius > 0.0).expect("a curve with errors");
    let scale = points[first].errors.frobenius / squares[first].sqrt();
    for (number, point) in points.iter().enumerate() {
        let (found, expected) = (squares[number].sqrt() * scale, point.errors.frobenius);
        assert!((found - expected).abs() <= expected * 1e-9, "{name} {}: {found:e} {expected:e}", point.curve);
        let (found, expected) = (relative[number], point.errors.relative);
        assert!((found - expected).abs() <= found * 1e-9, "{name} {}: {found:e} {expected:e}", point.curve);
    }
    assert!(run.trace(rows, 0).is_err(), "{name}");
}

#[test]
fn traces_are_the_whole_product() {
    const SIZE: usize = 6;
    for preset in PRESETS {
        let mut study = preset.study();
        study.said.matrices.asked = Some(vec![SIZE]);
        study.said.matrices.rows = None;
        assert_traced(&Run { study: &study, given: None, threads: None }, [SIZE; 2], &mut |_| ());
    }
}

/// A unit whose results have 13 fraction bits in a word of binary32, whose sums of parts fill all 23; and which of its products leave it.
const PARTS: &str = r#"
name    = "parts"
summary = "parts of K on a unit of fp8"

[matrices]
distribution = { kind = "files", a = "a", b = "b" }

[[curves]]
name = "in the unit"
unit = "hopper-e4m3-fp32"

[[curves]]
name          = "every 64"
unit          = "hopper-e4m3-fp32"
promote_every = 64

[[curves]]
name    = "3 parts"
unit    = "hopper-e4m3-fp32"
split_k = 3

[[curves]]
name             = "main product"
unit             = "hopper-e4m3-fp32"
words            = { count = 2, shift = 4 }
products         = [[1, 1], [1, 2], [2, 1]]
promote_every    = 32
promote_products = [[1, 1]]
"#;

#[test]
fn sums_of_parts_keep_bits_that_the_unit_leaves_empty() {
    const SIZES: [usize; 3] = [5, 4, 160];
    let study = Study::from_toml(Path::new(""), "parts.toml", PARTS).expect("a study");
    let [m, n, k] = SIZES;
    let entries = |rows: usize, columns: usize, step: f64| {
        let values = (1..=rows * columns).map(|place| (place as f64 * step).sin()).collect();
        Entries { rows, columns, values }
    };
    let given = Given { a: entries(m, k, 0.7), b: entries(k, n, 1.3) };
    let mut full = [0; 4];
    assert_traced(&Run { study: &study, given: Some(given), threads: None }, [m, n], &mut |traces| {
        for (trace, full) in traces.iter().zip(&mut full) {
            let parts: Vec<usize> = trace.products.iter().map(|product| product.parts.len()).collect();
            let expected: &[usize] = match trace.curve.as_str() {
                "in the unit" => &[0],
                "main product" => &[5, 0, 0],
                _ => &[3],
            };
            assert_eq!(parts, expected, "{}", trace.curve);
            *full += usize::from((trace.products[0].sum as f32).to_bits() & 0x3ff != 0);
        }
    });
    assert!(full[0] == 0 && full[1..].iter().all(|full| *full > 0), "{full:?}");
}
