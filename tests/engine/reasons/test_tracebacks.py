"""What a notebook shows of an error: the user's own lines, PyTorch's message, our note; and nothing of ours between."""

from __future__ import annotations

import gc
import sys
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell

import tensorwidgets as tw
from tensorwidgets.engine.errors import tracebacks
from tensorwidgets.engine.errors.package import PACKAGE
from tensorwidgets.engine.errors.reasons import Reason

MODES = ("Context", "Plain", "Verbose", "Minimal")


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch) -> Iterator[InteractiveShell]:
    for name in ("last_type", "last_value", "last_traceback", "last_exc"):
        monkeypatch.setitem(vars(sys), name, None)
    InteractiveShell.clear_instance()
    one = InteractiveShell.instance()
    one.run_line_magic("colors", "nocolor")
    one.user_ns |= {"tw": tw, "x": tw.arange(6).reshape(2, 3), "Reason": Reason, "foreign": foreign}
    yield one
    tracebacks.show_frames(one)
    one.history_manager.end_session()
    InteractiveShell.clear_instance()


def foreign() -> None:
    """An error that Python raises below our frames, with no `Reason` behind it."""
    tw.arange(3).apply_(3)


def shown(shell: InteractiveShell, cell: str, capsys: Any) -> str:
    capsys.readouterr()
    result = shell.run_cell(cell)
    assert not result.success
    return capsys.readouterr().out


def names_us(text: str) -> bool:
    return str(Path("tensorwidgets", "engine")) in text


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "cell",
    [
        "x.t().view(-1)", "x[5]", "x.view(7)", "tw.cat([x, x[0]])", "x @ x", "x + tw.ones(2)",
        "def f(a):\n    return a.view(7)\nf(x)",
    ],
)  # fmt: skip
def test_a_refusal_shows_no_frame_of_ours(shell: InteractiveShell, capsys: Any, mode: str, cell: str) -> None:
    shell.run_line_magic("xmode", mode)
    text = shown(shell, cell, capsys)
    assert not names_us(text)
    assert str(sys.last_value) in text
    assert mode == "Minimal" or cell.splitlines()[-1] in text
    for line in sys.last_value.reason.note().splitlines():
        assert line in text


def test_the_frames_are_still_there_for_the_debugger(shell: InteractiveShell, capsys: Any) -> None:
    shown(shell, "x.t().view(-1)", capsys)
    files = [link.tb_frame.f_code.co_filename for link in chain(sys.last_traceback)]
    assert any(file.startswith(PACKAGE) for file in files)
    assert sys.last_value.__traceback__ is sys.last_traceback


def chain(trace: Any) -> Iterator[Any]:
    while trace is not None:
        yield trace
        trace = trace.tb_next


def test_our_own_detours_are_not_told_as_earlier_errors(shell: InteractiveShell, capsys: Any) -> None:
    text = shown(shell, "x[5]", capsys)  # NumPy's IndexError is caught on the way
    assert "During handling" not in text


def test_errors_that_the_user_handles_are_told(shell: InteractiveShell, capsys: Any) -> None:
    text = shown(shell, "try:\n    1 / 0\nexcept ZeroDivisionError:\n    x.view(7)", capsys)
    assert "During handling" in text and "ZeroDivisionError" in text and "'[7]' is invalid" in text


def test_without_the_extension_a_strangers_error_shows_all(shell: InteractiveShell, capsys: Any) -> None:
    assert names_us(shown(shell, "foreign()", capsys))


@pytest.mark.parametrize("mode", MODES)
def test_with_the_extension_no_error_shows_us(shell: InteractiveShell, capsys: Any, mode: str) -> None:
    tracebacks.hide_frames(shell)
    shell.run_line_magic("xmode", mode)
    text = shown(shell, "foreign()", capsys)
    assert not names_us(text) and "not callable" in text
    text = shown(shell, "try:\n    x.view(7)\nexcept RuntimeError as e:\n    raise ValueError('mine') from e", capsys)
    assert not names_us(text) and "mine" in text


def test_load_ext_hides_our_frames(shell: InteractiveShell, capsys: Any) -> None:
    shell.run_line_magic("load_ext", "tensorwidgets")
    assert not names_us(shown(shell, "foreign()", capsys))


def test_the_extension_leaves_other_errors_alone(shell: InteractiveShell, capsys: Any) -> None:
    before = shown(shell, "import json\njson.loads('{')", capsys)
    tracebacks.hide_frames(shell)
    after = shown(shell, "import json\njson.loads('{')", capsys)
    assert before.replace("In[1]", "") == after.replace("In[1]", "") and "decoder.py" in after


def test_hiding_twice_is_hiding_once_and_can_be_undone(shell: InteractiveShell, capsys: Any) -> None:
    tracebacks.hide_frames(shell)
    tracebacks.hide_frames(shell)
    assert not names_us(shown(shell, "foreign()", capsys))
    tracebacks.show_frames(shell)
    assert names_us(shown(shell, "foreign()", capsys))
    tracebacks.show_frames(shell)
    assert "structured_traceback" not in vars(shell.InteractiveTB)


def test_a_traceback_of_ours_alone_is_left_as_it_is() -> None:
    code = compile("raise ValueError('inside')", str(Path(PACKAGE, "made_up.py")), "exec")
    with pytest.raises(ValueError) as caught:
        exec(code, {})
    trace = caught.value.__traceback__.tb_next  # type: ignore[union-attr]
    assert tracebacks.trimmed(trace) is trace


def test_an_error_keeps_no_tensor_alive() -> None:
    class Held:
        pass

    def provoke() -> weakref.ref:
        held = Held()
        try:
            tw.arange(6).view(7)
        except RuntimeError as error:
            assert error.reason is not None  # type: ignore[attr-defined]
        return weakref.ref(held)

    gc.disable()
    try:
        assert provoke()() is None
    finally:
        gc.enable()


def test_rendering_outside_of_a_notebook_falls_back_to_plain_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    InteractiveShell.clear_instance()
    with pytest.raises(RuntimeError) as caught:
        tw.arange(6).view(7)
    monkeypatch.setitem(vars(sys), "last_value", caught.value)
    text = "\n".join(caught.value._render_traceback_())  # type: ignore[attr-defined]
    assert "is invalid for input" in text and not names_us(text)
