//! A study that is run: size by size, curve by curve.

use std::collections::BTreeMap;
use std::time::Instant;

use rayon::{ThreadPool, ThreadPoolBuilder};
use serde::{Deserialize, Serialize};

use super::curve::Prepared;
use super::entries::Entries;
use super::error::{EXPONENT_MAX, StudyError};
use super::file::{Arithmetic, Curve, Distribution, Drawn, Study};
use super::matrices::{Given, draw};
use super::norms::{Errors, Measure};
use super::truth;
use crate::describe::format::{Format, Rounding};
use crate::describe::instruction::Instruction;
use crate::emit::digest;

/// Counts changes of what is computed: points that were kept before one are computed again.
const REVISION: u32 = 1;

/// A curve at one size.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Point {
    pub curve: String,
    /// K, the size of square matrices.
    pub size: usize,
    /// Rows of the product that were computed, of those there are.
    pub rows: [usize; 2],
    pub errors: Errors,
    /// Time that the curve took.
    pub seconds: f64,
    /// Which of the ways to multiply, for people.
    pub path: String,
    /// Of all that it depends on but the size: a point with the same need not be computed again.
    pub digest: String,
}

/// A study with all that is needed to run it.
#[derive(Debug)]
pub struct Run<'a> {
    pub study: &'a Study,
    /// A and B, where they come from files.
    pub given: Option<Given>,
    /// Threads; as many as there are processors without.
    pub threads: Option<usize>,
}

/// Matrices of one size with their truth.
struct Case {
    a: Entries,
    b: Entries,
    measure: Measure,
    /// Rows of the whole A.
    rows: usize,
}

impl Run<'_> {
    /// Sizes with their places.
    pub(super) fn sizes(&self) -> Vec<(usize, usize)> {
        match &self.given {
            Some(given) => vec![(0, given.a.columns)],
            None => self.study.said.matrices.chosen(),
        }
    }

    /// Products of numbers at all sizes, those of the truth among them: what progress counts.
    pub fn products(&self) -> u64 {
        let of = |(_, size): (usize, usize)| {
            let (m, n) = self.given.as_ref().map_or((size, size), |given| (given.a.rows, given.b.columns));
            let rows = self.study.said.matrices.rows.unwrap_or(m).min(m);
            let curves: usize = self.study.computed().map(|(curve, _)| curve.products.len()).sum();
            (rows * n * size * (curves + 1)) as u64
        };
        self.sizes().into_iter().map(of).sum()
    }

    /// A digest of all that the point of a curve depends on but the size, which stands in a place of the study. Of the computation
    /// itself it has the version and [`REVISION`].
    fn digest(&self, place: usize, curve: &Curve, instruction: &Instruction) -> String {
        let said = &self.study.said;
        let arithmetic = Curve { published: BTreeMap::new(), ..curve.clone() };
        // Other sizes change nothing but the seed.
        let seed = said.matrices.seed_of(place);
        let drawn = Drawn { sizes: Vec::new(), largest: None, seed, seed_step: 0, ..said.matrices.clone() };
        let of = (env!("CARGO_PKG_VERSION"), REVISION);
        let text = serde_json::to_string(&(of, drawn, &said.truth, arithmetic, instruction));
        let mut bytes = text.unwrap_or_default().into_bytes();
        for entries in self.given.iter().flat_map(|given| [&given.a, &given.b]) {
            bytes.extend(format!("{} x {}", entries.rows, entries.columns).bytes());
            bytes.extend(entries.values.iter().flat_map(|value| value.to_bits().to_le_bytes()));
        }
        digest(&bytes)
    }

    fn pool(&self) -> Result<ThreadPool, StudyError> {
        Ok(ThreadPoolBuilder::new().num_threads(self.threads.unwrap_or(0)).build()?)
    }

    /// Refuses given matrices that do not fit each other or a curve, before anything is computed. Drawn ones are seen when they are
    /// drawn.
    ///
    /// # Errors
    /// Those of [`Run::run`] that tell of matrices.
    pub fn check(&self) -> Result<(), StudyError> {
        let Some(given) = &self.given else { return Ok(()) };
        let [whole, b] = self.matrices(0, given.a.columns)?;
        let a = self.rows_of(whole);
        let mut curves = self.study.computed();
        let fit = |(curve, instruction)| Prepared::of(curve, instruction, &a, &b).map(drop);
        self.pool()?.install(|| curves.try_for_each(fit))
    }

    /// All points: those `known`, and those that are missing, of which `done` is told each one as it is there; where it fails the
    /// study stops. `progress` is told products.
    ///
    /// # Errors
    /// Matrices do not fit each other, a curve, or the memory; or `done` failed.
    pub fn run(
        &self,
        known: &[Point],
        progress: &(dyn Fn(u64) + Sync),
        done: &mut (dyn FnMut(&Point) -> std::io::Result<()> + Send),
    ) -> Result<Vec<Point>, StudyError> {
        self.pool()?.install(|| {
            let mut points = Vec::new();
            for (place, size) in self.sizes() {
                let mut case = None;
                for (curve, instruction) in self.study.computed() {
                    let digest = self.digest(place, curve, instruction);
                    if let Some(point) = known.iter().find(|point| point.size == size && point.digest == digest) {
                        points.push(point.clone());
                        continue;
                    }
                    let case = match &mut case {
                        Some(case) => case,
                        none => none.insert(self.case(place, size, progress)?),
                    };
                    let point = Point { digest, ..case.point(curve, instruction, progress)? };
                    done(&point).map_err(StudyError::Stopped)?;
                    points.push(point);
                }
            }
            Ok(points)
        })
    }

    /// A and B of a size.
    pub(super) fn matrices(&self, place: usize, size: usize) -> Result<[Entries; 2], StudyError> {
        let drawn = &self.study.said.matrices;
        let mut room: Vec<f64> = Vec::new();
        // B, its words and what is left of it.
        if self.given.is_none() && room.try_reserve_exact(size * size * 4).is_err() {
            return Err(StudyError::Memory { size });
        }
        drop(room);
        let [mut a, mut b] = match &self.given {
            Some(given) => [given.a.clone(), given.b.clone()],
            None => draw(drawn, place, size),
        };
        if a.columns != b.rows {
            return Err(StudyError::Sizes { a: [a.rows, a.columns], b: [b.rows, b.columns] });
        }
        if let Some(format) = drawn.format.as_deref().and_then(Format::named) {
            [a, b] = [a, b].map(|entries| entries.rounded(&format, Rounding::NearestEven));
        }
        check_entries("A", &a)?;
        check_entries("B", &b)?;
        Ok([a, b])
    }

    /// The rows that are computed.
    fn rows_of(&self, whole: Entries) -> Entries {
        let count = self.study.said.matrices.rows.map_or(whole.rows, |rows| rows.min(whole.rows));
        if count == whole.rows { whole } else { whole.spread(count) }
    }

    /// The matrices of a size and their true product.
    fn case(&self, place: usize, size: usize, progress: &(dyn Fn(u64) + Sync)) -> Result<Case, StudyError> {
        let [whole, b] = self.matrices(place, size)?;
        let rows = whole.rows;
        let operands = Measure::operands(&whole, &b);
        let a = self.rows_of(whole);
        let truth = truth::product(self.study.said.truth.arithmetic, &a, &b, progress);
        let magnitudes = truth::magnitudes(&a, &b);
        let share = rows as f64 / a.rows as f64;
        Ok(Case { a, b, measure: Measure { operands, share, truth, magnitudes }, rows })
    }
}

impl Case {
    fn point(
        &self,
        curve: &Curve,
        instruction: &Instruction,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Point, StudyError> {
        let start = Instant::now();
        let computed = curve.compute(instruction, &self.a, &self.b, progress)?;
        if let Some(place) = computed.results.iter().position(|result| !result.is_finite()) {
            let (size, columns, result) = (self.a.columns, self.b.columns, computed.results[place]);
            let (row, column) = (place / columns, place % columns);
            let message = format!(
                "K = {size}: the result in row {row} of those computed, column {column}, is {result}; allowed: matrices \
                 whose products are numbers"
            );
            return Err(StudyError::Curve { curve: curve.name.clone(), message });
        }
        Ok(Point {
            curve: curve.name.clone(),
            size: self.a.columns,
            rows: [self.a.rows, self.rows],
            errors: self.measure.errors(&computed.results),
            seconds: start.elapsed().as_secs_f64(),
            path: computed.path,
            digest: String::new(),
        })
    }
}

fn check_entries(matrix: &'static str, entries: &Entries) -> Result<(), StudyError> {
    let [least, greatest] = [-EXPONENT_MAX, EXPONENT_MAX].map(|exponent| 2f64.powi(exponent));
    let fits = |value: &f64| *value == 0.0 || (least..=greatest).contains(&value.abs());
    match entries.values.iter().find(|value| !fits(value)) {
        None if entries.values.iter().all(|value| *value == 0.0) => Err(StudyError::Zero { matrix }),
        None => Ok(()),
        Some(&value) => Err(StudyError::Entry { matrix, value }),
    }
}

impl Study {
    /// The file names of A and B, where they come from files.
    pub fn files(&self) -> Option<[std::path::PathBuf; 2]> {
        match &self.said.matrices.distribution {
            Distribution::Files { a, b } => Some([a, b].map(|name| self.folder.join(name))),
            _ => None,
        }
    }
}

impl Arithmetic {
    /// For people.
    pub fn title(self) -> &'static str {
        match self {
            Arithmetic::Compensated => "compensated sums of exact products, in twice the precision of binary64",
            Arithmetic::Binary64 => "products and sums in binary64, K ascending",
        }
    }
}
