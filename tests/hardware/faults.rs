//! Negative controls: models with one wrong rule, which the processor must refute.

use tensorsmith::engine::processor::{LaneOperation, Operation, Setup, TileOperation};

use super::model::{Order, Rules, TDPBF16PS, Tiny, VDPBF16PS};
use super::{open, tdpbf16ps, vdpbf16ps};

fn faults(right: Rules, orders: &[Order]) -> Vec<(String, Rules)> {
    let mut faults: Vec<_> =
        orders.iter().map(|&order| (format!("order {order:?}"), Rules { order, ..right })).collect();
    for tiny in [Tiny::BeforeRounding, Tiny::Subnormal, Tiny::Never] {
        faults.push((format!("results flushed {tiny:?}"), Rules { tiny, ..right }));
    }
    faults.push(("subnormal operands kept".to_owned(), Rules { flush_operands: false, ..right }));
    faults
}

fn caught(name: &str, faults: &[(String, Rules)], compare: impl Fn(Rules) -> [u64; 3]) {
    for (fault, wrong) in faults {
        let [compared, differing, _] = compare(*wrong);
        println!("{name}: {fault}: {differing} of {compared} results differ");
        assert!(differing > 0, "{name}: {fault} was not caught");
    }
}

#[test]
fn tdpbf16ps_wrong_models_are_caught() {
    if open(Operation::Tile(TileOperation::Tdpbf16ps), 32, Setup::default()).is_none() {
        return;
    }
    let orders = [Order::EvenOddDescending, Order::AddendFirst, Order::OneChain, Order::Descending, Order::Ascending];
    caught("TDPBF16PS", &faults(TDPBF16PS, &orders), |rules| tdpbf16ps::compare(rules, 500));
}

#[test]
fn vdpbf16ps_wrong_models_are_caught() {
    if open(Operation::Lane(LaneOperation::Vdpbf16ps), 2, Setup::default()).is_none() {
        return;
    }
    let orders = [Order::Ascending, Order::EvenOdd, Order::AddendFirst, Order::OneChain];
    caught("VDPBF16PS", &faults(VDPBF16PS, &orders), |rules| vdpbf16ps::compare(rules, 50));
}
