//! The spelling of the names of a formula in a dialect.
//!
//! Within one list of formulas the spelling is injective: different names stay different. Quoting and escaping ensure this by
//! themselves; if a dialect has no quotes, legal names keep their spelling, and the others are renamed around them, in the order in
//! which the store first saw them.

use crate::print::dialect::Dialect;
use crate::print::dialect::Names;
use crate::store::Formula;
use crate::store::Id;
use crate::store::Node;
use crate::store::Store;
use crate::store::Symbol;
use base::names::identifier;
use base::names::is_identifier;
use base::names::unique;
use rustc_hash::FxHashSet;

/// The spelling of each name of some formulas, for a document that contains all of them.
pub fn rename_all(store: &Store, formulas: &[Formula], dialect: &Dialect) -> Vec<(Symbol, String)> {
    spellings(store, formulas.iter().map(|f| f.id()), dialect)
}

pub(crate) fn spellings(
    store: &Store,
    roots: impl IntoIterator<Item = Id>,
    dialect: &Dialect,
) -> Vec<(Symbol, String)> {
    let symbols = symbols(store, roots);
    // Where `GFa` is read as operators, `Xgrant` beside `grant` is quoted, so that nobody reads it as `X grant`.
    let names: FxHashSet<&str> = match dialect.names {
        Names::Quoted(is_plain) if !is_plain("GFa") => {
            symbols.iter().map(|&symbol| store.name(symbol)).collect()
        }
        Names::Quoted(_) | Names::Renamed(_) | Names::Latex => FxHashSet::default(),
    };
    let is_plain = |name: &str| {
        dialect.is_plain(name) && !glued(name).is_some_and(|(_, operand)| names.contains(operand))
    };
    let plain: Vec<bool> = symbols.iter().map(|&symbol| is_plain(store.name(symbol))).collect();
    let mut taken: FxHashSet<String> = match dialect.names {
        Names::Renamed(_) if plain.contains(&false) => {
            let kept = symbols.iter().zip(&plain).filter(|&(_, &plain)| plain);
            kept.map(|(&symbol, _)| store.name(symbol).to_owned()).collect()
        }
        Names::Renamed(_) | Names::Quoted(_) | Names::Latex => FxHashSet::default(),
    };
    let spell = |(symbol, plain): (Symbol, bool)| {
        let name = store.name(symbol);
        let text = match dialect.names {
            Names::Quoted(_) | Names::Renamed(_) if plain => name.to_owned(),
            Names::Quoted(_) => quote(name),
            Names::Renamed(plain) => free_name(name, plain, &mut taken),
            Names::Latex => format!("\\mathit{{{}}}", escape_latex(name)),
        };
        (symbol, text)
    };
    symbols.into_iter().zip(plain).map(spell).collect()
}

/// A text in double quotes, with `\` before quotes and backslashes inside.
pub(crate) fn quote(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Keywords are reserved in any case, the letters of operators only in upper case.
pub(crate) fn is_plain_in_shall(name: &str) -> bool {
    is_identifier(name, ".%")
        && !SHALL_LETTERS.contains(&name)
        && !glued(name).is_some_and(|(operators, operand)| operators.len() > 1 || is_letter(operand))
        && !SHALL_WORDS.iter().any(|word| word.eq_ignore_ascii_case(name))
}

/// The operators that a name begins with, and the rest, if a reader may take them for that: `GF` and `a` in `GFa`.
fn glued(name: &str) -> Option<(&str, &str)> {
    let operand = name.trim_start_matches(['F', 'G', 'X']);
    let operators = &name[..name.len() - operand.len()];
    let found = !operators.is_empty() && operand.starts_with(|c: char| c.is_ascii_lowercase());
    found.then_some((operators, operand))
}

/// Whether a name is one letter, perhaps with a number.
fn is_letter(name: &str) -> bool {
    name.chars().skip(1).all(|c| c.is_ascii_digit() || c == '_')
}

pub(crate) fn is_plain_in_smv(name: &str) -> bool {
    is_identifier(name, "$#-") && SMV_RESERVED.binary_search(&name).is_err()
}

/// Depending on its settings, Spot reads `Fa` or `X3` as an operator and its operand, so such names are not plain.
pub(crate) fn is_plain_in_spot(name: &str) -> bool {
    is_identifier(name, "") && !name.starts_with(['F', 'G', 'X']) && !SPOT_RESERVED.contains(&name)
}

const SHALL_LETTERS: &[&str] = &["X", "N", "F", "G", "U", "R", "W", "M", "V", "Y", "Z", "O", "H", "S", "T"];

const SHALL_WORDS: &[&str] = &[
    "and", "or", "not", "xor", "implies", "mod", "true", "false", "if", "then", "is", "pre", "ite", "abs",
    "min", "max", "FTP",
];

const SPOT_RESERVED: &[&str] = &["U", "R", "W", "M", "V", "xor", "true", "false", "and", "or", "not"];

/// The reserved words of the NuSMV 2.6 manual (section 2.1), those of its lexer that the manual leaves out (`COMPID`, `CONTEXT`,
/// `ITYPE`, `NEXTWFF`, `Word`), and those that nuXmv adds; sorted.
const SMV_RESERVED: &[&str] = &[
    "A",
    "ABF",
    "ABG",
    "AF",
    "AG",
    "ASSIGN",
    "AX",
    "BU",
    "COMPASSION",
    "COMPID",
    "COMPUTE",
    "COMPWFF",
    "CONSTANTS",
    "CONSTARRAY",
    "CONSTRAINT",
    "CONTEXT",
    "CTLSPEC",
    "CTLWFF",
    "DEFINE",
    "E",
    "EBF",
    "EBG",
    "EF",
    "EG",
    "EX",
    "F",
    "FAIRNESS",
    "FALSE",
    "FROZENVAR",
    "FUN",
    "G",
    "H",
    "IN",
    "INIT",
    "INVAR",
    "INVARSPEC",
    "ISA",
    "ITYPE",
    "IVAR",
    "JUSTICE",
    "LTLSPEC",
    "LTLWFF",
    "MAX",
    "MDEFINE",
    "MIN",
    "MIRROR",
    "MODULE",
    "NAME",
    "NEXTWFF",
    "O",
    "PARSYNTH",
    "PRED",
    "PREDICATES",
    "PSLSPEC",
    "PSLWFF",
    "READ",
    "S",
    "SIMPWFF",
    "SPEC",
    "T",
    "TRANS",
    "TRUE",
    "U",
    "V",
    "VAR",
    "WRITE",
    "Word",
    "X",
    "Y",
    "Z",
    "abs",
    "array",
    "bool",
    "boolean",
    "case",
    "clock",
    "cos",
    "count",
    "esac",
    "exp",
    "extend",
    "floor",
    "in",
    "init",
    "integer",
    "ln",
    "max",
    "min",
    "mod",
    "next",
    "noncontinuous",
    "of",
    "pi",
    "pow",
    "process",
    "real",
    "resize",
    "self",
    "signed",
    "sin",
    "sizeof",
    "swconst",
    "tan",
    "time",
    "toint",
    "typeof",
    "union",
    "unsigned",
    "uwconst",
    "word",
    "word1",
    "wtoint",
    "xnor",
    "xor",
];

/// The names that occur below the roots, in the order in which the store first saw them.
fn symbols(store: &Store, roots: impl IntoIterator<Item = Id>) -> Vec<Symbol> {
    let mut symbols: Vec<Symbol> =
        store.reachable(roots).into_iter().filter_map(|id| symbol(store.node(id))).collect();
    symbols.sort_unstable();
    symbols.dedup();
    symbols
}

fn symbol(node: &Node) -> Option<Symbol> {
    match node {
        Node::Var(symbol) | Node::Value(symbol) | Node::Call(symbol, _) => Some(*symbol),
        _ => None,
    }
}

/// A legal name similar to a given one that is not taken yet; marks it as taken.
fn free_name(name: &str, plain: fn(&str) -> bool, taken: &mut FxHashSet<String>) -> String {
    let mut base = identifier(name, "_");
    if !plain(&base) {
        base.push('_');
    }
    unique(&base, "", |name| taken.insert(name.to_owned()))
}

fn escape_latex(name: &str) -> String {
    let mut text = String::new();
    for c in name.chars() {
        match c {
            '_' | '%' | '$' | '#' | '&' | '{' | '}' => text.extend(['\\', c]),
            '\\' => text.push_str("\\backslash{}"),
            '^' => text.push_str("\\hat{}"),
            '~' => text.push_str("\\sim{}"),
            ' ' => text.push_str("\\ "),
            _ => text.push(c),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::print::dialect::{LATEX, SHALL, SMV, SPOT};

    fn check(dialect: &Dialect, names: &[&str], expected: &[&str]) {
        let mut store = Store::default();
        let symbols: Vec<Symbol> = names.iter().map(|name| store.symbol(name)).collect();
        let vars: Vec<Formula> = symbols.iter().map(|&symbol| store.var(symbol)).collect();
        let all = store.and(vars);
        let renamed = rename_all(&store, &[all], dialect);
        let texts: Vec<&str> = renamed.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(texts, expected);
        assert_eq!(texts.iter().collect::<FxHashSet<_>>().len(), names.len(), "injective");
    }

    #[test]
    fn smv_names_are_legal_and_different() {
        check(&SMV, &["p", "roll hold", "G", "3d"], &["p", "roll_hold", "G_", "_3d"]);
        check(&SMV, &["a.b", "a_b", "a b"], &["a_b2", "a_b", "a_b3"]);
        check(&SMV, &["init", "init_", "x-1", "größe"], &["init_2", "init_", "x-1", "gr__e"]);
        check(&SMV, &["", "_"], &["_2", "_"]);
    }

    #[test]
    fn other_dialects_quote_or_escape() {
        check(
            &SHALL,
            &["a.b", "a%", "G", "x", "And", "say \"hi\"", "3d"],
            &["a.b", "a%", "\"G\"", "x", "\"And\"", "\"say \\\"hi\\\"\"", "\"3d\""],
        );
        check(
            &SHALL,
            &["Fault", "Xb", "GFready", "grant", "Xgrant", "X1", "GPS"],
            &["Fault", "\"Xb\"", "\"GFready\"", "grant", "\"Xgrant\"", "X1", "GPS"],
        );
        check(&SPOT, &["a", "a.b", "Go", "M"], &["a", "\"a.b\"", "\"Go\"", "\"M\""]);
        check(&LATEX, &["roll_hold", "a%"], &["\\mathit{roll\\_hold}", "\\mathit{a\\%}"]);
    }
}
