//! Rates of the engines and of a complete co-simulation, side by side in one run: `cargo bench`.
//!
//! Read ratios between lines of one run; absolute rates depend on the machine and its load.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use tensorsmith::check::compare::{Source, compare, line_up};
use tensorsmith::check::stimulus::{CHUNK, Stimulus};
use tensorsmith::describe::catalogue;
use tensorsmith::engine::{Batch, Kind, Opened};

const UNITS: [&str; 3] = ["volta-fp16-fp32", "ampere-bf16-fp32", "hopper-fp16-fp32"];

/// Each engine alone on one chunk of shaped vectors.
fn engines(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("engine");
    group.throughput(Throughput::Elements(CHUNK as u64));
    for name in UNITS {
        let unit = catalogue::unit(name).expect("a unit of the catalogue");
        let stimulus = Stimulus::shaped(&unit, 1);
        let mut batch = Batch::of_unit(&unit);
        group.bench_function(BenchmarkId::new("stimulus", name), |bencher| {
            bencher.iter(|| stimulus.fill(0, CHUNK, &mut batch));
        });
        for kind in [Kind::Wide, Kind::Emulator, Kind::Reference, Kind::Rtl] {
            let Ok(Opened::Ready(mut engine)) = kind.open(&unit) else { continue };
            let mut results = Vec::new();
            group.bench_function(BenchmarkId::new(kind.name(), name), |bencher| {
                bencher.iter(|| engine.run(&batch, &mut results).expect("the engine answers"));
            });
        }
    }
    group.finish();
}

/// Stimulus, emulator, RTL and comparison together, on one core.
fn co_simulation(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("co-simulation");
    let count = 16 * CHUNK as u64;
    group.throughput(Throughput::Elements(count)).sample_size(20);
    for name in UNITS {
        let unit = catalogue::unit(name).expect("a unit of the catalogue");
        let source = Source::Shaped { stimulus: Stimulus::shaped(&unit, 1), count };
        group.bench_function(BenchmarkId::new("emulator and rtl", name), |bencher| {
            bencher.iter(|| {
                let lineup = line_up(&unit.clone().into(), &[Kind::Emulator, Kind::Rtl]).expect("the engines start");
                compare(lineup.ready, &source, &mut |_| {}).expect("the engines answer").compared
            });
        });
    }
    group.finish();
}

criterion_group!(benches, engines, co_simulation);
criterion_main!(benches);
