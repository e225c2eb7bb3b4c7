"""Which settings does an optimizer refuse?"""

from __future__ import annotations

from typing import Any

from ...engine.tensor.tensor import Tensor


def check_rate(lr: Any) -> None:
    """A learning rate is zero or more; if it is a tensor, it has one element."""
    check_one_element(lr)
    check_not_negative(lr, "learning rate")


def check_one_element(lr: Any) -> None:
    """A learning rate that is a tensor has one element."""
    if isinstance(lr, Tensor) and lr.numel() != 1:
        raise ValueError("Tensor lr must be 1-element")


def check_not_negative(value: Any, name: str) -> None:
    """A setting that is zero or more; NaN is refused, too."""
    if not 0.0 <= value:
        raise ValueError(f"Invalid {name}: {value}")


def check_betas(betas: Any) -> None:
    """The shares that averages keep are from zero to below one."""
    for index in (0, 1):
        if not 0.0 <= betas[index] < 1.0:
            raise ValueError(f"Invalid beta parameter at index {index}: {betas[index]}")


def refuse_negative(value: Any, name: str) -> None:
    """A setting that is not below zero; NaN is accepted."""
    if value < 0.0:
        raise ValueError(f"Invalid {name}: {value}")
