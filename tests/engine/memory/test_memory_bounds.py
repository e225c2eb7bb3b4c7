"""In-place forms and `out=` make no array of the result's size; reductions none of their input's size."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import tensorwidgets as tw
from tensorwidgets.engine.backends.numpy import chunks
from tensorwidgets.engine.declare import fast_calls, pointwise_calls, pointwise_runs
from tensorwidgets.engine.dispatch.registry import OPS
from tensorwidgets.engine.ops.nn.activations import elementwise
from tensorwidgets.engine.ops.pointwise import special
from tests.engine.peak_memory import peak
from tests.parts import thorough_but

COUNT = 1 << 20

MORE: dict[str, Callable[[Any], tuple]] = {
    "_nn.hardtanh": lambda x: (-1, 1),  # a row that is called with numbers alone
    "lerp": lambda x: (x.clone(), 0.5), "addcmul": lambda x: (x.clone(), x.clone()), "clamp": lambda x: (0, 2),
    "addcdiv": lambda x: (x.clone(), x.clone()), "mvlgamma": lambda x: (1,),
}  # fmt: skip
"""Arguments behind the first tensor, where neither nothing nor another tensor or number will do."""

MANY_STEPS = "polynomial"
"""Recurrences need room for a dozen steps of each piece: those are measured once, on a larger tensor."""

COMPOSED = {
    "ldexp": "the power of 2 is made first, as PyTorch's",
    "float_power": "operands are converted first, as PyTorch's",
}
"""Ops made of two others, as in PyTorch, of which the first makes what the second takes."""

COPIES = {
    "median": "elements are moved into order, and those of the input stay: a copy, as PyTorch's",
    "nanmedian": "as median",
    "mode": "sorted, as PyTorch's",
    "quantile": "sorted, as PyTorch's",
    "nanquantile": "sorted, as PyTorch's",
    "unique": "sorted, as PyTorch's",
    "unique_consecutive": "the result may be as large as the input, and its places too",
    "dist": "the difference is made first, as PyTorch's",
}
"""Reductions that need an array of their input's size, and why."""


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bounds are shares of a result: half the tensor in half the pieces shows the same."""
    for module in (chunks, fast_calls, pointwise_runs, pointwise_calls, elementwise, special):
        for name in {"FROM", "PIECE", "_PIECE", "THREADED"} & vars(module).keys():
            monkeypatch.setattr(module, name, getattr(module, name) // 2)


def pointwise(x: Any) -> Iterator[tuple[str, tuple]]:
    """Every pointwise op that takes this tensor, with one or two ways to call it."""
    few = x[:3]
    for name, op in OPS.items():
        if op.family != "pointwise" or MANY_STEPS in name or name in COMPOSED or "function" not in op.forms:
            continue
        for more in [MORE[name](x)] if name in MORE else [(), (x + 1,), (2,)]:
            try:
                found = op.function(few, *[m[:3] if isinstance(m, tw.Tensor) else m for m in more])
            except (TypeError, RuntimeError, ValueError, NotImplementedError):
                continue  # the op is called otherwise, or takes no such numbers
            if isinstance(found, tw.Tensor):
                yield name, more


def too_much(name: str, form: str, call: Callable[[], Any], nbytes: int) -> list[str]:
    try:
        most = peak(call)
    except TypeError:
        return []  # it has no such form, or not with these arguments
    return [f"{name} {form}: {most / nbytes:.2f} of the result"] if most > 0.75 * nbytes else []


@pytest.mark.parametrize("dtype", thorough_but([tw.float32], [tw.float32, tw.int64]))
def test_pointwise_ops_write_where_they_are_told(dtype: tw.dtype) -> None:
    count = COUNT // 2  # the bound is a share of the result, and 2 MB is a hundred times what a piece takes
    x = tw.rand(count) if dtype is tw.float32 else tw.arange(count) % 7 + 1
    found, asked = [], 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, more in pointwise(x):
            function = OPS[name].function
            few = function(x[:3], *[m[:3] if isinstance(m, tw.Tensor) else m for m in more])
            out = tw.empty(count, dtype=few.dtype)
            asked += 1
            found += too_much(name, "out=", lambda f=function, m=more, o=out: f(x, *m, out=o), out.nbytes)
            if out.dtype is dtype and hasattr(tw.Tensor, name + "_"):
                y = x.clone()
                inplace = getattr(y, name + "_")
                found += too_much(name, "in place", lambda f=inplace, m=more: f(*m), y.nbytes)
    assert asked > 80
    assert found == []


def test_recurrences_work_piece_by_piece() -> None:
    x, out = tw.rand(4 * COUNT), tw.empty(4 * COUNT)
    assert peak(lambda: tw.special.legendre_polynomial_p(x, 3, out=out)) < 0.4 * out.nbytes


def test_a_reduction_makes_no_array_of_its_inputs_size() -> None:
    found, asked = [], 0
    for dtype in (tw.float32, tw.float16, tw.int64, tw.bool):
        x = (tw.arange(COUNT) % 7 + 1).to(dtype).reshape(1024, -1)
        for name, op in OPS.items():
            if op.category != "reduction" or op.family != "reduction" or name in COPIES:
                continue
            for dim in ((), (0,), (1,)):
                try:
                    op.function(x[:2, :2], *dim)
                except (TypeError, RuntimeError, NotImplementedError):
                    continue  # the op asks for a dimension, or takes no such numbers
                asked += 1
                most = peak(lambda op=op, x=x, dim=dim: op.function(x, *dim))
                if most > 0.9 * x.numel() * max(x.itemsize, 4):  # truths are computed with as float32 at least
                    found.append(f"{name} {dim} {dtype}: {most / x.nbytes:.2f} of the input")
    assert asked > 150
    assert found == []


def test_reductions_of_strided_views_make_none_either() -> None:
    x = tw.rand(1024, 2 * COUNT // 1024).t()
    for call in (x.argmax, x.sum, x.std, x.logsumexp, lambda: x.max(0), lambda: x.argmin(1)):
        assert peak(lambda call=call: call(0) if call == x.logsumexp else call()) < 0.5 * x.nbytes


def test_places_of_large_pools_are_not_kept() -> None:
    from tensorwidgets.engine.backends.numpy.layers import pools

    pools._tables.cache_clear()
    tw.nn.functional.max_pool2d(tw.ones(1, 1, 200, 200), 2, return_indices=True)
    assert pools._tables.cache_info().currsize == 0
    tw.nn.functional.max_pool2d(tw.ones(1, 1, 20, 20), 2, return_indices=True)
    assert pools._tables.cache_info().currsize == 1


def test_a_loss_of_several_classes_makes_no_table_of_their_pairs() -> None:
    scores = tw.linspace(-1, 1, 16_000).reshape(8, 2000).requires_grad_()
    classes = tw.full((8, 2000), -1)
    classes[:, :3] = tw.tensor([7, 1999, 0])
    loss = tw.nn.functional.multilabel_margin_loss
    loss(scores, classes).backward()  # imports what it needs
    assert peak(lambda: loss(scores, classes).backward()) < 20 * scores.numel() * scores.itemsize
