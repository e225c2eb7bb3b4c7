"""Which ops do only derivatives call? Gradients that are computed by a rule and a kernel, so that a second order has
PyTorch's nodes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...declare.rules import Answer, follow
from ...dispatch import stations
from ...dispatch.registry import Op

BACK: dict[str, Callable[..., Any]] = {}
"""The functions of these ops by name."""


def way_back(name: str, words: str, kernel: Callable[..., Any]) -> Callable[[Callable], Callable]:
    """Declare an op that only derivatives call, by its rule and its kernel."""

    def declare(rule: Callable[..., Answer]) -> Callable[..., Answer]:
        op = Op(name, "nn", "nn", words, rule=rule, kernel=kernel, forms=frozenset())
        BACK[name] = stations.bind(op, follow(rule, kernel, out=None))
        return rule

    return declare
