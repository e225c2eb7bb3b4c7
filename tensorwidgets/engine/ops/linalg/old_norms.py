"""Norms under the names that TorchScript and PyTorch's own library have for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...declare.by_signature import calls
from ...declare.rules import Answer, chosen
from ...dispatch import stations
from ...dispatch.registry import OPS, Op
from ...errors.reasons import refuse
from ...errors.warnings import warn
from ...tensor.results import check_out, copy_to
from ...types.dtypes import COMPLEX, FLOAT
from .norms import vector_norm

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ...tensor.tensor import Tensor


def _warn(name: str, instead: str) -> None:
    warn(
        f"at::{name} is deprecated and it is just left for JIT compatibility. It will be removed in a future PyTorch "
        f"release. Please use `linalg.{instead}` instead",
        once=True,
    )


@calls(
    "frobenius_norm", "The square root of the sum of the squares.", forms="function", family="linalg",
    category="reduction", kernel=chosen,
)  # fmt: skip
def frobenius_norm(input: Tensor, dim: Sequence[int], keepdim: bool = False, out: Tensor | None = None) -> Answer:
    _warn("frobenius_norm", "vector_norm(A, 2., dim, keepdim)")
    if len(dim) > 2:
        message = f"Expected at most 2 dimensions, but got {len(dim)} dimensions instead."
        refuse(RuntimeError, message, "one dimension holds a vector, two hold a matrix", rule="norm.dims")
    if input._dtype._kind not in (FLOAT, COMPLEX):
        got = input._dtype._type_name
        message = f"norm(): input dtype should be either floating point or complex. Got {got} instead."
        refuse(RuntimeError, message, "a norm is rarely an integer", "x.float()", rule="norm.dtype")
    answer = vector_norm(input, 2, tuple(dim) or None, keepdim)
    check_out(answer[0].dtype, out, "same")
    return answer


@calls("nuclear_norm", "The sum of the singular values.", forms="function", family="linalg", category="reduction")
def nuclear_norm(
    input: Tensor, dim: Sequence[int] | None = None, keepdim: bool = False, out: Tensor | None = None
) -> Any:
    _warn("nuclear_norm", "matrix_norm(A, 'nuc', dim, keepdim)")
    dims = (-2, -1) if dim is None else tuple(dim)
    return copy_to(out, OPS["linalg.matrix_norm"].function(input, "nuc", dims, keepdim))


# PyTorch's library calls an older norm, which is recorded under other names than Python's `torch.norm`.


def _bound(name: str, what: str, function: Callable) -> Callable:
    return stations.bind(Op(name, "linalg", "reduction", what, forms=frozenset()), function)


def _of_all(input: Tensor, p: float) -> Tensor:
    result: Tensor = OPS["norm"].function(input, p)
    return result


def _along(input: Tensor, p: float, dim: int, keepdim: bool) -> Tensor:
    result: Tensor = OPS["norm"].function(input, p, dim, keepdim)
    return result


norm_of_all = _bound("_norm_of_all", "The norm of all elements.", _of_all)
norm_along = _bound("_norm_along", "The norm along a dimension.", _along)
