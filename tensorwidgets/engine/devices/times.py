"""How long would work take on a GPU? A model, for the simulated GPU and for pictures; nothing here is measured."""

from __future__ import annotations

START = 10e-6
"""Seconds until a copy begins."""

LAUNCH = 5e-6
"""Seconds that every call takes on a GPU, however little it computes."""

PATHS = (
    ("pageable", "memory that is not pinned", 12),
    ("PCIe 4", "pinned memory, over PCIe 4", 25),
    ("PCIe 5", "pinned memory, over PCIe 5", 50),
    ("NVLink", "GPU to GPU, or a CPU that has it", 450),
    ("within", "within one GPU's memory", 2400),
)
"""The name of a path, what it is, and its rate in gigabytes (10^9 bytes) a second."""

_RATES = {name: rate * 1e9 for name, _, rate in PATHS}


def seconds_of_copy(nbytes: int, path: str) -> float:
    """How long a copy takes.

    >>> [f"{seconds_of_copy(1 << 30, name) * 1e3:.1f} ms" for name, _, _ in PATHS]
    ['89.5 ms', '43.0 ms', '21.5 ms', '2.4 ms', '0.5 ms']
    """
    return START + nbytes / _RATES[path]


def seconds_of_call(nbytes: int) -> float:
    """How long a call takes that reads and writes this many bytes: as long as its memory needs.

    >>> f"{seconds_of_call(3 << 30) * 1e3:.2f} ms", f"{seconds_of_call(12) * 1e6:.0f} µs"
    ('1.35 ms', '5 µs')
    """
    return LAUNCH + nbytes / _RATES["within"]
