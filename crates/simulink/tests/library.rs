//! Blocks of the libraries in small models, with outputs from the formula that their documentation states: bits, tables in two parts,
//! elements of arrays, delays and noise, function calls, checks, flip-flops, and buses that scripts define.

mod common;

use common::model::{check, check_near, lowered, planned, shapes};
use shall_simulink::lower::{Options, lower};
use shall_simulink::matlab;
use shall_simulink::value::Value;
use std::cell::Cell;
use std::rc::Rc;

/// A block `k` with inputs `u`, `v` and `w`, of the classes that are given.
fn block(classes: &[&str], block: &str) -> String {
    let mut text = "@ Solver=FixedStepDiscrete; FixedStep=0.5\n".to_owned();
    for (number, (name, class)) in (1..).zip(["u", "v", "w"].iter().zip(classes)) {
        let (class, size) = class.split_once('*').unwrap_or((class, "1"));
        text += &format!("Inport {name} Port={number}; OutDataTypeStr={class}; PortDimensions={size}\n");
        text += &format!("{name} -> k:{number}\n");
    }
    text + block + "\nOutport y\nk -> y"
}

/// A link into the standard library.
fn link(path: &str) -> String {
    format!("Reference k SourceBlock=simulink/{path}")
}

#[test]
fn bits_of_integers() {
    let bitwise = |parameters: &str| link("Logic and Bit Operations/Bitwise Operator; ") + parameters;
    let cases = [
        (&["uint8"][..], bitwise("logicop=AND; BitMask=bin2dec('00001111')"), "171 | 11\n 255 | 15"),
        (&["uint8"], bitwise("logicop=OR; BitMask=hex2dec('F0')"), "11 | 251"),
        (&["uint8"], bitwise("logicop=XOR; BitMask=255"), "11 | 244"),
        (&["uint8"], bitwise("logicop=NAND; BitMask=15"), "255 | 240"),
        (&["uint8"], bitwise("logicop=NOR; BitMask=15"), "128 | 112"),
        (&["uint8"], bitwise("logicop=NOT"), "1 | 254"),
        (&["int8"], bitwise("logicop=NOT"), "1 | -2\n -128 | 127"),
        (&["int8"], bitwise("logicop=AND; BitMask=15"), "-1 | 15"),
        (&["uint8", "uint8"], bitwise("logicop=XOR; UseBitMask=off; NumInputPorts=2"), "12 10 | 6"),
        (
            &["uint8", "uint8", "uint8"],
            bitwise("logicop=AND; UseBitMask=off; NumInputPorts=3"),
            "7 14 12 | 4",
        ),
        // One vector is combined to one number.
        (&["uint8*3"], bitwise("logicop=OR; UseBitMask=off; NumInputPorts=1"), "1 2 8 | 11"),
        (&["boolean"], bitwise("logicop=NOT"), "1 | 0\n 0 | 1"),
        (&["uint8"], link("Logic and Bit Operations/Bit Set; iBit=3"), "1 | 9\n 9 | 9"),
        (&["uint8"], link("Logic and Bit Operations/Bit Clear; iBit=3"), "9 | 1\n 1 | 1"),
        (&["uint8"], "ArithShift k BitShiftNumber=2".to_owned(), "7 | 1\n 255 | 63"),
        (&["int8"], "ArithShift k BitShiftNumber=2".to_owned(), "-7 | -2\n 8 | 2"),
        (&["uint8"], "ArithShift k BitShiftDirection=Left; BitShiftNumber=2".to_owned(), "7 | 28\n 65 | 4"),
        (&["uint8"], "ArithShift k BitShiftNumber=-1".to_owned(), "3 | 6"),
        (&["double"], "ArithShift k BitShiftNumber=2".to_owned(), "3 | 0.75"),
        (
            &["int16", "int8"],
            "ArithShift k BitShiftNumberSource=Input port; Ports=[2, 1]".to_owned(),
            "20 2 | 5\n 20 -2 | 80\n -20 1 | -10\n -1 90 | -1\n 1 -90 | 0",
        ),
        (&["int8"], link("Logic and Bit Operations/Shift Arithmetic; nBitShiftRight=1"), "-8 | -4"),
    ];
    for (classes, parameters, steps) in cases {
        check(&block(classes, &parameters), steps);
    }
}

#[test]
fn tables_in_two_parts() {
    let both = |pre: &str, table: &str| {
        format!(
            "Inport u\nPreLookup p BreakpointsData=[0 1 3]; {pre}\n\
             Interpolation_n-D k NumberOfTableDimensions=1; Table=[10 20 60]; Ports=[2, 1]; {table}\nOutport y\nOutport i Port=2\n\
             Outport f Port=3\nu -> p:1\np:1 -> k:1\np:2 -> k:2\nk -> y\np:1 -> i\np:2 -> f"
        )
    };
    // The value, the index and the fraction.
    check(
        &both("ExtrapMethod=Linear", "ExtrapMethod=Linear"),
        "0 | 10 0 0\n 0.5 | 15 0 0.5\n 1 | 20 1 0\n 2 | 40 1 0.5\n 3 | 60 1 1",
    );
    check(&both("ExtrapMethod=Linear", "ExtrapMethod=Linear"), "-1 | 0 0 -1\n 5 | 100 1 2");
    check(&both("ExtrapMethod=Linear", "ExtrapMethod=Clip"), "-1 | 10 0 -1\n 5 | 60 1 2");
    check(&both("ExtrapMethod=Clip", "ExtrapMethod=Linear"), "-1 | 10 0 0\n 5 | 60 1 1");
    check(
        &both("ExtrapMethod=Clip; UseLastBreakpoint=on", "ExtrapMethod=Linear; ValidIndexMayReachLast=on"),
        "2 | 40 1 0.5\n 3 | 60 2 0\n 9 | 60 2 0",
    );
    let planned = planned(&both("", ""), &[]);
    assert_eq!(
        (shapes(&planned, "p"), shapes(&planned, "k")),
        ("uint32 double".to_owned(), "double".to_owned())
    );
    let even = "BreakpointsSpecification=Even spacing; BreakpointsFirstPoint=1; BreakpointsSpacing=2; BreakpointsNumPoints=3";
    let index = format!(
        "Inport u\nPreLookup k {even}; OutputSelection=Index only; ExtrapMethod=Clip\nOutport y\nu -> k -> y"
    );
    check(&index, "0 | 0\n 2.9 | 0\n 3 | 1\n 9 | 1");
    // By rows and columns: 2 + (6 - 2)/2 between rows 1 and 2 of column 1, and half way to the other column.
    let plane = "Interpolation_n-D k NumberOfTableDimensions=2; Table=[2 4;6 8;10 20]; Ports=[4, 1]; ExtrapMethod=Linear\n\
                 Constant i Value=uint32(0)\nConstant j Value=uint32(0)\nInport u\nInport v Port=2\nOutport y\n\
                 i -> k:1\nu -> k:2\nj -> k:3\nv -> k:4\nk -> y";
    check(plane, "0.5 0 | 4\n 0.5 0.5 | 5\n 0 1 | 4");
    let selected = "Interpolation_n-D k NumberOfTableDimensions=2; NumSelectionDims=1; Table=[2 4;6 8]; Ports=[3, 1]\n\
                    Constant i Value=uint32(0)\nInport u\nInport v Port=2\nOutport y\ni -> k:1\nu -> k:2\nv -> k:3\nk -> y";
    check(selected, "0.5 0 | 4\n 0.5 1 | 6");
    // Entries by index from zero; an index outside is moved to the end.
    let direct = "LookupNDDirect k NumberOfTableDims=2; Table=[4 5 6;16 19 20]; InputsSelectThisObjectFromTable=Element; Ports=[2, 1]";
    check(&block(&["double", "double"], direct), "0 0 | 4\n 1 2 | 20\n 7 -1 | 16");
    let column = "LookupNDDirect k NumberOfTableDims=2; Table=[4 5 6;16 19 20]; InputsSelectThisObjectFromTable=Column; Ports=[1, 1]";
    check(&block(&["double"], column), "1 | 5 19\n 2 | 6 20");
}

#[test]
fn tables_of_signals() {
    let dynamic = |method: &str| {
        let table = link(&format!("Lookup Tables/Lookup Table Dynamic; LookUpMeth={method}"));
        format!(
            "Inport u\nConstant x Value=[0 1 3]\nConstant z Value=[10 20 60]\n{table}\nOutport y\nu -> k\nx -> k:2\nz -> k:3\nk -> y"
        )
    };
    check(&dynamic("Interpolation-Use End Values"), "-1 | 10\n 0.5 | 15\n 2 | 40\n 9 | 60");
    check(&dynamic("Interpolation-Extrapolation"), "-1 | 0\n 4 | 80");
    check(&dynamic("Use Input Below"), "-1 | 10\n 0.9 | 10\n 1 | 20\n 9 | 60");
    check(&dynamic("Use Input Above"), "-1 | 10\n 0.9 | 20\n 1 | 20\n 9 | 60");
    check(&dynamic("Use Input Nearest"), "0.4 | 10\n 0.6 | 20\n 1.9 | 20\n 2.1 | 60");
}

#[test]
fn elements_of_arrays() {
    let matrix =
        "Constant m Value=[1 2 3;4 5 6;7 8 9]\nm -> k:1\nInport u\nInport v Port=2\nOutport y\nk -> y\n";
    let selector = |options: &str, more: &str| {
        format!("{matrix}Selector k NumberOfDimensions=2; IndexOptions={options}; {more}")
    };
    let ports = |text: String, inputs: &str| format!("{text}; Ports=[{inputs}, 1]\nu -> k:2\nv -> k:3");
    // Rows and columns from ports, counted from one: row u, column v.
    let both = selector("Index vector (port),Index vector (port)", "IndexMode=One-based");
    check(&ports(both, "3"), "1 1 | 1\n 2 3 | 6\n 3 1 | 7\n 9 0 | 7");
    // Row u of the columns 3 and 1; the second input is not there.
    let row = selector("Index vector (port),Index vector (dialog)", "Indices=1,[3 1]");
    let row = format!("{row}; Ports=[2, 1]\nu -> k:2");
    check(&row, "1 0 | 3 1\n 2 0 | 6 4");
    let start = selector("Starting index (port),Select all", "OutputSizes=2,1; IndexMode=Zero-based");
    check(&format!("{start}; Ports=[2, 1]\nu -> k:2"), "0 0 | 1 4 2 5 3 6\n 1 0 | 4 7 5 8 6 9");
    let assignment = |options: &str, more: &str| {
        format!("{matrix}Assignment k NumberOfDimensions=2; IndexOptions={options}; {more}")
    };
    // The new element is the first input of the model, at row 2 and column v.
    let put = assignment("Index vector (dialog),Index vector (port)", "Indices=2,1; Ports=[3, 1]");
    check(&format!("{put}\nu -> k:2\nv -> k:3"), "50 1 | 1 50 7 2 5 8 3 6 9\n 60 3 | 1 4 7 2 5 8 3 60 9");
    let fixed = assignment("Assign all,Index vector (dialog)", "Indices=1,3; Ports=[2, 1]");
    check(&format!("{fixed}\nu -> k:2"), "0 0 | 1 4 7 2 5 8 0 0 0");
    let three = "Constant m Value=reshape(1:8,2,2,2)\nSelector k NumberOfDimensions=3; \
                 IndexOptions=Select all,Index vector (dialog),Index vector (port); Indices=1,2,1; Ports=[2, 1]\nInport u\nOutport y\n\
                 m -> k:1\nu -> k:2\nk -> y";
    check(three, "1 | 3 4\n 2 | 7 8");
    let permuted = "Constant m Value=[1 2 3;4 5 6]\nPermuteDimensions k Order=[2 1]\nOutport y\nm -> k -> y";
    check(permuted, " | 1 2 3 4 5 6");
    assert_eq!(shapes(&planned(permuted, &[]), "k"), "double[3x2]");
    let squeezed = "Constant m Value=reshape(1:4,2,1,2)\nSqueeze k\nOutport y\nm -> k -> y";
    assert_eq!(shapes(&planned(squeezed, &[]), "k"), "double[2x2]");
    check(squeezed, " | 1 2 3 4");
}

#[test]
fn delays_of_time() {
    let delay =
        |time: f64| block(&["double"], &format!("TransportDelay k DelayTime={time}; InitialOutput=9"));
    check(&delay(0.5), "1 | 9\n 2 | 1\n 3 | 2");
    check(&delay(1.0), "1 | 9\n 2 | 9\n 3 | 1\n 4 | 2");
    // One and a half steps: half way between the values one and two steps ago.
    check(&delay(0.75), "1 | 9\n 2 | 9\n 4 | 1.5\n 8 | 3\n 0 | 6");
    let problems = lowered(&delay(0.2)).expect_err("shorter than a step");
    assert!(problems[0].message.contains("its delay is not from one step"), "{problems:?}");
}

#[test]
fn waves_and_noise() {
    let wave = |parameters: &str| block(&[], &format!("SignalGenerator k {parameters}"));
    check(&wave("WaveForm=square; Amplitude=2; Frequency=0.5"), " | -2\n | -2\n | 2\n | 2\n | -2");
    check(&wave("WaveForm=sawtooth; Amplitude=2; Frequency=0.5"), " | 2\n | 1\n | 0\n | -1\n | 2");
    check(&wave("WaveForm=sine; Amplitude=2; Frequency=0.5"), " | 0\n | 2\n | 0\n | -2");
    // A quarter of a turn at time 1/2: pi rad/s.
    check(&wave("WaveForm=sine; Units=rad/sec; Frequency=pi"), " | 0\n | 1");
    // The numbers that MATLAB's generator gives for the seed 0.
    let normal =
        wave("").replace("SignalGenerator k", "RandomNumber k Mean=0; Variance=1; Seed=0; SampleTime=0.5");
    check_near(&normal, " | 1.1650\n | 0.6268\n | 0.0751\n | 0.3516\n | -0.6965", 1e-4);
    let normal =
        normal.replace("Mean=0; Variance=1", "Mean=1; Variance=4").replace("SampleTime=0.5", "SampleTime=1");
    check_near(&normal, " | 3.33\n | 3.33\n | 2.2537\n | 2.2537", 1e-4);
    let noise = block(&[], &link("Sources/Band-Limited White Noise; Cov=[4]; Ts=0.5; seed=0"));
    check_near(&noise, " | 3.2950\n | 1.7730", 1e-4);
    // From 0 to 1 Hz within 2 s: the angle is pi t^2 / 2.
    let chirp = block(&[], &link("Sources/Chirp Signal; f1=0; T=2; f2=1"));
    check_near(&chirp, " | 0\n | 0.38268\n | 1\n | -0.38268", 1e-4);
    let sequence =
        "Sources/Repeating Sequence Interpolated; OutValues=[0 4 0]; TimeValues=[0 1 2]; tsamp=0.5";
    check(&block(&[], &link(sequence)), " | 0\n | 2\n | 4\n | 2\n | 0\n | 2");
}

#[test]
fn functions_of_the_standard_library() {
    let cases = [
        ("Discontinuities/Coulomb & Viscous Friction; offset=2; gain=3", "1 | 5\n -1 | -5\n 0 | 0"),
        ("Discrete/Transfer Fcn Lead or Lag; PoleZ=0.5; ZeroZ=0.25", "4 | 4\n 4 | 5\n 0 | 1.5\n 0 | 0.75"),
        (
            "Continuous/PID Controller; Controller=I; I=1; TimeDomain=Discrete-time; SampleTime=0.5; LimitOutput=on; \
             UpperSaturationLimit=1; LowerSaturationLimit=-1; AntiWindupMode=clamping",
            // The integral grows by half the input until the output is at its limit, and goes back at once.
            "2 | 0\n 2 | 1\n 2 | 1\n 2 | 1\n -2 | 1\n -2 | 1\n 0 | 0",
        ),
        (
            "Continuous/PID Controller; Controller=I; I=1; TimeDomain=Discrete-time; SampleTime=0.5; LimitOutput=on; \
             UpperSaturationLimit=1; LowerSaturationLimit=-1; AntiWindupMode=back-calculation; Kb=2",
            // x' = x + (u - 2 (x - y)) / 2: 0, 1, 2, 2.
            "2 | 0\n 2 | 1\n 2 | 1\n -2 | 1\n -2 | 0",
        ),
    ];
    for (path, steps) in cases {
        check(&block(&["double"], &link(path)), steps);
    }
    // The name of a library of the newest files.
    let friction = "Reference k SourceBlock=sl_discontinuities/Coulomb & Viscous Friction; offset=2; gain=3";
    check(&block(&["double"], friction), "1 | 5\n -1 | -5\n 0 | 0");
    check(&block(&["double"], "Math k Operator=sqrt"), "4 | 2\n 0 | 0\n -9 | -3");
    let running = link("Math Operations/MinMax Running Resettable; Function=max; vinit=0");
    check(&block(&["double", "boolean"], &running), "1 0 | 1\n 3 0 | 3\n 2 0 | 3\n 5 1 | 0\n 1 0 | 1");
    let external = link("Additional Math & Discrete/Additional Discrete/Unit Delay External IC");
    check(&block(&["double", "double"], &external), "1 7 | 7\n 2 8 | 1\n 3 9 | 2");
    let flip = "Reference k SourceBlock=simulink_extras/Flip Flops/S-R Flip-Flop; initial_condition=1";
    let flip = block(&["boolean", "boolean"], flip) + "\nOutport n Port=2\nk:2 -> n";
    check(&flip, "0 0 | 1 0\n 0 1 | 0 1\n 0 0 | 0 1\n 1 0 | 1 0\n 1 1 | 0 0");
    let latch = block(&["double", "boolean"], "Reference k SourceBlock=simulink_extras/Flip Flops/D Latch");
    check(&latch, "5 0 | 0\n 6 1 | 6\n 7 0 | 6");
    let degrees =
        block(&["double"], "Reference k SourceBlock=simulink_extras/Transformations/Fahrenheit to Celsius");
    check(&degrees, "212 | 100\n 32 | 0");
    let table = "Mux m Inputs=2\nCombinatorialLogic k TruthTable=[0 1;1 1;0 0;1 0]\nInport u OutDataTypeStr=boolean\n\
                 Inport v Port=2; OutDataTypeStr=boolean\nOutport y\nu -> m:1\nv -> m:2\nm -> k -> y";
    check(table, "0 0 | 0 1\n 0 1 | 1 1\n 1 0 | 0 0\n 1 1 | 1 0");
}

/// Checks of the library for verification are properties.
#[test]
fn checks_are_properties() {
    let cases = [
        ("Check Static Upper Bound; max=3", "double", [2.0, 3.0, 4.0], [true, true, false]),
        (
            "Check Static Upper Bound; max=3; max_included=off",
            "double",
            [2.0, 3.0, 4.0],
            [true, false, false],
        ),
        ("Check Static Lower Bound; min=3", "double", [2.0, 3.0, 4.0], [false, true, true]),
        ("Check Static Range; min=1; max=3", "double", [0.0, 1.0, 4.0], [false, true, false]),
        ("Check Static Gap; min=1; max=3", "double", [0.0, 2.0, 4.0], [true, false, true]),
    ];
    for (path, class, inputs, want) in cases {
        let text = format!(
            "Inport u OutDataTypeStr={class}\nReference k SourceBlock=simulink/Model Verification/{path}\nOutport y\nu -> k\nu -> y"
        );
        let system = lowered(&text).expect(path);
        let rows: Vec<Vec<system::Value<f64>>> =
            inputs.iter().map(|it| vec![system::Value::Real(*it)]).collect();
        let run = system::simulate(&system, &[], &rows);
        let found: Vec<Option<bool>> = run.steps.iter().map(|it| it.properties[0]).collect();
        assert_eq!(found, want.map(Some), "{path}");
    }
    let dynamic = "Inport m\nInport u Port=2\nReference k SourceBlock=simulink/Model Verification/Check Dynamic Upper Bound; export=on\n\
                   Outport y\nm -> k\nu -> k:2\nk -> y";
    check(dynamic, "1 0 | 1\n 1 2 | 0");
    let off = dynamic.replace("export=on", "export=on; enabled=off");
    assert_eq!(lowered(&off).map(|it| it.properties.len()), Ok(0));
}

#[test]
fn function_calls() {
    let counter = "SubSystem s\nTriggerPort s/t TriggerType=function-call; StatesWhenEnabling=reset\nInport s/i\nSum s/a Inputs=++\n\
                   UnitDelay s/d InitialCondition=0; SampleTime=-1\nOutport s/o\ns/i -> s/a:1\ns/d -> s/a:2\ns/a -> s/d\ns/a -> s/o\n\
                   Inport u\nOutport y\nu -> s\ns -> y\n";
    // Every second step.
    let generator = "@ Solver=FixedStepDiscrete; FixedStep=0.5\n\
                     Reference g SourceBlock=simulink/Ports & Subsystems/Function-Call Generator; sample_time=1\ng -> s:trigger\n";
    check(&format!("{generator}{counter}"), "1 | 1\n 10 | 1\n 2 | 3\n 10 | 3\n 3 | 6");
    // From a port of the root, and split to two subsystems.
    let port = "Inport f Port=2; OutputFunctionCall=on\nFunctionCallSplit c Ports=[1, 2]\nSubSystem r\nTriggerPort r/t TriggerType=function-call\n\
                Constant r/k Value=7\nOutport r/o\nr/k -> r/o\nOutport z Port=2\nf -> c\nc:1 -> s:trigger\nc:2 -> r:trigger\nr -> z\n";
    check(&format!("{port}{counter}"), "1 0 | 0 7\n 1 1 | 1 7\n 9 0 | 1 7\n 2 1 | 3 7");
    let twice =
        format!("{generator}{counter}").replace("sample_time=1", "sample_time=1; numberOfIterations=2");
    let problems = lowered(&twice).expect_err("two calls");
    assert!(problems.iter().any(|it| it.message.contains("several calls in one step")), "{problems:?}");
}

/// The controllers are links into other libraries in newer and in older files.
#[test]
fn controllers() {
    let continuous = |classes: &[&str], link: &str| {
        block(classes, &format!("Reference k SourceBlock={link}")).replace("FixedStepDiscrete", "ode1")
    };
    let cases = [
        // x' = 4 u; y = 2 u + x
        (
            &["double"][..],
            "slpidlib/PID Controller; Controller=PI; TimeDomain=Continuous-time; P=2; I=4",
            "1 | 2\n 1 | 4\n 3 | 10",
        ),
        (
            &["double"],
            "pid_lib/PID Controller; Controller=I; I=4; LimitIntegrator=on; UpperIntegratorSaturationLimit=3",
            "1 | 0\n 1 | 2\n 1 | 3\n 1 | 3\n -1 | 3\n 0 | 1",
        ),
        // x' = 4 (r - y); 2 (r/2 - y) + x
        (
            &["double", "double"],
            "slpidlib/PID Controller (2DOF); Controller=PI; P=2; I=4; b=0.5",
            "2 1 | 0\n 2 1 | 2\n 0 1 | 2",
        ),
        // The derivative of 3 u is filtered with s/(s/2 + 1): x' = 2 (3 u - x), 2 (3 u/4 - x)
        (
            &["double", "double"],
            "simulink/Continuous/PID Controller (2DOF); Controller=PD; P=0; D=3; N=2; c=0.25",
            "4 0 | 6\n 4 0 | 0\n 4 0 | 0\n 4 1 | -6",
        ),
        (&["double"], "simulink_need_slupdate/PID Controller; P=1; I=2; D=3", "1 | 1\n 1 | 2\n 2 | 10"),
        // 3 s/(s/2 + 1) = 6 - 12/(s + 2)
        (
            &["double"],
            "simulink_extras/Additional Linear/PID Controller (with Approximate Derivative); P=0; I=0; D=3; N=2",
            "1 | 6\n 1 | 0\n 1 | 0",
        ),
        (&["double"], "simulink3/Math/Slider Gain; gain=3", "2 | 6"),
        (&["double", "double"], "simulink/Signal Routing/Manual Switch; sw=0", "2 5 | 5"),
        (&["double", "double"], "simulink/Signal Routing/Manual Switch; sw=1", "2 5 | 2"),
    ];
    for (classes, link, steps) in cases {
        check(&continuous(classes, link), steps);
    }
    // Without a filter, the derivative is the difference over the sample time.
    let unfiltered = link("Discrete/Discrete PID Controller; Controller=PD; P=1; D=2; UseFilter=off");
    check(&block(&["double"], &unfiltered), "1 | 5\n 2 | 6\n 2 | 2");
    let refused = block(&["double"], "Reference k SourceBlock=slpidlib/PID Controller; TrackingMode=on");
    assert!(lowered(&refused).is_err());
}

/// A call or an expression over the input, with variables and with functions of other files.
#[test]
fn interpreted_functions() {
    let function = |classes: &[&str], text: &str| block(classes, &format!("MATLABFcn k MATLABFcn={text}"));
    check(&function(&["double*2"], "u(1)*u(2)+1; OutputDimensions=1"), "2 3 | 7");
    check(&function(&["double"], "floor"), "2.5 | 2");
    check(&function(&["double*3"], "u*2"), "1 2 3 | 2 4 6");
    check(&format!("@ InitFcn=K=3\n{}", function(&["double"], "K*u")), "2 | 6");
    check("Inport u\nMATLABFcn k MATLABFcn=show(u); OutputDimensions=0\nOutport y\nu -> k\nu -> y", "2 | 2");
    assert!(lowered(&function(&["double"], "secret")).is_err());
    // Elements that are not there yet, as in MATLAB; what is between them is zero.
    let files = |name: &str| {
        match name {
        "grown" => Some(
            "function y = grown(u)\nd(1,1) = u(1);\nd(1,2) = u(2);\nd(2,2) = helper(u);\ny = d*[1; 1];\ny(end+1) = 9;\nend\n"
                .to_owned(),
        ),
        "helper" => Some("function z = helper(u)\nfor k = 1:2\n v(k) = u(k)*k;\nend\nz = sum(v);\nend\n".to_owned()),
        _ => None,
    }
    };
    let text = function(&["double*2"], "grown; OutputDimensions=3");
    let reading =
        shall_simulink::read(common::model::mdl(&text).as_bytes(), &shall_simulink::Limits::default());
    let mut diagram = reading.diagram;
    shall_simulink::library::interpret(&mut diagram, &files);
    let system =
        lower(&shall_simulink::plan::plan(&diagram, &[]), None, &Options::default()).expect("a system");
    common::model::check_system(&text, &system, "1 3 | 4 7 9", 1e-9);
    let files = |name: &str| match name {
        "model" => Some("% two states\nfunction dx = model(u)\ndx = [twice(u(2)); -u(1)];\n".to_owned()),
        "twice" => Some("function y = twice(x)\ny = 2*x;\nend\n".to_owned()),
        // A script is not a function.
        "minus" => Some("a = 1;".to_owned()),
        _ => None,
    };
    let text = function(&["double*2"], "model; OutputDimensions=2");
    let reading =
        shall_simulink::read(common::model::mdl(&text).as_bytes(), &shall_simulink::Limits::default());
    let mut diagram = reading.diagram;
    shall_simulink::library::interpret(&mut diagram, &files);
    let system =
        lower(&shall_simulink::plan::plan(&diagram, &[]), None, &Options::default()).expect("a system");
    common::model::check_system(&text, &system, "1 3 | 6 -1", 1e-9);
}

/// Variables that a script sets.
fn script(text: &str) -> Vec<(String, Value)> {
    let (set, errors) = matlab::run(text, &|_| None, &Cell::new(matlab::FUEL));
    assert_eq!(errors, Vec::new(), "{text}");
    set.into_iter().filter_map(|(name, value)| Some((name, Rc::unwrap_or_clone(value?)))).collect()
}

/// Buses and aliases that a script defines: an input that is a bus, and names of elements.
#[test]
fn types_from_scripts() {
    let workspace = script(
        "e(1) = Simulink.BusElement; e(1).Name = 'a'; e(1).DataType = 'int8'; e(2) = Simulink.BusElement; e(2).Name = 'b'; \
         e(2).Dimensions = 2; Inner = Simulink.Bus; Inner.Elements = e;\n\
         f = Simulink.BusElement; f.Name = 'in'; f.DataType = 'Bus: Inner'; g = Simulink.BusElement; g.Name = 'k'; g.DataType = 'Speed'; \
         Outer = Simulink.Bus; Outer.Elements = [f; g]; Speed = Simulink.AliasType('single');",
    );
    let model = "Inport u OutDataTypeStr=Bus: Outer\nBusSelector s OutputSignals=in.a,k,in.b\nInport v Port=2; OutDataTypeStr=Speed\n\
                 BusCreator c OutDataTypeStr=Bus: Inner; Inputs=2\nBusSelector d OutputSignals=b\n\
                 Outport a\nOutport b Port=2\nOutport c1 Port=3\nOutport e Port=4\nu -> s\ns:1 -> a\ns:2 -> b\ns:3 -> c1\n\
                 v -> c:1\ns:3 -> c:2\nc -> d -> e";
    let plan = planned(model, &workspace);
    assert_eq!(plan.problems, Vec::new());
    assert_eq!(
        (shapes(&plan, "s"), shapes(&plan, "v")),
        ("int8 single double[2]".to_owned(), "single".to_owned())
    );
    let system = lower(&plan, None, &Options::default()).expect("a system");
    // The elements of the bus one after the other: a, b, k; then v.
    common::model::check_system(model, &system, "1 2 3 4 5 | 1 4 2 3 2 3", 1e-9);
}

/// The data of a signal builder are not in the file in a form that others read.
#[test]
fn signal_builders_are_free_inputs() {
    let model = "SubSystem b\nFromWorkspace b/w VariableName=tuvar\nDemux b/d Outputs=2\nOutport b/x\nOutport b/z Port=2\n\
                 b/w -> b/d\nb/d:1 -> b/x\nb/d:2 -> b/z\nSum s Inputs=++\nOutport y\nb:1 -> s:1\nb:2 -> s:2\ns -> y";
    let text =
        common::model::mdl(model).replacen("Name \"b\"\n", "Name \"b\"\nMaskType \"Sigbuilder block\"\n", 1);
    let mut diagram = common::reading(text.as_bytes()).diagram;
    shall_simulink::library::expand(&mut diagram);
    let plan = shall_simulink::plan::plan(&diagram, &[]);
    let system = lower(&plan, None, &Options::default()).expect("a system");
    common::model::check_system(model, &system, "1 2 | 3\n 4 5 | 9", 1e-9);
    // Signal editors and spreadsheets, too.
    for block in [
        "Reference b SourceBlock=simulink/Sources/Signal Editor; Ports=[0, 2]",
        "FromSpreadsheet b Ports=[0, 2]",
    ] {
        check(
            &format!("{block}\nSum s Inputs=++\nOutport y\nb:1 -> s:1\nb:2 -> s:2\ns -> y"),
            "1 2 | 3\n 4 5 | 9",
        );
    }
}

#[test]
fn coordinates() {
    let link = |name: &str| {
        format!(
            "Inport u\nInport v Port=2\nReference k SourceBlock=simulink_extras/Transformations/{name}\nOutport y\nOutport z Port=2\n\
             u -> k\nv -> k:2\nk:1 -> y\nk:2 -> z"
        )
    };
    let quarter = std::f64::consts::FRAC_PI_2;
    check(&link("Cartesian to Polar"), &format!("3 4 | 5 {}\n 0 -2 | 2 -{quarter}", 4f64.atan2(3.0)));
    check(&link("Polar to Cartesian"), &format!("2 0 | 2 0\n 2 {quarter} | 0 2"));
}

/// Ports of elements of buses: a subsystem that reads `a` and `in.b` of its bus, and gives a bus of its own.
#[test]
fn ports_of_elements() {
    let model = "Inport u\nInport v Port=2\nBusCreator n Inputs='b','c'\nBusCreator m Inputs='a','in'\nu -> m:1\nu -> n:1\nv -> n:2\nn -> m:2\n\
                 SubSystem s\nm -> s\n\
                 Inport s/x IsBusElementPort=on; Port=1; PortName=bus; Element=a\n\
                 Inport s/y IsBusElementPort=on; Port=1; PortName=bus; Element=in.c\n\
                 Gain s/k Gain=10\ns/x -> s/k -> s/p\ns/y -> s/q\n\
                 Outport s/p IsBusElementPort=on; Port=1; PortName=out; Element=z\n\
                 Outport s/q IsBusElementPort=on; Port=1; PortName=out; Element=w.v\n\
                 BusSelector t OutputSignals=w.v,z\ns -> t\nOutport y\nOutport z Port=2\nt:1 -> y\nt:2 -> z";
    check(model, "1 2 | 2 10\n 3 4 | 4 30");
    // At the root, each element is an input.
    let root = "Inport x IsBusElementPort=on; Port=1; Element=a\nInport w IsBusElementPort=on; Port=1; Element=b; OutDataTypeStr=int8\nInport v Port=2\n\
                Sum s Inputs=+-+\nOutport y\nx -> s:1\nw -> s:2\nv -> s:3\ns -> y";
    check(root, "5 2 1 | 4");
}

/// A variant subsystem with a choice that the file names; ports are connected by their names.
#[test]
fn variants_by_name() {
    let model = |active: &str| {
        format!(
            "Inport u\nSubSystem v Variant=on; {active}\nInport v/a\nOutport v/b\n\
             SubSystem v/one VariantControl=One\nInport v/one/a\nGain v/one/k Gain=2\nOutport v/one/b\nv/one/a -> v/one/k -> v/one/b\n\
             SubSystem v/two VariantControl=Two\nInport v/two/a\nGain v/two/k Gain=3\nOutport v/two/b\nv/two/a -> v/two/k -> v/two/b\n\
             Outport y\nu -> v -> y"
        )
    };
    check(&model("LabelModeActiveChoice=Two"), "1 | 3");
    check(&model("OverrideUsingVariant=one"), "1 | 2");
    let problems = lowered(&model("VariantControlMode=expression")).expect_err("a condition");
    assert!(problems[0].message.contains("its condition `One` has no value"), "{problems:?}");
}

#[test]
fn variants_by_condition() {
    let model = |set: &str, one: &str, two: &str| {
        format!(
            "@ InitFcn={set}\nInport u\nSubSystem v Variant=on\nInport v/a\nOutport v/b\nSubSystem v/one VariantControl={one}\n\
             Inport v/one/a\nGain v/one/k Gain=2\nOutport v/one/b\nv/one/a -> v/one/k -> v/one/b\nSubSystem v/two VariantControl={two}\n\
             Inport v/two/a\nGain v/two/k Gain=3\nOutport v/two/b\nv/two/a -> v/two/k -> v/two/b\nOutport y\nu -> v -> y"
        )
    };
    check(&model("V=1", "V==1", "V==2"), "1 | 2");
    check(&model("V=2", "V==1", "V==2"), "1 | 3");
    check(&model("V=7", "V==1", "(default)"), "1 | 3");
    check(&model("V=2", "%V==2", "V==2"), "1 | 3");
    check(&model("V=2;A=Simulink.Variant('V==1');B=Simulink.VariantExpression('V==2')", "A", "B"), "1 | 3");
    check(&model("V=1", "(sim)", "(codegen)"), "1 | 2");
    let refused = [
        ("V=7", "V==1", "V==2", "none of its choices is active"),
        ("V=1", "V==1", "V<2", "several of its choices are active"),
        ("W=1", "V==1", "V==2", "its condition `V==1` has no value"),
    ];
    for (set, one, two, want) in refused {
        let problems = lowered(&model(set, one, two)).expect_err(want);
        assert!(problems[0].message.contains(want), "{problems:?}");
    }
    // A choice that does not fit is not passed over in silence.
    let other = model("V=1", "V==1", "V==2").replace("Inport v/one/a", "Inport v/one/c");
    let problems = lowered(&other.replace("v/one/a ->", "v/one/c ->")).expect_err("a port without a partner");
    assert!(problems[0].message.contains("it has no port `c` for its active choice"), "{problems:?}");
}

#[test]
fn variant_sources_and_sinks() {
    let source = |set: &str, rest: &str| {
        format!(
            "@ InitFcn={set}\nInport a\nInport b Port=2\nVariantSource v VariantControls={{'V==1', 'V==2'}}{rest}\nOutport y\n\
             a -> v -> y\nb -> v:2"
        )
    };
    check(&source("V=1", ""), "3 4 | 3");
    check(&source("V=2", ""), "3 4 | 4");
    check(&source("V=1", "; VariantControlMode=label; LabelModeActiveChoice=V==2"), "3 4 | 4");
    assert!(lowered(&source("V=3", "")).expect_err("no choice")[0].message.contains("none of its choices"));
    let sink = |set: &str| {
        format!(
            "@ InitFcn={set}\nInport a\nVariantSink v VariantControls={{'V==1', 'V==2'}}; Ports=[1, 2]\nTerminator t\nOutport y\n\
             a -> v -> t\nv:2 -> y"
        )
    };
    check(&sink("V=2"), "3 | 3");
    assert!(lowered(&sink("V=1")).expect_err("not active")[0].message.contains("not active"));
}

#[test]
fn older_names() {
    check("Inport u\nUnitDelay k X0=7; SampleTime=-1\nOutport y\nu -> k -> y", "1 | 7\n 2 | 1");
    let delay = "Reference k SourceBlock=simulink/Discrete/Integer Delay; NumDelays=2; vinit=9; samptime=-1";
    check(&format!("Inport u\n{delay}\nOutport y\nu -> k -> y"), "1 | 9\n 2 | 9\n 3 | 1");
    let convert = |more: &str| {
        format!(
            "Inport t OutDataTypeStr=int8\nInport u Port=2; OutDataTypeStr=double\nReference k SourceBlock=simulink/Signal Attributes/Data Type Conversion \
             Inherited{more}\nOutport y\nt -> k -> y\nu -> k:2"
        )
    };
    check(&convert("; DoSatur=on"), "0 -2.5 | -3\n 5 300 | 127");
    check(&convert("; RndMeth=Zero"), "0 -2.5 | -2\n 5 300 | 44");
}

/// Old files have a manual switch as a subsystem, in which an S-function copies the position.
#[test]
fn old_manual_switches() {
    let of = |position: &str| {
        format!(
            "@ PreLoadFcn=low=0\nInport u\nInport v Port=2\n\
             SubSystem k Ports=[2, 1]; MaskType=Manual Switch; MaskVariables=sw=@1;action=@2;varsize=@3;; \
             MaskInitialization=[x,y]=manswitch;; MaskValueString={position}|0|off\n\
             Inport k/u1\nInport k/u2 Port=2\nConstant k/c Value=uint8(1)\nS-Function k/f FunctionName=sfblk_manswitch; Ports=[1, 1]\n\
             Switch k/s Criteria=u2 > Threshold; Threshold=uint8(0)\nOutport k/y\nOutport y\nu -> k -> y\nv -> k:2\n\
             k/u1 -> k/s -> k/y\nk/u2 -> k/s:3\nk/c -> k/f -> k/s:2"
        )
    };
    check(&of("1"), "3 4 | 3");
    check(&of("0"), "3 4 | 4");
    check(&of("low"), "3 4 | 4");
    let problems = lowered(&of("nowhere")).expect_err("a position");
    assert!(problems.len() == 1 && problems[0].message.contains("`nowhere` is not a known"), "{problems:?}");
}

/// Files of older versions state indices, pulses and gains in other words.
#[test]
fn older_notations() {
    let of = |size: &str, block: &str| {
        format!(
            "@ Solver=FixedStepDiscrete; FixedStep=1\nInport u PortDimensions={size}\n{block}\nOutport y\nu -> k -> y"
        )
    };
    let selector = |rest: &str| format!("Selector k InputPortWidth=-1; {rest}");
    check(&of("3", &selector("InputType=Vector; ElementSrc=Internal; Elements=[3 1]")), "5 6 7 | 7 5");
    check(&of("3", &selector("InputType=Vector; ElementSrc=Internal; Elements=2")), "5 6 7 | 6");
    check(&of("3", &selector("InputType=Vector; ElementSrc=Internal; Elements=-1")), "5 6 7 | 5 6 7");
    let rows = "InputType=Matrix; RowSrc=Internal; Rows=2; ColumnSrc=Internal; Columns=";
    // A matrix of two rows, by columns.
    check(&of("[2 3]", &selector(&format!("{rows}[1,3]"))), "1 2 3 4 5 6 | 2 6");
    check(&of("[2 3]", &selector(&format!("{rows}-1"))), "1 2 3 4 5 6 | 2 4 6");
    let port = "@ Solver=FixedStepDiscrete; FixedStep=1\nInport u PortDimensions=3\nInport i Port=2\n\
        Selector k InputPortWidth=3; InputType=Vector; ElementSrc=External; Elements=1; Ports=[2, 1]\nOutport y\nu -> k:1\ni -> k:2\nk -> y";
    check(port, "5 6 7 2 | 6\n 5 6 7 3 | 7");
    let assignment = "@ Solver=FixedStepDiscrete; FixedStep=1\nInport u PortDimensions=3\nInport v Port=2\n\
        Assignment k InputType=Vector; ElementSrc=Internal; Elements=2; Ports=[2, 1]\nOutport y\nu -> k:1\nv -> k:2\nk -> y";
    check(assignment, "5 6 7 9 | 5 9 7");
    check(&of("2", "MatrixGain k Gain=[1 2;3 4;5 6]"), "1 10 | 21 43 65");
    // Periods and widths count samples if nothing else is stated.
    let pulse = |rest: &str| {
        format!("@ Solver=FixedStepDiscrete; FixedStep=1\nDiscretePulseGenerator k {rest}\nOutport y\nk -> y")
    };
    check(
        &pulse("Amplitude=2; Period=4; PulseWidth=2; PhaseDelay=1; SampleTime=1"),
        "| 0\n | 2\n | 2\n | 0\n | 0\n | 2\n | 2\n | 0",
    );
    check(&pulse("Period=2; PulseWidth=1; SampleTime=2"), "| 1\n | 1\n | 0\n | 0\n | 1");
}
