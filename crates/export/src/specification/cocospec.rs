//! Contracts for Kind 2 in CoCoSpec: one per component, after the Lustre operators that they use.
//!
//! A guarantee is the past formula, which judges the steps so far at each step. Requirements in the role of assumptions and
//! the ranges of inputs are assumed; the ranges of outputs are not guaranteed, because no requirement says so. An assumption of
//! Kind 2 cannot depend on an output of the same step: one that does is a premise of each guarantee, which means the same. Constants and internal variables with a definition are ghost
//! variables; an internal variable without one is an output of the component, and a mode an input.

use super::definition;
use super::expression::{self, Text};
use super::lustre::{Lustre, RULES};
use super::scope::{Layout, Scope, Space, Ty};
use super::{LeftOut, Options, Written, comment, comment_renamed, kept_so_far, leave_out, past_of, under};
use logic::memory::oldest_only;
use logic::{Bound, Formula, Node, RBig, Store, Unary};
use requirement::specification::{Component, ContractRole, Definition, Item, Kind, Range, Type, Variable};
use requirement::{Scope as Where, Timing};
use std::collections::BTreeSet;
use std::fmt::Write;

pub(super) fn write(store: &mut Store, components: &[Component], options: &Options) -> Written {
    let space =
        Space { rules: RULES, flat: false, shared_values: false, suffix: "Spec", labels: options.modes };
    let layout = Layout::new(components, space);
    let mut lustre = Lustre::default();
    let mut left_out = Vec::new();
    let mut contracts = String::new();
    for (number, component) in components.iter().enumerate() {
        let mut contract = Contract::new(&layout, &layout.scopes[number], lustre, left_out);
        contract.variables(store, component);
        contract.items(store, component, &layout.labels[number], options);
        if contract.is_empty() {
            // An empty contract is a syntax error.
            let why = format!("{} requires nothing: it has no contract", component.name);
            comment(&mut contracts, "", &why);
            contracts += &contract.assumptions;
            contracts += &contract.body;
            contracts.push('\n');
        } else {
            contracts += &contract.text(component, &layout.components[number]);
        }
        (lustre, left_out) = (contract.lustre, contract.left_out);
    }
    let mut text = String::new();
    comment(&mut text, "", "Contracts for Kind 2. At each step, a guarantee judges the steps so far.");
    comment_renamed(&mut text, &layout.renamed);
    text.push('\n');
    for it in &layout.enumerations {
        let _ = writeln!(text, "type {} = enum {{ {} }};", it.name, it.emitted.join(", "));
    }
    for (name, (arguments, result)) in &lustre.functions {
        let inputs: Vec<String> = arguments
            .iter()
            .enumerate()
            .map(|(at, ty)| format!("a{}: {}", at + 1, sort(ty, &layout)))
            .collect();
        let _ = writeln!(
            text,
            "function imported {name}({}) returns (value: {});",
            inputs.join("; "),
            sort(result, &layout)
        );
    }
    if !layout.enumerations.is_empty() || !lustre.functions.is_empty() {
        text.push('\n');
    }
    text += lustre.library.text();
    text += contracts.trim_end();
    text.push('\n');
    Written { text, renamed: layout.renamed, left_out, warnings: Vec::new() }
}

struct Contract<'a> {
    layout: &'a Layout,
    scope: &'a Scope,
    lustre: Lustre,
    left_out: Vec<LeftOut>,
    inputs: Vec<String>,
    outputs: Vec<String>,
    /// Constants before variables.
    ghosts: [String; 2],
    assumptions: String,
    body: String,
}

impl<'a> Contract<'a> {
    fn new(layout: &'a Layout, scope: &'a Scope, lustre: Lustre, left_out: Vec<LeftOut>) -> Contract<'a> {
        Contract {
            layout,
            scope,
            lustre,
            left_out,
            inputs: Vec::new(),
            outputs: Vec::new(),
            ghosts: Default::default(),
            assumptions: String::new(),
            body: String::new(),
        }
    }

    /// Whether it has nothing but comments.
    fn is_empty(&self) -> bool {
        let [constants, variables] = &self.ghosts;
        let texts = [constants, variables, &self.assumptions, &self.body];
        texts.into_iter().flat_map(|text| text.lines()).all(|line| line.trim_start().starts_with("--"))
    }

    fn text(&self, component: &Component, name: &str) -> String {
        let [constants, variables] = &self.ghosts;
        let mut text = String::new();
        comment(&mut text, "", &component.name);
        let _ = writeln!(
            text,
            "contract {name}({}) returns ({});",
            self.inputs.join("; "),
            self.outputs.join("; ")
        );
        let _ = writeln!(text, "let\n{constants}{variables}{}{}tel\n", self.assumptions, self.body);
        text
    }

    fn variables(&mut self, store: &mut Store, component: &Component) {
        for variable in &component.variables {
            let Some(entry) = self.scope.get(&variable.name).cloned() else { continue };
            let declared = format!("{}: {}", entry.emitted, sort(&entry.sort, self.layout));
            let ghost = match (variable.kind, variable.definition.is_some()) {
                (Kind::Function, _) => continue,
                (Kind::Internal | Kind::Mode | Kind::Constant, true) => {
                    self.ghost(store, component, variable, &entry.sort)
                }
                (Kind::Input | Kind::Output, _) | (Kind::Internal | Kind::Mode | Kind::Constant, false) => {
                    None
                }
            };
            match (ghost, variable.kind) {
                (Some(text), Kind::Constant) => {
                    let _ = writeln!(self.ghosts[0], "  const {declared} = {text};");
                }
                (Some(text), _) => {
                    let _ = writeln!(self.ghosts[1], "  var {declared} = {text};");
                }
                (None, Kind::Output | Kind::Internal) => self.outputs.push(declared),
                (None, Kind::Input | Kind::Mode | Kind::Constant | Kind::Function) => {
                    self.inputs.push(declared);
                    self.assume(variable, &entry.emitted);
                }
            }
        }
    }

    /// Assumes what is known about an input.
    fn assume(&mut self, variable: &Variable, name: &str) {
        let (Type::Int(Range { low, high }) | Type::Real(Range { low, high })) = &variable.ty else {
            return self.assume_constant(variable, name);
        };
        let real = matches!(variable.ty, Type::Real(_));
        let ends = [
            low.as_ref().map(|low| format!("{} <= {name}", literal(low, real))),
            high.as_ref().map(|high| format!("{name} <= {}", literal(high, real))),
        ];
        let ends: Vec<String> = ends.into_iter().flatten().collect();
        if !ends.is_empty() {
            let _ = writeln!(self.assumptions, "  assume {};", ends.join(" and "));
        }
        self.assume_constant(variable, name);
    }

    fn assume_constant(&mut self, variable: &Variable, name: &str) {
        if variable.kind == Kind::Constant {
            let _ = writeln!(self.assumptions, "  assume true -> {name} = pre {name};");
        }
    }

    /// The definition of a variable: printed if it can be read, otherwise its own text if that is Lustre.
    fn ghost(
        &mut self,
        store: &mut Store,
        component: &Component,
        variable: &Variable,
        ty: &Ty,
    ) -> Option<String> {
        let mut attempt = self.lustre.clone();
        let read = definition::read(store, component, variable)
            .and_then(|id| expression::term(store, id, ty, self.layout, self.scope, &mut attempt));
        if let Ok(text) = read {
            self.lustre = attempt;
            return Some(text.text);
        }
        let verbatim = definition::lustre(variable.definition.as_deref().unwrap_or_default(), self.scope);
        verbatim
            .map_err(|why| leave_out(&mut self.assumptions, "  ", &mut self.left_out, &variable.name, why))
            .ok()
    }

    /// Assumes the requirements in the role of assumptions. Returns the formulas of those that depend on outputs.
    fn requirements_assumed(&mut self, store: &mut Store, component: &Component) -> Vec<Formula> {
        let mut premises = Vec::new();
        for item in component.items.iter().filter(|item| item.role == ContractRole::Assumption) {
            comment(&mut self.assumptions, "  ", &format!("{} (assumed): {}", item.id, item.text));
            let mut attempt = self.lustre.clone();
            let written = kept_so_far(store, item).and_then(|past| {
                let text = expression::formula(store, past, self.layout, self.scope, &mut attempt)?;
                Ok((past, text))
            });
            match written {
                Ok((past, text)) => {
                    self.lustre = attempt;
                    if self.depends_on_outputs(store, component, past) {
                        comment(
                            &mut self.assumptions,
                            "  ",
                            "It depends on outputs, so it is a premise of each guarantee.",
                        );
                        premises.push(past);
                    } else {
                        let _ =
                            writeln!(self.assumptions, "  assume \"{}\" {};", escaped(&item.id), text.text);
                    }
                }
                Err(why) => leave_out(&mut self.assumptions, "  ", &mut self.left_out, &item.id, why),
            }
        }
        premises
    }

    /// Whether a formula mentions an output, also through the definitions of ghost variables.
    fn depends_on_outputs(&self, store: &Store, component: &Component, formula: Formula) -> bool {
        let mut open: Vec<String> = definition::names(store, formula.id());
        let mut seen: BTreeSet<String> = BTreeSet::new();
        while let Some(name) = open.pop() {
            let Some(variable) = component.variables.iter().find(|it| it.name == name) else { continue };
            if !seen.insert(name) {
                continue;
            }
            let defined = variable.definition.as_deref();
            match (variable.kind, defined) {
                (Kind::Output, _) | (Kind::Internal, None) => return true,
                (Kind::Internal | Kind::Mode | Kind::Constant, Some(text)) => {
                    open.extend(Definition::names(text).into_iter().map(|name| name.name));
                }
                (Kind::Input | Kind::Mode | Kind::Constant | Kind::Function, _) => {}
            }
        }
        false
    }

    fn items(&mut self, store: &mut Store, component: &Component, labels: &[String], options: &Options) {
        let mut required: Vec<Text> = Vec::new();
        let premises = self.requirements_assumed(store, component);
        let guarantees =
            component.items.iter().zip(labels).filter(|(item, _)| item.role == ContractRole::Guarantee);
        for (item, label) in guarantees {
            comment(&mut self.body, "  ", &format!("{}: {}", item.id, item.text));
            let mut attempt = self.lustre.clone();
            let written = past_of(store, item).and_then(|past| {
                let mut write = |store: &Store, f: Formula| {
                    expression::formula(store, f, self.layout, self.scope, &mut attempt)
                };
                if let Some((premise, conclusion)) =
                    (options.modes && premises.is_empty()).then(|| mode_of(store, item, past)).flatten()
                {
                    let (premise, conclusion) = (write(store, premise)?, write(store, conclusion)?);
                    required.push(premise.clone());
                    return Ok(format!(
                        "mode {label} ( require {}; ensure {}; );",
                        premise.text, conclusion.text
                    ));
                }
                let formula = oldest_only(store, past);
                let formula = under(store, &premises, formula);
                let text: Text = write(store, formula)?;
                Ok(format!("guarantee \"{}\" {};", escaped(&item.id), text.text))
            });
            match written {
                Ok(text) => {
                    self.lustre = attempt;
                    let _ = writeln!(self.body, "  {text}");
                }
                Err(why) => leave_out(&mut self.body, "  ", &mut self.left_out, &item.id, why),
            }
        }
        if !required.is_empty() {
            let mut name = "elsewhere".to_string();
            while labels.contains(&name) {
                name.push('_');
            }
            comment(
                &mut self.body,
                "  ",
                "Kind 2 requires that some mode is always active; this one guarantees nothing.",
            );
            let any = match &required[..] {
                [alone] => alone.text.clone(),
                several => several.iter().map(Text::enclosed).collect::<Vec<_>>().join(" or "),
            };
            let _ = writeln!(self.body, "  mode {name} ( require not ({any}); );");
        }
    }
}

/// `P` and `R` of a requirement `in M` whose formula is `H (P -> R)`: a mode has the same meaning, because the response is
/// required at once.
fn mode_of(store: &Store, item: &Item, past: Formula) -> Option<(Formula, Formula)> {
    let at_once = matches!(item.requirement.timing, Timing::Immediately | Timing::Always | Timing::Never);
    if !at_once || !matches!(item.requirement.scope, Where::In(_)) {
        return None;
    }
    let Node::Unary(Unary::Historically, Bound::ALL, inner) = *store.node(past) else { return None };
    match *store.node(inner) {
        Node::Implies(premise, conclusion) => Some((premise, conclusion)),
        _ => None,
    }
}

fn sort(ty: &Ty, layout: &Layout) -> String {
    match ty {
        Ty::Bool => "bool".into(),
        Ty::Int => "int".into(),
        Ty::Real => "real".into(),
        Ty::Enum(number) => layout.enumerations.get(*number).map_or_else(String::new, |it| it.name.clone()),
        Ty::Value(_) => String::new(),
    }
}

/// A number of a range.
fn literal(number: &RBig, real: bool) -> String {
    let text = logic::format_decimal(number)
        .unwrap_or_else(|| format!("{}.0 / {}.0", number.numerator(), number.denominator()));
    if real && !text.contains('.') { format!("{text}.0") } else { text }
}

/// A text for between double quotes.
fn escaped(text: &str) -> String {
    draw::terminal::plain(text).replace('\\', "\\\\").replace('"', "\\\"")
}
