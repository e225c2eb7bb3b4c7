"""What all tests share."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

# The same examples on every machine and no limit on the time of one: a failure is about the code.
settings.register_profile(
    "tensorwidgets", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("tensorwidgets")
# Nor do they depend on what has been imported: Hypothesis would look for constants in 1,300 modules, in each worker.
providers._get_local_constants = lambda: providers._local_constants

MADE_BY_LIBRARIES = {
    "PYTEST_CURRENT_TEST", "KMP_DUPLICATE_LIB_OK", "TORCHINDUCTOR_CACHE_DIR", "TORCH_CPP_LOG_LEVEL"
}  # fmt: skip
"""Variables that pytest, threadpoolctl and PyTorch set, or that are set for it; no process of ours asks for them."""


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Helpers are no tests, and the scripts that freeze PyTorch's answers import it, which no plain test does."""
    helper = collection_path.suffix == ".py" and not collection_path.name.startswith(("test_", "__init__"))
    return True if helper else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Tests about forks are left out where the system has none, and those about Linux elsewhere."""
    for mark, there in (("fork", hasattr(os, "fork")), ("linux", sys.platform == "linux")):
        if not there:
            config.hook.pytest_deselected(items=[item for item in items if item.get_closest_marker(mark)])
            items[:] = [item for item in items if not item.get_closest_marker(mark)]


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder of the checkout."""
    return Path(__file__).resolve().parent.parent


@pytest.fixture(autouse=True)
def same_environment() -> Iterator[None]:
    """A test that leaves variables behind changes what the processes of later tests do."""
    kept = os.environ._data  # type: ignore[attr-defined]  # all are decoded in the time that many a test takes
    before = kept.copy()
    yield
    differ = [os.fsdecode(name) for name in {*before, *kept} if before.get(name) != kept.get(name)]
    changed = sorted({*differ} - MADE_BY_LIBRARIES)
    assert not changed, f"the test changed variables of the environment: {', '.join(changed)}"
