"""Linear maps of the last dimension."""

from __future__ import annotations

from math import prod

from ...dispatch.kinds import KINDS
from ...dispatch.registry import OPS
from ...errors.reasons import refuse
from ...tensor.must_be_tensor import must_be_tensor
from ...tensor.tensor import Tensor
from .declaring import nn_composite

COO = KINDS["sparse"].key


@nn_composite("nn.functional.linear", "Multiplies the last dimension by the transposed weight, and adds the bias.")
def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    must_be_tensor("linear", input)
    must_be_tensor("linear", weight, "weight", 2)
    dims, size = input.dim(), input.size()
    if not dims or not weight.dim():
        refuse(
            RuntimeError,
            f"both arguments to linear need to be at least 1D, but they are {dims}D and {weight.dim()}D",
            "the last dimension of each is multiplied and summed, so each needs one",
            "input.unsqueeze(0)",
            rule="linear.ndim",
        )
    turned = weight.t()
    if bias is not None and dims == 2:
        return OPS["addmm"].function(bias, input, turned)
    if bias is not None and bias.dim() == 1 and input.is_contiguous() and not weight._keys & COO:
        rows = input.view(prod(size[:-1]), size[-1])
        return OPS["addmm"].function(bias, rows, turned).view(*size[:-1], weight.size(0))
    product = OPS["matmul"].function(input, turned)
    return product if bias is None else product.add_(bias)
