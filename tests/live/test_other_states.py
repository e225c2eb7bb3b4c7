"""Broadcasting, einsum, steps and names in thousands of states, held against NumPy and plain loops."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

import numpy as np
import pytest

import tensorwidgets as tw
from tensorwidgets.live import BroadcastExplorer, EinsumExplorer, NamedDimsExplorer, StepsExplorer
from tests.live.walking import control, explained, press, walk
from tests.parts import thorough_but
from tests.pictures.parsed import parse
from tests.pictures.rule import views

# -- broadcasting ------------------------------------------------------------------------------------------------------


def told_by_numpy(shapes: list[tuple[int, ...]]) -> tuple[int, ...] | None:
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        return None


@pytest.mark.parametrize("seed", thorough_but(range(5), range(14)))
def test_shapes_end_as_numpy_says(seed: int) -> None:
    chance = random.Random(seed)
    w = BroadcastExplorer((3, 1), (4,))
    for _ in range(40):
        shapes = [tuple(chance.choice((0, 1, 1, 2, 3, 4)) for _ in range(chance.randint(0, 3))) for _ in w.shapes]
        for k, shape in enumerate(shapes):
            press(w, f"shape {k}", ", ".join(map(str, shape)))
            explained(w)
        assert w.shapes == tuple(shapes) and w.result == told_by_numpy(shapes)
        assert (w.reason is None) == (w.result is not None)
        if w.fixes:
            fix = chance.randrange(len(w.fixes))
            press(w, f"fix {fix}")
            assert w.reason is None and w.result == told_by_numpy(list(w.shapes))
        if chance.random() < 0.2:
            press(w, chance.choice(["more", "less", "over"]))


@pytest.mark.parametrize("seed", thorough_but(range(5), range(14)))
def test_broadcast_walks(seed: int) -> None:
    w = BroadcastExplorer(tw.arange(3.0).reshape(3, 1), np.arange(4), (2, 1, 1), labels=["a", "b", "c"])
    walk(w, seed, 40, lambda: check_broadcast(w), odd=0.2)


def check_broadcast(w: BroadcastExplorer) -> None:
    if w.reason is None:
        assert w.result == told_by_numpy(list(w.shapes))
        assert str(w.result) in w.status


def test_a_fix_reads_the_arrays_anew() -> None:
    a, b = np.arange(12.0).reshape(3, 4), np.array([10.0, 20.0, 30.0])
    w = BroadcastExplorer(a, b, labels=["a", "b"])
    assert w.result is None and w.fixes[0] == "a + b[:, None]"
    press(w, "fix 0")
    assert w.result == (3, 4)
    cells = [cell.words for cell in views(parse(w.html))[-1]] if views(parse(w.html)) else []
    assert cells == [] or cells[-1] == "41"
    assert "= a[2, 3] + b[:, None][2, 0] = 11 + 30 = 41" in w.html


# -- einsum ------------------------------------------------------------------------------------------------------------


def partial(equation: str, term: int, index: tuple[int, ...], *arrays: np.ndarray) -> float:
    """The sum of the first terms of one element, by loops."""
    left, output = equation.split("->")
    inputs = left.split(",")
    letters = list(dict.fromkeys("".join(inputs)))
    size = {c: n for names, a in zip(inputs, arrays, strict=True) for c, n in zip(names, a.shape, strict=True)}
    summed = [c for c in letters if c not in output]
    total = 0.0
    for number, values in enumerate(product(*(range(size[c]) for c in summed))):
        if number >= term:
            break
        at = dict(zip(summed, values, strict=True)) | dict(zip(output, index, strict=True))
        one = 1.0
        for names, array in zip(inputs, arrays, strict=True):
            one *= float(array[tuple(at[c] for c in names)])
        total += one
    return total


EQUATIONS = [
    "ij,jk->ik",
    "ij,jk->ki",
    "ij,jk->",
    "ij,jk->j",
    "ii,ij->ij",
    "ij,kj->ik",
    "ij,ij->i",
    "ii,jj->",
    "ij,jk->ijk",
]


@pytest.mark.parametrize("equation", EQUATIONS)
def test_the_sum_grows_term_by_term(equation: str) -> None:
    a, b = np.arange(9.0).reshape(3, 3) - 2, np.arange(9.0)[::-1].reshape(3, 3)
    w = EinsumExplorer(equation, a, b, labels=["a", "b"])
    whole = np.einsum(equation, a, b)
    assert w.result == whole.shape
    for index in list(np.ndindex(whole.shape))[:5]:
        if index:
            w.selected = f"result[{', '.join(map(str, index))}]"
        for term in range(w.terms + 1):
            press(w, "term", term) if w.terms > 1 else setattr(w, "term", term)
            assert w.value == partial(equation, term, index, a, b)
            assert w.reason is None and (w.terms == 1 or f"after {term} of {w.terms} terms" in w.status)
        assert w.value == whole[index]


@pytest.mark.parametrize("equation", EQUATIONS)
def test_by_hand_comes_to_the_same(equation: str) -> None:
    a, b = tw.arange(9.0).reshape(3, 3), tw.arange(9.0).reshape(3, 3) + 1
    w = EinsumExplorer(equation, a, b, labels=["a", "b"])
    whole = np.einsum(equation, a.numpy(), b.numpy())
    for step in ("align", "multiply", "sum", "permute"):
        press(w, f"step {step}")
        assert w.reason is None and w.step == step and control(w, f"step {step}")["pressed"]
    lines = [line.strip() for line in repr(w).splitlines() if line.startswith("    ")]
    names: dict[str, Any] = {"a": a, "b": b}
    for line in lines:
        if " = " in line:
            name, _, code = line.partition(" = ")
            names[name] = eval(code.partition("#")[0], {"__builtins__": {}}, names)
    assert np.array_equal(names["result"].numpy(), whole)
    told = [cell for cell in parse(w.html).all("td") if cell.attributes.get("title", "").startswith("result")]
    assert [cell.words for cell in told] == [str(int(n)) for n in whole.ravel()]


@pytest.mark.parametrize("seed", thorough_but(range(5), range(14)))
def test_einsum_walks(seed: int) -> None:
    chance = random.Random(seed)
    w = EinsumExplorer("ij,jk->ik", tw.arange(6.0).reshape(2, 3), tw.arange(12.0).reshape(3, 4), labels=["a", "b"])

    def check() -> None:
        if w.reason is None and w.value is not None and "..." not in w.equation:
            whole = np.einsum(w.equation, np.arange(6.0).reshape(2, 3), np.arange(12.0).reshape(3, 4))
            assert w.result == whole.shape
            if w._done == w.terms:
                assert w.value == whole[w._drawn.hand_index()]  # type: ignore[union-attr]

    for _ in range(8):
        letters = "".join(chance.choice("ijk") for _ in range(4))
        out = "".join(chance.sample("ijkz", chance.randint(0, 3)))
        press(w, "equation", f"{letters[:2]},{letters[2:]}" + (f"->{out}" if chance.random() < 0.8 else ""))
        explained(w)
        check()
        walk(w, chance.randrange(999), 4, check)


# -- steps -------------------------------------------------------------------------------------------------------------

STEPS = [
    ".T", "[1:]", ".reshape(-1)", ".copy()", "[::2]", "[None]", ".transpose()", " + 1", "[[0]]", ".ravel()", ".sum(0)",
    "[99]", ".nothing()", ".reshape(7, -1)", "[..., 0]",
]  # fmt: skip


@pytest.mark.parametrize("seed", thorough_but(range(8), range(24)))
def test_steps_are_views_where_numpy_shares(seed: int) -> None:
    chance = random.Random(seed)
    x = np.arange(12.0).reshape(3, 4)
    w = StepsExplorer("x", x=x)
    for _ in range(6):
        before, then = w.expression, chance.choice(STEPS)
        press(w, "expression", f"({before}){then}" if chance.random() < 0.5 else before + then)
        explained(w)
        for k in range(len(w.kinds)):
            press(w, "step", k)
            explained(w)
            value = w._steps[k].value
            if isinstance(value, np.ndarray) and value.size and w.kinds[k] != "refused":
                assert np.shares_memory(value, x) == (not {"copy", "new"} & set(w.kinds[: k + 1]))
        if w.reason is not None or w.kinds[-1] in ("refused", "value"):
            press(w, "expression", before)
            if w.reason is not None:
                press(w, "expression", "x")


@pytest.mark.parametrize("seed", thorough_but(range(5), range(15)))
def test_steps_walks(seed: int) -> None:
    w = StepsExplorer("x.t()[1:]", x=tw.arange(12.0).reshape(3, 4))
    walk(w, seed, 30, lambda: None, odd=0.2)
    assert w.kinds and w.kinds[0] in ("start", "value")


def test_a_step_box_goes_on_after_a_step_that_could_not_be_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps and what was made of them change together."""
    w = StepsExplorer("x.t()", x=tw.arange(6.0).reshape(2, 3))

    def fails(steps: Any) -> Any:
        raise ValueError("not drawn")

    with monkeypatch.context() as patched:
        patched.setattr("tensorwidgets.live.steps.stages_of", fails)
        with pytest.raises(ValueError, match="not drawn"):
            w.expression = "x.t().reshape(-1).sqrt()"
    w.expression = "x[99"
    assert w.reason is not None and w.kinds == ("start", "view")
    w.expression = "x + 1"
    assert w.reason is None and w.kinds == ("start", "new")


# -- names -------------------------------------------------------------------------------------------------------------


def unified(one: tuple[str | None, ...], other: tuple[str | None, ...]) -> tuple[str | None, ...] | None:
    """The names of a sum, by the sentence that says it: from the right, equal names stay, a name wins over none,
    and no name may stand in two places."""
    out: list[str | None] = []
    for k in range(1, max(len(one), len(other)) + 1):
        a = one[-k] if k <= len(one) else None
        b = other[-k] if k <= len(other) else None
        if a is not None and b is not None and a != b:
            return None
        name = a if a is not None else b
        if name is not None and (a is None or b is None) and name in (other if b is None else one):
            return None
        out.insert(0, name)
    return tuple(out)


@pytest.mark.parametrize("seed", thorough_but(range(8), range(24)))
def test_names_move_and_meet(seed: int) -> None:
    chance = random.Random(seed)
    pool = ["a", "b", "c", None]
    size = {"a": 2, "b": 3, "c": 4, None: 1}
    one, other = ([n for n in chance.sample(pool, chance.randint(1, 4))] for _ in range(2))
    w = NamedDimsExplorer(
        tuple(size[n] for n in one), tuple(size[n] for n in other), names=(one, other), labels=["x", "y"]
    )  # fmt: skip
    stride = [{n: side.stride[d] for d, n in enumerate(side.names)} for side in w._sides]
    for _ in range(25):
        press(w, chance.choice([c["name"] for c in w.controls if c["kind"] == "button"]))
        if chance.random() < 0.4:
            press(w, "which", chance.choice(["x", "y"]))
            choices = [c["choices"] for c in w.controls if c["name"] == "name"]
            if choices:
                press(w, "name", chance.choice(choices[0]))
        explained(w)
        for k, side in enumerate(w._sides):
            for d, name in enumerate(side.names):
                if name is not None:
                    known = name in stride[k]
                    assert side.size[d] == (size[name] if known else 1), "sizes travel with their names"
                    assert side.stride[d] == (stride[k][name] if known else 0), "and so do strides"
        names = unified(w._sides[0].names, w._sides[1].names)
        fits = told_by_numpy([side.size for side in w._sides]) is not None
        if not fits and names is not None:
            assert w.result is None
        else:
            assert w.result == names


@pytest.mark.parametrize("seed", thorough_but(range(5), range(14)))
def test_names_walks(seed: int) -> None:
    arrays = (tw.zeros(2, 3, 4), tw.zeros(4)) if seed % 2 else (tw.zeros(2, 3, 4),)
    names = (("b", "c", "t"), ("t",)) if seed % 2 else ("b", "c", "t")
    w = NamedDimsExplorer(*arrays, names=names, labels=["x", "y"][: len(arrays)])
    walk(w, seed, 40, lambda: None, odd=0.2)
    assert len(w.expressions) == len(arrays)


def test_names_move_by_keys_and_stop_at_the_edge() -> None:
    w = NamedDimsExplorer((2, 3), names=("batch", "time"), labels=["x"])
    press(w, "right")
    assert w.order == ("time", "batch") and w.expressions == ("x.align_to('time', 'batch')",)
    press(w, "right")
    assert w.reason is not None and w.reason.because == "'batch' is last already: positions go from 0 to 1."
    press(w, "left")
    assert w.order == ("batch", "time") and w.reason is None and w.expressions == ("x",)
    press(w, "order", "time, ...")
    assert w.order == ("time", "batch") and w.reason is None
    w.order = ("time",)
    assert w.reason is not None and w.reason.rule == "names.lost"


def test_a_sum_goes_on_and_back_by_buttons() -> None:
    w = tw.EinsumExplorer("ij,jk->ik", np.arange(6.0).reshape(2, 3), np.ones((3, 2)), labels=["A", "B"])
    for name, term in (("after", 3), ("before", 2), ("before", 1), ("before", 0), ("before", 0), ("after", 1)):
        press(w, name)
        assert w.term == term
    assert control(w, "play")["of"] == "term" and w.value == 3.0


def test_a_chip_is_carried_to_any_place() -> None:
    w = tw.NamedDimsExplorer((2, 3, 4), (4,), names=(("batch", None, "time"), ("time",)), labels=["x", "y"])
    assert w.hands["chips"] == {
        "batch of x": [0, 0, "batch"], "time of x": [0, 2, "time"], "time of y": [1, 0, "time"],
    }  # fmt: skip
    press(w, "chip", "0 2 batch")
    assert w.order == (None, "time", "batch") and w.expressions[0] == "x.permute(1, 2, 0)" and w.name == "batch"
    before = w.html
    for odd in ("0 1 batch", "0 -3 batch", "1 1 time", "7 0 time", "0 1 feature", "", "a b c"):
        press(w, "chip", odd)
    assert w.html == before
    press(w, "chip", "0 -1 batch")
    press(w, "chip", "0 -1 batch")
    assert w.order == ("batch", None, "time")
    for _ in range(3):
        press(w, "back")
    assert w.order == ("batch", None, "time") and w.expressions[0] == "x"


def test_few_answers_are_buttons() -> None:
    w = tw.StepsExplorer("x.T.reshape(-1)", predict=True, x=np.arange(6.0).reshape(2, 3))
    press(w, "guess view")
    assert w.answer == "view" and w.right is False
    press(w, "guess copy")
    assert w.right is True


@pytest.mark.parametrize("array", [np.array(["2024-01-15"], "M8[D]"), np.array([1, 2], dtype=object)])
def test_an_equation_of_what_is_no_number_is_drawn(array: np.ndarray) -> None:
    w = EinsumExplorer("i,i", array, array, labels=["a", "b"])
    for step in ("align", "multiply", "sum", "permute", ""):
        w.step = step
        explained(w)
    w.term = 1
    walk(w, 0, 20, lambda: None)
