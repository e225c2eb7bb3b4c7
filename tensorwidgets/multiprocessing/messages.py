"""What does a launcher say to its ranks, and they to it? Pickles with their length in front, and file descriptors."""

from __future__ import annotations

import pickle
import socket
import struct
from array import array
from typing import Any

_HEAD = struct.Struct("<QI")  # bytes of the pickle, number of descriptors
_AT_ONCE = 200
"""Descriptors in one call; a socket takes 253."""

arrived: list[int] = []
"""The descriptors that came with the message that is being read."""


class SentFd:
    """A file descriptor in a pickle: its place among those that travel beside it."""

    def __init__(self, place: int):
        self.place = place

    def detach(self) -> int:
        """The descriptor in this process, which is the caller's from now on."""
        import os

        return os.dup(arrived[self.place])


def send(sock: socket.socket, payload: bytes, descriptors: list[int]) -> None:
    """Send a message whole."""
    sock.sendall(_HEAD.pack(len(payload), len(descriptors)))
    for start in range(0, len(descriptors), _AT_ONCE):
        numbers = array("i", descriptors[start : start + _AT_ONCE])
        sock.sendmsg([b"f"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, numbers)])
    sock.sendall(payload)


def receive(sock: socket.socket) -> tuple[bytes, list[int]]:
    """The next message; EOFError where the other side is gone."""
    size, count = _HEAD.unpack(_exactly(sock, _HEAD.size))
    descriptors: list[int] = []
    while len(descriptors) < count:
        room = socket.CMSG_SPACE(_AT_ONCE * array("i").itemsize)
        data, extra, *_ = sock.recvmsg(1, room)
        if not data:
            raise EOFError
        for _, _, raw in extra:
            numbers = array("i")
            numbers.frombytes(raw[: len(raw) - len(raw) % numbers.itemsize])
            descriptors.extend(numbers)
    return _exactly(sock, size), descriptors


def _exactly(sock: socket.socket, size: int) -> bytes:
    parts = bytearray()
    while len(parts) < size:
        part = sock.recv(min(size - len(parts), 1 << 20))
        if not part:
            raise EOFError
        parts += part
    return bytes(parts)


def say(sock: socket.socket, *message: Any) -> None:
    """Send a short message."""
    send(sock, pickle.dumps(message), [])
