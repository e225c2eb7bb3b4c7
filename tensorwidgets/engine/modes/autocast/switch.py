"""What happens when the first block of `autocast` begins, or the last one ends: calls take the long route, or not."""

from __future__ import annotations

from ...dispatch.registry import watching
from ...tensor.thread_state import on_change


def _switched(thread: int, on: bool) -> None:
    """Send every call the long route while a block is open in some thread."""
    if on:
        from . import casting  # noqa: F401  (it is entered at the stations; programs without autocast do not load it)

        watching.add(("autocast", thread))
    else:
        watching.discard(("autocast", thread))


on_change["autocast"] = _switched
