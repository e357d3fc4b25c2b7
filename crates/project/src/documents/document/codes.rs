//! The codes of what reading a document reports.

diagnostics::codes! {
    NO_ID "E0501" "A requirement needs an id.",
        "Without an id, nothing can refer to the requirement: no parent, no test, no report.",
        "## Fill slowly\n\n```fretish\nthe pump shall always satisfy slow\n```"
            => "## P-1: Fill slowly\n\n```fretish\nthe pump shall always satisfy slow\n```";
    SEVERAL_SENTENCES "E0502" "A requirement has one sentence.",
        "If two sentences share an id, it is unclear which of them a test or a report means.",
        "## P-1\n\n```fretish\nthe pump shall always satisfy a\n```\n\n```fretish\nthe pump shall always satisfy b\n```"
            => "## P-1a\n\n```fretish\nthe pump shall always satisfy a\n```\n\n\
                ## P-1b\n\n```fretish\nthe pump shall always satisfy b\n```";
    BAD_KIND "E0503" "The kind of a variable is invalid.",
        "The kind says who decides the value of a variable.",
        "| level | in |" => "| level | input |";
    BAD_TYPE "E0504" "A type is invalid.",
        "The type says which values a variable can have.",
        "| level | input | number |" => "| level | input | real 0..100 |";
}
