"""Tests read pictures by one pattern; Python's parser of HTML, which reads any page, finds the same in them."""

from __future__ import annotations

import json

import pytest

from tests.pictures.parsed import _plainly, _Reader, parse
from tests.project.running import ROOT


def shown(name: str) -> list[str]:
    """The pages among the outputs of a notebook."""
    cells = json.loads((ROOT / "notebooks" / name).read_text(encoding="utf-8"))["cells"]
    outputs = [output.get("data", {}) for cell in cells for output in cell.get("outputs", ())]
    return ["".join(data["text/html"]) for data in outputs if "text/html" in data]


@pytest.mark.parametrize("name", ["03_storage.ipynb", "10_the_api_by_category.ipynb", "16_gradients.ipynb"])
def test_both_read_the_same_in_pictures(name: str) -> None:
    pages = shown(name)
    assert len(pages) > 10
    for page in pages:
        reader = _Reader()
        reader.feed(page)
        reader.close()
        assert _plainly(page) == reader.top


@pytest.mark.parametrize("page", ["<p>1<p>", "<p>1</b>", "<p>1</p></p>", "<p><br>"])
def test_what_is_not_closed_fails_in_both(page: str) -> None:
    with pytest.raises(AssertionError):
        _plainly(page)
    reader = _Reader()
    with pytest.raises(AssertionError):
        reader.feed(page)
        assert len(reader.open) == 1


@pytest.mark.parametrize("page", ["<!-- no --><p>1</p>", "<p id=one>1</p>", "<P>1</P>", "<p>1 < 2</p>", "no tag"])
def test_other_pages_are_left_to_the_parser(page: str) -> None:
    assert _plainly(page) is None
    assert parse(page).text().replace(" ", "") in ("1", "1<2", "notag")
