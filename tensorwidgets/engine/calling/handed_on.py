"""What those of PyTorch's functions that are written in Python hand on to others, which then read the arguments.

Each entry is given the arguments by name, as far as they were given, and answers with the name of the function that
PyTorch calls, and the arguments that it calls it with.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..errors.reasons import refuse
from ..tensor.tensor import Tensor
from ..tensor.type_names import type_name

Call = tuple[str, tuple, dict[str, Any]]


def _unique(input: Any, dim: Any = None, **more: Any) -> Call:
    _check_flags(more)
    return ("_unique2", (input,), more) if dim is None else ("unique_dim", (input, dim), more)


def _consecutive(input: Tensor, **more: Any) -> Call:
    _check_flags(more)
    return "unique_consecutive", (input,), more


def _check_flags(given: dict[str, Any]) -> None:
    """PyTorch chooses by the truth value of these flags, and a tensor of several elements has none."""
    for name in ("return_inverse", "return_counts"):
        if isinstance(given.get(name), Tensor):
            bool(given[name])


def _stft(
    input: Any,
    n_fft: Any,
    hop_length: Any = None,
    win_length: Any = None,
    window: Any = None,
    center: Any = True,
    pad_mode: Any = "reflect",
    normalized: Any = False,
    onesided: Any = None,
    return_complex: Any = None,
    align_to_window: Any = None,
) -> Call:
    if align_to_window is not None and center:
        message = "stft align_to_window should only be set when center = false"
        refuse(RuntimeError, message, "centred frames are aligned to their middle", "center=False", rule="stft.align")
    if center:
        _attribute(input, "dim")
        half = int(n_fft // 2)
        if not isinstance(pad_mode, str) or half >= 1 << 63:
            return "pad", (input, (half, half), pad_mode), {}
    given = (input, n_fft, hop_length, win_length, window, normalized, onesided, return_complex, align_to_window)
    return "stft", given, {}


def _lobpcg(A: Tensor, B: Any = None, **more: Any) -> None:  # noqa: N803
    for each in (A, B):
        if each is not None:
            _attribute(each, "requires_grad")


def _unflatten(self: Tensor, dim: Any, sizes: Any) -> None:
    if isinstance(sizes, Tensor):
        bool(sizes)


COMPUTE_MODES = (
    "use_mm_for_euclid_dist_if_necessary", "use_mm_for_euclid_dist", "donot_use_mm_for_euclid_dist"
)  # fmt: skip
"""Whether distances are computed by way of products of matrices."""


def _cdist(x1: Any, x2: Any, p: Any = 2.0, compute_mode: Any = COMPUTE_MODES[0]) -> Call:
    if compute_mode not in COMPUTE_MODES:
        message = f"{compute_mode} is not a valid value for compute_mode"
        refuse(ValueError, message, "there are three ways", *map(repr, COMPUTE_MODES), rule="distance.mode")
    return "cdist", (x1, x2, p), {}


def _split(input: Tensor, sizes: Any, dim: Any = 0) -> Call:
    if isinstance(sizes, Tensor):
        sizes = 1  # a tensor is made a number first
    return "split" if isinstance(sizes, int) else "split_with_sizes", (input, sizes, dim), {}


def _attribute(of: Any, name: str) -> None:
    """PyTorch's functions in Python find out by an attribute of it that something is not a tensor."""
    if not isinstance(of, Tensor):
        message = f"'{type_name(of)}' object has no attribute '{name}'"
        refuse(AttributeError, message, "this argument must be a tensor", "torch.tensor(…)", rule="argument.type")


def _of_shape(A: Tensor, **more: Any) -> None:  # noqa: N803
    _attribute(A, "shape")


def _split_of(tensor: Tensor, split_size_or_sections: Any, dim: Any = 0) -> Call:
    _attribute(tensor, "split")
    return _split(tensor, split_size_or_sections, dim)


def _norm(input: Tensor | complex, p: Any = "fro", dim: Any = None, keepdim: bool = False, **more: Any) -> Call | None:
    _attribute(input, "layout")
    if p == "nuc" if isinstance(p, str) else False:
        return None
    dim = [dim] if isinstance(dim, int) else dim
    return "linalg_vector_norm", (input, 2.0 if p is None or isinstance(p, str) else p, dim, keepdim), more


def _istft(
    self: Any,
    n_fft: Any,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: Any = None,
    center: Any = True,
    normalized: Any = False,
    onesided: bool | None = None,
    length: int | None = None,
    return_complex: Any = False,
) -> Call:
    by_place = (self, n_fft, hop_length, win_length, window, center, normalized, onesided, length)
    return "istft", by_place, {"return_complex": return_complex}


def _sparse_sum(input: Any, dim: Any = None, dtype: Any = None) -> Call:
    by_place = (input,) if dim is None or isinstance(dim, (tuple, list)) and not dim else (input, dim)
    return "_sparse_sum", by_place, {} if dtype is None else {"dtype": dtype}


def _listed(name: str) -> Callable[..., Call]:
    """A function of any number of tensors, which are handed on as one list."""
    return lambda tensors=(), matrices=(), **more: (name, (tensors or matrices,), more)


HANDED_ON: dict[str, Callable[..., Call | None]] = {
    "unique": _unique,
    "Tensor.unique": lambda self, **more: _unique(self, **more),
    "unique_consecutive": _consecutive,
    "Tensor.unique_consecutive": lambda self, **more: _consecutive(self, **more),
    "stft": _stft,
    "Tensor.stft": lambda self, **more: _stft(self, **more),
    "lobpcg": _lobpcg,
    "Tensor.unflatten": _unflatten,
    "lu": lambda A, pivot=True, **more: ("_lu_with_info", (A,), {"pivot": pivot}),
    "Tensor.lu": lambda self, pivot=True, **more: ("_lu_with_info", (self,), {"pivot": pivot}),
    "cdist": _cdist,
    "split": _split_of,
    "pca_lowrank": _of_shape,
    "svd_lowrank": _of_shape,
    "Tensor.split": lambda self, split_size, dim=0: _split(self, split_size, dim),
    "norm": _norm,
    "Tensor.norm": lambda self, **more: _norm(self, **more),
    "Tensor.istft": _istft,
    "sparse.sum": _sparse_sum,
    "broadcast_tensors": _listed("broadcast_tensors"),
    "cartesian_prod": _listed("cartesian_prod"),
    "block_diag": _listed("block_diag"),
    "chain_matmul": _listed("chain_matmul"),
}
