//! Expressions with their values, assignments, and what is wrong with others.

use super::{Around, FUEL, File, Files, Variable, Wanted, evaluate, run, run_among};
use crate::value::{Class, Matrix, Value};
use std::cell::Cell;
use std::rc::Rc;

fn variables(name: &str) -> Option<Variable> {
    let matrix = |dimensions: &[usize], entries: &[f64]| {
        Value::Matrix(Matrix {
            dimensions: dimensions.to_vec(),
            class: Class::Double,
            entries: entries.to_vec(),
        })
    };
    let value = match name {
        "a" => matrix(&[2, 3], &[1.0, 4.0, 2.0, 5.0, 3.0, 6.0]),
        "x" => Value::scalar(3.0),
        "s" => {
            Value::Struct(vec![("k".into(), Value::scalar(7.0)), ("v".into(), matrix(&[1, 2], &[8.0, 9.0]))])
        }
        "c" => Value::Cell(vec![Value::Text("one".into()), Value::scalar(2.0)]),
        "lost" => return Some(None),
        _ => return None,
    };
    Some(Some(Rc::new(value)))
}

/// The value in a short form: rows with `;`, numbers with blanks.
fn shown(text: &str) -> String {
    match evaluate(text, &variables, &Cell::new(FUEL)) {
        Ok(value) => form(&value),
        Err(error) => format!("! {error}"),
    }
}

fn form(value: &Value) -> String {
    match value {
        Value::Matrix(matrix) => {
            let row = |row: usize| {
                let entries = (0..matrix.columns())
                    .map(|column| matrix.entries[column * matrix.rows() + row].to_string());
                entries.collect::<Vec<String>>().join(" ")
            };
            let class = if matrix.class == Class::Double { "" } else { matrix.class.name() };
            format!("{class}[{}]", (0..matrix.rows()).map(row).collect::<Vec<String>>().join("; "))
        }
        Value::Complex(complex) => {
            let [real, imaginary] =
                [&complex.real, &complex.imaginary].map(|it| form(&Value::Matrix(it.clone())));
            format!("{real}+{imaginary}i")
        }
        Value::Function(_) => "@".to_owned(),
        Value::Text(text) => format!("'{text}'"),
        Value::Struct(fields) => fields
            .iter()
            .map(|(name, value)| format!("{name}={}", form(value)))
            .collect::<Vec<String>>()
            .join(","),
        Value::Cell(values) => format!("{{{}}}", values.iter().map(form).collect::<Vec<String>>().join(",")),
    }
}

#[test]
fn values() {
    let cases = [
        ("1", "[1]"),
        ("-2^2", "[-4]"),
        ("2^-1", "[0.5]"),
        ("2^3^2", "[64]"),
        ("1e3 + .5 + 1.", "[1001.5]"),
        ("1D2", "[100]"),
        ("[1 -2]", "[1 -2]"),
        ("[1 - 2]", "[-1]"),
        ("[1 -2 + 3, 4]", "[1 1 4]"),
        ("[1, 2; 3 4]", "[1 2; 3 4]"),
        ("[1 2\n3 4]", "[1 2; 3 4]"),
        ("[1, 2, ...\n 3]", "[1 2 3]"),
        ("[ ]", "[]"),
        ("[a; 7 8 9]", "[1 2 3; 4 5 6; 7 8 9]"),
        ("[a' [1;2;3]]", "[1 4 1; 2 5 2; 3 6 3]"),
        ("[x' x']", "[3 3]"),
        ("[x (1)]", "[3 1]"),
        ("[a(1) a (2)]", "! matrices of sizes 1x1, 2x3, 1x1 cannot be put side by side (at 1)"),
        ("1:4", "[1 2 3 4]"),
        ("0:0.1:0.3", "[0 0.1 0.2 0.30000000000000004]"),
        ("5:-2:0", "[5 3 1]"),
        ("4:1", "[]"),
        ("a(2, :)", "[4 5 6]"),
        ("a(:, end)", "[3; 6]"),
        ("a(end, end - 1)", "[5]"),
        ("a(:)'", "[1 4 2 5 3 6]"),
        ("a(3)", "[2]"),
        ("a(a > 4)'", "[5 6]"),
        ("a([2 1], 1)", "[4; 1]"),
        ("s.k * 2", "[14]"),
        ("s.v(2)", "[9]"),
        ("c{1}", "'one'"),
        ("c{end}", "[2]"),
        ("u1 > 0", "! `u1` is not a known variable or function (at 1)"),
        ("a .* a", "[1 4 9; 16 25 36]"),
        ("a * a'", "[14 32; 32 77]"),
        ("a ./ 2", "[0.5 1 1.5; 2 2.5 3]"),
        ("1./[1 2 4]", "[1 0.5 0.25]"),
        ("[2 0; 0 4] \\ [2; 4]", "[1; 1]"),
        ("[2 4] / [2 0; 0 4]", "[1 1]"),
        ("[1 1; 0 1]^3", "[1 3; 0 1]"),
        ("[1 1; 0 1]^-1", "[1 -1; 0 1]"),
        ("[1 2] + [1; 2]", "[2 3; 3 4]"),
        ("2 .^ [1 2 3]", "[2 4 8]"),
        ("x == 3 & ~(x > 5) | false", "boolean[1]"),
        ("x ~= 3 || x >= 3 && 1", "boolean[1]"),
        ("int8(100) + 100", "int8[127]"),
        ("uint8(3) / 2", "uint8[2]"),
        ("single(0.1) * 1", "single[0.10000000149011612]"),
        ("true + true", "[2]"),
        ("zeros(2, 3)", "[0 0 0; 0 0 0]"),
        ("ones(1, 2, 'int32')", "int32[1 1]"),
        ("eye(2)", "[1 0; 0 1]"),
        ("inv([2 1; 1 1])", "[1 -1; -1 2]"),
        ("det([1 2; 3 4])", "[-2]"),
        ("linspace(0, 1, 5)", "[0 0.25 0.5 0.75 1]"),
        ("reshape(1:6, 2, 3)", "[1 3 5; 2 4 6]"),
        ("reshape(1:6, [], 2)", "[1 4; 2 5; 3 6]"),
        ("repmat([1 2], 2, 2)", "[1 2 1 2; 1 2 1 2]"),
        ("size(a)", "[2 3]"),
        ("[size(a, 1) length(a) numel(a)]", "[2 3 6]"),
        ("sum(a)", "[5 7 9]"),
        ("sum(a, 2)", "[6; 15]"),
        ("[sum(1:4) prod(1:4) max([3 9 2]) min([3 9 2])]", "[10 24 9 2]"),
        ("max(a, 3)", "[3 3 3; 4 5 6]"),
        ("cumsum(1:4)", "[1 3 6 10]"),
        ("diff([1 4 9])", "[3 5]"),
        ("[mod(-1, 3) rem(-1, 3) fix(-1.5) round(2.5)]", "[2 -1 -1 3]"),
        ("[rem(5, 0) mod(5, 0)]", "[NaN 5]"),
        ("dot([1 2 3], [1; 2; 3])", "[14]"),
        ("sum(zeros(3, 0), 2)'", "[0 0 0]"),
        ("[sum([]) sum(zeros(0, 2)) sum(zeros(1, 0))]", "[0 0 0 0]"),
        ("[sum(a, 1); prod(a, 1)]", "[5 7 9; 4 10 18]"),
        ("any([0 1]) + all([0 1])", "[1]"),
        ("isempty([])", "boolean[1]"),
        ("interp1([1 2 3], [10 20 30], [1.5 3])", "[15 30]"),
        ("polyval([1 2 3], 2)", "[11]"),
        ("cross([1 0 0], [0 1 0])", "[0 0 1]"),
        ("u", "! `u` is not a known variable or function (at 1)"),
        ("a[2]", "! unexpected text after the expression (at 2)"),
        ("['ab' 'c']", "'abc'"),
        ("'it''s'", "'it's'"),
        ("{1, 'a'; 2}", "{[1],'a',[2]}"),
        ("struct('p', 1).p", "[1]"),
        ("strcmp('a', 'a')", "boolean[1]"),
        ("(1/6)*(3+([-3:3]))*6", "[0 1 2 3 4 5 6]"),
        ("round(((1+tanh([-3:3]))/(1+tanh(2.65))-0.0025)*2300)", "[-0 36 270 1150 2030 2264 2300]"),
        ("[1 2]' % a comment", "[1; 2]"),
        ("pi > 3.14", "boolean[1]"),
        ("-[1 2]", "[-1 -2]"),
        ("[1 ~0]", "[1 1]"),
        ("[-x -x]", "[-3 -3]"),
        ("[x-1 x -1]", "[2 3 -1]"),
        ("1;", "[1]"),
    ];
    for (text, want) in cases {
        assert_eq!(shown(text), want, "{text}");
    }
}

#[test]
fn more_functions() {
    let cases = [
        ("sec(0) + csc(pi/2) + cot(pi/4)", "[3]"),
        ("acot(1) * 4 - pi", "[0]"),
        ("[sind(0) sind(90) sind(180) sind(-90) cosd(90) cosd(180) cosd(360)]", "[0 1 0 -1 0 -1 1]"),
        ("tand(0)", "[0]"),
        ("asind(1) + acosd(0) + atand(0)", "[180]"),
        ("atan2d(1, 0)", "[90]"),
        ("factorial([0 3 5])", "[1 6 120]"),
        ("nthroot([-8 27], 3)", "[-2 3]"),
        ("nthroot(-4, 2)", "! `nthroot` takes integers, and odd ones for negative numbers (at 1)"),
        ("blkdiag([1 2], 3, [4; 5])", "[1 2 0 0; 0 0 3 0; 0 0 0 4; 0 0 0 5]"),
        ("cat(1, [1 2], [3 4])", "[1 2; 3 4]"),
        ("cat(2, [1 2], 3)", "[1 2 3]"),
        ("triu([1 2; 3 4])", "[1 2; 0 4]"),
        ("tril([1 2; 3 4], -1)", "[0 0; 3 0]"),
        ("rot90([1 2; 3 4])", "[2 4; 1 3]"),
        ("circshift([1 2 3], 1)", "[3 1 2]"),
        ("circshift([1 2; 3 4; 5 6], -1)", "[3 4; 5 6; 1 2]"),
        ("permute([1 2; 3 4], [2 1])", "[1 3; 2 4]"),
        ("squeeze(ones(1, 1, 3))", "[1; 1; 1]"),
        ("toeplitz([1 2 3])", "[1 2 3; 2 1 2; 3 2 1]"),
        ("toeplitz([1 2], [1 5 6])", "[1 5 6; 2 1 5]"),
        ("trapz([0 1 3], [2 4 4])", "[11]"),
        ("trapz([1 2 3])", "[4]"),
        ("deconv([1 5 6], [1 2])", "[1 3]"),
        ("[std([1 3]) var([1 2 3 4])]", "[1.4142135623730951 1.6666666666666667]"),
        ("[median([3 1 2]) median([4 1 2 3])]", "[2 2.5]"),
        ("median([1 5; 3 7])", "[2 6]"),
        ("nnz([1 0 2])", "[2]"),
        ("unique([3 1 3 2])", "[1 2 3]"),
        ("[isequal([1 2], [1 2]) isequal(1, 2) isequal('a', 'a')]", "boolean[1 0 1]"),
        ("[norm([3 4]) norm([3 -4], 1) norm([3 -4], inf)]", "[5 7 4]"),
        ("[norm([1 -2; 3 4], 1) norm([1 -2; 3 4], inf) norm([1 1; 1 1], 'fro')]", "[6 7 2]"),
        ("norm([3 0; 0 -4])", "[4]"),
        ("svd([0 2; 1 0])", "[2; 1]"),
        ("rank([1 2; 2 4])", "[1]"),
        ("rank([1 0 0; 0 1 0])", "[2]"),
        ("pinv([2 0; 0 4])", "[0.5 0; 0 0.25]"),
        ("round(pinv([1; 1]) * 1e12) / 1e12", "[0.5 0.5]"),
        ("pinv([2 0 0; 0 4 0])", "[0.5 0; 0 0.25; 0 0]"),
        ("norm([1 2], 3)", "! the norms 1, 2, `inf` and `'fro'` are supported (at 1)"),
    ];
    for (text, want) in cases {
        assert_eq!(shown(text), want, "{text}");
    }
}

#[test]
fn errors_have_a_place() {
    let cases = [
        ("", "a value is missing here (at 1)"),
        ("1 +", "a value is missing here (at 4)"),
        ("(1", "`)` is missing here (at 3)"),
        ("[1 2", "a value is missing here (at 5)"),
        ("1 2", "unexpected text after the expression (at 3)"),
        ("'abc", "a quoted text is not closed (at 1)"),
        ("1 + gain", "`gain` is not a known variable or function (at 5)"),
        ("[1 2] * [3 4]", "the sizes 1x2 and 1x2 do not match for a product (at 7)"),
        ("a(3, 1)", "index 3 is outside dimension 1 of a matrix of size 2x3 (at 2)"),
        ("a(0)", "`0` is not an index; indices start at 1 (at 3)"),
        ("inv([1 1; 1 1])", "the matrix is singular (at 1)"),
        ("zeros(1e9)", "the matrix is too large (at 1)"),
        ("0:1e-9:1", "the range has too many numbers (at 2)"),
        ("int8(1) + int16(1)", "int8 and int16 cannot be computed together (at 9)"),
        ("s.q", "there is no field `q` (at 2)"),
        ("sum(a, 'all')", "the second argument must be dimension 1 or 2 (at 1)"),
        ("mean(a, 3)", "the second argument must be dimension 1 or 2 (at 1)"),
        ("any(a, [])", "the second argument must be dimension 1 or 2 (at 1)"),
        ("sum()", "the function takes 1 argument (at 1)"),
        ("cumsum(reshape(1:4, 1, 2, 2))", "expected a matrix of two dimensions (at 1)"),
        ("dot(a, a)", "`dot` takes two vectors of the same length (at 1)"),
        ("lost + 1", "the earlier value of `lost` is not known here (at 1)"),
        (
            "reshape([], 0, 1048576, 1048576, 1048576)(:, :)",
            "the value is too large or nested too deeply (at 8)",
        ),
        ("§", "unexpected `§` (at 1)"),
        ("end", "`end` can only be used inside an index (at 1)"),
    ];
    for (text, want) in cases {
        assert_eq!(shown(text), format!("! {want}"), "{text}");
    }
    let hint = evaluate("gain", &variables, &Cell::new(FUEL)).expect_err("unknown").hint;
    assert_eq!(hint.as_deref(), Some("give a data file (`.mat`, `.m`) with `gain`, or set it in the model"));
}

#[test]
fn deep_and_long_texts_are_errors() {
    let deep = "nested too deeply";
    for text in ["(".repeat(5000), "-".repeat(5000), "[".repeat(5000), "2^".repeat(5000), "a(".repeat(5000)] {
        assert!(shown(&text).contains(deep), "{}", shown(&text));
    }
    assert!(shown(&format!("1{}", "+1".repeat(5000))).contains(deep));
    assert!(shown(&format!("x{}", "'".repeat(5000))).contains(deep));
    let (_, errors) = run(&format!("a = 1; {}", "a = {a, a}; ".repeat(5000)), &|_| None, &Cell::new(FUEL));
    assert!(!errors.is_empty());
    // Empty matrices are no way around the limits either.
    let double = "a = [a; a]; ".repeat(40);
    let (_, errors) = run(&format!("a = zeros(524288, 0); {double} b = a';"), &|_| None, &Cell::new(FUEL));
    assert!(errors.len() > 38, "{errors:?}");
    let wide = Matrix { dimensions: vec![0, 1 << 31], ..Matrix::default() };
    let found = |_: &str| Some(Some(Rc::new(Value::Matrix(wide.clone()))));
    for text in ["x(:, :)", "x'"] {
        assert!(evaluate(text, &found, &Cell::new(FUEL)).is_err(), "{text}");
    }
    assert_eq!(run("x(:, :) = 5", &found, &Cell::new(FUEL)).1.len(), 1);
    // One budget for many texts.
    let fuel = Cell::new(10_000);
    let paid = (0..100).filter(|_| evaluate("zeros(1, 1000)", &variables, &fuel).is_ok()).count();
    assert_eq!(paid, 9);
}

/// A branch or loop runs if its condition is known; otherwise, what it may set has no value.
#[test]
fn branches_run_if_they_are_known() {
    let cases = [
        ("if mode==1\n k=1;\nelse\n k=2;\nend", "k=?"),
        ("if x==3\n k=1;\nelse\n k=2;\nend", "k=[1]"),
        ("if x==1, k=1, elseif x > 2, k=2, else, k=3, end, l = k", "k=[2],l=[2]"),
        ("disp(1), if mode, p(2).a = 1\n end\n l = 1", "l=[1],p=?"),
        ("for i = 1:3\n v(i) = i^2; end", "i=[3],v=[1 4 9]"),
        ("for i = [1 2;3 4]\n v = i; end", "i=[2; 4],v=[2; 4]"),
        (
            "s = 0; for i = 1:9, if i == 3, continue, end, if i > 5, break, end, s = s + i; end",
            "i=[6],s=[12]",
        ),
        ("for i = 1:n\n v(i) = i; end, l = 1", "i=?,l=[1],v=?"),
        ("j = 1; while j < 3, j = j + 1; end", "j=[3]"),
        ("j = 1; while true, j = 2; end, k = 1", "j=?,k=?"),
        ("while true, end, k = 1", "k=?"),
        ("for i = 1:3, if mode, break, end, k = i; end, l = 1", "i=?,k=?,l=?"),
        ("try, [a, b] = size(x); catch, c = 1; end", "a=[1],b=[1]"),
        (
            "try\n k = 1;\n l = tune(k);\n m = 3;\ncatch err\n k = 2;\n disp(err)\nend\nn = 4;",
            "k=?,l=?,m=?,n=[4]",
        ),
        ("try, disp('x'), k = 1; end, l = 2;", "k=[1],l=[2]"),
        ("for i = 1:3, try, k = tune(i); catch, break, end, end, l = 1", "i=?,k=?,l=?"),
        ("a = 1; b = 2; clear a, c = 3;", "b=[2],c=[3]"),
        ("a = 1; clear all, c = 3;", "c=[3]"),
        ("a = 1; clear -regexp ^a, c = 3;", "a=?,c=[3]"),
        ("switch x, case 1, k = 1; case {2, 3}, k = 2; end", "k=[2]"),
        ("switch 'b', case 'a', k = 1; otherwise, k = 3; end", "k=[3]"),
        ("switch mode, case 1, k = 1; end", "k=?"),
        ("k = 1; return; k = 2", "k=[1]"),
        ("if mode, return, end, k = 2", "k=?"),
        ("[m, n] = size(a); [p] = 2;", "m=[2],n=[3],p=[2]"),
        ("hold on; clear all\nclose all, k = 1", "k=[1]"),
    ];
    for (text, want) in cases {
        let (found, _) = run(text, &variables, &Cell::new(FUEL));
        let form = |value: &Variable| value.as_ref().map_or("?".to_owned(), |value| form(value));
        let found: Vec<String> =
            found.iter().map(|(name, value)| format!("{name}={}", form(value))).collect();
        assert_eq!(found.join(","), want, "{text}");
    }
}

/// Objects of Simulink: a parameter is its value, and a bus has elements.
#[test]
fn objects_are_structs() {
    let cases = [
        ("k = Simulink.Parameter(5); l = 2*k;", "l", "[10]"),
        ("k = Simulink.Parameter; k.Value = [1 2]; k.DataType = 'single'; l = k(2) + 1", "l", "[3]"),
        (
            "e(1) = Simulink.BusElement; e(1).Name = 'u'; e(2) = Simulink.BusElement; n = e(1).Name",
            "n",
            "'u'",
        ),
        (
            "e = Simulink.BusElement; b = Simulink.Bus; b.Elements = [e, e]; l = b.Elements(2).Dimensions",
            "l",
            "[1]",
        ),
    ];
    for (text, name, want) in cases {
        let (found, errors) = run(text, &variables, &Cell::new(FUEL));
        assert_eq!(errors, Vec::new(), "{text}");
        let value = found.get(name).cloned().flatten().map_or("?".to_owned(), |it| form(&it));
        assert_eq!(value, want, "{text}");
    }
}

#[test]
fn assignments_run_one_after_the_other() {
    let cases = [
        ("k = 2; w = k * [1 2];", "k=[2],w=[2 4]", ""),
        ("p.gain = 3\np.limit(2) = 5;", "p=gain=[3],limit=[0 5]", ""),
        ("m = zeros(2); m(2, :) = [1 2];", "m=[0 0; 1 2]", ""),
        ("m(3) = 1", "m=[0 0 1]", ""),
        ("d{2} = 'b';", "d={[],'b'}", ""),
        ("tune('x'); k = 1;", "k=[1]", "only assignments are run (at 1)"),
        ("disp('x'); fprintf('%d\\n', 2); figure(1); plot(1:3, 'r'), k = 1; close all; clc", "k=[1]", ""),
        ("hold on\ngrid on; warning off all\nset(gca, 'x', 1); k = 1;", "k=[1]", ""),
        ("k = y; l = 1", "k=?,l=[1]", "`y` is not a known variable or function (at 5)"),
        ("% only a comment", "", ""),
        // What may have been set has no value, and nothing is made of it.
        (
            "k = 2; k = tune(k); l = k",
            "k=?,l=?",
            "`tune` is not a known variable or function (at 12),the earlier value of `k` is not known here (at 25)",
        ),
        (
            "p.a = 1; p.b(x) = y; p.c = 2",
            "p=?",
            "`y` is not a known variable or function (at 19),the earlier value of `p` is not known here (at 22)",
        ),
        ("[k, l(x).f] = size(a)", "k=?,l=?", "functions with several results are not known (at 15)"),
        ("f = @; k = 2;", "f=?,k=[2]", "the name of a function is missing here (at 6)"),
        (
            "tune(1), k = 'a\nl = 2",
            "k=?,l=[2]",
            "only assignments are run (at 1),a quoted text is not closed (at 14),a value is missing here (at 14)",
        ),
        (
            "lost(2) = 1; e = 2 * lost",
            "e=?,lost=?",
            "the earlier value of `lost` is not known here (at 1),the earlier value of `lost` is not known here (at 22)",
        ),
        ("a = x + 1, b = a", "a=[4],b=[4]", ""),
    ];
    for (text, want, wrong) in cases {
        let (found, errors) = run(text, &variables, &Cell::new(FUEL));
        let form = |value: &Variable| value.as_ref().map_or("?".to_owned(), |value| form(value));
        let found: Vec<String> =
            found.iter().map(|(name, value)| format!("{name}={}", form(value))).collect();
        let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
        assert_eq!((found.join(","), errors.join(",")), (want.to_string(), wrong.to_string()), "{text}");
    }
}

/// A few files, and the folders that were added.
#[derive(Default)]
struct Folder {
    added: std::cell::RefCell<Vec<String>>,
}

impl Files for Folder {
    fn find(&self, name: &str, wanted: Wanted, _: &str) -> Option<File> {
        let name = name.rsplit(['/', '\\']).next()?.split('.').next()?;
        let code = match name {
            "parameters" => "k = 2;\nif k > 1\n return\nend\nk = 9;",
            "again" => "again",
            "runs" => "k = 5; sim('m'); k = 6;",
            "where" => "here = fileparts(mfilename('fullpath'));",
            "twice" => {
                "function [y, z] = twice(x)\nif nargin < 1\n x = 4;\nend\ny = helper(x); z = x;\nend\nfunction y = helper(x)\ny = 2*x;\nend"
            }
            "noisy" => "function p = noisy\ndisp('x'); p.a = 1; p.b = rand;\nend",
            "forever" => "function y = forever(x)\ny = forever(x);\nend",
            "tuned" => "function tuned(k)\nglobal gain\ngain = gain + k;\nend",
            "setup" => "function setup\nk = 9;\naddpath('lib');\nend",
            "record" if wanted == Wanted::Data => {
                let variables = [("w", 7.0), ("v", 8.0)];
                return Some(File::Data(
                    variables.map(|(name, it)| (name.into(), Value::scalar(it))).to_vec(),
                ));
            }
            _ => return None,
        };
        (wanted == Wanted::Code).then(|| File::Code(code.to_owned(), format!("/p/{name}.m")))
    }

    fn folder(&self) -> String {
        "/work".to_owned()
    }

    fn below(&self, folder: &str, _: &str) -> Vec<String> {
        vec![folder.to_owned(), format!("{folder}/a")]
    }

    fn add(&self, folders: &[&str], is_last: bool, _: &str) {
        let end = if is_last { "$" } else { "" };
        self.added.borrow_mut().extend(folders.iter().map(|it| format!("{it}{end}")));
    }
}

/// Folders that scripts put on the path.
#[test]
fn folders_are_added() {
    let cases = [
        ("addpath('../lib')", "../lib"),
        ("addpath(genpath(pwd));", "/work,/work/a"),
        ("addpath([pwd '/lib'], fullfile('x', 'y'), '-end')", "/work/lib$,x/y$"),
        ("here = fileparts(mfilename('fullpath')); addpath(fullfile(here, 'data'))", "/m/data"),
        ("[here, ~, ~] = fileparts(mfilename('fullpath')); addpath(here)", "/m"),
        ("where; addpath(here)", "/p"),
        ("setup", "lib"),
        ("setup(); addpath(unknown)", "lib"),
    ];
    for (text, want) in cases {
        let files = Folder::default();
        run_among(
            text,
            &|_| None,
            Around { files: &files, model: "m", script: "/m/init.m" },
            &Cell::new(FUEL),
        );
        assert_eq!(files.added.into_inner().join(","), want, "{text}");
    }
}

/// Other files that a script uses; it ends where it runs the model.
#[test]
fn scripts_among_others() {
    let cases = [
        ("parameters; l = 3*k", "k=[2],l=[6]"),
        ("run('parameters.m')\nl = k", "k=[2],l=[2]"),
        ("run parameters", "k=[2]"),
        ("load('record.mat'); u = w + 1", "u=[8],v=[8],w=[7]"),
        ("load record.mat", "v=[8],w=[7]"),
        ("load(fullfile('data', 'record'), 'v')", "v=[8]"),
        ("load('record.mat', '-regexp', 'v')", ""),
        ("load('parameters')", ""),
        ("s = load('C:\\data\\record.mat');", "s=w=[7],v=[8]"),
        // Functions of other files, with their own helpers.
        ("k = twice(3)", "k=[6]"),
        ("[k, l] = twice", "k=[8],l=[4]"),
        ("[k, l] = twice()", "k=[8],l=[4]"),
        ("[~, l] = twice(2); q = 1 + twice(l)", "l=[2],q=[5]"),
        ("k = twice(1, 2)", "k=?"),
        ("k = noisy; l = noisy()", "k=?,l=?"),
        ("k = forever(1)", "k=?"),
        ("setup; l = 1", "l=[1]"),
        ("global a b\na = 1; if ~exist('b', 'var'), b = 2; end", "a=[1],b=[2]"),
        ("a = 1; if ~exist('a', 'var'), a = 2; end", "a=[1]"),
        ("global gain\ngain = 1; tuned(2); k = gain", "gain=[3],k=[3]"),
        ("gain = 1; tuned(2); k = gain", "gain=[1],k=[1]"),
        // Words after a command are not files.
        ("close parameters, hold parameters\nclear parameters", ""),
        // A variable hides a file.
        ("parameters = 4; parameters", "parameters=[4]"),
        ("again; l = 1", "l=[1]"),
        ("k = 1; sim('m'); k = 2", "k=[1]"),
        ("k = 1; [t, y] = sim('m.mdl', 10); k = 2", "k=[1]"),
        ("model = 'm'; for i = 1:3\n k = i; out = sim(model);\nend\nk = 7", "i=[1],k=[1],model='m'"),
        ("k = 1; sim('other'); k = 2", "k=[2]"),
        ("runs; k = 8", "k=[5]"),
        ("parameters(); l = 3*k", "k=[2],l=[6]"),
        ("parameters = 4; parameters()", "parameters=[4]"),
        // What a function sets is its own.
        ("k = 1; l = f(k);\nfunction y = f(x)\nk = 2; y = x + k;\nend", "k=[1],l=[3]"),
        ("function y = f(x)\nk = 2; y = x;\nend", ""),
    ];
    for (text, want) in cases {
        let around = Around { files: &Folder::default(), model: "m", script: "m_init.m" };
        let (found, _) = run_among(text, &|_| None, around, &Cell::new(FUEL));
        let form = |value: &Variable| value.as_ref().map_or("?".to_owned(), |value| form(value));
        let found: Vec<String> =
            found.iter().map(|(name, value)| format!("{name}={}", form(value))).collect();
        assert_eq!(found.join(","), want, "{text}");
    }
}

/// Controllers, fits and diagonals: scripts, and what they set.
#[test]
fn designs() {
    let root = 3f64.sqrt();
    let golden = (1.0 + 5f64.sqrt()) / 2.0;
    let cases: &[(&str, &[usize], &[f64])] = &[
        // X^2 = 1, so K = 1.
        ("k = lqr(0, 1, 1, 1);", &[1, 1], &[1.0]),
        ("k = lqr([0 1; 0 0], [0; 1], eye(2), 1);", &[1, 2], &[1.0, root]),
        ("[k, s, e] = lqr(ss([0 1; 0 0], [0; 1], eye(2), [0; 0]), eye(2), 1);", &[1, 2], &[1.0, root]),
        ("[x, k] = lqr([0 1; 0 0], [0; 1], eye(2), 1);", &[2, 2], &[root, 1.0, 1.0, root]),
        // With a cross term, u = v - x/2: -X - X^2 + 3/4 = 0, so X = 1/2 and K = 1.
        ("k = lqr(0, 1, 1, 1, 1/2);", &[1, 1], &[1.0]),
        // An unstable system with two inputs: 2 X - 2 X^2 + 0 = 0 has the stabilizing solution 1.
        ("k = lqr(1, [1 1], 0, eye(2));", &[2, 1], &[1.0, 1.0]),
        // X^2 = 1 + X, and K = X/(1 + X).
        ("k = dlqr(1, 1, 1, 1);", &[1, 1], &[golden / (1.0 + golden)]),
        ("k = lqr(ss(1, 1, 1, 0, 0.1), 1, 1);", &[1, 1], &[golden / (1.0 + golden)]),
        ("k = lqe([0 1; 0 0], eye(2), [1 0], eye(2), 1);", &[2, 1], &[root, 1.0]),
        ("k = place([0 1; 0 0], [0; 1], [-1 -2]);", &[1, 2], &[2.0, 3.0]),
        ("k = acker([0 1; 2 3], [0; 1], [-1+1i -1-1i]);", &[1, 2], &[4.0, 5.0]),
        ("k = ctrb([1 2; 3 4], [1; 0]);", &[2, 2], &[1.0, 0.0, 1.0, 3.0]),
        ("k = obsv([1 2; 3 4], [1 0]);", &[2, 2], &[1.0, 1.0, 0.0, 2.0]),
        ("[a, b, k, d] = ssdata(ss(1, 2, 3, 4));", &[1, 1], &[3.0]),
        ("[n, k] = tfdata(tf(1, [1 2]), 'v');", &[1, 2], &[1.0, 2.0]),
        // x^2 + x + 1, and the line 2 x + 1/3 that is nearest to three points.
        ("k = polyfit([0 1 2], [1 3 7], 2);", &[1, 3], &[1.0, 1.0, 1.0]),
        ("k = polyfit([0; 1; 2], [0; 3; 4], 1);", &[1, 2], &[2.0, 1.0 / 3.0]),
        ("k = diag([1 2], 1);", &[3, 3], &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 2.0, 0.0]),
        ("k = diag([1 2; 3 4], -1);", &[1, 1], &[3.0]),
        ("k = diag([1 2; 3 4]);", &[2, 1], &[1.0, 4.0]),
    ];
    for (text, dimensions, want) in cases {
        let (found, errors) = run(text, &|_| None, &Cell::new(FUEL));
        let value =
            found["k"].as_deref().and_then(Value::matrix).unwrap_or_else(|| panic!("{text}: {errors:?}"));
        assert_eq!(value.dimensions, *dimensions, "{text}");
        let is_near = value.entries.iter().zip(*want).all(|(a, b)| (a - b).abs() < 1e-12);
        assert!(is_near, "{text}: {:?}", value.entries);
    }
    // No answer, more than one, or results that are not known.
    for text in [
        "k = lqr(1, 0, 1, 1);",
        "k = lqr([0 1; -1 0], [0; 0], zeros(2), 1);",
        "k = lqr(1, 1, 1);",
        "k = dlqr(2, 0, 1, 1);",
        "k = place(eye(2), eye(2), [-1 -2]);",
        "k = place(eye(2), [1; 1], [-1 -2]);",
        "[x, s, k] = lqr(1, 1, 1, 1);",
    ] {
        let (found, _) = run(text, &|_| None, &Cell::new(FUEL));
        assert_eq!(found["k"], None, "{text}");
    }
}

/// Complex numbers; a result without imaginary parts is real.
#[test]
fn complex_numbers() {
    let cases = [
        ("3i", "[0]+[3]i"),
        ("3i/2", "[0]+[1.5]i"),
        ("2j*2j", "[-4]"),
        ("1i", "[0]+[1]i"),
        ("1 + i", "[1]+[1]i"),
        ("[-1+2i -1-2i]", "[-1 -1]+[2 -2]i"),
        ("[-1 + 2i; 3]", "[-1; 3]+[2; 0]i"),
        ("[1+2i 3]'", "[1; 3]+[-2; -0]i"),
        ("[1+2i 3].'", "[1; 3]+[2; 0]i"),
        ("(1+2i)*(3-1i)", "[5]+[5]i"),
        ("(5+5i)/(1+2i)", "[3]+[-1]i"),
        ("[1+2i 2] .* [1-2i 3]", "[5 6]"),
        ("[1i 2] * [1i; 3]", "[5]"),
        ("(1+1i)^2", "[0]+[2]i"),
        ("(2i)^-1", "[0]+[-0.5]i"),
        ("[abs(3+4i) real(3+4i) imag(3+4i) abs(-2)]", "[5 3 4 2]"),
        ("conj(3+4i)", "[3]+[-4]i"),
        ("angle(1i) == pi/2", "boolean[1]"),
        ("-(1+2i) == -1-2i", "boolean[1]"),
        ("[1i 2](2)", "[2]"),
        ("sqrt(-4)", "[0]+[2]i"),
        ("sqrt([4 9])", "[2 3]"),
        ("complex(1, 2)", "[1]+[2]i"),
        ("[isreal(2) isreal(2i)]", "boolean[1 0]"),
        ("[real(2) imag(2) conj(2)]", "[2 0 2]"),
        ("roots([1 -3 2])", "[2; 1]"),
        ("roots([1 2 5])", "[-1; -1]+[2; -2]i"),
        ("roots([0 2 -6 0])", "[3; 0]"),
        ("round(1e9*roots([1 -6 11 -6]))'", "[3000000000 2000000000 1000000000]"),
        ("roots(5)'", "[]"),
        ("poly([-1+2i -1-2i])", "[1 2 5]"),
        ("poly([1 2])", "[1 -3 2]"),
        ("poly([1 2; 3 4])", "[1 -5 -2]"),
        ("size([1i 2 3])", "[1 3]"),
        ("sum([1i 2 3])", "[5]+[1]i"),
        ("e1i", "! `e1i` is not a known variable or function (at 1)"),
        ("3if", "! unexpected text after the expression (at 2)"),
        ("2i < 3", "! this operator is not supported for complex numbers (at 4)"),
        ("zeros(2i)", "! expected real numbers, found complex numbers (at 1)"),
        ("sin(2i)", "! expected real numbers, found complex numbers (at 1)"),
    ];
    for (text, want) in cases {
        assert_eq!(shown(text), want, "{text}");
    }
}

/// Linear systems, by hand: 1/(s+1) with its input held for a time T is (1 - e^-T)/(z - e^-T), and a double integrator is
/// T²/2 (z+1)/(z-1)².
#[test]
fn linear_systems() {
    let cases = [
        ("tf(3, [2 1]).num{1}", "[0 3]"),
        ("tf(3, [2 1]).Numerator{1}", "[0 3]"),
        ("tf(3, [2 1]).den{1}", "[2 1]"),
        ("tf(3, [2 1]).Denominator{1}", "[2 1]"),
        ("tf([0 0 3], [0 2 1]).num{1}", "[0 3]"),
        ("tf([1 2 3], [1 1]).den{1}", "[0 1 1]"),
        ("tf(3, [2 1], 0.1).Ts", "[0.1]"),
        ("tf(5).num{1}", "[5]"),
        ("zpk(-1, -2, 10).k", "[10]"),
        ("zpk(-1, -2, 10).P{1}", "[-2]"),
        ("tf(zpk([], [-1+2i -1-2i], 3)).den{1}", "[1 2 5]"),
        ("tf(zpk([], [-1+2i -1-2i], 3)).num{1}", "[0 0 3]"),
        ("tf(zpk([], [-1+2i], 3))", "! complex zeros and poles must come in conjugate pairs (at 1)"),
        ("tf(ss([0 1; -2 -3], [0; 1], [1 0], 0)).den{1}", "[1 3 2]"),
        ("tf(ss([0 1; -2 -3], [0; 1], [1 0], 2)).num{1}", "[2 6 5]"),
        ("ss(-1, 1, 2, 0).C", "[2]"),
        ("ss(4).d", "[4]"),
        ("1/(tf('s') + 1)", "$class='tf',num={[0 1]},den={[1 1]},Ts=[0]"),
        ("2*tf(1, [1 1])*tf(1, [1 2]) + 3", "$class='tf',num={[3 9 8]},den={[1 3 2]},Ts=[0]"),
        ("-tf(1, [1 1]) - tf(1, [1 1])", "$class='tf',num={[0 -2]},den={[1 1]},Ts=[0]"),
        ("(tf('s') + 1)^-2", "$class='tf',num={[0 0 1]},den={[1 2 1]},Ts=[0]"),
        ("feedback(tf(1, [1 0]), 2)", "$class='tf',num={[0 1]},den={[1 2]},Ts=[0]"),
        ("series(tf(2, [1 1]), tf(1, [1 2])).num{1}", "[0 0 2]"),
        ("parallel(tf(1, [1 1]), 1).num{1}", "[1 2]"),
        ("pole(tf(1, [1 3 2]))'", "[-2 -1]"),
        ("dcgain(tf(6, [1 2]))", "[3]"),
        ("tf(1, [1 0], 1) + tf(1, [1 0], 2)", "! the linear systems have different sample times (at 17)"),
        ("c2d(tf(1, [1 0 0]), 2).num{1}", "[0 2 2]"),
        ("c2d(tf(1, [1 0 0]), 2).den{1}", "[1 -2 1]"),
        ("max(abs(c2d(tf(1, [1 1]), 0.1).num{1} - [0 1-exp(-0.1)])) < 1e-15", "boolean[1]"),
        ("max(abs(c2d(tf(1, [1 1]), 0.1).den{1} - [1 -exp(-0.1)])) < 1e-15", "boolean[1]"),
        ("abs(c2d(ss(-1, 1, 1, 3), 0.5).a - exp(-0.5)) < 1e-15", "boolean[1]"),
        ("abs(c2d(zpk([], -1, 1), 0.1, 'zoh').den{1}(2) + exp(-0.1)) < 1e-15", "boolean[1]"),
        ("c2d(tf(1, [1 1]), 2, 'tustin').num{1}", "[0.5 0.5]"),
        ("c2d(tf(1, [1 1]), 2, 'tustin').den{1}", "[1 0]"),
        ("c2d(tf(1, [1 0]), 2, 'tustin').num{1}", "[1 1]"),
        (
            "c2d(tf(1, [1 1]), 2, 'foh')",
            "! the method `foh` of `c2d` is not supported; use `zoh` or `tustin` (at 1)",
        ),
        (
            "c2d(tf(1, [1 1], 1), 2)",
            "! `c2d` takes a system in continuous time and a positive sample time (at 1)",
        ),
        ("tf(1, 0)", "! the denominator of a transfer function is not zero (at 1)"),
        ("tf(1, [1 1], 'InputDelay', 2)", "! properties of linear systems are not supported (at 1)"),
        ("expm([0 1; 0 0])", "[1 1; 0 1]"),
        ("abs(expm(3) - exp(3)) < 1e-13", "boolean[1]"),
    ];
    for (text, want) in cases {
        assert_eq!(shown(text), want, "{text}");
    }
}

/// Cells, structs, function handles and functions of constants, each as the last variable of a script.
#[test]
fn more_of_scripts() {
    let cases = [
        ("c = {1, 'two', [3 4]}; k = c{3}(2);", "[4]"),
        ("c = {1, 'two', [3 4]}; k = c{2};", "'two'"),
        ("c = {}; c{end+1} = 5; c{end+1} = 6; k = [numel(c) c{2}];", "[2 6]"),
        ("c = {1, 2}; k = [length(c) size(c) isempty(c) isempty({})];", "[2 1 2 0 1]"),
        ("s(2).a = 1; s(1).a = 7; k = [s(1).a s(2).a numel(s)];", "[7 1 2]"),
        ("s.a = 1; s(2).a = 5; k = s(2).a + s(1).a;", "[6]"),
        ("s.a = 1; k = [isfield(s, 'a') isfield(s, 'b') numel(s)];", "[1 0 1]"),
        ("s.a = 1; s.b = 2; f = fieldnames(s); k = f{2};", "'b'"),
        ("f = @(x) x.^2; k = f(3);", "[9]"),
        ("a = 2; f = @(x, y) a*x + y; a = 5; k = f(3, 1);", "[7]"),
        ("f = @sin; k = f(0) + feval(@max, [1 4 2]);", "[4]"),
        ("g = @(x) x + 1; f = @(x) g(g(x)); k = f(1);", "[3]"),
        ("f = @() 4; k = f();", "[4]"),
        ("f = @(x) [x -1]; k = f(2);", "[2 -1]"),
        ("c = {@(x) x, @(x) 2*x}; k = c{2}(4);", "[8]"),
        ("f = @(g, x) g(g, x); k = f(f, 1);", "?"),
        ("f = @(x) x; k = f(1, 2);", "?"),
        ("f = @(x) x; k = f + 1;", "?"),
        ("k = find([0 1 0 1]);", "[2 4]"),
        ("k = find([0 1 0 1], 1);", "[2]"),
        ("k = find([0; 1; 1])';", "[2 3]"),
        ("k = interp1([1 2 3], [10 20 40], [2.5 9]);", "[30 NaN]"),
        ("k = interp1([1 2 3], [10 20 40], [0 4], 'linear', 'extrap');", "[0 60]"),
        ("k = interp1([1 2 3], [10 20 40], [0 4], 'linear', 7);", "[7 7]"),
        ("k = interp1([1 2 3], [10 20 40], [1.2 1.5 1.8 3], 'nearest');", "[10 20 20 40]"),
        ("k = interp1([1 2 3], [10 20 40], [1 1.9 2 3], 'previous');", "[10 10 20 40]"),
        ("k = interp1([1 2 3], [10 20 40], [1 1.1 2 3], 'next');", "[10 20 20 40]"),
        ("k = interp1([1 2 3], [10 20 40], 2, 'spline');", "?"),
        ("k = logspace(0, 2, 3);", "[1 10 100]"),
        ("k = kron([1 2], [1; 3]);", "[1 2; 3 6]"),
        ("k = conv([1 2], [1 3]);", "[1 5 6]"),
        ("k = trace([1 2; 3 4]);", "[5]"),
        ("k = diag([1 2]);", "[1 0; 0 2]"),
        ("k = [ndims(1:3) isvector(1:3) isrow(1:3) iscolumn(1:3) islogical(true)];", "[2 1 1 0 1]"),
        ("[m, k] = max([3 9 2]);", "[2]"),
        ("[m, n] = min([3 9 2]); k = [m n];", "[2 3]"),
        ("[m, k] = sort([3 9 2]);", "[3 1 2]"),
        ("[m, k] = deal(1, 2);", "[2]"),
        ("[k, s, e] = lqr(0, 1, 1, 1);", "[1]"),
        ("[g, k, e] = lqr(0, 1, 4, 1);", "[2]"),
        ("[g, s, k] = lqr(0, 1, 1, 1);", "?"),
        ("k = place(0, 1, -3);", "[3]"),
        ("x = 1; if exist('x'), k = 1; else, k = 2; end", "[1]"),
        ("for i = 1:3, k(i) = floor(i/2) + mod(i, 2) + rem(-i, 2); end", "[0 1 1]"),
        ("k = prod(cumsum([1 2 3])) + any([0 1]) + all([1 0]);", "[19]"),
        ("k = repmat(eye(1), 1, 3)*inv(2*eye(3));", "[0.5 0.5 0.5]"),
    ];
    for (text, want) in cases {
        let (found, _) = run(text, &|_| None, &Cell::new(FUEL));
        let value = found.get("k").cloned().flatten().map_or("?".to_owned(), |it| form(&it));
        assert_eq!(value, want, "{text}");
    }
    // Handles in handles end.
    let (_, errors) = run(
        &format!("f = @(x) x; {} k = f(1);", "f = @(x) f(f(x)); ".repeat(40)),
        &|_| None,
        &Cell::new(FUEL),
    );
    assert!(!errors.is_empty());
}
