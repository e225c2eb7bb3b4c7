"""How tensors of different sizes can be joined, for those that cannot be as they are."""

from __future__ import annotations

from ..errors.reasons import Reason
from .layout import Ints, contiguous
from .stretch import expand


def ways_to_join(a: Ints, b: Ints) -> tuple[str, ...]:
    """What joins two tensors: the dimension in which alone they differ, or an equal size.

    >>> ways_to_join((2, 3), (2, 4)), ways_to_join((2, 3), (3, 4))[0]
    (('torch.cat([a, b], dim=1)',), '[a, b], a list, which holds tensors of any size')
    """
    differ = _differing(a, b)
    if differ is not None and len(differ) == 1:
        return (f"torch.cat([a, b], dim={differ[0]})",)
    return ("[a, b], a list, which holds tensors of any size",)


def ways_to_stack(a: Ints, b: Ints) -> tuple[str, ...]:
    """What makes one tensor of two with different sizes.

    >>> ways_to_stack((2, 3), (1, 3))[0], ways_to_stack((3, 2), (4, 2))[1]
    ('b.expand(2, 3)', 'torch.nn.utils.rnn.pad_sequence([a, b], batch_first=True), which adds zeros to the shorter')
    """
    stretched = not isinstance(expand(contiguous(tuple(b)), tuple(a)), Reason)
    ways = (f"b.expand({', '.join(map(str, a))})",) if stretched else ()
    padded = "torch.nn.utils.rnn.pad_sequence([a, b], batch_first=True), which adds zeros to the shorter"
    return (*ways, *ways_to_join(a, b), *([padded] if _differing(a, b) == [0] else []))


def _differing(a: Ints, b: Ints) -> list[int] | None:
    """The dimensions in which two sizes differ; None if one has more of them."""
    if len(a) != len(b):
        return None
    return [dim for dim, (n, m) in enumerate(zip(a, b, strict=True)) if n != m]
