//! The manual of `E06…` and `W06…`: programs in Lustre.

use super::{Entry, row};
use syntax::Code;

#[rustfmt::skip]
pub(super) const ENTRIES: &[Entry] = &[
    row(Code::BadLustre, "What cannot be read has no meaning.",
        "node f(x: int) returns (y: int) let y = x tel", "node f(x: int) returns (y: int); let y = x; tel"),
    row(Code::UnclosedComment, "The rest of the file would be a comment.", "(* not yet", "(* not yet *)"),
    row(Code::NotSupported, "A construct that is left out silently would change what is proved.",
        "y = forall (i: int) x > i;", "y = x > 0 and x > 1;"),
    row(Code::MissingFile, "What an included file defines is needed.",
        "include \"nowhere.lus\"", "include \"library.lus\""),
    row(Code::UnknownName, "A name stands for something that is declared.", "y = spede + 1;", "y = speed + 1;"),
    row(Code::UnknownNode, "A call names a node, a function or a contract of the program.", "y = filtre(x);", "y = filter(x);"),
    row(Code::UnknownType, "A type is built in or declared.", "x: reel", "x: real"),
    row(Code::DefinedTwice, "Two definitions of one name may differ.", "y = x; y = z;", "y = x; w = z;"),
    row(Code::WrongType, "Whole and real numbers do not mix by themselves, so that no rounding is hidden.",
        "y = n + 0.5;", "y = real(n) + 0.5;"),
    row(Code::WrongArity, "Each parameter and each result has its place.", "y = max(a);", "y = max(a, b);"),
    row(Code::ConstantNeeded, "Sizes are known before the first step, and constant inputs never change.", "a: int^n, with n an input", "const n = 3; … a: int^n"),
    row(Code::AlgebraicLoop, "A value that depends on itself at the same step is not determined.",
        "x = y + 1; y = x;", "x = y + 1; y = 0 -> pre x;"),
    row(Code::RecursiveNode, "A node that calls itself has no finite state.", "node f … y = f(x);", "node f … y = 0 -> pre x;"),
    row(Code::NotAssignable, "Inputs are decided by the caller.", "node f(x: int) … x = 3;", "node f(x: int) … y = 3;"),
    row(Code::FunctionMemory, "A function gives equal values for equal arguments.", "function f … y = 0 -> pre x;",
        "node f … y = 0 -> pre x;"),
    row(Code::BadClock, "A sampled value is there only when its clock is true.", "y = (x when c) + z;", "y = (x when c) + (z when c);"),
    row(Code::BadElement, "A record or array has the fields and elements it was declared with.", "y = p.hight;", "y = p.height;"),
    row(Code::CircularDefinition, "A type or constant that needs itself has no value.", "const a = b; const b = a;",
        "const a = 1; const b = a;"),
    row(Code::TooManyParts, "A limit keeps the answer in reach.", "a: int^1000000000", "a: int^1000"),
    row(Code::OutputAssumed, "A node that assumes something of its own outputs could assume what it owes.",
        "assume y < 10; with y an output", "assume true -> pre y < 10;"),
    row(Code::UnguardedPre, "At the first step there is no previous value, so that any value is possible.",
        "y = pre x;", "y = 0 -> pre x;"),
    row(Code::NoEquation, "A variable that nothing defines may have any value, which is rarely meant.",
        "var z: int; let y = z; tel", "var z: int; let z = x; y = z; tel"),
];
