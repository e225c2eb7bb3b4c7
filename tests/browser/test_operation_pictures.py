"""Pictures of operations in a real browser: what lights up with what, keys, and what a host without trust leaves."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import nbformat
import numpy as np
import pytest
from playwright.sync_api import Page

from tensorwidgets.pictures import Picture, show
from tests.browser.lab import Notebook
from tests.pictures.operations.test_operation_pictures import DRAW

A = np.array([[10], [20], [30]], np.float32)
B = np.array([1, 2, 3, 4], np.float32)
M = np.array([[1, 2, 3], [4, 5, 6]])
N = np.array([[1, 0, 2, 1], [3, 1, 0, 2], [2, 4, 1, 0]])


@pytest.fixture
def draw(page: Page, tmp_path: Path) -> Callable[[Picture], Page]:
    def drawn(picture: Picture) -> Page:
        page.goto(picture.save(tmp_path / "x.html").as_uri())
        page.wait_for_selector("[data-tw=ready]")
        return page

    return drawn


def lit(page: Page) -> list[str]:
    """What is lit, by the name that a screen reader gives it, in the order of the page."""
    return page.eval_on_selector_all(".tw-hot", "all => all.map(c => c.ariaLabel.split(':')[0])")


def sentence(page: Page) -> str:
    return page.locator(".tw-say > div").first.inner_text().replace("\u2002", " ")


def test_broadcasting_lights_both_sources(draw: Callable[[Picture], Page]) -> None:
    page = draw(show.broadcast(A, B, labels=["a", "b"]))
    page.hover('[aria-label^="result[2, 1]:"]')
    assert lit(page) == ["a[2, 0]", "a[2, 0]", "b[1]", "b[1]", "result[2, 1]"]
    assert sentence(page).split() == "result[2, 1] = a[2, 0] + b[1] = 30 + 2 = 32".split()
    page.hover('[aria-label^="a[0, 0]: 10"] >> nth=0')
    assert lit(page)[-4:] == [f"result[0, {j}]" for j in range(4)]


def test_einsum_lights_the_fibres_that_meet(draw: Callable[[Picture], Page]) -> None:
    page = draw(show.einsum("ij,jk->ik", M, N, labels=["A", "B"]))
    page.hover('[aria-label^="result[0, 3]:"]')
    assert lit(page) == ["A[0, 0]", "A[0, 1]", "A[0, 2]", "B[0, 3]", "B[1, 3]", "B[2, 3]", "result[0, 3]"]
    assert sentence(page).split() == "result[0, 3] = 1·1 + 2·2 + 3·0 = 5".split()
    page.focus('[aria-label^="B[0, 0]:"]')
    for key in ("ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
    assert page.evaluate("document.activeElement.ariaLabel") == "B[1, 1]: 1"


def test_the_left_operand_stands_beside_the_result(draw: Callable[[Picture], Page]) -> None:
    """The cube: rows of A are level with rows of the result, columns of B stand above its columns."""
    page = draw(show.einsum("ij,jk->ik", M, N, labels=["A", "B"]))

    def box(label: str) -> dict[str, float]:
        found = page.locator(f'[aria-label^="{label}:"]').bounding_box()
        assert found is not None
        return dict(found)

    assert box("A[1, 0]")["y"] == box("result[1, 0]")["y"]
    assert box("B[0, 2]")["x"] == box("result[0, 2]")["x"]
    assert box("A[0, 2]")["x"] < box("result[0, 0]")["x"] and box("B[2, 0]")["y"] < box("result[0, 0]")["y"]


def test_a_name_lights_wherever_it_stands(draw: Callable[[Picture], Page]) -> None:
    page = draw(show.names((2, 3), names=("batch", "time"), align_to=("time", "batch"), labels=["x"]))
    page.hover('[aria-label^="time of x:"]')
    assert lit(page) == ["time of x", "time of the aligned"]
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.ariaLabel").startswith("batch of the aligned")


def test_bits_light_by_what_they_are_worth(draw: Callable[[Picture], Page]) -> None:
    page = draw(show.bits(1.1))
    page.hover('[aria-label^="bfloat16 bit 0:"]')
    assert lit(page) == ["float64 bit 45", "float32 bit 16", "bfloat16 bit 0", "float16 bit 3"]
    assert sentence(page).startswith("bfloat16 bit 0") and "changed by rounding" in sentence(page)
    border = page.eval_on_selector('[aria-label^="bfloat16 bit 0:"]', "c => getComputedStyle(c).borderTopWidth")
    assert border == "2px"


def test_types_light_with_the_pairs_that_meet_in_them(draw: Callable[[Picture], Page]) -> None:
    page = draw(show.promotion("float16", "bfloat16"))
    page.hover('.tw-lattice [aria-label^="int16:"]')
    assert lit(page) == ["int16", "int8 + uint8", "int16 + bool", "int16 + uint8", "int16 + int8", "int16 + int16"]


def test_slots_light_their_boxes(draw: Callable[[Picture], Page]) -> None:
    page = draw(show.list_or_tensor([3.0, 1.0, 4.0]))
    page.hover('[aria-label^="slot 2:"]')
    assert lit(page) == ["slot 2", *["float 4"] * 3, "A[2]"]


WIDTHS = "() => [...document.querySelectorAll('.tw')].map(one => [one.scrollWidth, one.clientWidth])"


def test_pictures_stay_within_their_width(page: Page) -> None:
    html = "".join(make("x")._repr_mimebundle_()["text/html"] for make in DRAW.values())
    page.set_content(f'<!doctype html><body style="margin:0">{html}</body>')
    page.wait_for_function("n => document.querySelectorAll('[data-tw=ready]').length === n", arg=len(DRAW))
    assert page.evaluate(WIDTHS) == [[860, 860]] * len(DRAW)


def test_pictures_of_gradients_fit_a_narrow_page(draw: Callable[[Picture], Page]) -> None:
    """Nothing is cut and nothing has to be scrolled at 320 pixels."""
    for name in ("graph", "saved", "versions", "versions, many", "backward", "backward refused"):
        page = draw(DRAW[name]("y"))
        page.set_viewport_size({"width": 320, "height": 640})
        assert page.evaluate(WIDTHS) == [[320, 320]], name


def test_a_save_lights_with_the_write_that_crosses_it(draw: Callable[[Picture], Page]) -> None:
    page = draw(DRAW["versions"]("h"))
    page.hover('[aria-label^="Mul saves self:"]')
    assert lit(page) == ["Mul saves self", "write 1"]
    assert "saved at version 0; now at version 1, so backward is refused" in sentence(page)
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.ariaLabel").startswith("Mul saves self: Mul saves self line ")


def test_without_trust_everything_is_in_its_place(open_notebook: Callable[..., Notebook], tmp_path: Path) -> None:
    """JupyterLab's sanitiser leaves each element where a trusted notebook has it."""
    pictures = [DRAW[name]("x") for name in ("broadcast", "einsum", "names", "bits", "promotion", "list")]
    cells = []
    for k, picture in enumerate(pictures):
        cell = nbformat.v4.new_code_cell(f"picture {k}", id=f"c{k}")
        cell.outputs = [nbformat.v4.new_output("execute_result", {"text/html": picture.html()}, execution_count=1)]
        cells.append(cell)
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    source = tmp_path / "made.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=kernel), source)
    places = """() => JSON.stringify([...document.querySelectorAll('.jp-OutputArea-output .tw')].map(tw => {
        const o = tw.getBoundingClientRect();
        return [...tw.querySelectorAll('div, td, th, span')].map(e => {
            const r = e.getBoundingClientRect();
            return [r.x - o.x, r.y - o.y, r.width, r.height, getComputedStyle(e).backgroundColor].join(' ');
        });
    }))"""
    found = []
    for trust in (False, True):
        page = open_notebook(source, trust=trust, kernel=False).page
        page.wait_for_selector(".jp-OutputArea-output .tw >> nth=5")
        found.append(json.loads(page.evaluate(places)))
    assert [len(one) for one in found[0]] == [len(one) for one in found[1]] and len(found[0]) == len(pictures)
    assert found[0] == found[1]
