"""split, chunk and split_with_sizes whose pieces do not count as views: unsafe_split and its relatives."""

from __future__ import annotations

from typing import Any

from ...declare.by_signature import calls
from ...dispatch.registry import OPS
from ...tensor.tensor import Tensor
from ...tensor.wrapping import alias_of


def _unsafe(name: str, safe: str, words: str) -> None:
    @calls(name, words, category="other")
    def pieces(input: Tensor, dim: int = 0, **options: Any) -> Any:
        result = OPS[safe].function(input, *options.values(), dim)
        aliases = [alias_of(input, False, piece._array) for piece in result]
        for piece, view in zip(aliases, result, strict=True):
            piece._empty_offset = view._empty_offset
        return tuple(aliases)


_unsafe(
    "unsafe_split",
    "split",
    "Splits the tensor like `split`, but the pieces do not count as views.",
)
_unsafe(
    "unsafe_chunk",
    "chunk",
    "Splits the tensor like `chunk`, but the pieces do not count as views.",
)
_unsafe(
    "unsafe_split_with_sizes",
    "split",
    "Splits the tensor like `split_with_sizes`, but the pieces do not count as views.",
)


__all__: list[str] = []
