"""One step of recurrent networks: rnn_tanh_cell, rnn_relu_cell, lstm_cell, gru_cell, and what they compute."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ....dispatch.registry import OPS
from ....errors.reasons import refuse
from ....tensor.must_be_tensor import must_be_tensor
from ....tensor.tensor import Tensor
from ..declaring import nn_composite

State = tuple[Tensor, ...]
"""What a step hands on: (h,), or (h, c) for an LSTM."""


class Weights:
    """The parameters of one layer in one direction."""

    __slots__ = ("w_ih", "w_hh", "b_ih", "b_hh", "w_hr")

    def __init__(
        self, w_ih: Tensor, w_hh: Tensor, b_ih: Tensor | None = None, b_hh: Tensor | None = None,
        w_hr: Tensor | None = None,
    ):  # fmt: skip
        self.w_ih, self.w_hh, self.b_ih, self.b_hh, self.w_hr = w_ih, w_hh, b_ih, b_hh, w_hr

    def of_input(self, x: Tensor) -> Any:
        """The part of all gates that depends on the input; it takes all steps at once as well."""
        return OPS["nn.functional.linear"].function(x, self.w_ih, self.b_ih)

    def of_hidden(self, h: Tensor) -> Any:
        """The part that depends on the hidden state."""
        return OPS["nn.functional.linear"].function(h, self.w_hh, self.b_hh)


class WeightsOfACell(Weights):
    """The same for a single step, whose hidden part is computed before the part of the input, as in PyTorch: the
    backward pass then reaches the weights of the input first.
    """

    __slots__ = ("hidden",)

    def __init__(
        self, h: Tensor, w_ih: Tensor, w_hh: Tensor, b_ih: Tensor | None = None, b_hh: Tensor | None = None
    ) -> None:
        super().__init__(w_ih, w_hh, b_ih, b_hh)
        self.hidden = super().of_hidden(h)

    def of_hidden(self, h: Tensor) -> Any:
        return self.hidden


Step = Callable[[Tensor, State, Weights], State]
"""A step: what the input adds to the gates, the state and the weights make the next state."""


def tanh_step(gates: Tensor, state: State, weights: Weights) -> State:
    """The next state of a plain recurrent network."""
    return ((weights.of_hidden(state[0]) + gates).tanh(),)


def relu_step(gates: Tensor, state: State, weights: Weights) -> State:
    """The same with relu."""
    return ((weights.of_hidden(state[0]) + gates).relu(),)


def lstm_step(gates: Tensor, state: State, weights: Weights) -> State:
    """The next state of an LSTM: what to write, what to forget, what to write it with, what to show."""
    h, c = state
    write, forget, new, show = (weights.of_hidden(h) + gates).unsafe_chunk(4, 1)
    c = (forget.sigmoid() * c).add_(write.sigmoid() * new.tanh())
    h = show.sigmoid() * c.tanh()
    return (h if weights.w_hr is None else h.matmul(weights.w_hr.t())), c


def gru_step(gates: Tensor, state: State, weights: Weights) -> State:
    """The next state of a GRU: a mix of the old one and a new one."""
    (h,) = state
    reset_x, keep_x, new_x = gates.unsafe_chunk(3, 1)
    reset_h, keep_h, new_h = weights.of_hidden(h).unsafe_chunk(3, 1)
    reset, keep = (reset_h + reset_x).sigmoid(), (keep_h + keep_x).sigmoid()
    new = (new_x + new_h.mul_(reset)).tanh()  # in place, so that a graph keeps a clone, as in PyTorch
    return ((h - new).mul_(keep).add_(new),)


STEPS: dict[str, Step] = {"rnn_tanh": tanh_step, "rnn_relu": relu_step, "lstm": lstm_step, "gru": gru_step}
"""The step of each kind of network."""

GATES = {"rnn_tanh": 1, "rnn_relu": 1, "lstm": 4, "gru": 3}
"""How many gates each kind has."""


# -- cells -------------------------------------------------------------------------------------------------------


def check_cell(kind: str, input: Tensor, state: Sequence[Tensor], w_ih: Tensor, w_hh: Tensor) -> None:
    """Refuse sizes that do not fit, in PyTorch's words."""
    gates, plain = GATES[kind], kind.startswith("rnn")
    if plain:
        _check_weights(gates, w_ih, w_hh)
    if input.size(1) != w_ih.size(1):
        _refuse(f"input has inconsistent input_size: got {input.size(1)} expected {w_ih.size(1)}")
    if kind == "lstm":
        _check_weights(gates, w_ih, w_hh)
    size = w_hh.size(1)
    for number, h in enumerate(state):
        if input.size(0) != h.size(0):
            _refuse(f"Input batch size {input.size(0)} doesn't match hidden{number} batch size {h.size(0)}")
        if h.size(1) != size:
            _refuse(f"hidden{number} has inconsistent hidden_size: got {h.size(1)}, expected {size}")
    if kind == "gru":
        _check_weights(gates, w_ih, w_hh)


def _check_weights(gates: int, w_ih: Tensor, w_hh: Tensor) -> None:
    size = w_hh.size(1)
    for name, w in (("weight_ih", w_ih), ("weight_hh", w_hh)):
        if w.size(0) != gates * size:
            _refuse(f"{name} first dim must be {gates} * hidden_size = {gates * size}, but got {w.size(0)}")


def _refuse(message: str) -> None:
    refuse(
        RuntimeError,
        message,
        "a cell takes (batch, input_size) and (batch, hidden_size), and has weights of gates * hidden_size rows",
        rule="recurrent.size",
    )


def _cell(kind: str, words: str) -> None:
    @nn_composite(f"{kind}_cell", words)
    def cell(
        input: Tensor, hx: Tensor, w_ih: Tensor, w_hh: Tensor, b_ih: Tensor | None = None, b_hh: Tensor | None = None
    ) -> Tensor:
        must_be_tensor(f"{kind}_cell", input)
        check_cell(kind, input, (hx,), w_ih, w_hh)
        if kind == "gru":  # the only cell that begins with its input
            weights = Weights(w_ih, w_hh, b_ih, b_hh)
        else:
            weights = WeightsOfACell(hx, w_ih, w_hh, b_ih, b_hh)
        return STEPS[kind](weights.of_input(input), (hx,), weights)[0]


_cell("rnn_tanh", "One step of a plain recurrent network with tanh.")
_cell("rnn_relu", "One step of a plain recurrent network with relu.")
_cell("gru", "One step of a gated recurrent unit.")


@nn_composite("lstm_cell", "One step of a long short-term memory: the next hidden state and cell state.")
def lstm_cell(
    input: Tensor, hx: Sequence[Tensor], w_ih: Tensor, w_hh: Tensor, b_ih: Tensor | None = None,
    b_hh: Tensor | None = None,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    must_be_tensor("lstm_cell", input)
    if isinstance(hx, Tensor):
        refuse(
            TypeError,
            "lstm_cell(): argument 'hx' (position 2) must be tuple of Tensors, not Tensor",
            "the state of an LSTM is a pair (h, c): its output and its memory",
            "(h, c)",
            rule="recurrent.state",
        )
    if len(hx) != 2:
        refuse(
            RuntimeError,
            "lstm_cell expects two hidden states",
            "the state of an LSTM is a pair (h, c): its output and its memory",
            "(h, c)",
            rule="recurrent.state",
        )
    check_cell("lstm", input, hx, w_ih, w_hh)
    weights = WeightsOfACell(hx[0], w_ih, w_hh, b_ih, b_hh)
    h, c = lstm_step(weights.of_input(input), tuple(hx), weights)
    return h, c
