"""The gradients of several ranks become their mean, while backward goes on.

Each parameter tells when its gradient is complete. The gradient is copied into its bucket, divided by the number of
ranks; a bucket that is full is added up over all ranks by the group's thread. When all buckets are on their way,
backward waits for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, NoReturn

import numpy as np

from ...distributed import groups
from ...distributed.algorithms.grad_bucket import GradBucket, sent_by, told_by
from ...distributed.collectives import all_reduce, broadcast
from ...distributed.groups import ProcessGroup
from ...engine.autograd.facts import behind
from ...engine.autograd.passes.running import Engine
from ...engine.derivatives.ops import torch
from ...engine.errors.reasons import refuse
from ...engine.tensor.tensor import Tensor
from .buckets import Bucket, assign
from .unfinished import unfinished

TWICE = (
    "Expected to mark a variable ready only once. This error is caused by one of the following reasons: 1) Use of a "
    "module parameter outside the `forward` function. Please make sure model parameters are not shared across multiple "
    "concurrent forward-backward passes. or try to use _set_static_graph() as a workaround if this module graph does "
    "not change during training loop.2) Reused parameters in multiple reentrant backward passes. For example, if you "
    "use multiple `checkpoint` functions to wrap the same part of your model, it would result in the same set of "
    "parameters been used by different reentrant backward passes multiple times, and hence marking a variable ready "
    "multiple times. DDP does not support such use cases in default. You can try to use _set_static_graph() as a "
    "workaround if your module graph does not change over iterations."
)
"""PyTorch's error for a gradient that comes again."""


class Reducer:
    """The gradients of a model's parameters, on their way to all ranks."""

    def __init__(
        self, parameters: Sequence[Tensor], names: Sequence[str], sparse: Sequence[bool], group: ProcessGroup,
        caps: Sequence[int], find_unused: bool, as_views: bool, static: bool, caps_at_once: bool = False,
    ):  # fmt: skip
        self.parameters, self.names, self.sparse, self.group = list(parameters), list(names), list(sparse), group
        self.find_unused, self.as_views, self.static = find_unused and not static, as_views, static
        self.limits = list(caps)
        # Before the first backward nobody knows the order in which gradients come.
        first = self.limits if self.find_unused or caps_at_once else [1 << 62]
        self.buckets: list[Bucket] = []
        self._fill(list(reversed(assign(self.parameters, first, self.sparse))))
        self.rebuilt = self.find_unused
        self.expecting = False
        self.finished = True
        self.order: list[int] = []
        self.ready: set[int] = set()
        self.unused: set[int] = set()
        self.without: dict[int, Any] = {}
        """The unused parameters of this backward, also once they were marked, and their gradients before it."""
        self.used: set[int] = set()
        self.kept: set[int] = set()
        """The parameters that got a gradient which was not sent, under no_sync."""
        self.hook: Any = None
        """What sends the gradients of a bucket in place of their mean, and its state."""
        self.backwards = 0
        self.counts: dict[int, int] = {}
        """How often the gradient of a parameter comes in each backward of a static graph, which the first one tells."""
        self.left: dict[int, int] = {}
        self.everywhere: set[int] = set()
        """The parameters of a static graph that some rank uses."""
        self.handles = [
            p.register_post_accumulate_grad_hook(partial(self._completed, i)) for i, p in enumerate(self.parameters)
        ]

    def _fill(self, indices: list[list[int]]) -> None:
        self.buckets = [
            Bucket(number, each, self.parameters, self.sparse[each[0]]) for number, each in enumerate(indices)
        ]
        self.of = {i: bucket for bucket in self.buckets for i in bucket.indices}

    # -- forward -----------------------------------------------------------------------------------------------------

    def check_finished(self) -> None:
        """Refuse a forward before all gradients of the last backward have come."""
        if self.finished or not self.ready:
            return
        missing = [i for i in range(len(self.parameters)) if i not in self.ready]
        refuse(
            RuntimeError,
            unfinished(self.group.rank(), missing, self.names, self.find_unused, self.static),
            "no gradient came for " + ", ".join(self.names[i] for i in missing),
            "DistributedDataParallel(model, find_unused_parameters=True)",
            rule="distributed.unused",
        )

    def rebuild(self) -> None:
        """Once, put the gradients into buckets in the order in which they came; rank 0 says which."""
        if self.rebuilt or len(self.order) != len(self.parameters):
            return
        self.rebuilt = True
        order = torch.tensor(self.order)
        broadcast(order, group_src=0, group=self.group)
        came = order.tolist()
        self._fill(assign([self.parameters[i] for i in came], self.limits, self.sparse, came))

    def expect(self) -> None:
        """A backward may come."""
        for bucket in self.buckets:
            bucket.reset()
        self.expecting, self.finished = True, False
        self.order, self.ready, self.used, self.unused, self.without = [], set(), set(), set(), {}
        self.backwards += 1
        if self.static and self.backwards > 1:
            self.left = dict(self.counts)
            self.unused = set(range(len(self.parameters))) - set(self.counts)

    @property
    def learning(self) -> bool:
        """Whether this backward tells which gradients the others of a static graph bring."""
        return self.static and self.backwards == 1

    def set_static(self) -> None:
        """The graph is the same in every step."""
        self.static, self.find_unused = True, False
        self.rebuilt = False

    def starts_from(self, outputs: list[Tensor]) -> None:
        """Backward starts from these outputs: parameters that are not behind them get no gradient."""
        if self.expecting and self.learning:
            Engine.queue_callback(self._all_at_once)
        elif self.expecting:
            _, leaves = behind([t.grad_fn for t in outputs if t.grad_fn is not None])
            reached = {id(t) for t in leaves} | {id(t) for t in outputs if t.is_leaf}
            self.unused = {i for i, p in enumerate(self.parameters) if id(p) not in reached}
            self.without = {i: _as_it_is(self.parameters[i].grad) for i in self.unused}

    # -- backward ----------------------------------------------------------------------------------------------------

    def _completed(self, index: int, parameter: Tensor) -> None:
        if not self.expecting:
            if parameter.grad is not None:
                self.kept.add(index)
        elif index not in self.without:
            self.arrived(index)
        elif self.without[index] != _as_it_is(parameter.grad):
            self._refuse_twice(index)  # backward reaches these too, but without a gradient

    def arrived(self, index: int) -> None:
        """The gradient of a parameter is complete."""
        if not self.ready and groups.noting is not None:
            groups.noting.backward_begins()
        if self.learning:
            self.counts[index] = self.counts.get(index, 0) + 1
            return
        if index in self.ready and not self.static:
            self._refuse_twice(index)
        unused, self.unused = self.unused, set()
        self.used.add(index)
        for each in sorted(unused if self.static else unused - {index}):
            self._mark(each)
        if self.static:
            self._count_down(index)
            if self.left[index]:
                return
        self._mark(index)

    def _count_down(self, index: int) -> None:
        """One more gradient of a static graph has come."""
        if not self.left.get(index):
            refuse(
                RuntimeError,
                "Your training graph has changed in this iteration, e.g., one parameter is unused in first iteration, "
                "but then got used in the second iteration. this is not compatible with static_graph set to True.",
                f"{self.names[index]} got more gradients than in the first backward",
                "DistributedDataParallel(model, find_unused_parameters=True)",
                rule="distributed.static",
            )
        self.left[index] -= 1

    def _refuse_twice(self, index: int) -> NoReturn:
        refuse(
            RuntimeError,
            f"{TWICE}\nParameter at index {index} with name {self.names[index]} has been marked as ready twice. This "
            "means that multiple autograd engine  hooks have fired for this particular parameter during this "
            "iteration.",
            "a gradient was complete, or none was expected, and then another part of it came",
            "one backward for each forward, or no_sync() around all but the last",
            "checkpoint(..., use_reentrant=False), whose backward is part of the one around it",
            rule="distributed.twice",
        )

    def _mark(self, index: int) -> None:
        self.ready.add(index)
        self.order.append(index)
        bucket = self.of[index]
        self._copy(bucket, index)
        bucket.pending -= 1
        if bucket.pending:
            return
        if groups.noting is not None:
            groups.noting.bucket_filled(bucket.number, bucket.bytes)
        for each in self.buckets:  # in their order, which is the same on all ranks
            if each.work is not None:
                continue
            if each.pending:
                return
            self._send(each)
        if groups.noting is not None:
            groups.noting.all_sent()
        Engine.queue_callback(self.finish)  # until then hooks of the user see the gradients of this rank

    def _copy(self, bucket: Bucket, index: int) -> None:
        """Copy a gradient into its bucket, divided by the number of ranks."""
        grad = self.parameters[index].grad
        with torch.no_grad():
            if bucket.sparse:
                size = tuple(self.parameters[index].shape)
                none = torch.sparse_coo_tensor(
                    torch.zeros((1, 0), dtype=torch.int64), torch.zeros((0, *size[1:])), size
                )
                bucket.flat = (none if grad is None else grad.detach()) / self._shares
                return
            view = bucket.views[index]
            if grad is None:
                view.zero_()
            elif _plain(grad) and _plain(view):
                np.divide(grad._array, self._shares, out=view._array)
            else:
                view.copy_(grad / self._shares)

    @property
    def _shares(self) -> int:
        """By what gradients are divided before they are sent; a hook divides them itself."""
        return 1 if self.hook is not None else self.group.size()

    def _send(self, bucket: Bucket) -> None:
        assert bucket.flat is not None
        if groups.noting is not None:
            groups.noting.bucket_sent(self.group, self.group.calls, bucket.number)
        if self.hook is None:
            bucket.work = all_reduce(bucket.flat, group=self.group, async_op=True)
            return
        hook, state = self.hook
        bucket.work = sent_by(hook, state, GradBucket(bucket, self.parameters, bucket is self.buckets[-1]))

    def _all_at_once(self) -> None:
        """The first backward of a static graph is over: send all gradients, those of unused parameters as well."""
        for index in range(len(self.parameters)):
            self.ready.add(index)
            self._copy(self.of[index], index)
        for bucket in self.buckets:
            self._send(bucket)
        self.finish()

    def finish(self) -> None:
        """Wait for all buckets, and give the parameters their gradients."""
        self.expecting = False
        used = self._used_anywhere()
        with torch.no_grad():
            for bucket in self.buckets:
                if self.hook is None:
                    bucket.work.wait()
                else:
                    self._take(bucket)
                for index in bucket.indices:
                    if index in used:
                        self._give(bucket, index)
        self.finished = True
        if groups.noting is not None:
            groups.noting.backward_ends()

    def _take(self, bucket: Bucket) -> None:
        """Put what a hook has made into its bucket."""
        made = told_by(bucket.work)
        if bucket.sparse:
            bucket.flat = made
        elif bucket.flat is not made:
            bucket.flat.copy_(made)  # type: ignore[union-attr]

    def _used_anywhere(self) -> set[int]:
        """The parameters that some rank used; the gradient of any other stays as it is."""
        if self.static and not self.learning:
            return self.everywhere
        if not self.find_unused and not self.static:
            return set(self.used)
        told = torch.zeros(len(self.parameters), dtype=torch.int32)
        for index in {*self.used, *self.counts, *self.kept}:
            told[index] = 1
        self.kept = set()
        all_reduce(told, group=self.group)
        self.everywhere = {i for i, count in enumerate(told.tolist()) if count}
        return self.everywhere

    def _give(self, bucket: Bucket, index: int) -> None:
        p = self.parameters[index]
        if bucket.sparse:
            p.grad = bucket.flat
            return
        view = bucket.views[index]
        if self.as_views:
            if p.grad is None or p.grad._array is not view._array:
                p.grad = view
        elif p.grad is None:
            p.grad = view.clone()
        elif _plain(p.grad) and _plain(view):
            np.copyto(p.grad._array, view._array)
        else:
            p.grad.copy_(view)


def _as_it_is(grad: Tensor | None) -> Any:
    """What tells whether a gradient has changed."""
    return None if grad is None else (id(grad), grad._version)


def _plain(t: Tensor) -> bool:
    return type(t._array) is np.ndarray and t._array.dtype in (np.float32, np.float64) and t._array.flags.writeable
