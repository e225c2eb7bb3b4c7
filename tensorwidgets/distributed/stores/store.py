"""What all stores can do, and the one for threads.

>>> store = HashStore()
>>> store.set("name", "value")
>>> store.get("name"), store.add("count", 2), store.add("count", 1)
(b'value', 2, 3)
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from ..errors import DistStoreError, QueueEmptyError
from .arguments import duration, number, text, texts
from .table import Table

SECONDS = 300.0
"""How long a store waits if no timeout is given."""


class Store:
    """Values by name. A class of your own may override the methods, and work under a `PrefixStore`."""

    _seconds = SECONDS

    def _ask(self, call: str, *args: Any) -> Any:
        """What the table of the store answers."""
        raise RuntimeError(f"{type(self).__name__}.{call}: Not implemented.")

    def _late(self, keys: list[bytes], seconds: float) -> Exception:
        return DistStoreError("Wait timeout")

    def _await(self, keys: list[bytes], seconds: float) -> None:
        if not self._ask("wait", keys, seconds):
            raise self._late(keys, seconds)

    @property
    def timeout(self) -> timedelta:
        """How long `get` and `wait` wait."""
        return timedelta(seconds=self._seconds)

    def set_timeout(self, timeout: timedelta, /) -> None:
        """Change how long `get` and `wait` wait."""
        self._seconds = duration("set_timeout", timeout)

    def set(self, key: str, value: str | bytes, /) -> None:
        """Give a key a value."""
        self._ask("set", text("set", key), text("set", value))

    def get(self, key: str, /) -> bytes:
        """The value of a key, which is waited for."""
        name = text("get", key)
        self._await([name], self._seconds)
        value: bytes = self._ask("get", name)
        return value

    def add(self, key: str, amount: int, /) -> int:
        """Add to the number of a key, which begins as 0: the sum."""
        return int(self._ask("add", text("add", key), number("add", amount)))

    def append(self, key: str, value: str | bytes, /) -> None:
        """Add to the end of a value."""
        self._ask("append", text("append", key), text("append", value))

    def compare_set(self, key: str, expected: str | bytes, desired: str | bytes, /) -> bytes:
        """Set a key if it has the expected value, or none and "" is expected: the value after that."""
        value: bytes = self._ask("compare_set", *(text("compare_set", each) for each in (key, expected, desired)))
        return value

    def delete_key(self, key: str, /) -> bool:
        """Delete a key: whether it was there."""
        return bool(self._ask("delete_key", text("delete_key", key)))

    def check(self, keys: Sequence[str], /) -> bool:
        """Whether all keys are there, without waiting."""
        return bool(self._ask("check", texts("check", keys)))

    def wait(self, keys: Sequence[str], timeout: timedelta | None = None, /) -> None:
        """Wait until all keys are there."""
        names = texts("wait", keys)
        self._await(names, self._seconds if timeout is None else duration("wait", timeout))

    def multi_set(self, keys: Sequence[str], values: Sequence[str | bytes], /) -> None:
        """Set several keys."""
        if len(texts("multi_set", keys)) != len(texts("multi_set", values)):
            raise DistStoreError("multiSet keys and values vectors must be of same size")
        for key, value in zip(keys, values, strict=True):
            self.set(key, value)

    def multi_get(self, keys: Sequence[str], /) -> list[bytes]:
        """The values of several keys, which are waited for."""
        texts("multi_get", keys)
        self.wait(keys)
        return [self.get(key) for key in keys]

    def num_keys(self) -> int:
        """How many keys there are."""
        return int(self._ask("num_keys"))

    def list_keys(self) -> list[str]:
        """The keys."""
        return [key.decode() for key in self._ask("list_keys")]

    def queue_push(self, key: str, value: str | bytes, /) -> None:
        """Put a value into the queue of a key."""
        self._ask("queue_push", text("queue_push", key), text("queue_push", value))

    def queue_pop(self, key: str, block: bool = True) -> bytes:
        """The next value of a queue, which is waited for."""
        name = text("queue_pop", key)
        value: bytes | None = self._ask("queue_pop", name, self._seconds if block else 0.0)
        if value is None:
            raise self._late([name], self._seconds) if block else QueueEmptyError("queue is empty")
        return value

    def queue_len(self, key: str, /) -> int:
        """How many values are in a queue."""
        return int(self._ask("queue_len", text("queue_len", key)))

    def barrier(self, key: str, world_size: int, timeout: timedelta | None = None) -> None:
        """Wait until this was called with the same key this many times."""
        if self.add(f"{key}/num_members", 1) == world_size:
            self.set(f"{key}/last_member", "<val_ignored>")
        self.wait([f"{key}/last_member"], *(() if timeout is None else (timeout,)))

    def has_extended_api(self) -> bool:
        """Whether there are `append`, `multi_get` and `multi_set`."""
        return True

    def clone(self) -> Store:
        """Another store with the same values."""
        raise RuntimeError(f"{type(self).__name__}.clone: Not implemented.")


class HashStore(Store):
    """A store for the threads of this process."""

    def __init__(self) -> None:
        self._table = Table()

    def _ask(self, call: str, *args: Any) -> Any:
        return getattr(self._table, call)(*args)

    def clone(self) -> HashStore:
        """Another store with the same values."""
        other = HashStore()
        other._table, other._seconds = self._table, self._seconds
        return other
