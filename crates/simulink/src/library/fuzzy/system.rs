//! Fuzzy inference systems as files (`.fis`) describe them, and their code.

use super::membership::Membership;

/// The number of points at which the outputs of a Mamdani system are known.
const POINTS: usize = 101;

/// The maximum number of inputs, of outputs, of functions of each, and of rules.
const MAX_VARIABLES: usize = 50;
const MAX_FUNCTIONS: usize = 200;
const MAX_RULES: usize = 2_000;

/// A system that is supported.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct System {
    is_sugeno: bool,
    and: Both,
    or: Either,
    implication: Both,
    aggregation: Either,
    /// Whether a Sugeno system is a sum instead of a mean.
    is_sum: bool,
    pub(super) inputs: Vec<Variable<Membership>>,
    pub(super) outputs: Vec<Variable<Consequence>>,
    rules: Vec<Rule>,
}

/// How degrees that hold together are joined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Both {
    Least,
    Product,
}

/// How degrees of which one holds are joined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Either {
    Greatest,
    /// a + b - ab
    Probability,
    Sum,
}

#[derive(Clone, PartialEq, Debug)]
pub(super) struct Variable<F> {
    range: [f64; 2],
    functions: Vec<F>,
}

/// What a rule says about an output.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Consequence {
    Membership(Membership),
    /// A factor for each input, and a constant.
    Linear(Vec<f64>),
}

/// The numbers of functions, from 1: negative for the opposite, and 0 for any.
#[derive(Clone, PartialEq, Debug)]
struct Rule {
    inputs: Vec<i32>,
    outputs: Vec<i32>,
    weight: f64,
    is_or: bool,
}

impl System {
    /// Reads a file; the error says what is not supported about the system.
    pub(super) fn read(text: &str) -> Result<System, String> {
        let sections = sections(text);
        let section = |name: &str| {
            let found = sections.iter().find(|it| it.0.eq_ignore_ascii_case(name)).map(|it| &it.1[..]);
            found.ok_or_else(|| format!("has no section `[{name}]`"))
        };
        let main = section("System")?;
        let is_sugeno = match &*word(main, "Type")?.to_lowercase() {
            "mamdani" => false,
            "sugeno" => true,
            other => return Err(format!("has the type `{other}`, which is not supported")),
        };
        let both = |name: &str| match &*word(main, name)?.to_lowercase() {
            "min" => Ok(Both::Least),
            "prod" => Ok(Both::Product),
            other => Err(format!("has the method `{other}`, which is not supported")),
        };
        let either = |name: &str| match &*word(main, name)?.to_lowercase() {
            "max" => Ok(Either::Greatest),
            "probor" => Ok(Either::Probability),
            "sum" => Ok(Either::Sum),
            other => Err(format!("has the method `{other}`, which is not supported")),
        };
        let is_sum = match (&*word(main, "DefuzzMethod")?.to_lowercase(), is_sugeno) {
            ("centroid", false) | ("wtaver", true) => false,
            ("wtsum", true) => true,
            (other, _) => return Err(format!("has the method `{other}`, which is not supported")),
        };
        let count = |name: &str| {
            let number = word(main, name)?.parse().ok().filter(|it| (1..=MAX_VARIABLES).contains(it));
            number.ok_or_else(|| format!("has no `{name}` within the limits"))
        };
        let (count_in, count_out) = (count("NumInputs")?, count("NumOutputs")?);
        let inputs = (1..=count_in).map(|it| variable(section(&format!("Input{it}"))?, Membership::named));
        let outputs = (1..=count_out).map(|it| {
            variable(section(&format!("Output{it}"))?, |name, numbers| match (name, is_sugeno) {
                ("constant", true) if numbers.len() == 1 => {
                    Some(Consequence::Linear([&vec![0.0; count_in], numbers].concat()))
                }
                ("linear", true) if numbers.len() == count_in + 1 => {
                    Some(Consequence::Linear(numbers.to_vec()))
                }
                (_, true) => None,
                (name, false) => Membership::named(name, numbers).map(Consequence::Membership),
            })
        });
        let inputs = inputs.collect::<Result<Vec<_>, String>>()?;
        let outputs = outputs.collect::<Result<Vec<_>, String>>()?;
        let rules = section("Rules")?.iter().map(|line| {
            rule(line, count_in, count_out)
                .ok_or_else(|| format!("has the rule `{line}`, which is not understood"))
        });
        let rules = rules.take(MAX_RULES + 1).collect::<Result<Vec<Rule>, String>>()?;
        let exists = |numbers: &[i32], counts: &[usize]| {
            numbers.iter().zip(counts).all(|(number, count)| number.unsigned_abs() as usize <= *count)
        };
        let of_inputs: Vec<usize> = inputs.iter().map(|it| it.functions.len()).collect();
        let of_outputs: Vec<usize> = outputs.iter().map(|it| it.functions.len()).collect();
        let is_sound = |it: &Rule| exists(&it.inputs, &of_inputs) && exists(&it.outputs, &of_outputs);
        // The opposite of a number is not a membership.
        let is_opposite = |it: &Rule| is_sugeno && it.outputs.iter().any(|it| *it < 0);
        if rules.is_empty()
            || rules.len() > MAX_RULES
            || !rules.iter().all(is_sound)
            || rules.iter().any(is_opposite)
        {
            return Err("has rules that are not supported".to_owned());
        }
        Ok(System {
            is_sugeno,
            and: both("AndMethod")?,
            or: either("OrMethod")?,
            implication: if is_sugeno { Both::Product } else { both("ImpMethod")? },
            aggregation: if is_sugeno { Either::Sum } else { either("AggMethod")? },
            is_sum,
            inputs,
            outputs,
            rules,
        })
    }

    /// A function of the inputs `u` with the outputs `y`.
    pub(super) fn code(&self) -> String {
        let mut text = "function y = main(u)\n".to_owned();
        text.push_str(&format!("y = zeros({}, 1);\n", self.outputs.len()));
        for (input, variable) in (1..).zip(&self.inputs) {
            for (place, function) in (1..).zip(&variable.functions) {
                text.push_str(&format!("m{input}_{place} = 0;\n"));
                text.push_str(&function.code(&format!("m{input}_{place}"), &format!("u({input})")));
            }
        }
        for (number, rule) in (1..).zip(&self.rules) {
            text.push_str(&format!("w{number} = ({})*{};\n", self.strength(rule), rule.weight));
        }
        let strengths: Vec<String> = (1..=self.rules.len()).map(|it| format!("w{it}")).collect();
        text.push_str(&format!("total = {};\n", strengths.join(" + ")));
        for (place, output) in self.outputs.iter().enumerate() {
            let [low, high] = output.range;
            text.push_str(&format!("if total == 0\ny({}) = {};\nelse\n", place + 1, (low + high) / 2.0));
            text.push_str(&if self.is_sugeno { self.mean(place) } else { self.centroid(place) });
            text.push_str("end\n");
        }
        text.push_str("end\n");
        text
    }

    /// The strength of a rule.
    fn strength(&self, rule: &Rule) -> String {
        let degrees: Vec<String> = (1..)
            .zip(&rule.inputs)
            .filter(|(_, number)| **number != 0)
            .map(|(input, number)| {
                let degree = format!("m{input}_{}", number.unsigned_abs());
                if *number < 0 { format!("(1 - {degree})") } else { degree }
            })
            .collect();
        let joined = |a: String, b: String| match (rule.is_or, self.and, self.or) {
            (false, Both::Least, _) => format!("min({a}, {b})"),
            (false, Both::Product, _) => format!("({a})*({b})"),
            (true, _, Either::Greatest) => format!("max({a}, {b})"),
            (true, _, Either::Probability) => format!("(({a}) + ({b}) - ({a})*({b}))"),
            (true, _, Either::Sum) => format!("(({a}) + ({b}))"),
        };
        // A rule about no input holds as a conjunction, and does not as a disjunction.
        let none = if rule.is_or { "0" } else { "1" };
        degrees.into_iter().reduce(joined).unwrap_or_else(|| none.to_owned())
    }

    /// The mean or the sum of what the rules of a Sugeno system say.
    fn mean(&self, place: usize) -> String {
        let term = |(number, rule): (usize, &Rule)| {
            let function = rule.outputs[place].unsigned_abs().checked_sub(1)?;
            let Consequence::Linear(factors) = &self.outputs[place].functions[function as usize] else {
                return None;
            };
            let (constant, factors) = factors.split_last()?;
            let parts =
                (1..).zip(factors).filter(|it| *it.1 != 0.0).map(|(input, it)| format!("({it})*u({input})"));
            let parts: Vec<String> = parts.chain([format!("({constant})")]).collect();
            Some(format!("w{number}*({})", parts.join(" + ")))
        };
        let terms: Vec<String> = (1..).zip(&self.rules).filter_map(term).collect();
        let sum = if terms.is_empty() { "0".to_owned() } else { terms.join(" + ") };
        let under = if self.is_sum { "1" } else { "total" };
        format!("y({}) = ({sum})/{under};\n", place + 1)
    }

    /// The centroid of what the rules of a Mamdani system say.
    fn centroid(&self, place: usize) -> String {
        let output = &self.outputs[place];
        let [low, high] = output.range;
        let points: Vec<f64> =
            (0..POINTS).map(|it| low + (high - low) * it as f64 / (POINTS - 1) as f64).collect();
        let row = |values: Vec<f64>| {
            let texts: Vec<String> = values.iter().map(f64::to_string).collect();
            format!("[{}]", texts.join(" "))
        };
        let mut text = format!("x = {};\n", row(points.clone()));
        text.push_str(&format!("all = zeros(1, {POINTS});\n"));
        for (number, rule) in (1..).zip(&self.rules) {
            let chosen = rule.outputs[place];
            let Some(function) = chosen.unsigned_abs().checked_sub(1) else { continue };
            let Consequence::Membership(function) = &output.functions[function as usize] else { continue };
            let degree = |x: &f64| if chosen < 0 { 1.0 - function.degree(*x) } else { function.degree(*x) };
            let degrees = row(points.iter().map(degree).collect());
            let said = match self.implication {
                Both::Least => format!("min(w{number}, {degrees})"),
                Both::Product => format!("w{number}*{degrees}"),
            };
            text.push_str(&match self.aggregation {
                Either::Greatest => format!("all = max(all, {said});\n"),
                Either::Probability => format!("said = {said};\nall = all + said - all.*said;\n"),
                Either::Sum => format!("all = all + {said};\n"),
            });
        }
        let number = place + 1;
        text.push_str(&format!(
            "area = sum(all);\nif area == 0\ny({number}) = {};\nelse\ny({number}) = sum(x.*all)/area;\nend\n",
            (low + high) / 2.0
        ));
        text
    }
}

/// The sections of a file with their lines; without comments and empty lines.
fn sections(text: &str) -> Vec<(String, Vec<&str>)> {
    let mut found: Vec<(String, Vec<&str>)> = Vec::new();
    let lines = text.lines().map(str::trim).filter(|it| !it.is_empty() && !it.starts_with('%'));
    for line in lines {
        match line.strip_prefix('[').and_then(|it| it.strip_suffix(']')) {
            Some(name) => found.push((name.trim().to_owned(), Vec::new())),
            None => found.last_mut().into_iter().for_each(|it| it.1.push(line)),
        }
    }
    found
}

/// The value of a key, without quotes.
fn word(lines: &[&str], key: &str) -> Result<String, String> {
    let found = lines.iter().find_map(|it| it.split_once('=').filter(|it| it.0.trim() == key));
    let value = found.ok_or_else(|| format!("has no `{key}`"))?.1;
    Ok(value.trim().trim_matches(['\'', '"']).to_owned())
}

/// The numbers in brackets.
fn numbers(text: &str) -> Option<Vec<f64>> {
    let inner = text.trim().strip_prefix('[')?.strip_suffix(']')?;
    let parts = inner.split([' ', ',', '\t']).filter(|it| !it.is_empty());
    parts.map(|it| it.parse().ok().filter(|it: &f64| it.is_finite())).collect()
}

fn variable<F>(lines: &[&str], function: impl Fn(&str, &[f64]) -> Option<F>) -> Result<Variable<F>, String> {
    let range = numbers(&word(lines, "Range")?).and_then(|it| <[f64; 2]>::try_from(it).ok());
    let range = range.filter(|it| it[0] < it[1]).ok_or("has a range that is not understood")?;
    let count: usize = word(lines, "NumMFs")?.parse().unwrap_or(usize::MAX);
    if count > MAX_FUNCTIONS {
        return Err("has too many membership functions".to_owned());
    }
    let functions = (1..=count).map(|number| {
        // 'NAME':'KIND',[NUMBERS]
        let text = word(lines, &format!("MF{number}"))?;
        let unknown = || format!("has the membership function `{text}`, which is not supported");
        let (head, values) = text.split_at(text.rfind('[').ok_or_else(unknown)?);
        let kind = head.rsplit_once(':').ok_or_else(unknown)?.1;
        let kind = kind.trim().trim_end_matches(',').trim().trim_matches(['\'', '"']);
        function(kind, &numbers(values).ok_or_else(unknown)?).ok_or_else(unknown)
    });
    Ok(Variable { range, functions: functions.collect::<Result<Vec<F>, String>>()? })
}

/// `1 2, 3 (1) : 1`: functions of inputs and of outputs, the weight, and 1 for *and*, 2 for *or*.
fn rule(line: &str, count_in: usize, count_out: usize) -> Option<Rule> {
    let (head, join) = line.rsplit_once(':')?;
    let (numbers, weight) = head.trim().strip_suffix(')')?.split_once('(')?;
    let (inputs, outputs) = numbers.split_once(',')?;
    let list = |text: &str, count: usize| {
        let parts = text.split([' ', ',', '\t']).filter(|it| !it.is_empty());
        let all: Option<Vec<i32>> = parts.map(|it| it.parse().ok()).collect();
        all.filter(|it| it.len() == count)
    };
    Some(Rule {
        inputs: list(inputs, count_in)?,
        outputs: list(outputs, count_out)?,
        weight: weight.trim().parse().ok().filter(|it: &f64| it.is_finite())?,
        is_or: match join.trim() {
            "1" => false,
            "2" => true,
            _ => return None,
        },
    })
}
