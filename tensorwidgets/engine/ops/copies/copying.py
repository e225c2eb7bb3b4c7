"""Copies and casts: clone, contiguous, copy_, to and its short forms. If nothing changes, nothing is copied."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from ... import geometry
from ...backends.numpy.casts import assign, number_array
from ...calling.arguments import as_dtype, as_number, is_dtype
from ...declare.by_signature import own_result
from ...declare.pointwise_runs import fill_in_order, fill_rows
from ...declare.rules import Answer, Result
from ...dispatch import stations
from ...dispatch.call_errors import checked_call, refuse_named
from ...dispatch.registry import Op, add_row
from ...errors.reasons import Reason, refuse
from ...errors.warnings import warn_of_lost_part
from ...memory import MAIN_MEMORY, place_at
from ...memory.places import address_of
from ...tensor.copying import copied, loses_part, overwrite, stride_for
from ...tensor.keys import KEY_CONJ, KEY_NEG, KEY_PROMISE
from ...tensor.lazy_conj import resolve, values_of
from ...tensor.lookups import size_and_stride, storage_of
from ...tensor.members import answer, asks_kinds
from ...tensor.must_be_tensor import must_be_tensor
from ...tensor.scalars import fill_number
from ...tensor.tensor import Tensor
from ...tensor.versions import bump_version
from ...tensor.wrapping import alias_of, place_of, wrap_any
from ...tensor.write_checks import check_no_partial_overlap, check_writable, share_storage
from ...types import device as devices
from ...types import dtypes, formats
from ...types.dtypes import dtype
from ...types.promotion import dtype_of_number

if TYPE_CHECKING:
    from ...types.device import device
    from ...types.formats import memory_format


def copy_row(
    name: str,
    words: str,
    *aliases: str,
    rule: Callable[..., Answer] | None = None,
    forms: str = "method",
    category: str = "copying",
) -> Callable[[Callable], Callable]:
    """Declare an op that copies, by its rule and the function that copies what has to be copied.

    The rule describes the result, whether it is a copy or the tensor itself.
    """

    def declare(plain: Callable) -> Callable:
        op = Op(name, "copy", category, words, aliases=aliases, forms=frozenset(forms.split()))
        op.rule, op.kernel = rule, plain if rule is None else assign
        return stations.bind(add_row(op), checked_call(name, plain))

    return declare


def copy_of(input: Tensor, *, memory_format: memory_format | None = None) -> Answer:
    """The rule of a copy in the same dtype."""
    return copy_in(input, input._dtype, memory_format)


def copy_in(input: Tensor, d: dtype, memory_format: memory_format | None = None) -> Answer:
    """The rule of a copy in a dtype."""
    size, stride = size_and_stride(input)
    return Result(size, d, stride_for(size, stride, memory_format)), (input._array,)


def contiguous_of(input: Tensor, *, memory_format: Any = formats.contiguous_format) -> Answer:
    """The rule of a contiguous copy, or of a tensor that is contiguous."""
    size, stride = size_and_stride(input)
    if geometry.is_contiguous(size, stride, memory_format.name):
        return Result(size, input._dtype, stride), (input._array,)
    return copy_in(input, input._dtype, memory_format)


def itself(input: Tensor, *more: Any, **named: Any) -> Answer:
    """The rule of what is written over a tensor, or shares its memory."""
    return own_result(input), (input._array,)


def cast_of(input: Tensor, d: dtype, copy: bool = False, memory_format: memory_format | None = None) -> Answer:
    """The rule of a conversion; a tensor that need not be converted is the result itself."""
    if d is input._dtype and not copy and _has_format(input, memory_format):
        return itself(input)
    return copy_in(input, d, memory_format)


@copy_row(
    "clone",
    "Returns a copy in its own storage; dense strides are preserved.",
    rule=copy_of,
    forms="function method",
    category="other",
)
def clone(input: Tensor, *, memory_format: memory_format | None = None) -> Tensor:
    return copied(input, input._dtype, memory_format)


@copy_row("contiguous", "Returns the tensor itself if it is contiguous, else a contiguous copy.", rule=contiguous_of)
def contiguous(input: Tensor, *, memory_format: memory_format = formats.contiguous_format) -> Tensor:
    size, stride = size_and_stride(input)
    preserve = memory_format is formats.preserve_format
    if geometry.is_contiguous(size, stride, "contiguous_format" if preserve else memory_format.name):
        return input
    if preserve:
        refuse_preserve()
    return copied(input, input._dtype, memory_format)


def refuse_preserve() -> NoReturn:
    """Refuse to make a tensor contiguous in no order."""
    refuse(
        RuntimeError,
        "preserve memory format is unsupported by the contiguous operator",
        "contiguous needs a concrete memory format",
        "x.clone()",
        rule="contiguous.format",
    )


@asks_kinds
def is_contiguous(input: Tensor, *, memory_format: memory_format = formats.contiguous_format) -> bool:
    """Returns whether the elements are dense in the order of a memory format."""
    if input._keys and (own := answer(input, "is_contiguous")) is not None:
        return own(input, memory_format)
    if memory_format is formats.contiguous_format and place_of(input).has_numbers:
        return input._array.flags.c_contiguous
    if not isinstance(memory_format, formats.memory_format):
        refuse_named("is_contiguous", True, (input,), {"memory_format": memory_format})
    size, stride = size_and_stride(input)
    preserve = memory_format is formats.preserve_format  # which says nothing of an order, so the usual one is meant
    return geometry.is_contiguous(size, stride, "contiguous_format" if preserve else memory_format.name)


@copy_row(
    "copy_", "Copies the elements of another tensor into this one, with broadcasting and conversion.", rule=itself
)
def copy_(input: Tensor, src: Tensor, non_blocking: bool = False) -> Tensor:
    if isinstance(src, (bool, int, float, complex, np.number, np.bool_)):
        src = _number(as_number(src))
    must_be_tensor("copy_", src, "src")
    target, source = place_of(input), place_of(src)
    if not (target.has_numbers and source.has_numbers):
        _check_stretches(src._array.shape, input._array.shape)
        if target.has_numbers:
            refuse(
                NotImplementedError,
                "Cannot copy out of meta tensor; no data!",
                "a meta tensor has no numbers",
                rule="meta.copy",
            )
    elif not _same_elements(input, src):
        check_writable(input)
        in_order = check_no_partial_overlap(input, src)
        _check_stretches(src._array.shape, input._array.shape)
        if loses_part(src._dtype, input._dtype) and input._array.size:
            warn_of_lost_part()
        if in_order and target is MAIN_MEMORY and not (input._keys | src._keys) & KEY_PROMISE:
            fill_in_order(input._array, (src,), lambda own, out: assign(out, own[0]._array))
        elif target is MAIN_MEMORY and not input._array.flags.forc and not input._keys & KEY_PROMISE:
            fill_rows(input._array, values_of(src))
        else:
            overwrite(input, values_of(src))
    bump_version(input)
    return input


def _number(value: Any) -> Tensor:
    d = dtype_of_number(value)
    assert d is not None
    return wrap_any(number_array(value, d), d)


def _check_stretches(size: tuple[int, ...], target: tuple[int, ...]) -> None:
    """Refuse to copy a tensor that cannot be broadcast to its target."""
    if size == target or not isinstance(geometry.expand(geometry.contiguous(size), target), Reason):
        return
    both = geometry.broadcast(target, size)
    if isinstance(both, Reason):
        both.refuse()
    refuse(
        RuntimeError,
        f"output with shape {list(target)} doesn't match the broadcast shape {list(both)}",
        "the source must broadcast to the size of the target",
        "x = src.clone()",
        rule="write.size",
    )


def _same_elements(a: Tensor, b: Tensor) -> bool:
    """Returns whether two tensors have the same elements and layout, so that no copy is needed."""
    return a is b or (
        a._dtype is b._dtype
        and (a._keys ^ b._keys) & KEY_PROMISE == 0
        and share_storage(a, b)
        and a._array.shape == b._array.shape
        and a._array.strides == b._array.strides
        and address_of(a._array) == address_of(b._array)
    )


@copy_row("fill_", "Fills the tensor with one number.", category="creation", rule=itself)
def fill_(input: Tensor, value: Tensor | float) -> Tensor:
    if isinstance(value, Tensor):
        if value._array.ndim:
            refuse(
                RuntimeError,
                f"fill_ only supports 0-dimension value tensor but got tensor with {value._array.ndim} dimensions.",
                "one number fills the whole tensor",
                "x.copy_(value)",
                rule="fill.value",
            )
        return copy_(input, copied(value, value._dtype) if share_storage(input, value) else value)
    check_writable(input, alike=True)
    if place_of(input).has_numbers:
        overwrite(input, filled_number(value, input._dtype, input._array.size))
    bump_version(input)
    return input


def filled_number(value: float, d: dtype, count: int = 1) -> np.ndarray:
    """Convert a fill value to an array; refused if it does not fit the dtype."""
    if isinstance(value, np.generic):
        value = value.item()
    if not isinstance(value, (bool, int, float, complex)):
        refuse(
            TypeError,
            f"fill_(): argument 'value' (position 1) must be Number, not {type(value).__name__}",
            rule="argument.type",
        )
    return fill_number(value, d, count)


@copy_row("zero_", "Fills the tensor with zeros.", category="creation", rule=itself)
def zero_(input: Tensor) -> Tensor:
    check_writable(input, alike=True)
    if place_of(input).has_numbers:
        overwrite(input, np.zeros((), input._dtype._in_numpy, like=input._array))
    bump_version(input)
    return input


@copy_row(
    "detach",
    "Returns a tensor on the same storage that is not a view and has no history.",
    forms="function method",
    rule=itself,
)
def detach(input: Tensor) -> Tensor:
    return alias_of(input, share_version=True)


# -- to and its short forms --------------------------------------------------------------------------------------


def to_dtype(input: Tensor, d: dtype, copy: bool = False, memory_format: memory_format | None = None) -> Tensor:
    """Convert a tensor to a dtype; returns it unchanged if it already has that dtype."""
    if d is input._dtype and not copy and _has_format(input, memory_format):
        return input
    return copied(input, d, memory_format)


def _has_format(input: Tensor, memory_format: memory_format | None) -> bool:
    if memory_format is None or memory_format is formats.preserve_format:
        return True
    size, stride = size_and_stride(input)
    return geometry.suggested_format(size, stride) == memory_format.name


def converted(input: Tensor, *args: Any, **named: Any) -> Answer:
    """The rule of `to`: what its dtype and memory format ask for, on whichever device."""
    _, d, copy, memory_format = read_to(args, named)
    return cast_of(input, input._dtype if d is None else d, copy, memory_format)


@copy_row(
    "to",
    "Converts to a dtype or device, or to those of another tensor; returns itself if nothing changes.",
    rule=converted,
    category="casting",
)
def to(input: Tensor, *args: Any, **named: Any) -> Tensor:
    if len(args) == 1 and not named and type(input._array) is np.ndarray and is_there_already(input, args[0]):
        return input
    asked = named.get("non_blocking")
    wanted_device, wanted_dtype, copy, memory_format = read_to(args, named)
    d = input._dtype if wanted_dtype is None else wanted_dtype
    place = place_of(input)
    target = place if wanted_device is None else place_at(wanted_device)
    if place is target:
        if d is input._dtype and not copy and _has_format(input, memory_format):
            return input
        return copied(input, d, memory_format, target)
    streams = place.streams if target.streams is None else target.streams
    if streams is None or not is_asynchronous((input, *args), {"non_blocking": asked}):
        return copied(input, d, memory_format, target)
    with streams.not_waiting():
        result = copied(input, d, memory_format, target)
    if streams.pins and target.in_main_memory:  # the GPU writes there by itself
        storage_of(result)._pinned = True
    return result


def is_there_already(input: Tensor, wanted: Any) -> bool:
    """Whether a tensor with numbers in main memory has the one dtype or device that it is asked to have."""
    if type(wanted) is dtype:
        return wanted is input._dtype
    return wanted == devices.CPU if type(wanted) is devices.device else type(wanted) is str and wanted == "cpu"


def is_asynchronous(args: Sequence, named: Mapping[str, Any]) -> bool:
    """Whether a call that moves elements is asked not to wait: `non_blocking=True`, or the first bool."""
    given: Any = named.get("non_blocking")
    return bool(next((a for a in args[1:] if isinstance(a, bool)), False) if given is None else given)


def read_to(args: tuple, named: dict) -> tuple:
    """The three spellings of `to`: (dtype), (device, dtype), (other), each followed by non_blocking and copy."""
    rest = list(args)
    where: Any = named.pop("device", None)
    what: Any = named.pop("dtype", None)
    like = named.pop("other", None)
    copy, memory_format = named.pop("copy", False), named.pop("memory_format", None)
    named.pop("non_blocking", None)
    if named:
        refuse(TypeError, f"to() got an unexpected keyword argument '{next(iter(named))}'", rule="argument.unknown")
    if rest and isinstance(rest[0], Tensor):
        like = rest.pop(0)
    elif rest and _is_number(*rest[:2]):
        where, what = devices.CPU, _dtype_of_wrapped(rest.pop(0))
    elif rest and is_dtype(rest[0]):
        what = as_dtype(rest.pop(0))
    elif rest and (rest[0] is None or isinstance(rest[0], (str, bytes, devices.device, int, np.integer))):
        where = rest.pop(0)
        if rest and (rest[0] is None or is_dtype(rest[0])):
            what = None if rest[0] is None else as_dtype(rest[0])
            del rest[0]
    elif rest:
        refuse(
            TypeError,
            "to() received an invalid combination of arguments - got "
            f"({', '.join(type(a).__name__ for a in args)}), but expected one of:\n"
            " * (torch.device device = None, torch.dtype dtype = None, bool non_blocking = False, bool copy = "
            "False, *, "
            "torch.memory_format memory_format = None)\n"
            " * (torch.dtype dtype, bool non_blocking = False, bool copy = False, *, torch.memory_format "
            "memory_format = None)\n"
            " * (Tensor tensor, bool non_blocking = False, bool copy = False, *, torch.memory_format "
            "memory_format = None)\n",
            "to() takes a dtype, a device or another tensor",
            "x.to(torch.float64)",
            rule="argument.type",
        )
    if len(rest) > 1:
        copy = rest[1]
    if like is not None:
        where, what = like.device, like._dtype
    if where is None:
        return None, what, copy, memory_format
    device = devices.usable(where, filled=True)
    # For PyTorch no tensor is on a CPU with a number: the numbers are copied to the CPU without one.
    numbered = device.type == "cpu" and where != device and devices.device(where).index is not None
    return device, what, copy or numbered, memory_format


def _is_number(value: Any, after: Any = None) -> bool:
    """Whether the first argument of `to` stands for a tensor of one number: a whole number does before a flag only."""
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
        return isinstance(after, bool)
    return isinstance(value, (bool, float, complex, np.number))


def _dtype_of_wrapped(value: complex) -> dtype:
    """The dtype of a number that stands for a tensor."""
    if isinstance(value, (bool, np.bool_)):
        return dtypes.bool_
    if isinstance(value, (int, np.integer)):
        return dtypes.int64
    return dtypes.complex128 if isinstance(value, complex) else dtypes.float64


def caster(name: str, d: dtype) -> None:
    """Declare a casting method such as `double()`."""

    def rule(input: Tensor, *, memory_format: memory_format | None = None) -> Answer:
        return cast_of(input, d, memory_format=memory_format)

    @copy_row(name, f"Converts to {d}; returns itself if it already has that dtype.", category="casting", rule=rule)
    def cast_to(input: Tensor, *, memory_format: memory_format | None = None) -> Tensor:
        return to_dtype(input, d, memory_format=memory_format)


for _name, _dtype in (
    ("double", dtypes.float64), ("float", dtypes.float32), ("half", dtypes.float16), ("bfloat16", dtypes.bfloat16),
    ("long", dtypes.int64), ("int", dtypes.int32), ("short", dtypes.int16), ("char", dtypes.int8),
    ("byte", dtypes.uint8),
    ("bool", dtypes.bool_), ("cfloat", dtypes.complex64), ("cdouble", dtypes.complex128), ("chalf", dtypes.complex32),
):  # fmt: skip
    caster(_name, _dtype)


def cast_as(input: Tensor, other: Tensor) -> Answer:
    """The rule of a conversion to the dtype of another tensor."""
    return cast_of(input, other._dtype)


@copy_row("type_as", "Converts to the dtype of another tensor.", category="casting", rule=cast_as)
def type_as(input: Tensor, other: Tensor) -> Tensor:
    if place_of(input) is not place_of(other):
        return to(input, other)
    return to_dtype(input, other._dtype)


@copy_row("cpu", "Returns the tensor in main memory; itself if it is already there.", category="casting")
def cpu(input: Tensor, *, memory_format: memory_format | None = None) -> Tensor:
    return to(input, "cpu")


@copy_row("cuda", "Returns the tensor on a GPU; itself if it is already there.", category="casting")
def cuda(input: Tensor, device: str | int | device | None = None, non_blocking: bool = False) -> Tensor:
    wanted = devices.device("cuda" if device is None else device)
    if wanted.type != "cuda":
        refuse(
            RuntimeError,
            "Invalid device, must be cuda device",
            f"cuda() moves to a GPU, and {wanted} is not one",
            f"x.to({str(wanted)!r})",
            rule="device.kind",
        )
    return to(input, wanted, non_blocking)


@copy_row(
    "resolve_conj",
    "Computes a conjugation that was deferred.",
    forms="function method",
    category="other",
    rule=copy_of,
)
def resolve_conj(input: Tensor) -> Tensor:
    return resolve(input, KEY_CONJ)


@copy_row(
    "resolve_neg",
    "Computes a negation that was deferred.",
    forms="function method",
    category="other",
    rule=copy_of,
)
def resolve_neg(input: Tensor) -> Tensor:
    return resolve(input, KEY_NEG)
