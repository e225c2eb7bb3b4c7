"""A store that one process keeps and others ask by TCP. A thread of that process answers each connection.

Requests and answers are JSON, so that a connection can set and read values, and nothing else.
"""

from __future__ import annotations

import json
import os
import socket
import threading
import weakref
from contextlib import suppress
from datetime import timedelta
from time import monotonic, sleep
from typing import Any

from ...multiprocessing import messages
from ..errors import DistNetworkError, DistStoreError
from .arguments import refuse_to_make
from .store import SECONDS, Store
from .table import CALLS, Table

_JOINED = b"init/"
"""The key that counts who has joined."""
_NAP = 0.05
_servers: weakref.WeakValueDictionary[int, Server] = weakref.WeakValueDictionary()
"""The servers of this process by their ports."""


def _written(value: Any) -> Any:
    """For JSON: bytes as text, a character for each."""
    if isinstance(value, bytes):
        return value.decode("latin-1")
    return [_written(each) for each in value] if isinstance(value, list) else value


def _read(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("latin-1")
    return [_read(each) for each in value] if isinstance(value, list) else value


def _answers(sock: socket.socket, table: Table) -> None:
    """Answer a connection until it is closed."""
    with sock, suppress(OSError, EOFError, ValueError, TypeError):
        while True:
            call, args = json.loads(messages.receive(sock)[0])
            if call not in CALLS:
                return
            try:
                answer = [True, _written(getattr(table, call)(*_read(args)))]
            except ValueError as error:
                answer = [False, str(error)]
            messages.send(sock, json.dumps(answer).encode(), [])


def _listens(listener: socket.socket, table: Table) -> None:
    with suppress(OSError):
        while True:
            sock, _ = listener.accept()
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=_answers, args=(sock, table), name="store", daemon=True).start()


def _close(listener: socket.socket) -> None:
    with suppress(OSError):
        listener.shutdown(socket.SHUT_RDWR)
    listener.close()


class Server:
    """What keeps the values, as long as a store refers to it."""

    def __init__(self, host: str, port: int):
        try:
            listener = socket.create_server((host, port))
        except OSError as error:
            raise DistNetworkError(
                f"The server socket has failed to listen on any local network address. port: {port}, "
                f"code: -{error.errno}, message: {error.strerror}"
            ) from None
        self.port = listener.getsockname()[1]
        threading.Thread(target=_listens, args=(listener, Table()), name="stores", daemon=True).start()
        weakref.finalize(self, _close, listener)


class Connection:
    """A socket of one process, which is closed when nothing refers to it any more."""

    def __init__(self, sock: socket.socket):
        self.sock, self.process = sock, os.getpid()

    def __del__(self) -> None:
        self.sock.close()


def _port(given: Any) -> int:
    return int(given.__index__()) if hasattr(given, "__index__") else -1


class TCPStore(Store):
    """A store that the process with `is_master` keeps, at a port of `host_name`."""

    def __init__(
        self, host_name: str, port: int, world_size: int | None = None, is_master: bool = False,
        timeout: timedelta = timedelta(seconds=SECONDS), wait_for_workers: bool = True, multi_tenant: bool = False,
        master_listen_fd: int | None = None, use_libuv: bool = True,
    ):  # fmt: skip
        if not isinstance(host_name, str) or not 0 <= _port(port) < 1 << 16:
            refuse_to_make("TCPStore(host_name: str, port: int from 0 to 65535, world_size: int | None = None, ...)")
        self.set_timeout(timeout)
        self._server = None
        if is_master:
            known = _servers.get(port) if multi_tenant else None
            self._server = known or Server(host_name, port)
            port = self._server.port
            if multi_tenant:
                _servers[port] = self._server
        self.host, self.port = host_name, port
        self._own = threading.local()
        self._connected()
        if world_size is not None and wait_for_workers:
            joined = self._ask("add", _JOINED, 1)
            if is_master and world_size > joined:
                self._await_all(world_size)

    def _await_all(self, count: int) -> None:
        end = monotonic() + self._seconds
        while (joined := self._ask("add", _JOINED, 0)) < count:
            if monotonic() > end:
                raise DistStoreError(
                    f"Timed out after {max(1, round(self._seconds))} seconds waiting for clients. {joined}/{count} "
                    "clients joined."
                )
            sleep(_NAP)

    def _connected(self) -> socket.socket:
        """The connection of this thread: one that waits must not keep others from setting what it waits for."""
        found: Connection | None = getattr(self._own, "connection", None)
        if found is None or found.process != os.getpid():
            found = self._own.connection = Connection(self._connect())
        return found.sock

    def _connect(self) -> socket.socket:
        end = monotonic() + self._seconds
        while True:
            try:
                sock = socket.create_connection((self.host, self.port), max(0.01, end - monotonic()))
            except OSError:
                if monotonic() > end:
                    raise DistNetworkError(
                        f"The client socket has timed out after {round(self._seconds * 1000)}ms while trying to "
                        f"connect to ({self.host}, {self.port})."
                    ) from None
                sleep(_NAP)
            else:
                sock.settimeout(None)
                sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                return sock

    def _ask(self, call: str, *args: Any) -> Any:
        sock = self._connected()
        try:
            messages.send(sock, json.dumps([call, _written(list(args))]).encode(), [])
            good, answer = json.loads(messages.receive(sock)[0])
        except (OSError, EOFError):
            del self._own.connection
            raise DistNetworkError(
                "Failed to recv, got 0 bytes. Connection was likely closed. Did the remote server shutdown or crash?"
            ) from None
        if not good:
            raise ValueError(answer)
        return _read(answer)

    def _late(self, keys: list[bytes], seconds: float) -> Exception:
        names = ", ".join("/" + key.decode(errors="replace") for key in keys)
        return DistStoreError(f"wait timeout after {round(seconds * 1000)}ms, keys: {names}")

    def list_keys(self) -> list[str]:
        """The keys."""
        return [key for key in super().list_keys() if key != _JOINED.decode()]

    def clone(self) -> TCPStore:
        """Another connection to the same values."""
        other = TCPStore.__new__(TCPStore)
        other._server, other._seconds, other._own = self._server, self._seconds, threading.local()
        other.host, other.port = self.host, self.port
        return other

    def __repr__(self) -> str:
        return f"TCPStore({self.host}:{self.port}{', kept by this process' if self._server else ''})"
