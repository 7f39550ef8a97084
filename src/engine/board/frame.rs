//! Frames as RFC 1662 has them (HDLC-like, octet-stuffed, with the 32-bit check sequence): flags stand around content and its check
//! sequence, and what would read as a flag or an escape is escaped.

pub(super) const FLAG: u8 = 0x7e;
const ESCAPE: u8 = 0x7d;
const INVERTED: u8 = 0x20;
/// Bytes of the check sequence.
const CHECK: usize = 4;
/// No answer of a board is longer than this many bytes of content.
const LONGEST: usize = 1 << 24;

/// The frame of some content, as it goes over the line.
pub(super) fn framed(content: &[u8]) -> Vec<u8> {
    let mut bytes = vec![FLAG];
    for &byte in content.iter().chain(&crc32fast::hash(content).to_le_bytes()) {
        match byte {
            FLAG | ESCAPE => bytes.extend([ESCAPE, byte ^ INVERTED]),
            _ => bytes.push(byte),
        }
    }
    bytes.push(FLAG);
    bytes
}

/// Bytes that a byte takes in a frame.
pub(super) fn stuffed(byte: u8) -> usize {
    if matches!(byte, FLAG | ESCAPE) { 2 } else { 1 }
}

/// What a line gave, byte by byte.
#[derive(Debug, Default)]
pub(super) struct Reader {
    content: Vec<u8>,
    escaped: bool,
    broken: bool,
}

/// What stood between two flags.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Frame {
    /// The content, with the check sequence right.
    Whole(Vec<u8>),
    /// Something else than a frame.
    Damaged,
}

impl Reader {
    /// Takes a byte; a frame where the byte ends one.
    pub fn take(&mut self, byte: u8) -> Option<Frame> {
        match byte {
            FLAG => return self.end(),
            ESCAPE => self.broken |= std::mem::replace(&mut self.escaped, true),
            _ if self.content.len() == LONGEST => self.broken = true,
            _ => self.content.push(if std::mem::take(&mut self.escaped) { byte ^ INVERTED } else { byte }),
        }
        None
    }

    fn end(&mut self) -> Option<Frame> {
        let Reader { content, escaped, broken } = std::mem::take(self);
        // Nothing stands between the flags of two frames.
        if content.is_empty() && !escaped {
            return None;
        }
        let body = content.len().checked_sub(CHECK).filter(|_| !escaped && !broken).and_then(|length| {
            let (body, check) = content.split_at(length);
            (crc32fast::hash(body).to_le_bytes() == check).then(|| body.to_vec())
        });
        Some(body.map_or(Frame::Damaged, Frame::Whole))
    }

    /// Forgets what has not ended.
    pub fn forget(&mut self) {
        *self = Reader::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> Vec<Frame> {
        let mut reader = Reader::default();
        bytes.iter().filter_map(|&byte| reader.take(byte)).collect()
    }

    #[test]
    fn content_comes_back() {
        let all: Vec<u8> = (0..=255).collect();
        for content in [&[0u8][..], &[FLAG, ESCAPE, FLAG], &all] {
            let frame = framed(content);
            assert_eq!(frame.iter().filter(|&&byte| byte == FLAG).count(), 2);
            assert_eq!(
                read(&[&frame[..], &frame].concat()),
                [Frame::Whole(content.to_vec()), Frame::Whole(content.to_vec())]
            );
        }
        // The check sequence of RFC 1662 is that of Ethernet: 0xcbf43926 for these nine letters.
        assert_eq!(framed(b"123456789")[10..], [0x26, 0x39, 0xf4, 0xcb, FLAG]);
    }

    #[test]
    fn every_change_of_a_bit_is_noticed_and_the_next_frame_read() {
        let frame = framed(b"vectors \x7e and \x7d");
        for bit in 0..8 * frame.len() {
            let mut changed = frame.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            let found = read(&[&changed[..], &frame].concat());
            assert_eq!(found.last(), Some(&Frame::Whole(b"vectors \x7e and \x7d".to_vec())), "bit {bit}");
            assert!(found[..found.len() - 1].iter().all(|frame| *frame == Frame::Damaged), "bit {bit}");
        }
    }

    #[test]
    fn lost_and_doubled_bytes_are_noticed() {
        let frame = framed(b"0123456789");
        for at in 1..frame.len() - 1 {
            let (mut lost, mut doubled) = (frame.clone(), frame.clone());
            lost.remove(at);
            doubled.insert(at, frame[at]);
            assert_eq!([read(&lost), read(&doubled)], [[Frame::Damaged], [Frame::Damaged]], "byte {at}");
        }
    }
}
