"""How are the gradients of layers declared as rows of their own, which have derivatives in turn?"""

from __future__ import annotations

from collections.abc import Callable

from ....dispatch import stations
from ....dispatch.registry import Op


def gradient_row(name: str, words: str) -> Callable[[Callable], Callable]:
    """Declare the gradients of an op as a row."""

    def declare(plain: Callable) -> Callable:
        return stations.bind(Op(name, "gradients", "nn.functional", words, forms=frozenset()), plain)

    return declare
