"""Promotion, casting and the limits of dtypes are PyTorch's, for every pair."""

from __future__ import annotations

import json
import pickle
from copy import copy, deepcopy
from pathlib import Path

import pytest

import tensorwidgets as tw
from tensorwidgets.engine.types import dtypes

TABLE = json.loads(Path(__file__).with_name("promotion_reference.json").read_text())
NUMBERS = {"py bool": True, "py int": 1, "py float": 1.0, "py complex": 1j}


def named(name: str) -> dtypes.dtype:
    return getattr(tw, name)


@pytest.mark.parametrize("name", TABLE["dtypes"])
def test_promote_types(name: str) -> None:
    for other, wanted in zip(TABLE["dtypes"], TABLE["promote"][name], strict=True):
        if wanted is None:
            with pytest.raises(RuntimeError, match="^Promotion for"):
                tw.promote_types(named(name), named(other))
        else:
            assert tw.promote_types(named(name), named(other)) is named(wanted)


@pytest.mark.parametrize("name", TABLE["dtypes"])
def test_can_cast(name: str) -> None:
    for other, wanted in zip(TABLE["dtypes"], TABLE["can_cast"][name], strict=True):
        assert tw.can_cast(named(name), named(other)) is (wanted == "T")


def example(name: str, shape: tuple[int, ...]) -> tw.Tensor:
    return tw.empty(shape, dtype=named(name), device="meta")


@pytest.mark.parametrize("other", TABLE["result_type"])
def test_result_type(other: str) -> None:
    for name, wanted in zip(TABLE["tensors"], TABLE["result_type"][other], strict=True):
        if "complex32" in (name, other.split()[-1]):
            continue  # no array can hold it; the rule itself is asked in test_promote_types
        second = NUMBERS[other] if other in NUMBERS else example(other.split()[1], ())
        if wanted is None:
            with pytest.raises(RuntimeError, match="^Promotion for"):
                tw.result_type(example(name, (2,)), second)
        else:
            assert tw.result_type(example(name, (2,)), second) is named(wanted)


def test_one_object_for_each_dtype() -> None:
    for d in dtypes.ALL:
        assert pickle.loads(pickle.dumps(d)) is d and copy(d) is d and deepcopy(d) is d


def test_the_default_dtype_is_used_and_checked() -> None:
    before = tw.get_default_dtype()
    try:
        tw.set_default_dtype(tw.float64)
        assert tw.tensor([1.5]).dtype is tw.float64
        assert (tw.tensor([1]) / 2).dtype is tw.float64
        assert tw.tensor([1j]).dtype is tw.complex128
    finally:
        tw.set_default_dtype(before)
    with pytest.raises(TypeError, match="only floating-point types are supported as the default type"):
        tw.set_default_dtype(tw.int32)


@pytest.mark.torch
def test_limits_and_facts_live() -> None:
    import torch

    for d in dtypes.ALL:
        theirs = getattr(torch, d._name)
        facts = (repr(d), d.itemsize, d.is_floating_point, d.is_complex, d.is_signed, d.abbr)
        assert facts == (
            repr(theirs), theirs.itemsize, theirs.is_floating_point, theirs.is_complex, theirs.is_signed, theirs.abbr,
        )  # fmt: skip
        if d._name == "float8_e5m2fnuz":
            continue  # PyTorch gives it an eps of 0.125; its neighbours are 0.25 apart
        if d._kind >= dtypes.FLOAT:
            assert repr(tw.finfo(d)) == repr(torch.finfo(theirs))
        elif d is not dtypes.bool_:
            assert repr(tw.iinfo(d)) == repr(torch.iinfo(theirs))
    for name, theirs in (("float", torch.float), ("half", torch.half), ("long", torch.long), ("cfloat", torch.cfloat)):
        assert repr(getattr(tw, name)) == repr(theirs)
