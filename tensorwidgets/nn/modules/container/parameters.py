"""ParameterList and ParameterDict: a list and a dictionary whose parameters are registered.

Tensors become parameters; anything else is kept as it is.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from operator import index as as_index
from typing import Any

from ....engine.tensor.tensor import Tensor
from ...parameter import Parameter
from ..module import Module
from .pairs import pairs_of


def _as_parameter(value: Any) -> Any:
    return Parameter(value) if isinstance(value, Tensor) and not isinstance(value, Parameter) else value


def _line(key: Any, value: Any, in_dict: bool) -> str:
    if not isinstance(value, Tensor):
        return f"  ({key}): Object of type: {type(value).__name__}"
    size = "x".join(str(n) for n in value.size())
    where = f" ({value.device})" if value.device.type == "cuda" else ""
    what = "Parameter" if isinstance(value, Parameter) else "Tensor"
    if in_dict:
        return f"  ({key}): {what} containing: [{value.type()} of size {size}{where}]"
    return f"  ({key}): {what} containing: [{value.dtype} of size {size}{where}]"


class ParameterList(Module):
    """A list of parameters.

    >>> import tensorwidgets as torch
    >>> ParameterList([torch.ones(2), torch.ones(2, 3)])
    ParameterList(
        (0): Parameter containing: [torch.float32 of size 2]
        (1): Parameter containing: [torch.float32 of size 2x3]
    )
    """

    def __init__(self, values: Iterable[Any] | None = None) -> None:
        super().__init__()
        self._size = 0
        if values is not None:
            self += values

    def _name_at(self, position: Any) -> str:
        position = as_index(position)
        if not -len(self) <= position < len(self):
            raise IndexError(f"index {position} is out of range")
        return str(position % len(self))

    def __getitem__(self, position: Any) -> Any:
        if isinstance(position, slice):
            return type(self)([self[i] for i in range(*position.indices(len(self)))])
        return getattr(self, self._name_at(position))

    def __setitem__(self, position: int, value: Any) -> None:
        setattr(self, self._name_at(position), _as_parameter(value))

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    def __iadd__(self, values: Iterable[Any]) -> Any:
        return self.extend(values)

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if not name.isdigit()]

    def append(self, value: Any) -> Any:
        """Add a value at the end."""
        number, self._size = self._size, self._size + 1
        self[number] = value
        return self

    def extend(self, values: Iterable[Any]) -> Any:
        """Add several values at the end."""
        if not isinstance(values, Iterable) or isinstance(values, Tensor):
            raise TypeError(f"ParameterList.extend should be called with an iterable, but got {type(values).__name__}")
        for value in list(values):
            self.append(value)
        return self

    def extra_repr(self) -> str:
        return "\n".join(_line(i, value, in_dict=False) for i, value in enumerate(self))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise RuntimeError("ParameterList should not be called.")


class ParameterDict(Module):
    """A dictionary of parameters, in the order in which they were added; those of a plain dictionary are sorted first.

    >>> import tensorwidgets as torch
    >>> ParameterDict({"scale": torch.ones(2)})["scale"]
    Parameter containing:
    tensor([1., 1.], requires_grad=True)
    """

    def __init__(self, parameters: Any = None) -> None:
        super().__init__()
        self._keys: dict[str, None] = {}
        if parameters is not None:
            self.update(parameters)

    def _attribute(self, key: Any) -> str:
        if not isinstance(key, str):
            raise TypeError(
                "Index given to ParameterDict cannot be used as a key as it is not a string "
                f"(type is '{type(key).__name__}'). Open an issue on github if you need non-string keys."
            )
        return key

    def __getitem__(self, key: str) -> Any:
        return getattr(self, self._attribute(key))

    def __setitem__(self, key: str, value: Any) -> None:
        self._keys[key] = None
        setattr(self, self._attribute(key), _as_parameter(value))

    def __delitem__(self, key: str) -> None:
        del self._keys[key]
        delattr(self, self._attribute(key))

    def __len__(self) -> int:
        return len(self._keys)

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __reversed__(self) -> Iterator[str]:
        return reversed(self._keys)

    def __contains__(self, key: object) -> bool:
        return key in self._keys

    def __or__(self, other: Any) -> ParameterDict:
        copied = self.copy()
        copied.update(other)
        return copied

    def __ror__(self, other: Any) -> ParameterDict:
        copied = other.copy()
        copied.update(self)
        return copied

    def __ior__(self, other: Any) -> Any:
        self.update(other)
        return self

    def copy(self) -> ParameterDict:
        """A new dictionary of the same parameters."""
        return ParameterDict(list(self.items()))

    def setdefault(self, key: str, default: Any = None) -> Any:
        """The value of a key, which is added if it is missing."""
        if key not in self:
            self[key] = default
        return self[key]

    def clear(self) -> None:
        """Remove everything."""
        for key in list(self._keys):
            del self[key]

    def pop(self, key: str) -> Any:
        """Remove a key and return its value."""
        value = self[key]
        del self[key]
        return value

    def popitem(self) -> tuple[str, Any]:
        """Remove the last key, and return it with its value."""
        key, _ = self._keys.popitem()
        value = self[key]
        delattr(self, self._attribute(key))
        return key, value

    def get(self, key: str, default: Any = None) -> Any:
        """The value of a key, or another if it is missing."""
        return self[key] if key in self else default

    def fromkeys(self, keys: Iterable[str], default: Any = None) -> ParameterDict:
        """A dictionary in which several keys have one value."""
        return ParameterDict([(key, default) for key in keys])

    def keys(self) -> Any:
        """The keys."""
        return self._keys.keys()

    def items(self) -> Iterator[tuple[str, Any]]:
        """The pairs of key and value."""
        return ((key, self[key]) for key in self._keys)

    def values(self) -> Iterator[Any]:
        """The values."""
        return (self[key] for key in self._keys)

    def update(self, parameters: Any) -> None:
        """Add values from a mapping or from pairs."""
        if isinstance(parameters, Mapping) and not isinstance(parameters, OrderedDict):
            parameters = sorted(parameters.items())  # so PyTorch orders a plain dictionary
        for key, value in pairs_of(parameters, "ParameterDict", (ParameterDict,), called="ParametersDict"):
            self[key] = value

    def extra_repr(self) -> str:
        return "\n".join(_line(key, value, in_dict=True) for key, value in self.items())

    def __call__(self, input: Any) -> Any:
        raise RuntimeError("ParameterDict should not be called.")
