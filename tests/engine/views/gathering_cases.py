"""Calls whose answers by PyTorch are frozen: places, masks, ties, NaN, overlaps, in-place forms, refusals.

They are listed in `gathering_calls.txt`. Names in a call: ``t`` is the engine, ``x`` a 3x4 matrix of 0. to 11., ``i``
an index, ``s`` ones, ``L`` is t.tensor.
"""

from __future__ import annotations

from pathlib import Path

LINES = Path(__file__).with_name("gathering_calls.txt").read_text(encoding="utf-8").splitlines()
CALLS = [line for line in LINES if not line.startswith("# ")]
