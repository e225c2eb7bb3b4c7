"""What do all recurrent layers share? The weights of each layer and direction, and the checks of inputs."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from numbers import Number
from typing import Any

from ....engine.compat.amp.autocast_state import _is_any_autocast_enabled
from ....engine.derivatives.ops import torch
from ....engine.tensor.tensor import Tensor
from ... import init
from ...parameter import Parameter
from ...utils.rnn import PackedSequence
from ..base.named_init import NamedInit
from ..module import Module

_GATES = {"LSTM": 4, "GRU": 3, "RNN_TANH": 1, "RNN_RELU": 1}


class RNNBase(NamedInit, Module):
    """What recurrent layers share: parameters of each layer and direction, and what goes in and out."""

    __constants__ = [
        "mode", "input_size", "hidden_size", "num_layers", "bias", "batch_first", "dropout", "bidirectional",
        "proj_size",
    ]  # fmt: skip
    __jit_unused_properties__ = ["all_weights"]

    def __init__(
        self, mode: str, input_size: int, hidden_size: int, num_layers: int = 1, bias: bool = True,
        batch_first: bool = False, dropout: float = 0.0, bidirectional: bool = False, proj_size: int = 0,
        device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.mode, self.input_size, self.hidden_size, self.num_layers = mode, input_size, hidden_size, num_layers
        self.bias, self.batch_first, self.dropout = bias, batch_first, float(dropout)
        self.bidirectional, self.proj_size = bidirectional, proj_size
        self._check_arguments(dropout)
        self._flat_weights_names: list[str] = []
        self._all_weights: list[list[str]] = []
        directions, shown = 1 + bidirectional, proj_size or hidden_size
        rows = _GATES[mode] * hidden_size
        for layer in range(num_layers):
            for suffix in ("", "_reverse")[:directions]:
                columns = input_size if layer == 0 else shown * directions
                sizes: dict[str, tuple[int, ...]] = {"weight_ih": (rows, columns), "weight_hh": (rows, shown)}
                if bias:
                    sizes |= {"bias_ih": (rows,), "bias_hh": (rows,)}
                if proj_size:
                    sizes["weight_hr"] = (proj_size, hidden_size)
                names = [f"{name}_l{layer}{suffix}" for name in sizes]
                for name, size in zip(names, sizes.values(), strict=True):
                    setattr(self, name, Parameter(torch.empty(size, device=device, dtype=dtype)))
                self._flat_weights_names += names
                self._all_weights.append(names)
        self.reset_parameters()

    def _check_arguments(self, dropout: Any) -> None:
        if not isinstance(dropout, Number) or isinstance(dropout, bool) or not 0 <= self.dropout <= 1:
            raise ValueError(
                "dropout should be a number in range [0, 1] representing the probability of an element being zeroed"
            )
        if self.dropout > 0 and self.num_layers == 1:
            warnings.warn(
                "dropout option adds dropout after all but last recurrent layer, so non-zero dropout expects "
                f"num_layers greater than 1, but got dropout={dropout} and num_layers={self.num_layers}",
                stacklevel=4,
            )
        for name, kind in (("bias", bool), ("batch_first", bool), ("input_size", int), ("hidden_size", int)):
            value = getattr(self, name)
            if not isinstance(value, kind):
                raise TypeError(f"{name} should be of type {kind.__name__}, got: {type(value).__name__}")
            if kind is int and value <= 0:
                raise ValueError(f"{name} must be greater than zero")
        if self.num_layers <= 0:
            raise ValueError("num_layers must be greater than zero")
        if self.proj_size < 0:
            raise ValueError("proj_size should be a positive integer or zero to disable projections")
        if self.proj_size >= self.hidden_size:
            raise ValueError("proj_size has to be smaller than hidden_size")
        if self.mode not in _GATES:
            raise ValueError("Unrecognized RNN mode: " + self.mode)

    @property
    def _flat_weights(self) -> list[Any]:
        """The weights that the layer computes with: its parameters, unless a library has put others in their place."""
        given: tuple[list[Any], list[Any]] | None = self.__dict__.get("_given_weights")
        return self._own_weights() if given is None else given[0]

    @_flat_weights.setter
    def _flat_weights(self, weights: list[Any]) -> None:
        self.__dict__["_given_weights"] = weights, self._own_weights()

    def _own_weights(self) -> list[Any]:
        return [getattr(self, name, None) for name in self._flat_weights_names]

    def _forget_given_weights(self) -> None:
        """Computes with the parameters again if one was replaced since others were put in their place."""
        before = self.__dict__["_given_weights"][1]
        if any(w is not None and w is not old for w, old in zip(self._own_weights(), before, strict=True)):
            del self.__dict__["_given_weights"]

    def __setattr__(self, name: str, value: Any) -> None:
        given = self.__dict__.get("_given_weights")
        if given is not None and name in self._flat_weights_names:
            given[0][self._flat_weights_names.index(name)] = value
        super().__setattr__(name, value)

    def _apply(self, fn: Any, recurse: bool = True) -> Any:
        self.__dict__.pop("_given_weights", None)  # parameters that are converted are computed with again
        return super()._apply(fn, recurse)

    @property
    def all_weights(self) -> list[list[Parameter]]:
        """The parameters, as a list for each layer and direction."""
        return [[getattr(self, name) for name in names] for names in self._all_weights]

    def flatten_parameters(self) -> None:
        """Accepted and without effect, as everywhere but on a GPU with cuDNN."""

    def reset_parameters(self) -> None:
        """Draw initial numbers, so that results are about as large as inputs."""
        bound = 1.0 / math.sqrt(self.hidden_size)
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    # -- checks ----------------------------------------------------------------------------------------------------

    def check_input(self, input: Tensor, batch_sizes: Tensor | None) -> None:
        """Refuse an input of another size than the layer takes, or of another dtype, which autocast would convert."""
        own = self._flat_weights[0].dtype
        if input.dtype != own and not _is_any_autocast_enabled():
            raise ValueError(
                f"RNN input dtype ({input.dtype}) does not match weight dtype ({own}). "
                f"Convert input: input.to({own}), or convert model: model.to({input.dtype})"
            )
        dims = 3 if batch_sizes is None else 2
        if input.dim() != dims:
            raise RuntimeError(f"input must have {dims} dimensions, got {input.dim()}")
        if self.input_size != input.size(-1):
            raise RuntimeError(
                f"input.size(-1) must be equal to input_size. Expected {self.input_size}, got {input.size(-1)}"
            )

    def _state_size(self, input: Tensor, batch_sizes: Tensor | None, shown: int) -> tuple[int, int, int]:
        batch = int(batch_sizes[0]) if batch_sizes is not None else input.size(0 if self.batch_first else 1)
        return self.num_layers * (1 + self.bidirectional), batch, shown

    def get_expected_hidden_size(self, input: Tensor, batch_sizes: Tensor | None) -> tuple[int, int, int]:
        """The size of the hidden state for an input."""
        return self._state_size(input, batch_sizes, self.proj_size or self.hidden_size)

    def check_hidden_size(
        self, hx: Tensor, expected_hidden_size: tuple[int, int, int], msg: str = "Expected hidden size {}, got {}"
    ) -> None:
        """Refuse a state of another size."""
        if hx.size() != expected_hidden_size:
            raise RuntimeError(msg.format(expected_hidden_size, list(hx.size())))

    def check_forward_args(self, input: Tensor, hidden: Any, batch_sizes: Tensor | None) -> None:
        """Refuse inputs and states that do not fit."""
        self.check_input(input, batch_sizes)
        self.check_hidden_size(hidden, self.get_expected_hidden_size(input, batch_sizes))

    def permute_hidden(self, hx: Any, permutation: Tensor | None) -> Any:
        """The state with its sequences in another order."""
        return hx if permutation is None else hx.index_select(1, permutation)

    # -- running -----------------------------------------------------------------------------------------------------

    def _run(self, input: Tensor, hx: Any, batch_sizes: Tensor | None) -> tuple[Any, ...]:
        run = getattr(torch, self.mode.lower())
        settings = self.bias, self.num_layers, self.dropout, self.training, self.bidirectional
        if "_given_weights" in self.__dict__:
            self._forget_given_weights()
        if batch_sizes is not None:
            result = run(input, batch_sizes, hx, self._flat_weights, *settings)
        else:
            result = run(input, hx, self._flat_weights, *settings, self.batch_first)
        return tuple(result)

    def _zeros(self, input: Tensor, batch_sizes: Tensor | None, shown: int) -> Any:
        size = self._state_size(input, batch_sizes, shown)
        return torch.zeros(*size, dtype=input.dtype, device=input.device)

    def forward(self, input: Any, hx: Any = None) -> Any:
        """The results of the last layer at each step, and the last state of each layer and direction."""
        if isinstance(input, PackedSequence):
            data, sizes, order, back = input
            if hx is None:
                hx = self._zeros(data, sizes, self.hidden_size)
            else:
                hx = self.permute_hidden(hx, order)
            self.check_forward_args(data, hx, sizes)
            output, hidden = self._run(data, hx, sizes)
            return PackedSequence(output, sizes, order, back), self.permute_hidden(hidden, back)
        batched, batch_dim = self._look_at(input), 0 if self.batch_first else 1
        if hx is not None and hx.dim() != input.dim():
            words = "batched 3-D" if batched else "unbatched 2-D"
            raise RuntimeError(f"For {words} input, hx should also be {input.dim()}-D but got {hx.dim()}-D tensor")
        if not batched:
            input, hx = input.unsqueeze(batch_dim), None if hx is None else hx.unsqueeze(1)
        if hx is None:
            hx = self._zeros(input, None, self.hidden_size)
        self.check_forward_args(input, hx, None)
        output, hidden = self._run(input, hx, None)
        return (output, hidden) if batched else (output.squeeze(batch_dim), hidden.squeeze(1))

    def _look_at(self, input: Tensor) -> bool:
        """Whether an input is a batch of sequences, or one sequence."""
        if input.dim() not in (2, 3):
            name = "RNN" if self.mode.startswith("RNN") else self.mode
            last = "D tensor instead" if name == "RNN" else "D instead"
            raise ValueError(f"{name}: Expected input to be 2D or 3D, got {input.dim()}{last}")
        return bool(input.dim() == 3)

    def extra_repr(self) -> str:
        return ", ".join(self._words())

    def _words(self) -> Iterator[str]:
        yield f"{self.input_size}, {self.hidden_size}"
        if self.proj_size:
            yield f"proj_size={self.proj_size}"
        if self.num_layers != 1:
            yield f"num_layers={self.num_layers}"
        if self.bias is not True:
            yield f"bias={self.bias}"
        if self.batch_first is not False:
            yield f"batch_first={self.batch_first}"
        if self.dropout:
            yield f"dropout={self.dropout}"
        if self.bidirectional is not False:
            yield f"bidirectional={self.bidirectional}"
