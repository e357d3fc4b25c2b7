//! How fast the engine is on bits in memory: steps per second for each formula, and for many formulas at once.
//!
//! Run with `cargo bench -p shall-record`. P1 to P4 are the patterns of everyday requirements, the others those of Timescales (Ulus,
//! RV 2019) with their three bounds; the cost must not grow with the bound. What else is compared, and how, is in docs/logs.md.

use base::Random;
use criterion::measurement::{Measurement, ValueFormatter, WallTime};
use criterion::{Criterion, Throughput};
use logic::{Store, Trace, Value};
use requirement::{Context, Watch, lower_formula, sentence, watch};
use shall_record::{BLOCK, Block, Check, Kind};
use std::hint::black_box;
use std::time::{Duration, Instant};

const SENTENCES: &[(&str, &str)] = &[
    ("P1, bound 10", "the sys shall always satisfy p => occurred(10, q)"),
    ("P1, bound 1000", "the sys shall always satisfy p => occurred(1000, q)"),
    ("P2, bound 10", "whenever p the sys shall within 10 ticks satisfy q"),
    ("P2, bound 1000", "whenever p the sys shall within 1000 ticks satisfy q"),
    ("P3", "in m mode when c the sys shall until s satisfy r"),
    ("P4, bound 10", "the sys shall always satisfy r => persisted(10, m)"),
    ("P4, bound 1000", "the sys shall always satisfy r => persisted(1000, m)"),
];

/// The patterns of Timescales, with A and B for the bounds. The intended formula of `AbsentBQR` is used; the generator misplaces a
/// parenthesis.
const TIMESCALES: &[(&str, &str)] = &[
    ("AbsentAQ", "O[0,B] q -> (!p S q)"),
    ("AbsentBR", "r -> H[0,B] !p"),
    ("AbsentBQR", "r & !q & O q -> (!p S[A,B] q)"),
    ("AlwaysAQ", "O[0,B] q -> (p S q)"),
    ("AlwaysBR", "r -> H[0,B] p"),
    ("AlwaysBQR", "r & !q & O q -> (p S[A,B] q)"),
    ("RecurGLB", "O[0,B] p"),
    ("RecurBQR", "r & !q & O q -> (O[0,B] (p | q) S q)"),
    ("RespondGLB", "(s -> O[A,B] p) & !(!s S[B,∞) p)"),
    ("RespondBQR", "r & !q & O q -> (((s -> O[A,B] p) & !(!s S[B,∞) p)) S q)"),
];

/// The time that this thread has had a processor, where the system tells it; otherwise the time that passes. On a machine that others use
/// as well, the difference is large.
struct Processor {
    start: Instant,
    wall: WallTime,
}

impl Processor {
    fn now(&self) -> u64 {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
        let own = text.split(' ').next().and_then(|nanoseconds| nanoseconds.parse().ok());
        own.unwrap_or_else(|| self.start.elapsed().as_nanos() as u64)
    }
}

impl Measurement for Processor {
    type Intermediate = u64;
    type Value = Duration;

    fn start(&self) -> u64 {
        self.now()
    }

    fn end(&self, start: u64) -> Duration {
        // A short sample may see no tick of the clock.
        Duration::from_nanos((self.now() - start).max(1))
    }

    fn add(&self, a: &Duration, b: &Duration) -> Duration {
        *a + *b
    }

    fn zero(&self) -> Duration {
        Duration::ZERO
    }

    fn to_f64(&self, value: &Duration) -> f64 {
        value.as_nanos() as f64
    }

    fn formatter(&self) -> &dyn ValueFormatter {
        self.wall.formatter()
    }
}

fn of_sentence(store: &mut Store, text: &str) -> Watch {
    let lowered = sentence::read(store, text, &Context::default());
    watch(store, &lowered.requirement.expect("a sentence")).expect("looks back only")
}

/// A formula that must hold at every step.
fn of_formula(store: &mut Store, text: &str) -> Watch {
    let (formula, wrong) = lower_formula(store, &syntax::formula::parse(text), &Context::default());
    let formula = formula.unwrap_or_else(|| panic!("{text}: {wrong:?}"));
    let (yes, no) = (store.top(), store.bottom());
    let bad = store.not(formula);
    Watch { bad, bad_at_end: no, left: no, trigger: yes, scope: yes, active: None }
}

fn bench(criterion: &mut Criterion<Processor>, name: &str, store: &Store, watches: &[Watch]) {
    let mut check = Check::new(store, watches, |_| Kind::Truth).expect("past-time formulas");
    let mut random = Random::new(1);
    let inputs = check.inputs().to_vec();
    let mut column = || (0..BLOCK).map(|_| Value::Bool(random.below(2_u64) != 0)).collect::<Vec<_>>();
    let columns: Vec<(&str, Vec<Value>)> = inputs.iter().map(|it| (it.name.as_str(), column())).collect();
    let trace = Trace::of(columns).expect("columns of one length");
    let mut block = Block::new(&inputs);
    block.fill(&inputs, &trace);
    let mut group = criterion.benchmark_group("engine");
    group.throughput(Throughput::Elements(BLOCK as u64));
    group.bench_function(name, |bencher| {
        bencher.iter(|| {
            check.block(store, black_box(&block));
            block.start += BLOCK as u64;
        });
    });
    group.finish();
}

fn main() {
    let processor = Processor { start: Instant::now(), wall: WallTime };
    let mut criterion = Criterion::default().with_measurement(processor).configure_from_args();
    let mut all = Store::default();
    let mut watches = Vec::new();
    for (name, text) in SENTENCES {
        let mut store = Store::default();
        let watch = of_sentence(&mut store, text);
        bench(&mut criterion, name, &store, &[watch]);
        watches.push(of_sentence(&mut all, text));
    }
    for (name, text) in TIMESCALES {
        for (least, most) in [("3", "10"), ("30", "100"), ("300", "1000")] {
            let text = text.replace('A', least).replace('B', most);
            let mut store = Store::default();
            let watch = of_formula(&mut store, &text);
            bench(&mut criterion, &format!("{name}{most}"), &store, &[watch]);
            watches.push(of_formula(&mut all, &text));
        }
    }
    bench(&mut criterion, "all of them at once", &all, &watches);
    criterion.final_summary();
}
