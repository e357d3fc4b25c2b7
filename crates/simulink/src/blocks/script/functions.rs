//! Functions that MATLAB code calls: those of the same block, those of whole arrays, and those of each element. What is left works
//! on constants alone.

use super::Machine;
use super::arrays::{Array, MAX_ELEMENTS, common, like};
use crate::blocks::functions::{of_one, of_two};
use crate::blocks::logic::relation;
use crate::blocks::{bits, formula, matrices};
use crate::lower::Signal;
use crate::matlab::{self, Binary, Expression, Kind, Unary};
use crate::plan::{Fault, Outcome};
use crate::value::{Class, Matrix, Value};
use system::{Expr, Node, Pool};

/// The maximum number of elements that are sorted: all pairs of neighbours are compared.
const MAX_SORTED: usize = 32;

/// Operators that have a name.
const OPERATORS: [(&str, Binary); 12] = [
    ("plus", Binary::Add),
    ("minus", Binary::Subtract),
    ("times", Binary::EachTimes),
    ("rdivide", Binary::EachOver),
    ("and", Binary::And),
    ("or", Binary::Or),
    ("eq", Binary::Equal),
    ("ne", Binary::NotEqual),
    ("lt", Binary::Less),
    ("le", Binary::LessEqual),
    ("gt", Binary::Greater),
    ("ge", Binary::GreaterEqual),
];

impl Machine<'_, '_, '_> {
    /// The first output of a function.
    pub(super) fn function(&mut self, name: &str, arguments: &[Expression], guard: Expr) -> Outcome<Array> {
        if let ("isempty", [Expression { kind: Kind::Name(variable), .. }]) = (name, arguments)
            && let Some(state) = self.frame().persistent.get(variable).cloned()
        {
            let set = self.persistent.get(&state).map_or(Pool::FALSE, |it| it.is_set);
            return Ok(Array::scalar(Class::Boolean, self.pool().not(set)));
        }
        if let Some(value) = self.call_handle(name, arguments, guard)? {
            return Ok(value);
        }
        if name == "interp1" {
            return self.interpolated(arguments, guard);
        }
        let functions = self.functions;
        if let Some(function) = functions.iter().find(|it| it.name == name) {
            return self.first_output(function, arguments, guard)?.array();
        }
        // The name of a class, or something that has it, at the end.
        let (arguments, class) = match (name, arguments) {
            ("zeros" | "ones" | "eye" | "cast", [rest @ .., word, like]) if is_text(word, "like") => {
                (rest, Some(self.value(like, guard)?.class))
            }
            ("zeros" | "ones" | "eye" | "cast", [rest @ .., Expression { kind: Kind::Text(class), .. }]) => {
                let found = Class::named(class);
                (rest, Some(found.ok_or_else(|| Fault::new(format!("there is no class `{class}`")))?))
            }
            _ => (arguments, Class::named(name)),
        };
        if let ("intmax" | "intmin", [Expression { kind: Kind::Text(class), .. }]) = (name, arguments) {
            return self.of_constants(name, &[Value::Text(class.clone())]);
        }
        // Infinity alone is not a number here.
        let (name, arguments) = match (name, arguments) {
            ("norm", [a, Expression { kind: Kind::Name(kind), .. }])
                if matches!(kind.as_str(), "inf" | "Inf") =>
            {
                ("norm inf", std::slice::from_ref(a))
            }
            // The lower factor is the transpose of the upper one.
            ("chol", [a, word]) if is_text(word, "lower") => {
                let upper = self.function(name, std::slice::from_ref(a), guard)?;
                return Ok(self.unary(Unary::Transpose, upper));
            }
            ("chol", [a, word]) if is_text(word, "upper") => (name, std::slice::from_ref(a)),
            ("linsolve", [a, b, options]) => return self.solved(a, b, options, guard),
            other => other,
        };
        let values: Vec<Array> = arguments.iter().map(|it| self.value(it, guard)).collect::<Outcome<_>>()?;
        let found = match (name, &values[..]) {
            ("cast" | "coder.const" | "coder.nullcopy", [value]) => value.clone(),
            (_, [value]) if class.is_some() && Class::named(name).is_some() => value.clone(),
            _ => match self.of_arrays(name, &values)? {
                Some(found) => found,
                None => match self.of_matrices(name, &values)? {
                    Some(found) => found,
                    None => self.each(name, &values)?,
                },
            },
        };
        let Some(class) = class else { return Ok(found) };
        let scalars = found.scalars.iter().map(|it| self.converted(*it, class)).collect();
        Ok(Array { class, scalars, ..found })
    }

    /// Several outputs of a function that MATLAB has.
    pub(super) fn several(
        &mut self,
        name: &str,
        arguments: &[Expression],
        guard: Expr,
    ) -> Outcome<Option<Vec<Array>>> {
        let values: Vec<Array> = arguments.iter().map(|it| self.value(it, guard)).collect::<Outcome<_>>()?;
        Ok(match (name, &values[..]) {
            ("size", [a]) => Some(vec![self.count(a.rows), self.count(a.columns)]),
            ("min" | "max", [a]) if a.is_vector() => {
                let extreme = self.folded(name, a)?;
                let only = extreme.only()?;
                // The first place that has it.
                let mut place = self.work.ratio(a.scalars.len() as i64, 1);
                for (number, scalar) in a.scalars.iter().enumerate().rev() {
                    let here = relation(self.work, "==", *scalar, only)?;
                    let number = self.work.ratio(number as i64 + 1, 1);
                    place = self.pool().ite(here, number, place);
                }
                Some(vec![extreme, Array::scalar(Class::Double, place)])
            }
            _ => None,
        })
    }

    fn count(&mut self, number: usize) -> Array {
        Array::scalar(Class::Double, self.work.ratio(number as i64, 1))
    }

    fn fact(&mut self, holds: bool) -> Array {
        Array::scalar(Class::Boolean, self.work.pool().bool(holds))
    }

    /// A function of each element.
    pub(super) fn each(&mut self, name: &str, values: &[Array]) -> Outcome<Array> {
        if let ([a, b], Some((_, operator))) = (values, OPERATORS.iter().find(|it| it.0 == name)) {
            return self.binary(*operator, a, b);
        }
        if let Some(found) = self.of_bits(name, values)? {
            return Ok(found);
        }
        let (like, class) = match values {
            [a] => (a, common(a.class, Class::Double)),
            [a, b] => match like(a, b) {
                Ok(like) => (like, common(a.class, b.class)),
                // A function that is not known may take arrays of any size.
                Err(fault) => {
                    let is_known = a.scalars.first().zip(b.scalars.first());
                    let is_known = is_known.is_some_and(|(x, y)| of_two(self.work, name, *x, *y).is_ok());
                    return if is_known { Err(fault) } else { self.of_numbers(name, values) };
                }
            },
            _ => return self.of_numbers(name, values),
        };
        let mut scalars = Vec::new();
        for place in 0..like.scalars.len() {
            let value = match values {
                [a, b] => of_two(self.work, name, a.at(place), b.at(place)),
                _ => of_one(self.work, name, like.scalars[place]),
            };
            match value {
                Ok(value) => scalars.push(self.converted(value, class)),
                Err(fault) => return self.of_numbers(name, values).map_err(|_| fault),
            }
        }
        Ok(Array { class, rows: like.rows, columns: like.columns, scalars })
    }

    /// Operations on the bits of integers.
    fn of_bits(&mut self, name: &str, values: &[Array]) -> Outcome<Option<Array>> {
        let ("bitand" | "bitor" | "bitxor" | "bitshift", [a, b]) = (name, values) else { return Ok(None) };
        let class = common(a.class, b.class);
        if !matches!(class, Class::Integer(..)) {
            return Ok(None);
        }
        let like = like(a, b)?;
        let mut scalars = Vec::new();
        for place in 0..like.scalars.len() {
            let x = self.converted(a.at(place), class);
            let value = match name {
                "bitshift" => {
                    let by = self.constant(b.at(place))?;
                    if by > 0.0 && matches!(class, Class::Integer(_, true)) {
                        let hint = "use an unsigned integer";
                        return Err(Fault::hint("a signed integer is shifted to the left", hint));
                    }
                    bits::shifted(self.work, class, x, -by)?
                }
                _ => {
                    let y = self.converted(b.at(place), class);
                    bits::combined(self.work, &name[3..], x, y)
                }
            };
            scalars.push(value);
        }
        Ok(Some(Array { class, rows: like.rows, columns: like.columns, scalars }))
    }

    /// A function whose arguments are constants.
    fn of_numbers(&mut self, name: &str, values: &[Array]) -> Outcome<Array> {
        let mut numbers = Vec::new();
        for value in values {
            let entries = value.scalars.iter().map(|it| self.constant(*it)).collect::<Outcome<_>>();
            let entries = entries.map_err(|_| unknown(name, values.len()))?;
            let dimensions = vec![value.rows, value.columns];
            numbers.push(Value::Matrix(Matrix { dimensions, class: value.class, entries }));
        }
        self.of_constants(name, &numbers)
    }

    pub(super) fn of_constants(&mut self, name: &str, values: &[Value]) -> Outcome<Array> {
        let found = matlab::call(name, values).ok_or_else(|| unknown(name, values.len()))?;
        match found {
            Ok(Value::Matrix(matrix)) if matrix.entries.len() <= MAX_ELEMENTS => {
                let (rows, columns, class) = (matrix.rows(), matrix.columns(), matrix.class);
                let scalars =
                    matrix.entries.iter().map(|it| self.work.constant(*it, class)).collect::<Outcome<_>>()?;
                Ok(Array { class, rows, columns, scalars })
            }
            Ok(_) => Err(Fault::new(format!("the function `{name}` does not give numbers"))),
            Err(error) => {
                Err(Fault::new(format!("the function `{name}` has no value here: {}", error.message)))
            }
        }
    }

    /// Functions of whole arrays; none if it is another one.
    fn of_arrays(&mut self, name: &str, values: &[Array]) -> Outcome<Option<Array>> {
        Ok(Some(match (name, values) {
            ("zeros" | "ones" | "eye" | "true" | "false", sizes) => self.filled(name, sizes)?,
            ("numel", [a]) => self.count(a.scalars.len()),
            ("length", [a]) => self.count(if a.scalars.is_empty() { 0 } else { a.rows.max(a.columns) }),
            ("ndims", [_]) => self.count(2),
            ("isempty", [a]) => self.fact(a.scalars.is_empty()),
            ("isscalar", [a]) => self.fact(a.scalars.len() == 1),
            ("isvector", [a]) => self.fact(a.is_vector() && !a.scalars.is_empty()),
            ("isreal" | "isnumeric", [a]) => self.fact(name == "isreal" || a.class != Class::Boolean),
            ("islogical", [a]) => self.fact(a.class == Class::Boolean),
            ("isnan" | "isinf" | "isfinite", [a]) => self.finite(name, a)?,
            ("size", [a]) => {
                let scalars = [a.rows, a.columns].map(|it| self.work.ratio(it as i64, 1)).to_vec();
                Array { class: Class::Double, rows: 1, columns: 2, scalars }
            }
            ("size", [a, along]) => {
                let along = along.only()?;
                let along = self.constant(along)?;
                self.count(if along == 1.0 {
                    a.rows
                } else if along == 2.0 {
                    a.columns
                } else {
                    1
                })
            }
            ("sum" | "prod" | "any" | "all" | "min" | "max" | "mean", [a]) => self.along_of(name, a, None)?,
            ("sum" | "prod" | "any" | "all" | "mean", [a, along]) => self.along_of(name, a, Some(along))?,
            ("min" | "max", [a, none, along]) if none.scalars.is_empty() => {
                self.along_of(name, a, Some(along))?
            }
            ("cumsum", [a]) if a.is_vector() => {
                let mut all: Vec<Expr> = Vec::new();
                let class = common(a.class, Class::Double);
                for place in 0..a.scalars.len() {
                    let part =
                        Array { scalars: a.scalars[..=place].to_vec(), rows: 1, columns: place + 1, ..*a };
                    all.push(self.folded("sum", &part)?.only()?);
                }
                Array { class, scalars: all, ..*a }
            }
            ("isequal" | "strcmp", [a, b]) => Array::scalar(Class::Boolean, self.equal(a, b)?),
            ("xor", [a, b]) => {
                let (x, y) = (self.unary(Unary::Not, a.clone()), self.unary(Unary::Not, b.clone()));
                self.binary(Binary::NotEqual, &x, &y)?
            }
            ("not", [a]) => self.unary(Unary::Not, a.clone()),
            ("dot", [a, b]) if a.scalars.len() == b.scalars.len() => {
                let terms: Vec<(Expr, Expr)> =
                    a.scalars.iter().copied().zip(b.scalars.iter().copied()).collect();
                let (sum, class) = (self.sum_of_products(&terms), common(a.class, b.class));
                Array::scalar(class, self.converted(sum, class))
            }
            ("norm", [a]) if a.is_vector() => {
                let terms: Vec<(Expr, Expr)> = a.scalars.iter().map(|it| (*it, *it)).collect();
                let (sum, class) = (self.sum_of_products(&terms), common(a.class, Class::Double));
                let root = of_one(self.work, "sqrt", sum)?;
                Array::scalar(class, self.converted(root, class))
            }
            ("norm", [a, kind]) if a.is_vector() => {
                let kind = kind.only()?;
                let kind = self.constant(kind)?;
                match kind {
                    1.0 => {
                        let sizes = self.each("abs", std::slice::from_ref(a))?;
                        self.folded("sum", &sizes)?
                    }
                    2.0 => return self.of_arrays("norm", std::slice::from_ref(a)),
                    _ => return Err(Fault::hint("this `norm` is not supported", "use the norm 1, 2 or inf")),
                }
            }
            ("norm inf", [a]) if a.is_vector() => {
                let sizes = self.each("abs", std::slice::from_ref(a))?;
                self.folded("max", &sizes)?
            }
            ("det", [a]) if a.rows == a.columns && a.rows <= 3 => {
                let entry = |row: usize, column: usize| a.scalars[column * a.rows + row];
                let rows: Vec<Vec<Expr>> =
                    (0..a.rows).map(|row| (0..a.rows).map(|column| entry(row, column)).collect()).collect();
                let (value, class) = (self.determinant(&rows)?, common(a.class, Class::Double));
                Array::scalar(class, self.converted(value, class))
            }
            ("polyval", [a, x]) if a.is_vector() => {
                let mut value = self.count(0);
                for coefficient in &a.scalars {
                    let more = self.binary(Binary::EachTimes, &value, x)?;
                    value = self.binary(Binary::Add, &more, &Array::scalar(a.class, *coefficient))?;
                }
                value
            }
            ("sort", [a]) if a.is_vector() && a.scalars.len() <= MAX_SORTED => {
                let mut scalars = a.scalars.clone();
                for last in (1..scalars.len()).rev() {
                    for place in 0..last {
                        let (x, y) = (scalars[place], scalars[place + 1]);
                        let (low, high) = (of_two(self.work, "min", x, y)?, of_two(self.work, "max", x, y)?);
                        scalars[place] = self.converted(low, a.class);
                        scalars[place + 1] = self.converted(high, a.class);
                    }
                }
                Array { scalars, ..*a }
            }
            ("circshift", [a, by]) if a.is_vector() && !a.scalars.is_empty() => {
                let by = by.only()?;
                let by = self.constant(by)?.rem_euclid(a.scalars.len() as f64) as usize;
                let mut scalars = a.scalars.clone();
                scalars.rotate_right(by);
                Array { scalars, ..*a }
            }
            ("real" | "conj", [a]) => a.clone(),
            ("find", [a, ..]) if a.scalars.iter().any(|it| self.constant(*it).is_err()) => {
                return Err(Fault::hint(
                    "`find` of a signal gives a number of elements that is not known",
                    "use a loop, or `any` and `max`",
                ));
            }
            ("cross", [a, b]) if a.scalars.len() == 3 && b.scalars.len() == 3 => {
                let class = common(a.class, b.class);
                let mut scalars = Vec::new();
                for place in 0..3 {
                    let (next, last) = ((place + 1) % 3, (place + 2) % 3);
                    let plus = formula::binary(self.work, Binary::Times, a.scalars[next], b.scalars[last])?;
                    let minus = formula::binary(self.work, Binary::Times, a.scalars[last], b.scalars[next])?;
                    let value = formula::binary(self.work, Binary::Subtract, plus, minus)?;
                    scalars.push(self.converted(value, class));
                }
                Array { class, scalars, ..*a }
            }
            ("transpose" | "ctranspose", [a]) => self.unary(Unary::Transpose, a.clone()),
            ("inv", [a]) => self.inverse(a)?,
            ("reshape", [a, sizes @ ..]) => {
                let shape = self.filled("zeros", sizes)?;
                if shape.scalars.len() != a.scalars.len() {
                    return Err(Fault::new("`reshape` changes the number of elements"));
                }
                Array { rows: shape.rows, columns: shape.columns, ..a.clone() }
            }
            ("repmat", [a, sizes @ ..]) => {
                let times = self.filled("zeros", sizes)?;
                let (rows, columns) = (a.rows * times.rows, a.columns * times.columns);
                if rows * columns > MAX_ELEMENTS {
                    return Err(Fault::new("an array is too large"));
                }
                let place = |it: usize| (it / rows % a.columns) * a.rows + it % rows % a.rows;
                let scalars = (0..rows * columns).map(|it| a.scalars[place(it)]).collect();
                Array { class: a.class, rows, columns, scalars }
            }
            ("fliplr" | "flipud" | "flip", [a]) => {
                let by_rows = name == "flipud" || name == "flip" && a.rows != 1;
                let place = |it: usize| match by_rows {
                    true => it / a.rows * a.rows + (a.rows - 1 - it % a.rows),
                    false => (a.columns - 1 - it / a.rows) * a.rows + it % a.rows,
                };
                let scalars = (0..a.scalars.len()).map(|it| a.scalars[place(it)]).collect();
                Array { scalars, ..*a }
            }
            ("diag", [a]) if a.is_vector() && a.scalars.len() > 1 => {
                let size = a.scalars.len();
                let zero = self.converted(Pool::FALSE, a.class);
                let entry = |it: usize| if it % size == it / size { a.scalars[it % size] } else { zero };
                let scalars = (0..size * size).map(entry).collect();
                Array { class: a.class, rows: size, columns: size, scalars }
            }
            ("diag", [a]) => {
                let scalars: Vec<Expr> =
                    (0..a.rows.min(a.columns)).map(|it| a.scalars[it * a.rows + it]).collect();
                Array { class: a.class, rows: scalars.len(), columns: 1, scalars }
            }
            ("trace", [a]) => {
                let diagonal = (0..a.rows.min(a.columns)).map(|it| a.scalars[it * a.rows + it]).collect();
                self.folded("sum", &Array { scalars: diagonal, ..*a })?
            }
            ("deg2rad" | "rad2deg", [a]) => {
                let factor = if name == "deg2rad" { 1f64.to_radians() } else { 1f64.to_degrees() };
                let factor = Array::scalar(Class::Double, self.work.real(factor)?);
                self.binary(Binary::EachTimes, a, &factor)?
            }
            _ => return Ok(None),
        }))
    }

    /// Whether two arrays have the same size and the same elements.
    pub(super) fn equal(&mut self, a: &Array, b: &Array) -> Outcome<Expr> {
        let same = a.size() == b.size();
        let mut all = vec![self.pool().bool(same)];
        for (x, y) in a.scalars.iter().zip(&b.scalars).filter(|_| same) {
            all.push(relation(self.work, "==", *x, *y)?);
        }
        Ok(self.pool().and(all))
    }

    /// The determinant of a matrix, by its first row.
    fn determinant(&mut self, rows: &[Vec<Expr>]) -> Outcome<Expr> {
        let [first, rest @ ..] = rows else { return Ok(self.work.ratio(1, 1)) };
        let mut sum = self.work.ratio(0, 1);
        for (column, entry) in first.iter().enumerate() {
            let without = |row: &Vec<Expr>| {
                let kept = row.iter().enumerate().filter(|it| it.0 != column);
                kept.map(|it| *it.1).collect::<Vec<Expr>>()
            };
            let minor: Vec<Vec<Expr>> = rest.iter().map(without).collect();
            let minor = self.determinant(&minor)?;
            let term = formula::binary(self.work, Binary::Times, *entry, minor)?;
            let sign = if column % 2 == 0 { Binary::Add } else { Binary::Subtract };
            sum = formula::binary(self.work, sign, sum, term)?;
        }
        Ok(sum)
    }

    /// Whether numbers are finite. A quotient, a function or a memory may not be, which is not known here.
    fn finite(&mut self, name: &str, a: &Array) -> Outcome<Array> {
        let states: Vec<_> = self.work.system.state.iter().map(|it| it.var).collect();
        let pool = self.pool();
        let doubtful = pool.reachable(a.scalars.iter().copied()).into_iter().any(|it| match pool.node(it) {
            Node::Div(..) | Node::Apply(..) => true,
            Node::Var(var) => states.contains(var),
            _ => false,
        });
        if doubtful && matches!(a.class, Class::Double | Class::Single) {
            let message =
                format!("`{name}` of a value that may be infinite or not a number is not supported");
            return Err(Fault::hint(message, "compare with limits before it is computed"));
        }
        let truth = self.pool().bool(name == "isfinite");
        Ok(Array { class: Class::Boolean, scalars: vec![truth; a.scalars.len()], ..*a })
    }

    /// The inverse of a matrix.
    pub(super) fn inverse(&mut self, a: &Array) -> Outcome<Array> {
        let scalars = a.scalars.iter().map(|it| self.work.real_of(*it)).collect();
        let signal = Signal { dimensions: vec![a.rows, a.columns], scalars };
        let inverse = matrices::inverse(self.work, &signal)?;
        let class = common(a.class, Class::Double);
        let scalars = inverse.scalars.into_iter().map(|it| self.converted(it, class)).collect();
        Ok(Array { class, scalars, ..*a })
    }

    fn filled(&mut self, name: &str, sizes: &[Array]) -> Outcome<Array> {
        let mut all = Vec::new();
        for size in sizes.iter().flat_map(|it| it.scalars.clone()) {
            all.push(self.constant(size)?.clamp(0.0, 1e6) as usize);
        }
        let (rows, columns) = match all[..] {
            [] => (1, 1),
            [n] => (n, n),
            [rows, columns] => (rows, columns),
            _ => return Err(Fault::new("an array has more than two dimensions")),
        };
        if rows * columns > MAX_ELEMENTS {
            return Err(Fault::new("an array is too large"));
        }
        if matches!(name, "true" | "false") {
            let truth = self.pool().bool(name == "true");
            return Ok(Array { class: Class::Boolean, rows, columns, scalars: vec![truth; rows * columns] });
        }
        let entry = |place: usize| match name {
            "zeros" => 0,
            "ones" => 1,
            _ => i64::from(place % rows == place / rows),
        };
        let scalars = (0..rows * columns).map(|it| self.work.ratio(entry(it), 1)).collect();
        Ok(Array { class: Class::Double, rows, columns, scalars })
    }

    /// The elements of each column or row taken together; of a vector, all of them.
    fn along_of(&mut self, name: &str, a: &Array, along: Option<&Array>) -> Outcome<Array> {
        let by_rows = match along {
            None => a.rows == 1,
            Some(along) => {
                let along = along.only()?;
                match self.constant(along)? {
                    1.0 => false,
                    2.0 => true,
                    _ => {
                        return Err(Fault::new(format!("`{name}` along a third dimension is not supported")));
                    }
                }
            }
        };
        let count = if by_rows { a.rows } else { a.columns };
        let mut class = a.class;
        let mut scalars = Vec::new();
        for number in 0..count {
            let part: Vec<Expr> = match by_rows {
                true => (0..a.columns).map(|it| a.scalars[it * a.rows + number]).collect(),
                false => a.scalars[number * a.rows..(number + 1) * a.rows].to_vec(),
            };
            let one =
                self.folded(name, &Array { rows: part.len(), columns: 1, scalars: part, class: a.class })?;
            class = one.class;
            scalars.push(one.only()?);
        }
        let (rows, columns) = if by_rows { (count, 1) } else { (1, count) };
        Ok(Array { class, rows, columns, scalars })
    }

    /// The elements of a vector taken together.
    fn folded(&mut self, name: &str, a: &Array) -> Outcome<Array> {
        if name == "mean" {
            let (sum, count) = (self.folded("sum", a)?, self.count(a.scalars.len()));
            return self.binary(Binary::Over, &sum, &count);
        }
        let truth = matches!(name, "any" | "all");
        let class = match a.class {
            _ if truth => Class::Boolean,
            Class::Boolean => Class::Double,
            class => class,
        };
        let mut result: Option<Expr> = None;
        for &scalar in &a.scalars {
            let next = if truth { self.work.truth_of(scalar) } else { self.work.whole_of(scalar) };
            result = Some(match result {
                None => next,
                Some(before) => {
                    let [x, y] = if truth { [before, next] } else { self.work.common([before, next]) };
                    let pool = self.work.pool();
                    match name {
                        "sum" => pool.add(x, y),
                        "prod" => pool.mul(x, y),
                        "any" => pool.or([x, y]),
                        "all" => pool.and([x, y]),
                        "min" => pool.min(x, y),
                        _ => pool.max(x, y),
                    }
                }
            });
        }
        let result = result.ok_or_else(|| Fault::new(format!("`{name}` of nothing is not supported")))?;
        Ok(Array::scalar(class, self.converted(result, class)))
    }
}

pub(super) fn is_text(expression: &Expression, text: &str) -> bool {
    matches!(&expression.kind, Kind::Text(it) if it == text)
}

fn unknown(name: &str, count: usize) -> Fault {
    match count {
        0 => Fault::new(format!("unknown name `{name}` in its code")),
        _ => Fault::new(format!("the function `{name}` is not supported with {count} arguments")),
    }
}
