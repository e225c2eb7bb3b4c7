"""Weights that are kept as directions and lengths: `_weight_norm` and the lengths that it begins with."""

from __future__ import annotations

import numpy as np

from ....backends.numpy.without_warnings import silent
from ....declare.rules import Answer, Result
from ....dispatch.registry import OPS
from ....errors.reasons import refuse
from ....tensor.must_be_tensor import must_be_tensor
from ....tensor.tensor import Tensor
from ....types.dtypes import COMPLEX, FLOAT, opmath
from ...linalg.old_norms import norm_along, norm_of_all
from ..declaring import nn_composite, nn_row_without_out
from .examples import check_fraction


def _is_an_end(v: Tensor, dim: int) -> bool:
    return dim in (0, v.dim() - 1)


def _norm(v: Tensor, p: float, dim: int | None = None) -> Tensor:
    """The norm of all elements or along a dimension, with the refusal of PyTorch's older function."""
    if v._dtype._kind not in (FLOAT, COMPLEX):
        refuse(
            RuntimeError,
            f"norm(): input dtype should be either floating point or complex. Got {v._dtype._type_name} instead.",
            "a norm is rarely a whole number",
            "v.float()",
            rule="norm.dtype",
        )
    result: Tensor = norm_of_all(v, p) if dim is None else norm_along(v, p, dim, False)
    return result


@nn_composite("norm_except_dim", "The norm of each slice of a tensor: one for each index of one dimension.")
def norm_except_dim(v: Tensor, pow: int = 2, dim: int = 0) -> Tensor:
    must_be_tensor("norm_except_dim", v, "v")
    size = [1] * v.dim()
    result: Tensor
    if dim == -1:
        result = _norm(v, pow)
    elif dim == 0:
        size[0] = v.size(0)
        result = _norm(v.contiguous().view(size[0], -1), pow, 1).view(size)
    elif dim == v.dim() - 1:
        size[-1] = v.size(-1)
        result = _norm(v.contiguous().view(-1, size[-1]), pow, 0).view(size)
    else:
        result = norm_except_dim(v.transpose(0, dim), pow, 0).transpose(0, dim)
    return result


@silent
def fill_weight_norm(targets: tuple, v: np.ndarray, g: np.ndarray, axes: tuple[int, ...]) -> None:
    """Give each part of `v` the length in `g`; the lengths that they had are the second result."""
    result, lengths = targets
    squares = np.square(v, dtype=np.float64).sum(axes, keepdims=True)
    np.copyto(lengths, np.sqrt(squares), casting="unsafe")
    factor = g.astype(lengths.dtype, copy=False) / lengths
    np.copyto(result, v.astype(lengths.dtype, copy=False) * factor, casting="unsafe")


@nn_row_without_out("_weight_norm_interface", "Gives the parts of a tensor along its first or last dimension "
           "new lengths.", fill_weight_norm)  # fmt: skip
def weight_norm_interface(v: Tensor, g: Tensor, dim: int = 0) -> Answer:
    d = v._dtype
    if not v.dim():
        refuse(
            IndexError,
            f"Dimension specified as {dim} but tensor has no dimensions",
            "a single number has no parts",
            "v.reshape(1)",
            rule="dim.range",
        )
    if not _is_an_end(v, dim):
        refuse(
            RuntimeError,
            "fused kernels can only be applied for first or last dim",
            f"dimension {dim} of {v.dim()} is neither",
            "torch._weight_norm(v, g, dim)",
            rule="dim.range",
        )
    check_fraction(d, "weight_norm_kernel")
    if g._dtype is not d:
        refuse(
            RuntimeError,
            f"expected scalar type {d._type_name} but found {g._dtype._type_name}",
            "the directions v and the lengths g must have the same dtype",
            f"g.to({d})",
            rule="norm.dtype",
        )
    axes = tuple(other for other in range(v.dim()) if other != dim)
    return (Result(v._array.shape, d), Result(g._array.shape, opmath(d))), (v._array, g._array, axes)


@nn_composite("_weight_norm", "Gives the parts of a tensor along one dimension new lengths.")
def weight_norm(v: Tensor, g: Tensor, dim: int = 0) -> Tensor:
    must_be_tensor("_weight_norm", v, "v")
    must_be_tensor("_weight_norm", g, "g", 2)
    v, g = v.contiguous(), g.contiguous()
    if _is_an_end(v, dim):
        result: Tensor = OPS["_weight_norm_interface"].function(v, g, dim)[0]
        return result
    return v * (g / norm_except_dim(v, 2, dim))
