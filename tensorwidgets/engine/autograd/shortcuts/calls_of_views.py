"""How are views of tensors that require a gradient recorded with few steps in between?

NumPy makes the view, where it makes the one that PyTorch would: of an array in one piece, for a plain number or slice.
As in `calls_of_rows`, None leaves a call to the general way.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from sys import _getframe
from typing import Any

import numpy as np

from ...declare.fast_calls import NO_GRAD, PLAIN, is_odd
from ...derivatives.declaring import FORMULAS, TABLE, Derivative
from ...dispatch.registry import OPS
from ...ops.indexing.getitem import elements_at, rows_at
from ...tensor.keys import KEY_AUTOGRAD
from ...tensor.tensor import Tensor
from ...tensor.thread_state import state
from ...tensor.versions import version_owner
from ...tensor.wrapping import alias_of, wrap, wrap_view
from .. import writes
from ..formulas import new_node
from ..origin import Output, set_origin
from ..saved import ABSENT, bare
from ..saved_facts import like_array
from .calls_of_rows import edge_if_any, record_call, version_of


def derivative_of(name: str, node: str) -> Derivative:
    """The derivative of a row whose node has this name."""
    return next(one for one in TABLE[name] if one.node == node and one.says == FORMULAS)


VIEW, TRANSPOSE, T, PERMUTE, UNSQUEEZE, EXPAND, DIAGONAL, SELECT, SLICE, SPLIT, UNBIND = (
    derivative_of(name, f"{name.capitalize()}Backward0")
    for name in (
        "view", "transpose", "t", "permute", "unsqueeze", "expand", "diagonal", "select", "slice", "split", "unbind",
    )
)  # fmt: skip
SQUEEZE = derivative_of("squeeze", "SqueezeBackward1")
UNSAFE_SPLIT = derivative_of("unsafe_split", "UnsafeSplitBackward0")
INDEX = derivative_of("index", "IndexBackward0")


def install() -> None:
    """Give the rows their quick way; runs once, when the first tensor requires a gradient."""
    assert VIEW.keeps == ("input_shape",) and TRANSPOSE.keeps == ("dim0", "dim1") and not T.keeps
    assert PERMUTE.keeps == ("dims",) and UNSQUEEZE.keeps == ("dim",)
    assert SELECT.keeps == ("input_like", "dim", "index")
    assert SLICE.keeps == ("input_like", "dim", "start", "end", "step")
    assert INDEX.keeps == ("input_like", "indices")
    assert SPLIT.keeps == ("input_like", "split_size_or_sections", "dim")
    assert EXPAND.keeps == ("input_shape",) and SQUEEZE.keeps == ("input_shape", "dim")
    assert DIAGONAL.keeps == ("input_like", "offset", "dim1", "dim2") and UNBIND.keeps == ("dim",)
    for name, derivative, values in (
        ("view", VIEW, lambda input, *size: (input._array.shape,)),
        ("transpose", TRANSPOSE, lambda input, dim0, dim1: (dim0, dim1)),
        ("t", T, lambda input: ()),
        ("permute", PERMUTE, lambda input, *dims: (dims if type(dims[0]) is int else tuple(dims[0]),)),
        ("unsqueeze", UNSQUEEZE, lambda input, dim: (dim,)),
        ("expand", EXPAND, lambda input, *size: (input._array.shape,)),
        ("squeeze", SQUEEZE, lambda input, dim: (input._array.shape, dim)),
        ("diagonal", DIAGONAL, _of_diagonal),
        ("narrow", SLICE, _of_narrow),
    ):
        OPS[name].quick = _by_shortcut(OPS[name].shortcut, derivative, values)
    OPS["select"].quick = select
    OPS["reshape"].quick = reshape
    OPS["flatten"].quick = flatten
    OPS["getitem"].quick = getitem
    several: tuple[tuple[str, Derivative, Callable[..., tuple]], ...] = (
        ("split", SPLIT, lambda input, length, dim=ABSENT: (_like(input), length, dim)),
        ("chunk", SPLIT, _of_chunk),
        ("unbind", UNBIND, lambda input, dim=ABSENT: (dim,)),
    )
    for name, derivative, keep in several:
        OPS[name].quick = _several(OPS[name].shortcut, derivative, keep)
    assert UNSAFE_SPLIT.keeps == ("input_like", "split_size", "dim")
    for name, safe, keep in (("unsafe_split", "split", several[0][2]), ("unsafe_chunk", "chunk", _of_chunk)):
        OPS[name].quick = _several(OPS[safe].shortcut, UNSAFE_SPLIT, keep, _pieces)


def rows_of(t: Tensor) -> Tensor | None:
    """All but the last dimension as one, of a tensor that lies in order: what `t.view(-1, n)` makes."""
    array = t._array
    if not lies_in_order(array):
        return None
    rows = array.reshape(-1, array.shape[-1])
    return viewed(t, rows, VIEW, (array.shape,)) if t._keys & KEY_AUTOGRAD else wrap_view(rows, t)


def is_plain(t: Any) -> bool:
    """Whether a tensor requires a gradient and is a plain one in all else, in a thread that is at most in `no_grad`."""
    if type(t) not in PLAIN or t._keys != KEY_AUTOGRAD or type(t._array) is not np.ndarray:
        return False
    unusual = state.__dict__
    return not unusual or unusual == NO_GRAD


def viewed(input: Tensor, array: np.ndarray, derivative: Derivative, values: tuple) -> Tensor | None:
    """A view with its node; None of a view that was made under no_grad: its node leads nowhere."""
    if state.__dict__:
        return unrecorded(input, array)
    edge = edge_if_any(input)
    if edge is None:
        return None
    result = wrap_view(array, input)
    node = new_node(derivative, (edge,), array.shape, input._dtype)
    node.values = values
    frame = writes.outside(_getframe(1))
    node.code, node.at = frame.f_code, frame.f_lasti
    origin = input._origin
    made = origin.made if type(origin) is Output else ""
    result._keys |= KEY_AUTOGRAD
    result._origin = Output(node, 0, version_owner(input)._writes, made)
    return result


def unrecorded(input: Tensor, array: np.ndarray) -> Tensor:
    """A view that is made under no_grad."""
    result = wrap_view(array, input)
    base: Any = result._base
    if base._keys & KEY_AUTOGRAD:
        origin = input._origin
        made = "inference" if type(origin) is Output and origin.made == "inference" else "no_grad"
        set_origin(result, Output(None, 0, version_owner(input)._writes, made))
    return result


def _by_shortcut(shortcut: Any, derivative: Derivative, values: Callable[..., tuple]) -> Callable[..., Tensor | None]:
    """A view that NumPy can make as it is."""

    def record(*args: Any, **more: Any) -> Tensor | None:
        if more or not is_plain(args[0]):
            return None
        try:
            array = shortcut(args[0]._array, *args[1:])
        except Exception:  # whatever is wrong, the general way says so
            return None
        if array is None or not array.size:
            return None
        return viewed(args[0], array, derivative, values(*args))

    return record


def _like(input: Tensor) -> Any:
    return like_array(input._array, input._dtype)


def _of_diagonal(input: Tensor, *given: int) -> tuple:
    return (_like(input), *given, *(ABSENT,) * (3 - len(given)))


def _of_narrow(input: Tensor, dim: int, start: int, length: int) -> tuple:
    start += input._array.shape[dim] * (start < 0)
    return _like(input), dim, start, start + length, 1


def _of_chunk(input: Tensor, chunks: int, dim: int = 0) -> tuple:
    return _like(input), -(-input._array.shape[dim] // chunks), dim


def lies_in_order(array: np.ndarray) -> bool:
    """Whether the strides are those of a new tensor of this size; NumPy calls an array contiguous that has any stride
    in a dimension of one element.
    """
    return array.flags.c_contiguous and array.size > 0 and not (1 in array.shape and is_odd(array))


def reshape(*args: Any, **more: Any) -> Tensor | None:
    """Other sizes for elements that lie in order: the node of `view`."""
    if more or len(args) < 2 or not is_plain(args[0]) or not lies_in_order(args[0]._array):
        return None
    array = args[0]._array
    size = args[1] if len(args) == 2 and isinstance(args[1], (tuple, list)) else args[1:]
    if not size or not all([type(n) is int and n >= -1 for n in size]):
        return None
    try:
        shaped = array.reshape(size)
    except ValueError:
        return None
    return viewed(args[0], shaped, VIEW, (array.shape,))


def flatten(*args: Any, **more: Any) -> Tensor | None:
    """Some dimensions as one."""
    if more or len(args) > 3 or not is_plain(args[0]) or not lies_in_order(args[0]._array):
        return None
    input = args[0]
    first, last = args[1] if len(args) > 1 else 0, args[2] if len(args) > 2 else -1
    array, ndim = input._array, input._array.ndim
    if type(first) is not int or type(last) is not int:
        return None
    first, last = first + ndim * (first < 0), last + ndim * (last < 0)
    if not 0 <= first < last < ndim:
        return None
    size = array.shape
    shaped = array.reshape((*size[:first], prod(size[first : last + 1]), *size[last + 1 :]))
    return viewed(input, shaped, VIEW, (size,))


def select(*args: Any, **more: Any) -> Tensor | None:
    """One slice along a dimension, without that dimension."""
    if more or len(args) != 3 or not is_plain(args[0]):
        return None
    input, dim, number = args
    if type(dim) is not int or type(number) is not int or not 0 <= dim < input._array.ndim:
        return None
    return _selected(input, dim, number)


def _selected(input: Tensor, dim: int, number: int) -> Tensor | None:
    array = input._array
    if not -array.shape[dim] <= number < array.shape[dim]:
        return None
    part = array[(*_ALL[:dim], number, ...)]
    if not part.size:
        return None
    return viewed(input, part, SELECT, (like_array(array, input._dtype), dim, number))


_ALL: Any = (slice(None),) * 64


def getitem(*args: Any, **more: Any) -> Tensor | None:
    """Numbers, slices and None as a key: select, slice and unsqueeze, one after the other."""
    if more or len(args) != 2 or not is_plain(args[0]):
        return None
    view, key = args
    if type(key) is int:
        return _selected(view, 0, key) if view._array.ndim else None
    if type(key) is Tensor:
        return _read_at(view, (key,), rows_at(view, key))
    if type(key) is not tuple:
        key = (key,)
    elif key and type(key[0]) is Tensor:
        return _read_at(view, key, elements_at(view, key))
    for part in key:
        if part is not None and type(part) not in (int, slice):
            return None
    if len(key) - key.count(None) > view._array.ndim:
        return None
    dim, start = 0, view
    for part in key:
        following: Any = view
        if type(part) is int:
            following = _selected(view, dim, part)
            dim -= 1
        elif part is None:
            following = _unsqueezed(view, dim)
        else:
            n = view._array.shape[dim]
            if not _is_whole(part, n):
                following = _sliced(view, dim, part)
        if following is None:
            return None
        view = following
        dim += 1
    return None if view is start else view


def _read_at(input: Tensor, key: tuple, found: np.ndarray | None) -> Tensor | None:
    if state.__dict__:
        return None if found is None else wrap(found, input._dtype)
    edge = edge_if_any(input)
    if edge is None or found is None:
        return None
    values, versions = (like_array(input._array, input._dtype), key), (None, tuple([version_of(each) for each in key]))
    return record_call(INDEX, wrap(found, input._dtype), (edge,), values, versions)


def _unsqueezed(view: Tensor, dim: int) -> Tensor | None:
    array = OPS["unsqueeze"].shortcut(view._array, dim)  # type: ignore[misc]
    return None if array is None else viewed(view, array, UNSQUEEZE, (dim,))


def _is_whole(part: slice, n: int) -> bool:
    start, stop, step = part.start, part.stop, part.step
    return (
        (start is None or type(start) is int and start == 0)
        and (stop is None or type(stop) is int and stop >= n)
        and (step is None or type(step) is int and step == 1)
    )


def _sliced(view: Tensor, dim: int, part: slice) -> Tensor | None:
    start, stop, step = part.start, part.stop, part.step
    for number in (start, stop, step):
        if number is not None and type(number) is not int:
            return None
    step = 1 if step is None else step
    if step < 1 or max(step, abs(start or 0), abs(stop or 0)) >= _LARGE:
        return None
    array = view._array
    piece = array[(*_ALL[:dim], part)]
    if not piece.size:
        return None
    return viewed(view, piece, SLICE, (like_array(array, view._dtype), dim, start, stop, step))


_LARGE = 1 << 62


def _several(
    shortcut: Any, derivative: Derivative, values: Callable[..., tuple], made: Callable[..., Any] | None = None
) -> Callable[..., Any]:
    """Views along a dimension that are made at once, or results of a function of the input and the arrays."""

    def record(*args: Any, **more: Any) -> tuple[Tensor, ...] | None:
        if more and (len(args) == most or more.keys() != {"dim"}) or not is_plain(args[0]):
            return None
        given = (*args[1:], *more.values())
        try:
            arrays = shortcut(args[0]._array, *given)
        except TypeError:  # arguments that are missing, or too many
            return None
        if arrays is None:
            return None
        return _made_at_once(args[0], arrays, derivative, values(args[0], *given), made)

    most = shortcut.__code__.co_argcount
    return record


def _pieces(input: Tensor, arrays: list[np.ndarray]) -> list[Tensor]:
    """Pieces of a tensor that do not count as views."""
    return [alias_of(input, False, array) for array in arrays]


def _made_at_once(
    input: Tensor, arrays: list[np.ndarray], derivative: Derivative, values: tuple, made_by: Callable[..., Any] | None
) -> tuple[Tensor, ...] | None:
    """Views that are results of one node, or what a function makes."""
    if state.__dict__:
        if made_by is not None:
            return tuple(made_by(input, arrays))
        return tuple([unrecorded(input, array) for array in arrays])
    edge = edge_if_any(input)
    if edge is None:
        return None
    d, count = input._dtype, len(arrays)
    sizes: Any = tuple([array.shape for array in arrays])
    node = new_node(derivative, (edge,), sizes, (d,) * count)  # type: ignore[arg-type]
    node.values = values
    frame = writes.outside(_getframe(1))
    node.code, node.at = frame.f_code, frame.f_lasti
    if made_by is not None:
        pieces = tuple(made_by(bare(input), arrays))
        for number, piece in enumerate(pieces):
            set_origin(piece, Output(node, number) if number else node)
        return pieces
    origin = input._origin
    made = origin.made if type(origin) is Output and origin.made == "inference" else "multiple"
    version = version_owner(input)._writes
    results = []
    for number, array in enumerate(arrays):
        result = wrap_view(array, input)
        result._keys |= KEY_AUTOGRAD
        result._origin = Output(node, number, version, made)
        results.append(result)
    return tuple(results)
