"""What has been computed through the host, and what the device lacked for it?"""

from __future__ import annotations

from collections import Counter

through_host: Counter[str] = Counter()
"""How many calls of each op have been computed through the host."""

missing: dict[str, str] = {}
"""What the device lacked for an op that was computed through the host, the last time."""


def count(name: str, why: str = "listed") -> None:
    """Count a call that goes through the host."""
    through_host[name] += 1
    missing[name] = why
