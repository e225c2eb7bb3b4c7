"""What may be known of a node of PyTorch's graph without using it: what it keeps, whether that was freed or written to.

PyTorch is not imported for it, and no hook of the user's is run.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

ATTRIBUTE = "ctx."
"""How the name of a tensor in an attribute begins."""
VERSIONS = re.compile(r"is at version (\d+); expected version (\d+) instead")


KEPT, FREED, CHANGED, HOOKED = "kept", "freed", "changed", "hooked"
"""A tensor is there; was freed by a backward pass; was written to since; is kept by a user's hook in another form."""


class Kept(NamedTuple):
    """One tensor that a node keeps, under the name that `grad_fn._saved_NAME` has."""

    name: str
    state: str
    tensor: Any
    version: int = -1
    """The version that was saved, and the one that it has now; -1 if they are not known."""
    now: int = -1


def kept_by(node: Any) -> list[Kept]:
    """The tensors that a node of PyTorch's keeps: those saved for backward by name, then those in its `ctx`."""
    return [*_saved_by(node), *in_attributes(getattr(node, "__dict__", {}))]


def unpackers_of(node: Any) -> list[Any]:
    """The functions of the user's that give back what a node keeps in another form."""
    found = []
    for name in [name for name in dir(node) if name.startswith("_raw_saved_")]:
        try:
            raw = getattr(node, name)
        except RuntimeError:  # freed
            continue
        found += [one.unpack_hook for one in (raw if isinstance(raw, (tuple, list)) else [raw])]
    return [hook for hook in found if hook is not None]


def in_attributes(held: Mapping[str, Any]) -> list[Kept]:
    """The tensors in attributes of a Function's `ctx`. They stay as long as its node, and their versions are not seen.

    >>> in_attributes({"factor": 3.0, "sizes": [1, 2]})
    []
    """
    found: list[tuple[str, Any]] = []
    for name, value in list(held.items()):
        if isinstance(value, (list, tuple)):
            found += [(f"{ATTRIBUTE}{name}[{k}]", one) for k, one in enumerate(value)]
        elif isinstance(value, dict):
            found += [(f"{ATTRIBUTE}{name}[{key!r}]", one) for key, one in value.items()]
        else:
            found.append((ATTRIBUTE + name, value))
    return [Kept(name, KEPT, one) for name, one in found if hasattr(type(one), "untyped_storage")]


def _saved_by(node: Any) -> list[Kept]:
    found: list[Kept] = []
    for raw_name in sorted(name for name in dir(node) if name.startswith("_raw_saved_")):
        of_function = raw_name == "_raw_saved_tensors" and hasattr(type(node), "saved_tensors")
        name = "saved_tensors" if of_function else raw_name.removeprefix("_raw_saved_")
        try:
            raw = getattr(node, raw_name)
            several = isinstance(raw, (tuple, list))
            one_by_one = list(raw) if several else [raw]
            state, refused = KEPT, ""
            if all(one.unpack_hook is None for one in one_by_one):  # a user's hook is not run
                state, refused = _state_of(node, name if of_function else f"_saved_{name}")
        except RuntimeError:  # PyTorch refuses the name itself
            state, one_by_one = FREED, []
        if state == FREED:
            return [Kept("", FREED, None)]
        for k, one in enumerate(one_by_one):
            label = f"{name}[{k}]" if several else name
            if one.data is not None and hasattr(one.data, "untyped_storage"):
                found.append(_with_versions(label, state, one.data, refused))
            elif one.unpack_hook is not None:
                found.append(Kept(label, HOOKED, None))
    return found


def _state_of(node: Any, name: str) -> tuple[str, str]:
    """Whether what PyTorch saved can be used: `_saved_NAME` is refused if it was freed or written to."""
    try:
        getattr(node, name)
    except RuntimeError as refused:
        return (FREED if "second time" in str(refused) else CHANGED), str(refused)
    return KEPT, ""


def _with_versions(name: str, state: str, tensor: Any, refused: str) -> Kept:
    """A tensor with its versions. PyTorch tells the one that was saved only where it refuses another."""
    now = _version(tensor)
    found = VERSIONS.search(refused)
    if found is None:
        return Kept(name, state, tensor, now, now)
    if int(found[1]) != now:  # of several tensors, the refusal is about another
        return Kept(name, KEPT, tensor, now, now)
    return Kept(name, CHANGED, tensor, int(found[2]), now)


def _version(tensor: Any) -> int:
    try:
        return int(tensor._version)
    except RuntimeError:  # a tensor that was made in inference mode has none
        return -1


def line_of(node: Any) -> tuple[int, str, str] | None:
    """The line that made a node: number, text and file. PyTorch notes it in anomaly mode only.

    >>> from types import SimpleNamespace
    >>> line_of(SimpleNamespace(metadata={"traceback_": ['  File "/a/train.py", line 7, in f\\n    y = x * x\\n']}))
    (7, 'y = x * x', 'train.py')
    """
    for entry in reversed(getattr(node, "metadata", None) and node.metadata.get("traceback_") or ()):
        found = re.match(r'\s*File "(.*?)", line (\d+), in [^\n]*\n?\s*([^\n]*)', entry)
        if found is not None and not re.search(r"[\\/]torch[\\/]", found[1]):
            return int(found[2]), found[3].strip(), re.split(r"[\\/]", found[1])[-1]
    return None
