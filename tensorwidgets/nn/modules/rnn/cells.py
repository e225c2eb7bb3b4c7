"""One step of a recurrent layer as a module: RNNCell, LSTMCell, GRUCell."""

from __future__ import annotations

import math
from typing import Any

from ....engine.derivatives.ops import torch
from ....engine.tensor.tensor import Tensor
from ... import init
from ...parameter import Parameter
from ..module import Module


class RNNCellBase(Module):
    """The parameters of one step."""

    __constants__ = ["input_size", "hidden_size", "bias"]

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool, num_chunks: int, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__()
        self.input_size, self.hidden_size, self.bias = input_size, hidden_size, bias
        rows = num_chunks * hidden_size
        for name, columns in (("weight_ih", input_size), ("weight_hh", hidden_size)):
            setattr(self, name, Parameter(torch.empty((rows, columns), device=device, dtype=dtype)))
        for name in ("bias_ih", "bias_hh"):
            vector = Parameter(torch.empty(rows, device=device, dtype=dtype)) if bias else None
            self.register_parameter(name, vector)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw initial numbers, so that results are about as large as inputs."""
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    def extra_repr(self) -> str:
        words = f"{self.input_size}, {self.hidden_size}"
        if self.bias is not True:
            words += f", bias={self.bias}"
        if getattr(self, "nonlinearity", "tanh") != "tanh":
            words += f", nonlinearity={self.nonlinearity}"
        return words

    def _check(self, tensor: Tensor, what: str) -> None:
        if tensor.dim() not in (1, 2):
            raise ValueError(f"{type(self).__name__}: Expected {what} to be 1D or 2D, got {tensor.dim()}D instead")

    def _zeros(self, input: Tensor) -> Any:
        return torch.zeros(input.size(0), self.hidden_size, dtype=input.dtype, device=input.device)

    def _step(self, name: str, input: Tensor, hx: Any) -> Any:
        return getattr(torch, name)(input, hx, self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)

    def _one(self, name: str, input: Tensor, hx: Tensor | None) -> Tensor:
        """One step with one state."""
        self._check(input, "input")
        if hx is not None:
            self._check(hx, "hidden")
        batched = input.dim() == 2
        if not batched:
            input, hx = input.unsqueeze(0), None if hx is None else hx.unsqueeze(0)
        result: Tensor = self._step(name, input, self._zeros(input) if hx is None else hx)
        return result if batched else result.squeeze(0)


class RNNCell(RNNCellBase):
    """One step of a recurrent layer: mixes the input with the hidden state.

    >>> import tensorwidgets as torch
    >>> cell = torch.nn.RNNCell(10, 20, nonlinearity="relu")
    >>> cell
    RNNCell(10, 20, nonlinearity=relu)
    >>> cell(torch.ones(3, 10)).shape
    torch.Size([3, 20])
    """

    __constants__ = ["input_size", "hidden_size", "bias", "nonlinearity"]

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, nonlinearity: str = "tanh", device: Any = None,
        dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(input_size, hidden_size, bias, 1, device, dtype)
        self.nonlinearity = nonlinearity

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        if self.nonlinearity not in ("tanh", "relu"):
            raise RuntimeError(f"Unknown nonlinearity: {self.nonlinearity}")
        return self._one(f"rnn_{self.nonlinearity}_cell", input, hx)


class GRUCell(RNNCellBase):
    """One step of a gated recurrent layer.

    >>> GRUCell(10, 20)
    GRUCell(10, 20)
    """

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 3, device, dtype)

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        return self._one("gru_cell", input, hx)


class LSTMCell(RNNCellBase):
    """One step of a long short-term memory; it returns the hidden state and the cell state.

    >>> import tensorwidgets as torch
    >>> h, c = torch.nn.LSTMCell(10, 20)(torch.ones(3, 10))
    >>> h.shape, c.shape
    (torch.Size([3, 20]), torch.Size([3, 20]))
    """

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 4, device, dtype)

    def forward(self, input: Tensor, hx: tuple[Tensor, Tensor] | None = None) -> tuple[Tensor, Tensor]:
        self._check(input, "input")
        for number, value in enumerate(() if hx is None else hx):
            self._check(value, f"hx[{number}]")
        batched = input.dim() == 2
        if not batched:
            input, hx = input.unsqueeze(0), None if hx is None else (hx[0].unsqueeze(0), hx[1].unsqueeze(0))
        if hx is None:
            zeros = self._zeros(input)
            hx = zeros, zeros
        h, c = self._step("lstm_cell", input, hx)
        return (h, c) if batched else (h.squeeze(0), c.squeeze(0))
