//! The codes of diagnostics for Lustre programs that parse.

diagnostics::codes! {
    MISSING_FILE "E0604" "An included file is not found.",
        "The program needs what the file defines.",
        "include \"nowhere.lus\"" => "include \"library.lus\"";
    UNKNOWN_NAME "E0605" "There is no such variable, constant or mode.",
        "Every name must be declared.",
        "node f(speed: int) returns (y: int); let y = spede + 1; tel"
            => "node f(speed: int) returns (y: int); let y = speed + 1; tel";
    UNKNOWN_NODE "E0606" "There is no such node, function or contract.",
        "A call names a node, a function or a contract of the program.",
        "node filter(x: int) returns (y: int); let y = x; tel\nnode f(x: int) returns (y: int); let y = filtre(x); tel"
            => "node filter(x: int) returns (y: int); let y = x; tel\nnode f(x: int) returns (y: int); let y = filter(x); tel";
    UNKNOWN_TYPE "E0607" "There is no such type.",
        "A type is built in or declared.",
        "node f(x: reel) returns (y: real); let y = 1.0; tel" => "node f(x: real) returns (y: real); let y = 1.0; tel";
    DEFINED_TWICE "E0608" "A name is declared or defined twice.",
        "Two definitions of the same name may differ.",
        "node f(x: int) returns (y: int); let y = x; y = 2; tel" => "node f(x: int) returns (y: int); let y = x; tel";
    WRONG_TYPE "E0609" "A value has the wrong type.",
        "Whole and real numbers are converted only where the program says so; no rounding is hidden.",
        "node f(n: int) returns (y: real); let y = n + 0.5; tel" => "node f(n: int) returns (y: real); let y = real(n) + 0.5; tel";
    WRONG_ARITY "E0610" "There are too many or too few values.",
        "Each parameter needs one value, and so does each result.",
        "node f(x: int) returns (y, z: int); let y, z = x; tel" => "node f(x: int) returns (y, z: int); let y, z = (x, x); tel";
    CONSTANT_NEEDED "E0611" "A constant is needed here.",
        "Sizes are known before the first step, and constant inputs never change.",
        "const n: int;\nnode f(x: int^n) returns (y: int); let y = 1; tel"
            => "const n = 3;\nnode f(x: int^n) returns (y: int); let y = 1; tel";
    ALGEBRAIC_LOOP "E0612" "A value depends on itself at the same step.",
        "A value that depends on itself at the same step is not determined.",
        "node f(x: int) returns (y: int);\nvar z: int; let z = y + x; y = z; tel"
            => "node f(x: int) returns (y: int);\nvar z: int; let z = y + x; y = 0 -> pre z; tel";
    RECURSIVE_NODE "E0613" "A node calls itself.",
        "A node that calls itself does not have a finite number of states.",
        "node f(x: int) returns (y: int); let y = f(x); tel" => "node f(x: int) returns (y: int); let y = 0 -> pre x; tel";
    NOT_ASSIGNABLE "E0614" "Only outputs and local variables are defined by equations.",
        "The caller decides the inputs.",
        "node f(x: int) returns (y: int); let x = 3; y = 3; tel" => "node f(x: int) returns (y: int); let y = 3; tel";
    FUNCTION_MEMORY "E0615" "A function has no memory.",
        "A function gives equal values for equal arguments.",
        "function f(x: int) returns (y: int); let y = 0 -> pre x; tel" => "node f(x: int) returns (y: int); let y = 0 -> pre x; tel";
    BAD_CLOCK "E0616" "A value is not available when it is needed.",
        "A sampled value is available only when its clock is true.",
        "node f(c: bool; x: int) returns (y: int); let y = x when c; tel"
            => "node f(c: bool; x: int) returns (y: int); let y = merge(c; x when c; x when not c); tel";
    BAD_ELEMENT "E0617" "There is no such field, element or branch.",
        "A record or array has the fields and elements that its type declares.",
        "type size = struct { height: int };\nnode f(p: size) returns (y: int); let y = p.hight; tel"
            => "type size = struct { height: int };\nnode f(p: size) returns (y: int); let y = p.height; tel";
    CIRCULAR_DEFINITION "E0618" "A type or a constant is defined by itself.",
        "A type or constant that needs itself has no value.",
        "const a = b; const b = a;" => "const a = 1; const b = a;";
    TOO_MANY_PARTS "E0619" "The program is larger than the limit.",
        "The limit makes sure that there is an answer.",
        "node f(x: int^1000000000) returns (y: int); let y = 1; tel" => "node f(x: int^1000) returns (y: int); let y = 1; tel";
    OUTPUT_ASSUMED "E0620" "An assumption is about an output at the same step.",
        "A node that makes assumptions about its own outputs could assume what it has to guarantee.",
        "node f(x: int) returns (y: int);\n(*@contract assume y < 10; *)\nlet y = x; tel"
            => "node f(x: int) returns (y: int);\n(*@contract assume true -> pre y < 10; *)\nlet y = x; tel";
    UNGUARDED_PRE "W0601" "`pre` has any value at the first step.",
        "At the first step there is no previous value, so any value is possible.",
        "node f(x: int) returns (y: int); let y = pre x; tel" => "node f(x: int) returns (y: int); let y = 0 -> pre x; tel";
    NO_EQUATION "W0602" "A variable without a definition has any value at each step.",
        "A variable that nothing defines may have any value, which is rarely intended.",
        "node f(x: int) returns (y: int);\nvar z: int; let y = z; tel"
            => "node f(x: int) returns (y: int);\nvar z: int; let z = x; y = z; tel";
}
