"""What type checkers, editors and help are told about the rows is what the rows do."""

from __future__ import annotations

import inspect
import json
import os
import pydoc
import re
import subprocess
import sys
import warnings
from collections import Counter
from operator import attrgetter
from pathlib import Path

import pytest
from IPython.core.completer import IPCompleter, provisionalcompleter
from IPython.core.oinspect import getdoc

import tensorwidgets as tw
from tensorwidgets.engine.dispatch.registry import OPS
from tensorwidgets.engine.help import signature_facts
from tensorwidgets.engine.help.lazy_help import method_names, public_names
from tensorwidgets.engine.help.signatures import ways
from tensorwidgets.engine.types.return_types import NamedResult
from tensorwidgets.engine.write_stubs import FACE_STUB, METHODS_STUB, stubs
from tests.parts import thorough_but
from tests.project.running import ROOT

SAMPLE = Path(__file__).with_name("typed_sample.py")
WRONG = """\
import tensorwidgets as torch

x = torch.ones(2, 3)
torch.narrow("x", 0, 1, 2)
torch.narrow(x, 0, 1)
x.transpose(0)
x["a"]
x[1.5]
torch.zeros(2, dtype="float32")
x.view(1.5)
torch.max(x, 0).vals
x.add_(1, out=x)
number: int = x.sum()
torch.frobnicate(x)
x.narow(0, 1, 2)
torch.cat(x, x)
x + "a"
x @ 2
x.shape = (3, 2)
torch.add(x, x, alpa=2)
for a, b in x.split(1).items():
    pass
"""
FIRST_WRONG = 4


def test_writing_the_stubs_again_changes_nothing() -> None:
    written = stubs()
    assert {FACE_STUB, METHODS_STUB} <= set(written)
    changed = [path.name for path, text in written.items() if path.read_text(encoding="utf-8") != text]
    assert changed == [], "python -m tensorwidgets.engine.write_stubs"


def names_in(path: Path, indent: str) -> set[str]:
    """What a stub defines at one depth."""
    text = path.read_text(encoding="utf-8")
    found = set(re.findall(rf"^{indent}(?:def |class )?(\w+)(?:\(| =|:)", text, re.M))
    return found | (set(re.findall(r"^(?:from .* import|   ) \w+ as (\w+)", text, re.M)) if not indent else set())


def test_the_stub_of_the_face_has_its_names() -> None:
    public = {name for name in dir(tw) if not name.startswith("_")}
    assert public - names_in(FACE_STUB, "") == set()
    assert {n for n in names_in(FACE_STUB, "") - public if not re.match("_|.*_result", n)} == set()


def test_the_stub_of_the_methods_has_what_rows_become() -> None:
    methods = {name for name, _ in method_names()}
    operators = {"__add__", "__radd__", "__iadd__", "__matmul__", "__getitem__", "__setitem__", "__eq__", "__neg__"}
    assert methods | operators | {"T", "mT", "real", "item", "numpy"} <= names_in(METHODS_STUB, "    ")


def test_rows_say_the_type_of_every_argument() -> None:
    loose = {
        f"{name}.{p.name}"
        for name, op in public_names()
        for way in ways(op)
        for p in way.parameters.values()
        if str(p.annotation) == "Any"
    }
    anything = {"tensor.data", "new_tensor.data", "as_tensor.data", "asarray.obj", "frombuffer.buffer"}
    assert loose <= anything | {"from_dlpack.ext_tensor"}


def test_what_is_filled_in_by_hand_is_of_rows_that_exist() -> None:
    assert set(signature_facts.WAYS) <= set(OPS)
    for key in signature_facts.TYPES_IN_OP:
        name, _, parameter = key.rpartition(".")
        assert any(parameter in way.parameters for way in ways(OPS[name])), key


def told_of(result: object) -> str:
    """The type that should be told of a result."""
    if isinstance(result, NamedResult):
        assert result.__match_args__ == signature_facts.RESULTS[type(result).__name__]
        return f"return_types.{type(result).__name__}"
    return "Tensor" if isinstance(result, tw.Tensor) else type(result).__name__


def test_results_are_of_the_type_that_is_told() -> None:
    """Of all ops that can be called with a matrix, and perhaps a dimension."""
    seen = Counter()
    for op in OPS.values():
        for way in ways(op) if op.forms else ():
            needed = [p.name for p in way.parameters.values() if p.default is inspect.Parameter.empty]
            if needed not in (["input"], ["A"], ["input", "dim"]):
                continue
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    result = op.function(tw.eye(2), *[0] * (len(needed) - 1))
            except Exception as error:
                assert hasattr(error, "reason"), op
                continue
            told = str(way.return_annotation)
            assert told_of(result) == ("tuple" if told.startswith("tuple[") else told), op
            seen[told] += 1
    assert seen["Tensor"] > 200 and seen["tuple[Tensor, ...]"] > 1 and seen["return_types.max"] == 1


@pytest.mark.torch
def test_named_results_have_the_places_of_pytorchs() -> None:
    import torch

    for name, fields in signature_facts.RESULTS.items():
        shown = repr(getattr(torch.return_types, name)([torch.tensor(n) for n in range(len(fields))]))
        assert tuple(re.findall(r"(\w+)=", shown)) == fields, name


# -- type checkers -----------------------------------------------------------------------------------------------


def refused(tool: str, *paths: Path) -> dict[str, dict[int, str]]:
    """The lines of files, by name, in which a type checker sees errors, and what it says.

    Options of mypy that change what it keeps are those of tests/project/test_tools.py, which runs before in the same
    worker: with others, each would throw the other's cache away, and check the package anew.
    """
    arguments = {
        "mypy": ["--no-error-summary", "--hide-error-context"],
        "pyright": ["--outputjson", "--pythonpath", sys.executable],
    }[tool]
    done = subprocess.run(
        [sys.executable, "-m", tool, *arguments, *map(str, paths)],
        cwd=ROOT,
        env={**os.environ, "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    assert done.returncode in (0, 1), done.stdout + done.stderr
    found: dict[str, dict[int, str]] = {path.name: {} for path in paths}
    if tool == "pyright":
        told = json.loads(done.stdout)
        assert told["summary"]["filesAnalyzed"] == len(paths)
        for error in told["generalDiagnostics"]:
            if error["severity"] == "error":
                found[Path(error["file"]).name][error["range"]["start"]["line"] + 1] = error["message"]
    else:
        for name, number, message in re.findall(r"^(.+?):(\d+): error: (.*)$", done.stdout, re.M):
            if Path(name).name in found:
                found[Path(name).name][int(number)] = message
    return found


@pytest.mark.parametrize("tool", thorough_but(["mypy"], ["mypy", "pyright"]))
def test_a_sample_of_user_code_passes_and_wrong_lines_are_refused(tool: str, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.py"
    wrong.write_text(WRONG)
    lines = WRONG.splitlines()
    found = refused(tool, SAMPLE, wrong)
    assert found[SAMPLE.name] == {}
    assert sorted(found[wrong.name]) == [n for n in range(FIRST_WRONG, len(lines) + 1) if lines[n - 1] != "    pass"]


def test_the_sample_runs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(SAMPLE.read_text(encoding="utf-8"), str(SAMPLE), "exec"), {"__name__": "sample"})
    assert "call    add: pointwise" in capsys.readouterr().out


# -- help --------------------------------------------------------------------------------------------------------


def test_signatures_can_be_asked_for() -> None:
    assert str(inspect.signature(tw.narrow)) == "(input: Tensor, dim: int, start: int | Tensor, length: int) -> Tensor"
    assert str(inspect.signature(tw.Tensor.narrow)).startswith("(self, dim: int, ")
    assert list(inspect.signature(tw.ones(2).narrow).parameters) == ["dim", "start", "length"]
    assert "alpha: Number = 1, out: Tensor | None = None" in str(inspect.signature(tw.add))
    assert str(inspect.signature(tw.Tensor.add_)) == "(self, other: Tensor | Number, *, alpha: Number = 1) -> Tensor"
    assert inspect.signature(tw.narrow).bind(1, 2, 3, length=4).arguments["length"] == 4


def test_every_row_has_a_signature_and_a_page() -> None:
    functions = [(attrgetter(name)(tw), op) for name, op in public_names() if "function" in op.forms]
    methods = [(getattr(tw.Tensor, name), op) for name, op in method_names()]
    for function, op in [*functions, *methods]:
        if isinstance(function, property):
            continue
        parameters = list(inspect.signature(function).parameters)
        assert not {"args", "kwargs", "named", "more"} & set(parameters), op
        assert (parameters[:1] == ["self"]) == function.__qualname__.startswith("Tensor."), op
        assert inspect.getdoc(function).startswith(op.words), op  # type: ignore[union-attr]


def test_help_says_what_a_function_is_for() -> None:
    text = pydoc.plain(pydoc.render_doc(tw.narrow))
    assert "narrow(input: Tensor, dim: int" in text
    assert "`length` slices along one dimension" in text
    assert "a view: the same storage, no element copied" in text
    assert ">>> torch.arange(5).narrow(0, 1, 3)\n    tensor([1, 2, 3])" in text
    assert "transpose_(dim0, dim1)" in pydoc.plain(pydoc.render_doc(tw.Tensor.transpose))
    assert str(tw.narrow.__doc__) == inspect.getdoc(tw.narrow)


def test_the_source_shown_is_the_rule() -> None:
    assert "geometry.narrow(" in inspect.getsource(tw.narrow)


def test_question_marks_answer() -> None:
    assert "a view: the same storage" in (getdoc(tw.narrow) or "")
    assert "x.add_(other, *, alpha=1)" in (getdoc(tw.ones(2).add_) or "")


@pytest.mark.parametrize(
    ("typed", "wanted", "unwanted"),
    [
        ("torch.nar", "narrow", "_FACE"),
        ("x.unsq", "unsqueeze_", "_array"),
        ("torch.ca", "catalogue", "_LATER"),
        ("torch.narrow(", "length=", "args="),
        ("x.sum(kee", "keepdim=", "more="),
    ],
)
def test_tab_completes(typed: str, wanted: str, unwanted: str) -> None:
    completer = IPCompleter(namespace={"torch": tw, "x": tw.arange(3)}, use_jedi=False)
    with provisionalcompleter():
        offered = {c.text.rpartition(".")[2] for c in completer.completions(typed, len(typed))}
    assert wanted in offered
    assert unwanted not in offered


def test_tab_shows_nothing_of_the_inside() -> None:
    assert {n for thing in (tw, tw.ones(2)) for n in dir(thing) if re.match("_[^_]", n)} == set()
