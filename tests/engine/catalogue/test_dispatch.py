"""One registry, one route that can be seen, and kernels that a user can add."""

from __future__ import annotations

import itertools
import random
import subprocess
import sys
from collections.abc import Iterator

import numpy as np
import pytest

import tensorwidgets as tw
from tensorwidgets.engine import geometry
from tensorwidgets.engine.dispatch.kinds import KINDS, TensorKind
from tensorwidgets.engine.dispatch.registry import OPS
from tensorwidgets.engine.geometry import Geometry
from tensorwidgets.engine.tensor.keys import KEY_CONJ, KEY_META, KEY_MOVED, KEY_NEG
from tensorwidgets.engine.tensor.lookups import geometry_of
from tests.engine.numbers.arithmetic_cases import BINARY, REDUCTIONS, UNARY, build, operand


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


def test_a_route_says_that_a_call_is_recorded_only_where_it_is() -> None:
    x = tw.ones(2)
    with tw.recording():
        assert ("recording", "this call is being listed") in tw.route("add", x, 1).stations
    usual = tw.route("add", x, 1).stations
    with tw.inference_mode():
        assert tw.route("add", x, 1).stations == usual
    with tw.autograd.graph.allow_mutation_on_saved_tensors():
        assert tw.route("add", x, 1).stations == usual


def test_no_way_is_shown_for_arrays_of_another_library() -> None:
    x, stranger = tw.ones(2), np.ones(2)
    for name, args in (("add", (stranger, 1)), ("add", (x, stranger)), ("cat", ([x, stranger],)), ("t", (stranger,))):
        with pytest.raises(TypeError, match=f"{name} does not take an array of numpy"):
            tw.route(name, *args)
    assert "kernel" in repr(tw.route("as_tensor", stranger))
    assert "kernel" in repr(tw.route("add", x, np.float32(1)))


@pytest.mark.torch
def test_no_way_is_shown_for_tensors_of_pytorch() -> None:
    import torch

    with pytest.raises(TypeError, match="add does not take an array of torch"):
        tw.route("add", torch.ones(2), 1)


@pytest.fixture
def colour() -> Iterator[TensorKind]:
    """A kind of tensor that only a test knows."""
    yield tw.add_kind("colour", "for this test")
    tw.forget_kernel("add", "colour")
    tw.forget_kind("colour")


def test_a_user_can_register_a_kernel(colour: TensorKind) -> None:
    x = colour.wrap(np.ones(2, np.float32), tw.float32)
    with pytest.raises(NotImplementedError, match="Could not run 'aten::add' with arguments from the 'colour' backend"):
        x + 1
    assert "the call is refused" in repr(tw.route("add", x, 1))

    @tw.register_kernel(tw.add, "colour")
    def add(input: tw.Tensor, other: object) -> str:
        return f"{other} added by my own kernel"

    assert x + 1 == tw.add(x, 1) == "1 added by my own kernel"
    assert "its own kernel" in repr(tw.route(tw.add, x, 1))
    assert tw.equal(tw.ones(2) + 1, tw.tensor([2.0, 2.0]))
    with pytest.raises(ValueError, match="there is no kind of tensor called 'flavour'"):
        tw.register_kernel("add", "flavour", add)
    with pytest.raises(ValueError, match="there is a kind called 'colour' already"):
        tw.add_kind("colour", "again")


def test_a_fallback_takes_what_has_no_kernel(colour: TensorKind) -> None:
    x = colour.wrap(np.ones(2, np.float32), tw.float32)
    colour.fallback = lambda op, args, kwargs: (op.name, len(args), kwargs)
    assert x.add(1, alpha=2) == ("add", 2, {"alpha": 2})
    assert tw.cat([tw.ones(2), x]) == ("cat", 1, {})
    assert "a way for all ops" in repr(tw.route("cat", [x, x]))


def test_a_kind_answers_for_the_class_and_others_answer_as_before(colour: TensorKind) -> None:
    before = dict(vars(tw.Tensor))
    colour.members({
        "stride": lambda self: "no strides", "layout": "colourful", "hue": property(lambda self: 7), "is_sparse": True,
        "flatten": lambda self: "flat", "is_floating_point": lambda self: "who knows",
    })  # fmt: skip
    x, plain = colour.wrap(np.ones(2, np.float32), tw.float32), tw.ones(2)
    assert (x.stride(), x.layout, x.hue, x.is_sparse) == ("no strides", "colourful", 7, True)
    assert (x.flatten(), x.is_floating_point()) == ("flat", "who knows")
    assert (plain.stride(), plain.layout, plain.is_sparse) == ((1,), tw.strided, False)
    assert plain.is_floating_point() is True and plain.flatten().equal(plain)
    with pytest.raises(AttributeError, match="no attribute 'hue'"):
        plain.hue  # noqa: B018
    with pytest.raises(AttributeError):
        plain.layout = 3
    tw.forget_kind("colour")
    try:
        assert dict(vars(tw.Tensor)) == before and not hasattr(x, "hue")
        assert x.stride() == (1,) and x.layout == tw.strided and not x.is_sparse
    finally:
        tw.add_kind("colour", "again, for the end of this test")


LATER = """
import tensorwidgets as torch
before = dict(vars(torch.Tensor))
sparse, quantized = torch.eye(2).to_sparse(), torch.quantize_per_tensor(torch.ones(2), 0.1, 0, torch.qint8)
assert sparse.is_sparse and quantized.is_quantized and repr(sparse) and sparse.to_sparse_csr().is_sparse_csr
changed = [name for name, member in vars(torch.Tensor).items() if before.get(name) is not member]
print(changed)
"""


def test_the_first_sparse_or_quantized_tensor_changes_nothing_for_plain_ones() -> None:
    assert subprocess.run([sys.executable, "-c", LATER], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_every_kind_has_a_bit_of_its_own() -> None:
    keys = [KEY_META, KEY_CONJ, KEY_NEG, KEY_MOVED, *(kind.key for kind in KINDS.values())]
    assert len({bin(key).count("1") for key in keys}) == 1 and len(set(keys)) == len(keys)


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
    ("permute", (1, 0)),
    ("permute", ((-1, 0, 1),)),
    ("unsqueeze", (0,)),
    ("unsqueeze", (-1,)),
    ("squeeze", (0,)),
    ("squeeze", (-1,)),
    ("expand", (2, -1, 3)),
    ("expand", ((3, 2),)),
    ("expand", (2, 1, 1, 3)),
    ("diagonal", ()),
    ("diagonal", (1, -1, 0)),
    ("select", (0, 1)),
    ("select", (-1, -1)),
    ("narrow", (0, 1, 1)),
    ("narrow", (-1, -2, 2)),
    ("unbind", ()),
    ("unbind", (-1,)),
    ("split", (2,)),
    ("split", (1, -1)),
    ("chunk", (2, 1)),
]


@pytest.mark.parametrize(("name", "args"), SHORTCUTS)
def test_a_shortcut_gives_what_its_rule_gives(name: str, args: tuple) -> None:
    op, taken = OPS[name], 0
    for x in layouts():
        try:
            array = op.shortcut(x._array, *args)  # type: ignore[misc]
        except (IndexError, ValueError):  # the call takes the rule then
            continue
        if array is None:
            continue
        taken += 1
        rule = op.rule(geometry_of(x), x.dtype, *args)[0] if op.typed else op.rule(geometry_of(x), *args)
        if isinstance(array, list):
            assert tuple(map(geometry_of, op.function(x, *args))) == rule
            continue
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
