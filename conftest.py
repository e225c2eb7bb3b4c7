"""What holds for every test run: the checkout comes first, and the whole command uses the machine's cores.

The tests are about the files beside them, also where an older copy of the package is installed, and also in every
process that a test starts (kernels, servers, command lines).
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """A worker for each core when everything is asked for, none for a single file or folder, which starts at once."""
    if config.args_source is pytest.Config.ArgsSource.TESTPATHS:
        return min(os.cpu_count() or 1, 4)
    config.option.dist = "no"
    return 0


@pytest.fixture(autouse=True, scope="session")
def the_name_that_lessons_use(doctest_namespace: dict[str, object]) -> None:
    """Examples on an op's help page say `torch.narrow(...)`, as a lesson does after its first line."""
    import tensorwidgets

    doctest_namespace["torch"] = tensorwidgets
