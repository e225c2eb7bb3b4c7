"""What factorings of matrices cost: the third power of the size, times a number of steps for each kind."""

from __future__ import annotations

from typing import Any

from ...interop.foreign_arrays import is_array
from ..counting import numel, shape, times, together, whole
from .call import Call, Cost, Rule
from .linear import fold

_EACH = 40_000
"""Steps that one small matrix of a batch takes."""


def factored(steps: float, full: bool = False, factors: int = 3) -> Rule:
    """One or two batches of matrices; a full factor is as large as the square of the longer side."""

    def rule(call: Call) -> Cost:
        many = [(1, 1, *shape(a)) for a in call.arrays]
        if not many:
            return Cost()
        batch = together(s[:-2] for s in many)
        side = max(max(s[-2:]) for s in many)
        held = sum(times(*s[-2:]) for s in many)
        whole_factor = full and not any(call.kwargs.get(word) is False for word in ("full_matrices", "compute_uv"))
        whole_factor = whole_factor and call.kwargs.get("some") is not True
        one = held * factors + (times(side, side) * 2 if whole_factor else 0)
        rounds = times(batch, held, min(side, max(min(s[-2:]) for s in many)) if not whole_factor else side)
        return Cost(times(batch, one), int(rounds * steps) + times(batch, _EACH), times(batch, one))

    return rule


def low_rank(call: Call, a: Any, q: Any, second: Any, third: Any) -> Cost:
    """A few products with a thin matrix, as often as `niter` says."""
    rounds = max([2, *(whole(v) for v in (*call.args[2:], call.kwargs.get("niter")) if not is_array(v))])
    thin = max(whole(q, 6), 1)
    n = times(numel(a), thin)
    side = max([1, *shape(a)[-2:]])
    return Cost(
        2 * times(numel(a) // side, thin) + numel(a), times(n, rounds + 2) * 4, 3 * numel(a) + times(side, thin)
    )


def norm(spectral: Rule, words: tuple[Any, ...]) -> Rule:
    """A fold, or by one of these words the singular values."""
    plain = fold(20)

    def rule(call: Call) -> Cost:
        named = any(type(v) in (int, float, str) and v in words for v in (*call.args[1:2], *call.kwargs.values()))
        return spectral(call) if named and any(len(shape(a)) > 1 for a in call.arrays) else plain(call)

    return rule
