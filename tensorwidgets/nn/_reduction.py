"""torch.nn._reduction: the numbers of the reductions, by which losses of libraries call PyTorch's compiled ones.

>>> get_enum("mean"), legacy_get_string(False, True, emit_warning=False)
(1, 'sum')
"""

from __future__ import annotations

from ..engine.errors.warnings import warn
from ..engine.ops.nn.losses.reduction import chosen_reduction

__all__ = ["get_enum", "legacy_get_enum", "legacy_get_string"]


def get_enum(reduction: str) -> int:
    """The number of a reduction: 0 for none, 1 for mean, 2 for sum."""
    return chosen_reduction(reduction)


def legacy_get_string(size_average: bool | None, reduce: bool | None, emit_warning: bool = True) -> str:
    """The name of the reduction that two old arguments mean, with a warning."""
    averaged, reduced = size_average is None or size_average, reduce is None or reduce
    name = "none" if not reduced else "mean" if averaged else "sum"
    if emit_warning:
        warn(f"size_average and reduce args will be deprecated, please use reduction='{name}' instead.")
    return name


def legacy_get_enum(size_average: bool | None, reduce: bool | None, emit_warning: bool = True) -> int:
    """The number of the reduction that two old arguments mean, with a warning."""
    return get_enum(legacy_get_string(size_average, reduce, emit_warning))
