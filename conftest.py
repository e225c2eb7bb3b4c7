"""What holds for every test run: the checkout comes first, and a run of many files uses the machine's cores.

The tests are about the files beside them, also where an older copy of the package is installed, and also in every
process that a test starts (kernels, servers, command lines).
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Generator
from importlib import import_module
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import pytest
from _pytest.doctest import DoctestModule
from xdist.scheduler import LoadFileScheduling

# nbval imports jsonschema, which reads 38 grammars of international addresses where it can: 1.7 seconds in each worker.
sys.modules["rfc3987_syntax"] = None  # type: ignore[assignment]
from nbval.plugin import IPyNbCell, NbCellError  # noqa: E402

del sys.modules["rfc3987_syntax"]
from tests.compiling import compile_share  # noqa: E402
from tests.kernels.starting import Kernels  # noqa: E402

pytest_plugins = ["nbval.plugin"]

ROOT = Path(__file__).resolve().parent
PACKAGE = ROOT / "tensorwidgets"
# A run starts 150 processes and kernels: the first compiles the package, in 0.4 s, and the others read what it wrote.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
# Once, in workers too: kernels are forked where variables are the same.
os.environ["PYTHONPATH"] = os.pathsep.join(
    dict.fromkeys(filter(None, [str(ROOT), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]))
)

if "PYTEST_XDIST_WORKER" in os.environ:
    # The workers share the cores, where threads of linear algebra wait for one another: PyTorch takes 3 times as long.
    os.environ.setdefault("OMP_NUM_THREADS", "1")

WITH_JUPYTERLAB = {
    f"tests/browser/test_{name}.py"
    for name in (
        "contrast", "first_hour", "harness", "lessons", "live_learning", "live_others", "live_storage",
        "operation_pictures", "picture_lab", "questions",
    )
}  # fmt: skip
"""Files that share a worker, and so a browser and a JupyterLab; the rest of their folder shares a browser."""

WITH_MYPY = ("tests/project/test_tools.py", "tests/engine/catalogue/test_stubs.py")
"""Files that run mypy, one after the other: the second finds what the first has kept."""

LONGEST_FIRST = {
    "tests/browser/test_lessons.py": 22,
    "tests/browser/test_live_storage.py": 18, "tests/browser/test_contrast.py": 16,
    "tests/browser/test_picture_lab.py": 15, "tests/browser/test_live_others.py": 10,
    "tests/browser/test_harness.py": 9, "tests/browser/test_touch.py": 8, "tests/browser/test_operation_pictures.py": 7,
    "tests/browser/test_picture_page.py": 7, "tests/browser/test_paper.py": 6, "tests/browser/test_live_learning.py": 5,
    "tests/browser/test_live_page.py": 5, "tests/project/test_tools.py": 30, "tests/course/test_marking.py": 22,
    "tests/course/test_hostile_answers.py": 20, "tests/course/test_exercises.py": 12,
    "tests/project/test_other_machines.py": 15, "tests/engine/catalogue/test_stubs.py": 10,
    "tests/live/test_explorers.py": 10, "tests/gradients/test_memory_and_threads.py": 9, "tests/test_printed.py": 9,
    "tests/course/test_cli.py": 8, "tests/course/test_commands.py": 8, "tests/data/test_nothing_left.py": 8,
    "tests/distributed/test_spawn.py": 8, "tests/course/test_marking_runs.py": 6,
    "tests/live/test_dtype_states.py": 6, "tests/texts/test_texts.py": 6, "tests/devices/test_gradients.py": 6,
    "tests/engine/memory/test_jobs_interrupted.py": 6, "notebooks/22_a_small_language_model.ipynb": 6,
    "tests/course/test_building.py": 6, "tests/engine/memory/test_memory.py": 6,
    "tests/engine/programs/test_finely_cut.py": 5, "tests/live/test_other_states.py": 5,
    "tests/engine/memory/test_pool_interrupts.py": 5, "notebooks/21_many_processes.ipynb": 5,
    "tests/data/test_other_processes.py": 5, "tests/engine/views/test_geometry_promises.py": 5,
    "tests/files/test_hostile.py": 5, "tests/pictures/operations/test_operation_pictures.py": 5,
}  # fmt: skip
"""Files that take longest on one quiet core, with their seconds: they start first, so that no worker ends alone."""

LONGEST_REST = {
    "tests/browser/test_first_hour.py": 35, "tests/browser/test_lessons.py": 18, "tests/browser/test_touch.py": 15,
    "tests/browser/test_paper.py": 10,
    "tests/engine/catalogue/test_computed_by.py": 20, "tests/engine/programs/test_finely_cut.py": 40,
    "tests/course/test_exercises.py": 20,
    "tests/course/test_marking.py": 15, "tests/gradients/programs/test_programs.py": 12,
    "tests/gradients/operators/test_samples.py": 12, "tests/devices/test_samples.py": 10,
    "tests/devices/test_gradients.py": 10, "tests/course/test_marking_runs.py": 10, "tests/texts/test_texts.py": 10,
    "tests/gradients/test_quick_at_random.py": 8, "tests/course/test_hostile_answers.py": 8,
}  # fmt: skip
"""The same for the rest of the long sweeps."""

LONGEST_LIVE = {
    "tests/course/test_lessons_on_pytorch.py": 100, "tests/gradients/programs/test_programs.py": 75,
    "tests/gradients/operators/test_samples.py": 40, "tests/layers/test_modules.py": 30,
    "tests/engine/programs/test_programs.py": 20, "tests/course/test_claims.py": 18,
    "tests/layers/test_optimizers.py": 18, "tests/data/test_streams.py": 12, "tests/distributed/test_calls.py": 12,
    "tests/engine/calls/test_creation.py": 8, "tests/live/test_storage_states.py": 8, "tests/test_printed.py": 7,
    "tests/layers/test_curves.py": 7, "tests/operators/test_samples.py": 6, "tests/engine/layouts/test_sparse.py": 6,
    "tests/engine/numbers/test_arithmetic.py": 6, "tests/pictures/arrays/test_oracle.py": 5,
}  # fmt: skip
"""The same for comparisons with PyTorch."""


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """A worker more than there are cores, for many tests wait for a browser or a kernel; none for files, which start at
    once, and for comparisons with PyTorch a worker for each core.
    """
    if all((config.invocation_params.dir / name.partition("::")[0]).is_file() for name in config.args):
        config.option.dist = "no"
        return 0
    waiting = config.option.markexpr != "torch"
    return min((os.cpu_count() or 1) + waiting, 4)


def files_together(nodeid: str) -> str:
    """What runs in one worker: a file, and browser tests in two lots, for a browser and JupyterLab start slowly."""
    file = nodeid.partition("::")[0]
    if file in WITH_MYPY:
        return "mypy"
    if not file.startswith("tests/browser/"):
        return file
    return "jupyterlab" if file in WITH_JUPYTERLAB else "pictures"


class _Files(LoadFileScheduling):
    def _split_scope(self, nodeid: str) -> str:
        return files_together(nodeid)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> _Files | None:
    return _Files(config, log) if config.getvalue("dist") == "loadfile" else None


def pytest_configure(config: pytest.Config) -> None:
    """Kernels are forks, for all workers of one process: to start a kernel of its own takes each test a second."""
    if sys.platform == "linux" and "PYTEST_XDIST_WORKER" not in os.environ and not config.option.collectonly:
        kernels = Kernels({} if config.option.dist == "no" else {"OMP_NUM_THREADS": "1"})
        config.add_cleanup(kernels.close)


def pytest_sessionstart(session: pytest.Session) -> None:
    """Workers begin at once, and each would compile all files of a new checkout."""
    worker = getattr(session.config, "workerinput", None)
    if worker is not None:
        compile_share(int(worker["workerid"].removeprefix("gw")), worker["workercount"])


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collecting makes no garbage, so nobody looks for any."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Import a source file under its own name first, and look for examples in files that have some.

    pytest imports the package above a file, which may import the file itself, and then runs the file once more: its
    classes would exist twice.
    """
    module = None
    if file_path.suffix == ".py" and str(file_path).startswith(f"{PACKAGE}{os.sep}"):
        module = import_module(".".join(file_path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"))
    collectors = yield
    if any(isinstance(one, DoctestModule) for one in collectors) and not has_examples(file_path, module):
        return [one for one in collectors if not isinstance(one, DoctestModule)]
    return collectors


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makeitem(collector: pytest.Collector, obj: object) -> list[pytest.Item] | None:
    """A comparison with PyTorch is not made thousands of items of where all of them would be deselected."""
    marks = getattr(obj, "pytestmark", []) if isinstance(obj, FunctionType) else []
    wanted = collector.config.option.markexpr
    unwanted = ("not torch" in wanted or wanted == "thorough") and any(mark.name == "torch" for mark in marks)
    return [] if unwanted else None


def has_examples(path: Path, module: ModuleType | None = None) -> bool:
    """Whether doctest would find an example in a file: in its text, or in help that is made for what it defines.

    Half of the files have none, nor does any test; doctest would look through all that they define, in each worker.
    """
    if b">>>" in path.read_bytes():
        return True
    own = [one for one in vars(module).values() if getattr(one, "__module__", "") == module.__name__] if module else []
    return any(">>>" in str(one.__doc__) for one in own)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """The longest files first; browser tests together, so that a worker starts one browser and one JupyterLab."""
    seconds = {"torch": LONGEST_LIVE, "thorough": LONGEST_REST}.get(config.option.markexpr, LONGEST_FIRST)

    def turn(path: Path) -> tuple[bool, bool, int]:
        name = path.relative_to(ROOT).as_posix()
        return not name.startswith("tests/browser/"), name not in WITH_JUPYTERLAB, -seconds.get(name, 0)

    turns = {path: turn(path) for path in {item.path for item in items}}
    items.sort(key=lambda item: turns[item.path])


def pytest_collection_finish() -> None:
    """The collector looks at what the tests make, and at nothing older: nine thousand tests hold a million objects.

    A storage that grows asks the collector for its tensors, which takes 0.1 s where all of these are looked at.
    """
    gc.freeze()


_at_work: list[Path] = []
"""The file of the last test."""


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Nor does it look at what earlier files have imported."""
    if _at_work != [item.path]:
        _at_work[:] = [item.path]
        gc.collect()
        gc.freeze()


TO_THE_LETTER = "Not the committed outputs to the letter"
REBUILD = "If the new output is right, rebuild the notebook: python -m tensorwidgets.course.build "


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """A notebook's cell gives the committed outputs to the letter: nbval itself compares no images and no order.

    The kernel of nbval counts no cells; tests/course/test_notebooks.py looks at the committed counts.
    """
    try:
        result = yield
        if isinstance(item, IPyNbCell):
            given, committed = (
                [{key: value for key, value in output.items() if key != "execution_count"} for output in outputs]
                for outputs in (item.test_outputs, item.cell.outputs)
            )
            if given != committed:
                item.raise_cell_error(TO_THE_LETTER, first_difference(given, committed))
    except NbCellError as differs:
        if str(differs) in (TO_THE_LETTER, "Cell outputs differ"):
            differs.inner_traceback = f"{differs.inner_traceback}\n{REBUILD}{item.path.stem.partition('_')[0]}"
        raise
    return result


def first_difference(given: Any, committed: Any, where: str = "outputs") -> str:
    """Where two outputs differ first, with a few characters around it: a picture has thousands.

    >>> print(first_difference([{"data": {"a": "x" * 90 + "1"}}], [{"data": {"a": "x" * 90 + "2"}}]))
    outputs[0]['data']['a'] is now
    ...xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx1
    and was
    ...xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx2
    """
    if isinstance(given, dict) and isinstance(committed, dict) and [*given] == [*committed]:
        key = next((key for key in given if given[key] != committed[key]), None)
        if key is not None:
            return first_difference(given[key], committed[key], f"{where}[{key!r}]")
    if isinstance(given, list) and isinstance(committed, list) and len(given) == len(committed):
        place = next((k for k, (a, b) in enumerate(zip(given, committed, strict=True)) if a != b), None)
        if place is not None:
            return first_difference(given[place], committed[place], f"{where}[{place}]")
    new, old = (value if isinstance(value, str) else repr(value) for value in (given, committed))
    start = max(0, len(os.path.commonprefix([new, old])) - 40)
    now, was = ("..." * (start > 0) + text[start : start + 120] for text in (new, old))
    return f"{where} is now\n{now}\nand was\n{was}"


@pytest.fixture(autouse=True, scope="session")
def the_name_that_lessons_use(doctest_namespace: dict[str, object]) -> None:
    """Examples on an op's help page say `torch.narrow(...)`, as a lesson does after its first line."""
    import tensorwidgets

    doctest_namespace["torch"] = tensorwidgets
