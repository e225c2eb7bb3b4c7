"""Do the elements lie next to each other, and in which order?"""

from __future__ import annotations

from ..errors.reasons import Reason
from .layout import Ints

_ORDERS = {"channels_last": (1, 3, 2, 0), "channels_last_3d": (1, 4, 3, 2, 0)}


def is_contiguous(size: Ints, stride: Ints, memory_format: str = "contiguous_format") -> bool:
    """Whether these are the strides of the format; those that reach no element are ignored.

    The stride of a dimension of size 1 never matters; without elements, row-major is always true.

    >>> is_contiguous((2, 1, 3), (3, 99, 1)), is_contiguous((2, 3), (1, 2))
    (True, False)
    """
    if memory_format == "contiguous_format":
        step = 1
        for dim in range(len(size) - 1, -1, -1):
            n = size[dim]
            if n != 1:
                if stride[dim] != step:
                    return 0 in size
                step *= n
        return True
    order = _ORDERS[memory_format]
    return len(size) == len(order) and _breaks_at(size, stride, order) is None


def suggested_format(size: Ints, stride: Ints) -> str:
    """Which memory format do the strides look like? Not as strict as `is_contiguous`: gaps do not matter.

    >>> suggested_format((2, 3, 4, 5), (60, 1, 15, 3)), suggested_format((2, 3), (1, 2))
    ('channels_last', 'contiguous_format')
    """
    for name, order in _ORDERS.items():
        if len(size) == len(order) and _steps_outwards(size, stride, order):
            return name
    return "contiguous_format"


def _steps_outwards(size: Ints, stride: Ints, order: Ints) -> bool:
    """Whether each dimension of this order steps over all of those before; in doubt, not."""
    least = 0
    if not stride[1]:
        return False
    for dim in order:
        if not size[dim] or stride[dim] < least or not dim and least == stride[1]:
            return False
        least = stride[dim] * max(size[dim], 1)
    return True


def why_not_contiguous(size: Ints, stride: Ints, memory_format: str = "contiguous_format") -> Reason | None:
    """The first dimension, from the innermost outwards, whose stride differs from the format's.

    >>> print(why_not_contiguous((3, 2), (1, 3)).because)
    Dimension 1 (size 2) would need stride 1, and has 3.
    >>> why_not_contiguous((2, 3), (3, 1)) is None
    True
    """
    if is_contiguous(size, stride, memory_format):
        return None
    order = _ORDERS.get(memory_format) or tuple(range(len(size) - 1, -1, -1))
    if len(order) != len(size):
        return Reason(
            "contiguous.rank",
            RuntimeError,
            f"required rank {len(order)} tensor to use {memory_format} format",
            because=f"{memory_format} is about {len(order)} dimensions; {list(size)} has {len(size)}.",
            facts={"size": size, "stride": stride, "format": memory_format},
        )
    broken = _breaks_at(size, stride, order)
    assert broken is not None  # is_contiguous has just found it
    dim, wanted = broken
    return Reason(
        "contiguous.stride",
        RuntimeError,
        f"tensor is not contiguous in {memory_format}",
        because=f"Dimension {dim} (size {size[dim]}) would need stride {wanted}, and has {stride[dim]}.",
        instead=(
            "x.contiguous()"
            if memory_format == "contiguous_format"
            else f"x.contiguous(memory_format=torch.{memory_format})",
        ),
        facts={
            "size": size,
            "stride": stride,
            "format": memory_format,
            "dim": dim,
            "wanted": wanted,
            "found": stride[dim],
        },
    )


def is_non_overlapping_and_dense(size: Ints, stride: Ints) -> bool:
    """Would some order of the dimensions be contiguous: no element twice, no gap between them?

    >>> is_non_overlapping_and_dense((3, 2), (1, 3)), is_non_overlapping_and_dense((3, 2), (4, 1))
    (True, False)
    """
    if is_contiguous(size, stride):
        return True
    step = 1
    for result, n in sorted([(result, n) for result, n in zip(stride, size, strict=True) if n != 1]):
        if result != step:
            return False
        step *= n
    return True


def _breaks_at(size: Ints, stride: Ints, order: Ints) -> tuple[int, int] | None:
    """The first dimension in this order with a different stride, and the stride that it would need."""
    step = 1
    for dim in order:
        n = size[dim]
        if n != 1:
            if stride[dim] != step:
                return dim, step
            step *= n
    return None
