//! Matrices of encodings, each in as few bytes as its format needs.

use super::store::Store;
use crate::describe::format::Format;

/// Encodings, one after the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Elements {
    U8(Store<u8>),
    U16(Store<u16>),
    U32(Store<u32>),
    U64(Store<u64>),
}

/// The same for every width of elements.
macro_rules! each {
    ($elements:expr, $list:ident => $made:expr) => {
        match $elements {
            $crate::engine::gemm::Elements::U8($list) => $made,
            $crate::engine::gemm::Elements::U16($list) => $made,
            $crate::engine::gemm::Elements::U32($list) => $made,
            $crate::engine::gemm::Elements::U64($list) => $made,
        }
    };
}
pub(super) use each;

/// An element of any width.
#[inline]
pub(super) fn encoding(element: impl Into<u64>) -> u64 {
    element.into()
}

/// A matrix of encodings, row by row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Matrix {
    pub rows: usize,
    pub columns: usize,
    pub elements: Elements,
}

impl Elements {
    /// `count` zeros, with room for encodings of that many bits.
    pub fn zeros(width: u32, count: usize) -> Elements {
        match width {
            0..=8 => vec![0u8; count].into(),
            9..=16 => vec![0u16; count].into(),
            17..=32 => vec![0u32; count].into(),
            _ => vec![0u64; count].into(),
        }
    }

    /// Encodings of at most `width` bits.
    pub fn of(width: u32, encodings: &[u64]) -> Elements {
        match width {
            0..=8 => encodings.iter().map(|&bits| bits as u8).collect::<Vec<_>>().into(),
            9..=16 => encodings.iter().map(|&bits| bits as u16).collect::<Vec<_>>().into(),
            17..=32 => encodings.iter().map(|&bits| bits as u32).collect::<Vec<_>>().into(),
            _ => encodings.to_vec().into(),
        }
    }

    /// Appends elements; bytes that are no whole element are left out.
    pub fn extend_from_bytes(&mut self, bytes: &[u8], big_endian: bool) {
        macro_rules! extend {
            ($list:expr, $element:ty) => {
                $list.own().extend(bytes.as_chunks().0.iter().map(|&bytes| match big_endian {
                    true => <$element>::from_be_bytes(bytes),
                    false => <$element>::from_le_bytes(bytes),
                }))
            };
        }
        match self {
            Elements::U8(list) => extend!(list, u8),
            Elements::U16(list) => extend!(list, u16),
            Elements::U32(list) => extend!(list, u32),
            Elements::U64(list) => extend!(list, u64),
        }
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        each!(self, list => list.len())
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One element.
    pub fn get(&self, index: usize) -> u64 {
        each!(self, list => encoding(list[index]))
    }

    /// All as numbers, where a format's are numbers of binary64.
    pub fn numbers(&self, format: &Format) -> Vec<f64> {
        each!(self, list => list.iter().map(|&bits| format.to_f64(encoding(bits))).collect())
    }

    /// Sets one element; bits beyond its width are lost.
    pub fn set(&mut self, index: usize, bits: u64) {
        each!(self, list => list.own()[index] = bits as _);
    }

    /// `count` of them from one on, where they are.
    pub fn part(&self, first: usize, count: usize) -> Elements {
        each!(self, list => list.part(first, count).into())
    }

    /// All of several lists of one width, one after the other.
    pub fn joined(lists: Vec<Elements>) -> Elements {
        let mut lists = lists.into_iter();
        let mut all = lists.next().unwrap_or(Elements::zeros(8, 0));
        for list in lists {
            match (&mut all, &list) {
                (Elements::U8(all), Elements::U8(list)) => all.own().extend_from_slice(list),
                (Elements::U16(all), Elements::U16(list)) => all.own().extend_from_slice(list),
                (Elements::U32(all), Elements::U32(list)) => all.own().extend_from_slice(list),
                (Elements::U64(all), Elements::U64(list)) => all.own().extend_from_slice(list),
                _ => unreachable!("lists of one format have one width"),
            }
        }
        all
    }

    /// The first element that is no encoding of a format.
    pub fn foreign(&self, format: &Format) -> Option<(usize, u64)> {
        let mask = format.mask();
        each!(self, list => {
            let place = list.iter().position(|&bits| encoding(bits) & !mask != 0)?;
            Some((place, encoding(list[place])))
        })
    }
}

impl Matrix {
    /// A matrix of encodings of a format, row by row.
    ///
    /// # Panics
    /// There are more or fewer than `rows` x `columns` encodings.
    pub fn of(format: &Format, rows: usize, columns: usize, encodings: &[u64]) -> Matrix {
        assert_eq!(encodings.len(), rows * columns);
        Matrix { rows, columns, elements: Elements::of(format.width(), encodings) }
    }

    /// The encoding in a row and a column.
    pub fn get(&self, row: usize, column: usize) -> u64 {
        self.elements.get(row * self.columns + column)
    }

    /// Its rows from one on, up to another.
    pub fn rows(&self, from: usize, to: usize) -> Matrix {
        let elements = self.elements.part(from * self.columns, (to - from) * self.columns);
        Matrix { rows: to - from, columns: self.columns, elements }
    }

    /// Its columns from one on, up to another.
    pub fn columns(&self, from: usize, to: usize) -> Matrix {
        let elements = each!(&self.elements, list => {
            let of_row = |row: usize| list[row * self.columns + from..row * self.columns + to].iter().copied();
            (0..self.rows).flat_map(of_row).collect::<Vec<_>>().into()
        });
        Matrix { rows: self.rows, columns: to - from, elements }
    }

    /// Its columns as rows.
    pub fn transposed(&self) -> Matrix {
        let (rows, columns) = (self.columns, self.rows);
        let elements = each!(&self.elements, list => {
            let of_row = |row: usize| list[row..].iter().step_by(self.columns).copied();
            (0..rows).flat_map(of_row).collect::<Vec<_>>().into()
        });
        Matrix { rows, columns, elements }
    }

    /// With rows and columns of zeros after its own.
    pub fn padded(self, rows: usize, columns: usize) -> Matrix {
        if (rows, columns) == (self.rows, self.columns) {
            return self;
        }
        let elements = each!(&self.elements, list => {
            let mut padded = vec![0; rows * columns];
            for (padded, own) in padded.chunks_exact_mut(columns).zip(list.chunks_exact(self.columns)) {
                padded[..own.len()].copy_from_slice(own);
            }
            padded.into()
        });
        Matrix { rows, columns, elements }
    }
}

macro_rules! from_list {
    ($case:ident, $element:ty) => {
        impl From<Store<$element>> for Elements {
            fn from(list: Store<$element>) -> Elements {
                Elements::$case(list)
            }
        }

        impl From<Vec<$element>> for Elements {
            fn from(list: Vec<$element>) -> Elements {
                Elements::$case(Store::from(list))
            }
        }
    };
}

from_list!(U8, u8);
from_list!(U16, u16);
from_list!(U32, u32);
from_list!(U64, u64);
