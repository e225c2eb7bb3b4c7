"""Every form of the pointwise ops, special functions and added products gives PyTorch's answers at the edges."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest

import tensorwidgets as tw
from tests.engine.calls.forms_cases import agree, answer, cases, known_difference
from tests.engine.calls.freeze_forms import REFERENCE, answers


def judge(theirs: list[Any]) -> None:
    """Every answer agrees, and 97 of a hundred refusals are in PyTorch's words."""
    asked = list(cases())
    assert len(asked) == len(theirs)
    wrong, other_words, refusals = [], [], 0
    for case, wanted in zip(asked, theirs, strict=True):
        ours = json.loads(json.dumps(answer(tw, *case)))
        if wanted[0] == "error":
            refusals += 1
            if ours[:2] == wanted[:2] and ours[2] != wanted[2]:
                other_words.append(f"{case}: {ours[2]!r} for {wanted[2]!r}")
                continue
        if not agree(ours, wanted) and not known_difference(*case):
            wrong.append(f"{case}: {ours} for {wanted}")
    assert not wrong, f"{len(wrong)} differ\n" + "\n".join(wrong[:5])
    assert len(other_words) <= 0.03 * refusals, "\n".join(other_words[:10])


def test_the_frozen_answers() -> None:
    judge(json.loads(gzip.decompress(REFERENCE.read_bytes())))


@pytest.mark.torch
def test_the_frozen_answers_are_pytorchs() -> None:
    import torch

    frozen = json.loads(gzip.decompress(REFERENCE.read_bytes()))
    for case, ours, theirs in zip(cases(), frozen, answers(torch), strict=True):
        assert agree(ours, theirs) or known_difference(*case), case


def test_an_in_place_product_needs_no_second_matrix() -> None:
    import tracemalloc

    x, a, b = tw.ones(2048, 2048), tw.ones(2048, 1), tw.ones(1, 2048)
    tracemalloc.start()
    x.addmm_(a, b)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert x[0, 0] == 2
    assert most < 0.9 * x.nbytes


def test_clamping_in_place_allocates_no_second_tensor() -> None:
    import tracemalloc

    x = tw.arange(1e6)
    tracemalloc.start()
    x.clamp_(2, 5)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert x.max() == 5
    assert most < 0.1 * x.nbytes


def test_einsum_refuses_with_the_letter_and_both_sizes() -> None:
    with pytest.raises(RuntimeError, match="subscript j has size 5 for operand 1") as caught:
        tw.einsum("ij,jk->ik", tw.ones(2, 3), tw.ones(5, 4))
    assert "j names 3 in operand 0 and 5 in operand 1" in caught.value.__notes__[0]


def test_einsum_contracts_the_cheap_pair_first() -> None:
    # From the left, the first product alone would have 10**10 elements.
    a, b, c = tw.ones(100_000, 1), tw.ones(1, 100_000), tw.ones(100_000, 2)
    assert tw.einsum("ij,jk,kl->il", a, b, c)[0].tolist() == [100_000, 100_000]
