//! A piece whose vectors a board makes by itself: signatures of what it answers against those of an engine.

use std::time::Instant;

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::file::Run;
use super::piece::{First, Made, Piece, PieceError, first};
use crate::check::compare::{Comparison, Mismatch, Ran};
use crate::check::signature::{self, Difference, SignedRun};
use crate::engine::board::Shape;
use crate::engine::{Board, Engine, Identity, Kind, Opened};

/// Vectors of a signature.
const WINDOW: u64 = 1 << 20;

/// Compares a board with the engine beside it, which has `jobs` processors. A signature that differs counts as one mismatch.
///
/// # Errors
/// The board or the engine failed, or `go_on` refuses with how many are there and those that are not.
pub(super) fn compare(
    run: &Run,
    piece: Piece,
    jobs: usize,
    go_on: impl Fn(usize, &[Ran]) -> Result<(), PieceError>,
) -> Result<(Comparison, Option<First>), PieceError> {
    let begin = Instant::now();
    let mut skipped = Vec::new();
    let (mut board, mut engine) = (None, None);
    for &kind in &run.kinds {
        let absence = match kind {
            Kind::Board(address) => match Board::at(address, &run.subject)? {
                Ok(opened) => {
                    board = Some(opened);
                    continue;
                }
                Err(absence) => absence,
            },
            _ => match kind.open_spread(&run.subject, jobs)? {
                Opened::Ready(opened) => {
                    engine = Some(opened);
                    continue;
                }
                Opened::Absent(absence) => absence,
            },
        };
        skipped.push(Ran::Skipped { engine: kind.name().to_owned(), reason: absence });
    }
    go_on(run.kinds.len() - skipped.len(), &skipped)?;
    let (Some(mut board), Some(mut engine)) = (board, engine) else {
        unreachable!("a run that is signed has a board and one engine, which are there")
    };
    let seed = seed(run.seed, piece.first_chunk);
    let signed_run = SignedRun::new(piece.count, seed, WINDOW, Shape::ALL.to_vec());
    let signed = signature::compare(&mut board, engine.as_mut(), &signed_run, &mut |_| {})?;
    let identities = [board.identity(), engine.identity()];
    let found = signed.first.map(|difference| {
        let Difference { shape, seed, .. } = difference;
        let made = Made { shape: shape.to_owned(), seed, said: difference.to_string() };
        let (index, mismatch) = (difference.index, mismatch(difference, &identities));
        let none = || First { index, operands: Vec::new(), answers: Vec::new(), not_reproducible: None, signed: None };
        (First { signed: Some(made), ..mismatch.as_ref().map_or_else(none, first) }, mismatch)
    });
    let (first, mismatch) = found.map_or((None, None), |(first, mismatch)| (Some(first), mismatch));
    let comparison = Comparison {
        compared: signed.vectors,
        mismatches: signed.differing,
        first: mismatch,
        engines: identities
            .into_iter()
            .map(|identity| Ran::Vectors { identity, count: signed.vectors, time: begin.elapsed() })
            .collect(),
        left: 0,
        coverage: None,
        failure: None,
        differing: Vec::new(),
        handshakes: Vec::new(),
        time: begin.elapsed(),
    };
    Ok((comparison, first))
}

/// The seed of a piece: those of neighbouring seeds and pieces lie anywhere. Each shape counts on from it.
fn seed(seed: u64, first_chunk: u64) -> u64 {
    let drawn = SplitMix64::seed_from_u64(seed).next_u64();
    SplitMix64::seed_from_u64(drawn ^ first_chunk).next_u64()
}

/// The first vector that differs, where it was found by itself.
fn mismatch(first: Difference, [board, engine]: &[Identity; 2]) -> Option<Mismatch> {
    let (vector, expected, in_run) = (first.vector?, first.expected?, first.in_run.or(first.alone)?);
    let answers = vec![(engine.engine.clone(), expected), (board.engine.clone(), in_run)];
    let (index, original) = (first.index, vector.clone());
    let not_reproducible = Vec::new();
    Some(Mismatch { index, class: None, original, vector, answers, not_shrunk: None, not_reproducible })
}
