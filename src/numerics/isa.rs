//! Levels of vector instructions: which of them this machine's processor has, and which of those are used.
//!
//! Everything that is computed many vectors at a time is there for each level, and answers the same on each.

use std::sync::OnceLock;

/// Instructions that a level of the code needs, the least able first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Isa {
    /// What the compiler makes of plain Rust.
    Portable,
    /// Advanced SIMD of 64-bit Arm.
    Neon,
    /// x86-64-v3: AVX2, FMA3, F16C, BMI1, BMI2 and LZCNT.
    Avx2,
    /// x86-64-v4: AVX-512 F, BW, CD, DQ and VL, and all of x86-64-v3.
    Avx512,
}

/// The highest level that may be used, where one was set.
static LIMIT: OnceLock<Isa> = OnceLock::new();

impl Isa {
    /// All levels, the least able first.
    pub const ALL: [Isa; 4] = [Isa::Portable, Isa::Neon, Isa::Avx2, Isa::Avx512];

    /// Short name, as it is given on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Isa::Portable => "portable",
            Isa::Neon => "neon",
            Isa::Avx2 => "avx2",
            Isa::Avx512 => "avx512",
        }
    }

    /// Name for people.
    pub fn title(self) -> &'static str {
        match self {
            Isa::Portable => "portable code",
            Isa::Neon => "NEON",
            Isa::Avx2 => "AVX2",
            Isa::Avx512 => "AVX-512",
        }
    }

    /// Whether the processor has all instructions of the level, whatever the limit.
    pub fn is_supported(self) -> bool {
        match self {
            Isa::Portable => true,
            Isa::Neon => cfg!(target_arch = "aarch64"),
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => {
                is_x86_feature_detected!("avx2")
                    && is_x86_feature_detected!("fma")
                    && is_x86_feature_detected!("f16c")
                    && is_x86_feature_detected!("bmi1")
                    && is_x86_feature_detected!("bmi2")
                    && is_x86_feature_detected!("lzcnt")
            }
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => {
                Isa::Avx2.is_supported()
                    && is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512cd")
                    && is_x86_feature_detected!("avx512dq")
                    && is_x86_feature_detected!("avx512vl")
            }
            #[cfg(not(target_arch = "x86_64"))]
            Isa::Avx2 | Isa::Avx512 => false,
        }
    }

    /// The levels that the processor has, the least able first, whatever the limit.
    pub fn supported() -> impl Iterator<Item = Isa> {
        Isa::ALL.into_iter().filter(|isa| isa.is_supported())
    }

    /// The most able level that the processor has and the limit allows.
    pub fn best() -> Isa {
        static DETECTED: OnceLock<Isa> = OnceLock::new();
        LIMIT
            .get()
            .copied()
            .unwrap_or_else(|| *DETECTED.get_or_init(|| Isa::supported().last().unwrap_or(Isa::Portable)))
    }

    /// From now on [`best`](Isa::best) is this level.
    ///
    /// # Errors
    /// The processor lacks the level, or another one was set before.
    pub fn limit(self) -> Result<(), String> {
        if !self.is_supported() {
            let names: Vec<&str> = Isa::supported().map(Isa::name).collect();
            return Err(format!("this processor has no {}; allowed: {}", self.title(), names.join(", ")));
        }
        match *LIMIT.get_or_init(|| self) {
            set if set == self => Ok(()),
            set => Err(format!("the level is {} already", set.name())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_of_this_processor() {
        let supported: Vec<Isa> = Isa::supported().collect();
        assert_eq!(supported[0], Isa::Portable);
        assert!(supported.is_sorted() && supported.contains(&Isa::best()));
        let absent = Isa::ALL.into_iter().find(|isa| !isa.is_supported()).expect("no processor has NEON and AVX2");
        let error = absent.limit().unwrap_err();
        assert!(error.contains(absent.title()) && error.contains("portable"), "{error}");
    }
}
