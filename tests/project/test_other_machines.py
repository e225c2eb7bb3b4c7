"""Machines that differ from the one at hand: the package in a zip archive or without its sources, no working folder, a
full disk, no home, the words of other versions of Python and of the libraries.
"""

from __future__ import annotations

import compileall
import os
import subprocess
import sys
from importlib.util import cache_from_source
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import h5py
import numpy as np
import pytest

import tensorwidgets as tw
from tensorwidgets import show
from tensorwidgets.course.lab import a_home
from tensorwidgets.engine.derivatives.declaring import source_of
from tensorwidgets.engine.explain.messages.patterns import reason_from_message
from tensorwidgets.engine.explain.unknown_names import reason_of_name
from tensorwidgets.engine.files.disk.atomic import sync
from tensorwidgets.multiprocessing.sessions import ended
from tests.parts import thorough_but
from tests.project.running import ROOT, run_python

USED = """
import sys
import tensorwidgets as tw
from tensorwidgets import live, show, why
from tensorwidgets.engine.derivatives.declaring import TABLE, source_of
from tensorwidgets.engine.devices import limits, mixing, through_host
from tensorwidgets.engine.dispatch.computed_by import computed_by
from tensorwidgets.engine.dispatch.registry import OPS
from tensorwidgets.engine.help import pages
from tensorwidgets.live.module import module

x = tw.arange(6.0).reshape(2, 3).requires_grad_()
(x * 2).sum().backward()
assert tw.__file__.startswith(sys.argv[1]), tw.__file__
assert "One storage" in repr(show(x.t())) and "<script" in show(x).page()
assert "view of x" in repr(why("x.t()", x=x))
assert through_host.listed() and limits._known() and mixing._checks() and module()
assert pages.examples()["exp"] and computed_by(OPS["hypot"]).functions == ("numpy.hypot",)
print(x.grad.tolist(), source_of(TABLE["exp"][0].formulas[0].function), sep="\\n")
"""


def archive_of_the_package(place: Path, sources: bool) -> Path:
    """The package in a zip archive, compiled, whose path is not in ASCII."""
    archive = place / "mein Archiv \N{LATIN SMALL LETTER U WITH DIAERESIS}.zip"
    with ZipFile(archive, "w") as site:
        for file in sorted((ROOT / "tensorwidgets").rglob("*")):
            name = file.relative_to(ROOT)
            if file.is_dir() or {"__pycache__", "lessons"} & set(name.parts):
                continue
            if file.suffix == ".py" and not (sources and "families" in name.parts):  # these read their own lines
                compileall.compile_file(file, quiet=1)  # where it is not compiled yet
                site.write(cache_from_source(str(file)), name.with_suffix(".pyc"))
            if sources or file.suffix != ".py":
                site.write(file, name)
    return archive


@pytest.mark.parametrize("sources", thorough_but([True], [True, False]))
def test_the_package_works_from_an_archive_and_without_its_sources(sources: bool, tmp_path: Path) -> None:
    archive = str(archive_of_the_package(tmp_path, sources))
    said = run_python(USED, archive, cwd=tmp_path, PYTHONPATH=archive).splitlines()
    assert said == ["[[2.0, 2.0, 2.0], [2.0, 2.0, 2.0]]", "grad * result.conj()"]


def test_a_formula_whose_text_is_nowhere_is_described() -> None:
    scope: dict[str, Any] = {}
    exec(compile("formula = lambda grad, result: grad * result", "nowhere.py", "exec"), scope)
    assert source_of(scope["formula"]) == "a function of grad, result"


GONE = """
import os, sys
import tensorwidgets as tw
from tensorwidgets import show
os.chdir(sys.argv[1])
os.rmdir(sys.argv[1])
from tensorwidgets.course import asking, record
record.keep_guess("1.1", 3)
print(record.read(), repr(show(tw.ones(2))).partition(" ")[0])
"""


@pytest.mark.linux  # Windows removes no folder in which a program runs
def test_a_lesson_goes_on_in_a_folder_that_was_removed(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    said = run_python(GONE, str(gone))
    assert said.split() == "{'predictions': {}, 'exercises': {}, 'puzzles': {}} One".split() and not gone.exists()


FULL = """
import resource, signal, sys
from pathlib import Path
from tensorwidgets.course import cli
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))  # no file may be longer, as on a disk that is full
for command in (["lab"], ["release", "--for", "students", "out"], ["release", "--for", "students", "out.zip"],
                ["reset", "03"]):
    print(cli.main(command))
"""


@pytest.mark.linux
def test_a_full_disk_leaves_no_half_of_a_lesson(tmp_path: Path) -> None:
    """Another `lab` would take it for the student's own, and never replace it."""
    mine = tmp_path / "tensorwidgets-course" / "03_storage.ipynb"
    mine.parent.mkdir()
    mine.write_text("my answers", encoding="utf-8")
    assert run_python(FULL, cwd=tmp_path).split() == ["1"] * 4
    assert [p for p in tmp_path.rglob("*") if p.is_file()] == [mine]
    assert mine.read_text(encoding="utf-8") == "my answers"


def test_lab_gives_jupyter_a_home_where_the_system_knows_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a container with a numeric user id and without HOME: Jupyter could not even be imported."""

    def unknown() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", unknown)
    monkeypatch.setenv("HOME", "/nowhere")
    with a_home() as home:
        assert Path(home).is_dir() and os.environ["HOME"] == home


@pytest.mark.parametrize(
    ("error", "word"),
    [
        (TypeError("only length-1 arrays can be converted to Python scalars"), "several elements"),  # NumPy 2.0
        (TypeError("norm() got an unexpected keyword argument 'keepdims'. Did you mean 'keepdim'?"), "keepdim"),
        (ValueError("too many values to unpack (expected 2, got 3)"), "2 names on the left"),  # Python 3.14
    ],
)
def test_the_words_of_other_versions_are_explained(error: Exception, word: str) -> None:
    reason = reason_from_message(error)
    assert reason is not None and word in " ".join((reason.because, *reason.instead))


def test_a_slip_in_a_name_is_explained_in_the_words_of_python_3_13() -> None:
    error = TypeError("_amax() got an unexpected keyword argument 'keepdim'. Did you mean 'keepdims'?")
    reason = reason_of_name(error, numpy=True)
    assert reason is not None and "NumPy calls this argument keepdims" in reason.because


def test_a_damaged_dtype_is_refused_where_h5py_has_an_error_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As h5py 3.11 does with one damaged byte."""

    def damaged(dataset: h5py.Dataset) -> None:
        raise ValueError("Insufficient precision in available types to represent (63, 52, 11, 0, 52)")

    path = tmp_path / "x.h5"
    with h5py.File(path, "w") as file:
        file["values"] = np.arange(6.0)
    monkeypatch.setattr(h5py.Dataset, "dtype", property(damaged))
    for read in (tw.load_hdf5, lambda file: tw.load_hdf5(file, "values")):
        with pytest.raises(tw.FileError, match="values: cannot be read: Insufficient precision"):
            read(path)
    assert "Insufficient precision" in str(tw.inspect_file(path))


WINDOWS = """
import ctypes, importlib, inspect, multiprocessing.connection, multiprocessing.pool, multiprocessing.reduction, os
import pkgutil, signal, socket, subprocess, sys, tempfile, webbrowser
import anywidget, h5py, IPython, jupyter_server, jupyterlab.labapp, numpy, scipy.fft, scipy.linalg, scipy.special

# What a module of the standard library lacks on Windows, as its documentation says; they have been imported above.
for module in ("fcntl", "grp", "pty", "pwd", "readline", "resource", "syslog", "termios", "tty"):
    sys.modules[module] = None
for name in (
    "fork", "forkpty", "geteuid", "getpgid", "getuid", "killpg", "memfd_create", "mkfifo", "posix_fadvise",
    "register_at_fork", "sched_getaffinity", "sendfile", "setsid", "sysconf", "waitid", "O_CLOEXEC", "O_NOFOLLOW",
    "O_NONBLOCK", "P_PID", "WEXITED", "WNOHANG", "WNOWAIT",
):
    delattr(os, name)
for name in ("SIGALRM", "SIGCHLD", "SIGHUP", "SIGKILL", "SIGUSR1", "SIGUSR2", "pthread_sigmask", "setitimer"):
    delattr(signal, name)
for name in ("AF_UNIX", "CMSG_SPACE", "SCM_RIGHTS", "send_fds", "recv_fds"):
    delattr(socket, name)
sys.platform = "win32"

import tensorwidgets as tw
names = [m.name for m in pkgutil.walk_packages(tw.__path__, "tensorwidgets.") if not m.name.endswith("__main__")]
for name in names:
    importlib.import_module(name)
print(len(names))

def ask(what):
    try:
        print(what())
    except Exception as error:
        print(type(error).__name__, error, *getattr(error, "__notes__", []), sep="; ")

from tensorwidgets.multiprocessing.programs import run_program
ask(tw.distributed.is_mpi_available)
ask(lambda: run_program("x.py", [], 2))
ask(lambda: tw.distributed.FileStore("store", 1).set("a", "b"))
x = tw.arange(3.0, requires_grad=True)
(x * x).sum().backward()
tw.save(x.grad, "x.pt")
tw.save(x.grad, "x.pt")
ask(lambda: tw.load("x.pt", mmap=True).tolist())
ask(lambda: tw.ones(3).share_memory_().tolist())
"""


@pytest.mark.thorough
@pytest.mark.linux
def test_all_can_be_imported_on_windows_and_what_cannot_work_there_says_so(tmp_path: Path) -> None:
    """As far as Linux without its own functions is like Windows."""
    count, mpi, *said, loaded, shared = run_python(WINDOWS, cwd=tmp_path).splitlines()
    assert int(count) > 1300 and mpi == "False"
    assert said[0].startswith("RuntimeError; this system cannot start several ranks; ranks are reached through Unix")
    assert said[1] == "Instead: Linux, in WSL or in a container"  # and not what is to be installed
    assert said[3].startswith("RuntimeError; FileStore needs locks of files, which this system does not have; ")
    assert "TCPStore" in said[4] and (loaded, shared) == ("[0.0, 2.0, 4.0]", "[1.0, 1.0, 1.0]")


def test_a_file_is_flushed_that_is_open_for_writing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows flushes no other."""
    file, flush = tmp_path / "x", os.fsync

    def strict(number: int) -> None:
        os.write(number, b"")
        flush(number)

    file.touch()
    monkeypatch.setattr(os, "fsync", strict)
    sync(str(file))
    assert file.read_bytes() == b""


def test_ranks_start_and_end_where_the_system_tells_of_no_child_without_reaping_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As macOS before Python 3.13."""
    monkeypatch.delattr(os, "waitid", raising=False)
    tw.multiprocessing.spawn(float, nprocs=2)
    with pytest.raises(tw.multiprocessing.ProcessRaisedException, match="ZeroDivisionError"):
        tw.multiprocessing.spawn(divmod, args=(0,), nprocs=2)
    with subprocess.Popen([sys.executable, "-c", "raise SystemExit(7)"]) as child:
        while not ended(child):
            pass
        assert ended(child) and child.wait() == 7


NO_THREADS = """
import _thread, sys, threading
import tensorwidgets as tw
from tensorwidgets.engine.files.disk import zip_read

def refused(*given):
    raise RuntimeError("can't start new thread")

_thread.start_new_thread = threading._start_new_thread = refused
zip_read.LARGE = 1  # from here on several threads read a record
x = tw.arange(600_000.0, dtype=tw.float64)
tw.save(x, "x.pt")
print(bool((tw.load("x.pt") == x).all()), float((x.reshape(600, 1000) @ x.reshape(1000, 600)).sum() > 0))

class Deeper(tw.autograd.Function):
    @staticmethod
    def forward(ctx, x, depth):
        ctx.depth = depth
        return x * 1

    @staticmethod
    def backward(ctx, grad):
        if ctx.depth:
            with tw.enable_grad():
                y = tw.ones(2, requires_grad=True)
                Deeper.apply(y, ctx.depth - 1).sum().backward()
        return grad, None

y = tw.ones(2, requires_grad=True)
Deeper.apply(y, 35).sum().backward()
print(y.grad.tolist())
"""
AT_THE_END = """
import atexit
import tensorwidgets as tw

def save():
    tw.save(x, "x.pt")
    print(bool((tw.load("x.pt") == x).all()))

x = tw.arange(600_000.0, dtype=tw.float64)
atexit.register(save)
"""


def test_a_program_goes_on_where_no_thread_can_be_started(tmp_path: Path) -> None:
    """As in a container with a limit of processes, in a browser, and at the end of a program."""
    assert run_python(NO_THREADS, cwd=tmp_path).split() == ["True", "1.0", "[1.0,", "1.0]"]
    assert run_python(AT_THE_END, cwd=tmp_path).split() == ["True"]


def test_workers_are_refused_where_python_has_no_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python in a browser has the package `multiprocessing`, and nothing behind it."""
    monkeypatch.setitem(sys.modules, "_multiprocessing", None)
    with pytest.raises(ValueError, match="num_workers > 0 needs processes") as refusal:
        tw.utils.data.DataLoader([1, 2], num_workers=2)
    assert "Instead: num_workers=0" in "".join(refusal.value.__notes__)
    assert [len(batch) for batch in tw.utils.data.DataLoader([1, 2, 3], 2)] == [2, 1]


def test_pillow_draws_where_the_browser_does_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A browser that is found may be kept from the folder of temporary files, as a snap is."""
    broken = tmp_path / "chromium"
    broken.write_text("no program", encoding="utf-8")
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("TENSORWIDGETS_BROWSER", raising=False)
    picture = show(tw.arange(3))
    assert picture.save(tmp_path / "x.png").read_bytes().startswith(b"\x89PNG")
    monkeypatch.setenv("TENSORWIDGETS_BROWSER", str(broken))
    with pytest.raises(OSError):
        picture.save(tmp_path / "y.png")
    assert not (tmp_path / "y.png").exists()


PRINTED = """
import tensorwidgets as tw
from tensorwidgets import show, why
x = tw.arange(6.0).reshape(2, 3).requires_grad_()
for picture in (show(x), show.graph((x * 2).sum()), show.training([3.0, 2.0, 1.0]), show.einsum("ij,jk->ik", x, x.t())):
    print(picture)
print(why("x.t().reshape(-1)", x=x))
"""


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
def test_pictures_are_printed_where_the_output_is_not_unicode(encoding: str) -> None:
    """As on Windows, where the output of a program goes to a file."""
    command = [sys.executable, "-X", "utf8=0", "-c", PRINTED]
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    shown = done.stdout.decode(encoding)
    assert "The graph of" in shown and ("\N{WHITE CIRCLE}" in shown) == (encoding == "utf-8")
    assert ("o  1 " in shown) == (encoding != "utf-8")
