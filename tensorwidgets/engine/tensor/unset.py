"""What do numbers say that nobody has set? Any bytes; where deterministic algorithms are asked for, they stand out.

PyTorch then writes NaN, the largest whole number or True, so that a program that reads them by mistake does so each
time it runs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..types.dtypes import COMPLEX, FLOAT, bool_
from .scalars import fill_number

if TYPE_CHECKING:
    from ..types.dtypes import dtype


class _Settings:
    """Whether such numbers are written; both have to be asked for."""

    deterministic = False
    fill = True


settings = _Settings()


def stand_out() -> bool:
    """Whether unset numbers are written over."""
    return settings.deterministic and settings.fill


def write_over(array: np.ndarray, d: dtype) -> None:
    """Write numbers that stand out.

    >>> from ..types.dtypes import uint8
    >>> numbers = np.zeros(2, np.uint8)
    >>> write_over(numbers, uint8)
    >>> numbers.tolist()
    [255, 255]
    """
    if d is bool_ or d._kind in (FLOAT, COMPLEX):
        array[...] = fill_number(True if d is bool_ else float("nan"), d)
    else:
        array[...] = fill_number((1 << (8 * d.itemsize - d._signed)) - 1, d)
