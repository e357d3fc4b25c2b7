//! What the Python package `shall` is built on: requirements as objects, and their verdicts on tables as JSON. The package itself, in
//! `python/shall`, turns these into frames.

// PyO3 hands over arguments by value.
#![allow(clippy::needless_pass_by_value)]

use arrow_array::RecordBatchReader as _;
use arrow_array::ffi_stream::RecordBatchStreamReader;
use arrow_pyarrow::FromPyArrow as _;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::{Bound, PyErr, create_exception};
use record::arrow::Frame;
use shall::library::{Data, Options, Requirements};
use std::path::PathBuf;

create_exception!(shall, ShallError, PyValueError, "Something cannot be read, or there is no answer.");
create_exception!(shall, SentenceError, ShallError, "A sentence has errors.");

fn failed(error: impl ToString) -> PyErr {
    ShallError::new_err(error.to_string())
}

/// One requirement.
#[pyclass(frozen, skip_from_py_object, module = "shall._native")]
struct Requirement(Requirements);

#[pymethods]
impl Requirement {
    /// Reads a sentence; constants are of the form `NAME=NUMBER`.
    #[new]
    #[pyo3(signature = (sentence, step = None, constants = Vec::new()))]
    fn new(
        py: Python<'_>,
        sentence: &str,
        step: Option<String>,
        constants: Vec<String>,
    ) -> PyResult<Requirement> {
        let read = Requirements::sentence(sentence, step, constants).map_err(failed)?;
        let Some((text, found)) = read.errors().map_err(failed)? else { return Ok(Requirement(read)) };
        let error = SentenceError::new_err(text);
        let found = py.import("json")?.call_method1("loads", (found.to_string(),))?;
        error.value(py).setattr("diagnostics", found)?;
        Err(error)
    }

    /// The id, if it is a requirement of a project.
    #[getter]
    fn id(&self) -> Option<&str> {
        self.0.id()
    }

    /// The sentence.
    #[getter]
    fn sentence(&self) -> &str {
        self.0.text()
    }

    /// What it means, in words, with examples.
    fn explain(&self, py: Python<'_>) -> PyResult<String> {
        py.detach(|| self.0.explained()).map_err(failed)
    }

    /// Its picture as SVG.
    fn svg(&self, py: Python<'_>) -> PyResult<Option<String>> {
        py.detach(|| self.0.svg()).map_err(failed)
    }

    /// A formula in a dialect.
    fn formula(&self, py: Python<'_>, dialect: &str, logic: &str) -> PyResult<String> {
        py.detach(|| self.0.formula(dialect, logic)).map_err(failed)
    }
}

/// The requirements of the project around a path.
#[pyfunction]
fn load(py: Python<'_>, path: PathBuf) -> PyResult<Vec<Requirement>> {
    let project = py.detach(|| Requirements::project(&path)).map_err(failed)?;
    Ok(project.each().map(Requirement).collect())
}

/// The verdicts of requirements on a table or a file, as JSON: a list with an object for each requirement.
#[pyfunction]
fn check(
    py: Python<'_>,
    requirements: Vec<PyRef<'_, Requirement>>,
    data: &Bound<'_, PyAny>,
    map: Vec<(String, String)>,
    time: Option<String>,
) -> PyResult<String> {
    let all: Vec<Requirements> = requirements.iter().map(|it| it.0.clone()).collect();
    let groups = match Requirements::together(&all) {
        Some(together) => vec![together],
        None => all,
    };
    let options = Options { map, time };
    let path = data.extract::<PathBuf>().ok();
    let frame = if path.is_none() { Some(frame(data)?) } else { None };
    let verdicts = py.detach(|| {
        let mut verdicts = Vec::new();
        for group in &groups {
            let data = match (&path, &frame) {
                (Some(path), _) => Data::File(path.clone()),
                (None, Some(frame)) => Data::Frame(frame.clone()),
                (None, None) => continue,
            };
            verdicts.extend(group.check(data, &options)?);
        }
        Ok(serde_json::Value::from(verdicts).to_string())
    });
    verdicts.map_err(|error: shall::Error| failed(error))
}

/// The record batches of a table, which stay where they are.
fn frame(data: &Bound<'_, PyAny>) -> PyResult<Frame> {
    if !data.hasattr("__arrow_c_stream__")? {
        let kind = data.get_type().name()?;
        let reason = format!("a {kind} is neither a path nor a table of pandas, Polars or Arrow");
        return Err(PyTypeError::new_err(reason));
    }
    let stream = RecordBatchStreamReader::from_pyarrow_bound(data)?;
    let schema = stream.schema();
    let batches: Vec<_> = stream.collect::<Result<_, _>>().map_err(failed)?;
    Ok(Frame::new(schema, batches))
}

/// The native part of the package.
#[pymodule]
mod _native {
    #[pymodule_export]
    use super::{Requirement, SentenceError, ShallError, check, load};
}
