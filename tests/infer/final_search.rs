//! The final search: a value that makes a difference on a few vectors in a million only is found where enough are searched, and
//! where they are not it is listed as indistinguishable, unless a solver decides it.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use tensorsmith::check::stimulus::{CHUNK, Stimulus};
use tensorsmith::describe::catalogue;
use tensorsmith::describe::instruction::Instruction;
use tensorsmith::describe::interface::Frame;
use tensorsmith::describe::unit::Scheme;
use tensorsmith::engine::{Batch, Composed, Emulator, Engine, Vector};
use tensorsmith::infer::{Decide, Decision, Finding, InferError, Options, Outcome, infer};

use super::shared::long_tier;
use super::shared::made_up::MadeUp;

/// Which vectors are rare: one in so many, drawn by a salt; none where there is no number.
#[derive(Clone, Copy)]
struct Rare {
    one_in: Option<u64>,
    salt: u64,
}

impl Rare {
    fn holds(self, batch: &Batch, v: usize) -> bool {
        let mut hasher = DefaultHasher::new();
        (self.salt, batch.a(v), batch.b(v), batch.c[v]).hash(&mut hasher);
        self.one_in.is_some_and(|one_in| hasher.finish().is_multiple_of(one_in))
    }
}

/// What answers as another engine does, but on rare vectors.
fn rarely(mut plain: Box<dyn Engine>, rare: Rare) -> Box<dyn Engine> {
    MadeUp::boxed("rare", move |batch, results| {
        plain.run(batch, results)?;
        (0..batch.len()).filter(|&v| rare.holds(batch, v)).for_each(|v| results[v] ^= 1);
        Ok(())
    })
}

/// A hypothesis in the world of this test.
fn evaluated(hypothesis: &Instruction, rare: Rare) -> Box<dyn Engine> {
    if hypothesis.unit.alignment.as_ref().is_none_or(|own| !own.normalise_products) {
        return Composed::emulated_wide(hypothesis);
    }
    let mut plain = hypothesis.clone();
    plain.unit.alignment_mut().normalise_products = false;
    rarely(Composed::emulated_wide(&plain), rare)
}

fn hidden() -> Instruction {
    let mut hidden = catalogue::instruction("volta-mma-m8n8k4-fp16-fp32").expect("an instruction");
    hidden.unit.alignment_mut().normalise_products = true;
    hidden
}

/// Vectors of a short final search.
const SHORT: u64 = 4_096;

/// What is found of a unit that normalises its products.
fn found(rare: Rare, search: u64) -> Finding {
    decided(rare, search, None).unwrap_or_else(|error| panic!("{error}"))
}

/// The same, where there may be a solver.
fn decided(rare: Rare, search: u64, decide: Option<Decide>) -> Result<Finding, InferError> {
    let hidden = hidden();
    let options = Options { confirm: 2_000, search, ..Options::default() };
    let interface = hidden.interface();
    let evaluate = |other: &Instruction| evaluated(other, rare);
    match infer(evaluated(&hidden, rare).as_mut(), interface, &evaluate, decide, options)? {
        Outcome::Found(finding) => Ok(*finding),
        Outcome::Nothing(nothing) => panic!("{nothing:?}"),
    }
}

/// Whether products are found to be normalised, and why the other value is indistinguishable.
fn normalised(finding: &Finding) -> (bool, Option<&str>) {
    let parameter = finding.parameters.iter().find(|parameter| parameter.field == "alignment.normalise_products");
    let other = parameter.expect("a parameter of every fused unit").indistinguishable.first();
    (finding.hypothesis.unit.alignment().normalise_products, other.map(|other| other.reason.as_str()))
}

/// Whatever vectors are asked first, some salt makes none of them rare: that, and what a short search finds then. It is looked for
/// once.
fn missed() -> &'static (Rare, Finding) {
    static MISSED: OnceLock<(Rare, Finding)> = OnceLock::new();
    MISSED.get_or_init(first_missed)
}

fn first_missed() -> (Rare, Finding) {
    let rares = (1..=32).map(|salt| Rare { one_in: Some(1 << 18), salt });
    let mut short = rares.map(|rare| (rare, found(rare, SHORT)));
    let missed = short.find(|(_, finding)| !finding.hypothesis.unit.alignment().normalise_products);
    missed.expect("of 32 salts one makes no vector of a short inference rare")
}

/// Vectors of the ordinary tier, less rare, so that a shorter search comes upon them.
const LESS_RARE: Rare = Rare { one_in: Some(1 << 16), salt: 1 };

/// Vectors so rare that a short search comes upon none.
const VERY_RARE: Rare = Rare { one_in: Some(1 << 21), salt: 1 };

/// No vectors.
const NONE: Rare = Rare { one_in: None, salt: 0 };

/// The long tier also shows that a short search misses them.
#[test]
fn difference_on_rare_vectors_is_found_by_a_long_final_search_only() {
    let (rare, search) = match long_tier() {
        true => {
            let (rare, missed) = missed();
            assert_eq!(normalised(missed), (false, Some("no difference on 4096 vectors searched")));
            (*rare, 3_000_000)
        }
        false => (LESS_RARE, 600_000),
    };
    let finding = found(rare, search);
    assert_eq!(normalised(&finding), (true, None));
    let parameter = finding.parameters.iter().find(|parameter| parameter.field == "alignment.normalise_products");
    let exclusion = &parameter.expect("as before").exclusions[0];
    assert_eq!(exclusion.excluded, ["false"]);
    assert!(rare.holds(&Batch::of(&exclusion.vector), 0), "{:?} is not rare", exclusion.vector);
}

/// The first vector that is rare, or the first that is not.
fn first(rare: Rare, is_rare: bool) -> Box<Vector> {
    first_of(hidden().frame(), rare, is_rare)
}

fn first_of(frame: impl Into<Frame>, rare: Rare, is_rare: bool) -> Box<Vector> {
    let stimulus = Stimulus::shaped(frame, 5);
    let mut batch = stimulus.empty_batch();
    let mut chunks = (0..).filter_map(|chunk| {
        stimulus.fill(chunk, CHUNK, &mut batch);
        (0..batch.len()).find(|&v| rare.holds(&batch, v) == is_rare).map(|v| batch.vector(v))
    });
    Box::new(chunks.next().expect("there are such vectors"))
}

/// What a solver says here is asked, checked or said, whatever it is. In the ordinary tier it says a vector that distinguishes and
/// one that does not.
#[test]
fn last_word_is_the_solver_s() {
    let same = |one: &Instruction, other: &Instruction| {
        let normalises = |hypothesis: &Instruction| hypothesis.unit.alignment().normalise_products;
        normalises(one) == normalises(other)
    };
    let with = |rare: Rare, said: Decision| {
        let asked = AtomicBool::new(false);
        let solver = |one: &Instruction, other: &Instruction| match same(one, other) {
            true => Ok(Decision::Unknown("not thought of".to_owned())),
            false => {
                asked.store(true, Ordering::Relaxed);
                Ok(said.clone())
            }
        };
        let decided = decided(rare, SHORT, Some(&solver));
        assert!(asked.load(Ordering::Relaxed), "the search itself distinguishes them");
        decided
    };
    let rare = if long_tier() { missed().0 } else { VERY_RARE };
    let refuted = with(rare, Decision::Refuted(first(rare, true))).expect("a finding");
    assert_eq!(normalised(&refuted), (true, None));
    // Where nothing is rare, nothing but the solver says that there is a difference.
    let rare = if long_tier() { rare } else { NONE };
    let wrong = with(rare, Decision::Refuted(first(rare, false))).expect_err("that vector distinguishes nothing");
    assert!(wrong.to_string().starts_with("the solver says that two hypotheses differ on a = "), "{wrong}");
    if !long_tier() {
        return;
    }
    let proved = with(rare, Decision::Proved("proved, it says".to_owned())).expect("a finding");
    assert_eq!(normalised(&proved), (false, Some("proved, it says")));
    let unknown = with(rare, Decision::Unknown("too hard".to_owned())).expect("a finding");
    let reason = "no difference on 4096 vectors searched; too hard";
    assert_eq!(normalised(&unknown), (false, Some(reason)));
    let failed = |_: &Instruction, _: &Instruction| Err(InferError::Solver("it is gone".to_owned()));
    assert_eq!(decided(rare, SHORT, Some(&failed)).expect_err("it is gone").to_string(), "it is gone");
}

/// What a short inference finds of an exact unit, where aligned sums that c is added to afterwards differ on rare vectors.
fn beside_rare_additions(rare: Rare, decide: Option<Decide>) -> Finding {
    let exact = catalogue::unit("tiny-exact").expect("a unit");
    let evaluate = |other: &Instruction| -> Box<dyn Engine> {
        match is_addition(other) {
            true => rarely(Composed::emulated_wide(other), rare),
            false => Composed::emulated_wide(other),
        }
    };
    let options = Options { confirm: 2_000, search: SHORT, ..Options::default() };
    match infer(&mut Emulator::new(&exact), exact.interface(), &evaluate, decide, options) {
        Ok(Outcome::Found(finding)) => *finding,
        other => panic!("{other:?}"),
    }
}

fn is_addition(hypothesis: &Instruction) -> bool {
    hypothesis.unit.scheme == Scheme::FusedThenAdd
}

/// Another scheme that no vector distinguishes is listed as equivalent, and as refuted where a solver knows a vector. Vectors that are
/// rare enough for the former are looked for in the long tier.
#[test]
fn scheme_that_only_a_solver_distinguishes_is_refuted() {
    let listed = |finding: &Finding| finding.equivalent.iter().any(|other| is_addition(&other.hypothesis));
    let mut rares = (1..=32).map(|salt| Rare { one_in: Some(1 << 18), salt });
    let rare = rares.find(|rare| !long_tier() || listed(&beside_rare_additions(*rare, None)));
    let rare = rare.expect("of 32 salts one makes no vector of a short inference rare");
    let frame = catalogue::unit("tiny-exact").expect("a unit");
    let vector = first_of(&frame, rare, true);
    let solver = |one: &Instruction, other: &Instruction| match is_addition(one) == is_addition(other) {
        true => Ok(Decision::Proved("proved, it says".to_owned())),
        false => Ok(Decision::Refuted(vector.clone())),
    };
    let finding = beside_rare_additions(rare, Some(&solver));
    assert!(!listed(&finding), "{:?}", finding.equivalent);
    assert!(finding.equivalent.iter().all(|other| other.decision.is_some()), "{:?}", finding.equivalent);
    assert!(finding.refuted.iter().any(|other| is_addition(&other.hypothesis) && !other.by.is_empty()));
}

/// In the long tier only: in the ordinary one a solver that is wrong is the first to say that something differs there.
#[test]
fn nothing_is_found_where_nothing_differs() {
    if !long_tier() {
        return;
    }
    let finding = found(NONE, 500_000);
    assert_eq!(normalised(&finding), (false, Some("no difference on 500000 vectors searched")));
}
