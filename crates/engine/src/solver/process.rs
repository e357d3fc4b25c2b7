//! A context over a solver session: every node of a step is defined once, every literal is a named Boolean.
//!
//! Nodes are defined when they are first needed, children first, so only what a query depends on is sent. Commands are buffered and
//! sent together with the next query.

use crate::solver::axioms::Use;
use crate::solver::axioms::facts;
use crate::solver::context::Context;
use crate::solver::context::Lit;
use crate::solver::context::Open;
use crate::solver::context::Opened;
use crate::solver::context::Start;
use crate::solver::context::Stop;
use crate::solver::context::Unrolling;
use crate::solver::context::variables;
use crate::solver::session::Connect;
use crate::solver::session::Session;
use crate::solver::session::Sexp;
use crate::solver::session::parse;
use crate::solver::smt;
use crate::verdict::Why;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write as _;
use system::{Expr, Node, Pool, System, Type, Value, Var};

/// Opens contexts over solver sessions.
pub(crate) struct Processes<'a>(pub(crate) &'a dyn Connect);

impl Open for Processes<'_> {
    fn open<'s>(&'s self, system: &System, start: Start, stop: Stop<'s>) -> Opened<'s> {
        let session = self.0.open()?;
        Ok(Box::new(Process::new(session, system, start, stop)))
    }
}

pub(crate) struct Process<'a> {
    session: Box<dyn Session>,
    stop: Stop<'a>,
    unrolling: Unrolling,
    exprs: Vec<Option<Expr>>,
    /// Commands that are not sent yet.
    waiting: String,
    defined: FxHashSet<(Expr, u32)>,
    literals: FxHashMap<(Expr, u32), Lit>,
    functions: FxHashSet<String>,
    uses: Vec<Use>,
    /// The number of literals. Literal 0 is true.
    count: u32,
    assumed: Vec<Lit>,
    limit: u32,
}

const OPTIONS: &str = "(set-option :print-success false)
(set-option :produce-models true)
(set-option :produce-unsat-assumptions true)
(set-logic ALL)
(declare-const p0 Bool)
(assert p0)
";

impl<'a> Process<'a> {
    pub(crate) fn new(
        session: Box<dyn Session>,
        system: &System,
        start: Start,
        stop: Stop<'a>,
    ) -> Process<'a> {
        Process {
            session,
            stop,
            unrolling: Unrolling::new(system, start),
            exprs: variables(system),
            waiting: OPTIONS.to_owned(),
            defined: FxHashSet::default(),
            literals: FxHashMap::default(),
            functions: FxHashSet::default(),
            uses: Vec::new(),
            count: 1,
            assumed: Vec::new(),
            limit: 0,
        }
    }

    fn name(&self, pool: &Pool, expr: Expr, step: u32) -> String {
        match pool.node(expr) {
            Node::Var(var) => variable(*var, step),
            _ => smt::constant(pool, expr).unwrap_or_else(|| format!("n{}_{step}", expr.index())),
        }
    }

    /// Defines an expression at a step and everything it needs.
    fn define(&mut self, system: &System, expr: Expr, step: u32) {
        let pool = &system.pool;
        let mut open = vec![(expr, step, false)];
        while let Some((expr, step, ready)) = open.pop() {
            let node = pool.node(expr);
            if node.is_constant() || self.defined.contains(&(expr, step)) {
                continue;
            }
            let needs = self.unrolling.needs(pool, expr, step);
            if !ready {
                open.push((expr, step, true));
                open.extend(needs.into_iter().map(|(expr, step)| (expr, step, false)));
                continue;
            }
            self.defined.insert((expr, step));
            let sort = smt::sort(pool, pool.type_of(expr));
            match (node, needs.first()) {
                (Node::Var(var), Some(&(source, at))) => {
                    let (name, value) = (variable(*var, step), self.name(pool, source, at));
                    // A declared constant, not a definition: the solver would push comparisons through all steps.
                    let _ = writeln!(self.waiting, "(declare-const {name} {sort})");
                    let _ = writeln!(self.waiting, "(assert (= {name} {value}))");
                }
                (Node::Var(var), None) => {
                    let name = variable(*var, step);
                    let _ = writeln!(self.waiting, "(declare-const {name} {sort})");
                    self.bound(pool, expr, &name);
                }
                (node, _) => self.node(pool, expr, node, step, &sort),
            }
        }
    }

    fn node(&mut self, pool: &Pool, expr: Expr, node: &Node, step: u32, sort: &str) {
        if let Some((name, text)) = smt::declaration(pool, node)
            && self.functions.insert(name)
        {
            self.waiting.push_str(&text);
        }
        let term = smt::term(pool, node, &|child| self.name(pool, child, step));
        let name = self.name(pool, expr, step);
        let _ = writeln!(self.waiting, "(define-fun {name} () {sort} {term})");
        if let Node::Apply(function, arguments) = node {
            self.bound(pool, expr, &name);
            let arguments = arguments.iter().map(|it| self.name(pool, *it, step)).collect();
            let new = Use { function: *function, arguments, value: name };
            let facts = facts(&new, &self.uses);
            self.waiting.push_str(&facts);
            self.uses.push(new);
        }
    }

    fn bound(&mut self, pool: &Pool, expr: Expr, name: &str) {
        if let Some(bound) = smt::bound(pool, pool.type_of(expr), name) {
            let _ = writeln!(self.waiting, "(assert {bound})");
        }
    }

    fn ask(&mut self, question: &str) -> Result<Sexp, Why> {
        let commands = std::mem::take(&mut self.waiting) + question + "\n";
        if (self.stop)() {
            return Err(Why::Time);
        }
        self.session.send(&commands)?;
        let text = self.session.answer(&self.stop)?;
        let answer = parse(&text);
        match answer {
            Some(answer) if answer.list().first().and_then(Sexp::atom) != Some("error") => Ok(answer),
            _ => Err(Why::Solver(format!("it answered `{}`", shortened(text.trim())))),
        }
    }

    fn show(lit: Lit) -> String {
        if lit.negated() { format!("(not p{})", lit.number()) } else { format!("p{}", lit.number()) }
    }

    fn get(&mut self, names: &[String]) -> Result<Vec<Sexp>, Why> {
        if names.is_empty() {
            return Ok(Vec::new());
        }
        let answer = self.ask(&format!("(get-value ({}))", names.join(" ")))?;
        let values: Vec<Sexp> = answer.list().iter().filter_map(|pair| pair.list().get(1).cloned()).collect();
        if values.len() == names.len() {
            Ok(values)
        } else {
            Err(Why::Solver("it gave the values of too few variables".to_owned()))
        }
    }

    /// Pins each irrational number to a rational one nearby, if everything stays satisfiable.
    fn pinned(&mut self, names: &[(String, Type)]) -> Result<Vec<Value>, Why> {
        let mut pins: Vec<Lit> = Vec::new();
        let assumed = self.assumed.clone();
        for _ in 0..=names.len().min(16) {
            let texts: Vec<String> = names.iter().map(|it| it.0.clone()).collect();
            let answers = self.get(&texts)?;
            let values: Vec<Option<Value>> =
                names.iter().zip(&answers).map(|((_, ty), answer)| smt::value(*ty, answer)).collect();
            let Some(place) = values.iter().position(Option::is_none) else {
                return Ok(values.into_iter().flatten().collect());
            };
            self.waiting.push_str("(set-option :pp.decimal true)\n");
            let near = self.get(&texts[place..=place])?;
            self.waiting.push_str("(set-option :pp.decimal false)\n");
            let Some(near) = near.first().and_then(smt::number) else { return Err(Why::NotReplayed) };
            let pin = self.fresh();
            let _ = writeln!(
                self.waiting,
                "(assert (=> {} (= {} {})))",
                Self::show(pin),
                texts[place],
                smt::real(&near)
            );
            pins.push(pin);
            let all: Vec<Lit> = assumed.iter().chain(&pins).copied().collect();
            if !self.solve(&all)? {
                return Err(Why::NotReplayed);
            }
        }
        Err(Why::NotReplayed)
    }
}

impl Context for Process<'_> {
    fn literal(&mut self, system: &System, expr: Expr, step: u32) -> Result<Lit, Why> {
        match system.pool.node(expr) {
            Node::Bool(value) => return Ok(Lit(u32::from(!value))),
            Node::Not(inner) => return Ok(!self.literal(system, *inner, step)?),
            _ => {}
        }
        if let Some(lit) = self.literals.get(&(expr, step)) {
            return Ok(*lit);
        }
        self.define(system, expr, step);
        let lit = self.fresh();
        let (name, value) = (Self::show(lit), self.name(&system.pool, expr, step));
        let _ = writeln!(self.waiting, "(assert (= {name} {value}))");
        self.literals.insert((expr, step), lit);
        Ok(lit)
    }

    fn touch(&mut self, system: &System, var: Var, step: u32) -> Result<(), Why> {
        if let Some(expr) = self.exprs[var.index()] {
            self.define(system, expr, step);
        }
        Ok(())
    }

    fn fresh(&mut self) -> Lit {
        let _ = writeln!(self.waiting, "(declare-const p{} Bool)", self.count);
        self.count += 1;
        Lit((self.count - 1) << 1)
    }

    fn clause(&mut self, literals: &[Lit]) -> Result<(), Why> {
        let shown: Vec<String> = literals.iter().map(|it| Self::show(*it)).collect();
        let _ = match shown.as_slice() {
            [] => writeln!(self.waiting, "(assert false)"),
            [only] => writeln!(self.waiting, "(assert {only})"),
            more => writeln!(self.waiting, "(assert (or {}))", more.join(" ")),
        };
        Ok(())
    }

    fn same(&mut self, system: &System, a: u32, b: u32) -> Result<Lit, Why> {
        let lit = self.fresh();
        let mut equal = Vec::new();
        for state in &system.state {
            let Some(expr) = self.exprs[state.var.index()] else { continue };
            self.define(system, expr, a);
            self.define(system, expr, b);
            equal.push(format!("(= {} {})", variable(state.var, a), variable(state.var, b)));
        }
        let _ = writeln!(self.waiting, "(assert (= {} (and true {})))", Self::show(lit), equal.join(" "));
        Ok(lit)
    }

    fn solve(&mut self, assumptions: &[Lit]) -> Result<bool, Why> {
        self.assumed = assumptions.to_vec();
        let shown: Vec<String> = assumptions.iter().map(|it| Self::show(*it)).collect();
        let answer = self.ask(&format!("(check-sat-assuming ({}))", shown.join(" ")))?;
        match answer.atom() {
            Some("sat") => Ok(true),
            Some("unsat") => Ok(false),
            Some("unknown" | "timeout") => Err(Why::Undecided),
            other => {
                let said = shortened(other.unwrap_or("(…)"));
                Err(Why::Solver(format!("it answered `{said}` to a question")))
            }
        }
    }

    fn failed(&mut self) -> Result<Vec<Lit>, Why> {
        let answer = self.ask("(get-unsat-assumptions)")?;
        let read = |it: &Sexp| -> Option<Lit> {
            let number = |text: &str| text.strip_prefix('p')?.parse::<u32>().ok();
            match it {
                Sexp::Atom(text) => Some(Lit(number(text)? << 1)),
                Sexp::List(items) => Some(!Lit(number(items.get(1)?.atom()?)? << 1)),
            }
        };
        let core: Option<Vec<Lit>> = answer.list().iter().map(read).collect();
        core.ok_or_else(|| Why::Solver("its unsat core is not a subset of the assumptions".to_owned()))
    }

    fn truths(&mut self, literals: &[Lit]) -> Result<Vec<bool>, Why> {
        let names: Vec<String> = literals.iter().map(|it| format!("p{}", it.number())).collect();
        let answers = self.get(&names)?;
        Ok(literals
            .iter()
            .zip(answers)
            .map(|(lit, it)| (it.atom() == Some("true")) != lit.negated())
            .collect())
    }

    fn values(&mut self, system: &System, wanted: &[(Var, u32)]) -> Result<Vec<Value>, Why> {
        let there: Vec<bool> = wanted
            .iter()
            .map(|(var, step)| {
                self.exprs[var.index()].is_some_and(|expr| self.defined.contains(&(expr, *step)))
            })
            .collect();
        let names: Vec<(String, Type)> = wanted
            .iter()
            .zip(&there)
            .filter(|(_, there)| **there)
            .map(|((var, step), _)| (variable(*var, *step), system.variables[var.index()].ty))
            .collect();
        let mut known = self.pinned(&names)?.into_iter();
        Ok(there.iter().map(|it| if *it { known.next() } else { None }.unwrap_or(Value::Undefined)).collect())
    }

    fn limit(&mut self, milliseconds: u32) {
        if self.limit != milliseconds
            && let Some(command) = self.session.limit(milliseconds)
        {
            self.limit = milliseconds;
            let _ = writeln!(self.waiting, "{command}");
        }
    }
}

fn variable(var: Var, step: u32) -> String {
    format!("v{}_{step}", var.index())
}

fn shortened(text: &str) -> String {
    text.chars().take(200).collect()
}
