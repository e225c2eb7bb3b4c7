"""Derivatives of padding."""

from __future__ import annotations

from ....ops.nn.ways_back import BACK
from ...declaring import differentiate
from ...ops import torch

differentiate(
    "constant_pad_nd",
    input=lambda grad, pad: torch.constant_pad_nd(grad, [-n for n in pad], 0),
)


def _declare(mode: str, dims: int) -> None:
    called, node = f"{mode.lower()}_pad{dims}d", f"{mode}Pad{dims}D"
    differentiate(
        f"_nn.{called}",
        node=f"{node}Backward0",
        input=lambda grad, input, padding: BACK[f"{called}_backward"](grad, input, padding),
    )
    differentiate(
        f"{called}_backward",
        node=f"{node}BackwardBackward0",
        grad_output=lambda grad, padding: getattr(torch._nn, called)(grad, padding),
        input=lambda grad, input_like: input_like.new_zeros(),
    )


for each in ("Reflection", "Replication"):
    for dims in (1, 2, 3):
        _declare(each, dims)
