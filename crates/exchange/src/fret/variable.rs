//! What a record of the list of variables says, in our terms: who decides the value, which values there are, how it is
//! defined. Records of models (ports and documents of Simulink files) are kept and not interpreted.

use super::VariableRecord;
use logic::{RBig, parse_decimal};
use requirement::specification::{Kind, Range, Type};
use serde_json::Value;

impl VariableRecord {
    /// Component and name, if this is a variable of requirements, and a heading and a cell of a table can hold them.
    pub fn variable(&self) -> Option<(&str, &str)> {
        let component = self.text("component_name").filter(|name| is_plain(name))?;
        Some((component, self.name()?))
    }

    /// The name, if this is a variable of requirements, and a cell of a table can hold it.
    pub(super) fn name(&self) -> Option<&str> {
        let is_model = self.members.get("modeldoc").is_some_and(|flag| *flag == Value::Bool(true));
        self.text("variable_name").filter(|name| !is_model && is_plain(name))
    }

    /// Who decides its value. An internal variable whose definition is a number is a constant.
    pub fn kind(&self) -> Option<Kind> {
        match self.text("idType")? {
            "Input" => Some(Kind::Input),
            "Output" => Some(Kind::Output),
            "Internal" if is_number(self.text("assignment").unwrap_or_default()) => Some(Kind::Constant),
            "Internal" => Some(Kind::Internal),
            "Mode" => Some(Kind::Mode),
            "Function" => Some(Kind::Function),
            _ => None,
        }
    }

    /// Its values: a word such as `boolean`, alone or as the only entry of a list.
    pub fn ty(&self) -> Option<Type> {
        let word = match self.members.get("dataType")? {
            Value::String(word) => word,
            Value::Array(words) => match &words[..] {
                [Value::String(word)] => word,
                _ => return None,
            },
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => return None,
        };
        match word.as_str() {
            "unsigned integer" => Some(Type::Int(Range { low: Some(RBig::from(0)), high: None })),
            word => Type::parse(word).ok(),
        }
    }

    /// Its definition as written: a mode has the requirement of the mode, any other variable an expression of Lustre.
    pub fn definition(&self) -> Option<&str> {
        let mode = self.text("modeRequirement").filter(|_| self.kind() == Some(Kind::Mode));
        [mode, self.text("assignment")].into_iter().flatten().find(|text| !text.is_empty())
    }

    /// What it stands for.
    pub fn description(&self) -> &str {
        self.text("description").unwrap_or_default()
    }

    /// The keys of the requirements that use it.
    pub fn requirements(&self) -> Vec<&str> {
        let keys = self.members.get("reqs").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        keys.iter().filter_map(Value::as_str).collect()
    }

    /// A member that is there and says something that has no meaning here.
    pub(super) fn oddity(&self) -> Option<&'static str> {
        let said = |name: &str| self.members.get(name).is_some_and(|value| value != "");
        let odd = |name, known: bool| (said(name) && !known).then_some(name);
        odd("idType", self.kind().is_some())
            .map(|_| "the kind")
            .or(odd("dataType", self.ty().is_some()).map(|_| "the type"))
    }

    /// A member that is a text.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.members.get(name)?.as_str()
    }
}

/// The word of FRET for a kind.
pub(super) fn kind_word(kind: Option<Kind>) -> &'static str {
    match kind {
        None => "",
        Some(Kind::Input) => "Input",
        Some(Kind::Output) => "Output",
        Some(Kind::Internal | Kind::Constant) => "Internal",
        Some(Kind::Mode) => "Mode",
        Some(Kind::Function) => "Function",
    }
}

/// The word of FRET for a type. FRET has no enumerations and no ranges but those of machine integers.
pub(super) fn type_word(ty: Option<&Type>) -> &'static str {
    const MACHINE: [&str; 8] = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"];
    match ty {
        None | Some(Type::Enum(_)) => "",
        Some(Type::Bool) => "boolean",
        Some(Type::Real(_)) => "double",
        Some(Type::Int(range)) if range.high.is_none() && range.low == Some(RBig::from(0)) => {
            "unsigned integer"
        }
        Some(ty) => {
            MACHINE.into_iter().find(|word| Type::parse(word).as_ref() == Ok(ty)).unwrap_or("integer")
        }
    }
}

/// Whether a text has one line, no white space at its ends or twice in a row, and none of the marks of headings and tables.
fn is_plain(name: &str) -> bool {
    let words = name.split(' ');
    !name.is_empty()
        && words.into_iter().all(|word| !word.is_empty() && !word.contains(char::is_whitespace))
        && !name.contains(|c: char| c.is_control() || "`|#\\".contains(c))
}

/// Whether a definition is one number, perhaps with its sign.
fn is_number(text: &str) -> bool {
    let text = text.trim();
    parse_decimal(text.strip_prefix('-').map_or(text, str::trim_start)).is_some()
}
