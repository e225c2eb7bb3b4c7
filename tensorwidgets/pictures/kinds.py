"""Which picture `show` draws: by the kind of tensor. A kind is a line in `PICTURES` and a file of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, NamedTuple

from .picture import Picture


def is_quantized(array: Any) -> bool:
    """Whether whole numbers stand for others here; asked of tensors of ours and of PyTorch's."""
    return not isinstance(array, type) and bool(getattr(array, "is_quantized", False))


def is_meta(array: Any) -> bool:
    """Whether there is a size and no bytes."""
    return not isinstance(array, type) and bool(getattr(array, "is_meta", False))


def is_sparse(array: Any) -> bool:
    """Whether only some elements are kept."""
    return not isinstance(array, type) and str(getattr(array, "layout", "")).startswith("torch.sparse_")


class Drawn(NamedTuple):
    """Which tensors a picture is for, how many of them it takes, and where it is made."""

    of: Callable[[Any], bool]
    enough: Callable[[list[bool]], bool]
    module: str
    function: str


PICTURES = (
    Drawn(is_quantized, any, "quantized", "quantized_picture"),
    Drawn(is_sparse, any, "sparse", "sparse_picture"),
    Drawn(is_meta, all, "meta", "meta_picture"),
)


def picture_of(arrays: Sequence[Any], labels: Sequence[str]) -> Picture | None:
    """The picture of the first kind that is found; None for plain arrays."""
    for drawn in PICTURES:
        if arrays and drawn.enough([drawn.of(a) for a in arrays]):
            made: Picture = getattr(import_module(f"{__package__}.{drawn.module}"), drawn.function)(arrays, labels)
            return made
    return None
