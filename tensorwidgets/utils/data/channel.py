"""How do a loader and a worker talk? By a socket, without threads: messages wait here until the other side reads.

A message is a pickle of at most `INLINE` bytes and file descriptors of shared memory; a longer pickle is put into
shared memory itself. So a worker can nearly always send a batch and begin the next one while nobody reads.
"""

from __future__ import annotations

import os
import select
import socket
import struct
import weakref
from array import array
from collections import deque
from typing import Any

import numpy as np

from ...engine.errors.reasons import refuse
from ...engine.memory.shared import CAN_SHARE, Descriptor, mapped, segment_of
from ...multiprocessing.parcels import MOST, kept, pack, unpack
from .recycling import Pool, Received, batch_memory, will_be_released

INLINE = 1 << 16
NOTHING = object()
"""What `receive` returns while there is no whole message."""

_HEAD = struct.Struct("<QQ")  # bytes of the pickle in this message; in shared memory
_ROOM = getattr(socket, "CMSG_SPACE", lambda nbytes: 0)((MOST + 1) * array("i").itemsize)
_of_loaders: weakref.WeakSet[Channel] = weakref.WeakSet()
"""The loaders' ends. A process that is forked closes them: a worker ends when nobody is left to talk to."""


class Channel:
    """One end of a socket."""

    def __init__(self, sock: socket.socket, of_loader: bool, pool: Pool | None = None):
        sock.setblocking(False)
        self._of_loader, self._pool = of_loader, pool
        self._released: deque[int] = deque()
        self._socket = sock
        self._outbox: deque[tuple[memoryview, list[Descriptor]]] = deque()
        self._head, self._body, self._arrived = b"", bytearray(), 0
        self._descriptors: list[Descriptor] = []
        if of_loader:
            _of_loaders.add(self)

    def fileno(self) -> int:
        return self._socket.fileno()

    @property
    def has_mail(self) -> bool:
        """Whether something waits to be sent."""
        return bool(self._outbox)

    def close(self) -> None:
        """Close this end; the other one reads that nothing more comes."""
        self._outbox.clear()
        self._descriptors.clear()
        self._socket.close()

    # -- out ---------------------------------------------------------------------------------------------------------

    def post(self, message: Any) -> None:
        """Pack a message and send as much of it as the socket takes."""
        payload, descriptors, _ = pack(message, memory=batch_memory)
        outside = 0
        # In steps of powers of two, so that the memory of one message suits the next.
        room = batch_memory(1 << len(payload).bit_length()) if len(payload) > INLINE and CAN_SHARE else None
        segment = segment_of(room)
        if room is not None and segment is not None and segment.descriptor is not None:
            outside = len(payload)
            room[:outside] = np.frombuffer(payload, np.uint8)
            payload, descriptors = b"", [segment.descriptor, *descriptors]
        if self._pool is not None:
            self._pool.note_sent(descriptors)
        self._outbox.append((memoryview(_HEAD.pack(len(payload), outside) + payload), descriptors))
        self.flush()

    def flush(self) -> bool:
        """Send what waits, as far as the socket takes it: True if all is sent."""
        while self._outbox:
            data, descriptors = self._outbox[0]
            try:
                if descriptors:
                    numbers = array("i", [each.number for each in descriptors])
                    count = self._socket.sendmsg([data], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, numbers)])
                else:
                    count = self._socket.send(data)
            except BlockingIOError:
                return False
            except OSError as error:
                raise EOFError from error
            if count == len(data):
                self._outbox.popleft()
            else:
                self._outbox[0] = (data[count:], [])
        return True

    def released(self) -> list[int]:
        """The received segments that are gone since this was last asked."""
        return [self._released.popleft() for _ in range(len(self._released))]

    def _mapped(self, descriptor: Descriptor) -> np.ndarray:
        """The bytes of a batch, whose segment is noted when it is gone."""
        status = os.fstat(descriptor.number)
        values = mapped(descriptor, status.st_size, keep=False, ready=True, kind=Received)
        will_be_released(segment_of(values), status.st_ino, self._released)
        return values

    # -- in ----------------------------------------------------------------------------------------------------------

    def receive(self) -> Any:
        """The next message, or `NOTHING`. Raises EOFError where the other end is closed."""
        if len(self._head) < _HEAD.size and not self._read_head():
            return NOTHING
        inline, outside = _HEAD.unpack(self._head)
        if len(self._body) != inline:
            self._body, self._arrived = bytearray(inline), 0
        while self._arrived < inline:
            try:
                count = self._socket.recv_into(memoryview(self._body)[self._arrived :])
            except BlockingIOError:
                return NOTHING
            except OSError as error:
                raise EOFError from error
            if not count:
                raise EOFError
            self._arrived += count
        payload: Any = self._body
        descriptors, self._descriptors = self._descriptors, []
        self._head, self._body, self._arrived = b"", bytearray(), 0
        bytes_of = self._mapped if self._of_loader else kept
        if outside:
            payload = bytes_of(descriptors.pop(0))[:outside]
        return unpack(payload, descriptors, bytes_of)

    def _read_head(self) -> bool:
        """Read the first bytes of a message, and its file descriptors."""
        while len(self._head) < _HEAD.size:
            try:
                if CAN_SHARE:
                    data, extra, flags, _ = self._socket.recvmsg(
                        _HEAD.size - len(self._head), _ROOM, getattr(socket, "MSG_CMSG_CLOEXEC", 0)
                    )
                    self._take(extra)
                    if flags & socket.MSG_CTRUNC:
                        _refuse_descriptors()
                else:
                    data = self._socket.recv(_HEAD.size - len(self._head))
            except BlockingIOError:
                return False
            except OSError as error:
                raise EOFError from error
            if not data:
                raise EOFError
            self._head += data
        return True

    def _take(self, extra: list[tuple[int, int, bytes]]) -> None:
        for level, kind, data in extra:
            if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
                numbers = array("i")
                numbers.frombytes(data[: len(data) - len(data) % numbers.itemsize])
                self._descriptors += [Descriptor(number) for number in numbers]


def _refuse_descriptors() -> None:
    refuse(
        RuntimeError,
        "Too many open files. Communication with the workers is no longer possible. Please increase the limit using "
        "`ulimit -n` in the shell or change the sharing strategy by calling "
        "`torch.multiprocessing.set_sharing_strategy('file_system')` at the beginning of your code",
        "each large tensor that is kept holds a file descriptor",
        "batch.clone() for batches that are kept",
        rule="data.descriptors",
    )


def ready(channels: list[Channel], timeout: float | None) -> list[Channel]:
    """Wait until something can be read from some channels, and send what waits meanwhile."""
    if not hasattr(select, "poll"):
        reads, writes, _ = select.select(channels, [each for each in channels if each.has_mail], [], timeout)
        for each in writes:
            each.flush()
        return reads
    poll, by_number = select.poll(), {}
    for each in channels:
        by_number[each.fileno()] = each
        poll.register(each, select.POLLIN | (select.POLLOUT if each.has_mail else 0))
    found = []
    for number, events in poll.poll(None if timeout is None else max(0.0, timeout * 1000)):
        each = by_number[number]
        if events & select.POLLOUT and each.has_mail:
            try:
                each.flush()
            except EOFError:
                events |= select.POLLIN
        if events & ~select.POLLOUT:
            found.append(each)
    return found


def pair() -> tuple[socket.socket, socket.socket]:
    """Both ends of a new socket."""
    return socket.socketpair()


def _close_in_a_child() -> None:
    for channel in list(_of_loaders):
        channel.close()
    _of_loaders.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_close_in_a_child)

__all__ = ["INLINE", "NOTHING", "Channel", "pair", "ready"]
