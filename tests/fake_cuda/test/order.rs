//! What PTX leaves undefined is an error: divergence, shared memory without a barrier, registers nobody agrees on.

use super::driver::{Driver, isolated};
use super::kernels::{THREAD, head, kernel};

/// What running the body in two warps ends in: 0 or an error.
fn ending(body: &str) -> i32 {
    let text = kernel(&head("8.0", "sm_90a"), 1, &format!("{THREAD}.reg .b32 %r<8>;\n.reg .pred %q;\n{body}"));
    let outcome = Driver::ready().run(&text, 2, 64, &[], 4096);
    outcome.map_or_else(|failure| failure.code, |_| 0)
}

const EXCHANGE: &str = "
    .shared .align 16 .b8 room[256];
    .reg .u32 %own, %other;
    mov.u32 %own, room;
    mov.u32 %r0, %tid.x;
    xor.b32 %r1, %r0, 1;
    mad.lo.u32 %other, %r1, 4, %own;
    mad.lo.u32 %own, %r0, 4, %own;
    st.shared.u32 [%own], %r0;
    BARRIER
    ld.shared.u32 %r2, [%other];";

#[test]
fn shared_memory_needs_barriers() {
    isolated("order::shared_memory_needs_barriers", &[], || {
        assert_eq!(ending(&EXCHANGE.replace("BARRIER", "bar.sync 0;")), 0);
        assert_eq!(ending(&EXCHANGE.replace("BARRIER", "")), 719);
    });
}

#[test]
fn shared_memory_has_bounds() {
    isolated("order::shared_memory_has_bounds", &[], || {
        let body = EXCHANGE.replace("BARRIER", "bar.sync 0;");
        assert_eq!(ending(&body.replace("room[256]", "room[252]")), 700);
    });
}

#[test]
fn misaligned_shared_memory() {
    isolated("order::misaligned_shared_memory", &[], || {
        let body = EXCHANGE.replace("BARRIER", "bar.sync 0;");
        assert_eq!(ending(&body.replace("[%other]", "[%other+2]")), 700);
    });
}

#[test]
fn threads_may_not_part() {
    isolated("order::threads_may_not_part", &[], || {
        let branch = "mov.u32 %r0, %tid.x;\nsetp.lt.u32 %q, %r0, LIMIT;\n@%q bra skip;\nmov.b32 %r1, 7;\nskip:\n";
        assert_eq!(ending(&branch.replace("LIMIT", "64")), 0, "all of them branch");
        assert_eq!(ending(&branch.replace("LIMIT", "7")), 719);
    });
}

#[test]
fn endless_loops_end() {
    isolated("order::endless_loops_end", &[], || assert_eq!(ending("again: bra.uni again;"), 702));
}

#[test]
fn some_threads_may_not_multiply() {
    let mma = "mov.u32 %r0, %tid.x;\nsetp.lt.u32 %q, %r0, LIMIT;\n.reg .f32 %f<4>;\n\
        @%q mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}, {%r0, %r1}, {%r2}, {%f0, %f1, %f2, %f3};";
    isolated("order::some_threads_may_not_multiply", &[], || {
        assert_eq!(ending(&mma.replace("LIMIT", "64")), 0);
        assert_eq!(ending(&mma.replace("LIMIT", "32")), 719);
    });
}
