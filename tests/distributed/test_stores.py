"""Stores set, count and wait for values, between threads, processes and connections."""

from __future__ import annotations

import gc
import multiprocessing
import re
import threading
import warnings
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from tensorwidgets import distributed as dist

SOON = timedelta(milliseconds=20)


@pytest.fixture(params=["hash", "file", "tcp", "prefix"])
def pair(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Any, Any]]:
    """Two stores with the same values."""
    if request.param == "file":
        yield dist.FileStore(str(tmp_path / "values"), 2), dist.FileStore(str(tmp_path / "values"), 2)
        return
    if request.param == "tcp":
        first: Any = dist.TCPStore("localhost", 0, is_master=True)
        yield first, dist.TCPStore("localhost", first.port)
        return
    first = dist.HashStore()
    yield (first, first.clone()) if request.param == "hash" else (
        dist.PrefixStore("a", first), dist.PrefixStore("a", first)
    )  # fmt: skip


def test_values_are_set_counted_and_deleted(pair: tuple[Any, Any]) -> None:
    a, b = pair
    a.set("x", "one")
    b.append("x", b" two")
    assert a.get("x") == b.get("x") == b"one two"
    assert (a.add("n", 2), b.add("n", -5), a.get("n")) == (2, -3, b"-3")
    assert a.check(["x", "n"]) and not b.check(["x", "y"]) and a.check([])
    assert a.compare_set("c", "", "1") == b"1" and b.compare_set("c", "2", "3") == b"1"
    assert b.compare_set("c", "1", "é") == "é".encode() == a.get("c")
    assert a.compare_set("d", "kept", "2") == b"kept" and not b.check(["d"])
    b.multi_set(["m", "l"], ["1", b"\xff\n"])
    assert a.multi_get(["m", "l"]) == [b"1", b"\xff\n"] and sorted(a.list_keys()) == ["c", "l", "m", "n", "x"]
    before = a.num_keys()
    assert b.delete_key("x") and not a.check(["x"]) and a.num_keys() == before - 1


def test_who_waits_goes_on_when_the_value_is_there(pair: tuple[Any, Any]) -> None:
    a, b = pair
    found: list[bytes] = []
    thread = threading.Thread(target=lambda: found.append(a.get("late")))
    thread.start()
    a.set("early", "1")  # by the store that waits
    b.set("late", "value")
    thread.join(60)
    assert found == [b"value"]
    a.wait(["early", "late"])
    a.barrier("here", 1)


def test_waiting_ends(pair: tuple[Any, Any]) -> None:
    a, _ = pair
    assert a.timeout == timedelta(seconds=300)
    a.set_timeout(SOON)
    tcp, file = isinstance(a, dist.TCPStore), isinstance(a, dist.FileStore)
    said = "wait timeout after 20ms, keys: /no, /x" if tcp else "Wait timeout"
    with pytest.raises(RuntimeError if file else dist.DistStoreError, match=re.escape(said)):
        a.wait(["no", "x"])
    with pytest.raises(RuntimeError, match="Timeout waiting for key: no after 20 ms" if file else "(?i)wait timeout"):
        a.get("no")
    with pytest.raises(RuntimeError, match="(?i)wait timeout"):
        a.barrier("two", 2, SOON)


def test_a_store_that_ends_closes_its_connections() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        store = dist.TCPStore("localhost", 0, is_master=True)
        other = store.clone()
        other.set("x", "1")
        thread = threading.Thread(target=store.get, args=("x",))
        thread.start()
        thread.join(60)
        del thread, store, other
        gc.collect()
    assert [str(warning.message) for warning in caught] == []


def test_queues(pair: tuple[Any, Any]) -> None:
    a, b = pair
    if isinstance(a, dist.FileStore):
        with pytest.raises(NotImplementedError, match="queue support is not implemented"):
            a.queue_push("q", "1")
        return
    a.queue_push("q", "1")
    a.queue_push("q", "2")
    assert (b.queue_len("q"), b.queue_pop("q"), a.queue_pop("q"), a.queue_len("q")) == (2, b"1", b"2", 0)
    with pytest.raises(dist.QueueEmptyError, match="queue is empty"):
        b.queue_pop("q", block=False)


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda s: s.set("a", 3), "set"), (lambda s: s.get(3), "get"), (lambda s: s.add("k", 1.5), "add"),
        (lambda s: s.wait("n"), "wait"), (lambda s: s.check("n"), "check"), (lambda s: s.wait([], 3), "wait"),
        (lambda s: s.set_timeout(3), "set_timeout"), (lambda s: dist.PrefixStore("a", 3), "__init__"),
        (lambda s: dist.TCPStore("localhost", 70000), "__init__"),
    ],
)  # fmt: skip
def test_wrong_arguments_are_refused(pair: tuple[Any, Any], call: Any, name: str) -> None:
    with pytest.raises(TypeError, match=re.escape(f"{name}(): incompatible")):
        call(pair[0])


def test_a_text_is_no_number(pair: tuple[Any, Any]) -> None:
    a, _ = pair
    a.set("x", "text")
    with pytest.raises(ValueError, match="stoll"):
        a.add("x", 1)
    assert a.get("x") == b"text"


def counts(host: str, port: int, path: str) -> None:
    for store in (dist.TCPStore(host, port), dist.FileStore(path)):
        for _ in range(50):
            store.add("n", 1)


def test_processes_count_together(tmp_path: Path) -> None:
    path = str(tmp_path / "values")
    stores: tuple[Any, Any] = dist.TCPStore("localhost", 0, is_master=True), dist.FileStore(path)
    ways = multiprocessing.get_context("spawn")
    processes = [ways.Process(target=counts, args=("localhost", stores[0].port, path)) for _ in range(2)]
    for each in processes:
        each.start()
    for each in processes:
        each.join(60)
    assert [store.get("n") for store in stores] == [b"100", b"100"]


def test_the_last_store_removes_its_file(tmp_path: Path) -> None:
    path = tmp_path / "values"
    a, b = dist.FileStore(str(path)), dist.FileStore(str(path))
    assert a.num_keys() == 1 and a.list_keys() == [] and a.path == str(path)
    del a
    assert path.exists()
    del b
    assert not path.exists()


def test_ports_and_workers() -> None:
    a = dist.TCPStore("localhost", 0, 1, True, multi_tenant=True)
    a.set("x", "1")
    assert dist.TCPStore("localhost", a.port, 1, True, multi_tenant=True).get("x") == b"1"
    port = a.port
    with pytest.raises(dist.DistNetworkError, match="^The server socket has failed to listen on any local network"):
        dist.TCPStore("localhost", port, is_master=True)
    with pytest.raises(dist.DistStoreError, match="Timed out after 1 seconds waiting for clients. 1/2 clients joined."):
        dist.TCPStore("localhost", 0, 2, True, SOON)
    gone = dist.TCPStore("localhost", 0, is_master=True)
    port = gone.port
    del gone
    with pytest.raises(dist.DistNetworkError, match=f"timed out after 20ms while trying to connect to .*, {port}"):
        dist.TCPStore("localhost", port, timeout=SOON)


class Own(dist.Store):
    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}

    def set(self, key: str, value: Any, /) -> None:
        self.kept[key] = value

    def get(self, key: str, /) -> bytes:
        return self.kept[key]


def test_a_store_of_ones_own_has_a_prefix() -> None:
    own = Own()
    inner = dist.PrefixStore("b", own)
    store = dist.PrefixStore("a", inner)
    store.set("x", "1")
    assert own.kept == {"b/a/x": b"1"} and store.get("x") == b"1"
    assert store.underlying_store is inner and store._underlying_non_prefix_store is own
    with pytest.raises(RuntimeError, match="Own.add: Not implemented."):
        store.add("n", 1)


def test_rendezvous(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url = f"file://{tmp_path}/meet?world_size=2"
    (a, *first), (b, *second) = next(dist.rendezvous(url + "&rank=0")), next(dist.rendezvous(url + "&rank=1"))
    a.set("x", "1")
    assert b.get("x") == b"1" and (first, second) == ([0, 2], [1, 2])
    store, *place = next(dist.rendezvous("tcp://localhost:0", 0, 1))
    assert isinstance(store, dist.TCPStore) and place == [0, 1]
    for name, value in {"RANK": "0", "WORLD_SIZE": "1", "MASTER_ADDR": "localhost", "MASTER_PORT": "0"}.items():
        monkeypatch.setenv(name, value)
    assert next(dist.rendezvous("env://"))[1:] == (0, 1)
    start = "Error initializing torch.distributed using "
    for wrong, said in {
        "file://?rank=0&world_size=1": "file:// rendezvous: path missing",
        "file:///x?world_size=1": "file:// rendezvous: rank parameter missing",
        "tcp://localhost:1?rank=0": "tcp:// rendezvous: world size parameter missing",
        "tcp://localhost?rank=0&world_size=1": "tcp:// rendezvous: port number missing",
    }.items():
        with pytest.raises(ValueError, match=re.escape(start + said)):
            next(dist.rendezvous(wrong))
    with pytest.raises(RuntimeError, match="No rendezvous handler for invalid://"):
        dist.rendezvous("invalid://")
    with pytest.raises(AssertionError, match="has node-specific arguments"):
        dist.rendezvous("file://foo?rank=12&world_size=16", 12, 16)
    with pytest.raises(RuntimeError, match="Rendezvous handler for tcp:// already registered"):
        dist.register_rendezvous_handler("tcp", lambda url: iter(()))


def test_a_store_counts_who_joins_only_if_it_waits_for_them() -> None:
    for waits, count in ((True, 1), (False, 0)):
        store = dist.TCPStore("127.0.0.1", 0, 1, True, wait_for_workers=waits)
        assert store.num_keys() == count
        with pytest.raises(TypeError, match=r"^multi_get\(\): incompatible function arguments"):
            store.multi_get("ab")
