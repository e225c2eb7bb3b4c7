"""Activations that cut off: relu and similar functions."""

from __future__ import annotations

from ....dispatch.registry import OPS
from ....tensor.must_be_tensor import must_be_tensor
from ....tensor.tensor import Tensor
from ..declaring import nn_composite


@nn_composite("nn.functional.relu", "Sets negative elements to 0; optionally in place.")
def relu(input: Tensor, inplace: bool = False) -> Tensor:
    name = "relu_" if inplace else "relu"
    return OPS[name].function(must_be_tensor(name, input))
