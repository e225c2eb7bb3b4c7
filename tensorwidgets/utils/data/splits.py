"""How is a dataset divided at random?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import accumulate
from typing import Any, TypeVar

from ...engine.derivatives.ops import torch
from ...engine.errors.warnings import warn
from ...engine.tensor.generator import default_generator
from .dataset import Dataset, Subset

T = TypeVar("T")


def random_split(
    dataset: Dataset[T], lengths: Sequence[int | float], generator: Any | None = default_generator
) -> list[Subset[T]]:
    """Subsets of the given lengths, or fractions whose sum is 1, that share no sample.

    >>> import tensorwidgets as torch
    >>> parts = random_split(range(10), [0.3, 0.7], generator=torch.Generator().manual_seed(42))
    >>> [list(part) for part in parts]
    [[2, 6, 1], [8, 4, 5, 0, 9, 3, 7]]
    """
    count = len(dataset)  # type: ignore[arg-type]  # as most datasets have it
    if math.isclose(sum(lengths), 1) and sum(lengths) <= 1:
        lengths = _of_fractions(lengths, count)
    if sum(lengths) != count:
        raise ValueError("Sum of input lengths does not equal the length of the input dataset!")
    order = torch.randperm(sum(lengths), generator=generator).tolist()
    ends = accumulate(lengths)
    return [Subset(dataset, order[end - length : end]) for end, length in zip(ends, lengths, strict=True)]  # type: ignore[misc]


def _of_fractions(fractions: Sequence[float], total: int) -> list[int]:
    """Rounded down; what is left goes one by one to the parts from the first on."""
    counts = []
    for i, fraction in enumerate(fractions):
        if fraction < 0 or fraction > 1:
            raise ValueError(f"Fraction at index {i} is not between 0 and 1")
        counts.append(math.floor(total * fraction))
    for i in range(total - sum(counts)):
        counts[i % len(counts)] += 1
    for i, count in enumerate(counts):
        if not count:
            warn(f"Length of split at index {i} is 0. This might result in an empty dataset.")
    return counts
