"""The package against tables of each library, and against `shall`'s own definitions where both can answer."""

from __future__ import annotations

import math
import operator
import pathlib
import random
from fractions import Fraction

import duckdb
import pandas
import polars
import pyarrow
import pytest

import shall

SENTENCE = "when level > 80 the Tank shall within 1 tick satisfy alarm"
COLUMNS = {"time": [0.0, 0.1, 0.2, 0.3], "level": [75.0, 82.0, 84.0, 70.0], "alarm": [False, False, False, True]}

DOCUMENT = """# Tank

## Tank

| name  | kind   | type |
|-------|--------|------|
| level | input  | real |
| alarm | output | bool |

## T-1

```fretish
when level > 80 the Tank shall within 1 tick satisfy alarm
```

## T-2

```fretish
the Tank shall always satisfy level < 90
```
"""


@pytest.fixture
def project(tmp_path: pathlib.Path) -> shall.Project:
    (tmp_path / "shall.toml").write_text('[project]\nname = "Tank"\n')
    (tmp_path / "tank.md").write_text(DOCUMENT)
    return shall.Project.load(tmp_path)


def tables():
    yield "polars", polars.DataFrame(COLUMNS)
    yield "polars", polars.LazyFrame(COLUMNS)
    yield "pandas", pandas.DataFrame(COLUMNS)
    yield "pyarrow", pyarrow.table(COLUMNS)
    yield "pyarrow", pyarrow.table(COLUMNS).to_reader(max_chunksize=3)
    yield "builtins", COLUMNS


@pytest.mark.parametrize("library,table", list(tables()))
def test_every_table_has_the_same_verdict(library, table):
    result = shall.Requirement(SENTENCE).check(table)
    assert result.holds is False
    assert not result
    [document] = result.documents
    assert (document["verdict"], document["violated_at"], document["triggered_at"]) == ("violated", 2, 1)
    for frame in [result.verdicts, result.violations]:
        kind = dict if library == "builtins" else {"polars": polars.DataFrame, "pandas": pandas.DataFrame, "pyarrow": pyarrow.Table}[library]
        assert isinstance(frame, kind)
    columns = {"builtins": lambda it: it, "polars": lambda it: it.to_dict(as_series=False), "pandas": lambda it: it.to_dict("list"), "pyarrow": lambda it: it.to_pydict()}[library]
    violations = columns(result.violations)
    assert (violations["step"], violations["time"], violations["trigger"]) == ([2], [0.2], [1])
    assert "`alarm` must hold" in violations["reason"][0]
    assert columns(result.verdicts)["verdict"] == ["violated"]


def test_a_relation_and_a_file_are_tables(tmp_path):
    drive = pyarrow.table(COLUMNS)
    relation = duckdb.sql("SELECT * FROM drive ORDER BY time")
    assert len(drive) == 4
    assert shall.Requirement(SENTENCE).check(relation).holds is False
    files = {name: tmp_path / f"log.{name}" for name in ["csv", "parquet", "arrow", "feather"]}
    pandas.DataFrame(COLUMNS).to_csv(files["csv"], index=False)
    polars.DataFrame(COLUMNS).write_parquet(files["parquet"])
    polars.DataFrame(COLUMNS).write_ipc_stream(files["arrow"])
    polars.DataFrame(COLUMNS).write_ipc(files["feather"], compression="zstd")
    for path in files.values():
        assert shall.Requirement(SENTENCE).check(path).violations["step"] == [2], path


def test_a_project_is_checked_in_one_pass(project):
    assert len(project) == 2 and project["T-2"].sentence.endswith("level < 90")
    result = project.check(polars.DataFrame(COLUMNS))
    assert result.verdicts["verdict"].to_list() == ["violated", "holds"]
    assert result.verdicts["first_violation"].to_list() == [2, None]
    with pytest.raises(KeyError):
        project["T-3"]
    with pytest.raises(shall.ShallError, match="no `shall.toml`"):
        shall.Project.load("/")


def test_what_is_not_checked_is_not_true(project):
    missing = polars.DataFrame({"level": [1.0, 2.0]})
    result = project.check(missing)
    assert result.holds is None
    with pytest.raises(shall.NotChecked, match="`alarm`"):
        bool(result)
    for value in [None, float("nan")]:
        table = polars.DataFrame({"level": [1.0, value, 3.0], "alarm": [True] * 3})
        assert project.check(table).verdicts["verdict"].to_list() == ["not_checked"] * 2
    # A violation before the missing value is one.
    table = polars.DataFrame({"level": [95.0, None], "alarm": [True] * 2})
    assert project["T-2"].check(table).holds is False


def test_columns_are_mapped_and_times_may_be_ignored():
    table = polars.DataFrame({"Tank.Level": [75, 82, 84], "alarm": [0, 0, 1], "t": [0.5, 0.5, 0.7]})
    requirement = shall.Requirement(SENTENCE)
    renamed = {"level": "Tank.Level"}
    assert requirement.check(table, map=renamed).holds is None
    assert requirement.check(table, map=renamed, time="rows").holds is True
    with pytest.raises(shall.ShallError, match="expected one of stamps, rows, hold, nearest, real"):
        requirement.check(table, map=renamed, time="ticks")
    with pytest.raises(shall.ShallError, match="no column `Level`"):
        requirement.check(table, map={"level": "Level"})
    with pytest.raises(TypeError, match="neither a path nor a table"):
        requirement.check(3)


def test_sentences_are_explained_and_formalized():
    requirement = shall.Requirement(SENTENCE, step="10 ms")
    assert requirement.id is None and requirement.sentence == SENTENCE
    assert "Violated, for example:" in requirement.explain()
    assert requirement._repr_svg_().startswith("<svg")
    assert requirement.formula("smv").startswith("H ")
    assert requirement.formula("unicode", "future") != requirement.formula("unicode")
    with pytest.raises(shall.ShallError, match="unknown dialect `latin`"):
        requirement.formula("latin")
    limit = shall.Requirement("the Tank shall always satisfy level < most", constants={"most": 80.5})
    assert limit.check({"level": [80.4, 80.5]}).documents[0]["violated_at"] == 1
    with pytest.raises(shall.SentenceError, match="error") as wrong:
        shall.Requirement("the Tank shall satisfy level >")
    assert wrong.value.diagnostics[0]["severity"] == "error"


RELATIONS = {">": operator.gt, ">=": operator.ge, "<": operator.lt, "<=": operator.le, "=": operator.eq, "!=": operator.ne}


@pytest.mark.parametrize("constant", ["0.1", "0.3", "0.000000001", "123456789.123456789", "0.1000000000000000055511151231257827", "2.5"])
def test_doubles_are_their_shortest_decimals(constant):
    """Comparisons are those of the exact fractions, also next to the constant."""
    values = [float(constant), -float(constant), 0.0]
    for _ in range(5):
        values += [math.nextafter(values[-2], math.inf), math.nextafter(values[0], -math.inf), math.nextafter(values[-1], math.inf)]
        values.insert(0, math.nextafter(values[0], math.inf))
    for sign, holds in RELATIONS.items():
        bad = [at for at, it in enumerate(values) if not holds(Fraction(repr(it)), Fraction(constant))]
        requirement = shall.Requirement(f"the S shall always satisfy x {sign} {constant}")
        [document] = requirement.check(polars.DataFrame({"x": values})).documents
        assert (document["count"], document["violated_at"]) == (len(bad), bad[0] if bad else None), sign


def test_random_tables_of_every_library_agree():
    generator = random.Random(2)
    sentences = [
        "the sys shall always satisfy p => occurred(10, q)",
        "whenever p the sys shall within 10 ticks satisfy q",
        "in m mode when c the sys shall until s satisfy x > 3",
        "the sys shall always satisfy r => persisted(100, m)",
    ]
    requirements = [shall.Requirement(it) for it in sentences]
    rows = 20_000
    often = {"p": 0.5, "q": 0.1, "r": 0.1, "m": 0.97, "c": 0.3, "s": 0.1}
    columns = {name: [generator.random() < likely for _ in range(rows)] for name, likely in often.items()}
    columns["x"] = [generator.randrange(2000, 9000) / 1000 for _ in range(rows)]
    frame = polars.DataFrame(columns)
    expected = shall.check(requirements, frame).documents
    assert [it["verdict"] for it in expected] == ["violated"] * 4
    others = [
        pandas.DataFrame(columns),
        pyarrow.table(columns).to_reader(max_chunksize=777),
        frame.with_columns(polars.col("p").cast(polars.Int64), polars.col("q").cast(polars.Float64), polars.col("m").cast(polars.UInt8)),
    ]
    for other in others:
        assert shall.check(requirements, other).documents == expected
    for requirement, document in zip(requirements, expected):
        assert requirement.check(frame).documents == [document]
