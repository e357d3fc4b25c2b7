//! The components of a project and their variables: what tables declare, what sentences use, and what follows for the rest.
//!
//! A variable that no table declares gets its type from its uses in all sentences of the component (`inference`), and its kind
//! from where it is used: what only scopes and conditions mention is an input, what a response mentions is an output.

use crate::inference;
use crate::project::{Known, Place, Project};
use crate::reading::{Cache, Occurrence, Referent};
use logic::{RBig, Sort, parse_decimal};
use requirement::specification::{ContractRole, Definition, Kind, Range, Type, Variable};
use requirement::witness::Types;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use syntax::{Phrases, Span};

/// All components, in the order in which they first appear.
#[derive(Debug, Default)]
pub struct Components {
    list: Vec<Component>,
    by_name: FxHashMap<String, usize>,
}

/// A component.
#[derive(Debug)]
pub struct Component {
    /// Its name.
    pub name: String,
    /// Whether a table declares its variables.
    pub declared: bool,
    /// Its variables: the declared ones in the order of the tables, then the others as they are first used.
    pub variables: Vec<Symbol>,
    /// Variables that must have the same type, but are used as values of different types: indices of the variables.
    pub clashes: Vec<Vec<usize>>,
    by_name: FxHashMap<String, usize>,
    values: FxHashMap<String, usize>,
}

/// A variable of a component, with where it is declared and used.
#[derive(Debug)]
pub struct Symbol {
    /// The variable; what nobody declared has been inferred.
    pub variable: Variable,
    /// Its definition, read.
    pub definition: Option<Arc<Definition>>,
    /// Which document, table and row declare it.
    pub declaration: Option<Declared>,
    /// Whether its kind was inferred.
    pub kind_inferred: bool,
    /// Whether its type was inferred.
    pub type_inferred: bool,
    /// The sort that was inferred; `Any` if nothing tells it, or if its uses contradict each other.
    pub inferred: Sort,
    /// Its uses in sentences.
    pub uses: Vec<Use>,
}

/// Where a variable is declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub struct Declared {
    pub document: usize,
    pub table: usize,
    pub row: usize,
}

/// A use of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Use {
    /// The requirement.
    pub place: Place,
    /// Where in its sentence.
    pub span: Span,
    /// Whether it is in the response.
    pub in_response: bool,
    /// Whether that is the response of a guarantee, in which the component decides.
    pub decides: bool,
    /// The sort that the sentence by itself gives it.
    pub sort: Sort,
    /// Whether a phrase stands for it there.
    pub phrased: bool,
}

impl Components {
    /// The components in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Component> {
        self.list.iter()
    }

    /// The component with this name.
    pub fn get(&self, name: &str) -> Option<&Component> {
        self.list.get(*self.by_name.get(name)?)
    }

    /// The component with this index.
    pub fn at(&self, index: usize) -> Option<&Component> {
        self.list.get(index)
    }

    /// The components in order, to be changed.
    pub(crate) fn iter_mut(&mut self) -> std::slice::IterMut<'_, Component> {
        self.list.iter_mut()
    }

    /// The components that tables declare. A name that is declared twice keeps its first declaration.
    pub(crate) fn declared(project: &Project, cache: &mut Cache) -> Components {
        let mut components = Components::default();
        for (document, text) in project.documents.iter().enumerate() {
            for (table, rows) in text.tables.iter().enumerate() {
                let index = components.index_of(&rows.component.text);
                let component = &mut components.list[index];
                component.declared = true;
                for (row, declared) in rows.rows.iter().enumerate() {
                    let declaration = &declared.declaration;
                    let name = &declaration.name.text;
                    if component.by_name.contains_key(name) {
                        continue;
                    }
                    component.by_name.insert(name.clone(), component.variables.len());
                    if let Some(Type::Enum(values)) = &declaration.ty {
                        for value in values {
                            component.values.entry(value.clone()).or_insert(component.variables.len());
                        }
                    }
                    component.variables.push(Symbol {
                        variable: Variable {
                            name: name.clone(),
                            kind: declaration.kind.unwrap_or(Kind::Internal),
                            ty: declaration.ty.clone().unwrap_or(Type::Bool),
                            unit: declaration.unit.clone(),
                            definition: declaration.definition.clone(),
                            phrase: declaration.phrase.as_ref().map(|phrase| phrase.text.clone()),
                            description: declaration.description.clone(),
                        },
                        definition: declaration.definition.as_deref().map(|text| cache.definition(text)),
                        declaration: Some(Declared { document, table, row }),
                        kind_inferred: declaration.kind.is_none(),
                        type_inferred: declaration.ty.is_none(),
                        inferred: Sort::Any,
                        uses: Vec::new(),
                    });
                }
            }
        }
        components
    }

    /// The index of a component, which is added if it is new.
    pub(crate) fn index_of(&mut self, name: &str) -> usize {
        if let Some(&index) = self.by_name.get(name) {
            return index;
        }
        self.by_name.insert(name.to_string(), self.list.len());
        self.list.push(Component {
            name: name.to_string(),
            declared: false,
            variables: Vec::new(),
            clashes: Vec::new(),
            by_name: FxHashMap::default(),
            values: FxHashMap::default(),
        });
        self.list.len() - 1
    }

    /// What a name stands for in a component.
    pub(crate) fn referent(&self, component: Option<usize>, name: &str) -> Referent {
        let Some(component) = component.and_then(|index| self.list.get(index)) else {
            return Referent::Signal(Sort::Any);
        };
        match component.symbol(name) {
            Some(symbol) => match symbol.number() {
                Some(number) => Referent::Constant(number, symbol.sort()),
                None => Referent::Signal(symbol.sort()),
            },
            None if component.values.contains_key(name) => Referent::Value,
            None => Referent::Signal(Sort::Any),
        }
    }
}

impl std::ops::Index<usize> for Components {
    type Output = Component;

    fn index(&self, index: usize) -> &Component {
        &self.list[index]
    }
}

impl Component {
    /// The types that are declared for its variables.
    pub fn types(&self) -> Types {
        let declared = self.variables.iter().filter(|symbol| !symbol.type_inferred);
        declared.map(|symbol| (symbol.variable.name.clone(), symbol.variable.ty.clone())).collect()
    }

    /// The variable with this name.
    pub fn symbol(&self, name: &str) -> Option<&Symbol> {
        self.variables.get(*self.by_name.get(name)?)
    }

    /// The variable whose enumeration has this value.
    pub fn enumeration_of(&self, value: &str) -> Option<&Symbol> {
        self.variables.get(*self.values.get(value)?)
    }

    /// The index of the variable with this name.
    pub(crate) fn index_of(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    fn symbol_mut(&mut self, name: &str) -> &mut Symbol {
        let next = self.variables.len();
        let known = self.by_name.get(name).copied();
        if known.is_none() {
            self.by_name.insert(name.to_string(), next);
            self.variables.push(Symbol {
                variable: Variable {
                    name: name.to_string(),
                    kind: Kind::Input,
                    ty: Type::Bool,
                    unit: None,
                    definition: None,
                    phrase: None,
                    description: String::new(),
                },
                definition: None,
                declaration: None,
                kind_inferred: true,
                type_inferred: true,
                inferred: Sort::Any,
                uses: Vec::new(),
            });
        }
        &mut self.variables[known.unwrap_or(next)]
    }
}

impl Symbol {
    /// The number that a constant is defined as.
    pub fn number(&self) -> Option<RBig> {
        let definition = self.variable.definition.as_deref()?.trim();
        (self.variable.kind == Kind::Constant).then(|| parse_decimal(definition)).flatten()
    }

    /// Whether its phrase has these words.
    pub(crate) fn has_phrase(&self, words: &[String]) -> bool {
        let own = self.variable.phrase.as_deref().and_then(|phrase| Phrases::words(phrase).ok());
        own.is_some_and(|own| own == words)
    }

    /// Its sort, declared or inferred, as far as it is known.
    pub fn sort(&self) -> Sort {
        if self.type_inferred { self.inferred } else { self.variable.ty.sort() }
    }

    /// The definition that takes the place of the name in sentences; a constant has a number instead.
    pub(crate) fn expansion(&self) -> Option<&Arc<Definition>> {
        self.definition.as_ref().filter(|_| self.number().is_none())
    }
}

/// Collects the uses of variables and infers what is not declared.
pub(crate) fn resolve(components: &mut Components, requirements: &[Known]) {
    for known in requirements {
        let (Some(index), Some(reading)) = (known.component, &known.reading) else { continue };
        let component = &mut components.list[index];
        let response = reading.parsed.fields.response.as_ref().map(|field| field.span);
        for (name, &sort) in reading.parsed.names.iter().zip(&reading.sorts) {
            if component.values.contains_key(&name.name) && component.symbol(&name.name).is_none() {
                continue;
            }
            let in_response =
                response.is_some_and(|span| span.start <= name.span.start && name.span.end <= span.end);
            let decides = in_response && known.role == ContractRole::Guarantee;
            let symbol = component.symbol_mut(&name.name);
            if symbol.kind_inferred && name.called {
                symbol.variable.kind = Kind::Function;
            }
            let Occurrence { span, phrased, .. } = *name;
            symbol.uses.push(Use { place: known.place, span, in_response, decides, sort, phrased });
        }
    }
    for component in &mut components.list {
        component.variables.iter_mut().for_each(Symbol::infer_kind);
    }
    inference::infer(components, requirements);
}

impl Symbol {
    fn infer_kind(&mut self) {
        if self.kind_inferred && self.variable.kind != Kind::Function {
            let decided = self.uses.iter().any(|used| used.decides);
            self.variable.kind = match (&self.variable.definition, decided) {
                (Some(definition), _) if parse_decimal(definition.trim()).is_some() => Kind::Constant,
                (Some(_), _) => Kind::Internal,
                (None, true) => Kind::Output,
                (None, false) => Kind::Input,
            };
        }
    }

    /// Takes the type that was inferred: the sort of the first use that has one; `is_certain` says that no use contradicts it.
    pub(crate) fn take_sort(&mut self, sort: Sort, is_certain: bool) {
        self.inferred = if is_certain { sort } else { Sort::Any };
        self.variable.ty = match sort {
            Sort::Int => Type::Int(Range::default()),
            Sort::Real => Type::Real(Range::default()),
            Sort::Bool | Sort::Enum | Sort::Any => Type::Bool,
        };
    }
}
