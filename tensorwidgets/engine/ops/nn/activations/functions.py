"""Activations as torch.nn.functional has them: with `inplace`, or made of other ops."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ....dispatch.registry import OPS
from ....errors.reasons import refuse
from ....errors.warnings import warn
from ....tensor.must_be_tensor import must_be_tensor
from ....tensor.tensor import Tensor
from ....types.formats import contiguous_format
from ..declaring import nn_composite

if TYPE_CHECKING:
    from ....types.dtypes import dtype


def _either(name: str, input: Tensor, inplace: bool, *numbers: Any) -> Tensor:
    """A call of an op of PyTorch's own, or of its in-place form. A tensor of one element is a number here."""
    numbers = tuple([n.item() if isinstance(n, Tensor) else n for n in numbers])
    if not inplace:
        return OPS[name].function(input, *numbers)
    over = name + "_"
    return OPS[over if over in OPS else over.replace("_nn.", "nn.functional.")].function(input, *numbers)


@nn_composite("nn.functional.relu6", "Limits elements to the range from 0 to 6.")
def relu6(input: Tensor, inplace: bool = False) -> Tensor:
    must_be_tensor("relu6_" if inplace else "relu6", input)
    return _either("_nn.hardtanh", input, inplace, 0, 6)


@nn_composite("nn.functional.leaky_relu", "Multiplies negative elements by a small slope.")
def leaky_relu(input: Tensor, negative_slope: float = 0.01, inplace: bool = False) -> Tensor:
    return _either("_nn.leaky_relu", input, inplace, negative_slope)


@nn_composite("nn.functional.elu", "Computes alpha * (exp(x) - 1) of negative elements.")
def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    return _either("_nn.elu", input, inplace, alpha)


@nn_composite("nn.functional.selu", "An elu whose constants keep mean 0 and variance 1 from layer to layer.")
def selu(input: Tensor, inplace: bool = False) -> Tensor:
    return _either("selu", input, inplace)


@nn_composite("nn.functional.celu", "Computes max(0, x) + min(0, alpha * (exp(x / alpha) - 1)).")
def celu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    return _either("celu", input, inplace, alpha)


@nn_composite("nn.functional.silu", "Multiplies each element by its sigmoid (also called swish).")
def silu(input: Tensor, inplace: bool = False) -> Tensor:
    return _either("_nn.silu", input, inplace)


@nn_composite("nn.functional.mish", "Multiplies each element by the tanh of its softplus.")
def mish(input: Tensor, inplace: bool = False) -> Tensor:
    return _either("_nn.mish", input, inplace)


@nn_composite("nn.functional.hardtanh", "Limits elements to the range from min_val to max_val.")
def hardtanh(input: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> Tensor:
    if min_val > max_val:
        refuse(
            ValueError,
            "min_val cannot be greater than max_val",
            "the range would be empty",
            f"min_val={max_val}, max_val={min_val}",
            rule="hardtanh.range",
        )
    return _either("_nn.hardtanh", input, inplace, min_val, max_val)


@nn_composite("nn.functional.hardsigmoid", "A sigmoid of three straight lines: clamp(x + 3, 0, 6) / 6.")
def hardsigmoid(input: Tensor, inplace: bool = False) -> Tensor:
    return _either("_nn.hardsigmoid", input, inplace)


@nn_composite("nn.functional.hardswish", "Multiplies each element by its hardsigmoid.")
def hardswish(input: Tensor, inplace: bool = False) -> Tensor:
    return _either("_nn.hardswish", input, inplace)


@nn_composite("nn.functional.threshold", "Sets elements that are not above a threshold to a value.")
def threshold(input: Tensor, threshold: float, value: float, inplace: bool = False) -> Tensor:
    return _either("threshold", input, inplace, threshold, value)


@nn_composite("nn.functional.sigmoid", "Computes 1 / (1 + exp(-x)) of each element.")
def sigmoid(input: Tensor) -> Tensor:
    return input.sigmoid()


@nn_composite("nn.functional.tanh", "Computes the hyperbolic tangent of each element.")
def tanh(input: Tensor) -> Tensor:
    return input.tanh()


@nn_composite("nn.functional.tanhshrink", "Computes x - tanh(x) of each element.")
def tanhshrink(input: Tensor) -> Tensor:
    return input - input.tanh()


@nn_composite("nn.functional.softsign", "Computes x / (1 + |x|) of each element.")
def softsign(input: Tensor) -> Tensor:
    return input / (input.abs() + 1)


# -- softmax -----------------------------------------------------------------------------------------------------


def chosen_dim(name: str, ndim: int) -> int:
    """The dimension of a softmax whose caller names none, with PyTorch's warning."""
    warn(f"Implicit dimension choice for {name} has been deprecated. Change the call to include dim=X as an argument.")
    return 0 if ndim in (0, 1, 3) else 1


@nn_composite("nn.functional.softmax", "Positive numbers that add up to 1 along a dimension: exp(x) / sum(exp(x)).")
def softmax(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: dtype | None = None) -> Tensor:
    dim = chosen_dim("softmax", input.dim()) if dim is None else dim
    return input.softmax(dim) if dtype is None else input.softmax(dim, dtype=dtype)


@nn_composite("nn.functional.softmin", "The softmax of minus the elements: the smallest has the largest share.")
def softmin(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: dtype | None = None) -> Tensor:
    dim = chosen_dim("softmin", input.dim()) if dim is None else dim
    return (-input).softmax(dim) if dtype is None else (-input).softmax(dim, dtype=dtype)


@nn_composite("nn.functional.log_softmax", "The logarithm of softmax along a dimension, without overflow.")
def log_softmax(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: dtype | None = None) -> Tensor:
    dim = chosen_dim("log_softmax", input.dim()) if dim is None else dim
    return input.log_softmax(dim) if dtype is None else input.log_softmax(dim, dtype=dtype)


@nn_composite(
    "nn.functional.gumbel_softmax", "A softmax with random noise: a sample of a category that has a gradient."
)
def gumbel_softmax(logits: Tensor, tau: float = 1, hard: bool = False, eps: float = 1e-10, dim: int = -1) -> Tensor:
    if eps != 1e-10:
        warn("`eps` parameter is deprecated and has no effect.")
    must_be_tensor("empty_like", logits)
    empty = OPS["empty_like"].function(logits.detach(), memory_format=contiguous_format)
    noise = -empty.exponential_().log()
    soft = ((logits + noise) / tau).softmax(dim)
    if not hard:
        return soft
    index = soft.detach().max(dim, keepdim=True)[1]
    zeros = OPS["zeros_like"].function(logits.detach(), memory_format=contiguous_format)
    return zeros.scatter_(dim, index, 1.0) - soft.detach() + soft
