"""How Jupyter comes to ask for forks: a folder in which it finds a `python3` before the real one."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOOR = Path(__file__).with_name("door.py")


class Kernels:
    """While it is open, whatever starts a kernel with the variables of this process starts a fork."""

    def __init__(self, variables: Mapping[str, str]) -> None:
        """`variables` are set where kernels are started, if they are not set here."""
        short = len(tempfile.gettempdir()) < 60  # a socket's name has 107 bytes
        self.folder = tempfile.TemporaryDirectory(prefix="kernels-", dir=None if short else "/tmp")
        self.address = os.path.join(self.folder.name, "socket")
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listening:
            listening.bind(self.address)
            listening.listen(64)
            self.server = subprocess.Popen(
                [sys.executable, "-m", "tests.kernels.server", str(listening.fileno())],
                cwd=ROOT,
                env={**variables, **os.environ},
                stdin=subprocess.PIPE,
                pass_fds=[listening.fileno()],
                start_new_session=True,
            )
        spec = Path(self.folder.name, "kernels", "python3", "kernel.json")
        spec.parent.mkdir(parents=True)
        argv = [sys.executable, "-S", "-E", str(DOOR), self.address, "-f", "{connection_file}"]
        spec.write_text(json.dumps({"argv": argv, "display_name": "Python 3 (ipykernel)", "language": "python"}))
        self.before = os.environ.get("JUPYTER_PATH")
        os.environ["JUPYTER_PATH"] = os.pathsep.join(filter(None, [self.folder.name, self.before]))

    def close(self) -> None:
        if self.before is None:
            del os.environ["JUPYTER_PATH"]
        else:
            os.environ["JUPYTER_PATH"] = self.before
        self.server.communicate()  # its standard input ends, and so do it and its kernels
        self.folder.cleanup()
