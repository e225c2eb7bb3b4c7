"""Dimension names held to PyTorch 2.12, the last that had them, and what the pictures say of them."""

from __future__ import annotations

import gzip
import json
from typing import Any

import numpy as np
import pytest

from tensorwidgets.engine.dimension_names import Aligned, align_to, checked, matmul, unify
from tensorwidgets.engine.errors.reasons import Reason
from tensorwidgets.pictures import show
from tests.pictures.operations.freeze_names import CASES, REFERENCE, case
from tests.pictures.parsed import parse
from tests.pictures.rule import agree, letters

IMG = ("batch", "channel", "height", "width")


def answer_of(kind: str, one: list[Any], other: list[Any]) -> list[Any] | dict[str, str]:
    if kind == "make":
        found: Any = checked(one, len(other))
    else:
        found = {"add": unify, "matmul": matmul, "align": align_to}[kind](tuple(one), tuple(other))
    if isinstance(found, Reason):
        return {"error": found.error.__name__, "message": found.message}
    return list(found.names if isinstance(found, Aligned) else found)


def test_frozen_answers_of_pytorch() -> None:
    answers = json.loads(gzip.decompress(REFERENCE.read_bytes()))["answers"]
    assert len(answers) == CASES
    wrong = [(case(k), answer) for k, answer in enumerate(answers) if answer_of(*case(k)) != answer]
    assert not wrong, wrong[:3]


def test_an_order_takes_each_dimension_along() -> None:
    """What align_to says of positions is what a transpose does to sizes and strides."""
    x = np.zeros((2, 3, 4, 5), np.float32)
    aligned = align_to(IMG, ("width", "...", "time", "batch"))
    assert isinstance(aligned, Aligned)
    assert aligned.names == ("width", "channel", "height", "time", "batch")
    moved = np.expand_dims(x.transpose([d for d in aligned.order if d is not None]), 3)
    assert moved.shape == tuple(1 if d is None else x.shape[d] for d in aligned.order)


def test_names_travel_with_sizes_and_strides() -> None:
    x = np.zeros((2, 3, 4, 5), np.float32)
    text = repr(show.names(x, names=IMG, align_to=("batch", "height", "width", "channel"), labels=["img"]))
    assert "height 4, stride 5, was 2" in text and "channel 3, stride 20, was 1" in text
    assert "Same storage, 120 elements, no copy: stride 1 is still with width." in text


def test_the_lines_between_two_rows_end_where_the_name_stands() -> None:
    page = parse(show.names((2, 3), names=("a", "b"), align_to=("b", "a"), labels=["x"]).html())
    strokes = [div.style for div in page.all("div") if div.style.get("position") == "absolute"]
    assert len(strokes) == 6
    ends = sorted((s["left"], s["margin-left"]) for s in strokes if s["top"] != "0px" and "border-left" in s)
    assert ends == [("25%", "10px"), ("75%", "10px")]


def test_the_same_name_lights_up_everywhere() -> None:
    page = parse(show.names((2, 3), (3, 4), names=[("batch", "feature"), ("feature", "out")], op="@").html())
    chips = [td for td in page.all("td") if letters(td)]
    assert [cell.all("span")[0].text() for cell in chips] == ["batch", "feature", "feature", "out", "batch", "out"]
    assert [agree(chips[1], other) for other in chips] == [False, True, True, False, False, False]


def test_a_clash_names_both_and_offers_a_rename() -> None:
    text = repr(show.names((2, 3), (2, 3), names=[("batch", "feature"), ("batch", "time")], labels=["x", "y"]))
    assert "feature ≠ time" in text and "dim 'feature' and dim 'time' are at the same position" in " ".join(
        text.split()
    )
    assert "x + y.rename(time='feature')" in text and "both .align_to('batch', 'feature', 'time')" in text
    assert "the result is (2, 3, 3)" in text


def test_align_as_is_drawn_where_it_fixes_the_clash() -> None:
    text = repr(show.names((2, 3, 4, 5), (3,), names=[IMG, ("channel",)], labels=["img", "bias"]))
    assert "width ≠ channel" in text and "bias.align_as(img)" in text
    assert "(1)      channel 3" in text and "the same name, 3 = 3" in text


def test_names_that_agree_and_sizes_that_do_not() -> None:
    text = repr(show.names((2, 3), (4, 3), names=[("b", "f"), ("b", "f")], op="+", labels=["x", "y"]))
    assert "the sizes do not" in text and "2 ≠ 4" in text and "The size of tensor a (2) must match" in text


def test_a_product_sums_a_name_away() -> None:
    text = repr(show.names((2, 3), (3, 4), names=[("batch", "feature"), ("feature", "out")], labels=["x", "w"]))
    assert "x @ w: names (batch, out)" in text and "feature is summed away." in text
    other = repr(show.names((2, 3), (3, 4), names=[("batch", "feature"), ("time", "out")], labels=["x", "w"]))
    assert "a matrix product compares their sizes, not their names" in " ".join(other.split())


def test_a_product_with_a_double_name_is_refused() -> None:
    text = repr(show.names((2, 3), (3, 2), names=[("b", "f"), ("f", "b")], op="@", labels=["x", "w"]))
    assert "would both be called 'b'" in text and "duplicate names ['b', 'b']" in " ".join(text.split())


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (("a", "a"), "'a' would name 2 dimensions"),
        (("a",), "1 names for 2 dimensions"),
        (("a", "b", "c"), "3 names for 2 dimensions"),
        (("a", "1b"), "'1b' is not an identifier"),
        (("a", "<b onclick=x>"), "is not an identifier"),
    ],
)
def test_names_that_cannot_be(names: tuple[str, ...], told: str) -> None:
    picture = show.names((2, 3), names=names, labels=["x"])
    assert told in repr(picture) and "x cannot have these names" in repr(picture)
    assert "<b onclick" not in picture.html()


def test_a_tensors_own_names_are_taken() -> None:
    class Named:
        names = ("row", "column")

        def __init__(self) -> None:
            self.__array_interface__ = np.zeros((2, 3)).__array_interface__

    assert "row 2, stride 3" in repr(show.names(Named(), labels=["x"]))
    assert "None 2, stride 3" in repr(show.names(np.zeros((2, 3)), labels=["x"]))


def test_unnamed_dimensions_take_a_name() -> None:
    text = repr(show.names((2, 3), (2, 3), names=[("b", None), ("b", "t")], op="+", labels=["x", "y"]))
    assert "x + y: names (b, t), size (2, 3)" in text and "t wins over none" in text


def test_align_to_that_loses_a_name() -> None:
    text = repr(show.names((2, 3), names=("a", "b"), align_to=("a", "c"), labels=["x"]))
    assert "'b' is missing from the list, and align_to never drops a dimension." in text and "!b 3" in text


def test_what_show_names_does_not_take() -> None:
    with pytest.raises(TypeError, match="takes arrays or shapes"):
        show.names()
    with pytest.raises(ValueError, match="op= is"):
        show.names((2,), (2,), op="*")
    with pytest.raises(ValueError, match="names of each of the 2 arrays"):
        show.names((2,), (2,), names=[("a",)])


def test_many_dimensions_stay_on_the_page() -> None:
    picture = show.names((1, 2, 3, 4, 5, 6, 7), names=tuple("abcdefg"), labels=["x"])
    page = parse(picture.html())
    for table in page.all("table", "tw-names"):
        assert int(table.style["width"][:-2]) <= 840
