"""How are a loader's workers started and ended, whatever happens to either side?"""

from __future__ import annotations

import atexit
import os
import threading
import warnings
import weakref
from multiprocessing.connection import wait
from pickle import PicklingError
from time import monotonic
from typing import Any

from ...multiprocessing.interrupts import uninterrupted
from ...multiprocessing.parcels import Carried
from .channel import Channel, pair
from .worker import Work, work_on

PATIENCE = 5.0
"""Seconds that workers are given to end by themselves."""

_starting = threading.Lock()
"""Held while a worker starts, so that no other one inherits its end of the channel."""
_teams: weakref.WeakSet[Team] = weakref.WeakSet()


class Team:
    """The workers of one iterator."""

    def __init__(self, count: int):
        self.count = count
        self.processes: list[Any] = []
        self.channels: list[Channel] = []
        self.patience = PATIENCE
        self._process, self._ended = os.getpid(), False
        self._gone: set[int] = set()
        _teams.add(self)

    def start(self, ways: Any, loader: Any, base_seed: int) -> None:
        """Start all workers; if one cannot be started, end the others."""
        carried = Carried(loader.dataset, loader.collate_fn, loader.worker_init_fn)
        try:
            for worker in range(self.count):
                work = Work(
                    bool(loader._dataset_kind), loader._auto_collation, loader.drop_last, base_seed, worker, self.count,
                )  # fmt: skip
                with _starting, uninterrupted():
                    self._start(ways, work, carried)
        except BaseException:
            self.patience = 0.2
            self.end()
            raise

    def _start(self, ways: Any, work: Work, carried: Carried) -> None:
        here, there = pair()
        channel = Channel(here, of_loader=True)
        try:
            process = ways.Process(target=work_on, args=(work, carried, there), daemon=True)
            process.start()
        except (TypeError, AttributeError, PicklingError):
            channel.close()
            warnings.warn(
                "Got pickle error when attempting to start a worker Process. This might be because the worker Process "
                "arguments are not picklable. Python 3.14+ changed the multiprocessing start method in non-Mac POSIX "
                "platforms to 'forkserver', which requires the worker Process arguments to be picklable. You can also "
                "try multiprocessing.set_start_method('fork').",
                stacklevel=2,
            )
            raise
        except BaseException:
            channel.close()
            raise
        finally:
            there.close()
        self.channels.append(channel)
        self.processes.append(process)

    def open(self) -> list[Channel]:
        """The channels of workers that may still say something."""
        return [channel for channel in self.channels if channel.fileno() >= 0]

    def mourn(self, worker: int) -> None:
        """Nothing more comes from a worker: wait until the system says how it ended."""
        self.channels[worker].close()
        self.processes[worker].join(1)
        self._gone.add(worker)

    def dead(self) -> list[int]:
        """The workers that ended."""
        return [w for w, process in enumerate(self.processes) if w in self._gone or not process.is_alive()]

    def end(self) -> None:
        """End all workers: by closing the channels, by SIGTERM, by SIGKILL. Nothing of them is left after this."""
        if self._ended:
            return
        with uninterrupted() as noted:
            self._ended = True
            for channel in self.channels:
                channel.close()
            if os.getpid() != self._process:
                return
            running = self._running(self.patience, noted)
            for process in running:
                process.terminate()
            for process in self._running(1.0, []) if running else ():
                process.kill()
            for process in self.processes:
                process.join()  # it is closed when nobody refers to it any more
            self.processes.clear()

    def _running(self, seconds: float, noted: list[int]) -> list[Any]:
        """The workers that still run after a while, which Ctrl-C cuts short."""
        end = monotonic() + seconds
        running = [process for process in self.processes if process.is_alive()]
        while running and monotonic() < end and not noted:
            wait([process.sentinel for process in running], min(0.1, max(0.0, end - monotonic())))
            running = [process for process in running if process.is_alive()]
        return running

    def __del__(self) -> None:
        self.end()


def _end_all() -> None:
    """The interpreter ends, and loaders that are still in use end their workers."""
    for team in list(_teams):
        team.patience = 0.2
        team.end()


def _in_a_child() -> None:
    global _starting
    _starting = threading.Lock()


atexit.register(_end_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_in_a_child)
