//! A trace as a table: one row per name for people, one row per step (CSV) for programs.
//!
//! The table for people shows a long run of equal steps once, so that a timeout of 200 steps stays readable. The loop
//! of a lasso starts at the column marked `↻`; CSV cannot express loops and only lists the steps. The table of a
//! model's trace has its names in groups, and can have a step marked with `✗`.

use crate::terminal::{columns, pad_left, pad_right, plain};
use crate::waveform::Group;
use logic::{RBig, Trace, Value};

/// Runs of more equal steps than this are shown as one column.
const LONGEST_SPELLED_OUT: usize = 8;

/// The trace with its names on the left and one column per step; a long run of equal steps is one column.
pub fn text(trace: &Trace) -> String {
    with_free(trace, |_, _| false)
}

/// As [`text`], with parentheses around the values of some names at some steps.
pub fn with_free(trace: &Trace, is_free: impl Fn(&str, usize) -> bool) -> String {
    let names: Vec<String> = trace.names().iter().map(|name| plain(name)).collect();
    let mut table = vec![pad_column("step", &names, pad_right)];
    let all: Vec<usize> = (0..names.len()).collect();
    let is_free = |column: usize, step: usize| is_free(&trace.names()[column], step);
    let cell = |column: usize, step: usize| {
        let value = plain(&shown(trace.value(column, step)));
        if is_free(column, step) { format!("({value})") } else { value }
    };
    for run in runs(trace, &all, None, &is_free) {
        let cells: Vec<String> = all.iter().map(|column| cell(*column, run.first)).collect();
        table.push(pad_column(&run.header(trace.loop_start(), None), &cells, pad_left));
    }
    lines(&table, names.len())
}

/// The trace as a table, with its names in groups and optionally a marked step. Names that the trace lacks are left out.
pub fn grouped(trace: &Trace, groups: &[Group], mark: Option<usize>) -> String {
    let mut rows: Vec<(String, Option<usize>)> = Vec::new();
    for group in groups {
        let columns = group.columns(trace);
        if !columns.is_empty() {
            rows.push((group.role.plural().to_owned(), None));
            rows.extend(columns.into_iter().map(|it| (format!("  {}", plain(&trace.names()[it])), Some(it))));
        }
    }
    let names: Vec<String> = rows.iter().map(|(name, _)| name.clone()).collect();
    let mut table = vec![pad_column("step", &names, pad_right)];
    let shown_columns: Vec<usize> = rows.iter().filter_map(|(_, column)| *column).collect();
    for run in runs(trace, &shown_columns, mark, &|_, _| false) {
        let cell = |column: usize| plain(&shown(trace.value(column, run.first)));
        let cells: Vec<String> = rows.iter().map(|(_, column)| column.map_or(String::new(), cell)).collect();
        table.push(pad_column(&run.header(trace.loop_start(), mark), &cells, pad_left));
    }
    lines(&table, names.len())
}

/// The trace as CSV: a header with the names, then one line for each step; Booleans are `1` and `0`.
pub fn csv(trace: &Trace) -> String {
    let columns = 0..trace.names().len();
    if columns.is_empty() {
        return String::new();
    }
    let line = |cells: Vec<String>| cells.join(",") + "\n";
    let mut text = line(trace.names().iter().map(|name| quoted(name)).collect());
    for step in 0..trace.len() {
        text += &line(columns.clone().map(|column| quoted(&shown(trace.value(column, step)))).collect());
    }
    text
}

fn lines(table: &[Vec<String>], rows: usize) -> String {
    let line = |row: usize| table.iter().map(|column| column[row].as_str()).collect::<Vec<_>>().join("  ");
    (0..=rows).map(|row| format!("{}\n", line(row).trim_end())).collect()
}

/// Equal steps that share a column of the table, both ends included.
struct Run {
    first: usize,
    last: usize,
}

impl Run {
    fn header(&self, loop_start: Option<usize>, mark: Option<usize>) -> String {
        let back = if loop_start == Some(self.first) { "↻" } else { "" };
        let mark = format!("{}{back}", if mark == Some(self.first) { "✗" } else { "" });
        if self.first == self.last {
            return format!("{mark}{}", self.first);
        }
        format!("{mark}{}-{} ×{}", self.first, self.last, self.last - self.first + 1)
    }
}

/// The columns of a table that shows these signals, each of them free or not at a step; the start of a loop and the marked step have
/// columns of their own.
fn runs(
    trace: &Trace,
    shown: &[usize],
    mark: Option<usize>,
    is_free: &dyn Fn(usize, usize) -> bool,
) -> Vec<Run> {
    let is_same = |column: usize, a: usize, b: usize| {
        trace.value(column, a) == trace.value(column, b) && is_free(column, a) == is_free(column, b)
    };
    let same = |a: usize, b: usize| {
        ![Some(a), Some(b)].contains(&mark) && shown.iter().all(|column| is_same(*column, a, b))
    };
    let mut runs = Vec::new();
    let mut first = 0;
    while first < trace.len() {
        let mut last = first;
        while last + 1 < trace.len() && trace.loop_start() != Some(last + 1) && same(first, last + 1) {
            last += 1;
        }
        if last - first + 1 > LONGEST_SPELLED_OUT {
            runs.push(Run { first, last });
        } else {
            runs.extend((first..=last).map(|step| Run { first: step, last: step }));
        }
        first = last + 1;
    }
    runs
}

fn pad_column(header: &str, cells: &[String], pad: fn(&str, usize) -> String) -> Vec<String> {
    let all = || std::iter::once(header).chain(cells.iter().map(String::as_str));
    let width = all().map(columns).max().unwrap_or(0);
    all().map(|cell| pad(cell, width)).collect()
}

/// A value as tables show it.
pub(crate) fn shown(value: &Value) -> String {
    match value {
        Value::Bool(true) => "1".into(),
        Value::Bool(false) => "0".into(),
        Value::Num(number) => exact(number),
        Value::Name(name) => name.clone(),
    }
}

/// A number as a decimal, or as a fraction if its decimals never end.
fn exact(number: &RBig) -> String {
    logic::format_decimal(number).unwrap_or_else(|| number.to_string())
}

/// A cell as in RFC 4180; also quoted if it is empty or a reader might trim it.
fn quoted(cell: &str) -> String {
    let plain = !cell.is_empty() && !cell.contains([',', '"', '\n', '\r']) && cell.trim() == cell;
    if plain { cell.to_owned() } else { format!("\"{}\"", cell.replace('"', "\"\"")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Columns as text: `0` and `1` are Booleans, other numbers are numbers, the rest are names.
    fn trace(loop_start: Option<usize>, lines: &[(&str, &[&str])]) -> Trace {
        let len = lines.first().map_or(1, |(_, values)| values.len());
        let value = |text: &&str| match *text {
            "0" => Value::Bool(false),
            "1" => Value::Bool(true),
            "1/3" => Value::Num(RBig::from_parts(1.into(), 3u8.into())),
            other => logic::parse_decimal(other).map_or(Value::Name(other.into()), Value::Num),
        };
        let empty = Trace::new(len, loop_start).expect("a trace");
        lines.iter().fold(empty, |trace, (name, values)| {
            trace.with(name, values.iter().map(value).collect()).expect("a column")
        })
    }

    fn check(trace: &Trace, expected_text: &str, expected_csv: &str) {
        assert_eq!(text(trace), expected_text);
        assert_eq!(csv(trace), expected_csv);
    }

    #[test]
    fn values_of_all_sorts() {
        check(
            &trace(
                None,
                &[
                    ("request", &["0", "1", "0"]),
                    ("speed", &["2.50", "-10", "1/3"]),
                    ("gear", &["park", "drive", "park"]),
                ],
            ),
            "\
step        0      1     2
request     0      1     0
speed     2.5    -10   1/3
gear     park  drive  park
",
            "request,speed,gear\n0,2.5,park\n1,-10,drive\n0,1/3,park\n",
        );
    }

    #[test]
    fn long_runs_are_one_column() {
        let mut request = vec!["0", "0", "1"];
        request.extend(["0"; 201]);
        request.push("1");
        let table = text(&trace(None, &[("request", &request)]));
        assert_eq!(
            table,
            "\
step     0  1  2  3-203 ×201  204
request  0  0  1           0    1
"
        );
        let eight = text(&trace(None, &[("p", &["1"; 8])]));
        assert_eq!(eight, "step  0  1  2  3  4  5  6  7\np     1  1  1  1  1  1  1  1\n");
        let nine = text(&trace(None, &[("p", &["1"; 9])]));
        assert_eq!(nine, "step  0-8 ×9\np          1\n");
    }

    #[test]
    fn loops_start_with_a_column() {
        check(&trace(Some(1), &[("p", &["0", "1"])]), "step  0  ↻1\np     0   1\n", "p\n0\n1\n");
        let table = text(&trace(Some(10), &[("p", &["1"; 20])]));
        assert_eq!(table, "step  0-9 ×10  ↻10-19 ×10\np           1           1\n");
        let short_loop = text(&trace(Some(10), &[("p", &["1"; 11])]));
        assert_eq!(short_loop, "step  0-9 ×10  ↻10\np           1    1\n");
    }

    #[test]
    fn groups_and_a_mark() {
        use crate::waveform::Role;
        let group =
            |role: Role, names: &[&str]| Group { role, names: names.iter().map(|it| (*it).into()).collect() };
        let trace = trace(None, &[("y", &["1"; 12]), ("x", &["0"; 12])]);
        let groups = [group(Role::Input, &["x", "z"]), group(Role::Output, &["y"]), group(Role::Inner, &[])];
        let table = "\
step     0-10 ×11  ✗11
inputs
  x             0    0
outputs
  y             1    1
";
        assert_eq!(grouped(&trace, &groups, Some(11)), table);
        // What is not shown does not keep columns apart.
        let numbers = (0..12).map(|it| Value::Num(RBig::from(it))).collect();
        let counted = trace.with("counter", numbers).expect("a column");
        assert_eq!(grouped(&counted, &groups, Some(11)), table);
    }

    #[test]
    fn any_name_is_one_cell() {
        check(
            &trace(None, &[("a,b", &["x y"]), ("say \"go\"", &["1"]), ("two\nlines", &[" z "]), ("", &[""])]),
            "\
step         0
a,b        x y
say \"go\"     1
two lines    z

",
            "\"a,b\",\"say \"\"go\"\"\",\"two\nlines\",\"\"\nx y,1,\" z \",\"\"\n",
        );
        check(&trace(None, &[]), "step  0\n", "");
        check(&trace(None, &[("速度", &["1"])]), "step  0\n速度  1\n", "速度\n1\n");
    }
}
