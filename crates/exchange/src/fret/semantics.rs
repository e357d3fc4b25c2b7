//! The member `semantics` of a requirement, computed from its sentence in the names and the order of FRET: fields,
//! their places in the text, names, and our formulas for the same meaning. Positions count UTF-16 units of the text
//! without white space around it and without its final dot; ends are inclusive.

use super::formulas::formulas;
use super::spelling::{component, spelled, trimmed, variables};
use logic::{Sort, Store};
use requirement::explain::explain;
use requirement::{Context, Fields, lower, occurrences};
use serde_json::{Map, Value, json};
use syntax::fretish::{Clause, Join, Qualifier, Sentence, parse};
use syntax::{Expr, Kind, NodeRef, Severity, Span, Word};

/// The members of `semantics` that FRET computes, in all its versions; any other is kept as it is.
#[rustfmt::skip]
pub const SEMANTICS: &[&str] = &[
    "type", "scope", "condition", "probability", "probability_bound", "timing", "response", "variables",
    "scope_mode", "scopeTextRange", "qualifier_word", "pre_condition", "regular_condition", "conditionTextRange",
    "component_name", "componentTextRange", "probabilityTextRange", "duration", "stop_condition",
    "timingTextRange", "post_condition", "responseTextRange", "diagramVariables", "description", "diagram",
    "scope_mode_pt", "scope_mode_ft", "scope_mode_coco", "scope_mode_pctl",
    "regular_condition_unexp_pt", "regular_condition_unexp_ft", "regular_condition_unexp_pctl",
    "regular_condition_SMV_pt", "regular_condition_SMV_ft", "regular_condition_PRISM_pctl",
    "regular_condition_PCTL", "regular_condition_coco", "regular_condition_coco_smv",
    "post_condition_unexp_pt", "post_condition_unexp_ft", "post_condition_unexp_pctl",
    "post_condition_SMV_pt", "post_condition_SMV_ft", "post_condition_PRISM_pctl",
    "post_condition_PCTL", "post_condition_coco", "post_condition_coco_smv",
    "stop_condition_unexp_pt", "stop_condition_unexp_ft", "stop_condition_unexp_pctl",
    "stop_condition_SMV_pt", "stop_condition_SMV_ft", "stop_condition_PRISM_pctl",
    "stop_condition_PCTL", "stop_condition_coco", "stop_condition_coco_smv",
    "ft", "ft_fetched", "pt", "pt_fetched", "pctl", "pctl_fetched", "ptExpanded", "ptExpanded_fetched",
    "ptFinBtwExpanded", "ptFinBtwExpanded_fetched", "CoCoSpecCode", "CoCoSpecCode_fetched",
    "ftExpanded", "ftExpanded_fetched", "ftExpandedUnoptimized", "pctlExpanded", "pctlExpanded_fetched",
    "ftInfAUExpanded", "ftInfAUExpanded_fetched", "ftInfBtwExpanded", "ftInfBtwExpanded_fetched",
    "ftFinBtwExpanded", "ftFinBtwExpanded_fetched", "component",
];

/// What FRET would say about a sentence; nothing at all if it cannot be read.
pub fn semantics(text: &str) -> Map<String, Value> {
    semantics_of(text, &|_, _| None)
}

/// As [`semantics`], with the declared sorts of variables, by component and name.
pub(super) fn semantics_of(text: &str, declared: &dyn Fn(&str, &str) -> Option<Sort>) -> Map<String, Value> {
    let text = trimmed(text);
    let parse = parse(text);
    let root = parse.tree.root();
    let sentence = Sentence::of(&parse.tree);
    let mut store = Store::default();
    let component_name = Fields::of(sentence).component.map(|field| field.text).unwrap_or_default();
    let names = occurrences(&parse.tree);
    let sort = |name: &str| declared(&component_name, name).unwrap_or(Sort::Any);
    let signals = names.iter().map(|it| (it.name.clone(), sort(&it.name))).collect();
    let context = Context { signals: Some(signals), ..Context::default() };
    let mut lowered = lower(&mut store, &parse, &context);
    if lowered.requirement.is_none() {
        // What is declared contradicts the sentence; FRET looks at the sentence alone.
        lowered = lower(&mut store, &parse, &Context::default());
    }
    let mut out = Out { text, members: Map::new() };
    if sentence.freeform().is_some() {
        out.kind("freeForm", ["null"; 3], "null", "action");
        out.put("variables", json!([]));
        out.put("description", "A note: it is kept and has no formal meaning.");
        return out.members;
    }
    let wrong = lowered.diagnostics.iter().any(|diagnostic| diagnostic.severity() == Severity::Error);
    let (Some(requirement), Some(key), false) = (lowered.requirement, lowered.key, wrong) else {
        return Map::new();
    };
    let fields = Fields::of(sentence);
    let probability = if sentence.probability().is_some() { "bound" } else { "null" };
    out.kind("nasa", [key.scope, key.condition, key.timing], probability, "satisfaction");
    out.put("variables", variables(sentence));
    out.scope(sentence);
    out.condition(sentence);
    out.put("component_name", component(root));
    if let Some(node) = root.child(Kind::Component) {
        out.range("componentTextRange", node.span());
    }
    if let Some(node) = sentence.probability() {
        let parts: Vec<&str> = node.text().split_whitespace().skip(2).collect();
        out.put("probability_bound", parts);
        out.range("probabilityTextRange", node.span());
    }
    out.put("duration", fields.duration.as_ref().map(|field| field.text.clone()));
    if let Some(timing) = sentence.timing() {
        out.put("stop_condition", timing.stop.map(|stop| format!("({})", spelled(stop))));
        let span = out.with_comma_before(out.with_comma(timing.node.span()));
        out.range("timingTextRange", span);
    }
    if let Some(response) = sentence.response() {
        out.put("post_condition", format!("({})", spelled(response)));
        let satisfy = root.own_tokens().find(|(_, _, text)| Word::of(text) == Some(Word::Satisfy));
        let span = response.span();
        out.range("responseTextRange", satisfy.map_or(span, |(_, satisfy, _)| satisfy.to(span)));
    }
    let explanation = explain(&requirement, &fields);
    out.put("diagramVariables", out.legend());
    out.put("description", [explanation.scope, explanation.trigger, explanation.response].join("\n"));
    let name = [key.scope, key.condition, key.timing].join("_");
    out.put("diagram", format!("_media/user-interface/examples/svgDiagrams/{name}_satisfaction.svg"));
    let is_int = |name: &str| lowered.sorts.names.get(name) == Some(&Sort::Int);
    formulas(&mut store, &requirement, &is_int, &mut out.members);
    out.put("component", component(root));
    out.members
}

struct Out<'t> {
    text: &'t str,
    members: Map<String, Value>,
}

impl Out<'_> {
    fn put(&mut self, name: &str, value: impl Into<Value>) {
        let value = value.into();
        if !value.is_null() {
            self.members.insert(name.into(), value);
        }
    }

    fn kind(&mut self, kind: &str, [scope, condition, timing]: [&str; 3], probability: &str, response: &str) {
        self.put("type", kind);
        let is_point = ["before", "after", "onlyBefore", "onlyAfter"].contains(&scope);
        self.put(
            "scope",
            match is_point {
                true => json!({ "type": scope, "exclusive": false, "required": false }),
                false => json!({ "type": scope }),
            },
        );
        for (name, value) in [
            ("condition", condition),
            ("probability", probability),
            ("timing", timing),
            ("response", response),
        ] {
            self.put(name, value);
        }
    }

    fn scope(&mut self, sentence: Sentence) {
        let Some(scope) = sentence.scope() else { return };
        if let Some(mode) = scope.mode {
            // After `before` and `after` a name may be a mode or a condition; FRET takes it for a mode.
            let is_while = scope.node.own_tokens().any(|(_, _, text)| Word::of(text) == Some(Word::While));
            let is_mode = mode.kind() == Kind::NameRef && !is_while;
            self.put("scope_mode", if is_mode { mode.text().into() } else { format!("({})", spelled(mode)) });
        }
        self.range("scopeTextRange", self.with_comma(scope.node.span()));
    }

    fn condition(&mut self, sentence: Sentence) {
        let (Some(node), clauses) = (sentence.condition(), sentence.clauses()) else { return };
        let words = node.children().filter(|child| child.kind() == Kind::Clause);
        let word = words.filter_map(|clause| clause.own_tokens().next()).last();
        self.put("qualifier_word", word.map(|(_, _, text)| text.to_lowercase()));
        let mut folded: Option<String> = None;
        let mut last = None;
        for clause in &clauses {
            let Some((plain, signed)) = clause_text(clause) else { continue };
            folded = Some(match (folded, clause.join) {
                (None, _) => signed,
                (Some(earlier), Join::And) => format!("({earlier} & {signed})"),
                (Some(earlier), Join::Or) => format!("({earlier} | {signed})"),
            });
            last = Some(plain);
        }
        self.put("pre_condition", last);
        self.put("regular_condition", folded);
        let span = self.with_comma(node.span());
        let before = self.text.get(..span.start as usize).unwrap_or_default().trim_end();
        let joined = before
            .rsplit(|c: char| !c.is_alphanumeric())
            .next()
            .filter(|word| word.eq_ignore_ascii_case("and"));
        let start = joined.map_or(span.start, |word| (before.len() - word.len()) as u32);
        self.range("conditionTextRange", Span::new(start, span.end));
    }

    /// `M = …, TC = …, n = …, Response = ….`, each in bold italics.
    fn legend(&self) -> String {
        let value = |name: &str| self.members.get(name).and_then(Value::as_str);
        let trigger = if value("condition") == Some("holding") { "CC" } else { "TC" };
        let parts = [
            ("M", "scope_mode"),
            (trigger, "regular_condition"),
            (" n", "duration"),
            ("SC", "stop_condition"),
            ("Response", "post_condition"),
        ];
        let shown = parts
            .iter()
            .filter_map(|(label, name)| Some(format!("{label} = <b><i>{}</i></b>", value(name)?)));
        format!("{}.", shown.collect::<Vec<_>>().join(", "))
    }

    fn range(&mut self, name: &str, span: Span) {
        let units = |end: u32| self.text.get(..end as usize).map_or(0, |text| text.encode_utf16().count());
        let (start, end) = (units(span.start), units(span.end));
        self.put(name, json!([start, end.saturating_sub(1)]));
    }

    /// With the comma that follows, which FRET counts to the field.
    fn with_comma(&self, span: Span) -> Span {
        let rest = self.text.get(span.end as usize..).unwrap_or_default();
        let gap = rest.len() - rest.trim_start().len();
        let comma = rest.trim_start().starts_with(',');
        Span::new(span.start, if comma { span.end + gap as u32 + 1 } else { span.end })
    }

    /// With the comma before it.
    fn with_comma_before(&self, span: Span) -> Span {
        let before = self.text.get(..span.start as usize).unwrap_or_default().trim_end();
        Span::new(if before.ends_with(',') { before.len() as u32 - 1 } else { span.start }, span.end)
    }
}

/// A clause as written, and with its negation.
fn clause_text(clause: &Clause) -> Option<(String, String)> {
    let node = clause.expression?;
    let (inner, is_false): (NodeRef, bool) = match (node.kind(), Expr::of(node)) {
        (Kind::Is, Expr::Is(inner, truth)) => (inner, !truth),
        _ => (node, false),
    };
    let plain = format!("({})", spelled(inner));
    let negated = is_false != (clause.qualifier == Qualifier::Unless);
    let signed = if negated { format!("(! {plain})") } else { plain.clone() };
    Some((plain, signed))
}
