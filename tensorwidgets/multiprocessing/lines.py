"""What a rank prints, line by line: lines of several ranks do not mix, and each says whose it is."""

from __future__ import annotations

from collections.abc import Callable

LONGEST = 1 << 16
"""Bytes after which a line without an end is printed."""


class Lines:
    """The output of one rank, cut into lines.

    >>> lines = Lines("[rank 1] ", print)
    >>> lines.add(b"one\\ntw")
    [rank 1] one
    >>> lines.add(b"o 10 %\\rtwo 20 %\\n")
    [rank 1] two 20 %
    """

    def __init__(self, prefix: str, write: Callable[[str], object]):
        self.prefix, self.write, self.rest = prefix, write, b""

    def add(self, data: bytes) -> None:
        """Print the lines that are whole; of a line that was written over, what a terminal would show."""
        *lines, self.rest = (self.rest + data).split(b"\n")
        for line in lines:
            self._print(line)
        if len(self.rest) > LONGEST:
            self.end()

    def end(self) -> None:
        """Print what is left without an end of line."""
        if self.rest:
            self._print(self.rest)
            self.rest = b""

    def _print(self, line: bytes) -> None:
        shown = line.rstrip(b"\r").rpartition(b"\r")[2]
        self.write(self.prefix + shown.decode("utf-8", "replace"))
