"""The engine's rooms: no arrow goes up, wherever an import is written, and the picture of them is of this code."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest

from docs import rooms


def test_every_arrow_goes_down() -> None:
    assert rooms.upward() == []
    assert len(rooms.arrows()) > 100


def test_every_module_is_in_a_room_or_on_the_engine_floor() -> None:
    outside = {name for name in rooms.modules() if rooms.room_of(name, rooms.floors()) is None}
    packages = {"tensorwidgets.engine", "tensorwidgets.engine.ops", "tensorwidgets.engine.backends"}
    assert outside == packages


def test_every_room_says_which_question_it_answers() -> None:
    for room in rooms.floors():
        assert rooms.question(room), room
    for path in (rooms.ROOT / "tensorwidgets").rglob("__init__.py"):
        assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))), path


def test_every_folder_is_seen_at_a_glance() -> None:
    files = Counter(path.parent for path in (rooms.ROOT / "tensorwidgets").rglob("*.py") if path.name != "__init__.py")
    assert {str(folder): held for folder, held in files.items() if held > 25} == {}


def test_the_picture_is_drawn_from_this_code() -> None:
    drawn = (rooms.ROOT / "docs" / "rooms.svg").read_text(encoding="utf-8")
    assert drawn == rooms.drawing(), "python docs/rooms.py"


@pytest.mark.parametrize(
    "line",
    [
        "from ..tensor import tensor",
        "import tensorwidgets.engine.tensor.tensor",
        "def f():\n    from ..tensor.tensor import Tensor",
        "import_module('tensorwidgets.engine.tensor.tensor')",
    ],
)
def test_an_import_is_noticed_however_it_is_written(line: str) -> None:
    known = {"tensorwidgets.engine.tensor.tensor": Path(), "tensorwidgets.engine.geometry.dims": Path()}
    package = "tensorwidgets.engine.geometry"
    assert set(rooms.named_in(line, f"{package}.dims", package, known)) == {"tensorwidgets.engine.tensor.tensor"}
