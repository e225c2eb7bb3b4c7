"""Stores: small values by name, which threads and processes set, count and wait for. Ranks find each other without one.

`store` has the calls and the store for threads, `table` keeps the values, `file_store` and `tcp_store` bring them to
other processes, `prefix_store` shares a store, and `arguments` checks what is given.
"""

from .file_store import FileStore
from .prefix_store import PrefixStore
from .store import SECONDS, HashStore, Store
from .tcp_store import TCPStore

__all__ = ["SECONDS", "FileStore", "HashStore", "PrefixStore", "Store", "TCPStore"]
