//! Traced models: stage signals after a run.

use crate::rtl_harness::units::{DOT4, WEIGHTED_SUM, load, mask, request, source, weighted_sum};
use tensorsmith::engine::rtl::{Request, Signal, build_library};

#[test]
fn traced_signals_have_the_values_of_the_last_vector() {
    let body = format!(
        "  logic [68:0] wide;
  logic [4:0]  odd_name;
  logic        parity;
  logic [47:0] middle;
  assign wide      = {{5'd21, a_i}};
  assign odd_name = b_i[20:16];
  assign parity    = ^c_i;
  assign middle    = wide[68:21] ^ 48'(odd_name) ^ 48'(parity);
{}",
        WEIGHTED_SUM.replace("assign d_o = sum;", "assign d_o = sum ^ middle[31:0] ^ wide[31:0] ^ 32'(middle[47:32]);")
    );
    let signal = |name: &str, bits| Signal { name: name.to_string(), bits };
    let signals =
        vec![signal("wide", 69), signal("odd_name", 5), signal("parity", 1), signal("middle", 48), signal("sum", 32)];
    let plain = request("harness_traced", source("harness_traced", DOT4, &body));
    let mut model = load(&Request { signals: signals.clone(), ..plain.clone() });
    assert_eq!(model.signals(), signals);
    assert_eq!(model.read(0), [0; 3], "before the first vector");

    let (a, b) = ([9, 9, 9, 9, 0x1111, 0x2222, 0x3333, 0xf444], [7, 7, 7, 7, 1, 0x1f, 3, 4]);
    let mut d = [0, 0];
    model.run(&a, &b, &[0, 0b111], &mut d).unwrap();
    let wide = (21u128 << 64) | 0xf444_3333_2222_1111;
    let middle = (wide >> 21) as u64 & mask(48) ^ 0x1f ^ 1;
    assert_eq!(model.read(0), [0x2222_1111, 0xf444_3333, 21]);
    assert_eq!(model.read(1), [0x1f]);
    assert_eq!(model.read(2), [1]);
    assert_eq!(model.read(3), [middle as u32, (middle >> 32) as u32]);
    assert_eq!(u64::from(model.read(4)[0]), weighted_sum(DOT4, &a[4..], &b[4..], 0b111));
    assert!(model.read(5).is_empty());

    let mut untraced = [0, 0];
    load(&plain).run(&a, &b, &[0, 0b111], &mut untraced).unwrap();
    assert_eq!(d, untraced, "reading signals changes no result");
}

#[test]
fn a_wrong_signal_is_an_error() {
    let text = source("harness_signals", DOT4, WEIGHTED_SUM);
    let with = |name: &str, bits| {
        let signals = vec![Signal { name: name.to_string(), bits }];
        Request { signals, ..request("harness_signals", text.clone()) }
    };
    assert!(build_library(&with("nothing", 8)).unwrap_err().to_string().contains("no signal nothing"));
    assert!(build_library(&with("sum", 64)).unwrap_err().to_string().contains("not as wide"));
    assert!(build_library(&with("sum", 0)).unwrap_err().to_string().contains("1 to 65536"));

    let mut narrow = load(&with("sum", 31));
    narrow.run(&[0; 4], &[0; 4], &[1], &mut [0]).unwrap();
    let error = narrow.run(&[0; 4], &[0; 4], &[1 << 31], &mut [0]).unwrap_err();
    assert!(error.to_string().contains("more than the 31 bits"), "{error}");
}
