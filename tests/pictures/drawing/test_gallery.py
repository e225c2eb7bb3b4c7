"""The page with every kind of picture has them all."""

from __future__ import annotations

import inspect

import tensorwidgets as tw
from tensorwidgets.pictures import show
from tests.browser import gallery
from tests.pictures.operations import test_operation_pictures


def test_every_picture_and_explorer_is_in_it() -> None:
    sources = inspect.getsource(gallery) + inspect.getsource(test_operation_pictures)
    names = [name for name in dir(show) if not name.startswith("_") and name != "auto"]
    missing = [name for name in names if f"show.{name}(" not in sources and name not in gallery.PICTURES]
    assert len(names) > 15 and missing == []
    explorers = {name for name in dir(tw) if name.endswith("Explorer")}
    assert set(gallery.LIVE) == explorers


def test_the_page_holds_each_under_its_name() -> None:
    text = gallery.PAGE.format(width=592, sections="<section>x</section>")
    assert "<section>x</section>" in text and 'value="592"' in text and "{" in text and "{{" not in text
