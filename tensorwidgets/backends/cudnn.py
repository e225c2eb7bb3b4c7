"""torch.backends.cudnn: the library is not here. Its switches are stored, so that programs can set them.

>>> import tensorwidgets as torch
>>> with torch.backends.cudnn.flags(enabled=False):
...     print(torch.backends.cudnn.enabled)
False
>>> torch.backends.cudnn.enabled
True
"""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager
from typing import Any

from .flags import Flag, give, put, while_set
from .precision import OfOp, Precision

benchmark_limit: int | None = None
depthwise_kernel = "auto"
conv, rnn = OfOp("cuda", "conv"), OfOp("cuda", "rnn")


def is_available() -> bool:
    """Whether the library is there. Here: no."""
    return False


def is_acceptable(tensor: Any) -> bool:
    """Whether the library computes with a tensor. Here: no."""
    return False


def version() -> None:
    """Which version of the library is there. Here: None."""
    return None


def set_flags(
    _enabled: bool | None = None,
    _benchmark: bool | None = None,
    _benchmark_limit: int | None = None,
    _deterministic: bool | None = None,
    _allow_tf32: bool | None = None,
    _fp32_precision: str = "none",
    _depthwise_kernel: str | None = None,
) -> tuple:
    """Set switches, and return what they were."""
    own: Any = sys.modules[__name__]
    before = (own.enabled, own.benchmark, None, own.deterministic, own.allow_tf32, own.fp32_precision, depthwise_kernel)
    put(
        __name__,
        {"enabled": _enabled, "benchmark": _benchmark, "deterministic": _deterministic, "allow_tf32": _allow_tf32},
    )
    return before


def flags(
    enabled: bool | None = False,
    benchmark: bool | None = False,
    benchmark_limit: int | None = 10,
    deterministic: bool | None = False,
    allow_tf32: bool | None = True,
    fp32_precision: str = "none",
    depthwise_kernel: str = "auto",
) -> AbstractContextManager[None]:
    """A block in which the switches have other values; None leaves one as it is."""
    values = {"enabled": enabled, "benchmark": benchmark, "deterministic": deterministic, "allow_tf32": allow_tf32}
    return while_set(__name__, values)


class TF32(Flag):
    """`allow_tf32`, which is the precision of two ops by another name."""

    def __set__(self, module: object, value: Any) -> None:
        super().__set__(module, value)
        conv.fp32_precision = rnn.fp32_precision = "tf32" if value else "none"


give(
    __name__,
    {
        "enabled": Flag(True, "set_enabled_cudnn"),
        "benchmark": Flag(False, "set_benchmark_cudnn"),
        "deterministic": Flag(False, "set_deterministic_cudnn"),
        "allow_tf32": TF32(True, "set_allow_tf32_cublas"),
        "fp32_precision": Precision("cuda"),
    },
)
