"""The calls of a group of several ranks, by MPI. The one file that knows mpi4py, which is loaded with the first group.

Before numbers travel, all ranks meet: each says what it is about to do. A rank that waits sleeps, and different calls
are refused on every rank instead of mixing.
"""

from __future__ import annotations

import atexit
import os
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from ..engine.errors.reasons import refuse
from .work import Deadline

PART = 1 << 21
"""Bytes that are reduced at a time. MPI takes six times as long for 40 MB at once, which no cache holds."""
_SPIN = 50e-6
_LONGEST_NAP = 5e-4
_NOTHING = np.empty(0, np.uint8)
_state: dict[str, Any] = {}


def world() -> Any:
    """All ranks. The first call starts MPI."""
    if "world" not in _state:
        import mpi4py

        mpi4py.rc.initialize = False
        mpi4py.rc.finalize = False
        from mpi4py import MPI

        MPI.Init_thread(MPI.THREAD_MULTIPLE)
        _state.update(world=MPI.COMM_WORLD, MPI=MPI, process=os.getpid())
        atexit.register(finish)
        if "TENSORWIDGETS_RANK_PROCESS" not in os.environ:  # started by another launcher, which must hear of errors
            _state["hook"], sys.excepthook = sys.excepthook, _end_all
    return _state["world"]


def _end_all(kind: Any, error: Any, trace: Any) -> None:
    """Tell the launcher that this rank failed: print the error, and end all ranks."""
    _state["hook"](kind, error, trace)
    sys.stderr.flush()
    _state["MPI"].COMM_WORLD.Abort(1)


def forget() -> None:
    """This rank failed: do not wait for the others when it ends."""
    _state["failed"] = True


def finish() -> None:
    """End MPI once all ranks have come this far. Waiting ranks sleep."""
    if _state.get("process") != os.getpid() or _state.get("failed") or _state.get("finished"):
        return
    _state["finished"] = True
    request = _state["world"].Ibarrier()
    nap = _SPIN
    while not request.Test():
        time.sleep(nap)
        nap = min(2 * nap, 1e-2)
    _state["MPI"].Finalize()


def library() -> str:
    """The name and version of MPI."""
    world()
    return str(_state["MPI"].Get_library_version()).split(",")[0].strip("\0 ")


def await_request(request: Any, deadline: Deadline, look: Callable[[], None] = lambda: None) -> None:
    """Wait for a request: awake for a moment, then asleep, so that other processes get the core.

    `look` is called now and then, and may end the wait by an error.
    """
    awake = time.perf_counter() + _SPIN
    nap = 2e-5
    while not request.Test():
        if time.perf_counter() < awake:
            os.sched_yield() if hasattr(os, "sched_yield") else None
            continue
        time.sleep(nap)
        nap = min(1.5 * nap, _LONGEST_NAP)
        if nap == _LONGEST_NAP:
            look()
            deadline.check()


class Ranks:
    """A group of several ranks."""

    def __init__(self, comm: Any):
        self.comm = comm
        self.rank, self.size = comm.Get_rank(), comm.Get_size()
        self._all = np.empty((self.size, 5), np.int64)
        highest = _state["world"].Get_attr(_state["MPI"].TAG_UB)
        self._gave_up, self._arrived = highest, highest - 1
        self._notes: list[Any] = []

    def meet(self, facts: tuple[int, ...], deadline: Deadline) -> np.ndarray | None:
        """Wait for all ranks; returns what each is about to do, or None if it is the same on all."""
        mine = np.array(facts, np.int64)
        request = self.comm.Iallgather(mine, self._all)
        try:
            await_request(request, deadline, lambda: self._heed(deadline))
            self._heed(deadline)
        except BaseException:
            for rank in range(self.size):
                if rank != self.rank:
                    self._note(rank, self._gave_up)
            raise
        return None if (self._all == mine).all() else self._all.copy()

    def _note(self, to: int, tag: int) -> None:
        """Tell a rank something that needs no words."""
        self._notes = [note for note in self._notes if not note.Test()]
        self._notes.append(self.comm.Isend(_NOTHING, to, tag))

    def _heed(self, deadline: Deadline) -> None:
        """Stop where a rank has given up waiting: it makes no more calls, and MPI would wait for it."""
        status = _state["MPI"].Status()
        if self.comm.Iprobe(_state["MPI"].ANY_SOURCE, self._gave_up, status):
            refuse(
                RuntimeError,
                f"Connection closed by peer: rank {status.Get_source()} gave up waiting, before {deadline.name}",
                "a rank whose time is up makes no more calls in this group",
                "the same calls in the same order on every rank, or init_process_group(timeout=…)",
                rule="distributed.timeout",
            )

    def arrives(self) -> None:
        """Tell the first rank that this one is here."""
        self._note(0, self._arrived)

    def missing(self, wait: bool) -> list[int]:
        """The ranks that did not yet tell the first one that they are here."""
        others = [r for r in range(1, self.size) if not (wait or self.comm.Iprobe(r, self._arrived))]
        for rank in range(1, self.size):
            if rank not in others:
                self.comm.Recv(_NOTHING, rank, self._arrived)
        return others

    def barrier(self) -> None:
        """`meet` was the barrier."""

    def broadcast(self, values: np.ndarray, root: int) -> None:
        """All get the values of one."""
        self.comm.Bcast(_bytes(values), root)

    def all_reduce(self, numbers: np.ndarray, op: str, deadline: Deadline) -> None:
        """All get the same reduction, in place."""
        mpi = _state["MPI"]
        flat = numbers.reshape(-1)
        step = PART // numbers.itemsize
        for start in range(0, max(flat.size, 1), step):
            deadline.check()
            self.comm.Allreduce(mpi.IN_PLACE, flat[start : start + step], getattr(mpi, _OPS[op]))

    def reduce(self, numbers: np.ndarray, op: str, root: int) -> None:
        """One gets the reduction, in place; the others keep their numbers."""
        mpi = _state["MPI"]
        if self.rank == root:
            self.comm.Reduce(mpi.IN_PLACE, numbers, getattr(mpi, _OPS[op]), root)
        else:
            self.comm.Reduce(numbers, None, getattr(mpi, _OPS[op]), root)

    def reduce_scatter(self, numbers: np.ndarray, out: np.ndarray, op: str) -> None:
        """Each gets its part of the reduction."""
        self.comm.Reduce_scatter_block(numbers, out, getattr(_state["MPI"], _OPS[op]))

    def all_gather(self, values: np.ndarray, out: np.ndarray) -> None:
        """All get the parts of all."""
        self.comm.Allgather(_bytes(values), _bytes(out))

    def gather(self, values: np.ndarray, out: np.ndarray | None, root: int) -> None:
        """One gets the parts of all."""
        self.comm.Gather(_bytes(values), None if out is None else _bytes(out), root)

    def scatter(self, values: np.ndarray | None, out: np.ndarray, root: int) -> None:
        """Each gets its part of what one has."""
        self.comm.Scatter(None if values is None else _bytes(values), _bytes(out), root)

    def all_to_all(self, values: np.ndarray, counts: list[int], out: np.ndarray, out_counts: list[int]) -> None:
        """Each gets a part of each. Counts are in bytes; a rank must be sent as many as it expects."""
        told = np.array(out_counts, np.int64)
        expected = np.empty_like(told)
        self.comm.Alltoall(told, expected)
        wrong = np.array([list(expected) != counts])
        anywhere = np.empty_like(wrong)
        self.comm.Allreduce(wrong, anywhere, _state["MPI"].LOR)
        if anywhere[0]:
            raise RuntimeError("all_to_all: a rank sends more or fewer elements than the receiving rank expects")
        starts, out_starts = _starts(counts), _starts(out_counts)
        byte = _state["MPI"].BYTE
        self.comm.Alltoallv([_bytes(values), counts, starts, byte], [_bytes(out), out_counts, out_starts, byte])

    # -- two ranks ---------------------------------------------------------------------------------------------------

    def isend(self, values: np.ndarray, to: int, tag: int) -> Any:
        """Begin to send."""
        return self.comm.Isend(_bytes(values), to, tag)

    def irecv(self, values: np.ndarray, source: int | None, tag: int) -> Any:
        """Begin to receive, from one or from any."""
        return self.comm.Irecv(_bytes(values), _state["MPI"].ANY_SOURCE if source is None else source, tag)

    def status(self) -> Any:
        """An empty status, into which a request writes what it knows of a message."""
        return _state["MPI"].Status()

    def part(self, ranks: list[int] | None, key: int) -> Any:
        """Some of these ranks as a group of their own; all ranks ask at once. None for those that are not in it."""
        mpi = _state["MPI"]
        color = mpi.UNDEFINED if ranks is None else 0
        made = self.comm.Split(color, key)
        return None if made == mpi.COMM_NULL else made


_OPS = {"SUM": "SUM", "PRODUCT": "PROD", "MIN": "MIN", "MAX": "MAX", "BAND": "BAND", "BOR": "BOR", "BXOR": "BXOR"}


def _starts(counts: list[int]) -> list[int]:
    return [sum(counts[:i]) for i in range(len(counts))]


def _bytes(values: np.ndarray) -> np.ndarray:
    return values.reshape(-1).view(np.uint8)
