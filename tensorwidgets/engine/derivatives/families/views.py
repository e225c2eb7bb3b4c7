"""Views: the gradient looks back through the same view, or is put into zeros of the size before."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import TYPE_CHECKING, Any

from ... import geometry
from ...dispatch.registry import OPS
from ...geometry import Geometry
from ...tensor.grad_mode import grad_enabled
from ...tensor.lookups import geometry_of
from ..declaring import differentiate, not_differentiable, parts, refused
from ..helpers import into_select, into_slice, into_strided, into_windows, split_back, unsqueezed
from ..ops import torch
from ..private_rows import alias, neg_view, reshape_alias, slice_of, unsafe_view
from ..view_rows import diagonal_backward

if TYPE_CHECKING:
    from ...tensor.tensor import Tensor


def wrapped(dim: int, ndim: int) -> int:
    """A dimension counted from the left."""
    if not -max(ndim, 1) <= dim < max(ndim, 1):
        raise ValueError("the row itself refuses this")
    return dim % ndim if ndim else 0


# -- other strides -----------------------------------------------------------------------------------------------

differentiate("t", input=lambda grad: grad.t())
differentiate("t_", node="TBackward1", input=lambda grad: grad.t())
differentiate("transpose", input=lambda grad, dim0, dim1: grad.transpose(dim0, dim1))
differentiate("transpose_", node="TransposeBackward1", input=lambda grad, dim0, dim1: grad.transpose(dim0, dim1))


def inverse_order(dims: Sequence[int]) -> list[int]:
    """The permutation that undoes another one."""
    order = [0] * len(dims)
    for place, dim in enumerate(dims):
        order[wrapped(dim, len(dims))] = place
    return order


differentiate("permute", input=lambda grad, dims: grad.permute(inverse_order(dims)))


@parts("movedim")
def movedim(input: Tensor, source: int | Sequence[int], destination: int | Sequence[int]) -> Any:
    """permute"""
    ndim = input.dim()
    sources = [source] if isinstance(source, int) else list(source)
    targets = [destination] if isinstance(destination, int) else list(destination)
    if not all(-max(ndim, 1) <= d < max(ndim, 1) for d in sources + targets):
        raise ValueError("the row itself refuses this")
    sources, targets = [wrapped(d, ndim) for d in sources], [wrapped(d, ndim) for d in targets]
    if len(sources) != len(targets) or len(set(sources)) < len(sources) or len(set(targets)) < len(targets):
        raise ValueError("the row itself refuses this")
    if not ndim:
        return alias(input)
    order = dict(zip(targets, sources, strict=True))
    rest = iter(d for d in range(ndim) if d not in sources)
    return input.permute([order[d] if d in order else next(rest) for d in range(ndim)])


@parts("numpy_T")
def numpy_t(input: Tensor) -> Any:
    """permute, to the reverse order"""
    return input.permute(tuple(range(input.dim()))[::-1])


@parts("adjoint_view")
def adjoint_view(input: Tensor, *spelling: str) -> Any:
    """transpose of the last two dimensions"""
    return input.transpose(-2, -1)


@parts("adjoint")
def adjoint(input: Tensor) -> Any:
    """transpose of the last two dimensions, and conj"""
    turned = input.transpose(-2, -1) if input.dim() else input
    return turned.conj() if input.is_complex() else turned


differentiate("diagonal", input=lambda grad, input_like, offset=0, dim1=0, dim2=1: into_diagonal(
    grad, input_like, offset, dim1, dim2))  # fmt: skip


def into_diagonal(grad: Tensor, like: Any, offset: int, dim1: int, dim2: int) -> Any:
    """A gradient on the diagonal of zeros."""
    if grad_enabled():
        return diagonal_backward(grad, like, offset, dim1, dim2)
    whole = like.new_zeros()
    whole.diagonal(offset, dim1, dim2).copy_(grad)
    return whole


@parts("linalg.diagonal")
def linalg_diagonal(A: Tensor, *, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Any:  # noqa: N803
    """diagonal"""
    return A.diagonal(offset, dim1, dim2)


# -- other sizes -------------------------------------------------------------------------------------------------

not_differentiable("view", when=lambda call: "dtype" in call)
differentiate("view", input=lambda grad, input_shape: grad.reshape(input_shape))
differentiate("unflatten", node="ViewBackward0", input=lambda grad, input_shape: grad.reshape(input_shape))
differentiate("_unsafe_view", node="UnsafeViewBackward0", input=lambda grad, input_shape: grad.reshape(input_shape))
differentiate("_reshape_alias", node="ReshapeAliasBackward0",
              input=lambda grad, input_shape: grad.reshape(input_shape))  # fmt: skip


def reshaped(input: Tensor, shape: tuple[int, ...]) -> Any:
    """view, or _reshape_alias for other strides, or a clone and _unsafe_view"""
    g = geometry_of(input)
    outcome = geometry.view(g, tuple(shape))
    if type(outcome) is Geometry:
        return input.view(shape) if input.is_contiguous() else reshape_alias(input, outcome.size, outcome.stride)
    size = geometry.infer_size(tuple(shape), prod(g.size))
    if not isinstance(size, tuple):
        raise ValueError("the row itself refuses this")
    return unsafe_view(input.clone(memory_format=torch.contiguous_format), size)


@parts("reshape")
def reshape(input: Tensor, shape: tuple[int, ...]) -> Any:
    """view, or _reshape_alias for other strides, or a clone and _unsafe_view"""
    return reshaped(input, shape)


@parts("view_as")
def view_as(input: Tensor, other: Tensor) -> Any:
    """view"""
    return input.view(other.shape)


@parts("reshape_as")
def reshape_as(input: Tensor, other: Tensor) -> Any:
    """reshape"""
    return reshaped(input, tuple(other.shape))


@parts("flatten")
def flatten(input: Tensor, *args: Any, **named: Any) -> Any:
    """reshape"""
    if len(args) > 2 or "out_dim" in named or any(isinstance(arg, (list, str)) for arg in args):
        flattened: Any = OPS["flatten"].plain  # which reads names, and calls this with numbers
        return flattened(input, *args, **named)
    return _flattened(input, *args, **named)


def _flattened(input: Tensor, start_dim: int = 0, end_dim: int = -1) -> Any:
    size = tuple(input.shape)
    if not size:
        if not {start_dim, end_dim} <= {-1, 0}:
            raise ValueError("the row itself refuses this")
        return reshaped(input, (1,))
    first, last = wrapped(start_dim, len(size)), wrapped(end_dim, len(size))
    if not -len(size) <= start_dim < len(size) or not -len(size) <= end_dim < len(size) or first > last:
        raise ValueError("the row itself refuses this")
    if first == last:
        return input
    return reshaped(input, (*size[:first], prod(size[first : last + 1]), *size[last + 1 :]))


@parts("ravel")
def ravel(input: Tensor) -> Any:
    """contiguous and view"""
    return input.contiguous().view(-1)


differentiate("squeeze", node="SqueezeBackward0", when=lambda call: "dim" not in call,
              input=lambda grad, input_shape: unsqueezed(grad, input_shape))  # fmt: skip
differentiate("squeeze", node="SqueezeBackward1", when=lambda call: isinstance(call["dim"], int),
              input=lambda grad, input_shape, dim: unsqueezed(grad, input_shape, dim))  # fmt: skip
differentiate(
    "squeeze", node="SqueezeBackward2", input=lambda grad, input_shape, dim: unsqueezed(grad, input_shape, dim)
)
differentiate("squeeze_", node="SqueezeBackward3", when=lambda call: "dim" not in call,
              input=lambda grad, input_shape: unsqueezed(grad, input_shape))  # fmt: skip
differentiate("squeeze_", node="SqueezeBackward4", when=lambda call: isinstance(call["dim"], int),
              input=lambda grad, input_shape, dim: unsqueezed(grad, input_shape, dim))  # fmt: skip
differentiate(
    "squeeze_", node="SqueezeBackward5", input=lambda grad, input_shape, dim: unsqueezed(grad, input_shape, dim)
)
differentiate("unsqueeze", input=lambda grad, dim: grad.squeeze(dim))
differentiate("unsqueeze_", node="UnsqueezeBackward1", input=lambda grad, dim: grad.squeeze(dim))
differentiate("expand", input=lambda grad, input_shape: grad.sum_to_size(input_shape))
differentiate("broadcast_to", node="ExpandBackward0", input=lambda grad, input_shape: grad.sum_to_size(input_shape))


@parts("expand_as")
def expand_as(input: Tensor, other: Tensor) -> Any:
    """expand"""
    return input.expand(other.shape)


@parts("broadcast_tensors")
def broadcast_tensors(*tensors: Any) -> Any:
    """expand, where the size differs"""
    if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)):
        tensors = tuple(tensors[0])
    size = torch.broadcast_shapes(*[t.shape for t in tensors])
    return tuple([t if t.shape == size else t.expand(size) for t in tensors])


@parts("sum_to_size")
def sum_to_size(input: Tensor, size: Sequence[int]) -> Any:
    """sum over what was broadcast, and view"""
    size, own = tuple(size), tuple(input.shape)
    if not size:
        return input.sum()
    extra = len(own) - len(size)
    if extra < 0 or any(n not in (1, m) for n, m in zip(size, own[extra:], strict=True)):
        raise ValueError("the row itself refuses this")
    dims = [*range(extra), *[d for d in range(extra, len(own)) if size[d - extra] == 1 and own[d] != 1]]
    if dims:
        input = input.sum(dims, keepdim=True)
    return input.view(size) if extra > 0 else input


@parts("atleast_1d")
def atleast_1d(*tensors: Any, **named: Any) -> Any:
    """view of a number as one element"""
    return _each(tensors, named, lambda t: t.reshape(1) if t.dim() == 0 else t)


@parts("atleast_2d")
def atleast_2d(*tensors: Any, **named: Any) -> Any:
    """unsqueeze"""
    return _each(tensors, named, lambda t: t.reshape(1, 1) if t.dim() == 0 else t.unsqueeze(0) if t.dim() == 1 else t)


@parts("atleast_3d")
def atleast_3d(*tensors: Any, **named: Any) -> Any:
    """unsqueeze"""
    return _each(tensors, named, _three)


def _three(t: Tensor) -> Any:
    if t.dim() == 0:
        return t.reshape(1, 1, 1)
    if t.dim() == 1:
        return t.unsqueeze(0).unsqueeze(-1)
    return t.unsqueeze(-1) if t.dim() == 2 else t


def _each(tensors: tuple, named: dict, function: Callable[..., Any]) -> Any:
    given = tensors or tuple(named.values())
    if len(given) == 1:
        return tuple(map(function, given[0])) if isinstance(given[0], (tuple, list)) else function(given[0])
    return tuple(map(function, given))


# -- parts of a tensor -------------------------------------------------------------------------------------------

differentiate("select", input=lambda grad, input_like, dim, index: into_select(grad, input_like, dim, index))
differentiate("slice", node="SliceBackward0",
              input=lambda grad, input_like, dim, start, end, step: into_slice(grad, input_like, dim, start, end, step)
              )  # fmt: skip
differentiate("alias", node="AliasBackward0", input=lambda grad: grad)


@parts("narrow")
def narrow(input: Tensor, dim: int, start: Any, length: int) -> Any:
    """slice"""
    if type(start) is not int and (start.dim() or start.dtype == torch.bool or start.is_floating_point()):
        raise ValueError("the row itself refuses this")
    start, size = int(start), input.shape[wrapped(dim, input.dim())]
    if length < 0 or not -size <= start <= size:
        raise ValueError("the row itself refuses this")
    start = start + size if start < 0 else start
    if start + length > size:
        raise ValueError("the row itself refuses this")
    return slice_of(input, dim, start, start + length, 1)


differentiate("unbind", input=lambda grads, dim=0: stacked(grads, dim))


def stacked(grads: tuple, dim: int) -> Any:
    """The gradients of slices along a dimension, zeros for those that are undefined."""
    first = next(g for g in grads if g is not None)
    return torch.stack([torch.zeros_like(first) if g is None else g for g in grads], dim)


def _by_number(call: dict) -> bool:
    return not isinstance(call.get("split_size_or_sections", call.get("split_size")), (list, tuple))


def _by_keyword(call: dict) -> bool:
    return "split_size" in call


differentiate(
    "split", node="SplitBackward0", when=lambda call: _by_number(call) and not _by_keyword(call),
    input=lambda grads, input_like, split_size_or_sections, dim=0: split_back(
        grads, input_like, dim, split_size_or_sections),
)  # fmt: skip
differentiate(
    "split", node="SplitBackward0", when=_by_number,
    input=lambda grads, input_like, split_size, dim=0: split_back(grads, input_like, dim, split_size),
)  # fmt: skip
differentiate(
    "split", node="SplitWithSizesBackward0", when=lambda call: not _by_keyword(call),
    input=lambda grads, input_like, split_size_or_sections, dim=0: split_back(
        grads, input_like, dim, split_size_or_sections),
)  # fmt: skip
differentiate(
    "split", node="SplitWithSizesBackward0",
    input=lambda grads, input_like, split_size, dim=0: split_back(grads, input_like, dim, split_size),
)  # fmt: skip
differentiate("split_with_sizes", input=lambda grads, input_like, split_sizes, dim=0: split_back(
    grads, input_like, dim, split_sizes))  # fmt: skip


@parts("chunk")
def chunk(input: Tensor, chunks: int, dim: int = 0) -> Any:
    """split"""
    if chunks <= 0 or not input.dim():
        raise ValueError("the row itself refuses this")
    n = input.shape[dim]
    size = (n + chunks - 1) // chunks
    if size == 0 and n == 0:
        return input.split_with_sizes([0] * chunks, dim)
    return input.split(size, dim)


@parts("tensor_split")
def tensor_split(
    input: Tensor,
    indices: int | Sequence[int] | None = None,
    dim: int = 0,
    sections: int | None = None,
    tensor_indices_or_sections: Tensor | None = None,
) -> Any:
    """slice"""
    cuts: Any = next(c for c in (indices, sections, tensor_indices_or_sections) if c is not None)
    if hasattr(cuts, "tolist"):
        if cuts.dtype != torch.int64 or cuts.device.type != "cpu" or cuts.dim() > 1:
            raise ValueError("the row itself refuses this")
        cuts = cuts.tolist()
    dim, n = wrapped(dim, input.dim()), input.shape[dim]
    if isinstance(cuts, int):
        if cuts <= 0:
            raise ValueError("the row itself refuses this")
        sizes = [n // cuts + (k < n % cuts) for k in range(cuts)]
        starts = [sum(sizes[:k]) for k in range(cuts)]
        return tuple([slice_of(input, dim, start, start + size, 1) for start, size in zip(starts, sizes, strict=True)])
    places = [0, *cuts, n]
    return tuple([slice_of(input, dim, a, b, 1) for a, b in zip(places[:-1], places[1:], strict=True)])


def _split_along(name: str, dim_of: Callable[..., Any]) -> None:
    @parts(name)
    def split_along(input: Tensor, indices: Sequence[int] | None = None, sections: int | None = None) -> Any:
        """slice"""
        cuts = sections if indices is None else indices
        dim = dim_of(input)
        if input.dim() <= dim or name == "vsplit" and input.dim() < 2:
            raise ValueError("the row itself refuses this")
        if isinstance(cuts, int) and (cuts <= 0 or input.shape[dim] % cuts):
            raise ValueError("the row itself refuses this")
        return tensor_split(input, cuts, dim)


_split_along("hsplit", lambda input: 0 if input.dim() == 1 else 1)
_split_along("vsplit", lambda input: 0)
_split_along("dsplit", lambda input: 2)

differentiate("as_strided",
              input=lambda grad, input_like, input_offset, size, stride, storage_offset=None: into_strided(
                  grad, input_like, size, stride, storage_offset, input_offset))  # fmt: skip
differentiate("as_strided_", node="AsStridedBackward1",
              input=lambda grad, input_like, input_offset, size, stride, storage_offset=None: into_strided(
                  grad, input_like, size, stride, storage_offset, input_offset))  # fmt: skip
differentiate("unfold", input=lambda grad, input_like, dimension, size, step: into_windows(
    grad, input_like, dimension, size, step))  # fmt: skip

differentiate("select_backward", node="SelectBackwardBackward0",
              grad=lambda grad, dim, index: grad.select(dim, index))  # fmt: skip
differentiate("slice_backward", node="SliceBackwardBackward0",
              grad=lambda grad, dim, start, end, step: slice_of(grad, dim, start, end, step))  # fmt: skip
differentiate("diagonal_backward", node="DiagonalBackwardBackward0",
              grad=lambda grad, offset, dim1, dim2: grad.diagonal(offset, dim1, dim2))  # fmt: skip
differentiate("unfold_backward", node="UnfoldBackwardBackward0",
              grad_in=lambda grad, dim, size, step: grad.unfold(dim, size, step))  # fmt: skip

# -- complex numbers ---------------------------------------------------------------------------------------------

differentiate("conj", node="ConjPhysicalBackward0", when=lambda call: call["input"].layout is not torch.strided,
              input=lambda grad: grad.conj())  # fmt: skip
differentiate("conj", input=lambda grad: grad.conj())
differentiate("view_as_real", input=lambda grad: torch.view_as_complex(grad.contiguous()))
differentiate("view_as_complex", input=lambda grad: torch.view_as_real(grad.contiguous().resolve_conj()))


@parts("real", when=lambda call: call["input"].is_complex())
def real(input: Tensor) -> Any:
    """select of view_as_real"""
    return torch.view_as_real(input.conj() if input.is_conj() else input).select(input.dim(), 0)


differentiate("real", node="AliasBackward0", input=lambda grad: grad)


@parts("real_part")
def real_part(input: Tensor) -> Any:
    """select of view_as_real"""
    return torch.view_as_real(input).select(input.dim(), 0)


@parts("imag_part")
def imag_part(input: Tensor) -> Any:
    """select of view_as_real"""
    return torch.view_as_real(input).select(input.dim(), 1)


@parts("imag")
def imag(input: Tensor) -> Any:
    """select of view_as_real"""
    if not input.is_complex():
        raise ValueError("the row itself refuses this")
    if input.is_conj():
        return neg_view(torch.view_as_real(input.conj())).select(input.dim(), 1)
    return torch.view_as_real(input).select(input.dim(), 1)


differentiate("_neg_view", node="NegViewBackward0", input=lambda grad: -grad)


# -- no part of the graph ----------------------------------------------------------------------------------------

not_differentiable("detach")
refused("set_", "set_")
refused("detach_copy")
