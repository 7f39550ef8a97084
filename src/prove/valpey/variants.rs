//! Property 5 as printed, and what is left open there or was tried beside it.

/// What of an operand a dot product takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part16 {
    /// A16, B16.
    Half,
    /// R_A, R_B.
    Residual,
    /// The operand itself, its product rounded to fp32.
    Whole,
}
use Part16::{Half, Residual, Whole};

/// What the text leaves open, or what was tried beside it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Variant {
    pub name: &'static str,
    pub looked_for: &'static str,
    /// Rounding of fp32 operands and residuals to fp16.
    pub conversion: &'static str,
    /// Markidis' dot products, of a and of b, in the order in which they are added.
    pub markidis: &'static [[Part16; 2]],
    /// Those whose sum Ootomo and Yokota divide by 2^11.
    pub cross: [[Part16; 2]; 2],
    /// Whether R_A R_B takes part in Ootomo and Yokota's sum.
    pub residual_product: bool,
    /// Whether c takes part: Markidis' chain starts from it, Ootomo and Yokota add it last, in fp32.
    pub addend: bool,
    /// Whether terms are normalised before they are aligned.
    pub normalised: bool,
    /// Whether the true result is that of a chain of binary64 FMAs, not the exact one.
    pub true_in_binary64: bool,
}

pub(super) const PRINTED: Variant = Variant {
    name: "property-5",
    looked_for: "fp32 a, b of 4 elements: Ootomo-Yokota farther from the exact result than Markidis; as printed, conversions RNE",
    conversion: "nearest-even",
    markidis: &[[Residual, Residual], [Half, Residual], [Residual, Half], [Half, Half]],
    cross: [[Half, Residual], [Residual, Half]],
    residual_product: true,
    addend: false,
    normalised: false,
    true_in_binary64: false,
};

pub(super) const VARIANTS: [Variant; 6] = [
    PRINTED,
    Variant {
        name: "property-5-truncating",
        looked_for: "the same where conversions to fp16 truncate",
        conversion: "toward-zero",
        ..PRINTED
    },
    Variant {
        name: "property-5-without-residual-product",
        looked_for: "the same without R_A R_B in both",
        markidis: &[[Half, Residual], [Residual, Half], [Half, Half]],
        residual_product: false,
        ..PRINTED
    },
    Variant {
        name: "property-5-product-earlier",
        looked_for: "the same where conversions truncate, without R_A R_B, and A16 B16 is added before R_A B16",
        conversion: "toward-zero",
        markidis: &[[Half, Residual], [Half, Half], [Residual, Half]],
        residual_product: false,
        ..PRINTED
    },
    Variant {
        name: "property-5-addend",
        looked_for: "the same with an fp32 c: Markidis' chain starts from it, Ootomo-Yokota add it last, RNE",
        addend: true,
        ..PRINTED
    },
    Variant {
        name: "property-5-artefact",
        looked_for: "as the authors' program has it: conversions truncate, A16 B16 is added first, residuals meet fp32 operands in products \
                     rounded to fp32, Ootomo-Yokota without R_A R_B, terms normalised, and binary64 FMAs for the true result",
        conversion: "toward-zero",
        markidis: &[[Half, Half], [Residual, Whole], [Whole, Residual], [Residual, Residual]],
        cross: [[Residual, Half], [Half, Residual]],
        residual_product: false,
        normalised: true,
        true_in_binary64: true,
        ..PRINTED
    },
];
