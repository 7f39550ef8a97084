//! Results of the driver's functions, with the names and numbers of CUresult in NVIDIA's CUDA Driver API. Nothing is decided
//! here.

use std::ffi::CStr;

/// A CUresult other than success.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Code(pub i32);

macro_rules! codes {
    ($($name:ident = $number:literal, $text:literal;)*) => {
        $(#[allow(dead_code, reason = "codes that only a planted failure returns")] pub const $name: Code = Code($number);)*

        /// The name and the description of a result; success is 0.
        pub fn describe(number: i32) -> Option<(&'static CStr, &'static CStr)> {
            match number {
                $($number => Some((
                    CStr::from_bytes_with_nul(concat!("CUDA_ERROR_", stringify!($name), "\0").as_bytes()).ok()?,
                    CStr::from_bytes_with_nul(concat!($text, "\0").as_bytes()).ok()?,
                )),)*
                0 => Some((c"CUDA_SUCCESS", c"no error")),
                _ => None,
            }
        }
    };
}

codes! {
    INVALID_VALUE = 1, "invalid argument";
    OUT_OF_MEMORY = 2, "out of memory";
    NOT_INITIALIZED = 3, "initialization error";
    NO_DEVICE = 100, "no CUDA-capable device is detected";
    INVALID_DEVICE = 101, "invalid device ordinal";
    INVALID_CONTEXT = 201, "invalid device context";
    NO_BINARY_FOR_GPU = 209, "no kernel image is available for execution on the device";
    INVALID_PTX = 218, "a PTX JIT compilation failed";
    UNSUPPORTED_PTX_VERSION = 222, "the provided PTX was compiled with an unsupported toolchain.";
    INVALID_HANDLE = 400, "invalid resource handle";
    NOT_FOUND = 500, "named symbol not found";
    ILLEGAL_ADDRESS = 700, "an illegal memory access was encountered";
    LAUNCH_OUT_OF_RESOURCES = 701, "too many resources requested for launch";
    LAUNCH_TIMEOUT = 702, "the launch timed out and was terminated";
    LAUNCH_FAILED = 719, "unspecified launch failure";
    SYSTEM_NOT_READY = 802, "system not yet initialized";
    UNKNOWN = 999, "unknown error";
}
