"""The object that a picture is: two representations, the same bytes everywhere, small, and safe."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from tensorwidgets.pictures import Picture, show
from tensorwidgets.pictures.drawing.html import escape, plain
from tensorwidgets.pictures.drawing.script import script, source
from tests.pictures.elsewhere import told_elsewhere
from tests.pictures.parsed import parse

X = np.arange(10, 22, dtype=np.float32).reshape(3, 4)


def test_two_representations_and_nothing_else() -> None:
    picture = show(X, labels=["x"])
    bundle = picture._repr_mimebundle_()
    assert list(bundle) == ["text/plain", "text/html"]
    assert bundle["text/plain"] == repr(picture)
    assert not [name for name in dir(picture) if name.startswith("_repr_") and name != "_repr_mimebundle_"]


def test_a_picture_that_is_not_there_says_which_are() -> None:
    with pytest.raises(AttributeError, match=r"list_or_tensor\. Did you mean show\.graph\?$"):
        show.grap(1)
    with pytest.raises(AttributeError, match=r"show has no 'storage': show\(x\) draws storages.* graph, saved,"):
        show.storage  # noqa: B018
    assert not hasattr(show, "__array__")


def test_the_script_follows_the_picture() -> None:
    html = show(X, labels=["x"])._repr_mimebundle_()["text/html"]
    assert html.startswith('<div class="tw"') and html.endswith("</script>")
    assert html.count("<script>") == 1 and "currentScript.previousElementSibling" in html


def test_the_script_is_at_most_six_and_a_half_kilobytes() -> None:
    assert len(script().encode()) <= 6.5 * 1024
    assert "</script" not in source().lower() and "<!--" not in source()


def test_a_lesson_sized_picture_is_small() -> None:
    for views in ([X, X.T, X.reshape(2, 6)], [X, X[::-1], np.broadcast_to(X[1:2], (3, 4))]):
        html = show(*views, labels=["x", "x.t()", "x.reshape(2, 6)"]).html()
        assert len(html.encode()) <= 28_000


def words() -> bytes:
    """What a notebook is given of a picture with many sorts of cells."""
    x = np.arange(12.0).reshape(3, 4)
    o = np.array([object(), (1, 2)], dtype=object)
    picture = show(x, x.T, x[1:, ::2].copy(), o, np.ones((99, 99)), labels=list("abcde"))
    return (repr(picture) + picture._repr_mimebundle_()["text/html"]).encode()


def test_no_address_and_the_same_bytes_in_every_process() -> None:
    told = told_elsewhere("tests.pictures.drawing.test_picture")
    assert told == words() and len(told) > 10_000
    assert not re.search(rb"0x[0-9a-f]{6,}|\bat 0x", told)


HOSTILE = [
    "<img src=x onerror=alert(1)>",
    '"><script>alert(1)</script>',
    "' onmouseover='alert(1)",
    "a\u202eb\u2066c\u200f",
    "</td></table></div>",
    "&lt;b&gt;",
    "\x00\x1b[31m\ud800",
    "x | y",
]


@pytest.mark.parametrize("label", HOSTILE)
def test_labels_stay_words(label: str) -> None:
    calm = parse(show(X, X.T, labels=["x", "y"]).html())
    hostile = show(X, X.T, labels=[label, "y"])
    page = parse(hostile.html())
    assert [(e.tag, sorted(e.attributes)) for e in page.all()] == [(e.tag, sorted(e.attributes)) for e in calm.all()]
    for text in (hostile.html(), repr(hostile)):
        assert not re.search("[\u202a-\u202e\u2066-\u2069\u200e\u200f\x00\x1b\ud800]", text)
        text.encode()
    assert plain(label) in page.text()


def test_values_stay_words_too() -> None:
    names = np.array(["<b>", "a\u202e"])
    html = show(names, labels=["names"]).html()
    assert "<b>\u202e" not in html and "&lt;b&gt;" in html and "\u202e" not in html


def test_escape_covers_attributes() -> None:
    assert escape("a\"b'c<d>&") == "a&quot;b&#39;c&lt;d&gt;&amp;"


def test_a_mark_that_is_alone_is_escaped_too() -> None:
    alone = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"}
    unseen = [*range(0x3100), 0xD800, 0xDFFF, *range(0xFE00, 0x10000), *range(0xE0000, 0xE0100)]
    alone |= {chr(code): plain(chr(code)) for code in unseen if plain(chr(code)) != chr(code)}
    assert len(alone) > 200
    for mark, written in alone.items():
        assert escape(f"a{mark}b") == f"a{written}b"


def test_html_is_what_survives_distrust() -> None:
    """No tag, attribute or style that JupyterLab's sanitiser takes away."""
    kept_tags = {"div", "span", "b", "table", "caption", "colgroup", "col", "tr", "th", "td", "img"}
    kept_attributes = {
        "class",
        "style",
        "title",
        "colspan",
        "rowspan",
        "scope",
        "span",
        "src",
        "alt",
        "width",
        "height",
    }
    y = np.arange(24).reshape(2, 3, 4)
    page = parse(show(X, X.T, y, y[:, ::-1], np.float64(1), np.ones((99, 99)), labels=list("abcdef")).html())
    for element in page.all():
        assert element.tag in kept_tags
        assert set(element.attributes) <= kept_attributes
        assert not {"gap", "transform", "outline-offset"} & set(element.style)
        assert "var(" not in element.attributes.get("style", "")
        assert element.style.get("overflow-wrap", "normal") in ("normal", "break-word")
    for element in page.all("tr"):
        assert "background" in element.style
    for element in [*page.all("td"), *page.all("th")]:
        assert {"padding", "text-align"} <= set(element.style)


def test_save_html_stands_alone(tmp_path: Path) -> None:
    path = show(X, labels=["x"]).save(tmp_path / "x.html")
    page = path.read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>") and "One storage, one view" in page
    assert not re.search(r"https?:|src=\"(?!data:)|@import|url\(", page)


def test_save_refuses_other_kinds(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"saved as \.html, \.svg or \.png, and 'x\.pdf' is not one"):
        show(X, labels=["x"]).save(tmp_path / "x.pdf")


def test_save_png_without_a_browser_and_pillow_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tensorwidgets.pictures.drawing.browser.find_browser", lambda: None)
    monkeypatch.setattr("tensorwidgets.pictures.drawing.picture.find_spec", lambda name: None)
    with pytest.raises(RuntimeError, match="needs a browser or Pillow"):
        show(X, labels=["x"]).save(tmp_path / "x.png")


def test_a_picture_holds_numbers_and_no_array() -> None:
    x = X.copy()
    picture = show(x, labels=["x"])
    before = repr(picture)
    x[:] = 0
    assert repr(picture) == before
    assert isinstance(picture, Picture)
