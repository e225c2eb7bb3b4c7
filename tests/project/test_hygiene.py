"""Every test asserts something, none is skipped, and no file knows the machine that it was written on."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.project.running import ROOT

SKIPS = {"skip", "skipif", "skipIf", "skipUnless", "xfail", "importorskip"}
GENERATED = {"__pycache__", ".ipynb_checkpoints", "node_modules"}
PARTS = (
    "tensorwidgets", "tests", "notebooks", "docs", "binder", "benchmarks", ".ci", ".github", "conftest.py",
    ".pre-commit-config.yaml", "pyproject.toml", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE",
)  # fmt: skip
TEXT = {
    "", ".cfg", ".css", ".html", ".ipynb", ".js", ".json", ".md", ".mjs", ".py", ".pyi", ".toml", ".tsv",
    ".txt", ".yaml", ".yml",
}  # fmt: skip


def files() -> Iterator[Path]:
    """Every file of the project, wherever the folder came from: a clone, a download, an archive."""
    for part in PARTS:
        top = ROOT / part
        found = [top] if top.is_file() else sorted(top.rglob("*")) if top.is_dir() else []
        yield from (p for p in found if p.is_file() and not GENERATED & set(p.parts))


def functions() -> Iterator[tuple[Path, ast.FunctionDef]]:
    for path in sorted((ROOT / "tests").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                yield path, node


def called(function: ast.AST) -> set[str]:
    """The last names of all that a function calls: `f` of `f()` and of `a.f()`."""
    names = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Call):
            target = node.func
            names.add(target.id if isinstance(target, ast.Name) else getattr(target, "attr", ""))
    return names


def asserts_itself(function: ast.FunctionDef) -> bool:
    return any(isinstance(node, ast.Assert) for node in ast.walk(function)) or any(
        name in ("raises", "warns", "fail") or name.startswith("assert") for name in called(function)
    )


def test_every_test_asserts() -> None:
    """By itself, or through a helper of the tests that does."""
    known = list(functions())
    asserting = {f.name for _, f in known if asserts_itself(f)}
    while more := {f.name for _, f in known if f.name not in asserting and called(f) & asserting}:
        asserting |= more
    idle = [
        f"{path.relative_to(ROOT)}:{f.lineno} {f.name}"
        for path, f in known
        if f.name.startswith("test_") and path.name.startswith("test_") and f.name not in asserting
    ]
    assert idle == []


def test_nothing_is_skipped() -> None:
    found = []
    for path in sorted((ROOT / "tests").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and node.attr in SKIPS and path != Path(__file__):
                found.append(f"{path.relative_to(ROOT)}:{node.lineno} {node.attr}")
    unseen = {".ipynb": r"nbval-(skip|ignore-output)|NBVAL_(SKIP|IGNORE_OUTPUT)"}
    unseen[".py"] = unseen[".md"] = r"doctest:.*\+SKIP"
    for path in files():
        if path.suffix in unseen and path != Path(__file__):
            if re.search(unseen[path.suffix], path.read_text(encoding="utf-8")):
                found.append(str(path.relative_to(ROOT)))
    assert found == []


def test_no_file_names_a_machine() -> None:
    """No absolute path into a person's or a workplace's own folder."""
    path_of_a_machine = re.compile(r"(?<![\w.~})-])/(work|root|farm|home|Users)/\w|[A-Z]:\\\\?Users\\")
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in files()
        if path.suffix in TEXT
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if path_of_a_machine.search(line) and path != Path(__file__)
    ]
    assert found == []


def test_the_scan_reads_the_project() -> None:
    read = {p.relative_to(ROOT).as_posix() for p in files()}
    assert {"pyproject.toml", ".ci/run", "tensorwidgets/py.typed", "tests/project/test_hygiene.py"} <= read
