//! The state behind the exported functions, and the way every call goes: planted failures, checks, the log. No pointer of
//! the caller is touched here.

pub mod codes;
pub mod config;
pub mod memory;
mod pin;

use std::cell::Cell;
use std::collections::{BTreeMap, HashMap};
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{LazyLock, Mutex, PoisonError};

use crate::ptx::program::Program;
use codes::Code;
use config::{Config, Fault};
use memory::Memory;

/// What a function of the driver answers.
pub type Answer = Result<(), Code>;

/// Handles of modules and functions; contexts have small ones.
const FIRST_HANDLE: u64 = 0x1000;
const FIRST_CONTEXT: u64 = 0x100;

static DRIVER: LazyLock<Mutex<Driver>> = LazyLock::new(Mutex::default);

thread_local! {
    /// The context that is current in this thread, 0 for none.
    static CURRENT: Cell<u64> = const { Cell::new(0) };
}

/// A function of a module.
#[derive(Clone, Copy)]
pub struct Function {
    pub module: u64,
    pub kernel: usize,
    /// The context that it belongs to.
    pub context: u64,
}

/// The context that is current in this thread, 0 for none.
pub fn current() -> u64 {
    CURRENT.get()
}

/// Everything that the driver knows.
#[derive(Default)]
pub struct Driver {
    config: Option<Config>,
    /// Calls of each function since the start, for planted failures.
    calls: HashMap<&'static str, u64>,
    /// How often each device's context is retained.
    retained: BTreeMap<u64, u32>,
    pub memory: Memory,
    pub modules: BTreeMap<u64, Program>,
    pub functions: BTreeMap<u64, Function>,
    issued: u64,
    /// What a kernel did wrong; every later call in the context answers it.
    pub broken: Option<Code>,
}

impl Driver {
    /// The settings, after cuInit.
    pub fn config(&self) -> Result<&Config, Code> {
        self.config.as_ref().ok_or(codes::NOT_INITIALIZED)
    }

    pub fn fault(&self) -> Option<Fault> {
        self.config.as_ref().and_then(|config| config.fault)
    }

    /// cuInit.
    pub fn initialise(&mut self) -> Answer {
        match Config::read() {
            Ok(config) if config.devices == 0 => Err(codes::NO_DEVICE),
            Ok(config) => {
                pin::pin();
                self.config = Some(config);
                Ok(())
            }
            Err(message) => {
                log(&format!("error: {message}"));
                Err(codes::UNKNOWN)
            }
        }
    }

    /// Whether there is such a device.
    pub fn device(&self, ordinal: i32) -> Answer {
        match (0..self.config()?.devices).contains(&ordinal) {
            true => Ok(()),
            false => Err(codes::INVALID_DEVICE),
        }
    }

    pub fn next_handle(&mut self) -> u64 {
        self.issued += 1;
        FIRST_HANDLE + self.issued * 0x10
    }

    /// The context of a device.
    pub fn retain(&mut self, ordinal: i32) -> Result<u64, Code> {
        self.device(ordinal)?;
        let context = FIRST_CONTEXT + ordinal as u64;
        *self.retained.entry(context).or_default() += 1;
        Ok(context)
    }

    /// Releases a context; the last release of the last one destroys what is left in it.
    pub fn release(&mut self, ordinal: i32) -> Answer {
        self.device(ordinal)?;
        let context = FIRST_CONTEXT + ordinal as u64;
        let count = self.retained.get_mut(&context).ok_or(codes::INVALID_CONTEXT)?;
        *count -= 1;
        if *count == 0 {
            self.retained.remove(&context);
        }
        if self.retained.is_empty() {
            log(&format!("released: {} allocations and {} modules left", self.memory.live(), self.modules.len()));
            self.memory.clear();
            self.modules.clear();
            self.functions.clear();
            self.broken = None;
        }
        Ok(())
    }

    /// cuCtxSetCurrent; 0 sets none.
    pub fn set_current(&self, context: u64) -> Answer {
        self.config()?;
        if context != 0 && !self.retained.contains_key(&context) {
            return Err(codes::INVALID_CONTEXT);
        }
        CURRENT.set(context);
        Ok(())
    }

    /// A live context is current, and no kernel broke it.
    pub fn in_context(&self) -> Answer {
        self.config()?;
        match (self.retained.contains_key(&CURRENT.get()), self.broken) {
            (false, _) => Err(codes::INVALID_CONTEXT),
            (true, Some(code)) => Err(code),
            (true, None) => Ok(()),
        }
    }

    /// What is given back is given back in a broken context too, although the answer stays that of the kernel.
    pub fn for_releases(&self) -> Answer {
        match self.in_context() {
            Err(code) if self.broken != Some(code) => Err(code),
            _ => Ok(()),
        }
    }

    /// The failure that is planted for this call, which is counted.
    fn planted(&mut self, function: &'static str) -> Option<i32> {
        let count = self.calls.entry(function).or_default();
        *count += 1;
        // cuInit itself may be the one that fails, so that the environment is asked here too.
        let read = if self.config.is_none() { Config::read().ok() } else { None };
        let failures = &self.config.as_ref().or(read.as_ref())?.failures;
        let planted = failures.iter().find(|failure| failure.function == function && failure.nth == *count);
        planted.map(|failure| failure.code)
    }
}

/// Appends a line to the file of FAKE_CUDA_LOG.
pub fn log(line: &str) {
    let Some(path) = config::log_file() else { return };
    if let Ok(mut file) = std::fs::OpenOptions::new().create(true).append(true).open(path) {
        // One write a line: several processes may share the file.
        let _ = file.write_all(format!("{line}\n").as_bytes());
    }
}

/// Runs the body of an exported function: its planted failure instead, if it has one; a panic is an unknown error.
pub fn call(function: &'static str, body: impl FnOnce(&mut Driver) -> Answer) -> i32 {
    let mut driver = DRIVER.lock().unwrap_or_else(PoisonError::into_inner);
    let number = match driver.planted(function) {
        Some(code) => code,
        None => match catch_unwind(AssertUnwindSafe(|| body(&mut driver))) {
            Ok(Ok(())) => 0,
            Ok(Err(code)) => code.0,
            Err(_) => codes::UNKNOWN.0,
        },
    };
    log(&format!("{function} {number}"));
    number
}

/// The same for functions that need a current context.
pub fn call_in_context(function: &'static str, body: impl FnOnce(&mut Driver) -> Answer) -> i32 {
    call(function, |driver| {
        driver.in_context()?;
        body(driver)
    })
}
