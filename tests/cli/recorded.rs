//! What lies in files of recordings, vector by vector.

use tensorsmith::engine::Vector;
use tensorsmith::recording::{Chunk, Header, Reader};

/// One recording.
pub struct Recorded {
    pub header: Header,
    pub bytes: usize,
    /// Every vector with its answer.
    pub vectors: Vec<(Vector, u64)>,
}

/// The recordings of a file.
pub fn recorded(bytes: &[u8]) -> Vec<Recorded> {
    let mut reader = Reader::new(bytes).expect("a recording");
    let mut all = Vec::new();
    loop {
        let header = reader.header().clone();
        let (mut chunk, mut vectors) = (Chunk::new(&header.layout), Vec::new());
        while reader.next(&mut chunk).expect("a whole recording") {
            let own = chunk.results.iter().enumerate();
            vectors.extend(own.map(|(place, &result)| (chunk.batch.vector(place), result)));
        }
        all.push(Recorded { header, bytes: reader.bytes() as usize, vectors });
        if !reader.next_recording().expect("whole recordings") {
            return all;
        }
    }
}

/// The vectors of a file with one recording.
pub fn vectors(bytes: &[u8]) -> Vec<(Vector, u64)> {
    let mut all = recorded(bytes);
    assert_eq!(all.len(), 1, "one recording");
    all.remove(0).vectors
}
