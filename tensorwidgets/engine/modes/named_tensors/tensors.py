"""The names that a tensor has: reading them, putting them on, taking them off."""

from __future__ import annotations

from ...dimension_names import Names
from ...tensor.keys import KEY_NAMES
from ...tensor.tensor import Tensor
from ...tensor.wrapping import share_origin, wrap_view


def names_of(t: Tensor) -> Names:
    """The name of each dimension, None where it has none."""
    if t._keys & KEY_NAMES and t._names is not None:
        return t._names
    return (None,) * t._array.ndim


def put_on(t: Tensor, names: Names) -> Tensor:
    """Let a tensor have these names; it is a named tensor if one of them is not None."""
    if any(name is not None for name in names):
        t._keys |= KEY_NAMES
        t._names = names
    else:
        t._keys &= ~KEY_NAMES
        t._notes.pop("_names", None)
    return t


def view_with(t: Tensor, names: Names) -> Tensor:
    """A view of the same elements under other names."""
    view = wrap_view(t._array, t)
    if t._array.size == 0:
        view._empty_offset = t._empty_offset
    share_origin(view, t)
    return put_on(view, names)
