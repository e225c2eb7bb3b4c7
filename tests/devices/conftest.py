"""A simulated GPU for tests: freed bytes are overwritten, so that a read of them shows."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import tensorwidgets as tw
from tensorwidgets.engine.devices.arena import Arena


@pytest.fixture
def gpu(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """One simulated GPU, whose memory is free again at the end."""
    monkeypatch.setattr(Arena, "overwrites", True)
    with tw.cuda.simulate():
        yield


@pytest.fixture
def gpus(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Two simulated GPUs."""
    monkeypatch.setattr(Arena, "overwrites", True)
    with tw.cuda.simulate(count=2):
        yield
