//! The kinds of tokens and nodes, one list for all languages of sentences and formulas.

/// The kind of a token or node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    // Tokens.
    /// Blanks, tabs, line ends.
    Whitespace,
    /// A word or name; keywords are names until the grammar expects them.
    Name,
    /// A text in double quotes, or in other quotation marks, which are rejected.
    Quoted,
    /// Words that stand for a name, such as `the door is open`.
    Phrase,
    /// A number such as `3`, `0.5` or `1e3`.
    Number,
    /// `(`
    LeftParen,
    /// `)`
    RightParen,
    /// `[`
    LeftBracket,
    /// `]`
    RightBracket,
    /// `,`
    Comma,
    /// `.`
    Dot,
    /// `:`
    Colon,
    /// `!`, `~`, `¬`
    Bang,
    /// `&`, `&&`, `∧`
    And,
    /// `|`, `||`, `∨`
    Or,
    /// `⊕`
    Xor,
    /// `->`, `=>`, `→`
    Implies,
    /// `<->`, `<=>`, `↔`
    Iff,
    /// `<`
    Less,
    /// `<=`, `≤`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`, `≥`
    GreaterEqual,
    /// `=`, `==`
    Equal,
    /// `!=`, `≠`
    NotEqual,
    /// `<>`: "differs from" in a sentence, "eventually" in a formula.
    LessGreater,
    /// `+`
    Plus,
    /// `-`, `−`
    Minus,
    /// `*`, `·`
    Star,
    /// `/`
    Slash,
    /// `^`
    Caret,
    /// A symbol of temporal logic such as `□`.
    Temporal,
    /// A character that is not part of any language here.
    Unknown,

    // Nodes of sentences.
    /// A whole FRETish sentence.
    Sentence,
    /// An entirely quoted text: kept, not formalized.
    Freeform,
    /// `in M mode`, `only after x > 3`, …
    Scope,
    /// One or several clauses.
    Condition,
    /// `when p`, `unless q is true`, …
    Clause,
    /// The component's name, with its article.
    Component,
    /// `with probability > 0.98`
    Probability,
    /// `always`, `within 3 seconds`, `until p`, …
    Timing,
    /// `3 seconds`, `RESPONSE_TIME`
    Duration,
    /// What must be satisfied.
    Response,

    // Nodes of SysReq-CNL.
    /// A whole sentence of SysReq-CNL.
    Requirement,
    /// `When C1, and C2 or C3`
    Guard,
    /// Conditions with `or` between them.
    Disjunction,
    /// One condition: `the voltage is greater than 80`.
    Comparison,
    /// A variable, with its article.
    NounPhrase,
    /// The verb of a condition or an action.
    Verb,
    /// `not`, `lower than or equal to`, …
    Modifier,
    /// The value of a condition or an action.
    Value,
    /// The value after `from`.
    FromValue,
    /// One operand of a value: a number, a Boolean, words, a variable.
    Operand,
    /// The component that acts, with its article.
    Agent,
    /// `assign idle to the system mode`
    Action,
    /// A constraint on the environment.
    Environment,
    /// Initial values.
    Initial,

    // Nodes of formulas.
    /// A whole temporal formula.
    Formula,
    /// `[0,3]`, `[<=n]`, …
    Bound,
    /// A prefix operator of temporal logic with its operand.
    TemporalPrefix,
    /// An infix operator of temporal logic with its operands.
    TemporalInfix,

    // Nodes of expressions.
    /// A name.
    NameRef,
    /// `true` or `false`.
    Truth,
    /// A numeral.
    Literal,
    /// An expression in parentheses.
    Paren,
    /// `!p` or `-x`.
    Prefix,
    /// Operands with operators of one level between them: `a & b & c`, `x + y - z`, `x <= 3`.
    Infix,
    /// `if p then q`
    IfThen,
    /// `f(x, y)`
    Call,
    /// `at the previous occurrence of p, q`
    Occurrence,
    /// `p is false`
    Is,
    /// Text that could not be parsed.
    Error,
}
