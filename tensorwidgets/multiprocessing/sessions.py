"""Which processes belong to a session, and how do all of them end? `mpiexec` and its ranks have one of their own."""

from __future__ import annotations

import os
import signal
import subprocess
from contextlib import suppress


def ended(process: subprocess.Popen) -> bool:
    """Whether a child process has ended. It is not reaped: while it is not, its number stays its own.

    macOS cannot say so before Python 3.13. There the process is reaped, and `process` keeps how it ended.
    """
    if not hasattr(os, "waitid"):
        return process.poll() is not None
    return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def members(leader: int) -> list[int]:
    """The processes of a session that still run, without its leader; none where the system does not say."""
    found = []
    with suppress(OSError):
        for name in os.listdir("/proc"):
            if name.isdigit() and int(name) != leader:
                with suppress(OSError, ValueError, IndexError), open(f"/proc/{name}/stat", "rb") as file:
                    fields = file.read().rpartition(b")")[2].split()
                    if int(fields[3]) == leader and fields[0] not in (b"Z", b"X"):
                        found.append(int(name))
    return found


def kill(pids: list[int], number: int = getattr(signal, "SIGKILL", 9)) -> None:
    """Send a signal to processes, of which some may be gone."""
    for pid in pids:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)
