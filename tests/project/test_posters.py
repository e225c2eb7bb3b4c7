"""The posters: each has its two images, small ones, and shows bars and cells without a sentence, and its code runs."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location

import numpy as np
import pytest

import tensorwidgets
from tensorwidgets.course import photo
from tensorwidgets.pictures.arrays.layout import Layout
from tests.pictures.parsed import parse
from tests.project.running import ROOT

_SPEC = spec_from_file_location("posters", ROOT / "docs" / "posters.py")
assert _SPEC is not None and _SPEC.loader is not None
posters = module_from_spec(_SPEC)
sys.modules["posters"] = posters  # a dataclass looks its module up
_SPEC.loader.exec_module(posters)

IN_A_LINE = ("bytes", "windows_of_one", "transpose", "strided_slice", "column", "diagonal")
"""Their storages fit in a line of cells."""


def test_every_image_is_there_and_small() -> None:
    images = {path.name: path.stat().st_size for path in posters.FOLDER.iterdir()}
    assert set(images) == {f"{name}.{theme}.png" for name in posters.POSTERS for theme in ("light", "dark")}
    assert max(images.values()) <= posters.LARGEST


@pytest.mark.parametrize("name", posters.POSTERS)
def test_a_poster_is_bars_and_cells_alone(name: str) -> None:
    poster = posters.POSTERS[name]
    page = parse(poster.picture().html())
    assert page.all("table", "tw-storage")
    to_scale = bool(page.all("div", "tw-bar")) and bool(page.all("div", "tw-comb"))
    assert to_scale == (name not in IN_A_LINE)
    assert len(page.all("table", "tw-view")) == (0 if poster.shades else len(poster.cells))
    assert not page.all("div", "tw-say")
    assert all(line in page.text() for line in poster.code)


@pytest.mark.parametrize("name", posters.POSTERS)
def test_the_code_of_a_poster_makes_its_arrays(name: str) -> None:
    poster = posters.POSTERS[name]
    shown: list[object] = []
    names = {"torch": tensorwidgets, "np": np, "photo": photo, "show": lambda *arrays: shown.extend(arrays)}
    exec("\n".join(poster.code), names)
    made, drawn = (
        [(layout.size, layout.byte_stride, layout.byte_offset, layout.dtype) for layout in map(Layout.of, arrays)]
        for arrays in (shown, poster.arrays().values())
    )
    assert made == drawn
