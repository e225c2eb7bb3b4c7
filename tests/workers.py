"""Workers of a run say less, and what they say is taken in faster.

For 14,000 tests xdist sends 90,000 messages. Each takes both sides 0.4 ms, which is more than many a test takes, and
for each of them the controller counts what is left in the lists of all tests.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, SupportsIndex

import pytest
from xdist.scheduler import LoadFileScheduling
from xdist.workermanage import WorkerController


class Places(list[str]):
    """Names of tests that are found without walking through all."""

    def __init__(self, names: Iterable[str]) -> None:
        super().__init__(names)
        self._places = {name: place for place, name in reversed([*enumerate(self)])}

    def index(self, name: str, start: SupportsIndex = 0, stop: SupportsIndex = 0) -> int:
        return self._places[name]


class Scheduling(LoadFileScheduling):
    """Keeps of the work that a worker has been given what is not done yet, and not all with a mark."""

    def add_node_collection(self, node: WorkerController, collection: Any) -> None:
        super().add_node_collection(node, collection)
        if node in self.registered_collections:  # another than the first may have been turned away
            self.registered_collections[node] = Places(self.registered_collections[node])

    def mark_test_complete(self, node: WorkerController, item_index: int, duration: float = 0) -> None:
        name = self.registered_collections[node][item_index]
        file = self._split_scope(name)
        left = self.assigned_work[node][file]
        del left[name]
        if not left:
            del self.assigned_work[node][file]
        self._reschedule(node)

    def _pending_of(self, workload: dict[str, dict[str, bool]]) -> int:
        return sum(map(len, workload.values()))


def say_less(config: pytest.Config) -> None:
    """This worker keeps to itself what nobody shows: that a test begins and ends, and that it was set up as it should.

    All is said where somebody asks for more: for each test by its name, for how long all took, or for a file of it.
    """
    option = config.option
    if option.verbose > 0 or option.durations is not None or getattr(option, "xmlpath", None):
        return
    (interactor,) = [one for one in config.pluginmanager.get_plugins() if type(one).__name__ == "WorkerInteractor"]
    send = interactor.sendevent

    def sendevent(name: str, **said: Any) -> None:
        if name not in ("logstart", "logfinish") and not (name == "testreport" and _as_it_should(said["data"])):
            send(name, **said)

    interactor.sendevent = sendevent


def _as_it_should(report: dict[str, Any]) -> bool:
    return report["when"] != "call" and report["outcome"] == "passed" and not report["sections"]
