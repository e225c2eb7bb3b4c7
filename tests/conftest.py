"""What all tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# The same examples on every machine and no limit on the time of one: a failure is about the code.
settings.register_profile(
    "tensorwidgets", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("tensorwidgets")


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Helpers are no tests, and the scripts that freeze PyTorch's answers import it, which no plain test does."""
    helper = collection_path.suffix == ".py" and not collection_path.name.startswith(("test_", "__init__"))
    return True if helper else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Tests about forks are left out where the system has none."""
    if not hasattr(os, "fork"):
        config.hook.pytest_deselected(items=[item for item in items if item.get_closest_marker("fork")])
        items[:] = [item for item in items if not item.get_closest_marker("fork")]


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder of the checkout."""
    return Path(__file__).resolve().parent.parent
