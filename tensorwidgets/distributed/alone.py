"""The calls of a group of one rank: nobody else is asked."""

from __future__ import annotations

from typing import Any

import numpy as np

from .work import Deadline


class Alone:
    """A group of one rank."""

    rank, size = 0, 1

    def meet(self, facts: Any, deadline: Deadline) -> None:
        """All are here."""

    def barrier(self) -> None:
        """All are here."""

    def missing(self, wait: bool) -> list[int]:
        """All are here."""
        return []

    def broadcast(self, values: np.ndarray, root: int) -> None:
        """It has them."""

    def all_reduce(self, numbers: np.ndarray, op: str, deadline: Deadline) -> None:
        """The numbers of one rank are its own."""

    def reduce(self, numbers: np.ndarray, op: str, root: int) -> None:
        """The numbers of one rank are its own."""

    def reduce_scatter(self, numbers: np.ndarray, out: np.ndarray, op: str) -> None:
        """The only part."""
        out[...] = numbers.reshape(out.shape)

    def all_gather(self, values: np.ndarray, out: np.ndarray) -> None:
        """The only part."""
        out[...] = values.reshape(out.shape)

    def gather(self, values: np.ndarray, out: np.ndarray | None, root: int) -> None:
        """The only part."""
        if out is not None:
            out[...] = values.reshape(out.shape)

    def scatter(self, values: np.ndarray | None, out: np.ndarray, root: int) -> None:
        """The only part."""
        if values is not None:
            out[...] = values.reshape(out.shape)

    def all_to_all(self, values: np.ndarray, counts: list[int], out: np.ndarray, out_counts: list[int]) -> None:
        """The only part."""
        if counts != out_counts:
            raise RuntimeError(f"this rank sends itself {counts[0]} bytes and expects {out_counts[0]}")
        out[...] = values
