//! A diagram as `.mdl` text, for Simulink and for [`crate::read`].
//!
//! Reading the text gives the same diagram, except for the order of the settings, the line numbers, the header text of the
//! workspace data, parameters whose names the format cannot write (with blanks), and sheets nested more than 99 deep. Sheets are numbered
//! in the order of their owners. Positions are written only where the diagram has them.

use crate::diagram::{Block, BlockId, Diagram, Line, Mask, Parameters, Port, Sheet, SheetId};
use crate::read::{encode_records, is_key};

/// Settings of the solver, which Simulink looks for in the configuration set.
#[rustfmt::skip]
const SOLVER: [&str; 12] = [
    "StartTime", "StopTime", "AbsTol", "FixedStep", "InitialStep", "MaxStep", "MinStep", "RelTol", "Solver",
    "SolverName", "SolverMode", "SampleTimeConstraint",
];

/// Keys whose values are numbers, positions or keywords; all other values are strings, as in Simulink's own files.
#[rustfmt::skip]
const BARE: [&str; 12] = [
    "BlockRotation", "BlockType", "Dimension", "FontSize", "Location", "PortNumber", "Ports", "Position",
    "SrcPort", "DstPort", "Version", "ZOrder",
];

/// The length after which a string continues on the next line.
const WIDTH: usize = 96;

/// The maximum nesting of sheets.
const DEPTH: usize = 99;

/// Writes a model.
pub fn write(diagram: &Diagram) -> String {
    let mut out = Writer::default();
    out.open("Model");
    out.value("Name", &diagram.name);
    out.value("Version", "8.0");
    out.value("SavedCharacterEncoding", "UTF-8");
    let Parameters(settings) = &diagram.settings;
    let (solver, other): (Vec<_>, Vec<_>) =
        settings.iter().partition(|(key, _)| SOLVER.contains(&key.as_str()));
    other.iter().for_each(|(key, value)| out.value(key, value));
    if !solver.is_empty() {
        configuration(&solver, &mut out);
    }
    // The last four bytes of the header, and what comes after it.
    let workspace = diagram.workspace.as_ref().and_then(|file| Some((file.get(124..128)?, file.get(128..)?)));
    if workspace.is_some() {
        out.value("WSMdlFileData", "DataTag0");
    }
    out.open("BlockParameterDefaults");
    for (kind, Parameters(parameters)) in &diagram.defaults {
        out.open("Block");
        out.value("BlockType", kind.name());
        parameters.iter().for_each(|(key, value)| out.value(key, value));
        out.close();
    }
    out.close();
    if let Some(root) = diagram.sheets.first() {
        sheet(diagram, SheetId(0), root, &diagram.name, 0, &mut out);
    }
    out.close();
    if let Some((version, elements)) = workspace {
        out.open("MatData");
        out.value("NumRecords", "1");
        out.open("DataRecord");
        out.value("Tag", "DataTag0");
        out.value("Data", &encode_records(&[version, &[0; 4], elements].concat()));
        out.close();
        out.close();
    }
    out.text
}

/// The configuration set is an object with an object for the solver, and is active.
fn configuration(solver: &[&(String, String)], out: &mut Writer) {
    let array = |out: &mut Writer| {
        out.open("Array");
        out.value("Type", "Handle");
        out.value("Dimension", "1");
    };
    array(out);
    out.open("Simulink.ConfigSet");
    out.object();
    let set = out.objects.to_string();
    array(out);
    out.open("Simulink.SolverCC");
    out.object();
    solver.iter().for_each(|(key, value)| out.value(key, value));
    out.close();
    out.value("PropName", "Components");
    out.close();
    out.value("Name", "Configuration");
    out.close();
    out.value("PropName", "ConfigurationSets");
    out.close();
    out.open("Simulink.ConfigSet");
    out.line("$PropName", "\"ActiveConfigurationSet\"");
    out.line("$ObjectID", &set);
    out.close();
}

fn sheet(diagram: &Diagram, id: SheetId, sheet: &Sheet, name: &str, depth: usize, out: &mut Writer) {
    out.open("System");
    out.value("Name", name);
    for (number, block) in (0..).zip(&sheet.blocks) {
        out.open("Block");
        self::block(block, out);
        // Only a sheet whose owner is this block: no sheet is written twice, and cycles end.
        let owner = Some(BlockId { sheet: id, number });
        let inside = block.inside.filter(|inside| inside.0 > 0 && depth < DEPTH);
        let found = inside.and_then(|it| Some((it, diagram.sheets.get(it.0 as usize)?)));
        if let Some((inside, found)) = found.filter(|(_, found)| found.owner == owner) {
            self::sheet(diagram, inside, found, &block.name, depth + 1, out);
        }
        out.close();
    }
    sheet.lines.iter().for_each(|it| line(it, &sheet.blocks, out));
    for text in &sheet.annotations {
        out.open("Annotation");
        out.value("Name", text);
        out.close();
    }
    out.close();
}

fn block(block: &Block, out: &mut Writer) {
    out.value("BlockType", block.kind.name());
    out.value("Name", &block.name);
    if let Some(sid) = &block.sid {
        out.value("SID", sid);
    }
    block.parameters.0.iter().for_each(|(key, value)| out.value(key, value));
    if let Some(found) = &block.mask {
        mask(found, out);
    }
    for (number, name) in &block.signals {
        out.open("Port");
        out.value("PortNumber", &number.to_string());
        out.value("Name", name);
        out.close();
    }
}

fn mask(mask: &Mask, out: &mut Writer) {
    let object = |name: &str, class: &str, out: &mut Writer| {
        out.open("Object");
        out.line("$PropName", &format!("\"{name}\""));
        out.object();
        out.line("$ClassName", &format!("\"{class}\""));
    };
    object("MaskObject", "Simulink.Mask", out);
    for (key, text) in [("Type", &mask.kind), ("Initialization", &mask.initialization)] {
        if !text.is_empty() {
            out.value(key, text);
        }
    }
    for (name, value) in &mask.parameters.0 {
        object("Parameters", "Simulink.MaskParameter", out);
        out.value("Type", "edit");
        out.value("Name", name);
        out.value("Prompt", name);
        out.value("Value", value);
        if mask.texts.contains(name) {
            out.value("Evaluate", "off");
        }
        out.close();
    }
    out.close();
}

fn line(line: &Line, blocks: &[Block], out: &mut Writer) {
    let name = |number: u32| blocks.get(number as usize).map_or("", |block| block.name.as_str());
    let end = |place: usize, out: &mut Writer| {
        let (block, port) = &line.to[place];
        if let Some(route) = line.routes.get(place).filter(|it| !it.is_empty()) {
            let points: Vec<String> = route.iter().map(|(x, y)| format!("{x}, {y}")).collect();
            out.value("Points", &format!("[{}]", points.join("; ")));
        }
        out.value("DstBlock", name(*block));
        let port = match port {
            Port::Data(number) => number.to_string(),
            Port::Action => "ifaction".to_owned(),
            Port::Enable => "enable".to_owned(),
            Port::Trigger => "trigger".to_owned(),
            Port::Reset => "Reset".to_owned(),
        };
        out.value("DstPort", &port);
    };
    out.open("Line");
    if let Some(name) = &line.name {
        out.value("Name", name);
    }
    if let Some((block, port)) = line.from {
        out.value("SrcBlock", name(block));
        out.value("SrcPort", &port.to_string());
    }
    match line.to.as_slice() {
        [_] => end(0, out),
        several => {
            for place in 0..several.len() {
                out.open("Branch");
                end(place, out);
                out.close();
            }
        }
    }
    out.close();
}

/// Text with indentation.
#[derive(Default)]
struct Writer {
    text: String,
    depth: usize,
    /// The number of objects so far.
    objects: usize,
}

impl Writer {
    fn open(&mut self, name: &str) {
        self.line(name, "{");
        self.depth += 1;
    }

    fn close(&mut self) {
        self.depth -= 1;
        self.indent();
        self.text.push_str("}\n");
    }

    /// The number of a new object.
    fn object(&mut self) {
        self.objects += 1;
        self.line("$ObjectID", &self.objects.to_string());
    }

    fn value(&mut self, key: &str, value: &str) {
        if !is_key(key) {
            return;
        }
        if matches!(value, "on" | "off") || BARE.contains(&key) && is_plain(value) {
            self.line(key, value);
        } else {
            let string = self.string(value);
            self.line(key, &string);
        }
    }

    fn line(&mut self, key: &str, value: &str) {
        self.indent();
        self.text.push_str(key);
        // Values are aligned in a column, unless the key is too long.
        let column = if value == "{" { 0 } else { 24_usize };
        self.text.extend(std::iter::repeat_n(' ', column.saturating_sub(key.len()).max(1)));
        self.text.push_str(value);
        self.text.push('\n');
    }

    fn indent(&mut self) {
        self.text.extend(std::iter::repeat_n(' ', 2 * self.depth));
    }

    fn string(&self, value: &str) -> String {
        let mut string = String::from("\"");
        let mut column = 0;
        for letter in value.chars() {
            if column >= WIDTH {
                string.push_str("\"\n");
                string.extend(std::iter::repeat_n(' ', 2 * self.depth));
                string.push('"');
                column = 0;
            }
            column += 1;
            match letter {
                '\n' => string.push_str("\\n"),
                '\t' => string.push_str("\\t"),
                '\r' => string.push_str("\\r"),
                '"' | '\\' => string.extend(['\\', letter]),
                other => string.push(other),
            }
        }
        string.push('"');
        string
    }
}

/// Whether a value can be written without quotes: a word, a number, or a bracket in one line.
fn is_plain(value: &str) -> bool {
    let word =
        |it: &str| !it.is_empty() && it.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-+.".contains(&b));
    let inside = value.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
    word(value) || inside.is_some_and(|it| it.bytes().all(|b| b.is_ascii_digit() || b" ,.-".contains(&b)))
}
