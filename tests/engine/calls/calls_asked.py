"""How the tests of creation, of next-door libraries and of the old constructors put their calls to both engines."""

from __future__ import annotations

import gzip
import json
from typing import Any

import tensorwidgets as tw
from tests.engine.calls.calls import answer, calls
from tests.engine.calls.freeze_calls import COUNT, REFERENCE

FROZEN = json.loads(gzip.decompress(REFERENCE.read_bytes()))


def differences(wanted: list[list]) -> list[str]:
    """The calls that this package answers otherwise, told so that they can be read."""
    told = []
    for text, expected in wanted:
        got = plain(answer(tw, text))
        if got != expected:
            told.append(f"{text}\n  PyTorch: {expected}\n  here:    {got}")
    return told


def plain(found: Any) -> Any:
    """As it comes back from a file."""
    return json.loads(json.dumps(found))


def frozen(name: str) -> list[list]:
    """The calls of a function, with PyTorch's answers."""
    return FROZEN["calls"][name]


def live(name: str, seed: str = "") -> list[list]:
    """Calls of a function, PyTorch asked now; without a seed those that are frozen."""
    import torch

    torch.set_num_threads(1)
    return [[text, plain(answer(torch, text))] for text in calls(name, COUNT, seed)]
