"""Broadcasting against NumPy: what fits, which elements meet, and ways out that do what they say."""

from __future__ import annotations

import operator
import random
from typing import Any

import numpy as np
import pytest

import tensorwidgets as tw
from tensorwidgets.pictures import show
from tensorwidgets.pictures.arrays.values import short
from tensorwidgets.pictures.operations.broadcast.clash import Misfit
from tensorwidgets.pictures.operations.broadcast.fixes import fixes
from tensorwidgets.pictures.operations.broadcast.meetings import Meetings
from tensorwidgets.pictures.operations.operands import operands_of
from tests.parts import Part, in_parts
from tests.pictures.parsed import keys, parse
from tests.pictures.rule import agree, views

A = np.array([[10], [20], [30]], np.float32)
B = np.array([1, 2, 3, 4], np.float32)
P = np.arange(12, dtype=np.float32).reshape(3, 4)
Q = np.array([100, 200, 300], np.float32)


def shapes(dice: random.Random, count: int = 0) -> list[tuple[int, ...]]:
    """Shapes that stretch to one another, with a size spoiled now and then."""
    full = [dice.choice([0, 1, 2, 2, 3, 3, 4]) for _ in range(dice.randint(0, 4))]
    out = []
    for _ in range(count or dice.choice([1, 2, 2, 2, 3])):
        own = [1 if dice.random() < 0.3 else n for n in full[dice.randint(0, len(full)) :]]
        if own and dice.random() < 0.35:
            own[dice.randrange(len(own))] = dice.choice([2, 3, 5])
        out.append(tuple(own))
    return out


def numpy_says(sizes: list[tuple[int, ...]]) -> tuple[int, ...] | None:
    try:
        return np.broadcast_shapes(*sizes)
    except ValueError:
        return None


@in_parts(5)
def test_thousands_of_shapes_are_judged_as_numpy_judges_them(part: Part) -> None:
    dice = random.Random(1)
    refused = 0
    for sizes in part.of(shapes(dice) for _ in range(3000)):
        told = repr(show.broadcast(*sizes)).splitlines()[0]
        wanted = numpy_says(sizes)
        if wanted is None:
            refused += 1
            assert "do not fit" in told, sizes
        else:
            text = f"({', '.join(map(str, wanted))}{',' if len(wanted) == 1 else ''})"
            assert "do not fit" not in told, sizes
            assert f"gives {text}" in told or len(told) > 50, sizes  # a long title leaves no room for it
    assert part.least(50, 240) < refused < part.least(300, 1200), refused


@in_parts(5)
def test_the_verdict_of_each_axis(part: Part) -> None:
    dice = random.Random(2)
    for sizes in part.of(shapes(dice) for _ in range(2000)):
        lines = repr(show.broadcast(*sizes)).splitlines()
        dims = max(map(len, sizes))
        if not dims:
            continue
        told = next(line for line in lines if line.startswith("so "))[2:]
        for axis in range(-dims, 0):
            column = [size[axis] for size in sizes if len(size) >= -axis]
            wide = list(dict.fromkeys(n for n in column if n != 1))
            if len(wide) > 1:
                assert " ≠ ".join(map(str, wide)) in told
            elif len(column) < len(sizes):
                assert f"missing: 1 → {wide[0]}" in told if wide else "missing: 1" in told
            elif 1 in column and wide:
                assert f"1 → {wide[0]}" in told


@in_parts(3)
def test_sources_of_every_result_are_numpys(part: Part) -> None:
    """Offsets in the classes of result and ghosts against broadcast_to of the offsets themselves."""
    dice = random.Random(3)
    held = 0
    for sizes in part.of(shapes(dice) for _ in range(600)):
        size = numpy_says(sizes)
        if size is None or np.prod(size, dtype=int) > 60:
            continue
        page = parse(show.broadcast(*sizes).html())
        *sides, result = views(page)
        if np.prod(size, dtype=int) == 0:
            assert not result
            continue
        offsets = [np.broadcast_to(np.arange(np.prod(s, dtype=int)).reshape(s), size).ravel() for s in sizes]
        letters = "ABCD"[: len(sizes)]
        for k, letter in enumerate(letters):
            assert [keys(cell) for cell in sides[k]] == [[(letter, n)] for n in offsets[k]], sizes
        own = "ABCD"[len(sizes)]
        for at, cell in enumerate(result):
            wanted = [(own, at), *((c, offsets[k][at]) for k, c in enumerate(letters))]
            assert keys(cell) == wanted, sizes
        held += 1
    assert held > part.least(80, 160)


def test_ghosts_are_the_elements_that_were_never_allocated() -> None:
    dice = random.Random(4)
    for _ in range(200):
        sizes = shapes(dice, 2)
        size = numpy_says(sizes)
        if size is None or not 0 < np.prod(size, dtype=int) <= 60:
            continue
        for side, own in zip(views(parse(show.broadcast(*sizes).html())), sizes, strict=False):
            ghosts = [cell for cell in side if "never allocated" in cell.attributes["title"]]
            assert len(side) - len(ghosts) == np.prod(own, dtype=int)
            assert all("dotted" in cell.style["border"] for cell in ghosts)


def test_hover_lights_sources_and_results() -> None:
    """A result lights its two sources and where they are read; a source lights all that it goes into."""
    a, b, c = views(parse(show.broadcast(A, B, labels=["a", "b"]).html()))
    for i in range(3):
        for j in range(4):
            at = 4 * i + j
            assert [agree(c[at], other) for other in c] == [k == at for k in range(12)]
            assert [k for k in range(12) if agree(c[at], a[k])] == sorted({4 * i, at})
            assert [k for k in range(12) if agree(c[at], b[k])] == sorted({j, at})
        assert [k for k in range(12) if agree(a[4 * i], c[k])] == [4 * i + j for j in range(4)]
    assert [k for k in range(12) if agree(b[2], c[k])] == [2, 6, 10]


def test_values_are_added_in_the_type_that_the_arrays_meet_in() -> None:
    for left, right in [
        (np.uint8([200, 7]), np.uint8([100])),
        (np.array([True, False]), np.array([True])),
        (np.int8([100]), np.int8([100])),
        (np.float32([0.1]), np.float64([0.2])),
        (np.array([1, 2], ">i2"), np.array([3], ">i2")),
        (np.array([1 + 2j]), np.array([0.5])),
    ]:
        cells = Meetings(
            operands_of([left, right], ["a", "b"]), [left, right], np.broadcast_shapes(left.shape, right.shape)
        )
        assert list(cells.values.values()) == (left + right).ravel().tolist()


def test_numbers_and_arrays_of_numbers() -> None:
    text = repr(show.broadcast(B, 2.5, labels=["b", "n"]))
    assert "result[2]: = b[2] + n = 3 + 2.5 = 5.5" in text and "one number, read each time" in text


def test_scalars_and_empty_arrays() -> None:
    assert "result: = a + b = 1 + 2 = 3" in repr(show.broadcast(np.float64(1), np.float64(2), labels=["a", "b"]))
    text = repr(show.broadcast(np.zeros((0, 3)), B[:3], labels=["a", "b"]))
    assert "gives (0, 3)" in text and "no element" in text


def test_a_clash_names_the_axis_and_both_sizes() -> None:
    text = repr(show.broadcast(P, Q, labels=["p", "q"]))
    assert "4 ≠ 3" in text and "dim -1: p has 4, q has 3: not equal, and neither is 1" in text
    assert "The size of tensor a (4) must match the size of tensor b (3) at non-singleton dimension 1" in text


def test_a_clash_marks_who_has_no_partner() -> None:
    p, q, *_ = views(parse(show.broadcast(P, Q, labels=["p", "q"]).html()))
    lonely = [cell.text() for cell in p if "meets nothing" in cell.attributes["title"]]
    assert lonely == ["3", "7", "11"]
    assert [cell.text() for cell in q] == ["100", "200", "300", "≠"]
    assert "dashed" in q[3].style["border"] and "does not exist" in q[3].attributes["title"]
    assert [k for k in range(12) if agree(q[3], p[k])] == [3, 7, 11]


def test_every_way_out_does_what_it_says() -> None:
    """The code is run by NumPy, and its result has the promised size."""
    dice = random.Random(5)
    offered = 0
    for _ in range(4000):
        sizes = shapes(dice, 2)
        if numpy_says(sizes) is not None:
            continue
        p, q = (np.arange(np.prod(s, dtype=int)).reshape(s) + 100 * k for k, s in enumerate(sizes))
        for fix in fixes(sizes, ("p", "q"), 1, numpy=True):
            found = eval(fix.code, {"p": p, "q": q})
            assert found.shape == fix.result, (sizes, fix.code)
            offered += 1
    assert offered > 300


def test_drawn_ways_out_hold_numpys_numbers() -> None:
    page = parse(show.broadcast(P, Q, labels=["p", "q"]).html())
    _, _, *drawn = views(page)
    assert [cell.text() for cell in drawn[1]] == [f"{v:g}" for v in (P + Q[:, None]).ravel()]
    assert [cell.text() for cell in drawn[3]] == [f"{v:g}" for v in (P.T + Q).ravel()]


def test_ways_out_are_spelled_as_the_library_spells_them() -> None:
    assert "p.T + q" in repr(show.broadcast((3, 4), (3,), labels=["p", "q"]))
    assert "(p * 2).T + q" in repr(show.broadcast(P, Q, labels=["p * 2", "q"]))
    deep = [fix.code for fix in fixes(((2, 3, 4), (4, 3, 2)), ("p", "q"), 1)]
    assert deep[0] == "p + q.permute(2, 1, 0)"
    assert fixes(((2, 3, 4), (4, 3, 2)), ("p", "q"), 1, numpy=True)[0].code == "p + q.transpose(2, 1, 0)"


OPS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}
KINDS = ("float32", "float64", "int64", "uint8", "complex64")


@pytest.mark.parametrize("op", OPS)
def test_the_result_is_that_of_the_operation_which_was_asked_for(op: str) -> None:
    """For every pair of types, NumPy's and ours: the numbers and the type that the operation itself gives."""
    for left in KINDS:
        for right in KINDS:
            a, b = np.array([[10], [20], [30]], left), np.array([1, 2, 3, 4], right)
            for one, other in ((a, b), (tw.from_numpy(a), tw.from_numpy(b))):
                picture = show.broadcast(one, other, labels=["a", "b"], op=op)
                wanted = OPS[op](one, other)
                *_, drawn = views(parse(picture.html()))
                assert [cell.text() for cell in drawn] == [short(v) for v in wanted.reshape(-1).tolist()]
                assert f"a storage of its own, {str(wanted.dtype).removeprefix('torch.')}" in repr(picture)


@pytest.mark.parametrize("op", OPS)
def test_every_sign_in_the_picture_is_that_of_the_operation(op: str) -> None:
    for things in ((A, B), (P, Q), (A, B, 2), ((2, 1), (3,)), ((3, 4), (3,))):
        labels = ["a", "b", "c"][: len(things)]
        picture = show.broadcast(*things, labels=labels, op=op)
        text = repr(picture)
        assert text.startswith(f" {op} ".join(labels))
        assert not any(f" {other} " in text for other in OPS if other != op)
        assert f" {op} " in picture.live(predict=True).question


def test_operations_that_are_not_drawn_are_refused() -> None:
    with pytest.raises(ValueError, match=r"op= is one of '\+', '-', '\*', '/', not '%'"):
        show.broadcast(A, B, op="%")


def test_more_than_two() -> None:
    assert "gives (2, 3, 4)" in repr(show.broadcast((2, 1, 1), (3, 1), (4,)))
    text = repr(show.broadcast((2, 3), (3,), (4,), labels=["a", "b", "c"]))
    assert "dim -1: a has 3, b has 3, c has 4: not all equal, and none is 1" in text


def test_large_arrays_show_their_corners_and_read_no_more() -> None:
    x = np.broadcast_to(np.float32(3), (30_000, 30_000))
    picture = show.broadcast(x, np.arange(30_000.0), labels=["x", "row"])
    text = repr(picture)
    assert "899,999,984 cells of each grid are not drawn" in text
    assert "result[1, 29998]: = x[1, 29998] + row[29998] = 3 + 3e4" in text
    assert len(picture.html().encode()) < 30_000


def test_a_misfit_is_drawn_no_wider_than_its_window() -> None:
    meet = Misfit(operands_of([(2, 9000), (2, 7000)], ["a", "b"]), [None, None], _reason((2, 9000), (2, 7000)))
    assert [len(view.cells) for view in meet.views()] == [24, 24]


def _reason(*sizes: tuple[int, ...]) -> Any:
    from tensorwidgets.engine.geometry import broadcast

    return broadcast(*sizes)


def test_the_same_storage_twice() -> None:
    x = np.arange(9.0).reshape(3, 3)
    *_, result = views(parse(show.broadcast(x, x.T, labels=["x", "x.T"]).html()))
    assert keys(result[1]) == [("B", 1), ("A", 1), ("A", 3)]


def test_shapes_in_a_call_are_lettered() -> None:
    assert repr(show.broadcast((2, 1), (3,))).startswith("A + B, when the shapes stretch")


def test_no_operand_and_no_array() -> None:
    with pytest.raises(TypeError, match="takes arrays or shapes"):
        show.broadcast()
    with pytest.raises(TypeError, match="a list has no memory"):
        show.broadcast([1, 2], (2,))
    with pytest.raises(ValueError, match="a size is 0 or more"):
        show.broadcast((2, -1), (2,))


def test_names_and_devices_that_do_not_fit_are_told() -> None:
    named = tw.ones(2, 3, names=("a", "b"))
    text = " ".join(repr(show.broadcast(named, tw.ones(3, names=("c",)), labels=["x", "y"])).split())
    assert "The shapes fit; the names do not: Lined up from the right, 'b' meets 'c' in dim -1" in text
    assert "refused, as is said below" in text and "= 1 + 1 = 2" not in text and "is new" not in text
    for other in (tw.ones(3, names=("b",)), tw.ones(3), 2, (3,)):
        assert "do not" not in repr(show.broadcast(named, other, labels=["x", "y"]))


def test_tensors_on_two_devices_do_not_meet() -> None:
    with tw.cuda.simulate(1):
        there = tw.ones(2, 3, device="cuda")
        text = " ".join(repr(show.broadcast(there, tw.ones(3), labels=["x", "y"])).split())
        assert "The shapes fit; the devices do not: x is on cuda:0, y is on cpu." in text
        assert "devices" not in repr(show.broadcast(there, tw.tensor(2.0), labels=["x", "y"]))
        assert "devices" not in repr(show.broadcast(there, there, labels=["x", "y"]))
        del there


def test_dates_cannot_be_divided() -> None:
    dates, days = np.array(["2024-01-15"], "M8[D]"), np.array([[1], [2]], "m8[D]")
    assert "a storage of its own\n" in repr(show.broadcast(dates, days, labels=["x", "y"], op="/"))


def test_a_clash_of_many_dimensions_is_drawn_in_part() -> None:
    picture = show.broadcast((2, 3, 4, 5, 6, 7), (2, 3, 4, 4, 6, 7))
    assert len(picture.html()) < 120_000 and "5 ≠ 4" in repr(picture)


def test_an_einsum_says_which_dimension_has_size_one() -> None:
    assert "i       2     dim 0 of size 1  dim 0" in repr(show.einsum("ij,ij->ij", (1, 3), (2, 3)))
