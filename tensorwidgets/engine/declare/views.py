"""How a view op runs: its rule gives a geometry, and one function builds the tensor from it.

A rule may have a shortcut: NumPy's own way to the same view, for speed; a list of arrays if there are several views.
The tests compare each with its rule.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

from ..calling.arguments import as_size
from ..dispatch import stations
from ..dispatch.call_errors import refuse_call
from ..dispatch.registry import Op, add_row, watching
from ..dispatch.stations import long_route, publish
from ..errors.reasons import Reason, refuse
from ..geometry import Geometry
from ..tensor import grad_flag
from ..tensor.keys import KEY_AUTOGRAD, KEY_CONJ, KEY_PROMISE
from ..tensor.lookups import geometry_of, storage_of
from ..tensor.must_be_tensor import must_be_tensor
from ..tensor.tensor import Tensor
from ..tensor.thread_state import state, unusual_threads
from ..tensor.type_names import type_name
from ..tensor.versions import bump_version, version_owner
from ..tensor.wrapping import _new, alias_of, note_mode, view_of, wrap_view
from ..types.dtypes import INTEGER, dtype, refuse_quantized


def view_row(
    name: str,
    *aliases: str,
    category: str = "indexing_slicing_joining_mutating",
    forms: str = "function method",
    shortcut: Callable | None = None,
    inplace: bool = False,
    typed: bool = False,
) -> Callable[[Callable], Callable]:
    """Declare a view op by its rule: ``(Geometry, …) -> Geometry | Reason | tuple of Geometry``.

    A `typed` rule gets the dtype after the geometry, and returns both.
    """

    def declare(rule: Callable) -> Callable:
        op = add_row(
            Op(
                name,
                "view",
                category,
                rule.__doc__ or "",
                rule=rule,
                aliases=aliases,
                forms=frozenset(forms.split()),
                shortcut=shortcut,
            )
        )
        op.typed = typed
        bind_view(op)
        if inplace:
            _bind_inplace(op)
        return op.function

    return declare


def follow(op: Op, input: Tensor, args: tuple, kwargs: dict) -> Any:
    """The view, or views, that a rule describes."""
    must_be_tensor(op.name, input)
    assert op.rule is not None
    if op.typed:
        result = op.rule(geometry_of(input), input._dtype, *args, **kwargs)
        if input._keys & KEY_PROMISE:
            _refuse_promise(op, input, type(result) is SameBytes or getattr(result, "rule", "") == "dtype.width")
        if isinstance(result, Reason):
            result.refuse()
        if result[1]._is_quantized and not input._dtype._is_quantized:
            refuse_quantized(result[1])
        return same_bytes(input, *result) if type(result) is SameBytes else view_of(input, *result)
    result = op.rule(geometry_of(input), *args, **kwargs)
    if type(result) is Geometry:
        return view_of(input, result)
    if isinstance(result, Reason):
        _in_the_words_of(op, result).refuse()
    views = tuple([view_of(input, g) for g in result])
    return _made_at_once(input, views) if op.name in _AT_ONCE else views


def _made_at_once(input: Tensor, views: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
    """Several views of a tensor, which know that they are, for a graph may ask later."""
    if not input._keys & KEY_AUTOGRAD and state.enabled and input._made != "inference":
        writes = version_owner(input)._writes
        for view in views:
            view._made = "multiple"
            if writes:
                view._made_at = writes
    return views


_AT_ONCE = frozenset(("split", "split_with_sizes", "chunk", "unbind"))
"""The ops whose views PyTorch makes at once, so that none of them may be written to in a graph."""


def _in_the_words_of(op: Op, value: Reason) -> Reason:
    """The reason with the name of the in-place form, if that was called."""
    spoken = op.name[:-1] + "("
    if op.family != "inplace view" or not value.message.startswith(spoken):
        return value
    return replace(value, message=f"{op.name}({value.message[len(spoken) :]}")


class SameBytes(NamedTuple):
    """What a rule returns if PyTorch shares memory but does not call it a view: another dtype."""

    geometry: Geometry
    dtype: dtype


def same_bytes(input: Tensor, g: Geometry, d: dtype) -> Tensor:
    """The bytes of a tensor as another dtype."""
    array = storage_of(input)._array(*g, d._in_numpy)
    result = alias_of(input, True, array, d)
    if 0 in g.size:
        result._empty_offset = g.offset
    return result


def _refuse_promise(op: Op, input: Tensor, retyped: bool) -> None:
    """Bytes that only promise their numbers cannot be read as something else."""
    conjugated = bool(input._keys & KEY_CONJ)
    if retyped:
        kind = "conjugate view tensors" if conjugated else "tensors with negative bit set"
        message = f"torch.Tensor.view is not supported for {kind} when converting to a different dtype."
    elif op.name == "view_as_real" and conjugated:
        message = (
            "view_as_real doesn't work on unresolved conjugated tensors.  To resolve the conjugate tensor so you can "
            "view it "
            "as real, use self.resolve_conj(); however, be warned that the resulting tensor will NOT alias the "
            "original."
        )
    else:
        return
    what = "conjugates" if conjugated else "negatives"
    refuse(
        RuntimeError,
        message,
        f"the memory contains the numbers of which these are the {what}",
        "x.resolve_conj()" if conjugated else "x.resolve_neg()",
        rule="view.promise",
    )


def bind_view(op: Op) -> None:
    """The wrapper of a view op."""
    shortcut = op.shortcut

    def plain(input: Tensor, *args: Any, **kwargs: Any) -> Any:
        try:
            return follow(op, input, args, kwargs)
        except TypeError:
            refuse_call(op.name, (input, *args), kwargs)
            raise

    if shortcut is None:
        stations.bind(op, plain)
        return

    def call(input: Tensor, *args: Any, **kwargs: Any) -> Any:
        if type(input) is Tensor and not input._keys and not watching and not kwargs:
            try:
                array = shortcut(input._array, *args)
            except Exception:  # whatever is wrong, the long route says so
                array = None
            if type(array) is list:
                return _made_at_once(input, tuple([wrap_view(part, input) for part in array]))
            if array is not None and array.size:
                base = input._base
                t = _new(Tensor)
                t._array = array
                t._dtype = input._dtype
                t._base = input if base is None else base
                t._keys = 0
                if unusual_threads or base is not None and input._made:
                    note_mode(t, input)
                return t
        return long_route(op, (input, *args), kwargs)

    publish(op, call, plain)


def _bind_inplace(op: Op) -> None:
    """The `_` form of a view op: the tensor itself looks at its storage in the new way."""
    row = add_row(
        Op(
            op.name + "_",
            "inplace view",
            op.category,
            f"In-place form of `{op.name}`.",
            forms=frozenset(("method",)),
        )
    )
    row.rule, row.typed = op.rule, op.typed

    def plain(input: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        try:
            become(input, follow(row, input, args, kwargs))
        except TypeError:
            refuse_call(row.name, (input, *args), kwargs)
            raise
        return input

    stations.bind(row, plain)
    row.aliases = tuple(alias + "_" for alias in op.aliases)


def become(t: Tensor, other: Tensor) -> None:
    """Let a tensor look at its storage as another one does."""
    if t._keys & KEY_AUTOGRAD and t._array.shape != other._array.shape:
        grad_flag.on_new_facts(t, t._dtype)
    t._array = other._array
    if other._array.size == 0:
        t._empty_offset = other._empty_offset
    if t._base is not None:
        t._notes.setdefault("_made_at", version_owner(t)._writes)  # in a graph it gets another node since
    bump_version(t)


def as_shape(op_name: str, shape: tuple, name: str = "size", position: int = 1) -> tuple[int, ...]:
    """The sizes of a call such as view(3, 4) or view((3, 4)), as ints."""
    if len(shape) == 1 and isinstance(shape[0], (tuple, list)):
        shape = tuple(shape[0])
        listed = True
    else:
        listed = False
    for i, n in enumerate(shape):
        if type(n) is not int:
            return tuple(_as_int(op_name, n, i, name, position, listed or len(shape) > 1) for i, n in enumerate(shape))
    return shape


def _as_int(op_name: str, n: Any, place: int, name: str, position: int, listed: bool) -> int:
    if isinstance(n, bool) and place > 0:  # PyTorch looks closely at the first of them only
        return int(n)
    if isinstance(n, Tensor):
        return n.__index__() if op_name in _DIMS else as_size(op_name, (n,), name)[0]
    try:
        if isinstance(n, bool):
            raise AttributeError
        return n.__index__()
    except AttributeError:
        kind = type(n).__name__
        if listed and place > 0:
            refuse(
                TypeError,
                f"{op_name}(): argument '{name}' failed to unpack the object at pos {place + 1} with error \"type "
                "must be "
                f'tuple of ints,but got {kind}"',
                f"a size is made of integers, and {n!r} is not one",
                rule="argument.int",
            )
        refuse(
            TypeError,
            f"{op_name}(): argument '{name}' (position {position}) must be tuple of ints, not {kind}",
            f"a size is made of integers, and {n!r} is not one",
            rule="argument.int",
        )


_DIMS = frozenset(("permute", "flip"))
"""Functions that take dimensions, not a size."""


def as_dim(op_name: str, value: Any, name: str = "dim", position: int = 1) -> int:
    """A whole-number argument, or PyTorch's refusal."""
    if type(value) is int:
        return value
    number = not isinstance(value, Tensor) or value._dtype._kind == INTEGER
    number = number and (op_name == "squeeze" or not getattr(value, "ndim", 0))  # which also takes a list of one
    if not isinstance(value, bool) and hasattr(value, "__index__") and not isinstance(value, (float, str)):
        if number:
            return value.__index__()
    refuse(
        TypeError,
        f"{op_name}(): argument '{name}' (position {position}) must be int, not {type_name(value)}",
        f"{name} is a whole number",
        rule="argument.int",
    )
