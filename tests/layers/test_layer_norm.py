"""Layer normalization of many rows at once is as exact as that of each row, whatever their means."""

from __future__ import annotations

import numpy as np
import pytest

import tensorwidgets as tw
from tensorwidgets.engine.backends.numpy.layers.layer_norm import MANY


def _normalized(rows: np.ndarray, weight: np.ndarray, bias: np.ndarray) -> np.ndarray:
    wide = rows.astype("f8")
    wide = wide - wide.mean(1, keepdims=True)
    return wide / np.sqrt((wide**2).mean(1, keepdims=True) + 1e-5) * weight + bias


@pytest.mark.parametrize("mean", [0.0, 0.5, 3.0, 1000.0])
@pytest.mark.parametrize("size", [(256, 512), (3, 9000), (4000, 9), (700, 400)])
def test_many_rows_are_normalized_like_few(size, mean):
    generator = np.random.default_rng(0)
    rows = (generator.standard_normal(size) + mean).astype("f4")
    weight, bias = generator.standard_normal((2, size[1])).astype("f4")
    assert rows.size >= MANY
    given = [tw.from_numpy(a) for a in (rows, weight, bias)]
    got = tw.nn.functional.layer_norm(given[0], size[1:], *given[1:]).numpy()
    far = 1 + abs(mean)  # digits that the mean takes
    np.testing.assert_allclose(got, _normalized(rows, weight, bias), rtol=2e-6 * far, atol=2e-6 * far)
    whole, means, scales = tw.native_layer_norm(given[0], size[1:], *given[1:], 1e-5)
    np.testing.assert_array_equal(whole.numpy(), got)
    np.testing.assert_allclose(means.numpy()[:, 0], rows.mean(1, dtype="f8"), rtol=2e-5, atol=1e-6)
    np.testing.assert_allclose(scales.numpy()[:, 0], 1 / np.sqrt(rows.var(1, dtype="f8") + 1e-5), rtol=2e-5)


def test_rows_without_numbers_and_infinite_weights_keep_to_themselves():
    rows = tw.randn(256, 512, generator=tw.Generator().manual_seed(0))
    rows[3, 5], rows[7, 0] = float("inf"), float("nan")
    weight = tw.ones(512)
    weight[9] = float("inf")
    got = tw.nn.functional.layer_norm(rows, (512,), weight, tw.zeros(512))
    lost = got.isnan().any(1)
    assert lost.nonzero().flatten().tolist() == [3, 7]
    assert got[~lost].isinf().sum(0).nonzero().flatten().tolist() == [9]
    assert tw.nn.functional.layer_norm(tw.full((256, 512), 1e30), (512,)).isfinite().all()
