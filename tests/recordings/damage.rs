//! Every truncation and every changed bit is found, with the offset; nothing of a damaged chunk is handed out.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::*;

/// The offset that the error names.
fn offset(error: &StreamError) -> u64 {
    match error {
        StreamError::Damaged { offset, .. } => *offset,
        // A changed digit of the version is caught by the checksum first.
        other => panic!("{other}"),
    }
}

/// Two recordings of different layouts, and where the second one begins.
fn two() -> (Vec<u8>, usize) {
    let (first, second) = (recording("tiny-nearest", 40, 20), recording("fma-fp32", 20, 20));
    ([&first[..], &second].concat(), first.len())
}

#[test]
fn truncation_at_every_byte() {
    let (whole, second) = two();
    assert_eq!(read_all(&whole).map_or(0, |recordings| recordings.len()), 2, "the whole file is right");
    for length in (0..whole.len()).filter(|&length| length != second) {
        let error = read_all(&whole[..length]).expect_err("a file that stops early");
        assert!(offset(&error) <= length as u64, "{length}: {error}");
        assert!(length < second || offset(&error) >= second as u64, "{length}: {error}");
        assert!(error.to_string().contains("damaged at offset"), "{error}");
    }
    assert_eq!(read_all(&whole[..second]).map_or(0, |recordings| recordings.len()), 1, "the first one by itself");
    for behind in [&[0][..], b"tensorsmith", &whole[..second - 1]] {
        let error = read_all(&[&whole[..], behind].concat()).expect_err("a file with something behind its end");
        assert!(offset(&error) >= whole.len() as u64, "{error}");
    }
    println!("{} lengths refused", whole.len() + 2);
}

#[test]
fn every_changed_bit() {
    let (mut bytes, second) = two();
    for bit in 0..bytes.len() * 8 {
        bytes[bit / 8] ^= 1 << (bit % 8);
        let error = read_all(&bytes).expect_err("a changed bit");
        // A changed length is found where the data stops.
        assert!(offset(&error) <= (bit / 8 + 4) as u64, "bit {bit}: {error}");
        assert!(bit / 8 < second || offset(&error) >= second as u64, "bit {bit}: {error}");
        bytes[bit / 8] ^= 1 << (bit % 8);
    }
    assert!(read_all(&bytes).is_ok());
    println!("{} changed bits found", bytes.len() * 8);
}

/// Chunks that are lost, doubled or exchanged, each by itself whole.
#[test]
fn chunks_out_of_order() {
    let whole = recording("tiny-nearest", 60, 20);
    let starts: Vec<usize> = starts(&whole);
    let piece = |number: usize| &whole[starts[number]..starts[number + 1]];
    let (front, back) = (&whole[..starts[0]], &whole[starts[3]..]);
    for (fault, order) in [("lost", vec![0, 2]), ("doubled", vec![0, 1, 1, 2]), ("exchanged", vec![1, 0, 2])] {
        let pieces: Vec<u8> = order.iter().flat_map(|&number| piece(number)).copied().collect();
        let bytes = [front, &pieces, back].concat();
        let error = read(&bytes).expect_err(fault);
        println!("{fault}: {error}");
    }
    let right = [front, piece(0), piece(1), piece(2), back].concat();
    assert_eq!(right, whole);
}

/// Where the chunks and the end begin.
fn starts(bytes: &[u8]) -> Vec<usize> {
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes")) as usize;
    let mut starts = vec![20 + word(16) + 4];
    while bytes[starts[starts.len() - 1]] == b'V' {
        let start = starts[starts.len() - 1];
        starts.push(start + 17 + word(start + 13) + 4);
    }
    starts
}

/// Random damage of a larger file of three recordings; ten thousand times of each kind in the long tier.
#[test]
fn random_damage() {
    let one = |name| recording(name, 1000, 256);
    let pieces = [one("hopper-fp16-fp32"), one("tiny-scaled"), one("hopper-mma-m16n8k4-fp64-fp64")];
    let whole = pieces.concat();
    let ends = [pieces[0].len(), pieces[0].len() + pieces[1].len()];
    let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
    let count = if support::long_tier() { 10_000 } else { 100 };
    for kind in 0..3 {
        for _ in 0..count {
            let mut bytes = whole.clone();
            let place = (random.next_u64() % bytes.len() as u64) as usize;
            match kind {
                0 => bytes[place] ^= 1 << (random.next_u64() % 8),
                // Between two recordings nothing is missing.
                1 => bytes.truncate(if ends.contains(&place) { place + 1 } else { place }),
                _ => drop(bytes.remove(place)),
            }
            assert!(read_all(&bytes).is_err(), "damage {kind} at {place}");
        }
    }
    println!("{count} changed bits, {count} shortened files and {count} lost bytes refused");
}

/// Changes a header.
type Change = fn(&mut Header);

/// A header that is whole but says what cannot be.
#[test]
fn headers_that_cannot_be() {
    let changed = |change: Change| {
        let mut header = header("tiny-nearest", 0);
        change(&mut header);
        let writer = Writer::new(Vec::new(), &header).expect("memory can be written");
        read(&writer.finish().expect("memory can be written")).expect_err("a wrong header").to_string()
    };
    let cases: [(Change, &str); 6] = [
        (|header| header.version = 0, "field `version` is 0; allowed: 1 to 2"),
        (|header| header.version = 3, "field `version` is 3; allowed: 1 to 2"),
        (|header| header.layout.products = 0, "0 products"),
        (|header| header.layout.scales = 3, "3 scales"),
        (|header| header.layout.widths[1] = 65, "an element of 65 bits; allowed: at most 64"),
        (|header| header.parts[0].vectors = 1, "0 vectors, 0 by the end, 1 by the header"),
    ];
    for (change, message) in cases {
        let error = changed(change);
        assert!(error.contains(message), "{message:?} is missing in: {error}");
    }
    let error = read(b"no recording at all, but long enough").expect_err("a foreign file");
    assert!(error.to_string().contains("does not begin as a recording"), "{error}");
}
