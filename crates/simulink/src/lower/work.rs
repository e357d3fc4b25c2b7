//! The state of lowering: the system so far, values of outputs, when sheets run, and conversions between classes.
//!
//! Blocks compute in Booleans, integers without bounds, or reals; [`Work::conform`] then gives each result the class of its
//! output, with the rounding and overflow of the block. A state is read as `seen`, which is its initial value when its
//! subsystem restarts, and is updated only in steps in which its block runs.

use super::layout::Layout;
use super::run::names;
use crate::blocks::Instance;
use crate::diagram::SheetId;
use crate::plan::{Fault, Outcome, Unit, UnitId, classes, finite};
use crate::value::Class;
use base::names::Taken;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use system::{Expr, Function, Node, Pool, System, Type, Width};

/// The maximum number of expressions and states that blocks make in addition to their signals.
const MAX_WORK: usize = 1 << 22;
/// The maximum number of expressions in a system.
const MAX_NODES: usize = 1 << 24;

/// A signal as an input of a block.
#[derive(Clone, Debug, Default)]
pub(crate) struct Signal {
    /// The size of each dimension: one for a vector.
    pub(crate) dimensions: Vec<usize>,
    /// The scalars, by columns.
    pub(crate) scalars: Vec<Expr>,
}

impl Signal {
    /// An element; a scalar is expanded to any width.
    pub(crate) fn at(&self, element: usize) -> Outcome<Expr> {
        let place = if self.scalars.len() == 1 { 0 } else { element };
        self.scalars.get(place).copied().ok_or_else(|| Fault::new("the sizes of its inputs do not match"))
    }

    /// The rows and columns; a vector is a column.
    pub(crate) fn size(&self) -> (usize, usize) {
        match self.dimensions[..] {
            [] => (self.scalars.len(), 1),
            [rows] => (rows, 1),
            [rows, ref rest @ ..] => (rows, rest.iter().product()),
        }
    }
}

/// When a sheet runs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Activity {
    /// Whether it runs in this step.
    pub(crate) active: Expr,
    /// Whether its states restart in this step.
    pub(crate) restart: Expr,
}

/// A function call in the middle of a run of a chart.
#[derive(Clone, Debug, Default)]
pub(crate) struct Call {
    /// The outputs of the chart when it calls.
    pub(crate) shown: Vec<Vec<Expr>>,
    /// What the call sets: elements of inputs of the chart, by input and element, after the call.
    pub(crate) answers: BTreeMap<(usize, usize), Expr>,
}

/// A state of a block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kept {
    /// Its place among the states of the system.
    place: usize,
    /// Its value in this step.
    pub(crate) seen: Expr,
}

/// A turn of a loop that is being computed.
struct Turn {
    /// Whether it takes place.
    active: Expr,
    /// Its number, from 0.
    number: usize,
    /// Whether it has states of its own, and does not go on with those of the turn before.
    apart: bool,
}

impl Turn {
    /// Whether it goes on after another one.
    fn is_later(&self) -> bool {
        self.number > 0 && !self.apart
    }
}

pub(crate) struct Work<'p> {
    pub(crate) layout: &'p Layout<'p>,
    pub(crate) system: System,
    /// The scalars of each output of each unit.
    pub(crate) values: BTreeMap<(UnitId, usize), Vec<Expr>>,
    pub(crate) activity: BTreeMap<SheetId, Activity>,
    /// The calls of charts, by their outputs.
    pub(crate) calls: BTreeMap<(UnitId, usize), Call>,
    /// The states of blocks that are updated after everything is computed.
    pub(crate) kept: FxHashMap<UnitId, Vec<Kept>>,
    /// The states of blocks that show them before their inputs are known.
    pub(crate) created: FxHashMap<UnitId, Vec<Kept>>,
    /// Updates: the unit, the state, its next value in steps in which the unit runs.
    pending: Vec<(UnitId, Kept, Expr)>,
    /// The loops that are being computed, from the outside in.
    loops: Vec<Turn>,
    /// Updates within a turn of a loop; without a unit, of all turns.
    turning: Vec<(Option<UnitId>, Kept, Expr)>,
    /// The states of each unit in a loop, in the order in which it makes them; how many of them it has made in this turn; and the
    /// value of each at this point of the step.
    looped: FxHashMap<(UnitId, usize), Vec<usize>>,
    made: FxHashMap<UnitId, usize>,
    now: BTreeMap<usize, Expr>,
    /// Whether a turn after the first made a state that the first one did not.
    grown: bool,
    names: Taken,
    phases: BTreeMap<u64, Expr>,
    counters: BTreeMap<Option<u64>, Expr>,
    first: Option<Expr>,
    begun: FxHashMap<UnitId, Expr>,
    /// The units that have states.
    pub(crate) stateful: BTreeSet<UnitId>,
    /// The unknowns of algebraic loops.
    unknowns: Vec<Expr>,
    /// The part of a step at which blocks are computed: a stage of the solver.
    pub(crate) stage: (i64, u32),
    room: usize,
}

impl<'p> Work<'p> {
    pub(crate) fn new(layout: &'p Layout<'p>) -> Work<'p> {
        Work {
            layout,
            system: System::default(),
            values: BTreeMap::new(),
            activity: BTreeMap::new(),
            calls: BTreeMap::new(),
            kept: FxHashMap::default(),
            created: FxHashMap::default(),
            pending: Vec::new(),
            loops: Vec::new(),
            turning: Vec::new(),
            looped: FxHashMap::default(),
            made: FxHashMap::default(),
            now: BTreeMap::new(),
            grown: false,
            names: Taken::default(),
            phases: BTreeMap::new(),
            counters: BTreeMap::new(),
            first: None,
            begun: FxHashMap::default(),
            stateful: BTreeSet::new(),
            unknowns: Vec::new(),
            stage: (0, 1),
            room: MAX_WORK,
        }
    }

    /// Reserves room for `many` times `each` expressions, before a block makes them.
    pub(crate) fn reserve(&mut self, many: usize, each: usize) -> Outcome<()> {
        let left = many.checked_mul(each).and_then(|it| self.room.checked_sub(it));
        match left.filter(|_| self.system.pool.len() <= MAX_NODES) {
            Some(left) => {
                self.room = left;
                Ok(())
            }
            None => Err(Fault::hint("the system becomes too large with this block", "reduce its size")),
        }
    }

    pub(crate) fn pool(&mut self) -> &mut Pool {
        &mut self.system.pool
    }

    /// A name that nothing else has. (`System::fresh_name` searches all of them.)
    pub(crate) fn fresh(&mut self, like: &str) -> String {
        self.names.take(like)
    }

    /// The path of a unit relative to the top sheet, without line breaks.
    pub(crate) fn path(&self, id: UnitId) -> String {
        let top = self.layout.inside(self.layout.top).next();
        let unit = self.layout.unit(id);
        let prefix = top.map_or(0, |first| first.path.len().saturating_sub(first.name.len()));
        let path = unit.path.get(prefix..).unwrap_or(&unit.path);
        path.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// New inputs of the system for all outputs of a unit, named by its path.
    pub(crate) fn free(&mut self, unit: &Instance<'_>) -> Outcome<Vec<Vec<Expr>>> {
        let path = self.path(unit.id);
        let mut outputs = Vec::new();
        for (output, shape) in unit.outputs.iter().enumerate() {
            let mut scalars = Vec::new();
            for (name, class) in names(&path, output, shape.width()).iter().zip(classes(shape)) {
                let name = self.fresh(name);
                let var = self.system.add_input(&name, type_of(class));
                scalars.push(self.system.expr(var));
            }
            outputs.push(scalars);
        }
        Ok(outputs)
    }

    /// A state of a unit, with a constant initial value: a new one, or in a later turn of a loop that of the first turn.
    pub(crate) fn state(&mut self, id: UnitId, label: &str, init: Expr) -> Kept {
        let restart = self.activity_of(id).map_or(Pool::FALSE, |it| it.restart);
        let number = self.made.entry(id).or_default();
        *number += 1;
        let number = *number;
        let own = (id, self.instance());
        let known = self.looped.get(&own).and_then(|it| it.get(number - 1)).copied();
        if let Some(place) = known.filter(|_| !self.loops.is_empty()) {
            let now = self.now[&place];
            return Kept { place, seen: self.pool().ite(restart, init, now) };
        }
        self.stateful.insert(id);
        let name = format!("{}.{label}", self.path(id));
        let name = self.fresh(&name);
        let ty = self.system.pool.type_of(init);
        let var = self.system.add_state(&name, ty, Some(init));
        let now = self.system.expr(var);
        let place = self.system.state.len() - 1;
        if !self.loops.is_empty() {
            self.grown |= self.loops.iter().any(Turn::is_later);
            self.looped.entry(own).or_default().push(place);
            self.now.insert(place, now);
        }
        Kept { place, seen: self.pool().ite(restart, init, now) }
    }

    /// Numbers that are to be solved for. Nothing refers to them after [`Work::replace`], so the next loop has the same ones.
    pub(crate) fn unknowns(&mut self, count: usize) -> Vec<Expr> {
        while self.unknowns.len() < count {
            let name = self.fresh("unknown");
            let var = self.system.add_input(&name, Type::Real);
            self.system.inputs.pop();
            self.unknowns.push(self.system.expr(var));
        }
        self.unknowns[..count].to_vec()
    }

    /// The number of states and updates so far.
    pub(crate) fn mark(&self) -> (usize, usize) {
        (self.system.state.len(), self.pending.len())
    }

    /// Replaces unknowns in the values and states of some units, and in the states and updates that were made since a mark.
    pub(crate) fn replace(
        &mut self,
        (states, pending): (usize, usize),
        units: &BTreeSet<UnitId>,
        known: &FxHashMap<Expr, Expr>,
    ) {
        let replaced =
            |pool: &mut Pool, roots: &[Expr]| pool.replace(roots, &|it, _| known.get(&it).copied());
        let pool = &mut self.system.pool;
        for (_, values) in self.values.iter_mut().filter(|it| units.contains(&it.0.0)) {
            *values = replaced(pool, values);
        }
        let kept = self.kept.iter_mut().filter(|it| units.contains(it.0)).flat_map(|it| it.1);
        for kept in kept.chain(self.pending[pending..].iter_mut().map(|it| &mut it.1)) {
            kept.seen = replaced(pool, &[kept.seen])[0];
        }
        let next = self.system.state[states..].iter_mut().map(|it| &mut it.next);
        for next in next.chain(self.pending[pending..].iter_mut().map(|it| &mut it.2)) {
            *next = replaced(pool, &[*next])[0];
        }
    }

    /// Sets the next value of a state for the steps in which its unit runs.
    pub(crate) fn update(&mut self, id: UnitId, kept: Kept, next: Expr) {
        if self.loops.is_empty() {
            self.pending.push((id, kept, next));
        } else {
            self.turning.push((Some(id), kept, next));
        }
    }

    /// Sets the next value of a state for every step.
    pub(crate) fn update_always(&mut self, kept: Kept, next: Expr) {
        if self.loops.is_empty() {
            self.system.state[kept.place].next = next;
        } else {
            self.turning.push((None, kept, next));
        }
    }

    /// Begins a loop; `apart` if each turn has states of its own.
    pub(crate) fn enter_loop(&mut self, apart: bool) {
        self.grown &= !self.loops.is_empty();
        self.loops.push(Turn { active: Pool::TRUE, number: 0, apart });
    }

    /// The number of the turn of the innermost loop, from 0.
    pub(crate) fn turn(&self) -> usize {
        self.loops.last().map_or(0, |it| it.number)
    }

    /// A number for the turns that have states of their own.
    fn instance(&self) -> usize {
        let apart = self.loops.iter().filter(|it| it.apart);
        apart.fold(0, |sum: usize, it| sum.wrapping_mul(1 << 12).wrapping_add(it.number + 1))
    }

    /// Ends a loop; after the outermost one, the states have their values for the next step.
    pub(crate) fn leave_loop(&mut self) {
        self.loops.pop();
        if self.loops.is_empty() {
            for (place, now) in std::mem::take(&mut self.now) {
                self.system.state[place].next = now;
            }
        }
    }

    /// Begins a turn of a loop over some units, and returns where its updates begin.
    pub(crate) fn begin_turn(&mut self, turn: usize, active: Expr, units: &[UnitId]) -> usize {
        for id in units {
            self.made.remove(id);
            self.begun.remove(id);
        }
        if let Some(last) = self.loops.last_mut() {
            *last = Turn { active, number: turn, ..*last };
        }
        self.turning.len()
    }

    /// Applies the updates of a turn.
    pub(crate) fn end_turn(&mut self, mark: usize, units: &[UnitId]) -> Outcome<()> {
        for (id, kept, next) in self.turning.split_off(mark) {
            let active = match id {
                Some(id) => self.runs(id),
                None => self.loops.last().map_or(Pool::TRUE, |it| it.active),
            };
            let next = self.pool().ite(active, next, kept.seen);
            self.now.insert(kept.place, next);
        }
        let instance = self.instance();
        let uneven = |id: &UnitId| {
            let known = self.looped.get(&(*id, instance)).map_or(0, Vec::len);
            self.made.get(id).copied().unwrap_or(0) != known
        };
        if self.grown || units.iter().any(uneven) {
            return Err(Fault::new("a block in its loop does not have the same states in every turn"));
        }
        Ok(())
    }

    /// Whether a loop is being computed.
    pub(crate) fn is_in_loop(&self) -> bool {
        !self.loops.is_empty()
    }

    /// The only output of a unit in the turn before this one; none in the first turn, and outside of loops.
    pub(crate) fn last_turn(&self, id: UnitId) -> Outcome<Option<Vec<Expr>>> {
        match &self.loops[..] {
            [] => Ok(None),
            [turn] => Ok(self.values.get(&(id, 0)).filter(|_| turn.is_later()).cloned()),
            _ => Err(Fault::new("what it assigns to in a loop inside a loop is not known")),
        }
    }

    /// Applies all pending updates of states.
    pub(crate) fn settle(&mut self) {
        for (id, kept, next) in std::mem::take(&mut self.pending) {
            let active = self.runs(id);
            let next = self.pool().ite(active, next, kept.seen);
            self.update_always(kept, next);
        }
    }

    /// Whether a unit runs in this step: its sheet runs, and its sample time has come.
    pub(crate) fn runs(&mut self, id: UnitId) -> Expr {
        let active = self.activity_of(id).map_or(Pool::TRUE, |it| it.active);
        let tick = self.tick(id);
        self.pool().and([active, tick])
    }

    fn activity_of(&self, id: UnitId) -> Option<Activity> {
        self.activity.get(&self.layout.home(id)).copied()
    }

    /// Whether the sample time of a unit has come.
    pub(crate) fn tick(&mut self, id: UnitId) -> Expr {
        let unit = self.layout.unit(id);
        self.ticks((unit.every, unit.offset))
    }

    /// Whether a sample time, given by its period and offset in steps, has come.
    pub(crate) fn ticks(&mut self, (every, offset): (u64, u64)) -> Expr {
        if every <= 1 {
            return Pool::TRUE;
        }
        let phase = self.phase(every);
        let offset = self.pool().int(offset % every);
        self.pool().eq(phase, offset)
    }

    /// The step number modulo a number.
    pub(crate) fn phase(&mut self, every: u64) -> Expr {
        if let Some(phase) = self.phases.get(&every) {
            return *phase;
        }
        let name = self.fresh(&format!("step modulo {every}"));
        let pool = &mut self.system.pool;
        let (zero, one, last) = (pool.int(0), pool.int(1), pool.int(every - 1));
        let var = self.system.add_state(&name, Type::Int, Some(zero));
        let now = self.system.expr(var);
        let pool = &mut self.system.pool;
        let (over, more) = (pool.ge(now, last), pool.add(now, one));
        let next = pool.ite(over, zero, more);
        self.system.set_next(var, next);
        self.phases.insert(every, now);
        now
    }

    /// The number of the step; it stays at `last`, so that it has few values.
    pub(crate) fn steps(&mut self, last: Option<u64>) -> Expr {
        if let Some(steps) = self.counters.get(&last) {
            return *steps;
        }
        let name = self.fresh("step number");
        let pool = &mut self.system.pool;
        let (zero, one) = (pool.int(0), pool.int(1));
        let var = self.system.add_state(&name, Type::Int, Some(zero));
        let now = self.system.expr(var);
        let pool = &mut self.system.pool;
        let more = pool.add(now, one);
        let next = match last {
            Some(last) => {
                let last = pool.int(last);
                let ends = pool.ge(now, last);
                pool.ite(ends, last, more)
            }
            None => more,
        };
        self.system.set_next(var, next);
        self.counters.insert(last, now);
        now
    }

    /// The time in steps: the number of the step, which stays at `last`, and the part of a step.
    pub(crate) fn elapsed(&mut self, last: Option<u64>) -> Expr {
        let step = self.steps(last);
        let step = self.real_of(step);
        let (numerator, denominator) = self.stage;
        let part = self.ratio(numerator, denominator);
        self.pool().add(step, part)
    }

    /// The time in seconds.
    pub(crate) fn time(&mut self) -> Outcome<Expr> {
        let (steps, step) = (self.elapsed(None), self.real(self.layout.plan.step)?);
        let start = self.real(self.layout.plan.start)?;
        let passed = self.pool().mul(step, steps);
        Ok(self.pool().add(start, passed))
    }

    /// Whether this is step 0.
    pub(crate) fn first(&mut self) -> Expr {
        if let Some(first) = self.first {
            return first;
        }
        let name = self.fresh("first step");
        let var = self.system.add_state(&name, Type::Bool, Some(Pool::TRUE));
        self.system.set_next(var, Pool::FALSE);
        let first = self.system.expr(var);
        self.first = Some(first);
        first
    }

    /// Whether a unit runs for the first time, or for the first time since its states restarted.
    pub(crate) fn begins(&mut self, id: UnitId) -> Expr {
        if let Some(begins) = self.begun.get(&id) {
            return *begins;
        }
        let unit = self.layout.unit(id);
        let begins = if unit.every <= 1
            && self.loops.is_empty()
            && !self.layout.around(id).any(|it| !it.controls.is_empty())
        {
            self.first()
        } else {
            let new = self.state(id, "new", Pool::TRUE);
            self.update(id, new, Pool::FALSE);
            new.seen
        };
        self.begun.insert(id, begins);
        begins
    }

    /// A real constant.
    pub(crate) fn real(&mut self, number: f64) -> Outcome<Expr> {
        let number = finite(number)?;
        Ok(self.pool().real(number))
    }

    /// A real constant that is a small fraction.
    pub(crate) fn ratio(&mut self, numerator: i64, denominator: u32) -> Expr {
        self.pool().real(dashu_ratio::RBig::from_parts(numerator.into(), denominator.into()))
    }

    /// A constant of a class.
    pub(crate) fn constant(&mut self, number: f64, class: Class) -> Outcome<Expr> {
        match class {
            _ if number.is_nan() => {
                Err(Fault::new("a parameter has too few numbers, or one that is not a number"))
            }
            Class::Double | Class::Single => self.real(number),
            Class::Boolean => Ok(self.pool().bool(number != 0.0)),
            Class::Integer(bits, signed) => {
                let width = Width { signed, bits };
                let value = (number.round() as i128).clamp(width.least(), width.greatest());
                Ok(self.pool().machine(width, value))
            }
        }
    }

    /// A parameter as a real number that a class has: rounded to the nearest and limited, as Simulink converts parameters.
    pub(crate) fn parameter(&mut self, number: f64, class: Class) -> Outcome<Expr> {
        match class {
            _ if number.is_nan() => self.constant(number, class),
            Class::Double => self.real(number),
            Class::Single => {
                let number = self.real(number)?;
                Ok(self.single_of(number))
            }
            Class::Boolean | Class::Integer(..) => self.real(class.cast(number)),
        }
    }

    /// As a real number.
    pub(crate) fn real_of(&mut self, a: Expr) -> Expr {
        match self.pool().type_of(a) {
            Type::Bool => {
                let (one, zero) = (self.ratio(1, 1), self.ratio(0, 1));
                self.pool().ite(a, one, zero)
            }
            Type::Real | Type::Enum(_) => a,
            Type::Int | Type::Machine(_) => self.pool().cast(Type::Real, a),
        }
    }

    /// As an integer without bounds; reals stay.
    pub(crate) fn whole_of(&mut self, a: Expr) -> Expr {
        match self.pool().type_of(a) {
            Type::Bool => {
                let (one, zero) = (self.pool().int(1), self.pool().int(0));
                self.pool().ite(a, one, zero)
            }
            Type::Int | Type::Real | Type::Enum(_) => a,
            Type::Machine(_) => self.pool().cast(Type::Int, a),
        }
    }

    /// Whether it is not zero.
    pub(crate) fn truth_of(&mut self, a: Expr) -> Expr {
        if self.pool().type_of(a) == Type::Bool {
            return a;
        }
        match self.zero_of(a) {
            Some(zero) => self.pool().ne(a, zero),
            None => a,
        }
    }

    /// Zero of the type of a number.
    pub(crate) fn zero_of(&mut self, a: Expr) -> Option<Expr> {
        let ty = self.pool().type_of(a);
        self.pool().number(ty, &dashu_int::IBig::ZERO)
    }

    /// Numbers of one type: reals if one of them is real, otherwise integers.
    pub(crate) fn common<const N: usize>(&mut self, all: [Expr; N]) -> [Expr; N] {
        let real = all.iter().any(|it| self.system.pool.type_of(*it) == Type::Real);
        all.map(|it| if real { self.real_of(it) } else { self.whole_of(it) })
    }

    /// A choice between values of any classes.
    pub(crate) fn choose(&mut self, condition: Expr, a: Expr, b: Expr) -> Expr {
        let pool = &self.system.pool;
        let [a, b] = if pool.type_of(a) == pool.type_of(b) { [a, b] } else { self.common([a, b]) };
        self.pool().ite(condition, a, b)
    }

    /// A value in the class of an output, with the rounding and the overflow of the block.
    pub(crate) fn conform(&mut self, unit: &Unit, class: Class, a: Expr) -> Expr {
        self.converted(class, a, unit.is_on("SaturateOnIntegerOverflow"), unit.word("RndMeth"))
    }

    /// A value in a class; integers saturate, and fractions are cut off.
    pub(crate) fn saturated(&mut self, class: Class, a: Expr) -> Expr {
        self.converted(class, a, true, "Zero")
    }

    /// A value in a class; integers wrap around, and fractions are cut off.
    pub(crate) fn wrapped(&mut self, class: Class, a: Expr) -> Expr {
        self.converted(class, a, false, "Zero")
    }

    fn converted(&mut self, class: Class, a: Expr, saturate: bool, rounding: &str) -> Expr {
        let Class::Integer(bits, signed) = class else {
            return match class {
                Class::Boolean => self.truth_of(a),
                Class::Single => self.single_of(a),
                Class::Double | Class::Integer(..) => self.real_of(a),
            };
        };
        let width = Width { signed, bits };
        if self.pool().type_of(a) == Type::Machine(width) {
            return a;
        }
        let mut whole = self.whole_of(a);
        if self.pool().type_of(whole) == Type::Real {
            // Before it is rounded, so that infinity saturates too.
            let limited = if saturate { self.clamp(whole, width, Type::Real) } else { whole };
            let rounded = self.round(rounding, limited);
            whole = self.pool().cast(Type::Int, rounded);
        } else if saturate {
            whole = self.clamp(whole, width, Type::Int);
        }
        self.pool().cast(Type::Machine(width), whole)
    }

    /// A number rounded to single precision; already rounded ones stay.
    fn single_of(&mut self, a: Expr) -> Expr {
        let a = self.real_of(a);
        match self.pool().node(a) {
            Node::Apply(Function::Single, _) => a,
            _ => self.pool().apply(Function::Single, &[a]),
        }
    }

    fn clamp(&mut self, a: Expr, width: Width, ty: Type) -> Expr {
        let pool = self.pool();
        let (Some(least), Some(greatest)) =
            (pool.number(ty, &width.least().into()), pool.number(ty, &width.greatest().into()))
        else {
            return a;
        };
        let low = pool.max(a, least);
        pool.min(low, greatest)
    }

    /// A real number rounded to a whole one, which is still of type real.
    pub(crate) fn round(&mut self, method: &str, a: Expr) -> Expr {
        let half = self.ratio(1, 2);
        let (zero, one, two) = (self.ratio(0, 1), self.ratio(1, 1), self.ratio(2, 1));
        let pool = self.pool();
        let floor = pool.floor(a);
        let rest = pool.sub(a, floor);
        let up = match method {
            "Ceiling" | "ceil" => pool.gt(rest, zero),
            "Zero" | "fix" | "Simplest" => {
                let (below, part) = (pool.lt(a, zero), pool.gt(rest, zero));
                pool.and([below, part])
            }
            "Nearest" => pool.ge(rest, half),
            "Round" | "round" => {
                let (above, at, over) = (pool.ge(a, zero), pool.ge(rest, half), pool.gt(rest, half));
                pool.ite(above, at, over)
            }
            "Convergent" => {
                let middle = pool.div(floor, two);
                let even = pool.floor(middle);
                let (odd, over) = (pool.ne(middle, even), pool.gt(rest, half));
                let tie = pool.eq(rest, half);
                let odd_tie = pool.and([tie, odd]);
                pool.or([over, odd_tie])
            }
            _ => return floor,
        };
        let more = pool.add(floor, one);
        pool.ite(up, more, floor)
    }

    /// Zero, or false, like a value.
    pub(crate) fn zero_like(&mut self, value: Expr) -> Expr {
        self.zero_of(value).unwrap_or(Pool::FALSE)
    }

    /// Refuses a unit that needs its sample time where it has none, because it runs at triggers.
    pub(crate) fn regular(&self, id: UnitId) -> Outcome<()> {
        if !self.layout.is_triggered(id) {
            return Ok(());
        }
        let message = "it depends on the time between two of its steps, which triggers make irregular";
        Err(Fault::hint(message, "move it out of the triggered subsystem"))
    }

    /// The sample time of a unit, in seconds.
    pub(crate) fn sample_time(&self, unit: &Unit) -> f64 {
        self.layout.plan.step * unit.every.max(1) as f64
    }
}

/// The type of the scalars of a class.
pub(crate) fn type_of(class: Class) -> Type {
    match class {
        Class::Double | Class::Single => Type::Real,
        Class::Boolean => Type::Bool,
        Class::Integer(bits, signed) => Type::Machine(Width { signed, bits }),
    }
}
