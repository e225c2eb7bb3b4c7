"""The functions that refuse an `out=` which lies over a part of what they read. Others look for this themselves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..tensor.lookups import geometry_of, is_meta
from ..tensor.tensor import Tensor
from ..tensor.write_checks import check_no_overlap, check_no_partial_overlap

APART = frozenset(
    "cumsum cumprod logcumsumexp sort msort where diff scatter scatter_add scatter_reduce index_add index_copy "
    "index_reduce max min median nanmedian mode norm linalg.vector_norm aminmax renorm "
    "linalg.cross cross kron nn.functional.softplus nn.functional.gelu".split()
)
"""Functions whose result may be their input, but not lie over a part of it."""
_APART_FROM_ALL = frozenset(("linalg.cross", "cross"))


def check_apart(name: str, args: tuple, kwargs: dict[str, Any]) -> None:
    """Refuse a result of one of these functions that would overwrite numbers that are still to be read."""
    from_all = name in _APART_FROM_ALL
    check: Callable[[Tensor, Tensor], object] = check_no_overlap if from_all else check_no_partial_overlap
    if name == "diff" and len(kwargs) + len(args) > 2:
        return  # with elements before or after it, the input is copied first
    out = kwargs["out"]
    named = [value for key, value in kwargs.items() if key != "out"]
    read = [value for value in (*args, *named) if isinstance(value, Tensor) and not is_meta(value)]
    for target in out if isinstance(out, (tuple, list)) else (out,):
        if isinstance(target, Tensor) and not is_meta(target):
            for source in read:
                if from_all or not _cover_each_other(target, source):
                    check(target, source)


def _cover_each_other(a: Tensor, b: Tensor) -> bool:
    """Whether two tensors are the same row of elements in different sizes, as a reduction of length 1 leaves it."""
    one, other = geometry_of(a), geometry_of(b)
    return (
        one.offset == other.offset
        and a._array.size == b._array.size
        and a._array.flags.c_contiguous
        and b._array.flags.c_contiguous
    )
