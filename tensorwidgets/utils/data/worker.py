"""What does a worker do? It reads indices, loads their batches, and sends them, until nobody is left to talk to."""

from __future__ import annotations

import os
import select
import signal
import socket
import sys
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from ...engine.backends.numpy.threads import set_num_threads
from ...engine.errors.elsewhere import ExceptionWrapper
from ...multiprocessing.parcels import Carried
from .channel import NOTHING, Channel
from .fetch import fetcher_of
from .recycling import Pool, use_pool
from .seeding import seed_worker
from .worker_info import WorkerInfo, set_worker_info

LOOK_EVERY = 5.0
"""Seconds after which a worker that hears nothing looks whether its loader still runs."""

END, AGAIN = -1, -2
"""Numbers of messages that are about no batch: a stream has ended; a new epoch begins."""


@dataclass(frozen=True)
class Work:
    """What a worker has to know."""

    streams: bool
    in_batches: bool
    drop_last: bool
    base_seed: int
    worker: int
    workers: int


class Worker:
    """A worker in its process."""

    def __init__(self, work: Work, carried: Carried, channel: Channel, pool: Pool):
        self.work, self.channel, self.pool = work, channel, pool
        self.dataset, self.collate_fn, self.init_fn = carried.contents
        self.parent = os.getppid()
        self.error: ExceptionWrapper | None = None
        self.fetcher: Any = None
        self.ended = False

    def run(self) -> None:
        """Load batches until the loader closes its end of the channel."""
        work = self.work
        seed = seed_worker(work.base_seed, work.worker)
        set_worker_info(WorkerInfo(work.worker, work.workers, seed, self.dataset))
        try:
            if self.init_fn is not None:
                self.init_fn(work.worker)
            self.begin()
        except Exception:
            self.error = self.caught()
        while True:
            number, index, released = self.read()
            self.pool.note_released(released)
            if number == AGAIN:
                self.begin()
                self.send((AGAIN, None))
            elif not self.ended:
                self.load(number, index)

    def begin(self) -> None:
        """Begin an epoch."""
        work, self.ended = self.work, False
        self.fetcher = fetcher_of(work.streams, self.dataset, work.in_batches, self.collate_fn, work.drop_last)

    def caught(self) -> ExceptionWrapper:
        """The exception that is being handled."""
        return ExceptionWrapper(where=f"in DataLoader worker process {self.work.worker}")

    def load(self, number: int, index: Any) -> None:
        """Load a batch and send it, or the exception that was raised instead."""
        data: Any
        try:
            if self.error is not None:
                data, self.error = self.error, None
            else:
                data = self.fetcher.fetch(index)
        except StopIteration:
            self.ended = self.work.streams
            number, data = (END, number) if self.ended else (number, self.caught())
        except Exception:
            data = self.caught()
        try:
            self.send((number, data))
        except EOFError:
            raise
        except Exception:  # it cannot be packed
            self.send((number, self.caught()))

    # -- talking -----------------------------------------------------------------------------------------------------

    def read(self) -> Any:
        """The next message of the loader."""
        while (message := self.channel.receive()) is NOTHING:
            self.wait(select.POLLIN if hasattr(select, "poll") else 1)
        return message

    def send(self, message: Any) -> None:
        """Send a message whole."""
        self.channel.post(message)
        while not self.channel.flush():
            self.wait(select.POLLOUT if hasattr(select, "poll") else 4)

    def wait(self, events: int) -> None:
        """Wait for the channel. Raises EOFError where the loader's process is gone."""
        if hasattr(select, "poll"):
            poll = select.poll()
            poll.register(self.channel, events)
            heard = bool(poll.poll(LOOK_EVERY * 1000))
        else:
            reads, writes, _ = select.select([self.channel], [self.channel] if events == 4 else [], [], LOOK_EVERY)
            heard = bool(reads or writes)
        if not heard and os.getppid() != self.parent:
            raise EOFError


def work_on(work: Work, carried: Carried, end: socket.socket) -> None:
    """The process of a worker."""
    _own_signals()
    set_num_threads(1)
    pool = use_pool()
    channel = Channel(end, of_loader=False, pool=pool)
    with suppress(EOFError, KeyboardInterrupt):
        Worker(work, carried, channel, pool).run()
    channel.close()
    with suppress(Exception):
        sys.stdout.flush()


def _own_signals() -> None:
    """Forget how the process that was forked handles signals.

    Ctrl-C interrupts all processes of a terminal, and a worker goes on: its loader decides what becomes of it.
    """
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, lambda number, frame: None)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT, signal.SIGTERM})
