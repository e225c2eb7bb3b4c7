"""Files that would do harm: each is refused in words of ours, nothing runs, and memory stays bounded."""

from __future__ import annotations

import contextlib
import io
import resource
import sys
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tensorwidgets as tw
from tests.files.hostile import MARKER, files

CORPUS = files()


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


_EVENTS: list[str] = []
"""What Python's own audit says was done while a file was read."""
_WATCHING = [False]


def _audit(event: str, args: tuple) -> None:
    if _WATCHING[0] and event in _FORBIDDEN:
        _EVENTS.append(f"{event} {args}")


_FORBIDDEN = {
    "exec", "compile", "os.system", "subprocess.Popen", "os.exec", "os.posix_spawn", "open", "pickle.find_class",
    "socket.connect", "shutil.rmtree", "os.remove", "ctypes.dlopen", "builtins.input",
}  # fmt: skip
sys.addaudithook(_audit)


@contextlib.contextmanager
def at_most(steps: int) -> Iterator[None]:
    """So many calls and returns of functions are made at most, whatever the machine is busy with."""
    left = steps

    def count(*_: Any) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise AssertionError(f"more than {steps} calls and returns")

    sys.setprofile(count)
    try:
        yield
    finally:
        sys.setprofile(None)


@pytest.mark.parametrize(("name", "data", "word"), CORPUS, ids=[name for name, _, _ in CORPUS])
def test_each_is_refused(name: str, data: bytes, word: str, tmp_path: Path) -> None:
    with pytest.raises(tw.FileError), at_most(20_000_000):
        tw.load(io.BytesIO(data))  # so that what is imported at first use has been
    _EVENTS.clear()
    tracemalloc.start()
    _WATCHING[0] = True
    try:
        with pytest.raises(tw.FileError) as refusal:
            tw.load(io.BytesIO(data))
    finally:
        _WATCHING[0] = False
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert word in str(refusal.value)
    assert len(str(refusal.value)) < 1000
    assert _EVENTS == []
    assert not list(tmp_path.iterdir()), MARKER
    assert most < 400 * len(data) + (4 << 20)


def _saved_well() -> io.BytesIO:
    file = io.BytesIO()
    tw.save([tw.ones(2)], file)
    file.seek(0)
    return file


GLOBALS = [(name, data) for name, data, word in CORPUS if "." in word and " " not in word]


@pytest.mark.parametrize(("name", "data"), GLOBALS, ids=[name for name, _ in GLOBALS])
def test_each_is_told_without_loading(name: str, data: bytes) -> None:
    told = tw.inspect_file(io.BytesIO(data)).anatomy
    assert told.refused or told.problems, name
    assert not told.loadable


def test_a_refused_global_is_named_and_is_an_error_that_pickle_knows() -> None:
    import pickle

    data = next(data for name, data, _ in CORPUS if name == "os.system, protocol 2")
    with pytest.raises(tw.RefusedGlobal, match=r"data\.pkl: .*(posix|nt)\.system") as refusal:
        tw.load(io.BytesIO(data))
    assert isinstance(refusal.value, pickle.UnpicklingError)
    assert isinstance(refusal.value, RuntimeError)
    assert "nothing was called" in refusal.value.__notes__[0]


def test_memory_of_the_whole_process_stays_bounded() -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for name, data, _ in CORPUS:
        if len(data) < 1 << 20:
            with pytest.raises(tw.FileError):
                tw.load(io.BytesIO(data))
            assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 400 << 10, name


def test_no_switch_runs_pickles() -> None:
    with pytest.raises(RuntimeError, match="weights_only=False is refused") as refusal:
        tw.load(_saved_well(), weights_only=False)
    assert "a pickle is a program" in refusal.value.__notes__[0]
    import pickle

    with pytest.raises(RuntimeError, match="pickle_module"):
        tw.load(_saved_well(), pickle_module=pickle)
