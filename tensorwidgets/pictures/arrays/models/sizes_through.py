"""Which sizes go through a model? It is called once, as it is, and left as it was.

Hooks look at what each module gets and returns. Parameters are only read; buffers are written to as copies; attributes
and the streams of random numbers are put back. No graph is recorded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from typing import Any, NamedTuple

from ..sources import is_array
from ..values import shape_text
from .left_alone import left_alone
from .modules import Model, imported

MOST_NAMED = 3
"""How many tensors of one input or output are named."""


class Passed(NamedTuple):
    """What went through a module, in words."""

    arrives: str
    leaves: str = ""
    """Empty if it did not return."""
    calls: int = 1
    refused: str = ""
    """The first line of the error that it raised."""


class Walk(NamedTuple):
    """What one call of a model showed."""

    arrives: str
    passed: dict[int, Passed]
    """By the number of the layer. Of several calls, the first."""
    refused: int | None = None
    """The layer in which the call failed, if it did."""
    written: tuple[str, ...] = ()
    """The parameters that the call wrote to."""


def sizes_through(model: Model, modules: Sequence[Any], inputs: Sequence[Any]) -> Walk:
    """The sizes that each module gets and returns when the model is called with these inputs.

    A tuple of integers stands for zeros of that size.
    """
    library = imported(model.library)
    given = [_zeros(library, modules, one) if _is_size(one) else one for one in inputs]
    number = {id(module): k for k, module in reversed(list(enumerate(modules)))}
    passed: dict[int, Passed] = {}
    open_calls: list[int] = []

    def before(module: Any, args: Any, kwargs: Mapping[str, Any]) -> None:
        k = number[id(module)]
        open_calls.append(k)
        known = passed.get(k)
        passed[k] = known._replace(calls=known.calls + 1) if known else Passed(sizes_of([*args, *kwargs.values()]))

    def after(module: Any, args: Any, result: Any) -> None:
        k = number[id(module)]
        while open_calls.pop() != k:  # a call inside raised an error, and the module caught it
            pass
        if not passed[k].leaves:
            passed[k] = passed[k]._replace(leaves=sizes_of(result))

    failed = None
    versions = _versions(model, modules)
    with left_alone(library, modules), ExitStack() as hooks:
        for module in {id(one): one for one in modules}.values():
            # The first to look at what arrives, the last to look at what leaves: behind hooks of the user's.
            first = module.register_forward_pre_hook(before, with_kwargs=True)
            for handle in (first, module.register_forward_hook(after)):
                hooks.callback(handle.remove)
        try:
            modules[0](*given)
        except Exception as error:
            failed = open_calls[-1] if open_calls else 0
            words = f"{type(error).__name__}: {str(error).partition(chr(10))[0]}"
            passed[failed] = passed.get(failed, Passed(sizes_of(given)))._replace(refused=words)
    written = tuple([name for name, version in _versions(model, modules).items() if version != versions.get(name)])
    return Walk(sizes_of(given), passed, failed, written)


def _versions(model: Model, modules: Sequence[Any]) -> dict[str, int]:
    """How often the memory of each parameter was written to."""
    found = {}
    for layer, module in zip(model.layers, modules, strict=True):
        for name, tensor in module._parameters.items():
            if tensor is not None and layer.same_as is None:
                found[f"{layer.path}.{name}".lstrip(".")] = _version(tensor)
    return found


def _version(tensor: Any) -> int:
    try:
        return int(tensor._version)
    except RuntimeError:  # writes to a tensor that was made in inference mode are not counted
        return 0


def _is_size(thing: Any) -> bool:
    return isinstance(thing, tuple) and all(isinstance(n, int) for n in thing)


def _zeros(library: Any, modules: Sequence[Any], size: tuple[int, ...]) -> Any:
    """Zeros of a size, with the dtype and device of the model's first parameter of floating point.

    They are whole numbers if it belongs to an embedding, which looks its inputs up.
    """
    for module in modules:
        for tensor in module._parameters.values():
            if tensor is not None and tensor.is_floating_point():
                looked_up = type(module).__name__.startswith("Embedding")
                dtype = library.int64 if looked_up else tensor.dtype
                return library.zeros(size, dtype=dtype, device=tensor.device)
    return library.zeros(size)


def sizes_of(value: Any) -> str:
    """The sizes of tensors in words: `(2, 5)`, or `(2, 5), (1, 2)` where there are several.

    >>> import numpy as np
    >>> sizes_of((np.ones((2, 5)), [np.ones(3), 7]))
    '(2, 5), (3,)'
    """
    found = list(_tensors(value))
    text = ", ".join(_size_of(one) for one in found[:MOST_NAMED])
    more = len(found) - MOST_NAMED
    return text + (f" and {more} more" if more > 0 else "") if found else "no tensor"


def _size_of(tensor: Any) -> str:
    return "nested" if getattr(tensor, "is_nested", False) else shape_text(tuple(map(int, tensor.shape)))


def _tensors(value: Any, deep: int = 4) -> Iterator[Any]:
    if is_array(value):
        yield value
    elif deep and isinstance(value, (list, tuple)):
        for one in value:
            yield from _tensors(one, deep - 1)
    elif deep and isinstance(value, dict):
        for one in value.values():
            yield from _tensors(one, deep - 1)
