"""What all tests share."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# The same examples on every machine and no limit on the time of one: a failure is about the code.
settings.register_profile(
    "tensorwidgets", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("tensorwidgets")


# Scripts that ask PyTorch and freeze its answers; tests need no PyTorch.
collect_ignore_glob = ["*/freeze_*.py"]


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder of the checkout."""
    return Path(__file__).resolve().parent.parent
