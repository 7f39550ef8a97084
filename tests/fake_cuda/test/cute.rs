//! Thread-value layouts in the notation of NVIDIA's CuTe: (threads, values) to row + rows x column, each mode a list of
//! sizes and strides, the first one fastest. Rows are those of M for A and C, and of N for B; columns those of K, and of N
//! for C. The numbers are the layouts of CUTLASS's mma_traits_sm70, sm80 and sm90.

/// A list of sizes and strides.
pub type Mode = &'static [(usize, usize)];

/// Where each value of each thread lies.
#[derive(Debug, Clone, Copy)]
pub struct Layout {
    pub threads: Mode,
    pub values: Mode,
}

fn offset(mode: Mode, mut index: usize) -> usize {
    let mut sum = 0;
    for (size, stride) in mode {
        sum += index % size * stride;
        index /= size;
    }
    sum
}

fn size(mode: Mode) -> usize {
    mode.iter().map(|(size, _)| size).product()
}

impl Layout {
    /// Row and column of a value in a matrix of so many rows.
    pub fn place(&self, rows: usize, thread: usize, value: usize) -> (usize, usize) {
        let index = offset(self.threads, thread) + offset(self.values, value);
        (index % rows, index / rows)
    }

    pub fn thread_count(&self) -> usize {
        size(self.threads)
    }

    pub fn value_count(&self) -> usize {
        size(self.values)
    }
}

/// The layout of four rows of lanes: lane % 4 goes with the first stride, lane / 4 is the row.
const fn warp(threads: Mode, values: Mode) -> Layout {
    Layout { threads, values }
}

/// Layouts of A and B, 8 or 16 rows, by the columns of K; W is the number of values side by side in a register.
pub const A_16X8_ROW: Layout = warp(&[(4, 32), (8, 1)], &[(2, 16), (2, 8)]);
pub const B_8X8_ROW: Layout = warp(&[(4, 16), (8, 1)], &[(2, 8)]);
pub const A_16X16_HALF: Layout = warp(&[(4, 32), (8, 1)], &[(2, 16), (2, 8), (2, 128)]);
pub const B_8X16_HALF: Layout = warp(&[(4, 16), (8, 1)], &[(2, 8), (2, 64)]);
pub const A_16X4_WORD: Layout = warp(&[(4, 16), (8, 1)], &[(2, 8)]);
pub const X_8X4_WORD: Layout = warp(&[(4, 8), (8, 1)], &[]);
pub const A_16X8_WORD: Layout = warp(&[(4, 16), (8, 1)], &[(2, 8), (2, 64)]);
pub const B_8X8_WORD: Layout = warp(&[(4, 8), (8, 1)], &[(2, 32)]);
pub const A_16X16_WORD: Layout = warp(&[(4, 16), (8, 1)], &[(2, 8), (4, 64)]);
pub const B_8X16_WORD: Layout = warp(&[(4, 8), (8, 1)], &[(4, 32)]);
pub const X_8X16_BYTE: Layout = warp(&[(4, 32), (8, 1)], &[(4, 8)]);
pub const A_16X16_BYTE: Layout = warp(&[(4, 64), (8, 1)], &[(4, 16), (2, 8)]);
pub const A_16X32_BYTE: Layout = warp(&[(4, 64), (8, 1)], &[(4, 16), (2, 8), (2, 256)]);
pub const B_8X32_BYTE: Layout = warp(&[(4, 32), (8, 1)], &[(4, 8), (2, 128)]);
pub const X_8X32_NIBBLE: Layout = warp(&[(4, 64), (8, 1)], &[(8, 8)]);
pub const A_16X32_NIBBLE: Layout = warp(&[(4, 128), (8, 1)], &[(8, 16), (2, 8)]);
pub const A_16X64_NIBBLE: Layout = warp(&[(4, 128), (8, 1)], &[(8, 16), (2, 8), (2, 512)]);
pub const B_8X64_NIBBLE: Layout = warp(&[(4, 64), (8, 1)], &[(8, 8), (2, 256)]);
/// C and D.
pub const C_16X8: Layout = A_16X8_ROW;
pub const C_8X8: Layout = warp(&[(4, 16), (8, 1)], &[(2, 8)]);
/// Quad pairs of Volta: eight threads.
pub const QUAD_PAIR_8X4: Layout = warp(&[(4, 1), (2, 4)], &[(4, 8)]);
pub const QUAD_PAIR_C_HALF: Layout = warp(&[(4, 1), (2, 4)], &[(8, 8)]);
pub const QUAD_PAIR_C_WORD: Layout = warp(&[(2, 1), (2, 16), (2, 4)], &[(2, 8), (2, 2), (2, 32)]);
/// Warpgroups: 64 rows; D for any n, here up to 256.
pub const GROUP_A_WORD: Layout = warp(&[(4, 64), (8, 1), (4, 16)], &[(2, 8), (2, 256)]);
pub const GROUP_A_HALF: Layout = warp(&[(4, 128), (8, 1), (4, 16)], &[(2, 64), (2, 8), (2, 512)]);
pub const GROUP_A_BYTE: Layout = warp(&[(4, 256), (8, 1), (4, 16)], &[(4, 64), (2, 8), (2, 1024)]);
pub const GROUP_D: Layout = warp(&[(4, 128), (8, 1), (4, 16)], &[(2, 64), (2, 8), (32, 512)]);
