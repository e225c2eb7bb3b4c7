"""The way to an object of an HDF5 file: link by link, so that none of them is followed out of the file.

HDF5 itself follows whatever links a path meets, into other files too, and even to say whether a name is there. Here
each link is read as what it is: a soft link's path is walked from its own group, and a link to another file is refused.
"""

from __future__ import annotations

from typing import Any, NoReturn

from .errors import refuse_record
from .pickle_write import DEEPEST

_MOST_LINKS = 64
"""Soft links that a way may lead through: more than that is a circle."""


def member(h5py: Any, group: Any, name: str) -> Any:
    """A group or dataset by its path from a group."""
    result, links = group, 0
    pending = _steps(name)
    while pending:
        step = pending.pop()
        kind, value = _link(h5py, result, step, name, group)
        if kind == h5py.h5l.TYPE_HARD:
            result = result[step]
        elif kind == h5py.h5l.TYPE_SOFT:
            links += 1
            if links > _MOST_LINKS:
                refuse_record(
                    name,
                    f"leads through more than {_MOST_LINKS} soft links, and so in a circle",
                    "each of them names another link",
                    "the path of the dataset itself",
                    rule="hdf5.circle",
                )
            path = value.decode("utf-8", "surrogateescape")
            pending += _steps(path)
            result = group.file["/"] if path.startswith("/") else result
        else:
            refuse_record(
                name,
                "is a link to another file, which is not opened",
                _told(step, value),
                "the other file, opened by its own name",
                rule="hdf5.external",
            )
    return result


def leads_out(h5py: Any, group: Any, name: str) -> bool:
    """Whether a name in a group is a link of any kind, and not the object itself."""
    return _link(h5py, group, name, name, group)[0] != h5py.h5l.TYPE_HARD


def identity(h5py: Any, thing: Any) -> tuple[int, int]:
    """The same for two names of one object."""
    info = h5py.h5o.get_info(thing.id)
    return info.fileno, info.addr


def some_names(group: Any) -> str:
    """The first names in a group, for those who look for another one."""
    names = [*group.keys()]
    return ", ".join(names[:6]) + (", …" if len(names) > 6 else "") if names else "none at all"


def refuse_depth(name: str) -> NoReturn:
    """Refuse groups that stand too deep in one another."""
    refuse_record(
        name[:60] + ("…" if len(name) > 60 else ""),
        f"its groups are nested more than {DEEPEST} levels deep",
        "dicts that are nested so deep can be neither printed nor copied",
        "load_hdf5(path, 'the name of one dataset')",
        rule="hdf5.depth",
    )


def _steps(path: str) -> list[str]:
    """The names on a path, the last one first."""
    return [step for step in reversed(path.split("/")) if step not in ("", ".")]


def _link(h5py: Any, group: Any, step: str, name: str, start: Any) -> tuple[int, Any]:
    """What kind of link a name is, and where it leads; nothing is followed."""
    raw = step.encode("utf-8", "surrogateescape")
    if not isinstance(group, h5py.Group) or b"\0" in raw or not group.id.links.exists(raw):
        lies = f"it has {some_names(start)}"
        refuse_record(name, "the file has no such dataset, or a link that leads nowhere", lies, rule="hdf5.missing")
    kind = group.id.links.get_info(raw).type
    return kind, None if kind == h5py.h5l.TYPE_HARD else group.id.links.get_val(raw)


def _told(step: str, value: Any) -> str:
    """Where a link to another file leads."""
    if isinstance(value, tuple) and len(value) == 2:
        file, path = (v.decode("utf-8", "replace") if isinstance(v, bytes) else str(v) for v in value)
        return f"the way leads through {step}, which is {path[-60:]} of {file[-60:]}"
    return f"the way leads through {step}, a link of a kind of its own"
