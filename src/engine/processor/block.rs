//! Operands of one instruction as the registers hold them: rows of words of 32 bits.
//!
//! A word holds one binary32, two bfloat16 or four int8, the lower index in the lower bits; a binary64 takes two words.

/// Rows, and words in a row, of a whole tile register.
pub const TILE: usize = 16;

/// A block of matrices for one tile instruction: C, rows x columns, + A, rows x depth words, times B, depth x columns words.
#[repr(C, align(64))]
pub struct Tile {
    pub a: [u32; TILE * TILE],
    pub b: [u32; TILE * TILE],
    /// C, and after the instruction D.
    pub c: [u32; TILE * TILE],
    shape: [usize; 3],
}

impl Tile {
    /// A tile of zeros, as large as can be, but for `depth` words of K.
    pub fn new(depth: usize) -> Tile {
        assert!((1..=TILE).contains(&depth), "a row of A has 1 to 16 words");
        let zeros = [0; TILE * TILE];
        Tile { a: zeros, b: zeros, c: zeros, shape: [TILE, TILE, depth] }
    }

    /// Configures other rows of A and columns of B. The elements stay.
    pub fn reshape(&mut self, rows: usize, columns: usize) {
        assert!(
            [rows, columns].iter().all(|extent| (1..=TILE).contains(extent)),
            "a tile has 1 to 16 rows and columns"
        );
        self.shape = [rows, columns, self.shape[2]];
    }

    /// Rows of A and C, columns of B and C, and words of K.
    pub fn shape(&self) -> [usize; 3] {
        self.shape
    }
}

/// Lanes of one vector instruction, each with an a, a b and a c.
#[repr(C, align(64))]
#[derive(Default)]
pub struct Lanes {
    pub a: [u32; TILE],
    pub b: [u32; TILE],
    /// c, and after the instruction d.
    pub c: [u32; TILE],
}

/// Elements of the given width side by side in words, the last one filled up with zeros.
pub fn pack(elements: impl Iterator<Item = u64>, bits: u32, words: &mut [u32]) {
    words.fill(0);
    for (index, element) in elements.enumerate() {
        let low = index as u32 * bits;
        // A binary64 begins a word and fills the next one too.
        words[(low / 32) as usize] |= (element as u32) << (low % 32);
        if bits == 64 {
            words[(low / 32) as usize + 1] = (element >> 32) as u32;
        }
    }
}
