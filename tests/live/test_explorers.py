"""What all explorers promise: traits, answers, predictions, the static twin, and which of the two is shown."""

from __future__ import annotations

import gc
import json
import os
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
import pytest
from ipywidgets import Text, Widget, jslink
from ipywidgets.widgets.widget import _instances
from jupyter_server.config_manager import BaseJSONConfigManager
from jupyter_server.services.contents.filemanager import FileContentsManager
from nbclient import NotebookClient
from traitlets.config import Config

import tensorwidgets as tw
from tensorwidgets import show
from tensorwidgets.live import EXPLORERS
from tensorwidgets.live.explorer import Explorer, answers
from tensorwidgets.live.module import module
from tensorwidgets.live.saving import HOOK, TWIN, VIEW, keep_twins
from tests.live.walking import control, explained, press
from tests.pictures.elsewhere import told_elsewhere
from tests.pictures.memory.test_allocator_picture import fragmented
from tests.pictures.parsed import parse
from tests.project.running import ROOT

X = tw.arange(12.0).reshape(3, 4)
LEAF = tw.ones(2, 3, requires_grad=True)


def allocator(**more: Any) -> tw.AllocatorExplorer:
    """One with three steps."""
    w = tw.AllocatorExplorer(**more)
    w.free(w.allocate(6))
    w.allocate(3)
    return w


MADE: dict[str, Callable[..., Explorer]] = {
    "StorageExplorer": lambda **more: tw.StorageExplorer(X, labels=["x"], **more),
    "BroadcastExplorer": lambda **more: tw.BroadcastExplorer((3, 1), (4,), **more),
    "EinsumExplorer": lambda **more: tw.EinsumExplorer("ij,kj->ik", X, X, labels=["x", "y"], **more),
    "NamedDimsExplorer": lambda **more: tw.NamedDimsExplorer(
        (2, 3), (3,), names=(("a", "b"), ("b",)), labels=["x", "y"], **more
    ),
    "DtypeExplorer": lambda **more: tw.DtypeExplorer(1.5, dtype="float16", **more),
    "StepsExplorer": lambda **more: tw.StepsExplorer("x.t().reshape(-1)", x=X, **more),
    "AllocatorExplorer": lambda **more: allocator(**more),
    "SurfaceExplorer": lambda **more: tw.SurfaceExplorer(
        lambda a, b: a * a + 5 * b * b, **{"lr": 0.05, "optimizers": ("SGD", "Adam"), "steps": 20, **more}
    ),
    "TrainingExplorer": lambda **more: tw.TrainingExplorer({"loss": [2.0, 1.0, 1.5], "lr": [0.1] * 3}, **more),
    "BackwardExplorer": lambda **more: tw.BackwardExplorer((LEAF * LEAF.exp()).sum(), labels=["y"], **more),
}
every = pytest.mark.parametrize("name", list(EXPLORERS))


@pytest.fixture(autouse=True)
def no_widget_is_left() -> Any:
    yield
    Widget.close_all()


LIVE: dict[str, Callable[[], Explorer]] = {
    "StorageExplorer": lambda: show(X, X.t()).live(),
    "BroadcastExplorer": lambda: show.broadcast((3, 1), (4,)).live(),
    "EinsumExplorer": lambda: show.einsum("ij,jk", X, X.t()).live(),
    "NamedDimsExplorer": lambda: show.names((2, 3), names=("a", "b"), align_to=("b", "a"), labels=["x"]).live(),
    "DtypeExplorer": lambda: show.bits(1.1, dtypes=["float16"]).live(),
    "StepsExplorer": lambda: show.steps("x.t()[1:]", x=X).live(),
    "AllocatorExplorer": lambda: show.allocator(fragmented()).live(),
    "SurfaceExplorer": lambda: show.surface(lambda a, b: a * a + b * b).live(),
    "TrainingExplorer": lambda: show.training({"loss": [2.0, 1.0, 1.5]}).live(),
    "BackwardExplorer": lambda: show.backward((LEAF * LEAF).sum()).live(),
}


@every
def test_a_picture_comes_to_life(name: str) -> None:
    w = LIVE[name]()
    assert type(w).__name__ == name and w.reason is None
    explained(w)


def test_a_live_picture_shows_what_the_static_one_does() -> None:
    x = X
    assert show(x, x.t()).html() == show(x, x.t()).live().html
    assert show.steps("x.t()[1:]").html() == show.steps("x.t()[1:]").live().html
    assert show.broadcast((3, 1), (4,)).html() == show.broadcast((3, 1), (4,)).live().html
    assert show.einsum("ij,jk", x, x.t()).html() == show.einsum("ij,jk", x, x.t()).live().html
    y = (LEAF * LEAF).sum()
    # The columns of a pass that is walked keep their width from step to step.
    assert show.backward(y).html() == re.sub(";box-sizing:border-box;width:\\d+px", "", show.backward(y).live().html)
    with pytest.raises(TypeError, match="no live form") as refused:
        show.promotion("uint8", "int8").live()
    listed = ("steps", "broadcast", "einsum", "names", "bits", "backward", "allocator", "training", "surface")
    assert all(name in str(refused.value) for name in ("show(x)", *listed)) and len(EXPLORERS) == 1 + len(listed)


@every
def test_the_state_can_be_joined_with_other_widgets(name: str) -> None:
    w = MADE[name]()
    for trait in (*w.STATE, "predict", "answer", "selected"):
        jslink((Text("x"), "value"), (w, trait))
        for value in (float("nan"), 10**30, object(), (1, [2.5, None]), {"a": 1}, b"x"):
            setattr(w, trait, value)
            json.dumps(w.get_state(trait), allow_nan=False)
    first = MADE[name]()
    assert json.dumps(first.get_state(list(first.STATE)), allow_nan=False)


def test_traits_read_what_they_can() -> None:
    w = tw.StorageExplorer(X, labels=["x"])
    w.size, w.stride, w.offset = [2, 2], "4, 1", "5"
    assert (w.size, w.stride, w.offset, w.reason) == ((2, 2), (4, 1), 5, None)
    w.offset = "five"
    assert w.offset == "five" and w.reason is not None and "whole numbers" in w.status
    kinds = {name: w.traits()[name].info() for name in w.STATE}
    assert kinds == {
        "expression": "a text", "size": "whole numbers", "stride": "whole numbers", "offset": "a whole number",
        "view": "a whole number", "views": "a tuple",
    }  # fmt: skip


def test_what_the_browser_sets_is_drawn() -> None:
    w = tw.StorageExplorer(X, labels=["x"])
    w.set_state({"expression": "x.t()[1:]"})
    assert (w.size, w.stride, w.offset) == ((3, 3), (1, 4), 1)
    w.set_state({"size": [2, 2]})
    assert w.reason is None and "size (2, 2)" in repr(w)


# -- answers -----------------------------------------------------------------------------------------------------------


@every
def test_every_question_is_answered_in_one_message(name: str) -> None:
    w = MADE[name]()
    sent: list[set[str]] = []
    w.send_state = lambda key=None: sent.append({key} if isinstance(key, str) else set(key or ()))  # type: ignore[method-assign]
    button = next(c for c in w.controls if c["kind"] in ("button", "menu"))
    press(w, button["name"], button.get("value"))
    assert w.answered == {"test": 1}
    assert sum("answered" in keys for keys in sent) == 1 and sum("html" in keys for keys in sent) <= 1
    assert all("answered" in keys for keys in sent if "html" in keys or "controls" in keys)
    press(w, "no such control", {"a": object()})
    assert w.answered == {"test": 2}


def test_a_question_that_is_asked_again_is_answered_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the answer was lost, the whole state is sent once more; where the question was, it is answered."""
    w = tw.StorageExplorer(X, labels=["x"])
    sent: list[str] = []
    monkeypatch.setattr(w, "send_state", lambda *names: sent.append("state"))
    turned = {"page": "a", "n": 1, "name": "t", "value": None}
    w._received(w, {"asked": turned | {"again": True}}, [])
    once = w.stride
    assert w.answered == {"a": 1} and once == (1, 4)
    sent.clear()
    w._received(w, {"asked": turned | {"again": True}}, [])
    assert w.stride == once and sent == ["state"]
    w._received(w, {"asked": turned | {"n": 2}}, [])
    assert w.answered == {"a": 2} and w.stride == (4, 1)


@every
def test_what_was_set_can_be_read(name: str) -> None:
    w = MADE[name]()
    for trait in w.STATE:
        value = getattr(w, trait)
        setattr(w, trait, value)
        assert getattr(w, trait) == value and w.reason is None
    cells = [
        e.attributes["title"].split(" | ")[0] for e in parse(w.html).all() if " | " in e.attributes.get("title", "")
    ]
    w.selected = cells[0]
    assert w.selected == w.pinned == cells[0] and "No cell" not in w.status
    w.selected = "no such cell"
    assert w.pinned == "" and w.status.endswith("No cell of this picture is called no such cell.")
    press(w, "cell", "" if name == "DtypeExplorer" else cells[-1])
    assert "No cell" not in w.status and w.selected in ("", cells[-1])


# -- predicting --------------------------------------------------------------------------------------------------------

RIGHT = {
    "StorageExplorer": "7", "BroadcastExplorer": "3, 4", "EinsumExplorer": "(3, 3)", "NamedDimsExplorer": "a, b",
    "DtypeExplorer": "1.5", "StepsExplorer": "copy", "BackwardExplorer": "1.0",
    "AllocatorExplorer": "20", "TrainingExplorer": "2", "SurfaceExplorer": "sgd",
}  # fmt: skip


@every
def test_the_picture_waits_for_a_guess(name: str) -> None:
    w = MADE[name](predict=True)
    shown = MADE[name]().html
    assert w.question and w.question in w.status and w.right is None and w.answer == ""
    assert shown != w.html and control(w, "guess")["done"]
    titles = [e.attributes["title"] for e in parse(w.html).all() if "title" in e.attributes]
    # Steps before the one that is asked about are no secret.
    told = ("offset =", "goes into", "feeds") if name != "StepsExplorer" else ("copied from",)
    assert not [t for t in titles if any(words in t for words in told)]
    press(w, "guess", " ")
    assert w.right is None
    press(w, "guess", "nonsense")
    assert w.right is False and w.answer == "nonsense" and "You said nonsense." in w.html
    press(w, "guess", RIGHT[name])
    assert w.right is True and w.status.startswith("Right. ") and "✓" in w.html
    assert parse(w.html).all("table")


def test_another_state_asks_anew() -> None:
    w = tw.StorageExplorer(X, labels=["x"], predict=True)
    w.answer = 7
    assert w.right is True
    press(w, "t")
    assert w.answer == "" and w.right is None and "x.t()[1, 2]" in w.question
    w.answer = "9"
    assert w.right is True
    w.predict = False
    assert w.html == show(X, X.t(), labels=["x", "x.t()"]).html()


# -- representations ---------------------------------------------------------------------------------------------------


@every
def test_the_twin_is_the_picture_of_this_state(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    w = MADE[name]()
    twin = w.twin()
    assert repr(w) == repr(twin) and repr(w).endswith("Run this cell to use them.")
    assert twin.html().startswith(w.html[:200])
    monkeypatch.setenv("TENSORWIDGETS_LIVE", "0")
    bundle = w._repr_mimebundle_()
    assert bundle == twin._repr_mimebundle_() and list(bundle) == ["text/plain", "text/html"]
    monkeypatch.setenv("TENSORWIDGETS_LIVE", "1")
    data, metadata = w._repr_mimebundle_()
    assert set(data) == {"text/plain", VIEW} and data["text/plain"] == repr(w)
    assert metadata == {TWIN: bundle["text/html"]}


def words() -> bytes:
    """What all explorers say and show at first."""
    made = [make() for make in MADE.values()]
    return "\n".join(repr(w) + w.twin().html() for w in made).encode()


@pytest.mark.thorough
def test_no_address_and_the_same_words_in_every_process() -> None:
    told = told_elsewhere("tests.live.test_explorers")
    assert told == words() and len(told) > 50_000 and b" at 0x" not in told


class Shell:
    """As much of IPython as is asked."""

    def __init__(self, stdin: bool):
        self.kernel = type("Kernel", (), {"_allow_stdin": stdin})()


@pytest.mark.parametrize(("shell", "live"), [(Shell(True), True), (Shell(False), False), (None, False)])
def test_the_twin_is_shown_where_nobody_answers(shell: Any, live: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TENSORWIDGETS_LIVE", raising=False)
    monkeypatch.setattr("IPython.get_ipython", lambda: shell)
    assert answers() is live


def in_jupyter(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """As a kernel of JupyterLab finds itself."""
    monkeypatch.delenv("TENSORWIDGETS_LIVE", raising=False)
    for name in [name for name in os.environ if name.startswith("VSCODE_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("JPY_SESSION_NAME", "n.ipynb")
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(folder / "runtime"))
    monkeypatch.setattr("IPython.get_ipython", lambda: Shell(True))


def test_in_jupyter_the_output_is_the_twin_with_a_seat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_jupyter(monkeypatch, tmp_path)
    w = tw.StorageExplorer(X, labels=["x"])
    first = w.twin()._repr_mimebundle_()
    data = w._repr_mimebundle_()
    assert set(data) == {"text/plain", "text/html"} and w.seat == f"tw-live-{w.model_id}"
    assert data["text/html"] == f'<div class="{w.seat}"><div>{first["text/html"]}</div></div>'
    for name in ("VSCODE_CWD", "VSCODE_PID"):
        with monkeypatch.context() as other:
            other.setenv(name, "1")
            assert VIEW in w._repr_mimebundle_()[0]
    monkeypatch.delenv("JPY_SESSION_NAME")
    assert VIEW in w._repr_mimebundle_()[0]


@pytest.mark.parametrize("whole", [True, False])
def test_the_last_twin_takes_the_seat_when_saved(whole: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_jupyter(monkeypatch, tmp_path)
    w = tw.StorageExplorer(X, labels=["x"])
    first = w.twin()._repr_mimebundle_()
    data = w._repr_mimebundle_()
    lines = data if whole else {kind: text.splitlines(True) for kind, text in data.items()}
    notebook = {"cells": [{"outputs": [{"output_type": "execute_result", "data": lines, "metadata": {}}]}]}
    keep_twins({"type": "notebook", "content": notebook})
    saved = notebook["cells"][0]["outputs"][0]["data"]  # type: ignore[index]
    assert "".join(saved["text/html"]) == first["text/html"]
    notebook["cells"][0]["outputs"][0]["data"] = dict(data)  # type: ignore[index]
    w.expression = "x.t()"
    keep_twins({"type": "notebook", "content": notebook})
    assert notebook["cells"][0]["outputs"][0]["data"] == w.twin()._repr_mimebundle_()  # type: ignore[index]


def test_a_notebook_that_a_program_runs_holds_the_twin(tmp_path: Path) -> None:
    """As lessons are built, exported and tested: nothing in it needs a widget when it is opened."""
    code = "import tensorwidgets as torch; x = torch.arange(6.).reshape(2, 3); torch.show(x).live()"
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])
    NotebookClient(notebook, timeout=60, resources={"metadata": {"path": str(tmp_path)}}).execute()
    (output,) = notebook.cells[0].outputs
    assert set(output.data) == {"text/plain", "text/html"}
    assert output.data["text/plain"].endswith("Run this cell to use them.")
    assert "Error" not in output.data["text/html"]


def test_jupyter_saves_the_twin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the hook that `tensorwidgets lab` sets, what a student ran and saved holds no widget either."""
    monkeypatch.setenv("TENSORWIDGETS_LIVE", "1")
    w = MADE["StorageExplorer"]()
    data, metadata = w._repr_mimebundle_()
    cell = nbformat.v4.new_code_cell("w")
    cell.outputs = [nbformat.v4.new_output("execute_result", data, metadata=metadata, execution_count=1)]
    manager = FileContentsManager(root_dir=str(tmp_path), pre_save_hook=HOOK)
    manager.save({"type": "notebook", "content": nbformat.v4.new_notebook(cells=[cell])}, "ran.ipynb")
    (saved,) = nbformat.read(tmp_path / "ran.ipynb", as_version=4).cells[0].outputs
    assert saved.data == w.twin()._repr_mimebundle_() and saved.metadata == {}


def saved_by_jupyter(w: Explorer, folder: Path, move: Callable[[], None], **settings: Any) -> Any:
    """The output of a notebook in which a live picture was shown, moved, and saved."""
    data, metadata = w._repr_mimebundle_()
    cell = nbformat.v4.new_code_cell("w")
    cell.outputs = [nbformat.v4.new_output("execute_result", data, metadata=metadata, execution_count=1)]
    move()
    manager = FileContentsManager(root_dir=str(folder), **settings)
    manager.save({"type": "notebook", "content": nbformat.v4.new_notebook(cells=[cell])}, "ran.ipynb")
    (saved,) = nbformat.read(folder / "ran.ipynb", as_version=4).cells[0].outputs
    return saved


def test_the_twin_that_is_saved_is_the_state_that_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TENSORWIDGETS_LIVE", "1")
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path / "runtime"))
    w = tw.StorageExplorer(X, labels=["x"])
    saved = saved_by_jupyter(w, tmp_path, lambda: setattr(w, "expression", "x[1:].t()"), pre_save_hook=HOOK)
    assert saved.data == w.twin()._repr_mimebundle_() and "x[1:].t(): size (4, 2)" in saved.data["text/plain"]
    bits = tw.DtypeExplorer(1.0)
    saved = saved_by_jupyter(bits, tmp_path, lambda: setattr(bits, "value", 1.5), pre_save_hook=HOOK)
    assert saved.data == bits.twin()._repr_mimebundle_() and "1.5" in saved.data["text/plain"]
    assert all(path.suffix == ".json" for path in (tmp_path / "runtime" / "tensorwidgets").iterdir())


def test_a_runtime_folder_that_cannot_be_written_to_leaves_the_first_twin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("TENSORWIDGETS_LIVE", "1")
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path / "file" / "below"))
    w = tw.StorageExplorer(X, labels=["x"])
    first = w.twin()._repr_mimebundle_()
    saved = saved_by_jupyter(w, tmp_path, lambda: setattr(w, "expression", "x.t()"), pre_save_hook=HOOK)
    assert saved.data == first != w.twin()._repr_mimebundle_()


def test_a_plain_jupyter_server_has_the_hook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file that the wheel puts where Jupyter looks for settings is read by a server, which then saves twins."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    shipped = project["tool"]["hatch"]["build"]["targets"]["wheel"]["shared-data"]
    (source,) = shipped
    target = tmp_path / shipped[source].removeprefix("etc/jupyter/")
    target.parent.mkdir()
    target.write_bytes((ROOT / source).read_bytes())
    settings = BaseJSONConfigManager(config_dir=str(tmp_path)).get("jupyter_server_config")
    monkeypatch.setenv("TENSORWIDGETS_LIVE", "1")
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path / "runtime"))
    w = tw.StorageExplorer(X, labels=["x"])
    saved = saved_by_jupyter(w, tmp_path, lambda: None, config=Config(settings))
    assert VIEW not in saved.data and saved.data == w.twin()._repr_mimebundle_()


# -- the module --------------------------------------------------------------------------------------------------------


def test_the_module_is_one_text_and_small() -> None:
    text = module()
    assert len(text.encode()) < 60_000
    assert not re.search(r"https?:|\bimport\b|\bfetch\b|XMLHttpRequest|^\s*//", text, re.MULTILINE)


def test_a_hundred_made_and_closed_leave_nothing() -> None:
    def live() -> tuple[int, int]:
        gc.collect()
        return sum(isinstance(o, Explorer) for o in gc.get_objects()), len(_instances)

    before = live()
    for k in range(100):
        w = list(MADE.values())[k % len(MADE)]()
        w.close()
    del w
    assert live() == before


# -- larger arrays -----------------------------------------------------------------------------------------------------


def test_a_large_array_is_sent_as_one_run_of_bytes() -> None:
    numbers = np.arange(100_000.0).reshape(250, 400)
    w = tw.StorageExplorer(numbers, labels=["x"])
    assert np.array_equal(np.frombuffer(w.cells).reshape(250, 400), numbers)
    assert (w.sheet["rows"], w.sheet["columns"], w.sheet["low"], w.sheet["high"]) == (250, 400, 0.0, 99999.0)
    w.expression = "x.T"
    assert w.sheet["dims"] == [[400, 1], [250, 400]]
    assert np.array_equal(np.frombuffer(w.cells).reshape(400, 250), numbers.T)
    w.expression = "x[:2, :3]"
    assert w.sheet == {} and w.cells == b""
    w.expression = "x[0]"
    assert w.sheet == {} or w.sheet["count"] == 400


def test_a_large_array_that_was_written_to_is_sent_anew() -> None:
    x = tw.zeros(30, 40)
    w = tw.StorageExplorer(x, labels=["x"])
    assert w.sheet["high"] == 0
    x[0, 0] = 7
    press(w, "size 0", 20)
    assert w.sheet["high"] == 7 and np.frombuffer(w.memory)[0] == np.frombuffer(w.cells)[0] == 7


@pytest.mark.parametrize(
    "array",
    [np.zeros((2000, 3000), np.int8), np.full((40, 40), np.nan), np.zeros((3, 50, 50)), np.arange(1001),
     np.zeros((30, 30), complex), tw.zeros(30, 30, dtype=tw.bfloat16), tw.zeros(40, 40, device="meta"),
     np.broadcast_to(np.float32(1), (10**5, 10**5)), np.array([1e308, -1e308] * 400)],
)  # fmt: skip
def test_every_large_array_has_a_picture(array: Any) -> None:
    w = tw.StorageExplorer(array, labels=["x"])
    explained(w)
    if w.sheet:
        assert len(w.cells) == 8 * w.sheet["rows"] * w.sheet["columns"] <= 8 * (1 << 18) + 3200
        assert w.sheet["scale"] * w.sheet["columns"] <= max(828, w.sheet["columns"])
