//! Modules, functions and launches.

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};

use super::give;
use crate::driver::{Answer, Function, call, call_in_context, codes, current, log};
use crate::ptx;
use crate::run::Launch;

/// CUjit_option numbers.
const ERROR_LOG_BUFFER: c_int = 5;
const ERROR_LOG_BUFFER_SIZE_BYTES: c_int = 6;

/// The caller's buffer for messages, and where its size stands.
struct ErrorLog {
    buffer: *mut u8,
    size: usize,
    size_option: *mut *mut c_void,
}

impl ErrorLog {
    /// # Safety
    /// `options` and `values` are valid for `count` elements, and a buffer that they name for as many bytes as they say.
    unsafe fn find(count: c_uint, options: *const c_int, values: *mut *mut c_void) -> Option<ErrorLog> {
        if count == 0 || options.is_null() || values.is_null() {
            return None;
        }
        // SAFETY: so many elements, as the caller promises.
        let options = unsafe { std::slice::from_raw_parts(options, count as usize) };
        let place = |wanted: c_int| options.iter().position(|option| *option == wanted);
        let (buffer, size) = (place(ERROR_LOG_BUFFER)?, place(ERROR_LOG_BUFFER_SIZE_BYTES)?);
        // SAFETY: both places are below `count`.
        let (buffer, size_option) = unsafe { (*values.add(buffer), values.add(size)) };
        // SAFETY: as above; a size travels in the pointer itself.
        let size = unsafe { *size_option } as usize & 0xffff_ffff;
        (!buffer.is_null() && size > 0).then_some(ErrorLog { buffer: buffer.cast(), size, size_option })
    }

    /// Writes the message, cut to the buffer, and how many bytes were written.
    fn write(&self, message: &str) {
        let shown = message.len().min(self.size - 1);
        // SAFETY: `shown` and the final zero are at most `size` bytes, which the buffer has.
        unsafe {
            self.buffer.copy_from_nonoverlapping(message.as_ptr(), shown);
            self.buffer.add(shown).write(0);
            self.size_option.write(std::ptr::without_provenance_mut(shown + 1));
        }
    }
}

/// # Safety
/// `module` is null or valid for a write, `image` a text that ends in a zero, `options` and `values` valid for `count`
/// elements, and a buffer that they name for as many bytes as they say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuModuleLoadDataEx(
    module: *mut u64,
    image: *const c_void,
    count: c_uint,
    options: *const c_int,
    values: *mut *mut c_void,
) -> c_int {
    call_in_context("cuModuleLoadDataEx", |driver| {
        if image.is_null() || module.is_null() {
            return Err(codes::INVALID_VALUE);
        }
        // SAFETY: as the caller promises.
        let error_log = unsafe { ErrorLog::find(count, options, values) };
        // SAFETY: as the caller promises.
        let text = unsafe { CStr::from_ptr(image.cast()) };
        let text = text.to_str().map_err(|_| codes::INVALID_PTX)?;
        let config = driver.config()?;
        let program = ptx::parse(text, &config.device, config.arch).map_err(|error| {
            log(&format!("error: {}", error.message));
            if let Some(error_log) = &error_log {
                error_log.write(&error.message);
            }
            error.code
        })?;
        if let Some(error_log) = &error_log {
            error_log.write("");
        }
        let handle = driver.next_handle();
        driver.modules.insert(handle, program);
        // SAFETY: as the caller promises.
        unsafe { give(module, handle) }
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn cuModuleUnload(module: u64) -> c_int {
    call("cuModuleUnload", |driver| {
        driver.for_releases()?;
        driver.modules.remove(&module).ok_or(codes::INVALID_HANDLE)?;
        driver.functions.retain(|_, function| function.module != module);
        driver.in_context()
    })
}

/// # Safety
/// `function` is null or valid for a write, `name` a text that ends in a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuModuleGetFunction(function: *mut u64, module: u64, name: *const c_char) -> c_int {
    call_in_context("cuModuleGetFunction", |driver| {
        if name.is_null() || function.is_null() {
            return Err(codes::INVALID_VALUE);
        }
        // SAFETY: as the caller promises.
        let name = unsafe { CStr::from_ptr(name) }.to_str().map_err(|_| codes::NOT_FOUND)?;
        let program = driver.modules.get(&module).ok_or(codes::INVALID_HANDLE)?;
        let kernel = program.kernels.iter().position(|kernel| kernel.name == name).ok_or(codes::NOT_FOUND)?;
        let handle = driver.next_handle();
        driver.functions.insert(handle, Function { module, kernel, context: current() });
        // SAFETY: as the caller promises.
        unsafe { give(function, handle) }
    })
}

/// # Safety
/// `parameters` holds a pointer for each parameter of the kernel, valid for a read of the parameter's size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuLaunchKernel(
    function: u64,
    grid_x: c_uint,
    grid_y: c_uint,
    grid_z: c_uint,
    block_x: c_uint,
    block_y: c_uint,
    block_z: c_uint,
    shared_bytes: c_uint,
    stream: *mut c_void,
    parameters: *const *const u8,
    extra: *const *const c_void,
) -> c_int {
    call_in_context("cuLaunchKernel", |driver| {
        let found = *driver.functions.get(&function).ok_or(codes::INVALID_HANDLE)?;
        if !stream.is_null() || found.context != current() {
            return Err(codes::INVALID_HANDLE);
        }
        if !extra.is_null() || shared_bytes != 0 {
            return Err(codes::INVALID_VALUE);
        }
        let program = driver.modules.get(&found.module).ok_or(codes::INVALID_HANDLE)?;
        let kernel = &program.kernels[found.kernel];
        let mut bytes = Vec::new();
        for (place, parameter) in kernel.parameters.iter().enumerate() {
            bytes.resize(parameter.offset, 0);
            // SAFETY: there is a pointer for each parameter, valid for its size, as the caller promises.
            unsafe { parameter_bytes(parameters, place, parameter.kind.bytes(), &mut bytes) }?;
        }
        let grid = [grid_x, grid_y, grid_z];
        let block = [block_x, block_y, block_z];
        let fault = driver.fault();
        let launch = Launch { kernel, memory: &driver.memory, parameters: &bytes, grid, block, fault };
        launch.check()?;
        let outcome = launch.run();
        if let Err(error) = outcome {
            log(&format!("error: {}", error.message));
            driver.broken = Some(error.code);
        }
        Ok(())
    })
}

/// Appends the bytes of one parameter.
///
/// # Safety
/// `parameters` is null or holds more than `place` pointers, each null or valid for a read of `size` bytes.
unsafe fn parameter_bytes(parameters: *const *const u8, place: usize, size: usize, bytes: &mut Vec<u8>) -> Answer {
    if parameters.is_null() {
        return Err(codes::INVALID_VALUE);
    }
    // SAFETY: more than `place` pointers, as the caller promises.
    let value = unsafe { *parameters.add(place) };
    if value.is_null() {
        return Err(codes::INVALID_VALUE);
    }
    // SAFETY: not null, and valid for `size` bytes.
    bytes.extend_from_slice(unsafe { std::slice::from_raw_parts(value, size) });
    Ok(())
}
