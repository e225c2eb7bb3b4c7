"""Functions that PyTorch composes of others, of which sparse tensors have kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...dispatch.registry import OPS, find
from ...dispatch.stations import no_kernel
from ...errors.reasons import refuse
from ...tensor.lookups import checked_dim
from ...tensor.tensor import Tensor
from .parts.tensors import COMPRESSED, COO, compressed_kernel, coo_kernel, is_compressed, is_coo, is_sparse

if TYPE_CHECKING:
    from ...types.device import device
    from ...types.dtypes import dtype


# -- moves -------------------------------------------------------------------------------------------------------

coo_kernel("broadcast_tensors")(OPS["broadcast_tensors"].plain)
compressed_kernel("broadcast_tensors")(OPS["broadcast_tensors"].plain)


def _matrices(*tensors: Any) -> Any:
    """Compressed tensors have two dimensions or more, which is enough."""
    several = len(tensors) != 1 or isinstance(tensors[0], (list, tuple))
    given = tensors[0] if len(tensors) == 1 and several else tensors
    return tuple(given) if several else tensors[0]


compressed_kernel("atleast_1d", "atleast_2d")(_matrices)


@compressed_kernel("atleast_3d")
def atleast_3d(*tensors: Any) -> Any:
    for t in tensors[0] if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)) else tensors:
        if is_compressed(t) and t._array.ndim < 3:
            t.stride()  # raises
    return _matrices(*tensors)


@coo_kernel("sum_to_size")
@compressed_kernel("sum_to_size")
def sum_to_size(input: Tensor, *size: Any) -> Tensor:
    """Sums that keep their dimensions, and the new ones taken away, which only dense tensors can."""
    wanted = tuple(size[0]) if len(size) == 1 and isinstance(size[0], (tuple, list)) else size
    own = input._array.shape
    extra = len(own) - len(wanted)
    if extra < 0 or any(n not in (m, 1) for n, m in zip(wanted, own[extra:], strict=True)):
        refuse(
            RuntimeError,
            f"size {{{list(wanted)}}} is not expandable to size {{{list(own)}}}.",
            "only what was stretched can be summed up again",
            rule="sum_to_size",
        )
    dims = [*range(extra), *(k + extra for k, n in enumerate(wanted) if n == 1 and own[k + extra] != 1)]
    result = OPS["sum"].function(input, dims, True) if dims else input
    if not extra:
        return result
    if is_sparse(result):
        no_kernel(find("sum_to_size"), COO if is_coo(result) else COMPRESSED, "view")
    return OPS["view"].function(result, wanted)


# -- arithmetic --------------------------------------------------------------------------------------------------


@coo_kernel("ldexp")
@compressed_kernel("ldexp")
def ldexp(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    powers = OPS["pow"].function(2.0, other)  # which is refused of a sparse exponent
    return OPS["mul"].function(input, powers, out=out)


@coo_kernel("ldexp_")
@compressed_kernel("ldexp_")
def ldexp_(input: Tensor, other: Tensor) -> Tensor:
    return OPS["mul_"].function(input, OPS["pow"].function(2.0, other))


@coo_kernel("dist")
@compressed_kernel("dist")
def dist(input: Tensor, other: Tensor, p: float = 2) -> Tensor:
    return OPS["norm"].function(OPS["sub"].function(input, other), p)  # compressed ones have no difference


@coo_kernel("trapezoid")
@compressed_kernel("trapezoid")
def trapezoid(y: Tensor, x: Tensor | None = None, *, dx: float | None = None, dim: int = -1) -> Tensor:
    if x is not None:
        no_kernel(find("trapezoid"), COO, "as_strided")
    dim = checked_dim(dim, y._array.ndim)
    if not y._array.shape[dim]:
        no_kernel(find("trapezoid"), COO, "zeros")
    ends = OPS["add"].function(OPS["select"].function(y, dim, 0), OPS["select"].function(y, dim, -1))
    inside = OPS["sub"].function(OPS["sum"].function(y, dim), OPS["mul"].function(ends, 0.5))
    return OPS["mul"].function(inside, 1 if dx is None else dx)


@coo_kernel("cov", "corrcoef")
@compressed_kernel("cov", "corrcoef")
def cov(input: Tensor, *args: Any, **named: Any) -> Any:
    """Refused, as the difference from the mean of each row is."""
    return OPS["sub"].function(input, OPS["sum"].function(input, 1, not is_compressed(input)))


@coo_kernel("frobenius_norm")
@compressed_kernel("frobenius_norm")
def frobenius_norm(input: Tensor, dim: Any = (), keepdim: bool = False, **named: Any) -> Tensor:
    return OPS["norm"].function(input, "fro", dim, keepdim, **named)


# -- rows of a table ---------------------------------------------------------------------------------------------


@coo_kernel("embedding")
@compressed_kernel("embedding")
def embedding(
    weight: Tensor, indices: Tensor, padding_idx: int = -1, scale_grad_by_freq: bool = False, sparse: bool = False
) -> Tensor:
    if is_compressed(weight):
        no_kernel(find("embedding"), COMPRESSED, "index_select")
    if not is_coo(weight) or indices._array.ndim != 1:
        no_kernel(find("embedding"), COO, "view")
    return OPS["index_select"].function(weight, 0, indices)


# -- made of a tensor --------------------------------------------------------------------------------------------


@coo_kernel("from_dlpack")
@compressed_kernel("from_dlpack")
def from_dlpack(ext_tensor: Tensor, *args: Any, **named: Any) -> Any:
    return ext_tensor.__dlpack__()  # type: ignore[attr-defined]  # which refuses


@coo_kernel("asarray")
@compressed_kernel("asarray")
def asarray(
    obj: Tensor,
    *,
    dtype: dtype | None = None,
    device: str | int | device | None = None,
    copy: bool | None = None,
    requires_grad: bool = False,
) -> Tensor:
    from .copies import cast

    result = cast(obj, dtype or obj._dtype)
    return OPS["clone"].function(result) if copy and result is obj else result


# -- keys --------------------------------------------------------------------------------------------------------


def numbers_in_keys(keys: list) -> list:
    """Keys with whole numbers in place of tensors that hold one; refused where a key is of another kind."""
    from ...ops.indexing.index_key import index_tensor

    result = []
    for k in keys:
        if isinstance(k, (str, bytes, list)):
            index_tensor(k)  # raises for texts
        elif isinstance(k, (float, complex)):
            refuse(
                IndexError,
                "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices "
                f"(got {type(k).__name__})",
                "an index counts places",
                rule="index.kind",
            )
        whole = isinstance(k, Tensor) and not k._keys and not k._array.ndim and k._array.dtype.kind == "i"
        result.append(int(k._array) if whole else k)
    return result


def is_truth(k: Any) -> bool:
    """Whether a key is True or False, which adds a dimension."""
    return isinstance(k, (bool, np.bool_)) or isinstance(k, Tensor) and not k.ndim and k._dtype._name == "bool"
