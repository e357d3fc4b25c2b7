"""The examples in docs/python.md and the notebook show what the package does."""

from __future__ import annotations

import doctest
import pathlib

import nbclient
import nbformat
import pytest

ROOT = pathlib.Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "examples" / "python").glob("*.ipynb"))


def test_the_documentation(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    found = doctest.testfile(str(ROOT / "docs" / "python.md"), module_relative=False, optionflags=flags)
    assert found.attempted > 0 and found.failed == 0


def outputs(notebook):
    """What the cells show, without what depends on the machine."""
    shown = []
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            shown.append(output.get("text") or data.get("image/svg+xml") or data.get("text/plain"))
    return ["".join(it) if isinstance(it, list) else it for it in shown]


def test_there_is_a_notebook():
    assert NOTEBOOKS


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_the_notebook_shows_its_outputs(path):
    notebook = nbformat.read(path, as_version=4)
    expected = outputs(notebook)
    assert expected
    nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": path.parent}}).execute()
    assert outputs(notebook) == expected
