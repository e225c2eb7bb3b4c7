"""Normalizations of many numbers, which are scaled row by row, against their formulas in float64."""

from __future__ import annotations

import numpy as np
import pytest

import tensorwidgets as torch
from tensorwidgets.engine.backends.numpy.sums import scaled_rows

f = torch.nn.functional
SIZE = 4, 6, 30, 30
assert np.prod(SIZE) >= scaled_rows.FROM


def _given(shift: float) -> list[np.ndarray]:
    draw = np.random.default_rng(5)
    x = draw.normal(shift, 2, SIZE)
    return [a.astype("f4") for a in (x, draw.normal(1, 0.3, 6), draw.normal(0, 1, 6), draw.normal(0, 1, SIZE))]


def _of_channels(x, weight, bias, grad, eps):
    """Batch normalization and its gradients, by the definition."""
    x, weight, bias, grad = (a.astype(np.float64) for a in (x, weight, bias, grad))
    rows, slopes = (a.transpose(1, 0, 2, 3).reshape(6, -1) for a in (x, grad))
    mean, scale = rows.mean(1, keepdims=True), 1 / np.sqrt(rows.var(1, keepdims=True) + eps)
    normal = (rows - mean) * scale
    result = normal * weight[:, None] + bias[:, None]
    along, total = (slopes * normal).sum(1), slopes.sum(1)
    of_rows = slopes - (total[:, None] + normal * along[:, None]) / rows.shape[1]
    of_rows *= weight[:, None] * scale
    back = [a.reshape(6, 4, 30, 30).transpose(1, 0, 2, 3) for a in (result, of_rows)]
    return [*back, along, total, mean[:, 0], rows.var(1, ddof=1)]


def _near(found, wanted, size: float = 2e-6) -> bool:
    return np.abs(np.asarray(found) - wanted).max() <= size * np.abs(wanted).max()


@pytest.mark.parametrize("shift", [0, 1, 100])
def test_channels_of_a_batch(shift):
    x, weight, bias, grad = _given(shift)
    image, w, b = (torch.tensor(a, requires_grad=True) for a in (x, weight, bias))
    mean, var = torch.zeros(6), torch.ones(6)
    result = f.batch_norm(image, mean, var, w, b, True, 0.25, 1e-5)
    result.backward(torch.tensor(grad))
    wanted = _of_channels(x, weight, bias, grad, 1e-5)
    close = 2e-6 if shift < 100 else 1e-4  # float32 keeps fewer digits of a difference from 100
    found = [result.detach(), image.grad, w.grad, b.grad, mean * 4, (var - 0.75) * 4]
    for ours, theirs in zip(found, wanted, strict=True):
        assert _near(ours.numpy(), theirs, close)


@pytest.mark.parametrize("given", ["both", "weight", "bias", "none"])
def test_running_statistics(given):
    x, weight, bias, _ = _given(1)
    w, b = [torch.tensor(a) if given in ("both", n) else None for a, n in ((weight, "weight"), (bias, "bias"))]
    mean, var = torch.tensor(bias + 1), torch.tensor(np.abs(weight) + 1)
    result = f.batch_norm(torch.tensor(x), mean, var, w, b, False, 0.1, 1e-3)
    columns = (6, 1, 1)
    wanted = (x - (bias + 1.0).reshape(columns)) / np.sqrt(np.abs(weight) + 1.001).reshape(columns)
    wanted = wanted * (1 if w is None else weight.reshape(columns)) + (0 if b is None else bias.reshape(columns))
    assert _near(result.numpy(), wanted)


def test_a_channel_that_is_not_finite_leaves_the_others_alone():
    x, weight, bias, _ = _given(0)
    x[0, 2, 3, 4] = np.inf
    result = f.batch_norm(torch.tensor(x), None, None, torch.tensor(weight), torch.tensor(bias), True).numpy()
    assert np.isnan(result[:, 2]).all()
    assert np.isfinite(np.delete(result, 2, 1)).all()


@pytest.mark.parametrize("shift", [0, 100])
@pytest.mark.parametrize("expanded", [False, True])
def test_rows_of_a_layer(shift, expanded):
    draw = np.random.default_rng(9)
    x = draw.normal(shift, 2, (150, 120)).astype("f4")
    weight, bias = draw.normal(1, 0.3, (2, 120)).astype("f4")
    grad = np.broadcast_to(np.float32(0.5), x.shape) if expanded else draw.normal(0, 1, x.shape).astype("f4")
    rows, w, b = (torch.tensor(a, requires_grad=True) for a in (x, weight, bias))
    result = f.layer_norm(rows, (120,), w, b)
    result.backward(torch.from_numpy(np.array(0.5, "f4")).expand(x.shape) if expanded else torch.tensor(grad))
    wide, slopes = x.astype(np.float64), grad.astype(np.float64)
    scale = 1 / np.sqrt(wide.var(1, keepdims=True) + 1e-5)
    normal = (wide - wide.mean(1, keepdims=True)) * scale
    weighted = slopes * weight
    of_rows = weighted - weighted.mean(1, keepdims=True) - normal * (weighted * normal).mean(1, keepdims=True)
    close = 3e-6 if not shift else 1e-4
    assert _near(result.detach().numpy(), normal * weight + bias, close)
    assert _near(rows.grad.numpy(), of_rows * scale, close)
    assert _near(w.grad.numpy(), (slopes * normal).sum(0), close)
    assert _near(b.grad.numpy(), slopes.sum(0), close)


def test_a_row_is_multiplied_and_then_added():
    draw = np.random.default_rng(1)
    rows, target = draw.integers(-9, 9, (2, 300, 70)).astype("f4")  # no sum is rounded
    factors = draw.integers(-9, 9, 300).astype("f4")
    found, scaled = target.copy(), rows.copy()
    scaled_rows.add_scaled_rows(found, factors, rows)
    scaled_rows.scale_rows(scaled, factors)
    assert (found == target + factors[:, None] * rows).all()
    assert (scaled == factors[:, None] * rows).all()
