//! Builds a unit at run time: user-defined, deliberately broken, or with its stage signals readable.
//!
//! Uses the same recipe, harness and cache as the build script. The harness travels inside the program, so that this
//! works without a checkout; Verilator and a C++ compiler must be installed. Never loads what it builds.

use crate::engine::cache::cache_folder;
use crate::verilate::{Cache, Design, Kind, Lint, Optimisation, Recipe, Unit, check_seal};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

pub use crate::verilate::{Error as BuildError, Tools, watch};

impl BuildError {
    /// Why there is no Verilator, where none was found: the engine is skipped then. One that the environment names must work.
    pub fn missing(&self) -> Option<String> {
        match self {
            BuildError::Tools(reason) if std::env::var_os("VERILATOR").is_none_or(|named| named.is_empty()) => {
                Some(reason.clone())
            }
            _ => None,
        }
    }
}

/// A signal of the top module that a traced model can show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signal {
    pub name: String,
    pub bits: u32,
}

/// A unit to be built.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The top module.
    pub module: String,
    /// File names and texts: `<module>.sv` and the leaves it may instantiate.
    pub sources: Vec<(String, String)>,
    /// Signals to be read after a run; empty for an ordinary, faster model.
    pub signals: Vec<Signal>,
    /// Where they are; `None`: in the top module.
    pub inside: Option<Instance>,
}

/// An instance of the top module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instance {
    pub name: String,
    /// The module that it is one of.
    pub module: String,
}

impl Request {
    /// What a model of this unit says of the files that it was made from: a hash of them.
    ///
    /// # Errors
    /// There can be no such unit.
    pub fn sources_hash(&self) -> Result<String, BuildError> {
        self.unit(Lint::All).map(|unit| unit.hash())
    }

    fn unit(&self, lint: Lint) -> Result<Unit, BuildError> {
        let signals: Vec<_> = self.signals.iter().map(|signal| (signal.name.clone(), signal.bits)).collect();
        let inside = self.inside.clone().map(|Instance { name, module }| (name, module));
        Unit::new(&self.module, &self.sources, &signals, inside, lint)
    }
}

/// A unit that is built: a file of the cache, and the hash of what its model has to be made from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Library {
    pub path: PathBuf,
    pub sources: String,
}

/// Builds with the tools and the cache that the environment names. The library can be given to `Model::load`.
pub fn build_library(request: &Request) -> Result<Library, BuildError> {
    Builder::shared()?.library(request)
}

/// The tools in use, for reports.
pub fn tools() -> Result<Tools, BuildError> {
    Builder::shared().map(|builder| builder.tools().clone())
}

/// Tools that were checked once, and a cache.
#[derive(Debug, Clone)]
pub struct Builder {
    recipe: Recipe,
}

impl Builder {
    /// Tools from VERILATOR, CXX and the usual places; the cache from `TENSORSMITH_CACHE`; how far models are optimised from
    /// `TENSORSMITH_MODEL_OPTIMISATION`.
    pub fn from_environment() -> Result<Self, BuildError> {
        let folder = cache_folder().map_err(|error| BuildError::Files(error.to_string()))?;
        let cache = Cache::open(&folder)?;
        Ok(Self { recipe: Recipe::new(Tools::find(&cache)?, cache, Optimisation::from_environment()?) })
    }

    /// This Verilator (a binary, a wrapper script or an installation folder), this compiler, this cache folder.
    pub fn with(verilator: &Path, compiler: &str, cache: &Path) -> Result<Self, BuildError> {
        let cache = Cache::open(cache)?;
        Ok(Self { recipe: Recipe::new(Tools::with(verilator, compiler, &cache)?, cache, Optimisation::default()) })
    }

    /// One for the whole program, so that the tools are looked for once.
    pub fn shared() -> Result<&'static Self, BuildError> {
        static SHARED: OnceLock<Result<Builder, BuildError>> = OnceLock::new();
        SHARED.get_or_init(Self::from_environment).as_ref().map_err(Clone::clone)
    }

    #[must_use]
    pub fn tools(&self) -> &Tools {
        &self.recipe.tools
    }

    /// Every warning of Verilator is an error.
    pub fn library(&self, request: &Request) -> Result<Library, BuildError> {
        self.build(request, Lint::All)
    }

    /// For a deliberately broken twin: signals may be left unused, undriven or constant.
    pub fn mutant_library(&self, request: &Request) -> Result<Library, BuildError> {
        self.build(request, Lint::Mutant)
    }

    /// A program for [`super::Model::start`] of files that a user wrote, with the module in any of them. `header` is a text that has the parameter lines of the unit
    /// whose ports the module has.
    ///
    /// # Errors
    /// Verilator refuses the files, or warns of text that synthesis takes otherwise.
    pub fn given_program(
        &self,
        module: &str,
        sources: &[(String, String)],
        header: &str,
    ) -> Result<Library, BuildError> {
        self.linked(&Unit::given(module, sources, header)?, Kind::Program)
    }

    /// Builds a module of the library with other parameters. `header` is a text that has the parameter lines of those.
    ///
    /// # Errors
    /// Verilator refuses them.
    pub fn overridden_library(
        &self,
        module: &str,
        sources: &[(String, String)],
        overrides: &[(String, String)],
        header: &str,
    ) -> Result<Library, BuildError> {
        self.linked(&Unit::overridden(module, sources, overrides, header)?, Kind::Library)
    }

    /// The syntax tree of a design's module in Verilator's JSON, and the names of its files.
    ///
    /// # Errors
    /// Verilator refuses the files.
    pub fn tree(&self, top: &str, own: Option<&str>, arguments: &[String]) -> Result<[String; 2], BuildError> {
        self.recipe.tree(top, own, arguments)
    }

    /// A tile or a board: always optimised, for many clocks lie between its answers.
    ///
    /// # Errors
    /// Verilator or the compiler refuses it.
    pub fn design_library(&self, design: &Design) -> Result<Library, BuildError> {
        self.linked_design(design, Kind::Library)
    }

    /// The same of a design that a user wrote, in the module around it, as a program for [`super::Model::start`].
    ///
    /// # Errors
    /// Verilator or the compiler refuses it.
    pub fn design_program(&self, design: &Design) -> Result<Library, BuildError> {
        self.linked_design(design, Kind::Program)
    }

    fn linked_design(&self, design: &Design, kind: Kind) -> Result<Library, BuildError> {
        let Recipe { tools, cache, .. } = &self.recipe;
        let optimised = Recipe::new(tools.clone(), cache.clone(), Optimisation::default());
        let (path, sources) = optimised.linked_design(design, kind)?;
        Ok(Library { path, sources })
    }

    /// Compiles the headers that all units share, for this and later programs: worth it before many units are built.
    ///
    /// # Errors
    /// The compiler refuses them, or the cache cannot be written.
    pub fn precompile_headers(&self) -> Result<(), BuildError> {
        self.recipe.precompile_headers()
    }

    fn build(&self, request: &Request, lint: Lint) -> Result<Library, BuildError> {
        self.linked(&request.unit(lint)?, Kind::Library)
    }

    fn linked(&self, unit: &Unit, kind: Kind) -> Result<Library, BuildError> {
        Ok(Library { path: self.recipe.linked(unit, kind)?, sources: unit.hash() })
    }
}

/// `Err` unless the file is a whole library made by the recipe.
pub(super) fn check_library(path: &Path) -> Result<(), BuildError> {
    check_seal(path)
}
