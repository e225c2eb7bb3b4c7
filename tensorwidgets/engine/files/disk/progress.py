"""A progress bar for reads and writes that take longer than a second."""

from __future__ import annotations

from threading import Lock
from time import monotonic
from typing import Any

PATIENCE = 1.0
"""Seconds before the bar appears."""


class Progress:
    """Counts bytes. The bar appears after one second, in the terminal or the notebook, if tqdm is installed.

    >>> with Progress("saving", 100) as progress:
    ...     progress(60)
    ...     progress(40)
    """

    def __init__(self, what: str, total: int):
        self._what, self._total, self._done = what, total, 0
        self._began = monotonic()
        self._bar: Any = None
        self._lock = Lock()

    def __call__(self, nbytes: int) -> None:
        with self._lock:  # several threads may read
            self._done += nbytes
            if self._bar is not None:
                self._bar.update(nbytes)
            elif monotonic() - self._began > PATIENCE and self._done < self._total:
                self._bar = _bar(self._what, self._total, self._done)

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()


class _NoBar:
    """Replaces the bar if tqdm is not installed."""

    def update(self, nbytes: int) -> None: ...

    def close(self) -> None: ...


def _bar(what: str, total: int, done: int) -> Any:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _NoBar()
    return tqdm(desc=what, total=total, initial=done, unit="B", unit_scale=True, leave=False)
