"""What pickles of both formats hold beside tensors: sizes of parts, texts, states of objects."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Any

from ..interop.parameter import Parameter
from ..tensor.tensor import Tensor
from ..types.dtypes import dtype
from .errors import refuse_record
from .pickles.decode import StorageKind, check_attribute, set_attributes

if TYPE_CHECKING:
    pass


MOST_PICKLE = 1 << 30
"""The largest pickle that is read. The tensors' bytes are outside the pickle, so this is plenty."""


def part_size(d: dtype | None) -> int:
    """The unit of byte swapping: the size of an element, or of one of the two parts of a complex one."""
    return 1 if d is None else d.itemsize // (2 if d.is_complex else 1)


def storage_id(id: Any) -> tuple[StorageKind, str, str, int]:
    """The parts of a storage's id, checked."""
    if type(id) is not tuple or len(id) != 5 or as_text(id[0]) != "storage":
        refuse_record("data.pkl", f"refers to something that is not a storage: {id!r}"[:200], rule="file.storage")
    _, kind, key, location, length = id
    key, location = as_text(key), as_text(location)
    if (
        type(kind) is not StorageKind
        or not kind.name.endswith("Storage")
        or type(key) is not str
        or type(location) is not str
        or type(length) is not int
        or not 0 <= length < 1 << 60
    ):
        refuse_record("data.pkl", f"refers to an impossible storage: {id!r}"[:200], rule="file.storage")
    return kind, key, location, length


def as_text(part: Any) -> Any:
    """A part of a storage's id as text, also where the text of the pickle is read as bytes."""
    return part.decode("ascii", "replace") if type(part) is bytes else part


def set_state(made: Any, state: Any) -> None:
    """Set attributes of an OrderedDict or a tensor; refuse any other object."""
    if type(made) is OrderedDict and type(state) is dict:
        for name in state:
            check_attribute(made, name)
        made.__dict__.update(state)
    elif type(made) is Tensor or type(made) is Parameter:
        set_attributes(made, state)
    else:
        refuse_record("data.pkl", f"would set the state of a {type(made).__name__}", rule="file.state")
