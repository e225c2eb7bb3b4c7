"""Promotion against PyTorch's own table: where pairs meet, which ways lead there, and who is refused."""

from __future__ import annotations

import json
from itertools import product
from typing import Any

import numpy as np
import pytest

from tensorwidgets.engine.errors.reasons import Reason
from tensorwidgets.engine.types import dtypes
from tensorwidgets.pictures import show
from tensorwidgets.pictures.operations.promotion import lost, meet, side_of
from tensorwidgets.pictures.parts.lattice import APART, MAIN, steps_up, way
from tests.pictures.operations.freeze_promotion import NAMES, NUMBERS, REFERENCE, torch_answer
from tests.pictures.parsed import Element, parse

ANSWERS: dict[str, Any] = json.loads(REFERENCE.read_text(encoding="utf-8"))
PAIRS = {(a, b): ANSWERS["pairs"][j][k] for j, a in enumerate(NAMES) for k, b in enumerate(NAMES)}


def test_every_pair_is_pytorchs() -> None:
    for (a, b), wanted in PAIRS.items():
        found = meet([side_of(a, ""), side_of(b, "")])
        assert (found.message if isinstance(found, Reason) else found._name) == wanted


@pytest.mark.torch
def test_the_frozen_table_is_pytorchs() -> None:
    assert {pair: torch_answer(*pair) for pair in PAIRS} == PAIRS


def test_pictures_say_where_a_pair_meets() -> None:
    for a, b in product(NAMES, NAMES):
        text = repr(show.promotion(a, b))
        wanted = PAIRS[a, b]
        if wanted in NAMES:
            assert text.startswith(f"{a} and {b} (meet in {wanted})")
            assert f"{a} + {b} -> {wanted}:" in text
        else:
            assert text.startswith(f"{a} and {b} (do not meet)") and wanted in " ".join(text.split())


def test_numbers_and_tensors_without_dimensions_count_by_kind() -> None:
    for name, rows in zip(NAMES, ANSWERS["numbers"], strict=True):
        kind = dtypes.BY_NAME[name]
        if kind is dtypes.complex32:
            continue  # NumPy has no array of it
        for dims, answers in enumerate(rows):
            for number, wanted in zip(NUMBERS, answers, strict=True):
                array = np.zeros([2] * dims, kind._in_numpy)
                found = meet([side_of(array, "x"), side_of(number, "n")])
                assert (found.message if isinstance(found, Reason) else found._name) == wanted, (name, dims, number)


def test_the_steps_of_the_lattice_are_the_order_of_the_table() -> None:
    """Going up in steps reaches exactly the types that a type can be raised to."""
    for a in MAIN:
        reached, edge = {a}, {a}
        while edge:
            edge = {b for d in edge for b in steps_up()[d]} - reached
            reached |= edge
        assert {d._name for d in reached} == {d._name for d in MAIN if PAIRS[a._name, d._name] == d._name}


def test_where_two_meet_is_the_first_above_both() -> None:
    for a, b in product(MAIN, MAIN):
        above = [d for d in MAIN if PAIRS[a._name, d._name] == d._name and PAIRS[b._name, d._name] == d._name]
        first = PAIRS[a._name, b._name]
        assert first in [d._name for d in above]
        assert all(PAIRS[first, d._name] == d._name for d in above)


def test_ways_lead_up_step_by_step() -> None:
    for a, b in product(MAIN, MAIN):
        goal = dtypes.BY_NAME[PAIRS[a._name, b._name]]
        found = way(a, goal)
        assert found[0] is a and found[-1] is goal
        assert all(after in steps_up()[before] for before, after in zip(found, found[1:], strict=False))


def nodes(page: Element) -> dict[str, Element]:
    return {
        e.attributes["title"].split(" | ")[0]: e for e in page.all("table", "tw-lattice")[0].all("div") if e.classes
    }


def test_all_types_are_drawn_and_none_on_another() -> None:
    found = nodes(parse(show.promotion().html()))
    assert set(found) == {d._name for d in (*MAIN, *APART)}
    boxes = [[int(e.style[side][:-2]) for side in ("left", "top", "width", "height")] for e in found.values()]
    for k, (x, y, w, h) in enumerate(boxes):
        assert 0 <= x and x + w <= 828
        assert not any(x < a + c and a < x + w and y < b + d and b < y + h for a, b, c, d in boxes[:k])


def test_the_pair_and_where_it_meets_are_marked() -> None:
    found = nodes(parse(show.promotion("float16", "bfloat16").html()))
    assert "3px solid" in found["float32"].style["border"]
    assert "2px solid" in found["float16"].style["border"] and "2px dashed" in found["bfloat16"].style["border"]
    refused = nodes(parse(show.promotion("uint16", "int32").html()))
    assert refused["uint16"].text() == "uint16 ≠" and refused["int32"].text() == "int32 ≠"


def test_the_table_of_all_pairs() -> None:
    page = parse(show.promotion().html())
    for line in page.all("table", "tw-promotion")[0].all("tr")[:-1]:
        one = line.all("th")[0].text()
        for cell in [td for td in line.all("td") if td.classes]:
            pair, _, won = cell.attributes["title"].partition(" | meet in ")
            a, b = pair.split(" + ")
            assert a == one and PAIRS[a, b] == won
            assert cell.text() == dtypes.BY_NAME[won].abbr and cell.classes == [
                f"i-t{dtypes.ALL.index(dtypes.BY_NAME[won])}"
            ]


def test_what_is_lost_is_lost() -> None:
    """Whole numbers of a type through the type where they meet, against NumPy's casts."""
    for a, b in product(MAIN, MAIN):
        won = dtypes.BY_NAME[PAIRS[a._name, b._name]]
        if a._kind != dtypes.INTEGER or won is dtypes.complex32:
            continue
        info = np.iinfo(a._in_numpy)
        probe = np.array([info.max, info.max - 1, info.min], a._in_numpy)
        with np.errstate(over="ignore", invalid="ignore"):
            through = probe.astype(won._in_numpy)
            back = [v if isinstance(v, int) else complex(v).real for v in through.tolist()]
        exact = all(v == int(n) for v, n in zip(back, probe.tolist(), strict=True))
        assert exact == (f"Not every {a._name} " not in lost([a], won)), (a, won)


def test_numpy_is_told_where_it_differs() -> None:
    assert "NumPy gives float64" in repr(show.promotion("int32", "float16"))
    assert "NumPy gives" not in repr(show.promotion("int16", "uint8"))
    assert "NumPy gives float64" in repr(show.promotion(np.zeros(3, np.int32), 2.5))


def test_types_are_taken_by_any_name() -> None:
    for one in (dtypes.int32, "int32", "torch.int32", np.int32, np.dtype("int32"), np.zeros(3, np.int32), np.int32(3)):
        assert "int32" in repr(show.promotion(one, "float16", labels=["x", "y"])).splitlines()[0]
    assert repr(show.promotion(float, np.zeros(3, np.int32), labels=["float", "x"])).startswith(
        "float (float32) and x (int32)"
    )
    with pytest.raises(TypeError, match="takes dtypes, arrays and numbers"):
        show.promotion("int33", "int8")
    with pytest.raises(TypeError, match="is not a dtype of PyTorch"):
        show.promotion(np.array(["a"]), "int8")


def test_more_than_two() -> None:
    assert "meet in complex64" in repr(show.promotion("int8", "float32", "complex32"))
