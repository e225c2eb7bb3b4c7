"""A call that is under way: `Work`, and the thread of a group that makes its calls one after the other."""

from __future__ import annotations

import os
import threading
import traceback
from collections.abc import Callable
from datetime import timedelta
from queue import SimpleQueue
from time import monotonic
from typing import Any

from ..engine.errors.reasons import refuse
from ..engine.tensor.tensor import Tensor
from ..engine.types.device import device
from .stores.arguments import duration, refuse_type

AS_LONG_AS_IT_TAKES = timedelta(0)


class Work:
    """A call that is under way. Its tensors are complete when `wait` has returned."""

    def __init__(self, name: str, tensors: list[Tensor], seconds: float):
        self.name, self.tensors, self.seconds = name, tensors, seconds
        self.error: BaseException | None = None
        self._open = threading.Lock()
        self._open.acquire()
        self._done = False
        self._lock = threading.Lock()
        self._then: list[Callable[[], None]] = []

    def finish(self, error: BaseException | None = None) -> None:
        """The call is done, or has failed."""
        with self._lock:
            self.error, self._done = error, True
            then, self._then = self._then, []
        self._open.release()
        for call in then:
            call()

    def wait(self, timeout: timedelta = AS_LONG_AS_IT_TAKES) -> bool:
        """Wait until the call is done, and raise its error if it failed."""
        seconds = duration("wait", timeout)
        if not self._done:
            if not self._open.acquire(timeout=seconds if seconds > 0 else -1):
                self.late(seconds)
            self._open.release()
        if self.error is not None:
            raise self.error
        return True

    def late(self, seconds: float) -> None:
        """Refuse to wait any longer."""
        raise too_late(self.name, seconds)

    def is_completed(self) -> bool:
        """Whether the call is done."""
        return self._done

    def is_success(self) -> bool:
        """Whether the call is done without an error."""
        return self._done and self.error is None

    def exception(self) -> BaseException | None:
        """The error of the call, if it failed."""
        return self.error

    def result(self) -> list[Tensor]:
        """The tensors of the call."""
        if not self._done:
            raise RuntimeError(
                "Work needs to be completed before calling result(). Should call wait() before result()."
            )
        return self.tensors

    def source_rank(self) -> int:
        """The rank that sent a message; only a call that receives one has it."""
        raise RuntimeError(
            "sourceRank() may only be called on work objects that correspond to a recv or recv-from-any call."
        )

    def _source_rank(self) -> int:
        return self.source_rank()

    def synchronize(self) -> None:
        """Wait, as `wait` does."""
        self.wait()

    def get_future(self) -> Future:
        """The same as something to wait for, with its tensors as value."""
        made = Future(self)
        self.when_done(lambda: made.settle(lambda: self.result_of_future()))
        return made

    def result_of_future(self) -> Any:
        """The value of the future of this call."""
        if self.error is not None:
            raise self.error
        return self.tensors

    def when_done(self, call: Callable[[], None]) -> None:
        """Do something when the call is done."""
        with self._lock:
            if not self._done:
                self._then.append(call)
                return
        call()


class Future:
    """A value that will be there when a call is done, or when somebody sets it."""

    def __init__(self, work: Work | None = None, *, devices: Any = None):
        for each in devices or ():
            if device(each).type == "cpu":
                raise ValueError(f"Expected devices to have indices, got {each}")
        self._work = work
        self._there = threading.Event()
        self._lock = threading.Lock()
        self._calls: list[Callable[[], None]] = []
        self._value: Any = None
        self._error: BaseException | None = None

    def __class_getitem__(cls, parameters: Any) -> type[Future]:
        """With the type of its value, as annotations have it."""
        return cls

    def set_result(self, result: Any) -> None:
        """Give the future its value."""
        self._refuse_again()
        self.settle(lambda: result)

    def set_exception(self, result: Exception) -> None:
        """Give the future an error, which `wait` raises."""
        if not isinstance(result, Exception):
            raise AssertionError(f"{result} is of type {type(result)}, not an Exception.")
        self._refuse_again()

        def fails() -> Any:
            raise result

        self.settle(fails)

    def _refuse_again(self) -> None:
        if self._there.is_set():
            raise RuntimeError(
                "Attempting to mark a completed Future as complete again. Note that a Future can only be marked "
                "completed once."
            )

    def settle(self, made: Callable[[], Any]) -> None:
        """Give the future its value, or the error that there is instead."""
        try:
            self._value = made()
        except BaseException as error:
            self._error = error
        with self._lock:
            self._there.set()
            calls, self._calls = self._calls, []
        if calls:  # not in the thread of the group: it must be free for calls that these make
            threading.Thread(target=lambda: [call() for call in calls], daemon=True).start()

    def _when_there(self, call: Callable[[], None]) -> None:
        with self._lock:
            if not self._there.is_set():
                self._calls.append(call)
                return
        call()

    def wait(self) -> Any:
        """The value, when it is there."""
        if not self._there.is_set():
            if self._work is not None:
                self._work.wait()
            self._there.wait()
        if self._error is not None:
            raise self._error
        return self._value

    def value(self) -> Any:
        """The value, which is there."""
        if self._work is None and not self._there.is_set():
            refuse(
                RuntimeError,
                "the future has no value yet",
                "value() does not wait",
                "wait()",
                rule="future.value",
            )
        return self.wait()

    def done(self) -> bool:
        """Whether it is there."""
        if self._work is not None:
            self._work.is_completed()
        return self._there.is_set()

    def then(self, call: Callable[[Future], Any]) -> Future:
        """What `call` makes of this, once it is there."""
        if not callable(call):
            refuse_type("then", "what is called next, with this future")
        made = Future(self._work)

        def value() -> Any:
            try:
                return call(self)
            except Exception as error:
                said = f"Got the following error when running the callback: {type(error).__name__}: {error}"
                raise RuntimeError(said) from error

        self._when_there(lambda: made.settle(value))
        return made

    def add_done_callback(self, call: Callable[[Future], Any]) -> None:
        """Call something with this, once it is there."""
        if not callable(call):
            refuse_type("add_done_callback", "what is called, with this future")

        def run() -> None:
            try:
                call(self)
            except Exception:
                traceback.print_exc()

        self._when_there(run)


def collect_all(futures: list[Future]) -> Future:
    """The future of all futures: it is done when the last of them is.

    >>> import tensorwidgets as torch
    >>> future = torch.futures.Future()
    >>> doubled = future.then(lambda done: 2 * done.value())
    >>> future.set_result(torch.ones(2))
    >>> torch.futures.wait_all([doubled])
    [tensor([2., 2.])]
    """
    if not isinstance(futures, (list, tuple)) or not all(isinstance(each, Future) for each in futures):
        refuse_type("_collect_all", "a list of futures")
    made, left, lock = Future(), len(futures), threading.Lock()

    def one_more(done: Future) -> None:
        nonlocal left
        with lock:
            left -= 1
            last = not left
        if last:
            made.settle(lambda: [_checked(each) for each in futures])

    if not futures:
        made.set_result([])
    for each in futures:
        each.add_done_callback(one_more)
    return made


def _checked(done: Future) -> Future:
    done.value()  # which raises its error
    return done


def wait_all(futures: list[Future]) -> list[Any]:
    """The values of futures, when all are there."""
    return [each.wait() for each in collect_all(futures).wait()]


def too_late(name: str, seconds: float) -> BaseException:
    """The error of a call for which another rank did not come in time."""
    try:
        refuse(
            RuntimeError,
            f"Timed out waiting {round(seconds * 1000)}ms for {name} operation to complete",
            "another rank did not make the same call in this time",
            "the same calls in the same order on every rank, or init_process_group(timeout=…)",
            rule="distributed.timeout",
        )
    except RuntimeError as error:
        return error


class Deadline:
    """When a call is given up."""

    def __init__(self, name: str, seconds: float):
        self.name, self.seconds, self.end = name, seconds, monotonic() + seconds

    def check(self) -> None:
        """Raise the error of a call that takes too long."""
        if monotonic() > self.end:
            raise too_late(self.name, self.seconds)


class Lane:
    """The thread of a group, which makes its calls in the order in which they are asked for."""

    def __init__(self, name: str):
        self.name, self.process = name, os.getpid()
        self._calls: SimpleQueue[tuple[Work, Callable[[Deadline], None]] | None] = SimpleQueue()
        self._thread: threading.Thread | None = None

    def add(self, work: Work, call: Callable[[Deadline], None]) -> Work:
        """Make a call when all before it are done."""
        if os.getpid() != self.process:
            refuse(
                RuntimeError,
                f"{work.name} in a process that a rank forked",
                "only the rank itself talks to other ranks; its workers are not ranks",
                "the call in the rank's own process",
                rule="distributed.forked",
            )
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name=f"ranks of {self.name}", daemon=True)
            self._thread.start()
        self._calls.put((work, call))
        return work

    def close(self) -> None:
        """No more calls come."""
        if self._thread is not None and os.getpid() == self.process:
            self._calls.put(None)
            self._thread.join(5)
            self._thread = None

    def _work(self) -> None:
        while (item := self._calls.get()) is not None:
            work, call = item
            try:
                call(Deadline(work.name, work.seconds))
            except BaseException as error:
                work.finish(error)
            else:
                work.finish()
            del work, call, item
