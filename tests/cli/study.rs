//! `study` on the command line: its list, a study of one's own, what is kept, and what is refused.

use super::program::Folder;

const OWN: &str = r#"
name    = "own"
summary = "one and three products of tf32"

[matrices]
distribution = { kind = "uniform", low = -1.0, high = 1.0 }
sizes        = [8, 16]

[[curves]]
name  = "1xTF32"
unit  = "hopper-tf32-fp32"
input = [{ format = "binary32" }]
published = { frobenius = { 8 = 1e-4 } }

[[curves]]
name     = "3xTF32"
unit     = "hopper-tf32-fp32"
input    = [{ format = "binary32" }]
words    = { count = 2 }
products = [[1, 1], [1, 2], [2, 1]]

[[claims]]
text    = "three products are better than one"
curve   = "3xTF32"
against = "1xTF32"
norm    = "frobenius"
ratio   = [0.0, 1.0]
"#;

#[test]
fn studies_are_listed_and_shown() {
    let folder = Folder::new();
    let list = folder.succeed(&["study"]).stdout;
    for name in ["markidis", "ootomo-yokota", "valero-lara-figure-4", "fp8-promotion", "ozaki-int8"] {
        assert!(list.contains(&format!("| {name} ")), "{list}");
    }
    let shown = folder.succeed(&["study", "fp8-promotion", "--show"]).stdout;
    folder.write("mine.toml", shown);
    let both = ["fp8-promotion", "./mine.toml"].map(|name| {
        let run = folder.succeed(&["study", name, "--sizes", "64", "--rows", "2", "--csv", "errors.csv"]);
        (run.stdout.lines().take(6).map(str::to_owned).collect::<Vec<_>>(), folder.read("errors.csv"))
    });
    assert_eq!(both[0], both[1]);
}

#[test]
fn a_study_of_ones_own() {
    let folder = Folder::new();
    folder.write("own.toml", OWN);
    let run = folder.succeed(&["study", "own.toml", "--out", "made", "--json", "errors.json", "--svg", "errors.svg"]);
    assert!(
        run.stdout.contains("claim: three products are better than one: computed errors bear it"),
        "{}",
        run.stdout
    );
    assert!(run.stdout.contains("4 errors, 0 of them computed before"), "{}", run.stdout);
    let report = folder.json("errors.json");
    assert_eq!(report["points"].as_array().map(Vec::len), Some(4));
    assert_eq!(report["claims"][0]["borne_by_computed"], true);
    for name in ["errors.svg", "made/frobenius.svg", "made/backward.svg"] {
        assert!(folder.read(name).contains("class=\"curve of-1\""), "{name}");
    }
    let page = folder.read("made/index.html");
    assert!(page.contains("three products are better than one") && page.contains("(1.000e-4)"), "{page}");
    assert_eq!(folder.read("made/errors.csv").lines().count(), 5);
    // A run that was ended has half a line; what stands before it is not computed again.
    let points = folder.read("made/points.jsonl");
    let kept: String = points.split_inclusive('\n').take(2).collect();
    folder.write("made/points.jsonl", format!("{kept}{{\"curve\""));
    let run = folder.succeed(&["study", "own.toml", "--out", "made"]);
    assert!(run.stdout.contains("4 errors, 2 of them computed before"), "{}", run.stdout);
    // Other matrices share none.
    let run = folder.succeed(&["study", "own.toml", "--out", "made", "--seed", "9"]);
    assert!(run.stdout.contains("4 errors, 0 of them computed before"), "{}", run.stdout);
    folder.write("made/points.jsonl", "no point\n");
    let run = folder.run(&["study", "own.toml", "--out", "made"]);
    assert!(run.code == 2 && run.stderr.contains("points.jsonl: line 1: "), "{run:?}");
}

/// A size that stands elsewhere in the list has another seed, and so another point; the page says of how many rows.
#[test]
fn points_have_the_seed_of_their_size() {
    let folder = Folder::new();
    let with = |sizes: &str| {
        let sizes = format!("sizes = {sizes}\nseed_step = 1\nrows = 12");
        folder.write("own.toml", OWN.replace("sizes        = [8, 16]", &sizes));
        folder.succeed(&["study", "own.toml", "--out", "made"]).stdout
    };
    assert!(with("[8]").contains("2 errors, 0 of them computed before"));
    assert!(with("[4, 8]").contains("4 errors, 0 of them computed before"));
    let said = with("[4, 8, 16]");
    assert!(said.contains("6 errors, 4 of them computed before") && said.contains("at most 12 rows of 16"), "{said}");
    let page = folder.read("made/index.html");
    assert!(page.contains("Computed: at most 12 rows of 16."), "{page}");
}

#[test]
fn devices_take_the_units_place() {
    let folder = Folder::new();
    let arguments = ["study", "bf16x9", "--sizes", "32", "--rows", "4", "--curve", "bf16", "--curve", "SGEMM"];
    let run = folder.succeed(&[&arguments[..], &["--device", "A100,V100", "--json", "-"]].concat());
    let report: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON alone");
    let curves: Vec<&str> =
        report["points"].as_array().expect("points").iter().filter_map(|p| p["curve"].as_str()).collect();
    assert_eq!(curves, ["bf16 A100", "SGEMM"]);
    assert_eq!(report["without"][0], "bf16 V100");
}

/// A name with a comma is one name, and what goes to standard output stands there alone.
#[test]
fn one_curve_on_standard_output() {
    let folder = Folder::new();
    let curve = "4 products, main first";
    let run = folder.succeed(&["study", "markidis", "--sizes", "16", "--rows", "2", "--curve", curve, "--csv", "-"]);
    let mut table = csv::Reader::from_reader(run.stdout.as_bytes());
    let names: Vec<String> = table.records().map(|row| row.expect("a row")[0].to_owned()).collect();
    assert!(!names.is_empty() && names.iter().all(|name| name == curve), "{}", run.stdout);
    let run = folder.succeed(&["study", "markidis", "--sizes", "16", "--rows", "2", "--curve", curve, "--svg", "-"]);
    assert!(run.stdout.starts_with("<svg") && run.stdout.ends_with("</svg>\n"), "{}", run.stdout);
}

/// Every curve looks different: in its colour, or in strokes and marks.
#[test]
fn curves_of_one_colour_differ() {
    let folder = Folder::new();
    let picture = |curves: usize| {
        let head = &OWN[..OWN.find("[[curves]]").expect("curves")];
        let curve = |number| {
            format!(
                "[[curves]]\nname = \"{number}\"\nunit = \"hopper-tf32-fp32\"\n\
                 published = {{ l1 = {{ 8 = 1e-4 }}, frobenius = {{ 8 = 1e-4 }} }}\n"
            )
        };
        folder.write("many.toml", head.to_owned() + &(0..curves).map(curve).collect::<String>());
        folder.succeed(&["study", "many.toml", "--svg", "-"]).stdout
    };
    let eight = picture(8);
    let dashed = |line: &str| line.contains("class=\"curve") && line.contains("stroke-dasharray=");
    assert!(!eight.lines().any(dashed) && !eight.contains("<polygon"), "{eight}");
    let many = picture(40);
    let looks = |kind: &str| -> Vec<String> {
        let of = |line: &str| {
            let (shape, rest) = line.split_once(&format!(" class=\"{kind} "))?;
            let corners = line.split_once("points=").map_or(0, |(_, points)| points.split(' ').count());
            let corners = if kind == "curve" { 0 } else { corners };
            let look = rest.split(" points=").next()?.split(" cx=").next()?;
            Some(format!("{shape} {look} {corners}"))
        };
        let mut all: Vec<String> = many.lines().filter_map(of).collect();
        all.sort_unstable();
        all.dedup();
        all
    };
    assert_eq!(looks("curve").len(), 40, "{many}");
    // Squares and diamonds have four corners each, and stand otherwise.
    assert!(looks("published").len() >= 8 * 3 && looks("point").len() >= 8 * 3, "{many}");
}

/// What a study says of itself stands above its tables, on its page and in its report.
#[test]
fn notes_are_shown() {
    let folder = Folder::new();
    let run = folder.succeed(&["study", "bf16x9", "--sizes", "8", "--out", "made", "--json", "report.json"]);
    let report = folder.json("report.json");
    let notes = report["study"]["notes"].as_array().expect("notes").iter();
    let notes: Vec<&str> = notes.map(|note| note.as_str().expect("a text")).collect();
    assert!(notes.iter().any(|note| note.contains("i + j = 6")), "{notes:?}");
    let page = folder.read("made/index.html");
    for text in notes.iter().copied().chain(report["study"]["source"].as_str()) {
        assert!(run.stdout.contains(text), "{text}: {}", run.stdout);
        let words: Vec<&str> = text.split('\'').collect();
        assert!(words.iter().all(|words| page.contains(words)), "{text}: {page}");
    }
}

#[test]
fn matrices_from_files() {
    let folder = Folder::new();
    let files = OWN.replace(
        "{ kind = \"uniform\", low = -1.0, high = 1.0 }",
        "{ kind = \"files\", a = \"a.txt\", b = \"b.txt\" }",
    );
    folder.write("own.toml", files.replace("sizes        = [8, 16]", ""));
    folder.write("a.txt", "1 0.1\n0 2\n3 4\n");
    folder.write("b.txt", "1\n0.3\n");
    let run = folder.succeed(&["study", "own.toml"]);
    assert!(run.stdout.contains("at most 3 rows of 3"), "{}", run.stdout);
    folder.write("b.txt", "1 0.3\n");
    folder.refuse(&["study", "own.toml"], &["A is [3, 2] and B [1, 2]"]);
    folder.write("b.txt", "0\n0\n");
    folder.refuse(&["study", "own.toml"], &["B is zero everywhere"]);
    folder.write("b.txt", "1e300\n0.3\n");
    folder.refuse(&["study", "own.toml"], &["an entry of B is 1e300", "2^-400"]);
    folder.refuse(&["study", "own.toml", "--sizes", "3"], &["--sizes", "come from files"]);
}

/// What is refused, at the start or later, leaves no folder; what was computed before stays.
#[test]
fn bad_input_leaves_no_folder() {
    let folder = Folder::new();
    let refuse = |parts: &[&str]| folder.refuse(&["study", "own.toml", "--out", "made/deep"], parts);
    refuse(&["own.toml: cannot be read"]);
    let files = "{ kind = \"files\", a = \"a.npy\", b = \"b.txt\" }";
    let files = OWN.replace("{ kind = \"uniform\", low = -1.0, high = 1.0 }", files);
    // The second curve alone takes no number of that size.
    let files = files.replace("sizes        = [8, 16]", "").replacen("hopper-tf32-fp32", "fma-fp64", 1);
    folder.write("own.toml", files.replace("hopper-tf32-fp32", "hopper-fp16-fp32"));
    folder.write("b.txt", "1\n0.3\n");
    refuse(&["a.npy"]);
    folder.write("a.npy", "no array");
    refuse(&["a.npy"]);
    folder.write("own.toml", folder.read("own.toml").replace("a.npy", "a.txt"));
    folder.write("a.txt", "1 2 3\n");
    refuse(&["A is [1, 3] and B [2, 1]"]);
    folder.write("a.txt", "1 1e6\n");
    refuse(&["curve \"3xTF32\"", "an entry of A is 1e6"]);
    folder.write("own.toml", OWN.replace("low = -1.0, high = 1.0", "low = 1e6, high = 2e6").replace("tf32", "fp16"));
    refuse(&["an entry of A is 1."]);
    folder.write("own.toml", OWN);
    folder.write("made", "a file");
    refuse(&["made is no folder"]);
    // Longer than a name may be, below a folder that is not there yet.
    let long = format!("new/{}", "a".repeat(300));
    folder.refuse(&["study", "own.toml", "--out", &long], &[&long, "cannot be created"]);
}

/// Folders that cannot be made or written are refused by the name that was given, before anything is computed: these products would not
/// end in a test's time.
#[cfg(target_os = "linux")]
#[test]
fn folders_that_cannot_be_written_are_refused_before() {
    let folder = Folder::new();
    folder.write("own.toml", OWN.replace("sizes        = [8, 16]", "sizes = [8, 16384]"));
    std::os::unix::fs::symlink("nowhere", folder.path("link")).expect("a link");
    for (out, why) in [
        ("link", "link: cannot be created: link is no folder"),
        ("link/deep", "link/deep: cannot be created: link is no folder"),
        // Nobody creates anything there.
        ("/proc/made", "/proc/made: cannot be "),
        ("/proc", "/proc: cannot be written"),
    ] {
        let run = folder.run(&["study", "own.toml", "--out", out]);
        assert!(run.code == 2 && run.stdout.is_empty() && run.stderr.contains(why), "{out}: {run:?}");
    }
    let left: Vec<_> = std::fs::read_dir(folder.path("")).expect("a folder").collect();
    assert_eq!(left.len(), 2, "{left:?}");
}

#[test]
fn elements_step_by_step() {
    let folder = Folder::new();
    folder.write("own.toml", OWN);
    let run = folder.succeed(&["study", "own.toml", "--trace", "7,0"]);
    assert!(run.stdout.contains("3xTF32, by hopper-tf32-fp32: D[7][0]"), "{}", run.stdout);
    assert!(run.stdout.contains("A2 B1 = ") && run.stdout.contains("after each step: "), "{}", run.stdout);
    folder.refuse(&["study", "own.toml", "--trace", "8,0"], &["element 8,0", "0,0 to 7,7"]);
    folder.refuse(&["study", "own.toml", "--trace", "1"], &["--trace", "two whole numbers"]);
}

#[test]
fn errors_far_from_published_ones_fail() {
    let folder = Folder::new();
    folder.write("own.toml", OWN);
    let run = folder.run(&["study", "own.toml", "--within", "1"]);
    assert!(run.code == 1 && run.stderr.contains("1xTF32, frobenius, n = 8: "), "{run:?}");
    folder.succeed(&["study", "own.toml", "--within", "99%"]);
    folder.refuse(&["study", "bf16x9", "--sizes", "8", "--within", "1"], &["nothing was published"]);
    // Some rows say nothing of the greatest error of all.
    folder.write("max.toml", OWN.replace("{ frobenius = { 8 = 1e-4 } }", "{ max = { 8 = 1e-2 } }"));
    assert_eq!(folder.run(&["study", "max.toml", "--within", "1"]).code, 1);
    folder.succeed(&["study", "max.toml", "--within", "1", "--rows", "4"]);
}

/// What would be without effect is refused: devices where no curve takes them, and the upper half of a seed.
#[test]
fn options_without_effect_are_refused() {
    let folder = Folder::new();
    folder.write("own.toml", OWN);
    folder.refuse(&["study", "own.toml", "--device", "A100"], &["--device", "devices = true"]);
    let figure = ["study", "valero-lara-figure-5", "--sizes", "8", "--seed"];
    folder.refuse(&[&figure[..], &["4294967296"]].concat(), &["--seed", "4294967296", "0 to 4294967295"]);
    folder.succeed(&[&figure[..], &["4294967295"]].concat());
}

#[test]
fn bad_studies_are_refused() {
    let folder = Folder::new();
    folder.refuse(&["study", "figure-4"], &["\"figure-4\" is no study", "valero-lara-figure-4"]);
    folder.refuse(&["study", "none.toml"], &["none.toml: cannot be read"]);
    folder.refuse(&["study", "bf16x9", "--device", "H999"], &["H999", "H100"]);
    folder.refuse(&["study", "bf16x9", "--curve", "bf16x8"], &["--curve", "bf16x8", "\"bf16x9\""]);
    folder.refuse(&["study", "bf16x9", "--csv", "-", "--json", "-"], &["- stands twice"]);
    folder.refuse(&["study", "bf16x9", "--rows", "0"], &["--rows", "1 to 32768"]);
    for (from, to, parts) in [
        ("sizes        = [8, 16]", "sizes = [16, 8]", &["own.toml", "`matrices.sizes`", "ascending"][..]),
        ("sizes        = [8, 16]", "sizes = [99999]", &["`matrices.sizes`", "99999", "1 to 32768"]),
        ("low = -1.0", "low = 1.0", &["`matrices.distribution`", "low < high"]),
        ("low = -1.0", "lo = -1.0", &["own.toml", "unknown field `lo`"]),
        ("name     = \"3xTF32\"", "name = \"3x\\u001b[31m\"", &["`curves[1].name`", "one line"]),
        ("count = 2", "count = 17", &["`curves[1].words.count`", "17", "1 to 16"]),
        ("[2, 1]]", "[3, 1]]", &["`curves[1].products`", "[3, 1]", "pairs of 1 to 2"]),
        ("hopper-tf32-fp32\"", "hopper-tf33\"", &["curve \"1xTF32\", unit", "hopper-tf33"]),
        ("hopper-tf32-fp32\"", "integer-int8-int32\"", &["integer-int8-int32", "slice_bits"]),
        ("hopper-tf32-fp32\"", "blackwell-nvf4-fp32\"", &["blackwell-nvf4-fp32", "without scales"]),
        ("binary32\" }]\nwords", "float\" }]\nwords", &["`curves[1].input.format`", "\"float\"", "binary32"]),
        ("ratio   = [0.0, 1.0]", "ratio = [1.0, 0.5]", &["`claims[0].ratio`", "[1.0, 0.5]", "the lesser first"]),
        ("\n[matrices]", "norms = [\"max\", \"max\"]\n[matrices]", &["`norms`", "\"max\" twice", "each norm once"]),
        ("[[claims]]", "[units.mine]\nscheme = \"fused\"\n[[claims]]", &["`units.mine`", "named by no curve"]),
        ("curve   = \"3xTF32\"", "curve = \"2x\"", &["`claims[0].curve`", "\"2x\"", "3xTF32"]),
        ("words    =", "promote_every = 5\nwords =", &["curve \"3xTF32\", promote_every", "5", "multiples of"]),
        ("name     = \"3xTF32\"", "name = \"1xTF32\"", &["`curves[1].name`", "each name once"]),
        ("8 = 1e-4", "0 = 1e-4", &["`curves[0].published`", "\"0\"", "1 to 32768"]),
        ("8 = 1e-4", "18446744073709551615 = 1e-4", &["`curves[0].published`", "1 to 32768"]),
        ("8 = 1e-4", "8 = nan", &["`curves[0].published`", "NaN at 8", "above 0"]),
        (
            "words    =",
            "promote_every = 4\npromote_products = [[2, 2]]\nwords =",
            &["`curves[1].promote_products`", "[2, 2]", "some of products"],
        ),
        (
            "words    =",
            "promote_products = [[1, 1]]\nwords =",
            &["`curves[1].promote_products`", "none without promote_every"],
        ),
        ("words    =", "split_k = { none = 2 }\nwords =", &["`curves[1].split_k`", "\"none\""]),
        ("summary", "sumary", &["own.toml", "sumary"]),
    ] {
        assert!(OWN.contains(from), "{from}");
        folder.write("own.toml", OWN.replace(from, to));
        folder.refuse(&["study", "./own.toml"], parts);
    }
    // Results that are no numbers are no errors of 0.
    let large =
        OWN.replace("kind = \"uniform\", low = -1.0, high = 1.0", "kind = \"log-uniform\", exponents = [66, 70]");
    folder.write("own.toml", large);
    folder.refuse(&["study", "own.toml"], &["curve \"1xTF32\"", "the result in row", "inf"]);
    // A number that a word does not hold, which only the matrices tell.
    folder.write(
        "own.toml",
        OWN.replace("low = -1.0, high = 1.0", "low = 1e6, high = 2e6").replace("hopper-tf32", "hopper-fp16"),
    );
    folder.refuse(
        &["study", "own.toml"],
        &["curve \"1xTF32\"", "an entry of A is 1.", "6.5504e4, the largest of binary16"],
    );
}

/// Additions outside the unit take binary32, and no other format of 32 bits.
#[test]
fn promoted_sums_are_binary32() {
    let folder = Folder::new();
    let biased = OWN.replacen("hopper-tf32-fp32", "biased", 1).replacen("input", "split_k = 2\ninput", 1);
    let d = "{ exponent_bits = 8, fraction_bits = 23, bias = 126, non_finite = \"ieee\" }";
    let unit = format!(
        "[units.biased]\nsummary = \"a bias of 126\"\nscheme = \"fused\"\nproducts = 4\n\
         formats = {{ a = \"tf32\", b = \"tf32\", c = \"binary32\", d = {d} }}\n\
         alignment = {{ fraction_bits = 24, rounding = \"toward-zero\", exponent_floor = -132 }}\n\
         conversion = {{ rounding = \"toward-zero\", overflow = \"infinity\" }}\n[[claims]]"
    );
    folder.write("own.toml", biased.replace("[[claims]]", &unit));
    folder.refuse(&["study", "own.toml"], &["curve \"1xTF32\", unit", "\"biased\"", "whose c and d are binary32"]);
    let unit = unit.replace("bias = 126", "bias = 127");
    folder.write("own.toml", biased.replace("[[claims]]", &unit));
    folder.succeed(&["study", "own.toml", "--sizes", "8"]);
}
