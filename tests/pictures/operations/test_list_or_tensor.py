"""A list and the tensor of it: sizes as Python counts them, refusals as PyTorch has them, pointers that lead home."""

from __future__ import annotations

import gzip
import json
import re
import sys
from typing import Any

import numpy as np
import pytest

import tensorwidgets as tw
from tensorwidgets.engine.errors.reasons import Reason
from tensorwidgets.pictures import show
from tensorwidgets.pictures.arrays.listing import is_list, leaves, objects, tensor_of, weight
from tensorwidgets.pictures.drawing.tokens import NARROW
from tensorwidgets.pictures.operations.list_or_tensor import converted
from tensorwidgets.pictures.parts.boxes import scattered
from tests.pictures.operations.freeze_listing import CASES, REFERENCE, case, torch_answer
from tests.pictures.parsed import Element, keys, parse
from tests.pictures.rule import agree, letters

SIX = [3.0, 1.0, 4.0, 2.0, 5.0, 9.0]


def answer_of(thing: Any) -> list[Any]:
    made = tensor_of(thing)
    return [made.error.__name__, made.message] if isinstance(made, Reason) else [list(made.size), made.dtype._name]


def test_frozen_answers_of_pytorch() -> None:
    answers = json.loads(gzip.decompress(REFERENCE.read_bytes()))["answers"]
    wrong = [(case(k), answer) for k, answer in enumerate(answers) if answer_of(case(k)) != answer]
    assert len(answers) == CASES and not wrong, wrong[:3]


@pytest.mark.torch
def test_live_answers_of_pytorch() -> None:
    for number in range(CASES, CASES + 2000):
        assert answer_of(case(number)) == torch_answer(case(number))


def test_weights_are_what_python_says() -> None:
    for thing in (1.5, 1, -7, 2**29, 2**30, 2**59, 2**60, 2**100, 1j, [], [1, 2, 3], [[1], [2]]):
        assert weight(thing) == sys.getsizeof(thing if not is_list(thing) else list(thing) * 1)
    assert weight(SIX) == sys.getsizeof([]) + 8 * len(SIX)


def test_every_object_counts_once() -> None:
    row = [1.5, 2.5]
    found = objects([row, row, row[0]])
    assert [id(item) for item in found.values()][1:] == [id(row), id(row[0]), id(row[1])]
    text = repr(show.list_or_tensor([row, row]))
    assert "2·56 + 4·8 + 2·24 = 192 bytes in 4 places" in text


def test_six_numbers() -> None:
    text = repr(show.list_or_tensor(SIX))
    assert "56 + 6·8 + 6·24 = 248 bytes in 7 places" in text and "6·4 = 24 bytes in one place" in text
    assert "248 against 24 bytes: 10.3 times as much, for the same six numbers" in text
    assert "list    32.0 MB\ntensor   4.0 MB" in text


def heap(page: Element) -> list[Element]:
    return [e for e in page.all("table", "tw-heap")[0].all("div") if letters(e)]


def test_slots_boxes_and_elements_light_up_together() -> None:
    page = parse(show.list_or_tensor(SIX).html())
    slots = [e for e in heap(page) if e.attributes["title"].startswith("slot ")]
    boxes = [e for e in heap(page) if e.attributes["title"].startswith("float ")]
    run = page.all("table", "tw-storage")[0].all("td")
    assert [cell.text() for cell in run] == ["3", "1", "4", "2", "5", "9"] and keys(run[2]) == [("A", 2)]
    for k, slot in enumerate(slots):
        lit = [e for e in boxes if agree(slot, e)]
        assert len(lit) == 3 and lit[-1].text() == f"{SIX[k]:g}"
        assert [agree(slot, cell) for cell in run] == [j == k for j in range(6)]


def test_pointers_end_at_their_boxes() -> None:
    """Each line goes from the middle of a slot to the middle of the box that the slot leads to."""
    page = parse(show.list_or_tensor(SIX).html())

    def left(e: Element) -> int:
        return int(e.style["left"][:-2])

    def width(e: Element) -> int:
        return int(e.style["width"][:-2])

    strokes = [
        e for e in page.all("table", "tw-heap")[0].all("div") if e.style.get("position") == "absolute" and not e.classes
    ]
    across = sorted(
        (left(e), left(e) + width(e) - 1) for e in strokes if "border-top" in e.style and e.style["height"] == "0px"
    )
    slots = [e for e in heap(page) if e.attributes["title"].startswith("slot ")]
    boxes = [e for e in heap(page) if e.attributes["title"].startswith("float ")]
    wanted = []
    for slot in slots:
        own = [e for e in boxes if agree(slot, e)]
        middle = (min(map(left, own)) + max(left(e) + width(e) for e in own)) // 2
        wanted.append(tuple(sorted((left(slot) + width(slot) // 2, middle))))
    assert across == sorted(wanted)


def test_boxes_are_to_scale_and_do_not_overlap() -> None:
    for thing in (SIX, [1, 2, 1000], [1j, 2.5], list(range(40)), [[1.5, 2.5], [3.5, 4.5]], [True, False]):
        page = parse(show.list_or_tensor(thing).html())
        scale = int(re.search(r"to scale: (\d) px", page.text())[1])  # type: ignore[index]
        rows: dict[str, list[tuple[int, int]]] = {}
        for e in heap(page):
            x, w = int(e.style["left"][:-2]), int(e.style["width"][:-2])
            assert 0 <= x and x + w <= NARROW
            rows.setdefault(e.style["top"], []).append((x, x + w))
        for spans in rows.values():
            spans.sort()
            assert all(a[1] <= b[0] for a, b in zip(spans, spans[1:], strict=False))
        run = page.all("table", "tw-storage")[0]
        made = tensor_of(thing)
        assert not isinstance(made, Reason)
        assert run.all("col")[0].style["width"] == f"{made.dtype.itemsize * scale}px"


def test_rows_of_rows() -> None:
    text = repr(show.list_or_tensor([[1, 2, 3], [4, 5, 6]]))
    assert "3·56 + 8·8 + 6·28 = 400 bytes in 9 places" in text
    assert "int64: 1 2 3 4 5 6, as (2, 3)" in text


def test_the_tensor_holds_the_numbers_converted() -> None:
    """A list of several kinds keeps them; its tensor has one."""
    for thing, held in (([1, 2.5, True], "float32: 1 2.5 1"), ([1, 2, True], "int64: 1 2 1"), ([True, 1j], "1 0+1j")):
        text = repr(show.list_or_tensor(thing))
        assert held in text and "True" in text.partition("tensor(")[0]
    run = parse(show.list_or_tensor([1, 2.5, True]).html()).all("table", "tw-storage")[0].all("td")
    assert [cell.attributes["title"].split(",")[0].rpartition("= ")[2] for cell in run] == ["1", "2.5", "1"]


def test_shared_boxes_are_one() -> None:
    text = repr(show.list_or_tensor([True, False, True]))
    assert "2·28" in text and "1 slot leads to a box that another slot leads to as well." in " ".join(text.split())


def test_long_lists_are_cut_and_counted() -> None:
    numbers = [k + 0.5 for k in range(5000)]
    picture = show.list_or_tensor(numbers, labels=["numbers"])
    text = repr(picture)
    assert "numbers: 56 + 5000·8 + 5000·24 = 160,056 bytes in 5,001 places" in text
    assert "more" in text and len(picture.html().encode()) < 90_000


def test_ragged_rows_are_refused_with_a_fix() -> None:
    text = repr(show.list_or_tensor([[1, 2], [3]]))
    assert "The first row has 2 items and another has 1" in text
    assert "expected sequence of length 2 at dim 1 (got 1)" in text
    rows = [[1, 2], [3]]
    assert np.array([row + [0] * (2 - len(row)) for row in rows]).shape == (2, 2)
    assert "[row + [0] * (2 - len(row)) for row in rows]" in text and "1  3  (0)" in text


@pytest.mark.parametrize(
    ("thing", "told"),
    [
        (["a"], "too many dimensions 'str'"),
        ([1, None], "Could not infer dtype of NoneType"),
        ([1, [2]], "'list' object cannot be interpreted as an integer"),
        ([[1], 2], "not a sequence"),
        ([2**63], "Overflow when unpacking long long"),
    ],
)
def test_lists_that_make_no_tensor(thing: Any, told: str) -> None:
    text = repr(show.list_or_tensor(thing))
    assert text.startswith("A list that makes no tensor") and told in " ".join(text.split())


def test_arrays_are_taken_back_to_lists() -> None:
    text = repr(show.list_or_tensor(np.array([1.0, 2.0], np.float32)))
    assert (
        "2·4 = 8 bytes" in text and repr(show.list_or_tensor([1.0, 2.0], dtype="float64")).count("2·8 = 16 bytes") == 1
    )


def test_nothing_and_no_list() -> None:
    assert "a tensor of no elements has no bytes" in repr(show.list_or_tensor([]))
    with pytest.raises(TypeError, match="takes a list of numbers"):
        show.list_or_tensor(3)
    endless: list[Any] = [1]
    endless.append(endless)
    with pytest.raises(ValueError, match="holds itself"):
        show.list_or_tensor(endless)


def test_arrays_without_a_list_of_numbers() -> None:
    with pytest.raises(TypeError, match="far has no numbers to list: its device is meta"):
        show.list_or_tensor(tw.empty(3, device="meta"), labels=["far"])
    with pytest.raises(ValueError, match="wide has 1,000,000,000,000 elements, .* take a part of it"):
        show.list_or_tensor(tw.ones(1).expand(10**6, 10**6), labels=["wide"])
    with pytest.raises(TypeError, match="has the layout sparse_coo"):
        show.list_or_tensor(tw.eye(3).to_sparse())
    steps = tw.quantize_per_tensor(tw.tensor([0.5, 1.0]), 0.5, 0, tw.quint8)
    assert "float 0.5, 24 bytes" in repr(show.list_or_tensor(steps))


def test_scattering_keeps_everything() -> None:
    for count in range(40):
        assert sorted(scattered(range(count))) == list(range(count))
    assert list(leaves([[1, [2]], 3])) == [1, 2, 3]


def test_a_tensor_has_the_numbers_of_its_dtype() -> None:
    for numbers, kind, said in (
        ([500.0, 0.3], "float8_e4m3fn", "448 0.312"),
        ([3.14159], "bfloat16", "3.141"),
        ([-1, 7], "uint8", "255 7"),
        ([300.0, 1e9], "float8_e5m2fnuz", "320 nan"),
        ([70000.0], "float16", "inf"),
    ):
        assert f"  {kind}: {said}\n" in repr(show.list_or_tensor(numbers, dtype=kind))


@pytest.mark.parametrize(
    "number, kind, message",
    [
        (300, "int8", "value cannot be converted to type int8 without overflow"),
        (-0.5, "uint8", "value cannot be converted to type uint8 without overflow"),
        (float("nan"), "int32", "value cannot be converted to type int32 without overflow"),
        (2**70, "int8", "Overflow when unpacking long long"),
        (-1, "uint64", "can't convert negative int to unsigned"),
        (0.5, "uint64", "an integer is required"),
    ],
)
def test_a_number_that_the_dtype_does_not_hold_is_refused(number: float, kind: str, message: str) -> None:
    text = repr(show.list_or_tensor([1, number], dtype=kind))
    assert text.startswith("A list that makes no tensor") and message in text
    with pytest.raises((RuntimeError, ValueError, OverflowError, TypeError), match=re.escape(message)):
        tw.tensor([1, number], dtype=getattr(tw, kind))


@pytest.mark.torch
def test_the_numbers_of_a_list_become_those_of_pytorch() -> None:
    import torch

    numbers = (
        0,
        1,
        -1,
        127,
        -129,
        255,
        -256,
        300,
        65536,
        2**31,
        2**63 - 1,
        2**63,
        2**64,
        0.1,
        -1.9,
        1e10,
        464.0,
        465.0,
    )
    for number in (*numbers, 65519.0, 1e-9, float("nan"), float("inf"), True, -0.0, 3.14159):
        for kind in ("uint8", "int8", "int32", "int64", "uint16", "uint64", "bool", "float16", "bfloat16", "float32",
                     "float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz"):  # fmt: skip
            made = tensor_of([number], getattr(tw, kind))
            try:
                wanted = repr(torch.tensor([number], dtype=getattr(torch, kind)).tolist()[0])
            except (RuntimeError, ValueError, OverflowError, TypeError) as refused:
                wanted = str(refused)
            assert (made.message if isinstance(made, Reason) else repr(converted(number, made.dtype))) == wanted


def test_what_lies_deeper_is_counted() -> None:
    assert "Deeper lie 4 lists and 8 numbers, which are not drawn." in repr(
        show.list_or_tensor([[[1, 2], [3, 4]], [[5, 6], [7, 8]]])
    )
    assert "Deeper" not in repr(show.list_or_tensor([[1, 2], [3, 4]]))


def test_slots_that_are_not_drawn_are_counted() -> None:
    assert "… 9,988 more" in show.list_or_tensor(list(range(10_000)), labels=["numbers"]).html()
