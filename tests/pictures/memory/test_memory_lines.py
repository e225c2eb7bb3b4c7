"""`%%memory` gives each line what it did, and the cell still runs as any cell does."""

from __future__ import annotations

import random
import sys
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock, Mock

import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell

from tensorwidgets.pictures import show
from tensorwidgets.pictures.arrays.coverage import coverage
from tensorwidgets.pictures.arrays.inside import arrays_in
from tensorwidgets.pictures.arrays.layout import Layout
from tensorwidgets.pictures.arrays.storages import storages_of
from tensorwidgets.pictures.memory.cells import comparing
from tests.pictures.drawing.test_notebook import drawn, shell

__all__ = ["shell"]


def by_line(picture: Any) -> dict[int, str]:
    """What the picture says of each line of the cell."""
    text = repr(picture).splitlines()
    start = next(k for k, line in enumerate(text) if line.startswith("line  code"))
    column = text[start].index("what it did")
    rows = [line for line in text[start + 1 :] if line[:4].strip().isdigit()]
    return {int(line.split()[0]): line[column:] for line in rows}


# -- which line --------------------------------------------------------------------------------------------


def test_each_line_is_given_what_it_did(shell: InteractiveShell) -> None:
    picture = drawn(shell, "%%memory\nbig = torch.zeros(1000, 1000)\nrow = big[0]\ndel big")
    assert by_line(picture) == {
        1: "allocated A (4.0 MB) for big",
        2: "row leads to A: nothing is copied",
        3: "big no longer leads to A; row keeps its 4.0 MB alive",
    }
    text = repr(picture)
    assert "big = torch.zeros(1000, 1000): allocated A (4.0 MB) for big" in text
    assert "row reads 4,000 bytes and keeps 4,000,000 alive; row = row.clone() frees 3,996,000 bytes." in text


def test_writes_are_given_to_their_lines(shell: InteractiveShell) -> None:
    shell.run_cell("a = np.zeros(1_000_000, np.float32)\nb = a[5:]")
    picture = drawn(shell, "%%memory\na[3] = 1\nc = a + 1\nb[:4] = 2\nc[0] = 0")
    assert by_line(picture) == {
        1: "wrote 1 place of A",
        2: "allocated B (4.0 MB) for c",
        3: "wrote 4 places of A",
        4: "wrote 1 place of B",
    }
    assert "a[3] = 1: wrote 5 places of A, the first A[3], seen by a[3]" in repr(picture)


def test_one_line_needs_no_list(shell: InteractiveShell) -> None:
    shell.run_cell("a = np.zeros(1_000_000, np.float32)")
    text = repr(drawn(shell, "%%memory\na[3] = 1"))
    assert "a[3] = 1: wrote A[3] -> bytes 12..15, seen by a[3]" in text and "what it did" not in text


def test_statements_that_share_a_line_or_take_several(shell: InteractiveShell) -> None:
    picture = drawn(shell, "%%memory\nx = np.ones(9); y = x[2:]; del x\nz = [\n    np.ones(3),\n    np.ones(4),\n]")
    text = repr(picture)
    assert "x = np.ones(9)  " in text and "y = x[2:]  " in text and "del x  " in text
    assert by_line(picture)[2] == "allocated B (24 bytes) for z[0]; allocated C (32 bytes) for z[1]"


def test_inside_of_loops_conditions_and_with(shell: InteractiveShell) -> None:
    cell = """%%memory
import contextlib
for i in range(3):
    t = np.ones(100) * i
    if i == 2:
        kept = t[:1]
with contextlib.nullcontext():
    w = np.ones(7)
try:
    v = np.ones(5)
    1 / 0
except ZeroDivisionError:
    u = np.ones(6)
finally:
    t = None"""
    told = by_line(drawn(shell, cell))
    assert told[3].startswith("had an effect 3 times; the last time: allocated A (800 bytes) for t")
    assert told[5] == "kept leads to A: nothing is copied"
    assert [told[k].split(" for ")[1] for k in (7, 9, 12)] == ["w", "v", "u"]
    assert told[14] == "t no longer leads to A; kept keeps its 800 bytes alive"


def test_what_a_function_does_is_given_to_the_line_that_calls(shell: InteractiveShell) -> None:
    told = by_line(
        drawn(shell, "%%memory\ndef make(n):\n    out = np.ones(n)\n    return out\na = make(3)\nb = make(4)")
    )
    assert told == {4: "allocated A (24 bytes) for a", 5: "allocated B (32 bytes) for b"}


def test_memory_that_is_used_again_is_new(shell: InteractiveShell) -> None:
    """The allocator gives the same address again; that is no write to what lay there."""
    shell.run_cell("a = np.ones(5000)")
    for _ in range(20):
        text = repr(drawn(shell, "%%memory\ndel a\na = np.zeros(5000)"))
        assert "wrote" not in text
        assert "allocated A (40,000 bytes) for a" in text and "40,000 bytes that were a are free again" in text


def test_a_long_loop_ends_and_says_that_it_was_not_watched(
    shell: InteractiveShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(comparing, "LOOKS", 2000)
    picture = drawn(
        shell, "%%memory\na = np.zeros(4)\nfor i in range(5000):\n    a[i % 4] = i\n    b = i\nc = np.ones(3)"
    )
    text = repr(picture)
    assert shell.user_ns["b"] == 4999
    assert "from line" in text and "The cell took many steps" in text
    assert "allocated A (32 bytes) for a" in text and "B (24 bytes)" in text


def test_much_to_compare_ends_and_is_said(shell: InteractiveShell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparing, "COMPARED", 10_000)
    shell.run_cell("a = np.zeros(1000)")
    text = repr(drawn(shell, "%%memory\na[0] = 1\na[1] = 1\na[2] = 1"))
    assert "wrote 3 places of A, the first A[0]" in text and "the line is not known" in text.replace("\n", " ")


# -- as any cell -------------------------------------------------------------------------------------------


def displayed(shell: InteractiveShell, monkeypatch: pytest.MonkeyPatch, cell: str) -> list[str]:
    """What a cell shows besides its picture."""
    shown: list[str] = []
    monkeypatch.setattr("IPython.display.display", lambda value: shown.append(repr(value)))
    drawn(shell, "%%memory\n" + cell)
    return shown


def test_the_last_expression_is_shown_and_a_semicolon_silences_it(
    shell: InteractiveShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert displayed(shell, monkeypatch, "x = 3\nx + 1") == ["4"]
    assert displayed(shell, monkeypatch, "x + 1;  # quiet") == []
    assert displayed(shell, monkeypatch, "x + 1  # loud;") == ["4"]
    assert displayed(shell, monkeypatch, "x + 1\ny = 2") == []
    assert displayed(shell, monkeypatch, "(x +\n 2)\n# the end") == ["5"]
    assert displayed(shell, monkeypatch, "None") == []


def test_an_error_is_the_cells_own(shell: InteractiveShell) -> None:
    code = "a = np.ones(3)\nfor i in range(2):\n    b = 1 / (1 - i)\nc = 3"
    results = [shell.run_cell(cell) for cell in (code, "%%memory\n" + code)]
    ends = []
    for result in results:
        error = result.error_in_exec
        assert isinstance(error, ZeroDivisionError)
        trace = error.__traceback__
        while trace.tb_next is not None:
            trace = trace.tb_next
        ends.append((trace.tb_lineno, trace.tb_frame.f_code.co_name, "ipython" in trace.tb_frame.f_code.co_filename))
    assert ends[0] == ends[1]
    assert "c" not in shell.user_ns and shell.user_ns["i"] == 1


def test_the_namespace_magics_and_future_imports_are_the_notebooks(shell: InteractiveShell) -> None:
    drawn(shell, "%%memory\ndef f(x: int) -> float:\n    return y\ny = 5\nz = f(1)\nclass C:\n    k = z")
    assert shell.user_ns["f"].__annotations__ == {"x": int, "return": float}
    assert shell.user_ns["f"].__globals__ is shell.user_ns and shell.user_ns["C"].k == 5
    drawn(shell, "%%memory\nhere = %pwd\nfiles = !echo one\nx = 1")
    assert isinstance(shell.user_ns["here"], str) and list(shell.user_ns["files"]) == ["one"]
    drawn(shell, "%%memory\nfrom __future__ import annotations\ndef g(x: Unknown): pass")
    assert shell.user_ns["g"].__annotations__ == {"x": "Unknown"}


def test_arrays_live_no_longer_than_in_any_cell(shell: InteractiveShell) -> None:
    """Nothing holds an array while the cell runs: it can be resized, and it is freed by the line that lets it go."""
    shell.run_cell("import weakref\na = np.ones(3)\nb = np.ones(4)\ngone = weakref.ref(b)")
    drawn(shell, "%%memory\na.resize(5)\ndel b\nfreed = gone() is None")
    assert shell.user_ns["a"].shape == (5,) and shell.user_ns["freed"] is True
    shell.run_cell("c = np.ones(4)\nheld = weakref.ref(c)")
    picture = drawn(shell, "%memory")
    shell.run_cell("del c")
    assert shell.user_ns["held"]() is None and "c " in repr(picture)


def test_memory_that_is_made_longer_is_new(shell: InteractiveShell) -> None:
    for size in (7, 3, 50_000):
        shell.run_cell("a = np.zeros(5)")
        text = repr(drawn(shell, f"%%memory\na.resize({size})"))
        assert f"a.resize({size}): allocated A ({8 * size:,} bytes) for a" in text
        assert "40 bytes that were a are free again" in text


def test_a_view_over_the_edge_is_no_new_memory(shell: InteractiveShell) -> None:
    shell.run_cell("a = np.zeros(10)\npart = a[5:]")
    code = "wide = np.lib.stride_tricks.as_strided(part, (3,), (-8,))"
    text = repr(drawn(shell, f"%%memory\n{code}"))
    assert "allocated nothing" in text and "free again" not in text


def test_another_tracer_keeps_its_place(shell: InteractiveShell) -> None:
    shell.run_cell("import sys")
    shell.run_cell("sys.settrace(lambda *event: None)")
    try:
        text = repr(drawn(shell, "%%memory\nbefore = sys.gettrace()\nfor i in range(2):\n    a = np.ones(3)"))
        assert shell.user_ns["before"] is sys.gettrace() is not None
    finally:
        sys.settrace(None)
    assert "a = np.ones(3): allocated A (24 bytes) for a" in text


# -- what is kept alive -----------------------------------------------------------------------------------


def test_a_view_that_keeps_a_large_storage_is_told() -> None:
    big = np.zeros((1000, 1000), np.float32)
    row, column = big[0], big[:, 0]
    text = repr(show.memory(row=row))
    assert "row: reads 4,000 bytes and keeps 4,000,000 alive; row = row.copy() frees 3,996,000 bytes" in text
    assert "4,000 of 4,000,000 bytes" in text and "alone" not in text
    text = repr(show.memory(row=row, column=column))
    assert "row and column: together read 7,996 bytes and keep 4,000,000 alive" in text
    assert "copying each with copy() frees 3,992,000 bytes" in text
    assert "reads all of storage A alone" in repr(show.memory(big=big))
    assert "keeps" not in repr(show.memory(big=big, row=row))


def test_a_file_that_is_mapped_is_not_kept_in_memory(tmp_path: Any) -> None:
    np.save(tmp_path / "x.npy", np.zeros(1000))
    part = np.load(tmp_path / "x.npy", mmap_mode="r")[:10]
    assert "alive;" not in repr(show.memory(part=part))


def test_names_that_share_a_storage_and_no_byte() -> None:
    n = np.arange(100)
    text = repr(show.memory(a=n[:50], b=n[50:]))
    assert "They read different bytes of it" in text and "Writing through" not in text
    assert "Writing through one of them changes" in repr(show.memory(a=n[:51], b=n[50:]))


def test_a_part_that_is_read_in_part_is_drawn_in_part() -> None:
    n = np.arange(100)
    picture = show.memory(n=n, m=n[::3])
    assert "+" * 24 in repr(picture) and "272 of 800 bytes" in repr(picture)
    assert "linear-gradient(0deg," in picture.html()


@pytest.mark.parametrize("seed", range(20))
def test_the_bytes_that_views_read_are_counted(seed: int) -> None:
    dice = random.Random(seed)
    base = np.zeros(dice.randint(1, 400), dice.choice(["u1", "f4", "f8"]))
    views = [base]
    for _ in range(3):
        start, step = dice.randint(0, base.size - 1), dice.choice([1, 2, 3, -1, -2])
        view = base[start::step]
        if view.size >= 6:
            view = np.lib.stride_tricks.sliding_window_view(view, dice.randint(1, 4))[:: dice.randint(1, 3)]
            view = np.broadcast_to(view, (2, *view.shape)) if dice.random() < 0.5 else view.T
        views.append(view)
    for chosen in ([v] for v in views):
        layouts = [Layout.of(v, values=False) for v in [base, *chosen]]
        (storage,) = storages_of(layouts)
        numbers = np.arange(base.nbytes).reshape(base.size, base.itemsize)
        read = set()
        for view in chosen:
            offset = view.__array_interface__["data"][0] - base.__array_interface__["data"][0]
            raw = np.lib.stride_tricks.as_strided(
                numbers.ravel()[offset:], (*view.shape, base.itemsize), (*(8 * s for s in view.strides), 8)
            )
            read |= set(raw.ravel().tolist())
        found = coverage(storage, layouts[1:])
        assert found is not None and found.nbytes == len(read)
        for start in range(0, base.nbytes, 7):
            stop = min(start + 13, base.nbytes)
            whole = range(start - start % storage.unit, stop - stop % storage.unit)
            inside = found.inside(whole.start, whole.stop) if whole else 0
            assert inside == len(read & set(whole))


# -- where arrays are ---------------------------------------------------------------------------------------


class Model:
    """A class of a person's own."""

    def __init__(self) -> None:
        self.weight = np.ones((2, 3))
        self.layers = [SimpleNamespace(bias=np.ones(2)), {"scale": np.ones(1)}]
        self._hidden = np.ones(9)
        self.me = self

    def __call__(self) -> None:
        """Called, as models are."""


def test_arrays_inside_of_objects_have_names() -> None:
    model = Model()
    names = [name for name, _ in arrays_in({"model": model, "deep": [[model.weight]], "np": np, "Model": Model})]
    assert names == ["model.weight", "model.layers[0].bias", "model.layers[1]['scale']", "deep[0][0]"]
    text = repr(show.memory(m=model, a=np.zeros(3)))
    assert "m.weight" in text and "m.layers[0].bias" in text


def test_an_object_that_answers_to_any_name_is_no_array() -> None:
    assert list(arrays_in({"mock": Mock(), "deep": [MagicMock()], "module": np, "loop": (loop := [])})) == []
    loop.append(loop)
    assert [name for name, _ in arrays_in({"loop": loop, "x": np.ones(1)})] == ["x"]


@pytest.mark.torch
def test_modules_of_pytorch_show_their_parameters_and_gradients() -> None:
    import torch

    model = torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.BatchNorm1d(2))
    model(torch.ones(4, 3)).sum().backward()
    text = repr(show.memory(m=model, a=np.zeros(3)))
    for name in ("m[0].weight", "m[0].bias", "m[0].weight.grad", "m[1].running_mean"):
        assert f"\n{name} " in text
        eval(name, {"m": model})


@pytest.mark.torch
def test_a_row_of_pytorch_keeps_its_storage() -> None:
    import torch

    row = torch.zeros(1000, 1000)[0]
    picture = show.memory(row=row)
    assert "row: reads 4,000 bytes and keeps 4,000,000 alive; row = row.clone() frees 3,996,000 bytes" in repr(picture)
    table = picture.html().partition("tw-memory")[2]
    assert "float32 × 1,000,000, PyTorch" in table and "overflow:hidden" not in table


def test_what_is_not_looked_at_is_said() -> None:
    assert "first 64 items" in repr(show.memory(many=[np.ones(1) for _ in range(65)]))
    assert "first 64 items" not in repr(show.memory(many=[np.ones(1) for _ in range(64)], numbers=list(range(999))))


# -- graphs ------------------------------------------------------------------------------------------------

GRAPH_CELL = """%%memory
h = x * 2
y = (h.exp() * h).sum()
del h
y.backward()
z = x.exp().sin()"""
GRAPH_LINES = {
    2: "; its graph keeps 400 bytes that no name leads to",
    3: "h leads nowhere now, and the graph of y keeps its 400 bytes alive",
    5: "allocated D (400 bytes) for z; its graph keeps 400 bytes that no name leads to",
}


def test_what_a_graph_keeps_is_told_from_what_names_keep(shell: InteractiveShell) -> None:
    shell.run_cell("x = torch.ones(100, requires_grad=True)")
    picture = drawn(shell, GRAPH_CELL)
    told = by_line(picture)
    assert told[2].endswith(GRAPH_LINES[2]) and told[3] == GRAPH_LINES[3] and told[5] == GRAPH_LINES[5]
    assert told[4] == "allocated B (400 bytes) for x.grad; the graph let go of 800 bytes"
    text = repr(picture)
    assert "(4 names, 4 storages, 1,204 bytes, and 400 bytes in graphs)" in text
    assert "The graphs of y, z keep 1 storage that no name leads to: 400 bytes; show.saved lists it" in text
    assert "The graphs of y, z keep 400 bytes more that no name leads to." in text
    assert "are free again" in repr(drawn(shell, "%%memory\ndel y, z"))


def test_a_gradient_that_is_retained_has_a_name(shell: InteractiveShell) -> None:
    shell.run_cell("x = torch.ones(3, requires_grad=True)\nh = x * 2\nh.retain_grad()")
    text = repr(drawn(shell, "%%memory\nh.sum().backward()"))
    assert "x.grad" in text and "h.grad" in text


def test_large_graphs_are_looked_at_in_part(shell: InteractiveShell) -> None:
    code = "x = torch.ones(1, requires_grad=True)\ny = x\nfor _ in range(5000):\n    y = y.sin()\n"
    shell.run_cell(code)
    assert "Of graphs the first 4,000 nodes are looked at." in repr(drawn(shell, "%memory"))


@pytest.mark.torch
def test_graphs_of_pytorch_are_seen(shell: InteractiveShell) -> None:
    shell.run_cell("import torch as real\nx = real.ones(100, requires_grad=True)")
    told = by_line(drawn(shell, GRAPH_CELL))
    assert all(told[line].endswith(words) for line, words in GRAPH_LINES.items())
