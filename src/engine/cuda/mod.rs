//! Matrix instructions of NVIDIA GPUs as engines: `mma.sync`, `wmma` and `wgmma`, each through a kernel of its own in PTX, which
//! the driver compiles.
//!
//! An instruction is answered if the catalogue says that a device with the GPU's compute capability has it; a unit, if one of
//! these instructions is nothing but that unit once.
//!
//! A unit has one NaN, while the instructions with fp64 results hand operands' NaN on and make 0xfff8000000000000 of an invalid
//! product or sum (an H100 does): every NaN of theirs becomes the unit's.
//!
//! Architecture invariant: no arithmetic here; operands are packed, the GPU answers.

mod sass;

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::PathBuf;
use std::sync::Arc;

use super::gpu::{self, Driver, DriverError, Launcher, Names, Repertoire, Runner};
use super::{Absence, Batch, Engine, EngineError, Identity, Kind, Matrices, Opened};
use crate::describe::fragment::{Tile, columns};
use crate::describe::instruction::Instruction;
use crate::describe::subject::Subject;
use crate::emit::ptx::{self, Target};

const NAME: &str = "cuda";

/// Names another library in place of the machine's NVIDIA driver.
pub const LIBRARY_VARIABLE: &str = "TENSORSMITH_CUDA";

/// The driver's library where NVIDIA's installer puts it.
const LIBRARY: &str = "libcuda.so.1";

const NAMES: Names = Names {
    initialise: "cuInit",
    version: "cuDriverGetVersion",
    count: "cuDeviceGetCount",
    device: "cuDeviceGet",
    device_name: "cuDeviceGetName",
    attribute: "cuDeviceGetAttribute",
    retain: Some(["cuDevicePrimaryCtxRetain", "cuCtxSetCurrent", "cuDevicePrimaryCtxRelease_v2"]),
    set_device: None,
    load: "cuModuleLoadDataEx",
    unload: "cuModuleUnload",
    function: "cuModuleGetFunction",
    allocate: "cuMemAlloc_v2",
    free: "cuMemFree_v2",
    to_device: "cuMemcpyHtoD_v2",
    to_host: "cuMemcpyDtoH_v2",
    fill: "cuMemsetD32_v2",
    launch: "cuLaunchKernel",
    synchronise: "cuCtxSynchronize",
    error_name: "cuGetErrorName",
};

/// Numbers of the driver's attributes: compute capability, major and minor.
const CAPABILITY: [i32; 2] = [75, 76];

/// `CUDA_ERROR_NO_DEVICE` and `CUDA_ERROR_STUB_LIBRARY`: a driver without a GPU.
const NO_DEVICE: [i32; 2] = [100, 34];

/// `CUDA_ERROR_UNSUPPORTED_PTX_VERSION`: a driver older than the instruction.
const UNSUPPORTED_PTX_VERSION: i32 = 222;

/// An instruction of a GPU.
pub struct Cuda {
    gpu: Gpu,
    runner: Runner,
    /// Runners for matrices, by the columns of their tiles.
    other_columns: BTreeMap<usize, Runner>,
    instruction: Instruction,
    /// The kernel, and the target that it names.
    text: String,
    target: String,
    /// What is known of the GPU and of the kernel.
    details: BTreeMap<String, String>,
    version: String,
}

/// A GPU that is there.
struct Gpu {
    /// Name of the engine.
    kind: &'static str,
    driver: Arc<Driver>,
    name: String,
    /// Compute capability times ten.
    capability: u32,
    repertoire: Repertoire,
}

fn failed(error: impl std::fmt::Display) -> EngineError {
    EngineError { engine: NAME, message: error.to_string() }
}

impl Gpu {
    /// GPU `number`, or the reason why there is none.
    fn open(number: u8) -> Result<Result<Gpu, String>, EngineError> {
        let kind = Kind::Cuda(number).name();
        let named = std::env::var_os(LIBRARY_VARIABLE).filter(|path| !path.is_empty());
        let path = named.as_ref().map_or_else(|| PathBuf::from(LIBRARY), PathBuf::from);
        let driver = match Driver::open(&path, NAMES, number) {
            Ok(driver) => Arc::new(driver),
            Err(DriverError::Library { .. }) if named.is_none() => {
                return Ok(Err(format!("this machine has no NVIDIA driver ({LIBRARY})")));
            }
            Err(DriverError::Call { code, .. }) if NO_DEVICE.contains(&code) => {
                return Ok(Err("the NVIDIA driver finds no GPU".to_owned()));
            }
            Err(error @ DriverError::Number { .. }) => return Ok(Err(error.to_string())),
            Err(error) => return Err(failed(error)),
        };
        let [major, minor] = CAPABILITY.map(|number| driver.attribute(number));
        let capability = major.map_err(failed)? * 10 + minor.map_err(failed)?;
        let name = driver.name().map_err(failed)?;
        let repertoire = Repertoire::new(&format!("sm_{capability}"), &name);
        Ok(Ok(Gpu { kind, driver, name, capability: capability as u32, repertoire }))
    }

    /// The kernel's text for a tile, and the target that it names.
    fn text(&self, instruction: &Instruction, tile: &Tile) -> Result<(String, String), EngineError> {
        let target = Target::of(instruction, self.capability);
        Ok((ptx::kernel(instruction, tile, &target).map_err(failed)?, target.name()))
    }

    fn runner(&self, text: &str, tile: Tile) -> Result<Runner, DriverError> {
        let module = self.driver.module(text.as_bytes(), ptx::ENTRY)?;
        let launcher = Launcher::new(self.driver.clone(), module, tile.threads);
        Ok(Runner::new(self.kind, tile, launcher))
    }
}

impl Cuda {
    /// The target of GPU `number`, if it is there.
    pub fn target(number: u8) -> Option<String> {
        Some(format!("sm_{}", Gpu::open(number).ok()?.ok()?.capability))
    }

    /// Opens an instruction on GPU `number`, or the one that is nothing but a unit.
    ///
    /// # Errors
    /// The driver or the GPU failed.
    pub fn open(number: u8, subject: &Subject) -> Result<Opened, EngineError> {
        gpu::open(Gpu::open(number)?, |gpu| gpu.repertoire.instruction(subject), Cuda::start)
    }

    fn start(gpu: Gpu, instruction: Instruction, tile: Tile) -> Result<Opened, EngineError> {
        let mnemonic = ptx::mnemonic(&instruction, tile.n);
        let (text, target) = gpu.text(&instruction, &tile)?;
        let runner = match gpu.runner(&text, tile) {
            Err(DriverError::Call { code: UNSUPPORTED_PTX_VERSION, .. }) => {
                let reason = format!("the NVIDIA driver is too old for {}", instruction.name);
                return Ok(Opened::Absent(Absence::Missing(reason)));
            }
            runner => runner.map_err(failed)?,
        };
        let driver = gpu.driver.version().map_err(failed)?;
        let version = format!("{mnemonic} of {}, CUDA driver {}.{}", gpu.name, driver / 1000, driver % 1000 / 10);
        let mut details = BTreeMap::from([
            ("gpu".to_owned(), gpu.name.clone()),
            ("compute capability".to_owned(), format!("{}.{}", gpu.capability / 10, gpu.capability % 10)),
            ("CUDA driver API".to_owned(), driver.to_string()),
            ("PTX instruction".to_owned(), mnemonic),
            ("PTX target".to_owned(), target.clone()),
        ]);
        details.extend(kernel_module());
        let other_columns = BTreeMap::new();
        Ok(Opened::Ready(Box::new(Cuda { gpu, runner, other_columns, instruction, text, target, details, version })))
    }

    /// The runner for matrices of so many columns: another one where the instruction leaves the columns of its tile open.
    fn runner_for(&mut self, n: usize) -> Result<&mut Runner, EngineError> {
        let Some(columns) = columns(&self.instruction, n) else { return Ok(&mut self.runner) };
        match self.other_columns.entry(columns) {
            Entry::Occupied(known) => Ok(known.into_mut()),
            Entry::Vacant(place) => {
                let tile = Tile::with_columns(&self.instruction, columns).map_err(failed)?;
                let (text, _) = self.gpu.text(&self.instruction, &tile)?;
                Ok(place.insert(self.gpu.runner(&text, tile).map_err(failed)?))
            }
        }
    }
}

/// Puts the instruction's NaN in the place of those that fp64 hands on.
fn replace_nans(instruction: &Instruction, d: &mut [u64]) {
    if instruction.d().width() == 64 {
        let unit = instruction.final_addition.as_ref().unwrap_or(&instruction.unit);
        instruction.d().replace_nans(d, unit.conversion.nan);
    }
}

/// The version of the driver's kernel module, where the machine tells it.
fn kernel_module() -> Option<(String, String)> {
    let version = std::fs::read_to_string("/sys/module/nvidia/version").ok()?;
    Some(("NVIDIA kernel module".to_owned(), version.trim().to_owned()))
}

impl Engine for Cuda {
    fn name(&self) -> &'static str {
        self.gpu.kind
    }

    fn identity(&self) -> Identity {
        Identity { engine: self.gpu.kind.to_owned(), version: self.version.clone() }
    }

    fn details(&self) -> BTreeMap<String, String> {
        // What the kernel becomes takes NVIDIA's tools a while: only recordings ask for it.
        let sass = sass::of(&self.text, &self.target);
        self.details.clone().into_iter().chain(sass).collect()
    }

    fn run(&mut self, batch: &Batch, results: &mut Vec<u64>) -> Result<(), EngineError> {
        results.resize(batch.len(), 0);
        self.runner.run(batch, results)?;
        replace_nans(&self.instruction, results);
        Ok(())
    }

    fn multiply(&mut self, matrices: &Matrices) -> Result<Option<Vec<u64>>, EngineError> {
        let one_step = matrices.k == self.instruction.shape.k as usize;
        if !one_step && !ptx::chains(&self.instruction) {
            return Ok(None);
        }
        let mut d = self.runner_for(matrices.n)?.multiply(matrices)?;
        replace_nans(&self.instruction, &mut d);
        Ok(Some(d))
    }
}
