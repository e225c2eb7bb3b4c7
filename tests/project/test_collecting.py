"""How tests are collected: each source file is run once, the longest files go first, and folders use all cores."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from _pytest.assertion.rewrite import AssertionRewritingHook
from _pytest.doctest import DoctestModule
from hypothesis.internal.conjecture import providers
from nbval.plugin import IPyNbCell, NbCellError

import conftest
from tests import compiling
from tests.parts import Part, thorough_but, two_parts
from tests.project.running import ROOT, run_python

COLLECT = """
import pytest

class Once:
    def pytest_collection_finish(self):
        import tensorwidgets
        from tensorwidgets.engine.tensor.tensor import Tensor
        assert tensorwidgets.Tensor is Tensor

engine = "tensorwidgets/engine"
files = [f"{engine}/tensor/tensor.py", f"{engine}/errors/reasons.py"]
raise SystemExit(pytest.main(["-n", "0", "-p", "no:cacheprovider", "--collect-only", "-q", *files], [Once()]))
"""


def test_a_source_file_that_is_named_is_run_once() -> None:
    assert "errors/reasons.py" in run_python(COLLECT)


def test_examples_are_looked_for_where_there_are_some(tmp_path: Path) -> None:
    """In the text of a file, and in help that is made for what it defines."""
    plain = tmp_path / "plain.py"
    plain.write_text('"""No example."""\n')
    assert not conftest.has_examples(plain)
    assert not conftest.has_examples(plain, ModuleType("plain"))
    assert conftest.has_examples(ROOT / "conftest.py")
    made = ROOT / "tensorwidgets/special.py"
    assert ">>>" not in made.read_text(encoding="utf-8")
    assert conftest.has_examples(made, import_module("tensorwidgets.special"))


def test_a_file_without_examples_is_not_searched_for_them() -> None:
    found: dict[bool, list[Any]] = {}
    for here in (True, False):
        path = ROOT / ("tensorwidgets/special.py" if here else "tests/project/running.py")
        searched = DoctestModule.__new__(DoctestModule)
        hook = conftest.pytest_collect_file(path)
        next(hook)
        with pytest.raises(StopIteration) as told:
            hook.send([searched])
        found[here] = told.value.value
    assert len(found[True]) == 1 and found[False] == []


@pytest.mark.parametrize(
    ("marks", "made"), [("not torch and not thorough", False), ("thorough", False), ("torch", True), ("", True)]
)
def test_comparisons_with_pytorch_are_collected_where_they_are_wanted(marks: str, made: bool) -> None:
    collector: Any = SimpleNamespace(config=SimpleNamespace(option=SimpleNamespace(markexpr=marks)))

    @pytest.mark.torch
    def live() -> None: ...

    assert (conftest.pytest_pycollect_makeitem(collector, live) is None) is made
    assert conftest.pytest_pycollect_makeitem(collector, SimpleNamespace(pytestmark=[pytest.mark.torch.mark])) is None
    assert conftest.pytest_pycollect_makeitem(collector, unmarked) is None


def unmarked() -> None:
    """A function without marks."""


@pytest.mark.parametrize(
    ("marks", "longest"),
    [
        ("not torch and not thorough", conftest.LONGEST_FIRST),
        ("thorough", conftest.LONGEST_REST),
        ("torch", conftest.LONGEST_LIVE),
    ],
)
def test_the_longest_files_go_first_and_browser_tests_together(marks: str, longest: dict[str, int]) -> None:
    names = [
        "docs/live.md",
        "tests/engine/numbers/test_casts.py",
        *{**conftest.LONGEST_FIRST, **conftest.LONGEST_REST, **conftest.LONGEST_LIVE},
        "tests/browser/test_harness.py",
    ]
    items: list[Any] = [SimpleNamespace(path=ROOT / name) for name in names]
    config: Any = SimpleNamespace(option=SimpleNamespace(markexpr=marks))
    conftest.pytest_collection_modifyitems(config, items)
    ordered = [item.path.relative_to(ROOT).as_posix() for item in items]
    browser = [name.startswith("tests/browser/") for name in ordered]
    assert browser == sorted(browser, reverse=True)
    for same in (True, False):
        seconds = [
            longest.get(name, 0)
            for name, is_one in zip(ordered, browser, strict=True)
            if is_one is same and name not in conftest.WITH_JUPYTERLAB
        ]
        assert seconds == sorted(seconds, reverse=True)
    lab = [name for name in ordered if name in conftest.WITH_JUPYTERLAB]
    assert len(lab) > 5 and ordered[: len(lab)] == lab
    others = [name for name in names if name not in longest and not name.startswith("tests/browser/")]
    assert ordered[-len(others) :] == others and others[:2] == names[:2]


def test_every_file_that_is_named_exists() -> None:
    longest = {*conftest.LONGEST_FIRST, *conftest.LONGEST_REST, *conftest.LONGEST_LIVE}
    named = longest | conftest.WITH_JUPYTERLAB | {*conftest.WITH_MYPY}
    assert len(named) > 20 and all((ROOT / name).is_file() for name in named)


def test_browser_tests_are_two_lots_and_other_files_stay_whole() -> None:
    assert {conftest.files_together(f"{name}::test_x") for name in conftest.WITH_MYPY} == {"mypy"}
    for path in (ROOT / "tests/browser").glob("test_*.py"):
        fixtures = re.search(r"\b(open_notebook|desk|lab): ", path.read_text(encoding="utf-8"))
        lot = conftest.files_together(f"{path.relative_to(ROOT).as_posix()}::test_x[1]")
        assert lot == ("jupyterlab" if fixtures else "pictures"), path.name
    assert conftest.files_together("docs/live.md::live.md") == "docs/live.md"
    assert conftest.files_together("notebooks/03_storage.ipynb::Cell 2") == "notebooks/03_storage.ipynb"


@pytest.mark.parametrize(("file", "number"), [("04_views_or_copies.ipynb", "04"), ("puzzles.ipynb", "puzzles")])
def test_a_cell_with_other_outputs_says_how_its_notebook_is_rebuilt(file: str, number: str) -> None:
    cell = IPyNbCell.__new__(IPyNbCell)
    cell.path = ROOT / "notebooks" / file
    said = {"Cell outputs differ": True, "Cell execution caused an exception": False}
    for message, rebuilt in said.items():
        running = conftest.pytest_runtest_call(cell)
        next(running)
        with pytest.raises(NbCellError) as raised:
            running.throw(NbCellError(2, message, "x", "a != b"))
        last = raised.value.inner_traceback.splitlines()[-1]
        assert last == (f"{conftest.REBUILD}{number}" if rebuilt else "a != b")


def test_outputs_that_differ_are_shown_where_they_do() -> None:
    given, committed = ([{"data": {"image/png": "A" * 9000 + end}}] for end in ("now", "was"))
    said = conftest.first_difference(given, committed)
    assert said.startswith("outputs[0]['data']['image/png'] is now\n...AAA") and len(said) < 200
    assert "Anow\nand was\n" in said and said.endswith("Awas")
    two = conftest.first_difference([{"name": "stdout"}], [{"name": "stdout"}, {"name": "stderr"}])
    assert two.startswith("outputs is now") and "stderr" in two


def test_generated_examples_do_not_depend_on_what_was_imported_before() -> None:
    """Hypothesis would also try constants from the modules that are there: others for each order of the tests."""
    assert len(providers._get_local_constants()) == 0


def test_no_process_compiles_what_another_has_compiled() -> None:
    assert run_python("import sys; print(sys.dont_write_bytecode)").strip() == "False"


def test_workers_share_the_compiling_of_a_new_checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No file is run, and what is written is what an import and pytest read."""
    monkeypatch.setattr(compiling, "ROOT", tmp_path)
    for folder in ("tensorwidgets", "tests"):
        (tmp_path / folder).mkdir()
        for name in ("one.py", "test_two.py"):
            (tmp_path / folder / name).write_text("assert 1 + 1 == 2\nraise SystemExit('run')\n")

    def written() -> dict[str, int]:
        return {
            f"{path.parent.parent.name}/{path.name.partition('.')[0]}": path.stat().st_ino
            for path in tmp_path.rglob("*.pyc")
        }

    compiling.compile_share(1, 2)
    assert {*written()} == {"tensorwidgets/test_two", "tests/test_two"}
    compiling.compile_share(0, 2)
    before = written()
    assert len(before) == 4
    for path in tmp_path.rglob("*.py"):
        spec = spec_from_file_location("compiled", path)
        if path.name.startswith("test_"):
            loader = next(one for one in sys.meta_path if isinstance(one, AssertionRewritingHook))
            spec = spec_from_file_location("compiled", path, loader=loader)
        assert spec and spec.loader
        with pytest.raises(SystemExit):
            spec.loader.exec_module(module_from_spec(spec))
    compiling.compile_share(0, 1)
    assert written() == before


@pytest.mark.parametrize(
    ("named", "marks", "more"),
    [
        (["tests/engine"], "not torch", 1),  # a worker more than there are cores: many tests wait
        (["README.md", "docs"], "not torch", 1),
        (["tests/engine"], "torch", 0),
        (["tests/engine/numbers/test_casts.py::test_x", "README.md"], "not torch", None),
    ],
)
def test_folders_have_workers_and_files_have_none(
    named: list[str], marks: str, more: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conftest.os, "cpu_count", lambda: 2)
    option = SimpleNamespace(dist="loadfile", markexpr=marks)
    config: Any = SimpleNamespace(args=named, invocation_params=SimpleNamespace(dir=Path(ROOT)), option=option)
    assert conftest.pytest_xdist_auto_num_workers(config) == (0 if more is None else 2 + more)
    assert option.dist == ("no" if more is None else "loadfile")


@pytest.mark.parametrize("kind", [None, lambda item: item % 7, lambda item: item])
def test_the_parts_of_a_sweep_are_the_whole_of_it(kind: Callable[[int], int] | None) -> None:
    for every in (1, 2, 5):
        for count in (0, 1, 2, 30, 31):
            plain, rest = (Part(every, rest).of(range(count), kind) for rest in (False, True))
            assert sorted(plain + rest) == [*range(count)]
            assert kind is None or {kind(item) for item in plain} == {kind(item) for item in range(count)}
    assert [k for k in range(9) if Part(3).takes(k)] == [0, 3, 6] and Part(3).of(range(9)) == [0, 3, 6]
    assert [k for k in range(9) if Part(3, rest=True).takes(k)] == [1, 2, 4, 5, 7, 8]


def test_the_rest_of_a_sweep_is_thorough() -> None:
    plain, rest = two_parts(4)
    assert not plain.marks and [mark.name for mark in rest.marks] == ["thorough"]
    one, *others = thorough_but(["a"], ["a", "b", ("c", 1)])
    assert one == "a" and [(value.values, value.marks[0].name) for value in others] == [
        (("b",), "thorough"),
        (("c", 1), "thorough"),
    ]
    with pytest.raises(AssertionError):
        thorough_but(["d"], ["a"])
