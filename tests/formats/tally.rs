//! What a checker counted.

/// Comparisons made, comparisons that differed, and the first difference in words.
#[derive(Debug, Default)]
pub struct Tally {
    pub compared: u64,
    pub differing: u64,
    pub first: Option<String>,
}

impl Tally {
    /// Counts one comparison; `describe` is called for the first difference only.
    pub fn check(&mut self, same: bool, describe: impl FnOnce() -> String) {
        self.compared += 1;
        if !same {
            self.differing += 1;
            self.first.get_or_insert_with(describe);
        }
    }

    pub fn add(&mut self, other: Tally) {
        self.compared += other.compared;
        self.differing += other.differing;
        self.first = self.first.take().or(other.first);
    }

    /// The verdict on the code under test: something was compared and nothing differed.
    pub fn must_agree(self, name: &str) {
        println!("{name}: {} compared", self.compared);
        assert!(self.compared > 0, "{name} compared nothing");
        let first = self.first.unwrap_or_default();
        assert_eq!(self.differing, 0, "{name}: {} of {} differ, first {first}", self.differing, self.compared);
    }

    /// The verdict on a negative control: the checker saw the fault.
    pub fn must_differ(self, name: &str) {
        println!("{name}: {} of {} differ, as they must", self.differing, self.compared);
        assert!(self.compared > 0, "{name} compared nothing");
        assert!(self.differing > 0, "{name}: the checker missed a deliberate fault");
    }
}
