"""What every picture of an operation keeps: safe words, the same bytes, what survives distrust, a text twin."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import tensorwidgets as tw
from tensorwidgets.pictures import Picture, show
from tensorwidgets.pictures.drawing.html import plain
from tensorwidgets.pictures.drawing.script import colours
from tensorwidgets.pictures.drawing.tokens import dark_of
from tensorwidgets.pictures.learning.surface import setting_of, surface_picture
from tests.pictures.drawing.test_picture import HOSTILE
from tests.pictures.elsewhere import told_elsewhere
from tests.pictures.learning.test_flow_picture import CASES
from tests.pictures.learning.test_module_picture import ids, tied
from tests.pictures.learning.test_surface_picture import bowl
from tests.pictures.learning.test_training_picture import falling
from tests.pictures.parsed import parse
from tests.pictures.rule import letters

A = np.array([[10], [20], [30]], np.float32)
B = np.array([1, 2, 3, 4], np.float32)
M = np.arange(6).reshape(2, 3)
N = np.arange(12).reshape(3, 4)
LEAF = tw.ones(2, 3, requires_grad=True)


def crossed() -> tuple[tw.Tensor, list[tw.Tensor]]:
    """A tensor that was written to after one node saved it and before another did, and the results."""
    h = LEAF + 1
    y = h * h.exp()
    h.add_(1)
    return h, [y, h.sin()]


def many_writes() -> tuple[tw.Tensor, list[tw.Tensor]]:
    """A tensor with more saves and writes than are drawn."""
    h = LEAF + 1
    results = []
    for k in range(40):
        results += [h.sin(), h.cos()] if k < 6 else []
        h.add_(1)
    return h, results


NETS = {name: CASES[name][0](tw) for name in ("vanishing", "dead", "nothing yet")}
BOWL = setting_of(bowl, "", (-2, 2), (-2, 2), (-1.5, 1), ("SGD", "Adam"), 0.051, 60)
"""Its ground is painted once."""
CROSSED, MANY = crossed(), many_writes()

DRAW: dict[str, Callable[[str], Picture]] = {
    "broadcast": lambda x: show.broadcast(A, B, labels=[x, "b"]),
    "broadcast three dims": lambda x: show.broadcast(np.ones((2, 1, 3)), np.ones((4, 1)), 2.5, labels=[x, "b", "n"]),
    "clash": lambda x: show.broadcast(N, B[:3], labels=[x, "q"]),
    "clash of three": lambda x: show.broadcast((2, 5, 3), (4, 3), (7,), labels=[x, "b", "c"]),
    "einsum": lambda x: show.einsum("ij,jk->ik", M, N, labels=[x, "b"]),
    "einsum dots": lambda x: show.einsum("...chw,c->...hw", np.ones((1, 3, 2, 2)), np.ones(3), labels=[x, "w"]),
    "einsum chain": lambda x: show.einsum("ij,jk,kl->il", (2, 30), (30, 40), (40, 3), labels=[x, "b", "c"]),
    "einsum diagonal": lambda x: show.einsum("ii->i", np.eye(3), labels=[x]),
    "einsum size": lambda x: show.einsum("ij,jk->ik", M, N.T, labels=[x, "b"]),
    "einsum dims": lambda x: show.einsum("ijk,jk->ik", M, N, labels=[x, "b"]),
    "einsum mark": lambda x: show.einsum("ij,j1->ik", M, N, labels=[x, "b"]),
    "names": lambda x: show.names((2, 3), names=("batch", "time"), align_to=("time", "batch"), labels=[x]),
    "names clash": lambda x: show.names((2, 3), (2, 3), names=[("b", "f"), ("b", "t")], labels=[x, "y"]),
    "names product": lambda x: show.names((2, 3), (3, 4), names=[("b", "f"), ("f", "o")], op="@", labels=[x, "w"]),
    "names refused": lambda x: show.names((2, 3), names=("a", "a"), labels=[x]),
    "bits": lambda x: show.bits(np.float32(0.1), labels=[x]),
    "bits of many": lambda x: show.bits(B, labels=[x]),
    "bits of an integer": lambda x: show.bits(np.array(300), labels=[x]),
    "promotion": lambda x: show.promotion(np.zeros(3, np.int32), 2.5, labels=[x, "n"]),
    "promotion refused": lambda x: show.promotion(np.zeros(3, np.uint16), np.zeros(2, np.int8), labels=[x, "y"]),
    "list": lambda x: show.list_or_tensor([k + 0.5 for k in range(30)], labels=[x]),
    "graph": lambda x: show.graph((LEAF * LEAF.exp()).sum(), labels=[x]),
    "saved": lambda x: show.saved((LEAF * LEAF.exp() * LEAF.exp().sin()).sum(), labels=[x]),
    "saved by nobody": lambda x: show.saved(LEAF + LEAF, labels=[x]),
    "versions": lambda x: show.versions(CROSSED[0], *CROSSED[1], labels=[x]),
    "versions, many": lambda x: show.versions(MANY[0], *MANY[1], labels=[x]),
    "backward": lambda x: show.backward((LEAF * LEAF.exp()).sum(), labels=[x]),
    "backward refused": lambda x: show.backward((CROSSED[1][0] + CROSSED[0]).sum(), labels=[x]),
    "module": lambda x: show.module(tied(tw), ids(tw), labels=[x]),
    "module refused": lambda x: show.module(tied(tw), (2, 3), labels=[x]),
    "flow": lambda x: show.flow(NETS["vanishing"], labels=[x]),
    "flow, dead": lambda x: show.flow(NETS["dead"], labels=[x]),
    "flow, nothing": lambda x: show.flow(NETS["nothing yet"], labels=[x]),
    "surface": lambda x: surface_picture(replace(BOWL, label=x)),
    "training": lambda x: show.training(falling(), falling(200, 0.05), labels=[x, "b"]),
    "training that fails": lambda x: show.training({"loss": [2.0, 1.0, np.nan]}, labels=[x]),
    "list refused": lambda x: show.list_or_tensor([list(range(20)), [1.5]], labels=[x]),
}
"""A picture of each kind, and of each refusal, under a label."""


@pytest.mark.parametrize("name", DRAW)
def test_labels_stay_words(name: str) -> None:
    calm = parse(DRAW[name]("x").html())
    for label in HOSTILE:
        picture = DRAW[name](label)
        html, text = picture.html(), repr(picture)
        page = parse(html)
        assert {e.tag for e in page.all()} <= {e.tag for e in calm.all()} | {"br"}
        assert {a for e in page.all() for a in e.attributes} <= {a for e in calm.all() for a in e.attributes}
        for told in (html, text):
            assert not re.search("[\u202a-\u202e\u2066-\u2069\u200e\u200f\x00\x1b\ud800]", told)
            told.encode()
        for element in page.all():
            assert element.attributes.get("title", "").count(" | ") <= 1
        if name not in ("names refused", "list", "list refused"):
            assert plain(label)[:8] in page.text() or plain(label)[:8] in text


def test_names_and_equations_from_outside_stay_words() -> None:
    for word in HOSTILE:
        for picture in (
            show.names((2, 3), names=(word, "b"), labels=["x"]),
            show.names((2,), names=("a",), align_to=(word,), labels=["x"]),
            show.einsum(word, M, labels=["x"]),
            show.list_or_tensor([1.0, word]),
            show.broadcast(np.array([word]), np.array([word]), labels=["x", "y"]),
        ):
            html = picture.html()
            assert "<img src" not in html and "<script" not in html and "onmouseover='" not in html
            assert not re.search("[\u202a-\u202e\u2066-\u2069\u200e\u200f\x00\x1b\ud800]", html + repr(picture))
            parse(html)


@pytest.mark.parametrize("name", DRAW)
def test_html_is_what_survives_distrust(name: str) -> None:
    """No tag, attribute or style that JupyterLab's sanitiser takes away, and padding of its own in every cell."""
    tags = {"div", "span", "b", "table", "caption", "colgroup", "col", "tr", "th", "td", "img"}
    attributes = {"class", "style", "title", "colspan", "rowspan", "scope", "span"}
    images = {"img": {"alt", "src", "width", "height"}}
    page = parse(DRAW[name]("x").html())
    for element in page.all():
        assert element.tag in tags and set(element.attributes) <= attributes | images.get(element.tag, set())
        assert not {"gap", "transform", "outline-offset", "align-items"} & set(element.style)
        assert "var(" not in element.attributes.get("style", "") and "repeating" not in element.attributes.get(
            "style", ""
        )
    for row in page.all("tr"):
        assert "background" in row.style
    for cell in [*page.all("td"), *page.all("th")]:
        assert {"padding", "text-align"} <= set(cell.style)


@pytest.mark.parametrize("name", DRAW)
def test_every_colour_has_a_partner_on_dark_paper(name: str) -> None:
    html = DRAW[name]("x").html()
    used = {f"#{six}" for six in re.findall(r"#(\w{6})\b", html)}
    assert used <= set(dark_of()) and colours()


@pytest.mark.parametrize("name", DRAW)
def test_cells_that_answer_stand_in_a_table_and_say_something(name: str) -> None:
    page = parse(DRAW[name]("x").html())
    inside = {id(e) for table in page.all("table") for e in table.all()}
    for element in [e for e in page.all() if letters(e)]:
        assert id(element) in inside
        subject, _, reason = element.attributes["title"].partition(" | ")
        assert subject and reason
    assert len([e for e in page.all("div") if "tw-say" in e.classes]) == 1


@pytest.mark.parametrize("name", DRAW)
def test_the_text_says_the_same(name: str) -> None:
    """What stands in the cells of views stands in the text as well."""
    picture = DRAW[name]("x")
    text = repr(picture)
    assert not text.startswith("\n") and not text.endswith("\n") and " \n" not in text
    for table in parse(picture.html()).all("table", "tw-view"):
        for cell in [td for td in table.all("td") if letters(td) and td.text() not in ("", "≠", "·")]:
            assert cell.text() in text
    say = next(e for e in parse(picture.html()).all("div") if "tw-say" in e.classes)
    for line in say.children:
        assert "".join(line.text().split())[:60] or not line.text()


def words() -> bytes:
    """What a notebook is given of every picture."""
    drawn = [draw("x") for draw in DRAW.values()]
    return "".join(repr(one) + one._repr_mimebundle_()["text/html"] for one in drawn).encode()


def test_the_same_bytes_in_every_process() -> None:
    told = told_elsewhere("tests.pictures.operations.test_operation_pictures")
    assert told == words() and len(told) > 200_000
    assert not re.search(rb"0x[0-9a-f]{6,}|\bat 0x", told)


def test_pictures_are_of_a_size_to_commit() -> None:
    most = {"broadcast": 18_000, "clash": 28_000, "einsum": 24_000, "names": 8_000, "bits": 51_000, "promotion": 36_000}
    for name, limit in most.items():
        assert len(DRAW[name]("x").html().encode()) < limit, name
    for name, draw in DRAW.items():
        assert len(draw("x").html().encode()) < (100_000 if name == "surface" else 60_000), name


def test_pictures_hold_no_array() -> None:
    x = A.copy()
    drawn: list[Any] = [
        show.broadcast(x, B, labels=["x", "b"]),
        show.einsum("ij->i", x, labels=["x"]),
        show.bits(x, labels=["x"]),
    ]
    before = [repr(picture) for picture in drawn]
    x[:] = 0
    assert [repr(picture) for picture in drawn] == before


def test_the_other_pictures_load_when_they_are_asked_for() -> None:
    code = (
        "import sys; from tensorwidgets.pictures import show; show(memoryview(b'ab'));"
        "print([m for m in sys.modules if m.startswith('tensorwidgets.pictures.')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    loaded = {name.rpartition(".")[2] for name in ast.literal_eval(done.stdout)}
    assert "show" in loaded
    assert loaded & {"broadcast", "einsum", "names", "bits", "promotion", "list_or_tensor", "lattice"} == set()
