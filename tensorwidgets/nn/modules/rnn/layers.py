"""Recurrent layers: RNN, LSTM and GRU."""

from __future__ import annotations

from typing import Any

from ....engine.tensor.tensor import Tensor
from ...utils.rnn import PackedSequence
from .base import RNNBase


def _no_projection(named: dict[str, Any]) -> None:
    if "proj_size" in named:
        raise ValueError("proj_size argument is only supported for LSTM, not RNN or GRU")


class RNN(RNNBase):
    """A recurrent layer: each step mixes the input with the state of the step before.

    >>> import tensorwidgets as torch
    >>> layer = torch.nn.RNN(10, 20, num_layers=2)
    >>> layer
    RNN(10, 20, num_layers=2)
    >>> output, hidden = layer(torch.ones(5, 3, 10))
    >>> output.shape, hidden.shape
    (torch.Size([5, 3, 20]), torch.Size([2, 3, 20]))
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        _no_projection(kwargs)
        if len(args) > 3:
            nonlinearity, args = args[3], (*args[:3], *args[4:])
        else:
            nonlinearity = kwargs.pop("nonlinearity", "tanh")
        self.nonlinearity = nonlinearity
        if nonlinearity not in ("tanh", "relu"):
            raise ValueError(f"Unknown nonlinearity '{nonlinearity}'. Select from 'tanh' or 'relu'.")
        super().__init__("RNN_" + nonlinearity.upper(), *args, **kwargs)


class GRU(RNNBase):
    """A gated recurrent layer: each step chooses how much of its state to keep.

    >>> GRU(10, 20, bidirectional=True)
    GRU(10, 20, bidirectional=True)
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        _no_projection(kwargs)
        super().__init__("GRU", *args, **kwargs)


class LSTM(RNNBase):
    """A long short-term memory: each step writes to a cell, forgets a part of it, and shows a part of it.

    >>> import tensorwidgets as torch
    >>> layer = torch.nn.LSTM(10, 20, batch_first=True)
    >>> layer
    LSTM(10, 20, batch_first=True)
    >>> output, (hidden, cell) = layer(torch.ones(3, 5, 10))
    >>> output.shape, hidden.shape, cell.shape
    (torch.Size([3, 5, 20]), torch.Size([1, 3, 20]), torch.Size([1, 3, 20]))
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__("LSTM", *args, **kwargs)

    def get_expected_cell_size(self, input: Tensor, batch_sizes: Tensor | None) -> tuple[int, int, int]:
        """The size of the cell state for an input."""
        return self._state_size(input, batch_sizes, self.hidden_size)

    def check_forward_args(self, input: Tensor, hidden: Any, batch_sizes: Tensor | None) -> None:
        self.check_input(input, batch_sizes)
        shown = self.get_expected_hidden_size(input, batch_sizes)
        self.check_hidden_size(hidden[0], shown, "Expected hidden[0] size {}, got {}")
        cell = self.get_expected_cell_size(input, batch_sizes)
        self.check_hidden_size(hidden[1], cell, "Expected hidden[1] size {}, got {}")

    def permute_hidden(self, hx: Any, permutation: Tensor | None) -> Any:
        return hx if permutation is None else tuple([h.index_select(1, permutation) for h in hx])

    def _start(self, input: Tensor, batch_sizes: Tensor | None) -> Any:
        sizes = self.proj_size or self.hidden_size, self.hidden_size
        return tuple([self._zeros(input, batch_sizes, size) for size in sizes])

    def forward(self, input: Any, hx: Any = None) -> Any:
        """The results of the last layer at each step, and the last hidden and cell state of each layer."""
        if isinstance(input, PackedSequence):
            data, sizes, order, back = input
            hx = self._start(data, sizes) if hx is None else self.permute_hidden(hx, order)
            output, *hidden = self._run(data, hx, sizes)
            return PackedSequence(output, sizes, order, back), self.permute_hidden(tuple(hidden), back)
        batched, batch_dim, dims = self._look_at(input), 0 if self.batch_first else 1, input.dim()
        if not batched:
            input = input.unsqueeze(batch_dim)
        if hx is None:
            hx = self._start(input, None)
        elif hx[0].dim() != dims or hx[1].dim() != dims:
            words = "batched 3-D" if batched else "unbatched 2-D"
            raise RuntimeError(
                f"For {words} input, hx and cx should also be {dims}-D but got "
                f"({hx[0].dim()}-D, {hx[1].dim()}-D) tensors"
            )
        elif not batched:
            hx = hx[0].unsqueeze(1), hx[1].unsqueeze(1)
        self.check_forward_args(input, hx, None)
        output, h, c = self._run(input, hx, None)
        return (output, (h, c)) if batched else (output.squeeze(batch_dim), (h.squeeze(1), c.squeeze(1)))
