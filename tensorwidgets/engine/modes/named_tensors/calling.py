"""A call with named tensors: its rule says what becomes of the names, and the call is made without them.

Names that clash are refused before anything is computed or written.
"""

from __future__ import annotations

from typing import Any

from ...dispatch.registry import Op, keys_of
from ...dispatch.stations import by_keys
from ...tensor.keys import KEY_NAMES
from ...tensor.passed import call_without, keys_left
from ...tensor.tensor import Tensor
from .calls import Call, check_target
from .table import rule_of
from .tensors import names_of, put_on, view_with


class StandIns:
    """Tensors without names, each in the place of one that has some, which is left as it is."""

    def __init__(self) -> None:
        self._by_owner: dict[int, Tensor] = {}
        self._owners: dict[int, Tensor] = {}

    def of(self, owner: Tensor) -> Tensor:
        """The stand-in of a tensor."""
        result = self._by_owner.get(id(owner))
        if result is None:
            result = self._by_owner[id(owner)] = view_with(owner, ())
            self._owners[id(result)] = owner
        return result

    def owner(self, t: Tensor) -> Tensor:
        """The tensor that one stands in for; itself if it stands in for none."""
        return self._owners.get(id(t), t)


def named_call(op: Op, args: tuple, kwargs: dict) -> Any:
    """Make a call with named tensors.

    What a rule can make nothing of, such as a number where a tensor has to be, is left to the op, which refuses it.
    """
    row = rule_of(op, args, kwargs)
    try:
        call, names = row(op, args, kwargs)
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        if hasattr(error, "reason"):
            raise
        call, names = Call(op, args, kwargs, ()), None
    if call.answer is not None:
        return call.answer
    targets = call.targets()
    if op.family != "inplace view":
        for target in targets:
            check_target(names_of(target), names)
    return _made(call, names, targets)


def station(op: Op, args: tuple, kwargs: dict) -> tuple[str, bool]:
    """What becomes of the names of a call, and whether it goes on, without making it.

    >>> import tensorwidgets as torch
    >>> print(torch.route("sum", torch.zeros(2, 3, names=("N", "C")), "N"))
    call    sum: reduction
    names   removes: the result has the names ('C',), and the rest of the path is without names
    keys    none: plain strided tensors on the CPU go straight on
    kernel  numpy.add.reduce
    """
    try:
        row = rule_of(op, args, kwargs)
        names = row(op, args, kwargs)[1]
    except (RuntimeError, TypeError) as error:
        return f"refused before anything is computed: {error}", False
    result = "no names" if names is None else f"the names {names}"
    return f"{row.rule.__name__}: the result has {result}, and the rest of the path is without names", True


def _made(call: Call, names: Any, targets: list[Tensor]) -> Any:
    """The call without names, and its results with them."""
    written = {id(t): t for t in targets if keys_left(t) & KEY_NAMES}
    stand_ins = StandIns()
    args = _plain(tuple(call.args), written, stand_ins)
    kwargs = dict(zip(call.kwargs, _plain(tuple(call.kwargs.values()), written, stand_ins), strict=True))
    result = call_without(KEY_NAMES, written.values(), by_keys, call.op, args, kwargs)
    if names is None:
        return result
    if isinstance(names, tuple):
        for t in targets:
            put_on(t, names)
    read = {id(t) for t in call.operands()}.difference(id(t) for t in targets)
    return _with_names(result, names, stand_ins, read)


def _plain(values: tuple, written: dict[int, Tensor], stand_ins: StandIns) -> tuple:
    """Arguments without names. What is written to stays itself."""
    results: list[Any] = []
    for value in values:
        if isinstance(value, Tensor) and keys_left(value) & KEY_NAMES and id(value) not in written:
            results.append(stand_ins.of(value))
        elif isinstance(value, (tuple, list)) and keys_of((value,), {}) & KEY_NAMES:
            results.append(type(value)(_plain(tuple(value), written, stand_ins)))
        else:
            results.append(value)
    return tuple(results)


def _with_names(value: Tensor, names: Any, stand_ins: StandIns, read: set[int]) -> Any:
    """The results with their names: one tuple of them for all results, or a list with one for each."""
    if isinstance(value, Tensor):
        owner = stand_ins.owner(value)
        if id(owner) in read and names_of(owner) == names:
            return owner
        if len(names) != value._array.ndim:
            raise AssertionError(f"a rule of names says {names} of a result of size {tuple(value._array.shape)}")
        return view_with(owner, names) if id(owner) in read else put_on(value, names)
    if isinstance(value, (tuple, list)):
        each = names if isinstance(names, list) else [names] * len(value)
        results = [_with_names(f, n, stand_ins, read) for f, n in zip(value, each, strict=True)]
        return type(value)(results)
    return value
