"""torch.backends.mkldnn: the library is not here; NumPy computes. Its switches are stored."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager
from typing import Any

from .flags import Flag, give, put, while_set
from .precision import OfOp, Precision

allow_tf32 = None
conv, matmul, rnn = (OfOp("mkldnn", op) for op in ("conv", "matmul", "rnn"))


def is_available() -> bool:
    """Whether the library is there. Here: no."""
    return False


def set_flags(
    _enabled: bool | None = None,
    _deterministic: bool | None = None,
    _allow_tf32: bool | None = None,
    _fp32_precision: str = "none",
) -> tuple:
    """Set switches, and return what they were."""
    own: Any = sys.modules[__name__]
    before = (own.enabled, own.deterministic, None, "none")
    put(__name__, {"enabled": _enabled, "deterministic": _deterministic})
    return before


def flags(
    enabled: bool | None = False,
    deterministic: bool | None = False,
    allow_tf32: bool | None = True,
    fp32_precision: str = "none",
) -> AbstractContextManager[None]:
    """A block in which the switches have other values."""
    return while_set(__name__, {"enabled": enabled, "deterministic": deterministic})


give(
    __name__,
    {
        "enabled": Flag(True, "set_enabled_mkldnn"),
        "deterministic": Flag(False, "set_deterministic_mkldnn"),
        "fp32_precision": Precision("mkldnn", sets="generic"),  # as in PyTorch
    },
)
