//! A study's errors: tables, CSV, pictures and a page, what was published beside what was computed.

mod picture;

use std::collections::BTreeMap;

use serde::Serialize;
use tera::{Context, Value};

use super::page::render;
use crate::study::{Claim, Curve, Norm, OnDevice, Point, Said};

pub use picture::curves_picture;

/// A study that was run.
#[derive(Debug, Serialize)]
pub struct StudyReport {
    /// Version of the program.
    pub tensorsmith: &'static str,
    /// Coordinated universal time.
    pub finished: String,
    pub study: Said,
    /// How the true product was computed, for people.
    pub truth: &'static str,
    /// Curves for which a device that was named has no instruction.
    pub without: Vec<String>,
    /// Curves on devices that were named, with the instruction of each.
    pub devices: Vec<OnDevice>,
    pub points: Vec<Point>,
    pub claims: Vec<ClaimOutcome>,
}

/// What the curves say to a claim.
#[derive(Debug, PartialEq, Serialize)]
pub struct ClaimOutcome {
    pub claim: Claim,
    /// Ratios by size, of computed errors and of published ones.
    pub computed: BTreeMap<usize, f64>,
    pub published: BTreeMap<usize, f64>,
    /// Whether all ratios are in the claim's range; none where there are none.
    pub borne_by_computed: Option<bool>,
    pub borne_by_published: Option<bool>,
}

/// An error with what was published for it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Pair {
    pub computed: Option<f64>,
    pub published: Option<f64>,
}

/// The error that was published for a curve and a size.
fn published(curve: &Curve, norm: Norm, size: usize) -> Option<f64> {
    curve.published.get(&norm)?.get(&size.to_string()).copied()
}

impl StudyReport {
    pub fn new(
        study: &crate::study::Study,
        devices: Vec<OnDevice>,
        finished: String,
        points: Vec<Point>,
    ) -> StudyReport {
        let without = devices.iter().filter(|own| own.instruction.is_none()).map(|own| own.curve.clone()).collect();
        let mut report = StudyReport {
            tensorsmith: super::VERSION,
            finished,
            truth: study.said.truth.arithmetic.title(),
            study: study.said.clone(),
            without,
            devices,
            points,
            claims: Vec::new(),
        };
        report.claims = report.study.claims.iter().map(|claim| report.outcome(claim)).collect();
        report
    }

    /// Sizes that were computed, ascending.
    pub fn sizes(&self) -> Vec<usize> {
        let mut sizes: Vec<usize> = self.points.iter().map(|point| point.size).collect();
        sizes.sort_unstable();
        sizes.dedup();
        sizes
    }

    /// How many rows were computed, in words.
    pub fn rows(&self) -> String {
        let [computed, all] = self.points.iter().map(|point| point.rows).max().unwrap_or_default();
        format!("at most {computed} rows of {all}")
    }

    pub(super) fn pair(&self, curve: &Curve, norm: Norm, size: usize) -> Pair {
        let point = self.points.iter().find(|point| point.curve == curve.name && point.size == size);
        Pair { computed: point.map(|point| point.errors.of(norm)), published: published(curve, norm, size) }
    }

    fn curve(&self, name: &str) -> Option<&Curve> {
        self.study.curves.iter().find(|curve| curve.name == name)
    }

    fn outcome(&self, claim: &Claim) -> ClaimOutcome {
        let ratios = |of: fn(Pair) -> Option<f64>| -> BTreeMap<usize, f64> {
            let Some((curve, against)) = self.curve(&claim.curve).zip(self.curve(&claim.against)) else {
                return BTreeMap::new();
            };
            let published = [curve, against].into_iter().flat_map(|curve| curve.published.get(&claim.norm));
            let sizes = published.flat_map(BTreeMap::keys).filter_map(|size| size.parse().ok());
            let ratio = |size| {
                let error = |curve| of(self.pair(curve, claim.norm, size));
                Some((size, error(curve)? / error(against)?))
            };
            sizes.chain(self.sizes()).filter_map(ratio).collect()
        };
        let [computed, published] = [ratios(|pair| pair.computed), ratios(|pair| pair.published)];
        let [least, greatest] = claim.ratio;
        let borne = |ratios: &BTreeMap<usize, f64>| {
            (!ratios.is_empty()).then(|| ratios.values().all(|ratio| (least..=greatest).contains(ratio)))
        };
        ClaimOutcome {
            claim: claim.clone(),
            borne_by_computed: borne(&computed),
            borne_by_published: borne(&published),
            computed,
            published,
        }
    }

    /// The greatest distance of a computed error from the published one, as a share of the latter: curve, norm, size. Of a point with
    /// some rows only in norms that these estimate.
    pub fn farthest(&self) -> Option<(f64, &str, Norm, usize)> {
        let apart = self.points.iter().flat_map(|point| {
            let [rows, all] = point.rows;
            let norms = self.study.norms.iter().filter(move |norm| rows == all || norm.is_estimated_by_rows());
            norms.filter_map(move |&norm| {
                let published = published(self.curve(&point.curve)?, norm, point.size)?;
                let share = (point.errors.of(norm) - published).abs() / published;
                Some((share, point.curve.as_str(), norm, point.size))
            })
        });
        apart.max_by(|one, other| one.0.total_cmp(&other.0))
    }

    /// Headings and rows of a table of errors: a size a row, a curve a column, what was published in parentheses.
    pub fn table(&self, norm: Norm) -> (Vec<String>, Vec<Vec<String>>) {
        let headings = ["n".to_owned()].into_iter().chain(self.study.curves.iter().map(|curve| curve.name.clone()));
        let cell = |pair: Pair| match (pair.computed, pair.published) {
            (Some(computed), Some(published)) => format!("{computed:.3e} ({published:.3e})"),
            (Some(computed), None) => format!("{computed:.3e}"),
            (None, Some(published)) => format!("({published:.3e})"),
            (None, None) => String::new(),
        };
        let row = |size: usize| {
            let cells = self.study.curves.iter().map(|curve| cell(self.pair(curve, norm, size)));
            [size.to_string()].into_iter().chain(cells).collect()
        };
        (headings.collect(), self.sizes().into_iter().map(row).collect())
    }

    /// A line a point: curve, unit, size, rows, then each norm and what was published for it.
    ///
    /// # Errors
    /// None of a string's.
    pub fn csv(&self) -> Result<String, csv::Error> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let norms = Norm::ALL.map(Norm::name);
        let beside = norms.map(|norm| format!("published_{norm}"));
        let heading = ["curve", "unit", "size", "rows", "rows_of"].into_iter().map(str::to_owned);
        writer.write_record(heading.chain(norms.map(str::to_owned)).chain(beside))?;
        for point in &self.points {
            let Some(curve) = self.curve(&point.curve) else { continue };
            let unit = curve.unit.clone().unwrap_or_default();
            let place = [point.curve.clone(), unit, point.size.to_string()].into_iter();
            let rows = point.rows.map(|rows| rows.to_string());
            let errors = Norm::ALL.map(|norm| format!("{:e}", point.errors.of(norm)));
            let published = Norm::ALL
                .map(|norm| published(curve, norm, point.size).map_or(String::new(), |error| format!("{error:e}")));
            writer.write_record(place.chain(rows).chain(errors).chain(published))?;
        }
        let bytes = writer.into_inner().map_err(|error| error.into_error())?;
        Ok(String::from_utf8(bytes).unwrap_or_default())
    }
}

impl ClaimOutcome {
    /// What the curves say, in words.
    pub fn verdict(&self) -> String {
        let side = |what: &str, ratios: &BTreeMap<usize, f64>, borne: Option<bool>| {
            let (first, last) = ratios.first_key_value().zip(ratios.last_key_value())?;
            let ends = match first == last {
                true => format!("{:.3} at {}", first.1, first.0),
                false => format!("{:.3} at {}, {:.3} at {}", first.1, first.0, last.1, last.0),
            };
            let bears = if borne? { "bear it" } else { "do not bear it" };
            Some(format!("{what} errors {bears}: {} over {} is {ends}", self.claim.curve, self.claim.against))
        };
        let computed = side("computed", &self.computed, self.borne_by_computed);
        let published = side("published", &self.published, self.borne_by_published);
        let all: Vec<String> = [published, computed].into_iter().flatten().collect();
        if all.is_empty() { "neither curve was computed".to_owned() } else { all.join("; ") }
    }
}

/// The study as one page that needs nothing else.
///
/// # Errors
/// The template is broken.
pub fn study_page(report: &StudyReport) -> Result<String, tera::Error> {
    let mut context = Context::from_serialize(report)?;
    let norms = &report.study.norms;
    // Pictures are escaped when they are drawn.
    let pictures: Vec<Value> = norms.iter().map(|&norm| Value::safe_string(&curves_picture(report, norm))).collect();
    context.insert_value("pictures", Value::from(pictures));
    let tables: Vec<_> = norms.iter().map(|&norm| (norm.title(), report.table(norm))).collect();
    context.insert("tables", &tables);
    let verdicts: Vec<_> = report.claims.iter().map(|outcome| (&outcome.claim.text, outcome.verdict())).collect();
    context.insert("verdicts", &verdicts);
    context.insert("devices_text", &report.devices.iter().map(OnDevice::text).collect::<Vec<_>>());
    context.insert("rows", &report.rows());
    render("study.html", context, tera::escape_html)
}
