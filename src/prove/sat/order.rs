//! Variables by activity: a binary heap that knows where each one stands.

/// The heap, and the activity of every variable.
pub(super) struct Order {
    heap: Vec<u32>,
    place: Vec<u32>,
    activity: Vec<f64>,
    step: f64,
}

const ABSENT: u32 = u32::MAX;
const DECAY: f64 = 0.95;
const LARGEST: f64 = 1e100;

impl Order {
    pub fn new(variables: usize) -> Order {
        Order { heap: Vec::new(), place: vec![ABSENT; variables], activity: vec![0.0; variables], step: 1.0 }
    }

    /// Empties the heap.
    pub fn clear(&mut self) {
        for variable in self.heap.drain(..) {
            self.place[variable as usize] = ABSENT;
        }
    }

    pub fn insert(&mut self, variable: usize) {
        if self.place[variable] == ABSENT {
            self.place[variable] = self.heap.len() as u32;
            self.heap.push(variable as u32);
            self.rise(self.heap.len() - 1);
        }
    }

    /// Takes out the most active variable.
    pub fn pop(&mut self) -> Option<usize> {
        let first = *self.heap.first()? as usize;
        let last = self.heap.pop()?;
        self.place[first] = ABSENT;
        if last as usize != first {
            self.put(0, last);
            self.sink(0);
        }
        Some(first)
    }

    /// Makes a variable more active.
    pub fn bump(&mut self, variable: usize) {
        self.activity[variable] += self.step;
        if self.activity[variable] > LARGEST {
            self.activity.iter_mut().for_each(|activity| *activity /= LARGEST);
            self.step /= LARGEST;
        }
        if self.place[variable] != ABSENT {
            self.rise(self.place[variable] as usize);
        }
    }

    /// Makes what was bumped before count less.
    pub fn decay(&mut self) {
        self.step /= DECAY;
    }

    fn put(&mut self, place: usize, variable: u32) {
        self.heap[place] = variable;
        self.place[variable as usize] = place as u32;
    }

    fn active(&self, place: usize) -> f64 {
        self.activity[self.heap[place] as usize]
    }

    fn rise(&mut self, mut place: usize) {
        while place > 0 && self.active(place) > self.active((place - 1) / 2) {
            self.swap(place, (place - 1) / 2);
            place = (place - 1) / 2;
        }
    }

    fn sink(&mut self, mut place: usize) {
        loop {
            let mut largest = place;
            for child in [2 * place + 1, 2 * place + 2] {
                if child < self.heap.len() && self.active(child) > self.active(largest) {
                    largest = child;
                }
            }
            if largest == place {
                return;
            }
            self.swap(place, largest);
            place = largest;
        }
    }

    fn swap(&mut self, a: usize, b: usize) {
        let (left, right) = (self.heap[a], self.heap[b]);
        self.put(a, right);
        self.put(b, left);
    }
}
