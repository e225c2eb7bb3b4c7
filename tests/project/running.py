"""Run a tool of the test environment and show all that it said when it is not content."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def run(command: Sequence[str], cwd: Path = ROOT, **env: str) -> str:
    """The output of a command that must succeed."""
    done = subprocess.run(
        command, cwd=cwd, env={**os.environ, **env}, stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    said = f"{' '.join(command)} ended with {done.returncode}\n{done.stdout}{done.stderr}"
    assert done.returncode == 0, said
    return done.stdout


def run_module(module: str, *arguments: str, cwd: Path = ROOT, **env: str) -> str:
    """`python -m module ...` in this environment."""
    return run([sys.executable, "-m", module, *arguments], cwd, **env)


def run_python(code: str, *arguments: str, cwd: Path = ROOT, **env: str) -> str:
    """`python -c code ...` in this environment, with the checkout importable."""
    return run([sys.executable, "-c", code, *arguments], cwd, **env)
