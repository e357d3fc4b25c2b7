//! A test suite as a C program (C99): the vectors as a table, and a `main` that runs them against an implementation and
//! reports the first difference.
//!
//! The implementation includes the [`header`] and has two functions: `init` is called with the inputs at time 0, `step` with
//! those at each later time; both set all outputs. Enumerations become C enumerations in alphabetical order, Booleans
//! `bool`, integers `long` and other numbers `double`.

use base::names::{Taken, identifier};
use dfrs::suite::Suite;
use dfrs::{Dfrs, Kind, Sort, step};
use logic::{RBig, Value, format_decimal};

/// The types and functions that the test program and the implementation share.
pub fn header(dfrs: &Dfrs) -> String {
    let names = Names::new(dfrs);
    let mut text = String::from("#ifndef SHALL_TESTED\n#define SHALL_TESTED\n\n#include <stdbool.h>\n\n");
    for (name, constants) in names.fields.iter().zip(&names.constants).filter(|it| !it.1.is_empty()) {
        text.push_str(&format!("enum {name} {{ {} }};\n", constants.join(", ")));
    }
    text.push_str(&structure(dfrs, &names, "inputs", Kind::Input));
    text.push_str(&structure(dfrs, &names, "outputs", Kind::Output));
    text.push_str("\nvoid init(const struct inputs *inputs, struct outputs *outputs);\n");
    text.push_str("void step(const struct inputs *inputs, long time, struct outputs *outputs);\n\n#endif\n");
    text
}

/// The test program.
pub fn c(dfrs: &Dfrs, suite: &Suite) -> String {
    let names = Names::new(dfrs);
    let mut text = header(dfrs);
    text.push_str("\n#include <stdio.h>\n#include <string.h>\n\nstatic const char *const cases[] = {\n");
    for case in &suite.cases {
        text.push_str(&format!("    {},\n", quoted(&case.name)));
    }
    text.push_str("    \"\"\n};\n\n");
    text.push_str("static const struct row {\n    int number;\n    long time;\n");
    text.push_str("    struct inputs inputs;\n    struct outputs outputs;\n} rows[] = {\n");
    let entries: Vec<usize> = step::entries(dfrs).map(|entry| entry.requirement).collect();
    for (number, case) in suite.cases.iter().enumerate() {
        for row in &case.rows {
            let ids: Vec<String> = row.fired.iter().map(|entry| id(dfrs, &entries, *entry)).collect();
            let why = if ids.is_empty() { String::new() } else { format!(" /* {} */", ids.join(", ")) };
            let values = |values: &[(usize, Value)]| -> String {
                let values: Vec<String> =
                    values.iter().map(|(variable, value)| names.value(dfrs, *variable, value)).collect();
                if values.is_empty() { "0".to_owned() } else { values.join(", ") }
            };
            text.push_str(&format!(
                "    {{ {number}, {}, {{ {} }}, {{ {} }} }},{why}\n",
                row.time.floor(),
                values(&row.inputs),
                values(&row.outputs)
            ));
        }
    }
    text.push_str("    { -1, 0, { 0 }, { 0 } }\n};\n\n");
    text.push_str(
        "static int wrong(const struct row *row, const char *output, double expected, double found)\n{\n",
    );
    text.push_str("    printf(\"%s, time %ld: %s is %g, not %g\\n\", cases[row->number], row->time, output, found, expected);\n");
    text.push_str(
        "    return 1;\n}\n\nint main(void)\n{\n    const struct row *row;\n    struct outputs found;\n\n",
    );
    text.push_str("    memset(&found, 0, sizeof found);\n    for (row = rows; row->number >= 0; row++) {\n");
    text.push_str("        if (row == rows || row[-1].number != row->number)\n            init(&row->inputs, &found);\n");
    text.push_str("        else\n            step(&row->inputs, row->time, &found);\n");
    for (place, it) in dfrs.variables.iter().enumerate().filter(|(_, it)| it.kind == Kind::Output) {
        let field = &names.fields[place];
        text.push_str(&format!("        if (found.{field} != row->outputs.{field})\n"));
        let shown = quoted(&it.name.replace('_', " "));
        let values = format!("(double)row->outputs.{field}, (double)found.{field}");
        text.push_str(&format!("            return wrong(row, {shown}, {values});\n"));
    }
    text.push_str("    }\n");
    let cases = suite.cases.len();
    let noun = if cases == 1 { "case" } else { "cases" };
    text.push_str(&format!("    printf(\"{cases} {noun} passed\\n\");\n    return 0;\n}}\n"));
    text
}

fn structure(dfrs: &Dfrs, names: &Names, name: &str, kind: Kind) -> String {
    let mut text = format!("\nstruct {name} {{\n");
    let mut any = false;
    for (place, variable) in dfrs.variables.iter().enumerate().filter(|(_, it)| it.kind == kind) {
        let field = &names.fields[place];
        let sort = match &variable.sort {
            Sort::Bool { .. } => "bool".to_owned(),
            Sort::Int => "long".to_owned(),
            Sort::Real => "double".to_owned(),
            Sort::Names(_) => format!("enum {field}"),
        };
        text.push_str(&format!("    {sort} {field};\n"));
        any = true;
    }
    // ISO C has no empty structures.
    text.push_str(if any { "};\n" } else { "    char none;\n};\n" });
    text
}

fn id(dfrs: &Dfrs, entries: &[usize], entry: usize) -> String {
    let id =
        entries.get(entry).and_then(|&number| dfrs.requirements.get(number)).map_or("", |it| it.id.as_str());
    id.chars().filter(|it| !matches!(it, '*' | '/' | '\\' | '\n' | '\r')).collect()
}

/// The names of variables and of their values in C.
struct Names {
    fields: Vec<String>,
    constants: Vec<Vec<String>>,
}

impl Names {
    fn new(dfrs: &Dfrs) -> Names {
        let mut taken: Taken = RESERVED.split_whitespace().collect();
        let mut legal = |text: &str| taken.take(&identifier(text, "the_"));
        let mut names = Names { fields: Vec::new(), constants: Vec::new() };
        for variable in &dfrs.variables {
            let field = legal(&variable.name);
            let constants = match &variable.sort {
                Sort::Names(values) if variable.kind != Kind::Timer => {
                    values.iter().map(|value| legal(&format!("{field}_{value}").to_uppercase())).collect()
                }
                Sort::Names(_) | Sort::Bool { .. } | Sort::Int | Sort::Real => Vec::new(),
            };
            names.fields.push(field);
            names.constants.push(constants);
        }
        names
    }

    fn value(&self, dfrs: &Dfrs, variable: usize, value: &Value) -> String {
        match (value, &dfrs.variables[variable].sort) {
            (Value::Bool(truth), _) => truth.to_string(),
            (Value::Num(number), _) => decimal(number),
            (Value::Name(name), Sort::Names(names)) => {
                let place = names.iter().position(|it| it == name);
                place.map_or("0".to_owned(), |place| self.constants[variable][place].clone())
            }
            (Value::Name(_), Sort::Bool { .. } | Sort::Int | Sort::Real) => "0".to_owned(),
        }
    }
}

fn decimal(number: &RBig) -> String {
    let fraction = || format!("{}.0 / {}.0", number.numerator(), number.denominator());
    format_decimal(number).unwrap_or_else(fraction)
}

fn quoted(text: &str) -> String {
    let plain = |it: char| if it.is_ascii_graphic() && !matches!(it, '"' | '\\' | '?') { it } else { ' ' };
    format!("\"{}\"", text.chars().map(plain).collect::<String>())
}

/// Keywords of C, and names of its library and of the program.
const RESERVED: &str = "\
    auto bool break case char const continue default do double else enum extern false float for goto if \
    inline int long register restrict return short signed sizeof static struct switch true typedef union \
    unsigned void volatile while inputs outputs init step main rows row cases wrong found printf memset \
    none time SHALL_TESTED";
