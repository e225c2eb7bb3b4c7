"""What a tensor does with its names when asked: `refine_names`, `rename`, `align_to` and the like.

The one file of this room that is loaded with the engine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial, wraps
from types import EllipsisType
from typing import Any

from ...declare import creation
from ...dimension_names import Aligned, align_to, checked, refine, renamed
from ...dispatch.kinds import KINDS
from ...dispatch.registry import OPS, Op, add_row
from ...dispatch.stations import bind
from ...errors.reasons import refuse, sure
from ...geometry import Geometry
from ...tensor.keys import KEY_AUTOGRAD, KEY_NAMES
from ...tensor.lookups import geometry_of
from ...tensor.tensor import Tensor
from ...tensor.type_names import type_name
from ...tensor.wrapping import view_of
from .tensors import names_of, put_on, view_with


def _named_call(op: Op, args: tuple, kwargs: dict) -> Any:
    """The way of every call with a named tensor that has no kernel of its own for them."""
    from .calling import named_call

    return named_call(op, args, kwargs)


def _station(op: Op, args: tuple, kwargs: dict) -> tuple[str, bool]:
    """What happens to the names of a call, in words, and whether it goes on."""
    from .calling import station

    return station(op, args, kwargs)


KINDS["names"].fallback, KINDS["names"].describe_station = _named_call, _station


def _also_by_names(name: str, is_meant: Callable[[tuple, dict], bool], way: Callable[..., Any]) -> None:
    """Let an op on plain tensors be called by names, too. It is asked only once the call fits no other way."""
    op = OPS[name]
    before = op.plain

    @wraps(before)
    def plain(*args: Any, **kwargs: Any) -> Any:
        try:
            return before(*args, **kwargs)
        except TypeError:
            if not is_meant(args, kwargs):
                raise
        return way(op, args, kwargs)

    bind(op, plain)


def _meant(name: str, by_name: Callable[[tuple, dict], bool], args: tuple, kwargs: dict) -> bool:
    """Whether a call of an op is by names, and its rule can make something of it, if only a refusal."""
    if not by_name(args, kwargs):
        return False
    from .table import rule_of

    try:
        rule_of(OPS[name], args, kwargs)(OPS[name], args, kwargs)
    except Exception as error:
        return hasattr(error, "reason")
    return True


def _flattened_by_name(args: tuple, kwargs: dict) -> bool:
    if "out_dim" in kwargs or len(args) == 4:
        return True
    if len(args) != 3 or not isinstance(args[1], (tuple, list)):
        return False
    return any(isinstance(name, str) for name in (args[2], *args[1]))


def _unflattened_by_name(args: tuple, kwargs: dict) -> bool:
    sizes = kwargs.get("sizes", args[2] if len(args) > 2 else ())
    pairs = isinstance(sizes, (tuple, list)) and len(sizes) > 0 and isinstance(sizes[0], (tuple, list))
    return pairs or "names" in kwargs or len(args) == 4


def _with_names(op: Op, plain: Callable, args: tuple, kwargs: dict) -> Tensor:
    from .creation import made_with_names

    return made_with_names(op, plain, args, kwargs)


creation.with_names = _with_names


def _made(op: Op, args: tuple, kwargs: dict) -> Any:
    return _with_names(op, op.plain, args, kwargs)


for _name in ("rand", "randn"):
    _also_by_names(_name, lambda _, kwargs: "names" in kwargs, _made)
_also_by_names("flatten", partial(_meant, "flatten", _flattened_by_name), _named_call)
_also_by_names("unflatten", partial(_meant, "unflatten", _unflattened_by_name), _named_call)


def _row(
    name: str, words: str, *, form: str = "method", rule: Callable[..., Geometry] | None = None
) -> Callable[[Callable], Callable]:
    """Declare an op that is about names, and so is given tensors with their names on."""

    def declare(run: Callable) -> Callable:
        op = add_row(Op(name, "view", "names", words, rule=rule, kernel=run, forms=frozenset((form,))))
        op.kernels[KEY_NAMES] = run
        return bind(op, run)

    return declare


def _words(call: str, given: tuple) -> tuple:
    """The names that are given one by one; what does not begin as names do is refused as no names at all."""
    own = [name for name in given if name is not Ellipsis and name != "..."] if call == "align_to" else given
    if own and not (own[0] is None or own[0] is Ellipsis or isinstance(own[0], str)):
        called, kind = ("names", "tuple") if len(own) == len(given) else ("order", "list")
        refuse(
            TypeError,
            f"{call}(): argument '{called}' (position 1) must be tuple of names, not {kind}",
            f"names are given one by one, as words, and {own[0]!r} is a {type_name(own[0])}",
            f"x.{call}('batch', 'channel')",
            rule="names.type",
        )
    return given


def unchanged(g: Geometry, *names: Any, **rename_map: Any) -> Geometry:
    """The geometry of a tensor whose dimensions get other names."""
    return g


@_row("refine_names", "Names dimensions that have no name; `...` leaves the rest as they are. A view.", rule=unchanged)
def refine_names(input: Tensor, *names: str | EllipsisType | None) -> Tensor:
    return view_with(input, sure(refine(names_of(input), _words("refine_names", names))))


@_row("rename", "Renames dimensions by position or by keyword; rename(None) removes all names. A view.", rule=unchanged)
def rename(input: Tensor, *names: str | EllipsisType | None, **rename_map: str | None) -> Tensor:
    return view_with(input, _new_names("rename", input, names, rename_map))


@_row(
    "rename_", "Renames dimensions in place by position or by keyword; rename_(None) removes all names.", rule=unchanged
)
def rename_(input: Tensor, *names: str | EllipsisType | None, **rename_map: str | None) -> Tensor:
    return put_on(input, _new_names("rename_", input, names, rename_map))


def _new_names(call: str, input: Tensor, names: tuple, rename_map: dict[str, Any]) -> Any:
    _words(call, tuple(rename_map.values()))
    return sure(renamed(call, names_of(input), _words(call, names), rename_map))


def aligned(g: Geometry, order: Sequence[int | None]) -> Geometry:
    """The geometry of dimensions in another order, None for new ones of size 1."""
    size = tuple([1 if d is None else g.size[d] for d in order])
    return Geometry(size, tuple([0 if d is None else g.stride[d] for d in order]), g.offset)


@_row("align_to", "Reorders the dimensions by name; missing ones are added with size 1. A view.", rule=aligned)
def align_to_names(input: Tensor, *names: str | EllipsisType | None) -> Tensor:
    return _aligned(input, _words("align_to", names))


@_row(
    "align_as",
    "Reorders the dimensions to match another tensor; missing ones are added with size 1. A view.",
    rule=aligned,
)
def align_as(input: Tensor, other: Tensor) -> Tensor:
    if not isinstance(other, Tensor):
        message = f"align_as(): argument 'other' (position 1) must be Tensor, not {type_name(other)}"
        refuse(TypeError, message, "the order is that of a tensor's names", "x.align_to(…)", rule="argument.type")
    return _aligned(input, names_of(other))


def _aligned(input: Tensor, wanted: tuple) -> Tensor:
    result: Aligned = sure(align_to(names_of(input), wanted))
    if input._keys & KEY_AUTOGRAD:  # by ops that are recorded
        turned = OPS["permute"].function(view_with(input, ()), [d for d in result.order if d is not None])
        for place, d in enumerate(result.order):
            turned = OPS["unsqueeze"].function(turned, place) if d is None else turned
        return put_on(turned, result.names)
    return put_on(view_of(input, aligned(geometry_of(input), result.order)), result.names)


@_row("align_tensors", "Aligns tensors to the dimensions of the one with the most. Views.", form="function")
def align_tensors(*tensors: Tensor) -> tuple[Tensor, ...]:
    given = tuple(tensors[0]) if len(tensors) == 1 and isinstance(tensors[0], (tuple, list)) else tensors
    if not given:
        return ()
    longest = max(given, key=lambda t: t._array.ndim)
    return tuple([OPS["align_as"].function(t, longest) for t in given])


def has_names(self: Tensor) -> bool:
    """Whether any dimension has a name."""
    return bool(self._keys & KEY_NAMES)


def _names(self: Tensor) -> tuple[str | None, ...]:
    """The name of each dimension, None where it has none."""
    return names_of(self)


def _set_names(self: Tensor, names: Any) -> None:
    if names is not None and not isinstance(names, (tuple, list)):
        message = "names must either be None or a tuple of dim names"
        refuse(RuntimeError, message, f"{names!r} is one thing, and each dimension has a name", rule="names.type")
    ndim = self._array.ndim
    put_on(self, (None,) * ndim if names is None else sure(checked(names, ndim)))


METHODS = {"has_names": has_names}
PROPERTIES = {"names": property(_names, _set_names)}

for _name, _member in {**METHODS, **PROPERTIES}.items():
    setattr(Tensor, _name, _member)
