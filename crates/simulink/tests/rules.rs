//! Types, sizes and values as Simulink has them: the table of rules in the manual, and models on which a difference would be silent.

mod common;

use common::model::{check, lowered, planned, shapes};

/// Every row of the table in the manual: a block, the types of its inputs, and that of its output.
#[test]
fn the_table_of_the_manual() {
    let manual = include_str!("../../../docs/simulink.md");
    let table = manual.split("<!-- rules -->").nth(1).expect("a table");
    let mut rows = 0;
    for line in table.lines().filter(|it| it.starts_with("| `")) {
        let cells: Vec<&str> =
            line.trim_matches('|').split(" | ").map(|it| it.trim().trim_matches('`')).collect();
        let [block, inputs, want] = cells[..] else { panic!("{line}") };
        let (kind, parameters) = block.split_once(' ').unwrap_or((block, ""));
        let mut text = format!("{kind} block {parameters}\n");
        for (place, input) in inputs.split(' ').filter(|it| !it.is_empty()).enumerate() {
            let (class, size) = input.split_once('[').unwrap_or((input, "1]"));
            let size = size.trim_end_matches(']').replace('x', " ");
            let number = place + 1;
            text +=
                &format!("Inport u{number} Port={number}; OutDataTypeStr={class}; PortDimensions=[{size}]\n");
            text += &format!("u{number} -> block:{number}\n");
        }
        let plan = planned(&text, &[]);
        assert_eq!((shapes(&plan, "block").as_str(), &plan.problems), (want, &vec![]), "{line}");
        rows += 1;
    }
    assert!(rows >= 40, "{rows} rows");
}

/// A model with one block between an input of a class and an output.
fn block(class: &str, block: &str) -> String {
    format!("Inport u OutDataTypeStr={class}\n{block}\nOutport y\nu -> k -> y")
}

#[test]
fn the_simplest_rounding_goes_to_zero() {
    let convert = "DataTypeConversion k OutDataTypeStr=int8; RndMeth=Simplest; SaturateOnIntegerOverflow=on";
    check(&block("double", convert), "-2.5 | -2\n 2.5 | 2\n -0.5 | 0\n 300 | 127");
    // A product of integers is shifted.
    let gain = "Gain k Gain=0.5; RndMeth=Simplest; OutDataTypeStr=Inherit: Same as input";
    check(&block("int8", gain), "-3 | -2\n 3 | 1");
    let divide = "Inport u OutDataTypeStr=int8\nInport v Port=2; OutDataTypeStr=int8\n\
                  Product k Inputs=*/; RndMeth=Simplest\nOutport y\nu -> k -> y\nv -> k:2";
    check(divide, "-7 2 | -3\n 7 2 | 3");
}

#[test]
fn booleans_are_numbers_in_sums_and_products() {
    check(&block("boolean", "Gain k Gain=2.5"), "1 | 2.5\n 0 | 0");
    let sum = "Inport u OutDataTypeStr=boolean\nInport v Port=2; OutDataTypeStr=boolean\nSum k Inputs=++\nOutport y\n\
               u -> k -> y\nv -> k:2";
    check(sum, "1 1 | 2\n 1 0 | 1");
}

#[test]
fn products_have_room_for_their_factors() {
    let product = "Inport u OutDataTypeStr=uint8\nInport v Port=2; OutDataTypeStr=uint8\nProduct k Inputs=2\nOutport y\n\
                   u -> k -> y\nv -> k:2";
    check(product, "200 200 | 40000\n 3 5 | 15");
    let rule = "OutDataTypeStr=Inherit: Inherit via internal rule";
    check(&block("int8", &format!("Abs k {rule}")), "-128 | 128\n 5 | 5");
}

#[test]
fn parameters_expand_scalars() {
    let cases = [
        ("Bias k Bias=[1 2 3]", "1 | 2 3 4"),
        ("Saturate k UpperLimit=[1 2]; LowerLimit=0", "5 | 1 2\n -1 | 0 0"),
        ("DeadZone k LowerValue=[-1 -2]; UpperValue=1", "5 | 4 4\n -3 | -2 -1"),
        ("Quantizer k QuantizationInterval=[1 2]", "3.2 | 3 4"),
        (
            "Relay k OnSwitchValue=[1 3]; OffSwitchValue=0; OnOutputValue=1; OffOutputValue=0",
            "2 | 1 0\n 4 | 1 1",
        ),
        (
            "DiscreteIntegrator k InitialCondition=0; gainval=1; LimitOutput=on; UpperSaturationLimit=[1 2]; \
             LowerSaturationLimit=0; SampleTime=1",
            "5 | 0 0\n 5 | 1 2",
        ),
        ("DiscreteIntegrator k InitialCondition=[1 2]; gainval=[1 10]; SampleTime=1", "1 | 1 2\n 1 | 2 12"),
        ("Backlash k BacklashWidth=[2 4]; InitialOutput=0", "3 | 2 1\n 2 | 2 1\n -3 | -2 -1"),
        ("InitialCondition k Value=[7 8]", "1 | 7 8\n 2 | 2 2"),
    ];
    for (text, steps) in cases {
        check(&block("double", text), steps);
    }
}

#[test]
fn parameters_have_the_class_of_their_block() {
    let cases = [
        ("uint8", "Bias k Bias=1.5", "1 | 3"),
        ("uint8", "Saturate k UpperLimit=2.5; LowerLimit=-4", "9 | 3\n 0 | 0"),
        ("uint8", "Saturate k UpperLimit=300; LowerLimit=0.6", "255 | 255\n 0 | 1"),
        ("int8", "DeadZone k LowerValue=-1.4; UpperValue=1.4", "3 | 2\n -3 | -2"),
        ("uint8", "Gain k Gain=1.6; ParamDataTypeStr=Inherit: Same as input", "5 | 10"),
        (
            "int8",
            "Relay k OnSwitchValue=1.5; OffSwitchValue=0; OnOutputValue=7.6; OffOutputValue=0",
            "1 | 0\n 2 | 8",
        ),
        ("int8", "Lookup k InputValues=[0 10]; Table=[0 5.6]", "10 | 6"),
    ];
    for (class, text, steps) in cases {
        check(&block(class, text), steps);
    }
    let switch = "Inport u OutDataTypeStr=uint8\nConstant a Value=1\nConstant b Value=0\n\
                  Switch k Criteria=u2 >= Threshold; Threshold=2.4\nOutport y\na -> k -> y\nu -> k:2\nb -> k:3";
    check(switch, "1 | 0\n 2 | 1");
    // In single precision, a tenth is not a tenth.
    let single = lowered(&block("single", "Bias k Bias=0.1")).expect("a system");
    let found = common::model::run::<f64>(&single, &[&[0.0]], |it| it, |it| *it);
    assert_eq!(found, [[Some(f64::from(0.1f32))]]);
}

#[test]
fn arrays_are_joined_along_any_dimension() {
    let joined = |dimension: usize| {
        format!(
            "Inport u PortDimensions=[2 1 2]\nInport v Port=2; PortDimensions=[2 1 2]\n\
             Concatenate k Mode=Multidimensional array; ConcatenateDimension={dimension}; NumInputs=2\nOutport y\n\
             u -> k -> y\nv -> k:2"
        )
    };
    let given = "1 2 3 4 5 6 7 8";
    check(&joined(1), &format!("{given} | 1 2 5 6 3 4 7 8"));
    check(&joined(2), &format!("{given} | 1 2 5 6 3 4 7 8"));
    check(&joined(3), &format!("{given} | 1 2 3 4 5 6 7 8"));
    let by_default = "Inport u PortDimensions=[1 2]\nInport v Port=2; PortDimensions=[1 2]\n\
                      Concatenate k Mode=Multidimensional array; NumInputs=2\nOutport y\nu -> k -> y\nv -> k:2";
    check(by_default, "1 2 3 4 | 1 3 2 4");
}

#[test]
fn links_state_types() {
    let compare = |more: &str| {
        let path = "simulink/Logic and Bit Operations/Compare To Constant";
        planned(&block("int8", &format!("Reference k SourceBlock={path}; relop=>; const=3{more}")), &[])
    };
    assert_eq!(shapes(&compare(""), "k"), "boolean");
    assert_eq!(shapes(&compare("; OutDataTypeStr=uint8"), "k"), "uint8");
    let limit = |more: &str| {
        let path = "simulink/Discontinuities/Saturation Dynamic";
        format!(
            "Inport up OutDataTypeStr=double\nInport u Port=2; OutDataTypeStr=int8\n\
             Inport lo Port=3; OutDataTypeStr=double\n\
             Reference k SourceBlock={path}{more}\nOutport y\nup -> k -> y\nu -> k:2\nlo -> k:3"
        )
    };
    assert_eq!(shapes(&planned(&limit(""), &[]), "k"), "int8");
    assert_eq!(shapes(&planned(&limit("; OutDataTypeStr=double"), &[]), "k"), "double");
    check(&limit(""), "5.5 9 0 | 5\n 5 -3 -2.5 | -3\n 5 1 0 | 1");
    check(&limit("; OutDataTypeStr=double"), "5.5 9 0 | 5.5");
}

/// Files before R2009a have other parameters for types.
#[test]
fn types_of_old_files() {
    let cases = [
        ("Constant k Value=1; OutDataTypeMode=uint8", "uint8"),
        ("Constant k Value=1; OutDataTypeMode=Inherit from 'Constant value'", "double"),
        ("Constant k Value=1; OutDataTypeMode=uint8; OutDataTypeStr=int8", "int8"),
        ("DataTypeConversion k OutDataTypeMode=boolean", "boolean"),
        ("DataTypeConversion k DataType=single", "single"),
        ("DataTypeConversion k OutDataTypeMode=Specify via dialog; OutDataType=sint(16)", "int16"),
        ("DataTypeConversion k OutDataTypeMode=Specify via dialog; OutDataType=float('single')", "single"),
        ("Product k Inputs=2; OutDataTypeMode=Same as first input", "int8"),
        ("Product k Inputs=2; OutDataTypeMode=Inherit via internal rule", "int16"),
        (
            "Logic k Operator=NOT; Inputs=1; LogicOutDataTypeMode=Specify via dialog; LogicDataType=uint(8)",
            "uint8",
        ),
        (
            "RelationalOperator k Operator=<; LogicOutDataTypeMode=Logical (see Advanced Sim. Parameters)",
            "boolean",
        ),
        ("RelationalOperator k Operator=<; LogicOutDataTypeMode=Boolean", "boolean"),
    ];
    for (block, want) in cases {
        let plan = planned(&format!("Inport u DataType=int8\n{block}\nu -> k\nu -> k:2"), &[]);
        assert_eq!((shapes(&plan, "u").as_str(), shapes(&plan, "k").as_str()), ("int8", want), "{block}");
    }
    let gain = "Inport u DataType=uint8\nGain k Gain=1.6; OutDataTypeMode=Same as input; ParameterDataTypeMode=Same as input\n\
                Outport y\nu -> k -> y";
    check(gain, "5 | 10");
    let fixed = "Inport u\nDataTypeConversion k OutDataTypeMode=Specify via dialog; OutDataType=sfix(16)\nOutport y\nu -> k -> y";
    assert!(lowered(fixed).expect_err("a fixed-point type")[0].message.contains("`sfix(16)`"));
}

#[test]
fn loops_and_readers_determine_the_rest() {
    // An initial value that is not a double decides in a loop without other sources.
    let plan = planned("UnitDelay d InitialCondition=true\nOutport y\nd -> d\nd -> y", &[]);
    assert_eq!(shapes(&plan, "d"), "boolean");
    let space = "Inport u\nDiscreteStateSpace k A=0.5; B=[1 2]; C=1; D=[0 0]\nOutport y\nu -> k -> y";
    assert_eq!(shapes(&planned(space, &[]), "u"), "double[2]");
    let reshape =
        "Inport u\nReshape k OutputDimensionality=Customize; OutputDimensions=[2 3]\nOutport y\nu -> k -> y";
    assert_eq!(shapes(&planned(reshape, &[]), "u"), "double[6]");
}

#[test]
fn comments() {
    let text = "Inport u\nSubSystem s Commented=on\nInport s/a\nGain s/g Gain=oops\nOutport s/b\ns/a -> s/g -> s/b\n\
                Gain k Gain=5; Commented=through\nOutport y\nu -> k -> y";
    let plan = planned(text, &[]);
    assert_eq!(plan.problems, Vec::new());
    let components: Vec<String> =
        shall_simulink::info::info(&plan).components.into_iter().map(|it| it.path).collect();
    assert_eq!(components, ["m"]);
    check(text, "3 | 3");
}

#[test]
fn a_loop_through_a_block_without_a_value_is_not_one() {
    let text = "Inport u\nSum s Inputs=+-\nDiscreteTransferFcn t Numerator=b; Denominator=[1 a]; SampleTime=1\nOutport y\n\
                u -> s -> t -> y\nt -> s:2";
    let plan = planned(text, &[]);
    let messages: Vec<&str> = plan.problems.iter().map(|it| it.message.as_str()).collect();
    assert!(messages.iter().all(|it| !it.contains("loop")), "{messages:?}");
    assert!(!messages.is_empty());
}

#[test]
fn the_step_is_that_of_the_solver() {
    let step = |settings: &str, blocks: &str| planned(&format!("@ {settings}\n{blocks}"), &[]).step;
    let discrete = "Inport u SampleTime=0.3\nUnitDelay d SampleTime=0.3\nu -> d";
    assert_eq!(step("Solver=FixedStepDiscrete; FixedStep=0.1", discrete), 0.1);
    assert_eq!(step("Solver=ode45; FixedStep=0.1", discrete), 0.3);
    assert_eq!(step("Solver=ode45; FixedStep=0.1", "Inport u\nGain g Gain=2\nu -> g"), 0.2);
    let continuous = "Inport u\nIntegrator i\nu -> i";
    assert_eq!(step("Solver=ode45; FixedStep=0.1; StopTime=100", continuous), 2.0);
    assert_eq!(step("Solver=ode45; MaxStep=0.5; StopTime=100", continuous), 0.5);
    assert_eq!(step("Solver=ode4; FixedStep=0.01", continuous), 0.01);
}

#[test]
fn without_outputs_everything_counts() {
    let fine = "Inport u\nGain g Gain=2\nScope s\nu -> g -> s";
    assert!(lowered(fine).is_ok());
    let refused = "Inport u\nMATLABFcn g MATLABFcn=secret\nScope s\nu -> g -> s";
    assert!(lowered(refused).is_err());
    // What is not supported and gives nothing does not count.
    let shown = "Inport u\nGain g Gain=2\nReference s SourceBlock=mylib/Animation; Ports=[1]\nS-Function f FunctionName=draw; Ports=[1]\n\
                 u -> g -> s\ng -> f";
    assert!(lowered(shown).is_ok());
}

#[test]
fn problems_have_causes() {
    let text = "Inport u\nGain a Gain=k*2\nGain b Gain=3+k\nReference c SourceBlock=mylib/F\nReference d SourceBlock=mylib/G\n\
                Outport y\nu -> a -> b -> c -> d -> y";
    let plan = planned(text, &[]);
    let groups: Vec<(&str, usize)> = shall_simulink::plan::grouped(&plan.problems)
        .iter()
        .map(|it| (it.cause, it.problems.len()))
        .collect();
    let want = [("`k` is not a known variable or function", 2), ("the library `mylib` is not resolved", 2)];
    assert_eq!(groups, want);
}
