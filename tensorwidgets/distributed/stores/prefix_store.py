"""A store that shares another one with others, under a prefix."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from .arguments import number, text, texts
from .store import Store


class PrefixStore(Store):
    """Another store, whose keys begin with a prefix here.

    >>> from tensorwidgets.distributed import HashStore
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
