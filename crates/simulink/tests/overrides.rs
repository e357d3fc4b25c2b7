//! Data type override, by which numbers are doubles whatever their blocks state.

mod common;

use common::chart::{as_text, refused_file};
use common::model::{check, check_system, lowered, planned, shapes};
use common::reading;
use shall_simulink::lower::{Options, lower};
use shall_simulink::plan::plan;

const DOUBLES: &str = "DataTypeOverride=Double";

/// A block between an input and an output, in a model with settings.
fn model(settings: &str, block: &str) -> String {
    format!("@ FixedStep=1; {settings}\nInport u OutDataTypeStr=int8\n{block}\nOutport y\nu -> k -> y")
}

#[test]
fn numbers_of_a_model() {
    for (block, plain, doubles) in [
        ("Gain k Gain=3; OutDataTypeStr=int8", "50 | -106", "50 | 150\n 0.5 | 1.5"),
        ("Gain k Gain=1.5; ParamDataTypeStr=int8; OutDataTypeStr=double", "3 | 6", "3 | 4.5"),
        ("DataTypeConversion k OutDataTypeStr=uint8", "-3 | 253", "-3 | -3\n 0.25 | 0.25"),
        ("Bias k Bias=100", "100 | -56", "100 | 200"),
        ("UnitDelay k InitialCondition=1; SampleTime=-1", "7 | 1\n 8 | 7", "7.5 | 1\n 8 | 7.5"),
    ] {
        check(&model("DataTypeOverride=UseLocalSettings", block), plain);
        check(&model("DataTypeOverride=Off", block), plain);
        check(&model(DOUBLES, block), doubles);
        check(&model("DataTypeOverride=TrueDoubles", block), doubles);
    }
    // A fixed-point type matters no more, nor does the class of a constant.
    check(&model(DOUBLES, "Gain k Gain=0.1; OutDataTypeStr=fixdt(1,16,4)"), "1 | 0.1");
    check(
        "@ FixedStep=1; DataTypeOverride=Double\nConstant a Value=int8(100)\nSum k Inputs=++\nOutport y\na -> k:1\na -> k:2\nk -> y",
        " | 200",
    );
    let compared = planned(&model(DOUBLES, "Logic k Operator=NOT; Inputs=1"), &[]);
    assert_eq!((shapes(&compared, "u"), shapes(&compared, "k")), ("double".to_owned(), "boolean".to_owned()));
}

/// An outer setting counts before an inner one.
#[test]
fn numbers_of_a_subsystem() {
    let nested = |of_model: &str, outer: &str, inner: &str| {
        format!(
            "@ FixedStep=1; DataTypeOverride={of_model}\nInport u OutDataTypeStr=int8\nSubSystem s DataTypeOverride={outer}\nInport s/u\n\
             SubSystem s/t DataTypeOverride={inner}\nInport s/t/u\nGain s/t/k Gain=3; OutDataTypeStr=int8\nOutport s/t/y\nOutport s/y\n\
             s/t/u -> s/t/k -> s/t/y\ns/u -> s/t -> s/y\nOutport y\nu -> s -> y"
        )
    };
    for (of_model, outer, inner, want) in [
        ("UseLocalSettings", "UseLocalSettings", "UseLocalSettings", -106),
        ("UseLocalSettings", "UseLocalSettings", "Double", 150),
        ("UseLocalSettings", "Double", "Off", 150),
        ("UseLocalSettings", "Off", "Double", -106),
        ("Off", "Double", "Double", -106),
        ("Double", "Off", "Off", 150),
    ] {
        check(&nested(of_model, outer, inner), &format!("50 | {want}"));
    }
}

#[test]
fn what_is_not_supported_is_refused() {
    for settings in
        ["DataTypeOverride=Single", "DataTypeOverride=Double; DataTypeOverrideAppliesTo=Fixed-point"]
    {
        let problems = lowered(&model(settings, "Gain k Gain=3")).expect_err(settings);
        assert!(problems.iter().any(|it| it.message.contains("is not supported")), "{problems:?}");
    }
}

/// Fixed-point data of a chart becomes doubles; of other types, that is not known.
#[test]
fn charts() {
    let text = |class: &str| {
        let chart = format!("input u\noutput y {class}\nstate A during: y = u / 3;\n-> A");
        as_text(&chart, "").replacen("Model {\n", "Model {\nDataTypeOverride \"Double\"\n", 1)
    };
    for class in ["fixdt(0,8,5)", "double"] {
        let mut diagram = reading(text(class).as_bytes()).diagram;
        diagram.name = "m".to_owned();
        let system = lower(&plan(&diagram, &[]), None, &Options::default()).expect(class);
        check_system(class, &system, "1 | 0\n 1 | 0.3333333333\n 300 | 100", 1e-9);
    }
    refused_file(&text("uint8"), "the data type override of the type `uint8` in code is not known");
}

/// A `fixdt` without a scaling is a type that has a name.
#[test]
fn types_without_a_scaling() {
    for (text, class) in [
        ("fixdt(1,16,0)", "int16"),
        ("fixdt(0, 8, 0)", "uint8"),
        ("fixdt('single')", "single"),
        ("fixdt(true,32,0)", "int32"),
    ] {
        let plan = planned(&model("", &format!("Gain k Gain=1; OutDataTypeStr={text}")), &[]);
        assert_eq!((plan.problems.len(), shapes(&plan, "k").as_str()), (0, class), "{text}");
    }
    for text in ["fixdt(1,16,4)", "fixdt(1,16)", "fixdt(1,12,0)"] {
        assert!(lowered(&model("", &format!("Gain k Gain=1; OutDataTypeStr={text}"))).is_err(), "{text}");
    }
}
