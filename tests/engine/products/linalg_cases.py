"""Calls of linear algebra: what they give, or how they are refused. Written as source, for either engine."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def names(torch: Any) -> dict[str, Any]:
    """What the calls speak of."""

    def made(*size: int, dtype: Any = None) -> Any:
        count = 1
        for n in size:
            count *= n
        found = ((torch.arange(count) * 37 + 5) % 23).to(torch.float32).sub(11).div(7).reshape(size)
        return found if dtype is None else found.to(dtype)

    square = made(3, 3)
    found = {
        "torch": torch, "L": torch.linalg, "made": made, "inf": float("inf"), "A": square,
        "S": square @ square.mT + torch.eye(3), "W": made(2, 4, 4), "I": torch.ones(3, 3, dtype=torch.int64),
        "E": torch.empty(0, 0), "EB": torch.empty(0, 3, 3), "H": square.to(torch.float16), "B": made(5, 3),
        "V": torch.arange(1.0, 5.0), "U": made(2, 3, 5), "C": made(3, 3, dtype=torch.complex64),
        "M": torch.empty(2, 4, 3, device="meta"), "MQ": torch.empty(2, 4, 4, device="meta"),
    }  # fmt: skip
    found["LU"], found["P"] = torch.linalg.lu_factor(found["S"])
    found["LW"], found["PW"] = torch.linalg.lu_factor(found["W"])
    found["Q"], found["tau"] = torch.geqrf(made(4, 3))
    return found


def outcome(torch: Any, call: str, known: dict[str, Any]) -> list[Any]:
    """What a call gives, as dtypes, sizes and strides; or the exception with the first line of its message."""
    try:
        found = eval(call, dict(known))
    except Exception as error:
        return [type(error).__name__, str(error).splitlines()[0] if str(error) else ""]
    parts = found if isinstance(found, tuple) else (found,)
    return [[str(t.dtype)[6:], list(t.shape), _strides(t)] for t in parts]


def _strides(t: Any) -> list[int]:
    """The strides that matter: not those of an empty tensor, nor of a dimension of size 1."""
    return [s for s, n in zip(t.stride(), t.shape, strict=True) if n > 1 and t.numel()]


CALLS = Path(__file__).with_name("linalg_calls.txt").read_text(encoding="utf-8").splitlines()
"""The calls, one a line."""
