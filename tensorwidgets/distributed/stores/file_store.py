"""A store in a file, for processes that see the same folder. Each change is a line at its end."""

from __future__ import annotations

import json
import os
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from time import monotonic, sleep
from typing import Any

from ...engine.errors.reasons import refuse
from .arguments import number, refuse_to_make
from .store import Store
from .table import Table

_USERS = b"\0users"
"""The key that counts the stores of a file. The last one removes the file."""
_CHANGE = ("set", "add", "append", "compare_set", "delete_key")
_NAP = 0.01


class _Log:
    """The values in a file, as far as it was read."""

    def __init__(self, path: str):
        self.path, self.table, self.place = path, Table(), (0, 0)

    @contextmanager
    def _locked(self) -> Iterator[int]:
        try:
            import fcntl
        except ImportError:
            refuse(
                RuntimeError,
                "FileStore needs locks of files, which this system does not have",
                "several processes write to one file, each while it holds the lock",
                "torch.distributed.TCPStore(host, port)",
                "torch.distributed.HashStore(), for one process",
                rule="store.locks",
            )
        file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield file
        finally:
            os.close(file)

    def ask(self, call: str, *args: Any) -> Any:
        """What the table answers, after all changes by others."""
        with self._locked() as file:
            self._read(file)
            answer = getattr(self.table, call)(*args)
            if call in _CHANGE:
                key = args[0]
                value = self.table.values.get(key)
                change = [key.decode("latin-1"), None if value is None else value.decode("latin-1")]
                line = json.dumps(change).encode() + b"\n"
                os.lseek(file, 0, os.SEEK_END)
                while line:
                    line = line[os.write(file, line) :]
                self.place = (self.place[0], os.lseek(file, 0, os.SEEK_END))
            return answer

    def _read(self, file: int) -> None:
        inode, start = self.place
        if inode != os.fstat(file).st_ino:  # the file was removed, and is another one now
            self.table.values.clear()
            inode, start = os.fstat(file).st_ino, 0
        os.lseek(file, start, os.SEEK_SET)
        with os.fdopen(os.dup(file), "rb") as lines:
            for line in lines:
                key, value = json.loads(line)
                if value is None:
                    self.table.delete_key(key.encode("latin-1"))
                else:
                    self.table.set(key.encode("latin-1"), value.encode("latin-1"))
                start += len(line)
        self.place = (inode, start)

    def leave(self) -> None:
        """One store less uses the file."""
        with suppress(OSError):
            if self.ask("add", _USERS, -1) == 0:
                os.unlink(self.path)


class FileStore(Store):
    """A store in a file, which its last user removes."""

    def __init__(self, file_name: str, world_size: int = -1):
        if not isinstance(file_name, (str, os.PathLike)):
            refuse_to_make(f"FileStore(file_name: str, world_size: int = -1), and not {type(file_name).__name__}")
        self.path = os.fspath(file_name)
        number("FileStore", world_size)
        self._log = _Log(self.path)
        self._ask("add", _USERS, 1)
        weakref.finalize(self, self._log.leave)

    def _ask(self, call: str, *args: Any) -> Any:
        if call.startswith("queue"):
            raise NotImplementedError("queue support is not implemented.")
        return self._log.ask(call, *args)

    def _await(self, keys: list[bytes], seconds: float) -> None:
        end = monotonic() + seconds
        while not self._ask("check", keys):
            if monotonic() > end:
                raise RuntimeError("Wait timeout")
            sleep(_NAP)

    def get(self, key: str, /) -> bytes:
        """The value of a key, which is waited for."""
        try:
            return super().get(key)
        except RuntimeError:
            said = f"Timeout waiting for key: {key} after {round(self._seconds * 1000)} ms"
            raise RuntimeError(said) from None

    def multi_get(self, keys: Sequence[str], /) -> list[bytes]:
        """The values of several keys, which are waited for one after the other."""
        return [self.get(key) for key in keys]

    def list_keys(self) -> list[str]:
        """The keys."""
        return [key for key in super().list_keys() if key != _USERS.decode()]

    def has_extended_api(self) -> bool:
        """Whether several values are read and set in one step: not in a file."""
        return False

    def clone(self) -> FileStore:
        """Another store with the same values."""
        other = FileStore(self.path)
        other._seconds = self._seconds
        return other
