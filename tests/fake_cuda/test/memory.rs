//! Contexts, memory, modules, handles, and a kernel that copies.

use super::driver::{Driver, Failure, isolated};
use super::kernels::{THREAD, head, kernel};

fn code<T>(outcome: Result<T, Failure>) -> i32 {
    outcome.map_or_else(|failure| failure.code, |_| 0)
}

/// Copies 16 bytes a thread from p0 to p1.
fn copy() -> String {
    let body = "
        .reg .b32 %r<4>;
        .reg .u64 %from, %to;
        cvta.to.global.u64 %from, %p0;   // generic
        cvta.to.global.u64 %to, %p1;
        mad.wide.u32 %from, %thread, 16, %from; /* two
        lines */ mad.wide.u32 %to, %thread, 16, %to;
        ld.global.v4.b32 {%r0, %r1, %r2, %r3}, [%from];
        st.global.v2.b32 [%to], {%r0, %r1};
        st.global.v2.b32 [%to+8], {%r2, %r3};";
    kernel(&head("8.0", "sm_80"), 2, &format!("{THREAD}{body}"))
}

#[test]
fn a_kernel_copies() {
    isolated("memory::a_kernel_copies", &[], || {
        let bytes: Vec<u8> = (0..16 * 96).map(|byte| (byte * 7 % 251) as u8).collect();
        let written = Driver::ready().run(&copy(), 3, 32, &[&bytes], bytes.len()).expect("it runs");
        assert_eq!(written, bytes);
    });
}

#[test]
fn devices_and_contexts() {
    let variables = [("FAKE_CUDA_DEVICES", "2"), ("FAKE_CUDA_ARCH", "100")];
    isolated("memory::devices_and_contexts", &variables, || {
        let driver = Driver::load();
        assert_eq!(code(driver.device_count()), 3, "before cuInit");
        driver.initialise().expect("cuInit");
        assert_eq!(driver.device_count(), Ok(2));
        assert_eq!(driver.device_name(1), Ok("Fake B200".to_owned()));
        assert_eq!((driver.attribute(75, 0), driver.attribute(76, 0)), (Ok(10), Ok(0)));
        assert!(driver.attribute(16, 0).expect("multiprocessors") > 0);
        assert_eq!(code(driver.device_name(2)), 101);
        assert_eq!(code(driver.allocate(4)), 201, "no context is current");
        assert_eq!(code(driver.set_current(std::ptr::without_provenance_mut(0x100))), 201, "nobody retained it");
        let context = driver.retain(1).expect("a context");
        driver.set_current(context).expect("a current context");
        driver.allocate(4).expect("memory");
        driver.release(1).expect("a release");
        assert_eq!(code(driver.synchronise()), 201, "released");
        assert_eq!(code(driver.release(1)), 201);
        assert_eq!(driver.error_name(700), Ok("CUDA_ERROR_ILLEGAL_ADDRESS".to_owned()));
        assert_eq!(code(driver.error_name(12345)), 1);
    });
}

#[test]
fn the_library_stays_in_memory() {
    isolated("memory::the_library_stays_in_memory", &[], || {
        drop(Driver::ready());
        let maps = std::fs::read_to_string("/proc/self/maps").expect("the loader's view");
        assert!(maps.contains("libfake_cuda"));
    });
}

#[test]
fn no_device() {
    isolated("memory::no_device", &[("FAKE_CUDA_DEVICES", "0")], || {
        assert_eq!(code(Driver::load().initialise()), 100);
    });
}

#[test]
fn copies_and_handles_are_checked() {
    isolated("memory::copies_and_handles_are_checked", &[], || {
        let driver = Driver::ready();
        let memory = driver.allocate(64).expect("memory");
        driver.fill(memory, 0x0102_0304, 16).expect("a fill");
        let mut read = [0; 8];
        driver.download(memory + 56, &mut read).expect("the last bytes");
        assert_eq!(read, [4, 3, 2, 1, 4, 3, 2, 1]);
        assert_eq!(code(driver.download(memory + 57, &mut read)), 700);
        assert_eq!(code(driver.upload(memory - 1, &read)), 700);
        assert_eq!(code(driver.fill(memory, 0, 17)), 700);
        assert_eq!(code(driver.allocate(0)), 1);
        assert_eq!(code(driver.allocate(1 << 40)), 2);
        assert_eq!(code(driver.free(memory + 1)), 1);
        driver.free(memory).expect("it is live");
        assert_eq!(code(driver.free(memory)), 1, "twice");
        assert_eq!(code(driver.upload(memory, &read)), 700, "after its end");
        let module = driver.load_module(&copy()).expect("it loads");
        let function = driver.function(module, "kernel").expect("it is there");
        assert_eq!(code(driver.function(module, "other")), 500);
        assert_eq!(code(driver.function(function, "kernel")), 400);
        assert_eq!(code(driver.launch(module, 1, 32, &[0, 0])), 400);
        assert_eq!(code(driver.launch(function, 0, 32, &[0, 0])), 1);
        assert_eq!(code(driver.launch(function, 1, 1025, &[0, 0])), 1);
        driver.unload(module).expect("it is loaded");
        assert_eq!(code(driver.launch(function, 1, 32, &[0, 0])), 400, "its module is gone");
        assert_eq!(code(driver.unload(module)), 400);
    });
}

/// What a launch with these parameters ends in, at the next synchronisation and after it.
fn ending(grow: usize, shift: u64, freed: bool) -> (i32, i32) {
    let driver = Driver::ready();
    let module = driver.load_module(&copy()).expect("it loads");
    let function = driver.function(module, "kernel").expect("it is there");
    let (from, to) = (driver.allocate(512).expect("memory"), driver.allocate(512 - grow).expect("memory"));
    if freed {
        driver.free(from).expect("it is live");
    }
    driver.launch(function, 1, 32, &[from, to + shift]).expect("a launch says nothing of its kernel");
    let ending = (code(driver.synchronise()), code(driver.allocate(4)));
    assert_eq!(code(driver.free(to)), ending.0, "the context stays broken");
    assert_ne!(code(driver.free(to)), ending.0, "but gives back what it can");
    ending
}

#[test]
fn out_of_bounds() {
    isolated("memory::out_of_bounds", &[], || {
        assert_eq!(ending(0, 0, false), (0, 0));
        assert_eq!(ending(8, 0, false), (700, 700));
    });
}

#[test]
fn misaligned() {
    isolated("memory::misaligned", &[], || assert_eq!(ending(0, 4, false), (700, 700)));
}

#[test]
fn use_after_free() {
    isolated("memory::use_after_free", &[], || assert_eq!(ending(0, 0, true), (700, 700)));
}
