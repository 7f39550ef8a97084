//! Matrix instructions of AMD GPUs as engines: `V_MFMA`, each through a kernel of its own, which AMD's compiler translates at
//! run time.
//!
//! Written from the public CDNA ISA documents and **not yet run on hardware**: the tests run it against libraries that stand
//! in for AMD's.
//!
//! Architecture invariant: no arithmetic here; operands are packed, the GPU answers.

#[expect(unsafe_code, reason = "the compiler is a C library")]
mod compiler;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use super::gpu::{self, Driver, DriverError, Launcher, Names, Repertoire, Runner};
use super::{Batch, Engine, EngineError, Identity, Kind, Matrices, Opened};
use crate::describe::fragment::Tile;
use crate::describe::instruction::Instruction;
use crate::describe::subject::Subject;
use crate::describe::text::Foreign;
use crate::emit::hip;

const NAME: &str = "hip";

/// Names another library in place of AMD's driver and compiler.
pub const LIBRARY_VARIABLE: &str = "TENSORSMITH_HIP";

/// AMD's driver, by the names of its versions, newest first. The compiler of the same version lies beside it.
const DRIVERS: &[&str] = &["libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5", "libamdhip64.so"];
const DRIVER: &str = "libamdhip64";
const COMPILER: &str = "libhiprtc";

/// Where AMD installs its libraries, if not where every program finds them.
const FOLDER: &str = "/opt/rocm/lib";

const NAMES: Names = Names {
    initialise: "hipInit",
    version: "hipDriverGetVersion",
    count: "hipGetDeviceCount",
    device: "hipDeviceGet",
    device_name: "hipDeviceGetName",
    attribute: "hipDeviceGetAttribute",
    retain: None,
    set_device: Some("hipSetDevice"),
    load: "hipModuleLoadDataEx",
    unload: "hipModuleUnload",
    function: "hipModuleGetFunction",
    allocate: "hipMalloc",
    free: "hipFree",
    to_device: "hipMemcpyHtoD",
    to_host: "hipMemcpyDtoH",
    fill: "hipMemsetD32",
    launch: "hipModuleLaunchKernel",
    synchronise: "hipDeviceSynchronize",
    error_name: "hipDrvGetErrorName",
};

/// `hipErrorNoDevice` and `hipErrorInvalidDevice`: a driver without a GPU, or without one that this user may open.
const NO_DEVICE: [i32; 2] = [100, 101];

/// An instruction of a GPU.
pub struct Hip {
    name: &'static str,
    runner: Runner,
    details: BTreeMap<String, String>,
    version: String,
}

/// A GPU that is there.
struct Gpu {
    /// Name of the engine.
    kind: &'static str,
    driver: Arc<Driver>,
    compiler: PathBuf,
    name: String,
    architecture: &'static str,
    repertoire: Repertoire,
}

fn failed(error: impl std::fmt::Display) -> EngineError {
    EngineError { engine: NAME, message: error.to_string() }
}

/// The first library that can be loaded, and its path; the last error if none can.
fn first_driver(candidates: &[PathBuf], number: u8) -> Result<(Driver, PathBuf), DriverError> {
    let mut last = None;
    for path in candidates {
        match Driver::open(path, NAMES, number) {
            Ok(driver) => return Ok((driver, path.clone())),
            Err(error @ DriverError::Library { .. }) => last = Some(error),
            Err(error) => return Err(error),
        }
    }
    Err(last.expect("there is a candidate"))
}

/// The library that the user names, or those of the system and of AMD's folder.
fn candidates(named: Option<&PathBuf>) -> Vec<PathBuf> {
    match named {
        Some(path) => vec![path.clone()],
        None => {
            let plain = DRIVERS.iter().map(PathBuf::from);
            plain.chain(DRIVERS.iter().map(|name| PathBuf::from(FOLDER).join(name))).collect()
        }
    }
}

impl Gpu {
    /// GPU `number`, or the reason why there is none.
    fn open(number: u8) -> Result<Result<Gpu, String>, EngineError> {
        let kind = Kind::Hip(number).name();
        let named = std::env::var_os(LIBRARY_VARIABLE).filter(|path| !path.is_empty()).map(PathBuf::from);
        let (driver, path) = match first_driver(&candidates(named.as_ref()), number) {
            Ok((driver, path)) => (Arc::new(driver), path),
            Err(DriverError::Library { .. }) if named.is_none() => {
                return Ok(Err(format!("this machine has no AMD driver ({})", DRIVERS[0])));
            }
            Err(DriverError::Call { code, .. }) if NO_DEVICE.contains(&code) => {
                return Ok(Err("the AMD driver finds no GPU".to_owned()));
            }
            Err(error @ DriverError::Number { .. }) => return Ok(Err(error.to_string())),
            Err(error) => return Err(failed(error)),
        };
        let name = driver.name().map_err(failed)?;
        let text = hip::architecture().map_err(failed)?;
        // A library that the user names is both.
        let compiler = PathBuf::from(path.to_string_lossy().replace(DRIVER, COMPILER));
        let code = match compiler::compile(&compiler, &text) {
            Err(DriverError::Library { .. }) if named.is_none() => {
                return Ok(Err(format!("this machine has no AMD compiler ({})", compiler.shown())));
            }
            compiled => compiled.map_err(failed)?,
        };
        let number = architecture(&driver, &code).map_err(failed)?;
        match hip::ARCHITECTURES.get(number.wrapping_sub(1) as usize) {
            Some(architecture) => {
                let repertoire = Repertoire::new(architecture, &name);
                Ok(Ok(Gpu { kind, driver, compiler, name, architecture, repertoire }))
            }
            None => Ok(Err(format!("{name} is none of {}", hip::ARCHITECTURES.join(", ")))),
        }
    }
}

/// What the kernel that tells the architecture writes.
fn architecture(driver: &Arc<Driver>, code: &[u8]) -> Result<u32, DriverError> {
    let module = driver.module(code, hip::ENTRY)?;
    let mut memory = driver.memory(size_of::<u32>())?;
    memory.fill(0)?;
    module.launch(1, 1, [&memory; 4], 0)?;
    driver.synchronise()?;
    let mut bytes = [0; size_of::<u32>()];
    memory.read(&mut bytes)?;
    Ok(u32::from_le_bytes(bytes))
}

impl Hip {
    /// The architecture of GPU `number`, if it is there.
    pub fn target(number: u8) -> Option<String> {
        Some(Gpu::open(number).ok()?.ok()?.architecture.to_string())
    }

    /// Opens an instruction on GPU `number`, or the one that is nothing but a unit.
    ///
    /// # Errors
    /// The driver, the compiler or the GPU failed.
    pub fn open(number: u8, subject: &Subject) -> Result<Opened, EngineError> {
        gpu::open(Gpu::open(number)?, |gpu| gpu.repertoire.instruction(subject), Hip::start)
    }

    fn start(gpu: Gpu, instruction: Instruction, tile: Tile) -> Result<Opened, EngineError> {
        let text = hip::kernel(&instruction, &tile).map_err(failed)?;
        let code = compiler::compile(&gpu.compiler, &text).map_err(failed)?;
        let module = gpu.driver.module(&code, hip::ENTRY).map_err(failed)?;
        let driver_version = gpu.driver.version().map_err(failed)?;
        let builtin = hip::builtin(&instruction);
        let version = format!("{builtin} of {}, HIP driver {driver_version}", gpu.name);
        let details = BTreeMap::from([
            ("gpu".to_owned(), gpu.name),
            ("architecture".to_owned(), gpu.architecture.to_owned()),
            ("HIP driver".to_owned(), driver_version.to_string()),
            ("compiler's built-in function".to_owned(), builtin),
        ]);
        let launcher = Launcher::new(gpu.driver, module, tile.threads);
        let runner = Runner::new(gpu.kind, tile, launcher);
        Ok(Opened::Ready(Box::new(Hip { name: gpu.kind, runner, details, version })))
    }
}

impl Engine for Hip {
    fn name(&self) -> &'static str {
        self.name
    }

    fn identity(&self) -> Identity {
        Identity { engine: self.name.to_owned(), version: self.version.clone() }
    }

    fn details(&self) -> BTreeMap<String, String> {
        self.details.clone()
    }

    fn run(&mut self, batch: &Batch, results: &mut Vec<u64>) -> Result<(), EngineError> {
        results.resize(batch.len(), 0);
        self.runner.run(batch, results)
    }

    fn multiply(&mut self, matrices: &Matrices) -> Result<Option<Vec<u64>>, EngineError> {
        self.runner.multiply(matrices).map(Some)
    }
}
