"""Derivatives of linear algebra against differences, and products as PyTorch records them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tensorwidgets as tw
from tests.gradients.graphs import graph


def _regular(a: Any) -> Any:
    return a + 3 * tw.eye(a.shape[-1], dtype=a.dtype)


def _hermitian(a: Any) -> Any:
    return _regular(a @ a.mH)


FUNCTIONS: dict[str, tuple[Callable[..., Any], tuple[tuple[int, ...], ...]]] = {
    "matmul of batches": (tw.matmul, ((2, 1, 3, 2), (4, 2, 3))),
    "matmul, one matrix": (tw.matmul, ((3, 3), (2, 3, 4))),
    "tensordot to a number": (lambda a, b: tw.tensordot(a, b, ([0, 1], [1, 0])), ((2, 3), (3, 2))),
    "multi_dot": (lambda *a: tw.linalg.multi_dot(a), ((2,), (2, 4), (4, 3), (3,))),
    "kron": (tw.kron, ((2, 3), (3,))),
    "addbmm": (lambda a, b, c: tw.addbmm(a, b, c, beta=2, alpha=3), ((1, 3), (2, 2, 4), (2, 4, 3))),
    "det": (tw.det, ((2, 3, 3),)),
    "slogdet": (lambda a: tw.slogdet(_regular(a))[1], ((3, 3),)),
    "inv": (lambda a: tw.linalg.inv(_regular(a)), ((3, 3),)),
    "solve": (lambda a, b: tw.linalg.solve(_regular(a), b, left=False), ((2, 3, 3), (2, 4, 3))),
    "solve_triangular": (
        lambda a, b: tw.linalg.solve_triangular(_regular(a), b, upper=True, unitriangular=True), ((3, 3), (3, 2))),
    "lu_solve": (
        lambda a, b: tw.linalg.lu_solve(*tw.linalg.lu_factor(_regular(a)), b, adjoint=True), ((3, 3), (3, 2))),
    "cholesky": (lambda a: tw.linalg.cholesky(_hermitian(a), upper=True), ((2, 3, 3),)),
    "qr, tall": (lambda a: tw.linalg.qr(a)[0], ((4, 2),)),
    "qr, wide": (lambda a: tw.linalg.qr(a)[1], ((2, 4),)),
    "lu, tall": (lambda a: tw.linalg.lu(a)[1], ((4, 2),)),
    "lu, wide": (lambda a: tw.linalg.lu(a)[2], ((2, 4),)),
    "svd": (lambda a: tw.linalg.svd(a, full_matrices=False)[0].abs(), ((4, 2),)),
    "eigh": (lambda a: tw.linalg.eigh(_hermitian(a))[1].abs(), ((3, 3),)),
    "eig": (lambda a: tw.linalg.eig(a)[1].abs(), ((3, 3),)),
    "pinv": (tw.linalg.pinv, ((4, 2),)),
    "lstsq": (lambda a, b: tw.linalg.lstsq(a, b)[0], ((4, 2), (4, 3))),
    "matrix_exp": (tw.matrix_exp, ((2, 2, 2),)),
    "matrix_power": (lambda a: tw.matrix_power(_regular(a), -3), ((2, 2),)),
    "householder_product": (tw.linalg.householder_product, ((4, 3), (2,))),
    "ormqr": (lambda a, b, c: tw.ormqr(a, b, c, False, True), ((3, 2), (2,), (2, 3))),
}  # fmt: skip


@pytest.mark.parametrize("dtype", ["float64", "complex128"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_gradients_and_differences(name: str, dtype: str) -> None:
    function, sizes = FUNCTIONS[name]
    dice = np.random.default_rng(7)

    def draw(size: Any) -> Any:
        values = dice.standard_normal(size)
        return tw.as_tensor(np.asarray(values + 1j * dice.standard_normal(size) if dtype == "complex128" else values))

    inputs = [draw(size) for size in sizes]
    weights = draw(tuple(function(*inputs).shape))

    def loss(*given: Any) -> Any:
        weighted = function(*given) * weights
        return tw.real(weighted).sum()

    leaves = [t.clone().requires_grad_() for t in inputs]
    grads = tw.autograd.grad(loss(*leaves), leaves)
    for place, grad in enumerate(grads):
        step = draw(sizes[place])
        there, back = (
            float(loss(*[t + h * step if i == place else t for i, t in enumerate(inputs)])) for h in (1e-6, -1e-6)
        )
        along = float(tw.real(grad.conj() * step).sum())
        assert along == pytest.approx((there - back) / 2e-6, rel=1e-5, abs=1e-6)


MATMUL = {
    ((3,), (3,)): "Dot",
    ((2, 3), (3,)): "Mv",
    ((3,), (3, 2)): "Squeeze Mm Unsqueeze",
    ((2, 3), (3, 2)): "Mm",
    ((2, 3, 4), (4,)): "UnsafeView Mv View",
    ((2, 3, 4), (4, 2)): "UnsafeView Mm View",
    ((3,), (2, 3, 4)): "UnsafeView Mv UnsafeView Clone Transpose",
    ((3, 3), (2, 3, 4)): "Clone Transpose UnsafeView Mm UnsafeView T Clone Transpose",
    ((2, 3, 4), (2, 4, 2)): "UnsafeView Bmm View View Expand Expand",
    ((1, 2, 3), (4, 3, 2)): "Clone Transpose UnsafeView Mm UnsafeView T Clone Squeeze Transpose",
}
"""The nodes of a product by the sizes of its factors, as PyTorch 2.13 records them."""


@pytest.mark.parametrize("sizes", MATMUL)
def test_a_product_is_recorded_by_its_numbers_of_dimensions(sizes: tuple[tuple[int, ...], ...]) -> None:
    a, b = (tw.ones(size, requires_grad=True) for size in sizes)
    names = [line.split()[1] for line in graph(a @ b)]
    nodes = [name.rstrip("0123456789").removesuffix("Backward") for name in names if "Accumulate" not in name]
    assert " ".join(nodes) == MATMUL[sizes]


@pytest.mark.torch
@pytest.mark.parametrize("sizes", MATMUL)
def test_products_are_pytorchs_still(sizes: tuple[tuple[int, ...], ...]) -> None:
    import torch

    ours, theirs = (
        graph(engine.matmul(*[engine.ones(size, requires_grad=True) for size in sizes])) for engine in (tw, torch)
    )
    assert ours == theirs
