"""What if Ctrl-C comes while a process is started or ended? It waits until that is done."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uninterrupted() -> Iterator[list[int]]:
    """Note Ctrl-C in a list, and raise it at the end. A process that is started inside does not hear it at all."""
    noted: list[int] = []
    main = threading.current_thread() is threading.main_thread()
    handler = signal.getsignal(signal.SIGINT) if main else None
    masks = hasattr(signal, "pthread_sigmask")
    if handler is not None:
        signal.signal(signal.SIGINT, lambda number, frame: noted.append(number))
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}) if masks else set()
    try:
        yield noted
    finally:
        if masks:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        if handler is not None:
            signal.signal(signal.SIGINT, handler)
            if noted and callable(handler):
                handler(signal.SIGINT, None)
