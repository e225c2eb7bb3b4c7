"""How are all steps of a recurrent layer computed with few products?

The inputs of all steps are multiplied in one product, the hidden state in one a step. Inside, a step is an array of
(gates * hidden, batch), so that each gate is contiguous. A sigmoid is half a tanh of half the number: the rows of
weights that belong to sigmoids are halved beforehand, and one tanh serves all gates.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ....memory.places import contiguous
from ..limits import at_least

Array = Any


def reordered(w: Array, hidden: int, order: tuple[int, ...], sigmoids: int = 0) -> Array:
    """A copy of a weight or a bias with its gates in another order; the first ones, of sigmoids, are halved."""
    gates = w.reshape(len(order), hidden, *w.shape[1:])[list(order)]
    if sigmoids:
        gates[:sigmoids] *= w.dtype.type(0.5)
    return gates.reshape(w.shape)


def of_inputs(x: Array, w: Array, *biases: Array) -> Array:
    """What the inputs of all steps add to the gates: (steps, gates * hidden, batch), in one product."""
    steps, batch, features = x.shape
    result = np.dot(x.reshape(steps * batch, features), w.T)
    for bias in biases:
        if bias is not None:
            result += bias
    return contiguous(result.reshape(steps, batch, len(w)).swapaxes(1, 2))


def turned(h: Array) -> Array:
    """A copy of a state as (hidden, batch)."""
    return np.array(h.T, order="C") if type(h) is np.ndarray else np.array(h.T, order="C", like=h)


def times_of(steps: int, reverse: bool) -> range:
    return range(steps - 1, -1, -1) if reverse else range(steps)


def parts_of(gates: Array, count: int) -> list[Array]:
    """Each gate of an array of gates, as views."""
    hidden = len(gates) // count
    return [gates[n * hidden : (n + 1) * hidden] for n in range(count)]


LSTM_ORDER = 0, 1, 3, 2
"""The gates of an LSTM with that of tanh last; reordering twice gives the first order again."""


def lstm_forward(
    output: Array, hy: Array, cy: Array, kept: Array, x: Array, w_ih: Array, w_hh: Array, b_ih: Array, b_hh: Array,
    w_hr: Array, hx: Array, cx: Array, reverse: bool,
) -> None:  # fmt: skip
    """All steps of an LSTM layer; `kept` gets the gates and cells of each step if it has room for them."""
    hidden, half = cx.shape[1], x.dtype.type(0.5)
    w_hh, w_ih = (reordered(w, hidden, LSTM_ORDER, 3) for w in (w_hh, w_ih))
    added = of_inputs(x, w_ih, *[None if b is None else reordered(b, hidden, LSTM_ORDER, 3) for b in (b_ih, b_hh)])
    h, c = turned(hx), turned(cx)
    rooms = kept if kept.size else np.empty((1, 5 * hidden, x.shape[1]), x.dtype, like=x)
    shown = h if w_hr is None else np.empty_like(c)
    for t in times_of(len(x), reverse):
        room = rooms[t if kept.size else 0]
        gates, sigmoids, (write, forget, show, new, cell) = room[: 4 * hidden], room[: 3 * hidden], parts_of(room, 5)
        np.dot(w_hh, h, out=gates)
        gates += added[t]
        np.tanh(gates, out=gates)
        sigmoids *= half
        sigmoids += half
        np.multiply(c, forget, out=cell)
        np.multiply(write, new, out=shown)
        cell += shown
        c = cell
        np.tanh(cell, out=shown)
        shown *= show
        if w_hr is not None:
            np.dot(w_hr, shown, out=h)
        output[t] = h.T
    hy[...], cy[...] = h.T, c.T


def lstm_backward(
    dx: Array, dw_ih: Array, dw_hh: Array, db: Array, dhx: Array, dcx: Array, x: Array, w_ih: Array, w_hh: Array,
    hx: Array, cx: Array, output: Array, kept: Array, d_output: Array, d_hy: Array, d_cy: Array, reverse: bool,
) -> None:  # fmt: skip
    """The gradients of a layer by what `lstm_forward` kept; gradients that are None are 0."""
    (steps, batch, _), hidden, one = x.shape, cx.shape[1], x.dtype.type(1)
    dh, dc = (np.zeros((hidden, batch), x.dtype, like=x) if d is None else turned(d) for d in (d_hy, d_cy))
    d_shown = None if d_output is None else contiguous(d_output.swapaxes(1, 2))
    w_back, times = turned(reordered(w_hh, hidden, LSTM_ORDER)), times_of(steps, reverse)
    # By what the gradients of a step are multiplied depends on no other step.
    five = kept.reshape(steps, 5, hidden, batch)
    write, forget, show, new, cells = (five[:, n] for n in range(5))
    slopes = np.empty((steps, 4, hidden, batch), x.dtype, like=x)
    of_write, of_forget, of_show, of_new = (slopes[:, n] for n in range(4))
    np.subtract(one, five[:, :3], out=slopes[:, :3])
    slopes[:, :3] *= five[:, :3]
    of_write *= new
    now, before = (slice(1, None), slice(-1)) if times.step > 0 else (slice(-1), slice(1, None))
    of_forget[now] *= cells[before]
    of_forget[times[0]] *= turned(cx)
    np.multiply(new, new, out=of_new)
    np.subtract(one, of_new, out=of_new)
    of_new *= write
    seen = np.tanh(cells)
    of_show *= seen
    np.multiply(seen, seen, out=seen)
    np.subtract(one, seen, out=seen)
    seen *= show
    d_gates = slopes.reshape(steps, 4 * hidden, batch)
    for t in reversed(times):
        if d_shown is not None:
            dh += d_shown[t]
        into_cell, (d_write, d_forget, d_show, d_new) = seen[t], slopes[t]
        d_show *= dh
        into_cell *= dh
        dc += into_cell
        d_write *= dc
        d_forget *= dc
        d_new *= dc
        dc *= forget[t]
        np.dot(w_back, d_gates[t], out=dh)
    dhx[...], dcx[...] = dh.T, dc.T
    flat, before_steps = _flat(d_gates), _before(output, hx, times)
    np.dot(flat, reordered(w_ih, hidden, LSTM_ORDER), out=dx.reshape(len(flat), dx.shape[-1]))
    dw_ih[...] = reordered(np.dot(flat.T, x.reshape(len(flat), x.shape[-1])), hidden, LSTM_ORDER)
    dw_hh[...] = reordered(np.dot(flat.T, before_steps), hidden, LSTM_ORDER)
    db[...] = reordered(flat.sum(0), hidden, LSTM_ORDER)


def _flat(gates: Array) -> Array:
    """Gates of all steps as (steps * batch, gates * hidden)."""
    steps, rows, batch = gates.shape
    return gates.swapaxes(1, 2).reshape(steps * batch, rows)


def _before(output: Array, hx: Array, times: range) -> Array:
    """The hidden state before each step, as (steps * batch, hidden)."""
    result = np.empty_like(output)
    if times.step > 0:
        result[0], result[1:] = hx, output[:-1]
    else:
        result[-1], result[:-1] = hx, output[1:]
    return result.reshape(-1, hx.shape[1])


def gru_forward(
    output: Array, hy: Array, kept: Array, x: Array, w_ih: Array, w_hh: Array, b_ih: Array, b_hh: Array, hx: Array,
    reverse: bool,
) -> None:  # fmt: skip
    """All steps of a GRU layer; `kept` gets the gates of each step, and the part of the new state before its gate."""
    hidden, order, half = hx.shape[1], (0, 1, 2), x.dtype.type(0.5)
    w_hh, w_ih = (reordered(w, hidden, order, 2) for w in (w_hh, w_ih))
    b_ih, b_hh = (None if b is None else reordered(b, hidden, order, 2) for b in (b_ih, b_hh))
    added, column = of_inputs(x, w_ih, b_ih), None if b_hh is None else b_hh[:, None]
    h, mixed = turned(hx), np.empty((hidden, x.shape[1]), x.dtype, like=x)
    gates = np.empty((3 * hidden, x.shape[1]), x.dtype, like=x)
    sigmoids, (reset, keep, inner) = gates[: 2 * hidden], parts_of(gates, 3)
    for t in times_of(len(x), reverse):
        np.dot(w_hh, h, out=gates)
        if column is not None:
            gates += column
        sigmoids += added[t, : 2 * hidden]
        np.tanh(sigmoids, out=sigmoids)
        sigmoids *= half
        sigmoids += half
        np.multiply(inner, reset, out=mixed)
        mixed += added[t, 2 * hidden :]
        np.tanh(mixed, out=mixed)
        if kept.size:
            kept[t, : 3 * hidden], kept[t, 3 * hidden :] = gates, mixed
        h -= mixed
        h *= keep
        h += mixed
        output[t] = h.T
    hy[...] = h.T


def gru_backward(
    dx: Array, dw_ih: Array, dw_hh: Array, db_ih: Array, db_hh: Array, dhx: Array, x: Array, w_ih: Array, w_hh: Array,
    hx: Array, output: Array, kept: Array, d_output: Array, d_hy: Array, reverse: bool,
) -> None:  # fmt: skip
    """The gradients of a layer by what `gru_forward` kept."""
    (steps, batch, _), hidden, one = x.shape, hx.shape[1], x.dtype.type(1)
    d_gates, d_inner = (np.empty((steps, n * hidden, batch), x.dtype, like=x) for n in (3, 1))
    dh = np.zeros((hidden, batch), x.dtype, like=x) if d_hy is None else turned(d_hy)
    w_back, first = turned(w_hh), turned(hx)
    step_gates = np.empty((3 * hidden, batch), x.dtype, like=x)
    times = times_of(steps, reverse)
    for n in range(steps - 1, -1, -1):
        t = times[n]
        reset, keep, inner, new = parts_of(kept[t], 4)
        d_reset, d_keep, d_new = parts_of(d_gates[t], 3)
        if d_output is not None:
            dh += d_output[t].T
        before = output[times[n - 1]].T if n else first
        np.multiply(dh, before - new, out=d_keep)
        np.multiply(dh, one - keep, out=d_new)
        d_new *= one - new * new
        np.multiply(d_new, inner, out=d_reset)
        np.multiply(d_new, reset, out=d_inner[t])
        slopes = one - kept[t, : 2 * hidden]
        slopes *= kept[t, : 2 * hidden]
        d_gates[t, : 2 * hidden] *= slopes
        step_gates[: 2 * hidden], step_gates[2 * hidden :] = d_gates[t, : 2 * hidden], d_inner[t]
        dh *= keep
        dh += np.dot(w_back, step_gates)
    dhx[...] = dh.T
    flat, before_steps = _flat(d_gates), _before(output, hx, times)
    np.dot(flat, w_ih, out=dx.reshape(len(flat), dx.shape[-1]))
    np.dot(flat.T, x.reshape(len(flat), x.shape[-1]), out=dw_ih)
    flat.sum(0, out=db_ih)
    flat[:, 2 * hidden :] = _flat(d_inner)
    np.dot(flat.T, before_steps, out=dw_hh)
    flat.sum(0, out=db_hh)


def rnn_forward(
    output: Array, hy: Array, x: Array, w_ih: Array, w_hh: Array, b_ih: Array, b_hh: Array, hx: Array, reverse: bool,
    activation: Callable[..., Any],
) -> None:  # fmt: skip
    """All steps of a plain recurrent layer."""
    added, h = of_inputs(x, w_ih, b_ih, b_hh), turned(hx)
    gates = np.empty_like(h)
    for t in times_of(len(x), reverse):
        np.dot(w_hh, h, out=gates)
        gates += added[t]
        activation(gates, out=h)
        output[t] = h.T
    hy[...] = h.T


def rnn_backward(
    dx: Array, dw_ih: Array, dw_hh: Array, db: Array, dhx: Array, x: Array, w_ih: Array, w_hh: Array, hx: Array,
    output: Array, d_output: Array, d_hy: Array, reverse: bool, slope: Callable[[Array], Array],
) -> None:  # fmt: skip
    """The gradients of a layer by its results, which tell the slopes of tanh and relu."""
    (steps, batch, _), hidden = x.shape, hx.shape[1]
    d_gates = np.empty((steps, hidden, batch), x.dtype, like=x)
    dh = np.zeros((hidden, batch), x.dtype, like=x) if d_hy is None else turned(d_hy)
    w_back, times = turned(w_hh), times_of(steps, reverse)
    for t in reversed(times):
        if d_output is not None:
            dh += d_output[t].T
        np.multiply(dh, slope(output[t].T), out=d_gates[t])
        np.dot(w_back, d_gates[t], out=dh)
    dhx[...] = dh.T
    flat = _flat(d_gates)
    np.dot(flat, w_ih, out=dx.reshape(len(flat), dx.shape[-1]))
    np.dot(flat.T, x.reshape(len(flat), x.shape[-1]), out=dw_ih)
    np.dot(flat.T, _before(output, hx, times), out=dw_hh)
    flat.sum(0, out=db)


def relu(x: Array, out: Array) -> Array:
    """Negative numbers become 0."""
    return at_least(x, x.dtype.type(0), out)


def slope_of_relu(y: Array) -> Array:
    """The slope of relu by its result."""
    return y > 0


def slope_of_tanh(y: Array) -> Array:
    """The slope of tanh by its result."""
    return y.dtype.type(1) - y * y
