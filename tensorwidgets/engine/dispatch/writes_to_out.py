"""How often is a call with `out=` counted as a write, where PyTorch does not count it once for each result?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..tensor.tensor import Tensor
from ..tensor.versions import version_owner

Times = Callable[[tuple, dict[str, Any], int, tuple[int, ...], tuple[int, ...]], int]
"""From the arguments, the place of a result among all, and its size before and after: how many writes are counted."""


def _and_resized(args: tuple, kwargs: dict[str, Any], place: int, before: tuple, after: tuple) -> int:
    return 1 + (before != after)


def _of_diff(args: tuple, kwargs: dict[str, Any], place: int, before: tuple, after: tuple) -> int:
    return 1 + (before != after and _given(args, kwargs, 1, "n", 1) == 0)


def _of_matmul(args: tuple, kwargs: dict[str, Any], *_: Any) -> int:
    one, two = _given(args, kwargs, 0, "input", None), _given(args, kwargs, 1, "other", None)
    return 1 + (one._array.ndim == 1 and two._array.ndim == 2)


def _of_svd(args: tuple, kwargs: dict[str, Any], place: int, before: tuple, after: tuple) -> int:
    """V is transposed before, if it is a matrix, and after it is filled."""
    if place < 2 or not _given(args, kwargs, 2, "compute_uv", True):
        return 1
    return 3 if len(before) > 1 else 2


def _given(args: tuple, kwargs: dict[str, Any], place: int, name: str, default: Any) -> Any:
    return args[place] if len(args) > place else kwargs.get(name, default)


WRITES: dict[str, Times] = {
    "diff": _of_diff,
    "kron": lambda *_: 0,
    "lu": _and_resized,
    "matmul": _of_matmul,
    "nanmean": lambda *_: 2,
    "randn": _and_resized,
    "split_with_sizes_copy": _and_resized,
    "svd": _of_svd,
    "unbind_copy": _and_resized,
}
"""The functions that PyTorch computes by several writes into their `out=`, or by one that it does not count."""


def counted(name: str, call: Callable[[], Any], args: tuple, kwargs: dict[str, Any]) -> Any:
    """Call one of these functions, and count the writes as PyTorch does."""
    out = kwargs["out"]
    targets = [t for t in (out if isinstance(out, (tuple, list)) else (out,)) if isinstance(t, Tensor)]
    before = [(t, version_owner(t), version_owner(t)._writes, t._array.shape) for t in targets]
    result = call()
    for place, (t, owner, writes, size) in enumerate(before):
        owner._writes = writes + WRITES[name](args, kwargs, place, size, t._array.shape)
    return result
