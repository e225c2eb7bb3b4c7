"""Linear algebra: what must hold of every factorisation, how calls end, and where results are written."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import tensorwidgets as torch
from tests.engine.products.freeze_linalg import REFERENCE, outcomes
from tests.engine.products.linalg_cases import names, outcome

L = torch.linalg
KINDS = (torch.float32, torch.float64, torch.complex64, torch.complex128)
SIZES = ((3, 3), (4, 2), (2, 4), (2, 3, 3), (0, 3, 3), (3, 0), (0, 0))
SQUARE = tuple(size for size in SIZES if size[-1] == size[-2])


def drawn(size: tuple[int, ...], d: Any) -> Any:
    """A batch of matrices from the normal distribution, always the same for a size and dtype."""
    torch.manual_seed(sum(size) + 1)
    return torch.randn(*size, dtype=d)


def positive(size: tuple[int, ...], d: Any) -> Any:
    """A batch of positive-definite matrices."""
    a = drawn(size, d)
    return a @ a.mH + torch.eye(size[-1], dtype=d)


def near(ours: Any, wanted: Any) -> bool:
    """Whether two results agree, as far as the dtype tells numbers apart."""
    loose = 1e-4 if ours.dtype in (torch.float32, torch.complex64) else 1e-9
    assert ours.shape == wanted.shape
    return np.allclose(ours.resolve_conj().numpy(), wanted.resolve_conj().numpy(), rtol=loose, atol=loose)


def ones_on_the_diagonal(q: Any) -> bool:
    n = q.shape[-1]
    return near(q.mH @ q, torch.eye(n, dtype=q.dtype).expand(*q.shape[:-2], n, n))


@pytest.mark.parametrize("d", KINDS, ids=str)
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_factors_of_any_matrix_multiply_to_it(size: tuple[int, ...], d: Any) -> None:
    a = drawn(size, d)
    q, r = L.qr(a)
    assert near(q @ r, a) and ones_on_the_diagonal(q) and near(r.triu(), r)
    u, s, vh = L.svd(a, full_matrices=False)
    assert near((u * s.unsqueeze(-2).to(d)) @ vh, a) and ones_on_the_diagonal(u) and ones_on_the_diagonal(vh.mH)
    assert near(L.svdvals(a), s)
    p, low, up = L.lu(a)
    assert near(p @ low @ up, a)
    packed, pivots, _ = L.lu_factor_ex(a)
    for one, other in zip(torch.lu_unpack(packed, pivots), (p, low, up), strict=True):
        assert near(one, other)


@pytest.mark.parametrize("d", KINDS, ids=str)
@pytest.mark.parametrize("size", SQUARE, ids=str)
def test_factors_of_square_matrices(size: tuple[int, ...], d: Any) -> None:
    a, s = drawn(size, d), positive(size, d)
    low = L.cholesky(s)
    assert near(low @ low.mH, s) and near(L.cholesky(s, upper=True), low.mH)
    w, v = L.eigh(s)
    assert near((v * w.unsqueeze(-2).to(d)) @ v.mH, s) and near(L.eigvalsh(s), w)
    values, vectors = L.eig(a)
    assert near(a.to(vectors.dtype) @ vectors, vectors * values.unsqueeze(-2))
    assert near(L.det(a).to(values.dtype), values.prod(-1))
    sign, log = L.slogdet(a)
    assert near(sign * log.exp().to(d), L.det(a))


@pytest.mark.parametrize("d", KINDS, ids=str)
@pytest.mark.parametrize("size", SQUARE, ids=str)
def test_what_is_solved_solves(size: tuple[int, ...], d: Any) -> None:
    a, b = drawn(size, d), drawn((*size[:-1], 2), d)
    assert near(a @ L.solve(a, b), b)
    assert near(L.solve(a, b.mT, left=False) @ a, b.mT)
    packed, pivots = L.lu_factor(a)
    assert near(a @ L.lu_solve(packed, pivots, b), b)
    assert near(a.mH @ L.lu_solve(packed, pivots, b, adjoint=True), b)
    assert near(L.lu_solve(packed, pivots, b.mT, left=False, adjoint=True) @ a.mH, b.mT)
    assert near(a.triu() @ L.solve_triangular(a, b, upper=True), b)
    assert near(L.solve_triangular(a, b.mT, upper=False, left=False) @ a.tril(), b.mT)
    assert near(L.inv(a) @ a, torch.eye(size[-1], dtype=d).expand(size))
    s = positive(size, d)
    assert near(s @ torch.cholesky_solve(b, L.cholesky(s)), b)
    assert near(s @ torch.cholesky_inverse(L.cholesky(s)), torch.eye(size[-1], dtype=d).expand(size))


@pytest.mark.parametrize("hermitian", (False, True))
@pytest.mark.parametrize("d", KINDS, ids=str)
def test_ldl_solves_symmetric_matrices_that_are_not_positive(d: Any, hermitian: bool) -> None:
    a = drawn((2, 5, 5), d)
    s = a + (a.mH if hermitian else a.mT)
    b = drawn((2, 5, 3), d)
    assert near(s @ L.ldl_solve(*L.ldl_factor(s, hermitian=hermitian), b, hermitian=hermitian), b)


@pytest.mark.parametrize("d", KINDS, ids=str)
def test_reflections_make_q(d: Any) -> None:
    a, c = drawn((2, 4, 3), d), drawn((2, 4, 2), d)
    packed, tau = torch.geqrf(a)
    q = L.householder_product(packed, tau)
    assert near(q @ packed.triu()[..., :3, :], a)
    full = torch.ormqr(packed, tau, torch.eye(4, dtype=d).expand(2, 4, 4))
    assert near(full[..., :3], q)
    assert near(torch.ormqr(packed, tau, c, transpose=True), full.mH @ c)
    assert near(torch.ormqr(packed, tau, c.mT, left=False), c.mT @ full)


@pytest.mark.parametrize("d", KINDS, ids=str)
def test_pseudo_inverse_keeps_its_four_promises(d: Any) -> None:
    a = drawn((2, 4, 3), d)
    p = L.pinv(a)
    assert near(a @ p @ a, a) and near(p @ a @ p, p)
    assert near((a @ p).mH, a @ p) and near((p @ a).mH, p @ a)
    assert near(L.lstsq(a, drawn((2, 4, 2), d)).solution, p @ drawn((2, 4, 2), d))
    s = positive((3, 3), d)
    assert near(L.pinv(s, hermitian=True), L.inv(s))


def test_rank_counts_what_is_above_the_tolerance() -> None:
    a = torch.diag(torch.tensor([4.0, 2.0, 1e-9]))
    assert L.matrix_rank(a).item() == 2
    assert L.matrix_rank(a, atol=3.0).item() == 1
    assert L.matrix_rank(a, tol=0.0).item() == 3
    assert L.matrix_rank(a, hermitian=True).item() == 2


def test_low_rank_approximations_of_a_low_rank_matrix_are_it() -> None:
    a = drawn((9, 2), torch.float64) @ drawn((2, 6), torch.float64)
    u, s, v = torch.svd_lowrank(a, q=3)
    assert near((u * s) @ v.mT, a)
    u, s, v = torch.pca_lowrank(a, q=3)
    assert near((u * s) @ v.mT, a - a.mean(0))


@pytest.mark.parametrize("largest", (True, False))
def test_lobpcg_finds_the_ends_of_the_spectrum(largest: bool) -> None:
    s = positive((12, 12), torch.float64)
    values, vectors = torch.lobpcg(s, k=2, largest=largest)
    every = L.eigvalsh(s)
    wanted = every.flip(0)[:2] if largest else every[:2]
    assert np.allclose(values.numpy(), wanted.numpy(), rtol=1e-6)
    assert np.allclose((s @ vectors).numpy(), (vectors * values).numpy(), atol=1e-4)


def test_powers_and_exponentials() -> None:
    a = drawn((3, 3), torch.float64)
    assert near(L.matrix_power(a, 5), a @ a @ a @ a @ a)
    assert near(L.matrix_power(a, -2), L.inv(a) @ L.inv(a))
    assert near(torch.matrix_exp(a) @ torch.matrix_exp(-a), torch.eye(3, dtype=torch.float64))
    whole = torch.tensor([[1, 1], [1, 0]])
    assert L.matrix_power(whole, 30).tolist() == [[1346269, 832040], [832040, 514229]]


def test_a_chain_is_multiplied_in_any_order_to_the_same() -> None:
    chain = [drawn(size, torch.float64) for size in ((10, 2), (2, 9), (9, 3), (3, 8))]
    assert near(L.multi_dot(chain), chain[0] @ chain[1] @ chain[2] @ chain[3])


@pytest.mark.parametrize(
    ("order", "wanted"),
    (("fro", 5.4772256), ("nuc", 5.8309519), (1, 6.0), (-1, 4.0), (float("inf"), 7.0), (2, 5.4649857)),
)
def test_norms_of_a_matrix(order: Any, wanted: float) -> None:
    a = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    assert L.matrix_norm(a, order).item() == pytest.approx(wanted, rel=1e-6)
    assert L.norm(a, order).item() == pytest.approx(wanted, rel=1e-6)


def test_a_singular_matrix_has_no_inverse_and_the_note_names_a_way_out() -> None:
    with pytest.raises(L.LinAlgError) as caught:
        L.inv(torch.zeros(2, 2))
    assert caught.value.reason.rule == "linalg.singular"
    assert any("pinv" in way for way in caught.value.reason.instead)
    assert L.inv_ex(torch.zeros(2, 2)).info.item() == 1
    assert L.cond(torch.zeros(2, 2), 1).isnan().item() or L.cond(torch.zeros(2, 2), 1).isinf().item()


@pytest.mark.parametrize(
    ("name", "count"),
    (("linalg.inv", 1), ("linalg.cholesky", 1), ("linalg.qr", 2), ("linalg.svd", 3), ("linalg.lu", 3)),
)
def test_out_receives_the_result_and_keeps_its_strides(name: str, count: int) -> None:
    function = getattr(L, name.removeprefix("linalg."))
    s = positive((3, 3), torch.float32)
    wanted = function(s)
    wanted = (wanted,) if count == 1 else wanted
    out = tuple(torch.full(w.shape, 7.0) for w in wanted)
    found = function(s, out=out[0] if count == 1 else out)
    for one, target, w in zip((found,) if count == 1 else found, out, wanted, strict=True):
        assert one is target and target.is_contiguous() and near(target, w)


def test_out_may_be_the_matrix_itself() -> None:
    s = positive((3, 3), torch.float64)
    wanted = L.inv(s)
    assert L.inv(s, out=s) is s and near(s, wanted)


def test_calls_end_as_in_pytorch() -> None:
    wanted, known = json.loads(REFERENCE.read_text()), names(torch)
    found = {call: json.loads(json.dumps(outcome(torch, call, known))) for call in wanted}
    assert {c: f for c, f in found.items() if f != wanted[c]} == {}


@pytest.mark.torch
def test_the_frozen_ends_are_still_pytorchs() -> None:
    import torch as pytorch

    assert json.loads(json.dumps(outcomes(pytorch))) == json.loads(REFERENCE.read_text())


def test_a_chain_of_one_matrix_is_a_copy_of_it() -> None:
    matrix = torch.arange(6.0).reshape(2, 3)
    torch.set_warn_always(True)  # or the one warning would be gone for others
    try:
        with pytest.warns(UserWarning, match="chain_matmul is deprecated"):
            plain, recorded = torch.chain_matmul(matrix.t()), torch.chain_matmul(matrix.clone().requires_grad_())
    finally:
        torch.set_warn_always(False)
    assert plain.tolist() == matrix.t().tolist() and plain.stride() == (1, 3)
    assert plain.data_ptr() != matrix.data_ptr() and recorded.grad_fn is not None
