"""How large are the gradients and the weights of a model? One line of facts for each parameter."""

from __future__ import annotations

import math
from contextlib import nullcontext
from typing import Any, NamedTuple

from ..special_kinds import is_sparse
from .modules import imported, walked


class Size(NamedTuple):
    """How large the numbers of a tensor are."""

    rms: float
    """The root of the mean of the squares: how large one number is."""
    numel: int
    zeros: int
    odd: int
    """How many are nan or inf."""
    rows: int
    """How many rows it has; 0 of less than two dimensions."""
    dead: int
    """How many of its rows are zero throughout."""
    known: bool = True
    """Whether there are numbers: a meta tensor has none."""


class Parameter(NamedTuple):
    """A parameter of a model with its gradient."""

    path: str
    layer: str
    """The class of its layer."""
    size: tuple[int, ...]
    trains: bool
    value: Size
    grad: Size | None
    """None if it has no gradient."""


class Flow(NamedTuple):
    """The parameters of a model, in its order, each once."""

    label: str
    parameters: tuple[Parameter, ...]

    @property
    def flowing(self) -> list[int]:
        """The numbers of the weights to compare: those with a gradient of finite numbers that are not all zero.

        Biases are left out if there are weights: they have a scale of their own.
        """
        good = [k for k, p in enumerate(self.parameters) if p.grad and not p.grad.odd and p.grad.rms]
        weights = [k for k in good if len(self.parameters[k].size) > 1]
        return weights or good


def flow_of(module: Any, label: str) -> Flow:
    """The facts of a model, ours or PyTorch's."""
    model, modules = walked(module, label, "show.flow")
    library = imported(model.library)
    found = []
    with getattr(library, "no_grad", nullcontext)():
        for layer, one in zip(model.layers, modules, strict=True):
            for kept in layer.kept:
                if kept.kind == "buffer" or kept.same_as or kept.size is None:
                    continue
                tensor = one._parameters[kept.name]
                grad = tensor.grad
                grad = grad.to_dense() if grad is not None and is_sparse(grad) else grad
                path = f"{layer.path}.{kept.name}".lstrip(".")
                size = Size(0.0, 0, 0, 0, 0, 0) if grad is None else size_of(library, grad)
                found.append(Parameter(path, layer.kind, kept.size, kept.kind == "trains", size_of(library, tensor),
                                       None if grad is None else size))  # fmt: skip
    return Flow(label, tuple(found))


def size_of(library: Any, tensor: Any) -> Size:
    """How large the numbers of a tensor are."""
    t = tensor.detach()
    numel = int(t.numel())
    if not numel or str(t.device) == "meta":
        return Size(0.0, numel, 0, 0, 0, 0, not numel)
    norm = float(library.linalg.vector_norm(t, dtype=library.complex128 if t.is_complex() else library.float64))
    # The norm is finite exactly if each number is.
    odd = 0 if math.isfinite(norm) else numel - int(library.isfinite(t).sum())
    filled = t != 0
    zeros = numel - int(filled.sum())
    rows, dead = 0, 0
    if t.dim() > 1:
        rows = int(t.shape[0])
        dead = rows - int(filled.reshape(rows, -1).any(1).sum()) if zeros else 0
    return Size(norm / math.sqrt(numel), numel, zeros, odd, rows, dead)
