"""Stores: small values by name, which threads and processes set, count and wait for. Ranks find each other without one.

>>> store = HashStore()
>>> store.set("name", "value")
>>> store.get("name"), store.add("count", 2), store.add("count", 1)
(b'value', 2, 3)
"""

from __future__ import annotations

import threading
from collections import defaultdict, deque
from collections.abc import Sequence
from datetime import timedelta
from typing import Any, NoReturn

from .errors import DistStoreError, QueueEmptyError

SECONDS = 300.0
"""How long a store waits if no timeout is given."""


class Table:
    """The values of a store, in the process that keeps them. Keys and values are bytes."""

    def __init__(self) -> None:
        self.values: dict[bytes, bytes] = {}
        self.queues: defaultdict[bytes, deque[bytes]] = defaultdict(deque)
        self.changed = threading.Condition()

    def set(self, key: bytes, value: bytes) -> None:
        with self.changed:
            self.values[key] = value
            self.changed.notify_all()

    def get(self, key: bytes) -> bytes:
        with self.changed:
            return self.values.get(key, b"")

    def add(self, key: bytes, amount: int) -> int:
        with self.changed:
            try:
                total = int(self.values.get(key, b"0")) + amount
            except ValueError:
                raise ValueError("stoll") from None
            self.set(key, str(total).encode())
            return total

    def append(self, key: bytes, value: bytes) -> None:
        with self.changed:
            self.set(key, self.values.get(key, b"") + value)

    def compare_set(self, key: bytes, expected: bytes, desired: bytes) -> bytes:
        with self.changed:
            if self.values.get(key, b"") != expected:
                return self.values.get(key, expected)
            self.set(key, desired)
            return desired

    def delete_key(self, key: bytes) -> bool:
        with self.changed:
            return self.values.pop(key, None) is not None

    def check(self, keys: list[bytes]) -> bool:
        with self.changed:
            return all(key in self.values for key in keys)

    def wait(self, keys: list[bytes], seconds: float) -> bool:
        with self.changed:
            return self.changed.wait_for(lambda: self.check(keys), seconds)

    def num_keys(self) -> int:
        return len(self.values)

    def list_keys(self) -> list[bytes]:
        with self.changed:
            return list(self.values)

    def queue_push(self, key: bytes, value: bytes) -> None:
        with self.changed:
            self.queues[key].append(value)
            self.changed.notify_all()

    def queue_pop(self, key: bytes, seconds: float) -> bytes | None:
        with self.changed:
            self.changed.wait_for(lambda: self.queue_len(key), seconds)
            return self.queues[key].popleft() if self.queue_len(key) else None

    def queue_len(self, key: bytes) -> int:
        with self.changed:
            return len(self.queues[key]) if key in self.queues else 0


CALLS = frozenset(name for name in vars(Table) if not name.startswith("_"))


def _refuse(call: str, wanted: str) -> NoReturn:
    raise TypeError(
        f"{call}(): incompatible function arguments. The following argument types are supported:\n    {wanted}"
    )


def text(call: str, given: Any) -> bytes:
    """A key or a value as bytes."""
    if isinstance(given, bytes):
        return given
    if not isinstance(given, str):
        _refuse(call, "keys and values are str or bytes")
    return given.encode()


def texts(call: str, given: Any) -> list[bytes]:
    """Several keys or values."""
    if isinstance(given, (str, bytes)) or not isinstance(given, Sequence):
        _refuse(call, "keys and values come in a list")
    return [text(call, each) for each in given]


def number(call: str, given: Any) -> int:
    """An int."""
    if not hasattr(given, "__index__"):
        _refuse(call, "the number is an int")
    return int(given.__index__())


def _duration(call: str, given: Any) -> float:
    if not isinstance(given, timedelta):
        _refuse(call, "the timeout is a datetime.timedelta")
    return given.total_seconds()


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
        self._seconds = _duration("set_timeout", timeout)

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
        self._await(names, self._seconds if timeout is None else _duration("wait", timeout))

    def multi_set(self, keys: Sequence[str], values: Sequence[str | bytes], /) -> None:
        """Set several keys."""
        if len(texts("multi_set", keys)) != len(texts("multi_set", values)):
            raise DistStoreError("multiSet keys and values vectors must be of same size")
        for key, value in zip(keys, values, strict=True):
            self.set(key, value)

    def multi_get(self, keys: Sequence[str], /) -> list[bytes]:
        """The values of several keys, which are waited for."""
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
        """Wait until this was called with the same key so many times."""
        if self.add(f"{key}/num_members", 1) == world_size:
            self.set(f"{key}/last_member", "<val_ignored>")
        self.wait([f"{key}/last_member"], *(() if timeout is None else (timeout,)))

    def has_extended_api(self) -> bool:
        """Whether `append`, `multi_get` and `multi_set` are one step, not several."""
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


class PrefixStore(Store):
    """Another store, whose keys begin with a prefix here.

    >>> inner = HashStore()
    >>> PrefixStore("a", inner).set("key", "value")
    >>> inner.list_keys()
    ['a/key']
    """

    def __init__(self, prefix: str, store: Store):
        if not isinstance(store, Store) or not isinstance(prefix, str):
            raise TypeError(
                "__init__(): incompatible constructor arguments. The following argument types are supported:\n"
                "    PrefixStore(prefix: str, store: Store)"
            )
        self.prefix, self.underlying_store = prefix, store

    @property
    def _underlying_non_prefix_store(self) -> Store:
        inner = self.underlying_store
        return inner._underlying_non_prefix_store if isinstance(inner, PrefixStore) else inner

    def _key(self, call: str, key: str) -> str:
        return f"{self.prefix}/{text(call, key).decode()}"

    def _keys(self, call: str, keys: Sequence[str]) -> list[str]:
        return [f"{self.prefix}/{key.decode()}" for key in texts(call, keys)]

    @property
    def timeout(self) -> timedelta:
        """How long `get` and `wait` wait."""
        return self.underlying_store.timeout

    def set_timeout(self, timeout: timedelta, /) -> None:
        """Change how long `get` and `wait` wait."""
        self.underlying_store.set_timeout(timeout)

    def set(self, key: str, value: str | bytes, /) -> None:
        """Give a key a value."""
        self.underlying_store.set(self._key("set", key), text("set", value))

    def get(self, key: str, /) -> bytes:
        """The value of a key, which is waited for."""
        return self.underlying_store.get(self._key("get", key))

    def add(self, key: str, amount: int, /) -> int:
        """Add to the number of a key, which begins as 0: the sum."""
        return self.underlying_store.add(self._key("add", key), number("add", amount))

    def append(self, key: str, value: str | bytes, /) -> None:
        """Add to the end of a value."""
        self.underlying_store.append(self._key("append", key), text("append", value))

    def compare_set(self, key: str, expected: str | bytes, desired: str | bytes, /) -> bytes:
        """Set a key if it has the expected value, or none and "" is expected: the value after that."""
        both = (text("compare_set", each) for each in (expected, desired))
        return self.underlying_store.compare_set(self._key("compare_set", key), *both)

    def delete_key(self, key: str, /) -> bool:
        """Delete a key: whether it was there."""
        return self.underlying_store.delete_key(self._key("delete_key", key))

    def check(self, keys: Sequence[str], /) -> bool:
        """Whether all keys are there, without waiting."""
        return self.underlying_store.check(self._keys("check", keys))

    def wait(self, keys: Sequence[str], timeout: timedelta | None = None, /) -> None:
        """Wait until all keys are there."""
        self.underlying_store.wait(self._keys("wait", keys), *(() if timeout is None else (timeout,)))

    def multi_set(self, keys: Sequence[str], values: Sequence[str | bytes], /) -> None:
        """Set several keys."""
        self.underlying_store.multi_set(self._keys("multi_set", keys), texts("multi_set", values))

    def multi_get(self, keys: Sequence[str], /) -> list[bytes]:
        """The values of several keys, which are waited for."""
        return self.underlying_store.multi_get(self._keys("multi_get", keys))

    def num_keys(self) -> int:
        """How many keys the other store has."""
        return self.underlying_store.num_keys()

    def list_keys(self) -> list[str]:
        """The keys with this prefix, without it."""
        start = f"{self.prefix}/"
        return [key.removeprefix(start) for key in self.underlying_store.list_keys() if key.startswith(start)]

    def queue_push(self, key: str, value: str | bytes, /) -> None:
        """Put a value into the queue of a key."""
        self.underlying_store.queue_push(self._key("queue_push", key), text("queue_push", value))

    def queue_pop(self, key: str, block: bool = True) -> bytes:
        """The next value of a queue, which is waited for."""
        return self.underlying_store.queue_pop(self._key("queue_pop", key), block)

    def queue_len(self, key: str, /) -> int:
        """How many values are in a queue."""
        return self.underlying_store.queue_len(self._key("queue_len", key))

    def has_extended_api(self) -> bool:
        """Whether the other store does several things in one step."""
        return self.underlying_store.has_extended_api()

    def clone(self) -> PrefixStore:
        """Another store with the same values."""
        return PrefixStore(self.prefix, self.underlying_store.clone())
