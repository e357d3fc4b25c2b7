"""Requirements that mean exactly one thing, checked against tables.

A requirement is a sentence in FRETish. `Requirement` explains one, gives its formulas and checks it; `Project.load` reads those of a
project. `check` accepts every table with the Arrow interface (Polars, pandas with pyarrow, pyarrow, DuckDB relations), which is not
copied, and files that `shall eval` reads.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from . import _native
from ._native import SentenceError, ShallError

__all__ = ["NotChecked", "Project", "Requirement", "Result", "SentenceError", "ShallError", "check"]


class NotChecked(ShallError):
    """There is no verdict: a column is missing, or a value in it."""


class Requirement:
    """A requirement in FRETish."""

    def __init__(
        self,
        sentence: str,
        *,
        step: str | None = None,
        constants: Mapping[str, object] | None = None,
    ) -> None:
        """Reads a sentence. `step` is the length of a step, such as `"10 ms"`; `constants` are the values of named numbers.

        Raises `SentenceError` if the sentence has errors.
        """
        named = [f"{name}={value}" for name, value in (constants or {}).items()]
        self._native = _native.Requirement(sentence, step, named)

    @classmethod
    def _of(cls, native: _native.Requirement) -> Requirement:
        requirement = cls.__new__(cls)
        requirement._native = native
        return requirement

    @property
    def id(self) -> str | None:
        """The id, if it is a requirement of a project."""
        return self._native.id

    @property
    def sentence(self) -> str:
        """The sentence as it was given."""
        return self._native.sentence

    def explain(self) -> str:
        """What the requirement means, in words, as a picture, and by example."""
        return self._native.explain()

    def formula(self, dialect: str = "smv", logic: str = "past") -> str:
        """A formula with this meaning.

        The dialect is `smv`, `unicode`, `latex`, `spot` or `shall`; the logic is `past`, `future` or `future_infinite`.
        """
        return self._native.formula(dialect, logic)

    def svg(self) -> str | None:
        """The picture of the requirement."""
        return self._native.svg()

    def check(self, data: Any, *, map: Mapping[str, str] | None = None, time: str | None = None) -> Result:
        """Checks the requirement against a table or a file; see `shall.check`."""
        return check([self], data, map=map, time=time)

    def _repr_svg_(self) -> str | None:
        return self.svg()

    def __repr__(self) -> str:
        name = f"{self.id}: " if self.id else ""
        return f"<Requirement {name}{' '.join(self.sentence.split())}>"


class Project:
    """The requirements of a project, by their ids."""

    def __init__(self, requirements: Iterable[Requirement]) -> None:
        self.requirements = list(requirements)

    @classmethod
    def load(cls, path: str | os.PathLike[str] = ".") -> Project:
        """Reads the project in a folder, or the one around it."""
        return cls(Requirement._of(native) for native in _native.load(os.fspath(path)))

    def check(self, data: Any, *, map: Mapping[str, str] | None = None, time: str | None = None) -> Result:
        """Checks all requirements against a table or a file in one pass; see `shall.check`."""
        return check(self.requirements, data, map=map, time=time)

    def __getitem__(self, id: str) -> Requirement:
        for requirement in self.requirements:
            if requirement.id == id:
                return requirement
        raise KeyError(id)

    def __iter__(self) -> Iterator[Requirement]:
        return iter(self.requirements)

    def __len__(self) -> int:
        return len(self.requirements)

    def __repr__(self) -> str:
        return f"<Project of {_counted(len(self), 'requirement')}>"


def check(
    requirements: Iterable[Requirement | str],
    data: Any,
    *,
    map: Mapping[str, str] | None = None,
    time: str | None = None,
) -> Result:
    """Checks requirements against a table or a file; each row is a step.

    `map` names the columns of variables that are called otherwise. `time` says what a step is: `stamps` (the default) and `rows`, `hold`
    and `nearest` (resampled), or `real` (durations are measured on the times).
    """
    all = [Requirement(it) if isinstance(it, str) else it for it in requirements]
    native = [it._native for it in all]
    text = _native.check(native, _table(data), list((map or {}).items()), time)
    return Result(json.loads(text), data)


class Result:
    """The verdicts of requirements on a table."""

    def __init__(self, documents: list[dict[str, Any]], like: Any = None) -> None:
        self.documents = documents
        """Everything that is known about each requirement, as `shall eval --output-format json` writes it."""
        self._like = like

    @property
    def holds(self) -> bool | None:
        """Whether all requirements hold; `None` if none is violated but some could not be checked."""
        known = {it["holds"] for it in self.documents}
        if False in known:
            return False
        return None if None in known else True

    @property
    def verdicts(self) -> Any:
        """A row for each requirement, in a table of the same library as the data."""
        columns: dict[str, list[Any]] = {name: [] for name in _VERDICTS}
        for it in self.documents:
            row = {
                "requirement": it["requirement"],
                "verdict": it["verdict"],
                "violations": len(it["violations"]) + it["more"],
                "violating_steps": it["count"],
                "first_violation": it["violated_at"],
                "reason": it["error"] or it["reason"],
            }
            for name, values in columns.items():
                values.append(row[name])
        return _frame(columns, _VERDICTS, self._like)

    @property
    def violations(self) -> Any:
        """A row for each violation: consecutive steps that violate a requirement. At most 1000 are listed for each requirement."""
        columns: dict[str, list[Any]] = {name: [] for name in _VIOLATIONS}
        for it in self.documents:
            for violation in it["violations"]:
                columns["requirement"].append(it["requirement"])
                for name in ["step", "steps", "time", "trigger", "reason"]:
                    columns[name].append(violation[name])
        # Decimals are texts in JSON, so that they are exact there.
        columns["time"] = [float(time) if isinstance(time, str) else time for time in columns["time"]]
        times = [time for time in columns["time"] if time is not None]
        is_whole = all(isinstance(time, int) for time in times)
        return _frame(columns, {**_VIOLATIONS, "time": int if is_whole and times else float}, self._like)

    @property
    def reason(self) -> str:
        """The verdicts in words."""
        return str(self)

    def __bool__(self) -> bool:
        holds = self.holds
        if holds is None:
            open = [it for it in self.documents if it["holds"] is None]
            raise NotChecked("; ".join(f"{it['requirement']}: {it['error']}" for it in open))
        return holds

    def __str__(self) -> str:
        lines = []
        for it in self.documents:
            verdict = it["verdict"].replace("_", " ")
            lines.append(f"{it['requirement']}\n  {verdict}: {it['error'] or it['reason']}")
            more = len(it["violations"]) + it["more"] - 1
            if more > 0:
                lines.append(f"  and {_counted(more, 'more violation')}; {_counted(it['count'], 'step')} in all")
            lines.extend([f"  {it['unchecked']}"] if it["unchecked"] else [])
            lines.extend(f"  note: {note}" for note in it["notes"])
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<Result\n{self}>"


_VERDICTS: dict[str, type] = {
    "requirement": str,
    "verdict": str,
    "violations": int,
    "violating_steps": int,
    "first_violation": int,
    "reason": str,
}
_VIOLATIONS: dict[str, type] = {
    "requirement": str,
    "step": int,
    "steps": int,
    "time": float,
    "trigger": int,
    "reason": str,
}


def _table(data: Any) -> Any:
    """The data as something that the native part reads: a path, or a table with the Arrow interface."""
    if isinstance(data, Mapping):
        # Columns by their names, such as arrays of NumPy.
        try:
            import pyarrow

            return pyarrow.table(dict(data))
        except ImportError:
            import polars

            return polars.DataFrame(dict(data))
    # A lazy frame of Polars has no rows yet.
    return data.collect() if _library(data) == "polars" and hasattr(data, "collect") else data


def _library(data: Any) -> str:
    return type(data).__module__.split(".")[0]


def _frame(columns: dict[str, list[Any]], types: dict[str, type], like: Any) -> Any:
    """A table in the library of the data, or a dictionary of columns."""
    library = _library(like)
    kinds: dict[type, Any]
    if library == "polars":
        import polars

        kinds = {str: polars.String, int: polars.Int64, float: polars.Float64}
        return polars.DataFrame(columns, schema={name: kinds[kind] for name, kind in types.items()})
    if library == "pandas":
        import pandas

        kinds = {str: "string", int: "Int64", float: "Float64"}
        return pandas.DataFrame({name: pandas.array(columns[name], dtype=kinds[kind]) for name, kind in types.items()})
    if library == "pyarrow":
        import pyarrow

        kinds = {str: pyarrow.string(), int: pyarrow.int64(), float: pyarrow.float64()}
        arrays = [pyarrow.array(columns[name], kinds[kind]) for name, kind in types.items()]
        return pyarrow.table(arrays, names=list(types))
    return columns


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
