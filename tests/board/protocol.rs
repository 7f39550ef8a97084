//! The protocol byte by byte, as the page "Boards" has it: statuses, frames that are none, a run that is stopped.

use std::time::{Duration, Instant};

use serial2::{SerialPort, Settings};
use tensorsmith::emit::kit::Held;
use tensorsmith::engine::board::simulated::{self, Faults, LINE, Simulated};

use super::{support, unit};

const FLAG: u8 = 0x7e;

/// A board, and its line.
struct Line {
    port: SerialPort,
    _simulated: Simulated,
}

impl Line {
    fn open(name: &str) -> Option<Line> {
        let unit = Held::from(unit(name));
        let sources = simulated::sources(&unit, LINE).expect("sources");
        let simulated = match Simulated::start(&unit.module_name(), &sources, &Faults::default()) {
            Ok(simulated) => simulated,
            Err(error) => {
                support::skip("board", &error);
                return None;
            }
        };
        let raw = |mut settings: Settings| {
            settings.set_raw();
            Ok(settings)
        };
        let mut port = SerialPort::open(simulated.path(), raw).expect("the terminal opens");
        port.set_read_timeout(Duration::from_millis(50)).expect("a limit");
        Some(Line { port, _simulated: simulated })
    }

    fn send(&mut self, bytes: &[u8]) {
        self.port.write_all(bytes).expect("the board takes bytes");
    }

    /// The content of the next answer, whose check sequence is right.
    fn answer(&mut self) -> Vec<u8> {
        let (start, mut content, mut byte) = (Instant::now(), Vec::new(), [0]);
        while start.elapsed() < Duration::from_secs(60) {
            match self.port.read(&mut byte) {
                Ok(1) if byte[0] != FLAG => content.push(byte[0]),
                Ok(1) if !content.is_empty() => {
                    let mut plain = Vec::new();
                    let mut bytes = content.iter();
                    while let Some(&byte) = bytes.next() {
                        plain.push(if byte == 0x7d { bytes.next().expect("an escaped byte") ^ 0x20 } else { byte });
                    }
                    let check = plain.split_off(plain.len() - 4);
                    assert_eq!(check, crc32fast::hash(&plain).to_le_bytes());
                    return plain;
                }
                _ => {}
            }
        }
        panic!("no answer; so far {content:02x?}");
    }

    /// The status of the answer to a request, and what the answer gives.
    fn asked(&mut self, content: &[u8]) -> (u8, Vec<u8>) {
        self.send(&framed(content));
        let answer = self.answer();
        assert_eq!(answer[..2], content[..2], "the head is repeated");
        (answer[answer.len() - 1], answer[2..answer.len() - 1].to_vec())
    }
}

fn framed(content: &[u8]) -> Vec<u8> {
    let mut bytes = vec![FLAG];
    for &byte in content.iter().chain(&crc32fast::hash(content).to_le_bytes()) {
        if matches!(byte, 0x7d | FLAG) { bytes.extend([0x7d, byte ^ 0x20]) } else { bytes.push(byte) }
    }
    bytes.push(FLAG);
    bytes
}

/// What a run takes for a unit of so many bits: window and count of vectors, ones in the generator, every bit kept.
fn run(bits: usize, window: u64, count: u64) -> Vec<u8> {
    let number = |value: u64| value.to_le_bytes()[..6].to_vec();
    let (lanes, bytes) = (bits.div_ceil(64), bits.div_ceil(8));
    [vec![7, 3], number(window), number(count), vec![1; 8 * lanes], vec![0xff; bytes], vec![0; bytes]].concat()
}

#[test]
fn statuses_are_those_of_the_page() {
    let Some(mut line) = Line::open("tiny-nearest") else { return };
    let bits = unit("tiny-nearest").interface().input_bits() as usize;
    let (vector, whole) = (vec![0; bits.div_ceil(8)], run(bits, 4, 10));
    assert_eq!(line.asked(&[1, 1]).0, 0);
    assert_eq!(line.asked(&[2, 9]), (2, vec![]), "no such command");
    assert_eq!(line.asked(&[3, 9, 1, 2, 3]), (2, vec![]), "no such command, with bytes");
    assert_eq!(line.asked(&[4, 1, 0]), (3, vec![]), "identify takes nothing");
    assert_eq!(line.asked(&[5, 2]), (0, vec![]), "no vectors, no results");
    let (status, results) = line.asked(&[&[6, 2][..], &vector, &vector, &[0]].concat());
    assert!(status == 3 && results.len() % 2 == 0 || bits <= 8, "a part of a vector: {status}, {results:?}");
    let (status, signatures) = line.asked(&whole);
    assert_eq!((status, signatures.len()), (0, 24), "two whole windows and a shorter one");
    assert_eq!(line.asked(&run(bits, 4, 0)), (0, vec![]), "no vectors, no signatures");
    assert_eq!(line.asked(&run(bits, 0, 10)), (3, vec![]), "no window");
    assert_eq!(line.asked(&whole[..whole.len() - 1]), (3, vec![]), "too few bytes");
    assert_eq!(line.asked(&[&whole[..], &[0]].concat()), (3, vec![]), "too many");
    // The same run gives the same signatures, whatever was asked in between.
    assert_eq!(line.asked(&whole), (0, signatures));
}

#[test]
fn what_is_no_frame_is_passed_over_or_answered() {
    let Some(mut line) = Line::open("tiny-nearest") else { return };
    // Less than a frame between flags, garbage before one, and no request at all.
    line.send(&[0x55, 0xaa, FLAG, FLAG, 1, 2, 3, 4, FLAG, FLAG]);
    assert_eq!(line.asked(&[1, 1]).0, 0);
    let mut damaged = framed(&[2, 1]);
    damaged[2] ^= 4;
    line.send(&damaged);
    let answer = line.answer();
    assert_eq!((answer[0], answer[answer.len() - 1]), (2, 1), "the request was damaged");
    // An escape before a flag ends a frame that does not count.
    let mut aborted = framed(&[3, 1]);
    aborted.insert(aborted.len() - 1, 0x7d);
    line.send(&aborted);
    assert_eq!(line.answer().last(), Some(&1));
    // A host was killed in its request; the next one begins a new frame.
    line.send(&framed(&[4, 2, 0, 0, 0, 0])[..5]);
    line.send(&framed(&[5, 1]));
    let mut answers = vec![line.answer()];
    if answers[0][0] != 5 {
        answers.push(line.answer());
    }
    let last = answers.last().expect("an answer");
    assert_eq!((last[0], last[last.len() - 1]), (5, 0), "{answers:02x?}");
}

/// A request during a run stops it, and is answered itself.
#[test]
fn runs_are_stopped_by_a_request() {
    let Some(mut line) = Line::open("tiny-nearest") else { return };
    let bits = unit("tiny-nearest").interface().input_bits() as usize;
    line.send(&framed(&run(bits, 1 << 40, 1 << 40)));
    std::thread::sleep(Duration::from_millis(300));
    line.send(&framed(&[8, 1]));
    let (stopped, identity) = (line.answer(), line.answer());
    assert_eq!(stopped, [7, 3, 4], "stopped, without a signature");
    assert!(identity.starts_with(&[8, 1]) && identity.ends_with(&[0]) && identity.len() > 100);
    // Vectors that were under way are in no later answer.
    let whole = run(bits, 4, 10);
    let one = line.asked(&whole);
    assert_eq!((one.0, one.1.len()), (0, 24));
    assert_eq!(line.asked(&whole), one);
}
