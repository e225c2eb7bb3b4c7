"""What the course's tests share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tensorwidgets.course import asking, record


@pytest.fixture(autouse=True)
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A progress file and a session of the test's own, so that no test writes into the checkout."""
    file = tmp_path / "kept.json"
    monkeypatch.setenv(record.VARIABLE, str(file))
    monkeypatch.setattr(asking, "_guesses", {})
    monkeypatch.setattr(asking, "_wrong", {})
    monkeypatch.setattr(asking, "_asked_for", set())
    return file
