"""The folder in which answers run is as it was at the start, whatever the run before has left there."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any


class Home:
    """The working folder, and what was in it at the start.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "kept").write_text("")
    ...     home = Home(folder)
    ...     _ = Path(folder, "random.py").write_text("the next run would import this")
    ...     home.tidy()
    ...     os.listdir(folder)
    ['kept']
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)
        self.kept = frozenset(os.listdir(folder))

    def tidy(self) -> None:
        """Delete what has come since; a link is deleted and not followed."""
        with contextlib.suppress(OSError):
            os.chmod(self.folder, 0o700)
        for name in set(os.listdir(self.folder)) - self.kept:
            place = self.folder / name
            if place.is_dir() and not place.is_symlink():
                shutil.rmtree(place, onerror=_once_more)
            else:
                with contextlib.suppress(OSError):
                    place.unlink()


def _once_more(delete: Callable[[Any], Any], place: str, why: Any) -> None:
    """Try again in a folder that was locked; what cannot be deleted even so stays."""
    with contextlib.suppress(OSError):
        os.chmod(os.path.dirname(place), 0o700)
        if os.path.isdir(place) and not os.path.islink(place):
            os.chmod(place, 0o700)
            shutil.rmtree(place, ignore_errors=True)
        else:
            delete(place)
