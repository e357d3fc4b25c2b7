//! Expressions in Lustre, as Kind 2 reads it; which names it can take.

use super::Inexpressible;
use super::LeftOut;
use super::expression;
use super::expression::Language;
use super::expression::Text;
use super::expression::nested;
use super::lustre_library::{Library, Piece, is_library_name};
use super::names::Rules;
use super::scope::Layout;
use super::scope::Space;
use super::scope::Ty;
use base::names::is_identifier;
use logic::Binary;
use logic::Bound;
use logic::Dialect;
use logic::Formula;
use logic::Fun;
use logic::SHALL;
use logic::Store;
use logic::Unary;
use requirement::specification::Component;
use requirement::specification::Kind;
use requirement::specification::Type;
use requirement::specification::Variable;
use std::collections::BTreeMap;

/// The spellings of Lustre; operators over time are calls.
const LUSTRE: Dialect = Dialect {
    name: "lustre",
    not: "not ",
    and: "and",
    or: "or",
    xor: "xor",
    implies: "=>",
    iff: "=",
    relations: ["<", "<=", ">", ">=", "=", "<>"],
    ..SHALL
};

/// The names of Kind 2: no keywords, no nodes of the library.
pub(crate) const RULES: Rules = Rules { is_plain, longest: 200 };

fn is_plain(name: &str) -> bool {
    is_identifier(name, "") && !KEYWORDS.contains(&name) && !is_library_name(name)
}

/// The keywords of Kind 2; `array` was one of older versions.
const KEYWORDS: &[&str] = &[
    "activate",
    "and",
    "any",
    "array",
    "assert",
    "assume",
    "assuming",
    "assumption_vars",
    "at",
    "bool",
    "check",
    "choose",
    "con",
    "cond",
    "condact",
    "const",
    "contract",
    "current",
    "datatype",
    "default",
    "div",
    "else",
    "elsif",
    "end",
    "ensure",
    "enum",
    "every",
    "exists",
    "false",
    "fby",
    "fi",
    "forall",
    "frame",
    "from",
    "function",
    "guarantee",
    "history",
    "if",
    "import",
    "imported",
    "in",
    "include",
    "initial",
    "int",
    "int16",
    "int32",
    "int64",
    "int8",
    "invariant",
    "let",
    "lsh",
    "map",
    "match",
    "merge",
    "mod",
    "mode",
    "noc",
    "node",
    "not",
    "of",
    "opaque",
    "or",
    "otherwise",
    "param",
    "pre",
    "provided",
    "reachable",
    "real",
    "require",
    "restart",
    "returns",
    "rsh",
    "set",
    "sint",
    "struct",
    "subrange",
    "subtype",
    "tel",
    "then",
    "transparent",
    "true",
    "type",
    "uint",
    "uint16",
    "uint32",
    "uint64",
    "uint8",
    "var",
    "weakly",
    "when",
    "with",
    "within",
    "xor",
];

/// Formulas over Boolean inputs, each with a name for messages: the nodes of the library that they use, and the expression of each.
pub(crate) fn monitors(
    store: &Store,
    inputs: &[&str],
    formulas: impl IntoIterator<Item = (String, Formula)>,
) -> Result<(String, Vec<String>), LeftOut> {
    let variable = |name: &&str| Variable {
        name: (*name).into(),
        kind: Kind::Input,
        ty: Type::Bool,
        unit: None,
        definition: None,
        phrase: None,
        description: String::new(),
    };
    let variables = inputs.iter().map(variable).collect();
    let component = Component { name: "monitors".into(), variables, items: Vec::new() };
    let space = Space { rules: RULES, flat: false, shared_values: false, suffix: "", labels: false };
    let layout = Layout::new(&[component], space);
    let mut lustre = Lustre::default();
    let mut texts = Vec::new();
    for (id, formula) in formulas {
        let text = expression::formula(store, formula, &layout, &layout.scopes[0], &mut lustre);
        texts.push(text.map_err(|reason| LeftOut::new(&id, reason))?.text);
    }
    Ok((lustre.library.text().to_string(), texts))
}

/// What the expressions of a file use.
#[derive(Debug, Clone, Default)]
pub(super) struct Lustre {
    pub(super) library: Library,
    /// The types of the arguments and the result of each function, by its name.
    pub(super) functions: BTreeMap<String, (Vec<Ty>, Ty)>,
}

impl Language for Lustre {
    fn dialect(&self) -> &'static Dialect {
        &LUSTRE
    }

    fn window(&mut self, op: Unary, bound: Bound, operand: &Text) -> Result<Text, Inexpressible> {
        if bound == Bound::NEXT && op == Unary::Historically && operand.text == LUSTRE.constants[0] {
            return Ok(Text::open("true -> false"));
        }
        self.library.window(op, bound, &operand.text).map(Text::closed)
    }

    fn way(&mut self, op: Binary, bound: Bound, way: &Text, target: &Text) -> Result<Text, Inexpressible> {
        self.library.way(op, bound, &way.text, &target.text).map(Text::closed)
    }

    fn since_inclusive(&mut self, way: &Text, target: &Text) -> Option<Text> {
        let name = self.library.need(Piece::SinceInclusive).ok()?;
        Some(Text::closed(format!("{name}({}, {})", target.text, way.text)))
    }

    fn real(&mut self, whole: &Text) -> Result<Text, Inexpressible> {
        Ok(Text::closed(format!("real({})", whole.text)))
    }

    fn remainder(&mut self, a: &Text, b: &Text, _safe: bool) -> Result<Text, Inexpressible> {
        Ok(Text::open(format!("{} mod {}", a.enclosed(), b.enclosed())))
    }

    fn choice(&mut self, condition: &Text, a: &Text, b: &Text) -> Result<Text, Inexpressible> {
        Ok(Text::open(format!("if {} then {} else {}", condition.text, a.enclosed(), b.enclosed())))
    }

    fn previous(&mut self, initial: &Text, what: &Text, _ty: &Ty) -> Result<Text, Inexpressible> {
        Ok(Text::open(format!("{} -> pre {}", initial.enclosed(), what.enclosed())))
    }

    fn function(&mut self, fun: Fun, real: bool, arguments: &[Text]) -> Result<Text, Inexpressible> {
        let name = self.library.need(Piece::Number(fun, real))?;
        nested(fun, &name, arguments)
    }

    fn call(
        &mut self,
        name: &str,
        result: &Ty,
        types: &[Ty],
        arguments: &[Text],
    ) -> Result<Text, Inexpressible> {
        let signature = (types.to_vec(), result.clone());
        let known = self.functions.entry(name.to_owned()).or_insert_with(|| signature.clone());
        if *known != signature {
            return Err(Inexpressible::ArgumentTypes(name.to_owned()));
        }
        let texts: Vec<&str> = arguments.iter().map(|text| text.text.as_str()).collect();
        Ok(Text::closed(format!("{name}({})", texts.join(", "))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_are_in_order_and_are_no_names() {
        assert!(KEYWORDS.is_sorted());
        for (name, plain) in
            [("x", true), ("mode", false), ("OT", false), ("O_1_2", false), ("O_1", true), ("é", false)]
        {
            assert_eq!(is_plain(name), plain, "{name}");
        }
    }
}
