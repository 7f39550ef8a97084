//! A piece whose vectors a board makes by itself: signatures of what it answers against those of an engine.

use std::time::Instant;

use super::file::Run;
use super::piece::{Piece, PieceError};
use crate::check::compare::{Comparison, Mismatch, Ran};
use crate::check::signature::{self, Difference, SignedRun};
use crate::describe::subject::Subject;
use crate::engine::board::{Address, Shape};
use crate::engine::{Board, Engine, Identity, Kind, Opened};

/// Vectors of a signature.
const WINDOW: u64 = 1 << 20;

/// Compares a board with the engine beside it. A signature that differs counts as one mismatch.
///
/// # Errors
/// The board or the engine failed, or `go_on` refuses with how many are there and those that are not.
pub(super) fn compare(
    run: &Run,
    piece: Piece,
    go_on: impl Fn(usize, &[Ran]) -> Result<(), PieceError>,
) -> Result<Comparison, PieceError> {
    let begin = Instant::now();
    let mut skipped = Vec::new();
    let (mut board, mut engine) = (None, None);
    for &kind in &run.kinds {
        let absence = match (address(kind), &run.subject) {
            (Some((name, address)), Subject::Unit(unit)) => match Board::at(name, address, unit)? {
                Ok(opened) => {
                    board = Some(opened);
                    continue;
                }
                Err(absence) => absence,
            },
            // Pieces take turns at a board: all processors are for the engine beside it.
            _ => match kind.open_spread(&run.subject, rayon::current_num_threads())? {
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
    // Shape by shape the seed counts on.
    let seed = run.seed.wrapping_add(piece.first_chunk.wrapping_mul(Shape::ALL.len() as u64));
    let signed_run = SignedRun::new(piece.count, seed, WINDOW, Shape::ALL.to_vec());
    let signed = signature::compare(&mut board, engine.as_mut(), &signed_run, &mut |_| {})?;
    let identities = [board.identity(), engine.identity()];
    Ok(Comparison {
        compared: signed.vectors,
        mismatches: signed.differing,
        first: signed.first.and_then(|first| mismatch(first, &identities)),
        engines: identities
            .into_iter()
            .map(|identity| Ran::Vectors { identity, count: signed.vectors, time: begin.elapsed() })
            .collect(),
        left: 0,
        coverage: None,
        time: begin.elapsed(),
    })
}

fn address(kind: Kind) -> Option<(&'static str, Address)> {
    match kind {
        Kind::Board(name) => Address::of(name).map(|address| (name, address)),
        _ => None,
    }
}

/// The first vector that differs, where it was found. Its index counts vectors of its shape in the piece.
fn mismatch(first: Difference, [board, engine]: &[Identity; 2]) -> Option<Mismatch> {
    let (vector, expected, in_run) = (first.vector?, first.expected?, first.in_run?);
    let answers = vec![(engine.engine.clone(), expected), (board.engine.clone(), in_run)];
    Some(Mismatch { index: first.index, class: None, original: vector.clone(), vector, answers })
}
