"""Recurrent networks of several layers and directions, on whole or packed batches: rnn_tanh, rnn_relu, lstm, gru."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from ....declare.by_signature import calls
from ....dispatch.registry import OPS
from ....errors.reasons import refuse
from ....errors.warnings import warn
from ....tensor.grad_mode import grad_enabled, no_grad
from ....tensor.tensor import Tensor
from ....tensor.thread_state import state as thread_state
from ....tensor.wrapping import share_origin, wrap
from ....types.dtypes import float32, float64
from .layers import stepwise
from .steps import GATES, STEPS, State, Weights


def _weights(params: Sequence[Tensor], biases: bool, projected: bool) -> list[Weights]:
    """The parameters of each layer and direction."""
    count = 2 + 2 * biases + projected
    if len(params) % count:
        _refuse("got an incorrect number of RNN parameters", f"each layer and direction has {count} parameters")
    found = []
    for n in range(0, len(params), count):
        w_ih, w_hh, *others = params[n : n + count]
        b_ih, b_hh = others[:2] if biases else (None, None)
        found.append(Weights(w_ih, w_hh, b_ih, b_hh, others[-1] if projected else None))
    return found


def _refuse(message: str, because: str, *ways: str) -> None:
    refuse(RuntimeError, message, because, *ways, rule="recurrent.size")


def _fused(kind: str, input: Tensor, state: State, weights: Weights) -> bool:
    """Whether a row can compute a layer: tensors of one dtype, and sizes that fit; products check others. In a block of
    `autocast` the row chooses the dtype.
    """
    any_dtype = input.device.type in thread_state.autocast
    if not any_dtype and input._dtype not in (float32, float64) or input.dim() != 3 or state[0].dim() != 2:
        return False
    if not input.numel():  # recorded step by step, as in PyTorch: no node saves the result, which may be written to
        return False
    batch, shown = state[0].shape
    hidden = state[-1].shape[-1]
    rows = GATES[kind] * hidden
    wanted: list[tuple[Tensor, tuple[int, ...]]] = [(weights.w_ih, (rows, input.size(2)))]
    wanted.append((weights.w_hh, (rows, shown)))
    wanted += [(b, (rows,)) for b in (weights.b_ih, weights.b_hh) if b is not None]
    wanted += [(s, (batch, n)) for s, n in zip(state, (shown, hidden), strict=False)]
    if weights.w_hr is not None:
        wanted.append((weights.w_hr, (shown, hidden)))
    elif shown != hidden:
        return False
    fitting = batch == input.size(1) and all(t.shape == size for t, size in wanted)
    return fitting and (any_dtype or all(t._dtype is input._dtype for t, _ in wanted))


def _layer(kind: str, input: Tensor, state: State, weights: Weights, reverse: bool) -> tuple[Tensor, State]:
    if not _fused(kind, input, state, weights):
        return stepwise(kind, input, state, weights, reverse)
    given = input, weights.w_ih, weights.w_hh, weights.b_ih, weights.b_hh, *state
    layer = OPS[f"_nn.{kind}_layer"].function
    keep = grad_enabled() and any(t is not None and t.requires_grad for t in given)
    if kind == "lstm":
        output, *last, _ = layer(*given, weights.w_hr, reverse, keep)
    elif kind == "gru":
        output, *last, _ = layer(*given, reverse, keep)
    else:
        output, *last = layer(*given, reverse)
    return output, tuple(last)


def _packed(
    kind: str, input: Tensor, sizes: list[int], state: State, weights: Weights, reverse: bool
) -> tuple[Tensor, State]:
    """A layer over a packed batch: `sizes` says how many sequences are left at each step, which only gets fewer."""
    gates = weights.of_input(input)
    starts = [0]
    for size in sizes:
        starts.append(starts[-1] + size)
    cut = [gates.narrow(0, start, end - start) for start, end in pairwise(starts)]
    results, ended = [], []
    if reverse:
        current = _slice(state, 0, sizes[-1])
        for n in range(len(sizes) - 1, -1, -1):
            if n + 1 < len(sizes) and sizes[n] > sizes[n + 1]:
                current = _joined([current, _slice(state, sizes[n + 1], sizes[n])])
            current = STEPS[kind](cut[n], current, weights)
            results.append(current[0])
        return OPS["cat"].function(results[::-1], 0), current
    current = state
    for n, size in enumerate(sizes):
        if n and size < sizes[n - 1]:
            ended.append(_slice(current, size, sizes[n - 1]))
            current = _slice(current, 0, size)
        current = STEPS[kind](cut[n], current, weights)
        results.append(current[0])
    return OPS["cat"].function(results, 0), _joined([current, *ended[::-1]])


def _slice(state: State, start: int, end: int) -> State:
    return tuple([h.narrow(0, start, end - start) for h in state])


def _joined(states: list[State]) -> State:
    return tuple([OPS["cat"].function(parts, 0) for parts in zip(*states, strict=True)])


def _stacked(
    kind: str, input: Tensor, states: list[State], weights: list[Weights], layers: int, dropout: float,
    directions: int, sizes: list[int] | None,
) -> tuple[Any, ...]:  # fmt: skip
    """All layers: the results of the last one, and the last state of each layer and direction."""
    last = []
    for layer in range(layers):
        outputs = []
        for direction in range(directions):
            n = layer * directions + direction
            reverse = direction == 1
            if sizes is None:
                output, state = _layer(kind, input, states[n], weights[n], reverse)
            else:
                output, state = _packed(kind, input, sizes, states[n], weights[n], reverse)
            outputs.append(output)
            last.append(state)
        input = outputs[0] if directions == 1 else OPS["cat"].function(outputs, -1)
        if dropout and layer < layers - 1:
            input = OPS["dropout"].function(input, dropout, True)
    return input, *[OPS["stack"].function(parts, 0) for parts in zip(*last, strict=True)]


def _run(
    kind: str, hx: Sequence[Tensor], params: Sequence[Tensor], has_biases: bool, num_layers: int, dropout: float,
    train: bool, bidirectional: bool, input: Tensor, sizes: list[int] | None, batch_first: bool,
) -> tuple[Any, ...]:  # fmt: skip
    if sizes is None:
        _check_devices(input, hx, params)
    if batch_first:
        input = input.transpose(0, 1)
    projected = len(hx) == 2 and hx[0].size(2) != hx[1].size(2)
    one_node = sizes is None and input._dtype is float32 and input.numel() > 0
    if one_node and projected:
        warn("LSTM with projections is not supported with oneDNN. Using default implementation.", once=True)
    one_node &= not projected
    weights = _weights(params, has_biases, projected)
    # PyTorch's way with one node a layer and its way step by step differ in small parts of their graphs.
    parted = [h.unbind(0) if not one_node else [h.select(0, n) for n in range(h.size(0))] for h in hx]
    states = list(zip(*parted, strict=True))
    directions = 1 + bidirectional
    if bidirectional and (len(states) % 2 or len(weights) % 2):
        _refuse("Odd number of params or hiddens given to a bidirectional RNN", "each direction has its own")
    for found, what in ((states, "hidden states"), (weights, "weights")):
        if len(found) < num_layers * directions:
            _refuse(f"Expected more {what} in stacked_rnn", "each layer and direction has its own")
    if sizes is None and not input.size(0):
        _refuse("Expected sequence length to be larger than 0 in RNN", "there is no step to compute")
    input = input.contiguous() if one_node else input
    result = _stacked(kind, input, states, weights, num_layers, dropout if train else 0.0, directions, sizes)
    if kind == "lstm":
        return (result[0].transpose(0, 1) if batch_first else result[0]), *result[1:]
    output = _with_own_memory(result[0]) if one_node and directions == 1 else result[0]
    return (output.transpose_(0, 1) if batch_first else output), *result[1:]


def _check_devices(input: Tensor, hx: Sequence[Tensor], params: Sequence[Tensor]) -> None:
    """Refuse states and parameters that are on another device than the input. Products refuse those of packed ones."""
    for what, tensors in (("hidden", hx), ("parameter", params)):
        for each in tensors:
            if each.device != input.device:
                _refuse(
                    f"Input and {what} tensors are not at the same device, found input tensor at {input.device} and "
                    f"{what} tensor at {each.device}",
                    "all tensors of a call are on one device",
                    f"h.to({str(input.device)!r}), for the state h"
                    if what == "hidden"
                    else f"model.to({str(input.device)!r})",
                )


def _with_own_memory(result: Tensor) -> Tensor:
    """The same result for the user, who may write to it: where each step has a node, as in PyTorch, none saves it. The
    node of our layer has.
    """
    if not result.requires_grad:
        return result
    if type(result._array) is np.ndarray:
        copy = wrap(result._array.copy(), result._dtype)
    else:  # on a device, or without numbers
        with no_grad():
            copy = OPS["clone"].function(result)
    share_origin(copy, result)
    return copy


def _declare(kind: str, words: str) -> None:
    @calls(kind, words, family="nn", category="nn", forms="function")
    def network(
        hx: Any,
        params: list[Tensor],
        has_biases: bool,
        num_layers: int,
        dropout: float,
        train: bool,
        bidirectional: bool,
        input: Any = None,
        batch_first: bool = False,
        data: Any = None,
        batch_sizes: Any = None,
    ) -> tuple[Any, ...]:
        if kind != "lstm":
            hx = (hx,)
        elif len(hx) != 2:
            _refuse(
                "lstm expects two hidden states", "the state of an LSTM is a pair (h, c): its output and its memory"
            )
        sizes = None if data is None else batch_sizes.tolist()
        return _run(
            kind, hx, params, has_biases, num_layers, dropout, train, bidirectional,
            input if data is None else data, sizes, batch_first,
        )  # fmt: skip


_declare("rnn_tanh", "Runs a plain recurrent network with tanh over sequences.")
_declare("rnn_relu", "Runs a plain recurrent network with relu over sequences.")
_declare("lstm", "Runs a long short-term memory over sequences.")
_declare("gru", "Runs a gated recurrent unit over sequences.")
