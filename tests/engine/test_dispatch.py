"""One registry, one route that can be seen, and kernels that a user can add."""

from __future__ import annotations

import itertools
import random

import pytest

import tensorwidgets as tw
from tensorwidgets.engine import geometry
from tensorwidgets.engine.dispatch import KEYS, OPS
from tensorwidgets.engine.geometry import Geometry
from tensorwidgets.engine.tensor import KEY_SPARSE, geometry_of
from tests.engine.arithmetic_cases import BINARY, REDUCTIONS, UNARY, build, operand


def test_every_row_is_bound_and_says_what_it_is_for() -> None:
    for op in OPS.values():
        assert op.function.__wrapped__ in (op.plain, op.rule)  # type: ignore[attr-defined]
        assert op.words, f"{op.name} has no words"
        assert op.category, f"{op.name} has no category"


def test_a_route_names_the_stations() -> None:
    x = tw.ones(3)
    assert repr(tw.route("add", x, 1)).split("\n")[-1] == "kernel  numpy.add"
    assert [place for place, _ in tw.route("t", x.to("meta")).stations] == ["call", "meta"]
    assert "no kernel" not in repr(tw.route("transpose", x, 0, 0))
    with pytest.raises(NotImplementedError, match="there is no op called 'frobnicate'"):
        tw.route("frobnicate", x)


def test_a_user_can_register_a_kernel() -> None:
    asked = []

    def sparse_add(input: tw.Tensor, other: object) -> str:
        asked.append(other)
        return "added by my own kernel"

    x = tw.ones(2)
    x._keys = KEY_SPARSE
    with pytest.raises(NotImplementedError, match="Could not run 'add' with arguments of the 'sparse' kind"):
        x + 1
    tw.register_kernel("add", "sparse", sparse_add)
    try:
        assert x + 1 == "added by my own kernel"
        assert asked == [1]
        assert "its own kernel" in repr(tw.route("add", x, 1))
    finally:
        del OPS["add"].kernels[KEY_SPARSE]
    with pytest.raises(ValueError, match="there is no key called 'colour'"):
        tw.register_kernel("add", "colour", sparse_add)


def test_keys_are_bits_of_their_own() -> None:
    assert len({bin(key).count("1") for key in KEYS.values()}) == 1
    assert sum(KEYS.values()) == 2 ** len(KEYS) - 1


# -- a shortcut is held against its rule -------------------------------------------------------------------------


def layouts() -> list[tw.Tensor]:
    """Tensors of many sizes and strides, with 0 and 1 among them."""
    found = []
    for size in itertools.chain.from_iterable(itertools.product((0, 1, 2, 3), repeat=n) for n in range(4)):
        x = tw.arange(float(max(1, geometry.numel(size)) * 4))[: geometry.numel(size)].reshape(size)
        found.append(x)
        if len(size) > 1:
            found += [x.transpose(0, -1), x.expand(2, *size), x.unsqueeze(1), x[:, ::2]]
    return found


SHORTCUTS = [
    ("t", ()),
    ("transpose", (0, 1)),
    ("transpose", (-1, 0)),
    ("view", (-1,)),
    ("view", ((-1,),)),
    ("view", (3, -1)),
    ("view", (1, -1, 1)),
]


@pytest.mark.parametrize(("name", "args"), SHORTCUTS)
def test_a_shortcut_gives_what_its_rule_gives(name: str, args: tuple) -> None:
    op, taken = OPS[name], 0
    for x in layouts():
        array = op.shortcut(x._array, *args)  # type: ignore[misc]
        if array is None:
            continue
        taken += 1
        rule = op.rule(geometry_of(x), x.dtype, *args)[0] if op.typed else op.rule(geometry_of(x), *args)
        assert isinstance(rule, Geometry)
        view = op.function(x, *args)
        assert geometry_of(view)[:2] == rule[:2]
        assert view.numel() == 0 or geometry_of(view) == rule
    assert taken > 5


# -- meta tensors go by the same rules ---------------------------------------------------------------------------


def facts(x: object) -> object:
    if isinstance(x, (tuple, list)):
        return [facts(y) for y in x]
    assert isinstance(x, tw.Tensor)
    return (x.dtype, tuple(x.shape), x.stride())


@pytest.mark.parametrize("seed", range(40))
def test_meta_results_have_the_size_strides_and_dtype_of_real_ones(seed: int) -> None:
    rng = random.Random(seed)
    compared = 0
    for name in (*UNARY, *BINARY, *REDUCTIONS):
        given = [operand(rng, rng.choice(["float32", "int64", "bool"])) for _ in range(2 if name in BINARY else 1)]
        real = [build(tw, g) for g in given]
        try:
            wanted = getattr(tw, name)(*real)
        except (RuntimeError, IndexError, TypeError):
            continue
        meta = [tw.empty_strided(tuple(r.shape), r.stride(), dtype=r.dtype, device="meta") for r in real]
        got = getattr(tw, name)(*meta)
        assert facts(got) == facts(wanted), name
        assert got.is_meta
        compared += 1
    assert compared > 20
