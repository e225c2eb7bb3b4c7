"""Processes that were started together: how they end, and the errors of the one that failed."""

from __future__ import annotations

import signal
from multiprocessing.connection import Connection, wait
from time import monotonic
from typing import Any


class ProcessException(Exception):
    """A process failed; `error_index` and `error_pid` say which."""

    def __init__(self, msg: str, error_index: int, error_pid: int):
        super().__init__(msg)
        self.msg, self.error_index, self.error_pid = msg, error_index, error_pid

    def __reduce__(self) -> Any:
        return type(self), (self.msg, self.error_index, self.error_pid)


class ProcessRaisedException(ProcessException):
    """The function raised an exception; the message holds its traceback."""


class ProcessExitedException(ProcessException):
    """The process ended by a signal, or with an exit code."""

    def __init__(self, msg: str, error_index: int, error_pid: int, exit_code: int, signal_name: str | None = None):
        super().__init__(msg, error_index, error_pid)
        self.exit_code, self.signal_name = exit_code, signal_name

    def __reduce__(self) -> Any:
        return type(self), (self.msg, self.error_index, self.error_pid, self.exit_code, self.signal_name)


class ProcessContext:
    """Processes that were started together."""

    def __init__(self, processes: list[Any], failures: list[Connection]):
        self.processes, self._failures = processes, failures
        self.sentinels = {process.sentinel: index for index, process in enumerate(processes)}

    def pids(self) -> list[int]:
        """The numbers of the processes."""
        return [int(process.pid) for process in self.processes]

    def join(self, timeout: float | None = None, grace_period: float | None = None) -> bool:
        """Wait until a process ends: True if all have. If one fails, end the others and raise its error."""
        if not self.sentinels:
            return True
        failed = None
        for sentinel in wait(list(self.sentinels), timeout):
            index = self.sentinels.pop(sentinel)  # type: ignore[index]
            self.processes[index].join()
            if self.processes[index].exitcode != 0:
                failed = index
                break
        if failed is None:
            return not self.sentinels
        self._end(grace_period)
        raise self._failure(failed)

    def join_within(self, seconds: float | None) -> None:
        """Wait until all processes have ended; when the time is up, end them and refuse."""
        end = None if seconds is None else monotonic() + seconds
        try:
            while not self.join(None if end is None else max(0.0, end - monotonic())):
                if end is not None and monotonic() > end:
                    raise TimeoutError(f"processes still ran after {seconds:g} seconds, and all were ended")
        except BaseException:
            self._end(0.2)
            raise

    def _end(self, grace_period: float | None) -> None:
        """End all processes: by themselves, by SIGTERM, by SIGKILL."""
        if grace_period is not None:
            self._wait(grace_period)
        for process in self.processes:
            process.terminate()
        self._wait(30 if grace_period is None else grace_period)
        for process in self.processes:
            process.kill()
            process.join()

    def _wait(self, seconds: float) -> None:
        end = monotonic() + seconds
        for process in self.processes:
            process.join(max(0.0, end - monotonic()))

    def _failure(self, index: int) -> ProcessException:
        process, told = self.processes[index], self._failures[index]
        code = process.exitcode
        try:
            trace = told.recv() if told.poll() else ""
        except EOFError:
            trace = ""
        if trace:
            said = f"\n\n-- Process {index} terminated with the following error:\n{trace}"
            return ProcessRaisedException(said, index, process.pid)
        if code >= 0:
            return ProcessExitedException(f"process {index} terminated with exit code {code}", index, process.pid, code)
        known = -code in signal.Signals._value2member_map_
        name = signal.Signals(-code).name if known else f"<Unknown signal {-code}>"
        return ProcessExitedException(f"process {index} terminated with signal {name}", index, process.pid, code, name)


class SpawnContext(ProcessContext):
    """The old name of `ProcessContext`."""
