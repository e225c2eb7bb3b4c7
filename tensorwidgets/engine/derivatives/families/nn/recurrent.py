"""Derivatives of recurrent layers: a node for a layer in float32; in other dtypes each step is recorded by itself.

The way back of a layer is a row with a kernel. What is below in ops is the same once more, for gradients of gradients.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ....ops.nn.recurrent.layers import stepwise
from ....ops.nn.recurrent.steps import Weights
from ....types.dtypes import float32
from ...declaring import differentiate, parts
from ...ops import torch

if TYPE_CHECKING:
    from ....tensor.tensor import Tensor

_nn = torch._nn


def _one_node(given: dict) -> bool:
    return given["input"].dtype is float32 and given.get("w_hr") is None


def _of_lstm(
    grads: Any,
    input: Tensor,
    weight1: Tensor,
    weight2: Tensor,
    weight3: Tensor | None,
    weight4: Tensor | None,
    hx: Tensor,
    cx: Tensor,
    result: Tensor,
    result3: Tensor,
    reverse: bool = False,
) -> Any:
    """The gradients of a layer, by what it kept of each step."""
    given = input, weight1, weight2, weight3, weight4, hx, cx, result, result3
    dx, dw_ih, dw_hh, db, *states = _nn.lstm_layer_backward(*given, *grads[:3], reverse)
    return dx, dw_ih, dw_hh, db, db.clone(), *states


def _of_gru(
    grads: Any,
    input: Tensor,
    weight1: Tensor,
    weight2: Tensor,
    weight3: Tensor | None,
    weight4: Tensor | None,
    hx: Tensor,
    result: Tensor,
    result2: Tensor,
    reverse: bool = False,
) -> Any:
    """The gradients of a layer, by what it kept of each step."""
    given = input, weight1, weight2, weight3, weight4, hx, result, result2
    return tuple(_nn.gru_layer_backward(*given, *grads[:2], reverse))


def _of_rnn(kind: str) -> Any:
    def of_rnn(
        grads: Any,
        input: Tensor,
        weight1: Tensor,
        weight2: Tensor,
        weight3: Tensor | None,
        weight4: Tensor | None,
        hx: Tensor,
        result: Tensor,
        reverse: bool = False,
    ) -> Any:
        """The gradients of a layer, by its results."""
        given = input, weight1, weight2, weight3, weight4, hx, result
        back = getattr(_nn, f"{kind}_layer_backward")
        dx, dw_ih, dw_hh, db, d_hx = back(*given, *grads, reverse)
        return dx, dw_ih, dw_hh, db, db.clone(), d_hx

    return of_rnn


INPUTS = "input weight1 weight2 weight3 weight4 hx"
differentiate(
    "_nn.lstm_layer", node="MkldnnRnnLayerBackward0", when=_one_node, results=(0, 1, 2),
    together=(INPUTS + " cx", _of_lstm),
)  # fmt: skip
differentiate("_nn.gru_layer", node="StackBackward0", when=_one_node, results=(0, 1), together=(INPUTS, _of_gru))
for _kind in ("rnn_tanh", "rnn_relu"):
    differentiate(f"_nn.{_kind}_layer", node="StackBackward0", when=_one_node, together=(INPUTS, _of_rnn(_kind)))


# -- a layer step by step ----------------------------------------------------------------------------------------


@parts("_nn.lstm_layer")
def _lstm_by_steps(
    input: Tensor,
    weight1: Tensor,
    weight2: Tensor,
    weight3: Tensor | None,
    weight4: Tensor | None,
    hx: Tensor,
    cx: Tensor,
    w_hr: Tensor | None = None,
    reverse: bool = False,
    keep: bool = False,
) -> Any:
    """Each step by itself."""
    weights = Weights(weight1, weight2, weight3, weight4, w_hr)
    output, last = stepwise("lstm", input, (hx, cx), weights, reverse)
    return output, *last, None


@parts("_nn.gru_layer")
def _gru_by_steps(
    input: Tensor,
    weight1: Tensor,
    weight2: Tensor,
    weight3: Tensor | None,
    weight4: Tensor | None,
    hx: Tensor,
    reverse: bool = False,
    keep: bool = False,
) -> Any:
    """Each step by itself."""
    output, last = stepwise("gru", input, (hx,), Weights(weight1, weight2, weight3, weight4), reverse)
    return output, *last, None


def _rnn_by_steps(kind: str) -> Any:
    def by_steps(
        input: Tensor,
        weight1: Tensor,
        weight2: Tensor,
        weight3: Tensor | None,
        weight4: Tensor | None,
        hx: Tensor,
        reverse: bool = False,
    ) -> Any:
        """Each step by itself."""
        output, last = stepwise(kind, input, (hx,), Weights(weight1, weight2, weight3, weight4), reverse)
        return output, *last

    return by_steps


for _kind in ("rnn_tanh", "rnn_relu"):
    parts(f"_nn.{_kind}_layer")(_rnn_by_steps(_kind))


# -- the way back in ops -----------------------------------------------------------------------------------------


def _times(input: Tensor, reverse: bool) -> range:
    return range(len(input) - 1, -1, -1) if reverse else range(len(input))


def _joined(parts_by_time: dict[int, Any]) -> Any:
    """What belongs to each step as one matrix, in the order of the sequence."""
    return torch.cat([parts_by_time[t] for t in range(len(parts_by_time))])


def _start(grad: Any, like: Any) -> Any:
    return torch.zeros_like(like) if grad is None else grad


def _products(input: Tensor, weight1: Tensor, d_x: Tensor, d_h: Tensor, before: Tensor) -> tuple[Any, Any, Any]:
    """The gradients of the input and both weights by those of the gates."""
    dx = (d_x @ weight1).view(input.shape)
    return dx, d_x.t() @ input.flatten(0, 1), d_h.t() @ before


@parts("_nn.lstm_layer_backward")
def _lstm_back(
    input: Tensor,
    weight1: Tensor,
    weight2: Tensor,
    weight3: Tensor | None,
    weight4: Tensor | None,
    hx: Tensor,
    cx: Tensor,
    output: Tensor,
    kept: Any,
    grad_output: Tensor,
    grad_hy: Tensor | None,
    grad_cy: Tensor | None,
    reverse: bool = False,
) -> Any:
    """The same gradients in ops, each step computed once more, so that they can be differentiated."""
    weights, times = Weights(weight1, weight2, weight3, weight4), _times(input, reverse)
    gates = weights.of_input(input).unbind(0)
    steps: dict[int, Any] = {}
    h, c = hx, cx
    for t in times:
        write, forget, new, show = (weights.of_hidden(h) + gates[t]).chunk(4, 1)
        write, forget, new, show = write.sigmoid(), forget.sigmoid(), new.tanh(), show.sigmoid()
        before, c = c, forget * c + write * new
        seen = c.tanh()
        steps[t] = h, before, write, forget, new, show, seen
        h = show * seen
    dh, dc = _start(grad_hy, hx), _start(grad_cy, cx)
    d_gates: dict[int, Any] = {}
    for t in reversed(times):
        _, before, write, forget, new, show, seen = steps[t]
        if grad_output is not None:
            dh = dh + grad_output[t]
        dc = dc + dh * show * (1 - seen * seen)
        d_write, d_forget = dc * new * write * (1 - write), dc * before * forget * (1 - forget)
        d_new, d_show = dc * write * (1 - new * new), dh * seen * show * (1 - show)
        d_gates[t] = torch.cat([d_write, d_forget, d_new, d_show], 1)
        dh, dc = d_gates[t] @ weight2, dc * forget
    flat, before = _joined(d_gates), _joined({t: step[0] for t, step in steps.items()})
    return *_products(input, weight1, flat, flat, before), flat.sum(0), dh, dc


@parts("_nn.gru_layer_backward")
def _gru_back(
    input: Tensor,
    weight1: Tensor,
    weight2: Tensor,
    weight3: Tensor | None,
    weight4: Tensor | None,
    hx: Tensor,
    output: Tensor,
    kept: Any,
    grad_output: Tensor,
    grad_hy: Tensor | None,
    reverse: bool = False,
) -> Any:
    """The same gradients in ops, each step computed once more, so that they can be differentiated."""
    weights, times = Weights(weight1, weight2, weight3, weight4), _times(input, reverse)
    gates = weights.of_input(input).unbind(0)
    steps: dict[int, Any] = {}
    h = hx
    for t in times:
        reset_x, keep_x, new_x = gates[t].chunk(3, 1)
        reset_h, keep_h, inner = weights.of_hidden(h).chunk(3, 1)
        reset, keep = (reset_h + reset_x).sigmoid(), (keep_h + keep_x).sigmoid()
        new = (new_x + inner * reset).tanh()
        steps[t] = h, reset, keep, inner, new
        h = (h - new) * keep + new
    dh = _start(grad_hy, hx)
    d_x: dict[int, Any] = {}
    d_h: dict[int, Any] = {}
    for t in reversed(times):
        h, reset, keep, inner, new = steps[t]
        if grad_output is not None:
            dh = dh + grad_output[t]
        d_new = dh * (1 - keep) * (1 - new * new)
        d_reset, d_keep = d_new * inner * reset * (1 - reset), dh * (h - new) * keep * (1 - keep)
        d_x[t] = torch.cat([d_reset, d_keep, d_new], 1)
        d_h[t] = torch.cat([d_reset, d_keep, d_new * reset], 1)
        dh = dh * keep + d_h[t] @ weight2
    of_x, of_h, before = _joined(d_x), _joined(d_h), _joined({t: step[0] for t, step in steps.items()})
    return *_products(input, weight1, of_x, of_h, before), of_x.sum(0), of_h.sum(0), dh


def _rnn_back(name: str) -> Any:
    def back(
        input: Tensor,
        weight1: Tensor,
        weight2: Tensor,
        weight3: Tensor | None,
        weight4: Tensor | None,
        hx: Tensor,
        output: Tensor,
        grad_output: Tensor,
        grad_hy: Tensor | None,
        reverse: bool = False,
    ) -> Any:
        """The same gradients in ops, each step computed once more, so that they can be differentiated."""
        weights, times = Weights(weight1, weight2, weight3, weight4), _times(input, reverse)
        gates = weights.of_input(input).unbind(0)
        before: dict[int, Any] = {}
        after: dict[int, Any] = {}
        h = hx
        for t in times:
            before[t] = h
            h = after[t] = getattr(weights.of_hidden(h) + gates[t], name)()
        dh = _start(grad_hy, hx)
        d_gates: dict[int, Any] = {}
        for t in reversed(times):
            if grad_output is not None:
                dh = dh + grad_output[t]
            slope = 1 - after[t] * after[t] if name == "tanh" else after[t] > 0
            d_gates[t] = dh * slope
            dh = d_gates[t] @ weight2
        flat = _joined(d_gates)
        return *_products(input, weight1, flat, flat, _joined(before)), flat.sum(0), dh

    return back


for _kind in ("rnn_tanh", "rnn_relu"):
    parts(f"_nn.{_kind}_layer_backward")(_rnn_back(_kind[4:]))


# -- packing -----------------------------------------------------------------------------------------------------


def _unpacked(grad: Tensor, size: tuple[int, ...], sizes: Tensor, batch_first: bool) -> Any:
    """The gradient of a padded batch: zeros behind the ends of sequences."""
    size = (size[1], size[0], *size[2:]) if batch_first else tuple(size)
    padded = torch._pad_packed_sequence(grad, sizes, False, 0, 0)[0]
    if size[0] > len(sizes):
        padded = torch.cat([padded, padded.new_zeros((size[0] - len(sizes), *size[1:]))])
    return padded.transpose(0, 1) if batch_first else padded


differentiate(
    "_pack_padded_sequence", node="PackPaddedSequenceBackward0", results=(0,),
    input=lambda grad, input_shape, result1, batch_first: _unpacked(grad, input_shape, result1, batch_first),
)  # fmt: skip
