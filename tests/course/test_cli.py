"""The command line hands out lessons and never writes over a student's file."""

from __future__ import annotations

import contextlib
import io
import json
import logging
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
import webbrowser
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import tensorwidgets
from tensorwidgets.course import cli, lab
from tensorwidgets.course.building import as_text, student_copy
from tensorwidgets.course.shelf import LESSONS, NOTEBOOKS
from tests.project.running import run_python

NOTIFICATIONS = "@jupyterlab/apputils-extension:notification"
READY = [lesson.file for lesson in NOTEBOOKS if lesson.ready]


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
    *lines, last = capsys.readouterr().out.splitlines()
    assert last.split()[0] == "Puzzles"
    assert (
        [line[:2] for line in lines]
        == [lesson.number for lesson in LESSONS]
        == [f"{i:02}" for i in range(len(LESSONS))]
    )
    assert ["(coming)" in line for line in lines] == [not lesson.ready for lesson in LESSONS]


@pytest.mark.parametrize("wrong", [["lob"], ["list", "--loud"]])
def test_a_wrong_command_is_refused_with_the_usage(wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as refused:
        cli.main(wrong)
    assert refused.value.code == 2
    assert "usage: tensorwidgets" in capsys.readouterr().err


def test_without_a_command_it_says_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([]) == 0
    said = capsys.readouterr().out
    assert "Begin with: tensorwidgets lab" in said and "restart a lesson" in said
    with pytest.raises(SystemExit) as ended:
        cli.main(["--version"])
    assert not ended.value.code and capsys.readouterr().out == f"tensorwidgets {tensorwidgets.__version__}\n"


def test_the_module_is_the_command() -> None:
    """For a shell that does not find the script."""
    ran = subprocess.run([sys.executable, "-m", "tensorwidgets", "list"], capture_output=True, text=True, check=True)
    assert ran.stdout.startswith("00  Start here")


def test_a_reader_that_has_enough_of_the_output_ends_a_command_without_a_traceback() -> None:
    """As `tensorwidgets list | head` does."""
    command = [sys.executable, "-m", "tensorwidgets", "list"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout is not None and running.stderr is not None
        running.stdout.close()
        assert running.stderr.read() == b"" and running.wait() == 141


def test_lab_without_jupyterlab_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "jupyterlab.labapp", None)
    assert cli.main(["lab", "--dir", str(tmp_path / "course")]) == 1
    assert 'pip install ".[lab]"' in capsys.readouterr().err
    assert not (tmp_path / "course").exists()


@pytest.mark.parametrize("folder", ["file/course", "file"])
def test_lab_in_a_folder_that_cannot_be_written_says_so(
    folder: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    assert cli.main(["lab", "--dir", str(tmp_path / folder)]) == 1
    told = capsys.readouterr().err
    assert f"The lessons cannot be written to {tmp_path / folder}: " in told
    assert "tensorwidgets lab --dir ~/tensorwidgets-course" in told and told.count("\n") == 2


LATER = """
from tensorwidgets.course.quick_start import grammars_later, jupyterlab
grammars_later()
import jsonschema
print("jsonschema is there")
grammars_later()
conforms = jsonschema.Draft7Validator.FORMAT_CHECKER.conforms
print(conforms("right", "iri"), conforms("wrong", "iri"), conforms("right", "iri-reference"))
print(jupyterlab().version)
from jupyterlab import commands
print(commands.which("node"))
"""


def test_what_takes_long_to_start_is_started_when_it_is_needed(tmp_path: Path) -> None:
    """With stand-ins for the grammars of addresses, which would take two seconds, and for Node."""
    grammars = 'print("imported")\ndef is_valid_syntax(term, value):\n    return (term, value) == ("iri", "right")\n'
    (tmp_path / "rfc3987_syntax.py").write_text(grammars)
    node = tmp_path / "node"
    node.write_text(f"#!/bin/sh\ntouch '{tmp_path / 'asked'}'\n")
    node.chmod(0o755)
    paths = {name: os.pathsep.join([str(tmp_path), os.environ[name]]) for name in ("PATH", "PYTHONPATH")}
    said = run_python(LATER, **paths).splitlines()
    assert said == ["jsonschema is there", "imported", "True False False", version("jupyterlab"), str(node)]
    assert not (tmp_path / "asked").exists()


def test_lab_in_a_folder_of_somebody_else_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The lessons are there, so nothing has to be copied; but no work could be saved."""
    cli.hand_out(tmp_path)
    monkeypatch.setattr(os, "access", lambda place, how: Path(place) != tmp_path)
    assert cli.main(["lab", "--dir", str(tmp_path)]) == 1
    assert "Permission denied. Name another folder" in capsys.readouterr().err


def processes_of(home: Path) -> list[int]:
    """Every process that has this folder as its home."""
    mine = []
    for environment in Path("/proc").glob("[0-9]*/environ"):
        try:
            mine += [int(environment.parent.name)] if f"HOME={home}".encode() in environment.read_bytes() else []
        except OSError:
            continue  # it is somebody else's, or ended while we looked
    return mine


def test_lab_opens_the_first_lesson_and_stops(tmp_path: Path) -> None:
    """The real command with an empty home, as the current user, root included: its last line is the address."""
    home = tmp_path / "home"
    home.mkdir()
    environment = {"HOME": str(home), "PATH": os.environ["PATH"], "PYTHONPATH": os.environ["PYTHONPATH"]}
    output = tmp_path / "output"
    with contextlib.closing(socket.socket()) as taken, output.open("w") as log:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        command = [sys.executable, "-m", "tensorwidgets.course.cli", "lab", f"--port={port}"]
        server = subprocess.Popen(
            command, cwd=tmp_path, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log
        )
        try:
            address = last_line(server, output)
            told = output.read_text()
            found = urllib.parse.urlsplit(address)
            assert found.hostname == "127.0.0.1" and found.port != port and found.path == f"/lab/tree/{READY[0]}"
            assert len(urllib.parse.parse_qs(found.query)["token"][0]) >= 32
            root = "Running as root: Jupyter is started with --allow-root. It listens on this machine alone"
            assert (root in told) == (os.geteuid() == 0) and "[I " not in told and "[C " not in told
            assert f"    ssh -L {found.port}:127.0.0.1:{found.port} " in told and f"-p 127.0.0.1:{found.port}:" in told

            def get(path: str, **more: Any) -> Any:
                asked = urllib.request.Request(f"http://127.0.0.1:{found.port}{path}?{found.query}", **more)
                with urllib.request.urlopen(asked, timeout=30) as answer:
                    return answer.url, answer.read()

            assert b"JupyterLab" in get(found.path)[1]
            assert urllib.parse.urlsplit(get("/")[0]).path == found.path
            lesson = json.loads(get(f"/api/contents/{READY[0]}")[1])["content"]
            assert lesson["cells"][0]["source"].startswith("# Start here")
            settings = json.loads(get(f"/lab/api/settings/{NOTIFICATIONS}")[1])["schema"]["properties"]
            assert (
                settings["fetchNews"]["default"] == "false"
            )  # "none" is JupyterLab's own: it asks, over the first page
            with pytest.raises(urllib.error.HTTPError, match="403"):
                urllib.request.urlopen(f"http://127.0.0.1:{found.port}/api/contents", timeout=30)
            get("/api/kernels", method="POST", data=b"{}")
            assert sys.platform != "linux" or len(processes_of(home)) >= 2  # the server and its kernel
            assert output.read_text() == told
        finally:
            server.send_signal(signal.SIGINT)
            status = server.wait(60)
    assert status == 0 and processes_of(home) == []
    assert output.read_text() == f"{told}\nStopping JupyterLab and its kernels.\n"
    (log_file,) = re.findall(r"Jupyter's log is (\S+);", told)
    assert not Path(log_file).exists()
    assert sorted(p.name for p in (tmp_path / "tensorwidgets-course").glob("*.ipynb")) == sorted(READY)


def last_line(server: subprocess.Popen[bytes], output: Path) -> str:
    """The last line that the command has to say, once it has said it."""
    deadline = time.monotonic() + 120
    while not (lines := output.read_text().splitlines()) or not lines[-1].startswith("http"):
        assert server.poll() is None and time.monotonic() < deadline, output.read_text()
        time.sleep(0.1)
    return lines[-1]


def test_lab_says_why_jupyter_does_not_start(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tensorwidgets.course.cli", "lab", "--ServerApp.certfile=nowhere.pem"]
    environment = {"HOME": str(tmp_path), "PATH": os.environ["PATH"], "PYTHONPATH": os.environ["PYTHONPATH"]}
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120,
        check=False,
    )  # fmt: skip
    assert done.returncode == 1 and done.stderr == ""
    assert "nowhere.pem" in done.stdout
    (log,) = re.findall(r"JupyterLab could not be started. Its log: (\S+)\n$", done.stdout)
    Path(log).unlink()


@pytest.mark.parametrize(
    ("environment", "opens"),
    [({}, False), ({"DISPLAY": ":0"}, True), ({"WAYLAND_DISPLAY": "w"}, True), ({"BROWSER": "true"}, True)],
)
def test_a_browser_needs_a_screen(environment: dict[str, str], opens: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(webbrowser, "get", lambda: SimpleNamespace(name="one"))
    assert lab.browser_here() == ("one" if opens else None)


def test_an_address_names_a_machine_that_a_browser_reaches() -> None:
    known = {"certfile": "", "port": 9000, "base_url": "/", "default_url": "/lab"}
    token = SimpleNamespace(token="t")
    for ip, wanted in {
        "0.0.0.0": "127.0.0.1",
        "localhost": "127.0.0.1",
        "10.1.1.1": "10.1.1.1",
        "::1": "[::1]",
    }.items():
        server = SimpleNamespace(**known, ip=ip, identity_provider=token)
        assert lab.address(server) == f"http://{wanted}:9000/lab?token=t"


def test_errors_of_jupyter_are_shown_and_its_chatter_is_not() -> None:
    terminal = io.StringIO()
    server = SimpleNamespace(log=logging.Logger("ServerApp"))
    lab._show_errors(server, terminal)
    server.log.warning("404")
    server.log.critical("To access the server, open this file in a browser")
    server.log.error("the kernel died")
    assert terminal.getvalue() == "ERROR: the kernel died\n"
