"""PyTorch's operator and module databases, quick to ask. Needs PyTorch and expecttest."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any


@cache
def operators() -> list[Any]:
    """The entries of the operator database."""
    _ask_for_no_test()
    with set_aside():
        from torch.testing._internal.common_methods_invocations import op_db

    return list(op_db)


@cache
def modules() -> list[Any]:
    """The entries of the module database."""
    _ask_for_no_test()
    with set_aside():
        from torch.testing._internal.common_modules import module_db

    return list(module_db)


@cache
def optimizers() -> list[Any]:
    """The entries of the optimizer database, which brings half of PyTorch."""
    with set_aside():
        from torch.testing._internal.common_optimizers import optim_db

    return list(optim_db)


@contextmanager
def set_aside() -> Iterator[None]:
    """What is made meanwhile is nothing that the collector need look at, now or later.

    Databases and what they import are half a million objects, and a search for garbage among them takes longer than to
    make them. Our engine, too, asks the collector for all objects when a leaf changes.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
    gc.collect()
    gc.freeze()


def _ask_for_no_test() -> None:
    """Whenever samples are asked for, the database looks for the test that asks, through every frame of the stack.

    It would find none here, and that took half of the time.
    """
    from torch.testing._internal import common_utils
    from torch.testing._internal.opinfo import core

    for module in (common_utils, core):
        assert hasattr(module, "extract_test_fn")
        module.extract_test_fn = lambda: None
