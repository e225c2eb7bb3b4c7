"""`rendezvous`: a store, a rank and a number of ranks by an address. `init_process_group` asks MPI instead.

>>> store, rank, size = next(rendezvous("tcp://localhost:0?rank=0&world_size=1"))
>>> rank, size, store.add("arrived", 1)
(0, 1, 1)
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qsl, urlparse, urlunparse

from .stores import SECONDS, FileStore, Store, TCPStore

Found = Iterator[tuple[Store, int, int]]


def _asked(url: str) -> dict[str, str]:
    return dict(parse_qsl(urlparse(url).query))


def _missing(scheme: str, what: str) -> ValueError:
    return ValueError(f"Error initializing torch.distributed using {scheme}:// rendezvous: {what}")


def _numbers(scheme: str, url: str) -> tuple[int, int]:
    asked = _asked(url)
    for name, what in (("rank", "rank"), ("world_size", "world size")):
        if name not in asked:
            raise _missing(scheme, f"{what} parameter missing")
    return int(asked["rank"]), int(asked["world_size"])


def _by_tcp(url: str, timeout: timedelta = timedelta(seconds=SECONDS), **others: Any) -> Found:
    place = urlparse(url)
    if place.port is None:
        raise _missing("tcp", "port number missing")
    rank, size = _numbers("tcp", url)
    yield TCPStore(place.hostname or "localhost", place.port, size, rank == 0, timeout, multi_tenant=True), rank, size


def _by_file(url: str, **others: Any) -> Found:
    path = urlparse(url).path
    if not path:
        raise _missing("file", "path missing")
    rank, size = _numbers("file", url)
    yield FileStore(path, size), rank, size


def _by_environment(url: str, timeout: timedelta = timedelta(seconds=SECONDS), **others: Any) -> Found:
    asked = _asked(url)
    known = {}
    for name in ("RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT"):
        value = asked.get(name.lower()) or os.environ.get(name)
        if value is None:
            raise _missing("env", f"environment variable {name} expected, but not set")
        known[name] = value
    rank, size = int(known["RANK"]), int(known["WORLD_SIZE"])
    port = int(known["MASTER_PORT"])
    yield TCPStore(known["MASTER_ADDR"], port, size, rank == 0, timeout, multi_tenant=True), rank, size


HANDLERS: dict[str, Callable[..., Found]] = {"tcp": _by_tcp, "file": _by_file, "env": _by_environment}
"""What each kind of address is understood by."""


def register_rendezvous_handler(scheme: str, handler: Callable[..., Found]) -> None:
    """Understand another kind of address."""
    if scheme in HANDLERS:
        raise RuntimeError(f"Rendezvous handler for {scheme}:// already registered")
    HANDLERS[scheme] = handler


def rendezvous(url: str, rank: int = -1, world_size: int = -1, **kwargs: Any) -> Found:
    """A store, the rank of this process, and how many there are."""
    if not isinstance(url, str):
        raise RuntimeError(f"`url` must be a string. {type(url)}: {url}")
    place = urlparse(url)
    given = {name: value for name, value in (("rank", rank), ("world_size", world_size)) if value != -1}
    if given:
        if {"rank", "world_size"} & set(_asked(url)):
            raise AssertionError(f"The url: {url} has node-specific arguments(rank, world_size) already.")
        query = "&".join(filter(None, [place.query, *(f"{name}={value}" for name, value in given.items())]))
        url = urlunparse(place._replace(query=query))
    if place.scheme not in HANDLERS:
        raise RuntimeError(f"No rendezvous handler for {place.scheme}://")
    return HANDLERS[place.scheme](url, **kwargs)
