"""Derivatives of resampling: each gradient goes back to the elements that a result was made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ....ops.nn.resampling.antialias import FILTERS
from ....ops.nn.resampling.ways import WAYS
from ....ops.nn.ways_back import BACK
from ...declaring import differentiate
from ...ops import torch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ....tensor.tensor import Tensor


def _declare(called: str, node: str, aligns: bool) -> None:
    back = f"{called}_backward"

    def of_aligned(
        grad: Tensor,
        input_shape: tuple[int, ...],
        output_size: Sequence[int] | None,
        align_corners: bool,
        scale_factors: Sequence[float] | None = None,
    ) -> Any:
        """Each gradient goes to the elements that the result was made of, by their weights."""
        return BACK[back](grad, output_size, tuple(input_shape), align_corners, scale_factors)

    def of_nearest(
        grad: Tensor, input_shape: Any, output_size: Sequence[int] | None, scale_factors: Sequence[float] | None = None
    ) -> Any:
        """Each gradient goes to the element that the result is."""
        return BACK[back](grad, output_size, tuple(input_shape), False, scale_factors)

    def of_grad(
        grad: Tensor,
        grad_output_shape: Any,
        output_size: Sequence[int] | None,
        align_corners: bool,
        scale_factors: Sequence[float] | None,
    ) -> Any:
        """Resampling."""
        numbers = (align_corners, scale_factors) if aligns else (scale_factors,)
        return getattr(torch._nn, called)(grad, tuple(grad_output_shape[2:]), *numbers)

    of_input = of_aligned if aligns else of_nearest
    differentiate(f"_nn.{called}", node=f"{node}Backward0", input=of_input)
    differentiate(back, node=f"{node}BackwardBackward0", grad_output=of_grad)


for each, (_, counts) in WAYS.items():
    for count in counts:
        node_of_way = f"Upsample{each.title().replace('_', '')}{count}D"
        _declare(f"upsample_{each}{count}d", node_of_way, not each.startswith("nearest"))
for each in FILTERS:
    _declare(f"_upsample_{each}2d_aa", f"Upsample{each.title()}2DAa", True)
