"""Large tensors: the ways that only they take give what the plain ways give, on infinities, NaN and odd sizes, too."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from itertools import product
from unittest import mock

import numpy as np
import pytest

import tensorwidgets as tw
from tensorwidgets.engine.backends.numpy import chunks, matrix_products, packed_sort, parallel_scan
from tensorwidgets.engine.declare import fast_calls, pointwise_runs, reductions
from tests.parts import Part, thorough_but

NEVER = 1 << 62
ODD = (509, 523)
"""A size that nothing divides, large enough to be cut."""

TRAPS = [np.nan, -np.nan, np.inf, -np.inf, 0.0, -0.0, 3e38, -3e38, 1e-45, 2.0**31, -(2.0**31), 2.0**63, 300.0, -1.5]


@pytest.fixture(autouse=True)
def two_threads() -> Iterator[None]:
    before = tw.get_num_threads()
    tw.set_num_threads(2)
    yield
    tw.set_num_threads(before)


@contextmanager
def plain_ways() -> Iterator[None]:
    """As if nothing were large."""
    thresholds = [
        (chunks, "FROM"),
        (chunks, "THREADED"),
        (fast_calls, "FROM"),
        (pointwise_runs, "FROM"),
        (reductions, "SHORT"),
        (parallel_scan, "CHUNK"),
        (packed_sort, "IN_ALL"),
        (matrix_products, "FROM"),
    ]
    patches = [mock.patch.object(module, name, NEVER) for module, name in thresholds]
    for patch in patches:
        patch.start()
    try:
        yield
    finally:
        for patch in patches:
            patch.stop()


TARGETS = "float64 float32 float16 bfloat16 int64 int32 int16 int8 uint8 bool complex64".split()


@lru_cache(maxsize=16)
def drawn(size: tuple[int, ...], dtype: str, seed: int, traps: bool) -> np.ndarray:
    """Random numbers, drawn once for the many tests that take the same."""
    many = np.random.default_rng(seed).standard_normal(size) * 100
    if traps and dtype[0] in "fc":
        many.reshape(-1)[:: many.size // 97] = np.resize(TRAPS, len(many.reshape(-1)[:: many.size // 97]))
    with np.errstate(all="ignore"):
        return many.astype(dtype)


def numbers(size: tuple[int, ...] = ODD, dtype: str = "f4", seed: int = 0, traps: bool = True) -> tw.Tensor:
    return tw.from_numpy(drawn(size, dtype, seed, traps).copy())


def same(large: tw.Tensor, small: tw.Tensor) -> None:
    assert (large.dtype, large.shape, large.stride()) == (small.dtype, small.shape, small.stride())
    a, b = (x._array if x.dtype is not tw.bfloat16 else x.float()._array for x in (large, small))
    if a.tobytes() == b.tobytes():
        return
    np.testing.assert_array_equal(a, b)  # NaN are equal here
    if a.dtype.kind == "f":
        np.testing.assert_array_equal(np.signbit(a[~np.isnan(a)]), np.signbit(b[~np.isnan(b)]))


def agrees(call: Callable[[], tw.Tensor]) -> None:
    large = call()
    with plain_ways():
        small = call()
    same(large, small)


# -- element by element ------------------------------------------------------------------------------------------

POINTWISE = {
    "exp": lambda x, y: x.exp(), "sin": lambda x, y: x.sin(), "tanh": lambda x, y: x.tanh(),
    "log1p": lambda x, y: x.log1p(), "sqrt": lambda x, y: x.sqrt(), "neg": lambda x, y: -x,
    "abs": lambda x, y: x.abs(), "sign": lambda x, y: x.sign(), "floor": lambda x, y: x.floor(),
    "round": lambda x, y: x.round(), "reciprocal": lambda x, y: x.reciprocal(), "isnan": lambda x, y: x.isnan(),
    "add": lambda x, y: x + y, "sub alpha": lambda x, y: tw.sub(x, y, alpha=3), "div": lambda x, y: x / y,
    "floor_divide": lambda x, y: x // y, "remainder": lambda x, y: x % y, "pow": lambda x, y: x**y,
    "pow 2": lambda x, y: x**2, "pow -1": lambda x, y: x**-1, "maximum": lambda x, y: tw.maximum(x, y),
    "clamp": lambda x, y: x.clamp(-1, 0), "clamp by tensors": lambda x, y: x.clamp(y, x), "gt": lambda x, y: x > y,
    "eq number": lambda x, y: x == 0, "row": lambda x, y: x + y[3], "column": lambda x, y: x * y[:, 3:4],
    "strided": lambda x, y: x[:, ::2] + y[:, ::2], "single": lambda x, y: x - y[:1, :1],
    "atan2": lambda x, y: tw.atan2(x, y), "lerp": lambda x, y: tw.lerp(x, y, 0.3),
    "where": lambda x, y: tw.where(x > y, x, y),
    "where number": lambda x, y: tw.where(x > y, x, -0.0), "masked_fill": lambda x, y: x.masked_fill(y > 0, np.inf),
    "addcmul": lambda x, y: tw.addcmul(x, y, y, value=2), "in place": lambda x, y: x.clone().mul_(y),
    "in place by number": lambda x, y: x.clone().add_(0.5),
    "out": lambda x, y: tw.add(x, y, out=tw.empty(ODD, dtype=x.dtype)),
    "out wider": lambda x, y: tw.add(x, y, out=tw.empty(ODD, dtype=tw.float64)),
    "promoted": lambda x, y: x + y.double(), "by whole numbers": lambda x, y: x * y.isnan().long(),
}  # fmt: skip


CALLS = list(product(POINTWISE, ["f4", "f8", "f2"]))


@pytest.mark.parametrize(("name", "dtype"), thorough_but(Part(4).of(CALLS, lambda call: call[0]), CALLS))
def test_pointwise(name: str, dtype: str) -> None:
    x, y = numbers(dtype=dtype), numbers(dtype=dtype, seed=1)
    agrees(lambda: POINTWISE[name](x, y))


@pytest.mark.parametrize("dtype", ["f4", "f8", "u1", "c16", "i2"])
def test_operands_that_lie_across(dtype: str) -> None:
    x, y = numbers((700, 700), dtype), numbers((700, 700), dtype, 1)
    agrees(lambda: x + y.t())
    agrees(lambda: x.t() + y)
    agrees(lambda: x.t() + y.t())
    agrees(lambda: x.clone().add_(y.t()))
    agrees(lambda: x.t().contiguous())
    agrees(lambda: x.t().to(tw.complex128))
    cube = numbers((70, 90, 110), dtype)
    for order in ((2, 1, 0), (1, 0, 2), (0, 2, 1), (2, 0, 1), (1, 2, 0)):
        agrees(lambda order=order: cube.permute(order).contiguous())
    agrees(lambda: cube.permute(2, 0, 1) + cube.permute(2, 0, 1).contiguous())
    agrees(lambda: numbers((8, 32, 50, 60), dtype).contiguous(memory_format=tw.channels_last))
    agrees(lambda: x[::2, ::3].t().clone())
    agrees(lambda: x[0].expand(700, 700).t().contiguous())


CASTS = list(product(["f4", "f8", "f2", "i8", "u1", "c8", "?"], TARGETS))


@pytest.mark.parametrize(("dtype", "to"), thorough_but(Part(3).of(CASTS), CASTS))
@pytest.mark.filterwarnings("ignore:Casting complex values to real:UserWarning")
def test_casts(dtype: str, to: str) -> None:
    x = numbers(dtype=dtype)
    agrees(lambda: x.to(getattr(tw, to)))
    mild = numbers(dtype=dtype, traps=False).real if dtype == "c8" else numbers(dtype=dtype, traps=False)
    agrees(lambda: mild.to(getattr(tw, to)))


def test_copies_that_overlap_or_broadcast() -> None:
    x = numbers((1 << 20,))
    agrees(lambda: x.clone()[: 1 << 19].copy_(x[1 : (1 << 19) + 1]))
    agrees(lambda: tw.empty(ODD).copy_(numbers((ODD[1],))))
    agrees(lambda: tw.empty(ODD).fill_(7.5))
    agrees(lambda: tw.cat([numbers(), numbers(seed=1)], 1))
    agrees(lambda: tw.stack([numbers(), numbers(seed=1)], 2))


# -- reductions --------------------------------------------------------------------------------------------------


DIMS = [0, 1, 2, (0, 1), (1, 2), (0, 2), (0, 1, 2)]
REDUCTIONS = list(product(["amax", "amin", "all", "any", "sum", "mean"], DIMS, [False, True]))


@pytest.mark.parametrize(("name", "dim", "keepdim"), thorough_but(Part(3).of(REDUCTIONS), REDUCTIONS))
def test_exact_reductions(name: str, dim: int | tuple[int, ...], keepdim: bool) -> None:
    size = (61, 83, 127)
    for dtype in ("i8", "u1") if name not in ("mean",) else ():
        x = numbers(size, dtype)
        for view in (x, x.permute(2, 0, 1).contiguous().permute(1, 2, 0), x[::2]):
            agrees(lambda view=view: getattr(view, name)(dim, keepdim))
    if name in ("amax", "amin", "all", "any"):
        agrees(lambda: getattr(numbers(size), name)(dim, keepdim))
    else:
        x = numbers(size, traps=False)
        for view in (x, x.permute(2, 0, 1).contiguous().permute(1, 2, 0), x[:, :, ::2]):
            found = getattr(view, name)(dim, keepdim)
            with plain_ways():
                wanted = getattr(view.double(), name)(dim, keepdim)
            assert found.shape == wanted.shape and found.stride() == wanted.stride()
            np.testing.assert_allclose(found.numpy(), wanted.numpy(), rtol=2e-5, atol=0.1 if name == "sum" else 1e-4)


@pytest.mark.parametrize("size", [(1 << 20,), (1_000_003,), (2048, 513), (3, 400_001), (300_001, 3), (257, 1025)])
def test_sums_are_as_accurate_as_numpys(size: tuple[int, ...]) -> None:
    for made in (np.random.default_rng(0).standard_normal, np.random.default_rng(0).random):
        x = made(size).astype(np.float32)
        for dims in [None] if len(size) == 1 else [None, 0, 1]:
            exact = x.astype(np.float64).sum(dims)
            scale = np.abs(x.astype(np.float64)).sum(dims)
            ours = np.abs(tw.from_numpy(x).sum(dims).numpy() - exact) / scale
            theirs = np.abs(x.sum(dims) - exact) / scale
            assert ours.max() <= max(2 * theirs.max(), 2.0**-23)


@pytest.mark.parametrize("traps", [[np.inf], [-np.inf, np.inf], [np.nan], [3e38] * 4, [np.inf, 3e38]])
def test_sums_of_what_is_not_finite(traps: list[float]) -> None:
    for at in (0, 255, 256, 700_000):
        x = np.zeros(1_000_003, np.float32)
        x[at : at + len(traps)] = traps
        with np.errstate(all="ignore"):
            wanted = x.sum()
        assert str(tw.from_numpy(x).sum().item()) == str(wanted.item())


def test_results_do_not_depend_on_threads() -> None:
    x, m = numbers((1_000_003,), traps=False), numbers((1031, 521), traps=False)
    calls = (
        lambda: x.sum(), lambda: x.mean(), lambda: m.sum(0), lambda: m.mean(1), lambda: m.softmax(1), lambda: m.prod(0),
        lambda: m.softmax(0), lambda: m.log_softmax(1), lambda: m.cumsum(0), lambda: m.cumsum(1),
        lambda: m.half().sum(), lambda: m.to(tw.complex64).sum(),
    )  # fmt: skip
    found = [call() for call in calls]
    for threads in (1, 3, 4):
        tw.set_num_threads(threads)
        for call, one in zip(calls, found, strict=True):
            same(call(), one)


@pytest.mark.parametrize("name", ["argmax", "argmin"])
def test_places_of_extremes(name: str) -> None:
    for dtype in ("f4", "i4"):
        x = numbers((400, 1000), dtype)
        for dim in (None, 0, 1):
            agrees(lambda x=x, dim=dim: getattr(x, name)(dim))


# -- along a dimension -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(2048, 300), (300, 2048), (1031, 1031), (600, 2, 300), (4096, 65)])
@pytest.mark.parametrize("dtype", ["f4", "f8", "i8", "i2", "f2"])
def test_running_totals(size: tuple[int, ...], dtype: str) -> None:
    x = numbers(size, dtype)
    for dim in range(len(size)):
        for name in ("cumsum", "cumprod"):
            agrees(lambda name=name, dim=dim: getattr(x, name)(dim))
            agrees(lambda name=name, dim=dim: getattr(x.transpose(0, 1), name)(dim))


@pytest.mark.parametrize("size", [(2048, 300), (300, 2048), (3, 200_000), (200_000, 3), (40, 50, 200)])
def test_softmax(size: tuple[int, ...]) -> None:
    for dim in range(len(size)):
        for x in (numbers(size), numbers(size, "f8"), numbers(size, traps=False).transpose(0, -1)):
            for name in ("softmax", "log_softmax"):
                found = getattr(x, name)(dim)
                with plain_ways():
                    wanted = getattr(x, name)(dim)
                assert found.stride() == wanted.stride()
                np.testing.assert_allclose(found.numpy(), wanted.numpy(), rtol=1e-5, atol=1e-6)


SORTED = ["f4", "f8", "f2", "i8", "i4", "i2", "i1", "u1", "u2", "u4", "u8", "?"]


@pytest.mark.parametrize("dtype", SORTED)
@pytest.mark.parametrize("size", [(1, 5000), (5000, 1), (70, 100), (3, 4001)])
def test_stable_order(size: tuple[int, ...], dtype: str) -> None:
    with np.errstate(all="ignore"):
        values = (np.random.default_rng(0).standard_normal(size) * 3).round().astype(dtype)
        traps = np.resize(np.array(TRAPS), len(values.reshape(-1)[::7])).astype(dtype if dtype[0] == "f" else "f8")
    if dtype[0] == "f":
        values.reshape(-1)[::7] = traps
    elif dtype != "?":
        values.reshape(-1)[::9], values.reshape(-1)[1::9] = np.iinfo(dtype).min, np.iinfo(dtype).max
    x = tw.from_numpy(values)
    for dim in (0, 1):
        for descending in (False, True):
            agrees(lambda d=dim, down=descending: tw.argsort(x, dim=d, descending=down, stable=True))
            agrees(lambda d=dim, down=descending: x.sort(dim=d, descending=down, stable=True).values)


# -- by places ---------------------------------------------------------------------------------------------------


def test_gather() -> None:
    rng = np.random.default_rng(0)
    for size, wanted in (((600, 700), (600, 700)), ((600, 700), (500, 900)), ((60, 70, 90), (60, 80, 85))):
        for dtype in ("f4", "i2", "c16", "?"):
            x = numbers(size, dtype)
            for dim in range(len(size)):
                shape = [n if d == dim else min(n, size[d]) for d, n in enumerate(wanted)]
                index = tw.from_numpy(rng.integers(0, size[dim], shape))
                agrees(lambda x=x, dim=dim, index=index: x.gather(dim, index))
                agrees(lambda x=x, dim=dim, index=index: x.gather(dim, index.int()))
                agrees(
                    lambda x=x, dim=dim, index=index: x.transpose(0, 1).contiguous().transpose(0, 1).gather(dim, index)
                )


@pytest.mark.parametrize("bad", [-1, 1 << 20, -(1 << 62), 1 << 62])
def test_a_place_that_is_not_there_is_named(bad: int) -> None:
    index = tw.zeros(1 << 20, dtype=tw.int64)
    index[12345] = bad
    with pytest.raises(RuntimeError, match=f"^index {bad} is out of bounds for dimension 0 with size 1048576"):
        tw.zeros(1 << 20).gather(0, index)


# -- products ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["i8", "i4", "i2", "i1", "u1"])
@pytest.mark.parametrize("largest", [3, 1000, 1 << 24, 1 << 31, 1 << 62])
def test_products_of_whole_numbers(dtype: str, largest: int) -> None:
    rng, ends = np.random.default_rng(0), np.iinfo(dtype)
    low, high = max(ends.min, -largest), min(ends.max, largest)
    a, b = (tw.from_numpy(rng.integers(low, high, size, endpoint=True).astype(dtype)) for size in ((67, 71), (71, 73)))
    agrees(lambda: a @ b)
    agrees(lambda: a @ b[:, 0])
    agrees(lambda: b.t()[0] @ a.t())
    a[3, 4] = ends.min
    agrees(lambda: a @ b)


def test_weights_in_the_middle() -> None:
    for size in ((4, 3, 300, 211), (3, 40, 7, 311), (1, 8, 600, 99), (0, 3, 4, 5), (2, 0, 3, 4)):
        x, w = numbers(size, "f8", traps=False), numbers((size[1],), "f8", 1, traps=False)
        found = tw.einsum("bchw,c->bhw", x, w)
        wanted = (x.numpy() * w.numpy()[:, None, None]).sum(1)
        assert found.is_contiguous()
        np.testing.assert_allclose(found.numpy(), wanted, rtol=1e-9, atol=1e-6)


# -- nothing, and refusals ---------------------------------------------------------------------------------------


def test_nothing_is_cut_into_nothing() -> None:
    for size in ((0,), (0, 1 << 20), (1 << 20, 0)):
        x = tw.empty(size)
        assert (x + x).shape == x.double().shape == x.t().t().contiguous().shape == size
        assert x.sum().item() == 0
        assert x.cumsum(0).shape == size


def test_a_write_that_is_refused_changes_nothing() -> None:
    x, zeros = tw.arange(1 << 20), tw.ones(1 << 20, dtype=tw.int64)
    zeros[-1] = 0
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        x.floor_divide_(zeros)
    assert x.equal(tw.arange(1 << 20))


def test_an_error_in_a_piece_comes_out_and_leaves_the_threads_at_work() -> None:
    def fail(piece: int) -> None:
        if piece == 5:
            raise KeyError("five")

    with pytest.raises(KeyError, match="five"):
        chunks.run_parallel(fail, range(20))
    done: list[int] = []
    chunks.run_parallel(done.append, range(20))
    assert sorted(done) == list(range(20))
