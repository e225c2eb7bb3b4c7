"""How do several processes load batches in the background? Who is given which indices, and which batch comes next."""

from __future__ import annotations

import itertools
import multiprocessing
from contextlib import suppress
from time import monotonic
from typing import Any

from ...engine.errors.elsewhere import ExceptionWrapper
from .channel import NOTHING, ready
from .failures import refuse_dead, refuse_slow
from .iterators import Failure, _BaseDataLoaderIter
from .pinning import pinned
from .team import Team
from .worker import AGAIN, END, LOOK_EVERY


class _MultiProcessingDataLoaderIter(_BaseDataLoaderIter):
    """Loads batches in processes that live as long as the iterator, and hands them out in order."""

    __module__ = __name__.replace(".parallel", ".dataloader")  # by which it prints as in PyTorch

    _team: Team | None = None

    def __init__(self, loader: Any):
        super().__init__(loader)
        self._prefetch_factor, self._in_order = loader.prefetch_factor, loader.in_order
        if self._prefetch_factor <= 0:
            raise AssertionError("prefetch_factor must be greater than 0 for MultiProcessingDataLoaderIter")
        ways = loader.multiprocessing_context or multiprocessing
        self._team = Team(self._num_workers)
        try:
            self._team.start(ways, loader, self._base_seed)
            self._reset(loader, first=True)
        except BaseException:
            self._be_quick()
            self._end()
            raise

    def _reset(self, loader: Any, first: bool = False) -> None:
        super()._reset(loader)
        assert self._team is not None
        self._sent = self._returned = 0
        """Numbers of the next batch to order, and of the next to return."""
        self._tasks: dict[int, list] = {}
        """What is known of each batch that was ordered: its worker, and its data when they are there."""
        self._active = [True] * self._num_workers
        self._held = [0] * self._num_workers
        """How many batches each worker was given that are not returned."""
        self._turns = itertools.cycle(range(self._num_workers))
        if not first:
            self._resume()
        for _ in range(self._prefetch_factor * self._num_workers):
            self._order()

    def _resume(self) -> None:
        """Begin another epoch with the same workers; batches of the last one that still come are dropped."""
        assert self._team is not None
        for channel in self._team.channels:
            with suppress(EOFError):  # a worker that died since is noticed below
                channel.post((AGAIN, None, channel.released()))
        waiting = self._num_workers
        while waiting:
            _, message = self._wait()
            waiting -= message[0] == AGAIN

    def _order(self) -> None:
        """Give the next indices to the worker whose turn it is."""
        assert self._team is not None
        try:
            index = next(self._sampler_iter)
        except StopIteration:
            return
        most = self._prefetch_factor * self._num_workers // max(sum(self._active), 1)
        for worker in itertools.islice(self._turns, self._num_workers):
            if self._active[worker] and (self._in_order or self._held[worker] < most):
                break
        else:
            return
        self._tasks[self._sent] = [worker]
        self._held[worker] += 1
        self._sent += 1
        channel = self._team.channels[worker]
        with suppress(EOFError):  # a worker that died is noticed when its batch is wanted
            channel.post((self._sent - 1, index, channel.released()))

    def _next_data(self) -> Any:
        try:
            return self._next_batch()
        except Exception:
            raise
        except BaseException as error:  # Ctrl-C
            self._be_quick()
            return Failure(error)

    def _next_batch(self) -> Any:
        while True:
            while self._returned < self._sent:
                task = self._tasks.get(self._returned)
                if task is not None and (len(task) > 1 or self._active[task[0]]):
                    break
                self._tasks.pop(self._returned, None)
                self._returned += 1
            else:
                if not self._persistent_workers:
                    self._end()
                raise StopIteration
            task = self._tasks[self._returned]
            if len(task) > 1:
                self._returned += 1
                return self._handed_out(self._returned - 1)
            try:
                worker, (number, data) = self._wait()
            except Exception as error:
                return Failure(error)
            if number == END:
                self._tasks.pop(data, None)
                self._leave(worker)
                self._order()
                continue
            self._tasks[number].append(data)
            if number == self._returned or not self._in_order:
                self._returned += number == self._returned
                return self._handed_out(number)

    def _handed_out(self, number: int) -> Any:
        """A batch that is there, and another one is ordered."""
        worker, data = self._tasks.pop(number)
        self._held[worker] -= 1
        self._order()
        if isinstance(data, ExceptionWrapper):
            return Failure(data.error())
        if not self._pin_memory:
            return data
        try:
            return pinned(data)
        except Exception:  # PyTorch pins in a thread
            from ...engine.devices.gpus import current_index

            return Failure(ExceptionWrapper(where=f"in pin memory thread for device {current_index()}").error())

    def _wait(self) -> tuple[int, Any]:
        """The next message of any worker. Raises where one died, or where it takes too long."""
        assert self._team is not None
        end = monotonic() + self._timeout if self._timeout > 0 else None
        while True:
            for channel in ready(self._team.open(), LOOK_EVERY if end is None else min(LOOK_EVERY, end - monotonic())):
                worker = self._team.channels.index(channel)
                try:
                    message = channel.receive()
                except EOFError:
                    self._team.mourn(worker)
                    continue
                if message is not NOTHING:
                    return worker, message
            dead = [w for w in self._team.dead() if self._active[w]]
            if dead:
                for worker in dead:
                    self._active[worker] = False
                refuse_dead([self._team.processes[worker] for worker in dead])
            if end is not None and monotonic() >= end:
                self._be_quick()
                refuse_slow(self._timeout)

    def _leave(self, worker: int) -> None:
        """A stream has ended in a worker, which ends with it unless it is kept."""
        assert self._team is not None
        self._active[worker] = False
        if not self._persistent_workers:
            self._team.channels[worker].close()

    def _be_quick(self) -> None:
        """Do not wait long for a worker that hangs, or after an interrupt."""
        if self._team is not None:
            self._team.patience = 0.2

    def _end(self) -> None:
        if self._team is not None:
            self._team.end()

    @property
    def _workers(self) -> list[Any]:
        """The processes, by PyTorch's name."""
        return [] if self._team is None else [*self._team.processes]

    def _shutdown_workers(self) -> None:
        """End all processes, by PyTorch's name. The iterator is at its end then."""
        self._active = [False] * self._num_workers
        self._tasks.clear()
        self._end()

    def __del__(self) -> None:
        self._end()
