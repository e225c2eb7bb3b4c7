"""`tensorwidgets lab`: JupyterLab with the lessons, on a desktop, on a remote machine and in a container.

The terminal shows what one has to know, and the address last and alone. All that Jupyter and its kernels print goes to
a file; errors are shown as well.
"""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TextIO

from tensorwidgets.course.quick_start import jupyterlab
from tensorwidgets.course.shelf import LESSONS
from tensorwidgets.live.saving import HOOK

SETTINGS = Path(__file__).with_name("jupyter")
"""JupyterLab's defaults for a student: no question about news over the first page, nothing asked of other machines."""
EVERYWHERE = ("", "*", "0.0.0.0", "::")
ANSWERED_AT_ONCE = ("--version", "--help-all", "--show-config", "--show-config-json", "--generate-config")
ROOT = "Running as root: Jupyter is started with --allow-root. {listens}"
HERE_ALONE = "It listens on this machine alone"
ON_ALL = "It listens on every address of this machine (--ip)"


def run_jupyterlab(folder: Path, browser: bool, for_jupyterlab: Sequence[str], home: str = "") -> int:
    """Run JupyterLab on a folder of lessons until it is stopped; the exit status. `home` is what `a_home` gave."""
    from tensorwidgets.live.at_once import send_at_once

    LabApp = jupyterlab()

    options = [
        f"--ServerApp.root_dir={folder.resolve()}",
        f"--LabApp.default_url=/lab/tree/{LESSONS[0].file}",
        f"--FileContentsManager.pre_save_hook={HOOK}",
    ]
    opens = browser and "--no-browser" not in for_jupyterlab and browser_here() is not None
    if not opens:
        options.append("--no-browser")
    if is_root():
        options.append("--allow-root")
    os.environ["JUPYTER_CONFIG_PATH"] = os.pathsep.join(
        filter(None, [os.environ.get("JUPYTER_CONFIG_PATH"), str(SETTINGS)])
    )
    arguments = [*options, *for_jupyterlab]
    if any(option in ANSWERED_AT_ONCE for option in for_jupyterlab):
        LabApp.launch_instance(arguments)
        return 0
    with _into_a_file() as (terminal, log):
        if home:
            print(f"Your home folder cannot be written to: Jupyter uses {home} instead.", file=terminal)
        server: Any = None
        try:
            server = LabApp.initialize_server(arguments)
            send_at_once(server)
            _show_errors(server, terminal)
            _stop_at_once(server, terminal)
            server.io_loop.add_callback(_say_where, server, terminal, log, opens)
            server.start()
        except KeyboardInterrupt:
            print("\nStopped.", file=terminal)
        except BaseException as wrong:
            if isinstance(wrong, SystemExit) and not wrong.code:
                return 0
            with contextlib.suppress(OSError):
                sys.stderr.flush()
            said = log.read_text(encoding="utf-8", errors="replace").splitlines()[-12:]
            why = "" if isinstance(wrong, SystemExit) else f"{type(wrong).__name__}: {wrong}\n"
            print("\n".join(said), f"{why}JupyterLab could not be started. Its log: {log}", sep="\n", file=terminal)
            return 1
        finally:
            if server is not None:
                server.log.disabled = True  # its threads may still have something to say when the terminal is back
    with contextlib.suppress(OSError):  # Windows keeps a file that a kernel has not closed yet
        log.unlink()
    return 0


def is_root() -> bool:
    """Whether this process is root, where there is one."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


def browser_here() -> str | None:
    """The browser that can be opened from here. None on a machine without a screen, and in most containers."""
    import webbrowser

    screen = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or os.environ.get("BROWSER")
    if sys.platform.startswith(("linux", "freebsd")) and not screen:
        return None  # a browser for the terminal may be installed, but JupyterLab does not run in it
    try:
        one = webbrowser.get()
    except webbrowser.Error:
        return None
    return str(getattr(one, "name", "one that the system names"))


def address(server: Any) -> str:
    """Where the first lesson is, with the token: what a browser on this machine opens."""
    from jupyter_server.utils import url_path_join

    host = "127.0.0.1" if server.ip in (*EVERYWHERE, "localhost") else server.ip
    host = f"[{host}]" if ":" in host else host
    token = server.identity_provider.token
    place = url_path_join(server.base_url, server.default_url)
    return f"http{'s' if server.certfile else ''}://{host}:{server.port}{place}{f'?token={token}' if token else ''}"


def _say_where(server: Any, terminal: TextIO, log: Path, opens: bool) -> None:
    """The last lines, said when the server answers."""
    lines = []
    if is_root():
        listens = ON_ALL if server.ip in EVERYWHERE else HERE_ALONE
        asks = "asks for the token in its address" if server.identity_provider.token else "asks for no token"
        lines.append(ROOT.format(listens=f"{listens} and {asks}."))
    lines.append(f"Jupyter's log is {log}; Ctrl-C stops it.")
    if opens:
        lines.append("If no browser opens, open this address:")
    else:
        lines += _from_elsewhere(server.port)
    print(*lines, "", address(server), sep="\n", file=terminal, flush=True)


def _from_elsewhere(port: int) -> list[str]:
    """How to reach a server on a machine without a browser."""
    user = os.environ.get("USER") or ("root" if is_root() else "YOU")
    connected = os.environ.get("SSH_CONNECTION", "").split()
    machine = connected[2] if len(connected) == 4 else "THIS-MACHINE"
    way = f"-p {connected[3]} " if len(connected) == 4 and connected[3] != "22" else ""
    return [
        "No browser can be opened from here. Open the address in a browser on this machine. From another one, first:",
        f"    ssh {way}-L {port}:127.0.0.1:{port} {user}@{machine}",
        "In a container, start it like this, and open the address outside:",
        f"    docker run -it -p 127.0.0.1:{port}:{port} IMAGE tensorwidgets lab --ip=0.0.0.0 --port={port}",
    ]


@contextlib.contextmanager
def _into_a_file() -> Iterator[tuple[TextIO, Path]]:
    """What this process and its kernels print goes to a file meanwhile; gives the terminal, and the file."""
    number, name = tempfile.mkstemp(prefix="tensorwidgets-lab-", suffix=".log")
    sys.stdout.flush()
    sys.stderr.flush()
    kept = os.dup(1), os.dup(2)
    os.dup2(number, 1)
    os.dup2(number, 2)
    os.close(number)
    try:
        with os.fdopen(os.dup(kept[0]), "w", encoding="utf-8", errors="backslashreplace") as terminal:
            yield terminal, Path(name)
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        for end, old in enumerate(kept, start=1):
            os.dup2(old, end)
            os.close(old)


@contextlib.contextmanager
def a_home() -> Iterator[str]:
    """A temporary home folder if there is no writable one, as in a container that runs under a numeric user id.

    Jupyter asks for it already when it is imported.
    """
    try:
        home = Path.home()
        while not home.exists():
            home = home.parent
        writable = os.access(home, os.W_OK)
    except RuntimeError:  # neither the environment nor the system knows one
        writable = False
    if writable:
        yield ""
        return
    with tempfile.TemporaryDirectory(prefix="tensorwidgets-home-", ignore_cleanup_errors=True) as made:
        os.environ["HOME"] = made
        yield made


def _show_errors(server: Any, terminal: TextIO) -> None:
    """Prints errors to the terminal as well, but not the messages that Jupyter logs above that level."""
    shown = logging.StreamHandler(terminal)
    shown.setLevel(logging.ERROR)
    shown.setFormatter(logging.Formatter("%(levelname)s: %(message)s"))
    shown.addFilter(lambda record: record.levelno == logging.ERROR)
    server.log.addHandler(shown)


def _stop_at_once(server: Any, terminal: TextIO) -> None:
    """Ctrl-C ends the server and its kernels, without a question."""

    def stop(*given: Any) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.write(terminal.fileno(), b"\nStopping JupyterLab and its kernels.\n")
        server.stop(from_signal=True)

    signal.signal(signal.SIGINT, stop)
    signal.signal(signal.SIGTERM, stop)
