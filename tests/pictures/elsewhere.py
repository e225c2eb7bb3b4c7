"""The same pictures in another process, which orders sets in another way: what depends on that or on an address shows.

A test compares them with those of its own process. Only one more is started.
"""

from __future__ import annotations

import os
import subprocess
import sys


def told_elsewhere(module: str) -> bytes:
    """What `words()` of a module of tests gives in a new process with other hashes of texts than here."""
    code = f"import sys; from {module} import words; sys.stdout.buffer.write(words())"
    seed = "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
    )
    return done.stdout
