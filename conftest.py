"""The checkout comes first, here and in every process that a test starts (kernels, servers, command lines).

The tests are about the files beside them, also where an older copy of the package is installed.
"""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent
_inherited = os.environ.get("PYTHONPATH")
os.environ["PYTHONPATH"] = f"{ROOT}{os.pathsep}{_inherited}" if _inherited else str(ROOT)
