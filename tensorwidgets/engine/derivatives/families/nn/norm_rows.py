"""The gradients of layer and batch normalization as rows of their own, with derivatives: a second order has PyTorch's
nodes.

With normal numbers ``n = (x - mean) * r`` and weighted gradients ``g w``, the gradient of the input is ``r P(g w)``: a
projection P takes off the mean, and the share along n. P is symmetric, and n itself changes by ``r P``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ....errors.reasons import refuse
from ....ops.nn.norms.examples import kept_stride
from ....types.dtypes import HALVES, float32
from ....types.formats import channels_last, channels_last_3d, contiguous_format

if TYPE_CHECKING:
    from ....tensor.tensor import Tensor


class Norm(NamedTuple):
    """How numbers were normalized."""

    normal: Any
    scale: Any
    dims: Sequence[int]
    """The dimensions of a mean."""
    outer: Sequence[int]
    """The dimensions that share a weight."""
    fixed: bool = False
    """Whether mean and variance are given, and do not depend on the numbers."""

    def project(self, grad: Any) -> Any:
        """What is left of a gradient after its mean, and its share along the normal numbers, are taken off."""
        along = (grad * self.normal).mean(self.dims, keepdim=True)
        return grad - grad.mean(self.dims, keepdim=True) - self.normal * along

    def of_input(self, grad: Any) -> Any:
        """The gradient of the numbers, from that of the normal ones."""
        return (grad if self.fixed else self.project(grad)) * self.scale

    def summed(self, grad: Any) -> Any:
        """A gradient summed over what shares a weight."""
        return grad.sum(self.outer) if self.outer else grad


def gradients(
    grad: Tensor, weight: Any, norm: Norm, needed: tuple[bool, bool, bool], order: Any = contiguous_format
) -> tuple:
    """The gradients of input, weight and bias. The weight has dimensions of size 1 where it is shared."""
    d, of_weight = grad.dtype, grad.dtype if weight is None else weight.dtype
    grad, weight = widened(grad), None if weight is None else widened(weight)
    return (
        norm.of_input(grad if weight is None else grad * weight).to(d).contiguous(memory_format=order)
        if needed[0]
        else None,
        norm.summed(grad * norm.normal).to(of_weight) if needed[1] else None,
        norm.summed(grad).to(of_weight) if needed[2] else None,
    )


def order_of(input: Tensor) -> Any:
    """The memory format of a gradient, which is that of the result: rows, unless the input's channels lie last."""
    if kept_stride(input) is None:
        return contiguous_format
    return channels_last if input.dim() == 4 else channels_last_3d


def check_weight(input: Tensor, weight: Tensor | None, message: str) -> None:
    """Refuse a weight that was converted after the result was computed."""
    d = input._dtype
    if weight is None or weight._dtype is d or d in HALVES and weight._dtype is float32:
        return
    refuse(
        RuntimeError,
        message.format(Input=d._type_name, Weight=weight._dtype._type_name),
        "the weight had another dtype when the result was computed",
        f"loss.backward() before module.to({weight._dtype})",
        rule="norm.dtype",
    )


def widened(t: Tensor) -> Any:
    """A tensor of 16-bit numbers in float32, in which PyTorch computes these gradients; any other as it is."""
    return t.float() if t._dtype in HALVES else t


def second_gradients(grads: tuple, grad: Tensor, weight: Any, norm: Norm, shape: Sequence[int]) -> tuple:
    """The gradients of the gradient, the input and the weight, from those of the three gradients."""
    of_input, of_weight, of_bias = (*grads, None, None)[:3]
    weighted = grad if weight is None else grad * weight
    to_grad, to_input, to_weight, to_normal = [], [], None, []
    if of_input is not None:
        back = norm.of_input(of_input)
        to_grad.append(back if weight is None else back * weight)
        to_weight = norm.summed(grad * back)
        if not norm.fixed:
            along = (of_input * norm.normal).mean(norm.dims, keepdim=True)
            of_scale = (of_input * norm.project(weighted)).mean(norm.dims, keepdim=True)
            share = (weighted * norm.normal).mean(norm.dims, keepdim=True)
            to_normal.append(-norm.scale * (of_input * share + weighted * along))
            to_input.append(-norm.scale * norm.scale * norm.normal * of_scale)
    if of_weight is not None:
        wide = of_weight.reshape(shape)
        to_grad.append(norm.normal * wide)
        to_normal.append(grad * wide)
    if of_bias is not None:
        to_grad.append(of_bias.reshape(shape).expand(grad.shape))
    if to_normal:
        to_input.append(norm.of_input(sum(to_normal[1:], to_normal[0])))
    return (
        sum(to_grad[1:], to_grad[0]) if to_grad else None,
        sum(to_input[1:], to_input[0]) if to_input else None,
        to_weight,
    )


def recomputed(input: Tensor, dims: Sequence[int], outer: Sequence[int], eps: float) -> Norm:
    """The normal numbers, computed again from the input so that a derivative sees them."""
    center = input - input.mean(dims, keepdim=True)
    scale = ((center * center).mean(dims, keepdim=True) + eps).rsqrt()
    return Norm(center * scale, scale, dims, outer)


# -- layers ------------------------------------------------------------------------------------------------------


def norm_of_layer(input: Tensor, normalized_shape: tuple[int, ...], mean: Tensor, rstd: Tensor) -> Norm:
    """How layer normalization has normalized."""
    dims = list(range(input.dim() - len(tuple(normalized_shape)), input.dim()))
    wide = input.to(mean.dtype) if input.dtype is not mean.dtype else input
    return Norm((wide - mean) * rstd, rstd, dims, list(range(dims[0])))


# -- batches -----------------------------------------------------------------------------------------------------


def norm_of_batch(input: Tensor, mean: Tensor, scale: Tensor, training: bool) -> Norm:
    """How batch normalization has normalized."""
    dims, shape = [0, *range(2, input.dim())], (-1, *(1,) * (input.dim() - 2))
    scale = widened(scale.reshape(shape))
    return Norm((widened(input) - widened(mean.reshape(shape))) * scale, scale, dims, dims, not training)
