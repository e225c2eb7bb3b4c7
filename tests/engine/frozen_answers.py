"""Answers of PyTorch to calls, frozen in a file: which of them does a library answer in another way?"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any


def answered_otherwise(
    library: Any, reference: Path, calls: list[str], answer: Callable[[Any, str], Any]
) -> list[tuple[str, Any, Any]]:
    """The calls to which the answer of a library is not the frozen one, each with both."""
    frozen = json.loads(gzip.decompress(reference.read_bytes()))["answers"]
    assert list(frozen) == calls
    both = [(call, frozen[call], answer(library, call)) for call in calls]
    return [(call, expected, found) for call, expected, found in both if found != expected]
