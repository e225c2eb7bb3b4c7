"""How an op that draws random numbers is declared, and how its draws are written: in the order of memory.

The numbers are those of PyTorch's CPU generator. `new_tensors` and `in_place` have the ops, `draws_by_tensors` those
whose parameters are tensors, and `distributions` what is done with the draws.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, wraps
from inspect import signature
from typing import Any

import numpy as np

from ... import memory
from ...backends.numpy.casts import assign
from ...declare.creation import check_layout, check_out_grad, check_requires_grad, creation_row
from ...declare.rules import Answer, New, Result, compute
from ...dispatch import stations
from ...dispatch.registry import Op, add_row
from ...errors.reasons import refuse
from ...geometry import walk
from ...tensor.generator import Generator, default_generator, default_of
from ...tensor.moving.resizing import resize
from ...tensor.tensor import Tensor
from ...tensor.versions import bump_version
from ...tensor.wrapping import place_of
from ...tensor.write_checks import check_writable
from ...types import device as devices
from ...types import dtypes
from ...types.dtype_refusals import refuse_dtype
from ...types.dtypes import dtype
from ..creation.filled import new_of
from .distributions import Draw


def filling(name: str, words: str) -> Callable[[Callable[..., Answer]], Callable[..., Answer]]:
    """Declare a method that fills its tensor with draws, by a rule that checks the arguments and chooses the draw."""

    def declare(rule: Callable[..., Answer]) -> Callable[..., Answer]:
        op = Op(name, "random", "random_sampling", words, rule=rule, kernel=fill_draws, forms=frozenset(("method",)))

        def plain(input: Tensor, *args: Any, **named: Any) -> Tensor:
            return compute(fill_draws, rule(input, *args, **named), input)

        plain.__signature__ = signature(rule)  # type: ignore[attr-defined]
        stations.bind(add_row(op), plain)
        return rule

    return declare


def drawn(t: Tensor, draw: Draw, *read: Tensor) -> Answer:
    """What the rule of such a method returns; `read` are tensors that the draws are compared with."""
    return Result(t._array.shape, t._dtype), (draw, t._array, *[r._array for r in read])


def fill_draws(target: np.ndarray, draw: Draw, *read: np.ndarray) -> None:
    """Fill an array with draws, in the order in which its elements lie in memory."""
    if type(target) is np.ndarray:
        array = in_memory_order(target)
        if array.size > 2 * PIECE and getattr(draw, "in_pieces", False) and array.flags.c_contiguous:
            _fill_in_pieces(array.reshape(-1), draw)
        else:
            assign(array, draw(array.size).reshape(array.shape))
    else:
        name = getattr(draw, "__qualname__", "randperm").partition(".")[0]
        memory.place_of(target).fill(target, partial(_fill_elsewhere, draw=draw), name)


PIECE = 1 << 18
"""A large array is filled so many elements at a time: a draw takes eight bytes, and more while it becomes a number."""


def _fill_in_pieces(array: np.ndarray, draw: Draw) -> None:
    """The same numbers: pieces are multiples of the blocks of normal numbers, and the last one takes the rest."""
    last = (array.size // PIECE - 1) * PIECE
    for start in range(0, last, PIECE):
        assign(array[start : start + PIECE], draw(PIECE))
    assign(array[last:], draw(array.size - last))


def _fill_elsewhere(target: np.ndarray, draw: Draw) -> None:
    array = in_memory_order(target)
    assign(array, memory.moved(draw(array.size), memory.place_of(array)).reshape(array.shape))


def making(name: str, words: str, fast: Callable[..., Tensor | None] | None = None) -> Callable:
    """Declare an op that makes a tensor of random numbers, by a rule that checks the arguments and chooses the draw."""

    def declare(rule: Callable) -> Callable:
        @creation_row(name, words, category="random_sampling", family="random", fast=fast, kernel=fill_draws)
        @wraps(rule)
        def checked(*args: Any, **options: Any) -> Any:
            check_layout(name, options.get("layout"))
            return rule(*args, **options)

        return rule

    return declare


def stream(generator: Generator | None, of: Tensor | None = None) -> Generator:
    """Returns the generator to draw from: by default that of the device of a tensor."""
    if generator is None:
        return default_generator if of is None or not of._keys else default_of(of.device)
    if not isinstance(generator, Generator):
        kind = type(generator).__name__
        refuse(TypeError, f"argument 'generator' must be torch.Generator, not {kind}", rule="argument.type")
    if of is not None and of.device.type != generator.device.type and not (of.is_meta or generator.visiting):
        refuse_device(generator, of.device)
    return generator


def stream_for(generator: Generator | None, out: Tensor | None, options: dict[str, Any]) -> Generator:
    """Returns the generator to draw from for a new tensor, which the options may put on a device."""
    if out is not None:
        return stream(generator, out)
    g = stream(generator)
    where = options.get("device")
    if where is None and devices.this_thread.default is devices.CPU:
        return g
    where = devices.usable(where)
    if generator is None:
        return default_of(where)
    if g.device.type != where.type and where is not devices.META:
        refuse_device(g, where)
    return g


def stream_beside(generator: Generator | None, input: Tensor, options: dict[str, Any]) -> Generator:
    """Returns the generator to draw from for a tensor that is like another one."""
    return stream(generator, input) if options.get("device") is None else stream_for(generator, None, options)


def refuse_device(generator: Generator, where: devices.device) -> None:
    """Refuse random numbers from a stream of another kind of device."""
    refuse(
        RuntimeError,
        f"Expected a '{where.type}' device type for generator but found '{generator.device.type}'",
        "each device has streams of random numbers of its own",
        f"torch.Generator({where.type!r})",
        rule="device.generator",
    )


# -- refusals ----------------------------------------------------------------------------------------------------


def check_sampled(stub: str, t: Tensor, *kinds: int) -> None:
    """Refuse a dtype that PyTorch does not sample. PyTorch checks it only if there is a number to draw."""
    if t._array.size:
        no_such_numbers(stub, t._dtype, *kinds)


def no_such_numbers(stub: str, d: dtype, *kinds: int) -> None:
    """Refuse a dtype that PyTorch does not sample."""
    if d._kind not in kinds or d in dtypes.ONLY_STORED:
        refuse_dtype(stub, d, f"there are no such random numbers of {d}", "dtype=torch.float32")


def out_of_range(message: str, because: str) -> None:
    """Refuse an invalid parameter of a distribution."""
    refuse(RuntimeError, message, because, rule="random.range")


# -- writing -----------------------------------------------------------------------------------------------------


def in_memory_order(array: np.ndarray, by: np.ndarray | None = None) -> np.ndarray:
    """The array with its dimensions in the order in which its numbers (or those of another) lie in memory.

    PyTorch walks through memory so.
    """
    by = array if by is None else by
    if by.flags.c_contiguous:
        return array
    return array.transpose(walk(by.shape, by.strides))


def is_serial(t: Tensor) -> bool:
    """Whether normal numbers are drawn one by one: PyTorch's blocks are for contiguous memory."""
    return place_of(t).has_numbers and not t._array.flags.c_contiguous


def new_draws(name: str, size: tuple[int, ...], d: dtype, draw: Draw, out: Tensor | None, options: dict) -> New:
    """What a rule returns for a new tensor of draws, or for `out=`."""
    if out is not None:
        grad = options.get("requires_grad")
        return New(Result(size, d), (draw,), lambda fill: into(name, out, size, fill, grad))
    return new_of(name, size, None, d, **options)._replace(given=(draw,))


def into(
    name: str, out: Tensor, size: tuple[int, ...], fill: Callable[[Any], None], requires_grad: Any = None
) -> Tensor:
    """Draws written into `out=`, which is given the size first."""
    check_out_grad(name, out)
    check_requires_grad(requires_grad, out._dtype)
    if out._array.shape != size:
        resize(out, size)
    check_writable(out)
    if place_of(out).has_numbers:
        fill(out._array)
    bump_version(out)
    if requires_grad:
        out._requires_grad = True
    return out
