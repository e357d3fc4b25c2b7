//! Plans of small diagrams: wires, variables, shapes, times, loops, and what is wrong with others.

mod modes;
mod times;

use super::{Plan, Shape, plan};
use crate::diagram::{BlockId, Diagram, Mask, Parameters, Port, Sheet, SheetId};
use crate::lower::{Options, lower};
use crate::value::{Class, Matrix, Value};

type Texts = &'static [&'static str];

/// A sheet drawn from blocks (`kind name key=value; …`) and wires (`a:1 > b:2`, `a > b:enable`).
fn sheet(blocks: &[&str], wires: &[&str]) -> Sheet {
    let mut sheet = Sheet::default();
    for block in blocks {
        let mut words = block.splitn(3, ' ');
        let (kind, name) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
        let parameters: Vec<(&str, &str)> =
            words.next().unwrap_or("").split(';').filter_map(|pair| pair.trim().split_once('=')).collect();
        sheet.add(kind, name, &parameters);
    }
    for wire in wires {
        let (from, to) = wire.split_once(" > ").expect("a wire");
        let find = |end: &str| {
            let (name, port) = end.split_once(':').unwrap_or((end, "1"));
            let place = sheet.blocks.iter().position(|block| block.name == name).expect(end);
            (place as u32, port.to_owned())
        };
        let ((from, output), (to, input)) = (find(from), find(to));
        let port = match input.as_str() {
            "enable" => Port::Enable,
            "trigger" => Port::Trigger,
            "action" => Port::Action,
            number => Port::Data(number.parse().expect("a number")),
        };
        sheet.connect((from, output.parse().expect("a number")), (to, port));
    }
    sheet
}

fn root(blocks: &[&str], wires: &[&str]) -> Diagram {
    Diagram { name: "m".into(), sheets: vec![sheet(blocks, wires)], ..Diagram::default() }
}

/// Puts a sheet into a block of the root.
fn nest(diagram: &mut Diagram, owner: &str, inside: Sheet) -> SheetId {
    let id = SheetId(diagram.sheets.len() as u32);
    let number = diagram.sheets[0].blocks.iter().position(|block| block.name == owner).expect(owner) as u32;
    diagram.sheets[0].blocks[number as usize].inside = Some(id);
    diagram.sheets.push(Sheet { owner: Some(BlockId { sheet: SheetId(0), number }), ..inside });
    id
}

fn shapes(plan: &Plan, name: &str) -> String {
    let unit = plan.units.iter().find(|unit| unit.name == name).expect(name);
    unit.outputs.iter().map(shown).collect::<Vec<String>>().join(" ")
}

fn shown(shape: &Shape) -> String {
    match shape {
        Shape::Signal { class, dimensions } => format!("{}{dimensions:?}", class.name()),
        Shape::Bus(elements) => {
            let all: Vec<String> =
                elements.iter().map(|(name, shape)| format!("{name}:{}", shown(shape))).collect();
            format!("{{{}}}", all.join(","))
        }
    }
}

fn problems(plan: &Plan) -> Vec<String> {
    plan.problems.iter().map(|problem| format!("{}: {}", problem.path, problem.message)).collect()
}

#[test]
fn shapes_go_forward() {
    // A block with its parameters behind a vector of three, a scalar and a matrix of two by three; and its outputs.
    let cases = "
        Sum s Inputs=++ | v k | double[3]
        Sum s Inputs=+ | v | double[1]
        Product p Inputs=**; Multiplication=Matrix(*) | m v | double[2]
        Product p Inputs=** | m k | double[2, 3]
        Gain g Gain=reshape(1:8,2,4); Multiplication=Matrix(K*u) | x4 | double[2]
        Gain g Gain=[1 2 3] | k | double[3]
        RelationalOperator r Operator=< | v k | boolean[3]
        RelationalOperator r Operator=<; OutDataTypeStr=uint8 | v k | uint8[3]
        Logic l Operator=AND | v | boolean[1]
        Logic l Operator=NOT | v | boolean[3]
        Switch s Criteria=u2 ~= 0 | v k v | double[3]
        Mux x Inputs=2 | v k | double[4]
        Demux d Outputs=2 | v | double[2] double[1]
        Demux d Outputs=[1 2] | v | double[1] double[2]
        Demux d Outputs=[nan 1] | v | double[2] double[1]
        Selector s Indices=[3 1]; IndexOptions=Index vector (dialog); NumberOfDimensions=1 | v | double[2]
        Selector s Indices=1,-1; IndexOptions=Index vector (dialog),Select all; NumberOfDimensions=2 | m | double[1, 3]
        Reshape r OutputDimensionality=Column vector (2-D) | v | double[3, 1]
        Reshape r OutputDimensionality=Customize; OutputDimensions=[3 2] | m | double[3, 2]
        Concatenate c Mode=Multidimensional array; ConcatenateDimension=1 | m m | double[4, 3]
        Concatenate c Mode=Vector | v k | double[4]
        Math t Operator=transpose | m | double[3, 2]
        Trigonometry t Operator=sincos | v | double[3] double[3]
        DataTypeConversion d OutDataTypeStr=int16 | v | int16[3]
        DotProduct d | v v | double[1]
        MinMax m Function=min | v | double[1]
        Fcn f Expr=u(1) | v | double[1]
        UnitDelay u InitialCondition=[1 2 3] | k | double[3]
        DiscreteStateSpace d A=0.5; B=1; C=[1 2]'; D=zeros(2,1) | k | double[2]
        Lookup l InputValues=[1 2]; Table=[3 4] | v | double[3]
        If i IfExpression=u1 > 0; ElseIfExpressions=u1 < 0, max(u1, 2) > 1; ShowElse=on | k | boolean[1] boolean[1] boolean[1] boolean[1]
        Merge m Inputs=2 | v v | double[3]
        Saturate s UpperLimit=1; LowerLimit=0 | m | double[2, 3]
    ";
    for case in cases.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let [block, inputs, want] = case.split(" | ").collect::<Vec<_>>()[..] else { panic!("{case}") };
        let sources = [
            "Constant k Value=2",
            "Constant v Value=[1 2 3]; VectorParams1D=on",
            "Constant m Value=reshape(1:6,2,3)",
            "Constant x4 Value=1:4",
        ];
        let name = block.split(' ').nth(1).unwrap_or("");
        let name = if ["v", "k", "m"].contains(&name) { "t" } else { name };
        let block =
            block.replacen(&format!(" {} ", block.split(' ').nth(1).unwrap_or("")), &format!(" {name} "), 1);
        let blocks: Vec<&str> = sources.into_iter().chain([block.as_str()]).collect();
        let wires: Vec<String> =
            inputs.split(' ').enumerate().map(|(k, from)| format!("{from} > {name}:{}", k + 1)).collect();
        let wires: Vec<&str> = wires.iter().map(String::as_str).collect();
        let plan = plan(&root(&blocks, &wires), &[]);
        assert_eq!((shapes(&plan, name), problems(&plan)), (want.to_owned(), vec![]), "{block}");
    }
}

#[test]
fn shapes_go_backward_and_through_loops() {
    let back = "OutDataTypeStr=Inherit: Inherit via back propagation";
    let cases: [(&[&str], &[&str], &str, &str); 5] = [
        (
            &[
                "Inport u OutDataTypeStr=int32",
                &format!("Constant c Value=1; {back}"),
                "RelationalOperator r Operator=>",
            ],
            &["u > r:1", "c > r:2"],
            "c",
            "int32[1]",
        ),
        (
            &["Ground g", "Logic l Operator=AND", "Constant c Value=true"],
            &["g > l:1", "c > l:2"],
            "g",
            "boolean[1]",
        ),
        (
            &[
                "Inport u",
                "Selector s NumberOfDimensions=1; InputPortWidth=4; Indices=[1 2]; IndexOptions=Index vector (dialog)",
            ],
            &["u > s"],
            "u",
            "double[4]",
        ),
        (
            &[
                "Inport u PortDimensions=3; OutDataTypeStr=single",
                "Sum s Inputs=++",
                "UnitDelay d InitialCondition=0",
            ],
            &["u > s:1", "d > s:2", "s > d"],
            "d",
            "single[3]",
        ),
        (&["UnitDelay d InitialCondition=[1 2]'", "Gain g Gain=2"], &["d > g", "g > d"], "g", "double[2]"),
    ];
    for (blocks, wires, name, want) in cases {
        let plan = plan(&root(blocks, wires), &[]);
        assert_eq!((shapes(&plan, name), problems(&plan)), (want.to_owned(), vec![]), "{blocks:?}");
    }
}

#[test]
fn buses_have_named_elements() {
    let mut diagram = root(
        &[
            "Constant a Value=1",
            "Constant b Value=[1 2]",
            "BusCreator c Inputs=2",
            "BusSelector s OutputSignals=beta,signal1",
            "BusSelector wrong OutputSignals=gamma",
        ],
        &["a > c:1", "b > c:2", "c > s", "c > wrong"],
    );
    diagram.sheets[0].lines[1].name = Some("beta".into());
    let plan = plan(&diagram, &[]);
    assert_eq!(shapes(&plan, "c"), "{signal1:double[1],beta:double[2]}");
    assert_eq!(shapes(&plan, "s"), "double[2] double[1]");
    assert_eq!(problems(&plan), ["m/wrong: its bus has no element `gamma`"]);
}

#[test]
fn tags_lead_to_their_sources() {
    let cases: [(&[&str], &[&str], Option<&str>); 4] = [
        (
            &["Constant a Value=1", "Goto g GotoTag=t", "From f GotoTag=t", "Gain k Gain=1"],
            &["a > g", "f > k"],
            None,
        ),
        (
            &["From f GotoTag=t", "Gain k Gain=1"],
            &["f > k"],
            Some("m/f: no Goto block with the tag `t` is visible here"),
        ),
        (
            &["From f GotoTag=t", "Goto g GotoTag=t", "Goto h GotoTag=t", "Gain k Gain=1"],
            &["f > k"],
            Some("m/f: several Goto blocks have the tag `t`"),
        ),
        (
            &["From f GotoTag=t", "Goto g GotoTag=t", "Gain k Gain=1"],
            &["f > k", "f > g"],
            Some("m/f: its tags form a cycle"),
        ),
    ];
    for (blocks, wires, want) in cases {
        let plan = plan(&root(blocks, wires), &[]);
        assert_eq!(
            problems(&plan),
            want.into_iter().map(str::to_owned).collect::<Vec<String>>(),
            "{blocks:?}"
        );
        let gain = plan.units.iter().find(|unit| unit.name == "k").expect("a gain");
        assert_eq!(gain.inputs[0].is_some(), want.is_none());
    }
}

#[test]
fn subsystems_masks_and_workspaces() {
    let mut diagram = root(
        &["Inport u PortDimensions=3", "SubSystem s", "Outport y", "Constant c Value=gain"],
        &["u > s", "s > y"],
    );
    nest(
        &mut diagram,
        "s",
        sheet(&["Inport in Port=1", "Gain k Gain=half*gain", "Outport out Port=1"], &["in > k", "k > out"]),
    );
    diagram.sheets[0].blocks[1].mask = Some(Mask {
        parameters: Parameters(vec![("gain".into(), "2*gain".into()), ("label".into(), "x y".into())]),
        texts: vec!["label".into()],
        initialization: "half = gain / 2; disp(half);".into(),
        ..Mask::default()
    });
    let plan = plan(&diagram, &[("gain".into(), Value::scalar(3.0))]);
    assert_eq!(problems(&plan), Vec::<String>::new());
    assert_eq!(shapes(&plan, "s"), "double[3]");
    let value = |name: &str, key: &str| {
        let unit = plan.units.iter().find(|unit| unit.name == name).expect(name);
        unit.values.get(key).and_then(Value::matrix).and_then(Matrix::single)
    };
    assert_eq!((value("k", "Gain"), value("c", "Value")), (Some(18.0), Some(3.0)));
    assert_eq!(plan.sheets[&SheetId(1)].len(), 3);
}

/// What is not known hides what has the same name further out.
#[test]
fn unknown_variables_hide_others() {
    let gain = |parameters: &[(&str, &str)], initialization: &str, callback: &str| {
        let mut diagram = root(&["SubSystem s"], &[]);
        nest(&mut diagram, "s", sheet(&["Gain k Gain=K"], &[]));
        diagram.settings = Parameters(vec![("InitFcn".into(), callback.into())]);
        let parameters = parameters.iter().map(|(name, text)| ((*name).into(), (*text).into())).collect();
        diagram.sheets[0].blocks[0].mask = Some(Mask {
            parameters: Parameters(parameters),
            initialization: initialization.into(),
            ..Mask::default()
        });
        let plan = plan(&diagram, &[("K".into(), Value::scalar(5.0))]);
        assert_eq!(plan.problems.len(), plan.spoiled.len());
        let value = plan.units.iter().find(|unit| unit.name == "k").and_then(|it| it.values.get("Gain"));
        value.and_then(Value::matrix).and_then(Matrix::single)
    };
    assert_eq!(gain(&[], "disp(K); L = tune(3);", "disp(K)"), Some(5.0));
    assert_eq!(gain(&[("K", "tune(3)")], "", ""), None);
    assert_eq!(gain(&[("mode", "1")], "if mode==1\n K=1;\nelse\n K=2;\nend", ""), Some(1.0));
    assert_eq!(gain(&[("mode", "tune(1)")], "if mode==1\n K=1;\nelse\n K=2;\nend", ""), None);
    assert_eq!(gain(&[], "K = 2; K = tune(K);", ""), None);
    assert_eq!(gain(&[], "", "K = tune(1);"), None);
    assert_eq!(gain(&[("K", "2*K")], "", "K = 3;"), Some(6.0));
}

/// A block between ports that was not understood: nothing is made of it, unless nothing depends on it.
#[test]
fn problems_stop_what_depends_on_them() {
    let cases = [
        ("UnitDelay x InitialCondition=x0", "the parameter `InitialCondition` = `x0` has no value"),
        ("Bias x Bias=b", "the parameter `Bias` = `b` has no value"),
        ("Bias x Bias='b'", "the parameter `Bias` = `'b'` has no value: it is not a number"),
        ("DiscreteIntegrator x gainval=Ki; InitialCondition=0", "the parameter `gainval`"),
        ("Gain x Gain=1; OutDataTypeStr=fixdt(1,8)", "the type `fixdt(1,8)` is not supported"),
        ("Gain x Gain=1; SampleTime=0.3", "its sample time of 0.3 s is not a multiple"),
        ("From x GotoTag=t", "`m/x`: no Goto block with the tag `t` is visible here"),
        ("SignalConversion x SampleTime=Ts", "`m/x`: the sample time `Ts` has no value"),
        ("Concatenate x Mode=Multidimensional array; ConcatenateDimension=nan", "`m/x`: its dimension"),
    ];
    for (block, want) in cases {
        let ports = ["Inport u", "Outport y", "Outport z Port=2", block];
        let lowered = |wires: &[&str]| {
            let mut diagram = root(&ports, wires);
            diagram.settings = Parameters(vec![("FixedStep".into(), "0.2".into())]);
            lower(&plan(&diagram, &[]), None, &Options::default())
        };
        let problems = lowered(&["u > x", "x > y", "u > z"]).expect_err(block);
        assert!(problems.len() == 1 && problems[0].message.starts_with(want), "{block}: {problems:?}");
        assert!(lowered(&["u > x", "u > y", "u > z"]).is_ok(), "{block}");
    }
    let port = plan(&root(&["Inport u OutDataTypeStr=fixdt(1,8)", "Outport y"], &["u > y"]), &[]);
    assert!(lower(&port, None, &Options::default()).is_err());
    let mut diagram = root(
        &["Inport u", "SubSystem s TreatAsAtomicUnit=on; SystemSampleTime=Ts", "Outport y"],
        &["u > s", "s > y"],
    );
    nest(&mut diagram, "s", sheet(&["Inport i", "Gain k Gain=1", "Outport o"], &["i > k", "k > o"]));
    assert!(lower(&plan(&diagram, &[]), None, &Options::default()).is_err());
    assert!(lower(&plan(&diagram, &[]), Some("s"), &Options::default()).is_ok());
    diagram.settings = Parameters(vec![("FixedStep".into(), "Ts".into())]);
    assert!(lower(&plan(&diagram, &[]), Some("s"), &Options::default()).is_err());
}

/// What the file does not say is as in Simulink.
#[test]
fn usual_parameters() {
    let blocks = ["Sum s", "Product p", "DiscreteIntegrator d", "Gain g Gain=1"];
    let plan = plan(&root(&blocks, &["d > g", "g > d"]), &[]);
    let word = |at: usize, name: &str| plan.units[at].words.get(name).map(String::as_str);
    assert_eq!((word(0, "Inputs"), word(1, "Inputs")), (Some("++"), Some("2")));
    assert_eq!(problems(&plan), Vec::<String>::new(), "a forward integrator makes no algebraic loop");
}

#[test]
fn algebraic_loops_are_named() {
    let direct = |k: &str| {
        let blocks = ["Inport u", "Sum s Inputs=+-", k];
        problems(&plan(&root(&blocks, &["u > s:1", "s > k", "k > s:2"]), &[]))
    };
    assert_eq!(direct("Gain k Gain=2"), Vec::<String>::new(), "a linear loop has a solution");
    for k in ["Gain k Gain=-1", "Math k Operator=exp", "Gain k Gain=2; OutDataTypeStr=single"] {
        assert_eq!(direct(k), ["m/s: an algebraic loop goes through `m/s`, `m/k`"], "{k}");
    }
    let delayed = plan(
        &root(
            &["Inport u", "Sum s Inputs=+-", "Memory k InitialCondition=0"],
            &["u > s:1", "s > k", "k > s:2"],
        ),
        &[],
    );
    assert_eq!(problems(&delayed), Vec::<String>::new());
    // A filter without a direct part breaks a loop, as it does in lowering.
    let filtered = |numerator: &str| {
        let filter = format!("DiscreteFilter k Numerator={numerator}; Denominator=[1 -0.5]");
        plan(&root(&["Inport u", "Sum s Inputs=+-", &filter], &["u > s:1", "s > k", "k > s:2"]), &[]).problems
    };
    assert_eq!(["[0 1]", "[1 1]", "[-1 1]"].map(|it| filtered(it).len()), [0, 0, 1]);
    // In at one port and out at the other, but not through.
    let mut apart = root(&["SubSystem s", "Gain g Gain=1"], &["s:1 > g", "g > s:1"]);
    nest(&mut apart, "s", sheet(&["Inport i Port=1", "Constant c Value=1", "Outport o Port=1"], &["c > o"]));
    assert_eq!(problems(&plan(&apart, &[])), Vec::<String>::new());
}

#[test]
fn what_is_not_supported_is_listed_and_the_rest_is_planned() {
    let plan = plan(
        &root(
            &[
                "Integrator i WrapState=on",
                "Gain k Gain=missing",
                "Sum s Inputs=++",
                "Constant a Value=[1 2]",
                "Constant b Value=[1 2 3]",
                "Inport f OutDataTypeStr=fixdt(1,16,4)",
                "Fancy x",
                "Gain z Gain=2",
            ],
            &["i > k", "a > s:1", "b > s:2", "x > z"],
        ),
        &[],
    );
    assert_eq!(
        problems(&plan),
        [
            "m/i: `WrapState` is not supported",
            "m/k: the parameter `Gain` = `missing` has no value: `missing` is not a known variable or function (at 1)",
            "m/x: blocks of the type `Fancy` are not supported",
            "m/s: its inputs have 2 and 3 elements, which do not match",
            "m/f: the type `fixdt(1,16,4)` is not supported",
        ]
    );
    assert!(plan.problems.iter().take(3).all(|problem| problem.hint.is_some()));
    assert_eq!(shapes(&plan, "z"), "double[1]");
    assert_eq!(plan.units[1].outputs, [Shape::Signal { class: Class::Double, dimensions: vec![1] }]);
}

#[test]
fn hostile_diagrams_end() {
    // A sheet that owns itself, and lines to blocks that are not there.
    let mut diagram = root(&["SubSystem s", "Gain k Gain=1"], &["s > k", "k > s"]);
    diagram.sheets[0].blocks[0].inside = Some(SheetId(0));
    diagram.sheets[0].owner = Some(BlockId { sheet: SheetId(0), number: 0 });
    diagram.sheets[0].connect((7, 1), (9, Port::Data(4_000_000_000)));
    diagram.sheets[0].connect((0, 0), (1, Port::Data(4_000_000_000)));
    assert!(plan(&diagram, &[]).units.len() == 2);
    assert_eq!(plan(&Diagram::default(), &[]).units.len(), 0);
    // A bus that contains itself twice, and sizes that no machine has.
    let bus = plan(&root(&["BusCreator b Inputs=2"], &["b > b:1", "b > b:2"]), &[]);
    assert_eq!(bus.units.len(), 1);
    // A wide bus that many blocks pass on, and three of them in one.
    let wires: Vec<String> = (1..=5_000).map(|k| format!("k > b:{k}")).collect();
    let wide = |passed: &[String], more: &[String]| {
        let blocks =
            ["Constant k Value=1", "BusCreator b"].into_iter().chain(passed.iter().map(String::as_str));
        let wires: Vec<&str> = wires.iter().chain(more).map(String::as_str).collect();
        problems(&plan(&root(&blocks.collect::<Vec<&str>>(), &wires), &[]))
    };
    let passed: Vec<String> = (0..300).map(|k| format!("SignalConversion s{k}")).collect();
    let more: Vec<String> = (0..300).map(|k| format!("b > s{k}")).collect();
    assert_eq!(wide(&passed, &more), ["m: its buses have more than 1048576 elements in total"]);
    let more = [1, 2, 3].map(|k| format!("b > c:{k}"));
    let too_large = ["m/c: its bus contains itself, or more than 10000 signals"];
    assert_eq!(wide(&["BusCreator c".to_owned()], &more), too_large);
    let blocks = ["Ground g", "Reshape r OutputDimensionality=Customize; OutputDimensions=[1e6 1e6 1e6 1e6]"];
    let large = plan(&root(&blocks, &["g > r"]), &[]);
    assert!(problems(&large)[0].starts_with("m/r: an output has"), "{large:?}");
    // Many blocks with large values: one budget for all of them.
    let blocks: Vec<String> = (0..200).map(|k| format!("Constant c{k} Value=zeros(1,1000000)")).collect();
    let many = plan(&root(&blocks.iter().map(String::as_str).collect::<Vec<&str>>(), &[]), &[]);
    let kept: usize = many.units.iter().map(|unit| unit.values.len()).sum();
    assert!((10..100).contains(&kept) && many.spoiled.len() == 200, "{kept}");
}
