//! Elements where they are: a list of one's own, or memory of somebody else's, such as an array of Python.

use std::fmt::{self, Debug};
use std::ops::{Deref, Range};
use std::sync::Arc;

/// Memory that somebody lends, and keeps where it is as long as it is lent.
pub type Lent<T> = Arc<dyn AsRef<[T]> + Send + Sync>;

/// Elements of one type, read in place. They are copied where lent ones are changed.
#[derive(Clone)]
pub struct Store<T>(Place<T>);

#[derive(Clone)]
enum Place<T> {
    Own(Vec<T>),
    Lent(Lent<T>, Range<usize>),
}

impl<T> Store<T> {
    /// All of that memory.
    pub fn lent(memory: Lent<T>) -> Store<T> {
        let all = 0..(*memory).as_ref().len();
        Store(Place::Lent(memory, all))
    }
}

impl<T: Clone> Store<T> {
    /// The list, which can be changed: nobody else sees that.
    pub fn own(&mut self) -> &mut Vec<T> {
        if let Place::Lent(..) = &self.0 {
            self.0 = Place::Own(self.to_vec());
        }
        match &mut self.0 {
            Place::Own(list) => list,
            Place::Lent(..) => unreachable!("it was copied"),
        }
    }

    /// `count` elements from one on: of lent memory a part of it, else a copy.
    ///
    /// # Panics
    /// There are fewer elements.
    pub fn part(&self, first: usize, count: usize) -> Store<T> {
        match &self.0 {
            Place::Own(list) => Store::from(list[first..first + count].to_vec()),
            Place::Lent(memory, range) => {
                let part = range.start + first..range.start + first + count;
                assert!(part.end <= range.end);
                Store(Place::Lent(Arc::clone(memory), part))
            }
        }
    }
}

impl<T> Deref for Store<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match &self.0 {
            Place::Own(list) => list,
            Place::Lent(memory, range) => &(**memory).as_ref()[range.clone()],
        }
    }
}

impl<T> From<Vec<T>> for Store<T> {
    fn from(list: Vec<T>) -> Store<T> {
        Store(Place::Own(list))
    }
}

impl<T: Debug> Debug for Store<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        (**self).fmt(formatter)
    }
}

impl<T: PartialEq> PartialEq for Store<T> {
    fn eq(&self, other: &Store<T>) -> bool {
        **self == **other
    }
}

impl<T: Eq> Eq for Store<T> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lent_memory_is_read_in_place_and_copied_where_it_is_changed() {
        let memory: Lent<u16> = Arc::new(vec![1, 2, 3, 4]);
        let mut part = Store::lent(Arc::clone(&memory)).part(1, 3).part(1, 2);
        assert_eq!(part.as_ptr(), (*memory).as_ref()[2..].as_ptr());
        part.own()[0] = 7;
        assert_eq!((&part[..], (*memory).as_ref()), (&[7, 4][..], &[1, 2, 3, 4][..]));
        assert_eq!(Store::from(vec![7, 4]), part);
    }
}
