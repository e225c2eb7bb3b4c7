"""PyTorch's operator and module databases, quick to ask. Needs PyTorch and expecttest."""

from __future__ import annotations

import gc
from functools import cache
from typing import Any


@cache
def operators() -> list[Any]:
    """The entries of the operator database."""
    _ask_for_no_test()
    from torch.testing._internal.common_methods_invocations import op_db

    _set_aside()
    return list(op_db)


@cache
def modules() -> list[Any]:
    """The entries of the module database."""
    _ask_for_no_test()
    from torch.testing._internal.common_modules import module_db

    _set_aside()
    return list(module_db)


def _set_aside() -> None:
    """A database is a quarter of a million objects. Neither the collector nor our engine, which asks the collector for
    all objects when a leaf changes, need look at them.
    """
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
