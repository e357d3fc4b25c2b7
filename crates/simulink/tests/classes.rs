//! Blocks in integer and in single arithmetic, with outputs from the formula of the block, its rounding, and its way with overflow. (Doubles and
//! exact numbers are what all other tests compute in.)

mod common;

use common::model::{check, lowered, run};

/// A block `k` with two inputs of a class.
fn block(class: &str, block: &str) -> String {
    let inputs = block.split_once('|').map_or(1, |it| it.0.trim().parse().unwrap_or(1));
    let block = block.split_once('|').map_or(block, |it| it.1).trim();
    let mut text = format!("@ Solver=FixedStepDiscrete; FixedStep=1\n{block}\nOutport y\nk -> y");
    for number in 1..=inputs {
        text += &format!("\nInport u{number} Port={number}; OutDataTypeStr={class}\nu{number} -> k:{number}");
    }
    text
}

/// Integers wrap around, or saturate if the block says so; fractions are rounded as the block says, down if it says nothing.
#[test]
fn integers() {
    let saturates = "SaturateOnIntegerOverflow=on";
    let same = "OutDataTypeStr=Inherit: Same as first input";
    let cases: Vec<(&str, String, &str)> = vec![
        ("int8", "2 | Sum k Inputs=++".into(), "100 27 | 127\n 100 28 | -128\n -128 -1 | 127"),
        ("int8", format!("2 | Sum k Inputs=+-; {saturates}"), "-100 100 | -128\n 100 -100 | 127\n 3 5 | -2"),
        ("uint8", "2 | Sum k Inputs=+-".into(), "3 5 | 254\n 5 3 | 2"),
        ("uint16", format!("2 | Sum k Inputs=+-; {saturates}"), "3 5 | 0"),
        ("int8", "1 | Gain k Gain=2".into(), "63 | 126\n 64 | -128\n -65 | 126"),
        ("int8", format!("1 | Gain k Gain=-2; {saturates}"), "64 | -128\n -64 | 127\n 5 | -10"),
        ("int32", "1 | Gain k Gain=3".into(), "1000000000 | -1294967296"),
        ("int8", format!("2 | Product k Inputs=2; {same}"), "100 100 | 16\n -3 5 | -15"),
        ("int8", format!("2 | Product k Inputs=2; {same}; {saturates}"), "100 100 | 127\n -100 100 | -128"),
        ("int8", "2 | Product k Inputs=*/; RndMeth=Floor".into(), "7 2 | 3\n -7 2 | -4"),
        ("int8", "2 | Product k Inputs=*/; RndMeth=Zero".into(), "7 2 | 3\n -7 2 | -3"),
        ("int8", "2 | Product k Inputs=*/; RndMeth=Ceiling".into(), "7 2 | 4\n -7 2 | -3"),
        ("int8", "2 | Product k Inputs=*/; RndMeth=Round".into(), "7 2 | 4\n -7 2 | -4\n 5 4 | 1"),
        ("int8", "2 | Product k Inputs=*/; RndMeth=Nearest".into(), "7 2 | 4\n -7 2 | -3"),
        ("int8", "2 | Product k Inputs=*/; RndMeth=Convergent".into(), "7 2 | 4\n 5 2 | 2\n -7 2 | -4"),
        ("int8", "1 | Abs k".into(), "-5 | 5\n -128 | -128"),
        ("int8", format!("1 | Abs k {saturates}"), "-128 | 127\n -127 | 127"),
        ("int8", "1 | UnaryMinus k".into(), "5 | -5\n -128 | -128"),
        ("int8", format!("1 | UnaryMinus k {saturates}"), "-128 | 127"),
        ("uint8", "1 | Bias k Bias=10".into(), "250 | 4\n 1 | 11"),
        ("uint8", format!("1 | Bias k Bias=10; {saturates}"), "250 | 255"),
        ("int16", "1 | Signum k".into(), "-300 | -1\n 0 | 0\n 9 | 1"),
        ("int8", "2 | MinMax k Function=max; Inputs=2".into(), "-3 5 | 5\n -3 -7 | -3"),
        ("uint8", "2 | MinMax k Function=min; Inputs=2".into(), "200 5 | 5"),
        (
            "int8",
            "1 | Math k Operator=square; SaturateOnIntegerOverflow=on".into(),
            "11 | 121\n 12 | 127\n -12 | 127",
        ),
        ("int8", "2 | Math k Operator=mod".into(), "7 3 | 1\n -7 3 | 2\n -7 -3 | -1"),
        ("int8", "2 | Math k Operator=rem".into(), "7 3 | 1\n -7 3 | -1"),
        ("int8", "1 | Saturate k UpperLimit=10; LowerLimit=-10".into(), "99 | 10\n -99 | -10\n 3 | 3"),
        ("int8", "1 | DeadZone k UpperValue=2; LowerValue=-3".into(), "5 | 3\n -5 | -2\n 1 | 0"),
        (
            "int8",
            "1 | Relay k OnSwitchValue=5; OffSwitchValue=2; OnOutputValue=9; OffOutputValue=-9".into(),
            "4 | -9\n 5 | 9\n 3 | 9\n 2 | -9",
        ),
        ("int8", "3 | Switch k Criteria=u2 > Threshold; Threshold=0".into(), "1 5 2 | 1\n 1 0 2 | 2"),
        (
            "int8",
            "3 | MultiPortSwitch k DataPortOrder=One-based contiguous; Inputs=2".into(),
            "1 5 6 | 5\n 2 5 6 | 6",
        ),
        ("int8", "2 | RelationalOperator k Operator=<=".into(), "3 3 | 1\n 4 3 | 0"),
        ("int8", "2 | Logic k Operator=XOR; Inputs=2".into(), "3 0 | 1\n 3 4 | 0"),
        ("int8", "1 | UnitDelay k InitialCondition=-5; SampleTime=-1".into(), "1 | -5\n 127 | 1\n 0 | 127"),
        ("uint8", "1 | UnitDelay k InitialCondition=300; SampleTime=-1".into(), "1 | 255"),
        (
            "int16",
            "1 | Delay k DelayLength=2; InitialCondition=7; SampleTime=-1".into(),
            "1 | 7\n 2 | 7\n -300 | 1",
        ),
        ("int8", "1 | Memory k InitialCondition=3".into(), "-1 | 3\n 2 | -1"),
        ("int8", "1 | ZeroOrderHold k SampleTime=2".into(), "1 | 1\n 2 | 1\n 3 | 3"),
        ("int8", "1 | InitialCondition k Value=5".into(), "1 | 5\n 2 | 2"),
        ("int8", "2 | Mux k Inputs=2".into(), "1 -2 | 1 -2"),
        ("int8", "2 | Concatenate k Mode=Vector; NumInputs=2".into(), "1 -2 | 1 -2"),
        ("int8", "1 | DataTypeConversion k OutDataTypeStr=uint8".into(), "-1 | 255\n 5 | 5"),
        ("int8", format!("1 | DataTypeConversion k OutDataTypeStr=uint8; {saturates}"), "-1 | 0"),
        ("int16", "1 | DataTypeConversion k OutDataTypeStr=int8".into(), "300 | 44\n -129 | 127"),
        (
            "int16",
            format!("1 | DataTypeConversion k OutDataTypeStr=int8; {saturates}"),
            "300 | 127\n -129 | -128",
        ),
        ("int16", "1 | DataTypeConversion k OutDataTypeStr=boolean".into(), "300 | 1\n 0 | 0"),
        (
            "double",
            "1 | DataTypeConversion k OutDataTypeStr=int8; RndMeth=Nearest".into(),
            "2.5 | 3\n -2.5 | -2\n -2.6 | -3",
        ),
        (
            "double",
            "1 | DataTypeConversion k OutDataTypeStr=int8; RndMeth=Round".into(),
            "2.5 | 3\n -2.5 | -3",
        ),
        (
            "double",
            "1 | DataTypeConversion k OutDataTypeStr=int8; RndMeth=Convergent".into(),
            "2.5 | 2\n 3.5 | 4\n -2.5 | -2",
        ),
        (
            "double",
            "1 | DataTypeConversion k OutDataTypeStr=int8; RndMeth=Ceiling".into(),
            "2.1 | 3\n -2.9 | -2",
        ),
        (
            "double",
            "1 | DataTypeConversion k OutDataTypeStr=int8; RndMeth=Floor".into(),
            "2.9 | 2\n -2.1 | -3\n 300 | 44",
        ),
        (
            "int8",
            "1 | HitCross k HitCrossingOffset=2; HitCrossingDirection=rising".into(),
            "1 | 0\n 5 | 1\n 6 | 0",
        ),
        (
            "int8",
            "1 | Reference k SourceBlock=simulink/Discrete/Tapped Delay; NumDelays=2; vinit=9".into(),
            "1 | 9 9\n 2 | 9 1\n 3 | 1 2",
        ),
        (
            "int8",
            "1 | Reference k SourceBlock=simulink/Logic and Bit Operations/Detect Change; vinit=0".into(),
            "1 | 1\n 1 | 0\n -1 | 1",
        ),
        ("int8", "1 | Reference k SourceBlock=simulink/Math Operations/Slider Gain; gain=2".into(), "5 | 10"),
    ];
    for (class, text, steps) in cases {
        check(&block(class, &text), steps);
    }
}

/// Every result of a block is rounded to 24 bits, and so is every parameter. Functions are those of doubles, rounded.
#[test]
fn singles() {
    type Formula = fn(f32, f32) -> f32;
    let cases: [(&str, Formula); 28] = [
        ("2 | Sum k Inputs=++", |a, b| a + b),
        ("2 | Sum k Inputs=+-", |a, b| a - b),
        ("1 | Gain k Gain=0.1", |a, _| a * 0.1),
        ("1 | Bias k Bias=0.1", |a, _| a + 0.1),
        ("2 | Product k Inputs=2", |a, b| a * b),
        ("2 | Product k Inputs=*/", |a, b| a / b),
        ("1 | Abs k", |a, _| a.abs()),
        ("1 | UnaryMinus k", |a, _| -a),
        ("2 | MinMax k Function=min; Inputs=2", f32::min),
        ("1 | Signum k", |a, _| if a > 0.0 { 1.0 } else { -1.0 }),
        ("1 | Math k Operator=square", |a, _| a * a),
        ("1 | Math k Operator=reciprocal", |a, _| 1.0 / a),
        ("1 | Math k Operator=exp", |a, _| f64::from(a).exp() as f32),
        ("1 | Trigonometry k Operator=sin", |a, _| f64::from(a).sin() as f32),
        ("1 | Trigonometry k Operator=atan", |a, _| f64::from(a).atan() as f32),
        ("1 | Rounding k Operator=ceil", |a, _| a.ceil()),
        ("1 | Saturate k UpperLimit=0.1; LowerLimit=-0.1", |a, _| a.clamp(-0.1, 0.1)),
        ("1 | DeadZone k UpperValue=0.1; LowerValue=-0.1", |a, _| if a > 0.0 { a - 0.1 } else { a + 0.1 }),
        ("1 | Relay k OnSwitchValue=0; OffSwitchValue=0; OnOutputValue=0.1; OffOutputValue=0.2", |a, _| {
            if a >= 0.0 { 0.1 } else { 0.2 }
        }),
        ("2 | RelationalOperator k Operator=>", |a, b| f32::from(u8::from(a > b))),
        ("1 | UnitDelay k InitialCondition=0.1; SampleTime=-1", |_, _| 0.1),
        ("1 | Delay k DelayLength=3; InitialCondition=0.1; SampleTime=-1", |_, _| 0.1),
        ("1 | Memory k InitialCondition=0.1", |_, _| 0.1),
        ("1 | InitialCondition k Value=0.7", |_, _| 0.7),
        ("1 | ZeroOrderHold k SampleTime=-1", |a, _| a),
        ("1 | DataTypeConversion k OutDataTypeStr=double", |a, _| a),
        ("1 | DiscreteFilter k Numerator=[0.1]; Denominator=[1 0.5]; SampleTime=-1", |a, _| {
            (f64::from(a) * 0.1) as f32
        }),
        ("1 | Reference k SourceBlock=simulink/Math Operations/Slider Gain; gain=0.3", |a, _| a * 0.3),
    ];
    for (text, formula) in cases {
        let text = block("single", text);
        let system = lowered(&text).unwrap_or_else(|problems| panic!("{text}\n{problems:?}"));
        for (a, b) in [(0.3, 1.7), (-0.7, 0.1), (1.0e7, 3.0), (123_456.789, -0.001)] {
            let found = run::<f64>(&system, &[&[a, b][..system.inputs.len()]], |it| it, |it| *it);
            let want = f64::from(formula(a as f32, b as f32));
            assert_eq!(found, [[Some(want)]], "{text} of {a} and {b}");
        }
    }
    // From a double, and back.
    let convert = block("double", "1 | DataTypeConversion k OutDataTypeStr=single");
    let system = lowered(&convert).expect("a system");
    assert_eq!(run::<f64>(&system, &[&[0.1]], |it| it, |it| *it), [[Some(f64::from(0.1f32))]]);
}
