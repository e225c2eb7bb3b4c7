"""safetensors: save and load a dict of tensors through the package `safetensors`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors.reasons import refuse
from ...tensor.tensor import Tensor
from ...tensor.wrapping import wrap
from ...types import dtypes
from ...types.device import META, device
from ..disk.atomic import atomic_replace, atomic_write, final_path, is_special, sync
from ..errors import FileError, refuse_record
from ..map_location import refuse_place
from ..strangers import kind_of, reading, refuse_stranger
from .arrays import array_of, check_name, tensor_for, tensor_of

if TYPE_CHECKING:
    from collections.abc import Callable


_FLOAT8 = {"F8_E4M3": "float8_e4m3fn", "F8_E5M2": "float8_e5m2", "F8_E4M3FNUZ": "float8_e4m3fnuz",
           "F8_E5M2FNUZ": "float8_e5m2fnuz"}  # fmt: skip
"""The dtypes that the package's NumPy interface cannot name, by their codes in the file."""


def save_safetensors(
    path: str | os.PathLike[str], tensors: Mapping[str, Any], metadata: dict[str, str] | None = None
) -> None:
    """Write a dict of tensors as safetensors, completely or not at all. Of a view only its elements are written."""
    package = _package()
    if not isinstance(tensors, Mapping):
        refuse(
            TypeError,
            f"save_safetensors writes a dict of tensors, not a {type(tensors).__name__}",
            "every tensor needs a name",
            "save_safetensors(path, {'x': x})",
            rule="file.names",
        )
    for text in (*tensors, *(metadata or {}), *(metadata or {}).values()):
        check_name(text)
    if "__metadata__" in tensors:
        because = "that name is reserved for the metadata of the file"
        refuse_record("__metadata__", "cannot be the name of a tensor", because, rule="file.names")
    arrays = {name: np.asarray(array_of(tensor_for(name, value)), order="C") for name, value in tensors.items()}
    from safetensors.numpy import save, save_file

    if is_special(final_path(path)):
        with atomic_write(path) as file:
            rest = memoryview(save(arrays, metadata))
            while rest:
                rest = rest[file.write(rest) :]
        return
    with atomic_replace(final_path(path)) as temporary:
        try:
            save_file(arrays, temporary, metadata)
        except package.SafetensorError as error:
            refuse_record("the file", f"cannot be written as safetensors: {error}"[:300], rule="file.safetensors")
        sync(temporary)


def load_safetensors(
    path: str | os.PathLike[str],
    name: str | None = None,
    index: Any = None,
    *,
    map_location: str | device | dict[str, str] | Callable[..., Any] | None = None,
) -> Any:
    """Read a safetensors file as a dict of tensors, one tensor by name, or part of one by index."""
    package = _package()
    only_shapes = _place(map_location)
    with open(os.fspath(path), "rb") as whole:  # the operating system explains a missing file or a missing permission
        begin = whole.read(64)
    known = kind_of(begin)
    if known is None or known[0] != "a safetensors file":
        with reading(path):
            refuse_stranger(begin, "a safetensors file", "")
    try:
        with package.safe_open(os.fspath(path), framework="np") as file:
            names = [*file.keys()]
            if name is not None and name not in names:
                refuse_record(name, "the file has no tensor of that name", f"it has {', '.join(names[:6])}",
                              rule="file.missing")  # fmt: skip
            collected = {each: _tensor(file, path, each, index) for each in (names if name is None else [name])}
    except (FileError, IndexError):
        raise
    except (package.SafetensorError, OSError, ValueError, MemoryError, AttributeError, TypeError, KeyError) as error:
        with reading(path):
            refuse_record("the file", f"cannot be read as safetensors: {error}"[:300], rule="file.safetensors")
    if only_shapes:
        from ...declare.creation import allocate, finished

        collected = {
            each: finished(allocate(tuple(t.shape), None, t._dtype, META), t._dtype) for each, t in collected.items()
        }
    return collected if name is None else collected[name]


def _tensor(file: Any, path: str | os.PathLike[str], name: str, index: Any) -> Tensor:
    part = file.get_slice(name)
    code = part.get_dtype()
    if code in _FLOAT8:
        d = dtypes.BY_NAME[_FLOAT8[code]]
        array = _bytes_of(path, name).reshape(part.get_shape()).view(d._in_numpy)
        return wrap(array if index is None else np.array(array[index]), d)
    array = file.get_tensor(name)
    return tensor_of(name, array if index is None else np.array(array[index]))


def _bytes_of(path: str | os.PathLike[str], name: str) -> np.ndarray:
    """The bytes of one tensor, read through the package's reader for whole files."""
    with open(path, "rb") as file:
        result = dict(_package().deserialize(file.read()))[name]
    return np.frombuffer(bytearray(result["data"]), np.uint8)


def _place(map_location: str | device | dict[str, str] | Callable[..., Any] | None) -> bool:
    """Whether only shapes are read; refuses a `map_location` that only .pt files support."""
    if map_location is None:
        return False
    if not isinstance(map_location, (str, device)):
        refuse(
            RuntimeError,
            "Loading safetensors file with dict map_location is not supported. Use a device string or torch.device "
            "instead."
            if isinstance(map_location, dict)
            else "Loading safetensors file with callable map_location is not supported. Use a device string or "
            "torch.device instead.",
            "the file does not record the devices of its tensors",
            "map_location='cpu'",
            rule="file.device",
        )
    place = device(map_location)
    if place.type not in ("cpu", "meta"):
        refuse_place(str(place))
    return place == META


def _package() -> Any:
    try:
        import safetensors
    except ImportError:
        refuse(
            RuntimeError,
            "Attempting to load a safetensors file but safetensors is not installed. Please install safetensors with: "
            "pip install safetensors",
            "the format is read and written through the package safetensors",
            "pip install safetensors",
            rule="file.package",
        )
    return safetensors
