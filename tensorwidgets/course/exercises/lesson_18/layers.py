"""Lesson 18, what a layer and a module are."""

from __future__ import annotations

from typing import Any

from tensorwidgets.course.checking.functions_asked import Case, FunctionExercise
from tensorwidgets.course.checking.prediction import WordPrediction
from tensorwidgets.course.checking.values_asked import Statement, StatementsExercise
from tensorwidgets.course.checking.verdict import Mistake
from tensorwidgets.course.checking.watching import library_that_made

# -- a layer is two tensors -----------------------------------------------------------------------

HOW_MANY = WordPrediction(
    number="18.1",
    question="How many numbers can nn.Linear(64, 10) learn?",
    subject="the layer's numbers",
    answer=650,
    reason="650: 64 weights for each of 10 outputs, and 10 biases",
    otherwise={
        640: "those are the weights. Each output also has a number of its own that is added, its bias",
        74: "every output looks at every input, so the sizes are multiplied",
        64: "each of the ten outputs has its own weight for each input",
        10: "each output has a weight for each of the 64 inputs, too",
        641: "each of the ten outputs has a bias of its own",
        2: "there are two tensors. How many numbers do they hold?",
        704: "there is one bias for each output, not for each input",
    },
)


def _batches(torch: Any) -> list[Case]:
    def case(n: int, into: int, out: int) -> Case:
        x = torch.arange(n * into * 1.0).reshape(n, into)
        weight = torch.arange(out * into * 1.0).reshape(out, into) % 5 - 1
        bias = torch.arange(out * 1.0) * 100 - 50
        text = (
            f"linear(torch.arange({n * into}.0).reshape({n}, {into}), "
            f"torch.arange({out * into}.0).reshape({out}, {into}) % 5 - 1, torch.arange({out}.0) * 100 - 50)"
        )
        return Case(text, x, (weight, bias))

    return [case(2, 3, 3), case(1, 3, 2), case(4, 2, 3), case(3, 3, 3), case(9, 9, 2)]


def _neuron_by_neuron(x: Any, weight: Any, bias: Any) -> list:
    rows = zip(weight.tolist(), bias.tolist(), strict=True)
    neurons = list(rows)
    return [[sum(a * w for a, w in zip(row, one, strict=True)) + b for one, b in neurons] for row in x.tolist()]


LINEAR = FunctionExercise(
    number="18.2",
    task="what nn.Linear computes",
    function="linear",
    cases=_batches,
    wanted=_neuron_by_neuron,
    at_once=True,
    hints=(
        "Write down the sizes: x is (n, in), weight is (out, in), and the result is (n, out). Which product makes the "
        "two `in` meet?",
        "Rows of x meet columns of the other factor. In weight, the numbers of one output are a row: turn it.",
        "The bias has size (out,). Broadcasting adds it to every row as it is.",
    ),
    mistakes=(
        Mistake(
            lambda x, weight, bias: x @ weight + bias,
            "weight has size (out, in): each row belongs to one output. Turn it first, with weight.t().",
        ),
        Mistake(
            lambda x, weight, bias: x @ weight.t(),
            "The bias is missing: each output adds a number of its own.",
        ),
        Mistake(
            lambda x, weight, bias: (weight @ x.t()).t() + bias[: len(x), None],
            "The bias belongs to the columns, one number for each output. Broadcasting lines up at the right, so add "
            "it as it is.",
        ),
        Mistake(
            lambda x, weight, bias: weight @ x.t() + bias[:, None],
            "The numbers are right, but they lie on their side: rows are examples, columns are outputs.",
        ),
        Mistake(
            lambda x, weight, bias: (x @ weight.t() + bias).relu(),
            "That is a linear layer and a bend after it. Leave relu out: here some outputs are negative.",
        ),
        Mistake(
            lambda x, weight, bias: weight @ x + bias,
            "That is how mathematicians write it, for one example in a column. Here each row of x is an example: "
            "x @ weight.t().",
        ),
        Mistake(
            lambda x, weight, bias: x @ weight.t() - bias,
            "The bias is added, not subtracted.",
        ),
    ),
    right=(
        lambda x, weight, bias: x @ weight.t() + bias,
        lambda x, weight, bias: (x[:, None] * weight).sum(-1) + bias,
        lambda x, weight, bias: library_that_made(x).nn.functional.linear(x, weight, bias),
    ),
)


# -- a module knows its parts ---------------------------------------------------------------------

IN_A_LIST = WordPrediction(
    number="18.3",
    question="A Module holds one Linear as an attribute and two in a list. How many tensors does parameters() find?",
    subject="the parameters found",
    answer=2,
    reason="2: the weight and the bias of the attribute. A plain list is not looked into",
    otherwise={
        6: "that is how many there are. But a module finds only what was assigned to it as a layer or a parameter, and "
        "a list is neither",
        4: "the two layers in the list are treated alike: both are found, or neither is",
        3: "each layer has two tensors",
        1: "a layer has two tensors, its weight and its bias",
        0: "self.first = nn.Linear(...) is noticed",
    },
)

SAVED = StatementsExercise(
    number="18.4",
    task="what a module would save",
    hints=(
        "What is noticed when you assign it to an attribute? The tree of the network above shows some of it.",
        "A module notices three sorts of things: modules, parameters, and buffers that were registered by name. Which "
        "of the six are none of these?",
    ),
    statements=(
        Statement(
            "layer is saved.",
            True,
            "A module that is assigned to an attribute is noticed, with its weight and its bias.",
        ),
        Statement(
            "pair is saved.", False, "It holds layers, but a plain list is not a module, so nobody looks into it."
        ),
        Statement(
            "scale is saved.",
            False,
            "A plain tensor is an attribute and nothing more. Make it a parameter if it is learned, and a buffer if "
            "it is not.",
        ),
        Statement(
            "shift is saved.",
            True,
            "An nn.Parameter is noticed when it is assigned, with or without a layer around it.",
        ),
        Statement("stack is saved.", True, "An nn.ModuleList is a module: its layers are found."),
        Statement("count is saved.", True, "A buffer is not learned, but it belongs to the state, and is saved."),
    ),
)


# -- a bend between -------------------------------------------------------------------------------

STRAIGHT = WordPrediction(
    number="18.5",
    question="Two linear layers in a row give 1 at x = 0 and 3 at x = 1. What do they give at x = 10?",
    subject="the result at 10",
    answer=21,
    reason="21: a straight line that starts at 1 and climbs by 2 each step",
    otherwise={
        30: "that would be right for a line through 0. This one starts at 1, because layers have biases",
        31: "it climbs by 2 from 0 to 1, not by 3",
        20: "the line starts at 1, not at 0",
        13: "it climbs by 2 for each step, and there are nine more steps from 1 to 10",
        "unknown": "two points are enough for a straight line, and that is what two linear layers are",
        3: "nothing levels it off: there is no bend in it",
        10: "it climbs by 2 for each step of x",
    },
)


def _pairs(torch: Any) -> list[Case]:
    def case(middle: int, into: int, out: int) -> Case:
        first = torch.arange(middle * into * 1.0).reshape(middle, into) % 7 - 2
        second = torch.arange(out * middle * 1.0).reshape(out, middle) % 4 - 1
        text = (
            f"merge(torch.arange({middle * into}.0).reshape({middle}, {into}) % 7 - 2, "
            f"torch.arange({out * middle}.0).reshape({out}, {middle}) % 4 - 1)"
        )
        return Case(text, first, (second,))

    return [case(2, 2, 2), case(3, 3, 3), case(2, 3, 1), case(4, 2, 3)]


def _path_by_path(first: Any, second: Any) -> list:
    a, b = first.tolist(), second.tolist()
    return [[sum(row[k] * a[k][j] for k in range(len(a))) for j in range(len(a[0]))] for row in b]


MERGE = FunctionExercise(
    number="18.6",
    task="two linear layers in one",
    function="merge",
    cases=_pairs,
    wanted=_path_by_path,
    hints=(
        "A layer computes x @ weight.t(). Put the result of the first into the second, and move the brackets.",
        "(x @ first.t()) @ second.t() is x @ (first.t() @ second.t()). To turn a product, turn both "
        "factors and swap their order.",
    ),
    mistakes=(
        Mistake(
            lambda first, second: first @ second,
            "The order is the other way round. Look at the sizes: (out, middle) @ (middle, in) is (out, in).",
        ),
        Mistake(
            lambda first, second: first.t() @ second.t(),
            "That is the merged weight, turned. A weight has size (out, in).",
        ),
        Mistake(
            lambda first, second: second.t() @ first.t(),
            "These are turned, and in the wrong order. Try it with sizes that all differ.",
        ),
        Mistake(
            lambda first, second: second + first,
            "The results of layers can be added, but here the second layer reads the result of the first.",
        ),
        Mistake(
            lambda first, second: second * first,
            "* multiplies number by number. A layer multiplies matrices, with @.",
        ),
    ),
    right=(lambda first, second: second @ first, lambda first, second: (first.t() @ second.t()).t()),
)
