//! Running models: values, lengths, failures inside the model.

use crate::rtl_harness::units::{
    DOT4, SCALED, SCALED_SUM, UNSCALED, WEIGHTED_SUM, dot4, load, mask, noise, request, source, weighted_sum,
};
use std::thread;
use tensorsmith::engine::rtl::{ModelError, Shape};

fn check_shape(module: &str, shape: Shape) {
    const VECTORS: usize = 1000;
    let mut model = load(&request(module, source(module, shape, WEIGHTED_SUM)));
    assert_eq!(model.shape(), shape);
    assert_eq!(model.module(), module);
    assert!(model.signals().is_empty());

    let products = shape.products as usize;
    let (a, b, c) = (noise(VECTORS * products, 1), noise(VECTORS * products, 2), noise(VECTORS, 3));
    let mut d = vec![0; VECTORS];
    model.run(&a, &b, &c, &mut d).unwrap();
    for (vector, found) in d.iter().enumerate() {
        let elements = vector * products..(vector + 1) * products;
        let expected = weighted_sum(shape, &a[elements.clone()], &b[elements], c[vector]);
        assert_eq!(*found, expected, "{module}, vector {vector}");
    }
}

#[test]
fn harness_model_noise_dot4_16_bits() {
    check_shape("harness_order_4x16", DOT4);
}

#[test]
fn harness_model_noise_dot2_8_bits_and_4_bits() {
    let shape = Shape { products: 2, a_width: 4, b_width: 8, c_width: 8, d_width: 8, ..UNSCALED };
    check_shape("harness_order_2x4", shape);
}

#[test]
fn harness_model_noise_dot8_ports_beyond_64_bits() {
    let shape = Shape { products: 8, a_width: 32, b_width: 32, c_width: 32, d_width: 32, ..UNSCALED };
    check_shape("harness_order_8x32", shape);
}

#[test]
fn harness_model_noise_elements_across_word_borders() {
    let shape = Shape { products: 16, a_width: 6, b_width: 37, c_width: 19, d_width: 41, ..UNSCALED };
    check_shape("harness_order_16x37", shape);
}

#[test]
fn harness_model_noise_dot16_8_bits() {
    let shape = Shape { products: 16, a_width: 8, b_width: 8, c_width: 32, d_width: 32, ..UNSCALED };
    check_shape("harness_order_16x8", shape);
}

#[test]
fn harness_model_noise_single_64_bit_product() {
    let shape = Shape { products: 1, a_width: 64, b_width: 64, c_width: 64, d_width: 64, ..UNSCALED };
    check_shape("harness_order_1x64", shape);
}

#[test]
fn a_model_moves_between_threads() {
    let mut model = dot4();
    let moved = thread::spawn(move || {
        let mut d = [0];
        model.run(&[1, 2, 3, 4], &[5, 6, 7, 8], &[9], &mut d).map(|()| (model, d[0]))
    });
    let (mut model, first) = moved.join().unwrap().unwrap();
    let mut d = [0];
    model.run(&[1, 2, 3, 4], &[5, 6, 7, 8], &[9], &mut d).unwrap();
    assert_eq!([first, d[0]], [weighted_sum(DOT4, &[1, 2, 3, 4], &[5, 6, 7, 8], 9); 2]);
}

#[test]
fn slices_of_unequal_length_are_an_error() {
    let mut model = dot4();
    let four = [0; 4];
    for (a, b, c, slice) in [
        (&four[..3], &four[..], &four[..1], "slice a"),
        (&four[..], &four[..0], &four[..1], "slice b"),
        (&four[..], &four[..], &four[..2], "slice c"),
    ] {
        let error = model.run(a, b, c, &mut [0]).unwrap_err();
        assert!(error.to_string().contains(slice), "{error}");
    }
    model.run(&[], &[], &[], &mut []).unwrap();
}

#[test]
fn a_fatal_error_in_the_model_is_an_error_of_the_call() {
    let body = format!(
        "{WEIGHTED_SUM}
  always_comb begin
    if (c_i == 'd13) $fatal(1, \"unlucky addend %0d\", c_i);
    assert (c_i != 'd14) else $error(\"asserted addend\");
    if (c_i == 'd15) $finish;
  end"
    );
    let mut model = load(&request("harness_fatal", source("harness_fatal", DOT4, &body)));
    let four = [1, 1, 1, 1].repeat(2);
    let mut d = [0, 0];
    for (addend, text) in [(13, "unlucky addend 13"), (14, "asserted addend"), (15, "$finish")] {
        let error = model.run(&four, &four, &[12, addend], &mut d).unwrap_err();
        assert!(matches!(error, ModelError::Run { .. }));
        let shown = error.to_string();
        assert!(shown.contains(text) && shown.contains("vector 1"), "{shown}");
    }
    model.run(&four, &four, &[12, 16], &mut d).unwrap();
    assert_eq!(d[1], weighted_sum(DOT4, &four[..4], &four[..4], 16));
}

#[test]
fn an_initial_fatal_error_is_an_error_of_every_call() {
    let body = format!("{WEIGHTED_SUM}\n  initial $fatal(1, \"bad configuration\");");
    let mut model = load(&request("harness_initial", source("harness_initial", DOT4, &body)));
    for _ in 0..2 {
        let error = model.run(&[0; 4], &[0; 4], &[0], &mut [0]).unwrap_err();
        assert!(error.to_string().contains("bad configuration"), "{error}");
    }
}

/// Scales reach their ports in order, and are cut to their width.
#[test]
fn scales_definition_random_loaded() {
    let mut model = load(&request("harness_scaled", SCALED_SUM.to_string()));
    assert_eq!(model.shape(), SCALED);
    let count = 1000;
    let (a, b, c) = (noise(count, 1), noise(count, 2), noise(count, 3));
    let (scale_a, scale_b) = (noise(3 * count, 4), noise(3 * count, 5));
    let mut d = vec![0; count];
    model.run_scaled(&a, &b, &scale_a, &scale_b, &c, &mut d).unwrap_or_else(|error| panic!("{error}"));
    for v in 0..count {
        let scales = (0..3u64).zip(&scale_a[3 * v..]).zip(&scale_b[3 * v..]);
        let scaled = scales.map(|((s, a), b)| (a & mask(8)) * ((b & mask(7)) + s + 1));
        let expected = (c[v] & mask(32)) + (a[v] & mask(8)) * (b[v] & mask(8)) + scaled.sum::<u64>();
        assert_eq!(d[v], expected & mask(32), "vector {v}");
    }
    let error = model.run(&a, &b, &c, &mut d).err().map(|error| error.to_string()).unwrap_or_default();
    assert!(error.contains("slice scale_a has 0 elements"), "{error}");
    let error = model.run_scaled(&a, &b, &scale_a, &scale_b[1..], &c, &mut d).err();
    assert!(error.is_some_and(|error| error.to_string().contains("slice scale_b has 2999 elements")));
}
