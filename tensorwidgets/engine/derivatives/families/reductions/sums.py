"""Sums and means: each element gets the gradient of the result that it went into."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ...declaring import differentiate, not_differentiable, parts
from ...helpers import over
from ...reduced import count_of, dims_of, opened

if TYPE_CHECKING:
    from ....tensor.tensor import Tensor
    from ....types.dtypes import dtype


def spread(grad: Tensor, shape: tuple[int, ...], dim: int | Sequence[int], keepdim: bool) -> Any:
    """The gradient of a sum for each element."""
    return opened(grad, dim, len(shape), keepdim).expand(shape)


differentiate(
    "sum", node="SumBackward0", casts=False, when=lambda call: "dim" not in call,
    input=lambda grad, input_shape: grad.expand(input_shape),
)  # fmt: skip
differentiate(
    "sum", node="SumBackward1", casts=False,
    input=lambda grad, input_shape, dim=None, keepdim=False: spread(grad, input_shape, dim, keepdim),
)  # fmt: skip
differentiate(
    "mean", node="MeanBackward0", casts=False, when=lambda call: "dim" not in call,
    input=lambda grad, input_shape: over(grad.expand(input_shape), count_of(input_shape, None)),
)  # fmt: skip
differentiate(
    "mean", node="MeanBackward1", casts=False,
    input=lambda grad, input_shape, dim=None, keepdim=False: (
        over(spread(grad, input_shape, dim, keepdim), count_of(input_shape, dim))),
)  # fmt: skip
differentiate(
    "nansum",
    input=lambda grad, input, dim=None, keepdim=False: (
        (grad.expand(input.shape) if dim is None else spread(grad, tuple(input.shape), dim, keepdim))
        * input.isnan().logical_not()),
)  # fmt: skip


@parts("nanmean")
def nanmean(
    input: Tensor, dim: int | Sequence[int] | None = None, keepdim: bool = False, *, dtype: dtype | None = None
) -> Any:
    """nansum, and div by how many elements are numbers"""
    numbers = input.detach().isnan().logical_not()
    return input.nansum(dim, keepdim, dtype=dtype) / numbers.sum(dims_of(dim, input.dim()), keepdim)


not_differentiable("all any count_nonzero hash_tensor")
