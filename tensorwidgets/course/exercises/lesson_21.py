"""Lesson 21, many processes: what is asked and wanted, and the usual mistakes with the hint for each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tensorwidgets.course.checking.functions_asked import Case, FunctionExercise
from tensorwidgets.course.checking.prediction import WordPrediction
from tensorwidgets.course.checking.values_asked import Statement, StatementsExercise
from tensorwidgets.course.checking.verdict import Mistake

# -- ranks --------------------------------------------------------------------------------------------

SUMMED = WordPrediction(
    number="21.1",
    question="Rank 0 holds 4 and rank 1 holds 10. Both call all_reduce. What does rank 0 hold then?",
    subject="what rank 0 holds",
    answer=14,
    reason="14: all_reduce adds up, and every rank gets the sum",
    otherwise={
        7: "that is the mean. all_reduce adds up unless you ask for something else",
        10: "nothing is handed over as it is: all_reduce adds up",
        4: "all_reduce writes into the tensor that you give it, in every rank",
        40: "that is the product. all_reduce adds up unless you ask for something else",
        0: "nothing is given away: all_reduce writes the sum into the tensors of all ranks",
    },
)


def _circles(torch: Any) -> list[Case]:
    asked = (([1, 10, 100], 0), ([1, 10, 100], 1), ([1, 10, 100], 2), ([5, 7], 1), ([1, 20, 300, 4000], 2), ([3], 0))
    return [Case(f"passed_on({numbers}, {rounds})", numbers, (rounds,)) for numbers, rounds in asked]


def _passed_on(
    numbers: Sequence[int], rounds: int, step: int = 1, sends_totals: bool = False, first: bool = True,
    stays: bool = False,
) -> tuple[int, ...]:  # fmt: skip
    """The totals of the ranks after some rounds, and the usual slips."""
    n = len(numbers)
    hand, totals = list(numbers), list(numbers) if first else [0] * n
    for _ in range(rounds):
        given = totals if sends_totals else hand
        hand = [given[(rank - step) % n] for rank in range(n)]
        totals = [a + b for a, b in zip(totals, hand, strict=True)]
        if stays:
            hand = list(numbers)
    return tuple(totals)


def _one_list(numbers: Sequence[int], rounds: int) -> list[int]:
    """Rank after rank in one list, so that rank 1 takes what rank 0 has just made."""
    totals = list(numbers)
    for _ in range(rounds):
        for rank in range(len(totals)):
            totals[rank] += totals[rank - 1]
    return totals


PASSED_ON = FunctionExercise(
    number="21.2",
    task="a sum by passing numbers round",
    function="passed_on",
    cases=_circles,
    wanted=_passed_on,
    hints=(
        "Keep two lists: what each rank has in its hand, and what it has added up so far. Both begin as the numbers.",
        "In a round, rank r gets what rank r - 1 had in its hand. In Python, hand[-1] is the last one, so the circle "
        "closes by itself.",
        "Make a new list of hands first. Then everybody adds what is in its hand now to its total.",
    ),
    mistakes=(
        Mistake(
            lambda numbers, rounds: _passed_on(numbers, rounds, sends_totals=True),
            "You pass on the totals, so numbers are added twice. Pass on what came in the last round.",
        ),
        Mistake(
            lambda numbers, rounds: _passed_on(numbers, rounds, step=-1),
            "You pass to the left: rank 0 gets the number of rank 1. Rank r should get it from rank r - 1.",
        ),
        Mistake(
            lambda numbers, rounds: _passed_on(numbers, rounds, first=False),
            "Each rank's own number is missing in its total. The totals begin as the numbers.",
        ),
        Mistake(
            lambda numbers, rounds: _passed_on(numbers, rounds, stays=True),
            "In each round you pass on the rank's own number. Pass on what came from the left in the round before.",
        ),
        Mistake(
            lambda numbers, rounds: tuple(numbers[(k - rounds) % len(numbers)] for k in range(len(numbers))),
            "That is what the ranks have in their hands. Add it to their totals, in each round.",
        ),
        Mistake(
            _one_list,
            "You change the list while you read it: rank 1 gets from rank 0 what rank 0 took in the same round. Make a "
            "new list in each round.",
        ),
        Mistake(
            lambda numbers, rounds: (sum(numbers),) * len(numbers),
            "That is the end, after all the rounds. The question is what the ranks have after this many.",
        ),
        Mistake(
            lambda numbers, rounds: _passed_on(numbers, rounds + 1),
            "One round too many.",
        ),
        Mistake(
            lambda numbers, rounds: sum(_passed_on(numbers, rounds)),
            "Return a list, with the total of each rank.",
        ),
    ),
    right=(lambda numbers, rounds: list(_passed_on(numbers, rounds)),),
)

RING = WordPrediction(
    number="21.3",
    question="A ring adds up 100 MB. With 2 ranks each of them sends 100 MB. How many MB does each of 100 ranks send?",
    subject="the megabytes",
    answer=198,
    reason="198: a piece of 1 MB in each of 2 times 99 rounds, which is less than twice as much",
    otherwise={
        9900: "that would be sending all the 100 MB to each of the other 99. In a round only one piece goes",
        10000: "that would be sending everything to everybody. In a round only one piece goes",
        100: "that is about what is sent in one half: to get the sums, or to hand them out. Both halves are needed",
        99: "that is one half: the sums have to be handed out, too",
        200: "nearly: there are 99 rounds, not 100, in each half",
        1: "that is one round",
        2: "that is a round of each half",
        19800: "a piece has 1 MB, not 100",
    },
)

# -- a part for each ------------------------------------------------------------------------------------

TWELVE = WordPrediction(
    number="21.4",
    question="DistributedSampler shares 10 samples among 4 ranks. How many samples do the four load in an epoch?",
    subject="the samples loaded",
    answer=12,
    reason="12: every rank gets three, so two samples come twice",
    otherwise={
        10: "then two ranks would have three and two would have two, and the ranks with less would be done too early",
        8: "that is with drop_last=True: two samples are left out",
        40: "each rank loads a part, not everything",
        3: "that is what one rank loads",
        2: "that is how many come twice",
    },
)


def _samples(torch: Any) -> list[Case]:
    asked = ((10, 0, 4), (10, 2, 4), (10, 3, 4), (6, 1, 2), (7, 1, 2), (7, 0, 1), (3, 4, 5))
    return [Case(f"share({n}, {rank}, {ranks})", n, (rank, ranks)) for n, rank, ranks in asked]


def _share(n: int, rank: int, ranks: int) -> tuple[int, ...]:
    each = -(-n // ranks)
    indices = [k % n for k in range(each * ranks)]
    return tuple(indices[rank::ranks])


SHARE = FunctionExercise(
    number="21.5",
    task="a part of the samples for each rank",
    function="share",
    cases=_samples,
    wanted=_share,
    hints=(
        "Make the list longer until ranks divides its length: after the last index, begin again with 0, 1 and so on.",
        "Each rank gets n / ranks indices, rounded up. How long is the list then? And k % n begins again at 0.",
        "Every rank takes each ranks-th index, beginning with its own number. A slice with a step does that.",
    ),
    mistakes=(
        Mistake(
            lambda n, rank, ranks: list(range(rank, n, ranks)),
            "Some ranks get one more than others, and would wait for them without end. Fill up from the beginning.",
        ),
        Mistake(
            lambda n, rank, ranks: list(range(rank, n - n % ranks, ranks)),
            "You leave out the last ones. That is what drop_last=True does. Here, fill up from the beginning.",
        ),
        Mistake(
            lambda n, rank, ranks: [k % n for k in range(rank * -(-n // ranks), (rank + 1) * -(-n // ranks))],
            "These are stretches, one after the other. Every rank takes each ranks-th index.",
        ),
        Mistake(
            lambda n, rank, ranks: list(range(n)),
            "Every rank gets everything, so all of them compute the same.",
        ),
        Mistake(
            lambda n, rank, ranks: [min(k, n - 1) for k in range(-(-n // ranks) * ranks)][rank::ranks],
            "You fill up with the last sample. Begin again with the first ones: 0, 1 and so on.",
        ),
        Mistake(
            lambda n, rank, ranks: [k if k < n else 0 for k in range(-(-n // ranks) * ranks)][rank::ranks],
            "You fill up with index 0 alone. Go on with 0, 1, 2 and so on.",
        ),
        Mistake(
            lambda n, rank, ranks: [k % n for k in range((n // ranks + 1) * ranks)][rank::ranks],
            "Right where something is left over. Where ranks divides n, there is nothing to fill up.",
        ),
        Mistake(
            lambda n, rank, ranks: len(_share(n, rank, ranks)),
            "That is how many. Return the indices, in a list.",
        ),
    ),
    right=(lambda n, rank, ranks: list(_share(n, rank, ranks)),),
)

# -- sum or mean ----------------------------------------------------------------------------------------


def _means(torch: Any) -> list[Case]:
    def case(means: list[list[float]], counts: list[int]) -> Case:
        text = ", ".join(f"torch.tensor({mean})" for mean in means)
        return Case(f"whole([{text}], {counts})", [torch.tensor(mean) for mean in means], (counts,))

    return [
        Case("whole([1.0, 6.0], [3, 2])", [1.0, 6.0], ([3, 2],)),
        case([[1.0, 2.0], [9.0, -2.0]], [3, 1]),
        case([[2.0, 0.0], [4.0, 1.0]], [5, 5]),
        case([[1.0], [-1.0], [4.0]], [1, 2, 1]),
        case([[6.0, 1.0, 0.5]], [4]),
    ]


def _whole(means: Sequence[Any], counts: Sequence[int]) -> Any:
    return sum(m * c for m, c in zip(means, counts, strict=True)) / sum(counts)


WHOLE = FunctionExercise(
    number="21.6",
    task="the mean over all samples, from the means of the ranks",
    function="whole",
    cases=_means,
    wanted=_whole,
    decimals=5,
    hints=(
        "On paper: rank 0 has three samples with a mean of 1. What do the three add up to, if you do not know them?",
        "And the two samples of rank 1? Now you know what all five add up to. How does their mean follow?",
        "zip(means, counts) goes through both lists in step. And counts also says how many samples there are in all.",
    ),
    mistakes=(
        Mistake(
            lambda means, counts: sum(means) / len(means),
            "That is still the mean of the means: a rank with one sample counts as much as a rank with three.",
        ),
        Mistake(
            lambda means, counts: sum(means),
            "That is the sum of the means, which grows with the number of ranks.",
        ),
        Mistake(
            lambda means, counts: sum(m * c for m, c in zip(means, counts, strict=True)),
            "That is the sum over all samples. Divide it by how many there are: sum(counts).",
        ),
        Mistake(
            lambda means, counts: sum(m * c for m, c in zip(means, counts, strict=True)) / len(means),
            "You divide by the number of ranks. Divide by the number of samples.",
        ),
        Mistake(
            lambda means, counts: sum(m / c for m, c in zip(means, counts, strict=True)) / sum(counts),
            "A mean times its count is the sum of that rank. You divided.",
        ),
        Mistake(
            lambda means, counts: sum(means) / sum(counts),
            "These are means already: first make sums of them, by mean * count.",
        ),
    ),
    right=(_whole,),
)

# -- the same start -------------------------------------------------------------------------------------

STILL_ONE = WordPrediction(
    number="21.7",
    question="Two ranks begin with w = 0 and w = 1, and share their gradients in each step. How far apart in the end?",
    subject="the distance",
    answer=1,
    reason="1: both take the same steps, so they stay as far apart as they began",
    otherwise={
        0: "each alone would find the best w. But both take the mean of the gradients, so they take the same steps",
        0.5: "both move by the same amount in each step",
        5: "that is where the best w is",
        2: "both take the same steps, so nothing drives them apart",
        100: "both take the same steps, so nothing drives them apart",
    },
)

# -- when to send -----------------------------------------------------------------------------------------


SIX = WordPrediction(
    number="21.8",
    question="Forward takes 1 s, backward and adding up 1 s for each of 4 layers. How long, if layers go when ready?",
    subject="the seconds",
    answer=6,
    reason="6: three of the four sums are taken while backward is still at work",
    otherwise={
        9: "that is how long it takes if adding up begins when backward is done",
        5: "that is forward and backward. The gradients of the first layer come last, and still have to be added up",
        8: "three sums are taken while backward is at work, and not only one",
        4: "forward and backward alone take 5 seconds",
        7: "while backward works on three more layers, three sums are taken. One is left",
        10: "sending early never takes longer here",
    },
)


def _layers(torch: Any) -> list[Case]:
    asked = (
        ([5, 3, 4, 9, 1], 8), ([1, 1, 1, 1], 2), ([10, 1], 5), ([2, 2, 2], 100), ([4, 4, 4, 1], 4), ([3], 8),
    )  # fmt: skip
    return [Case(f"buckets({sizes}, {full})", sizes, (full,)) for sizes, full in asked]


def _buckets(
    sizes: Sequence[int], full: int, reverse: bool = True, before: bool = False, rest: bool = True,
    says_sizes: bool = False, above: bool = False,
) -> tuple[tuple[int, ...], ...]:  # fmt: skip
    """Which parameters go together, in the order in which they go."""
    order = range(len(sizes))
    found, now = [], list[int]()
    for k in reversed(order) if reverse else order:
        if before and now and sum(sizes[j] for j in now) + sizes[k] > full:
            found.append(now)
            now = []
        now.append(k)
        total = sum(sizes[j] for j in now)
        if not before and (total > full if above else total >= full):
            found.append(now)
            now = []
    found += [now] if now and rest else []
    return tuple(tuple(sizes[k] if says_sizes else k for k in bucket) for bucket in found)


def _left(sizes: Sequence[int], full: int) -> bool:
    """Whether the last bucket goes before it is full."""
    return len(_buckets(sizes, full)) > len(_buckets(sizes, full, rest=False))


def _not_reset(sizes: Sequence[int], full: int) -> list[list[int]]:
    """A total that goes on growing when the bucket has gone."""
    found, now, total = [], list[int](), 0
    for k in reversed(range(len(sizes))):
        now, total = [*now, k], total + sizes[k]
        if total >= full:
            found.append(now)
            now = []
    return found + [now] * bool(now)


BUCKETS = FunctionExercise(
    number="21.9",
    task="which gradients are sent together",
    function="buckets",
    cases=_layers,
    wanted=_buckets,
    hints=(
        "Go through the parameters from the last to the first, and collect their numbers in a list.",
        "Whenever the sizes in the list add up to full or more, the bucket goes: put it into the result, and begin "
        "another one.",
        "In the end, what is left in the last bucket goes too, if there is something in it.",
    ),
    mistakes=(
        Mistake(
            lambda sizes, full: _buckets(sizes, full, reverse=False),
            "You begin with the first parameter. Its gradient arrives last.",
        ),
        Mistake(
            lambda sizes, full: _buckets(sizes, full, before=True),
            "You send a bucket before a gradient would make it too full. It goes once it holds full or more.",
        ),
        Mistake(
            lambda sizes, full: _buckets(sizes, full, above=True),
            "A bucket that holds exactly full is full. It goes.",
        ),
        Mistake(
            lambda sizes, full: _buckets(sizes, full, rest=False),
            "The last bucket is missing, the one that never became full. It goes when backward is done.",
        ),
        Mistake(
            lambda sizes, full: tuple(tuple(sorted(bucket)) for bucket in _buckets(sizes, full)),
            "The buckets are right. Inside each, put the gradient that arrives first at the front: [4, 3], not [3, 4].",
        ),
        Mistake(
            lambda sizes, full: tuple(tuple(len(sizes) - 1 - k for k in b) for b in _buckets(sizes, full)),
            "You counted from the end. The numbers are those of the network: the last parameter is len(sizes) - 1.",
        ),
        Mistake(
            lambda sizes, full: (*_buckets(sizes, full), *(() if _left(sizes, full) else ((),))),
            "Your last bucket is empty. Send it only if something is in it.",
        ),
        Mistake(
            lambda sizes, full: _not_reset(sizes, full),
            "After the first bucket, each gradient goes alone: the size has to begin at 0 again for each bucket.",
        ),
        Mistake(
            lambda sizes, full: _buckets(sizes, full, says_sizes=True),
            "These are the sizes. Return the numbers of the parameters.",
        ),
        Mistake(
            lambda sizes, full: tuple((k,) for k in reversed(range(len(sizes)))),
            "Each gradient goes alone. Wait until a bucket is full.",
        ),
        Mistake(
            lambda sizes, full: (tuple(reversed(range(len(sizes)))),),
            "All go together, when backward is done. A bucket goes as soon as it is full.",
        ),
        Mistake(
            lambda sizes, full: tuple(reversed(_buckets(sizes, full))),
            "The buckets are right, but the first one to go comes first.",
        ),
    ),
    right=(lambda sizes, full: [list(bucket) for bucket in _buckets(sizes, full)],),
)

TRUE_OR_FALSE = StatementsExercise(
    number="21.10",
    task="true or false, five times",
    hints=(
        "Each follows from something that you ran or wrote on this page.",
        "For the fourth: what do two ranks have in common when each starts from random numbers of its own?",
    ),
    statements=(
        Statement(
            "all_reduce returns the sum, and leaves the tensor as it was.",
            False,
            "It writes the sum into the tensor, in every rank.",
        ),
        Statement(
            "If one rank leaves out an all_reduce, the others wait for it.",
            True,
            "Nobody can add up what has not come. A collective call is a meeting.",
        ),
        Statement(
            "The mean of the ranks' means is always the mean over all samples.",
            False,
            "Only if all ranks have the same number of samples.",
        ),
        Statement(
            "Ranks that share their gradients become equal after some steps, however they began.",
            False,
            "They take the same steps, so they keep their distance.",
        ),
        Statement(
            "The gradients of the last layer are sent first.",
            True,
            "Backward begins at the end, so they are ready first.",
        ),
    ),
)

# -- a picture of yours -----------------------------------------------------------------------------------

FIFTY = WordPrediction(
    number="21.11",
    question="A brush of 5 by 5 makes 92 rows of 96. Two ranks paint 46 rows each. How many rows does each rank need?",
    subject="the rows for each rank",
    answer=50,
    reason="50: for 46 painted rows a brush of 5 has to see four rows more, and so some rows go to both ranks",
    otherwise={
        46: "that is how many it paints. A brush of 5 sees four rows more than it paints",
        48: "that is half of the photograph. 48 rows become 44 painted ones, and 46 are wanted",
        51: "nearly: 5 rows become one painted row, so 4 are added and not 5",
        52: "you add rows at both ends. A brush of 5 makes a strip 4 rows shorter in all",
        54: "you add four rows at both ends. A brush of 5 makes a strip 4 rows shorter in all",
        96: "with all the rows it would work, but half of them are of no use to a rank",
        92: "that is the whole painting",
    },
)


def _pictures(torch: Any) -> list[Case]:
    def case(rows: int, rank: int, ranks: int, size: int) -> Case:
        x = torch.arange(rows * 2).reshape(rows, 2)
        return Case(
            f"strip(torch.arange({rows * 2}).reshape({rows}, 2), {rank}, {ranks}, {size})", x, (rank, ranks, size)
        )

    return [
        case(8, 0, 2, 3),
        case(8, 1, 2, 3),
        case(10, 1, 3, 2),
        case(13, 2, 3, 5),
        case(6, 1, 3, 1),
        case(9, 0, 1, 4),
    ]


def _rows(first: int = 0, last: int = -1) -> Callable[..., Any]:
    """A strip that begins and ends so many rows later than it should."""

    def strip(x: Any, rank: int, ranks: int, size: int) -> Any:
        each = (len(x) - size + 1) // ranks
        return x[max(0, rank * each + first) : (rank + 1) * each + size + last]

    return strip


STRIP = FunctionExercise(
    number="21.12",
    task="the rows that a rank has to see",
    function="strip",
    cases=_pictures,
    wanted=lambda x, rank, ranks, size: x.tolist()[
        rank * ((len(x) - size + 1) // ranks) : (rank + 1) * ((len(x) - size + 1) // ranks) + size - 1
    ],
    hints=(
        "How many rows are painted in all, and how many by each rank?",
        "Painted row k needs the rows k to k + size - 1 of x. Which painted row is the first one of this rank?",
        "The strips overlap: each goes on size - 1 rows further than where the next one begins.",
    ),
    mistakes=(
        Mistake(
            lambda x, rank, ranks, size: x[rank * (len(x) // ranks) : (rank + 1) * (len(x) // ranks)],
            "These strips do not overlap, and rows are missing where they meet. That is the seam.",
        ),
        Mistake(
            lambda x, rank, ranks, size: x[
                rank * ((len(x) - size + 1) // ranks) : (rank + 1) * ((len(x) - size + 1) // ranks)
            ],
            "This is as many rows as the rank paints. The brush needs size - 1 rows more.",
        ),
        Mistake(
            _rows(last=0),
            "One row too many: a brush of size 1 needs no row of its neighbours.",
        ),
        Mistake(
            _rows(last=-2),
            "One row is missing: size rows become one painted row, so size - 1 are added.",
        ),
        Mistake(
            lambda x, rank, ranks, size: x[rank * (len(x) // ranks) : (rank + 1) * (len(x) // ranks) + size - 1],
            "You divide the rows of x among the ranks. Divide the painted rows, of which there are size - 1 fewer.",
        ),
        Mistake(
            lambda x, rank, ranks, size: x[
                max(0, rank * ((len(x) - size + 1) // ranks) - size + 1) : (rank + 1) * ((len(x) - size + 1) // ranks)
            ],
            "Your rows are added above. Painted row k needs rows k and below, up to k + size - 1.",
        ),
        Mistake(
            lambda x, rank, ranks, size: x,
            "Every rank gets the whole picture, so each paints all of it.",
        ),
        Mistake(
            lambda x, rank, ranks, size: x[rank::ranks],
            "Each ranks-th row is right for samples. A painter needs rows that lie side by side.",
        ),
    ),
    right=(_rows(),),
)

ALL = (
    SUMMED, PASSED_ON, RING, TWELVE, SHARE, WHOLE, STILL_ONE, SIX, BUCKETS, TRUE_OR_FALSE, FIFTY, STRIP,
)  # fmt: skip
