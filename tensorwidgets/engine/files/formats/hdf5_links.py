"""Find an object in an HDF5 file link by link, so that no link leads out of the file.

HDF5 itself follows every link on a path, also into other files, even to answer whether a name exists. This module reads
each link without following it: a soft link's path is walked from the link's group, and an external link is refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from ..errors import refuse_record
from ..pickles.pickle_write import DEEPEST

if TYPE_CHECKING:
    from types import ModuleType

    import h5py


_MOST_LINKS = 64
"""The most soft links that a path may follow; more count as a cycle."""


def member(h5py: ModuleType, group: h5py.Group, name: str) -> Any:
    """The group or dataset at a path relative to a group."""
    result, links = group, 0
    pending = _steps(name)
    while pending:
        step = pending.pop()
        kind, value = _link(h5py, result, step, name, group)
        if kind == h5py.h5l.TYPE_HARD:
            try:
                result = result[step]
                getattr(result, "dtype", None)  # older versions of h5py have a ValueError for a damaged one
            except (KeyError, OSError, RuntimeError, ValueError) as error:
                message = error.args[0] if isinstance(error, KeyError) and error.args else error
                refuse_record(name, f"cannot be read: {message}"[:300], rule="hdf5.damaged")
        elif kind == h5py.h5l.TYPE_SOFT:
            links += 1
            if links > _MOST_LINKS:
                refuse_record(
                    name,
                    f"follows more than {_MOST_LINKS} soft links, so they form a cycle",
                    "each of them points to another link",
                    "the path of the dataset itself",
                    rule="hdf5.circle",
                )
            path = value.decode("utf-8", "surrogateescape")
            pending += _steps(path)
            result = group.file["/"] if path.startswith("/") else result
        else:
            refuse_record(
                name,
                "is a link to another file, which is never opened",
                _target_of(step, value),
                "load_hdf5(the other file)",
                rule="hdf5.external",
            )
    return result


def leads_out(h5py: ModuleType, group: h5py.Group, name: str) -> bool:
    """Whether a name in a group is a soft or external link rather than the object itself."""
    return _link(h5py, group, name, name, group)[0] != h5py.h5l.TYPE_HARD


def identity(h5py: ModuleType, thing: Any) -> tuple[int, int]:
    """A key that is equal for two names of one object."""
    info = h5py.h5o.get_info(thing.id)
    return info.fileno, info.addr


def names_in(group: h5py.Group) -> list[str]:
    """The names in a group; h5py gives bytes where one is not a text, which happens in damaged files."""
    names = [*group.keys()]
    for name in names:
        if not isinstance(name, str):
            refuse_record(repr(name)[:60], "is a name that is not a text", "names are UTF-8", rule="hdf5.damaged")
    return names


def some_names(group: h5py.Group) -> str:
    """The first names in a group, for an error message."""
    names = names_in(group)
    return ", ".join(names[:6]) + (", …" if len(names) > 6 else "") if names else "none"


def refuse_depth(name: str) -> NoReturn:
    """Raise the error for groups that are nested too deep."""
    refuse_record(
        name[:60] + ("…" if len(name) > 60 else ""),
        f"its groups are nested more than {DEEPEST} levels deep",
        "Python can neither print nor copy dicts nested that deep",
        "load_hdf5(path, 'the name of one dataset')",
        rule="hdf5.depth",
    )


def _steps(path: str) -> list[str]:
    """The names on a path, last one first."""
    return [step for step in reversed(path.split("/")) if step not in ("", ".")]


def _link(h5py: ModuleType, group: h5py.Group, step: str, name: str, start: h5py.Group) -> tuple[int, Any]:
    """The type of a link and its target, without following it."""
    raw = step.encode("utf-8", "surrogateescape")
    if not isinstance(group, h5py.Group) or b"\0" in raw or not group.id.links.exists(raw):
        lies = f"it has {some_names(start)}"
        refuse_record(name, "the file has no dataset of that name, or only a broken link", lies, rule="hdf5.missing")
    kind = group.id.links.get_info(raw).type
    return kind, None if kind == h5py.h5l.TYPE_HARD else group.id.links.get_val(raw)


def _target_of(step: str, value: Any) -> str:
    """A sentence that names the target of an external link."""
    if isinstance(value, tuple) and len(value) == 2:
        file, path = (v.decode("utf-8", "replace") if isinstance(v, bytes) else str(v) for v in value)
        return f"{step} on the path links to {path[-60:]} in {file[-60:]}"
    return f"{step} on the path is a link of a user-defined type"
