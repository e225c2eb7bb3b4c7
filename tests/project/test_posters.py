"""The posters: each has its two images, small ones, and shows bars and cells without a sentence."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location

import pytest

from tests.pictures.parsed import parse
from tests.project.running import ROOT

_SPEC = spec_from_file_location("posters", ROOT / "docs" / "posters.py")
assert _SPEC is not None and _SPEC.loader is not None
posters = module_from_spec(_SPEC)
sys.modules["posters"] = posters  # a dataclass looks its module up
_SPEC.loader.exec_module(posters)


def test_every_image_is_there_and_small() -> None:
    images = {path.name: path.stat().st_size for path in posters.FOLDER.iterdir()}
    assert set(images) == {f"{name}.{theme}.png" for name in posters.POSTERS for theme in ("light", "dark")}
    assert max(images.values()) <= posters.LARGEST


@pytest.mark.parametrize("name", posters.POSTERS)
def test_a_poster_is_bars_and_cells_alone(name: str) -> None:
    page = parse(posters.POSTERS[name].picture().html())
    assert page.all("table", "tw-storage")
    to_scale = bool(page.all("div", "tw-bar")) and bool(page.all("div", "tw-comb"))
    assert to_scale == (name not in ("bytes", "windows_of_one"))  # these fit in a line of cells
    assert not page.all("table", "tw-view") and not page.all("div", "tw-say")
    lines = posters.POSTERS[name].code
    assert all(line in page.text() for line in lines)
