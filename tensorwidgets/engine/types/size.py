"""torch.Size: a tuple of ints that prints its name and knows its product."""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable
from math import prod
from typing import Any, SupportsIndex, overload

from ..errors.reasons import refuse
from .built_in import BuiltIn


class Size(tuple[int, ...], metaclass=BuiltIn):
    """The size of a tensor.

    >>> Size([2, 3]), Size([2, 3])[:1], Size([2, 3]).numel()
    (torch.Size([2, 3]), torch.Size([2]), 6)
    """

    __slots__ = ()

    def __new__(cls, dims: Iterable[int] = ()) -> Size:
        dims = tuple(dims)
        for d in dims:
            if type(d) is not int:
                dims = tuple(_as_int(d, i) for i, d in enumerate(dims))
                break
        return tuple.__new__(cls, dims)

    def numel(self) -> int:
        """How many elements a tensor of this size has."""
        return prod(self)

    def __repr__(self) -> str:
        return f"torch.Size([{', '.join(map(str, self))}])"

    def __add__(self, other: Any) -> Size:
        if not isinstance(other, tuple):
            added = getattr(type(other), "__radd__", None)
            if added is not None and (result := added(other, self)) is not NotImplemented:
                return result  # type: ignore[no-any-return]
            kind = type(other).__name__
            refuse(
                TypeError,
                f"can only concatenate tuple (not {kind}) to torch.Size",
                "torch.Size is a tuple, and only a tuple can be added to it",
                "x.shape + (3,)",
                rule="size.add",
            )
        return Size(tuple.__add__(self, other))

    def __radd__(self, other: Any) -> Size:
        if not isinstance(other, tuple):
            return NotImplemented
        return Size(tuple.__add__(other, self))

    def __mul__(self, times: Any) -> Size:  # type: ignore[override]
        return _size(tuple(self) * times)

    __rmul__ = __mul__  # type: ignore[assignment]

    @overload
    def __getitem__(self, key: SupportsIndex) -> int: ...
    @overload
    def __getitem__(self, key: slice) -> Size: ...
    def __getitem__(self, key: Any) -> Any:
        result = tuple.__getitem__(self, key)
        return _size(result) if isinstance(key, slice) else result

    def __reduce__(self) -> tuple:
        return (Size, (tuple(self),))


def _size(dims: tuple) -> Size:
    return tuple.__new__(Size, dims)


def _as_int(d: Any, position: int) -> int:
    try:
        return operator.index(d)
    except TypeError as error:  # "'numpy.float32' object cannot be interpreted as an integer": with its package
        found = re.match("'(.*)' object cannot", str(error))
        kind = found[1] if found else type(d).__name__
        refuse(TypeError, f"torch.Size() takes an iterable of 'int' (item {position} is '{kind}')")
