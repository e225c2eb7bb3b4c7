"""Floats that no whole number of a dtype is near: the answers of PyTorch 2.13 on the CPU, asked once."""

from __future__ import annotations

from typing import Any

import pytest

import tensorwidgets as tw

VALUES = "inf -inf nan 1e20 -1e20 3e9 -3e9 300.7 -1.5 4294967301.0 -2147483649.0 70000.5 257.0"
LOW = {"low64": -(1 << 63), "low32": -(1 << 31)}
"""The least numbers of 64 and of 32 bits."""

TOLD = """
float32 int64: low64 low64 low64 low64 low64 3000000000 -3000000000 300 -1 4294967296 low32 70000 257
float32 int32: low32 low32 low32 low32 low32 low32 low32 300 -1 low32 low32 70000 257
float32 int16: 0 0 0 0 0 0 0 300 -1 0 0 4464 257
float32 int8: 0 0 0 0 0 0 0 44 -1 0 0 112 1
float32 uint8: 0 0 0 0 0 0 0 44 255 0 0 112 1
float64 int64: low64 low64 low64 low64 low64 3000000000 -3000000000 300 -1 4294967301 -2147483649 70000 257
float64 int32: low32 low32 low32 low32 low32 low32 low32 300 -1 low32 low32 70000 257
float64 int16: 0 0 0 0 0 0 0 300 -1 0 0 4464 257
float64 int8: 0 0 0 0 0 0 0 44 -1 0 0 112 1
float64 uint8: 0 0 0 0 0 0 0 44 255 5 255 112 1
bfloat16 int64: low64 low64 low64 low64 low64 3003121664 -3003121664 300 -1 4294967296 low32 70144 256
bfloat16 int32: low32 low32 low32 low32 low32 low32 low32 300 -1 low32 low32 70144 256
bfloat16 int16: 0 0 0 0 0 0 0 300 -1 0 0 4608 256
bfloat16 int8: 0 0 0 0 0 0 0 44 -1 0 0 0 0
bfloat16 uint8: 0 0 0 0 0 0 0 44 255 0 0 0 0
"""
ANSWERS = {
    asked: [LOW[n] if n in LOW else int(n) for n in numbers.split()]
    for asked, _, numbers in (line.partition(": ") for line in TOLD.strip().split("\n"))
}


def cast(torch: Any, asked: str) -> list[int]:
    source, wanted = asked.split()
    x = torch.tensor([float(value) for value in VALUES.split()], dtype=getattr(torch, source))
    return x.to(getattr(torch, wanted)).tolist()


@pytest.mark.parametrize("asked", ANSWERS)
def test_the_frozen_casts(asked: str) -> None:
    assert cast(tw, asked) == ANSWERS[asked]


@pytest.mark.torch
@pytest.mark.parametrize("asked", ANSWERS)
def test_the_frozen_casts_are_pytorchs(asked: str) -> None:
    import torch

    assert cast(torch, asked) == ANSWERS[asked]
