"""Which picture `show` draws: by the kind of tensor. A kind is a line in `PICTURES` and a file of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, NamedTuple

from .arrays.special_kinds import is_meta, is_quantized, is_sparse
from .drawing.picture import Picture


class Drawn(NamedTuple):
    """Which tensors a picture is for, whether any or all must match, and the function that draws it."""

    of: Callable[[Any], bool]
    enough: Callable[[list[bool]], bool]
    module: str
    function: str


PICTURES = (
    Drawn(is_quantized, any, "memory.quantized", "quantized_picture"),
    Drawn(is_sparse, any, "memory.sparse", "sparse_picture"),
    Drawn(is_meta, all, "memory.meta", "meta_picture"),
)


def picture_of(arrays: Sequence[Any], labels: Sequence[str]) -> Picture | None:
    """The picture of the first matching kind; None for plain arrays."""
    for drawn in PICTURES:
        if arrays and drawn.enough([drawn.of(a) for a in arrays]):
            made: Picture = getattr(import_module(f"{__package__}.{drawn.module}"), drawn.function)(arrays, labels)
            return made
    return None
