"""Orders: sort, topk and others. The gradient goes back to where an element came from."""

from __future__ import annotations

from typing import Any

from ..declaring import differentiate, not_differentiable, parts
from ..reduced import into_places

for _node, _stable in (("SortBackward1", True), ("SortBackward0", False)):
    differentiate(
        "sort", node=_node, when=(lambda call: "stable" in call) if _stable else None,
        input=lambda grad, result1, input_like, dim=-1: into_places(grad, result1, input_like, dim, True),
    )  # fmt: skip
differentiate("topk", input=lambda grad, result1, input_like, dim=-1: into_places(grad, result1, input_like, dim, True))


@parts("msort")
def msort(input: Any) -> Any:
    """sort along the first dimension"""
    return input.sort(0)[0]


not_differentiable("argsort searchsorted bucketize")
