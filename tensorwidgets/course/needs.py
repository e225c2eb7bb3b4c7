"""Checks whether everything that the lessons need is installed, and says how to fix what is missing. Never raises.

It prints no installed version, so that the output of a lesson is the same on every working machine.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from importlib import import_module, metadata


@dataclass(frozen=True)
class Need:
    """A package that the lessons need."""

    package: str
    module: str
    least: str
    for_what: str
    tried: bool = True
    """Whether to import it, which finds a broken one too. scikit-learn takes a second, and is only looked for."""


NEEDS = (
    Need("numpy", "numpy", "2", "the numbers under every tensor"),
    Need("scipy", "scipy", "1.13", "special functions and linear algebra"),
    Need("ml_dtypes", "ml_dtypes", "0.5", "bfloat16 and float8"),
    Need("threadpoolctl", "threadpoolctl", "3.5", "counting and limiting threads"),
    Need("h5py", "h5py", "3.11", "HDF5 files"),
    Need("anywidget", "anywidget", "0.9.18", "live pictures"),
    Need("ipywidgets", "ipywidgets", "8.1.5", "live pictures"),
    Need("cloudpickle", "cloudpickle", "3.0", "datasets of a notebook in other processes"),
    Need("executing", "executing", "2.1", "pictures that know your variable's name"),
)
FOR_THE_PHOTOGRAPH = (
    Need("scikit-learn", "sklearn", "1.5", "the course's photograph and its digits", tried=False),
    Need("pillow", "PIL", "10.1", "reading the photograph"),
)
"""The package itself does without them, so they come with `[lab]`."""


@dataclass(frozen=True)
class Finding:
    """The result of one check, and how to fix it (empty if nothing is wrong)."""

    what: str
    way_out: str = ""

    def __str__(self) -> str:
        return f"MISSING  {self.what}\n         {self.way_out}" if self.way_out else f"ok       {self.what}"


def look_for(need: Need) -> Finding:
    """
    >>> print(look_for(Need("numpy", "numpy", "2", "numbers")))
    ok       numpy 2 or later: numbers
    >>> print(look_for(Need("numpy", "numpy", "999", "numbers")))
    MISSING  numpy 999 or later: numbers
             run `pip install "numpy>=999"`, then restart the kernel
    """
    what = f"{need.package} {need.least} or later: {need.for_what}"
    way_out = f'run `pip install "{need.package}>={need.least}"`, then restart the kernel'
    try:
        if need.tried:
            import_module(need.module)
        result = metadata.version(need.package)
    except Exception:  # a package that is broken in any way is to be put in again
        return Finding(what, way_out)
    return Finding(what) if _numbers(result) >= _numbers(need.least) else Finding(what, way_out)


def _numbers(version: str) -> tuple[int, ...]:
    """(8, 1, 5) of 8.1.5; a part like 0rc1 counts by its leading digits."""
    parts = []
    for part in version.split("."):
        digits = part[: len(part) - len(part.lstrip("0123456789"))]
        if not digits:
            break
        parts.append(int(digits))
    return tuple(parts)


def findings() -> tuple[Finding, ...]:
    """The result of every check."""
    python = Finding(
        "Python 3.11 or later",
        "" if sys.version_info >= (3, 11) else "make a new environment with a later Python",
    )
    return (python, *map(look_for, NEEDS + FOR_THE_PHOTOGRAPH))


def setup_check() -> None:
    """Prints a line for each package that the lessons need, and how to fix what is missing."""
    result = findings()
    print(*result, sep="\n")
    wrong = sum(bool(f.way_out) for f in result)
    print(f"\n{wrong} to fix." if wrong else "\nEverything is here.")
