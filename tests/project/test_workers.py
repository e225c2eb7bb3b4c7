"""Workers are given tests as xdist gives them, and keep to themselves only what nobody shows."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from xdist.scheduler import LoadFileScheduling

from tests.workers import Places, Scheduling, say_less

COUNTS = {"a": 3, "b": 1, "c": 7, "d": 2, "e": 5, "f": 1, "g": 4}
NAMES = [f"tests/test_{file}.py::test_{k}" for file, count in COUNTS.items() for k in range(count)]


class Worker:
    """A worker of a run, as the scheduler sees it."""

    def __init__(self, number: int, log: list[Any]) -> None:
        self.number = number
        self.log = log
        self.waiting: list[int] = []
        self.shutting_down = False
        self.gateway = SimpleNamespace(id=f"gw{number}")

    def send_runtest_some(self, indices: list[int]) -> None:
        self.log.append((self.number, indices))
        self.waiting += indices

    def shutdown(self) -> None:
        self.log.append((self.number, "shutdown"))
        self.shutting_down = True


def run(kind: type[LoadFileScheduling], config: pytest.Config, crashes: int) -> list[Any]:
    """All that a scheduler says to three workers, of which one ends before its turn: before it has done so many."""
    log: list[Any] = []
    config = SimpleNamespace(getvalue=lambda name: ["popen"] * 3, option=config.option)  # type: ignore[assignment]
    scheduler = kind(config)
    workers: list[Any] = [Worker(number, log) for number in range(3)]
    for worker in workers:
        scheduler.add_node(worker)
    for worker in workers:
        scheduler.add_node_collection(worker, NAMES)
    scheduler.schedule()
    for turn in range(200):
        worker = workers[turn % len(workers)]
        if worker.number == 1 and turn >= crashes:
            log.append(("crashed", scheduler.remove_node(worker)))
            workers.remove(worker)
        elif worker.waiting:
            scheduler.mark_test_complete(worker, worker.waiting.pop(0))
        log.append((scheduler.tests_finished, scheduler.has_pending))
    return log


def said_to_workers(log: list[Any]) -> list[Any]:
    """xdist gives out files again that the worker that crashed had done, with no test of them."""
    return [one for one in log if not isinstance(one[0], bool) and one[1] != []]


@pytest.mark.parametrize("crashes", [0, 4, 10, 16, 1000])
def test_workers_are_given_what_xdist_gives_them(crashes: int, pytestconfig: pytest.Config) -> None:
    said, wanted = (run(kind, pytestconfig, crashes) for kind in (Scheduling, LoadFileScheduling))
    assert said_to_workers(said) == said_to_workers(wanted)
    assert said == wanted or crashes < len(NAMES)
    given = [place for _, what in said if isinstance(what, list) for place in what]
    assert {*given} == {*range(len(NAMES))}


def test_a_name_is_found_where_it_is() -> None:
    places = Places([*NAMES, NAMES[0]])
    assert [places.index(name) for name in NAMES] == [*range(len(NAMES))]
    assert places == [*NAMES, NAMES[0]] and places != NAMES
    with pytest.raises(KeyError):
        places.index("none")


@pytest.mark.parametrize(
    "asked, shown",
    [
        ({}, False), ({"verbose": -1}, False), ({"verbose": 1}, True), ({"durations": 0}, True),
        ({"xmlpath": "a.xml"}, True),
    ],
)  # fmt: skip
def test_a_worker_says_what_somebody_shows(asked: dict[str, Any], shown: bool) -> None:
    said: list[Any] = []

    class WorkerInteractor:
        def sendevent(self, name: str, **what: Any) -> None:
            said.append((name, *what.values()))

    worker = WorkerInteractor()
    option = SimpleNamespace(**{"verbose": 0, "durations": None, "xmlpath": None, **asked})
    plugins = SimpleNamespace(get_plugins=lambda: [object(), worker])
    say_less(SimpleNamespace(option=option, pluginmanager=plugins))  # type: ignore[arg-type]
    good: dict[str, Any] = {"when": "call", "outcome": "passed", "sections": []}
    printed = {"sections": [("Captured stdout setup", "a")]}
    events: list[tuple[str, dict[str, Any]]] = [
        ("testreport", good), ("testreport", {**good, "when": "setup", "outcome": "failed"}),
        ("testreport", {**good, "when": "teardown", "outcome": "failed"}),
        ("testreport", {**good, "when": "setup", "outcome": "skipped"}),
        ("testreport", {**good, "when": "setup", **printed}), ("runtest_protocol_complete", {}),
    ]  # fmt: skip
    quiet: list[tuple[str, dict[str, Any]]] = [
        ("logstart", {}), ("testreport", {**good, "when": "setup"}), ("testreport", {**good, "when": "teardown"}),
        ("logfinish", {}),
    ]  # fmt: skip
    for name, data in events + quiet:
        worker.sendevent(name, data=data)
    assert said == events + quiet * shown
