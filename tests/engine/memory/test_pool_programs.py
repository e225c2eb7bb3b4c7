"""A part of the random programs over the pool; `python -m tests.engine.memory.pool_programs` runs more of them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.parts import thorough_but


@pytest.mark.parametrize("count", thorough_but([5_000], [5_000, 20_000]))
def test_random_programs_agree_with_numpy_whatever_comes_between(root: Path, count: int) -> None:
    """In a process of its own: a hang ends it with a traceback of every thread."""
    program = (
        "from tests.engine.memory.pool_programs import programs\n"
        f"report = programs({count}, patience=300)\n"
        "print(report)\n"
        "assert report.interrupts and report.handled and report.finalised and report.reused\n"
        "assert not report.differences and not report.left, report.differences[:9]\n"
    )
    run = subprocess.run([sys.executable, "-c", program], cwd=root, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "0 differences, 0 bytes left" in run.stdout
