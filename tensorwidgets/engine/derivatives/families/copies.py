"""Copies: the gradient passes, converted back where the copy converted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ...declare.creation import check_requires_grad
from ...ops.copies.copying import refuse_preserve
from ...ops.creation.from_data import warn_grad
from ..beside import places_beside, zeros_beside
from ..declaring import differentiate, not_differentiable, parts, real_alone
from ..helpers import into_select, into_slice, into_strided, into_windows, refuse_gradient, split_back
from ..ops import torch
from .views import into_diagonal, inverse_order, stacked

if TYPE_CHECKING:
    from ...tensor.tensor import Tensor
    from ...types.dtypes import dtype
    from ...types.formats import layout, memory_format

differentiate("clone", input=lambda grad: grad)


@parts("contiguous")
def contiguous(input: Tensor, memory_format: memory_format | None = None) -> Any:
    """the tensor itself, or a clone"""
    named = {} if memory_format is None else {"memory_format": memory_format}
    if input.is_contiguous(**named):
        return input
    if memory_format is torch.preserve_format:
        refuse_preserve()
    return input.clone(memory_format=torch.contiguous_format if memory_format is None else memory_format)


differentiate("copy_", node="CopyBackwards",
              input=lambda grad: zeros_beside(grad, tuple(grad.shape)),
              other=lambda grad, other_device: grad if grad.device == other_device else grad.to(other_device),
              )  # fmt: skip
differentiate("zero_", node="ZeroBackward0", input=lambda grad: torch.zeros_like(grad))
differentiate("fill_", node="FillBackward2", when=lambda call: not hasattr(call["value"], "dim"),
              input=lambda grad: torch.zeros_like(grad))  # fmt: skip
differentiate("fill_", node="FillBackward3", casts=False,
              input=lambda grad: torch.zeros_like(grad), value=lambda grad: grad.sum())  # fmt: skip
differentiate("fill", node="FillBackward0", when=lambda call: not hasattr(call["value"], "dim"),
              input=lambda grad: torch.zeros_like(grad))  # fmt: skip
differentiate("fill", node="FillBackward1", casts=False,
              input=lambda grad: torch.zeros_like(grad), value=lambda grad: grad.sum())  # fmt: skip


def _back(grad: Tensor, dtype: dtype) -> Any:
    """The gradient of a conversion: what an imaginary part was added to has a real one."""
    return torch.real(grad) if grad.is_complex() and not dtype.is_complex else grad


differentiate(
    "to double float half bfloat16 cfloat cdouble type_as type", node="ToCopyBackward0",
    when=lambda call: call["input"].layout is not torch.strided,
    input=lambda grad, input_dtype, input_layout: _converted(grad, input_dtype, input_layout),
)  # fmt: skip


def _converted(grad: Tensor, d: dtype, layout: layout) -> Any:
    """A sparse gradient of another dtype; a dense one is refused."""
    if grad.layout is torch.strided:
        name = "".join(part.capitalize() for part in layout.name.split("_")).removesuffix("Coo")
        refuse_gradient(
            "to(options) doesn't support converting to a different layout, but got self.layout being Strided and "
            f"options.layout set as {name}",
            "the tensor that was converted is sparse, and the gradient is dense",
            "y.to_dense().backward(grad)",
        )
    if grad.is_sparse and grad.is_complex() and not d.is_complex:
        real = torch.real(grad._values())
        grad = torch.sparse_coo_tensor(grad._indices(), real, tuple(grad.shape))
    return grad.to(d)


differentiate(
    "to double float half bfloat16 cfloat cdouble chalf type_as type", node="ToCopyBackward0",
    input=lambda grad, input_dtype, input_device: _back(grad, input_dtype).to(input_device, input_dtype),
)  # fmt: skip
not_differentiable("long int short char byte bool")


@parts("cuda")
def cuda(
    input: Tensor, device: Any = None, non_blocking: bool = False, memory_format: memory_format | None = None
) -> Any:
    """to"""
    wanted = torch.device("cuda" if device is None else device)
    if wanted.type != "cuda":
        raise ValueError("the row itself refuses this")
    return input.to(wanted)


@parts("cpu")
def cpu(input: Tensor, memory_format: memory_format | None = None) -> Any:
    """to"""
    return input.to("cpu")


differentiate("resolve_conj resolve_neg", node="CloneBackward0", input=lambda grad: grad)
not_differentiable(
    "zeros_like ones_like empty_like full_like rand_like randn_like randint_like new_zeros new_ones new_empty new_full "
    "new_empty_strided new_tensor tensor"
)

# -- arranged anew -----------------------------------------------------------------------------------------------


def _unrepeated(grad: Tensor, shape: tuple[int, ...], repeats: tuple[int, ...]) -> Any:
    """A gradient summed over the copies that `repeat` made."""
    if 0 in repeats:
        return zeros_beside(grad, shape)
    extra = len(repeats) - len(shape)
    for _ in range(extra):
        grad = grad.sum(0)
    sizes: list[int] = []
    dims: list[int] = []
    for times, n in zip(repeats[extra:], shape, strict=True):
        if times != 1:
            dims.append(len(sizes))
            sizes.append(times)
        sizes.append(n)
    return grad.reshape(sizes).sum(dims) if dims else grad


differentiate("repeat", input=lambda grad, input_shape, repeats: _unrepeated(grad, input_shape, repeats))


@parts("tile")
def tile(input: Tensor, dims: tuple[int, ...]) -> Any:
    """repeat"""
    dims = (dims,) if isinstance(dims, int) else tuple(dims)
    return input.repeat((1,) * (input.dim() - len(dims)) + dims)


@parts("repeat_interleave")
def repeat_interleave(
    input: Tensor, repeats: Tensor | int, dim: int | None = None, output_size: int | None = None
) -> Any:
    """view, expand, clone and view for a number; index_select for a tensor of counts"""
    if dim is None:
        input, dim = input.reshape(-1) if input.dim() != 1 else input, 0
    if not input.dim() or not -input.dim() <= dim < input.dim():
        raise ValueError("the row itself refuses this")
    dim %= input.dim()
    if isinstance(repeats, int):
        size = list(input.shape)
        if output_size is not None and output_size != size[dim] * repeats:
            raise ValueError("the row itself refuses this")
        wide = input.unsqueeze(dim + 1).expand(*size[: dim + 1], repeats, *size[dim + 1 :])
        return wide.clone(memory_format=torch.contiguous_format).view(
            *size[:dim], size[dim] * repeats, *size[dim + 1 :]
        )
    counts = repeats if repeats.dim() and repeats.numel() != 1 else repeats.reshape(1).expand(input.shape[dim])
    named = {} if output_size is None else {"output_size": output_size}
    places = torch.repeat_interleave(places_beside(counts, input.shape[dim]), counts.detach(), **named)
    return input.index_select(dim, places)


differentiate("roll", input=lambda grad, shifts, dims=(): grad.roll(_negative(shifts), dims) if dims != () else
              grad.roll(_negative(shifts)))  # fmt: skip


def _negative(shifts: int | Sequence[int]) -> Any:
    return -shifts if isinstance(shifts, int) else tuple([-s for s in shifts])


differentiate("flip", input=lambda grad, dims: grad.flip(dims))


@parts("fliplr")
def fliplr(input: Tensor) -> Any:
    """flip"""
    if input.dim() < 2:
        raise ValueError("the row itself refuses this")
    return input.flip((1,))


@parts("flipud")
def flipud(input: Tensor) -> Any:
    """flip"""
    if input.dim() < 1:
        raise ValueError("the row itself refuses this")
    return input.flip((0,))


differentiate("rot90", input=lambda grad, k=1, dims=(0, 1): grad.rot90(-k, dims))
differentiate("tril", input=lambda grad, diagonal=0: grad.tril(diagonal))
differentiate("triu", input=lambda grad, diagonal=0: grad.triu(diagonal))

# -- diagonals ---------------------------------------------------------------------------------------------------

differentiate("diag_embed", input=lambda grad, offset=0, dim1=-2, dim2=-1: grad.diagonal(offset, dim1, dim2))


@parts("diag")
def diag(input: Tensor, diagonal: int = 0) -> Any:
    """diag_embed of a vector, diagonal_copy of a matrix"""
    if input.dim() == 1:
        return torch.diag_embed(input, diagonal)
    if input.dim() != 2:
        raise ValueError("the row itself refuses this")
    return torch.diagonal_copy(input, diagonal)


@parts("diagflat")
def diagflat(input: Tensor, offset: int = 0) -> Any:
    """view as one dimension and diag_embed"""
    return torch.diag_embed(input.contiguous().view(-1), offset)


@parts("fill_diagonal_")
def fill_diagonal_(input: Tensor, fill_value: Any, wrap: bool = False) -> Any:
    """fill_ of the elements of a strided view"""
    size = tuple(input.shape)
    if len(size) < 2 or len(size) > 2 and len(set(size)) > 1:
        raise ValueError("the row itself refuses this")
    step, offset = sum(input.stride()), input.storage_offset()
    input.as_strided((min(size),), (step,), offset).fill_(fill_value)
    height, width = size[:2]
    if wrap and len(size) == 2 and height > width + 1:  # the diagonal goes on below, after an empty row
        left = -(-height * width // (width + 1)) - width
        input.as_strided((left,), (step,), offset + input.stride(0) * (width + 1)).fill_(fill_value)
    return input


def _without(grad: Tensor, part: Callable[..., Any]) -> Any:
    """A gradient whose elements in a part are zero."""
    rest = grad.clone()
    part(rest).zero_()
    return rest


for name in ("select_scatter", "slice_scatter", "select_copy", "slice_copy"):
    real_alone(name)
differentiate(
    "select_scatter",
    input=lambda grad, dim, index: (
        torch.select_scatter(grad, torch.zeros_like(grad.select(dim, index)), dim, index)
        if torch.is_grad_enabled()
        else _without(grad, lambda g: g.select(dim, index))
    ),
    src=lambda grad, dim, index: grad.select(dim, index),
)
differentiate(
    "slice_scatter",
    input=lambda grad, dim=0, start=None, end=None, step=1: (
        torch.slice_scatter(grad, torch.zeros_like(_cut(grad, dim, start, end, step)), dim, start, end, step)
        if torch.is_grad_enabled()
        else _without(grad, lambda g: _cut(g, dim, start, end, step))
    ),
    src=lambda grad, dim=0, start=None, end=None, step=1: _cut(grad, dim, start, end, step),
)


def _cut(t: Any, dim: int, start: Any, end: Any, step: int) -> Any:
    return t[(*(slice(None),) * (dim % t.dim()), slice(start, end, step))]


differentiate(
    "diagonal_scatter",
    casts=False,
    input=lambda grad, offset=0, dim1=0, dim2=1: (
        torch.diagonal_scatter(grad, torch.zeros_like(grad.diagonal(offset, dim1, dim2)), offset, dim1, dim2)
        if torch.is_grad_enabled()
        else _without(grad, lambda g: g.diagonal(offset, dim1, dim2))
    ),
    src=lambda grad, offset=0, dim1=0, dim2=1: grad.diagonal(offset, dim1, dim2),
)
differentiate(
    "as_strided_scatter",
    input=lambda grad, size, stride, storage_offset=None: _in_the_window(grad, size, stride, storage_offset or 0),
    src=lambda grad, size, stride, storage_offset=None: grad.contiguous().as_strided(size, stride, storage_offset or 0),
)


def _in_the_window(grad: Tensor, size: tuple[int, ...], stride: tuple[int, ...], offset: int) -> Any:
    """The gradient of the input as PyTorch returns it: of what was overwritten, which is a fault of PyTorch's."""
    whole = zeros_beside(grad, grad.shape)
    whole.as_strided(size, stride, offset).copy_(grad.contiguous().as_strided(size, stride, offset))
    return whole


# -- copies of views ---------------------------------------------------------------------------------------------

differentiate("t_copy", node="TBackward0_copy", input=lambda grad: grad.t())
differentiate("transpose_copy", node="TransposeBackward0_copy",
              input=lambda grad, dim0, dim1: grad.transpose(dim0, dim1))  # fmt: skip
differentiate("permute_copy", node="PermuteBackward0_copy", input=lambda grad, dims: grad.permute(inverse_order(dims)))
differentiate("expand_copy", node="ExpandBackward0_copy", input=lambda grad, input_shape: grad.sum_to_size(input_shape))
differentiate("view_copy", node="ViewBackward1_copy", when=lambda call: "dtype" in call, input=lambda grad: grad)
differentiate("view_copy", node="ViewBackward0_copy", input=lambda grad, input_shape: grad.reshape(input_shape))
differentiate("squeeze_copy", node="SqueezeBackward0_copy", when=lambda call: "dim" not in call,
              input=lambda grad, input_shape: grad.reshape(input_shape))  # fmt: skip
differentiate("squeeze_copy", node="SqueezeBackward1_copy", when=lambda call: isinstance(call["dim"], int),
              input=lambda grad, input_shape, dim: grad.reshape(input_shape))  # fmt: skip
differentiate("squeeze_copy", node="SqueezeBackward2_copy",
              input=lambda grad, input_shape, dim: grad.reshape(input_shape))  # fmt: skip
differentiate("unsqueeze_copy", node="UnsqueezeBackward0_copy", input=lambda grad, dim: grad.squeeze(dim))
differentiate("alias_copy", node="AliasBackward0_copy", input=lambda grad: grad)
differentiate("select_copy", node="SelectBackward0_copy",
              input=lambda grad, input_like, dim, index: into_select(grad, input_like, dim, index))  # fmt: skip
differentiate("slice_copy", node="SliceBackward0_copy",
              input=lambda grad, input_like, dim=0, start=None, end=None, step=1: into_slice(
                  grad, input_like, dim % len(input_like.shape), start, end, step))  # fmt: skip
differentiate("narrow_copy", input=lambda grad, input_like, dim, start, length: _into_narrow(
    grad, input_like, dim % len(input_like.shape), start, length))  # fmt: skip


def _into_narrow(grad: Tensor, like: Any, dim: int, start: int, length: int) -> Any:
    first = int(start) + like.shape[dim] if start < 0 else int(start)
    return into_slice(grad, like, dim, first, first + length, 1)


differentiate("diagonal_copy", node="DiagonalBackward0_copy",
              input=lambda grad, input_like, offset=0, dim1=0, dim2=1: into_diagonal(
                  grad, input_like, offset, dim1, dim2))  # fmt: skip
differentiate("unbind_copy", node="UnbindBackward0_copy", input=lambda grads, dim=0: stacked(grads, dim))
differentiate("split_copy", node="SplitBackward0_copy",
              input=lambda grads, input_like, split_size, dim=0: split_back(
                  grads, input_like, dim, split_size))  # fmt: skip
differentiate("split_with_sizes_copy", node="SplitWithSizesBackward0_copy",
              input=lambda grads, input_like, split_sizes, dim=0: split_back(
                  grads, input_like, dim, split_sizes))  # fmt: skip
differentiate("unsafe_split", input=lambda grads, input_like, split_size, dim=0: split_back(
    grads, input_like, dim, split_size))  # fmt: skip
differentiate("unsafe_split_with_sizes", input=lambda grads, input_like, split_sizes, dim=0: split_back(
    grads, input_like, dim, split_sizes))  # fmt: skip


@parts("unsafe_chunk")
def unsafe_chunk(input: Tensor, chunks: int, dim: int = 0) -> Any:
    """unsafe_split"""
    if chunks <= 0 or not input.dim():
        raise ValueError("the row itself refuses this")
    n = input.shape[dim]
    size = (n + chunks - 1) // chunks
    if size == 0 and n == 0:
        return torch.unsafe_split_with_sizes(input, [0] * chunks, dim)
    return torch.unsafe_split(input, size, dim)


differentiate("as_strided_copy", node="AsStridedBackward0_copy",
              input=lambda grad, input_like, input_offset, size, stride, storage_offset=None: into_strided(
                  grad, input_like, size, stride, storage_offset, input_offset))  # fmt: skip
differentiate("unfold_copy", node="UnfoldBackward0_copy",
              input=lambda grad, input_like, dimension, size, step: into_windows(
                  grad, input_like, dimension, size, step))  # fmt: skip
differentiate("view_as_real_copy", node="ViewAsRealBackward0_copy",
              input=lambda grad: torch.view_as_complex(grad.contiguous()))  # fmt: skip


@parts("view_as_complex_copy")
def view_as_complex_copy(input: Tensor) -> Any:
    """refused: the result is complex"""
    refuse_gradient(
        "view_as_complex_copy does not support automatic differentiation for outputs with complex dtype.",
        "PyTorch has no derivative of this op",
        "torch.view_as_complex(x).clone()",
    )


# PyTorch keeps both parts, so a later write to one is refused.
differentiate("complex", real=lambda grad, real: torch.real(grad), imag=lambda grad, imag: torch.imag(grad))


@parts("asarray")
def asarray(
    obj: Tensor, dtype: dtype | None = None, device: Any = None, copy: Any = None, requires_grad: Any = None
) -> Any:
    """the tensor itself, or to"""
    if requires_grad is None:
        warn_grad()
    if requires_grad is not False:
        check_requires_grad(True, obj.dtype if dtype is None else dtype)
    result = obj.to(device=device, dtype=dtype)
    if copy and result is obj:
        result = obj.clone()
    return result.detach() if requires_grad is False else result


@parts("as_tensor")
def as_tensor(data: Tensor, dtype: dtype | None = None, device: Any = None) -> Any:
    """the tensor itself, or to"""
    return data.to(device=device, dtype=dtype)
