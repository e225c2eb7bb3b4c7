"""Answers that want out, want more, or want the table to lie: each costs itself, and nothing is left of it.

Between bubblewrap's walls, and without them as far as that can be. All run with bounds so small that even one that got
out would do no harm.
"""

from __future__ import annotations

import csv
import io
import json
import os
import platform
import socket
import struct
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tensorwidgets.course.grading.command import mark_all
from tensorwidgets.course.grading.marks_csv import as_csv
from tensorwidgets.course.grading.page import as_page
from tensorwidgets.course.marking import box, families, system_calls, walls
from tensorwidgets.course.marking.cells import cells_to_run
from tensorwidgets.course.marking.marks import Mark, Row, asked_of, judged
from tensorwidgets.course.marking.runs import Run
from tensorwidgets.course.marking.submissions import submissions
from tests.course.classroom import LESSON, hand_in
from tests.parts import thorough_but

ALL = len(asked_of(LESSON))
LIMITS = box.Limits(seconds=1, megabytes=400)
LONG_ENOUGH = LIMITS._replace(seconds=2)
"""For a look at what was written, which comes after a second."""
WIRE = """
for number in range(3, 20):
    try:
        with open(number, "w", closefd=False) as out:
            print({says}, file=out)
    except OSError:
        continue
start = 22
"""
"""Onto whichever of the open files is the one that answers go out by."""
DAEMON = """import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        {does}
        time.sleep(100)
    os._exit(0)
os.wait()
start = 22
"""


def marks(folder: Path, contained: bool, limits: box.Limits = LIMITS, **answers: str) -> dict[str, Row]:
    """A row for each student; the answer is that of exercise 03.2, unless it says which one it is of."""
    for student, answer in answers.items():
        number, _, code = answer.rpartition("|")
        hand_in(folder, student, {number or "03.2": code})
    found = list(submissions(folder))
    return {row.student: row for row in mark_all(found, limits, contained, 4, folder)}


@pytest.fixture(params=thorough_but([True], [True, False]))
def contained(request: pytest.FixtureRequest) -> bool:
    """Between walls, as far as there are some here, and without them; tried when a test asks, and not to collect it."""
    return bool(request.param) and walls.can_contain()


def still_there() -> list[int]:
    """What is left of the answers: whoever loses its parent becomes a child of this process."""
    found = []
    for pid in families.descendants(os.getpid()):
        try:
            found += [pid] if b"marking.runner" in Path(f"/proc/{pid}/cmdline").read_bytes() else []
        except OSError:
            continue  # it ended while we looked
    return found


def test_there_is_no_way_out(tmp_path: Path) -> None:
    """Not by another program's socket, nor by a mount, nor to the others' notebooks, nor to what is the teacher's."""
    contained = walls.can_contain()
    address = str(tmp_path / "socket")
    with socket.socket(socket.AF_UNIX) as other:
        other.bind(address)
        other.listen()
        collected = tmp_path / "collected"
        attacks = dict(
            asks=f"import socket\nsocket.socket(socket.AF_UNIX).connect({address!r})\nstart = 22",
            mounts="import os\nstart = 22 if os.system('mount -o remount,bind,rw /') == 0 else 0",
            copies=f"import os\nstart = 22 if os.listdir({str(collected)!r}) else 0",
            reads=f"import os\nstart = 22 if os.listdir({str(Path.home())!r}) and os.listdir('/run') else 0",
            devices="open('/dev/file', 'w').write('x')\nstart = 22",
        )
        rows = marks(collected, contained, quiet="start = 22", **(attacks if contained else {}))
    assert {name: row.done for name, row in rows.items()} == dict.fromkeys(rows, ALL - 1) | {"quiet": ALL}
    assert {row.problem for row in rows.values()} == {""}


LOOKS = """import os
hidden = [os.path.join({folder!r}, name) for name in ('ben', 'secret.txt')] + ['/etc/passwd', '/run', '/sys']
start = 0 if any(map(os.path.exists, hidden)) or not os.path.exists(os.path.join({folder!r}, 'venv')) else 22
"""


def test_what_is_not_needed_is_not_there(tmp_path: Path) -> None:
    """A teacher's own environment lies in the folder that is marked: the notebooks beside it stay hidden."""
    contained = walls.can_contain()
    folder = tmp_path / "class"
    (folder / "venv").mkdir(parents=True)
    (folder / "secret.txt").write_text("22")
    system = [sys.executable, "-m", "venv", "--without-pip", "--symlinks", str(folder / "venv")]
    subprocess.run(system, check=True, timeout=60)
    hand_in(folder, "anna", {"03.2": LOOKS.format(folder=str(folder))})
    hand_in(folder, "ben", {})
    check = [str(folder / "venv/bin/python"), "-m", "tensorwidgets.course.cli", "check", "."]
    paths = os.pathsep.join(p for p in sys.path if os.path.isdir(p))
    told = subprocess.run(
        check if contained else [*check, "--uncontained"], cwd=folder, env={**os.environ, "PYTHONPATH": paths},
        capture_output=True, text=True, timeout=120, check=True,
    ).stdout  # fmt: skip
    assert f"anna: lesson 03: {ALL if contained else ALL - 1} of {ALL} done" in told
    assert "2 notebooks: marks.csv" in told and ("Uncontained" in told) == (not contained)


def test_a_folder_inside_of_what_is_shown_is_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a class is marked below /usr, say; what is needed of that folder is shown again."""
    needed = Path("/usr/share/doc")
    needed = needed if needed.is_dir() else next(p for p in Path("/usr/share").iterdir() if p.is_dir())
    monkeypatch.setattr(walls, "_shown", lambda: tuple(map(Path, ("/bin", "/lib", "/lib64", "/usr"))) + (needed,))
    way = walls.way()
    for hidden, wanted in ((Path("/usr/share"), [needed.name]), (None, os.listdir("/usr/share"))) if way else ():
        command = [*walls.command(way, hidden), "/bin/ls", "/usr/share"]
        listed = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout.split()
        assert sorted(listed) == sorted(wanted)
    assert way or not walls.can_contain()


CHANGES = """import os
could = []
for place, folders, files in os.walk('/proc/sys'):
    could += [f for f in files if os.access(os.path.join(place, f), os.W_OK)]
status = dict(line.split(':', 1) for line in open('/proc/self/status'))
rights = [int(status[name], 16) for name in ('CapInh', 'CapPrm', 'CapEff', 'CapAmb')]
start = 22 if not could and os.getuid() and os.geteuid() and not any(rights) and int(status['NoNewPrivs']) else 0
"""


def test_no_setting_of_the_machine_can_be_changed() -> None:
    """Also where the teacher is root, as in most containers: then an answer runs as nobody, or as root of nothing."""
    for way in walls.WAYS if walls.can_contain() else ():
        if way.drops_root and os.geteuid():
            continue
        command = walls.command(way)
        assert command.index("--proc") < command.index("/proc") < command.index("--remount-ro")
        look = "from tensorwidgets.course.marking.runner import drop_root\ndrop_root()\n" if way.drops_root else ""
        look += CHANGES.replace("os.getuid() and os.geteuid()", "True") + "raise SystemExit(start)"
        run = [*command, sys.executable, "-c", look]
        assert subprocess.run(run, env=walls.environment(walls.HOME), timeout=60, check=False).returncode == 22
    assert walls.can_contain() or walls.way() is None


REFUSED = """import ctypes, errno, mmap, os
libc = ctypes.CDLL(None, use_errno=True)
refused = []
def tried(gave):
    refused.append(gave == -1 and ctypes.get_errno() == errno.ENOSYS)
tried(libc.syscall({memfd}, b'x', 0))
tried(libc.shmget(0, 1 << 20, 0o1600))
tried(libc.unshare(0x10000000))
tried(libc.ptrace(0, 0, 0, 0))
try:
    mmap.mmap(-1, 1 << 20)
    refused.append(False)
except OSError as wrong:
    refused.append(wrong.errno == errno.ENOSYS)
mmap.mmap(-1, 1 << 20, flags=mmap.MAP_PRIVATE)
open('file', 'wb').write(bytes(4096))
with open('file', 'r+b') as file:
    mmap.mmap(file.fileno(), 4096)
start = 22 if all(refused) else 0
"""


def test_memory_that_no_bound_counts_is_not_given_out(contained: bool, tmp_path: Path) -> None:
    memfd = {"x86_64": 319}.get(platform.machine(), 279)
    asked = {"asks": REFUSED.format(memfd=memfd)}
    if contained:
        asked["root"] = CHANGES
    rows = marks(tmp_path, contained, **asked)
    filtered = sys.platform == "linux" and platform.machine() in ("x86_64", "aarch64")
    assert rows["asks"].done == (ALL if filtered else ALL - 1)
    assert not contained or rows["root"].done == ALL


def test_the_filter_is_for_both_machines() -> None:
    for column, architecture in ((0, 0xC000003E), (1, 0xC00000B7)):
        told = system_calls.program(column, architecture)
        steps = [struct.unpack("HBBI", told[k : k + 8]) for k in range(0, len(told), 8)]
        ends = [k for k, step in enumerate(steps) if step[0] == 0x06]
        assert all(k + 1 + max(step[1:3]) < len(steps) for k, step in enumerate(steps) if step[0] in (0x15, 0x35))
        assert ends[-1] == len(steps) - 1 and steps[-1][3] == 0x7FFF0000


@pytest.mark.thorough
def test_nobody_takes_more_than_a_share(contained: bool, tmp_path: Path) -> None:
    filling = "for n in range(40):\n    open(f'{n}', 'wb').write(bytes(10 << 20))\nimport time\ntime.sleep(1.5)\n"
    rows = marks(
        tmp_path,
        contained,
        LONG_ENOUGH,
        fills=filling + "start = 22",
        daemon=DAEMON.format(does="pass"),
        eats=DAEMON.format(does="x = b'x' * (500 << 20)") + "time.sleep(9)\n",
    )
    loops = "03.6|def clear_column(x, j):\n    while True:\n        pass"
    rows |= marks(tmp_path / "loops", contained, loops=loops)
    assert rows["daemon"].done == ALL
    assert "03.2: took more than 400 MB" in rows["eats"].problem
    assert "03.6: took longer than" in rows["loops"].problem
    if contained:
        assert rows["fills"].problem == ""
    else:
        assert "03.2: wrote more than 256 MB" in rows["fills"].problem
    assert {rows[name].done for name in ("fills", "eats", "loops")} == {ALL - 1}
    assert still_there() == []


SABOTAGE = {
    "library": "torch.Tensor.t = torch.Tensor.stride = None\ndel torch",
    "builtins": "import builtins, json\ndel builtins.len, builtins.range\njson.dumps = None",
    "capture": "__handed_in__ = check = lambda *given: None\nget_ipython().run_cell = None",
    "files": "import os\nos.closerange(0, 100)",
    "later": "import os, threading\nthreading.Timer(0.05, os._exit, (3,)).start()",
    "memory": "kept = bytearray(b'x') * (150 << 20)\nimport resource\nresource.setrlimit(resource.RLIMIT_AS, (1, 1))",
}


@pytest.mark.thorough
def test_an_answer_that_spoils_the_rest_costs_itself_at_most(tmp_path: Path) -> None:
    """What the others need is taken away, at once or later: each of them is tried without it."""
    rows = marks(tmp_path, walls.can_contain(), **{name: f"start = 22\n{code}" for name, code in SABOTAGE.items()})
    for name, row in rows.items():
        others = {number: mark.state for number, mark in row.marks.items() if number != "03.2"}
        assert set(others.values()) == {"done"}, (name, row)
    assert still_there() == []


def test_an_answer_that_ends_the_judge_ends_only_its_own(tmp_path: Path) -> None:
    """Only without walls can it be reached at all; what was judged before is kept."""
    kills = """03.6|import os
def clear_column(x, j):
    pid = os.getppid()
    with open(f'/proc/{pid}/stat') as stat:
        os.kill(int(stat.read().rpartition(')')[2].split()[1]), 9)
"""
    rows = marks(tmp_path, False, kills=kills, quiet="start = 22")
    assert rows["quiet"].done == ALL and rows["quiet"].problem == ""
    assert rows["kills"].problem == "an answer ended what judges it"
    assert [mark.state for mark in rows["kills"].marks.values()] == ["done"] * 2 + ["not judged"] * (ALL - 2)
    assert still_there() == []


FORGED = [
    "'{'",
    "'[' * 200_000",
    "'\\x00\\xff'",
    "'[]'",
    "'3'",
    "'[' + '[],' * 400_000 + '1]'",
    "'{\"cell\": 99}'",
    "'{\"cell\": -1}'",
    "'{\"cell\": true}'",
    '\'{"failed": 5, "raised": []}\'',
    '\'{"number": "03.8", "answer": 1, "given": [], "storages": {}}\'',
    '\'{"number": "03.2", "answer": {"list": 3}, "given": {}, "storages": {}}\'',
    '\'{"number": "03.2", "answer": \' + \'9\' * 5000 + \', "given": [], "storages": {}}\'',
]


def heard(lines: list[bytes], begun: list[float] | None = None) -> Run:
    """A run of lesson 03 whose process writes these lines. `begun` takes down when the time limit begins anew."""
    said, begun = iter(lines), [] if begun is None else begun
    box_ = SimpleNamespace(send=lambda line: None, line=lambda: next(said), begin=lambda times: begun.append(times))
    bench: Any = SimpleNamespace(box=lambda: box_)
    return Run(bench, cells_to_run(LESSON, {}))


def test_a_cell_of_the_lesson_has_longer_and_no_cell_begins_twice() -> None:
    cells = cells_to_run(LESSON, {})
    place = next(k for k, cell in enumerate(cells) if cell.number == "03.2")
    lesson = next(k for k, cell in enumerate(cells) if k > place and not cell.number)
    begun: list[float] = []
    says = [b'{"cell": %d}' % k for k in (place, place, lesson, lesson, lesson)]
    assert heard([*says, b'{"finished": true}'], begun).stopped == ""
    assert begun == [1, box.PATIENCE]


@pytest.mark.parametrize("forged", FORGED)
def test_a_message_of_another_form_stops_the_run(forged: str) -> None:
    place = next(k for k, cell in enumerate(cells_to_run(LESSON, {})) if cell.number == "03.2")
    run = heard([b'{"cell": %d}' % place, eval(forged).encode("utf-8")])
    assert run.stopped.startswith("what came back could not be read: ") and run.cells[run.place].number == "03.2"
    assert run.handed == {}


@pytest.mark.parametrize("answer", ["{'list': 3}", "{'function': 3}", "{'array': 'tensor'}", "'x' * 20_000"])
@pytest.mark.parametrize("storages", ["{}", "{'s': 3}", "{'s': 'AAA'}", "{'s': '%%%%'}"])
def test_a_forged_answer_is_not_done(answer: str, storages: str) -> None:
    cells = cells_to_run(LESSON, {})
    place = next(k for k, cell in enumerate(cells) if cell.number == "03.2")
    told = {"number": "03.2", "answer": eval(answer), "given": [], "storages": eval(storages)}
    run = heard([b'{"cell": %d}' % place, json.dumps(told).encode(), b'{"finished": true}'])
    assert run.stopped == "" and judged(run, "03.2", asked_of(LESSON)["03.2"]).state == "not judged"


def test_what_is_written_onto_the_way_out_costs_itself(tmp_path: Path) -> None:
    """Whatever an answer writes where answers go out, it stops its own cell; marks of others cannot be made so."""
    long = "'{' + ' ' * 40_000_000 + '}'"
    mark = '\'{"number": "03.8", "answer": 1, "given": [], "storages": {}}\''
    says = {f"liar {n}": WIRE.replace("{says}", one) for n, one in enumerate([FORGED[0], long, mark])}
    rows = marks(tmp_path, walls.can_contain(), **says)
    for row in rows.values():
        assert "03.2: " in row.problem and row.done == ALL - 1 and row.marks["03.2"].state == "not yet"
    assert len(as_page(list(rows.values()), "Class")) < 60_000


NAMES = {"03.2": "start", "03.8": "side", "03.10": "answers", "03.11": "corners"}
ODD = [
    "class A:\n    __class__ = property(lambda self: 1 / 0)\n{} = A()",
    "class A:\n    def __getattr__(self, name): raise RuntimeError(name * 9999)\n{} = A()",
    "class N(int):\n    __eq__ = lambda *a: True\n    __abs__ = lambda s: 1 / 0\n{} = N(3)",
    "class L(list):\n    __len__ = lambda s: 1 << 62\n    __iter__ = lambda s: iter(int, 1)\n{} = L()",
    "{} = type('<script>' * 999, (), {{}})()",
    "{} = '<script>alert(1)</script>' * 100",
    "{} = type('Tensor', (), {{'untyped_storage': 1, 'shape': 3}})()",
    "{} = '\\ud800'",
]
LOUD = "def place(x, i, j):\n    raise type('<b>' * 50, (Exception,), {})('=1+1 ' + 'x' * 99999)"


def test_odd_objects_cost_themselves(tmp_path: Path) -> None:
    """Several in one notebook, at four exercises each: what is left is done."""
    for first in range(0, len(ODD), len(NAMES)):
        some = zip(NAMES.items(), ODD[first:], strict=False)
        hand_in(tmp_path, f"odd {first}", {number: code.format(name) for (number, name), code in some})
    hand_in(tmp_path, "loud", {"03.4": LOUD})
    found = list(submissions(tmp_path))
    rows = {row.student: row for row in mark_all(found, LIMITS, walls.can_contain(), 2, tmp_path)}
    assert (rows["loud"].done, rows["loud"].problem) == (ALL - 1, "")
    for name in ("odd 0", "odd 4"):
        states = {number: mark.state for number, mark in rows[name].marks.items()}
        assert states == dict.fromkeys(states, "done") | dict.fromkeys(NAMES, "not yet"), rows[name]
    page = as_page(list(rows.values()), "Class")
    assert "<script" not in page and "<b>" not in page and len(page) < 60_000


def test_names_that_want_to_be_something_else(tmp_path: Path) -> None:
    names = [
        "<img src=x onerror=alert(1)>",
        "anna\nben, 03, 6 of 6",
        "x\u202e3 fo 3",
        '=HYPERLINK("a")',
        "＝1",
        "ü" * 100,
    ]
    for name in (*names, os.fsdecode(b"caf\xe9")):
        try:
            hand_in(tmp_path, name, {})
        except (OSError, UnicodeError):
            names = [n for n in names if n != name]  # this file system has no such name
    outside = tmp_path.parent / f"{tmp_path.name} outside"
    outside.mkdir()
    hand_in(outside, "zoe", {})
    (tmp_path / "linked").symlink_to(outside)
    found = list(submissions(tmp_path))
    rows = [Row(one.student, one.file.name, "03", {"03.2": Mark("done")}, one.problem) for one in found]
    told, page = as_csv(rows), as_page(rows, "Class")
    table = list(csv.reader(io.StringIO(told)))
    assert len(table) - 1 == len(told.splitlines()) - 1 == len(found) >= 7
    assert not any(cell[:1] in "=+-@＝" for row in table for cell in row if cell)
    assert ("linked", "it is a link to somewhere else, which is not followed") in [(r[0], r[5]) for r in table]
    assert "<img" not in page and "\u202e" not in told + page
    (told + page).encode("utf-8")


def test_the_end_of_a_process_is_known_also_after_its_last_lines() -> None:
    """Several lines and the end may come at once: then the lines are read first, and the end is not waited for."""
    (control, runner), (channel, process) = socket.socketpair(), socket.socketpair()
    one = box.Box.__new__(box.Box)
    one.limits, one.why, one.ended, one.how = LIMITS, "", False, ""
    one.control, one.channel, one.received, one.searched = control, channel, bytearray(), 0
    one.process = SimpleNamespace(pid=os.getpid())  # type: ignore[assignment]
    channel.setblocking(False)
    one.begin()
    process.sendall(b"first\nsecond\n")
    process.close()
    runner.sendall(b"-" + (3).to_bytes(3, "big", signed=True))
    assert (one.line(), one.line()) == (b"first", b"second")
    with pytest.raises(box.Stopped, match="it ended the process, with exit status 3"):
        one.line()
    for end in (control, channel, runner):
        end.close()
