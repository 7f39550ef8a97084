//! A broken twin of each kind of obligation: it is refuted, and the signal that is wrong is named.

use tensorsmith::emit::SourceFile;
use tensorsmith::prove::netlist;
use tensorsmith::prove::rtl::{self, Means, Verdict};

use super::mutants::{cells, needs_programs};
use super::outside::{Opinion, Outside};
use super::support::{long_tier, sampled};
use super::{LIMIT, files, problem, unit};

/// A file, what becomes what in it, and the signal that is wrong then: one for every kind of obligation.
const TWINS: [(&str, &str, &str, &str); 19] = [
    ("tensorsmith_unpack.sv", "- ExponentWidth'(Bias)", "- ExponentWidth'(Bias + 1)", "unpacked_c_exponent"),
    (
        "tensorsmith_product.sv",
        "Width'(a_exponent_i) + Width'(b_exponent_i)",
        "Width'(a_exponent_i) - Width'(b_exponent_i)",
        "product_biased",
    ),
    (
        "tensorsmith_product.sv",
        "ProductWidth'(a_significand_i) * ProductWidth'(b_significand_i)",
        "ProductWidth'(a_significand_i) * ProductWidth'(a_significand_i)",
        "product_significand",
    ),
    (
        "tensorsmith_maximum_tree.sv",
        "gen_node[Left].value > gen_node[Right].value",
        "gen_node[Left].value < gen_node[Right].value",
        "biased_anchor",
    ),
    ("tensorsmith_align.sv", "placed >> (right &", "(placed >> 1'b1) >> (right &", "aligned_row"),
    (
        "tensorsmith_align.sv",
        "assign up_o      = negative;",
        "assign up_o      = negative ^ (right > 5);",
        "aligned_up",
    ),
    (
        "tensorsmith_adder_tree.sv",
        "gen_node[Left].value + gen_node[Right].value",
        "gen_node[Left].value - gen_node[Right].value",
        "sum",
    ),
    ("tensorsmith_aligned_sum.sv", "RowWidth])) << RowWidth);", "RowWidth])) << (RowWidth - 1));", "sum"),
    (
        "tensorsmith_normalise.sv",
        "assign field_o       = FieldWidth'(shifted_limit) + FieldWidth'(1) -",
        "assign field_o       = FieldWidth'(shifted_limit) + FieldWidth'(1) +",
        "normalised_field",
    ),
    (
        "tensorsmith_round.sv",
        "{1'b0, kept} + (FractionBits + 2)'(round_up)",
        "{1'b0, kept} + (FractionBits + 2)'(half)",
        "rounded",
    ),
    ("tensorsmith_special.sv", "(positive_infinity && negative_infinity)", "1'b0", "special_nan"),
    ("tensorsmith_pack.sv", "not_a_number ? NanWord", "not_a_number ? ~NanWord", "packed_word"),
    ("tensorsmith_pack.sv", "{above ? normal : FieldWidth'(0), fraction}", "{normal, fraction}", "packed_word"),
    // Exponents with a bias: that of a zero product, what 0 says where all are zero, the addend's, and the anchor without it.
    ("tensorsmith_fused.sv", ".ExponentFloor       (0)", ".ExponentFloor       (1)", "product_biased"),
    (
        "tensorsmith_aligned_sum.sv",
        "? ExponentWidth'(ExponentFloor) :",
        "? ExponentWidth'(ExponentFloor + 1) :",
        "biased_anchor",
    ),
    (
        "tensorsmith_fused.sv",
        "AnchorWidth'($signed(c_exponent)) + AnchorWidth'(ProductBias)",
        "AnchorWidth'($signed(c_exponent)) + AnchorWidth'(ProductBias + 1)",
        "biased_addend",
    ),
    (
        "tensorsmith_fused.sv",
        "ExponentWidth'($signed(biased_anchor)) - ",
        "ExponentWidth'($signed(biased_anchor)) + ",
        "anchor",
    ),
    // Signed numbers in the order of unsigned words; turned at one end only.
    ("tensorsmith_maximum_tree.sv", "Sign = Width'(1) <<", "Sign = Width'(0) <<", "biased_anchor"),
    (
        "tensorsmith_maximum_tree.sv",
        "gen_node[NodeCount-1].value ^ Sign",
        "gen_node[NodeCount-1].value",
        "biased_anchor",
    ),
];

/// Each broken twin, in the ordinary tier one in four, of a small unit, differs first in that signal; and what judges survivors, the
/// cells and ABC, tells it from the original.
#[test]
fn broken_twins_are_refuted() {
    let Some(()) = needs_programs("twins") else { return };
    let unit = unit(if long_tier() { "volta-fp16-fp32" } else { "tiny-nearest" });
    let sources = files(&unit);
    let outside = Outside::of(&unit.module_name(), &sources);
    assert_eq!(outside.opinion(&sources), Opinion::OneGraph);
    let original = cells(&problem(&unit));
    assert!(original == cells(&problem(&unit)) && original.is_some());
    // Yosys takes longer to make a graph for ABC than all that is proved: the ordinary tier asks it of one twin in four.
    let asked = if long_tier() { 1 } else { 4 };
    for (index, &&(file, from, to, signal)) in sampled(&TWINS, 4).iter().enumerate() {
        let broken = |source: &SourceFile| {
            let hit = source.name == file;
            assert!(!hit || source.text.contains(from), "{file} has {from:?}");
            let text = if hit { source.text.replacen(from, to, 1) } else { source.text.clone() };
            SourceFile { name: source.name.clone(), text }
        };
        let sources: Vec<SourceFile> = sources.iter().map(broken).collect();
        if index % asked == 0 {
            assert_eq!(outside.opinion(&sources), Opinion::Different, "{to}");
        }
        let netlist = netlist::read(&unit.module_name(), &sources, LIMIT).expect("yosys reads it");
        let problem = rtl::pair(&unit, netlist).expect("the signals are there");
        assert_ne!(cells(&problem), original, "{to}");
        match rtl::prove(&unit, &problem, &Means::within(LIMIT), &|_| {}).verdict {
            Verdict::Refuted(witness) => {
                assert_eq!(witness.signal.split('[').next(), Some(signal), "{to}");
                assert_ne!(witness.netlist, witness.emulator, "{to}");
            }
            other => panic!("{to} is not refuted: {other:?}"),
        }
    }
}
