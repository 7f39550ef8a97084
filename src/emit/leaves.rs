//! The texts of the library, so that an installed program can emit complete designs.

use super::SourceFile;

macro_rules! leaves {
    ($($name:literal),* $(,)?) => {
        /// File name and text of every module of the library: those of the schemes, and their leaves.
        pub const LEAVES: &[(&str, &str)] = &[$(($name, include_str!(concat!("../../rtl/lib/", $name)))),*];
    };
}

leaves!(
    "tensorsmith_addend.sv",
    "tensorsmith_adder_tree.sv",
    "tensorsmith_align.sv",
    "tensorsmith_aligned_sum.sv",
    "tensorsmith_bound.sv",
    "tensorsmith_carry_save.sv",
    "tensorsmith_compound_add.sv",
    "tensorsmith_compressor.sv",
    "tensorsmith_delay.sv",
    "tensorsmith_flags.sv",
    "tensorsmith_flush.sv",
    "tensorsmith_fused.sv",
    "tensorsmith_integer.sv",
    "tensorsmith_leading_zeros.sv",
    "tensorsmith_maximum_tree.sv",
    "tensorsmith_normalise.sv",
    "tensorsmith_number_pack.sv",
    "tensorsmith_number_product.sv",
    "tensorsmith_number_round.sv",
    "tensorsmith_operand.sv",
    "tensorsmith_pack.sv",
    "tensorsmith_product.sv",
    "tensorsmith_round.sv",
    "tensorsmith_saturate.sv",
    "tensorsmith_special.sv",
    "tensorsmith_stream.sv",
    "tensorsmith_sum.sv",
    "tensorsmith_unpack.sv",
    "tensorsmith_unpack_scale.sv",
);

/// A module of the library and those that it consists of, each behind what it instantiates.
pub fn library(module: &str) -> Vec<SourceFile> {
    let mut files = Vec::new();
    add(module, &mut files);
    files
}

fn add(module: &str, files: &mut Vec<SourceFile>) {
    let name = format!("{module}.sv");
    let Some((_, text)) = LEAVES.iter().find(|(known, _)| *known == name) else { return };
    if files.iter().any(|file| file.name == name) {
        return;
    }
    add_all(module, text, files);
    files.push(SourceFile { name, text: (*text).to_owned() });
}

fn add_all(module: &str, text: &str, files: &mut Vec<SourceFile>) {
    let stems = LEAVES.iter().map(|(known, _)| known.trim_end_matches(".sv"));
    let is_instantiated = |stem: &&str| *stem != module && text.contains(&format!(" {stem} #("));
    stems.filter(is_instantiated).for_each(|stem| add(stem, files));
}

/// The modules that a text instantiates and those that they consist of, each behind what it instantiates.
pub(super) fn modules_of(text: &str) -> Vec<SourceFile> {
    let mut files = Vec::new();
    add_all("", text, &mut files);
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names of the files of a module.
    fn names(module: &str) -> Vec<String> {
        library(module).into_iter().map(|file| file.name).collect()
    }

    #[test]
    fn modules_stand_behind_what_they_consist_of() {
        let expected = ["tensorsmith_delay.sv", "tensorsmith_adder_tree.sv", "tensorsmith_align.sv"];
        assert_eq!(names("tensorsmith_aligned_sum")[..3], expected);
        assert_eq!(names("tensorsmith_integer").last().map(String::as_str), Some("tensorsmith_integer.sv"));
        assert!(!names("tensorsmith_integer").contains(&"tensorsmith_fused.sv".to_owned()));
        let tops = ["fused", "integer", "stream"];
        let of_lists = ["operand", "number_product", "sum", "number_round", "bound", "flush", "number_pack"];
        let all = [&tops[..], &of_lists].concat();
        let mut used: Vec<String> = all.iter().flat_map(|top| names(&format!("tensorsmith_{top}"))).collect();
        used.sort_unstable();
        used.dedup();
        assert_eq!(
            used,
            LEAVES.iter().map(|(name, _)| (*name).to_owned()).collect::<Vec<_>>(),
            "no module is left over"
        );
        assert!(names("tensorsmith_unknown").is_empty());
    }
}
