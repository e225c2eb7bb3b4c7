"""What does an epoch of a loader say? How long the loop waited, for whom, and what would help."""

from __future__ import annotations

import math
from typing import NamedTuple

from ..arrays.models.loading import Epoch
from ..arrays.values import count

MUCH = 0.1
"""The share of its time from which a loop is said to wait."""


class Said(NamedTuple):
    """The sentence under the picture."""

    subject: str
    reason: str
    after: str


def duration(milliseconds: float) -> str:
    """Time in a few characters.

    >>> duration(0.0123), duration(4.567), duration(123.4), duration(4567.0)
    ('0.012 ms', '4.6 ms', '123 ms', '4.6 s')
    """
    if milliseconds >= 1000:
        return f"{milliseconds / 1000:.1f} s"
    return f"{milliseconds:.0f} ms" if milliseconds >= 10 else f"{milliseconds:.2g} ms"


def verdict(epoch: Epoch) -> Said:
    """How long the loop waited, and why."""
    workers = [lane for lane in epoch.lanes if lane.worker is not None]
    batches = len(epoch.batches)
    loading = sum(lane.busy for lane in epoch.lanes) / batches
    working = sum(span.end - span.begin for span in epoch.work) / max(len(epoch.work), 1)
    works = working > loading / 100
    each = f"A batch takes {duration(loading)} to load" + (
        f", and the loop works on one for {duration(working)}." * works or "."
    )
    if not workers:
        share = sum(span.end - span.begin for span in epoch.waits) / max(epoch.waits[-1].end, 1e-9)
        after = "Workers would load while the loop works: num_workers=2." if share > MUCH and works else ""
        return Said("the loop", f"loads each batch itself, {share:.0%} of its time", f"{each} {after}".strip())
    whole = epoch.waits[-1].end - epoch.start
    share = epoch.waited / whole if whole > 0 else 0.0
    first = f" The first batch came after {duration(epoch.start)}{_of_which(epoch)}."
    if batches == 1:
        return Said("the loop", f"waits {duration(epoch.start)} for its only batch", each)
    if share <= MUCH:
        return Said("the loop", f"waits {share:.0%} of its time after the first batch", each + first)
    busy = sum(lane.busy for lane in workers) / len(workers) / max(whole, 1e-9)
    cause = "the workers load all the time" if busy > 0.7 else "sending and reading batches takes its time, too"
    need = math.ceil(loading / working) if works else 0
    more = f" {count(need, 'worker')} would keep up." if busy > 0.7 and len(workers) < need <= 16 else ""
    return Said("the loop", f"waits {share:.0%} of its time after the first batch: {cause}", each + more + first)


def _of_which(epoch: Epoch) -> str:
    """How much of the time to the first batch went by before anybody loaded; nothing where that is little."""
    started = min(lane.loads[0].begin for lane in epoch.lanes)
    return f", {duration(started)} of them to start the workers" if started > epoch.start / 100 else ""
