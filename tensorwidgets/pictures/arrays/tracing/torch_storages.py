"""Every storage that PyTorch's operations make, from its birth to its death.

PyTorch calls a *dispatch mode* for each operation. A storage that an operation returns for the first time is new; a
weak reference notices when it is freed. Scratch memory inside an operation is not seen. PyTorch is not imported here.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Collection, Iterable
from importlib import import_module
from typing import Any, NamedTuple

from .log import SMALL, Log

Key = tuple[str, int]


class Listening(NamedTuple):
    """The mode, and the storages that are there before it."""

    mode: Any
    keys: set[Key]


def torch_storages(log: Log, known: Iterable[Any] = (), mine: Collection[Key] = ()) -> Listening | None:
    """A mode that records PyTorch's storages in a log; None where PyTorch is not imported.

    `known` are tensors that exist already; those with a storage at one of the places `mine` are in the log, and
    the log notices when they are freed. Other storages lie in memory of another library.
    """
    torch: Any = sys.modules.get("torch")
    if torch is None or not hasattr(torch, "_C"):
        return None
    mode: Any = import_module("torch.utils._python_dispatch").TorchDispatchMode
    tree_leaves: Any = import_module("torch.utils._pytree").tree_leaves

    seen: dict[int, tuple[Any, int]] = {}
    keys: dict[int, Key] = {}
    # A tensor that is made from a list is filled out of sight, and then passes this operation.
    fresh = torch.ops.aten.lift_fresh.default

    def see(tensor: Any, new: bool, lent: bool = False) -> None:
        try:
            storage = tensor.untyped_storage()
            nbytes, address = storage.nbytes(), storage.data_ptr()
        except (RuntimeError, NotImplementedError, ValueError):
            return  # its memory is hidden, or there is none, as of a lazy parameter
        number, device = id(storage), str(tensor.device)
        old = seen.get(number)
        if (old is not None and old[1] == nbytes) or device == "meta":
            return
        key = (device, address)
        if old is not None:
            log.died(keys.pop(number, None))
            new = True
        if not address or nbytes <= SMALL:
            return

        def died(_: Any) -> None:
            seen.pop(number, None)
            log.died(keys.pop(number, None))

        seen[number] = (weakref.ref(storage, died), nbytes)
        if key in mine:
            keys[number] = key  # it was there before, and has a name
        if new and not (lent and log.find(*key) is not None):
            log.born(key, nbytes)
            keys[number] = key

    class Storages(mode):
        """Looks at what goes into each operation, and at what comes out."""

        def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            if log.is_resting:
                return func(*args, **(kwargs or {}))
            if func is not fresh:
                for value in tree_leaves((args, kwargs)):
                    if isinstance(value, torch.Tensor):
                        see(value, False)
            result = func(*args, **(kwargs or {}))
            for value in (result,) if isinstance(result, torch.Tensor) else tree_leaves(result):
                if isinstance(value, torch.Tensor):
                    see(value, True, func is fresh)
            return result

    with log.resting(), Storages():
        torch.tensor([0.0])[:0] * 2  # what PyTorch imports at its first operation belongs to no line
    for tensor in known:
        if isinstance(tensor, torch.Tensor):
            see(tensor, False)
    mine = ()
    return Listening(Storages(), set(keys.values()))
