"""A process that cannot harm: bounded in time, memory and number, ended with all that it started.

Where bubblewrap works it also has no network and can write nowhere but in its own folder.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import selectors
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from functools import cache
from pathlib import Path
from typing import NamedTuple

MOST_PROCESSES = 40
MOST_ANSWER = 32_000_000
"""Bytes of one line from inside."""
NOT_CONTAINED = "network access, writing to your files and ending your programs"
OURS = Path(__file__).resolve().parents[3]
"""The folder that this package lies in."""


class Limits(NamedTuple):
    """What one notebook may use."""

    seconds: float = 60.0
    megabytes: int = 2048


class Stopped(BaseException):
    """Why a process was ended. No Exception: what judges an answer catches those, and takes them for the answer's."""


ROOM = 256 << 20
"""Bytes that a notebook may write, in all."""
ROOM_LOOKED_AT = 1.0
"""Seconds between looks at what was written, where no wall bounds it."""


@cache
def can_contain() -> bool:
    """Whether bubblewrap is here, may make namespaces, and lets Python run between its walls: tried, not guessed."""
    if shutil.which("bwrap") is None:
        return False
    with tempfile.TemporaryDirectory(prefix="tensorwidgets-") as work:
        place = Path(work).resolve()
        trial = ["bwrap", *walls(place), sys.executable, "-c", "import tensorwidgets"]
        done = subprocess.run(trial, env=_environment(place), capture_output=True, timeout=60, check=False)
    return done.returncode == 0


def walls(work: Path, hidden: Path | None = None) -> list[str]:
    """What bubblewrap is told. All is read-only; `work` begins empty, is in memory and goes with the process.

    Where the sockets of other programs lie (a program may be asked to do something by them, read-only or not), and
    what is the teacher's own, is not there at all: only Python and we are shown again.
    """
    told = ["--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--ro-bind", "/", "/"]
    covered = [p for p in _places_of_others() if p.is_dir()]
    for place in covered:
        told += ["--tmpfs", str(place)]
    for place in _places_of_python():
        if any(place.is_relative_to(one) for one in covered):
            told += ["--ro-bind", str(place), str(place)]
    if hidden is not None:
        told += ["--tmpfs", str(hidden), "--remount-ro", str(hidden)]
    told += ["--dev", "/dev", *_room(), "--tmpfs", "/dev/shm", "--remount-ro", "/dev", "--proc", "/proc"]
    told += [*_room(), "--tmpfs", str(work), "--chdir", str(work)]
    for place in covered:
        told += ["--remount-ro", str(place)]
    return [*told, "--"]


def can_hide(folder: Path) -> bool:
    """Whether a folder can be left out without leaving out Python or us."""
    return not any(place.is_relative_to(folder.resolve()) for place in _places_of_python())


def _places_of_others() -> list[Path]:
    home = Path.home().resolve()
    places = [Path("/run"), Path("/tmp"), Path("/var/tmp"), *([home] if home != Path("/") else [])]
    return [p for p in places if not any(p != q and p.is_relative_to(q) for q in places)]


def _places_of_python() -> list[Path]:
    found = {OURS, *(Path(p).resolve() for p in (sys.prefix, sys.base_prefix))}
    found |= {Path(sys.prefix), Path(sys.executable).resolve().parent}
    return sorted(found)


@cache
def _room() -> tuple[str, ...]:
    """What bounds the next tmpfs, where this bubblewrap knows how; elsewhere half of the memory does."""
    asked = subprocess.run(["bwrap", "--help"], capture_output=True, text=True, timeout=20, check=False)
    return ("--size", str(ROOM)) if "--size BYTES" in asked.stdout + asked.stderr else ()


class Box:
    """One process and all that it starts. Lines go in and come out; whoever breaks a limit is ended."""

    def __init__(self, module: str, work: Path, limits: Limits, contained: bool, hidden: Path | None = None):
        self.limits, self.deadline = limits, time.monotonic() + limits.seconds
        self.work, self.look_at_room = work, float("inf") if contained else 0.0
        command = [sys.executable, "-m", module]
        if contained:
            command = ["bwrap", *walls(work, hidden), *command]
        adopt_orphans()
        self.process = subprocess.Popen(
            command, cwd=work, env=_environment(work), start_new_session=True, bufsize=0,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            preexec_fn=_bounded(limits) if sys.platform != "win32" else None,
        )  # fmt: skip
        assert self.process.stdin is not None and self.process.stdout is not None
        self.read_end, self.write_end = self.process.stdout.fileno(), self.process.stdin.fileno()
        os.set_blocking(self.read_end, False)
        os.set_blocking(self.write_end, False)
        self.received = b""

    def ask(self, line: bytes) -> bytes:
        """Send a line, wait for one. Raises `Stopped` with the reason when there will be none."""
        waiting = memoryview(line + b"\n")
        with selectors.DefaultSelector() as ready:
            ready.register(self.read_end, selectors.EVENT_READ)
            ready.register(self.write_end, selectors.EVENT_WRITE)
            while b"\n" not in self.received:
                self._within_limits()
                for key, _ in ready.select(0.1):
                    if key.fd == self.write_end:
                        waiting = self._send(waiting)
                        if not waiting:
                            ready.unregister(self.write_end)
                    else:
                        self._receive()
        answer, _, self.received = self.received.partition(b"\n")
        return answer

    def _send(self, waiting: memoryview) -> memoryview:
        try:
            return waiting[os.write(self.write_end, waiting[:65536]) :]
        except BlockingIOError:
            return waiting
        except OSError as closed:
            raise Stopped("the process ended before it was asked everything") from closed

    def _receive(self) -> None:
        found = os.read(self.read_end, 1 << 20)
        if not found:
            raise Stopped("the process ended: an answer closed or crashed it")
        self.received += found
        if len(self.received) > MOST_ANSWER:
            raise Stopped("the answers are too large to be handed over")

    def _within_limits(self) -> None:
        if time.monotonic() > self.deadline:
            raise Stopped(f"took longer than {self.limits.seconds:g} seconds: a loop that does not end?")
        family = [*descendants(self.process.pid), *(one for pid in _orphans() for one in descendants(pid))]
        if len(set(family)) > MOST_PROCESSES:
            raise Stopped(f"started more than {MOST_PROCESSES} processes")
        if sum(resident_bytes(pid) for pid in set(family)) > self.limits.megabytes << 20:
            raise Stopped(f"took more than {self.limits.megabytes} MB of memory")
        if time.monotonic() > self.look_at_room:
            self.look_at_room = time.monotonic() + ROOM_LOOKED_AT
            if written_bytes(self.work) > ROOM:
                raise Stopped(f"wrote more than {ROOM >> 20} MB")

    def close(self) -> None:
        """End it with all that it started; safe to call at any time."""
        family = descendants(self.process.pid)
        with contextlib.suppress(OSError):
            os.killpg(self.process.pid, signal.SIGKILL)
        for pid in family:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()
        self.process.wait()
        end_orphans()


def _environment(work: Path) -> dict[str, str]:
    """What a process inside knows of the machine: where Python finds itself and us, and no more."""
    return {
        "HOME": str(work), "TMPDIR": str(work), "IPYTHONDIR": str(work), "PATH": os.defpath, "LANG": "C.UTF-8",
        "PYTHONPATH": str(OURS), "PYTHONDONTWRITEBYTECODE": "1", "PYTHONNOUSERSITE": "1", "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1", "TENSORWIDGETS_PROGRESS": str(work / "progress.json"),
    }  # fmt: skip


def _bounded(limits: Limits):  # type: ignore[no-untyped-def]
    """What the new process does to itself before it begins."""
    import resource

    def bound() -> None:
        seconds = int(limits.seconds) + 5
        for what, most in (
            (resource.RLIMIT_AS, limits.megabytes << 21),  # addresses are more than memory
            (resource.RLIMIT_CPU, 2 * seconds),
            (resource.RLIMIT_FSIZE, 64 << 20),
            (resource.RLIMIT_CORE, 0),
        ):
            with contextlib.suppress(OSError, ValueError):
                resource.setrlimit(what, (most, most))

    return bound


# -- families of processes, as Linux tells of them ---------------------------------------------------------------

_SET_CHILD_SUBREAPER = 36


@cache
def adopt_orphans() -> None:
    """Children of children that lose their parent become ours, so that none gets away."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _orphans() -> list[int]:
    """Children of ours that are in no session of ours: a box, and what was left to us."""
    return [pid for pid, parent in parents().items() if parent == os.getpid() and _leads_a_session_of_its_own(pid)]


def end_orphans() -> None:
    """End what was left to us. Forks of forks may come while we look, so look until there is none."""
    for _ in range(200):
        mine = _orphans()
        if not mine:
            return
        for pid in mine:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        for pid in mine:
            with contextlib.suppress(OSError):
                os.waitpid(pid, 0)


def _leads_a_session_of_its_own(pid: int) -> bool:
    try:
        return os.getsid(pid) != os.getsid(0)
    except OSError:
        return False


def parents() -> dict[int, int]:
    """Every process with its parent; empty where the system does not tell."""
    found = {}
    for entry in os.listdir("/proc") if os.path.isdir("/proc/self") else ():
        if entry.isdigit():
            with contextlib.suppress(OSError, ValueError, IndexError), open(f"/proc/{entry}/stat", "rb") as stat:
                found[int(entry)] = int(stat.read().rpartition(b")")[2].split()[1])
    return found


def descendants(pid: int) -> list[int]:
    """A process and all that it started."""
    children: dict[int, list[int]] = {}
    for child, parent in parents().items():
        children.setdefault(parent, []).append(child)
    family = [pid]
    for one in family:
        family += children.get(one, ())
    return family


def resident_bytes(pid: int) -> int:
    """How much memory a process holds now."""
    with contextlib.suppress(OSError, ValueError, IndexError), open(f"/proc/{pid}/statm", "rb") as statm:
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0


def written_bytes(folder: Path) -> int:
    """What the files of a folder take, each at least a block: very many small ones are a lot too."""
    total = 0
    for place, folders, files in os.walk(folder):
        for name in (*folders, *files):
            with contextlib.suppress(OSError):
                total += max(4096, os.lstat(os.path.join(place, name)).st_blocks * 512)
        if total > ROOM:
            break
    return total
