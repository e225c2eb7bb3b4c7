"""Products of matrices."""

from __future__ import annotations

from typing import Any

from ..declaring import parts
from ..ops import torch


@parts("matmul")
def matmul(input: Any, other: Any) -> Any:
    """mm, mv, dot or bmm, by the number of dimensions."""
    return torch.mm(input, other)
