"""A softmax over many classes that is quick where few of them are frequent."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from ...engine.tensor.tensor import Tensor
from .. import functional as F
from .container import ModuleList, Sequential
from .linear import Linear
from .module import Module

_ASMoutput = namedtuple("_ASMoutput", ["output", "loss"])


class AdaptiveLogSoftmaxWithLoss(Module):
    """Logarithms of the probabilities of the right classes, and their mean with a minus as the loss.

    Frequent classes come first and have their own outputs; the others are in clusters, which are computed only for
    the examples that need them.

    >>> layer = AdaptiveLogSoftmaxWithLoss(4, 10, cutoffs=[2, 5])
    >>> layer.n_clusters, layer.head_size
    (2, 4)
    """

    def __init__(
        self, in_features: int, n_classes: int, cutoffs: Sequence[int], div_value: float = 4.0, head_bias: bool = False,
        device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        ends = list(cutoffs)
        if not ends:
            raise ValueError("cutoffs should be a sequence of length larger than 0")
        whole = all(int(c) == c for c in ends)
        if not whole or sorted(set(ends)) != ends or ends[0] <= 0 or ends[-1] > n_classes - 1:
            raise ValueError(
                "cutoffs should be a sequence of unique, positive integers sorted in an increasing order, where each "
                "value is between 1 and n_classes-1"
            )
        self.in_features, self.n_classes, self.cutoffs = in_features, n_classes, [*ends, n_classes]
        self.div_value, self.head_bias = div_value, head_bias
        self.shortlist_size, self.n_clusters = ends[0], len(ends)
        self.head_size = self.shortlist_size + self.n_clusters
        self.head = Linear(in_features, self.head_size, bias=head_bias, device=device, dtype=dtype)
        self.tail = ModuleList()
        for i, (start, end) in enumerate(pairwise(self.cutoffs)):
            inner = int(in_features // div_value ** (i + 1))
            self.tail.append(
                Sequential(
                    Linear(in_features, inner, bias=False, device=device, dtype=dtype),
                    Linear(inner, end - start, bias=False, device=device, dtype=dtype),
                )
            )

    def reset_parameters(self) -> None:
        """Draw all weights again."""
        self.head.reset_parameters()
        for cluster in self.tail:
            for layer in cluster:
                layer.reset_parameters()

    def forward(self, input_: Tensor, target_: Tensor) -> Any:
        _check_sizes(input_, target_)
        single = target_.dim() == 0
        input = input_.unsqueeze(0) if single else input_
        target = target_.unsqueeze(0) if single else target_
        batch = target.size(0)
        output, places, used = input.new_zeros(batch), target.new_empty(batch), 0
        for i, (low, high) in enumerate(pairwise([0, *self.cutoffs])):
            here = (target >= low) & (target < high)
            rows = here.nonzero().squeeze()
            if rows.numel() == 0:
                continue
            if i == 0:
                places.index_copy_(0, rows, target[here])
            else:
                within = F.log_softmax(self.tail[i - 1](input.index_select(0, rows)), dim=1)
                places.index_fill_(0, rows, self.shortlist_size + i - 1)
                output.index_copy_(0, rows, within.gather(1, (target[here] - low).unsqueeze(1)).squeeze(1))
            used += rows.numel()
        if used != batch:
            raise RuntimeError(
                f"Target values should be in [0, {self.n_classes - 1}], but values in range [{target.min().item()}, "
                f"{target.max().item()}] were found. "
            )
        output += F.log_softmax(self.head(input), dim=1).gather(1, places.unsqueeze(1)).squeeze()
        loss = (-output).mean()
        return _ASMoutput(output.squeeze(0) if single else output, loss)

    def log_prob(self, input: Tensor) -> Tensor:
        """The logarithms of the probabilities of all classes."""
        return self._every_log_prob(input, self.head(input))

    def _every_log_prob(self, input: Tensor, head: Tensor) -> Tensor:
        every = input.new_empty((head.size(0), self.n_classes))
        log_probs = F.log_softmax(head, dim=1)
        every[:, : self.shortlist_size] = log_probs[:, : self.shortlist_size]
        for i, (start, end) in enumerate(pairwise(self.cutoffs)):
            within = F.log_softmax(self.tail[i](input), dim=1)
            every[:, start:end] = within + log_probs[:, self.shortlist_size + i].unsqueeze(1)
        return every

    def predict(self, input: Tensor) -> Tensor:
        """The most probable class of each example."""
        head = self.head(input)
        best = head.argmax(dim=1)
        rare = best >= self.shortlist_size
        if bool(rare.any()):
            best[rare] = self._every_log_prob(input[rare], head[rare]).argmax(dim=1)
        return best


def _check_sizes(input: Tensor, target: Tensor) -> None:
    dims = target.dim()
    if dims > 1:
        raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
    if dims == 1 and input.size(0) != target.size(0):
        raise RuntimeError("Input and target should have the same size in the batch dimension.")
    if input.dim() != dims + 1:
        raise RuntimeError(
            f"{dims}D target tensor expects {dims + 1}D input tensors, but found inputs with size {input.size()}"
        )
