"""A class is marked by the workers of any executor, as the command marks it: threads, processes, a Dask cluster."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from unittest import mock

import pytest

from tensorwidgets.course.grading import command
from tensorwidgets.course.grading.command import mark_folder
from tensorwidgets.course.marking import walls
from tensorwidgets.course.marking.marks import asked_of
from tests.course.classroom import LESSON, hand_in
from tests.parts import thorough_but


@contextmanager
def dask() -> Iterator[Executor]:
    from distributed import Client, LocalCluster

    with (
        mock.patch.dict(os.environ),  # a cluster leaves settings of memory and threads there
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50) as cluster,
        Client(cluster) as client,
        client.get_executor() as executor,
    ):
        yield executor


WORKERS: dict[str, Callable[[], AbstractContextManager[Executor]]] = {
    "threads": lambda: ThreadPoolExecutor(2),
    "dask": dask,
}


@pytest.mark.parametrize("workers", thorough_but(["threads"], WORKERS))
def test_workers_mark_as_the_command_does(workers: str, tmp_path: Path) -> None:
    for student, changed in {
        "anna": {},
        "ben": {"03.2": "start = 11"},
        "cy": {"03.8": "import os; os._exit(3)"},
    }.items():
        hand_in(tmp_path / "collected", student, changed)
    (tmp_path / "collected" / "dan.ipynb").write_text("{")
    with WORKERS[workers]() as executor:
        if not walls.can_contain():
            with pytest.raises(RuntimeError, match="this worker cannot contain answers"):
                mark_folder(tmp_path / "collected", tmp_path / "marks.csv", executor=executor)
            return
        rows = mark_folder(tmp_path / "collected", tmp_path / "marks.csv", executor=executor, seconds=20)
    done = {row.student: row.done for row in rows}
    whole = len(asked_of(LESSON))
    assert done == {"anna": whole, "ben": whole - 1, "cy": whole - 1, "dan": 0}
    assert any(row.student == "cy" and "it ended the process, with exit status 3" in row.problem for row in rows)
    assert (tmp_path / "marks.csv").read_text().count("\n") == 5 and (tmp_path / "marks.html").exists()


def test_workers_that_cannot_contain_answers_refuse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walls, "can_contain", lambda: False)
    hand_in(tmp_path / "collected", "anna", {})
    with ThreadPoolExecutor(1) as executor:
        for given in (executor, None):
            with pytest.raises(RuntimeError, match="Nothing here keeps answers from network access.*bubblewrap"):
                mark_folder(tmp_path / "collected", tmp_path / "marks.csv", executor=given)
    assert not (tmp_path / "marks.csv").exists()


def test_a_bar_is_drawn_in_a_terminal_only(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(command.sys.stderr, "isatty", lambda: True, raising=False)
    with command._progress(2) as progress:
        progress.write("anna: 6 of 6 done")
        progress.update()
    said = capsys.readouterr()
    assert "anna: 6 of 6 done" in said.out and "0/2" in said.err
    monkeypatch.setattr(command.sys.stderr, "isatty", lambda: False, raising=False)
    with command._progress(2) as progress:
        progress.write("ben: 6 of 6 done")
        progress.update()
    said = capsys.readouterr()
    assert said.out == "ben: 6 of 6 done\n" and said.err == ""
