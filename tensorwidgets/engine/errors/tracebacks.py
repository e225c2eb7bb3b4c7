"""Tracebacks in a notebook end at the user's own line.

Our refusals are raised some frames below the user's line. IPython lets an exception render its own traceback, and ours
leave our frames out. `hide_frames` does the same for every exception that passes through our code;
``%load_ext tensorwidgets`` calls it. The frames are hidden, not lost: ``%debug`` and ``sys.last_traceback`` still have
them.

(IPython also honours a local variable ``__tracebackhide__``. Every function of ours would have to set it on each call,
and it never hides the last frame, which raises.)
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any

from .package import PACKAGE

_DEPENDENCIES = ("numpy", "scipy", "ml_dtypes")
"""Libraries that our code calls: their frames are hidden when they come below one of ours."""


def trimmed(trace: TracebackType | None) -> TracebackType | None:
    """A traceback without our frames and the frames that they called; unchanged if none would remain.

    >>> trimmed(None) is None
    True
    """
    kept: list[TracebackType] = []
    inside = False
    link = trace
    while link is not None:
        file = link.tb_frame.f_code.co_filename
        if _is_ours(file):
            inside = True
        elif not (inside and _is_dependency(file)):
            inside = False
            kept.append(link)
        link = link.tb_next
    if not kept:
        return trace
    result: TracebackType | None = None
    for link in reversed(kept):
        result = TracebackType(result, link.tb_frame, link.tb_lasti, link.tb_lineno)
    return result


def _is_ours(file: str) -> bool:
    return file.startswith(PACKAGE)


def is_library_file(file: str) -> bool:
    """Whether a file is ours, Python's or an installed library's, rather than a user's.

    >>> is_library_file(traceback.__file__), is_library_file("lesson.py")
    (True, False)
    """
    if _is_ours(file) or file.startswith("<frozen"):
        return True
    parts = Path(file).parts
    return "site-packages" in parts or "dist-packages" in parts or file.startswith(_STANDARD)


_STANDARD = str(Path(traceback.__file__).parent)


def _is_dependency(file: str) -> bool:
    return any(part in _DEPENDENCIES for part in Path(file).parts) or file.startswith("<frozen")


@contextmanager
def without_our_frames(error: BaseException | None) -> Iterator[None]:
    """Remove our frames from the tracebacks of an exception and its causes inside a `with` block."""
    kept: dict[int, tuple[BaseException, TracebackType | None]] = {}
    while error is not None and id(error) not in kept:
        kept[id(error)] = (error, error.__traceback__)
        error.__traceback__ = trimmed(error.__traceback__)
        error = error.__cause__ or error.__context__
    try:
        yield
    finally:
        for link, trace in kept.values():
            link.__traceback__ = trace


def render() -> list[str]:
    """The lines that IPython shows for the exception that it has just caught, without our frames."""
    from IPython.core.getipython import get_ipython

    error: Any = sys.last_value
    shell = get_ipython()
    with without_our_frames(error):
        if shell is None:
            return "".join(traceback.format_exception(error)).splitlines()
        return shell.InteractiveTB.structured_traceback(type(error), error, error.__traceback__)


def hide_frames(ipython: Any) -> None:
    """Leave our frames out of every traceback that this IPython shows.

    A second call changes nothing; `show_frames` undoes it.
    """
    formatter = ipython.InteractiveTB
    if _original(formatter) is not None:
        return
    plain = formatter.structured_traceback

    def structured_traceback(etype: Any, evalue: Any = None, etb: Any = None, *args: Any, **kwargs: Any) -> Any:
        if not isinstance(etb, TracebackType):  # IPython calls itself for each error of a chain, with lines
            return plain(etype, evalue, etb, *args, **kwargs)
        with without_our_frames(evalue):
            return plain(etype, evalue, trimmed(etb), *args, **kwargs)

    structured_traceback.plain = plain  # type: ignore[attr-defined]
    formatter.structured_traceback = structured_traceback


def show_frames(ipython: Any) -> None:
    """Undo `hide_frames`."""
    if _original(ipython.InteractiveTB) is not None:
        del ipython.InteractiveTB.structured_traceback


def _original(formatter: Any) -> Callable | None:
    """IPython's own formatter, if ours has replaced it; else None."""
    return getattr(vars(formatter).get("structured_traceback"), "plain", None)
