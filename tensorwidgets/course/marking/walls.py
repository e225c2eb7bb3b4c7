"""The walls around an answer, built by bubblewrap: Python and this package, read-only, and nothing else.

What is not named here is not there: no home, no notebooks, no sockets of other programs, no settings of the machine.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

PACKAGE = Path(__file__).resolve().parents[2]
NEEDED = ("numpy", "scipy", "ml_dtypes", "threadpoolctl", "h5py", "anywidget", "ipywidgets", "executing", "IPython")
HOME = Path("/tensorwidgets-home")
"""The one folder that an answer may write to; it is in memory, and goes with the process."""
_BEGIN = "import gc, sys; gc.disable(); from {runner} import main; main(sys.argv[1:])"
"""How the process inside begins. A search for garbage finds none while everything is imported, and takes a tenth of
the time; the runner takes it up again."""
ROOM = 256 << 20
"""Bytes that a notebook may write, in all."""
_SHARED_ROOM = 16 << 20
"""Bytes in /dev/shm, where Python keeps its semaphores."""
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store")
_SETTINGS = ("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives", "/etc/localtime")
_NAMESPACES = ("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try")


class Way(NamedTuple):
    """One way in which bubblewrap may be asked for walls."""

    options: tuple[str, ...]
    drops_root: bool = False
    """Whether the process inside gives up root by itself, before it does anything else."""


WAYS = (
    Way((*_NAMESPACES, "--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"), drops_root=True),
    Way((*_NAMESPACES, "--unshare-user", "--disable-userns", "--cap-drop", "ALL")),
    Way((*_NAMESPACES, "--unshare-user-try", "--cap-drop", "ALL")),
)
"""The strictest first. Root gives itself up where it can: what belongs to root is then not its own any more."""


@cache
def way() -> Way | None:
    """How bubblewrap builds walls here between which Python runs: tried, not guessed. None where it cannot."""
    if shutil.which("bwrap") is None:
        return None
    root = sys.platform == "linux" and os.geteuid() == 0
    for one in WAYS:
        if one.drops_root and not root:
            continue
        trial = [*command(one), *inside(one), "--try"]
        done = subprocess.run(
            trial, env=environment(HOME), stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False
        )
        if done.returncode == 0:
            return one
    return None


def can_contain() -> bool:
    """Whether answers can be contained on this machine."""
    return way() is not None


def inside(way: Way | None, modules: Sequence[str] = ()) -> list[str]:
    """The command that runs between the walls, or without any; it imports these modules before all else."""
    drops = ["--drop-root"] if way is not None and way.drops_root else []
    return [sys.executable, "-c", _BEGIN.format(runner=f"{__package__}.runner"), *drops, *modules]


def command(way: Way, hidden: Path | None = None) -> list[str]:
    """What bubblewrap is asked for; the command to run follows. `hidden` is a folder that is not to be seen."""
    asked = ["bwrap", *way.options, "--die-with-parent", "--new-session"]
    beside = _outermost(place for place in _shown() if hidden is None or not place.is_relative_to(hidden))
    below = _outermost(place for place in _shown() if place not in beside and hidden and place.is_relative_to(hidden))
    asked += _folders_above(beside)
    for place in beside:
        asked += _bind(place)
    covers = hidden is not None and any(hidden.is_relative_to(place) for place in beside)
    if covers:
        asked += ["--perms", "0755"] if "--perms OCTAL" in _options() else []
        asked += ["--tmpfs", str(hidden)]
    asked += _folders_above(below)
    for place in below:
        asked += _bind(place)
    if covers:
        asked += ["--remount-ro", str(hidden)]
    asked += ["--proc", "/proc", "--remount-ro", "/proc", "--dev", "/dev"]
    # A shared mapping of /dev/zero is memory that no process seems to hold.
    asked += ["--dev-bind", "/dev/null", "/dev/zero", *_bounded(_SHARED_ROOM), "--tmpfs", "/dev/shm"]
    asked += ["--remount-ro", "/dev", *_bounded(ROOM), "--tmpfs", str(HOME)]
    if not any(place.is_relative_to("/tmp") for place in (*beside, *below)):
        asked += ["--symlink", str(HOME), "/tmp"]
    return [*asked, "--remount-ro", "/", "--chdir", str(HOME), "--"]


def _folders_above(places: Sequence[Path]) -> list[str]:
    """The folders in which places lie, empty but for them; without this only root could pass through some of them."""
    if "--perms OCTAL" not in _options():
        return []
    above = {folder for place in places for folder in place.parents} - {Path("/")}
    return [word for folder in sorted(above) for word in ("--perms", "0755", "--dir", str(folder))]


def _bind(place: Path) -> list[str]:
    if place.is_symlink():
        return ["--symlink", os.readlink(place), str(place)]
    return ["--ro-bind", str(place), str(place)]


@cache
def _shown() -> tuple[Path, ...]:
    """What is seen inside: the system's programs, Python with what is installed in it, and this package."""
    wanted = {Path(p) for p in (*_SYSTEM, *_SETTINGS)} | {PACKAGE, *_python()} | _installed_elsewhere()
    return tuple(sorted(p for p in wanted if p.exists() and p != Path("/")))


def _outermost(places: Iterable[Path]) -> list[Path]:
    """Those that lie in no other of them."""
    there = list(places)
    folders = [p for p in there if not p.is_symlink()]
    return [p for p in there if not any(p != q and p.is_relative_to(q) for q in folders)]


def _python() -> set[Path]:
    """Where this Python lies, with every step of the links that lead to it."""
    places = {Path(p) for p in (sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix)}
    places |= {p.resolve() for p in places}
    step = Path(sys.executable)
    for _ in range(40):
        places.add(step)
        if not step.is_symlink():
            break
        step = step.parent / os.readlink(step)
    return {Path(os.path.normpath(p)) for p in places}


def _installed_elsewhere() -> set[Path]:
    """Folders outside of this Python that what we need is imported from, such as those of `pip install --user`."""
    entries = {Path(p).resolve() for p in sys.path if p and os.path.isdir(p)}
    return {p for p in entries if any((p / name).is_dir() for name in NEEDED)}


@cache
def _options() -> str:
    """The options that this bubblewrap knows."""
    said = subprocess.run(["bwrap", "--help"], capture_output=True, text=True, timeout=20, check=False)
    return said.stdout + said.stderr


def _bounded(room: int) -> list[str]:
    """Options for the next tmpfs: everyone may write to it, up to a bound. An old bubblewrap lacks some of them."""
    size = ["--size", str(room)] if "--size BYTES" in _options() else []
    return [*size, *(["--perms", "1777"] if "--perms OCTAL" in _options() else [])]


def environment(home: Path) -> dict[str, str]:
    """What a process inside knows of the machine: where it finds Python and this package, and no more."""
    imported = [str(PACKAGE.parent), *sorted(map(str, _installed_elsewhere()))]
    return {
        "HOME": str(home), "TMPDIR": str(home), "IPYTHONDIR": str(home), "PATH": os.defpath, "LANG": "C.UTF-8",
        "PYTHONPATH": os.pathsep.join(imported), "PYTHONDONTWRITEBYTECODE": "1", "PYTHONNOUSERSITE": "1",
        "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MPLCONFIGDIR": str(home),
        "TENSORWIDGETS_PROGRESS": str(home / "progress.json"),
    }  # fmt: skip
