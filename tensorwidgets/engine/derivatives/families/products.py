"""Products of matrices."""

from __future__ import annotations

from typing import Any

from ..declaring import differentiate, not_differentiable, parts
from ..ops import torch


@parts("matmul")
def matmul(input: Any, other: Any) -> Any:
    """mm, mv, dot or bmm, by the number of dimensions."""
    return torch.mm(input, other)


# Rows that other families will declare.
differentiate("mm", input=lambda grad, mat2: grad @ mat2.t().conj(), mat2=lambda grad, input: input.t().conj() @ grad)
differentiate(
    "sum", node="SumBackward0", when=lambda call: call.get("dim") is None,
    input=lambda grad, input_shape: grad.expand(input_shape),
)  # fmt: skip
not_differentiable("zeros_like ones_like empty_like full_like")
