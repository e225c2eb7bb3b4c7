"""Lesson 18, layers: what is asked and wanted, and the usual mistakes with the hint for each."""

from __future__ import annotations

from tensorwidgets.course.checking.values_asked import Statement, StatementsExercise

from .images import EDGES, PRESSED, SHIFTED, SLIDE
from .layers import HOW_MANY, IN_A_LIST, LINEAR, MERGE, SAVED, STRAIGHT
from .training import CROSS_ENTROPY, DROP, DROPPED, TWO_SIZES

TRUE_OR_FALSE = StatementsExercise(
    number="18.14",
    task="true or false, six times",
    hints=(
        "Each can be tried in a cell of your own. Print a shape, or count the parameters.",
        "For the last one: print scores.softmax(-1) and the softmax of that. Which says what the network means?",
    ),
    statements=(
        Statement(
            "The weight of nn.Linear(64, 10) has size (64, 10).",
            False,
            "Rows are outputs: it is (10, 64), and the layer computes x @ weight.t() + bias.",
        ),
        Statement(
            "A layer in a plain list works in forward(), but parameters() does not find it.",
            True,
            "Python calls it like any function. But nothing told the module about it, so nobody trains it or saves it.",
        ),
        Statement(
            "Three linear layers in a row can draw a curve that one cannot.",
            False,
            "Straight lines after straight lines stay straight. It takes a bend, such as relu, between them.",
        ),
        Statement(
            "nn.Conv2d(3, 16, 5) has more parameters for a large photograph than for a small one.",
            False,
            "The same kernels slide over any picture. Only the number of places where they stop grows.",
        ),
        Statement(
            "After model.eval(), a dropout layer returns its input unchanged.",
            True,
            "eval() tells every part of the model that training is over. model.train() switches back.",
        ),
        Statement(
            "nn.CrossEntropyLoss wants its first argument to have gone through softmax.",
            False,
            "It wants the scores, and takes the softmax itself. After a second one, all classes look nearly alike.",
        ),
    ),
)

ALL = (
    HOW_MANY, LINEAR, IN_A_LIST, SAVED, STRAIGHT, MERGE, SHIFTED, SLIDE, DROPPED, DROP, TWO_SIZES, CROSS_ENTROPY,
    EDGES, TRUE_OR_FALSE, PRESSED,
)  # fmt: skip
