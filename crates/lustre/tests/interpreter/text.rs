//! The text of a random program, with all parentheses.

use super::{Definition, INPUTS, Mode, Node, Op, Program, Tree, Ty};

/// The name of a variable.
pub(super) fn name(var: usize) -> String {
    match var {
        0 => "a".into(),
        1 => "b".into(),
        2 => "n".into(),
        // As JKind flattens records and arrays.
        _ if var.is_multiple_of(3) => format!("v.x[{var}]"),
        _ => format!("v{var}"),
    }
}

impl Program {
    pub(crate) fn text(&self) -> String {
        let mut out = "datatype option = None | Some(it: int);\n\
             type pair_b = struct { l: bool; r: bool };\ntype pair_i = struct { l: int; r: int };\n\
             function sum(const n: int; p: int^n) returns (s: int);\nvar t: int^n;\n\
             let t[i] = p[i] + (if i = 0 then 0 else t[i - 1]); s = t[n - 1]; tel\n\
             node unused() returns (s: int); let s = sum(1, [0]); tel\n"
            .to_owned();
        for place in 0..self.nodes.len() {
            out += &self.node(place);
        }
        out
    }

    fn node(&self, place: usize) -> String {
        let node = &self.nodes[place];
        let is_top = place + 1 == self.nodes.len();
        let word = |var: usize| if node.types[var] == Ty::Bool { "bool" } else { "int" };
        let declared = |vars: std::ops::Range<usize>| {
            vars.map(|var| format!("{}: {}", name(var), word(var))).collect::<Vec<_>>().join("; ")
        };
        let last = node.types.len() - 1;
        let outputs = if is_top { INPUTS..last + 1 } else { last..last + 1 };
        let mut out = format!(
            "node f{place}(a, b: bool; n: subrange [0, 3] of int) returns ({});\n",
            declared(outputs)
        );
        if !is_top {
            for claim in &node.claims {
                out += &format!("con guarantee {}; noc\n", self.tree(node, claim, 0));
            }
            for var in INPUTS..last {
                out += &format!("var {}: {};\n", name(var), word(var));
            }
        }
        out += "let\n";
        for (at, definition) in node.definitions.iter().enumerate() {
            let name = name(INPUTS + at);
            let shown = |tree: &Tree| self.tree(node, tree, 0);
            out += &match definition {
                Definition::Equation(value) => format!("  {name} = {};\n", shown(value)),
                Definition::Block(condition, a, b) => {
                    format!(
                        "  if {} then {name} = {}; else {name} = {}; fi\n",
                        shown(condition),
                        shown(a),
                        shown(b)
                    )
                }
                Definition::Frame(initial, condition, value) => {
                    let initial = self.tree(node, &Tree::Const(node.types[INPUTS + at], *initial), 0);
                    format!(
                        "  frame ({name}) {name} = {initial}; let if {} then {name} = {}; fi tel\n",
                        shown(condition),
                        shown(value)
                    )
                }
            };
        }
        if is_top {
            for (at, claim) in node.claims.iter().enumerate() {
                out += &format!("  check \"P{at}\" {};\n", self.tree(node, claim, 0));
            }
        }
        out + "tel\n"
    }

    /// The type of an expression, where some names are bound to integers.
    fn ty(&self, node: &Node, tree: &Tree) -> Ty {
        match tree {
            Tree::Const(ty, _) => *ty,
            Tree::Var(var) => node.types[*var],
            Tree::Bound(_) => Ty::Int,
            Tree::Not(_) | Tree::Quantified(..) => Ty::Bool,
            Tree::Binary(Op::Add | Op::Subtract, ..) => Ty::Int,
            Tree::Binary(..) => Ty::Bool,
            Tree::If(_, a, _, _) | Tree::Arrow(a, _) | Tree::Pre(a, _) => self.ty(node, a),
            Tree::Call { node, .. } => self.nodes[*node].types[self.nodes[*node].types.len() - 1],
            Tree::Updated([a, ..], ..) | Tree::Stored([a, ..], ..) => self.ty(node, a),
            Tree::Matched { none, .. } => self.ty(node, none),
        }
    }

    fn tree(&self, node: &Node, tree: &Tree, depth: usize) -> String {
        let shown = |tree: &Tree| self.tree(node, tree, depth);
        let is_bool = |tree: &Tree| self.ty(node, tree) == Ty::Bool;
        match tree {
            Tree::Const(Ty::Bool, word) => (*word == 1).to_string(),
            Tree::Const(Ty::Int, word) => word.to_string(),
            Tree::Var(var) => name(*var),
            Tree::Bound(place) => format!("i{place}"),
            Tree::Not(a) => format!("(not {})", shown(a)),
            Tree::Binary(op, a, b) => {
                let (a, b) = (shown(a), shown(b));
                let sign = match op {
                    Op::And => "and",
                    Op::AndThen => "and then",
                    Op::Or => "or",
                    Op::OrElse => "or else",
                    Op::Xor => "xor",
                    Op::Implies => "=>",
                    Op::LazyImplies => "==>",
                    Op::SameBool | Op::SameInt => "=",
                    Op::Less => "<",
                    Op::AtMost => "<=",
                    // The guard of a `pre` does not reach arguments, and names of quantifiers stay outside of calls.
                    Op::Add if depth == 0 && !a.contains("pre") && !b.contains("pre") => {
                        return format!("(sum(2, [{a}, {b}]) mod 4)");
                    }
                    Op::Add => return format!("(({a} + {b}) mod 4)"),
                    Op::Subtract => return format!("(({a} - {b}) mod 4)"),
                };
                format!("({a} {sign} {b})")
            }
            Tree::If(condition, a, b, lazy) => {
                let word = if *lazy { "when" } else { "if" };
                format!("({word} {} then {} else {})", shown(condition), shown(a), shown(b))
            }
            Tree::Arrow(a, b) => format!("({} -> {})", shown(a), shown(b)),
            Tree::Pre(a, _) => format!("(pre {})", shown(a)),
            Tree::Call { node: callee, arguments, mode, .. } => {
                let arguments: Vec<String> = arguments.iter().map(shown).collect();
                let arguments = arguments.join(", ");
                match mode {
                    Mode::Plain => format!("f{callee}({arguments})"),
                    Mode::Clocked(clock, default) => {
                        let ty = self.nodes[*callee].types[self.nodes[*callee].types.len() - 1];
                        let default = shown(&Tree::Const(ty, *default));
                        format!("condact({}, f{callee}({arguments}), {default})", shown(clock))
                    }
                    Mode::Restarted(restart) => {
                        format!("(restart f{callee} every {})({arguments})", shown(restart))
                    }
                }
            }
            Tree::Quantified(all, body) => {
                let (word, sign) = if *all { ("forall", "=>") } else { ("exists", "and") };
                let body = self.tree(node, body, depth + 1);
                format!("({word} (i{depth}: int) 0 <= i{depth} and i{depth} < 3 {sign} {body})")
            }
            Tree::Updated([left, right, new], at_left, read_left) => {
                let record = if is_bool(left) { "pair_b" } else { "pair_i" };
                let field = |left: bool| if left { "l" } else { "r" };
                format!(
                    "({record} {{ l = {}; r = {} }}[{} := {}]).{}",
                    shown(left),
                    shown(right),
                    field(*at_left),
                    shown(new),
                    field(*read_left)
                )
            }
            Tree::Stored([a, b, c], at, new, read) => format!(
                "([{}, {}, {}][({} mod 3) := {}])[{} mod 3]",
                shown(a),
                shown(b),
                shown(c),
                shown(at),
                shown(new),
                shown(read)
            ),
            Tree::Matched { condition, value, some, none } => {
                let inner = self.tree(node, some, depth + 1);
                format!(
                    "(match (if {} then Some({}) else None) with | Some(i{depth}) : {inner} | _ : {} end)",
                    shown(condition),
                    shown(value),
                    shown(none)
                )
            }
        }
    }
}
