"""Ops that return a view if the strides allow it, else a copy: reshape, flatten and others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np
from numpy import ndarray

from ... import geometry
from ...declare.by_signature import spread
from ...declare.pointwise import Pointwise
from ...declare.pointwise_calls import named_inplace
from ...declare.pointwise_runs import run_inplace, run_plain
from ...declare.views import as_dim, as_shape
from ...dispatch import stations
from ...dispatch.call_errors import checked_call
from ...dispatch.registry import OPS, Op, add_row
from ...errors.reasons import Reason, refuse, sure
from ...errors.warnings import warn
from ...geometry import Geometry
from ...tensor import lazy_conj
from ...tensor.copying import copied, wrap_reshaped
from ...tensor.grad_mode import inference_enabled
from ...tensor.keys import KEY_CONJ, KEY_NEG
from ...tensor.lookups import checked_dim, geometry_of, storage_of
from ...tensor.moving.resizing import place
from ...tensor.must_be_tensor import must_be_tensor
from ...tensor.tensor import Tensor
from ...tensor.versions import bump_version
from ...tensor.wrapping import view_of, wrap_view
from ...types import dtypes
from ..pointwise.rows import BOOLS, INPLACE, NUMBERS

CATEGORY = "indexing_slicing_joining_mutating"


def made_of_views(
    name: str,
    words: str,
    *aliases: str,
    forms: str = "function method",
    category: str = CATEGORY,
    rule: Callable[..., Geometry | Reason] | None = None,
) -> Callable[[Callable], Callable]:
    """Declare an op that is written in terms of views; composite, if it has no rule for the geometry of its result."""

    def declare(kernel: Callable) -> Callable:
        op = Op(name, "view", category, words, rule=rule, kernel=kernel, aliases=aliases)
        op.forms = frozenset(forms.split())
        add_row(op)
        return stations.bind(op, checked_call(name, kernel))

    return declare


def _reshaped(input: Tensor, shape: tuple[int, ...]) -> Tensor:
    g = geometry_of(input)
    result = geometry.view(g, shape)
    if type(result) is Geometry:
        return view_of(input, result)
    assert isinstance(result, Reason)
    if result.rule != "view.span":
        result.refuse()
    size = geometry.infer_size(shape, prod(g.size))
    copy = copied(input, input._dtype, _contiguous_format())
    return wrap_reshaped(copy, size)  # type: ignore[arg-type]


def _contiguous_format() -> Any:
    from ...types.formats import contiguous_format

    return contiguous_format


def reshaped(g: Geometry, *shape: Any) -> Geometry | Reason:
    """The geometry of a view, or of the contiguous copy that is made if the strides do not allow a view."""
    wanted = as_shape("reshape", shape)
    return _or_copied(geometry.view(g, wanted), lambda: geometry.infer_size(wanted, prod(g.size)))


def _or_copied(result: Geometry | Reason, size: Callable[[], Any]) -> Geometry | Reason:
    return geometry.contiguous(size()) if isinstance(result, Reason) and result.rule == "view.span" else result


@made_of_views(
    "reshape",
    "Returns the same elements with another shape: a view where the strides allow it, else a copy.",
    rule=reshaped,
)
def reshape(input: Tensor, *shape: Any, **named: Any) -> Tensor:
    must_be_tensor("reshape", input)
    if not named and not input._keys and type(input._array) is ndarray:
        try:
            array = OPS["view"].shortcut(input._array, *shape)  # type: ignore[misc]
        except Exception:  # whatever is wrong, the rule says so
            array = None
        if array is not None and array.size:
            return wrap_view(array, input)
    return _reshaped(input, spread("reshape", shape, named, "shape"))


@made_of_views("view_as", "Returns the same elements with the size of another tensor. A view.", forms="method")
def view_as(input: Tensor, other: Tensor) -> Tensor:
    return OPS["view"].function(input, other._array.shape)


@made_of_views(
    "reshape_as",
    "Returns the same elements with the size of another tensor: a view where the strides allow it, else a copy.",
    forms="method",
)
def reshape_as(input: Tensor, other: Tensor) -> Tensor:
    return OPS["reshape"].function(input, other._array.shape)


@made_of_views("expand_as", "Expands the tensor to the size of another tensor. A view.", forms="method")
def expand_as(input: Tensor, other: Tensor) -> Tensor:
    return OPS["expand"].function(input, other._array.shape)


def flattened(g: Geometry, start_dim: int = 0, end_dim: int = -1) -> Geometry | Reason:
    """The geometry of a view, or of the contiguous copy that is made if the strides do not allow a view."""
    return _or_copied(geometry.flatten(g, start_dim, end_dim), lambda: _flat_size(g, start_dim, end_dim))


def _flat_size(g: Geometry, start_dim: int, end_dim: int) -> tuple[int, ...]:
    first, last = checked_dim(start_dim, len(g.size)), checked_dim(end_dim, len(g.size))
    return (*g.size[:first], prod(g.size[first : last + 1]), *g.size[last + 1 :])


@made_of_views(
    "flatten",
    "Flattens a range of dimensions into one: the tensor itself, a view, or a copy.",
    category="other",
    rule=flattened,
)
def flatten(input: Tensor, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    must_be_tensor("flatten", input)
    if start_dim == 0 and end_dim == -1 and not input._keys and type(array := input._array) is ndarray:
        if array.ndim > 1 and array.flags.c_contiguous and array.size > 1:
            return wrap_view(array.ravel(), input)
    g = geometry_of(input)
    start_dim, end_dim = as_dim("flatten", start_dim, "start_dim"), as_dim("flatten", end_dim, "end_dim", 2)
    result = geometry.flatten(g, start_dim, end_dim)
    if type(result) is Geometry:
        return input if result == g else view_of(input, result)
    assert isinstance(result, Reason)
    if result.rule != "view.span":
        result.refuse()
    return _reshaped(input, _flat_size(g, start_dim, end_dim))


@made_of_views(
    "ravel",
    "Flattens the tensor into one dimension: a view where the tensor is contiguous, else a copy.",
    category="other",
)
def ravel(input: Tensor) -> Tensor:
    must_be_tensor("ravel", input)
    return OPS["view"].function(OPS["contiguous"].function(input), -1)


def strided(g: Geometry, size: Any, stride: Any, storage_offset: int | None = None) -> Geometry:
    """The geometry that is asked for. Whether the storage is large enough is checked when it is looked at."""
    return Geometry(tuple(size), tuple(stride), g.offset if storage_offset is None else storage_offset)


@made_of_views(
    "as_strided",
    "Returns a view of the storage with the given size, stride and offset.",
    category="creation",
    rule=strided,
)
def as_strided(input: Tensor, size: Sequence[int], stride: Sequence[int], storage_offset: int | None = None) -> Tensor:
    must_be_tensor("as_strided", input)
    return view_of(input, _strided(input, size, stride, storage_offset))


def _strided(input: Tensor, size: Sequence[int], stride: Sequence[int], storage_offset: int | None) -> Geometry:
    result = geometry.as_strided(
        geometry_of(input), as_shape("as_strided", (size,)), as_shape("as_strided", (stride,), "stride", 2),
        storage_offset, storage_of(input).nbytes(), input._dtype.itemsize,
    )  # fmt: skip
    if isinstance(result, Reason):
        result.refuse()
    return result


@made_of_views(
    "as_strided_", "In-place form of `as_strided`.", forms="function method", category="creation", rule=strided
)
def as_strided_(
    input: Tensor, size: tuple[int, ...], stride: tuple[int, ...], storage_offset: int | None = None
) -> Tensor:
    place(input, _strided(input, size, stride, storage_offset))
    bump_version(input)
    return input


# -- complex parts and transposes --------------------------------------------------------------------------------


def unchanged(g: Geometry) -> Geometry:
    """The geometry of the tensor itself."""
    return g


@made_of_views(
    "conj",
    "Returns the complex conjugate: a view that computes it lazily; real tensors are returned as they are.",
    rule=unchanged,
)
def conj(input: Tensor) -> Tensor:
    return lazy_conj.conj(input)


def _conjugated(a: np.ndarray, out: np.ndarray | None = None) -> Any:
    result = np.conjugate(a) if a.dtype.kind == "c" else a
    if out is None:
        return result.copy()
    out[...] = result
    return out


def _physical() -> None:
    """Implements `conj_physical`; a real tensor is returned unchanged."""
    rule = Pointwise(_conjugated, stub="conj_cpu", domain=NUMBERS | BOOLS, via_float32=False, same_out=True)
    words = "Computes the complex conjugate immediately; real tensors are returned as they are."
    op = add_row(
        Op(
            "conj_physical",
            "pointwise",
            "pointwise",
            words,
            rule=rule,
            kernel=np.conjugate,
        )
    )

    def plain(input: Tensor, *, out: Tensor | None = None) -> Tensor:
        must_be_tensor("conj_physical", input)
        return lazy_conj.resolve(lazy_conj.conj(input)) if out is None else run_plain(op, (input,), out)

    def plain_inplace(input: Tensor) -> Tensor:
        if input._dtype._kind == dtypes.COMPLEX:
            return run_inplace(op, (input,))
        bump_version(input)
        return input

    stations.bind(op, plain)
    INPLACE["conj_physical_"] = named_inplace(op, plain_inplace)


_physical()


@made_of_views(
    "real",
    "Returns the real parts: a view of a complex tensor; real tensors are returned as they are.",
    category="pointwise",
)
def real(input: Tensor) -> Tensor:
    if input._dtype._kind != dtypes.COMPLEX:
        return input
    return _part("real_part", input)


@made_of_views("imag", "Returns the imaginary parts of a complex tensor. A view.", category="pointwise")
def imag(input: Tensor) -> Tensor:
    if input._dtype._kind != dtypes.COMPLEX:
        refuse(
            RuntimeError,
            "imag is not implemented for tensors with non-complex dtypes.",
            f"{input._dtype} numbers have no imaginary part",
            "torch.zeros_like(x)",
            rule="view.imag",
        )
    part = _part("imag_part", input)
    if input._keys & KEY_CONJ:
        # The imaginary part of a lazy conjugate is a lazy negative.
        part._keys ^= KEY_NEG
    return part


def _part(name: str, input: Tensor) -> Tensor:
    part = OPS[name].function(input)
    part._keys &= ~KEY_CONJ
    return part


@made_of_views("adjoint", "Returns the conjugate transpose of each matrix. A view.")
def adjoint(input: Tensor) -> Tensor:
    return OPS["conj"].function(_flipped(input, "adjoint()"))


def _flipped(input: Tensor, spelling: str) -> Tensor:
    """Swap the last two dimensions; a zero-dimensional tensor is returned unchanged."""
    if input._array.ndim == 0:
        name = spelling if spelling == "adjoint()" else f"Tensor.{spelling}"
        warn(f"{name} is deprecated on 0-D tensors. {_INSTEAD_OF[spelling]}", once=True)
        return input
    return OPS["adjoint_view"].function(input, spelling)


_IDENTITY, _CONJ = "This function is the identity in these cases.", "Consider using x.conj()."
_INSTEAD_OF = {"T": _IDENTITY, "mT": _IDENTITY, "mH": _CONJ, "H": _CONJ, "adjoint()": _CONJ}


def transposes() -> dict[str, property]:
    """The properties T, H, mT, mH."""
    back = OPS["numpy_T"].function

    def reversed_dims(self: Tensor) -> Tensor:
        if self._array.ndim == 0:
            _flipped(self, "T")
        elif self._array.ndim != 2:
            warn(
                "The use of `x.T` on tensors of dimension other than 2 to reverse their shape is deprecated and it "
                "will throw "
                "an error in a future release. Consider `x.mT` to transpose batches of matrices or "
                "`x.permute(*torch.arange(x.ndim - 1, -1, -1))` to reverse the dimensions of a tensor.",
                once=True,
            )
        return back(self)

    def hermitian(self: Tensor) -> Tensor:
        if self._array.ndim not in (0, 2):
            refuse(
                RuntimeError,
                f"tensor.H is only supported on matrices (2-D tensors). Got {self._array.ndim}-D tensor."
                + (" For batches of matrices, consider using tensor.mH" if self._array.ndim > 2 else ""),
                "H is the conjugate transpose of one matrix",
                "x.mH",
                rule="transpose.H",
            )
        return OPS["conj"].function(OPS["transpose"].function(self, 0, 1) if self._array.ndim else _flipped(self, "H"))

    return {
        "T": property(reversed_dims, doc="Reverses the order of all dimensions. A view."),
        "mT": property(lambda self: _flipped(self, "mT"), doc="Swaps the last two dimensions. A view."),
        "H": property(hermitian, doc="The conjugate transpose of a matrix. A view."),
        "mH": property(
            lambda self: OPS["conj"].function(_flipped(self, "mH")),
            doc="The conjugate transpose of a batch of matrices. A view.",
        ),
    }


@made_of_views(
    "detach_",
    "Removes the history of the tensor, in place; refused for views.",
    forms="function method",
    rule=unchanged,
)
def detach_(input: Tensor) -> Tensor:
    if input._base is not None and not (inference_enabled() or input.is_inference()):
        refuse(
            RuntimeError,
            "Can't detach views in-place. Use detach() instead. If you are using DistributedDataParallel (DDP) "
            "for training, and "
            "gradient_as_bucket_view is set as True, gradients are views of DDP buckets, and hence detach_() "
            "cannot be called on "
            "these gradients. To fix this error, please refer to the Optimizer.zero_grad() function in "
            "torch/optim/optimizer.py "
            "as the solution.",
            "a view and its base share their history",
            "x = x.detach()",
            rule="detach.view",
        )
    return input


# -- several tensors ---------------------------------------------------------------------------------------------


@made_of_views(
    "broadcast_tensors",
    "Broadcasts tensors to a common size. Views.",
    forms="function",
    category="other",
)
def broadcast_tensors(*tensors: Any) -> tuple[Tensor, ...]:
    if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)):
        tensors = tuple(tensors[0])
    size = broadcast_size(*[t._array.shape for t in tensors])
    # A tensor that has the size already is returned as it is, as PyTorch does; gradients then need no further node.
    return tuple([t if t._array.shape == size else OPS["expand"].function(t, size) for t in tensors])


def broadcast_size(*sizes: tuple[int, ...]) -> tuple[int, ...]:
    """Returns the common size, or refuses with the dimension that differs."""
    result = sure(geometry.broadcast(*sizes))
    return result


def broadcast_shapes(*shapes: Any) -> Any:
    """Returns the size to which all of these broadcast.

    >>> broadcast_shapes((2, 1), (3,))
    torch.Size([2, 3])
    """
    from ...types.size import Size

    size: list[int] = []
    for position, given in enumerate(shapes):
        if given is None:
            continue
        if not isinstance(given, (int, tuple, list)):
            message = f"Input shapes should be of type ints, a tuple of ints, or a list of ints, got {given}"
            refuse(RuntimeError, message, "a size is made of whole numbers", "x.shape", rule="broadcast.shapes")
        shape = (given,) if isinstance(given, int) else given
        size = [1] * (len(shape) - len(size)) + size
        for i in range(-1, -1 - len(shape), -1):
            if shape[i] in (1, size[i]):
                continue
            if size[i] != 1:
                refuse(
                    RuntimeError,
                    f"Attempting to broadcast a dimension of length {shape[i]} at {i}! Mismatching argument at index "
                    f"{position} had {shape}; but expected shape should be broadcastable to {size}",
                    f"a dimension is stretched from length 1 alone, and {size[i]} is neither 1 nor {shape[i]}",
                    rule="broadcast.length",
                )
            if shape[i] < 0:
                refuse(
                    ValueError,
                    "Attempting to broadcast a dimension with negative length!",
                    f"{shape} is not a size",
                    rule="broadcast.negative",
                )
            size[i] = shape[i]
    return Size(size)
