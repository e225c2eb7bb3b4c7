"""Activations that cut off: relu and its kin."""

from __future__ import annotations

from functools import partial

from ....declare.rules import composite_row
from ....dispatch.registry import OPS
from ....tensor.tensor import Tensor

row = partial(composite_row, family="nn", category="nn", forms="function")


@row("nn.functional.relu", "Sets negative elements to 0; in place if asked.")
def relu(input: Tensor, inplace: bool = False) -> Tensor:
    return OPS["relu_"].function(input) if inplace else OPS["relu"].function(input)
