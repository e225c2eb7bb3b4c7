"""Answers that want out, want more, or want the table to lie: each costs its own row, and nothing is left of it.

Between bubblewrap's walls, and without them as far as that can be.
"""

from __future__ import annotations

import csv
import io
import os
import socket
from pathlib import Path

import pytest

from tensorwidgets.course.marking import box
from tensorwidgets.course.marking.command import mark_all
from tensorwidgets.course.marking.marks import Mark, Row, asked_of
from tensorwidgets.course.marking.submissions import submissions
from tensorwidgets.course.marking.table import as_csv, as_page
from tests.course.classroom import LESSON, hand_in

ALL = len(asked_of(LESSON))
LIMITS = box.Limits(seconds=12, megabytes=600)
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


def marks(folder: Path, contained: bool, **answers: str) -> dict[str, Row]:
    """A row for each student; the answer is that of exercise 03.2, unless it says which one it is of."""
    for student, answer in answers.items():
        number, _, code = answer.rpartition("|")
        hand_in(folder, student, {number or "03.2": code})
    found = list(submissions(folder))
    return {row.student: row for row in mark_all(found, LIMITS, contained, 2, folder)}


def still_there() -> list[int]:
    """What is left of the answers: whoever loses its parent becomes a child of this process."""
    found = []
    for pid in box.descendants(os.getpid()):
        try:
            found += [pid] if b"marking.runner" in Path(f"/proc/{pid}/cmdline").read_bytes() else []
        except OSError:
            continue  # it ended while we looked
    return found


def test_there_is_no_way_out(tmp_path: Path) -> None:
    """Not by another program's socket, nor by a mount, nor to the others' notebooks, nor to what is the teacher's."""
    walls = box.can_contain()
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
        rows = marks(collected, walls, quiet="start = 22", **(attacks if walls else {}))
    assert {name: row.done for name, row in rows.items()} == dict.fromkeys(rows, ALL - 1) | {"quiet": ALL}
    assert {row.problem for row in rows.values()} == {""}


@pytest.mark.parametrize("contained", sorted({box.can_contain(), False}))
def test_nobody_takes_more_than_a_share(contained: bool, tmp_path: Path) -> None:
    filling = (
        "for n in range(40):\n    open(f'{n}', 'wb').write(bytes(10 << 20))\nimport time\ntime.sleep(2)\nstart = 22"
    )
    rows = marks(
        tmp_path,
        contained,
        fills=filling,
        daemon=DAEMON.format(does="pass"),
        eats=DAEMON.format(does="x = b'x' * (900 << 20)") + "time.sleep(8)\n",
        loops="03.6|def clear_column(x, j):\n    while True:\n        pass",
        quiet="start = 22",
    )
    assert rows["quiet"].done == rows["daemon"].done == ALL
    assert "took more than 600 MB" in rows["eats"].problem
    assert "took longer than" in rows["loops"].problem
    assert [rows["loops"].marks[n].state for n in ("03.2", "03.4", "03.6", "03.8")] == ["done"] * 2 + ["not judged"] * 2
    if contained:
        assert rows["fills"].done == ALL - 1 and rows["fills"].problem == ""
    else:
        assert "wrote more than 256 MB" in rows["fills"].problem
    assert still_there() == []


def test_who_ends_the_judge_ends_only_the_own(tmp_path: Path) -> None:
    rows = marks(tmp_path, False, kills="import os\nos.kill(os.getppid(), 9)\nstart = 22", quiet="start = 22")
    assert rows["quiet"].done == ALL and rows["quiet"].problem == ""
    assert rows["kills"].done == 0 and rows["kills"].problem == "an answer ended what judges it"
    assert still_there() == []


FORGED = [
    "'{'",
    "'[' * 200_000",
    "'\\x00\\xff'",
    "'[]'",
    '\'{"answers": [], "given": [], "storages": {}}\'',
    '\'{"answers": {"03.2": {"list": 3}}, "given": {}, "storages": {"s": 3}}\'',
    '\'{"answers": {"03.2": \' + \'9\' * 5000 + \'}, "given": {}, "storages": {}}\'',
    '\'{"answers": {"03.2": "\' + \'x\' * 9_000_000 + \'"}, "given": {}, "storages": {}}\'',
    "'{' + ' ' * 40_000_000 + '}'",
]


def test_a_forged_message_is_the_own_row(tmp_path: Path) -> None:
    says = {f"liar {n}": WIRE.replace("{says}", one) for n, one in enumerate(FORGED)}
    rows = marks(tmp_path, box.can_contain(), **says)
    assert len(rows) == len(FORGED)
    for row in rows.values():
        assert row.problem and row.done == 0 and len(row.marks) == ALL
    assert len(as_page(list(rows.values()), "Class")) < 60_000


def test_odd_objects_cost_themselves(tmp_path: Path) -> None:
    odd = "class {0}:\n    {1}\nstart = {0}()"
    rows = marks(
        tmp_path,
        box.can_contain(),
        classes=odd.format("A", "__class__ = property(lambda self: 1 / 0)"),
        attributes=odd.format("A", "def __getattr__(self, name): raise RuntimeError(name * 9999)"),
        number="class N(int):\n    __eq__ = lambda *a: True\n    __abs__ = lambda s: 1 / 0\nstart = N(3)",
        lengths="class L(list):\n    __len__ = lambda s: 1 << 62\n    __iter__ = lambda s: iter(int, 1)\nstart = L()",
        names="start = type('<script>' * 999, (), {})()",
        words="start = '<script>alert(1)</script>' * 100",
        tensors="start = type('Tensor', (), {'untyped_storage': 1, 'shape': 3})()",
        surrogates="start = '\\ud800'",
        raises="03.4|def place(x, i, j):\n    raise type('<b>' * 50, (Exception,), {})('=1+1 ' + 'x' * 99999)",
    )
    assert {name: (row.done, row.problem) for name, row in rows.items()} == dict.fromkeys(rows, (ALL - 1, ""))
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
