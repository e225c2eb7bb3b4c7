"""torch._dynamo: of PyTorch's compiler, the switches that programs set and the marks that they write.

>>> import tensorwidgets as torch
>>> torch._dynamo.config.suppress_errors = True
>>> torch._dynamo.is_compiling()
False
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

from ..compiler import allow_in_graph, assume_constant_result, compile, disable, is_compiling, reset
from .eval_frame import OptimizedModule

__all__ = [
    "OptimizedModule", "allow_in_graph", "assume_constant_result", "config", "disable", "graph_break", "is_compiling",
    "is_dynamo_supported", "is_inductor_supported", "list_backends", "mark_dynamic", "mark_static",
    "mark_static_address", "maybe_mark_dynamic", "optimize", "reset",
]  # fmt: skip


class _Config(SimpleNamespace):
    @contextlib.contextmanager
    def patch(self, *args: Any, **switches: Any) -> Iterator[None]:
        """Set switches for the time of a block, or of a function: by keywords, a dictionary, or a name and a value.

        >>> with config.patch(verbose=True):
        ...     config.verbose
        True
        >>> hasattr(config, "verbose")
        False
        """
        named = dict([args]) if len(args) == 2 else dict(*args)
        before = dict(vars(self))
        vars(self).update(named | switches)
        try:
            yield
        finally:
            vars(self).clear()
            vars(self).update(before)


config = _Config()
"""Switches; they are stored, and change nothing where nothing is compiled."""


def is_dynamo_supported() -> bool:
    """Whether functions can be compiled by following their bytecode. Here: no, and tests of it can be left out."""
    return False


def is_inductor_supported() -> bool:
    """Whether there is a compiler of kernels. Here: no."""
    return False


def list_backends(exclude_tags: Any = ("debug", "experimental")) -> list[str]:
    """The names of the compilers. Here: none."""
    return []


def graph_break(msg: str = "") -> None:
    """Let a compiled function go on in Python from here. Here it never left Python."""


def mark_dynamic(t: Any, index: Any, *, min: int | None = None, max: int | None = None) -> None:
    """Mark a dimension whose size may change from call to call. Nothing is compiled for one size here."""


def mark_static(t: Any, index: Any = None) -> None:
    """Mark a dimension whose size stays the same. Nothing is compiled for one size here."""


def maybe_mark_dynamic(t: Any, index: Any) -> None:
    """Mark a dimension whose size may change. Nothing is compiled for one size here."""


def mark_static_address(t: Any, guard: bool = False) -> None:
    """Mark a tensor whose memory stays in its place. No compiled code holds an address here."""


def optimize(backend: Any = "inductor", **switches: Any) -> Any:
    """The decorator of `torch.compile`: what it is given stays as it is."""
    return compile


def __getattr__(name: str) -> Any:
    from ..engine.errors.missing_names import missing

    missing(__name__, name, __all__)
