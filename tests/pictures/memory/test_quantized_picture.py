"""The pictures of quantized and of meta tensors: every number in them is that of the engine, and of PyTorch."""

from __future__ import annotations

import random
import re

import numpy as np
import pytest

import tensorwidgets as tw
from tensorwidgets.pictures import show
from tests.parts import Part, in_parts
from tests.pictures.parsed import parse

X = tw.tensor([[0.0, 1.03, 2.5, -0.96], [-4.0, 5.26, 60.0, 12.7]])
Q = tw.quantize_per_tensor(X, 0.1, 10, tw.quint8)
BY_ROWS = tw.quantize_per_channel(X, tw.tensor([0.01, 0.25]), tw.tensor([0, -20]), 0, tw.qint8)
META = tw.empty(3, 4, device="meta")


def grids(picture: object) -> list[list[str]]:
    """The cells of each grid, in reading order."""
    page = parse(picture.html())  # type: ignore[attr-defined]
    found = [t for t in page.all("table") if "tw-view" in t.attributes.get("class", "")]
    return [[cell.text() for cell in t.all("td") if "i-e" in cell.attributes.get("class", "")] for t in found]


def test_the_cells_are_what_is_stored_what_it_stands_for_and_what_was_lost() -> None:
    rungs, values, errors = grids(show(X, Q, labels=["x", "q"]))
    assert rungs == [str(n) for n in Q.int_repr().reshape(-1).tolist()]
    assert [float(v) for v in values] == pytest.approx(Q.dequantize().reshape(-1).tolist(), rel=1e-3)
    report = tw.quantization_report(X, Q)
    clipped = (report.below | report.above).reshape(-1).tolist()
    assert [e == "clip" for e in errors] == clipped
    for error, exact, lost in zip(errors, report.error.reshape(-1).tolist(), clipped, strict=True):
        assert lost or float(error) == pytest.approx(exact, abs=6e-3)


@in_parts(4)
def test_generated_tensors_are_clipped_in_the_picture_where_the_report_says_so(part: Part) -> None:
    for dtype in (tw.quint8, tw.qint8):
        for seed in part.of(range(20)):
            chance = random.Random(seed)
            scale, zero_point = 10 ** chance.uniform(-3, 2), chance.randint(0, 127)
            x = tw.tensor([chance.uniform(-300, 300) * scale for _ in range(12)])
            q = tw.quantize_per_tensor(x, scale, zero_point, dtype)
            report = tw.quantization_report(x, q)
            text = repr(show(x, q, labels=["x", "q"]))
            assert f"{report.clipped} clipped; the largest error" in text.replace("no other value", "the largest error")
            assert text.count("!clip") == report.clipped


def test_the_text_says_what_the_picture_says() -> None:
    lines = repr(show(X, Q, labels=["x", "q"])).splitlines()
    assert lines[0] == "q: 8 values on a ladder of 256 rungs (quint8, scale 0.1, zero point 10)"
    assert lines[2] == "  whole numbers: 0 at -1, 10 at 0, 255 at 24.5; taken 0, 10, 20, 35, 63, 137, 255; 2 clipped"
    assert "q[0, 3]: (0 - 10) × 0.1 = -1; meant -0.96, off by -0.04" in lines
    assert lines[-1] == "Stored: 8 bytes; as float32 it would be 32 bytes."


def test_alone_it_tells_what_may_have_been_clipped() -> None:
    text = repr(show(Q, labels=["q"]))
    assert "so it may have been clipped" in text and "error" not in text.replace("no error", "")


def test_each_channel_has_its_ladder() -> None:
    text = repr(show(X, BY_ROWS, labels=["x", "q"]))
    assert "channel 0: -128 at -1.28, 0 at 0, 127 at 1.27" in text
    assert "channel 1: -128 at -27, -20 at 0, 127 at 36.75" in text
    assert "q[1, 3]: (31 - -20) × 0.25 = 12.75; meant 12.7, off by 0.05" in text


def test_an_element_is_one_letter_wherever_it_is_seen() -> None:
    page = parse(show(X, Q, labels=["x", "q"]).html())
    for n in range(8):
        seen = [e for e in page.all() if f"i-e{n}" in e.attributes.get("class", "").split()]
        assert len(seen) == 4
        assert len({e.attributes["title"] for e in seen}) == 1


@pytest.mark.parametrize(
    "q",
    [
        Q[1, 2], Q[:0], Q[0], Q.t(), BY_ROWS[:, 1:], Q.reshape(2, 2, 2),
        tw.quantize_per_tensor(tw.arange(1e6), 1.0, 0, tw.qint32),
        tw.quantize_per_tensor(X, float("nan"), 0, tw.quint8), tw.quantize_per_tensor(X, 0.0, 0, tw.quint8),
        tw.quantize_per_tensor(X, -0.1, 3, tw.quint8), tw.quantize_per_tensor(X, 1e300, 3, tw.quint8),
        tw.quantize_per_tensor(tw.tensor([float("nan"), float("inf"), 1.0]), 0.5, 3, tw.quint8),
        tw.quantize_per_channel(tw.ones(40, 3), tw.ones(40), tw.zeros(40).long(), 0, tw.quint8),
        tw.quantize_per_channel(tw.ones(2, 3), tw.ones(2), tw.zeros(2) + 0.25, 0, tw.quint8),
    ],
)  # fmt: skip
def test_every_size_and_every_scale_is_drawn_small(q: tw.Tensor) -> None:
    for picture in (show(q, labels=["q"]), show(q.dequantize(), q, labels=["x", "q"])):
        assert len(picture.html().encode()) <= 60_000
        assert repr(picture).splitlines()[0].startswith("q: ")


def test_a_lesson_sized_picture_is_small_and_survives_distrust() -> None:
    for picture in (show(X, Q, labels=["x", "q"]), show(META, META.t(), labels=["m", "m.t()"])):
        assert len(picture.html().encode()) <= 28_000
        page = parse(picture.html())
        tags = {"div", "span", "b", "table", "caption", "colgroup", "col", "tr", "th", "td"}
        assert {e.tag for e in page.all()} <= tags
        for element in page.all():
            assert not {"gap", "transform", "outline-offset"} & set(element.style)
        assert not re.search("0x[0-9a-f]{6,}", picture.html())


def test_other_company_is_refused() -> None:
    with pytest.raises(TypeError, match="one quantized tensor at a time"):
        show(Q, Q, labels=["a", "b"])
    with pytest.raises(TypeError, match="have the same size"):
        show(X[0], Q, labels=["x", "q"])
    with pytest.raises(TypeError, match="a list has no memory of its own"):
        show([1, 2], Q, labels=["x", "q"])
    with pytest.raises(TypeError, match="have the same size"):
        show(bytearray(4), Q, labels=["x", "q"])


def test_a_picture_keeps_no_tensor_alive_and_is_told_the_same_twice() -> None:
    q = Q.clone()
    picture = show(q, labels=["q"])
    before = repr(picture), picture.html()
    q.fill_(0.0)
    assert (repr(picture), picture.html()) == before == (repr(show(Q, labels=["q"])), show(Q, labels=["q"]).html())


def test_a_meta_tensor_is_a_plan() -> None:
    text = repr(show(META, META.t(), labels=["m", "m.t()"]))
    assert text.splitlines()[0] == "m, m.t(): a plan without bytes (float32, meta)"
    assert re.search(r"m\.t\(\) +\(4, 3\) +\(1, 4\) +12 +48 bytes +no bytes", text)
    assert "m.t()[1, 2]: offset = 0 + 1*1 + 2*4 = 9: it would be bytes 36..39" in text
    offsets = np.lib.stride_tricks.as_strided(np.arange(12), (4, 3), (8, 32))
    drawn = re.findall(r"^\d +(\(.*\))$", text.partition("m.t(): size")[2], re.MULTILINE)
    assert [[int(n) for n in re.findall(r"\d+", line)] for line in drawn] == offsets.tolist()


def test_a_plan_of_any_size_is_drawn_small() -> None:
    assert "two plans" in repr(show(META, tw.empty(2, device="meta"), META[0], labels=["a", "b", "c"]))
    big = tw.empty(10**6, 10**6, device="meta")
    picture = show(big, labels=["big"])
    assert "4.0 TB" in repr(picture) and len(picture.html().encode()) < 60_000
    assert "no element" in repr(show(tw.empty(0, 3, device="meta"), labels=["m"]))


@pytest.mark.torch
def test_tensors_of_pytorch_are_drawn_alike() -> None:
    import warnings

    import torch

    warnings.simplefilter("ignore")
    x = torch.tensor(X.tolist())
    q = torch.quantize_per_tensor(x, 0.1, 10, torch.quint8)
    assert repr(show(x, q, labels=["x", "q"])) == repr(show(X, Q, labels=["x", "q"]))
    meta = torch.empty(3, 4, device="meta")
    assert repr(show(meta, labels=["m"])) == repr(show(META, labels=["m"]))


def test_gaps_of_a_large_tensor_are_seen() -> None:
    q = tw.quantize_per_tensor(tw.linspace(-2, 4, 10_000).reshape(100, 100), 0.02, 128, tw.quint8)
    text = repr(show(q, labels=["q"]))
    (heads, *_) = [line.split() for line in text.splitlines() if line.endswith(" 99")]
    assert heads == ["0", "1", "2", "3", "…", "96", "97", "98", "99"] and text.count("⋮") == 2 * 9
    assert "9,952 of 10,000 elements are not drawn, and not marked on the ladder." in text


def test_a_value_on_a_fine_ladder_has_its_digits() -> None:
    q = tw.quantize_per_tensor(tw.linspace(-2, 4, 12), 1e-6, 0, tw.qint32)
    assert "(1272727 - 0) × 1e-06 = 1.272727" in repr(show(q, labels=["q"]))
