//! The texts of the leaves, so that an installed program can emit complete designs.

macro_rules! leaves {
    ($($name:literal),* $(,)?) => {
        /// File name and text of every leaf.
        pub const LEAVES: &[(&str, &str)] = &[$(($name, include_str!(concat!("../../rtl/lib/", $name)))),*];
    };
}

leaves!(
    "tensorsmith_add.sv",
    "tensorsmith_addend.sv",
    "tensorsmith_adder_tree.sv",
    "tensorsmith_align.sv",
    "tensorsmith_aligned_sum.sv",
    "tensorsmith_block_scaled.sv",
    "tensorsmith_cut.sv",
    "tensorsmith_flags.sv",
    "tensorsmith_fma.sv",
    "tensorsmith_fused.sv",
    "tensorsmith_fused_then_add.sv",
    "tensorsmith_group_sum.sv",
    "tensorsmith_integer.sv",
    "tensorsmith_leading_zeros.sv",
    "tensorsmith_maximum_tree.sv",
    "tensorsmith_multiply.sv",
    "tensorsmith_normalise.sv",
    "tensorsmith_operations.sv",
    "tensorsmith_pack.sv",
    "tensorsmith_product.sv",
    "tensorsmith_product_overflow.sv",
    "tensorsmith_round.sv",
    "tensorsmith_round_sum.sv",
    "tensorsmith_saturate.sv",
    "tensorsmith_scale.sv",
    "tensorsmith_special.sv",
    "tensorsmith_unpack.sv",
    "tensorsmith_unpack_scale.sv",
);
