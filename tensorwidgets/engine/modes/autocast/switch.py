"""What happens when a block of `autocast` begins or ends: calls take the long route, and weights are forgotten."""

from __future__ import annotations

from typing import Any

from ...dispatch.registry import watching
from ...tensor.thread_state import on_change

WEIGHTS: dict[int, tuple[Any, Any]] = {}
"""The weights that open blocks have converted, by the id of the weight: a weak reference to it, and the result."""


def _switched(thread: int, on: bool) -> None:
    """Send every call the long route while a block is open in some thread."""
    if on:
        from . import casting  # noqa: F401  (it is entered at the stations; programs without autocast do not load it)

        watching.add(("autocast", thread))
    else:
        watching.discard(("autocast", thread))


on_change["autocast"] = _switched
