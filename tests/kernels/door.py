"""What Jupyter starts in place of a kernel: it asks for a fork, passes signals on, and ends as the fork does.

`python -S door.py SOCKET ARGUMENT...`, with a kernel's arguments. It imports as little as it can. Where variables
differ that change what is imported, it becomes a real kernel.
"""

import json
import os
import signal
import socket
import sys

MATTERS = ("PYTHON", "OMP_", "OPENBLAS_", "MKL_", "TENSORWIDGETS_", "LD_", "MPLBACKEND", "NO_COLOR")
"""Beginnings of variables that are read when something is imported."""


def that_matter(environment):  # type: ignore[no-untyped-def]
    return {name: value for name, value in environment.items() if name.startswith(MATTERS)}


def main():  # type: ignore[no-untyped-def]
    address, *arguments = sys.argv[1:]
    asked = {"environment": dict(os.environ), "folder": os.getcwd(), "arguments": arguments}
    with socket.socket(socket.AF_UNIX) as server:
        try:
            server.connect(address)
            socket.send_fds(server, [b"\0"], [0, 1, 2])
            server.sendall(json.dumps(asked).encode() + b"\n")
            told = server.makefile()
            pid = json.loads(told.readline() or "0")
        except OSError:
            pid = 0
        if not pid:
            os.execv(sys.executable, [sys.executable, "-m", "ipykernel_launcher", *arguments])
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, lambda number, frame: os.killpg(pid, number))
        status = json.loads(told.readline() or "-9")
    if status < 0:
        signal.signal(-status, signal.SIG_DFL) if -status != signal.SIGKILL else None
        os.kill(os.getpid(), -status)
    sys.exit(status)


if __name__ == "__main__":
    main()
