"""The calls of a group as its methods. They return something to wait for."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from ..engine.tensor.tensor import Tensor
from .reduce_ops import ReduceOp
from .stores.arguments import refuse_type


class Methods:
    """Calls of a group by the names that PyTorch's C++ gives them."""

    def allreduce(self, tensors: Any, op: Any = ReduceOp.SUM) -> Any:
        """`all_reduce` of a tensor, or of a list with one."""
        from .collectives import all_reduce

        return all_reduce(_only("allreduce", tensors), op, self, async_op=True)

    def broadcast(self, tensors: Any, root: int) -> Any:
        """`broadcast` of a tensor, or of a list with one; `root` is a rank of the group."""
        from .collectives import broadcast

        return broadcast(_only("broadcast", tensors), group=self, async_op=True, group_src=root)

    def allgather(self, output_tensors: Any, input_tensors: Any) -> Any:
        """`all_gather` of a tensor, or of a list with one and a list of lists."""
        from .collectives import all_gather

        outputs = output_tensors[0] if isinstance(input_tensors, list) else output_tensors
        return all_gather(outputs, _only("allgather", input_tensors), self, async_op=True)

    def barrier(self) -> Any:
        """`barrier`."""
        from .collectives import barrier

        return barrier(self, async_op=True)

    def monitored_barrier(self, timeout: timedelta | None = None, wait_all_ranks: bool = False) -> None:
        """`monitored_barrier`."""
        from .collectives import monitored_barrier

        monitored_barrier(self, timeout, wait_all_ranks)


def _only(call: str, given: Any) -> Tensor:
    if isinstance(given, list) and len(given) == 1:
        given = given[0]
    if not isinstance(given, Tensor):
        refuse_type(call, "a tensor, or a list of one tensor")
    return given
