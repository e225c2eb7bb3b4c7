"""What Jupyter starts in place of a kernel: it asks for a fork, passes signals on, and ends as the fork does.

`python -S door.py SOCKET ARGUMENT...`, with a kernel's arguments. It imports as little as it can. Wherever it gets no
fork it becomes a real kernel: variables differ that change what is imported, the process that forks has ended, or it
has refused.
"""

import json
import os
import signal
import socket
import sys

MATTERS = ("PYTHON", "OMP_", "OPENBLAS_", "MKL_", "TENSORWIDGETS_", "LD_", "MPLBACKEND", "NO_COLOR")
"""Beginnings of variables that are read when something is imported."""
LATER = ("TENSORWIDGETS_PROGRESS",)
"""Variables that begin so and are read each time they are needed."""


def that_matter(environment):  # type: ignore[no-untyped-def]
    """Those variables, with each folder of a path once: where a second copy of it is looked into changes nothing."""
    return {
        name: [*dict.fromkeys(value.split(os.pathsep))] if name == "PYTHONPATH" else value
        for name, value in environment.items()
        if name.startswith(MATTERS) and name not in LATER
    }


def ask(address, arguments):  # type: ignore[no-untyped-def]
    """The connection to the process that forks, and the number of the fork; or nothing.

    A question is one message, with the streams of this process. So it arrives whole or not at all.
    """
    asked = {"environment": dict(os.environ), "folder": os.getcwd(), "arguments": arguments}
    server = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    try:
        server.connect(address)
        socket.send_fds(server, [json.dumps(asked).encode()], [0, 1, 2])
        pid = int(server.recv(64) or b"0")
    except OSError:
        pid = 0
    return (server, pid) if pid else None


def send(pid, number):  # type: ignore[no-untyped-def]
    """A signal for the fork and what it has started; the fork alone, if it leads no group yet."""
    for kill in (os.killpg, os.kill):
        try:
            return kill(pid, number)
        except ProcessLookupError:
            pass


def main():  # type: ignore[no-untyped-def]
    address, *arguments = sys.argv[1:]
    found = ask(address, arguments)
    if found is None:
        os.execv(sys.executable, [sys.executable, "-m", "ipykernel_launcher", *arguments])
    server, pid = found
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, frame: send(pid, number))
    status = int(server.recv(64) or b"-9")
    if status < 0:
        signal.signal(-status, signal.SIG_DFL) if -status != signal.SIGKILL else None
        os.kill(os.getpid(), -status)
    sys.exit(status)


if __name__ == "__main__":
    main()
