//! Every format gives the same diagram, and writing it gives it again; tables of what single entries mean.

mod common;

use common::{TEXT, archive, kept, parts, reading, text_package};
use shall_simulink::diagram::{Diagram, Mask, Parameters, Port, Sheet};
use shall_simulink::{BlockKind, write};

#[test]
fn all_formats_say_the_same() {
    let text = reading(TEXT.as_bytes());
    assert_eq!(text.problems, Vec::new());
    assert_eq!(text.notes, Vec::new());
    assert_eq!(text.diagram.name, "tank");
    for split in [false, true] {
        let parts = parts(split);
        for bytes in [archive(&parts), text_package(&parts)] {
            let other = reading(&bytes);
            assert_eq!(other.problems, Vec::new());
            assert_eq!(kept(&other.diagram), kept(&text.diagram));
        }
    }
}

#[test]
fn what_the_model_says() {
    let diagram = reading(TEXT.as_bytes()).diagram;
    assert_eq!(diagram.settings.get("Solver"), Some("FixedStepDiscrete"));
    assert_eq!(diagram.settings.get("PreLoadFcn"), Some("load limits.mat"));
    let [root, inside] = diagram.sheets.as_slice() else { panic!("two sheets") };
    assert_eq!(root.blocks[0].signals, [(1, "measured".to_owned())]);
    assert_eq!(root.blocks[1].name, "Pump\n\"A\" \\ B");
    assert_eq!(root.lines[0].to, [(2, Port::Data(1)), (1, Port::Data(1))]);
    assert_eq!(root.lines[0].routes, [vec![(10, 0), (20, 5)], vec![(10, 0), (20, 5), (5, 0)]]);
    assert_eq!(root.lines[1].to, [(1, Port::Action)]);
    assert_eq!(root.annotations, ["äöü: a tank"]);
    let mask = root.blocks[1].mask.as_ref().expect("a mask");
    assert_eq!((mask.kind.as_str(), mask.parameters.get("speed")), ("pump", Some("3")));
    assert_eq!(mask.texts, ["title"]);
    let gain = &inside.blocks[1];
    assert_eq!(gain.parameters.get("Gain"), Some("a very long gain, in two lines"));
    assert_eq!(diagram.parameter(gain, "SaturateOnIntegerOverflow"), Some("on"));
    assert_eq!(diagram.path(inside.owner.expect("an owner")), "tank/Pump\n\"A\" \\ B");
}

#[test]
fn written_and_read_again() {
    let mut diagram = reading(TEXT.as_bytes()).diagram;
    let check = |diagram: &Diagram| {
        let again = reading(write(diagram).as_bytes());
        assert_eq!(again.problems, Vec::new());
        assert_eq!(again.diagram.name, diagram.name);
        assert_eq!(kept(&again.diagram), kept(diagram));
    };
    check(&diagram);
    diagram.workspace = Some([vec![b' '; 116], vec![0; 8], b"\x00\x01IMdata".to_vec()].concat());
    check(&diagram);
    let values = [
        "",
        " ",
        "on",
        "off",
        "[1 2]",
        "[1",
        "]",
        "{",
        "}",
        "\\",
        "\\n",
        "\"",
        "\n\"\n",
        "# no",
        "é\u{1f600}",
    ];
    let mut sheet = Sheet::default();
    for (number, value) in values.iter().enumerate() {
        let long = value.repeat(150);
        sheet.add(
            "Gain",
            &format!("{number}{value}"),
            &[("Gain", value), ("Position", value), ("Long", &long)],
        );
        sheet.connect((number as u32, 1), (0, Port::Data(number as u32 + 1)));
    }
    check(&Diagram { name: "a \"name\"".to_owned(), sheets: vec![sheet], ..Diagram::default() });
}

#[test]
fn the_example() {
    let found = reading(include_bytes!("../../../examples/simulink/RollAutopilot.mdl"));
    assert_eq!((found.problems, found.notes), (Vec::new(), Vec::new()));
    let diagram = found.diagram;
    let blocks: usize = diagram.sheets.iter().map(|sheet| sheet.blocks.len()).sum();
    assert_eq!((blocks, diagram.sheets.len()), (80, 7));
    assert_eq!(kept(&reading(write(&diagram).as_bytes()).diagram), kept(&diagram));
    // Every input of every block is connected.
    for (sheet, block) in
        diagram.sheets.iter().flat_map(|sheet| sheet.blocks.iter().map(move |it| (sheet, it)))
    {
        let place = sheet.blocks.iter().position(|it| it.name == block.name).map(|it| it as u32);
        let ends =
            sheet.lines.iter().flat_map(|line| &line.to).filter(|(end, _)| Some(*end) == place).count();
        let expected = match block.kind {
            BlockKind::Inport | BlockKind::Constant | BlockKind::ActionPort => 0,
            BlockKind::Outport | BlockKind::UnitDelay | BlockKind::Abs | BlockKind::Saturate => 1,
            _ => {
                let ports = block.parameters.get("Ports").unwrap_or_default().trim_matches(['[', ']']);
                let ports: Vec<usize> = ports.split(", ").filter_map(|it| it.parse().ok()).collect();
                ports[0] + ports.get(7).unwrap_or(&0)
            }
        };
        assert_eq!(ends, expected, "{}", block.name);
    }
}

#[test]
fn writing_ends() {
    // Sheets that own each other, or that several blocks claim.
    let mut diagram = reading(TEXT.as_bytes()).diagram;
    diagram.sheets[1].blocks[0].inside = diagram.sheets[0].blocks[1].inside;
    diagram.sheets[0].blocks[0].inside = diagram.sheets[0].blocks[1].inside;
    diagram.sheets[1].blocks[1].inside = Some(shall_simulink::diagram::SheetId(0));
    diagram.sheets[0].owner = diagram.sheets[1].owner;
    assert!(write(&diagram).len() < 10_000);
}

/// Entries of a block, and the type of its mask with its parameters (`!`: not evaluated).
#[test]
fn old_masks() {
    let table = [
        ("MaskType \"t\"", Some(("t", ""))),
        ("MaskHideContents off", None),
        ("MaskVariables \"a=@1;b=&2;\"\nMaskValueString \"1+1|x\"", Some(("", "a=1+1 b=x!"))),
        ("MaskVariables \"a=@2;\"\nMaskValueString \"1\"", Some(("", "a="))),
        ("MaskVariables \"a=é;;=\"", Some(("", "a= ="))),
    ];
    for (lines, expected) in table {
        let text =
            format!("Model {{\nSystem {{\nBlock {{\nBlockType SubSystem\nName \"b\"\n{lines}\n}}\n}}\n}}\n");
        let found = reading(text.as_bytes());
        assert_eq!(found.problems, Vec::new(), "{lines}");
        let shown = found.diagram.sheets[0].blocks[0].mask.as_ref().map(|mask| {
            let mark = |name| if mask.texts.contains(name) { "!" } else { "" };
            let all = mask.parameters.0.iter().map(|(name, value)| format!("{name}={value}{}", mark(name)));
            (mask.kind.as_str(), all.collect::<Vec<_>>().join(" "))
        });
        assert_eq!(shown, expected.map(|(kind, all)| (kind, all.to_owned())), "{lines}");
    }
}

/// Elements of a block in XML, and its parameters.
#[test]
fn parameters_in_xml() {
    let table = [
        ("<PortCounts in=\"2\" out=\"1\" ifaction=\"1\"/>", "Ports=[2, 1, 0, 0, 0, 0, 0, 1]"),
        ("<P Name=\"A\"><![CDATA[x<y]]></P>", "A=x<y"),
        ("<P Name=\"A\"/>", "A="),
        ("<InstanceData><P Name=\"relop\">&lt;=</P></InstanceData>", "relop=<="),
        (
            "<Array PropName=\"Names\" Type=\"Cell\" Dimension=\"1*2\"><Cell Class=\"char\">a</Cell><Cell Class=\"char\">it's</Cell></Array>",
            "Names={'a', 'it''s'}",
        ),
        ("<Object PropName=\"UserData\"><P Name=\"x\">1</P></Object>", ""),
    ];
    for (element, expected) in table {
        let part = format!(
            "<ModelInformation><Library><System><Block BlockType=\"B\" Name=\"b\" SID=\"1\">{element}</Block></System></Library></ModelInformation>"
        );
        let found = reading(&archive(&[("simulink/blockdiagram.xml", part)]));
        assert_eq!(found.problems, Vec::new(), "{element}");
        let Parameters(parameters) = &found.diagram.sheets[0].blocks[0].parameters;
        let shown: Vec<String> = parameters.iter().map(|(key, value)| format!("{key}={value}")).collect();
        assert_eq!(shown.join(" "), expected, "{element}");
    }
}

#[test]
fn values_of_a_place_come_before_those_of_its_mask() {
    let part = "<ModelInformation><Model><System><Block BlockType=\"SubSystem\" Name=\"b\" SID=\"1\">\
        <Mask><MaskParameter Name=\"k\"><Value>1</Value></MaskParameter></Mask>\
        <InstanceData><P Name=\"k\">2</P></InstanceData></Block></System></Model></ModelInformation>";
    let found = reading(&archive(&[("simulink/blockdiagram.xml", part.to_owned())]));
    let mask = Mask { parameters: Parameters(vec![("k".to_owned(), "2".to_owned())]), ..Mask::default() };
    assert_eq!(found.diagram.sheets[0].blocks[0].mask, Some(mask));
}
