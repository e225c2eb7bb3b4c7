"""Where the code of this package lies, and its name, for those who tell its frames from a user's."""

from __future__ import annotations

from pathlib import Path

PACKAGE = str(Path(__file__).parents[2])
"""The folder of this package: frames of its files are not the user's."""

PACKAGE_NAME = __name__.partition(".")[0]
"""The name of this package, which `torch` may be another name of."""
