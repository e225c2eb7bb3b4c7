"""Which settings does an optimizer refuse?"""

from __future__ import annotations

from typing import Any

from ..engine.tensor.tensor import Tensor


def check_rate(lr: Any) -> None:
    """A learning rate that is a tensor has one element."""
    if isinstance(lr, Tensor) and lr.numel() != 1:
        raise ValueError("Tensor lr must be 1-element")


def check_not_negative(value: Any, name: str) -> None:
    """A setting that is zero or more; NaN is refused, too."""
    if not 0.0 <= value:
        raise ValueError(f"Invalid {name}: {value}")
