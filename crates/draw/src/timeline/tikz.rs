//! The scene as a LaTeX document with TikZ; conditions are set as math, with the parentheses they need.
//!
//! One unit of the drawing is 0.75 bp, and y grows downwards as on a screen. No TikZ libraries are needed. The document is ASCII, so
//! that every LaTeX reads it: `\uni{F6}{\"{o}}` is a character of a name. LuaLaTeX and XeLaTeX print the character itself, pdfLaTeX its
//! second argument: an accented letter, or the number of the character, for alphabets that it has no font for.

use super::plan::Plan;
use super::scene::{Item, Look, Segment, Text};
use super::{Undrawable, page};
use crate::svg::measure::Face;
use crate::svg::style::Shade;
use crate::svg::{Anchor, Point, Rect};
use ::timeline::picture::Picture;
use logic::Store;
use std::fmt::Write;

/// The picture as a complete LaTeX document, below a title.
pub fn tikz(store: &Store, picture: &Picture, title: &str) -> Result<String, Undrawable> {
    let plan = Plan::of(store, picture)?;
    let scene = page::scene(&plan, title);
    let mut writer = Writer { tex: String::new() };
    for look in Look::ALL {
        let style = look.style();
        let name = colour(style.class);
        for (side, shade) in [("fill", style.fill), ("line", style.stroke)] {
            if let Some(shade) = shade {
                writer.put(&format!("\\definecolor{{{name}{side}}}{{HTML}}{{{}}}", hex(shade)));
            }
        }
    }
    writer.put("\\begin{tikzpicture}[x=0.75bp,y=-0.75bp]");
    scene.items.iter().for_each(|item| writer.item(item, (0, 0)));
    writer.put("\\end{tikzpicture}");
    Ok(format!(
        "\\documentclass[tikz,border=4pt]{{standalone}}\n\\usepackage{{amsmath,amssymb,iftex}}\n{ENGINES}\\begin{{document}}\n{}\\end{{document}}\n",
        writer.tex
    ))
}

/// Characters beyond ASCII, by what the engine can print.
const ENGINES: &str = "\
\\ifPDFTeX
\\usepackage[T1]{fontenc}
\\newcommand{\\uni}[2]{\\text{#2}}
\\else
\\usepackage{fontspec}
\\newcommand{\\uni}[2]{\\text{\\symbol{\"#1}}}
\\fi
";

struct Writer {
    tex: String,
}

impl Writer {
    fn put(&mut self, line: &str) {
        let _ = writeln!(self.tex, "{line}");
    }

    fn item(&mut self, item: &Item, origin: Point) {
        match item {
            // The page is the paper.
            Item::Rect { look: Look::Paper, .. } => {}
            Item::Rect { look, rect, radius } => {
                let Rect { x, y, width, height } = *rect;
                let corner = place((x, y), origin);
                let opposite = place((x + width, y + height), origin);
                let radius = bp(radius.min(&(height / 2)) * 4);
                let options = options(*look);
                self.put(&format!(
                    "\\path[{options},rounded corners={radius}] {corner} rectangle {opposite};"
                ));
            }
            Item::Path { look, path } => {
                let steps: Vec<String> = path.iter().map(|segment| step(*segment, origin)).collect();
                let close = if look.style().stroke.is_none() { " -- cycle" } else { "" };
                self.put(&format!("\\path[{}] {}{close};", options(*look), steps.join(" ").trim_start()));
            }
            Item::Text(text) => self.text(text, origin),
            Item::Group(group) => {
                if let Some(origin) = group.on_paper(origin) {
                    group.items.iter().for_each(|item| self.item(item, origin));
                }
            }
        }
    }

    fn text(&mut self, text: &Text, origin: Point) {
        let anchor = match text.anchor {
            Anchor::Start => "base west",
            Anchor::Middle => "base",
            Anchor::End => "base east",
        };
        let (_, size, shade) = text.style.style();
        let words: String = text.line.iter().map(|piece| escape(&piece.text)).collect();
        let strong = text.line.iter().any(|piece| piece.face == Face::Strong);
        let weight = if strong { "\\bfseries" } else { "" };
        let content = text.latex.as_ref().map_or(words, |latex| format!("${}$", in_ascii(latex)));
        let (size, leading) = (bp(size * 4), bp(size * 5));
        let font = format!("\\fontsize{{{size}}}{{{leading}}}\\selectfont{weight}");
        let colour = format!("{{rgb,255:{}}}", channels(shade));
        self.put(&format!(
            "\\node[anchor={anchor},inner sep=0pt,text={colour},font={font}] at {} {{{content}}};",
            place(text.at, origin)
        ));
    }
}

fn options(look: Look) -> String {
    let style = look.style();
    let name = colour(style.class);
    let mut options: Vec<String> = Vec::new();
    options.extend(style.fill.map(|_| format!("fill={name}fill")));
    if style.stroke.is_some() {
        options.push(format!("draw={name}line,line width={}", bp(style.quarters)));
    }
    if style.dashed {
        options.push("dash pattern=on 3bp off 2.25bp".into());
    }
    options.join(",")
}

fn step(segment: Segment, origin: Point) -> String {
    match segment {
        Segment::Move(to) => place(to, origin),
        Segment::Line(to) => format!("-- {}", place(to, origin)),
        Segment::Curve(a, b, to) => {
            let [a, b, to] = [a, b, to].map(|point| place(point, origin));
            format!(".. controls {a} and {b} .. {to}")
        }
    }
}

fn place((x, y): Point, origin: Point) -> String {
    format!("({},{})", x + origin.0, y + origin.1)
}

/// Quarters of a pixel in big points, exactly: a quarter is 0.1875 bp.
fn bp(quarters: i32) -> String {
    let parts = i64::from(quarters) * 1875;
    let text = format!("{}.{:04}", parts / 10_000, parts % 10_000);
    format!("{}bp", text.trim_end_matches('0').trim_end_matches('.'))
}

/// The name of a colour, made of letters only.
fn colour(class: &str) -> String {
    class.chars().filter(char::is_ascii_alphabetic).collect()
}

fn hex(shade: &Shade) -> String {
    shade.light.trim_start_matches('#').to_uppercase()
}

fn channels(shade: &Shade) -> String {
    let channel = |at: usize| shade.light.get(at..at + 2).and_then(|hex| u8::from_str_radix(hex, 16).ok());
    let [red, green, blue] = [1, 3, 5].map(|at| channel(at).unwrap_or(0));
    format!("red,{red};green,{green};blue,{blue}")
}

/// Words as LaTeX text.
fn escape(text: &str) -> String {
    let letter = |c: char| match c {
        '\\' => "\\textbackslash{}".to_owned(),
        '^' => "\\textasciicircum{}".to_owned(),
        '~' => "\\textasciitilde{}".to_owned(),
        '{' | '}' | '$' | '%' | '&' | '#' | '_' => format!("\\{c}"),
        '∞' => "$\\infty$".to_owned(),
        '≤' => "$\\leq$".to_owned(),
        '≥' => "$\\geq$".to_owned(),
        '≠' => "$\\neq$".to_owned(),
        '×' => "$\\times$".to_owned(),
        '¬' => "$\\neg$".to_owned(),
        '∧' => "$\\land$".to_owned(),
        '∨' => "$\\lor$".to_owned(),
        '→' => "$\\rightarrow$".to_owned(),
        '<' => "$<$".to_owned(),
        '>' => "$>$".to_owned(),
        '|' => "$|$".to_owned(),
        '"' => "''".to_owned(),
        _ => ascii(c),
    };
    text.chars().filter(|c| !c.is_control()).map(letter).collect()
}

/// LaTeX with its characters beyond ASCII as commands.
fn in_ascii(latex: &str) -> String {
    latex.chars().filter(|c| !c.is_control()).map(ascii).collect()
}

/// A character as ASCII.
fn ascii(c: char) -> String {
    if c.is_ascii() {
        return c.to_string();
    }
    let known = ACCENTED.iter().find_map(|(letters, accent)| {
        let mut pairs = letters.chars().zip(letters.chars().skip(1)).step_by(2);
        pairs.find(|(accented, _)| *accented == c).map(|(_, plain)| format!("{accent}{{{plain}}}"))
    });
    let special = || SPECIAL.iter().find(|(letter, _)| *letter == c).map(|(_, text)| (*text).to_owned());
    let code = format!("{:X}", u32::from(c));
    let shown = known.or_else(special).unwrap_or_else(|| format!("U+{code}"));
    format!("\\uni{{{code}}}{{{shown}}}")
}

/// Letters with an accent, each followed by the plain letter.
const ACCENTED: [(&str, &str); 7] = [
    ("äaöoüuÄAÖOÜUëeïi", "\\\""),
    ("áaéeíióoúuýyÁAÉEÍIÓOÚUńnśsźz", "\\'"),
    ("àaèeìiòoùuÀAÈEÌIÒOÙU", "\\`"),
    ("âaêeîiôoûuÂAÊEÎIÔOÛU", "\\^"),
    ("ãañnõoÃAÑNÕO", "\\~"),
    ("čcďděeňnřršsžzČCŠSŽZ", "\\v"),
    ("çcÇCşsŞS", "\\c"),
];

/// Letters with a command of their own.
const SPECIAL: [(char, &str); 10] = [
    ('ß', "\\ss{}"),
    ('æ', "\\ae{}"),
    ('Æ', "\\AE{}"),
    ('ø', "\\o{}"),
    ('Ø', "\\O{}"),
    ('å', "\\aa{}"),
    ('Å', "\\AA{}"),
    ('ł', "\\l{}"),
    ('Ł', "\\L{}"),
    ('œ', "\\oe{}"),
];

#[cfg(test)]
mod tests {
    use super::super::testing::samples::{Maker, forever, gallery, lanes};
    use super::*;

    /// Checks that braces are balanced, and that math mode ends on the line on which it begins.
    fn check(tex: &str) {
        let mut depth = 0;
        for line in tex.lines() {
            let (mut math, mut escaped) = (false, false);
            for c in line.chars() {
                match c {
                    _ if escaped => escaped = false,
                    '\\' => escaped = true,
                    '{' => depth += 1,
                    '}' => depth -= 1,
                    '$' => math = !math,
                    _ => assert!(c.is_ascii(), "{line}"),
                }
                assert!(depth >= 0, "{line}");
            }
            assert!(!math, "{line}");
            assert_eq!(depth, 0, "{line}");
        }
    }

    #[test]
    fn documents_are_well_formed() {
        let (store, pictures) = gallery();
        for (_, picture) in pictures {
            check(&tikz(&store, &picture, "100% of {a_b} \\ $x$ & #1 ∞ ^~").expect("drawable"));
        }
        let mut m = Maker::default();
        let odd = m.step("50%{x} a_b$");
        check(&tikz(&m.store, &lanes([vec![forever(odd)]]), "").expect("drawable"));
    }

    #[test]
    fn names_in_any_alphabet_are_ascii() {
        let mut m = Maker::default();
        let odd = m.step("größe_1 速度 Łódź");
        let tex = tikz(&m.store, &lanes([vec![forever(odd)]]), "Größe ≤ 3: 速度 š").expect("drawable");
        check(&tex);
        for part in ["\\uni{F6}{\\\"{o}}\\uni{DF}{\\ss{}}e", "\\uni{901F}{U+901F}", "\\uni{161}{\\v{s}}"] {
            assert!(tex.contains(part), "{part}\n{tex}");
        }
    }

    #[test]
    fn conditions_keep_their_parentheses() {
        let mut m = Maker::default();
        let (either, c) = (m.any("a b"), m.all("!c_1"));
        let both = m.store.and2(either, c);
        let piece = m.moment(both);
        let tex = tikz(&m.store, &lanes([vec![piece]]), "").expect("drawable");
        let node = tex.lines().find(|line| line.contains("\\land")).expect("a node");
        assert!(
            node.ends_with("{$(\\mathit{a} \\lor \\mathit{b}) \\land \\neg \\mathit{c\\_1}$};"),
            "{node}"
        );
    }

    #[test]
    fn lengths_are_exact() {
        for (quarters, expected) in
            [(4, "0.75bp"), (6, "1.125bp"), (52, "9.75bp"), (16, "3bp"), (5, "0.9375bp")]
        {
            assert_eq!(bp(quarters), expected);
        }
    }
}
