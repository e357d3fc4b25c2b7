//! A game between an environment, which chooses the inputs of each step, and a system, which then chooses the outputs.
//!
//! The memory of the requirements is the state of a [`System`] in which the variables of both players are inputs. The environment must
//! keep the assumptions at every step; the system must keep the safety part of every guarantee at every step as long as it does, and
//! meet the live part of every guarantee at infinitely many steps.

use crate::answer::{Tried, answered};
use crate::fixpoint::Budget;
use rustc_hash::FxHashSet;
use system::places::Union;
use system::{Expr, Node, Pool, System, Type, Var};

/// A game.
#[derive(Clone, Debug, Default)]
pub struct Game {
    /// The variables of both players (its inputs), the memory of the requirements (its state), and the assumptions.
    pub system: System,
    /// The inputs of `system` that the system player chooses.
    pub outputs: Vec<Var>,
    /// What the system player must achieve.
    pub guarantees: Vec<Guarantee>,
    /// Ranges of outputs and other conditions, which the system player keeps whatever guarantees it has.
    pub domain: Vec<Expr>,
    /// What the environment promises to make true at infinitely many steps.
    pub fair: Vec<Expr>,
}

/// What one requirement demands of the system player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guarantee {
    /// The id of the requirement.
    pub id: String,
    /// Must hold at every step.
    pub safety: Expr,
    /// Must hold at infinitely many steps.
    pub live: Option<Expr>,
    /// A trigger is now; true where that means nothing.
    pub trigger: Expr,
}

/// Who chooses first at a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// The environment: outputs may depend on the inputs of the same step.
    #[default]
    Mealy,
    /// The system: outputs depend on earlier inputs only.
    Moore,
}

/// Guarantees that share outputs, directly or through other guarantees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Component {
    /// The outputs, in the order of the game.
    pub outputs: Vec<Var>,
    /// Indices of the guarantees, ascending.
    pub guarantees: Vec<usize>,
}

impl Game {
    /// The game of a system in which some inputs are chosen by an implementation: its properties are the guarantees. Assumptions about
    /// these inputs at the same step are conditions that the implementation keeps: the environment has moved before and cannot.
    pub fn of_system(mut system: System, is_output: impl Fn(&str) -> bool) -> Game {
        let properties = std::mem::take(&mut system.properties);
        let guarantees = properties
            .into_iter()
            .map(|it| Guarantee { id: it.name, safety: it.value, live: None, trigger: Pool::TRUE })
            .collect();
        let outputs = system.inputs.iter().copied();
        let outputs: Vec<Var> = outputs.filter(|it| is_output(&system.variables[it.index()].name)).collect();
        let of_output = |it: &Expr| system.pool.variables([*it]).iter().any(|var| outputs.contains(var));
        let (domain, assumptions) = system.assumptions.iter().partition(|it| of_output(it));
        system.assumptions = assumptions;
        Game { system, outputs, guarantees, domain, fair: Vec::new() }
    }

    /// The game of a contract: a system with these inputs, of which the environment chooses some. A structure, an array or a set is named as a
    /// whole and is an input for each of its places.
    pub fn of_contract(system: System, inputs: &[String], environment: &[String]) -> Game {
        let is_place = |whole: &String, name: &str| {
            name.strip_prefix(whole.as_str())
                .is_some_and(|it| it.is_empty() || it.starts_with(['.', '[', '{']))
        };
        let named = |list: &[String], name: &str| list.iter().any(|it| is_place(it, name));
        Game::of_system(system, |name| named(inputs, name) && !named(environment, name))
    }

    /// Whether the system player chooses this variable.
    pub fn is_output(&self, var: Var) -> bool {
        self.outputs.contains(&var)
    }

    /// Everything that these expressions depend on, through the state.
    pub fn cone(&self, roots: impl IntoIterator<Item = Expr>) -> FxHashSet<Var> {
        self.system.cone(roots)
    }

    /// The parts of the game that can be judged one by one: if no two share an output and the assumptions are about inputs, the whole
    /// is realizable exactly when each part is, because the strategies see all inputs and can be played side by side. If assumptions
    /// mention outputs, there is one part: each guarantee depends on whether they are kept. Guarantees without outputs are one
    /// component each.
    pub fn components(&self) -> Vec<Component> {
        let place = |var: &Var| self.outputs.iter().position(|it| it == var);
        let touched = |roots: Vec<Expr>| -> Vec<usize> {
            let cone = self.cone(roots);
            let mut places: Vec<usize> = cone.iter().filter_map(place).collect();
            places.sort_unstable();
            places
        };
        let mut union = Union::new(self.outputs.len());
        let mut join = |places: &[usize]| {
            places.windows(2).for_each(|pair| union.join(pair[0], pair[1]));
        };
        let assumed: Vec<Expr> = self.system.assumptions.iter().chain(&self.fair).copied().collect();
        if !touched(assumed).is_empty() {
            let guarantees = (0..self.guarantees.len()).collect();
            return vec![Component { outputs: self.outputs.clone(), guarantees }];
        }
        self.domain.iter().for_each(|it| join(&touched(vec![*it])));
        let of: Vec<Vec<usize>> = self.guarantees.iter().map(|it| touched(it.roots().collect())).collect();
        of.iter().for_each(|places| join(places));
        let mut components: Vec<(Option<usize>, Component)> = Vec::new();
        for (index, places) in of.iter().enumerate() {
            let root = places.first().map(|it| union.find(*it));
            match components.iter_mut().find(|it| root.is_some() && it.0 == root) {
                Some((_, component)) => component.guarantees.push(index),
                None => {
                    let member = |it: &usize| root.is_some() && root == Some(union.find(*it));
                    let outputs = (0..self.outputs.len()).filter(member).map(|it| self.outputs[it]).collect();
                    components.push((root, Component { outputs, guarantees: vec![index] }));
                }
            }
        }
        components.into_iter().map(|it| it.1).collect()
    }

    /// The game with some of the guarantees, without the variables that nothing in it depends on.
    pub fn part(&self, guarantees: &[usize]) -> Game {
        let guarantees: Vec<Guarantee> =
            guarantees.iter().filter_map(|it| self.guarantees.get(*it).cloned()).collect();
        let assumed = self.system.assumptions.iter().chain(&self.fair).chain(&self.system.initial).copied();
        let mut roots: Vec<Expr> = guarantees.iter().flat_map(Guarantee::roots).chain(assumed).collect();
        let mut cone = self.cone(roots.iter().copied());
        // With a condition of an output comes everything that the condition depends on.
        let mut open = self.domain.clone();
        let pool = &self.system.pool;
        loop {
            let is_inside = |it: &mut Expr| {
                pool.variables([*it]).iter().any(|var| self.is_output(*var) && cone.contains(var))
            };
            let mut more: Vec<Expr> = open.extract_if(.., is_inside).collect();
            if more.is_empty() {
                break;
            }
            roots.append(&mut more);
            cone = self.cone(roots.iter().copied());
        }
        let mut part = Game {
            system: self.system.clone(),
            outputs: self.outputs.iter().filter(|it| cone.contains(it)).copied().collect(),
            guarantees,
            domain: Vec::new(),
            fair: self.fair.clone(),
        };
        part.system.inputs.retain(|it| cone.contains(it));
        part.system.state.retain(|it| cone.contains(&it.var));
        part.domain = self.domain.iter().filter(|it| !open.contains(it)).copied().collect();
        part.system.lemmas.retain(|it| pool.variables([*it]).iter().all(|var| cone.contains(var)));
        part
    }

    /// The game with memory for what must happen infinitely often, as one latch each that says whether it held one step before, and
    /// with initial constraints as an assumption about the first step. Returns the latches of the guarantees and of the environment.
    pub(crate) fn prepared(&self) -> Prepared {
        let mut game = self.clone();
        let latch = |game: &mut Game, like: &str, value: Expr| {
            let name = game.system.fresh_name(&format!("{like}#"));
            let var = game.system.add_state(&name, Type::Bool, Some(Pool::TRUE));
            game.system.set_next(var, value);
            var
        };
        let goals = (0..game.guarantees.len())
            .filter_map(|it| Some((it, game.guarantees[it].live?)))
            .collect::<Vec<_>>()
            .into_iter()
            .map(|(it, live)| (it, latch(&mut game, "met", live)))
            .collect();
        let fair = self.fair.iter().map(|it| latch(&mut game, "fair", *it)).collect();
        let initial = std::mem::take(&mut game.system.initial);
        if !initial.is_empty() {
            let later = latch(&mut game, "first", Pool::FALSE);
            let first = game.system.expr(later);
            let all = game.system.pool.and(initial);
            let assumed = game.system.pool.implies(first, all);
            game.system.assumptions.push(assumed);
        }
        Prepared { game, goals, fair }
    }
}

/// A game whose live parts are latches.
#[derive(Clone, Debug)]
pub(crate) struct Prepared {
    pub(crate) game: Game,
    /// Guarantees with a live part, and their latches.
    pub(crate) goals: Vec<(usize, Var)>,
    /// The latches of the environment's promises.
    pub(crate) fair: Vec<Var>,
}

/// A part of a prepared game that can be decided alone.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    pub(crate) prepared: Prepared,
    /// The guarantee of the whole game of each of its guarantees.
    pub(crate) of: Vec<usize>,
    /// Whether it is won in one step from everywhere, by one output that sees everything else. Such pieces come last; outputs of pieces
    /// after it do not depend on it.
    pub(crate) answered: bool,
}

impl Prepared {
    /// The parts of a game that share no outputs, where guarantees that are conjunctions are taken apart, and those of outputs that have
    /// an answer to everything. Variables and expressions are those of the whole game.
    pub(crate) fn pieces(&mut self, order: Order, budget: Budget) -> Vec<Piece> {
        let game = &mut self.game;
        let mut conditions: Vec<(usize, Guarantee)> = Vec::new();
        for (index, guarantee) in game.guarantees.iter().enumerate() {
            for safety in conjuncts(&mut game.system.pool, guarantee.safety) {
                conditions.push((index, Guarantee { safety, live: None, ..guarantee.clone() }));
            }
            if guarantee.live.is_some() {
                conditions.push((index, Guarantee { safety: Pool::TRUE, ..guarantee.clone() }));
            }
        }
        let (of, guarantees): (Vec<usize>, Vec<Guarantee>) = conditions.into_iter().unzip();
        let apart = Game { guarantees, ..game.clone() };
        let answered = answered(&apart, &FxHashSet::default(), &mut Tried::default(), order, budget);
        let is_left = |it: &usize| answered.iter().all(|answered| !answered.guarantees.contains(it));
        let left: Vec<usize> = (0..apart.guarantees.len()).filter(is_left).collect();
        let rest = left.iter().map(|it| apart.guarantees[*it].clone()).collect();
        let rest = Game { guarantees: rest, ..apart.clone() };
        let (free, mut classes): (Vec<Component>, Vec<Component>) =
            rest.components().into_iter().partition(|it| it.outputs.is_empty());
        let free: Vec<usize> = free.into_iter().flat_map(|it| it.guarantees).collect();
        if !free.is_empty() {
            classes.push(Component { outputs: Vec::new(), guarantees: free });
        }
        if classes.len() < 2 && answered.is_empty() {
            let of = (0..self.game.guarantees.len()).collect();
            return vec![Piece { prepared: self.clone(), of, answered: false }];
        }
        let mut pieces: Vec<Piece> = Vec::new();
        for class in classes.into_iter().filter(|it| !it.guarantees.is_empty()) {
            let chosen: Vec<usize> = class.guarantees.iter().map(|it| left[*it]).collect();
            pieces.push(self.piece(&apart, &of, &chosen));
        }
        pieces.extend(answered.into_iter().rev().map(|it| Piece {
            prepared: it.prepared(&apart),
            of: it.guarantees.iter().map(|it| of[*it]).collect(),
            answered: true,
        }));
        pieces
    }

    fn piece(&mut self, apart: &Game, of: &[usize], chosen: &[usize]) -> Piece {
        let pool = &mut self.game.system.pool;
        let mut guarantees: Vec<(usize, Guarantee)> = Vec::new();
        for conditions in chosen.chunk_by(|a, b| of[*a] == of[*b]) {
            let origin = of[conditions[0]];
            let mut guarantee = self.game.guarantees[origin].clone();
            if conditions.len() < of.iter().filter(|it| **it == origin).count() {
                let mine = conditions.iter().map(|it| &apart.guarantees[*it]);
                guarantee.safety = pool.and(mine.clone().map(|it| it.safety));
                guarantee.live = mine.filter_map(|it| it.live).next();
            }
            guarantees.push((origin, guarantee));
        }
        let (of, guarantees): (Vec<usize>, Vec<Guarantee>) = guarantees.into_iter().unzip();
        let count = guarantees.len();
        let has_goal = |index: usize, it: &Guarantee| {
            let goal = self.goals.iter().find(|goal| goal.0 == of[index])?;
            it.live.map(|_| (index, goal.1))
        };
        let goals: Vec<(usize, Var)> =
            guarantees.iter().enumerate().filter_map(|(index, it)| has_goal(index, it)).collect();
        let whole = Game { guarantees, ..self.game.clone() };
        let mut game = whole.part(&(0..count).collect::<Vec<_>>());
        let latches = goals.iter().map(|it| it.1).chain(self.fair.iter().copied());
        game.system.state.extend(latches.filter_map(|it| whole.system.state_of(it).cloned()));
        Piece { prepared: Prepared { game, goals, fair: self.fair.clone() }, of, answered: false }
    }
}

/// The largest number of conditions into which a guarantee is taken apart.
const CONDITIONS: usize = 1000;

/// The conditions that an expression demands together. A disjunction with a conjunction, and a choice between two, demand each of the
/// conjuncts in their place.
fn conjuncts(pool: &mut Pool, root: Expr) -> Vec<Expr> {
    let mut found = Vec::new();
    let mut open = vec![root];
    while let Some(expr) = open.pop() {
        let several = |it: &Expr| matches!(pool.node(*it), Node::And(_));
        match pool.node(expr).clone() {
            Node::And(operands) => open.extend(operands.iter().rev().copied()),
            Node::Or(operands) if operands.iter().any(several) && found.len() + open.len() < CONDITIONS => {
                let place = operands.iter().position(several).unwrap_or_default();
                for conjunct in conjuncts(pool, operands[place]).into_iter().rev() {
                    let mut operands = operands.to_vec();
                    operands[place] = conjunct;
                    open.push(pool.or(operands));
                }
            }
            Node::Ite(c, yes, no) if several(&yes) || several(&no) => {
                let not = pool.not(c);
                open.push(pool.or([c, no]));
                open.push(pool.or([not, yes]));
            }
            _ => found.push(expr),
        }
    }
    found
}

impl Guarantee {
    /// Its conditions.
    pub fn roots(&self) -> impl Iterator<Item = Expr> + '_ {
        [self.safety].into_iter().chain(self.live)
    }
}
