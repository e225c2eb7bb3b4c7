"""The command line hands out lessons and never writes over a student's file."""

from __future__ import annotations

import contextlib
import json
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from tensorwidgets.course import cli
from tensorwidgets.course.building import as_text, student_copy
from tensorwidgets.course.shelf import LESSONS

NOTIFICATIONS = "@jupyterlab/apputils-extension:notification"
READY = [lesson.file for lesson in LESSONS if lesson.ready]


def test_hand_out_copies_every_lesson_that_is_ready(tmp_path: Path) -> None:
    assert cli.hand_out(tmp_path / "new" / "folder") == [(file, True) for file in READY]
    assert sorted(p.name for p in (tmp_path / "new" / "folder").iterdir()) == sorted(READY)
    copy = tmp_path / "new" / "folder" / READY[0]
    assert copy.read_text(encoding="utf-8") == as_text(student_copy(LESSONS[0]))


def test_hand_out_never_writes_over_a_file(tmp_path: Path) -> None:
    mine = tmp_path / READY[0]
    mine.write_text("my answers")
    assert cli.hand_out(tmp_path) == [(READY[0], False), *((file, True) for file in READY[1:])]
    assert mine.read_text() == "my answers"


def test_list_names_every_lesson(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line[:2] for line in lines] == [lesson.number for lesson in LESSONS] == [f"{i:02}" for i in range(18)]
    assert ["(coming)" in line for line in lines] == [not lesson.ready for lesson in LESSONS]


@pytest.mark.parametrize("wrong", [[], ["lob"], ["list", "--loud"]])
def test_a_wrong_command_is_refused_with_the_usage(wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as refused:
        cli.main(wrong)
    assert refused.value.code == 2
    assert "usage: tensorwidgets" in capsys.readouterr().err


def test_lab_without_jupyterlab_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "jupyterlab.labapp", None)
    assert cli.main(["lab", "--dir", str(tmp_path / "course")]) == 1
    assert 'pip install ".[lab]"' in capsys.readouterr().err
    assert not (tmp_path / "course").exists()


def test_lab_serves_the_first_lesson(tmp_path: Path) -> None:
    """The real command, in an empty folder: the server answers, and its front page is lesson 00."""
    with contextlib.closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "tensorwidgets.course.cli", "lab", "--no-browser", f"--port={port}"]
    command += ["--allow-root", "--IdentityProvider.token=", "--ServerApp.port_retries=0"]
    with (tmp_path / "log").open("w") as log:
        server = subprocess.Popen(command, cwd=tmp_path, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    address = f"http://127.0.0.1:{port}"
    try:
        deadline = time.monotonic() + 60
        while True:
            try:
                with urllib.request.urlopen(f"{address}/lab", timeout=5) as front:
                    front.read()
                break
            except OSError:
                assert server.poll() is None and time.monotonic() < deadline, (tmp_path / "log").read_text()
                time.sleep(0.2)
        with urllib.request.urlopen(f"{address}/", timeout=5) as front:
            assert front.url == f"{address}/lab/tree/{READY[0]}"
        with urllib.request.urlopen(f"{address}/api/contents/{READY[0]}", timeout=5) as answer:
            served = json.load(answer)["content"]
        with urllib.request.urlopen(f"{address}/lab/api/settings/{NOTIFICATIONS}", timeout=5) as answer:
            asks_for_news = json.load(answer)["schema"]["properties"]["fetchNews"]["default"]
    finally:
        server.terminate()
        server.wait(20)
    assert served["cells"][0]["source"].startswith("# Start here")
    assert asks_for_news == "false"  # "none" is JupyterLab's own: then it asks, over the first page
    assert sorted(p.name for p in (tmp_path / "tensorwidgets-course").glob("*.ipynb")) == sorted(READY)
