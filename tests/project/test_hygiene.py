"""Every test asserts something, none is skipped, and no file knows the machine that it was written on."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from tests.project.running import ROOT

SKIPS = {"skip", "skipif", "skipIf", "skipUnless", "xfail", "importorskip"}
GENERATED = {"__pycache__", ".ipynb_checkpoints", "node_modules"}
PARTS = (
    "tensorwidgets", "tests", "notebooks", "docs", "binder", "benchmarks", ".ci", ".github", "conftest.py",
    ".pre-commit-config.yaml", "pyproject.toml", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE",
)  # fmt: skip
GIT = (ROOT / ".git").exists() and shutil.which("git")
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


@dataclass
class Function:
    """A function of the tests, with what stands in it and in the functions inside of it."""

    path: Path
    line: int
    name: str
    called: set[str] = field(default_factory=set)
    """The last names of all that it calls."""
    asserts: bool = False

    def asserts_itself(self) -> bool:
        return self.asserts or any(
            name in ("raises", "warns", "fail") or name.startswith("assert") for name in self.called
        )


@cache
def read() -> tuple[list[Function], list[str]]:
    """All functions of the tests, and all attributes that are a way to skip: each tree is walked once."""
    functions, skips = [], []

    def walk(node: ast.AST, around: list[Function]) -> None:
        if isinstance(node, ast.FunctionDef):
            functions.append(Function(path, node.lineno, node.name))
            around = [*around, functions[-1]]
        elif isinstance(node, ast.Call):
            name = last_name(node.func)
            for function in around:
                function.called.add(name)
        elif isinstance(node, ast.Assert):
            for function in around:
                function.asserts = True
        elif isinstance(node, ast.Attribute) and node.attr in SKIPS and path != Path(__file__):
            skips.append(f"{path.relative_to(ROOT)}:{node.lineno} {node.attr}")
        for child in ast.iter_child_nodes(node):
            walk(child, around)

    for path in sorted((ROOT / "tests").rglob("*.py")):
        walk(ast.parse(path.read_text(encoding="utf-8")), [])
    return functions, skips


def last_name(target: ast.expr) -> str:
    """Of what is called: `f` of `f()` and of `a.f()`."""
    return target.id if isinstance(target, ast.Name) else getattr(target, "attr", "")


def test_every_test_asserts() -> None:
    """By itself, or through a helper of the tests that does."""
    known, _ = read()
    asserting = {f.name for f in known if f.asserts_itself()}
    while more := {f.name for f in known if f.name not in asserting and f.called & asserting}:
        asserting |= more
    idle = [
        f"{f.path.relative_to(ROOT)}:{f.line} {f.name}"
        for f in known
        if f.name.startswith("test_") and f.path.name.startswith("test_") and f.name not in asserting
    ]
    assert idle == []


def test_nothing_is_skipped() -> None:
    found = [*read()[1]]
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
    texts = ((path, path.read_text(encoding="utf-8")) for path in files() if path.suffix in TEXT)
    named = [(path, text) for path, text in texts if path_of_a_machine.search(text) and path != Path(__file__)]
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for path, text in named
        for number, line in enumerate(text.splitlines(), 1)
        if path_of_a_machine.search(line)
    ]
    assert found == [] and not named


def test_the_package_names_the_encoding_of_every_text_file() -> None:
    """Without it Windows reads and writes cp1252, and a machine in another language something else."""
    found = []
    texts = ((path, path.read_text(encoding="utf-8")) for path in sorted((ROOT / "tensorwidgets").rglob("*.py")))
    for path, text in [(path, text) for path, text in texts if re.search(r"open\(|_text\(|fdopen|File\(", text)]:
        for node in ast.walk(ast.parse(text)):
            if (
                isinstance(node, ast.Call)
                and opens_text(node)
                and not {"encoding", None} & {k.arg for k in node.keywords}
            ):
                found.append(f"{path.relative_to(ROOT)}:{node.lineno} {ast.unparse(node)[:80]}")
    assert found == []


def opens_text(call: ast.Call) -> bool:
    """Whether a call opens a file of text: `open(path)`, `path.open("w")`, `path.read_text()` and their kin.

    >>> [opens_text(ast.parse(call, mode="eval").body) for call in ("open(p)", "open(p, 'rb')", "p.write_text(t)")]
    [True, False, True]
    """
    name = last_name(call.func)
    if name in ("read_text", "write_text"):
        return len(call.args) <= (name == "write_text")
    if name not in ("open", "fdopen"):
        return False
    place = 0 if name == "open" and isinstance(call.func, ast.Attribute) else 1
    given = (
        call.args[place] if len(call.args) > place else next((k.value for k in call.keywords if k.arg == "mode"), None)
    )
    mode: Any = given.value if isinstance(given, ast.Constant) else "b"  # what is not known may be a file of bytes
    if given is None and isinstance(call.func, ast.Name):
        mode = "r"
    return isinstance(mode, str) and "b" not in mode and set(mode) <= set("rwxat+")


def test_nothing_else_is_committed() -> None:
    """Files that a program left in the top folder go in by themselves with `git add .`. An archive has no list."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True) if GIT else None
    tops = {line.partition("/")[0] for line in listed.stdout.splitlines()} if listed else set(PARTS)
    assert tops - {".gitignore"} == set(PARTS)


def test_few_arguments_of_the_engine_are_of_any_type() -> None:
    """Under a tenth of those that have a type."""
    loose = [
        isinstance(argument.annotation, ast.Name) and argument.annotation.id == "Any"
        for path in sorted((ROOT / "tensorwidgets" / "engine").rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef)
        for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
        if argument.annotation is not None
    ]
    assert len(loose) > 10_000 and sum(loose) < len(loose) / 10


def test_the_scan_reads_the_project() -> None:
    there = {p.relative_to(ROOT).as_posix() for p in files()}
    assert {"pyproject.toml", ".ci/run", "tensorwidgets/py.typed", "tests/project/test_hygiene.py"} <= there
