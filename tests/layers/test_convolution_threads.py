"""Images are convolved on several threads, and neither the numbers nor the threads of BLAS depend on it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import tensorwidgets as tw
from tensorwidgets.engine.backends.numpy import threads
from tensorwidgets.engine.backends.numpy.layers import convolution

F = tw.nn.functional


@pytest.fixture(autouse=True)
def threads_as_before() -> Iterator[None]:
    before = tw.get_num_threads()
    yield
    tw.set_num_threads(before)


def _numbers(count: int, groups: int, kernel: int) -> list[np.ndarray]:
    """A convolution of 11 images and its gradients, on some threads."""
    tw.set_num_threads(count)
    tw.manual_seed(0)
    x = tw.randn(11, 8, 24, 24, requires_grad=True)
    weight = tw.randn(16, 8 // groups, kernel, kernel, requires_grad=True)
    y = F.conv2d(x, weight, padding=1, groups=groups)
    (y * y).sum().backward()
    assert x.grad is not None and weight.grad is not None
    return [t.detach().numpy() for t in (y, x.grad, weight.grad)]


@pytest.mark.parametrize(("groups", "kernel"), [(1, 3), (2, 3), (1, 1)])
def test_the_numbers_are_the_same_on_any_number_of_threads(groups: int, kernel: int) -> None:
    alone = _numbers(1, groups, kernel)
    for count in (2, 3):
        for one, other in zip(alone, _numbers(count, groups, kernel), strict=True):
            assert np.array_equal(one, other)


def test_blas_has_one_thread_meanwhile_and_then_those_it_had(monkeypatch: pytest.MonkeyPatch) -> None:
    tw.set_num_threads(2)
    seen = []
    run = convolution.run_parallel

    def watched(function, pieces) -> None:  # type: ignore[no-untyped-def]
        seen.append([library.num_threads for library in threads._blas()])
        run(function, pieces)

    monkeypatch.setattr(convolution, "run_parallel", watched)
    F.conv2d(tw.ones(11, 8, 24, 24), tw.ones(16, 8, 3, 3))
    assert seen == [[1] * len(threads._blas())]
    assert {library.num_threads for library in threads._blas()} == {2}


def test_an_error_on_a_thread_is_raised_and_leaves_blas_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    tw.set_num_threads(2)

    def fail(*args: object, **named: object) -> None:
        raise MemoryError

    monkeypatch.setattr(convolution.np, "matmul", fail)
    with pytest.raises(RuntimeError, match="bad_alloc"):
        F.conv2d(tw.ones(11, 8, 24, 24), tw.ones(16, 8, 3, 3))
    assert {library.num_threads for library in threads._blas()} == {2}
