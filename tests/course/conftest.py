"""What the course's tests share."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tensorwidgets.course import asking, record
from tensorwidgets.course.checking import tensors_asked

_IN_MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
"""A folder in main memory, where the system has one: thousands of answers need not wait for a disk."""


@pytest.fixture(autouse=True)
def kept(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A progress file and a session of the test's own, so that no test writes into the checkout."""
    with tempfile.TemporaryDirectory(prefix="progress-", dir=_IN_MEMORY) as folder:
        file = Path(folder) / "kept.json"
        monkeypatch.setenv(record.VARIABLE, str(file))
        monkeypatch.setattr(asking, "_guesses", {})
        monkeypatch.setattr(asking, "_wrong", {})
        monkeypatch.setattr(asking, "_asked_for", set())
        monkeypatch.setattr(tensors_asked, "_lent", {})
        yield file
