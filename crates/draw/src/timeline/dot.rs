//! The picture as Graphviz source, for `dot -Tsvg` and other layout tools.
//!
//! Points are where lines split and join; a loop is a cluster with one edge back.

use super::plan::{DEAD_END, Guard, Part, Plan};
use super::{Undrawable, label};
use ::timeline::picture::Picture;
use logic::Store;
use std::fmt::Write;

/// The longest line of a label, in columns.
const LABEL_ROOM: usize = 22;

/// The picture as a graph in the language of Graphviz.
pub fn dot(store: &Store, picture: &Picture) -> Result<String, Undrawable> {
    let plan = Plan::of(store, picture)?;
    let mut writer = Writer { dot: String::new(), nodes: 0, clusters: 0 };
    writer.put("digraph timeline {");
    writer.put("rankdir=LR; fontname=\"sans-serif\";");
    writer.put("node [shape=box style=\"rounded,filled\" fillcolor=white color=\"#1d5bb8\" fontname=monospace fontsize=12];");
    writer.put("edge [color=\"#5b6878\" arrowsize=0.7 fontname=\"sans-serif\" fontsize=10];");
    if let Some(notice) = plan.notice() {
        writer.put(&format!("label={}; labelloc=t;", quote(notice)));
    }
    if !plan.alternatives.is_empty() {
        let start =
            writer.node("shape=circle style=filled fillcolor=black width=0.15 label=\"\" xlabel=start");
        for lanes in &plan.alternatives {
            writer.alternative(lanes, start);
        }
    }
    writer.put("}");
    Ok(writer.dot)
}

struct Writer {
    dot: String,
    nodes: usize,
    clusters: usize,
}

impl Writer {
    fn put(&mut self, line: &str) {
        let _ = writeln!(self.dot, "{line}");
    }

    fn node(&mut self, attributes: &str) -> usize {
        self.nodes += 1;
        self.put(&format!("n{} [{attributes}];", self.nodes));
        self.nodes
    }

    fn point(&mut self) -> usize {
        self.node("shape=point width=0.03 color=\"#5b6878\"")
    }

    fn edge(&mut self, from: usize, to: usize, attributes: &str) {
        let attributes = if attributes.is_empty() { String::new() } else { format!(" [{attributes}]") };
        self.put(&format!("n{from} -> n{to}{attributes};"));
    }

    fn alternative(&mut self, lanes: &[Part], start: usize) {
        let from = if lanes.len() > 1 {
            let bar =
                self.node("shape=box style=filled fillcolor=black width=0.06 height=1 label=\"\" xlabel=all");
            self.edge(start, bar, "");
            bar
        } else {
            start
        };
        for lane in lanes {
            let (entry, exit) = self.part(lane);
            self.edge(from, entry, "");
            if let Some(exit) = exit {
                let end = self
                    .node("shape=doublecircle style=filled fillcolor=black width=0.1 label=\"\" xlabel=end");
                self.edge(exit, end, "");
            }
        }
    }

    /// Draws a part; returns the node where it is entered, and the node where it is left, if it can be.
    fn part(&mut self, part: &Part) -> (usize, Option<usize>) {
        match part {
            Part::Step(guard) => {
                let style =
                    if guard.anything { " style=\"rounded,filled,dashed\" color=\"#55606d\"" } else { "" };
                let node = self.node(&format!("label={}{style}", label_of(guard)));
                (node, Some(node))
            }
            Part::Sequence(parts) => {
                let mut ends: Option<(usize, Option<usize>)> = None;
                for part in parts {
                    let (entry, exit) = self.part(part);
                    if let Some((_, Some(before))) = ends {
                        self.edge(before, entry, "");
                    }
                    ends = Some((ends.map_or(entry, |(first, _)| first), exit));
                }
                ends.unwrap_or_else(|| {
                    let point = self.point();
                    (point, Some(point))
                })
            }
            Part::Either(parts) if parts.is_empty() => {
                (self.node(&format!("shape=plaintext style=\"\" label={}", quote(DEAD_END))), None)
            }
            Part::Either(parts) => {
                let fork = self.point();
                let mut exits = Vec::new();
                for part in parts {
                    if part.is_skip() {
                        exits.push((fork, "label=skip"));
                        continue;
                    }
                    let (entry, exit) = self.part(part);
                    self.edge(fork, entry, "");
                    exits.extend(exit.map(|exit| (exit, "")));
                }
                let join = (!exits.is_empty()).then(|| self.point());
                for (exit, attributes) in exits {
                    join.into_iter().for_each(|join| self.edge(exit, join, attributes));
                }
                (fork, join)
            }
            Part::Repeat(body, times) => {
                let around = (times.min == 0).then(|| (self.point(), self.point()));
                let count = if times.min == 0 { times.beside_skip() } else { Some(times.range()) };
                let (entry, exit) = match count {
                    Some(count) => self.cluster(body, "style=\"rounded,dashed\" color=\"#0b6b60\"", &count),
                    None => self.part(body),
                };
                match around {
                    None => (entry, exit),
                    Some((before, after)) => {
                        self.edge(before, entry, "");
                        if let Some(exit) = exit {
                            self.edge(exit, after, "");
                        }
                        self.edge(before, after, "label=skip");
                        (before, Some(after))
                    }
                }
            }
            Part::Forever(body) => {
                let style = "style=\"rounded,filled\" fillcolor=\"#edf2f9\" color=\"#0b6b60\"";
                (self.cluster(body, style, "∞ forever").0, None)
            }
        }
    }

    /// A part in a box with an edge back from its end to its start.
    fn cluster(&mut self, body: &Part, style: &str, count: &str) -> (usize, Option<usize>) {
        self.clusters += 1;
        self.put(&format!("subgraph cluster_{} {{", self.clusters));
        self.put(&format!("{style} fontcolor=\"#0b6b60\" label={};", quote(count)));
        let first = self.point();
        let (entry, exit) = self.part(body);
        self.edge(first, entry, "");
        let last = exit.map(|exit| {
            let last = self.point();
            self.edge(exit, last, "arrowhead=none");
            self.edge(last, first, "constraint=false color=\"#0b6b60\"");
            last
        });
        self.put("}");
        (first, last)
    }
}

/// The lines of a condition, left-justified where there are several.
fn label_of(guard: &Guard) -> String {
    let lines = label::lines(guard, LABEL_ROOM);
    match lines.as_slice() {
        [line] => quote(&line.symbols),
        _ => {
            let shown = lines.iter().map(|line| escape(&line.symbols) + "\\l");
            format!("\"{}\"", shown.collect::<String>())
        }
    }
}

fn quote(text: &str) -> String {
    format!("\"{}\"", escape(text))
}

/// Escapes quotes, and the backslashes and character entities that Graphviz interprets in labels.
fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('&', "&amp;")
}

#[cfg(test)]
mod tests {
    use super::super::testing::samples::{Maker, gallery, lanes, seq, star};
    use super::*;

    #[test]
    fn loops_are_clusters_with_one_edge_back() {
        let mut m = Maker::default();
        let (not_a, a) = (m.step("!a"), m.step("a"));
        let drawn = dot(&m.store, &lanes([vec![seq([star(not_a), a])]])).expect("drawable");
        let graph: Vec<&str> = drawn.lines().skip(4).collect();
        let expected = r##"n1 [shape=circle style=filled fillcolor=black width=0.15 label="" xlabel=start];
n2 [shape=point width=0.03 color="#5b6878"];
n3 [shape=point width=0.03 color="#5b6878"];
subgraph cluster_1 {
style="rounded,dashed" color="#0b6b60" fontcolor="#0b6b60" label="1..∞";
n4 [shape=point width=0.03 color="#5b6878"];
n5 [label="¬a"];
n4 -> n5;
n6 [shape=point width=0.03 color="#5b6878"];
n5 -> n6 [arrowhead=none];
n6 -> n4 [constraint=false color="#0b6b60"];
}
n2 -> n4;
n6 -> n3;
n2 -> n3 [label=skip];
n7 [label="a"];
n3 -> n7;
n1 -> n2;
n8 [shape=doublecircle style=filled fillcolor=black width=0.1 label="" xlabel=end];
n7 -> n8;
}"##;
        assert_eq!(graph.join("\n"), expected);
    }

    #[test]
    fn quotes_and_braces_are_balanced() {
        let mut m = Maker::default();
        let odd = m.step("say\"hello\\{&amp; x");
        let (store, mut pictures) = gallery();
        let mut drawn = vec![dot(&m.store, &lanes([vec![odd]])).expect("drawable")];
        drawn.extend(pictures.drain(..).map(|(_, picture)| dot(&store, &picture).expect("drawable")));
        for graph in drawn {
            let (mut depth, mut quoted, mut escaped) = (0, false, false);
            for c in graph.chars() {
                match c {
                    _ if escaped => escaped = false,
                    '\\' => escaped = true,
                    '"' => quoted = !quoted,
                    '{' if !quoted => depth += 1,
                    '}' if !quoted => depth -= 1,
                    _ => {}
                }
            }
            assert_eq!((depth, quoted), (0, false), "{graph}");
        }
    }
}
