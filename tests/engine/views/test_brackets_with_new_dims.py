"""Brackets with numbers, slices, None and Ellipsis: the short way reads what the rule reads, also beside arrays."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import tensorwidgets as torch
from tensorwidgets.engine.dispatch.stations import by_keys
from tensorwidgets.engine.ops.indexing.getitem import GETITEM
from tests.parts import Part, in_parts


def _tensor(r: random.Random) -> Any:
    size = [r.choice((1, 2, 3, 4, 0 if r.random() < 0.1 else 2)) for _ in range(r.randint(0, 4))]
    x = torch.arange(float(torch.Size(size).numel())).reshape(size)
    kind = r.random()
    if size and kind < 0.3:
        return x.transpose(0, -1)
    if size and kind < 0.5:
        return x[..., ::2]
    return x[None].expand(2, *size) if kind < 0.6 else x


def _part(r: random.Random) -> Any:
    ends = r.choice((None, 0, 1, -2)), r.choice((None, 1, 2, -1, 9)), r.choice((None, 1, 2))
    return r.choice([None, None, ..., r.randint(-4, 3), slice(*ends), slice(None)])


def _read(read: Any, x: Any, key: Any) -> Any:
    try:
        y = read(x, key)
    except IndexError as error:
        return str(error)
    return tuple(y.shape), y.stride(), y.storage_offset(), y.tolist(), y._is_view()


@in_parts(4)
def test_the_short_way_reads_what_the_rule_reads(part: Part) -> None:
    views = 0
    for seed in part.of(range(6000)):
        r = random.Random(seed)
        x, key = _tensor(r), tuple([_part(r) for _ in range(r.randint(1, 5))])
        by_rule = _read(lambda x, key: by_keys(GETITEM, (x, key), {}), x, key)
        assert _read(lambda x, key: x[key], x, key) == by_rule, (seed, key)
        views += not isinstance(by_rule, str)
    assert views > part.least(500, 1500)


@pytest.mark.parametrize(
    ("key", "size"),
    [
        ((0, np.array([1, 2])), (2,)),
        ((None, np.array([1, 2])), (1, 2, 4)),
        ((..., np.array([1, 2])), (3, 2)),
        ((None, ..., np.array([1, 2])), (1, 3, 2)),
        ((slice(None), None, np.array([1, 2])), (3, 1, 2)),
        ((torch.tensor([0, 1]), None), (2, 1, 4)),
        ((None, [0, 1], slice(1, 3)), (1, 2, 2)),
    ],
    ids=str,
)
def test_arrays_may_stand_beside_new_dimensions(key: Any, size: tuple[int, ...]) -> None:
    assert tuple(torch.arange(12).reshape(3, 4)[key].shape) == size
