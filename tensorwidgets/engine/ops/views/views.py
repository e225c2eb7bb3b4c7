"""Views: a new size, stride and offset over the same storage. Each op is only a rule."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy import may_share_memory, ndarray

from ... import geometry
from ...calling.arguments import counts
from ...declare.by_signature import spread
from ...declare.fast_calls import is_odd
from ...declare.views import SameBytes, as_dim, as_shape, view_row
from ...dispatch.called_as import called_method, spelled_by_user, spelling
from ...errors.reasons import Reason, refuse
from ...geometry import Geometry
from ...tensor.tensor import Tensor
from ...tensor.type_names import type_name
from ...types import dtypes
from ...types.cpp_names import cpp_tensor_type
from ...types.dtypes import INTEGER, dtype

Result = Geometry | Reason
Pieces = tuple[Geometry, ...] | Reason


# -- shortcuts: NumPy's way to the same view ---------------------------------------------------------------------


def _fast_t(a: ndarray) -> Any:
    return a.T if a.ndim == 2 else None


def _fast_transpose(a: ndarray, dim0: int | None, dim1: int) -> Any:
    if a.ndim > 1 and type(dim0) is type(dim1) is int and -a.ndim <= dim0 < a.ndim and -a.ndim <= dim1 < a.ndim:
        return a.swapaxes(dim0, dim1)
    return None


def _fast_permute(a: ndarray, *dims: Any) -> Any:
    if len(dims) == 1 and type(dims[0]) in (tuple, list):
        dims = tuple(dims[0])
    if len(dims) != a.ndim or not dims or not all([type(d) is int and -99 < d < 99 for d in dims]):
        return None  # NumPy's ints hold no larger ones, and it does not say so
    return a.transpose(dims)


def new_dim(a: ndarray, dim: int) -> Any:
    """An array in order with one dimension more; None for any other one."""
    if type(dim) is not int or not a.flags.c_contiguous or not -a.ndim - 1 <= dim <= a.ndim:
        return None
    if 1 in a.shape and is_odd(a):
        return None
    place = dim + a.ndim + 1 if dim < 0 else dim
    return a.reshape((*a.shape[:place], 1, *a.shape[place:])) if a.size else None


def _fast_squeeze(a: ndarray, dim: Any = None, *more: Any) -> Any:
    return a.squeeze(dim) if type(dim) is int and not more and a.ndim and a.shape[dim] == 1 else None


def _fast_view(a: ndarray, *shape: Any) -> Any:
    # A dimension of size 1 may have any stride and still count as contiguous; the rule handles it.
    if a.flags.c_contiguous and a.size > 1:
        if shape == _FLAT:
            return a.ravel()
        if shape and shape[0] is not None and not (1 in a.shape and is_odd(a)):
            try:
                if min(shape if type(shape[0]) is int else shape[0]) < -1:
                    return None  # NumPy takes any negative number for -1
                return a.reshape(*shape)
            except (ValueError, TypeError):
                return None
    elif a.size > 1 and 1 not in a.shape and shape and type(shape[0]) is int and 1 not in shape:
        try:
            if min(shape) < -1:
                return None
            viewed = a.reshape(*shape)
        except (ValueError, TypeError):
            return None
        return viewed if may_share_memory(viewed, a) else None
    return None


_FLAT = (-1,)


def _fast_expand(a: ndarray, *size: Any) -> Any:
    """Of an array in order, dimensions of one element and new ones of several."""
    wanted = size[0] if len(size) == 1 and isinstance(size[0], (tuple, list)) else size
    new = len(wanted) - a.ndim
    if new < 0 or not a.flags.c_contiguous or not a.size:
        return None
    sizes, strides = [*wanted[:new]], [0] * new
    for n, own, stride in zip(wanted[new:], a.shape, a.strides, strict=True):
        stays = own != 1 or n == 1 or n == -1
        if stays and n != own and n != -1:
            return None
        sizes.append(own if stays else n)
        strides.append(stride if stays else 0)
    if not all([type(n) is int for n in sizes]) or min(sizes[:new], default=2) < 2:
        return None
    return ndarray(sizes, a.dtype, a, 0, strides)


def _fast_diagonal(a: ndarray, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Any:
    if not type(offset) is type(dim1) is type(dim2) is int:
        return None
    found = a.diagonal(offset, dim1, dim2)
    found.flags.writeable = a.flags.writeable  # NumPy makes it read-only
    return found


def _fast_select(a: ndarray, dim: int, index: int) -> Any:
    if not type(dim) is type(index) is int or not -a.ndim <= dim < a.ndim:
        return None
    return a[(*_ALL[: dim % a.ndim], index, ...)]


def _fast_narrow(a: ndarray, dim: int, start: int, length: int) -> Any:
    if not type(dim) is type(start) is type(length) is int or not -a.ndim <= dim < a.ndim:
        return None
    n = a.shape[dim]
    start += n * (start < 0)
    return a[(*_ALL[: dim % a.ndim], slice(start, start + length))] if 0 <= start <= start + length <= n else None


def _fast_unbind(a: ndarray, dim: int = 0) -> Any:
    """All slices along a dimension of an array that is not empty."""
    if type(dim) is not int or not -a.ndim <= dim < a.ndim or not a.size:
        return None
    before = _ALL[: dim % a.ndim]
    return [a[(*before, number, ...)] for number in range(a.shape[dim])]


def _fast_split(a: ndarray, length: int, dim: int = 0) -> Any:
    """Pieces of one length along a dimension of an array that is not empty."""
    if not type(length) is type(dim) is int or not -a.ndim <= dim < a.ndim or not 0 < length < _LARGE or not a.size:
        return None
    before = _ALL[: dim % a.ndim]
    return [a[(*before, slice(at, at + length))] for at in range(0, a.shape[dim], length)]


def _fast_chunk(a: ndarray, chunks: int, dim: int = 0) -> Any:
    """A number of pieces along a dimension of an array that is not empty."""
    if not type(chunks) is type(dim) is int or not -a.ndim <= dim < a.ndim or not 0 < chunks < _LARGE:
        return None
    return _fast_split(a, -(-a.shape[dim] // chunks), dim)


_ALL: Any = (slice(None),) * 64
_LARGE = 1 << 62


# -- reordering dimensions ---------------------------------------------------------------------------------------


@view_row("t", shortcut=_fast_t, inplace=True)
def t(input: Geometry) -> Result:
    """Transposes a matrix; tensors with fewer dimensions are returned as they are. A view."""
    return geometry.t(input)


@view_row("transpose", "swapaxes", "swapdims", shortcut=_fast_transpose, inplace=True)
def transpose(
    input: Geometry,
    dim0: int | None = None,
    dim1: int | None = None,
    *,
    axis0: int | None = None,
    axis1: int | None = None,
) -> Result:
    """Swaps two dimensions and their strides. A view."""
    if axis0 is not None or axis1 is not None:
        if not (spelling()[0] or "").startswith("swapaxes"):
            raise TypeError("axis0 and axis1 are words of swapaxes")
        dim0, dim1 = axis0 if dim0 is None else dim0, axis1
    if dim0 is None or dim1 is None:
        raise TypeError("two dimensions change places")
    return geometry.transpose(input, as_dim("transpose", dim0, "dim0"), as_dim("transpose", dim1, "dim1", 2))


@view_row("permute", shortcut=_fast_permute)
def permute(input: Geometry, *dims: Any, **named: Any) -> Result:
    """Reorders all dimensions. A view."""
    return geometry.permute(input, spread("permute", dims, named, "dims"))


@view_row("movedim", "moveaxis")
def movedim(input: Geometry, source: int | Sequence[int], destination: int | Sequence[int]) -> Result:
    """Moves dimensions to new positions; the others keep their order. A view."""
    if isinstance(source, (tuple, list)) is not isinstance(destination, (tuple, list)):
        refuse(
            TypeError, "movedim()", "either one dimension moves to one place, or several to several", rule="argument"
        )
    if not isinstance(source, (tuple, list)):
        source, destination = as_dim("movedim", source, "source"), as_dim("movedim", destination, "destination", 2)
    return geometry.movedim(input, source, destination)


@view_row("adjoint_view", forms="")
def adjoint_view(input: Geometry, spelling: str) -> Result:
    """Swaps the last two dimensions. A view."""
    return geometry.matrix_transpose(input, spelling)


@view_row("numpy_T", forms="")
def numpy_t(input: Geometry) -> Result:
    """Reverses the order of all dimensions. A view."""
    return geometry.reverse_dims(input)


# -- reshaping ---------------------------------------------------------------------------------------------------


class _LeftOut:
    """The default for arguments where PyTorch refuses None."""

    def __repr__(self) -> str:
        return "None"


_LEFT_OUT = _LeftOut()


@view_row("squeeze", shortcut=_fast_squeeze, inplace=True)
def squeeze(input: Geometry, dim: Any = _LEFT_OUT, *more: int) -> Result:
    """Removes all dimensions of size 1, or the given ones. A view."""
    if dim is _LEFT_OUT:
        return geometry.squeeze(input)
    if more:
        dim = (dim, *more)
    return geometry.squeeze(input, tuple(dim) if isinstance(dim, (tuple, list)) else as_dim("squeeze", dim))


@view_row("unsqueeze", shortcut=new_dim, inplace=True)
def unsqueeze(input: Geometry, dim: int) -> Result:
    """Inserts a dimension of size 1. A view."""
    return geometry.unsqueeze(input, as_dim("unsqueeze", dim))


@view_row("unflatten", category="other")
def unflatten(input: Geometry, dim: int, sizes: Any) -> Result:
    """Splits one dimension into several. A view."""
    if not isinstance(sizes, Tensor) and not sizes:
        sizes = ()
    if not isinstance(sizes, (tuple, list)) or sizes and not counts(sizes[0]):
        refuse(
            TypeError,
            "unflatten(): argument 'sizes' (position 2) must be tuple of ints, "
            + (f"not {type_name(sizes)}" if not isinstance(sizes, (tuple, list)) else
               f"but found element of type {type_name(sizes[0])} at pos 0"),
            "one dimension becomes several, and sizes says how long each is",
            "x.unflatten(0, (2, -1))",
            rule="argument.int",
        )  # fmt: skip
    parts = as_shape("unflatten", (sizes,), "sizes", 2)
    if not parts and called_method() is None:  # a method of Python's looks for sizes first
        found = geometry.wrap_dim(as_dim("unflatten", dim), len(input.size))
        if isinstance(found, Reason):
            return found
    return geometry.unflatten(input, as_dim("unflatten", dim) if parts else dim, parts)


@view_row("expand", shortcut=_fast_expand, forms="method", typed=True)
def expand(input: Geometry, own: dtype, *size: Any, implicit: bool = False, **named: Any) -> Any:
    """Expands dimensions of size 1 with a stride of 0. A view."""
    result = geometry.expand(input, spread("expand", size, named, "size"), cpp_tensor_type(own))
    return result if isinstance(result, Reason) else (result, own)


@view_row("broadcast_to", category="other", typed=True)
def broadcast_to(input: Geometry, own: dtype, *size: Any, **named: Any) -> Any:
    """Broadcasts the tensor to a size. A view."""
    result = geometry.expand(input, spread("broadcast_to", size, named, "size", 2), cpp_tensor_type(own))
    return result if isinstance(result, Reason) else (result, own)


# -- parts -------------------------------------------------------------------------------------------------------


@view_row("narrow", shortcut=_fast_narrow)
def narrow(input: Geometry, dim: int, start: int, length: int) -> Result:
    """Returns `length` slices along one dimension, from `start`. A view."""
    if isinstance(start, Tensor) and (start._array.ndim or start._dtype._kind != INTEGER):
        refuse(
            RuntimeError,
            "start must be an 0-dim integral Tensor.",
            f"this one is of {start._dtype} and has {start._array.ndim} dimensions",
            "start.item()",
            rule="narrow.start",
        )
    return geometry.narrow(
        input, as_dim("narrow", dim), as_dim("narrow", start, "start", 2), as_dim("narrow", length, "length", 3)
    )


@view_row("select", shortcut=_fast_select)
def select(input: Geometry, dim: int, index: int) -> Result:
    """Returns one slice along a dimension, without that dimension. A view."""
    return geometry.select(input, as_dim("select", dim), as_dim("select", index, "index", 2))


@view_row("diagonal", category="other", shortcut=_fast_diagonal)
def diagonal(input: Geometry, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Result:
    """Returns the diagonal of two dimensions as the last dimension. A view."""
    return geometry.diagonal(
        input,
        as_dim("diagonal", offset, "offset"),
        as_dim("diagonal", dim1, "dim1", 2),
        as_dim("diagonal", dim2, "dim2", 3),
    )


@view_row("unfold", forms="method")
def unfold(input: Geometry, dimension: int, size: int, step: int) -> Result:
    """Returns all windows of `size` elements along a dimension, `step` apart. A view."""
    return geometry.unfold(
        input,
        as_dim("unfold", dimension, "dimension"),
        as_dim("unfold", size, "size", 2),
        as_dim("unfold", step, "step", 3),
    )


@view_row("unbind", shortcut=_fast_unbind)
def unbind(input: Geometry, dim: int = 0) -> Pieces:
    """Returns the slices along one dimension. Views."""
    return geometry.unbind(input, as_dim("unbind", dim))


@view_row("split", shortcut=_fast_split)
def split(
    input: Geometry, split_size_or_sections: Any = None, dim: int = 0, *,
    split_size: int | Sequence[int] | None = None,
) -> Pieces:  # fmt: skip
    """Splits the tensor along one dimension into pieces of one size or of the given sizes. Views."""
    if split_size is not None and spelled_by_user("split") == ("split", False):
        refuse(
            TypeError,
            "split() got an unexpected keyword argument 'split_size'",
            "only the method calls it so",
            "torch.split(x, split_size_or_sections=2)",
            rule="argument.unknown",
        )
    wanted = split_size if split_size_or_sections is None else split_size_or_sections
    if isinstance(wanted, Tensor) and wanted._array.size == 1:
        wanted = int(wanted.item())
    if isinstance(wanted, (tuple, list)):
        wanted = as_shape("split_with_sizes", tuple(wanted), "split_sizes")
    elif isinstance(wanted, Tensor):
        refuse(
            TypeError,
            "split_with_sizes(): argument 'split_sizes' (position 2) must be tuple of ints, not Tensor",
            "the sizes of the pieces are numbers, in a list",
            "x.split(sizes.tolist())",
            rule="argument.int",
        )
    else:
        wanted = as_dim("split", wanted, "split_size")
    return geometry.split(input, wanted, as_dim("split", dim, position=2))


@view_row("split_with_sizes", forms="function method")
def split_with_sizes(input: Geometry, split_sizes: Sequence[int], dim: int = 0) -> Pieces:
    """Splits the tensor along one dimension into pieces of the given sizes. Views."""
    sizes = as_shape("split_with_sizes", tuple(split_sizes), "split_sizes")
    return geometry.split(input, sizes, as_dim("split_with_sizes", dim, position=2))


@view_row("chunk", shortcut=_fast_chunk)
def chunk(input: Geometry, chunks: int, dim: int = 0) -> Pieces:
    """Splits the tensor along one dimension into at most `chunks` pieces. Views."""
    return geometry.chunk(input, as_dim("chunk", chunks, "chunks"), as_dim("chunk", dim, position=2))


def _cuts(op_name: str, wanted: Any) -> Any:
    """Returns the indices or the number of pieces as integers."""
    if isinstance(wanted, (list, tuple)):
        return as_shape(op_name, (wanted,), "indices")
    if hasattr(wanted, "__index__") and not isinstance(wanted, (bool, Tensor)):
        return wanted
    refuse(
        TypeError,
        f"{op_name}() received an invalid combination of arguments - got (Tensor, "
        f"{type(wanted).__name__}), but expected one of:\n"
        " * (Tensor input, int sections)\n * (Tensor input, tuple of ints indices)\n",
        "how many pieces, or where to cut: whole numbers",
        rule="argument.type",
    )


@view_row("tensor_split")
def tensor_split(
    input: Geometry, indices_or_sections: Any = None, dim: int = 0, *, indices: Any = None, sections: Any = None,
    tensor_indices_or_sections: Tensor | None = None,
) -> Pieces:  # fmt: skip
    """Splits the tensor along one dimension at indices, or into a number of nearly equal pieces. Views."""
    given = (indices_or_sections, indices, sections, tensor_indices_or_sections)
    wanted = next((w for w in given if w is not None), None)
    if wanted is None:
        raise TypeError("neither indices nor sections")
    if isinstance(wanted, Tensor) and not input.size:
        return geometry.tensor_split(input, 1)  # which refuses a number before the places are read
    cuts = _places_in(wanted) if isinstance(wanted, Tensor) else _cuts("tensor_split", wanted)
    return geometry.tensor_split(input, cuts, as_dim("tensor_split", dim, position=2))


def _places_in(cuts: Tensor) -> int | list[int]:
    """Read the indices or the number of pieces from a tensor."""
    told = "tensor_split expected tensor_indices_or_sections to "
    if cuts._dtype is not dtypes.int64:
        message = f"{told}have dtype of long, but got {cuts._dtype._type_name}"
        refuse(RuntimeError, message, "indices must be integers", "indices.long()", rule="index.dtype")
    if cuts.device.type != "cpu":
        message = f"{told}be on cpu, but it's on {cuts.device}"
        refuse(RuntimeError, message, "the places of the cuts are read", "indices.cpu()", rule="index.device")
    rank = cuts._array.ndim
    if rank > 1:
        message = f"{told}be a zero-dimensional or one-dimensional tensor, but got a tensor with {rank} dims"
        refuse(RuntimeError, message, "the places lie in a row", "indices.flatten()", rule="index.rank")
    return cuts.tolist()


@view_row("hsplit")
def hsplit(input: Geometry, indices_or_sections: int | Sequence[int]) -> Pieces:
    """Splits the tensor horizontally, into groups of columns. Views."""
    return geometry.hsplit(input, _cuts("hsplit", indices_or_sections))


@view_row("vsplit")
def vsplit(input: Geometry, indices_or_sections: int | Sequence[int]) -> Pieces:
    """Splits the tensor vertically, into groups of rows. Views."""
    return geometry.vsplit(input, _cuts("vsplit", indices_or_sections))


@view_row("dsplit")
def dsplit(input: Geometry, indices_or_sections: int | Sequence[int]) -> Pieces:
    """Splits the tensor in depth, along the third dimension. Views."""
    return geometry.dsplit(input, _cuts("dsplit", indices_or_sections))


# -- the same bytes as another type ------------------------------------------------------------------------------


@view_row("view", forms="method", shortcut=_fast_view, typed=True)
def view(input: Geometry, own: dtype, *size: Any, dtype: dtype | None = None, **named: Any) -> Any:
    """Returns the same elements with another shape, or the same bytes as another dtype. A view."""
    wanted = size[0] if size and isinstance(size[0], (dtypes.dtype, type)) else dtype
    wanted = dtypes.of_type(wanted)
    if wanted is not None:
        result = geometry.view_dtype(input, own.itemsize, wanted.itemsize, own._type_name, wanted._type_name)
        return result if isinstance(result, Reason) else SameBytes(result, wanted)
    if not size and "size" not in named:
        refuse(
            TypeError,
            "view() received an invalid combination of arguments - got (), but expected one of:\n"
            " * (torch.dtype dtype)\n * (tuple of ints size)\n",
            "view() needs a size or a dtype",
            "x.view(-1)",
            rule="argument.missing",
        )
    result = geometry.view(input, as_shape("view", size or (named["size"],)))
    return result if isinstance(result, Reason) else (result, own)


@view_row("view_as_real", category="other", forms="function", typed=True)
def view_as_real(input: Geometry, own: dtype) -> Any:
    """Returns complex numbers as pairs of real numbers in a new last dimension of size 2. A view."""
    if not own.is_complex:
        refuse(
            RuntimeError,
            "view_as_real is only supported for complex tensors",
            f"{own} has no imaginary part",
            rule="view.real",
        )
    return geometry.view_as_real(input), own.to_real()


@view_row("view_as_complex", category="other", forms="function", typed=True)
def view_as_complex(input: Geometry, own: dtype) -> Any:
    """Returns pairs of real numbers in the last dimension as complex numbers. A view."""
    if own not in (dtypes.float16, dtypes.float32, dtypes.float64):
        refuse(
            RuntimeError,
            "view_as_complex is only supported for half, float and double tensors, but got a tensor of scalar type: "
            + own._type_name,
            f"two numbers of {own} do not make a complex one",
            "x.float()",
            rule="view.complex",
        )
    result = geometry.view_as_complex(input)
    return result if isinstance(result, Reason) else (result, own.to_complex())


@view_row("real_part", forms="", typed=True)
def real_part(input: Geometry, own: dtype) -> Any:
    """Returns the real parts. A view."""
    return geometry.real_part(input), own.to_real()


@view_row("imag_part", forms="", typed=True)
def imag_part(input: Geometry, own: dtype) -> Any:
    """Returns the imaginary parts. A view."""
    return geometry.imag_part(input), own.to_real()
