"""Attention: masks, three lines, and the order that it does not know."""

from __future__ import annotations

from math import exp, inf, prod, sqrt
from typing import Any

from tensorwidgets.course.checking.functions_asked import Case, FunctionExercise
from tensorwidgets.course.checking.prediction import WordPrediction
from tensorwidgets.course.checking.verdict import Mistake
from tensorwidgets.course.checking.watching import library_that_made

# -- the mask ----------------------------------------------------------------------------------------------

NO_VETO = WordPrediction(
    number="22.5",
    question="Four letters, all scores 0. Later letters are multiplied by 0, then softmax. How much does the first "
    "letter give to the last?",
    subject="the weight of the last letter",
    answer=0.25,
    reason="0.25: 0 is a score like any other, so softmax shares the weight among all four letters",
    otherwise={
        0: "softmax takes e to the power of each score, and e to the power of 0 is 1. A weight of 0 needs a score of "
        "minus infinity",
        1: "softmax shares the weight among all four letters, since all four scores are equal",
        0.33: "the first letter has a score for itself too, so four letters share",
        0.5: "four letters share, and their scores are equal",
        -1: "weights are never negative",
    },
)


def _lengths(torch: Any) -> list[Case]:
    def case(batch: int, time: int) -> Case:
        text = f"may_see(torch.zeros({batch}, {time}, dtype=torch.int64))"
        return Case(text, torch.zeros(batch, time, dtype=torch.int64))

    return [case(1, 2), case(2, 1), case(1, 3), case(5, 7)]


def _places(tokens: Any) -> Any:
    return library_that_made(tokens).arange(tokens.shape[1])


MAY_SEE = FunctionExercise(
    number="22.6",
    task="the table of who may look at whom",
    function="may_see",
    cases=_lengths,
    wanted=lambda tokens: [[j <= i for j in range(tokens.shape[1])] for i in range(tokens.shape[1])],
    at_once=True,
    dtype="bool",
    hints=(
        "The place in the row is the letter that looks, and the place in the column is the letter that it looks at. "
        "Compare the two numbers.",
        "place = torch.arange(tokens.shape[1]) holds the numbers 0, 1, 2 and so on. As a column it is place[:, None].",
        "A column compared with a row gives a table (lesson 07). Which comparison is true for a letter and itself?",
    ),
    mistakes=(
        Mistake(
            lambda tokens: _places(tokens)[:, None] <= _places(tokens),
            "That is the wrong half: your letters see themselves and what comes after them. Reverse the comparison.",
        ),
        Mistake(
            lambda tokens: _places(tokens)[:, None] > _places(tokens),
            "A letter may see itself as well. The first one sees nothing now, and softmax of nothing is nan.",
        ),
        Mistake(
            lambda tokens: _places(tokens)[:, None] < _places(tokens),
            "Your letters see only what comes after them. They may see themselves and what comes before.",
        ),
        Mistake(
            lambda tokens: _places(tokens) >= _places(tokens),
            "A row compared with a row is a row. One of the two has to be a column: place[:, None].",
        ),
        Mistake(
            lambda tokens: _places(tokens)[:, None] == _places(tokens),
            "Your letters see only themselves. They may see all letters before them too.",
        ),
        Mistake(
            lambda tokens: library_that_made(tokens).ones(tokens.shape[1], tokens.shape[1]).tril(),
            "The numbers are right, but they are floats. The mask holds True and False: compare the table with 1.",
        ),
        Mistake(
            lambda tokens: (_places(tokens)[:, None] + _places(tokens)) >= 0,
            "Every letter sees every letter. Nothing after a letter may be seen.",
        ),
        Mistake(
            lambda tokens: tokens[:, :, None] >= tokens[:, None, :],
            "You compare which letters they are. Compare their places: 0, 1, 2 and so on.",
        ),
        Mistake(
            lambda tokens: _places(tokens.t())[:, None] >= _places(tokens.t()),
            "You counted the texts in the batch. The letters are counted in dimension 1.",
        ),
    ),
    right=(
        lambda tokens: _places(tokens)[:, None] >= _places(tokens),
        lambda tokens: library_that_made(tokens).ones(tokens.shape[1], tokens.shape[1]).tril() == 1,
    ),
)


def _questions(torch: Any) -> list[Case]:
    def numbers(step: int, size: tuple[int, ...]) -> tuple[str, Any]:
        count = prod(size)
        text = f"(torch.arange({count}) * {step} % 5 - 2.0).reshape{size}"
        return text, (torch.arange(count) * step % 5 - 2.0).reshape(size)

    def case(size: tuple[int, ...], everything: bool = False) -> Case:
        (a, q), (b, k), (c, v) = (numbers(step, size) for step in (3, 4, 2))
        time = size[2]
        seen = torch.ones(time, time) == 1 if everything else torch.ones(time, time).tril() == 1
        table = f"torch.ones({time}, {time}){'' if everything else '.tril()'} == 1"
        return Case(f"attend({a}, {b}, {c}, {table})", q, (k, v, seen))

    return [case((1, 1, 2, 2)), case((1, 2, 3, 4)), case((2, 1, 4, 3), everything=True), case((5, 5, 6, 6))]


def _collected(q: Any, k: Any, v: Any, seen: Any) -> list:
    """What each letter gets, one by one."""

    def of_head(asks: list, names: list, tells: list) -> list:
        result = []
        for i, ask in enumerate(asks):
            scores = [sum(a * b for a, b in zip(ask, name, strict=True)) / sqrt(len(ask)) for name in names]
            shares = [exp(score) if allowed[i][j] else 0.0 for j, score in enumerate(scores)]
            total = sum(shares)
            result.append([sum(s / total * t[n] for s, t in zip(shares, tells, strict=True)) for n in range(len(ask))])
        return result

    allowed = seen.tolist()
    return [
        [of_head(*head) for head in zip(*example, strict=True)]
        for example in zip(q.tolist(), k.tolist(), v.tolist(), strict=True)
    ]


def _attended(
    by: str = "root",
    mask: str = "before",
    over: int = -1,
    scores: str = "bhqd,bhkd->bhqk",
    result: str = "bhqk,bhkd->bhqd",
) -> Any:
    """The three lines of attention, in any of the ways to write them."""

    def attend(q: Any, k: Any, v: Any, seen: Any) -> Any:
        einsum = library_that_made(q).einsum
        size, time = q.shape[-1], q.shape[-2]
        table = einsum(scores, q, k) / {"root": sqrt(size), "size": size, "time": sqrt(time), "one": 1}[by]
        if mask == "minus one":
            table = table.masked_fill(~seen, -1)
        elif mask == "zero":
            table = table * seen
        elif mask in ("before", "turned"):
            table = table.masked_fill(seen if mask == "turned" else ~seen, -inf)
        weights = table.softmax(over)
        if not result:
            return weights
        return einsum(result, weights * seen if mask == "after" else weights, v)

    return attend


ATTEND = FunctionExercise(
    number="22.7",
    task="attention in three lines",
    function="attend",
    cases=_questions,
    wanted=_collected,
    at_once=True,
    decimals=2,
    hints=(
        "Line 1, the scores: q has the letters bhqd, and k has bhkd. Which letter is summed, and which four are left? "
        "Then divide by the square root of q.shape[-1].",
        "Line 2, the weights: masked_fill writes where its mask is True, and ~ inverts a mask. Softmax goes over "
        "the letters that are looked at.",
        "Line 3, the result: the weights have the letters bhqk, and v has bhkd. Which letter is summed now?",
    ),
    mistakes=(
        Mistake(_attended(by="one"), "The scores are not divided by the square root of size, q.shape[-1]."),
        Mistake(_attended(by="size"), "You divide by size. Divide by its square root."),
        Mistake(_attended(by="time"), "You divide by the root of the number of letters. Take q.shape[-1], the size."),
        Mistake(
            _attended(mask="none"),
            "Every letter sees every letter. Fill the scores with -inf where mask is False, before the softmax.",
        ),
        Mistake(
            _attended(mask="zero"),
            "A score of 0 hides nothing: that was the prediction above. Where mask is False, the score has to be -inf.",
        ),
        Mistake(
            _attended(mask="after"),
            "You hide after the softmax, so the weights of a letter no longer add up to 1. Hide before it.",
        ),
        Mistake(
            _attended(result=""),
            "These are the weights. The third line collects the values v with them.",
        ),
        Mistake(
            _attended(mask="minus one"),
            "A score of -1 is small, but it still gets some weight. Fill with minus infinity.",
        ),
        Mistake(
            _attended(mask="turned"),
            "You hide what may be seen. masked_fill fills where its mask is True: give it ~mask.",
        ),
        Mistake(
            _attended(over=-2),
            "The weights that a letter gives have to add up to 1. They lie in its row, so softmax goes over the last "
            "dimension.",
        ),
        Mistake(
            _attended(scores="bhqd,bhkd->bhkq"),
            "The scores are on their side: q belongs in the rows, and k in the columns.",
        ),
        Mistake(
            _attended(result="bhqk,bhqd->bhkd"),
            "The values are summed over q. Each letter collects from the letters that it looks at: sum over k.",
        ),
    ),
    right=(
        _attended(),
        lambda q, k, v, seen: library_that_made(q).nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=seen),
    ),
)

# -- the order ---------------------------------------------------------------------------------------------

NO_ORDER = WordPrediction(
    number="22.8",
    question="Attention over the letters of 'rat ' and of 'tar '. In how many of its 8 numbers does the result at the "
    "last place differ?",
    subject="the numbers that differ",
    answer=0,
    reason="0: the same four letters are weighed and added up, and a sum does not depend on the order",
    otherwise={
        8: "nothing in the rows says where a letter was. The sum over the same four letters is the same",
        2: "two letters changed places, but the numbers do not depend on places",
        4: "the weights follow the letters, wherever they are",
        6: "the weights follow the letters, wherever they are, and so does the sum",
        1: "no number knows of places, so none can differ",
    },
)
