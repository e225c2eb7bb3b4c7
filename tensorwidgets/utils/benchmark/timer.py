"""A timer runs a statement: a given number of times, or until the result is reliable."""

from __future__ import annotations

import timeit
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from textwrap import dedent
from typing import Any

from ...engine.errors.reasons import refuse
from .measurement import Measurement, TaskSpec

_AT_LEAST = 1e-9
"""A run takes at least so many seconds, whatever the clock says."""


class Timer:
    """Measures a statement, with the names in `globals`. Labels say what a result is about, in tables and prints."""

    def __init__(
        self, stmt: str = "pass", setup: str = "pass", global_setup: str = "", timer: Callable[[], float] | None = None,
        globals: dict[str, Any] | None = None, label: str | None = None, sub_label: str | None = None,
        description: str | None = None, env: str | None = None, num_threads: int = 1, language: Any = "py",
    ):  # fmt: skip
        if not isinstance(stmt, str):
            message = "Currently only a `str` stmt is supported."
            refuse(ValueError, message, "the statement is compiled, as timeit does", rule="benchmark.stmt")
        stmt, setup = _cleaned(stmt), _cleaned(setup)
        names = dict(globals or {})
        package = __name__.partition(".")[0]
        names.setdefault("torch", import_module(package))  # statements of other programs say torch
        self._globals = names
        self._timer = timeit.Timer(stmt, setup, timer or timeit.default_timer, names)
        self._task_spec = TaskSpec(stmt, setup, global_setup, label, sub_label, description, env, num_threads)

    def timeit(self, number: int = 1_000_000) -> Measurement:
        """One run of so many executions, after a few that do not count."""
        with self._threads():
            self._seconds(max(number // 100, 2))
            return self._measured(number, [self._seconds(number)])

    def blocked_autorange(
        self, callback: Callable[[int, float], Any] | None = None, min_run_time: float = 0.2
    ) -> Measurement:
        """Runs of many executions, so that reading the clock takes no part, until they took `min_run_time` seconds."""
        with self._threads():
            number = self._block(min_run_time)
            times: list[float] = []
            while sum(times) < min_run_time:
                self._run(number, times, callback)
        return self._measured(number, times)

    def adaptive_autorange(
        self, threshold: float = 0.1, *, min_run_time: float = 0.01, max_run_time: float = 10.0,
        callback: Callable[[int, float], Any] | None = None,
    ) -> Measurement:  # fmt: skip
        """The same, until the middle half of the runs is near the median, or for `max_run_time` seconds."""
        with self._threads():
            number = self._block(min_run_time)
            times: list[float] = []
            while sum(times) < max_run_time:
                self._run(number, times, callback)
                measured = self._measured(number, times)
                if len(times) > 3 and sum(times) >= min_run_time and measured.meets_confidence(threshold):
                    break
        return self._measured(number, times)

    def _block(self, min_run_time: float) -> int:
        """How many executions make a run: a thousandth of the whole time, at least."""
        number = 1
        while True:
            seconds = self._seconds(number)
            if seconds >= min_run_time / 1000 or number >= 10**9:
                return number
            number *= 10

    def _run(self, number: int, times: list[float], callback: Callable[[int, float], Any] | None) -> None:
        """Another run, whose seconds are added to the `times`, and given to the program."""
        times.append(self._seconds(number))
        if callback is not None:
            callback(number, times[-1])

    def _seconds(self, number: int) -> float:
        return max(self._timer.timeit(number), _AT_LEAST)

    def _measured(self, number: int, times: list[float]) -> Measurement:
        return Measurement(number, list(times), self._task_spec)

    @contextmanager
    def _threads(self) -> Iterator[None]:
        """A block with the number of threads that is asked for."""
        package = import_module(__name__.partition(".")[0])
        before = package.get_num_threads()
        package.set_num_threads(self._task_spec.num_threads)
        try:
            yield
        finally:
            package.set_num_threads(before)


def _cleaned(text: str) -> str:
    """A statement without the indentation that it has in a program."""
    lines = dedent(text).split("\n")
    while lines and not lines[0].strip():
        del lines[0]
    while lines and not lines[-1].strip():
        del lines[-1]
    return dedent("\n".join(line.rstrip() for line in lines))
