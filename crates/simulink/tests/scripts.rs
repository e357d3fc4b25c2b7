//! MATLAB Function blocks with traces derived by hand.

mod common;

use common::model::{check_system, shapes};
use common::reading;
use shall_simulink::lower::{Options, lower};
use shall_simulink::plan::{Plan, Problem, plan};
use system::System;

/// A bus `B` that a callback of each model defines: a number `a`, and two numbers `b`; and a struct `p`.
const BUS: &str = "e(1) = Simulink.BusElement; e(1).Name = 'a'; e(2) = Simulink.BusElement; e(2).Name = 'b'; e(2).Dimensions = 2; \
                   B = Simulink.Bus; B.Elements = e; p.k = 2; p.in.v = [1 2 3];";

/// A model with the code between ports. Ports are scalar doubles, unless listed: `u:int8`, `y:double:2x2`; `y:?:-1` is what the code
/// gives. A global variable `g` is a data store that begins at 2; one `h` is read by another block too.
fn planned(code: &str, ports: &str) -> Plan {
    let head = code.lines().find(|it| it.contains("function")).expect("a function");
    let (result, inputs) = head.split_once('(').unwrap_or((head, ""));
    let names = |text: &str| -> Vec<String> {
        text.split(|c: char| !c.is_alphanumeric() && c != '_')
            .filter(|it| !it.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let outputs = names(&result.split_once('=').map_or("", |it| it.0).replace("function", " "));
    let inputs = names(inputs.split(')').next().unwrap_or(""));
    // What is named `p` is a parameter.
    let inputs: Vec<String> = inputs.into_iter().filter(|it| it != "p").collect();
    let port = |name: &String| {
        let own = ports.split(' ').find_map(|it| it.strip_prefix(&format!("{name}:")));
        let (class, size) = own.map_or(("double", "1"), |it| it.split_once(':').unwrap_or((it, "1")));
        let class = match class {
            "?" => "Inherit: Same as Simulink",
            "B" => "Bus: B",
            other => other,
        };
        (class.to_owned(), size.replace('x', " "))
    };
    let (mut outside, mut inside, mut data) = (String::new(), String::new(), String::new());
    for (kind, list) in [("Inport", &inputs), ("Outport", &outputs)] {
        for (place, name) in list.iter().enumerate() {
            let (class, size) = port(name);
            let number = place + 1;
            let block = format!("Block {{\nBlockType {kind}\nName \"{name}\"\nPort \"{number}\"\n");
            inside += &format!("{block}}}\n");
            let is_input = kind == "Inport";
            let typed = if is_input {
                format!("OutDataTypeStr \"{class}\"\nPortDimensions \"[{size}]\"\n")
            } else {
                String::new()
            };
            outside += &format!("{block}{typed}}}\n");
            let (from, to) = if is_input {
                (format!("{name}\"\nSrcPort 1"), format!("c\"\nDstPort {number}"))
            } else {
                (format!("c\"\nSrcPort {number}"), format!("{name}\"\nDstPort 1"))
            };
            outside += &format!("Line {{\nSrcBlock \"{from}\nDstBlock \"{to}\n}}\n");
            let scope = if is_input { "INPUT_DATA" } else { "OUTPUT_DATA" };
            data += &format!(
                "data {{\nid {}\nname \"{name}\"\nlinkNode [1 0 0]\nscope {scope}\ndataType \"{class}\"\nprops {{\narray {{\nsize \"{size}\"\n}}\n}}\n}}\n",
                100 + place + 50 * usize::from(is_input)
            );
        }
    }
    for (name, more) in
        [("g", ""), ("h", "Block {\nBlockType DataStoreRead\nName \"r\"\nDataStoreName \"h\"\n}\n")]
    {
        if code.contains(&format!("global {name}")) {
            let memory = "Block {\nBlockType DataStoreMemory\nName \"m\"\nInitialValue \"2\"\nDataStoreName ";
            outside += &format!("{memory}\"{name}\"\n}}\n{more}");
        }
    }
    data += "data {\nid 99\nname \"p\"\nlinkNode [1 0 0]\nscope PARAMETER_DATA\ndataType \"Inherit: Same as Simulink\"\n}\n";
    let script = code.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    let text = format!(
        "Model {{\nName \"m\"\nInitFcn \"{BUS}\"\nSolver \"FixedStepDiscrete\"\nFixedStep \"0.5\"\nSystem {{\n{outside}Block {{\nBlockType SubSystem\nName \"c\"\n\
         SFBlockType \"MATLAB Function\"\nSystem {{\n{inside}}}\n}}\n}}\n}}\nStateflow {{\nchart {{\nid 1\nname \"c\"\ntype EML_CHART\n}}\n\
         instance {{\nid 2\nname \"c\"\nchart 1\n}}\nstate {{\nid 3\nlabelString \"eML_blk_kernel()\"\ntype FUNC_STATE\nchart 1\ntreeNode [1 0 0 0]\n\
         eml {{\nisEML 1\nscript \"{script}\"\n}}\n}}\n{data}}}\n"
    );
    let reading = reading(text.as_bytes());
    assert_eq!(reading.problems, Vec::new(), "{code}");
    let mut diagram = reading.diagram;
    diagram.name = "m".to_owned();
    plan(&diagram, &[])
}

fn lowered(code: &str, ports: &str) -> Result<System, Vec<Problem>> {
    lower(&planned(code, ports), None, &Options::default())
}

fn check_typed(code: &str, ports: &str, steps: &str) {
    let system = lowered(code, ports).unwrap_or_else(|problems| panic!("{code}\n{problems:?}"));
    check_system(code, &system, steps, 1e-9);
}

fn check(code: &str, steps: &str) {
    check_typed(code, "", steps);
}

fn refused(code: &str, reason: &str) {
    let problems = lowered(code, "").expect_err(code);
    let messages: Vec<&str> = problems.iter().map(|it| it.message.as_str()).collect();
    assert!(messages.iter().any(|it| it.contains(reason)), "{code}: {messages:?}");
}

#[test]
fn arithmetic() {
    let cases = [
        ("u + 1", "1 | 2\n -1 | 0"),
        ("2*u - 3/4", "1 | 1.25"),
        ("-u^2", "3 | -9"),
        ("u.^2 + u', ", "2 | 6"),
        ("(u > 1) + (u > 2)", "0 | 0\n 2 | 1\n 3 | 2"),
        ("u >= 1 && u <= 2", "0 | 0\n 1 | 1\n 3 | 0"),
        ("u < 0 || u == 5", "-1 | 1\n 5 | 1\n 1 | 0"),
        ("~(u ~= 2)", "2 | 1\n 3 | 0"),
        ("abs(u) + sign(u)", "-3 | 2\n 3 | 4"),
        ("max(u, 2) + min(u, 1)", "5 | 6\n 0 | 2"),
        ("mod(u, 3)", "7 | 1\n -1 | 2"),
        ("floor(u) + ceil(u)", "1.5 | 3"),
        ("sqrt(u)", "4 | 2"),
        ("sin(0) + cos(0)*u", "3 | 3"),
        ("true + u", "1 | 2"),
    ];
    for (value, steps) in cases {
        check(&format!("function y = f(u)\ny = {};", value.trim_end_matches(", ")), steps);
    }
    check("function y = f(u)\n% a comment\ny = u; % another\nend", "3 | 3");
    check("function y = f(u, v)\ny = u ...\n  - v;", "3 1 | 2");
    check("function [y, z] = f(u)\ny = u;\nz = 2*u;\n", "3 | 3 6");
}

#[test]
fn branches() {
    check(
        "function y = f(u)\nif u > 0\n  y = 1;\nelseif u < 0\n  y = -1;\nelse\n  y = 0;\nend",
        "5 | 1\n -5 | -1\n 0 | 0",
    );
    check("function y = f(u)\ny = 0;\nif u > 0, y = 1; end", "5 | 1\n -5 | 0");
    check(
        "function y = f(u)\ny = 0;\nif u > 0\n if u > 5\n  y = 2;\n else\n  y = 1;\n end\nend",
        "9 | 2\n 3 | 1\n 0 | 0",
    );
    check(
        "function y = f(u)\nswitch u\n case 1\n  y = 10;\n case {2, 3}\n  y = 20;\n otherwise\n  y = 0;\nend",
        "1 | 10\n 2 | 20\n 3 | 20\n 4 | 0",
    );
    check("function y = f(u)\ny = u;\nif u > 3\n  y = 3;\n  return\nend\ny = y + 1;", "5 | 3\n 1 | 2");
    // The condition is that of the branch, even if the branch changes what it reads.
    check(
        "function y = f(u)\ny = u;\nif y > 0\n y = -1;\nend\nif y < 0\n y = y * 2;\nend",
        "1 | -2\n -3 | -6",
    );
}

#[test]
fn loops() {
    check("function y = f(u)\ny = 0;\nfor k = 1:4\n y = y + k*u;\nend", "1 | 10\n 2 | 20");
    check("function y = f(u)\ny = 0;\nfor k = 10:-3:1\n y = y + k;\nend\ny = y * u;", "1 | 22");
    check("function y = f(u)\ny = 0;\nfor k = [2 5 7]\n y = y + k;\nend\ny = y + u;", "1 | 15");
    check(
        "function y = f(u)\ny = 0;\nfor k = 1:10\n if k > u\n  break\n end\n y = y + 1;\nend",
        "3 | 3\n 0 | 0\n 99 | 10",
    );
    check(
        "function y = f(u)\ny = 0;\nfor k = 1:5\n if k == u\n  continue\n end\n y = y + k;\nend",
        "3 | 12\n 9 | 15",
    );
    check("function y = f(u)\ny = 0;\nfor i = 1:3\n for j = 1:i\n  y = y + u;\n end\nend", "2 | 12");
    check("function y = f(u)\nk = 0;\ny = 0;\nwhile k < 3\n k = k + 1;\n y = y + u;\nend", "2 | 6");
    check(
        "function y = f(u)\ny = -1;\nfor k = 1:5\n if k*k > u\n  y = k;\n  return\n end\nend",
        "0 | 1\n 5 | 3\n 99 | -1",
    );
}

#[test]
fn arrays() {
    check_typed("function y = f(u)\ny = u(2) + u(end);", "u:double:3", "1 2 3 | 5");
    check_typed("function y = f(u)\ny = u + [10; 20; 30];", "u:double:3 y:double:3", "1 2 3 | 11 22 33");
    check_typed("function y = f(u)\ny = sum(u) + numel(u);", "u:double:3", "1 2 3 | 9");
    check_typed("function y = f(u)\ny = max(u) - min(u);", "u:double:3", "4 2 9 | 7");
    check_typed(
        "function y = f(u)\ny = zeros(3, 1);\nfor k = 1:3\n y(k) = u(4 - k);\nend",
        "u:double:3 y:double:3",
        "1 2 3 | 3 2 1",
    );
    check_typed("function y = f(u)\ny = [1 2; 3 4] * u;", "u:double:2 y:double:2", "1 1 | 3 7");
    check_typed("function y = f(u)\ny = u' * u;", "u:double:2", "3 4 | 25");
    check_typed("function y = f(u)\na = [1 2; 3 4];\ny = a(2, :) * u + a(1, end);", "u:double:2", "1 1 | 9");
    check_typed("function y = f(u)\ny = u .* u ./ 2;", "u:double:2 y:double:2", "2 4 | 2 8");
    check_typed(
        "function y = f(u)\ny = any(u > 2) + all(u > 0);",
        "u:double:2",
        "1 3 | 2\n 0 1 | 0\n 1 1 | 1",
    );
    check_typed("function y = f(u, k)\ny = u(k);", "u:double:3", "5 6 7 1 | 5\n 5 6 7 3 | 7");
    check_typed("function y = f(u)\ny = eye(2) * u + ones(2, 1);", "u:double:2 y:double:2", "3 4 | 4 5");
    check_typed("function y = f(u)\nv = u(2:3);\ny = v(1) * 10 + v(2);", "u:double:3", "1 2 3 | 23");
    check_typed("function y = f(u)\ny = u;\ny(2) = 0;", "u:double:3 y:double:3", "1 2 3 | 1 0 3");
    check_typed(
        "function y = f(u)\ny = u;\nif u(1) > 0\n y(2) = 9;\nend",
        "u:double:2 y:double:2",
        "1 2 | 1 9\n -1 2 | -1 2",
    );
    check_typed("function y = f(u)\ny = dot(u, u) + length(u) + size(u, 1);", "u:double:2", "1 2 | 9");
    check_typed("function y = f(u)\ny = isequal(u, [1; 2]);", "u:double:2", "1 2 | 1\n 1 3 | 0");
    check_typed("function y = f(u)\ny = [u(1), 5; u(2), 6];", "u:double:2 y:double:2x2", "1 2 | 1 2 5 6");
}

/// Loops whose number of rounds depends on signals, but has a limit.
#[test]
fn bounded_loops() {
    // The type of the input limits it.
    let sum = "function y = f(n)\ny = 0;\nfor k = 1:n\n y = y + double(k);\nend";
    check_typed(sum, "n:uint8", "0 | 0\n 1 | 1\n 4 | 10\n 100 | 5050");
    // An assertion limits it, and so does a minimum.
    let asserted = "function y = f(n)\nassert(n <= 5);\ny = 0;\nfor k = 1:n\n y = 10*y + k;\nend";
    check(asserted, "0 | 0\n 3 | 123\n 5 | 12345\n 2.5 | 12");
    check(
        "function y = f(n)\ny = 0;\nfor k = 0:2:min(n, 6)\n y = 10*y + k;\nend",
        "5 | 24\n 9 | 246\n -1 | 0",
    );
    // An assertion about a value of before says nothing.
    refused(
        "function y = f(n)\nassert(n < 5);\nn = n * 2;\ny = 0;\nfor k = 1:n\n y = k;\nend",
        "the limit of its range",
    );
    // A counter in the condition.
    let halves = "function y = f(u)\nk = 0;\ny = u;\nwhile y > 1 && k < 5\n y = y / 2;\n k = k + 1;\nend\ny = y + 100*k;";
    check(halves, "1 | 1\n 3 | 200.75\n 64 | 502");
    // The counter is counted after a way out, and the loop is under a condition.
    let search = "function y = f(u)\nk = 1;\nif u > 0\n while k < 8\n  if k*k >= u\n   break\n  end\n  k = k + 1;\n end\nend\ny = k;";
    check(search, "-1 | 1\n 1 | 1\n 5 | 3\n 49 | 7\n 99 | 8");
    let leaves = "function y = f(u)\nk = 0;\ny = -1;\nwhile k < 4\n k = k + 1;\n if k == 2\n  continue\n end\n if k > u\n  y = k;\n  return\n end\nend\ny = 50;";
    check(leaves, "0 | 1\n 1 | 3\n 3 | 4\n 9 | 50");
    // A memory that a loop changes.
    let memory = "function y = f(u)\npersistent n\nif isempty(n)\n n = 0;\nend\nk = 0;\nwhile k < 3 && n < u\n n = n + 1;\n k = k + 1;\nend\ny = n;";
    check(memory, "5 | 3\n 5 | 5\n 2 | 5\n 9 | 8");
}

/// Indices that are signals, masks, and functions of arrays.
#[test]
fn indices_and_functions() {
    check_typed("function y = f(u, k)\ny = [1; 2; 3];\ny(k) = u;", "y:double:3", "9 1 | 9 2 3\n 9 3 | 1 2 9");
    check("function y = f(i, j)\na = [1 2 3; 4 5 6];\ny = a(i, j);", "1 1 | 1\n 2 3 | 6\n 1 2 | 2");
    check_typed(
        "function y = f(i, j)\ny = zeros(2, 2);\ny(i, j) = 5;",
        "y:double:2x2",
        "1 1 | 5 0 0 0\n 1 2 | 0 0 5 0\n 2 2 | 0 0 0 5",
    );
    check_typed(
        "function y = f(u)\ny = u;\ny(u > 2) = 0;",
        "u:double:3 y:double:3",
        "1 2 3 | 1 2 0\n 3 1 9 | 0 1 0",
    );
    check_typed("function y = f(u)\nm = [true; false; true];\ny = sum(u(m));", "u:double:3", "1 2 3 | 4");
    let cases = [
        ("norm(u)", "3 4 0 | 5"),
        ("sum(cross(u, [0; 0; 1]))", "3 4 9 | 1"),
        ("mean(u)", "1 2 6 | 3"),
        ("sum(cumsum(u))", "1 2 3 | 10"),
        ("sum(u, 1) + numel(sum(u, 2))", "1 2 3 | 9"),
        ("u' * diag([1 2 3]) * u", "1 1 2 | 15"),
        ("sum(repmat(u, 2, 1))", "1 2 3 | 12"),
        ("[1 10 100] * flipud(u)", "1 2 3 | 123"),
        ("[1 0] * ([2 0; 0 4] \\ u(1:2))", "3 8 0 | 1.5"),
        ("trace(reshape([u; 5], 2, 2))", "1 2 3 | 6"),
        ("xor(u(1) > 0, u(2) > 0) + any(isnan(u))", "1 0 0 | 1\n 1 1 0 | 0"),
        ("rem(u(1), 3) + fix(u(2)) + isscalar(u)", "-7 -2.5 0 | -3"),
        ("sum(find([0 1 1]) .* linspace(1, 2, 2)) + u(1)", "1 0 0 | 9"),
        ("max([u u], [], 2)' * [1; 10; 100]", "1 2 3 | 321"),
    ];
    for (value, steps) in cases {
        check_typed(&format!("function y = f(u)\ny = {value};"), "u:double:3", steps);
    }
    check_typed("function [y, z] = f(u)\n[y, z] = max(u);", "u:double:3", "4 7 7 | 7 2\n 9 1 2 | 9 1");
    check_typed("function y = f(u)\n[r, c] = size(u);\ny = 10*r + c;", "u:double:2x3", "0 0 0 0 0 0 | 23");
    check_typed(
        "function y = f(u)\ny = bitand(u, uint8(12)) + bitshift(u, -2) + bitxor(u, 1);",
        "u:uint8 y:uint8",
        "7 | 11",
    );
    check_typed(
        "function y = f(u)\ny = cast(u, 'int8') + intmax('int8') - cast(100, 'like', int8(0));",
        "y:int8",
        "3.6 | 27",
    );
    check_typed(
        "function y = f(u)\ny = zeros(2, 1, 'like', u);\ny(1) = u + 200;",
        "u:uint8 y:uint8:2",
        "100 | 255 0",
    );
    // What is shown or checked has no effect.
    check(
        "function y = f(u) %#codegen\ncoder.extrinsic('disp');\ncoder.inline('always');\ndisp(u);\nfprintf('%d', u);\ny = coder.const(2) * u;",
        "3 | 6",
    );
    check("function y = f(u)\ny = 0;\nfor k = int8(1):int8(3)\n y = y + double(k / 2) + u;\nend", "1 | 7");
}

/// Types and sizes that a block inherits are those of its code.
#[test]
fn inherited_outputs() {
    let cases = [
        ("function y = f(u)\ny = u;", "y:?:-1", "double"),
        ("function y = f(u)\ny = u > 1;", "y:?:-1", "boolean"),
        ("function y = f(u)\ny = [u; u + 1; 3];", "u:int8 y:?:-1", "int8[3x1]"),
        ("function y = f(u)\ny = zeros(1, 2, 'uint8');\ny(2) = u;", "y:?:-1", "uint8[1x2]"),
        ("function y = f(u)\ny = u * u';", "u:double:2 y:?:-1", "double[2x2]"),
        ("function [y, z] = f(u)\ny = int16(u);\nz = true(1, 2);", "y:?:-1 z:?:-1", "int16 boolean[1x2]"),
        ("function y = f(u)\nif u.a > 0\n y = u.b;\nelse\n y = -u.b;\nend", "u:B y:?:-1", "double[2x1]"),
    ];
    for (code, ports, want) in cases {
        assert_eq!(shapes(&planned(code, ports), "c"), want, "{code}");
    }
    check_typed("function y = f(u)\ny = [u; 2*u];", "y:?:-1", "3 | 3 6");
    // A declared size that is not that of the code.
    let problems = lowered("function y = f(u)\ny = [u; u];", "y:double:3").expect_err("a size");
    assert!(problems[0].message.contains("gives 2 elements for the output `y`, which has 3"), "{problems:?}");
}

#[test]
fn persistent_variables() {
    let counter = "function y = f(u)\npersistent n\nif isempty(n)\n n = 0;\nend\nn = n + u;\ny = n;";
    check(counter, "1 | 1\n 2 | 3\n 3 | 6");
    let delay = "function y = f(u)\npersistent last\nif isempty(last)\n last = 7;\nend\ny = last;\nlast = u;";
    check(delay, "1 | 7\n 2 | 1\n 3 | 2");
    let two = "function y = f(u)\npersistent a b\nif isempty(a)\n a = 1; b = 1;\nend\ny = a;\nc = a + b;\na = b;\nb = c + 0*u;";
    check(two, "0 | 1\n 0 | 1\n 0 | 2\n 0 | 3\n 0 | 5");
    let held = "function y = f(u)\npersistent m\nif isempty(m)\n m = 0;\nend\nif u > m\n m = u;\nend\ny = m;";
    check(held, "1 | 1\n 5 | 5\n 2 | 5");
    let buffer = "function y = f(u)\npersistent q\nif isempty(q)\n q = zeros(1, 2);\nend\ny = q(2);\nq(2) = q(1);\nq(1) = u;";
    check(buffer, "1 | 0\n 2 | 0\n 3 | 1\n 4 | 2");
}

#[test]
fn functions() {
    check("function y = f(u)\ny = twice(u) + 1;\nend\nfunction r = twice(a)\nr = 2*a;\nend", "3 | 7");
    check(
        "function y = f(u)\n[a, b] = both(u);\ny = a*10 + b;\n\nfunction [p, q] = both(x)\np = x;\nq = x + 1;",
        "3 | 34",
    );
    check(
        "function y = f(u)\ny = g(g(u));\nfunction r = g(a)\nif a > 10\n r = a;\n return\nend\nr = a*a;",
        "2 | 16\n 20 | 20",
    );
}

#[test]
fn types() {
    check_typed("function y = f(u)\ny = u + 100;", "u:int8 y:int8", "100 | 127\n -3 | 97");
    check_typed("function y = f(u)\ny = u / 2;", "u:int8 y:int8", "7 | 4\n -7 | -4\n 5 | 3");
    check_typed("function y = f(u)\ny = int8(u) * 2;", "y:int8", "3.4 | 6\n 100 | 127");
    check_typed("function y = f(u)\ny = double(u) / 2;", "u:int8", "7 | 3.5");
    check_typed("function y = f(u)\ny = u > 3;", "u:uint8 y:boolean", "4 | 1\n 3 | 0");
    check_typed("function y = f(u)\ny = ~u;", "u:boolean y:boolean", "1 | 0\n 0 | 1");
}

#[test]
fn structs() {
    check("function y = f(u)\ns.a = u;\ns.b = [1 2 3];\ns.b(2) = u;\ny = s.a + sum(s.b);", "5 | 14");
    check(
        "function y = f(u)\ns = struct('a', 1, 'in', struct('b', u));\nif u > 2\n s.a = 7;\nend\ny = s.a + s.in.b;",
        "2 | 3\n 3 | 10",
    );
    // A copy, and a struct as an argument.
    check("function y = f(u)\ns.a = u;\nt = s;\nt.a = 9;\ny = 10*s.a + t.a;", "2 | 29");
    check(
        "function y = f(u)\np.k = 2;\np.b = 1;\ny = g(u, p);\nfunction r = g(x, p)\nr = p.k*x + p.b;",
        "3 | 7",
    );
    // A parameter may be a struct.
    check("function y = f(u, p)\ny = p.k*u + sum(p.in.v);", "3 | 12");
    // A bus is a struct.
    check_typed("function y = f(u)\ny = u.a + 10*u.b(2);\n", "u:B", "1 2 3 | 31");
    // A persistent struct is empty until one of its fields is set.
    let counter = "function y = f(u)\npersistent s\nif isempty(s)\n s = struct('n', 0, 'last', -1);\nend\ns.n = s.n + 1;\n\
                   y = 10*s.n + s.last;\ns.last = u;";
    check(counter, "4 | 9\n 5 | 24\n 6 | 35");
}

/// Functions give structs, and a port gives one as a bus.
#[test]
fn structs_as_results() {
    check(
        "function y = f(u)\ns = g(u);\ny = s.a + s.in.b(2);\nfunction r = g(x)\nr.a = x;\nr.in.b = [1 2*x];",
        "3 | 9\n 5 | 15",
    );
    check(
        "function y = f(u)\n[k, s] = g(u);\ny = 100*k + 10*s.a + s.b;\nfunction [n, r] = g(x)\nn = 1;\nr = struct('a', x, 'b', 2);",
        "3 | 132",
    );
    // A result is an argument, a field, and changes under a condition.
    check(
        "function y = f(u)\ny = h(g(u));\nfunction r = g(x)\nr.a = x;\nfunction z = h(s)\nz = 2*s.a;",
        "3 | 6",
    );
    check(
        "function y = f(u)\nt.s = g(u);\nif u > 2\n t.s = g(0);\nend\ny = t.s.a;\nfunction r = g(x)\nr.a = x + 1;",
        "1 | 2\n 2 | 3\n 3 | 1",
    );
    // The function runs once, and what it remembers with it.
    let counter = "function y = f(u)\ns = g(u);\ny = s.n;\nfunction r = g(x)\npersistent k\nif isempty(k)\n k = 0;\nend\nk = k + x;\nr.n = k;";
    check(counter, "1 | 1\n 2 | 3\n 3 | 6");
    check_typed("function y = f(u)\ny.a = u;\ny.b = [1; 2] * u;", "y:B", "3 | 3 3 6\n 4 | 4 4 8");
    check_typed("function y = f(u)\ny = u;\ny.a = u.a + 1;", "u:B y:B", "1 2 3 | 2 2 3");
    assert_eq!(shapes(&planned("function y = f(u)\ny.a = u;\ny.b = [1; 2];", "y:B"), "c"), "bus");
    let wrong = |code: &str, ports: &str, reason: &str| {
        let problems = lowered(code, ports).err().unwrap_or_default();
        assert!(problems.iter().any(|it| it.message.contains(reason)), "{code}: {problems:?}");
    };
    wrong("function y = f(u)\ny.a = u;", "y:B", "does not set the field `y.b`");
    wrong("function y = f(u)\ny.a = u;\ny.b = [1; 2];\ny.c = 1;", "y:B", "no element for the field `y.c`");
    wrong("function y = f(u)\ny.a = int8(u);\ny.b = [1; 2];", "y:B", "another type or size");
    wrong("function y = f(u)\ny = u;", "y:B", "whether `y` is a struct");
    wrong("function y = f(u)\ny.a = u;", "", "whether `y` is a struct");
    wrong("function y = f(u)\ny.a = u;", "y:Bus_of_nowhere", "is not");
    refused(
        "function y = f(u)\ny = 1 + g(u);\nfunction r = g(x)\nr.a = x;",
        "a struct is used where numbers are wanted",
    );
    refused("function y = f(u)\ns(2) = g(u);\ny = 1;\nfunction r = g(x)\nr.a = x;", "arrays of structs");
}

#[test]
fn what_is_not_supported_is_refused_by_name() {
    refused("function y = f(u)\ns.a = u;\ny = s.b;", "a field is not known here");
    refused("function y = f(u)\ns.a = u;\ny = s;", "whether `y` is a struct");
    refused("function y = f(u)\nc = {u, 2};\ny = c{1};", "a cell or an index alone");
    refused("function y = f(u)\ny = u;\nwhile y > 0\n y = y - 1;\nend", "the number of iterations of a loop");
    refused("function y = f(u)\ny = zeros(u, 1);", "not a constant");
    refused("function y = f(u)\ny = foo(u);", "unknown function `foo`");
    refused("function y = f(u)\ny = v;", "unknown name `v`");
    refused(
        "function y = f(u)\ny = 0;\nfor k = 1:u\n y = y + k;\nend",
        "the limit of its range is not known",
    );
    refused("function y = f(u)\ny = sum(find([u 0]));", "`find` of a signal gives a number of elements");
    refused("function y = f(u)\ny = u + 2i;", "complex numbers are not supported");
    refused("function y = f(u)\nv = [u 2];\ny = sum(v(v > 1));", "a mask that is a signal");
    refused("function y = f(u)\ny = [1 2];\ny(3) = u;", "the index 3 is outside");
    refused(
        "function y = f(u)\ny = 0;\nif isnan(1/u)\n y = 1;\nend",
        "`isnan` of a value that may be infinite",
    );
    refused("function y = f(u)\nif u > 0\n y = int8(1);\nelse\n y = [1 2];\nend", "changes its size");
    refused("function y = f(u)\n[a, b, c] = size(u);\ny = a;", "the function `size` has 2 outputs");
    refused("function y = f(u)\nif u > 0\n y = 1", "`end` is missing");
    refused("function y = f(u)\ny = f(u);", "call themselves");
    refused("function y = f(u)\nz = u;", "does not set `y`");
    refused("function y = f(u)\ny = 0;\nfor k = 1:1e6\n y = k;\nend", "a range is too long");
    refused("function y = f(u)\ny = [1 2 3];\nif u > 0\n y = 1;\nend", "changes its size");
    refused("function y = f(u)\ntry\n y = u;\nend", "`try` is not supported");
}

/// Whatever code has, nothing panics or hangs.
#[test]
fn hostile_code_ends() {
    let head = "function y = f(u, n)\n";
    let codes = [
        "persistent m\nif isempty(m)\n m = zeros(2, 3, 'int8');\nend\nk = 0;\nwhile k < 5 && m(1, 2) < u\n k = k + 1;\n m(k, :) = m(1, 1:3) + u;\nend\ny = sum(m(:));",
        "assert(n <= 9);\ny = 0;\nfor k = 1:n\n if k > u, break; end\n y = y + bitand(uint8(k), 5) * norm([u; k]);\nend\n[a, b] = max([u n k]);\ny = y + a + b;",
        "s = struct('a', u, 'b', [1 2; 3 4]);\nswitch n\n case {1, 2}\n  y = s.a;\n otherwise\n  y = s.b(2, end) + g(s.b * [u; n]);\nend\nfunction r = g(v)\nr = v(1);\nv(v > 2) = 0;\nr = r + inv([2 v(1); 1 3])(1);",
    ];
    let mut seed = 7u64;
    for number in 0..600 {
        let mut bytes = codes[number % codes.len()].as_bytes().to_vec();
        for _ in 0..number % 4 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let place = (seed >> 33) as usize % bytes.len();
            bytes[place] = b"()[]{};,:=+-*/'~.0189 ukn\n"[(seed >> 20) as usize % 26];
        }
        let code = format!("{head}{}", String::from_utf8_lossy(&bytes));
        let _ = lowered(&code, "n:uint8 y:?:-1");
    }
    // Calls in branches in calls, each with a deep expression.
    let body = |inner: &str| {
        let (open, close) = ("if a > 0\n".repeat(35), "end\n".repeat(35));
        format!("r = 0;\n{open}r = {}{inner}{} + 1;\n{close}", "-(".repeat(70), ")".repeat(70))
    };
    let functions: String =
        (1..8).map(|it| format!("function r = g{it}(a)\n{}", body(&format!("g{}(a)", it + 1)))).collect();
    let code = format!("function y = f(a, n)\ny = g1(a);\n{functions}function r = g8(a)\nr = a;\n");
    let problems = lowered(&code, "").err().unwrap_or_default();
    assert!(problems.iter().any(|it| it.message.contains("nested too deeply")), "{problems:?}");
    // Loops in loops, and arrays of any size.
    let nested = "y = 0;\na = 0; b = 0;\nwhile a < 290\n a = a + 1;\n b = 0;\n while b < 290 && y < u\n  b = b + 1;\n  y = y + 1;\n end\nend";
    refused(&format!("{head}{nested}"), "its code runs too long");
    refused(&format!("{head}y = sum(sum(repmat(zeros(90, 90), 50, 50)));"), "an array is too large");
    refused(&format!("{head}y = zeros(1e6, 1e6);"), "an array is too large");
}

/// Texts are rows of letters, which `switch` and `strcmp` compare.
#[test]
fn texts() {
    let mode = "function y = f(u)\nmode = 'slow';\nif u > 1\nmode = 'fast';\nend\nswitch mode\ncase 'fast'\ny = 10*u;\ncase {'slow', 'none'}\ny = u;\notherwise\ny = 0;\nend";
    check(mode, "1 | 1\n 2 | 20");
    check(
        "function y = f(u)\nif strcmp('ab', 'ab') && ~strcmp('ab', 'abc') && ~strcmp('ab', 'aB')\ny = u;\nelse\ny = 0;\nend",
        "3 | 3",
    );
    // A text of another length is another text.
    check(
        "function y = f(u)\ny = g('on', u);\nend\nfunction r = g(k, x)\nswitch k\ncase 'off'\nr = -x;\ncase 'on'\nr = x;\notherwise\nr = 0;\nend\nend",
        "3 | 3",
    );
    refused(
        "function y = f(u)\nm = 'a';\nif u > 1\nm = 'abc';\nend\ny = strcmp(m, 'a');",
        "the variable `m` changes its size",
    );
    refused(
        "function y = f(u)\nswitch [u u]\ncase 1\ny = 1;\notherwise\ny = 2;\nend",
        "an array is used where",
    );
}

/// Functions of vectors and small matrices.
#[test]
fn more_functions() {
    let cases = [
        ("norm([u -2], 1)", "3 | 5\n -3 | 5"),
        ("norm([u -2], inf)", "3 | 3\n -1 | 2"),
        ("norm([u -4], 2)", "3 | 5"),
        ("det([u 1; 2 3])", "2 | 4\n 0 | -2"),
        ("det([u 0 1; 2 3 1; 1 1 u])", "2 | 9\n 0 | -1"),
        ("polyval([1 2 3], u)", "2 | 11\n -1 | 2"),
        ("sum(sort([u 3 1]) .* [1 10 100])", "2 | 321\n 5 | 531\n 0 | 310"),
        ("sum(circshift([1 u 3], 1) .* [1 10 100])", "2 | 213"),
        ("sum(circshift([1 u 3], -1) .* [1 10 100])", "2 | 132"),
        ("real(u)", "2 | 2"),
    ];
    for (value, steps) in cases {
        check(&format!("function y = f(u)\ny = {value};"), steps);
    }
    refused("function y = f(u)\ny = norm([u 1; 2 3], 1);", "norm");
    refused("function y = f(u)\ny = det([u 1]);", "det");
}

/// A function handle is called, and `interp1` has a table of constants.
/// What one index selects has the direction of a vector, or else the size of the index.
#[test]
fn directions_of_parts() {
    let sizes = |part: &str, want: &str| {
        let code =
            format!("function y = f(u)\na = [u 2; 3 4]; r = [u 8 9]; c = [u; 8]; s = u;\ny = size({part});");
        check_typed(&code, "y:double:2", &format!("7 | {want}"));
    };
    sizes("a([1 2])", "1 2");
    sizes("a([1; 2; 3])", "3 1");
    sizes("a(2)", "1 1");
    sizes("a(:)", "4 1");
    sizes("a([1 2; 3 4])", "2 2");
    sizes("a([true false; true true])", "3 1");
    sizes("r([1; 2])", "1 2");
    sizes("r(:)", "3 1");
    sizes("r([true false true])", "1 2");
    sizes("c([1 2])", "2 1");
    sizes("s([1; 1; 1])", "3 1");
    sizes("s([1 1])", "1 2");
}

/// Factors, solutions, and matrices from others.
#[test]
fn matrices_from_others() {
    let code = |text: &str| format!("function y = f(u)\na = [4 2; 2 5]*u;\ny = {text};");
    let table = [
        ("chol(a)*[1; 1]", "3 2"),
        ("chol(a, 'lower')*[1; 1]", "2 3"),
        ("linsolve(a, [8; 12])", "1 2"),
        // The lower half of the matrix: 4 x = 8, 2 x + 5 y = 9.
        ("linsolve(a, [8; 9], struct('LT', true))", "2 1"),
        ("linsolve(a, [10; 5], struct('UT', true))", "2 1"),
        ("kron([1 2], a)*[1; 0; 0; 1]", "8 12"),
        ("[1 0 0; 0 0 1]*(blkdiag(a, u)*[1; 1; 3])", "6 3"),
        ("[trapz([1 3 u]); trapz([0 2 3], [u 3 5])]", "4 8"),
        ("[sind(30*u); cosd(60*u)]", "0.5 0.5"),
        ("[atan2d(u, u); asind(u/2)]", "45 30"),
        ("[wrapToPi(u*3*pi); wrapToPi(-3*pi*u)]/pi", "1 -1"),
        ("[wrapToPi(u*2.5*pi); wrapToPi(-u)]/pi", "0.5 -0.3183098861837907"),
        ("[sec(u - 1); 1/cot(pi/4*u)]", "1 1"),
    ];
    for (text, want) in table {
        let system = lowered(&code(text), "y:double:2").expect(text);
        check_system(text, &system, &format!("1 | {want}"), 1e-12);
    }
    refused(&code("linsolve(a, [1; 2], opts)"), "options of `linsolve`");
    refused(&code("quadprog(a, [1; 2])"), "`quadprog`");
    // An array from parts, beginning with nothing; and the number of arguments.
    check_typed("function y = f(u)\ny = [];\nfor k = 1:3\n y = [y; u*k];\nend", "y:double:3", "2 | 2 4 6");
    check(
        "function y = f(u)\ny = g(u) + 10*g(u, 1);\nend\nfunction z = g(a, b)\nif nargin < 2\n b = 5;\nend\nz = a + b;\nend",
        "2 | 37",
    );
}

#[test]
fn handles_and_tables() {
    check("function y = f(u)\ng = @(x) x.^2 + u;\ny = g(3);", "1 | 10\n 2 | 11");
    check("function y = f(u)\nk = 2;\ng = @(x, z) k*x + z;\nk = 5;\ny = g(u, 1);", "3 | 7");
    check("function y = f(u)\ng = @abs;\ny = g(u) + 1;", "-3 | 4");
    check("function y = f(u)\ng = @h;\ny = g(u);\nfunction r = h(x)\nr = 2*x;", "3 | 6");
    check("function y = f(u)\na = @(x) x + 1;\nb = @(x) a(a(x));\ny = b(u);", "3 | 5");
    check_typed("function y = f(u)\ng = @(x) sum(x);\ny = g(u) + g([1 2]);", "u:double:2", "3 4 | 10");
    refused("function y = f(u)\ng = @(x) x;\nif u > 0\n g = @(x) 2*x;\nend\ny = g(u);", "handle `g` changes");
    refused("function y = f(u)\ng = @(x) x;\ny = g(u, 1);", "has fewer parameters");
    refused(
        "function y = f(u)\ny = h(@(x) x, u);\nfunction r = h(g, x)\nr = g(x);",
        "a function handle is not supported here",
    );
    refused("function y = f(u)\ns.g = @(x) x;\ny = s.g(u);", "a function handle in an array or a struct");
    let table = |rest: &str| format!("function y = f(u)\ny = interp1([1 2 4], [10 30 10], u{rest});");
    check(&table(", 'linear', 'extrap'"), "1 | 10\n 1.5 | 20\n 2 | 30\n 3 | 20\n 5 | 0\n 0 | -10");
    check(&table(", 'linear', 7"), "1 | 10\n 4 | 10\n 5 | 7\n 0 | 7");
    check_typed(&table(", 'linear', 'extrap'"), "u:double:2 y:double:2", "1.5 3 | 20 20");
    check("function y = f(u)\ny = u + interp1([1 2 4], [10 30 10], 3);", "1 | 21");
    refused(&table(""), "`interp1` is not a number outside of its table");
    refused(&table(", 'spline', 'extrap'"), "the method `spline` of `interp1` is not supported");
    refused(
        "function y = f(u)\ny = interp1([1 u], [1 2], u, 'linear', 0);",
        "the table of `interp1` is not constant",
    );
}

/// A global variable is a data store, which must be the block's own.
#[test]
fn global_variables() {
    check("function y = f(u)\nglobal g\ny = g;\ng = g + u;", "1 | 2\n 5 | 3\n 0 | 8");
    check(
        "function y = f(u)\nglobal g\nadd(u);\ny = g;\nfunction add(u)\nglobal g\nif u > 0\n g = g + u;\nend",
        "1 | 3\n -5 | 3\n 4 | 7",
    );
    check("function y = f(u)\nglobal g\nif isempty(g)\n g = 9;\nend\ny = g + u;", "1 | 3");
    refused("function y = f(u)\nglobal k\ny = k + u;", "there is no memory for the global variable `k`");
    refused("function y = f(u)\nglobal h\ny = h + u;", "other blocks use the data store `h` too");
}
