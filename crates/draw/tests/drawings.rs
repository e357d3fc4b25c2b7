//! Every template is drawn, with ordinary and with hostile labels: the SVG is well formed and stays on its canvas, and
//! the text has no trailing white space.

use requirement::diagram::{Lane, Mark, MarkKind, Role, Scene};
use requirement::explain::{Explanation, explain};
use requirement::{Field, Fields, template};
use std::collections::BTreeMap;

const HOSTILE: [&str; 7] = [
    "alarm",
    "",
    "a < b & \"c\" > 'd'",
    "]]></text><script>alert(1)</script><!--",
    "\u{0}\u{7}\u{1b}[31m\r\n\t\u{fffe}\u{ffff}",
    "速度制限を超えた場合に警告灯を点灯させるための条件 🚀",
    "a_name_that_goes_on_and_on_without_any_place_to_break_it_so_that_it_has_to_be_cut_somewhere_in_the_middle_of_it",
];

fn fields(text: &str) -> Fields {
    let field = || Some(Field { text: text.into(), span: syntax::Span { start: 0, end: 0 } });
    Fields { scope_mode: field(), condition: field(), stop: field(), response: field(), ..Fields::default() }
}

#[test]
fn every_template_can_be_drawn() {
    let mut store = logic::Store::default();
    for steps in [0, 1, 3, u64::MAX - 1] {
        for requirement in template::templates(&mut store, steps) {
            for label in HOSTILE {
                let fields = fields(label);
                let scene = requirement::diagram::scene(&requirement, &fields);
                check(&scene, &format!("The sw shall satisfy {label}"), &explain(&requirement, &fields));
            }
        }
    }
}

#[test]
fn every_mark_can_be_anywhere() {
    let kinds = [
        MarkKind::Holds,
        MarkKind::Applies,
        MarkKind::Trigger,
        MarkKind::Must,
        MarkKind::MustNot,
        MarkKind::Somewhere,
        MarkKind::SomewhereNot,
    ];
    let roles = [Role::Mode, Role::Scope, Role::Condition, Role::Trigger, Role::Stop, Role::Response];
    let intervals = [(0, 0), (0, 2), (1, 5), (15, 15), (3, 400), (2, 1), (90, 99)];
    let labels = [None, Some("1 step".to_owned()), Some("a duration with a long name ".repeat(8))];
    let silent = Explanation { scope: String::new(), trigger: String::new(), response: String::new() };
    for length in [0, 1, 2, 6, 16, 25, 100, 300] {
        for kind in kinds {
            for label in &labels {
                let mark = |&(from, to): &(usize, usize)| Mark { from, to, kind, label: label.clone() };
                let lane = |&role: &Role| Lane {
                    label: String::new(),
                    role,
                    marks: intervals.iter().map(mark).collect(),
                };
                check(
                    &Scene { length, shortened: false, lanes: roles.iter().map(lane).collect() },
                    "",
                    &silent,
                );
            }
        }
    }
}

/// The dotted line of a trigger does not go through the words of a duration.
#[test]
fn guides_leave_labels_alone() {
    let mut store = logic::Store::default();
    let mut met = 0;
    for steps in [1, 2, 3, 4, 6, 40] {
        for requirement in template::templates(&mut store, steps) {
            let fields = fields("p");
            let scene = requirement::diagram::scene(&requirement, &fields);
            let svg = shall_draw::diagram::svg(&scene, "", &explain(&requirement, &fields));
            let elements = elements(&svg).expect("well formed");
            let has = |attributes: &Attributes, class: &str| {
                attributes.get("class").is_some_and(|classes| classes.split(' ').any(|it| it == class))
            };
            let guides = elements.iter().filter(|(_, attributes)| has(attributes, "guide"));
            let guides: Vec<i64> =
                guides.flat_map(|(name, attributes)| points(name, attributes)).map(|(x, _)| x).collect();
            for (at, (_, label)) in
                elements.iter().enumerate().filter(|(_, it)| has(&it.1, "note") && has(&it.1, "muted"))
            {
                let (x, y) = (number(label, "x"), number(label, "y"));
                for guide in guides.iter().filter(|guide| (x - **guide).abs() <= 12) {
                    let (name, box_) = &elements[at - 1];
                    let inside = name == "rect" && has(box_, "band");
                    let corners = points(name, box_);
                    assert!(
                        inside
                            && (corners[0].0..=corners[1].0).contains(guide)
                            && (corners[0].1..=corners[1].1).contains(&y),
                        "a guide at {guide} crosses the label at {x}, {y} in {svg}"
                    );
                    met += 1;
                }
            }
        }
    }
    assert!(met > 0);
}

#[test]
fn the_accessible_parts_are_there() {
    let scene = Scene { length: 2, shortened: false, lanes: Vec::new() };
    let [scope, trigger, response] = ["It applies.", "If `a < b`.", "Then `r`."].map(str::to_owned);
    let svg = shall_draw::diagram::svg(&scene, "a & b", &Explanation { scope, trigger, response });
    for part in [
        "role=\"img\"",
        "<title>a &amp; b</title>",
        "<desc>It applies. If `a &lt; b`. Then `r`.</desc>",
        "@media screen and (prefers-color-scheme:dark)",
        "If <tspan class=\"code\">a &lt; b</tspan>.</text>",
    ] {
        assert!(svg.contains(part), "{part} is missing in {svg}");
    }
}

fn check(scene: &Scene, title: &str, explanation: &Explanation) {
    for unicode in [true, false] {
        let text = shall_draw::diagram::text(scene, unicode);
        assert!(text.ends_with('\n') && text.lines().all(|line| line.trim_end() == line), "{text}");
        assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "{text:?}");
    }
    let svg = shall_draw::diagram::svg(scene, title, explanation);
    assert_eq!(svg, shall_draw::diagram::svg(scene, title, explanation));
    let elements = elements(&svg).unwrap_or_else(|error| panic!("{error} in {svg}"));
    let canvas = &elements[0].1;
    let (width, height) = (number(canvas, "width"), number(canvas, "height"));
    for (name, attributes) in &elements[1..] {
        for (x, y) in points(name, attributes) {
            let inside = (0..=width).contains(&x) && (0..=height).contains(&y);
            assert!(inside, "<{name}> at {x}, {y} leaves {width} × {height} in {svg}");
        }
    }
}

type Attributes = BTreeMap<String, String>;

/// The elements of an XML document with their attributes, in the order they open.
fn elements(xml: &str) -> Result<Vec<(String, Attributes)>, String> {
    let forbidden = |c: char| (c.is_control() && c != '\n') || matches!(c, '\u{fffe}' | '\u{ffff}');
    if xml.chars().any(forbidden) {
        return Err("a character that XML forbids".into());
    }
    let mut elements = Vec::new();
    let mut open: Vec<&str> = Vec::new();
    let (before, mut rest) = xml.split_once('<').ok_or("no element")?;
    check_text(before)?;
    loop {
        let (tag, after) = rest.split_once('>').ok_or("a tag without end")?;
        let (text, next) = after.split_once('<').map_or((after, None), |(text, next)| (text, Some(next)));
        check_text(text)?;
        if let Some(name) = tag.strip_prefix('/') {
            if open.pop() != Some(name) {
                return Err(format!("</{name}> closes nothing"));
            }
        } else {
            let (tag, empty) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
            let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
            if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphabetic()) {
                return Err(format!("<{name}> is not a name"));
            }
            elements.push((name.to_owned(), read_attributes(attributes)?));
            if !empty {
                open.push(name);
            }
        }
        match next {
            Some(next) if !open.is_empty() => rest = next,
            Some(_) => return Err("something after the last element".into()),
            None if open.is_empty() => return Ok(elements),
            None => return Err(format!("{open:?} stay open")),
        }
    }
}

fn read_attributes(mut text: &str) -> Result<Attributes, String> {
    let mut attributes = Attributes::new();
    while !text.trim().is_empty() {
        let (name, rest) =
            text.trim_start().split_once("=\"").ok_or(format!("{text} is not an attribute"))?;
        let (value, rest) = rest.split_once('"').ok_or("a value without end")?;
        check_text(value)?;
        if attributes.insert(name.to_owned(), value.to_owned()).is_some() {
            return Err(format!("{name} twice"));
        }
        text = rest;
    }
    Ok(attributes)
}

/// Text has no markup, and every `&` begins a known entity.
fn check_text(text: &str) -> Result<(), String> {
    let known = ["lt;", "gt;", "amp;", "quot;", "#39;"];
    let escaped = |rest: &str| known.iter().any(|entity| rest.starts_with(entity));
    match text.split('&').skip(1).all(escaped) && !text.contains('<') && !text.contains("]]>") {
        true => Ok(()),
        false => Err(format!("{text:?} is not escaped")),
    }
}

fn number(attributes: &Attributes, name: &str) -> i64 {
    attributes[name].parse().unwrap_or_else(|_| panic!("{name} is not a number"))
}

/// The points that an element touches, without the thickness of lines and the length of text.
fn points(name: &str, attributes: &Attributes) -> Vec<(i64, i64)> {
    let get = |name: &str| number(attributes, name);
    match name {
        "rect" => {
            assert!(get("width") >= 0 && get("height") >= 0, "{attributes:?}");
            vec![(get("x"), get("y")), (get("x") + get("width"), get("y") + get("height"))]
        }
        "text" => vec![(get("x"), get("y"))],
        "path" => {
            let numbers: Vec<i64> = attributes["d"]
                .split([' ', 'M', 'L', 'Z'])
                .filter(|part| !part.is_empty())
                .map(|part| part.parse().expect("a number"))
                .collect();
            numbers.chunks(2).map(|pair| (pair[0], pair[1])).collect()
        }
        "title" | "desc" | "style" | "tspan" => Vec::new(),
        other => panic!("<{other}> is not expected"),
    }
}

#[test]
fn block_diagrams_are_well_formed_whatever_their_names() {
    use shall_draw::blocks::{Block, End, Facing, Line, Outline, Sheet, bare, svg};
    let outlines = [Outline::Rectangle, Outline::Round, Outline::Triangle, Outline::Pill, Outline::Bar];
    let facings = [Facing::Right, Facing::Down, Facing::Left, Facing::Up];
    let mut sheet = Sheet { title: "a <b> & \"c\"".to_owned(), ..Sheet::default() };
    for (k, outline) in outlines.into_iter().enumerate() {
        for (n, facing) in facings.into_iter().enumerate() {
            let (x, y) = (k as i32 * 100, n as i32 * 80);
            sheet.blocks.push(Block {
                name: "x < y\u{0} & z".to_owned(),
                about: "Sum".to_owned(),
                outline,
                label: "<é🚀>".to_owned(),
                place: (n > 0).then_some([x, y, x + 40, y + 30]),
                facing,
                inputs: vec![None, Some("+".to_owned()), Some("−".to_owned())],
                controls: vec!["enable".to_owned()],
                outputs: vec!["o".to_owned()],
                marked: k == n,
                opens: (k == 0).then(|| "a/\"b\" <c>".to_owned()),
            });
            let place = sheet.blocks.len() - 1;
            let ends = [End::Input(1), End::Control(0), End::Input(9)];
            sheet.lines.push(Line {
                from: (place / 2, 0),
                to: (place, ends[place % 3]),
                route: vec![(10, 0), (i32::MAX, i32::MIN)],
                name: "n<m".to_owned(),
                value: (n != 1).then(|| "[1 2]".to_owned()),
                signal: (n < 2).then(|| "a/<b>".to_owned()),
            });
        }
    }
    for text in [svg(&sheet, "20 blocks & more"), bare(&sheet)] {
        let drawn = elements(&text).expect("well formed");
        let with = |attribute: &str| drawn.iter().filter(|(_, it)| it.contains_key(attribute)).count();
        assert_eq!(["data-opens", "data-signal", "data-value"].map(with), [4, 10, 5], "{text}");
    }
    assert!(elements(&svg(&Sheet::default(), "")).is_ok());
}
