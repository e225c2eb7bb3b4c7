"""PyTorch's modules of functions (fft, linalg, special …), collected from the rows with their prefix."""

from __future__ import annotations

from collections.abc import Callable

from ..dispatch.called_as import under_name
from ..dispatch.registry import OPS


def members(module: str) -> dict[str, Callable]:
    """Returns the functions of a module by their names in it.

    >>> "rfft" in members("fft")
    True
    """
    prefix = module + "."
    collected: dict[str, Callable] = {}
    for op in OPS.values():
        for name in (op.name, *op.aliases):
            if name.startswith(prefix) and "function" in op.forms:
                collected[name.removeprefix(prefix)] = op.function if name == op.name else under_name(op.function, name)
    return collected
