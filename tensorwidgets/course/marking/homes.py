"""The folder in which answers run is as it was at the start, whatever the run before has left there."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Collection
from pathlib import Path


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
        """Delete what has come since."""
        empty(self.folder, self.kept)


def empty(folder: Path, kept: Collection[str] = ()) -> None:
    """Delete what is in a folder, be it locked or too deep for `shutil.rmtree`. Links are not followed.

    Each folder is moved to the top before it is emptied, so no path becomes long. What cannot be deleted stays.
    """
    here = secrets.token_hex(8)
    waiting = [folder]
    count = 0
    while waiting:
        one = waiting.pop()
        with contextlib.suppress(OSError):
            os.chmod(one, 0o700)
        with contextlib.suppress(OSError), os.scandir(one) as entries:
            for entry in list(entries):
                if one == folder and entry.name in kept:
                    continue
                with contextlib.suppress(OSError):
                    if entry.is_dir(follow_symlinks=False):
                        os.chmod(entry.path, 0o700)
                        count += 1
                        moved = folder / f"{here}-{count}"
                        os.rename(entry.path, moved)
                        waiting.append(moved)
                    else:
                        os.unlink(entry.path)
        if one != folder:
            with contextlib.suppress(OSError):
                os.rmdir(one)
