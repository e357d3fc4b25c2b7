//! Drivers that run generated monitors of Boolean inputs on traces: one compiler run and one process for each language.
//!
//! A driver reads lines `PROGRAM VALUES`, where each step is a letter with one bit per input, and writes for each requirement whether it was
//! triggered, the first violating step (or -1), the number of violating steps, and their weighted sum.

use logic::{Store, Trace, Value};
use requirement::Watch;
use requirement::specification::{Component, Item, Kind, Type, Variable};
use shall_export::specification::monitor::{Language, Monitor, Options, write_subjects};
use shall_export::specification::sql::{self, Engine};
use shall_export::specification::{Subject, Subjects};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a monitor says about a requirement on a trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) triggered: bool,
    pub(crate) first: Option<u64>,
    pub(crate) count: u64,
    pub(crate) sum: u64,
}

impl Found {
    pub(crate) fn new(triggered: bool, steps: impl Iterator<Item = u64>) -> Found {
        let mut found = Found { triggered, first: None, count: 0, sum: 0 };
        for step in steps {
            found.first = found.first.or(Some(step));
            found.count += 1;
            found.sum += (step + 1) * (step + 1);
        }
        found
    }
}

/// What a driver says, for each program, trace and requirement.
pub(crate) type Answers = Vec<Vec<Vec<Found>>>;

/// Formulas, traces, and what is expected.
pub(crate) struct Program {
    pub(crate) name: String,
    store: Store,
    inputs: Vec<String>,
    pub(crate) watches: Vec<(String, Watch)>,
    pub(crate) traces: Vec<Trace>,
    pub(crate) expected: Vec<Vec<Found>>,
}

impl Program {
    pub(crate) fn new(
        name: &str,
        store: Store,
        inputs: &[&str],
        watches: Vec<(String, Watch)>,
        traces: Vec<Trace>,
        expected: Vec<Vec<Found>>,
    ) -> Program {
        let inputs = inputs.iter().map(|it| (*it).to_owned()).collect();
        Program { name: name.to_owned(), store, inputs, watches, traces, expected }
    }

    fn subjects(&self) -> Subjects {
        let variable = |name: &String| Variable {
            name: name.clone(),
            kind: Kind::Input,
            ty: Type::Bool,
            unit: None,
            definition: None,
            phrase: None,
            description: String::new(),
        };
        let subject =
            |(id, watch): &(String, Watch)| Subject { id: id.clone(), text: id.clone(), watch: *watch };
        Subjects {
            variables: self.inputs.iter().map(variable).collect(),
            list: self.watches.iter().map(subject).collect(),
            left_out: Vec::new(),
        }
    }

    fn monitor(&self, language: Language) -> Monitor {
        let subjects = self.subjects();
        let options = Options { name: self.name.clone(), single: false };
        let monitor = write_subjects(&mut self.store.clone(), subjects, language, &options);
        let monitor = monitor.expect("all formulas can be watched");
        assert_eq!(monitor.left_out, []);
        assert_eq!(monitor.watched.len(), self.watches.len());
        monitor
    }
}

/// The lines that a driver reads.
fn questions(programs: &[Program]) -> String {
    let mut lines = String::new();
    for (number, program) in programs.iter().enumerate() {
        for trace in &program.traces {
            let _ = write!(lines, "{number} ");
            for step in 0..trace.len() {
                let bit = |(at, name): (usize, &String)| {
                    let column = trace.column(name).expect("a column");
                    u8::from(*trace.value(column, step) == Value::Bool(true)) << at
                };
                let bits: u8 = program.inputs.iter().enumerate().map(bit).sum();
                lines.push(char::from(b'a' + bits));
            }
            lines.push('\n');
        }
    }
    lines
}

/// What a driver has written.
fn answers(programs: &[Program], text: &str) -> Answers {
    let mut lines = text.lines();
    let mut one = |program: &Program| -> Vec<Vec<Found>> {
        let line = |_| {
            let numbers: Vec<i64> = lines
                .next()
                .unwrap_or_default()
                .split_whitespace()
                .map(|word| word.parse().expect("a number"))
                .collect();
            let found = |it: &[i64]| Found {
                triggered: it[0] == 1,
                first: u64::try_from(it[1]).ok(),
                count: it[2] as u64,
                sum: it[3] as u64,
            };
            numbers.chunks(4).map(found).collect()
        };
        program.traces.iter().map(line).collect()
    };
    programs.iter().map(&mut one).collect()
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// The Python that runs drivers; it may have engines of SQL installed.
fn python() -> String {
    std::env::var("SHALL_PYTHON").unwrap_or_else(|_| "python3".into())
}

fn is_there(tool: &str) -> bool {
    Command::new(tool).arg("--version").output().is_ok_and(|it| it.status.success())
}

pub(crate) fn compile(command: &mut Command) {
    let output = command.output().expect("the compiler starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    let shown: String = errors.chars().take(4000).collect();
    assert!(output.status.success(), "{shown}");
}

fn run(command: &mut Command, questions: &str) -> String {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the driver starts");
    let mut input = child.stdin.take().expect("a pipe");
    let questions = questions.to_owned();
    let writer = std::thread::spawn(move || input.write_all(questions.as_bytes()));
    let output = child.wait_with_output().expect("the driver ends");
    writer.join().expect("a thread").expect("the driver reads");
    assert!(output.status.success(), "{}", output.status);
    String::from_utf8(output.stdout).expect("text")
}

/// The flags that generated C must bear.
pub(crate) const STRICT: [&str; 6] = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Wconversion", "-Werror"];

pub(crate) fn run_c(programs: &[Program]) -> Option<Answers> {
    if !is_there("cc") {
        return None;
    }
    let mut text = String::from("#include <stdio.h>\n");
    for program in programs {
        let Monitor { header, text: source, bytes, .. } = program.monitor(Language::C);
        let name = &program.name;
        text += &header.expect("C has a header");
        text += &source;
        let count = program.watches.len();
        let inputs: String = program
            .inputs
            .iter()
            .enumerate()
            .map(|(at, input)| format!("        in.{input} = ((values[i] - 'a') >> {at} & 1) != 0;\n"))
            .collect();
        let _ = write!(
            text,
            "static void run_{name}(const char *values)\n{{\n\
             static {name}_state s;\n{name}_input in;\nlong first[{count}], n[{count}], sum[{count}], i, r;\n\
             char fits[sizeof s <= {bytes} + 8 ? 1 : -1];\n(void)fits;\n{name}_init(&s);\n\
             for (r = 0; r < {count}; r++) {{ first[r] = -1; n[r] = 0; sum[r] = 0; }}\n\
             for (i = 0; values[i] >= 'a'; i++) {{\n{inputs}\n\
             {name}_step(&s, &in);\n\
             if (values[i + 1] < 'a') {{ {name}_end(&s); }}\n\
             for (r = 0; r < {count}; r++) {{\n\
             long step = (s.code[r] & 2) != 0 ? i - 1 : i;\n\
             if ((s.code[r] & 2) != 0) {{ if (first[r] < 0) {{ first[r] = step; }} n[r]++; sum[r] += (step + 1) * (step + 1); }}\n\
             if ((s.code[r] & 1) != 0) {{ if (first[r] < 0) {{ first[r] = i; }} n[r]++; sum[r] += (i + 1) * (i + 1); }}\n\
             }}\n}}\n\
             for (r = 0; r < {count}; r++) {{\n\
             if ((first[r] >= 0) != ({name}_judge(&s, (uint32_t)r) == 2)) {{ printf(\"wrong verdict\"); }}\n\
             printf(\"%d %ld %ld %ld \", (s.seen[r] & 8) != 0, first[r], n[r], sum[r]);\n}}\nprintf(\"\\n\");\n}}\n"
        );
    }
    let calls: String = programs.iter().map(|it| format!("run_{},", it.name)).collect();
    let _ = write!(
        text,
        "int main(void)\n{{\nstatic char values[4096];\nint program;\n\
         static void (*const run[])(const char *) = {{ {calls} }};\n\
         while (scanf(\"%d %4000s\", &program, values) == 2) {{ run[program](values); }}\nreturn 0;\n}}\n"
    );
    let folder = folder("monitors_c");
    let (source, driver) = (folder.join("driver.c"), folder.join("driver"));
    std::fs::write(&source, text).expect("the folder can be written");
    let sanitizers = ["-fsanitize=undefined,address", "-fno-sanitize-recover=all"];
    let mut probe = Command::new("cc");
    probe.args(sanitizers).args(["-x", "c", "-", "-o"]).arg(folder.join("probe")).stdin(Stdio::piped());
    let has_sanitizers = probe.spawn().is_ok_and(|mut child| {
        let sent =
            child.stdin.take().is_some_and(|mut it| it.write_all(b"int main(void){return 0;}").is_ok());
        sent && child.wait().is_ok_and(|it| it.success())
    });
    let mut command = Command::new("cc");
    command.args(STRICT);
    match has_sanitizers {
        true => drop(command.args(sanitizers)),
        false => eprintln!("skipped: the C compiler has no sanitizers"),
    }
    compile(command.arg(source).arg("-o").arg(&driver));
    Some(answers(programs, &run(&mut Command::new(driver), &questions(programs))))
}

pub(crate) fn run_rust(programs: &[Program]) -> Option<Answers> {
    if !is_there("rustc") {
        return None;
    }
    let folder = folder("monitors_rust");
    let (mut modules, mut runs, mut arms) = (String::new(), String::new(), String::new());
    for (number, program) in programs.iter().enumerate() {
        let name = &program.name;
        let Monitor { text, .. } = program.monitor(Language::Rust);
        std::fs::write(folder.join(format!("{name}.rs")), text).expect("the folder can be written");
        let _ = writeln!(modules, "pub mod {name};");
        let inputs: String = program
            .inputs
            .iter()
            .enumerate()
            .map(|(at, input)| format!("{input}: (value - b'a') >> {at} & 1 != 0, "))
            .collect();
        let _ = write!(
            runs,
            "fn run_{name}(values: &[u8]) {{\n\
             let mut s = {name}::Monitor::new();\n\
             let mut found = vec![(-1i64, 0i64, 0i64, false); {name}::COUNT];\n\
             for (i, value) in values.iter().enumerate() {{\n\
             s.step(&{name}::Input {{ {inputs} }});\n\
             if i + 1 == values.len() {{ s.end(); }}\n\
             for (r, it) in found.iter_mut().enumerate() {{ note(it, i as i64, s.code(r)); }}\n}}\n\
             for (r, it) in found.iter().enumerate() {{\n\
             assert_eq!(it.0 >= 0, s.verdict(r) == {name}::Verdict::Violated);\n\
             print!(\"{{}} {{}} {{}} {{}} \", u8::from(it.3), it.0, it.1, it.2);\n}}\nprintln!();\n}}\n"
        );
        let _ = writeln!(arms, "\"{number}\" => run_{name}(values),");
    }
    let main = format!(
        "#![deny(warnings)]\n{modules}{runs}\
         fn note(it: &mut (i64, i64, i64, bool), i: i64, code: u8) {{\n\
         it.3 |= code & 8 != 0;\n\
         for (bit, step) in [(2, i - 1), (1, i)] {{\n\
         if code & bit != 0 {{\n\
         if it.0 < 0 {{ it.0 = step; }}\nit.1 += 1;\nit.2 += (step + 1) * (step + 1);\n}}\n}}\n}}\n\
         fn main() {{\nfor line in std::io::stdin().lines() {{\n\
         let line = line.unwrap();\nlet (program, values) = line.split_once(' ').unwrap();\n\
         let values = values.as_bytes();\nmatch program {{\n{arms}_ => unreachable!(),\n}}\n}}\n}}\n"
    );
    let (library, source, driver) =
        (folder.join("library.rs"), folder.join("driver.rs"), folder.join("driver"));
    std::fs::write(&source, main).expect("the folder can be written");
    std::fs::write(&library, format!("#![no_std]\n#![deny(warnings)]\n{modules}"))
        .expect("the folder can be written");
    compile(
        Command::new("rustc")
            .args(["--edition", "2021", "--crate-type", "lib", "--emit", "metadata", "--out-dir"])
            .args([&folder, &library]),
    );
    compile(Command::new("rustc").args(["--edition", "2021", "-o"]).args([&driver, &source]));
    Some(answers(programs, &run(&mut Command::new(driver), &questions(programs))))
}

pub(crate) fn run_python(programs: &[Program]) -> Option<Answers> {
    if !is_there(&python()) {
        return None;
    }
    let folder = folder("monitors_python");
    let mut driver = String::from("import sys\n");
    let mut names = Vec::new();
    for program in programs {
        let name = &program.name;
        let Monitor { text, .. } = program.monitor(Language::Python);
        std::fs::write(folder.join(format!("{name}.py")), text).expect("the folder can be written");
        let _ = writeln!(driver, "import {name}");
        names.push(format!("({name}, {:?})", program.inputs));
    }
    let _ = write!(
        driver,
        r#"
programs = [{}]
for line in sys.stdin:
    program, values = line.split()
    module, inputs = programs[int(program)]
    m = module.Monitor()
    found = [[-1, 0, 0] for _ in module.IDS]
    for i, value in enumerate(values):
        bits = ord(value) - ord("a")
        m.step({{name: bits >> at & 1 != 0 for at, name in enumerate(inputs)}})
        if i + 1 == len(values):
            m.end()
        for r, code in enumerate(m.code):
            for bit, step in ((2, i - 1), (1, i)):
                if code & bit:
                    it = found[r]
                    if it[0] < 0:
                        it[0] = step
                    it[1] += 1
                    it[2] += (step + 1) ** 2
    for r, it in enumerate(found):
        assert (it[0] >= 0) == (m.verdict(r) == "violated")
    print(*(f"{{m.seen[r] >> 3 & 1}} {{it[0]}} {{it[1]}} {{it[2]}}" for r, it in enumerate(found)))
"#,
        names.join(", ")
    );
    let script = folder.join("driver.py");
    std::fs::write(&script, driver).expect("the folder can be written");
    Some(answers(programs, &run(Command::new(python()).arg(script), &questions(programs))))
}

/// The most requirements of one statement: SQLite has at most 2000 columns.
const CHUNK: usize = 66;

/// Runs statements in an engine through its Python package. The sums of violating steps are not known.
pub(crate) fn run_sql(engine: Engine, package: &str, programs: &[Program]) -> Option<Answers> {
    let probe = Command::new(python()).args(["-c", &format!("import {package}")]).output();
    if !probe.is_ok_and(|it| it.status.success()) {
        return None;
    }
    let mut questions = String::new();
    for program in programs {
        let subjects = program.subjects();
        let options =
            sql::Options { engine, table: "logs".into(), run: Some("vin".into()), order: "t".into() };
        let mut statements = Vec::new();
        for list in subjects.list.chunks(CHUNK) {
            let some = Subjects { list: list.to_vec(), ..subjects.clone() };
            let query = sql::write_subjects(&program.store, &some, &options);
            assert_eq!(query.left_out, []);
            assert!(
                !query.text.contains("ROWS BETWEEN CURRENT")
                    && !query.text.contains("PRECEDING AND UNBOUNDED")
            );
            statements.push(query.text);
        }
        let traces: Vec<Vec<Vec<bool>>> = program
            .traces
            .iter()
            .map(|trace| {
                let column = |name: &String| trace.column(name).expect("a column");
                let cell = |name: &String, step| *trace.value(column(name), step) == Value::Bool(true);
                let row = |step| program.inputs.iter().map(|name| cell(name, step)).collect();
                (0..trace.len()).map(row).collect()
            })
            .collect();
        let ids: Vec<&String> = program.watches.iter().map(|(id, _)| id).collect();
        let question = serde_json::json!({
            "inputs": program.inputs, "traces": traces, "statements": statements, "ids": ids,
        });
        let _ = writeln!(questions, "{question}");
    }
    let script = folder("monitors_sql").join(format!("{package}_driver.py"));
    std::fs::write(&script, include_str!("sql.py")).expect("the folder can be written");
    let text = run(Command::new(python()).arg(script).arg(package), &questions);
    Some(answers(programs, &text))
}

/// Traces of values of several types.
pub(crate) struct Typed {
    /// For each input its name and its values: in a trace (empty if it is not legal), in C, in Rust and in Python.
    pub(crate) values: [(&'static str, Vec<[&'static str; 4]>); 5],
    /// The names of the inputs in the files.
    pub(crate) fields: [&'static str; 5],
    /// For each step, which value each input has.
    pub(crate) traces: Vec<Vec<[usize; 5]>>,
}

impl Typed {
    /// The verdict of the oracle on the rows before the first value that is not legal and that the requirement uses.
    pub(crate) fn expected(
        &self,
        store: &mut Store,
        component: &Component,
        item: &Item,
        rows: &[[usize; 5]],
    ) -> String {
        let alone = Component { items: vec![item.clone()], ..component.clone() };
        let subjects = Subjects::of(store, &[alone]);
        let names = subjects.list[0].names(store);
        let used: Vec<usize> = (0..5).filter(|&at| names.contains(self.values[at].0)).collect();
        let text = |at: usize, row: &[usize; 5]| self.values[at].1[row[at]][0];
        let flaw = rows.iter().position(|row| used.iter().any(|&at| text(at, row).is_empty()));
        let legal = &rows[..flaw.unwrap_or(rows.len())];
        let watch = subjects.list[0].watch;
        let steps = legal.len();
        let columns = used.iter().map(|&at| {
            let value = |row: &[usize; 5]| match (self.values[at].0, text(at, row)) {
                ("for", text) => Value::Bool(text == "1"),
                ("mode", text) => Value::Name(text.to_owned()),
                (_, text) => Value::Num(logic::parse_decimal(text).expect("a number")),
            };
            (self.values[at].0, legal.iter().map(value).collect::<Vec<_>>())
        });
        let trace = if steps == 0 { None } else { Some(Trace::of(columns).expect("a trace")) };
        let at = |formula| trace.as_ref().map(|trace| logic::values(store, formula, trace).expect("values"));
        let (bad, left, end, trigger) =
            (at(watch.bad), at(watch.left), at(watch.bad_at_end), at(watch.trigger));
        let any = |values: &Option<Vec<bool>>| values.iter().flatten().any(|value| *value);
        let ends = flaw.is_none() && end.is_some_and(|end| end[steps - 1]);
        let verdict = match (any(&bad) || any(&left) || ends, flaw) {
            (true, _) => "violated",
            (false, Some(_)) => "not_checked",
            (false, None) if any(&trigger) => "holds",
            (false, None) => "vacuous",
        };
        verdict.to_owned()
    }
}

/// The verdicts of a monitor on each trace; the traces are part of the program.
pub(crate) fn run_typed(typed: &Typed, language: Language, monitor: &Monitor) -> Option<Vec<Vec<String>>> {
    let folder = folder("monitors_typed");
    let which = match language {
        Language::C => 1,
        Language::Rust => 2,
        Language::Python => 3,
    };
    let cell = |at: usize, row: &[usize; 5]| typed.values[at].1[row[at]][which];
    let output = match language {
        Language::C => {
            if !is_there("cc") {
                return None;
            }
            let mut text = format!("#include <stdio.h>\n{}{}", monitor.header.as_deref()?, monitor.text);
            text += "static const char *const words[] = { \"holds\", \"vacuous\", \"violated\", \"not_checked\" };\n\
                     int main(void)\n{\nvalve_state s;\nvalve_input in;\nuint32_t r;\nvolatile double zero = 0.0;\n";
            for trace in &typed.traces {
                text += "valve_init(&s);\n";
                for row in trace {
                    for at in 0..5 {
                        let _ = writeln!(text, "in.{} = {};", typed.fields[at], cell(at, row));
                    }
                    text += "valve_step(&s, &in);\n";
                }
                text += "valve_end(&s);\nfor (r = 0; r < VALVE_COUNT; r++) { printf(\"%s \", words[valve_judge(&s, r)]); }\n\
                         printf(\"\\n\");\n";
            }
            text += "return 0;\n}\n";
            let (source, driver) = (folder.join("typed.c"), folder.join("typed_c"));
            std::fs::write(&source, text).expect("the folder can be written");
            compile(Command::new("cc").args(STRICT).arg(source).arg("-o").arg(&driver));
            run(&mut Command::new(driver), "")
        }
        Language::Rust => {
            if !is_there("rustc") {
                return None;
            }
            std::fs::write(folder.join("m.rs"), &monitor.text).expect("the folder can be written");
            let mut text = String::from("#![deny(warnings)]\nmod m;\nfn main() {\n");
            for trace in &typed.traces {
                text += "let mut s = m::Monitor::new();\n";
                for row in trace {
                    let fields: String =
                        (0..5).map(|at| format!("{}: {}, ", typed.fields[at], cell(at, row))).collect();
                    let _ = writeln!(text, "s.step(&m::Input {{ {fields} }});");
                }
                text += "s.end();\nfor r in 0..m::COUNT { print!(\"{} \", match s.verdict(r) { m::Verdict::Holds => \"holds\", \
                         m::Verdict::Vacuous => \"vacuous\", m::Verdict::Violated => \"violated\", \
                         m::Verdict::NotChecked => \"not_checked\" }); }\nprintln!();\n";
            }
            text += "}\n";
            let (source, driver) = (folder.join("typed.rs"), folder.join("typed_rust"));
            std::fs::write(&source, text).expect("the folder can be written");
            compile(Command::new("rustc").args(["--edition", "2021", "-o"]).args([&driver, &source]));
            run(&mut Command::new(driver), "")
        }
        Language::Python => {
            if !is_there(&python()) {
                return None;
            }
            let mut text = monitor.text.clone();
            for trace in &typed.traces {
                text += "\ns = Monitor()\n";
                for row in trace {
                    let cells: String =
                        (0..5).map(|at| format!("{:?}: {}, ", typed.values[at].0, cell(at, row))).collect();
                    let _ = writeln!(text, "s.step({{ {cells} }})");
                }
                text += "s.end()\nprint(*(s.verdict(r) for r in range(len(IDS))))\n";
            }
            let script = folder.join("typed.py");
            std::fs::write(&script, text).expect("the folder can be written");
            run(Command::new(python()).arg(script), "")
        }
    };
    Some(output.lines().map(|line| line.split_whitespace().map(str::to_owned).collect()).collect())
}

/// The first violations of the only requirement of a monitor called `m` in C with the inputs `p` and `q`.
pub(crate) fn first_violations(monitor: &Monitor, traces: &[Trace]) -> Option<Vec<Option<u64>>> {
    if !is_there("cc") {
        return None;
    }
    let folder = folder("monitors_long");
    let (source, driver) = (folder.join("long.c"), folder.join("long"));
    let text = format!(
        "#include <stdio.h>\n{}{}\
         int main(void)\n{{\nm_state s;\nm_input in;\nlong i = 0, first = -1;\nint value;\nm_init(&s);\n\
         while ((value = getchar()) != EOF) {{\n\
         if (value == '\\n') {{ printf(\"%ld\\n\", first); m_init(&s); i = 0; first = -1; continue; }}\n\
         in.p = ((value - 'a') & 1) != 0;\nin.q = ((value - 'a') & 2) != 0;\n\
         if (m_step(&s, &in) != 0u && first < 0) {{ first = i; }}\ni++;\n}}\nreturn 0;\n}}\n",
        monitor.header.as_deref()?,
        monitor.text
    );
    std::fs::write(&source, text).expect("the folder can be written");
    compile(Command::new("cc").args(STRICT).arg(source).arg("-o").arg(&driver));
    let line = |trace: &Trace| -> String {
        let holds =
            |name: &str, step| *trace.value(trace.column(name).expect("a column"), step) == Value::Bool(true);
        let letter = |step| char::from(b'a' + u8::from(holds("p", step)) + 2 * u8::from(holds("q", step)));
        (0..trace.len()).map(letter).chain(['\n']).collect()
    };
    let questions: String = traces.iter().map(line).collect();
    let text = run(&mut Command::new(driver), &questions);
    Some(text.lines().map(|line| line.parse().ok()).collect())
}

/// The nanoseconds of a step of a monitor called `m` in C, on random inputs.
pub(crate) fn measure(monitor: &Monitor) -> f64 {
    let folder = folder("monitors_time");
    let (source, driver) = (folder.join("time.c"), folder.join("time"));
    let header = monitor.header.as_deref().unwrap_or_default();
    let inputs: String = ["p", "q", "r", "m", "c", "s"]
        .iter()
        .enumerate()
        .filter(|(_, name)| header.contains(&format!("    bool {name};\n")))
        .map(|(at, name)| format!("all[i].{name} = (random >> {}) % 4 == 0;\n", 8 + 3 * at))
        .collect();
    let number =
        if header.contains("    double x;") { "all[i].x = (double)(random >> 40) / 1000.0;\n" } else { "" };
    let text = format!(
        "#include <stdio.h>\n#include <time.h>\n{header}\n#include \"m.h\"\n\
         static m_input all[4096];\n\
         int main(void)\n{{\nuint64_t random = 88172645463325252u, i, violated = 0;\nm_state s;\nclock_t start;\n\
         for (i = 0; i < 4096; i++) {{\nrandom ^= random << 13;\nrandom ^= random >> 7;\nrandom ^= random << 17;\n{inputs}{number}}}\n\
         m_init(&s);\nstart = clock();\n\
         for (i = 0; i < 100000000u; i++) {{ violated += m_step(&s, &all[i % 4096]); }}\n\
         printf(\"%f %lu\\n\", (double)(clock() - start) / CLOCKS_PER_SEC * 10.0, (unsigned long)violated);\nreturn 0;\n}}\n"
    );
    std::fs::write(folder.join("m.h"), header).expect("the folder can be written");
    std::fs::write(folder.join("m.c"), format!("#include \"m.h\"\n{}", monitor.text))
        .expect("the folder can be written");
    std::fs::write(&source, text).expect("the folder can be written");
    compile(
        Command::new("cc")
            .args(["-std=c99", "-O2"])
            .arg(&source)
            .arg(folder.join("m.c"))
            .arg("-o")
            .arg(&driver),
    );
    let output = run(&mut Command::new(driver), "");
    output.split_whitespace().next().and_then(|word| word.parse().ok()).expect("a number")
}
