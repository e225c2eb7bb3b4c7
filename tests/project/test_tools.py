"""Lint, types and the floors of the house are part of the one test command."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from docs import rooms
from tests.project.running import ROOT, run_module

IMPORT_LINTER = "import sys; from importlinter.cli import lint_imports_command; lint_imports_command()"


def test_ruff_finds_nothing() -> None:
    assert "All checks passed" in run_module("ruff", "check", ".")


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
def test_the_contract_notices(tmp_path: Path, floor: str, line: str, contract: str) -> None:
    """In a small house with one wrong import the right contract breaks."""
    package = tmp_path / "tensorwidgets"
    folders = [room.partition(".")[2].replace(".", "/") for room in rooms.floors()]
    for name in ("", "engine", "engine/ops", "engine/backends", "pictures", "course", *folders):
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
    (tmp_path / "pyproject.toml").write_text((ROOT / "pyproject.toml").read_text())
    kept = lint_imports(tmp_path, "--no-cache")
    assert kept.returncode == 0, kept.stdout + kept.stderr
    (package / floor / "wrong.py").write_text(line + "\n")
    broken = lint_imports(tmp_path, "--no-cache")
    assert broken.returncode != 0
    assert any(contract in row and "BROKEN" in row for row in broken.stdout.splitlines()), broken.stdout
