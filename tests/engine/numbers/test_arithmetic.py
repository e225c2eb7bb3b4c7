"""Pointwise ops, reductions, joins and products give PyTorch's dtype, size, strides, numbers and refusals."""

from __future__ import annotations

import gzip
import json
import warnings
from typing import Any

import pytest

import tensorwidgets as tw
from tests.engine.numbers.arithmetic_cases import Case, agree, case, run
from tests.engine.numbers.freeze_arithmetic import REFERENCE


def known_difference(case: Case, theirs: Any) -> str:
    """Why a case may differ, or nothing."""
    kinds = {a["dtype"] for a in case.get("args", case.get("parts", [])) if isinstance(a, dict)}
    if "complex32" in str(theirs) or "float16" in kinds and ("complex64" in kinds or "j" in str(case.get("args"))):
        return "NumPy has no complex number of two 16-bit floats"
    if case["kind"] == "reduce" and kinds & {"uint16", "uint64", "float8_e5m2", "complex64", "complex128"}:
        return "reducing nothing, or dimensions of size 1, PyTorch skips the kernel that it does not have"
    if "float8_e5m2" in kinds and case["op"].startswith("mul"):
        return "float8 is for storing; PyTorch multiplies it by one number all the same"
    if case["op"] == "prod" and "float16" in kinds:
        return "PyTorch rounds a product of 16-bit floats after every factor, in an order of its own"
    if case["op"] == "matmul" and ("error" in theirs or kinds & {"uint16", "uint64"}):
        return "which product is asked first depends on how PyTorch folds batches"
    return ""


def compare(seed: int, theirs: Any) -> tuple[str, str]:
    """What is wrong with our answer to a case: with the answer itself, and with the words of a refusal."""
    asked = case(seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ours = json.loads(json.dumps(run(tw, asked)))
    if theirs[:1] == ["error"] and ours[:2] == theirs[:2]:
        return "", "" if ours[2] == theirs[2] else f"{seed} {asked}: {ours[2]!r} for {theirs[2]!r}"
    if agree(ours, theirs) or known_difference(asked, theirs):
        return "", ""
    return f"{seed} {asked}: {ours} for {theirs}", ""


def judge(answers: list[Any], first: int = 0) -> None:
    """Every answer agrees, and 97 of a hundred refusals are in PyTorch's words."""
    found = [compare(first + i, theirs) for i, theirs in enumerate(answers)]
    wrong = [answer for answer, _ in found if answer]
    assert not wrong, "\n".join(wrong[:5])
    refusals = sum(1 for a in answers if a[:1] == ["error"])
    other_words = [words for _, words in found if words]
    assert len(other_words) <= 0.03 * refusals, "\n".join(other_words[:10])


def test_the_frozen_answers() -> None:
    answers = json.loads(gzip.decompress(REFERENCE.read_bytes()))
    assert len(answers) > 2000
    judge(answers)


def test_the_known_differences_are_few() -> None:
    answers = json.loads(gzip.decompress(REFERENCE.read_bytes()))
    excused = 0
    for seed, theirs in enumerate(answers):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ours = json.loads(json.dumps(run(tw, case(seed))))
        alike = ours[:2] == theirs[:2] if theirs[:1] == ["error"] else agree(ours, theirs)
        excused += not alike and bool(known_difference(case(seed), theirs))
    assert excused <= 0.01 * len(answers)


@pytest.mark.torch
def test_the_frozen_answers_still_hold() -> None:
    import torch

    answers = json.loads(gzip.decompress(REFERENCE.read_bytes()))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        drifted = [
            i for i, a in enumerate(answers[::5]) if not agree(json.loads(json.dumps(run(torch, case(5 * i)))), a)
        ]
    assert not drifted


@pytest.mark.torch
def test_fresh_answers() -> None:
    import torch

    first = 10_000
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        answers = [json.loads(json.dumps(run(torch, case(first + i)))) for i in range(6000)]
    judge(answers, first)
