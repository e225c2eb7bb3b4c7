"""Which way does a call take that has a tensor on another device? NumPy's protocols carry it there, or the host does.

The row runs as it is written: its kernel meets the device's arrays, and NumPy hands each call to them. What the device
lacks goes through the host: fetched, computed, brought back, and counted.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

from ..dispatch import stations
from ..dispatch.kinds import IN_MAIN_MEMORY_ALONE, KINDS, refuse_on_device
from ..dispatch.registry import Op, tensors_in
from ..memory.places import Place
from ..ops.copies.copying import is_asynchronous
from ..tensor.tensor import Tensor
from ..types.dtypes import bool_
from . import mixing
from .counts import count
from .limits import NotOnDevice
from .sync_debug import about_to_wait
from .through_host import compute_there, is_always
from .times import seconds_of_call

KIND = KINDS["device"]


def computed(op: Op, args: tuple, kwargs: dict) -> Any:
    """A call with a tensor on a device: there, or through the host."""
    args, kwargs, place = mixing.meet(op, args, kwargs)
    streams = place.streams
    if streams.busy:
        return _computed(op, args, kwargs, place)
    reads, waits = _reads(op, args, kwargs), not (is_asynchronous(args, kwargs) or _sets_a_number(op, args))
    if reads:
        about_to_wait()
    streams.busy, crossed = True, streams.crossed
    try:
        with nullcontext() if waits else streams.not_waiting():
            result = _computed(op, args, kwargs, place)
    finally:
        streams.busy = False
    if any(t._keys & IN_MAIN_MEMORY_ALONE for t in tensors_in((result,), {})):
        refuse_on_device(op.name)
    if op.family not in stations.VIEWS and not _is_view(result, args):
        streams.work(seconds_of_call(sum(t.nbytes for t in tensors_in((*args, result), kwargs))))
    if reads or waits and streams.crossed != crossed:
        streams.catch_up()
    return result


def _reads(op: Op, args: tuple, kwargs: dict) -> bool:
    """Whether the program waits for a call's numbers: it needs them itself, for a size, or to know of a failure."""
    if op.name == "getitem":
        return any(t._dtype is bool_ for t in tensors_in(args[1:], {}))
    if op.name == "repeat_interleave":
        by_tensor = len(args) + len(kwargs) == 1 or len(list(tensors_in(args, kwargs))) > 1
        return by_tensor and kwargs.get("output_size") is None
    return op.name in _READ or op.name == "where" and len(args) + len(kwargs) == 1


_READ = frozenset(
    "equal allclose is_nonzero nonzero argwhere masked_select unique unique_consecutive bincount multinomial inverse "
    "cholesky svd".split()
) | {
    f"linalg.{name}"
    for name in (
        "cholesky", "cond", "eig", "eigh", "eigvals", "eigvalsh", "inv", "ldl_factor", "lu_factor", "matrix_rank",
        "pinv", "solve", "svd", "svdvals",
    )
}  # fmt: skip
"""Ops that return a number to Python, whose result is as long as the elements say, or that fail for some elements."""


def _sets_a_number(op: Op, args: tuple) -> bool:
    """Whether a number of Python's is written, which a GPU is given as an argument."""
    return op.name == "setitem" and len(args) > 2 and not isinstance(args[2], Tensor)


def _is_view(result: Any, args: tuple) -> bool:
    """Whether a call only looked at the memory of its first argument in another way."""
    if not (isinstance(result, Tensor) and args and isinstance(args[0], Tensor)) or result is args[0]:
        return False
    block = getattr(result._array, "_block", None)
    return block is not None and block is getattr(args[0]._array, "_block", None)


def _computed(op: Op, args: tuple, kwargs: dict, place: Place) -> Any:
    if is_always(op.name):
        count(op.name)
        return _through_host(op, args, kwargs, place)
    written = _written(args, kwargs)
    try:
        return stations.to_plain(op, args, kwargs)
    except NotOnDevice as error:
        if _written(args, kwargs) != written:
            raise  # part of the result is there already, and computing again would read it
        count(op.name, str(error))
    except Exception as error:
        stations.refuse_misfit(error, op, args, kwargs)
        raise
    return _through_host(op, args, kwargs, place)


def _through_host(op: Op, args: tuple, kwargs: dict, place: Place) -> Any:
    """Compute a call in main memory. A GPU that has the op copies nothing for it, so nothing is counted as copied."""
    before = place.streams.crossed
    try:
        with place.streams.not_waiting():
            return compute_there(op, args, kwargs, place)
    finally:
        place.streams.crossed = before


def _written(args: tuple, kwargs: dict) -> list[int]:
    """How often the memory of each tensor of a call was written to."""
    return [getattr(getattr(t._array, "_block", None), "writes", 0) for t in tensors_in(args, kwargs)]


def describe(op: Op, args: tuple, kwargs: dict) -> tuple[str, bool]:
    """What `route` prints."""
    place = mixing.place_among(op, args, kwargs)
    where = f"{place.device}, {mixing.kind_of_gpu()}"
    if is_always(op.name):
        return f"{where}: through the host: fetched, computed in main memory, brought back", False
    return f"{where}: the row's own kernel, carried there by NumPy's protocols", True


def enter() -> None:
    """Let the station of devices take its calls here."""
    KIND.fallback, KIND.describe_station = computed, describe
