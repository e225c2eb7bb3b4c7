"""Every allocation of NumPy as it happens: NumPy accepts custom allocators, and this one keeps a log.

It calls NumPy's own functions and records each call. An array keeps the allocator that made it, so after the recording
the allocator goes back to NumPy's plain functions, and arrays that live on cost nothing extra. The interface is NumPy's
public one for C (`PyDataMem_SetHandler`), called by ctypes.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from ctypes import PYFUNCTYPE, c_char, c_size_t, c_uint8, c_void_p, py_object
from typing import Any

import numpy as np

from .log import Log

SET_HANDLER, GET_HANDLER = 304, 305
"""Where NumPy's table for C, which never changes its order, has the two functions."""
NAME = b"mem_handler"
VERSION = 1
OURS = "tensorwidgets"
"""What this allocator is called."""

_MALLOC = PYFUNCTYPE(c_void_p, c_void_p, c_size_t)
_CALLOC = PYFUNCTYPE(c_void_p, c_void_p, c_size_t, c_size_t)
_REALLOC = PYFUNCTYPE(c_void_p, c_void_p, c_void_p, c_size_t)
_FREE = PYFUNCTYPE(None, c_void_p, c_void_p, c_size_t)


class _Handler(ctypes.Structure):
    """`PyDataMem_Handler`, as NumPy's documentation has it."""

    _fields_ = (
        ("name", c_char * 127),
        ("version", c_uint8),
        ("context", c_void_p),
        ("malloc", c_void_p),
        ("calloc", c_void_p),
        ("realloc", c_void_p),
        ("free", c_void_p),
    )


class NumPyBlocks:
    """NumPy's allocator with a log. There is one per process, because arrays keep it as long as they live."""

    def __init__(self) -> None:
        self.log: Log | None = None
        python = ctypes.pythonapi
        pointer = PYFUNCTYPE(c_void_p, py_object, ctypes.c_char_p)(("PyCapsule_GetPointer", python))
        capsule = PYFUNCTYPE(py_object, c_void_p, c_void_p, c_void_p)(("PyCapsule_New", python))
        table = (c_void_p * (GET_HANDLER + 1)).from_address(pointer(np._core._multiarray_umath._ARRAY_API, None))  # type: ignore[attr-defined]
        self._set = PYFUNCTYPE(py_object, py_object)(table[SET_HANDLER] or 0)
        self._get = PYFUNCTYPE(py_object)(table[GET_HANDLER] or 0)
        self._theirs = _Handler.from_address(pointer(self._get(), NAME))
        if self._theirs.version != VERSION:
            raise RuntimeError("this NumPy has another interface for allocators")
        # Never freed: arrays that are freed when the interpreter exits still need their allocator.
        memory = PYFUNCTYPE(c_void_p, c_size_t)(("PyMem_RawMalloc", python))
        size = ctypes.sizeof(_Handler)
        start = memory(size + len(NAME) + 1)
        ctypes.memmove(start, bytes(_Handler(OURS.encode(), VERSION, self._theirs.context)), size)
        ctypes.memmove(start + size, NAME + b"\0", len(NAME) + 1)
        self._mine = _Handler.from_address(start)
        self._quiet()
        self._notes = self._note_takers()
        self._capsule = capsule(start, start + size, None)

    def _quiet(self) -> None:
        for name in ("malloc", "calloc", "realloc", "free"):
            setattr(self._mine, name, getattr(self._theirs, name))

    def _note_takers(self) -> dict[str, Any]:
        """The functions that NumPy calls. None of them may raise: an interrupt waits for the cell's next line."""
        theirs = self._theirs
        real_malloc, real_calloc = _MALLOC(theirs.malloc or 0), _CALLOC(theirs.calloc or 0)
        real_realloc, real_free = _REALLOC(theirs.realloc or 0), _FREE(theirs.free or 0)

        def born(address: int, nbytes: int) -> None:
            if address and self.log is not None:
                self.log.born(("cpu", address), nbytes)

        def died(address: int) -> None:
            if self.log is not None:
                self.log.died(("cpu", address))

        def interrupted() -> None:
            if self.log is not None:
                self.log.interrupted = True

        def malloc(context: int, nbytes: int) -> int:
            address = 0
            try:
                address = real_malloc(context, nbytes) or 0
                born(address, nbytes)
            except KeyboardInterrupt:
                interrupted()
            return address

        def calloc(context: int, number: int, each: int) -> int:
            address = 0
            try:
                address = real_calloc(context, number, each) or 0
                born(address, number * each)
            except KeyboardInterrupt:
                interrupted()
            return address

        def realloc(context: int, old: int, nbytes: int) -> int:
            address = 0
            try:
                address = real_realloc(context, old, nbytes) or 0
                if address:
                    died(old)
                born(address, nbytes)
            except KeyboardInterrupt:
                interrupted()
            return address

        def free(context: int, address: int, nbytes: int) -> None:
            try:
                died(address)
            except KeyboardInterrupt:
                interrupted()
            real_free(context, address, nbytes)

        return {"malloc": _MALLOC(malloc), "calloc": _CALLOC(calloc), "realloc": _REALLOC(realloc), "free": _FREE(free)}

    @contextmanager
    def told_to(self, log: Log) -> Iterator[None]:
        """Records every allocation of NumPy in this thread."""
        if self.log is not None:  # a cell inside of a cell
            yield
            return
        self.log = log
        for name, function in self._notes.items():
            setattr(self._mine, name, ctypes.cast(function, c_void_p).value)
        before = self._set(self._capsule)
        try:
            yield
        finally:
            self._set(before)
            self._quiet()
            self.log = None

    def stay(self) -> None:
        """Arrays made in this thread from now on have this allocator, so that a later log notices their end."""
        self._set(self._capsule)


_listener: list[NumPyBlocks | None] = []


def _the_one() -> NumPyBlocks | None:
    if not _listener:
        try:
            _listener.append(NumPyBlocks())
        except (AttributeError, RuntimeError, ValueError):
            _listener.append(None)
    return _listener[0]


def stay() -> None:
    """From now on arrays are made by an allocator that can be recorded. Until then it is NumPy's own, at full speed."""
    listener = _the_one()
    if listener is not None:
        listener.stay()


@contextmanager
def numpy_blocks(log: Log) -> Iterator[bool]:
    """Records what NumPy allocates and frees; False if this NumPy has another interface.

    >>> log = Log()
    >>> with numpy_blocks(log):
    ...     a = np.ones(100) * 2 + 1
    >>> log.peak, log.alive
    (1600, 800)
    """
    listener = _the_one()
    if listener is None:
        yield False
        return
    with listener.told_to(log):
        yield True
