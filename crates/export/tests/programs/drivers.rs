//! Drivers that run generated controllers: one compiler run and one process for each language.

use shall_export::system::program::{Language, Options, Signal, write};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use system::{System, Value};

/// Names and values at a step.
pub(crate) type Step = Vec<(String, Value<f64>)>;

/// Controllers that are one program, the inputs of each step, and the outputs that are expected.
pub(crate) struct Program {
    pub(crate) name: String,
    pub(crate) systems: Vec<System>,
    pub(crate) moore: bool,
    pub(crate) given: Vec<Step>,
    pub(crate) expected: Vec<Step>,
}

/// For each program and step the outputs, or that they are not reliable.
pub(crate) type Answers = Vec<Vec<Option<Step>>>;

impl Program {
    fn written(&self, language: Language) -> shall_export::system::program::Program {
        let options =
            Options { language, name: self.name.clone(), outputs_first: self.moore, notes: Vec::new() };
        write(&self.systems, &options).expect("it can be written")
    }

    /// The inputs of a step as initializers.
    fn rows(&self, inputs: &[Signal], set: impl Fn(&str, String) -> String) -> Vec<String> {
        let field = |row: &Step, it: &Signal| {
            let (_, value) = row.iter().find(|known| known.0 == it.original).expect("given");
            let text = match value {
                Value::Bool(it) => it.to_string(),
                Value::Enum(place) => it.literals[*place as usize].clone(),
                Value::Int(it) if *it == i64::MIN.into() => "(-9223372036854775807 - 1)".to_owned(),
                Value::Int(it) => it.to_string(),
                Value::Real(it) => format!("{it:?}"),
                Value::Machine(_) | Value::Undefined => panic!("not in these programs"),
            };
            set(&it.name, text)
        };
        let row = |row: &Step| inputs.iter().map(|it| field(row, it)).collect::<Vec<_>>().join(", ");
        self.given.iter().map(row).collect()
    }

    /// Reads lines of outputs, each after `1`, or `0`.
    fn read<'l>(&self, outputs: &[Signal], lines: &mut impl Iterator<Item = &'l str>) -> Vec<Option<Step>> {
        let step = |expected: &Step| {
            let mut words = lines.next().expect("a line for each step").split_whitespace();
            if words.next() == Some("0") {
                return None;
            }
            let mut found = Step::new();
            for it in outputs {
                let word = words.next().expect("a value for each output");
                let like = &expected.iter().find(|known| known.0 == it.original).expect("an output").1;
                let value = match like {
                    Value::Bool(_) => Value::Bool(word == "1"),
                    Value::Enum(_) => Value::Enum(word.parse().expect("a place")),
                    Value::Int(_) => Value::Int(word.parse().expect("an integer")),
                    Value::Real(_) => Value::Real(word.parse().expect("a number")),
                    Value::Machine(_) | Value::Undefined => panic!("not in these programs"),
                };
                found.push((it.original.clone(), value));
            }
            Some(found)
        };
        self.expected.iter().map(step).collect()
    }
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("the target folder can be written");
    folder
}

fn is_there(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok()
}

/// Compiles; whether that worked, with what the compiler says if it must.
fn compiled(command: &mut Command, must: bool) -> bool {
    let output = command.output().expect("the compiler starts");
    assert!(output.status.success() || !must, "{}", String::from_utf8_lossy(&output.stderr));
    output.status.success()
}

fn answers(driver: &Path, programs: &[Program], outputs: &[Vec<Signal>]) -> Answers {
    let output = Command::new(driver).output().expect("the driver starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("text");
    let mut lines = text.lines();
    let all = programs.iter().zip(outputs).map(|(it, outputs)| it.read(outputs, &mut lines)).collect();
    assert_eq!(lines.next(), None);
    all
}

/// The flags that generated C must bear.
const STRICT: [&str; 6] = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Wconversion", "-Werror"];

pub(crate) fn run_c(name: &str, programs: &[Program]) -> Option<Answers> {
    if !is_there("cc") {
        return None;
    }
    let mut text = String::from("#include <stdio.h>\n#include <inttypes.h>\n");
    let (mut calls, mut outputs) = (String::new(), Vec::new());
    for program in programs {
        let written = program.written(Language::C);
        let name = &program.name;
        text += &written.header.expect("C has a header");
        text += &written.text;
        let rows = program.rows(&written.inputs, |name, value| format!(".{name} = {value}"));
        let rows: String = rows
            .iter()
            .map(|it| if it.is_empty() { "{ false },\n".to_owned() } else { format!("{{ {it} }},\n") })
            .collect();
        let mut print = String::new();
        for it in &written.outputs {
            let like = &program.expected[0].iter().find(|known| known.0 == it.original).expect("known").1;
            let (format, value) = match like {
                Value::Int(_) => ("\" %\" PRId64", format!("out.{}", it.name)),
                Value::Real(_) => ("\" %.17g\"", format!("out.{}", it.name)),
                _ => ("\" %d\"", format!("(int)out.{}", it.name)),
            };
            let _ = writeln!(print, "printf({format}, {value});");
        }
        let step = match program.moore {
            true => format!(
                "reliable = {name}_outputs(&s, &out);\nif ({name}_step(&s, &rows[i]) && !reliable) {{ return; }}"
            ),
            false => format!("reliable = {name}_step(&s, &rows[i], &out);"),
        };
        let _ = writeln!(
            text,
            "static const {name}_input rows_{name}[] = {{\n{rows}}};\nstatic void run_{name}(void)\n{{\nconst {name}_input *rows = rows_{name};\n{name}_state s;\n{name}_output out;\nint i;\n{name}_init(&s);\n\
             for (i = 0; i < {}; i++) {{\nbool reliable;\n{step}\nprintf(\"%d\", reliable);\n{print}printf(\"\\n\");\n}}\n}}",
            program.given.len()
        );
        let _ = writeln!(calls, "run_{name}();");
        outputs.push(written.outputs);
    }
    let _ = writeln!(text, "int main(void)\n{{\n{calls}return 0;\n}}");
    let folder = folder(name);
    let (source, driver) = (folder.join("driver.c"), folder.join("driver"));
    std::fs::write(&source, text).expect("the folder can be written");
    let sanitized = ["-fsanitize=undefined,address", "-fno-sanitize-recover=all"];
    compiled(Command::new("cc").args(STRICT).arg(&source).arg("-o").arg(&driver), true);
    if !compiled(Command::new("cc").args(sanitized).args(STRICT).arg(&source).arg("-o").arg(&driver), false) {
        eprintln!("skipped: the C compiler has no sanitizers");
    }
    Some(answers(&driver, programs, &outputs))
}

pub(crate) fn run_rust(name: &str, programs: &[Program]) -> Option<Answers> {
    if !is_there("rustc") {
        return None;
    }
    let folder = folder(name);
    let (mut modules, mut runs, mut calls, mut outputs) =
        (String::new(), String::new(), String::new(), Vec::new());
    for program in programs {
        let written = program.written(Language::Rust);
        let name = &program.name;
        std::fs::write(folder.join(format!("{name}.rs")), &written.text).expect("the folder can be written");
        let _ = writeln!(modules, "pub mod {name};");
        let rows = program.rows(&written.inputs, |name, value| format!("{name}: {value}"));
        let rows: String = rows.iter().map(|it| format!("Input {{ {it} }},\n")).collect();
        let mut print = String::new();
        for it in &written.outputs {
            let like = &program.expected[0].iter().find(|known| known.0 == it.original).expect("known").1;
            let value = match like {
                Value::Int(_) | Value::Real(_) => format!("out.{}", it.name),
                _ => format!("out.{} as i32", it.name),
            };
            let _ = writeln!(print, "print!(\" {{:?}}\", {value});");
        }
        let step = match program.moore {
            true => "let out = controller.outputs();\ncontroller.step(row);",
            false => "let out = controller.step(row);",
        };
        let _ = writeln!(
            runs,
            "fn run_{name}() {{\nuse {name}::*;\nlet rows = [\n{rows}];\nlet mut controller = Controller::new();\nfor row in &rows {{\n{step}\n\
             match out {{\nNone => print!(\"0\"),\nSome(out) => {{\nprint!(\"1\");\n{print}}}\n}}\nprintln!();\n}}\n}}"
        );
        let _ = writeln!(calls, "run_{name}();");
        outputs.push(written.outputs);
    }
    let (library, source, driver) =
        (folder.join("library.rs"), folder.join("driver.rs"), folder.join("driver"));
    let main = format!("#![allow(unused_imports)]\n{modules}{runs}fn main() {{\n{calls}}}\n");
    std::fs::write(&source, main).expect("the folder can be written");
    std::fs::write(&library, format!("#![no_std]\n#![deny(warnings)]\n{modules}"))
        .expect("the folder can be written");
    compiled(
        Command::new("rustc")
            .args(["--edition", "2021", "--crate-type", "lib", "--emit", "metadata", "--out-dir"])
            .args([&folder, &library]),
        true,
    );
    compiled(Command::new("rustc").args(["--edition", "2021", "-o"]).args([&driver, &source]), true);
    Some(answers(&driver, programs, &outputs))
}
