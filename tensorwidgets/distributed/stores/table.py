"""The values of a store, in the process that keeps them."""

from __future__ import annotations

import threading
from collections import defaultdict, deque


class Table:
    """Values and queues by name. Keys and values are bytes, and each call is one step, whichever thread calls."""

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
