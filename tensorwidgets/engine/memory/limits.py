"""How much memory there is, also inside a container with a limit of its own."""

from __future__ import annotations

import os

_CONTAINER_FILES = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")
_UNKNOWN = 4 << 30


def installed() -> int:
    """Bytes of memory that this process may use.

    >>> installed() > 0
    True
    """
    results = [size for size in (_machine(), *map(_container, _CONTAINER_FILES)) if size]
    return min(results, default=_UNKNOWN)


def _machine() -> int:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # not every system reports it
        return 0


def _container(path: str) -> int:
    try:
        with open(path, encoding="ascii") as limit:
            return int(limit.read())
    except (OSError, ValueError):  # no container, or one without a limit ("max")
        return 0
