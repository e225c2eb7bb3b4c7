"""What the lessons say of PyTorch's speed, measured: by how much one call takes longer than another.

    python -m benchmarks.lesson_claims

The tests count operators, bytes and instructions instead (`tests/course/claims.tsv`), for a clock proves nothing on a
busy machine.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import torch

ROUNDS = 25


def seconds(call: Callable[[], Any]) -> float:
    """How long one run took."""
    begin = time.perf_counter()
    call()
    return time.perf_counter() - begin


def times_slower(call: Callable[[], Any], than: Callable[[], Any]) -> float:
    """By how much; both run in turns, and the least of each counts."""
    runs = [(seconds(call), seconds(than)) for _ in range(ROUNDS)]
    return min(one for one, _ in runs) / min(other for _, other in runs)


def main() -> None:
    torch.set_num_threads(1)
    t, x = torch.ones(10**4), torch.arange(12).reshape(3, 4)
    n = t.tolist()
    big = torch.zeros(1).expand(10**9)
    a = torch.rand(500, 500)
    b = a.double()
    claims = [
        ("01", "a loop in Python over a list, beside one operation", 2, lambda: [v * 2 for v in n], lambda: t * 2),
        (
            "01",
            "a loop over a tensor, beside one over a list",
            2,
            lambda: [v * 2 for v in t],
            lambda: [v * 2 for v in n],
        ),
        ("06, 11", "a product in float64, beside one in float32", 1.1, lambda: b @ b, lambda: a @ a),
        ("04", "a view of a billion elements, beside one of twelve", 0, lambda: big[5:], lambda: x[1:]),
        ("11", "numpy() of a billion elements, beside twelve", 0, lambda: big.numpy(), lambda: x.numpy()),
    ]
    for lesson, words, least, call, than in claims:
        ratio = times_slower(call, than)
        wanted = f"more than {least}" if least else "about 1"
        print(f"lesson {lesson:6}  {words:52} {ratio:8.2f} times  (said: {wanted})")


if __name__ == "__main__":
    main()
