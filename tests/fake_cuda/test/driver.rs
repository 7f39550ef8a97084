//! The library's functions, loaded as a program would load the real one, and a process of its own for each test: the fake
//! reads its environment, and its state is that of a process.

use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::process::Command;

use libloading::{Library, Symbol};

use super::library;

/// Says that a process is the one in which a test's body runs.
const CHILD: &str = "FAKE_CUDA_TEST_CHILD";
/// Where the library lies, said to that process.
const LIBRARY: &str = "FAKE_CUDA_TEST_LIBRARY";
/// Room for messages.
const LOG_BYTES: usize = 4096;

/// Runs the body of a test in a process of its own, with these variables; `test` is the path of the calling test.
pub fn isolated(test: &str, variables: &[(&str, &str)], body: impl FnOnce()) {
    if std::env::var(CHILD).is_ok_and(|child| child == test) {
        return body();
    }
    let program = std::env::current_exe().expect("a test knows its own path");
    let mut child = Command::new(program);
    // This module's own path without the program before it and its name behind.
    let folder = module_path!().split("::").skip(1).take_while(|name| *name != "driver");
    let path: Vec<&str> = folder.chain([test]).collect();
    child.args(["--exact", &path.join("::"), "--nocapture"]).env(CHILD, test).env(LIBRARY, library::built("fake_cuda"));
    child.envs(variables.iter().copied());
    let output = child.output().expect("the test starts itself");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.contains("1 passed"), "{test} is no name of a test: {said}");
}

/// The loaded library.
pub struct Driver {
    library: Library,
}

/// A failed call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    pub code: i32,
    pub message: String,
}

fn answered(code: c_int) -> Result<(), Failure> {
    match code {
        0 => Ok(()),
        code => Err(Failure { code, message: String::new() }),
    }
}

/// Calls an exported function of that C type.
macro_rules! call {
    ($driver:expr, $name:literal, ($($kind:ty),*), ($($argument:expr),*)) => {{
        // SAFETY: the type is that of the function in CUDA's header, and every pointer is valid for its use there.
        unsafe {
            let function: Symbol<unsafe extern "C" fn($($kind),*) -> c_int> =
                $driver.library.get(concat!($name, "\0")).expect("the library exports it");
            answered(function($($argument),*))
        }
    }};
}

impl Driver {
    pub fn load() -> Driver {
        let path = std::env::var_os(LIBRARY).expect("every test is isolated");
        // SAFETY: the library runs no code when it is loaded.
        let library = unsafe { Library::new(path) }.expect("the library loads");
        Driver { library }
    }

    /// Loaded, with a current context on device 0.
    pub fn ready() -> Driver {
        let driver = Driver::load();
        driver.initialise().expect("cuInit");
        let context = driver.retain(0).expect("a context");
        driver.set_current(context).expect("a current context");
        driver
    }

    pub fn initialise(&self) -> Result<(), Failure> {
        call!(self, "cuInit", (c_uint), (0))
    }

    pub fn device_count(&self) -> Result<c_int, Failure> {
        let mut count = 0;
        call!(self, "cuDeviceGetCount", (*mut c_int), (&mut count)).map(|()| count)
    }

    pub fn device_name(&self, device: c_int) -> Result<String, Failure> {
        let mut name = [0_u8; 64];
        call!(self, "cuDeviceGetName", (*mut u8, c_int, c_int), (name.as_mut_ptr(), 64, device))?;
        Ok(CStr::from_bytes_until_nul(&name).expect("a final zero").to_string_lossy().into_owned())
    }

    pub fn attribute(&self, attribute: c_int, device: c_int) -> Result<c_int, Failure> {
        let mut value = 0;
        let done = call!(self, "cuDeviceGetAttribute", (*mut c_int, c_int, c_int), (&mut value, attribute, device));
        done.map(|()| value)
    }

    pub fn retain(&self, device: c_int) -> Result<*mut c_void, Failure> {
        let mut context = std::ptr::null_mut();
        let kind = "a context";
        let done = call!(self, "cuDevicePrimaryCtxRetain", (*mut *mut c_void, c_int), (&mut context, device));
        done.map(|()| context).inspect(|context| assert!(!context.is_null(), "{kind}"))
    }

    pub fn release(&self, device: c_int) -> Result<(), Failure> {
        call!(self, "cuDevicePrimaryCtxRelease_v2", (c_int), (device))
    }

    pub fn set_current(&self, context: *mut c_void) -> Result<(), Failure> {
        call!(self, "cuCtxSetCurrent", (*mut c_void), (context))
    }

    pub fn synchronise(&self) -> Result<(), Failure> {
        call!(self, "cuCtxSynchronize", (), ())
    }

    /// Loads PTX text; the message of a failure is what stands in the error log.
    pub fn load_module(&self, text: &str) -> Result<*mut c_void, Failure> {
        let text = CString::new(text).expect("a text without zeros");
        let mut log = [0_u8; LOG_BYTES];
        let options: [c_int; 2] = [5, 6];
        let mut values = [log.as_mut_ptr().cast::<c_void>(), std::ptr::without_provenance_mut(LOG_BYTES)];
        let mut module = std::ptr::null_mut();
        let done = call!(
            self,
            "cuModuleLoadDataEx",
            (*mut *mut c_void, *const c_void, c_uint, *const c_int, *mut *mut c_void),
            (&mut module, text.as_ptr().cast(), 2, options.as_ptr(), values.as_mut_ptr())
        );
        let message = CStr::from_bytes_until_nul(&log).expect("a final zero").to_string_lossy().into_owned();
        done.map(|()| module).map_err(|failure| Failure { message, ..failure })
    }

    pub fn unload(&self, module: *mut c_void) -> Result<(), Failure> {
        call!(self, "cuModuleUnload", (*mut c_void), (module))
    }

    pub fn function(&self, module: *mut c_void, name: &str) -> Result<*mut c_void, Failure> {
        let name = CString::new(name).expect("a name without zeros");
        let mut function = std::ptr::null_mut();
        let kinds = (&mut function, module, name.as_ptr());
        call!(
            self,
            "cuModuleGetFunction",
            (*mut *mut c_void, *mut c_void, *const c_char),
            (kinds.0, kinds.1, kinds.2)
        )?;
        Ok(function)
    }

    pub fn allocate(&self, bytes: usize) -> Result<u64, Failure> {
        let mut address = 0;
        call!(self, "cuMemAlloc_v2", (*mut u64, usize), (&mut address, bytes)).map(|()| address)
    }

    pub fn free(&self, address: u64) -> Result<(), Failure> {
        call!(self, "cuMemFree_v2", (u64), (address))
    }

    pub fn upload(&self, to: u64, from: &[u8]) -> Result<(), Failure> {
        call!(self, "cuMemcpyHtoD_v2", (u64, *const u8, usize), (to, from.as_ptr(), from.len()))
    }

    pub fn download(&self, from: u64, to: &mut [u8]) -> Result<(), Failure> {
        call!(self, "cuMemcpyDtoH_v2", (*mut u8, u64, usize), (to.as_mut_ptr(), from, to.len()))
    }

    pub fn fill(&self, to: u64, value: u32, words: usize) -> Result<(), Failure> {
        call!(self, "cuMemsetD32_v2", (u64, c_uint, usize), (to, value, words))
    }

    /// Launches a kernel whose parameters are all .u64.
    pub fn launch(&self, function: *mut c_void, grid: u32, block: u32, parameters: &[u64]) -> Result<(), Failure> {
        let pointers: Vec<*const u64> = parameters.iter().map(std::ptr::from_ref).collect();
        type Size = c_uint;
        call!(
            self,
            "cuLaunchKernel",
            (*mut c_void, Size, Size, Size, Size, Size, Size, Size, *mut c_void, *const *const u64, *const c_void),
            (function, grid, 1, 1, block, 1, 1, 0, std::ptr::null_mut(), pointers.as_ptr(), std::ptr::null())
        )
    }

    pub fn error_name(&self, code: c_int) -> Result<String, Failure> {
        let mut name: *const c_char = std::ptr::null();
        call!(self, "cuGetErrorName", (c_int, *mut *const c_char), (code, &mut name))?;
        // SAFETY: the library answers a text of its own that ends in a zero.
        Ok(unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned())
    }

    /// Uploads the inputs, runs `kernel`, and answers what it wrote: the last parameter is the output.
    pub fn run(&self, text: &str, grid: u32, block: u32, inputs: &[&[u8]], output: usize) -> Result<Vec<u8>, Failure> {
        let module = self.load_module(text)?;
        let function = self.function(module, "kernel")?;
        let mut addresses = Vec::new();
        for input in inputs {
            let address = self.allocate(input.len())?;
            self.upload(address, input)?;
            addresses.push(address);
        }
        addresses.push(self.allocate(output)?);
        self.launch(function, grid, block, &addresses)?;
        self.synchronise()?;
        let mut written = vec![0; output];
        self.download(addresses[inputs.len()], &mut written)?;
        for address in addresses {
            self.free(address)?;
        }
        self.unload(module)?;
        Ok(written)
    }
}
