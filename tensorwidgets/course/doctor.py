"""`tensorwidgets doctor`: checks the installation and says how to fix it."""

from __future__ import annotations

import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

from tensorwidgets.course.lab import browser_here

INSTALL = 'from the project\'s folder: pip install ".[lab]"'
NEEDED = ("numpy", "scipy", "ml_dtypes", "threadpoolctl", "h5py", "anywidget", "ipywidgets", "executing")
FOR_THE_LAB = ("jupyterlab", "jupyterlab_widgets", "matplotlib", "pandas", "pillow", "scikit-learn")


class Finding(NamedTuple):
    """The result of one check."""

    what: str
    result: str
    well: bool
    to_do: str = ""


def findings(folder: Path) -> Iterator[Finding]:
    """Every check, the most important first."""
    yield _python()
    yield _package("tensorwidgets", INSTALL)
    for name in NEEDED:
        yield _package(name, INSTALL)
    for name in FOR_THE_LAB:
        yield _package(name, INSTALL)
    yield _browser()
    yield _writing(folder)
    yield _gpu()


def _python() -> Finding:
    result = f"{platform.python_version()} on {platform.system()}"
    return Finding("Python", result, sys.version_info >= (3, 11), "install Python 3.11 or later, then start again")


def _package(name: str, to_do: str) -> Finding:
    try:
        return Finding(name, version(name), True)
    except PackageNotFoundError:
        return Finding(name, "not installed", False, to_do)


def _browser() -> Finding:
    name = browser_here()
    if name is not None:
        return Finding("browser", name, True)
    return Finding("browser", "none on this machine: tensorwidgets lab prints the address to open", True)


def _writing(folder: Path) -> Finding:
    place = folder.resolve()
    while not place.exists():
        place = place.parent
    try:
        with tempfile.TemporaryFile(dir=place) as trial:
            trial.write(b"x")
        free = shutil.disk_usage(place).free // 2**20
    except OSError as refused:
        return Finding("writing here", os.strerror(refused.errno or 0), False, "tensorwidgets lab --dir FOLDER")
    return Finding("writing here", f"works, {free:,} MB free", free > 100, "free some space, or use --dir FOLDER")


def _gpu() -> Finding:
    """No lesson needs a GPU, so this check never fails."""
    try:
        import cupy

        if cupy.cuda.is_available():
            return Finding("GPU", f"{cupy.cuda.runtime.getDeviceCount()}, through CuPy {cupy.__version__}", True)
        return Finding("GPU", "CuPy finds none; no lesson needs one", True)
    except ImportError:
        return Finding("GPU", "not checked: CuPy is not installed, and no lesson needs it", True)


def report(folder: Path) -> tuple[str, bool]:
    """The results as lines, and whether every check passed."""
    result = list(findings(folder))
    wide = max(len(one.what) for one in result)
    lines = []
    for one in result:
        lines.append(f"{'ok  ' if one.well else 'FIX '}  {one.what:{wide}}  {one.result}")
        if not one.well:
            lines.append(f"{'':{wide + 6}}  fix: {one.to_do}")
    well = all(one.well for one in result)
    again = "Fix what is marked, then run tensorwidgets doctor again."
    lines.append("Everything works. Start with: tensorwidgets lab" if well else again)
    return "\n".join(lines), well
