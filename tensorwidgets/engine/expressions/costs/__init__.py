"""An upper bound on what each call in an expression costs: elements, work, Python objects.

A name without a rule cannot be called, so a cost that cannot be bounded keeps its name off the list. The rules do
arithmetic on shapes and whole numbers, and all of it is capped (see `counting`): no rule loops over a number that was
given, and none computes with the elements of an array.

>>> import numpy as np
>>> cost_of("sort", (np.zeros(1000),), {}).elements
2000
>>> cost_of("diff", (np.zeros(1000), 10**9), {}).work
13000000001000
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..counting import arrays, flat, numel
from .call import Call, Cost, Uncounted
from .linear import ASKING, meta_alone, on_meta
from .table import IN_LINALG, RULES, SHAPING, VIEWING, WITHOUT_NUMBERS


def has_rule(name: str) -> bool:
    """Whether a name has a rule; `add_` has that of `add`.

    >>> has_rule("add_"), has_rule("shares_memory")
    (True, False)
    """
    return name in RULES or name in IN_LINALG or name.endswith("_") and name[:-1] in RULES


def cost_of(name: str, args: tuple, kwargs: Mapping[str, Any], linalg: bool = False) -> Cost:
    """What a call takes at most; raises `Uncounted` where it passes what the rule of its name does not read."""
    rule = (IN_LINALG.get(name) if linalg else None) or RULES.get(name) or RULES.get(name[:-1]) or IN_LINALG[name]
    call = Call(name, args, kwargs)
    try:
        cost = rule(call)
    except (TypeError, ValueError, IndexError, KeyError, AttributeError, RuntimeError) as error:
        raise Uncounted("these arguments") from error
    if meta_alone(call) or name in WITHOUT_NUMBERS and on_meta(call):
        return Cost(work=2000, objects=cost.objects)  # a view is an object, numbers or not
    wide = call.width
    sizes = sum(1 for _ in flat(call.given)) if name in SHAPING else 0  # the arguments for each dimension
    read = sum(map(numel, arrays(call.given[rule in VIEWING :]))) if rule not in ASKING else 0  # whatever they mean
    work = cost.work + read + 100 * sizes**2
    return cost._replace(elements=cost.elements * wide, work=work, scratch=cost.scratch * wide)


__all__ = ["Cost", "Uncounted", "cost_of", "has_rule"]
