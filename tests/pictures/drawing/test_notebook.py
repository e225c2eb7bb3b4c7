"""`%load_ext tensorwidgets` in a real IPython shell."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell

import tensorwidgets as torch
from tensorwidgets.pictures import Picture


@pytest.fixture
def shell(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[InteractiveShell]:
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    InteractiveShell.clear_instance()
    made = InteractiveShell.instance()
    made.history_manager.enabled = False
    made.run_cell("import numpy as np\nimport tensorwidgets as torch\n%load_ext tensorwidgets")
    yield made
    InteractiveShell.clear_instance()


def drawn(shell: InteractiveShell, cell: str) -> Picture:
    """The picture that a cell ends with."""
    result = shell.run_cell(cell, store_history=True)
    assert result.success, result.error_in_exec
    assert isinstance(result.result, Picture)
    return result.result


def test_memory_after_a_cell(shell: InteractiveShell) -> None:
    shell.run_cell("x = torch.arange(12.).reshape(3, 4)\nrow = x[1]", store_history=True)
    text = repr(drawn(shell, "%%memory\nrow[0] = 99\ny = np.ones(3)"))
    assert "wrote A[4] -> bytes 16..19, seen by x[1, 0], row[0]" in text
    assert "It also allocated B (24 bytes)." in text
    html = drawn(shell, "%memory").html()
    assert "3 names, 2 storages" in html and " = x[1]" in html


def test_memory_shows_no_names_of_the_shell(shell: InteractiveShell) -> None:
    shell.run_cell("np.ones(3)", store_history=True)
    assert "no name leads to an array" in repr(drawn(shell, "%memory"))


def test_steps_of_the_last_expression(shell: InteractiveShell) -> None:
    text = repr(drawn(shell, "%%steps\nx = torch.arange(6.).reshape(2, 3)\nx.t().reshape(-1)"))
    assert "x.t().reshape(-1): where does it copy? (two views, one copy of 24 bytes)" in text
    text = repr(drawn(shell, "%%steps\nz = x.t()[1:]"))
    assert "nothing is copied" in text
    assert tuple(shell.user_ns["z"].size()) == (2, 2)


def test_calls_of_a_cell(shell: InteractiveShell) -> None:
    shell.run_cell("x = torch.ones(2, 3)")
    text = repr(drawn(shell, "%%calls\ny = x.t().reshape(6) + 1"))
    lines = [line.split() for line in text.splitlines()]
    assert [line[0] for line in lines[2:5]] == ["t", "reshape", "add"]
    assert "3 calls (48 bytes allocated)" in text
    assert "No calls" in repr(drawn(shell, "%%calls\npass"))


def test_a_cell_that_fails_draws_nothing(shell: InteractiveShell) -> None:
    for magic in ("memory", "calls", "steps"):
        result = shell.run_cell(f"%%{magic}\n1 / 0\nx = 3")
        assert not isinstance(result.result, Picture)


@pytest.mark.torch
def test_they_work_for_pytorch(shell: InteractiveShell) -> None:
    shell.run_cell("import torch as real\nt = real.arange(6.).reshape(2, 3)")
    text = repr(drawn(shell, "%%calls\nu = t.t().reshape(6) + 1\nt[0, 0] = 5"))
    lines = [line.split() for line in text.splitlines()[2:]]
    assert [line[0] for line in lines] == ["t", "reshape", "add", "__setitem__"]
    assert [("view" in line, "copy" in line, "new" in line) for line in lines[:3]] == [
        (True, False, False), (False, True, False), (False, False, True),
    ]  # fmt: skip
    assert "48 bytes allocated" in text
    assert "seen by t[0, 1]" in repr(drawn(shell, "%%memory\nt[0, 1] = 7"))
    assert "one copy of 24 bytes" in repr(drawn(shell, "%%steps\nt.t().reshape(-1)"))


def shown(shell: InteractiveShell, value: Any) -> dict[str, str]:
    """What the shell would display of a value."""
    formatter = shell.display_formatter
    assert formatter is not None
    data: dict[str, str] = formatter.format(value)[0]
    return data


def test_arrays_draw_themselves_while_asked(shell: InteractiveShell) -> None:
    formatter = shell.display_formatter
    assert formatter is not None
    formatter.active_types = ["text/plain", "text/html"]
    shell.run_cell("from tensorwidgets import show\nx = torch.arange(12.).reshape(3, 4)")
    x = shell.user_ns["x"]
    before = shown(shell, x)
    assert "text/html" not in before
    shell.run_cell("show.auto()")
    shell.run_cell("x.t()", store_history=True)
    after = shown(shell, x.t())
    assert after["text/plain"] == shown(shell, x.t())["text/plain"] == repr(x.t())
    assert 'class="tw"' in after["text/html"] and "x.t()" in after["text/html"]
    assert len(shown(shell, np.zeros((500, 500)))["text/html"]) < 60_000
    assert "text/html" in shown(shell, torch.ones(3, requires_grad=True))
    assert "text/html" in shown(shell, torch.ones(3).to_sparse())
    assert "text/html" not in shown(shell, [1, 2]) and "text/html" not in shown(shell, 3)
    shell.run_cell("show.auto(False)")
    assert shown(shell, x) == before and "text/html" not in shown(shell, np.ones(2))


def test_what_cannot_be_drawn_is_printed(shell: InteractiveShell) -> None:
    formatter = shell.display_formatter
    assert formatter is not None
    formatter.active_types = ["text/plain", "text/html"]
    shell.run_cell("from tensorwidgets import show\nshow.auto()")
    objects = np.empty(2, object)
    assert "array" in shown(shell, objects)["text/plain"]
    assert shown(shell, np.ones(0))["text/plain"] == "array([], dtype=float64)"
    shell.run_cell("show.auto(False)")
