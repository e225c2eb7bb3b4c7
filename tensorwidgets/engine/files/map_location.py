"""`map_location`: on which device do the storages of a file go?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from ..errors.reasons import refuse
from ..tensor.storages.typed import TypedStorage
from ..tensor.storages.untyped import UntypedStorage
from ..tensor.type_names import type_name
from ..types.device import META, device
from .errors import Elsewhere, FileError

Mover = Callable[[UntypedStorage, str], UntypedStorage]
"""A function of a storage in main memory and the name of the device that it was saved from."""


def mover(map_location: str | device | dict[str, str] | Callable[..., Any] | None) -> Mover:
    """Turn the argument `map_location` into a function, whose errors are not the file's."""
    move = _mover(map_location)

    def moved(storage: UntypedStorage, location: str) -> UntypedStorage:
        try:
            return move(storage, location)
        except Exception as error:
            raise Elsewhere(error) from None

    return moved


def _mover(map_location: str | device | dict[str, str] | Callable[..., Any] | None) -> Mover:
    if map_location is None:
        return _to
    if isinstance(map_location, dict):
        return lambda storage, location: _to(storage, str(map_location.get(location, location)))
    if isinstance(map_location, (str, bytes)):
        name = map_location.decode() if isinstance(map_location, bytes) else map_location
        return lambda storage, location: _to(storage, name)
    if isinstance(map_location, device):
        return lambda storage, location: _to(storage, str(map_location))
    if not callable(map_location):
        refuse(
            TypeError,
            f"'{type(map_location).__name__}' object is not callable",
            "map_location says on which device the storages go: a device, a dict or a function",
            "load(f, map_location='cpu')",
            rule="file.device",
        )

    def moved(storage: UntypedStorage, location: str) -> UntypedStorage:
        result = map_location(storage, location)
        if result is None:
            return _to(storage, location)
        if not isinstance(result, (TypedStorage, UntypedStorage)):
            refuse(
                TypeError,
                "TypedStorage.__init__ received an invalid combination of arguments. Expected one of:",
                f"the function gave {type_name(result)} instead of a storage, or None for the place in the file",
                "load(f, map_location=lambda storage, location: storage)",
                rule="file.device",
            )
        return result.untyped() if isinstance(result, TypedStorage) else result

    return moved


def is_meta(map_location: str | device | dict[str, str] | Callable[..., Any] | None) -> bool:
    """Whether `map_location` is the meta device, so that only shapes are read."""
    return map_location == "meta" if isinstance(map_location, str) else map_location == META


def _to(storage: UntypedStorage, location: str) -> UntypedStorage:
    if location == "cpu":
        return storage
    if location == "meta":
        return UntypedStorage._meta(storage.nbytes())
    if location.partition(":")[0] == "cuda":
        from ..compat import cuda

        if cuda.is_available():
            return storage.cuda(device(location).index)
    refuse_place(location)


def refuse_place(location: str) -> NoReturn:
    """Refuse an unavailable device, in PyTorch's words."""
    kind = location.partition(":")[0]
    words = (
        f"Attempting to deserialize object on a {kind.upper()} device but torch.{kind}.is_available() is False. "
        "If you are running on a CPU-only machine, please use torch.load with map_location=torch.device('cpu') to map "
        "your storages to the CPU."
        if kind in ("cuda", "xpu")
        else f"don't know how to restore data location of torch.storage.UntypedStorage (tagged with {location})"
    )
    refuse(
        FileError,
        words[:400],
        f"the file was saved from the device {location!r}, which is not available"[:200],
        "load(f, map_location='cpu')",
        rule="file.device",
        location=location,
    )
