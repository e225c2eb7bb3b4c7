"""Gradients of random reads and writes by index: each element is found again by its number."""

from __future__ import annotations

import random

import numpy as np
import pytest

import tensorwidgets as tw


def drawn_key(draw: random.Random, size: tuple[int, ...]) -> tuple:
    """Numbers, slices, None, an Ellipsis, index tensors, lists and masks of one or two dimensions."""
    parts: list = []
    dim = 0
    while dim < len(size):
        n, sort = size[dim], draw.random()
        dim += 1
        if sort < 0.2:
            parts.append(draw.randrange(-n, n))
        elif sort < 0.45:
            start, stop = sorted((draw.randrange(n + 1), draw.randrange(n + 1)))
            parts.append(draw.choice([slice(start, stop), slice(None), slice(None, None, 2)]))
        elif sort < 0.65:
            parts.append(tw.tensor([draw.randrange(-n, n) for _ in range(2)]))
        elif sort < 0.75:
            parts.append([draw.randrange(n) for _ in range(2)])
        elif sort < 0.85:
            parts.append(tw.tensor([k == 0 for k in range(n)]))
        elif dim < len(size):
            parts.append(tw.tensor([[k + j == 1 for j in range(size[dim])] for k in range(n)]))
            dim += 1
        if draw.random() < 0.15:
            parts.append(None)
        if draw.random() < 0.1 and ... not in parts:
            parts.append(...)
            break
    return tuple(parts)


def places(size: tuple[int, ...], key: tuple) -> np.ndarray | None:
    """The number of each element that a key reads; None if the key's index tensors do not fit each other."""
    try:
        return tw.arange(int(np.prod(size))).reshape(size)[key].numpy()
    except IndexError:
        return None


@pytest.mark.parametrize("seed", range(40))
def test_reads_and_writes(seed: int) -> None:
    draw = random.Random(seed)
    tried = 0
    for _ in range(8):
        size = tuple(draw.randrange(1, 4) for _ in range(draw.randrange(1, 4)))
        key = drawn_key(draw, size)
        where = places(size, key)
        if where is None:
            continue
        tried += 1
        x = tw.arange(1.0, 1 + int(np.prod(size)), dtype=tw.float64).reshape(size).requires_grad_()
        weights = tw.arange(2.0, 2 + where.size, dtype=tw.float64).reshape(where.shape)

        read = x[key]
        wanted = np.zeros(x.numel())
        np.add.at(wanted, where, weights.numpy())
        for create_graph in (False, True):
            (grad,) = tw.autograd.grad((read * weights).sum(), x, create_graph=create_graph, retain_graph=True)
            assert grad.reshape(-1).tolist() == wanted.tolist(), key

        value = tw.full((1,), 5.0, dtype=tw.float64, requires_grad=True)
        y = x * 1
        y[key] = value
        factors = tw.arange(1.0, 1 + x.numel(), dtype=tw.float64).reshape(size)
        of_x, of_value = tw.autograd.grad((y * factors).sum(), (x, value))
        kept = factors.reshape(-1).numpy().copy()
        kept[where] = 0
        assert of_x.reshape(-1).tolist() == kept.tolist(), key
        assert of_value.item() == factors.reshape(-1).numpy()[where].sum(), key
    assert tried


def test_a_mask_is_filled_with_a_number_of_another_dtype() -> None:
    y = tw.ones(2, 2, requires_grad=True) * 1
    y[tw.tensor([True, False])] = tw.tensor(3)
    assert y.tolist() == [[3, 3], [1, 1]] and y.grad_fn.name() == "IndexPutBackward0"
    x = tw.ones(2, 2)
    assert x.index_put_((tw.tensor([True, False]),), tw.tensor(3)).tolist() == [[3, 3], [1, 1]]
    with pytest.raises(RuntimeError, match="source and destination dtypes match"):
        y[tw.tensor([0])] = tw.tensor(3)


def test_keys_that_are_no_tensors_are_read_as_without_gradients() -> None:
    x = tw.ones(2, 3, requires_grad=True)
    assert x[np.array([0, 1])].grad_fn.name() == "IndexBackward0"
    assert x[np.array([True, False])].shape == (1, 3)
    assert x[np.array(1)].grad_fn.name() == "SelectBackward0"
    y = x * 1
    y[np.array([1])] = 5
    assert y.tolist() == [[1, 1, 1], [5, 5, 5]]
    with pytest.raises(IndexError, match="must be long, int, byte or bool tensors"):
        x[tw.tensor(0.0)]
    with pytest.warns(UserWarning, match="non-tuple sequence") as warned:
        assert x[[[0, 1]]].shape == (2, 3)  # type: ignore[index]
    assert len(warned) == 1


def test_the_gradient_of_a_source_that_is_larger_than_the_index_is_refused() -> None:
    for name, more in (
        ("scatter", ()),
        ("scatter_add", ()),
        ("scatter_reduce", ("sum",)),
        ("scatter_reduce", ("mean",)),
    ):
        src = tw.tensor([1.0, 2.0, 3.0], requires_grad=True)
        result = getattr(tw.zeros(3), name)(0, tw.tensor([0, 1]), src, *more)
        with pytest.raises(
            RuntimeError, match=r"invalid gradient at index 1 - got \[2\] but expected shape .* with \[3\]"
        ):
            result.sum().backward()
    src = tw.tensor(5.0, requires_grad=True)
    tw.tensor(3.0).scatter(0, tw.tensor([0]), src).backward()
    assert src.grad.item() == 1
