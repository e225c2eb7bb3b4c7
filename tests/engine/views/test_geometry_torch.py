"""Geometry beside a running PyTorch: questions nobody froze, chains of views, what other operations do."""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tensorwidgets.engine import geometry as geo
from tensorwidgets.engine.geometry import Geometry
from tests.engine.views import freeze_geometry as frozen
from tests.engine.views import test_geometry
from tests.engine.views.geometry_cases import QUESTIONS, Case, a_size, ask, case, layout, our_answer, span

pytestmark = pytest.mark.torch

CHAINED = [
    "view", "expand", "transpose", "permute", "movedim", "squeeze", "unsqueeze", "narrow", "select", "slice",
    "diagonal", "unfold", "unflatten", "flatten", "t", "matrix_transpose", "reverse_dims", "new_axis",
]  # fmt: skip
"""Views that keep the dtype: each can follow any other."""

REDUCTIONS: dict[str, Callable[[Any, tuple[int, ...], bool], Any]] = {
    "amax": lambda x, dims, keep: x.amax(dims, keep),
    "mean": lambda x, dims, keep: x.mean(dims, keep),
    "std": lambda x, dims, keep: x.std(dims, keepdim=keep),
    "norm": lambda x, dims, keep: x.norm(2, dims, keep),
    "logsumexp": lambda x, dims, keep: x.logsumexp(dims, keep),
    "all": lambda x, dims, keep: x.bool().all(dims, keep),
    "prod": lambda x, dims, keep: x.prod(dims[0], keep),
    "argmax": lambda x, dims, keep: x.argmax(dims[0], keep),
    "max": lambda x, dims, keep: x.max(dims[0], keep).values,
    "median": lambda x, dims, keep: x.median(dims[0], keep).values,
}
ONE_DIM = {"prod", "argmax", "max", "median"}


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@pytest.mark.parametrize("function", QUESTIONS)
def test_the_reference_is_what_pytorch_says(function):
    for number in test_geometry.numbers(function)[::5]:
        assert frozen.torch_answer(case(number)) == test_geometry.ANSWERS[number], case(number)


@pytest.mark.parametrize("function", QUESTIONS)
def test_questions_nobody_froze(function):
    at = list(QUESTIONS).index(function)
    for number in range(frozen.CASES * 10 + at, frozen.CASES * 10 + 250 * len(QUESTIONS), len(QUESTIONS)):
        assert our_answer(case(number)) == frozen.torch_answer(case(number)), case(number)


@pytest.mark.parametrize("seed", range(10))
def test_chains_of_views(seed):
    rng = random.Random(seed)
    steps = 0
    for _ in range(60):
        g = layout(rng, a_size(rng, rng.randrange(1, 5)))
        storage = g.offset + span(g.size, g.stride)
        for _ in range(12):
            function = rng.choice(CHAINED)
            question = Case(-1, function, g, storage, QUESTIONS[function](rng, g))
            assert our_answer(question) == frozen.torch_answer(question), question
            seen = ask(question)
            if isinstance(seen, Geometry) and (0 not in seen.size or rng.random() < 0.3):
                g = seen
                steps += 1
            if geo.numel(g.size) > 4000:
                break
    assert steps > 200


@pytest.mark.parametrize("seed", range(4))
def test_overlap_of_two_views_is_what_pytorch_refuses_to_write_to(seed):
    torch = frozen.pytorch()
    rng = random.Random(seed)
    base = torch.zeros(40, dtype=torch.int64)
    seen = set()
    for _ in range(500):
        a, b = (layout(rng, (rng.randint(1, 3), rng.randint(1, 3))) for _ in range(2))
        b = Geometry(a.size, rng.choice([a.stride, b.stride]), rng.choice([a.offset, b.offset]))
        wide = rng.random() < 0.3
        x = (base.view(torch.int32) if wide else base).as_strided(*a)
        y = base.as_strided(*b)
        verdict = geo.memory_overlap(a, 4 if wide else 8, b, 8)
        if geo.overlap(b.size, b.stride) == "yes":
            continue  # refused for another reason
        assert refuses(lambda x=x, y=y: torch.add(x, 1, out=y)) == (verdict == "partial"), (a, b, wide)
        if not wide:
            each = torch.arange(geo.numel(a.size)).reshape(a.size)
            wanted = verdict in ("partial", "full")
            assert refuses(lambda x=x, y=y, each=each: torch.take(x, each, out=y)) == wanted, (a, b)
        seen.add(verdict)
    assert seen == {"no", "full", "partial", "maybe"}


def refuses(write: Callable[[], Any]) -> bool:
    try:
        write()
    except RuntimeError as error:
        assert "refer to a single memory location" in str(error)
        return True
    return False


@pytest.mark.parametrize("name", REDUCTIONS)
def test_what_a_reduction_leaves_is_row_major(name):
    rng = random.Random(name)
    for _ in range(150):
        g = layout(rng, tuple(rng.choice([1, 2, 3]) for _ in range(rng.randint(1, 5))))
        dims = tuple(rng.sample(range(len(g.size)), 1 if name in ONE_DIM else rng.randint(1, len(g.size))))
        keep = rng.random() < 0.5
        x = frozen.alone(g.size, g.stride)
        assert REDUCTIONS[name](x, dims, keep).stride() == geo.reduction_stride(g.size, g.stride, dims, keep), g


@pytest.mark.parametrize("seed", range(3))
def test_strides_of_results_that_are_not_plain_sums(seed):
    torch = frozen.pytorch()
    rng = random.Random(seed)
    for _ in range(400):
        g = layout(rng, a_size(rng, rng.randrange(6)))
        if geo.overlap(g.size, g.stride) == "maybe":
            continue
        x = frozen.alone(g.size, g.stride)
        like = geo.preserve_stride(g.size, g.stride)
        assert torch.empty_like(x).stride() == x.to(torch.int8).stride() == torch.rand_like(x).stride() == like
        alone = geo.pointwise_stride(g.size, [(g.size, g.stride)])
        assert x.exp().stride() == torch.logical_not(x).stride() == alone
        with_number = geo.pointwise_stride(g.size, [(g.size, g.stride), ((), ())])
        assert (x + 1).stride() == (2 * x).stride() == (x == 0.5).stride() == with_number
        other = layout(rng, tuple(rng.choice([n, 1]) for n in g.size))
        pair = [(g.size, g.stride), (other.size, other.stride)]
        y = frozen.alone(*pair[1])
        both = geo.pointwise_stride(g.size, pair)
        assert torch.maximum(x, y).stride() == (x < y).stride() == torch.atan2(x, y).stride() == both, pair
        assert torch.where(y > 0, x, y).stride() == geo.pointwise_stride(
            g.size, [(other.size, (y > 0).stride()), *pair]
        ), pair
