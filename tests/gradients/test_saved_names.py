"""What nodes call what they keep, and how they show it: as PyTorch 2.13 does."""

from __future__ import annotations

from typing import Any

import pytest

import tensorwidgets as torch

F = torch.nn.functional

SHOWN: list[tuple[str, dict[str, Any]]] = [
    ("a.mean(1)", {"self_sym_numel": 15, "self_sym_sizes": (3, 5)}),
    ("F.conv2d(i, torch.ones(3, 2, 3, 3), padding=1)",
     {"padding": (1, 1), "stride": (1, 1), "dilation": (1, 1), "output_padding": (0, 0), "bias_sym_sizes_opt": (0,)}),
    ("F.max_pool2d(i, 2)", {"kernel_size": (2, 2), "padding": (0, 0), "dilation": (1, 1)}),
    ("F.avg_pool2d(i, 2)", {"kernel_size": (2, 2), "padding": (0, 0)}),
    ("F.interpolate(i, scale_factor=2)", {"output_size": (8, 8), "scales_h": 2.0, "scales_w": 2.0}),
    ("F.interpolate(i, size=(3, 3))", {"output_size": (3, 3), "scales_h": None, "scales_w": None}),
    ("F.interpolate(i[0], scale_factor=0.5, mode='linear')", {"output_size": (2,), "scales": 0.5}),
    ("F.unfold(i, 3)", {"self_sym_argsize_minus_1": 4, "self_sym_argsize_minus_2": 4}),
    ("torch.cdist(a, a, p=3)", {"p": 3.0}),
    ("F.nll_loss(a, b)", {"ignore_index": 2**64 - 100, "weight": None}),
    ("F.batch_norm(a, None, None, training=True)", {"eps": 1e-05, "running_mean": None}),
    ("F.embedding_bag(b[None], a.t())", {"weight_sym_argsize_0": 5}),
    ("torch.ones(2, 3) @ a", {"self_sym_sizes": (2, 3), "self_sym_strides": (), "mat2_sym_strides": (5, 1)}),
    ("F.linear(torch.ones(2, 5), a)", {"mat2_sym_sizes": (5, 3), "self_sym_sizes": (2, 5), "self_sym_strides": ()}),
]  # fmt: skip


@pytest.mark.parametrize(("call", "shown"), SHOWN)
def test_a_node_shows_what_it_keeps(call: str, shown: dict[str, Any]) -> None:
    a, i = torch.ones(3, 5, requires_grad=True), torch.ones(1, 2, 4, 4, requires_grad=True)
    node = eval(call, {"torch": torch, "F": F, "a": a, "i": i, "b": torch.tensor([1, 0, 4])}).grad_fn
    found = {name: getattr(node, f"_saved_{name}") for name in shown}
    assert found == shown
    assert [type(value) for value in found.values()] == [type(value) for value in shown.values()]


RESULTS = {
    "svd": ["S", "U", "Vh"],
    "qr": ["Q", "R"],
    "eigh": ["eigenvalues", "eigenvectors"],
    "eig": ["eigenvalues", "eigenvectors"],
    "inv": ["inverse"],
    "cholesky": ["L"],
    "lu_factor": ["LU", "pivots"],
}


@pytest.mark.parametrize("call", RESULTS)
def test_results_of_linear_algebra_have_their_names(call: str) -> None:
    found = getattr(torch.linalg, call)(torch.eye(2).mul(2).requires_grad_())
    node = (found if isinstance(found, torch.Tensor) else found[0]).grad_fn
    names = [name.removeprefix("_raw_saved_") for name in dir(node) if name.startswith("_raw_saved_")]
    assert [name for name in names if name not in ("A", "self")] == RESULTS[call]


def test_a_tensor_that_a_call_left_out_has_a_place_all_the_same() -> None:
    a = torch.ones(3, 5, requires_grad=True)
    for node, name in (((a * 2.0).grad_fn, "self"), (F.layer_norm(a, (5,)).grad_fn, "weight")):
        assert f"_raw_saved_{name}" in dir(node)
        assert getattr(node, f"_saved_{name}") is None
        with pytest.raises(RuntimeError, match="Calling register_hooks on a saved tensor with value None is forbidden"):
            getattr(node, f"_raw_saved_{name}").register_hooks(lambda t: t, lambda t: t)
