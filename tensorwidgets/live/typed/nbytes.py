"""Reading a number of bytes that a person types, without raising."""

from __future__ import annotations

import re
from typing import Any

UNITS = {"": 1 << 20, "mib": 1 << 20, "mb": 1 << 20, "kib": 1 << 10, "kb": 1 << 10, "gib": 1 << 30, "gb": 1 << 30,
         "b": 1, "byte": 1, "bytes": 1}  # fmt: skip
LARGEST = 1 << 50


def typed_bytes(text: Any) -> int | None:
    """A number of bytes; without a unit it counts MiB. None if it is none.

    >>> typed_bytes("6"), typed_bytes("0.5 MiB"), typed_bytes("512 bytes"), typed_bytes("six"), typed_bytes(-1)
    (6291456, 524288, 512, None, None)
    """
    found = re.fullmatch(r"\s*(\d{1,15}(?:\.\d{0,9})?|\.\d{1,9})\s*([a-z]*)\s*", str(text)[:60].lower())
    if found is None or found[2] not in UNITS:
        return None
    nbytes = int(float(found[1]) * UNITS[found[2]])
    return nbytes if 0 < nbytes <= LARGEST else None
