//! The processor's own instructions against models and engines of this project, bit for bit; skipped where the machine lacks
//! them.

use crate::support;

mod engine;
mod faults;
mod matrices;
mod model;
mod modes;
mod operands;
mod tdpbf16ps;
mod units;
mod vdpbf16ps;

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use tensorsmith::engine::Processor;
use tensorsmith::engine::processor::{Operation, Setup};

/// The instruction, or a skip with its reason.
fn open(operation: Operation, products: u32, setup: Setup) -> Option<Processor> {
    match Processor::open_operation(operation, products, setup) {
        Ok(engine) => Some(engine),
        Err(reason) => {
            support::skip(&format!("intel-{}", operation.name().to_lowercase()), &reason);
            None
        }
    }
}

/// Runs `work` on the numbers below `count`, on all processors, and sums up what it gives.
fn in_parallel<const N: usize>(count: u64, work: impl Fn(u64) -> [u64; N] + Sync) -> [u64; N] {
    let next = AtomicU64::new(0);
    let worker = || {
        let mut total = [0; N];
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                return total;
            }
            total.iter_mut().zip(work(number)).for_each(|(total, found)| *total += found);
        }
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().fold([0; N], |mut total, worker| {
            let found = worker.join().expect("the worker ends well");
            total.iter_mut().zip(found).for_each(|(total, found)| *total += found);
            total
        })
    })
}
