"""Lint, types and the floors of the house are part of the one test command."""

from __future__ import annotations

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
    """A house of empty rooms, in which every contract is kept."""
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
    kept = lint_imports(house, "--no-cache")
    assert kept.returncode == 0, kept.stdout + kept.stderr
    return house


@pytest.mark.parametrize(
    ("floor", "line", "contract"),
    [
        ("engine", "import tensorwidgets.pictures", "Imports go down only"),
        ("pictures", "import tensorwidgets.course", "Imports go down only"),
        ("engine", "import tensorwidgets", "No floor imports the face"),
        ("pictures", "import tensorwidgets.engine.tensor.tensor", "Pictures know only"),
        ("engine", "import torch", "Nobody imports PyTorch"),
        ("engine/geometry", "def later():\n    from ..tensor import tensor", "Rooms of the engine"),
        ("engine/ops/views", "from ..linalg import solve", "Rooms of the engine"),
    ],
)
def test_the_contract_notices(small_house: Path, floor: str, line: str, contract: str) -> None:
    """With one wrong import in the small house the right contract breaks."""
    wrong = small_house / "tensorwidgets" / floor / "wrong.py"
    wrong.write_text(line + "\n")
    broken = lint_imports(small_house, "--no-cache")
    wrong.unlink()
    assert broken.returncode != 0
    assert any(contract in row and "BROKEN" in row for row in broken.stdout.splitlines()), broken.stdout
