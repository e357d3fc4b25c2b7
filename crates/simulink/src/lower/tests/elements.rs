//! Blocks without memory.

use super::{check, exact, run, single};
use dashu_ratio::RBig;

#[test]
fn sums() {
    check("Sum", "Inputs=+-", "d d", "d", &[(&[5.0, 3.0], &[2.0]), (&[0.5, 0.25], &[0.25])]);
    check("Sum", "Inputs=|-|+", "d d", "d", &[(&[5.0, 3.0], &[-2.0])]);
    check("Sum", "Inputs=3", "d d3 d", "d3", &[(&[1.0, 2.0, 3.0, 4.0, 10.0], &[13.0, 14.0, 15.0])]);
    check("Sum", "Inputs=+", "d3", "d", &[(&[1.0, 2.0, 3.5], &[6.5])]);
    check("Sum", "Inputs=-", "d3", "d", &[(&[1.0, 2.0, 3.5], &[-6.5])]);
    let by_rows = "Inputs=+; CollapseMode=Specified dimension; CollapseDim=2";
    check("Sum", by_rows, "d2x2", "d2", &[(&[1.0, 2.0, 3.0, 4.0], &[4.0, 6.0])]);
    check("Sum", "Inputs=++; SaturateOnIntegerOverflow=on", "i8 i8", "i8", &[(&[100.0, 100.0], &[127.0])]);
    check("Sum", "Inputs=++; SaturateOnIntegerOverflow=off", "i8 i8", "i8", &[(&[100.0, 100.0], &[-56.0])]);
    check("Sum", "Inputs=+-; SaturateOnIntegerOverflow=on", "u8 u8", "u8", &[(&[3.0, 5.0], &[0.0])]);
    check("Sum", "Inputs=++", "b b", "d", &[(&[1.0, 1.0], &[2.0])]);
}

#[test]
fn products() {
    check("Product", "Inputs=2", "d d", "d", &[(&[5.0, 3.0], &[15.0])]);
    check("Product", "Inputs=*/", "d d", "d", &[(&[5.0, 4.0], &[1.25])]);
    check("Product", "Inputs=/", "d", "d", &[(&[4.0], &[0.25])]);
    check("Product", "Inputs=*", "d3", "d", &[(&[4.0, 2.0, 3.0], &[24.0])]);
    check("Product", "Inputs=2", "d d2", "d2", &[(&[4.0, 2.0, 3.0], &[8.0, 12.0])]);
    check(
        "Product",
        "Inputs=*/; RndMeth=Floor; SaturateOnIntegerOverflow=on",
        "i8 i8",
        "i8",
        &[(&[-7.0, 2.0], &[-4.0]), (&[-128.0, -1.0], &[127.0])],
    );
    check("Product", "Inputs=*/; RndMeth=Zero", "i8 i8", "i8", &[(&[-7.0, 2.0], &[-3.0])]);
    let matrix = "Inputs=**; Multiplication=Matrix(*)";
    check("Product", matrix, "d2x2 d2", "d2", &[(&[1.0, 3.0, 2.0, 4.0, 5.0, 6.0], &[17.0, 39.0])]);
    check("Product", matrix, "d2 d2x2", "d1x2", &[(&[5.0, 6.0, 1.0, 3.0, 2.0, 4.0], &[23.0, 34.0])]);
    check("Product", matrix, "d1x2 d2x1", "d1x1", &[(&[5.0, 6.0, 1.0, 3.0], &[23.0])]);
    check("Gain", "Gain=2.5", "d2", "d2", &[(&[1.0, -2.0], &[2.5, -5.0])]);
    check("Gain", "Gain=[1 2]", "d", "d2", &[(&[3.0], &[3.0, 6.0])]);
    check("Gain", "Gain=0.5; RndMeth=Floor; SaturateOnIntegerOverflow=on", "i8", "i8", &[(&[-3.0], &[-2.0])]);
    check("Gain", "Gain=[1 2/3 4]; Multiplication=Matrix(K*u)", "d2", "d2", &[(&[5.0, 6.0], &[17.0, 39.0])]);
    check(
        "Gain",
        "Gain=[1 2/3 4]; Multiplication=Matrix(u*K)",
        "d1x2",
        "d1x2",
        &[(&[5.0, 6.0], &[23.0, 34.0])],
    );
    check("DotProduct", "", "d3 d3", "d", &[(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], &[32.0])]);
}

#[test]
fn inverses() {
    let inverse = "Inputs=/; Multiplication=Matrix(*)";
    check("Product", inverse, "d2x2", "d2x2", &[(&[4.0, 2.0, 7.0, 6.0], &[0.6, -0.2, -0.7, 0.4])]);
    check(
        "Product",
        inverse,
        "d3x3",
        "d3x3",
        &[(
            &[2.0, 0.0, 1.0, 0.0, 4.0, 0.0, 1.0, 0.0, 1.0],
            &[1.0, 0.0, -1.0, 0.0, 0.25, 0.0, -1.0, 0.0, 2.0],
        )],
    );
    // A permutation with scales: no pivot is in its place.
    let mut matrix = [0.0; 25];
    let mut want = [0.0; 25];
    for (row, column, factor) in [(0, 3, 2.0), (1, 0, 4.0), (2, 4, -0.5), (3, 1, 8.0), (4, 2, 5.0)] {
        matrix[column * 5 + row] = factor;
        want[row * 5 + column] = 1.0 / factor;
    }
    check("Product", inverse, "d5x5", "d5x5", &[(&matrix, &want)]);
    let quotient = "Inputs=*/; Multiplication=Matrix(*)";
    check(
        "Product",
        quotient,
        "d2x2 d2x2",
        "d2x2",
        &[(&[4.0, 2.0, 7.0, 6.0, 4.0, 2.0, 7.0, 6.0], &[1.0, 0.0, 0.0, 1.0])],
    );
}

#[test]
fn comparisons_and_logic() {
    check("RelationalOperator", "Operator=>=", "d d", "b", &[(&[1.0, 1.0], &[1.0]), (&[0.5, 1.0], &[0.0])]);
    check("RelationalOperator", "Operator=~=", "b d", "b", &[(&[1.0, 1.0], &[0.0]), (&[1.0, 2.0], &[1.0])]);
    check("RelationalOperator", "Operator=<", "i8 d", "b", &[(&[1.0, 1.5], &[1.0])]);
    let all: [(&str, [f64; 4]); 6] = [
        ("AND", [0.0, 0.0, 0.0, 1.0]),
        ("OR", [0.0, 1.0, 1.0, 1.0]),
        ("NAND", [1.0, 1.0, 1.0, 0.0]),
        ("NOR", [1.0, 0.0, 0.0, 0.0]),
        ("XOR", [0.0, 1.0, 1.0, 0.0]),
        ("NXOR", [1.0, 0.0, 0.0, 1.0]),
    ];
    let rows: [&[f64]; 4] = [&[0.0, 0.0], &[0.0, 1.0], &[1.0, 0.0], &[1.0, 1.0]];
    for (operator, want) in all {
        for (row, want) in rows.iter().zip(want) {
            check("Logic", &format!("Operator={operator}"), "b b", "b", &[(row, &[want])]);
            check("Logic", &format!("Operator={operator}"), "d2", "b", &[(row, &[want])]);
        }
    }
    check("Logic", "Operator=NOT", "b2", "b2", &[(&[1.0, 0.0], &[0.0, 1.0])]);
    check("Logic", "Operator=AND", "b2 b", "b2", &[(&[1.0, 0.0, 1.0], &[1.0, 0.0])]);
}

#[test]
fn switches() {
    let steps = |want: [f64; 3]| {
        [-1.0, 0.0, 1.0].iter().zip(want).map(|(u, want)| ([7.0, *u, 8.0], [want])).collect::<Vec<_>>()
    };
    for (parameters, want) in [
        ("Criteria=u2 >= Threshold; Threshold=0", [8.0, 7.0, 7.0]),
        ("Criteria=u2 > Threshold; Threshold=0", [8.0, 8.0, 7.0]),
        ("Criteria=u2 ~= 0; Threshold=5", [7.0, 8.0, 7.0]),
    ] {
        let steps = steps(want);
        let steps: Vec<(&[f64], &[f64])> = steps.iter().map(|(a, b)| (&a[..], &b[..])).collect();
        check("Switch", parameters, "d d d", "d", &steps);
    }
    // A Boolean is never below a threshold of zero.
    check("Switch", "Criteria=u2 >= Threshold; Threshold=0", "d b d", "d", &[(&[7.0, 0.0, 8.0], &[7.0])]);
    check("Switch", "Criteria=u2 ~= 0", "d2 b d", "d2", &[(&[7.0, 9.0, 0.0, 8.0], &[8.0, 8.0])]);
    let ports = "DataPortOrder=One-based contiguous; Inputs=3";
    check(
        "MultiPortSwitch",
        ports,
        "d d d d",
        "d",
        &[(&[1.0, 7.0, 8.0, 9.0], &[7.0]), (&[2.9, 7.0, 8.0, 9.0], &[8.0]), (&[4.0, 7.0, 8.0, 9.0], &[9.0])],
    );
    check(
        "MultiPortSwitch",
        "DataPortOrder=Zero-based contiguous",
        "d d d",
        "d",
        &[(&[0.0, 7.0, 8.0], &[7.0])],
    );
    let indices = "DataPortOrder=Specify indices; DataPortIndices=[3 5]";
    check(
        "MultiPortSwitch",
        indices,
        "d d d",
        "d",
        &[(&[3.0, 7.0, 8.0], &[7.0]), (&[5.0, 7.0, 8.0], &[8.0])],
    );
    check(
        "MultiPortSwitch",
        "DataPortOrder=One-based contiguous",
        "d d3",
        "d",
        &[(&[2.0, 7.0, 8.0, 9.0], &[8.0])],
    );
}

#[test]
fn functions() {
    check("Abs", "", "d", "d", &[(&[-2.5], &[2.5]), (&[3.0], &[3.0])]);
    check("Abs", "SaturateOnIntegerOverflow=on", "i8", "i8", &[(&[-128.0], &[127.0])]);
    check("Signum", "", "d", "d", &[(&[-2.5], &[-1.0]), (&[0.0], &[0.0]), (&[3.0], &[1.0])]);
    check("MinMax", "Function=max", "d d", "d", &[(&[1.0, 2.0], &[2.0])]);
    check("MinMax", "Function=min", "d3", "d", &[(&[3.0, 1.0, 2.0], &[1.0])]);
    check("UnaryMinus", "", "d", "d", &[(&[3.0], &[-3.0])]);
    check("Bias", "Bias=1.5", "d", "d", &[(&[3.0], &[4.5])]);
    for (name, given, want) in [
        ("exp", 1.0, std::f64::consts::E),
        ("log", 1.0, 0.0),
        ("log10", 100.0, 2.0),
        ("10^u", 2.0, 100.0),
        ("square", 1.5, 2.25),
        ("magnitude^2", -3.0, 9.0),
        ("reciprocal", 4.0, 0.25),
        ("sqrt", 2.25, 1.5),
        ("signedSqrt", -4.0, -2.0),
        ("rSqrt", 4.0, 0.5),
        ("conj", 4.0, 4.0),
    ] {
        check("Math", &format!("Operator={name}"), "d", "d", &[(&[given], &[want])]);
    }
    for (name, a, b, want) in [
        ("pow", 2.0, 3.0, 8.0),
        ("pow", 4.0, 0.5, 2.0),
        ("hypot", 3.0, 4.0, 5.0),
        ("mod", -7.0, 3.0, 2.0),
        ("mod", 7.0, -3.0, -2.0),
        ("mod", 7.0, 0.0, 7.0),
        ("rem", -7.0, 3.0, -1.0),
        ("rem", 7.5, 2.0, 1.5),
    ] {
        check("Math", &format!("Operator={name}"), "d d", "d", &[(&[a, b], &[want])]);
    }
    check(
        "Math",
        "Operator=transpose",
        "d2x3",
        "d3x2",
        &[(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], &[1.0, 3.0, 5.0, 2.0, 4.0, 6.0])],
    );
    type Case = (&'static str, f64, fn(f64) -> f64);
    let functions: [Case; 7] = [
        ("sin", 0.5, f64::sin),
        ("cos", 0.5, f64::cos),
        ("tan", 0.5, f64::tan),
        ("tanh", 0.5, f64::tanh),
        ("asinh", -0.5, f64::asinh),
        ("acosh", 1.5, f64::acosh),
        ("atanh", 0.5, f64::atanh),
    ];
    for (name, given, function) in functions {
        check("Trigonometry", &format!("Operator={name}"), "d", "d", &[(&[given], &[function(given)])]);
    }
    check("Trigonometry", "Operator=atan2", "d d", "d", &[(&[1.0, -1.0], &[1f64.atan2(-1.0)])]);
    check("Trigonometry", "Operator=sincos", "d", "d d", &[(&[0.5], &[0.5f64.sin(), 0.5f64.cos()])]);
    check("Sqrt", "Operator=sqrt", "d", "d", &[(&[9.0], &[3.0])]);
    for (name, want) in [
        ("floor", [-3.0, -2.0, 0.0, 2.0]),
        ("ceil", [-2.0, -1.0, 1.0, 3.0]),
        ("round", [-3.0, -2.0, 0.0, 3.0]),
        ("fix", [-2.0, -1.0, 0.0, 2.0]),
    ] {
        let given = [-2.5, -1.6, 0.49999999999999994, 2.5];
        check("Rounding", &format!("Operator={name}"), "d4", "d4", &[(&given, &want)]);
    }
}

#[test]
fn conversions() {
    for (method, want) in [
        ("Floor", [-3.0, 1.0, 2.0, 3.0]),
        ("Ceiling", [-2.0, 2.0, 3.0, 4.0]),
        ("Zero", [-2.0, 1.0, 2.0, 3.0]),
        ("Nearest", [-2.0, 2.0, 3.0, 4.0]),
        ("Round", [-3.0, 2.0, 3.0, 4.0]),
        ("Convergent", [-2.0, 2.0, 2.0, 4.0]),
    ] {
        let parameters = format!("RndMeth={method}; SaturateOnIntegerOverflow=on");
        check("DataTypeConversion", &parameters, "d4", "i8_4", &[(&[-2.5, 1.5, 2.5, 3.5], &want)]);
    }
    check(
        "DataTypeConversion",
        "SaturateOnIntegerOverflow=on",
        "d",
        "u8",
        &[(&[300.0], &[255.0]), (&[-1.0], &[0.0])],
    );
    check(
        "DataTypeConversion",
        "SaturateOnIntegerOverflow=off",
        "d",
        "u8",
        &[(&[300.0], &[44.0]), (&[-1.0], &[255.0])],
    );
    check("DataTypeConversion", "SaturateOnIntegerOverflow=off", "i16", "i8", &[(&[200.0], &[-56.0])]);
    check("DataTypeConversion", "", "d", "b", &[(&[0.5], &[1.0]), (&[0.0], &[0.0])]);
    check("DataTypeConversion", "", "b", "d", &[(&[1.0], &[1.0])]);
}

#[test]
fn expressions() {
    for (text, want) in [
        ("u(1)*2+u[2]", 7.0),
        ("-u(1)^2", -4.0),
        ("2^-1", 0.5),
        ("(u(1)>u(2))*5", 0.0),
        ("u(1)<=2 && !(u(2)==4)", 1.0),
        ("sqrt(u(1)*8)", 4.0),
        ("pow(u(2),2)/rem(7,4)", 3.0),
        ("abs(-1.5e1)", 15.0),
        ("sgn(-2)", -1.0),
        ("1-2-3", -4.0),
    ] {
        check("Fcn", &format!("Expr={text}"), "d2", "d", &[(&[2.0, 3.0], &[want])]);
    }
    let deep = format!("Expr={}1{}", "(".repeat(3000), ")".repeat(3000));
    for text in ["Expr=u(3)", "Expr=foo(1)", "Expr=1+", "Expr=(1", "Expr=1 2", "Expr=", "Expr=ü", &deep] {
        assert!(super::single("Fcn", text, "d2", "d", 1).is_err(), "{text}");
    }
}

#[test]
fn tables() {
    let one = |method: &str| format!("InputValues=[0 1 3]; Table=[0 10 20]; LookUpMeth={method}");
    for (method, given, want) in [
        ("Interpolation-Extrapolation", 2.0, 15.0),
        ("Interpolation-Extrapolation", 4.0, 25.0),
        ("Interpolation-Extrapolation", -1.0, -10.0),
        ("Interpolation-Use End Values", 4.0, 20.0),
        ("Interpolation-Use End Values", -1.0, 0.0),
        ("Use Input Nearest", 2.0, 20.0),
        ("Use Input Nearest", 0.4, 0.0),
        ("Use Input Below", 2.9, 10.0),
        ("Use Input Below", -1.0, 0.0),
        ("Use Input Above", 0.1, 10.0),
        ("Use Input Above", 1.0, 10.0),
        ("Use Input Above", 9.0, 20.0),
    ] {
        check("Lookup", &one(method), "d", "d", &[(&[given], &[want])]);
    }
    let two = "NumberOfTableDimensions=2; BreakpointsForDimension1=[0 1]; BreakpointsForDimension2=[0 2 4]; \
               Table=[0 20 40/10 30 60]; InterpMethod=Linear";
    for (extrapolation, x, y, want) in [
        ("Linear", 0.5, 1.0, 15.0),
        ("Linear", 1.0, 3.0, 45.0),
        ("Linear", 2.0, 0.0, 20.0),
        ("Clip", 2.0, 0.0, 10.0),
        ("Clip", 0.5, 9.0, 50.0),
    ] {
        let parameters = format!("{two}; ExtrapMethod={extrapolation}");
        check("Lookup_n-D", &parameters, "d d", "d", &[(&[x, y], &[want])]);
    }
    let flat = two.replace("InterpMethod=Linear", "InterpMethod=Flat");
    check("Lookup_n-D", &flat, "d d", "d", &[(&[0.9, 3.9], &[20.0]), (&[1.0, 4.0], &[60.0])]);
    let even = "NumberOfTableDimensions=1; BreakpointsSpecification=Even spacing; \
                BreakpointsForDimension1FirstPoint=1; BreakpointsForDimension1Spacing=2; Table=[1 5 7]; ExtrapMethod=Clip";
    check("Lookup_n-D", even, "d", "d", &[(&[2.0], &[3.0]), (&[9.0], &[7.0])]);
    assert!(super::single("Lookup", "InputValues=[0 0 1]; Table=[0 1 2]", "d", "d", 1).is_err());
    assert!(super::single("Lookup", "InputValues=[0 1]; Table=[0 1 2]", "d", "d", 1).is_err());
}

#[test]
fn limits() {
    let steps: [(&[f64], &[f64]); 3] = [(&[3.0], &[2.0]), (&[-3.0], &[-1.0]), (&[0.5], &[0.5])];
    check("Saturate", "UpperLimit=2; LowerLimit=-1", "d", "d", &steps);
    check("Saturate", "UpperLimit=inf; LowerLimit=-1", "d", "d", &[(&[1e9], &[1e9]), (&[-3.0], &[-1.0])]);
    check(
        "DeadZone",
        "LowerValue=-1; UpperValue=2",
        "d",
        "d",
        &[(&[3.0], &[1.0]), (&[-3.0], &[-2.0]), (&[1.0], &[0.0])],
    );
    check("Quantizer", "QuantizationInterval=0.5", "d", "d", &[(&[0.7], &[0.5]), (&[0.8], &[1.0])]);
}

#[test]
fn single_precision_is_of_doubles_only() {
    let system = single("Sum", "Inputs=++", "s s", "s", 1).expect("a system");
    let steps: [(&[f64], &[f64]); 2] = [(&[16_777_216.0, 1.0], &[]), (&[0.1, 0.2], &[])];
    let doubles = run::<f64>(&system, &steps, |it| it, |it| Some(*it));
    assert_eq!(doubles, [[Some(16_777_216.0)], [Some(f64::from(0.1f32 + 0.2f32))]]);
    let exacts = run::<RBig>(&system, &steps, |it| exact(it).unwrap(), |it| Some(it.to_f64().value()));
    assert_eq!(exacts, [[Some(16_777_217.0)], [Some(0.3)]]);
}
