"""The timeline of a cell, what it leaves behind, and what grew since the last look."""

from __future__ import annotations

import ast
import signal

import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell

from tensorwidgets.pictures.arrays.tracing.log import RUNS, Log
from tensorwidgets.pictures.arrays.tracing.numpy_blocks import numpy_blocks
from tensorwidgets.pictures.memory.cells.statements import LOOK, lines_of, watch
from tests.pictures.drawing.test_notebook import drawn, shell
from tests.pictures.memory.test_memory_lines import by_line
from tests.pictures.parsed import parse

__all__ = ["shell"]


def sums(text: str, line: int) -> list[str]:
    """Allocated, freed, peak, alive after it: what the row of a line says."""
    rows = text.splitlines()
    head = next(row for row in rows if row.startswith("line  code"))
    edges = [head.index(name) for name in ("allocated", "freed", "peak", "after it", "what it did")]
    row = next(row for row in rows[rows.index(head) :] if row.startswith(f"{line} "))
    return [row[start:stop].strip() for start, stop in zip(edges, edges[1:], strict=False)]


# -- the timeline -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("made", ["np.ones(1000, np.float32)", "torch.ones(1000)"])
def test_what_is_freed_on_the_way_counts(shell: InteractiveShell, made: str) -> None:
    shell.run_cell("2 * torch.ones(3) + 1")
    text = repr(drawn(shell, f"%%memory\nx = {made}\ny = (x * 2 + 1) - x\nz = x[3:]\ndel y"))
    assert sums(text, 1) == ["4,000 bytes", "", "4,000 bytes", "4,000 bytes"]
    assert sums(text, 2) == ["12,000 bytes", "8,000 bytes", "12,000 bytes", "8,000 bytes"]
    assert sums(text, 4) == ["", "4,000 bytes", "8,000 bytes", "4,000 bytes"]
    assert "0 bytes before the cell, peak 12,000 bytes in line 2, 4,000 bytes after it" in text


def test_large_tensors_of_ours_count_as_others_do(shell: InteractiveShell) -> None:
    text = repr(
        drawn(shell, "%%memory\nx = torch.ones(600_000)\ny = x * 2 + 1\ndel x\nz = torch.zeros(600_000)\ndel y")
    )
    assert sums(text, 2)[:2] == ["4.8 MB", "2.4 MB"] and sums(text, 3)[1] == sums(text, 5)[1] == "2.4 MB"
    assert "peak 7.2 MB in line 2, 2.4 MB after it" in text


def test_what_tracing_cost_is_said_where_it_is_much(shell: InteractiveShell) -> None:
    cell = "def f():\n    for _ in range(3000):\n        np.ones(9)\nf()"
    text = repr(drawn(shell, f"%%memory\n{cell}\nx = np.ones(3)")).replace("\n", " ")
    assert "Tracing took time: 6,001 allocations and frees, 3 looks between lines." in text
    assert "Tracing took" not in repr(drawn(shell, "%%memory\nx = np.ones(9)"))


def test_the_timeline_is_drawn_to_scale(shell: InteractiveShell) -> None:
    page = parse(drawn(shell, "%%memory\nx = np.ones(1000)\ny = x + 1\ndel y").html())
    (chart,) = page.all("table", "tw-time")
    columns = [[div.style["height"] for div in cell.all("div")] for cell in chart.children[1].children]
    assert columns == [["36px"], ["72px"], ["36px", "36px"]]


def test_many_runs_are_joined_and_nothing_is_lost() -> None:
    log = Log()
    for k in range(1000):
        log.enter(k % 3)
        log.born(k, 100)
        if k % 2:
            log.died(k)
    log.finish()
    assert len(log.runs) <= RUNS
    assert sum(run.allocated for run in log.runs) == 100_000 and sum(run.freed for run in log.runs) == 50_000
    assert max(run.peak for run in log.runs) == log.peak == 50_100 and log.runs[-1].end == log.alive == 50_000


def test_a_cell_that_is_taken_as_a_whole_is_not_traced(shell: InteractiveShell) -> None:
    text = repr(drawn(shell, "%%memory whole\nx = np.ones(9)\nx[1] = 3\ny = x + 1"))
    assert "A (72 bytes) for x; B (72 bytes) for y" in text and "line  code" not in text
    error = shell.run_cell("%%memory fast\nx = 1").error_in_exec
    assert "'fast' is neither" in str(error)


def test_ctrl_c_in_the_middle_of_an_allocation_comes_with_the_next_line() -> None:
    log = Log()
    log.enter(0)
    born = log.born

    def interrupted(*args: object, **more: object) -> None:
        born(*args, **more)  # type: ignore[arg-type]
        signal.raise_signal(signal.SIGINT)

    log.born = interrupted  # type: ignore[method-assign]
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background ignores the signal
    try:
        with numpy_blocks(log):
            a = np.ones(100)
    finally:
        signal.signal(signal.SIGINT, before)
    assert a.sum() == 100 and log.interrupted
    with pytest.raises(KeyboardInterrupt):
        log.enter(1)


# -- lines of loops ----------------------------------------------------------------------------------------


def test_code_with_calls_between_its_lines_does_the_same() -> None:
    source = """\
out = []
for i in range(6):
    if i == 1:
        continue
    elif i == 4:
        break
    else:
        out.append(i)
else:
    out.append("not reached")
while len(out) < 5:
    try:
        out.append(1 // (len(out) - 3))
    except ZeroDivisionError:
        out.append("zero")
    finally:
        out.append("done")
match out:
    case [first, *_]:
        out.append(first)
"""
    tree = ast.parse(source)
    lines = lines_of(tree, source)
    numbers = {id(line.statement): k for k, line in enumerate(lines)}
    for statement in tree.body:
        watch(statement, numbers)
    steps: list[int] = []
    plain: dict[str, object] = {}
    space: dict[str, object] = {LOOK: lambda number: steps.append(lines[number].number)}
    exec(source, plain)
    exec(compile(tree, "cell", "exec"), space)
    assert space["out"] == plain["out"] and steps[:10] == [3, 5, 8, 2, 3, 4, 2, 3, 5, 8]


def test_the_notebook_keeps_no_trace_of_the_calls(shell: InteractiveShell) -> None:
    drawn(shell, "%%memory\nfor i in range(2):\n    a = np.ones(4)")
    assert LOOK not in shell.user_ns
    shell.run_cell("%%memory\nfor i in range(2):\n    1 / 0")
    assert LOOK not in shell.user_ns


# -- what is left ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cell", "holder"),
    [
        ("box._cache = {'x': np.ones(50)}", "box._cache['x'] keeps them"),
        ("def f(k):\n    return lambda: k\ng = f(np.ones(50))", "the variable k of g keeps them"),
        ("def f(k=np.ones(50)):\n    return k", "a default of f keeps them"),
        ("def f():\n    k = np.ones(50)\n    yield k\ng = f()\nn = next(g).ndim", "the variable k of g keeps them"),
        ("s = {(1, 2)}\nd = __import__('collections').deque([np.ones(50)])", "an item of d keeps them"),
        ("a = [np.ones(50)]\na.append(a)\ndel a", "only a cycle of objects keeps them: gc.collect() frees them"),
    ],
)
def test_who_keeps_what_no_name_leads_to(shell: InteractiveShell, cell: str, holder: str) -> None:
    shell.run_cell("import gc\ngc.disable()\nclass Box: pass\nbox = Box()")
    try:
        text = repr(drawn(shell, f"%%memory\n{cell}"))
    finally:
        shell.run_cell("gc.enable()")
    assert "400 bytes" in text and holder in text


def test_a_lazy_parameter_has_no_memory_to_look_at(shell: InteractiveShell) -> None:
    shell.run_cell("lazy = torch.nn.LazyLinear(3)")
    text = repr(drawn(shell, "%%memory\na = [np.ones(50)]\na.append(a)\ndel a"))
    assert "400 bytes" in text and "error" not in text.lower()


def test_an_old_output_keeps_what_it_shows(shell: InteractiveShell) -> None:
    shell.run_cell("x = np.ones(50)\nx", store_history=True)
    number = shell.execution_count - 1
    text = repr(drawn(shell, "%%memory\ndel x\ny = 1"))
    assert f"and no name in the map leads to them: Out[{number}] keeps them: %reset -f out frees them" in text
    drawn(shell, "%memory")
    shell.run_cell("%reset -f out\nimport gc; gc.collect()")
    assert "Out[" not in repr(drawn(shell, "%%memory\nz = np.ones(3)\nz[0] = 2"))


def test_many_of_one_list_are_told_together(shell: InteractiveShell) -> None:
    text = repr(drawn(shell, "%%memory\na = [np.ones(5) for _ in range(300)]"))
    assert (
        "9,440 bytes of line 1 are still alive, and no name in the map leads to them: a[64] to a[299] keep them" in text
    )


def test_an_array_that_lost_its_name_and_lives_on(shell: InteractiveShell) -> None:
    shell.run_cell("a = np.ones(50)\nf = (lambda k: lambda: k)(a)")
    text = repr(drawn(shell, "%%memory\ndel a\nb = 1"))
    assert "free again" not in text and "the variable k of f keeps them" in text
    assert "400 bytes that were f" not in text
    text = repr(drawn(shell, "%%memory\nc = np.ones(4)\ndel c"))
    assert "keeps them" not in text


# -- what grew ---------------------------------------------------------------------------------------------


def test_what_grew_since_the_last_look(shell: InteractiveShell) -> None:
    shell.run_cell("history = [np.ones(2)]\nx = np.ones(3)")
    assert "Grown" not in repr(drawn(shell, "%memory"))
    shell.run_cell("history.append(np.ones(10)); y = np.ones(5)")
    text = repr(drawn(shell, "%memory"))
    assert "history  16 bytes -> 96 bytes  +80 bytes, 1 more array" in text
    assert "Grown" not in repr(drawn(shell, "%memory"))
    for _ in range(3):
        text = repr(drawn(shell, "%%memory\nhistory.append(np.ones(1))"))
    assert "history  112 bytes -> 120 bytes  +8 bytes, 1 more array; it grew at each of the last 3 looks" in text


def test_lines_are_told_apart_by_what_they_may_do(shell: InteractiveShell) -> None:
    """A loop of plain numbers is not looked at, and a write among them is found all the same."""
    shell.run_cell("a = np.zeros(4)")
    code = "k = 0\nfor i in range(20_000):\n    k += i\n    if i == 7:\n        a[2] = k\nb = a[2] + k"
    told = by_line(drawn(shell, f"%%memory\n{code}\nc = np.ones(3)"))
    assert told == {5: "wrote 1 place of A", 7: "allocated B (24 bytes) for c"}


def test_a_write_of_the_same_numbers_is_told_where_writes_are_counted(shell: InteractiveShell) -> None:
    shell.run_cell("x = torch.ones(5)\ny = x[1:]")
    assert "y[:2] = 1: wrote to A the values that were already there" in repr(drawn(shell, "%%memory\ny[:2] = 1"))
    told = by_line(drawn(shell, "%%memory\nx += 0\nx[3] = 7\nz = x.sum()"))
    assert told[1] == "wrote to A the values it already had" and told[2] == "wrote 1 place of A"


# -- PyTorch -----------------------------------------------------------------------------------------------


@pytest.mark.torch
def test_storages_of_pytorch_are_told_from_birth_to_death(shell: InteractiveShell) -> None:
    shell.run_cell("import torch as real\na = np.ones(100)\nt = real.ones(50)")
    cell = """%%memory
shared = real.from_numpy(a)[10:]
made = real.tensor([float(k) for k in range(30)])
made.resize_(100)
del t
out = (made * 2 + 1).relu()
del shared"""
    text = repr(drawn(shell, cell))
    assert "shared leads to A: nothing is copied" in text
    assert sums(text, 2)[:2] == ["120 bytes", ""] and sums(text, 3)[:2] == ["400 bytes", "120 bytes"]
    assert sums(text, 4)[:2] == ["", "200 bytes"] and sums(text, 5)[:2] == ["1,200 bytes", "800 bytes"]
    assert "1,000 bytes before the cell, peak 2,000 bytes in line 5, 1,600 bytes after it" in text


@pytest.mark.torch
def test_a_graph_that_grows_with_a_history_is_told(shell: InteractiveShell) -> None:
    shell.run_cell("import torch as real\nw = real.ones(1000, requires_grad=True)\nhistory = []")
    text = repr(drawn(shell, "%%memory\nfor k in range(3):\n    history.append((w * 2).exp().sum())"))
    assert sums(text, 2)[:2] == ["24,012 bytes", "12,000 bytes"]
    assert "its graph keeps 4,008 bytes that no name leads to" in text
    assert "what graphs keep  12,024 bytes -> 24,048 bytes" in repr(
        drawn(shell, "%%memory\nfor k in range(3):\n    history.append((w * 2).exp().sum())")
    )
