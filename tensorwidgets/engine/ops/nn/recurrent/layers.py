"""One layer of a recurrent network in one direction, over all steps of a sequence, and its way back.

Where no gradient is recorded, a kernel computes the whole layer. Otherwise a layer in float32 is recorded as one node,
as PyTorch does for an LSTM, and one of another dtype step by step.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ....backends.numpy.layers import recurrent as kernels
from ....backends.numpy.without_warnings import quietly
from ....declare.rules import Answer, Result
from ....dispatch.registry import OPS
from ....tensor.tensor import Tensor
from ..declaring import nn_row_without_out
from .steps import STEPS, State, Weights


def stepwise(kind: str, input: Tensor, state: State, weights: Weights, reverse: bool) -> tuple[Tensor, State]:
    """A layer as the ops of its steps: the results of all steps, and the last state."""
    gates = weights.of_input(input).unbind(0)
    results = []
    for each in reversed(gates) if reverse else gates:
        state = STEPS[kind](each, state, weights)
        results.append(state[0])
    if reverse:
        results.reverse()
    return OPS["stack"].function(results, 0), state


def _arrays(*tensors: Tensor | None) -> list[Any]:
    return [None if t is None else t._array for t in tensors]


def _kept(input: Tensor, hx: Tensor, count: int, keep: bool) -> Result:
    """What the way back needs of each step: `count` numbers for each hidden one."""
    steps, batch = input._array.shape[:2]
    return Result((steps, count * hx._array.shape[1], batch) if keep else (0,), input._dtype)


def _like(*tensors: Tensor) -> list[Result]:
    return [Result(t._array.shape, t._dtype) for t in tensors]


def _gates(w: Tensor) -> Result:
    return Result(w._array.shape[:1], w._dtype)


# -- LSTM --------------------------------------------------------------------------------------------------------


def _fill_lstm(targets: tuple, *given: Any) -> None:
    quietly(kernels.lstm_forward, *targets, *given)


@nn_row_without_out(
    "_nn.lstm_layer", "One layer of an LSTM: all results, the last hidden and cell state, and what its way back needs.",
    _fill_lstm, returns="tuple[Tensor, Tensor, Tensor, Tensor]",
)  # fmt: skip
def _lstm_layer(
    input: Tensor, weight1: Tensor, weight2: Tensor, weight3: Tensor | None, weight4: Tensor | None, hx: Tensor,
    cx: Tensor, w_hr: Tensor | None = None, reverse: bool = False, keep: bool = False,
) -> Answer:  # fmt: skip
    output = Result((input._array.shape[0], *hx._array.shape), input._dtype)
    results = output, *_like(hx, cx), _kept(input, cx, 5, keep)
    return results, (*_arrays(input, weight1, weight2, weight3, weight4, w_hr, hx, cx), reverse)


def _fill_lstm_backward(targets: tuple, *given: Any) -> None:
    quietly(kernels.lstm_backward, *targets, *given)


@nn_row_without_out(
    "_nn.lstm_layer_backward", "The gradients of a layer of an LSTM.", _fill_lstm_backward,
    returns="tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]",
)  # fmt: skip
def _lstm_layer_backward(
    input: Tensor, weight1: Tensor, weight2: Tensor, weight3: Tensor | None, weight4: Tensor | None, hx: Tensor,
    cx: Tensor, output: Tensor, kept: Tensor, grad_output: Tensor | None, grad_hy: Tensor | None,
    grad_cy: Tensor | None, reverse: bool = False,
) -> Answer:  # fmt: skip
    results = *_like(input, weight1, weight2), _gates(weight1), *_like(hx, cx)
    given = _arrays(input, weight1, weight2, hx, cx, output, kept, grad_output, grad_hy, grad_cy)
    return results, (*given, reverse)


# -- GRU ---------------------------------------------------------------------------------------------------------


def _fill_gru(targets: tuple, *given: Any) -> None:
    quietly(kernels.gru_forward, *targets, *given)


@nn_row_without_out(
    "_nn.gru_layer",
    "One layer of a GRU: all results, the last hidden state, and what its way back needs.",
    _fill_gru,
    returns="tuple[Tensor, Tensor, Tensor]",
)
def _gru_layer(
    input: Tensor, weight1: Tensor, weight2: Tensor, weight3: Tensor | None, weight4: Tensor | None, hx: Tensor,
    reverse: bool = False, keep: bool = False,
) -> Answer:  # fmt: skip
    output = Result((input._array.shape[0], *hx._array.shape), input._dtype)
    results = output, *_like(hx), _kept(input, hx, 4, keep)
    return results, (*_arrays(input, weight1, weight2, weight3, weight4, hx), reverse)


def _fill_gru_backward(targets: tuple, *given: Any) -> None:
    quietly(kernels.gru_backward, *targets, *given)


@nn_row_without_out("_nn.gru_layer_backward", "The gradients of a layer of a GRU.", _fill_gru_backward,
           returns="tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]")  # fmt: skip
def _gru_layer_backward(
    input: Tensor, weight1: Tensor, weight2: Tensor, weight3: Tensor | None, weight4: Tensor | None, hx: Tensor,
    output: Tensor, kept: Tensor, grad_output: Tensor | None, grad_hy: Tensor | None, reverse: bool = False,
) -> Answer:  # fmt: skip
    results = *_like(input, weight1, weight2), _gates(weight1), _gates(weight1), *_like(hx)
    return results, (*_arrays(input, weight1, weight2, hx, output, kept, grad_output, grad_hy), reverse)


# -- plain recurrent networks ------------------------------------------------------------------------------------


def _declare(kind: str, activation: Any, slope: Any) -> None:
    forward: Any = partial(kernels.rnn_forward, activation=activation)
    backward: Any = partial(kernels.rnn_backward, slope=slope)

    def fill(targets: tuple, *given: Any) -> None:
        quietly(forward, *targets, *given)

    words = f"One layer of a recurrent network with {kind[4:]}: all results, and the last hidden state."

    @nn_row_without_out(f"_nn.{kind}_layer", words, fill, returns="tuple[Tensor, Tensor]")
    def layer(
        input: Tensor, weight1: Tensor, weight2: Tensor, weight3: Tensor | None, weight4: Tensor | None, hx: Tensor,
        reverse: bool = False,
    ) -> Answer:  # fmt: skip
        output = Result((input._array.shape[0], *hx._array.shape), input._dtype)
        return (output, *_like(hx)), (*_arrays(input, weight1, weight2, weight3, weight4, hx), reverse)

    def fill_backward(targets: tuple, *given: Any) -> None:
        quietly(backward, *targets, *given)

    words = f"The gradients of a layer of a recurrent network with {kind[4:]}."

    @nn_row_without_out(f"_nn.{kind}_layer_backward", words, fill_backward,
               returns="tuple[Tensor, Tensor, Tensor, Tensor, Tensor]")  # fmt: skip
    def layer_backward(
        input: Tensor, weight1: Tensor, weight2: Tensor, weight3: Tensor | None, weight4: Tensor | None, hx: Tensor,
        output: Tensor, grad_output: Tensor | None, grad_hy: Tensor | None, reverse: bool = False,
    ) -> Answer:  # fmt: skip
        results = *_like(input, weight1, weight2), _gates(weight1), *_like(hx)
        return results, (*_arrays(input, weight1, weight2, hx, output, grad_output, grad_hy), reverse)


_declare("rnn_tanh", np.tanh, kernels.slope_of_tanh)
_declare("rnn_relu", kernels.relu, kernels.slope_of_relu)
