"""`Anatomy`: the contents of a file without loading it: its records, its tensors, and the globals that were refused."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod


@dataclass(frozen=True)
class Record:
    """A run of bytes in a file."""

    name: str
    start: int
    nbytes: int
    kind: str
    """storage, pickle, chunk, or note."""


@dataclass(frozen=True)
class TensorEntry:
    """A tensor or a dataset as the file describes it."""

    place: str
    """The path to the tensor inside the saved object, such as ``['layers'][0]``."""
    kind: str
    """tensor, parameter, sparse tensor …"""
    dtype: str
    size: tuple[int, ...]
    stride: tuple[int, ...] | None
    offset: int
    storage: str
    """The record that holds its bytes; empty if the tensor holds no bytes."""
    nbytes: int

    @property
    def numel(self) -> int:
        return prod(self.size)

    def words(self) -> str:
        """The tensor in one line.

        >>> TensorEntry("['x']", "tensor", "float32", (2, 3), (1, 2), 0, "data/0", 24).words()
        'tensor float32 [2, 3], stride [1, 2], data/0'
        """
        parts = [f"{self.kind} {self.dtype} {list(self.size)}"]
        if self.stride is not None and self.stride != _rows(self.size):
            parts.append(f"stride {list(self.stride)}")
        if self.offset:
            parts.append(f"offset {self.offset:,}")
        parts.append(self.storage or "no bytes")
        return ", ".join(parts)


@dataclass(frozen=True)
class Anatomy:
    """The contents of a file as a printable list. No tensor is loaded and no code is run."""

    name: str
    form: str
    nbytes: int
    records: tuple[Record, ...] = ()
    tensors: tuple[TensorEntry, ...] = ()
    refused: tuple[str, ...] = ()
    """Globals that the file names and that are not on the allow-list."""
    problems: tuple[str, ...] = ()
    touched: tuple[tuple[int, int], ...] = ()
    """The byte ranges (start, end) that reading one tensor, or a part of it, touches."""

    @property
    def loadable(self) -> bool:
        """Whether `load` would accept the file, judged without reading the tensors' bytes."""
        return not self.refused and not self.problems

    def __str__(self) -> str:
        lines = [f"{_shown(self.name)}: {self.form}, {self.nbytes:,} bytes"]
        for title, listed in (
            ("tensors", [f"{_shown(t.place) or 'the object itself'}: {_shown(t.words())}" for t in self.tensors]),
            ("records", [f"{r.start:>12,}  {r.nbytes:>12,} bytes  {_shown(r.name)}" for r in self.records]),
            ("refused: never called, and never will be", [_shown(name) for name in self.refused]),
            ("wrong", [_shown(problem) for problem in self.problems]),
            ("touched", [f"bytes {start:,} to {end - 1:,}" for start, end in self.touched]),
        ):
            if listed:
                lines += ["", f"{title} ({len(listed):,})", *(f"  {line}" for line in _few(listed))]
        return "\n".join(lines)

    __repr__ = __str__


_MOST = 60


def _few(lines: list[str]) -> list[str]:
    """All lines, or the first and last `_MOST // 2` of a longer list."""
    if len(lines) <= _MOST:
        return lines
    half = _MOST // 2
    return [*lines[:half], f"… {len(lines) - 2 * half:,} more", *lines[-half:]]


def _shown(text: str) -> str:
    """Text from a file on one line, at most 200 characters, with unprintable characters escaped."""
    whole = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text[:200])
    return whole + ("…" if len(text) > 200 else "")


def _rows(size: tuple[int, ...]) -> tuple[int, ...]:
    """The strides of a contiguous tensor."""
    stride, step = [], 1
    for n in reversed(size):
        stride.append(step)
        step *= max(n, 1)
    return tuple(reversed(stride))
