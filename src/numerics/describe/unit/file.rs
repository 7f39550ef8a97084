//! Reading, writing and documenting unit files, as the table of their fields says. Whether a unit contradicts itself is checked
//! elsewhere.

use std::collections::BTreeMap;

use super::fields::{FIELDS, Schemes, UnitField};
use super::{Alignment, Build, PRODUCTS_MAX, Scheme, Unit};
use crate::describe::file::{Document, FileError, between_marks, table, text};

/// The fields of a scheme's files.
fn of_scheme(scheme: Scheme) -> impl Iterator<Item = &'static UnitField> {
    FIELDS.iter().filter(move |one| one.schemes.have(scheme))
}

impl Unit {
    /// Reads the text of a unit file, and checks each field by itself.
    pub(in crate::describe) fn parse(file: &str, text: &str) -> Result<Unit, FileError> {
        let document = Document::parse(file, text)?;
        let paths: Vec<&str> = FIELDS.iter().map(|one| one.field.path).collect();
        document.check_known(&paths)?;
        // Without a scheme the first field that is missing is named: at the latest the scheme.
        let mut scheme: Option<Scheme> = document.given("scheme").map(|given| given.parse()).transpose()?;
        if document.given("step").is_some() {
            if let Some(scheme) = scheme {
                return Err(document.refuse("scheme", format!("{:?}", scheme.name()), "nothing beside [[step]]"));
            }
            scheme = Some(Scheme::Steps);
        }
        let mut unit = Unit::plain(scheme.unwrap_or(Scheme::Fused));
        scheme.map_or(Ok(()), |scheme| check_scheme(&document, scheme))?;
        let whose = format!(" for {:?}", unit.scheme.name());
        if unit.scheme == Scheme::Steps && document.given("scales").is_some() {
            unit.scales = Unit::plain(Scheme::BlockScaled).scales;
        }
        let scaled = unit.scales.is_some();
        for one in of_scheme(unit.scheme).filter(|one| scaled || !one.field.path.starts_with("scales.")) {
            // A list may have more products than a named scheme.
            if unit.scheme != Scheme::Steps && ["products", "scales.block"].contains(&one.field.path) {
                let given = document.given(one.field.path);
                given.map_or(Ok(None), |given| given.number(&(1..=PRODUCTS_MAX.into()), None))?;
            }
            one.field.read(&document, &mut unit, &whose)?;
        }
        unit.alignment = Alignment::implied(unit.scheme, &unit.formats).or(unit.alignment);
        Ok(unit)
    }

    /// Checks each field by itself, of a unit that no file was read for; `file` names it in errors.
    pub(in crate::describe) fn check_fields(&self, file: &str) -> Result<(), FileError> {
        let whose = format!(" for {:?}", self.scheme.name());
        // As a reader does: a list may have more products than a named scheme.
        let block = self.scales.as_ref().map(|scales| ("scales.block", scales.block));
        let counts = [("products", self.products)].into_iter().chain(block).filter(|_| self.scheme != Scheme::Steps);
        if let Some((field, count)) = counts.into_iter().find(|(_, count)| !(1..=PRODUCTS_MAX).contains(count)) {
            return Err(FileError::value(file, field, count.to_string(), format!("1 to {PRODUCTS_MAX}")));
        }
        let (mut unit, mut read) = (self.clone(), Unit::plain(self.scheme));
        of_scheme(self.scheme).try_for_each(|one| one.field.check(file, &mut unit, &mut read, &whose))?;
        let implied = Alignment::implied(self.scheme, &self.formats);
        let (right, allowed) = match self.scheme.has_window() {
            true => (self.alignment.is_some(), format!("a table{whose}")),
            false => (self.alignment == implied, format!("{implied:?}{whose} of these formats")),
        };
        let error = || FileError::value(file, "alignment", format!("{:?}", self.alignment), allowed);
        right.then_some(()).ok_or_else(error)
    }

    /// The text of a unit file that [`Unit::from_toml`] reads as this unit. Nearly each field that the scheme has is written, also
    /// where it is the default; a format without a name of its own takes the name of its layout.
    pub fn to_toml(&self) -> String {
        text(of_scheme(self.scheme).map(|one| &one.field), self, &Unit::plain(self.scheme))
    }

    /// The same text without summary, build and evidence.
    pub fn arithmetic_to_toml(&self) -> String {
        Unit { summary: String::new(), build: Build::default(), evidence: BTreeMap::new(), ..self.clone() }.to_toml()
    }
}

/// A field, or a table of them, as unit files spell it for a unit: `24`, or `{ operands = "kept", ... }`.
pub fn spelled(unit: &Unit, path: &str) -> String {
    let mut unit = unit.clone();
    let mut of = |one: &UnitField| one.field.spelled(&mut unit).unwrap_or_default();
    if let Some(one) = FIELDS.iter().find(|one| one.field.path == path) {
        return of(one);
    }
    let mut entry =
        |one: &UnitField| format!("{} = {}", one.field.path.rsplit('.').next().unwrap_or_default(), of(one));
    let entries: Vec<String> = FIELDS.iter().filter(|one| one.field.is_within(path)).map(&mut entry).collect();
    format!("{{ {} }}", entries.join(", "))
}

/// Refuses tables and fields that only files of other schemes have.
fn check_scheme(document: &Document, scheme: Scheme) -> Result<(), FileError> {
    let has = |scheme: Scheme, path: &str| of_scheme(scheme).any(|one| one.field.is_within(path));
    for UnitField { field, .. } in FIELDS.iter().filter(|one| !one.schemes.have(scheme)) {
        let table = field.path.split('.').next().unwrap_or_default();
        let path = if has(scheme, table) { field.path } else { table };
        if document.given(path).is_some() {
            let others = Scheme::ALL.into_iter().filter(|&other| has(other, path));
            let others: Vec<String> = others.map(|other| format!("{:?}", other.name())).collect();
            let allowed = format!("nothing for {:?}, only for {}", scheme.name(), others.join(", "));
            return Err(document.refuse(path, "given", allowed));
        }
    }
    Ok(())
}

/// The names under which evidence for a unit is given: of floating-point schemes all have the same.
pub(in crate::describe) fn evidence_names(scheme: Scheme) -> Vec<&'static str> {
    let alike = |other: &Scheme| (*other == Scheme::Integer) == (scheme == Scheme::Integer);
    let schemes: Vec<Scheme> = match scheme {
        Scheme::Steps => vec![scheme],
        _ => Scheme::ALL.into_iter().filter(alike).collect(),
    };
    let fields = FIELDS.iter().filter(|one| schemes.iter().any(|other| one.schemes.have(*other)));
    let mut names: Vec<&str> = fields.filter_map(|one| one.evidence).collect();
    names.dedup();
    names
}

/// The documentation of unit files with what the table of fields says of them between its marks.
pub fn documentation(text: &str) -> String {
    let fields = FIELDS.iter().map(|UnitField { field, schemes, .. }| {
        let (example, of) = match *schemes {
            Schemes::All => (Scheme::Fused, "all".to_owned()),
            Schemes::FloatingPoint => (Scheme::Fused, "all but `\"integer\"`".to_owned()),
            Schemes::Named => (Scheme::Fused, "all but a list of steps".to_owned()),
            Schemes::These(some) => (
                some[0],
                some.iter()
                    .map(|one| match one {
                        Scheme::Steps => "a list of steps".to_owned(),
                        one => format!("`{:?}`", one.name()),
                    })
                    .collect::<Vec<_>>()
                    .join(", "),
            ),
        };
        [format!("`{}`", field.path), field.values(&mut Unit::plain(example)), of, field.meaning.to_owned()]
    });
    let names = |scheme| evidence_names(scheme).iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let evidence = format!(
        "- of floating-point units {};\n- of integer units {}.\n",
        names(Scheme::Fused),
        names(Scheme::Integer)
    );
    let text = between_marks(text, "fields", &table(["field", "value", "schemes", "meaning"], fields));
    between_marks(&text, "evidence", &evidence)
}
