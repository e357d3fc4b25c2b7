//! Parameters of blocks: matrices without entries, variables in expressions, and what has no value.

mod common;

use common::model::{check, lowered, planned, run};

/// Without states, the output is D times the input.
#[test]
fn state_spaces_without_states() {
    for (kind, time) in [("StateSpace", ""), ("DiscreteStateSpace", "; SampleTime=1")] {
        let model = |inputs: &str, matrices: &str| {
            format!(
                "@ Solver=ode4; FixedStep=1\nInport u PortDimensions={inputs}\n{kind} k {matrices}{time}\nOutport y\nu -> k -> y"
            )
        };
        check(&model("1", "A=[]; B=[]; C=[]; D=2; X0=0"), "3 | 6\n 4 | 8");
        check(&model("1", "A=zeros(0,0); B=zeros(0,1); C=zeros(1,0); D=2; X0=[]"), "3 | 6");
        check(&model("1", "A=[]; B=[]; C=[]; D=[1;2]"), "3 | 3 6");
        check(&model("2", "A=[]; B=[]; C=[]; D=[1 2;3 4;5 6]"), "1 10 | 21 43 65");
        for (matrices, reason) in [
            ("A=[]; B=[]; C=[]; D=[]", "its matrix `D` is empty"),
            ("A=[]; B=1; C=[]; D=2", "the sizes of its matrices do not match"),
            ("A=1; B=1; C=1; D=[]", "the sizes of its matrices do not match"),
            ("A=[]; B=[]; C=[]; D=nowhere", "`nowhere` is not a known variable"),
        ] {
            let problems = lowered(&model("1", matrices)).expect_err(matrices);
            assert!(problems.len() == 1 && problems[0].message.contains(reason), "{matrices}: {problems:?}");
        }
    }
}

/// What has no elements, and what depends on a parameter without a value, is never left out in silence.
#[test]
fn outputs_are_never_empty() {
    let cases = [
        ("Constant k Value=[]", "an output has no elements"),
        ("Constant k Value=zeros(0,3)", "an output has no elements"),
        ("Constant k Value=nowhere", "`nowhere` is not a known variable"),
        ("Constant c Value=[1 2]\nSelector k InputPortWidth=2; Indices=[]\nc -> k", "no elements"),
        ("Constant c Value=[1 2]\nSelector k InputPortWidth=2; Indices=nowhere\nc -> k", "`nowhere` is not"),
    ];
    for (block, reason) in cases {
        let text = format!("{block}\nOutport y\nk -> y");
        let problems = lowered(&text).expect_err(block);
        assert!(problems.len() == 1 && problems[0].message.contains(reason), "{block}: {problems:?}");
        assert_eq!(planned(&text, &[]).problems.len(), 1, "{block}");
    }
    // Sizes that do not match because a parameter has no value are not told.
    let follow = "Inport u PortDimensions=3\nDiscreteStateSpace k A=a; B=b; C=[1 2]; D=0; SampleTime=1\n                  Constant v Value=[1 2]\nSum s Inputs=++\nOutport y\nu -> k -> s -> y\nv -> s:2";
    let messages: Vec<String> = planned(follow, &[]).problems.into_iter().map(|it| it.message).collect();
    assert!(messages.len() == 2 && messages.iter().all(|it| it.contains("has no value")), "{messages:?}");
}

/// Expressions of `Fcn` have the variables that the block sees, and the functions of their language.
#[test]
fn formulas_use_variables() {
    let of = |settings: &str, expression: &str| {
        format!(
            "@ PreLoadFcn={settings}\nInport u PortDimensions=2\nFcn f Expr={expression}\nOutport y\nu -> f -> y"
        )
    };
    let cases = [
        ("k=4;", "k*u(1)", "3 0 | 12"),
        ("A=[1 2;3 4]", "A(1,2)*u[1] + A[3] + A(2,1)", "3 0 | 11"),
        ("p.gain=5", "p.gain + u(2)", "0 2 | 7"),
        ("u1=9", "u1 + u", "1 0 | 10"),
        ("x=1", "(u(1) > x) && !(u(2) == 0) || u(1) != x", "1 0 | 0\n 2 1 | 1\n 0 0 | 1"),
        ("x=2", "pow(u(1),x) + u(2)^x + hypot(3,4) + rem(-7,4) + sgn(-3)", "3 2 | 14"),
        ("x=-1", "abs(x) + fabs(x) + ceil(0.5) + floor(0.5) + ln(1) + log10(100) + u(1)*pi/pi", "1 0 | 6"),
        // A name that is a function is not a variable.
        ("sqrt=[7 8]", "sqrt(u(1)) + atan2(0,1) + exp(0)", "4 0 | 3"),
    ];
    for (settings, expression, steps) in cases {
        check(&of(settings, expression), steps);
    }
    for (settings, expression, reason) in [
        (
            "k=4",
            "nowhere*u(1)",
            "`nowhere` in its expression has no value: `nowhere` is not a known variable",
        ),
        ("k=[4 5]", "k*u(1)", "`k` in its expression has more than one number"),
        ("k=[4 5]", "k(3)*u(1)", "`k` in its expression has no such element"),
        ("k=[4 5]", "k(3,1)*u(1)", "`k` in its expression has no such element"),
        ("k=4", "gone(u(1))", "unknown function `gone`"),
    ] {
        let problems = lowered(&of(settings, expression)).expect_err(expression);
        assert!(problems.len() == 1 && problems[0].message.contains(reason), "{expression}: {problems:?}");
    }
    // A variable of the mask around it hides that of the workspace.
    let mask = "@ PreLoadFcn=k=4\nInport u\nSubSystem s Ports=[1, 1]; MaskVariables=k=@1;; MaskValueString=7; MaskType=t\n\
                Inport s/a\nFcn s/f Expr=k*u\nOutport s/b\nOutport y\nu -> s -> y\ns/a -> s/f -> s/b";
    check(mask, "2 | 14");
    let choice = "@ PreLoadFcn=limit=2\nInport u\nIf i IfExpression=u1 > limit; NumInputs=1\nSubSystem a\nActionPort a/p\n\
                  Constant a/c Value=1\nOutport a/o InitialOutput=0; OutputWhenDisabled=reset\nSubSystem b\nActionPort b/p\nOutport y\n\
                  i:1 -> a:ifaction\ni:2 -> b:ifaction\na -> y\na/c -> a/o\nu -> i";
    check(choice, "1 | 0\n 3 | 1");
}

/// An object of the class `Simulink.Signal` is the memory of a data store of its name.
#[test]
fn signals_of_the_workspace_are_data_stores() {
    let of = |code: &str| {
        format!(
            "@ PreLoadFcn={code}\nInport u\nSubSystem s\nInport s/i\nDataStoreRead s/r DataStoreName=x\nSum s/a Inputs=++\n\
             DataStoreWrite s/w DataStoreName=x\nOutport s/o\ns/r -> s/a -> s/w\ns/i -> s/a:2\ns/r -> s/o\nOutport y\nu -> s -> y"
        )
    };
    let typed = "x = Simulink.Signal;x.DataType='double';x.InitialValue='2';x.Dimensions=1;";
    check(&of(typed), "1 | 2\n 4 | 3\n 0 | 7");
    check(&of("k = 3;x = Simulink.Signal;x.InitialValue='k+1';"), "1 | 4\n 4 | 5");
    check(&of("x = Simulink.Signal;"), "1 | 0\n 4 | 1");
    let narrow = "x = Simulink.Signal;x.DataType='int8';x.InitialValue='100';";
    check(&of(narrow), "20 | 100\n 0 | 120");
    let unknown = "x = Simulink.Signal;x.InitialValue='nowhere';";
    let complex = "x = Simulink.Signal;x.InitialValue=1+2i;";
    for (code, reason) in [
        (unknown, "`nowhere`"),
        (complex, "not a number"),
        ("x = 3;", "there is no memory for the data store `x`"),
    ] {
        let problems = lowered(&of(code)).expect_err(code);
        assert!(problems.iter().any(|it| it.message.contains(reason)), "{code}: {problems:?}");
    }
}

/// A type that no object defines is looked for as a variable is, and so are the types of its elements.
#[test]
fn types_may_be_missing() {
    let missing = |text: &str| planned(text, &[]).missing.into_iter().collect::<Vec<String>>().join(" ");
    assert_eq!(missing("Inport u OutDataTypeStr=Bus: Command\nOutport y\nu -> y"), "Command");
    assert_eq!(missing("Inport u OutDataTypeStr=uint8\nOutport y\nu -> y"), "");
    let nested = "@ PreLoadFcn=e = Simulink.BusElement, e.Name = 'x', e.DataType = 'Inner', Outer = Simulink.Bus, Outer.Elements = e\n\
        Inport u OutDataTypeStr=Bus: Outer\nOutport y\nu -> y";
    assert_eq!(missing(nested), "Inner");
}

/// The newest files leave out parameters that have their usual values.
#[test]
fn parameters_with_usual_values_may_be_left_out() {
    for (block, steps) in [
        ("Gain k", "3 | 3"),
        ("Bias k", "3 | 3"),
        ("Saturate k", "3 | 0.5\n -3 | -0.5\n 0.25 | 0.25"),
        ("DeadZone k", "3 | 2.5\n -3 | -2.5\n 0.25 | 0"),
        ("Quantizer k", "3.2 | 3\n 3.4 | 3.5"),
        ("Relay k", "0 | 0\n 1 | 1\n -1 | 0"),
        ("Backlash k", "1 | 0.5\n 0.75 | 0.5\n -1 | -0.5"),
        ("Rounding k", "1.75 | 1\n -0.5 | -1"),
        ("Logic k Inputs=1", "1 | 1\n 0 | 0"),
        ("Delay k", "1 | 0\n 2 | 0\n 3 | 1"),
        ("DiscreteStateSpace k", "1 | 1\n 0 | 1\n 2 | 3"),
        ("Math k", "0 | 1\n 1 | 2.718281828459"),
        ("Sqrt k", "4 | 2"),
        ("Trigonometry k", "1 | 0.8414709848079"),
        ("Constant c\nProduct k Inputs=2\nc -> k:2", "3 | 3"),
    ] {
        let text =
            format!("@ Solver=FixedStepDiscrete; FixedStep=1\nInport u\n{block}\nOutport y\nu -> k -> y");
        check(&text, steps);
    }
    // The newest names of the parameters of a step.
    let step = |parameters: &str| {
        format!(
            "@ Solver=FixedStepDiscrete; FixedStep=1\nStep k SampleTime=0; {parameters}\nOutport y\nk -> y"
        )
    };
    check(&step("InitialValue=2; FinalValue=5"), " | 2\n | 5");
    check(&step("Time=2; FinalValue=0.5"), " | 0\n | 0\n | 0.5");
    check(&step("Time=0; Before=1; After=3"), " | 3");
}

/// What versions of Simulink assume differently is refused.
#[test]
fn parameters_without_one_usual_value() {
    let switch = |parameters: &str| {
        format!("Inport u\nSwitch k{parameters}\nOutport y\nu -> k -> y\nu -> k:2\nu -> k:3")
    };
    // The oldest versions had one criterion, and no parameter for it.
    for version in ["2.20", "4.00"] {
        let other = format!("@ Version={version}\n{}\nConstant c Value=7", switch(" Threshold=2"));
        check(&other.replace("u -> k:3", "c -> k:3"), "1 | 7\n 2 | 2\n 3 | 3");
    }
    let relation = "Inport u\nRelationalOperator k\nOutport y\nu -> k -> y\nu -> k:2";
    for (text, name) in [
        (switch(""), "Criteria"),
        (switch(" Threshold=2"), "Criteria"),
        (format!("@ Version=7.3\n{}", switch("")), "Criteria"),
        (relation.to_owned(), "Operator"),
    ] {
        let problems = lowered(&text).expect_err(&text);
        let reason = format!("the parameter `{name}` is not in the file");
        assert!(problems.len() == 1 && problems[0].message.contains(&reason), "{text}: {problems:?}");
    }
}

/// A variable may have the name of a function that takes arguments.
#[test]
fn variables_with_names_of_functions_are_missing() {
    let text =
        "@ Solver=ode4; FixedStep=0.5; StopTime=tf\nInport u\nGain k Gain=2*place\nOutport y\nu -> k -> y";
    let missing = planned(text, &[]).missing;
    assert!(["tf", "place"].iter().all(|name| missing.contains(*name)), "{missing:?}");
    check(&text.replace("@ ", "@ PreLoadFcn=tf=3,place=4; "), "1 | 8");
}

/// A recorded signal with many steps is made of the lines between its points.
#[test]
fn recorded_signals_with_many_steps() {
    let places = [0, 5_000, 7_500, 9_999, 10_000, 15_000, 20_000, 20_001, 25_000];
    for (parameters, wanted) in [
        ("", [1.0, 1.0, 3.0, 4.9992, 2.0, 3.0, 4.0, 4.0002, 5.0]),
        (
            "; Interpolate=off; OutputAfterFinalValue=Holding final value",
            [0.0, 1.0, 1.0, 1.0, 2.0, 2.0, 4.0, 4.0, 4.0],
        ),
        ("; OutputAfterFinalValue=Setting to zero", [1.0, 1.0, 3.0, 4.9992, 2.0, 3.0, 4.0, 0.0, 0.0]),
    ] {
        let text = format!(
            "@ Solver=FixedStepDiscrete; FixedStep=1e-4\nFromWorkspace k SampleTime=0; \
             VariableName=[0.5 1;1 5;1 2;2 4]{parameters}\nOutport y\nk -> y"
        );
        let system = lowered(&text).expect("a system");
        let found = run::<f64>(&system, &vec![&[][..]; 25_001], |it| it, |it| *it);
        for (place, want) in places.into_iter().zip(wanted) {
            let value = found[place][0].expect("a value");
            assert!((value - want).abs() < 1e-9, "{parameters} at {place}: {value}, not {want}");
        }
    }
}
