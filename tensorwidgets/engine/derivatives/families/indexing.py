"""Reading and writing at index tensors: the gradient is gathered where it was scattered, and the other way round."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

from ...errors.reasons import refuse
from ..backward_rows import slope_row
from ..beside import places_beside, zeros_beside
from ..declaring import differentiate, not_differentiable, parts, real_alone, refused
from ..helpers import counted, no_sparse_kernel, refuse_gradient, times
from ..ops import torch
from ..private_rows import delayed_error

if TYPE_CHECKING:
    from ...tensor.tensor import Tensor

# -- reading -----------------------------------------------------------------------------------------------------

differentiate("gather", input=lambda grad, input, dim, index, sparse_grad=False: counted(
    torch.zeros_like(input).scatter_add(dim, index, grad), 1)
    if not sparse_grad else _only_gathered(grad, input.shape, dim, index))  # fmt: skip


def _only_gathered(grad: Tensor, size: Any, dim: int, index: Tensor) -> Any:
    """The gradient of `gather` as a sparse tensor: each index with the gradient of what was read there."""
    if not size:
        indices = index.new_zeros((0, grad.numel()))
    else:
        dim %= len(size)
        index = index if index.dim() else index.reshape(1)
        rows = [places_beside(index, n).reshape([-1 if k == d else 1 for k in range(len(size))])
                for d, n in enumerate(index.shape)]  # fmt: skip
        indices = torch.stack(
            [(index if d == dim else row).expand(index.shape).reshape(-1) for d, row in enumerate(rows)]
        )
    return torch.sparse_coo_tensor(indices, grad.reshape(-1), tuple(size))


differentiate("index_select", input=lambda grad, input_like, dim, index: _into_rows(grad, input_like, dim, index))
differentiate("take", input=lambda grad, input, index: counted(
    torch.zeros_like(input).put(index, grad, accumulate=True), 1))  # fmt: skip


def _into_rows(grad: Tensor, like: Any, dim: int, index: Tensor) -> Any:
    """Zeros to which a gradient was added at indices of one dimension."""
    if not like.shape:
        return grad.reshape(())
    if grad._keys and grad.is_sparse:
        no_sparse_kernel("index_add_")
    return counted(like.new_zeros().index_add(dim, index, grad), 1)


@parts("take_along_dim")
def take_along_dim(input: Tensor, indices: Tensor, dim: int | None = None) -> Any:
    """expand and gather"""
    if dim is None:
        return input.view(-1).gather(0, indices.view(-1))
    if input.dim() != indices.dim() or indices.dtype != torch.int64 or not -input.dim() <= dim < input.dim():
        raise ValueError("the row itself refuses this")
    dim %= input.dim()
    size = list(torch.broadcast_shapes(
        [1 if d == dim else n for d, n in enumerate(input.shape)],
        [1 if d == dim else n for d, n in enumerate(indices.shape)],
    ))  # fmt: skip
    wide, index_wide = list(size), list(size)
    wide[dim], index_wide[dim] = input.shape[dim], indices.shape[dim]
    return input.expand(wide).gather(dim, torch.remainder(indices, input.shape[dim]).expand(index_wide))


differentiate("masked_select", input=lambda grad, input, mask: _into_mask(grad, input, mask))


def _into_mask(grad: Tensor, input: Tensor, mask: Tensor) -> Any:
    size = torch.broadcast_shapes(input.shape, mask.shape)
    whole = zeros_beside(grad, size)
    return whole.masked_scatter(mask.expand(size), grad)


def _with_number(call: dict) -> bool:
    """Whether `where` is called with a number that the tensor's dtype cannot hold."""
    tensors = [call[name] for name in ("input", "other") if name in call and hasattr(call[name], "dim")]
    return len(tensors) == 1 and torch.result_type(call.get("input"), call.get("other")) is not tensors[0].dtype


@parts("where", when=_with_number)
def where_with_number(condition: Tensor, input: Any, other: Any) -> Any:
    """to, and where with the number"""
    d = torch.result_type(input, other)
    return torch.where(condition, *[t.to(d) if hasattr(t, "dim") else t for t in (input, other)])


differentiate("where", casts=False, input=lambda grad, condition: torch.where(condition, grad, 0),
              other=lambda grad, condition: torch.where(condition, 0, grad))  # fmt: skip
not_differentiable("nonzero argwhere nonzero_static")

# -- writing -----------------------------------------------------------------------------------------------------

differentiate("masked_fill", node="MaskedFillBackward0", when=lambda call: not hasattr(call["value"], "dim"),
              input=lambda grad, mask: grad.masked_fill(mask, 0))  # fmt: skip
differentiate("masked_fill", node="MaskedFillBackward1", casts=False,
              input=lambda grad, mask: grad.masked_fill(mask, 0),
              value=lambda grad, mask: grad.masked_select(mask).sum())  # fmt: skip
differentiate("masked_scatter", input=lambda grad, mask: grad.masked_fill(mask, 0),
              source=lambda grad, mask, source_shape: masked_scatter_backward(
                  grad, mask, tuple(source_shape)))  # fmt: skip


@slope_row("masked_scatter_backward", "The gradient of what masked_scatter writes.")
def masked_scatter_backward(grad_output: Tensor, mask: Tensor, sizes: tuple[int, ...]) -> Any:
    """The gradients at the places of a mask, and zeros for what was not needed."""
    chosen, count = grad_output.masked_select(mask), prod(sizes)
    if chosen.numel() < count:
        chosen = torch.cat([chosen, zeros_beside(chosen, count - chosen.numel())])
    return chosen[:count].view(sizes)


differentiate(
    "masked_scatter_backward",
    node="MaskedScatterBackwardBackward0",
    grad_output=lambda grad, grad_output_like, mask: grad_output_like.new_zeros().masked_scatter(mask, grad),
)


def _reduces(call: dict) -> bool:
    return call.get("reduce") is not None


def _number(call: dict) -> bool:
    return "value" in call and not hasattr(call["value"], "dim") or "src" in call and not hasattr(call["src"], "dim")


refused("scatter", when=_reduces)
differentiate("scatter", node="ScatterBackward1", when=_number,
              input=lambda grad, dim, index: grad.scatter(dim, index, 0))  # fmt: skip
differentiate("scatter", node="ScatterBackward0", input=lambda grad, dim, index: grad.scatter(dim, index, 0),
              src=lambda grad, dim, index: grad.gather(dim, index))  # fmt: skip
differentiate("scatter_add", input=lambda grad: grad,
              src=lambda grad, dim, index: grad.gather(dim, index))  # fmt: skip

real_alone("scatter_reduce")  # not in place: PyTorch checks results that are new
differentiate(
    "scatter_reduce_ scatter_reduce",
    together=("input src", lambda grad, needed, input, dim, index, src, reduce, result, include_self=True: (
        _scatter_reduced(grad, input, dim, index, src, reduce, include_self, result))),
)  # fmt: skip


def _scatter_reduced(
    grad: Tensor, input: Tensor, dim: int, index: Tensor, src: Tensor, reduce: str, include: bool, result: Tensor
) -> tuple[Any, Any]:
    if reduce in ("max", "min"):
        refuse(
            RuntimeError,
            f"Expected 'reduce' to be one of 'sum', 'prod', 'mean', 'amax', 'amin' but got {reduce}.",
            f"scatter_reduce takes {reduce!r}, but only its long name has a derivative",
            f"x.scatter_reduce(dim, index, src, 'a{reduce}')",
            rule="scatter.reduce",
        )
    own, other = _reduced(grad, input, dim, index, src, reduce, include, result, ("scatter_reduce", "src"))
    return own if include else own.scatter(dim, index, 0), other


def _reduced(
    grad: Tensor, input: Tensor, dim: int, index: Tensor, src: Tensor, reduce: str, include: bool, result: Tensor,
    names: tuple[str, str],
) -> tuple[Any, Any]:  # fmt: skip
    """The gradients of both tensors. That of `input` counts what was left out, too.

    `names` are those of the op and of its second tensor, for a refusal of second derivatives.
    """

    def back(t: Tensor) -> Any:
        return t.gather(dim, index)

    ones = torch.ones_like(src)
    if reduce == "sum":
        own, other = grad, back(grad)
    elif reduce == "prod":
        own, other = _products(grad, input, dim, index, src, include, result, names)
    elif reduce == "mean":
        start = torch.ones_like(grad) if include else torch.zeros_like(grad)
        count = start.scatter_add(dim, index, ones).masked_fill(start.scatter_add(dim, index, ones) == 0, 1)
        shares = back(count)
        own, other = grad / count, back(grad) / shares.masked_fill_(shares == 0, 1)
    else:
        value = back(result)
        at_source = (src == value).to(grad.dtype)
        at_self = (input == result).to(grad.dtype)  # PyTorch counts what was left out, too
        shared = grad / at_self.scatter_add(dim, index, at_source)
        own, other = at_self * shared, at_source * back(shared)
    return own, other


def _products(
    grad: Tensor, input: Tensor, dim: int, index: Tensor, src: Tensor, include: bool, result: Tensor,
    names: tuple[str, str],
) -> tuple[Any, Any]:  # fmt: skip
    """Gradients of products, which are right where one factor is zero. Their derivatives are not where two are."""
    masked = input.masked_fill(input == 0, 1)
    own = grad * masked.scatter_reduce(dim, index, src, "prod", include_self=include) / masked

    def back(t: Tensor) -> Any:
        return t.gather(dim, index)

    zeros = torch.zeros_like(result).scatter_add(dim, index, (src == 0).to(result.dtype))
    one_zero = (back(zeros) == 1) & (src == 0)
    without = input.scatter_reduce(dim, index, src.masked_fill(one_zero, 1), "prod", include_self=include)
    rest = torch.where(one_zero, back(grad * without), back(grad * result) / src.masked_fill(src == 0, 1))
    if torch.is_grad_enabled() and not zeros.is_meta and bool((zeros > 1).any()):
        op, name = names
        rest = delayed_error(rest, f"{op}(): Double backward is unsupported for {name} when >1 zeros in {name} are "
                                   "scattered to the same position in self")  # fmt: skip
    return own, rest


differentiate("_delayed_error", node="Error", input=lambda grad, message: refuse_gradient(
    message, "where two factors are zero, the first derivative is zero, and nothing tells how it would change"),
)  # fmt: skip


differentiate("index_add", input=lambda grad: grad,
              source=lambda grad, dim, index, source, alpha=1: _selected(
                  grad, dim, index, tuple(source.shape), alpha))  # fmt: skip
differentiate("index_copy", input=lambda grad, dim, index: grad.index_fill(dim, index, 0),
              source=lambda grad, dim, index, source: _selected(grad, dim, index, tuple(source.shape)))  # fmt: skip


def _selected(grad: Tensor, dim: int, index: Tensor, shape: tuple[int, ...], alpha: Any = 1) -> Any:
    if alpha != 1:
        return times(_selected(grad, dim, index, shape), alpha)
    if not shape:
        return grad.index_select(dim, index.reshape(-1)[:1]).reshape(()) if grad.dim() else grad
    return grad.index_select(dim, index.reshape(-1)).expand(shape) if grad.dim() else grad.expand(shape)


differentiate("index_fill", node="IndexFillBackward0", when=lambda call: not hasattr(call.get("value"), "dim"),
              input=lambda grad, dim, index: grad.index_fill(dim, index, 0))  # fmt: skip
differentiate("index_fill", node="IndexFillBackward1", casts=False,
              input=lambda grad, dim, index: grad.index_fill(dim, index, 0),
              value=lambda grad, dim, index: grad.index_select(dim, index.unique()).sum() if grad.dim() else grad,
              )  # fmt: skip
differentiate(
    "index_put", casts=False,
    input=lambda grad, indices, accumulate=False: grad if accumulate else grad.index_put(
        tuple(indices), zeros_beside(grad, ())),
    values=lambda grad, indices: grad[tuple([slice(None) if i is None else i for i in indices])],
)  # fmt: skip
differentiate(
    "put",
    input=lambda grad, index, accumulate=False: grad if accumulate else grad.put(
        index, zeros_beside(grad, index.shape)),
    source=lambda grad, index, source: grad.take(index).reshape(source.shape),
)  # fmt: skip
real_alone("index_reduce")
differentiate(
    "index_reduce_ index_reduce",
    together=("input source", lambda grad, needed, input, dim, index, source, reduce, result, include_self=True: (
        _index_reduced(grad, input, dim, index, source, reduce, include_self, result))),
)  # fmt: skip


def _index_reduced(
    grad: Tensor, input: Tensor, dim: int, index: Tensor, source: Tensor, reduce: str, include: bool, result: Tensor
) -> tuple[Any, Any]:
    if not grad.dim():
        own, other = _index_reduced(
            grad.reshape(1), input.reshape(1), 0, index.reshape(-1), source.reshape(1), reduce, include,
            result.reshape(1),
        )  # fmt: skip
        return own.reshape(()), other.reshape(source.shape)
    dim %= grad.dim()
    shape = [1] * grad.dim()
    shape[dim] = -1
    wide = index.reshape(shape).expand(source.shape)
    names = "index_reduce", "source"
    own, other = _reduced(grad, input, dim, wide, source, reduce, include, result, names)
    return own if include else own.index_fill(dim, index.reshape(-1), 0), other
