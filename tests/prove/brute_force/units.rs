//! Units of so few bits that all their inputs can be tried, of every scheme, the same in every run.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use tensorsmith::describe::unit::Unit;

pub const SCHEMES: [&str; 9] = [
    "fused",
    "fma-chain",
    "even-odd-chain",
    "pairwise",
    "pair-chain",
    "integer",
    "block-scaled",
    "exact",
    "fused-then-add",
];

/// Units of each scheme.
pub const OF_A_SCHEME: usize = 7;

/// Bits of all operands together.
const BITS: u32 = 18;

/// The same where the stages of every vector are looked at, which takes longer.
pub const BITS_OF_STAGES: u32 = 13;

struct Draw(Xoshiro256PlusPlus);

impl Draw {
    fn below(&mut self, count: usize) -> usize {
        (self.0.next_u64() >> 32) as usize % count
    }

    fn one<'w>(&mut self, words: &[&'w str]) -> &'w str {
        words[self.below(words.len())]
    }

    /// A float of 3 to 5 bits, a signed one with a NaN where it is a result's.
    fn format(&mut self, result: bool) -> String {
        let named = if result { "e4m3" } else { "e2m1" };
        if self.below(6) == 0 {
            return format!("{named:?}");
        }
        let kinds = ["ieee", "all-ones-nan", "negative-zero-nan", "none"];
        let kind = self.one(&kinds[..if result { 3 } else { 4 }]);
        let [exponent, fraction] = [[1, 1], [2, 1], [1, 2], [2, 2], [3, 1]][self.below(if result { 5 } else { 3 })];
        let bias = self.below(1 << exponent);
        let padding = u32::from(self.below(8) == 0);
        format!(
            "{{ exponent_bits = {exponent}, fraction_bits = {fraction}, bias = {bias}, non_finite = {kind:?}, \
             padding_bits = {padding} }}"
        )
    }

    fn scale(&mut self) -> String {
        let [exponent, fraction] = [[1, 0], [1, 1], [2, 0]][self.below(3)];
        let kind = self.one(&["none", "all-ones-nan"]);
        format!("{{ exponent_bits = {exponent}, fraction_bits = {fraction}, bias = 1, non_finite = {kind:?} }}")
    }

    fn alignment(&mut self, scaled: bool) -> String {
        let rounding = self.one(&["toward-zero", "downward", "nearest-even", "to-odd"]);
        let floor = self.one(&["\"none\"", "\"none\"", "-2", "0"]);
        let (bits, normalise) = (1 + self.below(6), !scaled && self.below(4) == 0);
        format!(
            "[alignment]\nfraction_bits = {bits}\nrounding = {rounding:?}\nexponent_floor = {floor}\n\
             normalise_products = {normalise}\n"
        )
    }

    fn addition(&mut self, products: usize) -> String {
        let groups = self.one(if products == 2 { &["one", "even-odd"] } else { &["one"] });
        let overflow = self.one(&["none", "infinity"]);
        let rounding = self.one(&["toward-zero", "downward", "nearest-even", "to-odd"]);
        let (addend, more) = (1 + self.below(4), self.below(3));
        let reach = self.one(&["\"unlimited\"", "0", "2"]);
        let total = self.one(&["\"unlimited\"", "0", "3"]);
        format!(
            "[addition]\ngroups = {groups:?}\nproduct_overflow = {overflow:?}\nsum_fraction_bits = {}\n\
             addend_fraction_bits = {addend}\nrounding = {rounding:?}\nexponent_floor = \"none\"\n\
             addend_reach = {reach}\ntotal_fraction_bits = {total}\n",
            addend + more
        )
    }

    fn conversion(&mut self, scheme: &str, steps: bool) -> String {
        let modes = ["nearest-even", "nearest-away", "toward-zero", "toward-positive", "toward-negative", "to-odd"];
        let (rounding, overflow) = (self.one(&modes), self.one(&["infinity", "infinity", "saturate", "ieee"]));
        let mut text = format!("[conversion]\nrounding = {rounding:?}\noverflow = {overflow:?}\n");
        if !steps {
            let (exact, rounded) = (self.one(&["positive", "negative"]), self.one(&["signed", "positive"]));
            text += &format!("exact_zero = {exact:?}\nrounded_zero = {rounded:?}\n");
        }
        if scheme == "fused" && self.below(4) == 0 {
            text += "flags = true\n";
        }
        let input = self.one(if steps { &["flushed", "flushed-to-plus-zero"] } else { &["flushed"] });
        let result = self.one(if steps { &["flushed", "flushed-if-tiny"] } else { &["flushed"] });
        let mut flush = |word: &str| if self.below(3) == 0 { word.to_owned() } else { "kept".to_owned() };
        let [operands, addend, result] = [input, input, result].map(&mut flush);
        text + &format!("[subnormals]\noperands = {operands:?}\naddend = {addend:?}\nresult = {result:?}\n")
    }

    fn text(&mut self, scheme: &str) -> String {
        let even = ["even-odd-chain", "pair-chain"].contains(&scheme);
        let steps = even || ["fma-chain", "pairwise"].contains(&scheme);
        let products = if even { 2 } else { 1 + self.below(2) };
        let mut text = format!("name = \"tiny\"\nscheme = {scheme:?}\nproducts = {products}\n[formats]\n");
        if scheme == "integer" {
            let int4 = ["int4", "uint4"];
            let [a, b, c] = [&int4[..], &int4, &int4].map(|names| self.one(names));
            let d = self.one(&["int4", "int8", "uint8"]);
            let overflow = self.one(&["wrap", "saturate"]);
            text = text.replace("products = 2", "products = 1");
            return text
                + &format!("a = {a:?}\nb = {b:?}\nc = {c:?}\nd = {d:?}\n[conversion]\noverflow = {overflow:?}\n");
        }
        let [a, b, d] = [false, false, true].map(|result| self.format(result));
        let c = if steps {
            d.clone()
        } else {
            let signed = self.below(2) == 0;
            self.format(signed)
        };
        text += &format!("a = {a}\nb = {b}\nd = {d}\n");
        if scheme != "fused" || self.below(4) > 0 {
            text += &format!("c = {c}\n");
        }
        if ["fused", "block-scaled", "fused-then-add"].contains(&scheme) {
            text += &self.alignment(scheme == "block-scaled");
        }
        match scheme {
            "block-scaled" => {
                text += &format!("[scales]\na = {}\nb = {}\nblock = {products}\n", self.scale(), self.scale())
            }
            "fused-then-add" => text += &self.addition(products),
            "fused" if self.below(3) == 0 => text += "[sum]\ncarry_bits = 0\n",
            _ => {}
        }
        text + &self.conversion(scheme, steps)
    }
}

/// Bits of all operands of a unit.
pub fn bits(unit: &Unit) -> u32 {
    let (formats, [scale_a, scale_b]) = (&unit.formats, unit.interface().scale_widths());
    unit.products * (formats.a.width() + formats.b.width())
        + formats.c.width()
        + unit.scale_count() * (scale_a + scale_b)
}

/// Units of a scheme, which the reader accepts.
pub fn of_scheme(scheme: &str) -> Vec<Unit> {
    let seed = SCHEMES.iter().position(|name| *name == scheme).expect("a scheme") as u64;
    let mut draw = Draw(Xoshiro256PlusPlus::seed_from_u64(seed));
    let units = std::iter::repeat_with(|| Unit::from_toml("tiny.toml", &draw.text(scheme)).ok()).take(4000);
    let units: Vec<Unit> = units.flatten().filter(|unit| bits(unit) <= BITS).take(OF_A_SCHEME).collect();
    assert_eq!(units.len(), OF_A_SCHEME, "{scheme}");
    units
}
