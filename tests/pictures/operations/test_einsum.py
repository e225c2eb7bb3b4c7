"""Einsum against NumPy: what is refused, which cells meet, the numbers, the costs."""

from __future__ import annotations

import random
from collections.abc import Iterable
from math import prod

import numpy as np
import pytest

from tensorwidgets.engine.types.einsum_equation import Plan, fit, parse
from tensorwidgets.pictures import show
from tensorwidgets.pictures.arrays.values import short
from tensorwidgets.pictures.operations.einsum.contraction import all_at_once, best_path, left_to_right, steps
from tensorwidgets.pictures.operations.einsum.known_equations import SHORTER, same_as
from tests.engine.products.equation_cases import case
from tests.parts import Part, in_parts
from tests.pictures.parsed import keys
from tests.pictures.parsed import parse as read
from tests.pictures.rule import agree, letters, views

A = np.array([[1, 2, 3], [4, 5, 6]])
B = np.array([[1, 0, 2, 1], [3, 1, 0, 2], [2, 4, 1, 0]])


def arrays_for(shapes: list[tuple[int, ...]]) -> list[np.ndarray]:
    return [np.arange(1, 1 + prod(shape)).reshape(shape) for shape in shapes]


def accepted(text: str, arrays: list[np.ndarray]) -> np.ndarray | None:
    try:
        return np.einsum(text, *arrays)
    except (ValueError, UnicodeEncodeError):
        return None


def held_cases(numbers: Iterable[int]) -> list[tuple[str, list[np.ndarray], np.ndarray]]:
    """Generated equations that NumPy takes, with small operands and their result."""
    out = []
    for number in numbers:
        text, shapes = case(number)
        arrays = arrays_for(shapes)
        result = accepted(text, arrays)
        plan = fit(parse(text, [a.ndim for a in arrays]), shapes)
        if result is not None and isinstance(plan, Plan) and sum(a.size for a in arrays) + result.size < 150:
            out.append((text, arrays, result))
    return out


@in_parts(4)
def test_numpy_refuses_what_is_refused(part: Part) -> None:
    """But for a diagonal of an empty array that is none, which NumPy invents."""
    refused = 0
    for number in part.of(range(2500)):
        text, shapes = case(number)
        arrays = arrays_for(shapes)
        told = repr(show.einsum(text, *arrays, labels=[f"x{k}" for k in range(len(arrays))])).splitlines()[0]
        wanted = accepted(text, arrays)
        if (wanted is None) != told.endswith("(is refused)"):
            assert wanted is not None and not wanted.size == 0 or any(0 in shape for shape in shapes), (text, shapes)
        refused += wanted is None
    assert part.least(125, 375) < refused < part.least(375, 1125)


def fed(text: str, arrays: list[np.ndarray], k: int) -> np.ndarray:
    """For each element of operand k, which elements of the result it goes into: NumPy asked with a single one."""
    ones = [np.ones(a.shape) for a in arrays]
    rows = []
    for at in range(arrays[k].size):
        spot = np.zeros(arrays[k].size)
        spot[at] = 1
        rows.append((np.einsum(text, *ones[:k], spot.reshape(arrays[k].shape), *ones[k + 1 :]) != 0).ravel())
    return np.array(rows)


@in_parts(4)
def test_the_cells_that_light_up_are_those_that_meet(part: Part) -> None:
    held = 0
    for text, arrays, result in held_cases(part.of(range(700))):
        *sides, out = views(read(show.einsum(text, *arrays, labels=[f"x{k}" for k in range(len(arrays))]).html()))
        assert len(out) == result.size, text
        for k, side in enumerate(sides):
            assert len(side) == arrays[k].size, text
            if not (arrays[k].ndim and arrays[k].size and result.size):
                continue
            wanted = fed(text, arrays, k)
            lit = np.array([[agree(one, cell) for one in out] for cell in side])
            assert np.array_equal(lit, wanted), (text, [a.shape for a in arrays], k)
            held += 1
    assert held > part.least(100, 300)


def test_off_a_diagonal_nothing_is_read() -> None:
    m = np.arange(9).reshape(3, 3)
    side, out = views(read(show.einsum("ii->i", m, labels=["m"]).html()))
    unread = [k for k, cell in enumerate(side) if "never read" in cell.attributes["title"]]
    assert unread == [1, 2, 3, 5, 6, 7]
    assert all("linear-gradient" in side[k].style["background"] and not side[k].text() for k in unread)


@in_parts(4)
def test_results_are_numpys(part: Part) -> None:
    held = 0
    for text, arrays, result in held_cases(part.of(range(700, 1500))):
        *_, out = views(read(show.einsum(text, *arrays, labels=[f"x{k}" for k in range(len(arrays))]).html()))
        assert [cell.text() for cell in out] == [short(v) for v in result.ravel().tolist()], text
        held += 1
    assert held > part.least(75, 225)


def test_letters_are_index_letters_and_offsets_are_storage() -> None:
    a, b, c = views(read(show.einsum("ij,jk->ik", A, B.T.copy().T, labels=["a", "b"]).html()))
    assert letters(a[4]) == {"k-A": {4}, "i-i": {1}, "i-j": {1}}
    assert letters(b[1]) == {"k-B": {3}, "i-j": {0}, "i-k": {1}}
    assert letters(c[6]) == {"k-C": {6}, "i-i": {1}, "i-k": {2}}


def test_a_letter_is_never_a_storage() -> None:
    for text, arrays, _ in held_cases(range(120)):
        page = read(show.einsum(text, *arrays, labels=list("abc")[: len(arrays)]).html())
        for cell in page.all("td"):
            assert all(letter.isupper() for letter, _ in keys(cell))


def test_an_operand_that_comes_twice_links_by_letters() -> None:
    first, second, out = views(read(show.einsum("ij,kj->ik", A, A, labels=["x", "x"]).html()))
    assert not keys(first[0]) and not keys(second[0])
    assert [k for k in range(6) if agree(out[1], first[k])] == [0, 1, 2]
    assert [k for k in range(6) if agree(out[1], second[k])] == [3, 4, 5]


def test_the_example_is_summed_term_by_term() -> None:
    text = repr(show.einsum("ij,jk->ik", A, B, labels=["A", "B"]))
    assert "result[1, 2]: = 4·2 + 5·0 + 6·1 = 14" in text
    assert "product     4 × 2 = 8  5 × 0 = 0  6 × 1 = 6" in text
    assert "A[1, :] and B[:, 2] meet along j. 24 multiplications and 16 additions in all. The same as A @ B." in text


def test_ellipsis_and_implied_output_are_told() -> None:
    text = repr(show.einsum("...chw,c->...hw", np.ones((1, 3, 2, 2)), np.ones(3), labels=["img", "w"]))
    assert "… is whatever the letters leave over: here …0 of size 1. It is kept." in text
    assert "ba -> ab (the output is implied)" in repr(show.einsum("ba", A, labels=["A"]))


def test_a_stretched_size_is_told_and_meets_all() -> None:
    a, b, _ = views(read(show.einsum("ij,jk->ik", A[:, :1], B, labels=["a", "b"]).html()))
    assert letters(a[0])["i-j"] == {0, 1, 2}
    assert all(agree(a[0], cell) for cell in b)
    assert "a has 1 for j and is read again for each." in repr(show.einsum("ij,jk->ik", A[:, :1], B, labels=["a", "b"]))


# -- refusals --------------------------------------------------------------------------------------


def test_a_mismatch_names_the_letter_and_both_sizes() -> None:
    picture = show.einsum("ij,jk->ik", A, B.T, labels=["A", "B"])
    text = repr(picture)
    assert "j: the letter j names 3 in operand 0 and 4 in operand 1" in text
    assert "einsum(): subscript j has size 4 for operand 1 which does not broadcast with previously seen size 3" in text
    a, b, fixed = views(read(picture.html()))
    assert [cell.text() for cell in b if "meets nothing" in cell.attributes["title"]] == ["1", "2", "0"]
    assert [cell.text() for cell in fixed] == [str(v) for v in (A @ B).ravel()]
    assert "einsum('ij,kj->ik', A, B)" in text and "the same as A @ B.T" in text


@pytest.mark.parametrize(
    ("text", "words", "marked"),
    [
        ("ij,j1->ik", "'1' at position 4 names no dimension", "    ^"),
        ("ij,jk->iz", "z appears only after the arrow", "        ^"),
        ("ij,jk->ikk", "k appears twice after the arrow", "         ^"),
        ("ij..,jk->ik", "The dot at position 2 of 'ij..,jk->ik' is not", "  ^"),
        ("ij", "the equation names 1, and 2 came", ""),
    ],
)
def test_the_mark_in_the_way_is_shown(text: str, words: str, marked: str) -> None:
    lines = repr(show.einsum(text, A, B, labels=["A", "B"])).splitlines()
    assert any(words in line for line in lines)
    assert marked == "" or marked in lines


def test_letters_and_dimensions_that_do_not_count_the_same() -> None:
    text = repr(show.einsum("ijk,jk->ik", A, B, labels=["A", "B"]))
    assert "letter  i  j  k" in text and "size    2  3  ≠" in text
    assert "A: Operand 0 has 2 dimensions, and 'ijk' has 3 letters." in text


def test_numpy_wants_an_ellipsis_kept_and_pytorch_sums_it() -> None:
    assert "NumPy refuses that, PyTorch sums over them" in repr(show.einsum("...j->j", A, labels=["A"]))
    text = repr(show.einsum("...j->j", (2, 3), labels=["A"]))
    assert "The output leaves it out: PyTorch sums it, NumPy refuses." in " ".join(text.split())


# -- costs -----------------------------------------------------------------------------------------


def chains(count: int) -> list[tuple[Plan, list[np.ndarray], str]]:
    """Equations of three operands and more."""
    dice = random.Random(11)
    out = []
    while len(out) < count:
        size = {c: dice.choice([1, 2, 3, 5]) for c in "abcdef"}
        parts = ["".join(dice.sample("abcdef", dice.randint(1, 3))) for _ in range(dice.randint(3, 5))]
        used = sorted(set("".join(parts)))
        text = ",".join(parts) + "->" + "".join(dice.sample(used, dice.randint(0, min(3, len(used)))))
        arrays = [
            np.array(dice.choices(range(1, 9), k=prod(size[c] for c in p))).reshape([size[c] for c in p]) for p in parts
        ]
        plan = fit(parse(text), [a.shape for a in arrays])
        assert isinstance(plan, Plan)
        out.append((plan, arrays, text))
    return out


def test_the_steps_of_an_order_give_numpys_result_at_the_told_cost() -> None:
    for plan, arrays, text in chains(150):
        for path in (best_path(plan), left_to_right(plan)):
            held = list(arrays)
            for step, chosen in zip(steps(plan, path), path, strict=True):
                equation = ",".join(map("".join, step.inputs)) + "->" + "".join(step.output)
                parts = [held[k] for k in chosen]
                for k in sorted(chosen, reverse=True):
                    del held[k]
                held.append(np.einsum(equation, *parts))
                loops = prod(
                    {
                        c: n
                        for names, p in zip(step.inputs, parts, strict=True)
                        for c, n in zip(names, p.shape, strict=True)
                    }.values()
                )
                assert step.cost == (len(parts) - 1) * loops and step.size == held[-1].shape
            assert np.array_equal(held[0], np.einsum(text, *arrays)), text
        assert sum(s.cost for s in steps(plan, best_path(plan))) <= all_at_once(plan)


def test_the_order_is_numpys() -> None:
    for plan, arrays, text in chains(60):
        path, _ = np.einsum_path(text, *arrays, optimize="optimal")
        assert best_path(plan) == [tuple(sorted(step)) for step in path[1:]]


def test_costs_are_told() -> None:
    text = repr(show.einsum("ij,jk,k->i", (2, 30), (30, 40), (40,), labels=list("ABv")))
    assert "4,800 multiplications all at once" in text and "T1      B, v" in text
    assert "1,260 in this order, which np.einsum_path finds." in " ".join(text.split())


# -- other names -----------------------------------------------------------------------------------


def test_shorter_names_give_the_same() -> None:
    dice = random.Random(3)
    for equation in SHORTER:
        size = {c: n for c, n in zip("abcd", dice.sample([2, 3, 4, 5], 4), strict=True)}
        arrays = [np.array(dice.choices(range(9), k=prod(size[c] for c in p))).reshape([size[c] for c in p])
                  for p in equation.split("->")[0].split(",")]  # fmt: skip
        plan = fit(parse(equation), [a.shape for a in arrays])
        assert isinstance(plan, Plan)
        names = ["x", "y", "z"][: len(arrays)]
        code = same_as(plan, names)
        found = eval(code, dict(zip(names, arrays, strict=True)))
        assert np.array_equal(found, np.einsum(equation, *arrays)), (equation, code)


def test_a_stretched_product_has_no_shorter_name() -> None:
    plan = fit(parse("ij,jk->ik"), [(2, 1), (3, 4)])
    assert isinstance(plan, Plan) and same_as(plan, ["A", "B"]) == ""


# -- sizes and kinds -------------------------------------------------------------------------------


def test_large_operands_show_edges() -> None:
    x = np.broadcast_to(np.float32(1), (20_000, 20_000))
    picture = show.einsum("ij,jk->ik", x, x.T, labels=["x", "y"])
    assert "are not drawn" in repr(picture) and len(picture.html().encode()) < 90_000


def test_a_lesson_sized_picture_is_small() -> None:
    assert len(show.einsum("ij,jk->ik", A, B, labels=["A", "B"]).html().encode()) < 28_000


def test_types_overflow_as_their_arrays_do() -> None:
    x = np.array([200, 100], np.uint8)
    assert "result: = 200·200 + 100·100 = 80" in repr(show.einsum("i,i->", x, x.copy(), labels=["x", "y"]))
    assert (x * x).sum(dtype=np.uint8) == 80
    text = repr(show.einsum("i,i->", x, x.copy(), labels=["x", "y"]))
    assert (
        next(line for line in text.splitlines() if line.startswith("sum so far")).split() == "sum so far 64 80".split()
    )


def test_many_letters_and_many_terms() -> None:
    chain = show.einsum("ab,bc,cd,de,ef,fg,gh,hi,ij,jk->ak", *[(9, 9)] * 10)
    assert "np.einsum_path finds" in repr(chain) and len(chain.html().encode()) < 150_000
    text = repr(show.einsum("ij,ij->", np.ones((6, 7)), np.ones((6, 7)), labels=["x", "y"]))
    assert "+ … + 1·1 = 42" in text and "42" in text.split("sum so far")[1].splitlines()[0]


def test_what_is_not_an_equation() -> None:
    with pytest.raises(TypeError, match="takes the equation first"):
        show.einsum(A, "ij->i")  # type: ignore[arg-type]
