"""Equations of einsum: held to PyTorch's answers to the character, and to what NumPy computes."""

from __future__ import annotations

import gzip
import json

import numpy as np
import pytest

from tensorwidgets.engine.errors.reasons import Reason
from tensorwidgets.engine.types.einsum_equation import Equation, Plan, fit, parse
from tests.engine.products.equation_cases import case
from tests.engine.products.freeze_equation import CASES, REFERENCE, torch_answer


def plan_of(text: str, shapes: list[tuple[int, ...]]) -> Plan | Reason:
    return fit(parse(text, [len(shape) for shape in shapes]), shapes)


def answer_of(plan: Plan | Reason) -> list[int] | str:
    return plan.message if isinstance(plan, Reason) else list(plan.result)


def test_frozen_answers_of_pytorch() -> None:
    answers = json.loads(gzip.decompress(REFERENCE.read_bytes()))["answers"]
    assert len(answers) == CASES
    wrong = [
        (case(number), answer, answer_of(plan_of(*case(number))))
        for number, answer in enumerate(answers)
        if answer_of(plan_of(*case(number))) != answer
    ]
    assert not wrong, wrong[:3]


@pytest.mark.torch
def test_live_answers_of_pytorch() -> None:
    for number in range(CASES, CASES + 2000):
        text, shapes = case(number)
        assert answer_of(plan_of(text, shapes)) == torch_answer(text, shapes), (text, shapes)


def test_loops_over_the_letters_are_einsum() -> None:
    """The plan read as nested loops gives NumPy's numbers."""
    held = 0
    for number in range(1500):
        text, shapes = case(number)
        plan = plan_of(text, shapes)
        if isinstance(plan, Reason) or any(letter not in plan.output for letter in plan.rest):
            continue  # NumPy wants ... in the output wherever it covers something
        arrays = [np.arange(1.0, 1 + np.prod(shape, dtype=int)).reshape(shape) for shape in shapes]
        assert np.array_equal(np.einsum(text, *arrays), by_loops(plan, arrays)), (text, shapes)
        held += 1
    assert held > 700


def by_loops(plan: Plan, arrays: list[np.ndarray]) -> np.ndarray:
    out = np.zeros(plan.result)
    for place in np.ndindex(*plan.size_of.values()):
        at = dict(zip(plan.size_of, place, strict=True))
        product = 1.0
        for letters, array in zip(plan.inputs, arrays, strict=True):
            product *= array[tuple(at[c] if n > 1 else 0 for c, n in zip(letters, array.shape, strict=True))]
        out[tuple(at[c] for c in plan.output)] += product
    return out


def test_numpy_agrees_on_what_is_refused() -> None:
    """But for outputs that leave ... out, which PyTorch sums, and diagonals of empty arrays, which NumPy invents."""
    differ = 0
    for number in range(1500):
        text, shapes = case(number)
        plan = plan_of(text, shapes)
        try:
            np.einsum(text, *[np.zeros(shape) for shape in shapes])
        except (ValueError, UnicodeEncodeError):
            accepted = False
        else:
            accepted = True
        if accepted == isinstance(plan, Reason):
            differ += 1
            if accepted:
                assert plan.rule == "einsum.repeated" and 0 in plan.facts["sizes"], (text, shapes)
            else:
                assert set(plan.rest) - set(plan.output), (text, shapes)
    assert differ < 80


def test_a_refusal_says_who_and_how_to_mend() -> None:
    reason = plan_of("ij,jk->ik", [(2, 3), (4, 3)])
    assert isinstance(reason, Reason)
    assert reason.rule == "einsum.size" and reason.facts["letter"] == "j"
    assert reason.facts["operands"] == (0, 1) and reason.facts["sizes"] == (3, 4) and reason.facts["dims"] == (1, 0)
    assert reason.instead == ("einsum('ij,kj->ik', ...)",)


def test_every_mend_of_a_size_fits() -> None:
    offered = 0
    for number in range(CASES):
        text, shapes = case(number)
        plan = plan_of(text, shapes)
        if isinstance(plan, Reason) and plan.instead and plan.instead[0].startswith("einsum('"):
            mended = plan_of(plan.instead[0].split("'")[1], shapes)
            assert isinstance(mended, Plan), (text, shapes, plan.instead)
            offered += 1
    assert offered > 20


def test_a_refusal_to_parse_is_passed_on() -> None:
    refused = parse("i1")
    assert isinstance(refused, Reason) and fit(refused, [(2, 2)]) is refused


def test_equations_are_frozen_and_say_themselves() -> None:
    equation = parse("bA")
    assert str(equation) == "bA->Ab" and equation == Equation((("b", "A"),), ("A", "b"), True)
    with pytest.raises(AttributeError):
        equation.implicit = False  # type: ignore[union-attr, misc]
