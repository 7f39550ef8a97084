//! PTX that the driver must refuse, with what it says in the error log.

use super::driver::{Driver, isolated};
use super::kernels::{head, kernel};

const REGISTERS: &str = ".reg .b32 %r<16>;\n.reg .f32 %f<8>;\n.reg .b64 %d<4>;\n.reg .pred %q;\n";

/// Loading a kernel with this body after some declarations of registers.
fn load(driver: &Driver, version: &str, target: &str, body: &str) -> Result<(), (i32, String)> {
    let text = kernel(&head(version, target), 1, &format!("{REGISTERS}{body}"));
    let module = driver.load_module(&text).map_err(|failure| (failure.code, failure.message))?;
    driver.unload(module).map_err(|failure| (failure.code, failure.message))
}

/// The body is refused with 218, and the message holds the text.
fn refused(driver: &Driver, target: &str, body: &str, message: &str) {
    let (code, said) = load(driver, "8.0", target, body).expect_err(body);
    assert_eq!(code, 218, "{body}: {said}");
    assert!(said.contains(message), "{body}: {said}");
}

#[test]
fn wrong_texts() {
    isolated("errors::wrong_texts", &[], || {
        let driver = Driver::ready();
        assert_eq!(load(&driver, "8.0", "sm_90", "mov.b32 %r0, 7;"), Ok(()));
        for (body, message) in [
            ("frobnicate.b32 %r0, %r1;", "line 12; error   : Unknown instruction 'frobnicate.b32'"),
            ("tcgen05.wait::ld.sync.aligned;", "Unknown instruction"),
            ("mov.b32 %r0 7;", "1 operands instead of 2"),
            ("mov.b32 %r99, 7;", "Unknown symbol '%r99'"),
            ("mov.b32 %f0, 0x1ffffffff;", "does not fit 32 bits"),
            ("mov.b64 %r0, 7;", "Arguments mismatch"),
            ("add.u32 %f0, %r0, 1;", "Arguments mismatch"),
            ("add.f32 %f0, %f1, %f2;", "Illegal type"),
            ("add.u32 %r0, %tid.x, 1;", "Unknown symbol '%tid.x'"),
            ("ld.global.b32 %r0, [%r1];", "Arguments mismatch"),
            ("ld.global.b32 %r0, %d1;", "is no address"),
            ("st.global.v4.b64 [%d0], {%d0, %d1, %d2, %d3};", "more than 128 bits"),
            ("ld.param.b64 %d0, [nothing];", "Unknown symbol 'nothing'"),
            ("bra nowhere;", "Unknown symbol 'nowhere'"),
            ("here: here: mov.b32 %r0, 7;", "Duplicate definition"),
            (".reg .b32 %r0;", "Duplicate definition"),
            ("{ .reg .b32 %own; } mov.b32 %own, 7;", "Unknown symbol '%own'"),
            (".shared .align 16 .b8 large[49153];", "0xc000"),
            ("@%r0 mov.b32 %r0, 7;", "Arguments mismatch"),
            ("mov.b32 %r0, 7", "syntax error in the number"),
            ("} mov.b32 %r0, 7;", "does not end in ret"),
            ("/* mov.b32 %r0, 7;", "comment without an end"),
        ] {
            refused(&driver, "sm_90", body, message);
        }
    });
}

#[test]
fn wrong_matrix_instructions() {
    let mma = "{%f0, %f1, %f2, %f3}, {%r0, %r1, %r2, %r3}, {%r4, %r5}, {%f4, %f5, %f6, %f7};";
    let f16 = format!("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {mma}");
    let fp8 = format!("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {mma}");
    isolated("errors::wrong_matrix_instructions", &[], || {
        let driver = Driver::ready();
        assert_eq!(load(&driver, "8.0", "sm_90", &f16), Ok(()));
        assert_eq!(load(&driver, "8.4", "sm_90", &fp8), Ok(()));
        refused(&driver, "sm_90", &fp8, "requires PTX ISA .version 8.4");
        refused(&driver, "sm_80", &fp8, "requires .target sm_89");
        refused(&driver, "sm_75", &f16, "requires .target sm_80");
        refused(&driver, "sm_90", &f16.replace("f32.f16.f16.f32", "f16.f16.f16.f32"), "not supported on .target sm_90");
        refused(&driver, "sm_90", &f16.replace("row.col", "col.row"), "Unknown instruction");
        refused(&driver, "sm_90", &f16.replace("m16n8k16", "m16n8k12"), "Unknown instruction");
        refused(&driver, "sm_90", &f16.replace("{%r4, %r5}", "{%r4}"), "1 registers instead of 2");
        refused(&driver, "sm_90", &f16.replace("{%r4, %r5}", "{%d0, %d1}"), "Arguments mismatch");
        refused(&driver, "sm_90", "wgmma.fence.sync.aligned;", "not supported on .target 'sm_90'");
        assert_eq!(load(&driver, "8.0", "sm_90a", "wgmma.fence.sync.aligned;"), Ok(()));
        refused(&driver, "sm_90a", "wgmma.fence.sync;", "Unknown instruction");
        let narrow = fp8.replace("aligned.", "aligned.kind::f8f6f4.");
        refused(&driver, "sm_90a", &narrow, "Feature '.kind::f8f6f4' not supported on .target 'sm_90a'");
    });
}

#[test]
fn heads() {
    isolated("errors::heads", &[("FAKE_CUDA_ARCH", "89")], || {
        let driver = Driver::ready();
        let code = |version: &str, target: &str| load(&driver, version, target, "").err().map(|(code, _)| code);
        assert_eq!(code("7.8", "sm_89"), None);
        assert_eq!(code("7.0", "sm_80"), None, "an older target");
        assert_eq!(code("7.8", "sm_90"), Some(218), "a newer target");
        assert_eq!(code("8.0", "sm_90a"), Some(209), "the features of another device");
        assert_eq!(code("7.7", "sm_89"), Some(218), "a version without that target");
        assert_eq!(code("99.0", "sm_89"), Some(222));
        assert_eq!(code("8.0", "sm_91"), Some(218), "no such target");
        let said = |text: &str| driver.load_module(text).expect_err(text).message;
        assert!(said(".target sm_89\n").contains("line 1; error   : Missing .version"));
        assert!(said(".version 8.0\n.target sm_89\n.address_size 32\n").contains("line 3"));
        assert!(said(&head("8.0", "sm_89").replace(".address", "entry")).contains("Missing .address_size"));
    });
}
