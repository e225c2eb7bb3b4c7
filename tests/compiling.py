"""Workers of a first run compile the checkout together: each a share of the files, before all of them need all."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Sequence
from importlib.machinery import SourceFileLoader
from pathlib import Path

from _pytest.assertion.rewrite import AssertionRewritingHook

ROOT = Path(__file__).resolve().parent.parent


class _NotRun:
    """A module that cannot be run, for its names are no dict: pytest writes its code down first, and then runs it."""

    __slots__ = ("__name__", "__spec__")

    @property
    def __dict__(self) -> tuple[()]:  # type: ignore[override]
        return ()


def compile_share(share: int, shares: int) -> None:
    """Write the bytecode of every `shares`-th source file, if it has none: pytest's own form of a test's."""
    hook = next((one for one in sys.meta_path if isinstance(one, AssertionRewritingHook)), None)
    for path in _sources()[share::shares]:
        if _tested(path):
            if hook is not None and not any(path.parent.glob(f"__pycache__/{path.stem}.*pytest*")):
                _rewrite(hook, path)
        elif not Path(importlib.util.cache_from_source(str(path))).exists():
            SourceFileLoader(path.stem, str(path)).get_code(path.stem)


def _sources() -> Sequence[Path]:
    """In the order in which they are collected, so that nobody waits for what comes last."""
    return [path for folder in ("tensorwidgets", "tests") for path in sorted((ROOT / folder).rglob("*.py"))]


def _tested(path: Path) -> bool:
    """Whether pytest compiles a file in its own way, with asserts that tell what they saw."""
    return path.name.startswith("test_") or path.name == "conftest.py"


def _rewrite(hook: AssertionRewritingHook, path: Path) -> None:
    module = _NotRun()
    module.__name__ = f"not run: {path}"
    module.__spec__ = importlib.util.spec_from_file_location(module.__name__, path, loader=hook)
    try:
        hook.exec_module(module)  # type: ignore[arg-type]
    except TypeError:
        pass  # exec wants a dict of names
