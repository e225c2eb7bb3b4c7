"""May tensors of several devices meet in a call? A number without dimensions may come from the CPU.

`device_checks.json` says which ops of PyTorch ask, and which kernel and argument their refusals name;
`tests/devices/freeze_device_checks.py` wrote it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NoReturn

from ..calling.arguments import is_number
from ..dispatch.computed_by import computed_by
from ..dispatch.registry import Op, tensors_in
from ..errors.reasons import refuse
from ..memory.places import Place, moved
from ..tensor.tensor import Tensor
from ..tensor.wrapping import place_of, wrap
from ..types.device import device

_ANY = frozenset(
    "to cpu cuda copy_ type_as type tensor as_tensor asarray new_tensor expand_as view_as reshape_as resize_as_ "
    "is_same_size is_set_to broadcast_tensors result_type can_cast new".split()
)
"""Ops that move tensors, or look at nothing but sizes."""

_INDEX = frozenset(
    "getitem setitem index_put index_put_ __getitem__ __setitem__ index _put_at _put_at_ _index_put_impl".split()
)
"""Ops that take indices from the CPU."""

_PARTS = {
    "stack": "cat", "vstack": "cat", "hstack": "cat", "dstack": "cat", "column_stack": "cat", "row_stack": "cat",
    "tensordot": "mm", "linear": "mm", "inner": "mm", "cross": "linalg.cross", "chain_matmul": "mm",
    "cdist": "_cdist_forward", "linalg.solve": "_linalg_solve_ex",
}  # fmt: skip
"""Ops that PyTorch makes of others, with the one that asks."""

_WAYS: dict[str, list] = {
    "mv": [["wrapper_CUDA_addmv_", [["vec", "1"], ["mat", "1"]]]],
    "_cdist_forward": [["wrapper_CUDA___cdist_forward", [["x1", "1"], ["x2", "1"]]]],
    "_linalg_solve_ex": [["wrapper_CUDA__linalg_solve_ex", [["A", "1"], ["B", "1"]]]],
}
"""Ops of this engine that PyTorch has under another name."""


@cache
def _checks() -> dict[str, list]:
    with files(__package__).joinpath("device_checks.json").open(encoding="utf-8") as file:
        return {**json.load(file), **_WAYS}


def place_among(op: Op, args: tuple, kwargs: dict) -> Place:
    """Where a call computes: on the device of the first tensor that is on one."""
    for t in tensors_in(args, kwargs):
        place = place_of(t)
        if place.has_numbers and not place.in_main_memory:
            return place
    raise AssertionError(op.name)


def kind_of_gpu() -> str:
    """Whether GPUs are simulated or real, in a word."""
    from .gpus import active

    return str(active().words)


def meet(op: Op, args: tuple, kwargs: dict) -> tuple[tuple, dict, Place]:
    """The arguments with numbers from the CPU brought along; or the refusal of tensors that may not meet."""
    place = place_among(op, args, kwargs)
    generator = kwargs.get("generator")
    if generator is not None and generator.device.type != place.device.type:
        refuse_generator(place.device, generator.device)
    if op.name in _ANY or op.family == "creation" and not _writes_beside(op, kwargs):
        return args, kwargs, place
    others = [t for t in tensors_in(args, kwargs) if place_of(t) is not place]
    if not others:
        return args, kwargs, place
    if op.name in _INDEX:
        return (*_indices(op, args, place), *args[2:]), kwargs, place
    own = _OWN.get(op.name)
    if own is not None:
        own(op, args, kwargs)
    elif op.family == "inplace":
        _written_elementwise(op, args, kwargs)
    elif _leaves_it_to_others(op):
        if kwargs.get("out") is not None:
            _check_elementwise(op, args, _read(args, kwargs), kwargs["out"])
        return args, kwargs, place
    else:
        _check(op, args, kwargs)
    with place.streams.not_waiting():  # a GPU is given numbers from the CPU as arguments
        return _brought(args, place), {name: _brought(value, place) for name, value in kwargs.items()}, place


def _writes_beside(op: Op, kwargs: dict) -> bool:
    """Whether a call that makes a tensor of others, such as `complex`, is given its result."""
    return kwargs.get("out") is not None and f"{op.name} out=" in _checks()


def _leaves_it_to_others(op: Op) -> bool:
    """Whether a row is made of others, which ask themselves: the lengths of `ctc_loss` may be in main memory."""
    return op.name not in _PARTS and op.name not in _checks() and computed_by(op).how == "composite"


def refuse_generator(wanted: device, got: device) -> NoReturn:
    """Refuse random numbers from a stream of another kind of device."""
    refuse(
        RuntimeError,
        f"Expected a '{wanted.type}' device type for generator but found '{got.type}'",
        "each device has streams of random numbers of its own",
        f"torch.Generator({wanted.type!r})",
        rule="device.generator",
    )


def _brought(value: Any, place: Place) -> Any:
    """Tensors in main memory as tensors in a place."""
    if isinstance(value, Tensor):
        if place_of(value) is place or not place_of(value).in_main_memory:
            return value
        t = wrap(moved(value._array, place), value._dtype)
        t._keys |= value._keys
        return t
    if type(value) in (tuple, list):
        return type(value)([_brought(part, place) for part in value])
    return value


# -- the refusals ------------------------------------------------------------------------------------------------


def _check(op: Op, args: tuple, kwargs: dict) -> None:
    """Refuse as PyTorch's kernel does: elementwise ones name the devices, others an argument, too."""
    name = _PARTS.get(op.name, op.name)
    if name == "matmul":
        name = {(2, 2): "mm", (1, 1): "dot", (2, 1): "mv"}.get((args[0].ndim, args[1].ndim), "bmm")
    out = list(tensors_in((kwargs.get("out"),), {}))
    ways = out and _checks().get(f"{name} out=") or _checks().get(name) or _checks().get(name.rstrip("_"), [])
    kernel, named, results = _chosen(ways, args, kwargs)
    if not kernel:
        read = _read(args, kwargs)
        _check_elementwise(op, args, [t for _, t in named] if len(named) == len(read) else read, out)
        return
    if kernel.endswith("addmv_"):
        named = [("vec", args[1]), ("mat", args[0])]
    common = named[0][1].device
    if kernel == "out" or not results:
        _check_results(common, out, kernel)
    if kernel == "out":
        return
    named = [*zip(results, out, strict=False), *named]  # PyTorch looks at results first
    common = named[0][1].device
    for argument, t in named[1:]:
        if t.device != common:
            _refuse_argument(argument, t.device, common, kernel, [t for _, t in named])


def _read(args: tuple, kwargs: dict) -> list[Tensor]:
    """The tensors that a call reads."""
    return list(tensors_in(args, {name: value for name, value in kwargs.items() if name != "out"}))


def _check_results(common: device, out: list[Tensor], kernel: str) -> None:
    """Refuse results that lie elsewhere than what is read, where PyTorch compares them with it alone."""
    for t in out:
        if t.device != common and kernel != "out":
            refuse_two(common, t.device, out)
        if t.device != common:
            refuse(
                RuntimeError,
                f"Expected out tensor to have device {common}, but got {t.device} instead",
                _BECAUSE,
                f"out=torch.empty(0, device={str(common)!r})",
                rule="device.mixed",
                devices=(common, t.device),
                tensors=_described(out),
            )


def _refuse_argument(argument: str, got: device, common: device, kernel: str, read: Sequence[Tensor]) -> NoReturn:
    refuse(
        RuntimeError,
        f"Expected all tensors to be on the same device, but got {argument} is on {got}, different from other tensors "
        f"on {common} (when checking argument in method {kernel})",
        _BECAUSE,
        f"x.to({str(common)!r})",
        rule="device.mixed",
        argument=argument,
        devices=(common, got),
        tensors=_described(read),
    )


_BECAUSE = "an operation computes where its tensors are, and nothing is moved unasked"


def _chosen(ways: list, args: tuple, kwargs: dict) -> tuple[str, list[tuple[str, Tensor]], list[str]]:
    """The kernel that a call goes to, by which of its arguments are tensors, these by name, and names of results."""
    for kernel, parameters, *results in ways:
        named = list(_bound(parameters, args, kwargs))
        if len(named) < len(parameters) and len(named) < len(args):
            continue
        if all((kind != "") == _holds_tensors(value) for _, kind, value in named if value is not None):
            read = [(name, t) for name, _, value in named for t in tensors_in((value,), {})]
            return kernel, read, results[0] if results else []
    return "", [], []


def _bound(parameters: list, args: tuple, kwargs: dict) -> Iterator[tuple[str, str, Any]]:
    for i, (name, kind) in enumerate(parameters):
        if i < len(args):
            yield name, kind, args[i]
        elif name in kwargs or name == "self" and "input" in kwargs:
            yield name, kind, kwargs.get(name, kwargs.get("input"))


def _holds_tensors(value: Any) -> bool:
    return any(True for _ in tensors_in((value,), {}))


def _check_elementwise(op: Op, args: tuple, read: list[Tensor], out: Any) -> None:
    """One number may come from the CPU; a result may not."""
    written = list(tensors_in((out,), {}))
    common = next(t.device for t in (*read, *written) if t.device.type != "cpu")
    if all(t.device.type == "cpu" for t in read):
        _refuse_numbers_alone(op, args, common, read, written)
    for i, t in enumerate((*read, *written)):
        if t.device != common and (t._array.ndim or t.device.type != "cpu" or i >= len(read)):
            refuse_two(common, t.device, (*read, *written))


def _refuse_numbers_alone(op: Op, args: tuple, common: device, read: list[Tensor], written: list[Tensor]) -> NoReturn:
    """Refuse a result on a device of which nothing that is read is: not even a number comes along with another."""
    dims = max(t._array.ndim for t in read)
    if op.family != "pointwise" or op.name == "where" or dims or sum(map(is_number, args)) < 2:
        refuse_two(common, read[0].device, (*read, *written))
    refuse(
        RuntimeError,
        "Trying to pass too many CPU scalars to non-CPU kernel!",
        f"the result is on {common}, and nothing that is read",
        f"x.to({str(common)!r})",
        rule="device.mixed",
        devices=(common, read[0].device),
        tensors=_described((*read, *written)),
    )


def _described(tensors: Sequence[Tensor]) -> tuple[tuple[str, tuple[int, ...], str, int], ...]:
    """The device, the size, the dtype and the bytes of each tensor, for pictures."""
    return tuple((str(t.device), tuple(t._array.shape), t._dtype._name, t.nbytes) for t in tensors)


def refuse_two(one: device, other: device, read: Sequence[Tensor] = ()) -> NoReturn:
    """Refuse tensors on two devices, in the words of elementwise operations."""
    refuse(
        RuntimeError,
        f"Expected all tensors to be on the same device, but found at least two devices, {one} and {other}!",
        _BECAUSE,
        f"x.to({str(one)!r})",
        rule="device.mixed",
        devices=(one, other),
        tensors=_described(read),
    )


def _written_elementwise(op: Op, args: tuple, kwargs: dict) -> None:
    """The in-place form of an elementwise op: its target is where the result goes."""
    read = list(tensors_in(args, kwargs))
    place = next(t.device for t in read if t.device.type != "cpu")
    if read[0].device != place:
        refuse_two(place, read[0].device, read)
    _check(op, args, kwargs)


def _indices(op: Op, args: tuple, place: Place) -> tuple:
    """A tensor and its index, which may be on the CPU, on the device of the tensor."""
    target, index = args[:2]
    home = place_of(target)
    if home is not place and any(place_of(t) is place for t in tensors_in((index,), {})):
        refuse(
            RuntimeError,
            f"indices should be either on cpu or on the same device as the indexed tensor ({target.device})",
            "an index is read where the tensor is",
            "index.cpu()",
            rule="device.index",
        )
    if op.name.startswith("index_put"):
        for t in tensors_in(args[2:3], {}):
            if t._array.ndim and place_of(t) is not home:
                refuse_two(target.device if target.is_cuda else t.device, t.device if target.is_cuda else target.device)
    return target, _brought(index, home)


def _masked_fill(op: Op, args: tuple, kwargs: dict) -> None:
    input, mask = args[0], args[1] if len(args) > 1 else kwargs["mask"]
    if input.device != mask.device:
        refuse(
            RuntimeError,
            f"expected self and mask to be on the same device, but got mask on {mask.device} and self on "
            f"{input.device}",
            _BECAUSE,
            "mask.to(x.device)",
            rule="device.mixed",
        )


def _einsum(op: Op, args: tuple, kwargs: dict) -> None:
    """Every product of two is one of batches of matrices."""
    first, *others = tensors_in(args, kwargs)
    for t in others:
        if t.device != first.device:
            _refuse_argument("mat2", t.device, first.device, "wrapper_CUDA_bmm", (first, *others))


def _repeat_interleave(op: Op, args: tuple, kwargs: dict) -> None:
    """The places that are repeated are made beside the counts, and rows are selected by them."""
    input, counts = tensors_in(args, kwargs)
    _refuse_argument("index", counts.device, input.device, "wrapper_CUDA__index_select", (input, counts))


def _quantile(op: Op, args: tuple, kwargs: dict) -> None:
    input, *others = _read(args, kwargs)
    name = "q" if any(q.device != input.device for q in others) else "out"
    refuse(
        RuntimeError,
        f"quantile() {name} tensor must be on the same device as the input tensor",
        _BECAUSE,
        f"{name}.to(x.device)",
        rule="device.mixed",
    )


def _stft(op: Op, args: tuple, kwargs: dict) -> None:
    input, window = tensors_in(args, kwargs)
    refuse(
        RuntimeError,
        f"{op.name} input and window must be on the same device but got self on {input.device} and window on "
        f"{window.device}",
        _BECAUSE,
        "window.to(x.device)",
        rule="device.mixed",
    )


def _convolution(op: Op, args: tuple, kwargs: dict) -> None:
    input, weight, *rest = tensors_in(args, kwargs)
    name, other = ("weight", weight) if weight.device != input.device else ("bias", rest[0])
    by_library = " or input should be a MKLDNN tensor and weight is a dense tensor" if not input.is_cuda else ""
    refuse(
        RuntimeError,
        f"Input type ({input.type()}) and {name} type ({other.type()}) should be the same{by_library}",
        "the layer and what it is given are on two devices",
        "model.to(x.device)",
        f"x.to({str(other.device)!r})",
        rule="device.mixed",
    )


def _meshgrid(op: Op, args: tuple, kwargs: dict) -> None:
    refuse(
        RuntimeError, "meshgrid expects all tensors to have the same device", _BECAUSE, "x.to(y.device)",
        rule="device.mixed",
    )  # fmt: skip


def _block_diag(op: Op, args: tuple, kwargs: dict) -> None:
    read = list(tensors_in(args, kwargs))
    i = next(i for i, t in enumerate(read) if t.device != read[0].device)
    refuse(
        RuntimeError,
        "torch.block_diag: input tensors must all be on the same device. Input 0 is on device "
        f"{read[0].device} and input {i} is on device {read[i].device}",
        _BECAUSE,
        "x.to(y.device)",
        rule="device.mixed",
    )


def _set(op: Op, args: tuple, kwargs: dict) -> None:
    target, source = args[:2]
    refuse(
        RuntimeError,
        f'Attempted to set the storage of a tensor on device "{target.device}" to a storage on different device '
        f'"{source.device}".  This is no longer allowed; the devices must match.',
        "a tensor looks at bytes of its own device",
        f"x.to({str(target.device)!r})",
        rule="set.device",
    )


_OWN: dict[str, Any] = {
    "masked_fill": _masked_fill, "masked_fill_": _masked_fill, "meshgrid": _meshgrid, "cartesian_prod": _meshgrid,
    "block_diag": _block_diag, "repeat_interleave": _repeat_interleave, "set_": _set, "einsum": _einsum,
    "quantile": _quantile, "nanquantile": _quantile, "stft": _stft, "istft": _stft,
    "convolution": _convolution,
}  # fmt: skip
