//! Random programs: a few nodes, each calling those before it.

use super::{Definition, INPUTS, Mode, Node, Op, Program, Tree, Ty};
use base::Random;

impl Program {
    pub(crate) fn random(rng: &mut Random) -> Program {
        let mut nodes: Vec<Node> = Vec::new();
        let count = 1 + rng.below(3) as usize;
        let mut numbers = 0;
        for place in 0..count {
            let mut node = Node {
                types: vec![Ty::Bool, Ty::Bool, Ty::Int],
                definitions: Vec::new(),
                claims: Vec::new(),
            };
            let all = 1 + rng.below(3) as usize;
            // The types of all variables, because memory may be about later ones.
            let planned: Vec<Ty> =
                (0..all).map(|_| if rng.below(3) == 0 { Ty::Int } else { Ty::Bool }).collect();
            let later: Vec<Ty> = node.types.iter().copied().chain(planned.iter().copied()).collect();
            for ty in planned {
                let mut make = Make {
                    rng,
                    nodes: &nodes,
                    known: node.types.clone(),
                    later: &later,
                    numbers: &mut numbers,
                    bound: 0,
                    calls: true,
                };
                let definition = match make.rng.below(5) {
                    0 => Definition::Block(make.tree(Ty::Bool, 2), make.tree(ty, 2), make.tree(ty, 2)),
                    1 => {
                        let most = if ty == Ty::Bool { 2 } else { 4 };
                        let initial = make.rng.below(most) as i64;
                        Definition::Frame(initial, make.tree(Ty::Bool, 2), make.tree(ty, 2))
                    }
                    _ => Definition::Equation(make.tree(ty, 4)),
                };
                node.definitions.push(definition);
                node.types.push(ty);
            }
            let claims = if place + 1 == count { 3 } else { rng.below(2) as usize };
            for _ in 0..claims {
                let (known, is_top) = (node.types.clone(), place + 1 == count);
                // A contract is about inputs and outputs.
                let mut make = Make {
                    rng,
                    nodes: &nodes,
                    known,
                    later: &later,
                    numbers: &mut numbers,
                    bound: 0,
                    calls: is_top,
                };
                let claim = if is_top && make.rng.below(2) == 0 {
                    make.tree(Ty::Bool, 3)
                } else if is_top {
                    // Weak enough to be valid now and then.
                    (0..4).fold(make.tree(Ty::Bool, 1), |all, _| {
                        Tree::Binary(Op::Or, Box::new(all), make.boxed(Ty::Bool, 2))
                    })
                } else {
                    let output = node.types.len() - 1;
                    let input = Tree::Var(make.rng.below(2) as usize);
                    match node.types[output] {
                        Ty::Bool => Tree::Binary(Op::Implies, Box::new(input), Box::new(Tree::Var(output))),
                        Ty::Int => Tree::Binary(
                            Op::AtMost,
                            Box::new(Tree::Var(output)),
                            Box::new(Tree::Const(Ty::Int, 1 + make.rng.below(3) as i64)),
                        ),
                    }
                };
                node.claims.push(claim);
            }
            nodes.push(node);
        }
        Program { nodes }
    }
}

struct Make<'a> {
    rng: &'a mut Random,
    nodes: &'a [Node],
    /// The types of the variables that are already defined.
    known: Vec<Ty>,
    /// The types of all variables.
    later: &'a [Ty],
    numbers: &'a mut usize,
    /// The number of bound names.
    bound: usize,
    /// Whether calls and memory are allowed.
    calls: bool,
}

impl Make<'_> {
    fn boxed(&mut self, ty: Ty, depth: usize) -> Box<Tree> {
        Box::new(self.tree(ty, depth))
    }

    fn number(&mut self) -> usize {
        *self.numbers += 1;
        *self.numbers
    }

    fn leaf(&mut self, ty: Ty, types: &[Ty]) -> Tree {
        let vars: Vec<usize> = (0..types.len()).filter(|it| types[*it] == ty).collect();
        let bound = if ty == Ty::Int { self.bound } else { 0 };
        let place = self.rng.below((vars.len() + bound + 1) as u64) as usize;
        if place < vars.len() {
            Tree::Var(vars[place])
        } else if place < vars.len() + bound {
            Tree::Bound(place - vars.len())
        } else {
            Tree::Const(ty, self.rng.below(if ty == Ty::Bool { 2 } else { 4 }) as i64)
        }
    }

    fn tree(&mut self, ty: Ty, depth: usize) -> Tree {
        if depth == 0 {
            let known = self.known.clone();
            return self.leaf(ty, &known);
        }
        let depth = depth - 1;
        match self.rng.below(13) {
            0 | 1 => self.operator(ty, depth),
            2 => {
                let lazy = self.rng.below(2) == 0;
                // Lazy branches have no memory and no calls.
                let outer = self.calls;
                self.calls &= !lazy;
                let tree =
                    Tree::If(self.boxed(Ty::Bool, depth), self.boxed(ty, depth), self.boxed(ty, depth), lazy);
                self.calls = outer;
                tree
            }
            3 | 4 if self.calls && self.bound == 0 => {
                let start = self.boxed(ty, 0);
                Tree::Arrow(start, Box::new(self.previous(ty, depth)))
            }
            5 if self.calls && self.bound == 0 && ty == Ty::Bool => self.previous(ty, depth),
            6 | 7 if self.calls && self.bound == 0 && !self.nodes.is_empty() => self.call(ty, depth),
            8 if ty == Ty::Bool && self.bound < 2 => {
                let all = self.rng.below(2) == 0;
                self.bound += 1;
                let body = self.boxed(Ty::Bool, depth);
                self.bound -= 1;
                Tree::Quantified(all, body)
            }
            9 => {
                let parts = [self.boxed(ty, depth), self.boxed(ty, 0), self.boxed(ty, depth)];
                Tree::Updated(parts, self.rng.below(2) == 0, self.rng.below(2) == 0)
            }
            10 => {
                let elements = [self.boxed(ty, 0), self.boxed(ty, 0), self.boxed(ty, 0)];
                Tree::Stored(elements, self.boxed(Ty::Int, 0), self.boxed(ty, depth), self.boxed(Ty::Int, 0))
            }
            11 if self.bound < 2 => {
                let (condition, value) = (self.boxed(Ty::Bool, depth), self.boxed(Ty::Int, 0));
                let none = self.boxed(ty, depth);
                self.bound += 1;
                let some = self.boxed(ty, depth);
                self.bound -= 1;
                Tree::Matched { condition, value, some, none }
            }
            _ => self.operator(ty, depth),
        }
    }

    fn operator(&mut self, ty: Ty, depth: usize) -> Tree {
        let (op, operand) = match (ty, self.rng.below(12)) {
            (Ty::Int, it) if it < 6 => (Op::Add, Ty::Int),
            (Ty::Int, _) => (Op::Subtract, Ty::Int),
            (Ty::Bool, 0) => return Tree::Not(self.boxed(ty, depth)),
            (Ty::Bool, 1) => (Op::And, Ty::Bool),
            (Ty::Bool, 2) => (Op::AndThen, Ty::Bool),
            (Ty::Bool, 3) => (Op::Or, Ty::Bool),
            (Ty::Bool, 4) => (Op::OrElse, Ty::Bool),
            (Ty::Bool, 5) => (Op::Xor, Ty::Bool),
            (Ty::Bool, 6) => (Op::Implies, Ty::Bool),
            (Ty::Bool, 7) => (Op::LazyImplies, Ty::Bool),
            (Ty::Bool, 8) => (Op::SameBool, Ty::Bool),
            (Ty::Bool, 9) => (Op::Less, Ty::Int),
            (Ty::Bool, 10) => (Op::AtMost, Ty::Int),
            (Ty::Bool, _) => (Op::SameInt, Ty::Int),
        };
        let lazy = matches!(op, Op::AndThen | Op::OrElse | Op::LazyImplies);
        let left = self.boxed(operand, depth);
        let outer = self.calls;
        self.calls &= !lazy;
        let right = self.boxed(operand, depth);
        self.calls = outer;
        Tree::Binary(op, left, right)
    }

    /// `pre` of something without calls, possibly about variables that are defined later.
    fn previous(&mut self, ty: Ty, depth: usize) -> Tree {
        let number = self.number();
        if self.rng.below(2) == 0 {
            let later = self.later.to_vec();
            return Tree::Pre(Box::new(self.leaf(ty, &later)), number);
        }
        let outer = std::mem::replace(&mut self.calls, false);
        let operand = self.boxed(ty, depth.min(2));
        self.calls = outer;
        Tree::Pre(operand, number)
    }

    fn call(&mut self, ty: Ty, depth: usize) -> Tree {
        let fitting: Vec<usize> =
            (0..self.nodes.len()).filter(|it| self.nodes[*it].types.last() == Some(&ty)).collect();
        if fitting.is_empty() {
            return self.operator(ty, depth);
        }
        let node = fitting[self.rng.below(fitting.len() as u64) as usize];
        let arguments = (0..INPUTS).map(|it| self.tree(self.nodes[node].types[it], depth.min(1))).collect();
        let mode = match self.rng.below(3) {
            0 => Mode::Plain,
            1 => {
                let most = if ty == Ty::Bool { 2 } else { 4 };
                Mode::Clocked(self.boxed(Ty::Bool, 1), self.rng.below(most) as i64)
            }
            _ => Mode::Restarted(self.boxed(Ty::Bool, 1)),
        };
        Tree::Call { node, arguments, mode, number: self.number() }
    }
}
