"""Which storage, which size and stride, and which dimension of a tensor are meant?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors.reasons import Reason, refuse
from ..geometry import Geometry, wrap_dim
from ..memory import MetaArray
from .keys import KEY_MOVED, KEY_NAMES
from .storages.untyped import UntypedStorage

if TYPE_CHECKING:
    from .tensor import Tensor


def storage_of(t: Tensor) -> UntypedStorage:
    """The storage of a tensor; made when it is first needed, and then the same for all views."""
    if t._keys & KEY_MOVED:
        # A view that has been set to look at another storage than its base.
        return t._storage  # type: ignore[return-value]
    root = t if t._base is None else t._base
    storage = root._storage
    if storage is None:
        storage = root._storage = UntypedStorage._around(root._array)
        storage._lent = root._lent
    return storage


def geometry_of(t: Tensor) -> Geometry:
    """Size, stride and offset as plain tuples."""
    array = t._array
    itemsize = array.itemsize
    return Geometry(array.shape, tuple([s // itemsize for s in array.strides]), t.storage_offset())


def size_and_stride(t: Tensor) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Size and stride as plain tuples, in elements."""
    array = t._array
    itemsize = array.itemsize
    return array.shape, tuple([s // itemsize for s in array.strides])


def is_meta(t: Tensor) -> bool:
    """Whether there are no numbers behind this tensor."""
    return type(t._array) is MetaArray


def checked_dim(dim: Any, ndim: int, call: str = "", of: Tensor | None = None) -> int:
    """A dimension counted from either end, or named `of` a tensor; or PyTorch's refusal, which names the call."""
    if type(dim) is int and 0 <= dim < ndim:
        return dim
    if isinstance(dim, str) and of is not None and of._keys & KEY_NAMES:
        from ..dimension_names.words import numbers_of

        return numbers_of(of._names or (), dim)
    if isinstance(dim, bool) or not hasattr(dim, "__index__"):
        where = "'dim' (position 1)" if call else "'dim'"
        message = f"{call}argument {where} must be int, not {type(dim).__name__}"
        refuse(TypeError, message, "a dimension is counted", rule="argument.int")
    dim = dim.__index__()
    if call and not ndim:
        message = f"Dimension specified as {dim} but tensor has no dimensions"
        refuse(IndexError, message, "a number has no dimension to ask for", "x.shape", rule="dim.scalar", dim=dim)
    result = wrap_dim(dim, ndim)
    if isinstance(result, Reason):
        result.refuse()
    return result


def slice_key(t: Tensor, dim: int, start: int | None, end: int | None, step: int) -> tuple[slice, ...]:
    """The key that cuts every `step`-th index from start to before end out of one dimension; or PyTorch's refusal."""
    ndim = t._array.ndim
    if not ndim:
        refuse(
            IndexError,
            "slice() cannot be applied to a 0-dim tensor.",
            "a single number has no dimension to cut",
            "x.reshape(1)",
            rule="slice.dim",
        )
    along = checked_dim(dim, ndim)
    if step <= 0:
        refuse(
            RuntimeError,
            "slice step must be positive",
            "a slice cannot run backwards or stand still",
            "x.flip(dim)",
            rule="slice.step",
            step=step,
        )
    return (slice(None),) * along + (slice(start, end, step),)
