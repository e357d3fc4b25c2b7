//! The lines of a sheet: ends are found by the name of the block (text) or by its identifier (XML).

use super::Place;
use crate::diagram::{Block, Line, Port};
use crate::read::Log;
use crate::tree::Section;
use rustc_hash::FxHashMap;

/// An end of a line in a file: the block, and what is said of its port.
type End<'a> = (Option<u32>, &'a str, &'a str);

/// The blocks of a sheet.
struct Names<'a> {
    by_name: FxHashMap<&'a str, u32>,
    by_sid: FxHashMap<&'a str, u32>,
}

/// Reads all lines of a sheet.
pub(super) fn lines(section: &Section, blocks: &[Block], place: &mut Place<'_>, log: &mut Log) -> Vec<Line> {
    let mut names = Names { by_name: FxHashMap::default(), by_sid: FxHashMap::default() };
    for (number, block) in (0..).zip(blocks) {
        if names.by_name.insert(&block.name, number).is_some() {
            let message = format!("two blocks have the name `{}`", block.name);
            log.trouble(place.trouble(&message, block.line));
        }
        if let Some(sid) = &block.sid {
            names.by_sid.insert(sid, number);
        }
    }
    let mut lines = Vec::new();
    for inner in section.all("Line") {
        if place.left == 0 {
            log.trouble(place.trouble("the model has too many lines", inner.line));
            break;
        }
        place.left -= 1;
        let mut line = Line {
            name: inner.value("Name").filter(|it| !it.is_empty()).map(str::to_owned),
            ..Line::default()
        };
        if inner.value("LineType") == Some("Connection") {
            log.trouble(place.trouble("a physical connection is not read", inner.line));
            continue;
        }
        if let Some((block, what, port)) = names.end(inner, "Src") {
            let port = if what == "out" { port.parse().ok().filter(|it| *it > 0) } else { None };
            line.from = block.zip(port);
            if line.from.is_none() {
                lost(inner, "begins", place, log);
            }
        }
        targets(inner, &names, &mut line.to, place, log);
        lines.push(line);
    }
    lines
}

/// The ends of a line and of its branches. The depth of a tree is limited, so this may recurse.
fn targets(
    section: &Section,
    names: &Names<'_>,
    to: &mut Vec<(u32, Port)>,
    place: &Place<'_>,
    log: &mut Log,
) {
    if let Some((block, what, number)) = names.end(section, "Dst") {
        let port = match what {
            "in" => number.parse().ok().filter(|it| *it > 0).map(Port::Data),
            "ifaction" => Some(Port::Action),
            "enable" => Some(Port::Enable),
            "trigger" => Some(Port::Trigger),
            "reset" | "Reset" => Some(Port::Reset),
            _ => None,
        };
        match block.zip(port) {
            Some(end) => to.push(end),
            None => lost(section, "ends", place, log),
        }
    }
    for branch in section.all("Branch") {
        targets(branch, names, to, place, log);
    }
}

fn lost(section: &Section, does: &str, place: &Place<'_>, log: &mut Log) {
    let end = if does == "begins" { "Src" } else { "Dst" };
    let block = section.value(end).or_else(|| section.value(&format!("{end}Block"))).unwrap_or_default();
    let port = section.value(&format!("{end}Port")).unwrap_or_default();
    let message = format!("a line {does} at `{}`, which is not there", format!("{block} {port}").trim());
    log.trouble(place.trouble(&message, section.line));
}

impl<'a> Names<'a> {
    /// An end of a line; none if it is not connected.
    fn end<'s>(&self, section: &'s Section, end: &str) -> Option<End<'s>> {
        if let Some(text) = section.value(end) {
            let (sid, port) = text.rsplit_once('#').unwrap_or((text, ""));
            let (what, number) = port.split_once(':').unwrap_or((port, ""));
            return Some((self.by_sid.get(sid).copied(), what, number));
        }
        let block = section.value(&format!("{end}Block"))?;
        let port = section.value(&format!("{end}Port")).unwrap_or("1");
        let numbered = port.bytes().all(|byte| byte.is_ascii_digit());
        let what = match end {
            _ if !numbered => port,
            "Src" => "out",
            _ => "in",
        };
        Some((self.by_name.get(block).copied(), what, port))
    }
}
