//! Instructions of one thread, against Rust's integers.

use super::driver::{Driver, isolated};
use super::kernels::{THREAD, head, kernel};

/// Runs a body that leaves its answer in %x, of so many bits, for a and b in %a and %b.
fn answer(driver: &Driver, declarations: &str, body: &str, a: u32, b: u32) -> u64 {
    let registers = format!(".reg .u64 %x, %w;\n.reg .u32 %a, %b, %y;\n.reg .pred %q;\n{declarations}");
    let loads = "ld.global.u32 %a, [%p0];\nld.global.u32 %b, [%p0+4];\n";
    let store = "st.global.u64 [%p1], %x;";
    let text = kernel(&head("8.0", "sm_90"), 2, &format!("{THREAD}{registers}{loads}{body}\n{store}"));
    let input = [a.to_le_bytes(), b.to_le_bytes()].concat();
    let written = driver.run(&text, 1, 1, &[&input], 8).unwrap_or_else(|failure| panic!("{body}: {failure:?}"));
    u64::from_le_bytes(written.try_into().expect("eight bytes"))
}

#[test]
fn arithmetic() {
    type Expected = fn(u32, u32) -> u64;
    let narrow = |text: &str| format!("{text}\ncvt.u64.u32 %x, %y;");
    let cases: [(String, Expected); 25] = [
        (narrow("add.u32 %y, %a, %b;"), |a, b| a.wrapping_add(b).into()),
        (narrow("sub.s32 %y, %a, %b;"), |a, b| a.wrapping_sub(b).into()),
        (narrow("mul.lo.u32 %y, %a, %b;"), |a, b| a.wrapping_mul(b).into()),
        ("mul.wide.u32 %x, %a, %b;".to_owned(), |a, b| u64::from(a) * u64::from(b)),
        ("mul.wide.s32 %x, %a, %b;".to_owned(), |a, b| (i64::from(a as i32) * i64::from(b as i32)) as u64),
        (narrow("mad.lo.u32 %y, %a, %b, 5;"), |a, b| a.wrapping_mul(b).wrapping_add(5).into()),
        ("mov.u64 %w, 9;\nmad.wide.u32 %x, %a, %b, %w;".to_owned(), |a, b| u64::from(a) * u64::from(b) + 9),
        (narrow("shl.b32 %y, %a, 3;"), |a, _| (a << 3).into()),
        (narrow("shl.b32 %y, %a, 32;"), |_, _| 0),
        (narrow("shr.u32 %y, %a, 3;"), |a, _| (a >> 3).into()),
        (narrow("shr.s32 %y, %a, 40;"), |a, _| u64::from((a as i32 >> 31) as u32)),
        (narrow("and.b32 %y, %a, %b;"), |a, b| (a & b).into()),
        (narrow("or.b32 %y, %a, %b;"), |a, b| (a | b).into()),
        (narrow("xor.b32 %y, %a, %b;"), |a, b| (a ^ b).into()),
        (narrow("not.b32 %y, %a;"), |a, _| (!a).into()),
        (narrow("min.u32 %y, %a, %b;"), |a, b| a.min(b).into()),
        (narrow("min.s32 %y, %a, %b;"), |a, b| u64::from((a as i32).min(b as i32) as u32)),
        (narrow("max.u32 %y, %a, %b;"), |a, b| a.max(b).into()),
        (narrow("div.u32 %y, %a, %b;"), |a, b| a.checked_div(b).unwrap_or(u32::MAX).into()),
        (narrow("setp.lt.u32 %q, %a, %b;\nselp.u32 %y, %a, 7, %q;"), |a, b| if a < b { a.into() } else { 7 }),
        (narrow("setp.ge.s32 %q, %a, %b;\nselp.u32 %y, 1, 0, %q;"), |a, b| u64::from(a as i32 >= b as i32)),
        (narrow("mov.u32 %y, 3;\nsetp.ne.u32 %q, %a, %b;\n@!%q add.u32 %y, %y, 1;"), |a, b| 3 + u64::from(a == b)),
        ("mov.b64 %x, {%a, %b};".to_owned(), |a, b| u64::from(a) | u64::from(b) << 32),
        ("cvt.s64.s32 %x, %a;".to_owned(), |a, _| i64::from(a as i32) as u64),
        (narrow("mov.u64 %w, -1;\nshl.b64 %w, %w, 4;\ncvt.u32.u64 %y, %w;"), |_, _| 0xffff_fff0),
    ];
    isolated("threads::arithmetic", &[], || {
        let driver = Driver::ready();
        for (body, expected) in &cases {
            for (a, b) in [(5, 3), (3, 5), (7, 7), (0xffff_fffe, 2), (0x8000_0001, 0x7fff_ffff), (9, 0)] {
                assert_eq!(answer(&driver, "", body, a, b), expected(a, b), "{body} of {a:#x} and {b:#x}");
            }
        }
    });
}

#[test]
fn halves() {
    let body = "mov.b32 {%l, %h}, %a;\nmov.b32 %y, {%h, %l};\ncvt.u64.u32 %x, %y;";
    isolated("threads::halves", &[], || {
        let seen = answer(&Driver::ready(), ".reg .b16 %l, %h;\n", body, 0x1234_5678, 0);
        assert_eq!(seen, 0x5678_1234);
    });
}

#[test]
fn loops_and_scopes() {
    let body = "mov.u32 %y, 0;\nagain:\n{\n.reg .u32 %own;\nadd.u32 %own, %a, 0;\nadd.u32 %y, %y, %own;\n}\n\
        sub.u32 %b, %b, 1;\nsetp.gt.u32 %q, %b, 0;\n@%q bra again;\ncvt.u64.u32 %x, %y;";
    isolated("threads::loops_and_scopes", &[], || {
        assert_eq!(answer(&Driver::ready(), "", body, 6, 7), 42);
    });
}

#[test]
fn special_registers() {
    let parts = ["%ctaid.x", "%nctaid.x", "%tid.x", "%ntid.x", "%laneid", "%warpid"];
    let moves: String = parts.iter().enumerate().map(|(place, part)| format!("mov.u32 %r{place}, {part};\n")).collect();
    let stores: String = (0..6).map(|place| format!("st.global.u32 [%at+{}], %r{place};\n", 4 * place)).collect();
    let body = format!("{THREAD}.reg .u32 %r<6>;\n{moves}mad.wide.u32 %at, %thread, 24, %p0;\n{stores}");
    isolated("threads::special_registers", &[], || {
        let text = kernel(&head("8.0", "sm_90"), 1, &body);
        let written = Driver::ready().run(&text, 3, 64, &[], 3 * 64 * 24).expect("it runs");
        let words: Vec<u32> = written.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
        for (thread, seen) in words.chunks(6).enumerate() {
            let (cta, tid) = (thread as u32 / 64, thread as u32 % 64);
            assert_eq!(seen, [cta, 3, tid, 64, tid % 32, tid / 32]);
        }
    });
}
