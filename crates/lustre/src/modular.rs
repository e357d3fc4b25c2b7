//! Verification node by node: each node is checked in its own scope, with the bodies of its callees or with contracts in their place.
//!
//! Callees come before callers. A verdict that uses contracts in place of bodies is valid only if those contracts are satisfied, so
//! it names the ones that are not proved. A violation found with contracts in place of bodies may be due to what they leave open, so
//! it decides nothing. With [`Calls::Refined`], what the contracts do not decide is tried again with all bodies.

use crate::{Callees, Node, Options, Program};
use engine::{Answer, Config, Part, Verdict, Why, verify};
use rustc_hash::FxHashSet;
use syntax::Diagnostic;
use system::{Origin, System};

/// The extent of an analysis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent<'a> {
    /// Every node that has a contract or properties.
    Everything,
    /// One node, and the nodes that its verdicts depend on.
    Node(&'a str),
}

/// What takes the place of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Calls {
    /// The body of the callee.
    Bodies,
    /// The contract of the callee, if it has one.
    Contracts,
    /// The contract first; the body for what is then not definitely valid.
    Refined,
}

/// The verdicts about nodes.
#[derive(Clone, Debug, Default)]
pub struct Analysis {
    /// The nodes that have a system.
    pub parts: Vec<Part>,
    /// Why the others have none, without repetition.
    pub refused: Vec<Diagnostic>,
}

impl Analysis {
    /// A problem of a node is also one of those that contain its body.
    fn refuse(&mut self, why: Vec<Diagnostic>) {
        for it in why {
            if !self.refused.iter().any(|known| known.code.id() == it.code.id() && known.span == it.span) {
                self.refused.push(it);
            }
        }
    }
}

/// Analyses nodes, callees first. Everything that has a contract or properties is analysed, and with [`Calls::Bodies`] also what
/// nobody calls, because it has to satisfy the assumptions of its callees.
pub fn analyse(program: &Program, extent: Extent<'_>, calls: Calls, config: &Config<'_>) -> Analysis {
    let nodes = program.nodes();
    if calls == Calls::Bodies {
        return with_bodies(program, &nodes, extent, config);
    }
    let order = order(&nodes, extent);
    let mut analysis = Analysis::default();
    for (done, name) in order.iter().enumerate() {
        let replaced = replaced(&nodes, name, calls);
        let assumes = unproved(&analysis.parts, &replaced);
        let whole = (config.left)();
        let share = whole / u32::try_from(order.len() - done).unwrap_or(u32::MAX);
        let left = || (config.left)().saturating_sub(whole.saturating_sub(share));
        let config = Config { left: &left, ..*config };
        match node(program, name, replaced, assumes, calls == Calls::Refined, &config) {
            Ok(parts) => analysis.parts.extend(parts),
            Err(why) => analysis.refuse(why),
        }
    }
    if let Extent::Node(name) = extent {
        // The others were analysed only because the verdicts depend on them.
        analysis.parts.retain(|part| part.node == name);
    }
    analysis
}

/// The opaque callees of a node: only their contracts are seen, even where others have bodies.
pub fn opaque(program: &Program, node: &str) -> Vec<String> {
    replaced(&program.nodes(), node, Calls::Bodies)
}

/// The verdicts about each node with the bodies of its callees; nodes without properties are left out.
fn with_bodies(program: &Program, nodes: &[Node], extent: Extent<'_>, config: &Config<'_>) -> Analysis {
    let names: Vec<&str> = match extent {
        Extent::Everything => {
            let called: FxHashSet<&str> = nodes.iter().flat_map(|it| &it.calls).map(String::as_str).collect();
            let claims = |it: &&Node| it.contract || it.claims || it.main || !called.contains(&it.name[..]);
            nodes.iter().filter(|it| !it.imported).filter(claims).map(|it| it.name.as_str()).collect()
        }
        Extent::Node(name) => vec![name],
    };
    let mut analysis = Analysis::default();
    let mut systems: Vec<(&str, System)> = Vec::new();
    for name in names {
        match program.system(name, &Options::default()) {
            Ok(system) if system.properties.is_empty() => {}
            Ok(system) => systems.push((name, system)),
            Err(why) => analysis.refuse(why),
        }
    }
    let mut open: usize = systems.iter().map(|it| it.1.properties.len()).sum();
    for (name, system) in systems {
        // Each property of each node has the same share of the time.
        let whole = (config.left)();
        let count = u32::try_from(system.properties.len()).unwrap_or(u32::MAX);
        let share = whole.mul_f64(f64::from(count) / open as f64);
        open -= system.properties.len();
        let left = || (config.left)().saturating_sub(whole.saturating_sub(share));
        let places: Vec<usize> = (0..system.properties.len()).collect();
        let verdicts = verify(&system, &places, &Config { left: &left, ..*config });
        let replaced = replaced(nodes, name, Calls::Bodies);
        analysis.parts.push(Part { node: name.to_owned(), system, replaced, verdicts, assumes: Vec::new() });
    }
    // A contract is proved only if those that its proof relies on are: what is not proved spreads.
    loop {
        let assumes: Vec<Vec<String>> =
            analysis.parts.iter().map(|it| unproved(&analysis.parts, &it.replaced)).collect();
        let stable = analysis.parts.iter().zip(&assumes).all(|(part, assumes)| part.assumes == *assumes);
        if stable {
            return analysis;
        }
        analysis.parts.iter_mut().zip(assumes).for_each(|(part, assumes)| part.assumes = assumes);
    }
}

/// Which of these contracts are not proved.
fn unproved(parts: &[Part], contracts: &[String]) -> Vec<String> {
    contracts.iter().filter(|it| !is_proved(parts, it)).cloned().collect()
}

/// The verdicts about one node.
fn node(
    program: &Program,
    name: &str,
    replaced: Vec<String>,
    assumes: Vec<String>,
    refine: bool,
    config: &Config<'_>,
) -> Result<Vec<Part>, Vec<Diagnostic>> {
    let system = program.system(name, &Options { callees: Callees::Contract, only: None })?;
    let places: Vec<usize> = (0..system.properties.len()).collect();
    let may_refine = refine && !replaced.is_empty();
    let whole = (config.left)();
    let reserved = if may_refine { whole / 2 } else { std::time::Duration::ZERO };
    let left = || (config.left)().saturating_sub(reserved);
    let mut verdicts = verify(&system, &places, &Config { left: &left, ..*config });
    let name = name.to_owned();
    if !replaced.is_empty() {
        for verdict in &mut verdicts {
            if matches!(verdict.answer, Answer::Invalid(_)) {
                verdict.answer = Answer::Unknown(Why::OnlyAbstract);
            }
        }
    }
    let stands = |it: &Verdict| matches!(it.answer, Answer::Valid(_)) && assumes.is_empty();
    let open: Vec<String> = verdicts
        .iter()
        .filter(|it| !stands(it))
        .map(|it| system.properties[it.property].name.clone())
        .collect();
    if open.is_empty() || !may_refine {
        return Ok(vec![Part { node: name, system, replaced, verdicts, assumes }]);
    }
    let whole = program.system(&name, &Options { callees: Callees::Inline, only: Some(open) })?;
    let places: Vec<usize> = (0..whole.properties.len()).collect();
    let mut refined = Vec::new();
    for verdict in verify(&whole, &places, config) {
        let title = &whole.properties[verdict.property].name;
        let at = verdicts.iter().position(|it| system.properties[it.property].name == *title);
        let Some(before) = at.map(|at| &verdicts[at].answer) else { continue };
        // A conditional or unconfirmed answer is better than none.
        let told = matches!(before, Answer::Valid(_) | Answer::Unknown(Why::OnlyAbstract));
        if told && verdict.answer.is_unknown() {
            continue;
        }
        verdicts.retain(|it| system.properties[it.property].name != *title);
        refined.push(verdict);
    }
    let inlined = Part {
        node: name.clone(),
        system: whole,
        replaced: Vec::new(),
        verdicts: refined,
        assumes: Vec::new(),
    };
    let parts = [Part { node: name, system, replaced, verdicts, assumes }, inlined];
    Ok(parts.into_iter().filter(|part| !part.verdicts.is_empty()).collect())
}

/// Whether everything that a contract guarantees is valid unconditionally.
fn is_proved(parts: &[Part], name: &str) -> bool {
    let mine: Vec<&Part> = parts.iter().filter(|part| part.node == name).collect();
    let is_kept = |part: &&Part| {
        part.verdicts.iter().all(|verdict| match &part.system.properties[verdict.property].origin {
            Origin::Contract { component, .. } if component == name => {
                matches!(verdict.answer, Answer::Valid(_)) && part.assumes.is_empty()
            }
            _ => true,
        })
    };
    !mine.is_empty() && mine.iter().all(is_kept)
}

/// The callees whose contracts replace their bodies.
fn replaced(nodes: &[Node], name: &str, calls: Calls) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut open = vec![name];
    let mut seen = vec![name];
    while let Some(name) = open.pop() {
        let Some(node) = nodes.iter().find(|it| it.name == name) else { continue };
        for callee in &node.calls {
            let Some(callee) = nodes.iter().find(|it| it.name == *callee) else { continue };
            if seen.contains(&callee.name.as_str()) {
                continue;
            }
            seen.push(&callee.name);
            let hidden = callee.opaque || calls != Calls::Bodies && !callee.transparent;
            if callee.recursive && callee.contract && !hidden {
                // Its body is seen once; below that, its contract.
                found.push(callee.name.clone());
            }
            match (callee.contract && hidden, callee.imported) {
                // It has nothing but a contract.
                (_, true) => {}
                (true, false) => found.push(callee.name.clone()),
                (false, false) => open.push(&callee.name),
            }
        }
    }
    found.sort();
    found
}

/// The nodes to analyse, callees first.
fn order(nodes: &[Node], extent: Extent<'_>) -> Vec<String> {
    let claims = |it: &&Node| !it.imported && (it.contract || it.claims);
    let mut open: Vec<(String, bool)> = match extent {
        Extent::Everything => nodes.iter().filter(claims).map(|it| (it.name.clone(), false)).rev().collect(),
        Extent::Node(name) => vec![(name.to_owned(), false)],
    };
    let mut order: Vec<String> = Vec::new();
    let mut entered: Vec<String> = Vec::new();
    // A node is added after everything it depends on; recursion is already rejected.
    while let Some((name, is_done)) = open.pop() {
        if is_done {
            order.push(name);
        } else if !entered.contains(&name) {
            entered.push(name.clone());
            let callees = replaced(nodes, &name, Calls::Contracts);
            open.push((name, true));
            open.extend(callees.into_iter().map(|it| (it, false)));
        }
    }
    order
}
