//! What a board asks itself when it starts, and what it has to answer: the words of two memories.

/// A byte, and a mark: of requests the end of one, of answers their last byte.
type Word = (bool, u8);

/// Words that stand in a line of an emitted constant.
const LINE: usize = 8;

/// Requests and the answers to them, as `rtl/board/tensorsmith_self_test.sv` takes them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SelfTest {
    requests: Vec<Word>,
    answers: Vec<Word>,
}

impl SelfTest {
    /// Adds a request and the answer to it.
    pub fn push(&mut self, request: &[u8], answer: &[u8]) {
        self.requests.extend(request.iter().map(|&byte| (false, byte)));
        self.requests.push((true, 0));
        let last = answer.len() - 1;
        self.answers.extend(answer.iter().enumerate().map(|(index, &byte)| (index == last, byte)));
    }

    /// How many words there are, of requests and of answers.
    pub fn words(&self) -> [usize; 2] {
        [self.requests.len(), self.answers.len()]
    }

    /// The constants, in lines: of requests and of answers. All but the last line end with a comma.
    pub(super) fn constants(&self) -> [Vec<String>; 2] {
        [constant(&self.requests), constant(&self.answers)]
    }
}

fn constant(words: &[Word]) -> Vec<String> {
    let word = |&(mark, byte): &Word| format!("9'h{:03x}", u16::from(mark) << 8 | u16::from(byte));
    let line = |words: &[Word]| words.iter().map(word).collect::<Vec<_>>().join(", ") + ",";
    let mut lines: Vec<String> = words.chunks(LINE).map(line).collect();
    if let Some(last) = lines.last_mut() {
        last.pop();
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_and_lines() {
        let mut test = SelfTest::default();
        test.push(&[1, 2], &[1, 2, 0xff]);
        let [requests, answers] = test.constants();
        assert_eq!(requests, ["9'h001, 9'h002, 9'h100"]);
        assert_eq!(answers, ["9'h001, 9'h002, 9'h1ff"]);
        test.push(&[0; 6], &[7]);
        assert_eq!(
            test.constants()[0],
            ["9'h001, 9'h002, 9'h100, 9'h000, 9'h000, 9'h000, 9'h000, 9'h000,", "9'h000, 9'h100"]
        );
        assert_eq!(test.words(), [10, 4]);
    }
}
