//! Gives the shared library its name for loaders: that of the interface's major version.

use std::env;

mod abi;

fn main() {
    println!("cargo::rerun-if-changed=abi.rs");
    let (major, minor) = (abi::TENSORSMITH_ABI_MAJOR, abi::TENSORSMITH_ABI_MINOR);
    println!("cargo::metadata=abi={major}.{minor}");
    let system = env::var("CARGO_CFG_TARGET_OS").unwrap_or_default();
    if ["linux", "android", "freebsd", "netbsd", "openbsd"].contains(&system.as_str()) {
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libtensorsmith.so.{major}");
    }
}
