"""Lint, types and the floors of the house are part of the one test command."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.project.running import ROOT, run_module

IMPORT_LINTER = "import sys; from importlinter.cli import lint_imports_command; lint_imports_command()"


def test_ruff_finds_nothing() -> None:
    assert "All checks passed" in run_module("ruff", "check", ".")


def test_ruff_would_format_nothing_otherwise() -> None:
    """Stubs are written by a script, and are formatted by it."""
    folders = ("tensorwidgets", "tests", "benchmarks", "docs")
    files = ["conftest.py", *(str(p.relative_to(ROOT)) for f in folders for p in sorted((ROOT / f).rglob("*.py")))]
    assert "files already formatted" in run_module("ruff", "format", "--check", *files)


def test_types_hold() -> None:
    assert "Success: no issues found" in run_module("mypy")


def lint_imports(cwd: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", IMPORT_LINTER, "--no-logo", *arguments],
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )


def test_imports_go_down_only() -> None:
    done = lint_imports(ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 0 broken" in done.stdout


@pytest.fixture(scope="module")
def small_house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A house of empty rooms, in which every contract can be kept."""
    house = tmp_path_factory.mktemp("house")
    package = house / "tensorwidgets"
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    layers = [layer.strip("()") for contract in contracts for layer in contract.get("layers", [])]
    folders = [layer.partition(".")[2].replace(".", "/") for layer in layers]
    parents = " engine engine/ops engine/backends engine/layouts engine/layouts/sparse pictures course".split(" ")
    for name in (*parents, *folders):
        (package / name).mkdir(exist_ok=True)
        (package / name / "__init__.py").write_text("")
    for name in ("tensor/tensor", "types/dtypes", "errors/reasons", "ops/linalg/solve"):
        (package / "engine" / f"{name}.py").write_text("")
    allowed = (
        "from tensorwidgets.engine import geometry\n"
        "from tensorwidgets.engine.types import dtypes\n"
        "from tensorwidgets.engine.errors import reasons\n"
    )
    (package / "pictures" / "allowed.py").write_text(allowed)
    (house / "pyproject.toml").write_text((ROOT / "pyproject.toml").read_text())
    return house


WRONG = [
    ("engine", "import tensorwidgets.pictures", "Imports go down only"),
    ("pictures", "import tensorwidgets.course", "Imports go down only"),
    ("engine", "import tensorwidgets", "No floor imports the face"),
    ("pictures", "import tensorwidgets.engine.tensor.tensor", "Pictures know only"),
    ("engine", "import torch", "Nobody imports PyTorch"),
    ("engine/geometry", "def later():\n    from ..tensor import tensor", "Rooms of the engine"),
    ("engine/ops/views", "from ..linalg import solve", "Rooms of the engine"),
]
"""A room of the small house, a line that is wrong there, and the contract that it breaks."""

ONE_BY_ONE = """import contextlib, io, json, pathlib, sys
from importlinter.cli import lint_imports
told = []
for place, line in [(None, None), *json.load(sys.stdin)]:
    wrong = place and pathlib.Path(place, "wrong.py")
    if wrong:
        wrong.write_text(line)
    with contextlib.redirect_stdout(io.StringIO()) as said:
        code = lint_imports(no_cache=True)
    told.append((code, said.getvalue()))
    if wrong:
        wrong.unlink()
print(json.dumps(told))
"""
"""What is said of the house as it is, and of the house with each wrong line. To start a process takes longest."""


@pytest.fixture(scope="module")
def told(small_house: Path) -> list[tuple[int, str]]:
    lines = [(f"tensorwidgets/{floor}", line + "\n") for floor, line, _ in WRONG]
    said = subprocess.run(
        [sys.executable, "-c", ONE_BY_ONE], cwd=small_house, input=json.dumps(lines), capture_output=True, text=True
    )
    assert said.returncode == 0, said.stderr
    answer: list[tuple[int, str]] = json.loads(said.stdout)
    return answer


def test_a_house_without_a_wrong_import_keeps_every_contract(told: list[tuple[int, str]]) -> None:
    code, said = told[0]
    assert code == 0 and " 0 broken" in said, said


@pytest.mark.parametrize("place", range(len(WRONG)), ids=[f"{line}-{floor}" for floor, line, _ in WRONG])
def test_the_contract_notices(place: int, told: list[tuple[int, str]]) -> None:
    """With one wrong import in the small house the right contract breaks."""
    code, said = told[place + 1]
    assert code != 0
    assert any(WRONG[place][2] in row and "BROKEN" in row for row in said.splitlines()), said
