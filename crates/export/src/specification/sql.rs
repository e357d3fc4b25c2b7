//! One statement of SQL that checks all requirements on a table of recorded runs.
//!
//! Every temporal operator is a comparison of running maxima of the step number, because the latest witness is the best one: `O[a,b] p`
//! holds where the last step with `p`, at least `a` steps ago, is at most `b` steps ago; for `p S[a,b] q` the last `q` must also not be
//! before the last step without `p`. No frame has a bounded start, so the cost does not depend on the bounds. Window functions do not nest: each
//! level of temporal nesting is one common table expression.
//!
//! A missing value, or a time that occurs twice in a run, makes the verdict *not checked* unless a violation came before it.

use super::expression::{Language, Shared, Text};
use super::monitor::ranges;
use super::names::Rules;
use super::scope::{Layout, Space, Ty};
use super::subjects::{Subject, Subjects};
use super::{Inexpressible, LeftOut};
use base::names::{identifier, is_identifier};
use logic::{Binary, Bound, Dialect, Formula, Fun, SHALL, Store, Unary};
use requirement::specification::{Component, Type};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The SQL of an engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// DuckDB.
    DuckDb,
    /// Apache Spark and Databricks.
    Spark,
    /// Trino and Presto.
    Trino,
    /// Google BigQuery.
    BigQuery,
    /// Apache DataFusion.
    DataFusion,
    /// PostgreSQL.
    Postgres,
    /// SQLite.
    Sqlite,
}

impl Engine {
    /// All engines.
    pub const ALL: [Engine; 7] = [
        Engine::DuckDb,
        Engine::Spark,
        Engine::Trino,
        Engine::BigQuery,
        Engine::DataFusion,
        Engine::Postgres,
        Engine::Sqlite,
    ];

    fn uses_backticks(self) -> bool {
        matches!(self, Engine::Spark | Engine::BigQuery)
    }

    /// The name of a column of the table, quoted.
    pub fn column(self, name: &str) -> String {
        match self {
            Engine::BigQuery => format!("`{}`", name.replace('\\', "\\\\").replace('`', "\\`")),
            Engine::Spark => format!("`{}`", name.replace('`', "``")),
            _ => format!("\"{}\"", name.replace('"', "\"\"")),
        }
    }

    fn string(self, text: &str) -> String {
        match self.uses_backticks() {
            true => format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'")),
            false => format!("'{}'", text.replace('\'', "''")),
        }
    }

    fn double(self) -> &'static str {
        match self {
            Engine::BigQuery => "FLOAT64",
            Engine::Postgres => "DOUBLE PRECISION",
            Engine::Sqlite => "REAL",
            Engine::DuckDb | Engine::Spark | Engine::Trino | Engine::DataFusion => "DOUBLE",
        }
    }

    fn text(self) -> &'static str {
        match self {
            Engine::Spark | Engine::BigQuery => "STRING",
            Engine::Postgres | Engine::Sqlite => "TEXT",
            Engine::DuckDb | Engine::Trino | Engine::DataFusion => "VARCHAR",
        }
    }

    /// A column as a Boolean, whether it is stored as one or as 0 and 1.
    fn truth(self, column: &str) -> String {
        match self {
            Engine::Sqlite => format!("({column} <> 0)"),
            Engine::BigQuery => format!("CAST({column} AS BOOL)"),
            _ => format!("CAST({column} AS BOOLEAN)"),
        }
    }

    /// Whether a column has no value.
    fn missing(self, column: &str, ty: &Type) -> String {
        // An integer may be stored as a double.
        let is_number = matches!(ty, Type::Int(_) | Type::Real(_));
        let double = format!("CAST({column} AS {})", self.double());
        let more = match self {
            Engine::Sqlite if *ty == Type::Bool => format!(" OR {column} NOT IN (0, 1)"),
            _ if !is_number => String::new(),
            Engine::Sqlite => {
                format!(" OR typeof({column}) NOT IN ('integer', 'real') OR abs({column}) > {:e}", f64::MAX)
            }
            Engine::DuckDb => format!(" OR NOT isfinite({double})"),
            Engine::Trino => format!(" OR NOT is_finite({double})"),
            Engine::BigQuery => format!(" OR is_nan({double}) OR is_inf({double})"),
            Engine::Spark | Engine::DataFusion => {
                format!(" OR isnan({double}) OR abs({double}) = CAST('Infinity' AS DOUBLE)")
            }
            Engine::Postgres => format!(" OR {double} IN ('NaN', 'Infinity', '-Infinity')"),
        };
        format!("({column} IS NULL{more})")
    }
}

/// The table and its columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// The engine.
    pub engine: Engine,
    /// The table, as it is written after `FROM`.
    pub table: String,
    /// The column that tells runs apart; without it, the table is one run.
    pub run: Option<String>,
    /// The column that orders the steps of a run.
    pub order: String,
}

/// A statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    /// Its text.
    pub text: String,
    /// The ids of the requirements that it checks.
    pub checked: Vec<String>,
    /// What it does not check.
    pub left_out: Vec<LeftOut>,
    /// The requirements that depend on floating-point numbers that are rounded.
    pub rounded: Vec<String>,
}

/// The statement for the requirements of components; it has no rows if none of them can be checked.
pub fn write(store: &mut Store, components: &[Component], options: &Options) -> Query {
    let subjects = Subjects::of(store, components);
    write_subjects(store, &subjects, options)
}

/// The statement for requirements, or for other formulas that are judged in the same way.
pub fn write_subjects(store: &Store, subjects: &Subjects, options: &Options) -> Query {
    let engine = options.engine;
    let merged = Component { name: "sql".into(), variables: subjects.variables.clone(), items: Vec::new() };
    let rules = Rules { is_plain: |name| is_identifier(name, ""), longest: 60 };
    let space = Space { rules, flat: true, shared_values: true, suffix: "", labels: false };
    let mut layout = Layout::new(&[merged], space);
    layout.scopes[0].respell(|number, name| format!("c{number}_{}", identifier(name, "x")));
    for it in &mut layout.enumerations {
        it.emitted = it.values.iter().map(|value| engine.string(value)).collect();
    }
    let scope = &layout.scopes[0];
    let types: BTreeMap<&str, &Type> =
        subjects.variables.iter().map(|it| (it.name.as_str(), &it.ty)).collect();
    let formulas: Vec<Formula> = subjects.list.iter().flat_map(Subject::formulas).collect();
    let mut sql = Sql { engine, levels: Vec::new(), known: BTreeMap::new() };
    let mut shared = Shared::new(store, &formulas, &layout, scope, &mut sql);
    let mut left_out = subjects.left_out.clone();
    let mut checked: Vec<(&Subject, Vec<Text>, String)> = Vec::new();
    let mut rounded = Vec::new();
    let mut used: BTreeSet<String> = BTreeSet::new();
    for subject in &subjects.list {
        let mark = shared.language().mark();
        let ids: Vec<logic::Id> = subject.formulas().iter().map(|formula| formula.id()).collect();
        let written = ranges::check(store, &ids, &types, Some(15))
            .and_then(|is_rounded| Ok((is_rounded, shared.formulas(&subject.formulas())?)));
        match written {
            Ok((is_rounded, texts)) => {
                let names = subject.names(store);
                let flaws: Vec<String> =
                    names.iter().filter_map(|name| Some(format!("f_{}", scope.get(name)?.emitted))).collect();
                let flawed = if flaws.is_empty() { "FALSE".to_owned() } else { flaws.join(" OR ") };
                used.extend(names);
                rounded.extend(is_rounded.then(|| subject.id.clone()));
                checked.push((subject, texts, flawed));
            }
            Err(why) => {
                shared.language().undo(&mark);
                left_out.push(LeftOut::new(&subject.id, why));
            }
        }
    }
    let judged: Vec<Judged> = checked
        .into_iter()
        .map(|(subject, texts, flawed)| {
            let flaw = sql.last(&Text::open(flawed), 0);
            Judged { subject, texts, flaw }
        })
        .collect();
    let columns: Vec<(String, String, &Type)> = subjects
        .variables
        .iter()
        .filter(|it| used.contains(&it.name))
        .filter_map(|it| Some((engine.column(&it.name), scope.get(&it.name)?.emitted.clone(), &it.ty)))
        .collect();
    let mut text = String::new();
    for it in &judged {
        let _ = writeln!(
            text,
            "-- {}",
            draw::terminal::plain(&format!("{}: {}", it.subject.id, it.subject.text))
        );
    }
    for LeftOut { id, reason } in &left_out {
        let _ = writeln!(text, "-- {}", draw::terminal::plain(&format!("left out: {id}: {reason}")));
    }
    for id in &rounded {
        let note = format!("{id} depends on floating-point numbers that are rounded.");
        let _ = writeln!(text, "-- {}", draw::terminal::plain(&note));
    }
    text += &statement(options, &columns, &sql, &judged);
    let checked = judged.iter().map(|it| it.subject.id.clone()).collect();
    Query { text, checked, left_out, rounded }
}

/// A requirement in the statement.
struct Judged<'s> {
    subject: &'s Subject,
    /// Violated now, violated at the step before, violated if the run ends here, triggered.
    texts: Vec<Text>,
    /// The column with the last step without a value.
    flaw: String,
}

fn statement(options: &Options, columns: &[(String, String, &Type)], sql: &Sql, judged: &[Judged]) -> String {
    let engine = options.engine;
    let order = engine.column(&options.order);
    let run = options.run.as_ref().map_or("0".to_owned(), |run| engine.column(run));
    let over = match &options.run {
        Some(_) => format!("(PARTITION BY {run} ORDER BY {order})"),
        None => format!("(ORDER BY {order})"),
    };
    let is_odd = |time: &str| format!("lower(CAST({time} AS {})) IN ({NOT_FINITE})", engine.text());
    // Its largest number is not that of the order if some are not numbers.
    let odd = if engine == Engine::DataFusion { format!(" OR {}", is_odd(&order)) } else { String::new() };
    let number = match engine {
        // Its row numbers have no sign, so that differences of them would be decimals.
        Engine::DataFusion => format!("CAST(row_number() OVER {over} AS BIGINT)"),
        _ => format!("row_number() OVER {over}"),
    };
    let mut out = format!(
        "WITH shall_0 AS (\n  SELECT {run} AS run, {number} - 1 AS i, {order} AS stamp,\n    \
         CASE WHEN {order} IS NULL OR {order} = lag({order}) OVER {over}{odd} THEN 1 ELSE 0 END AS tie"
    );
    for (column, name, ty) in columns {
        let value = if matches!(ty, Type::Bool) { engine.truth(column) } else { column.clone() };
        let _ = write!(out, ",\n    {value} AS {name}, {} AS f_{name}", engine.missing(column, ty));
    }
    let _ = write!(out, "\n  FROM {}\n)", options.table);
    for (number, level) in sql.levels.iter().enumerate() {
        let _ = write!(out, ",\nshall_{} AS (\n  SELECT *", number + 1);
        for (name, value) in level {
            let _ = write!(out, ",\n    {value} AS {name}");
        }
        let _ = write!(out, "\n  FROM shall_{number}\n)");
    }
    let _ = write!(out, ",\nshall_judged AS (\n  SELECT run, i, stamp, tie");
    for (number, Judged { texts, flaw, .. }) in judged.iter().enumerate() {
        let [bad, left, owed, trigger] = [0, 1, 2, 3].map(|at| texts[at].enclosed());
        let _ = write!(
            out,
            ",\n    CASE WHEN {flaw} IS NOT NULL THEN NULL WHEN {bad} THEN i WHEN {left} THEN i - 1 END AS b{number}, \
             CASE WHEN {flaw} IS NULL AND {owed} THEN i END AS e{number}, \
             CASE WHEN {flaw} IS NULL AND {trigger} THEN 1 ELSE 0 END AS t{number}, {flaw} AS n{number}"
        );
    }
    // A time that is not a number or infinite comes first or last, whatever its type is.
    let _ = write!(
        out,
        "\n  FROM shall_{}\n),\nshall_runs AS (\n  SELECT run, max(i) AS last,\n    \
         CASE WHEN max(tie) = 1 OR {} OR {} THEN 1 ELSE 0 END AS tie",
        sql.levels.len(),
        is_odd("min(stamp)"),
        is_odd("max(stamp)")
    );
    for number in 0..judged.len() {
        let _ = write!(
            out,
            ",\n    min(b{number}) AS b{number}, count(b{number}) AS k{number}, max(e{number}) AS e{number}, \
             max(t{number}) AS t{number}, max(n{number}) AS n{number}"
        );
    }
    // Spark sorts several partitions in two passes, the first of which only looks for their bounds: all windows would be computed twice.
    let hint = if engine == Engine::Spark { "/*+ REPARTITION(1) */ " } else { "" };
    let _ =
        write!(out, "\n  FROM shall_judged GROUP BY run\n),\nshall_verdicts AS (\n  SELECT {hint}run, tie");
    let each = |value: &dyn Fn(usize) -> String| {
        let arms: String =
            (0..judged.len()).map(|number| format!(" WHEN {number} THEN {}", value(number))).collect();
        if arms.is_empty() { "NULL".to_owned() } else { format!("CASE k{arms} END") }
    };
    let id = |number: usize| engine.string(&judged[number].subject.id);
    let first = |number| format!("coalesce(b{number}, CASE WHEN e{number} = last THEN last END)");
    let count = |number| format!("k{number} + CASE WHEN e{number} = last THEN 1 ELSE 0 END");
    let columns: [(&str, &dyn Fn(usize) -> String); 5] = [
        ("requirement", &id),
        ("first_violation", &first),
        ("violations", &count),
        ("triggered", &|number| format!("t{number}")),
        ("flaw", &|number| format!("n{number}")),
    ];
    for (name, value) in columns {
        let _ = write!(out, ",\n    {} AS {name}", each(value));
    }
    let last = judged.len().saturating_sub(1);
    let numbers = match engine {
        // A union is a job for each of its parts.
        Engine::Spark => format!("SELECT explode(sequence(0, {last})) AS k"),
        _ => (0..=last).map(|number| format!("SELECT {number} AS k")).collect::<Vec<_>>().join(" UNION ALL "),
    };
    let some = if judged.is_empty() { " WHERE FALSE" } else { "" };
    let _ = write!(
        out,
        "\n  FROM shall_runs CROSS JOIN ({numbers}) AS shall_list{some}\n)\n\
         SELECT run, requirement,\n  \
         CASE WHEN tie = 1 THEN 'not_checked' WHEN first_violation IS NOT NULL THEN 'violated' WHEN flaw IS NOT NULL THEN 'not_checked'\n    \
         WHEN triggered = 1 THEN 'holds' ELSE 'vacuous' END AS verdict,\n  \
         CASE WHEN tie = 0 THEN first_violation END AS first_violation,\n  \
         CASE WHEN tie = 0 THEN violations ELSE 0 END AS violations,\n  \
         CASE WHEN tie = 0 AND triggered = 1 THEN 1 ELSE 0 END AS triggered\n\
         FROM shall_verdicts\nORDER BY run, requirement;\n"
    );
    out
}

/// The columns of window functions, by their level of nesting.
struct Sql {
    engine: Engine,
    levels: Vec<Vec<(String, String)>>,
    /// The column of each expression.
    known: BTreeMap<String, String>,
}

const DIALECT: Dialect = Dialect {
    name: "sql",
    constants: ["FALSE", "TRUE"],
    not: "NOT ",
    and: "AND",
    or: "OR",
    xor: "<>",
    iff: "=",
    relations: ["<", "<=", ">", ">=", "=", "<>"],
    ..SHALL
};

/// The first step.
const FIRST: &str = "i = 0";
/// A longer text becomes a column.
const LONG: usize = 400;
/// Numbers that are not finite, as the engines write them.
const NOT_FINITE: &str = "'nan', 'inf', 'infinity', '-inf', '-infinity'";
/// The steps of a run.
const RUN: &str = "PARTITION BY run ORDER BY i";

impl Sql {
    /// The number of columns of each level.
    fn mark(&self) -> Vec<usize> {
        self.levels.iter().map(Vec::len).collect()
    }

    /// Forgets the columns that came after a mark.
    fn undo(&mut self, mark: &[usize]) {
        self.levels.truncate(mark.len());
        self.levels.iter_mut().zip(mark).for_each(|(level, &count)| level.truncate(count));
        let kept: BTreeSet<&String> = self.levels.iter().flatten().map(|(name, _)| name).collect();
        self.known.retain(|_, name| kept.contains(name));
    }

    /// The number of levels below which all columns of a text are.
    fn level(&self, text: &str) -> usize {
        let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let level = |word: &str| word.strip_prefix('w')?.split_once('_')?.0.parse::<usize>().ok();
        words.filter_map(level).max().unwrap_or(0)
    }

    /// The column with a value that needs another level.
    fn add(&mut self, of: &str, value: String) -> String {
        if let Some(known) = self.known.get(&value) {
            return known.clone();
        }
        let level = self.level(of);
        if self.levels.len() <= level {
            self.levels.resize(level + 1, Vec::new());
        }
        let name = format!("w{}_{}", level + 1, self.levels[level].len());
        self.levels[level].push((name.clone(), value.clone()));
        self.known.insert(value, name.clone());
        name
    }

    /// The column with the last step, some steps ago or before, at which a condition held.
    fn last(&mut self, condition: &Text, ago: u64) -> String {
        let end = if ago == 0 { "CURRENT ROW".to_owned() } else { format!("{ago} PRECEDING") };
        let mut step = format!("CASE WHEN {} THEN i END", condition.text);
        if self.engine == Engine::DataFusion {
            // Its planner refuses two windows that become equal when they are simplified. Those of two columns never do.
            step = self.add(&step.clone(), step);
        }
        let value = format!("max({step}) OVER ({RUN} ROWS BETWEEN UNBOUNDED PRECEDING AND {end})");
        self.add(&step, value)
    }

    /// The negation, never of a negation.
    fn not(text: &Text) -> Text {
        match text.text.as_str() {
            "TRUE" => Text::closed("FALSE"),
            "FALSE" => Text::closed("TRUE"),
            negation => match negation.strip_prefix("NOT ") {
                Some(inner) => inner_text(inner),
                None => Text::open(format!("NOT {}", text.enclosed())),
            },
        }
    }

    fn once(&mut self, bound: Bound, operand: &Text) -> Text {
        if bound.is_empty() {
            return Text::closed("FALSE");
        }
        if operand.text == FIRST {
            return Text::open(match bound.hi {
                Some(hi) => format!("i BETWEEN {} AND {hi}", bound.lo),
                None => format!("i >= {}", bound.lo),
            });
        }
        if operand.text == "TRUE" {
            return Text::open(format!("i >= {}", bound.lo));
        }
        let last = self.last(operand, bound.lo);
        match bound.hi {
            Some(hi) => Text::closed(format!("coalesce({last} >= i - {hi}, FALSE)")),
            None => Text::open(format!("{last} IS NOT NULL")),
        }
    }

    fn since(&mut self, bound: Bound, way: &Text, target: &Text) -> Text {
        if bound.is_empty() {
            return Text::closed("FALSE");
        }
        let reached = self.last(target, bound.lo);
        let failed = self.last(&Sql::not(way), 0);
        let recent = bound.hi.map_or(String::new(), |hi| format!("{reached} >= i - {hi} AND "));
        Text::closed(format!("coalesce({recent}{reached} >= coalesce({failed}, -1), FALSE)"))
    }
}

/// The operand of a negation, without its parentheses.
fn inner_text(operand: &str) -> Text {
    match operand.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        Some(inner) => Text::open(inner),
        None => Text::closed(operand),
    }
}

impl Language for Sql {
    fn dialect(&self) -> &'static Dialect {
        &DIALECT
    }

    fn window(&mut self, op: Unary, bound: Bound, operand: &Text) -> Result<Text, Inexpressible> {
        match op {
            Unary::Once => Ok(self.once(bound, operand)),
            Unary::Historically if bound == Bound::NEXT && operand.text == "FALSE" => Ok(Text::open(FIRST)),
            Unary::Historically => Ok(Sql::not(&self.once(bound, &Sql::not(operand)))),
            Unary::Finally | Unary::Globally => Err(Inexpressible::Future),
        }
    }

    fn way(&mut self, op: Binary, bound: Bound, way: &Text, target: &Text) -> Result<Text, Inexpressible> {
        match op {
            Binary::Since => Ok(self.since(bound, way, target)),
            Binary::Triggered => Ok(Sql::not(&self.since(bound, &Sql::not(way), &Sql::not(target)))),
            Binary::Until | Binary::Release => Err(Inexpressible::Future),
        }
    }

    fn implication(&mut self, condition: &Text, conclusion: &Text) -> Option<Text> {
        Some(Text::open(format!("{} OR {}", Sql::not(condition).enclosed(), conclusion.enclosed())))
    }

    fn shared(&mut self, text: Text, ty: &Ty, _uses: usize) -> Text {
        match ty {
            Ty::Bool | Ty::Int | Ty::Real if text.text.len() > LONG => {
                let name = self.add(&text.text, text.text.clone());
                Text::closed(name)
            }
            _ => text,
        }
    }

    fn real(&mut self, whole: &Text) -> Result<Text, Inexpressible> {
        Ok(Text::closed(format!("CAST({} AS {})", whole.text, self.engine.double())))
    }

    fn quotient(&mut self, a: &Text, b: &Text) -> Result<Text, Inexpressible> {
        let double = self.engine.double();
        Ok(Text::open(format!("CAST({} AS {double}) / {}", a.text, b.enclosed())))
    }

    fn remainder(&mut self, a: &Text, b: &Text, safe: bool) -> Result<Text, Inexpressible> {
        let rest = |a: &str| match self.engine {
            Engine::BigQuery => format!("MOD({a}, {})", b.text),
            _ => format!("({a} % {})", b.enclosed()),
        };
        let once = rest(&a.enclosed());
        Ok(Text::closed(if safe { once } else { rest(&format!("({once} + {})", b.enclosed())) }))
    }

    fn choice(&mut self, condition: &Text, a: &Text, b: &Text) -> Result<Text, Inexpressible> {
        Ok(Text::closed(format!("CASE WHEN {} THEN {} ELSE {} END", condition.text, a.text, b.text)))
    }

    fn previous(&mut self, initial: &Text, what: &Text, _ty: &Ty) -> Result<Text, Inexpressible> {
        let before = self.add(&what.text, format!("lag({}) OVER ({RUN})", what.text));
        Ok(Text::closed(format!("CASE WHEN {FIRST} THEN {} ELSE {before} END", initial.text)))
    }

    fn function(&mut self, fun: Fun, _real: bool, arguments: &[Text]) -> Result<Text, Inexpressible> {
        let name = match (fun, self.engine) {
            (Fun::Abs, _) => "abs",
            (Fun::Min, Engine::Sqlite) => "min",
            (Fun::Max, Engine::Sqlite) => "max",
            (Fun::Min, _) => "least",
            (Fun::Max, _) => "greatest",
        };
        match (fun, arguments) {
            (_, []) => Err(Inexpressible::NoArguments),
            (Fun::Abs, [_, _, ..]) => Err(Inexpressible::SeveralArguments),
            (Fun::Min | Fun::Max, [only]) => Ok(only.clone()),
            _ => {
                let texts: Vec<&str> = arguments.iter().map(|text| text.text.as_str()).collect();
                Ok(Text::closed(format!("{name}({})", texts.join(", "))))
            }
        }
    }
}
