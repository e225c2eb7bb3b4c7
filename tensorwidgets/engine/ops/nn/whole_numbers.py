"""How does an op read an argument that is a tuple of whole numbers? As PyTorch does, with its refusals."""

from __future__ import annotations

from typing import Any, SupportsIndex

from ...errors.reasons import refuse
from ...tensor.tensor import Tensor
from ...tensor.type_names import type_name


def _counts(value: Any) -> bool:
    """Whether something other than an int is a whole number."""
    if isinstance(value, Tensor):
        return not value.is_floating_point()
    return isinstance(value, SupportsIndex) and not isinstance(value, bool)


def whole_numbers(op: str, name: str, position: int, value: Any, single: bool = True) -> tuple[int, ...]:
    """The numbers of an argument; one number alone is taken if `single`.

    >>> whole_numbers("layer_norm", "normalized_shape", 2, [3, 4])
    (3, 4)
    >>> whole_numbers("max_pool2d", "kernel_size", 2, "a")
    Traceback (most recent call last):
    TypeError: max_pool2d(): argument 'kernel_size' (position 2) must be tuple of ints, not str
    sizes are counted in whole elements
    """
    several = isinstance(value, (tuple, list))
    for i, n in enumerate(value if several else (value,)):
        if (several or single) and (type(n) is int or _counts(n)):
            continue
        told = f" (position {position}) must be tuple of ints, not {type_name(n)}"
        if several and not i:
            told = told.replace(", not", ", but found element of type") + " at pos 0"
        elif i:  # PyTorch looks at the first element to choose a way, and at the others later
            told = f" failed to unpack the object at pos {i + 1} with error "
            told += f'"type must be tuple of ints,but got {type_name(n)}"'
        refuse(
            TypeError, f"{op}(): argument '{name}'{told}", "sizes are counted in whole elements", rule="argument.type"
        )
    return tuple(int(n) for n in value) if several else (int(value),)
