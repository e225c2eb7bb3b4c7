"""Lesson 17, the tape and its memory: what is asked and wanted, and the usual mistakes with the hint for each."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, exp, floor, sin
from typing import Any

from tensorwidgets.course.checking.functions_asked import Case, FunctionExercise
from tensorwidgets.course.checking.prediction import WordPrediction
from tensorwidgets.course.checking.values_asked import Statement, StatementsExercise, ValueExercise
from tensorwidgets.course.checking.verdict import Mistake
from tensorwidgets.course.checking.watching import library_that_made

# -- what is kept -----------------------------------------------------------------------------------

ONE_STORAGE = WordPrediction(
    number="17.1",
    question="y = x.exp().sin().sum(), x of 1,000 float32: how many bytes does the graph keep for backward?",
    subject="x.exp().sin().sum()",
    answer=4000,
    reason="4000: exp keeps its result, sin keeps its input, and that is the same tensor",
    otherwise={
        8000: "two operations keep something, but it is the same 4,000 bytes: the result of exp is the input of sin",
        12000: "not every tensor on the way is kept: no derivative needs x, or the result of sin",
        12004: "not every tensor on the way is kept: each operation keeps what its own derivative reads",
        16000: "not every tensor is kept: each operation keeps what its own derivative reads",
        1000: "that is how many numbers are kept; each takes 4 bytes",
        0: "the derivative of sin is cos of its input, so the graph has to remember that input",
        4004: "sum keeps only a size, no numbers, and y itself is not needed",
    },
)

CHAIN = ValueExercise(
    number="17.2",
    task="the bytes that a longer chain keeps",
    asked="the number of bytes that the graph keeps",
    hints=(
        "Go line by line. What does the derivative of each operation read: its inputs, its result, or neither?",
        "x * w keeps w, since only x requires a gradient. sigmoid keeps its result. + keeps nothing. r * s keeps both "
        "factors, and one of them is kept already.",
    ),
    mistakes=(
        Mistake(16000, "s is counted twice: sigmoid keeps it and the product keeps it, but it is one storage."),
        Mistake(
            20000,
            "That counts x as well. x would be needed for the gradient of w, but w does not require one.",
        ),
        Mistake(
            24000,
            "That is every tensor of 1,000 numbers. Only what a derivative will read is kept: h, x and the last "
            "product are not.",
        ),
        Mistake(8000, "One is missing. x * w needs w for the gradient of x, and r * s needs both factors."),
        Mistake(
            4000, "Two are missing. x * w needs w for the gradient of x, and the product needs both of its factors."
        ),
        Mistake(3000, "That is how many numbers are kept. Each float32 takes 4 bytes."),
        Mistake(0, "backward() has to know the factors of a product. They are kept until then."),
    ),
    right=(12000,),
)

# -- one write too many -----------------------------------------------------------------------------

TWO_REFUSE = WordPrediction(
    number="17.3",
    question="y = f(x), y.add_(1.0), y.sum().backward(), for f = sin, exp, relu, square: how many are refused?",
    subject="those that refuse",
    answer=2,
    reason="2: exp and relu keep their result, which was written to; sin and square keep their input",
    otherwise={
        4: "a write is harmless if backward() does not need the numbers that it replaced",
        0: "two of the four keep their result for backward(), and the result is what was written to",
        1: "exp is one of them. relu also keeps its result: where it is 0, no gradient passes",
        3: "square keeps its input, x, and x was not written to",
    },
)

BROKEN = StatementsExercise(
    number="17.4",
    task="which of six writes break backward",
    hints=(
        "For each program: which numbers does backward() need, and does the second line write to that memory?",
        "A write to one element is enough. And whose memory does a detached tensor read?",
        "exp and sqrt need their result, sin needs its input, x * w needs both factors, and x + w needs neither.",
    ),
    statements=(
        Statement("y = x.exp(), then y.mul_(2)", True, "exp keeps its result, y, and y was overwritten."),
        Statement("y = x.sin(), then y.mul_(2)", False, "sin keeps its input, x. Its result can be overwritten."),
        Statement(
            "y = x * w, then w.add_(1)",
            True,
            "x * w needs w for the gradient of x. It makes no difference that w itself requires no gradient.",
        ),
        Statement(
            "y = x + w, then w.add_(1)",
            False,
            "The gradient of a sum does not depend on what was added, so w is not kept.",
        ),
        Statement(
            "y = x.exp(), then y[0] = 0.0",
            True,
            "One element is enough. The count of writes belongs to the whole tensor.",
        ),
        Statement(
            "y = x.sqrt(), then y.detach().zero_()",
            True,
            "detach() copies nothing. It reads the memory of y, and a write through it is counted.",
        ),
    ),
)

# -- a sentence from the notes ----------------------------------------------------------------------


def _roots(torch: Any) -> list[Case]:
    return [
        Case(f"repaired(torch.tensor({numbers}))", torch.tensor(numbers))
        for numbers in ([1.0, 4.0], [16.0], [4.0, 64.0, 1.0], [0.25, 256.0])
    ]


def _root_gradient(x: Any) -> list:
    return [(v**0.5 + 1) / v**0.5 for v in x.tolist()]


def _written(x: Any, how: str) -> Any:
    """The function of the lesson with its second line in another form."""
    x = x.clone().requires_grad_()
    y = x.sqrt()
    match how:
        case "new":
            y = y + 1
        case "in place":
            y += 1
        case "data":
            y.data += 1
        case "cloned":
            y = y.clone()
            y += 1
    (y * y).sum().backward()
    return x.grad


REPAIRED = FunctionExercise(
    number="17.5",
    task="repair a write that breaks backward",
    function="repaired",
    cases=_roots,
    wanted=_root_gradient,
    hints=(
        "sqrt keeps its result, y, and the next line writes to it. Which form of that line leaves the old numbers "
        "alone?",
        "y += 1 writes to the memory of y. y = y + 1 makes a new tensor and moves the name.",
    ),
    mistakes=(
        Mistake(
            lambda x: _written(x, "in place"),
            "y += 1 writes to the tensor that sqrt kept, and under no_grad() the new y would have no history. y = y + "
            "1, without either, makes a new tensor.",
        ),
        Mistake(
            lambda x: _written(x, "data"),
            "There is no error, and the numbers are wrong: .data hides the write from the graph, so sqrt reads y + 1 "
            "where it had kept y. Never write through .data.",
        ),
        Mistake(lambda x: x.sqrt() + 1, "That is y itself. Return x.grad, after backward()."),
        Mistake(lambda x: (x.sqrt() + 1) * 2, "That is the gradient of y. Go one step further back, to x."),
    ),
    right=(lambda x: _written(x, "new"), lambda x: _written(x, "cloned")),
)

NOTES = StatementsExercise(
    number="17.6",
    task="true or false, six times",
    hints=(
        "Each can be tried in a cell of its own. What does `._version` say before and after?",
        "For the first: after y = x.exp(); y.mul_(2), is there a wrong gradient, or none at all?",
    ),
    statements=(
        Statement(
            "In-place operations overwrite gradients in autograd computations.",
            False,
            "They overwrite values that backward() still needs. At that moment there are no gradients yet, and such a "
            "write is noticed.",
        ),
        Statement(
            "A write through a view counts as a write to the tensor that it views.",
            True,
            "They share one count, as they share the memory. Try x = torch.zeros(3); x[1:].add_(1); x._version.",
        ),
        Statement(
            "y = y + 1 makes y._version one larger.",
            False,
            "It makes a new tensor, whose count starts at 0, and gives it the name y.",
        ),
        Statement(
            "A write after backward() does no harm to the gradients.",
            True,
            "They have been worked out by then, and the numbers that were kept are not read again.",
        ),
        Statement(
            "After y = (x * x).sum(), y.backward() can be called twice in a row.",
            False,
            "The first call frees what the product kept. retain_graph=True keeps it for a second one.",
        ),
        Statement(
            "y.data.zero_() is noticed as y.detach().zero_() is.",
            False,
            "A write through .data is not counted. backward() goes on with the wrong numbers.",
        ),
    ),
)

# -- let it go --------------------------------------------------------------------------------------

FIVE_GRAPHS = WordPrediction(
    number="17.7",
    question="Five times: total = total + w.exp().sum(), w of 1,000 float32. How many bytes do the graphs keep?",
    subject="total after five turns",
    answer=20000,
    reason="20000: total leads back to all five results of exp",
    otherwise={
        4000: "that would be one of them. total was made from the total before, and so on back to the first turn",
        0: "total is one number, but it has a history, and that history needs the results of exp",
        20: "that would be five sums of 4 bytes. The history behind them weighs more",
        4: "that is total itself. Its history weighs more",
        24000: "w itself is not kept by exp: exp reads its own result",
        5000: "that is how many numbers are kept; each takes 4 bytes",
    },
)

HALVES = WordPrediction(
    number="17.8",
    question="Eight times sin, in two checkpoints of four: how many bytes are kept for backward?",
    subject="two checkpoints of four",
    answer=8000,
    reason="8000: each checkpoint keeps its input, w and the tensor in the middle",
    otherwise={
        32000: "that is without checkpoints: eight inputs of 4,000 bytes",
        16000: "not half of them: of each four, only the first input is kept",
        4000: "each of the two checkpoints keeps its own input",
        0: "backward() has to begin somewhere: the input of each checkpoint is kept",
        24000: "that is what you save. The question is what is still kept",
        2000: "that is how many numbers are kept; each takes 4 bytes",
    },
)

# -- a Function of your own -------------------------------------------------------------------------

FLAT = WordPrediction(
    number="17.9",
    question="x is 2.3, and y = x.round() * x. Which number does x.grad hold after y.backward()?",
    subject="x.grad",
    answer=2,
    reason="2: x.round() is 2 and stays 2 when x moves a little, so only the other factor counts",
    otherwise={
        4.3: "that would be 2 + 2.3. But a rounded number stays the same when x moves a little: its gradient is 0",
        4.6: "that is the gradient of x * x. One factor is rounded",
        2.3: "that would be the way through round(), and nothing comes through: its gradient is 0",
        0: "the factor that was not rounded still counts",
    },
)


def _rounded(torch: Any) -> list[Case]:
    def case(x: list[float], count: int, grad: list[float]) -> Case:
        text = f"through(torch.tensor({x}), {count}, torch.tensor({grad}))"
        return Case(text, torch.tensor(x), (count, torch.tensor(grad)))

    return [
        case([0.25, 0.75], 1, [1.0, 1.0]),
        case([0.2, 0.9], 4, [1.0, 1.0]),
        case([0.1, 0.45, 0.8], 2, [1.0, 10.0, 100.0]),
        case([0.95], 8, [-3.0]),
    ]


def _as_if_straight(x: Any, count: int, grad: Any) -> list:
    return [
        [float(floor(v * count + 0.5)) for v in x.tolist()],
        [g * count for g in grad.tolist()],
    ]


def _by(back: Callable[[Any, int], Any], rounds: bool = True) -> Callable[[Any, int, Any], Any]:
    """What `through` of the lesson returns with a Function whose backward is `back`."""

    def through(x: Any, count: int, grad: Any) -> Any:
        library = library_that_made(x)

        def forward(ctx: Any, x: Any, count: int) -> Any:
            ctx.count = count
            return (x * count).round() if rounds else x * count

        made = {"forward": staticmethod(forward), "backward": staticmethod(lambda ctx, grad: back(grad, ctx.count))}
        function: Any = type("Levels", (library.autograd.Function,), made)
        x = x.detach().requires_grad_()
        y = function.apply(x, count)
        y.backward(grad)
        return library.stack([y.detach(), x.grad])

    return through


LEVELS = FunctionExercise(
    number="17.10",
    task="a Function that rounds forwards and not backwards",
    function="through",
    cases=_rounded,
    wanted=_as_if_straight,
    hints=(
        "forward returns (x * count).round(), and leaves count in ctx for later. Without the rounding it would be "
        "x * count: what is the gradient of that?",
        "backward returns one thing for each input of forward: grad * ctx.count for x, and None for count.",
    ),
    mistakes=(
        Mistake(
            _by(lambda grad, count: (grad, None)),
            "backward forgets the factor: x * count grows count times as fast as x.",
        ),
        Mistake(
            _by(lambda grad, count: grad * count),
            "backward has to return one thing for each input of forward, in their order: the gradient for x, and None "
            "for count.",
        ),
        Mistake(
            _by(lambda grad, count: (grad * 0, None)),
            "That is the true gradient of rounding, and nothing can be learnt from it. Go back as if nothing had been "
            "rounded.",
        ),
        Mistake(
            _by(lambda grad, count: (grad / count, None)),
            "You divide by count. forward multiplies by it, and so does backward.",
        ),
        Mistake(
            _by(lambda grad, count: (grad * count, None), rounds=False),
            "forward does not round. Only backward behaves as if nothing had been rounded.",
        ),
        Mistake(
            _by(lambda grad, count: (grad * 0 + count, None)),
            "backward loses the gradient that arrives. Multiply it by the factor.",
        ),
    ),
    right=(_by(lambda grad, count: (grad * count, None)), _by(lambda grad, count: (count * grad, None))),
)

# -- a meter ----------------------------------------------------------------------------------------

RESULT, INPUT, NOTHING = ("exp", "sigmoid", "sqrt", "relu"), ("sin", "square"), ("neg",)


def _chains(torch: Any) -> list[Case]:
    def case(text: str, x: Any, *steps: str) -> Case:
        return Case(f"kept({text}, {list(steps)})", x, (list(steps),))

    ones = torch.ones(1000)
    return [
        case("torch.ones(1000)", ones, "exp", "sin"),
        case("torch.ones(1000)", ones, "sin", "sin"),
        case("torch.ones(1000)", ones, "neg", "neg"),
        case("torch.ones(1000)", ones, "sigmoid", "square", "exp"),
        case("torch.ones(10, dtype=torch.float64)", torch.ones(10, dtype=torch.float64), "relu"),
        case("torch.ones(100, 10)[:, 0]", torch.ones(100, 10)[:, 0], "sin", "exp"),
    ]


def _by_table(x: Any, steps: list[str]) -> int:
    """What each operation keeps, from a table; a name for each storage."""
    own = x.numel() * x.element_size()
    sizes = {0: x.untyped_storage().nbytes()}
    held = set()
    for k, name in enumerate(steps, 1):
        sizes[k] = own
        if name not in NOTHING:
            held.add(k if name in RESULT else k - 1)
    return sum(sizes[k] for k in held)


def _metered(count: Callable[[Any, dict[int, int]], None], total: Callable[[dict[int, int]], int]) -> Any:
    """A meter whose hook does `count`, and what it makes of the counts in the end."""

    def kept(x: Any, steps: list[str]) -> int:
        library = library_that_made(x)
        found: dict[int, int] = {}

        def pack(t: Any) -> Any:
            count(t, found)
            return t

        y = x.detach().requires_grad_()
        with library.autograd.graph.saved_tensors_hooks(pack, lambda t: t):
            for name in steps:
                y = getattr(y, name)()
        return total(found)

    return kept


def _turned_on(x: Any, steps: list[str]) -> int:
    """The right number, by way of a tensor that is the caller's own."""
    x.requires_grad_()
    found: dict[int, int] = {}

    def pack(t: Any) -> Any:
        _each_storage(t, found)
        return t

    with library_that_made(x).autograd.graph.saved_tensors_hooks(pack, lambda t: t):
        _run(x, steps)
    return sum(found.values())


def _each_storage(t: Any, found: dict[int, int]) -> None:
    found[t.untyped_storage().data_ptr()] = t.untyped_storage().nbytes()


def _each_time(t: Any, found: dict[int, int]) -> None:
    found[len(found)] = t.untyped_storage().nbytes()


def _each_view(t: Any, found: dict[int, int]) -> None:
    found[t.data_ptr()] = t.nbytes


def _results(x: Any, steps: list[str]) -> int:
    return len(steps) * x.numel() * x.element_size()


def _with_x(x: Any, steps: list[str]) -> int:
    return _results(x, steps) + int(x.untyped_storage().nbytes())


METER = FunctionExercise(
    number="17.11",
    task="a meter for what a chain keeps",
    function="kept",
    cases=_chains,
    wanted=_by_table,
    hints=(
        "The function that you give to saved_tensors_hooks is called with every tensor that is kept. Let it note the "
        "storage: where it begins, and how many bytes it has.",
        "A dictionary does the rest: sizes[t.untyped_storage().data_ptr()] = t.untyped_storage().nbytes(), and at the "
        "end sum(sizes.values()).",
    ),
    mistakes=(
        Mistake(
            _metered(_each_time, lambda found: sum(found.values())),
            "A tensor that two operations keep is counted twice. Count each storage once, by where it begins.",
        ),
        Mistake(
            _metered(_each_view, lambda found: sum(found.values())),
            "A view keeps its whole storage alive, even what it does not read. Ask t.untyped_storage().nbytes().",
        ),
        Mistake(_metered(_each_storage, len), "That is how many storages are kept. How many bytes do they have?"),
        Mistake(
            _results,
            "That counts every result. Some are not kept, and sometimes the input of the chain is.",
        ),
        Mistake(_with_x, "That counts every tensor of the chain. Only what a derivative reads is kept."),
        Mistake(lambda x, steps: 0, "Nothing was recorded: does your x require a gradient?"),
    ),
    right=(_metered(_each_storage, lambda found: sum(found.values())), _turned_on),
    turned="Your function turned requires_grad on for the tensor that it was given, and that is still on. Begin with "
    "x = x.detach().requires_grad_(), and the caller's tensor stays as it was.",
)

# -- a picture of yours -----------------------------------------------------------------------------


def _walks(torch: Any) -> list[Case]:
    def case(x: list[float], parts: int, *steps: str) -> Case:
        text = f"there_and_back(torch.tensor({x}), {list(steps)}, {parts})"
        return Case(text, torch.tensor(x), (list(steps), parts))

    return [
        case([0.5, 1.0], 2, "sin", "cos", "square", "exp"),
        case([0.25], 3, "exp", "sin", "cos", "square", "sin", "cos"),
        case([0.5, 0.75, 1.0], 2, "exp", "sin", "square", "cos", "square", "sin"),
        case([1.5, 0.5], 1, "cos", "sin", "exp"),
    ]


DERIVED: dict[str, tuple[Callable[[float], float], Callable[[float], float]]] = {
    "sin": (sin, cos),
    "cos": (cos, lambda v: -sin(v)),
    "square": (lambda v: v * v, lambda v: 2 * v),
    "exp": (exp, exp),
}


def _by_chain_rule(x: Any, steps: list[str], parts: int) -> tuple[Any, int]:
    values, slopes = x.tolist(), [1.0] * len(x)
    for name in steps:
        function, derivative = DERIVED[name]
        slopes = [slope * derivative(v) for slope, v in zip(slopes, values, strict=True)]
        values = [function(v) for v in values]
    return library_that_made(x).tensor([values, slopes]), parts * 4 * len(x)


def _run(t: Any, names: list[str]) -> Any:
    for name in names:
        t = getattr(t, name)()
    return t


def _pieces(steps: list[str], parts: int) -> list[list[str]]:
    length = len(steps) // parts
    return [steps[k : k + length] for k in range(0, len(steps), length)]


def _there_and_back(in_parts: Callable[[Any, list[str], int, Any], Any]) -> Callable[[Any, list[str], int], Any]:
    """What `there_and_back` of the lesson returns; `in_parts` gets the library's `checkpoint` as well."""

    def there_and_back(x: Any, steps: list[str], parts: int) -> tuple[Any, int]:
        library = library_that_made(x)
        held: dict[int, int] = {}

        def pack(t: Any) -> Any:
            _each_storage(t, held)
            return t

        def checkpoint(f: Callable[..., Any], *given: Any) -> Any:
            return library.utils.checkpoint.checkpoint(f, *given, use_reentrant=False)

        x = x.detach().requires_grad_()
        with library.autograd.graph.saved_tensors_hooks(pack, lambda t: t):
            y = in_parts(x, steps, parts, checkpoint)
        y.sum().backward()
        return library.stack([y.detach(), x.grad]), sum(held.values())

    return there_and_back


def _one_after_the_other(x: Any, steps: list[str], parts: int, checkpoint: Any) -> Any:
    for part in _pieces(steps, parts):
        x = checkpoint(_run, x, part)
    return x


def _looked_up_late(x: Any, steps: list[str], parts: int, checkpoint: Any) -> Any:
    for part in _pieces(steps, parts):
        x = checkpoint(lambda t: _run(t, part), x)  # noqa: B023 -- this is the mistake
    return x


def _cut_off(x: Any, steps: list[str], parts: int, checkpoint: Any) -> Any:
    for part in _pieces(steps, parts):
        x = checkpoint(_run, x.detach(), part)
    return x


def _from_the_start(x: Any, steps: list[str], parts: int, checkpoint: Any) -> Any:
    for part in _pieces(steps, parts):
        y = checkpoint(_run, x, part)
    return y


WALL = FunctionExercise(
    number="17.12",
    task="a chain in parts, which keeps one tensor for each",
    function="there_and_back",
    decimals=4,
    cases=_walks,
    wanted=_by_chain_rule,
    hints=(
        "How long is a part? Begin with its slice of the list. The result of one part is the input of the next.",
        "checkpoint passes on what comes after the function: checkpoint(run, x, part, use_reentrant=False) calls "
        "run(x, part), now and once more in backward().",
    ),
    mistakes=(
        Mistake(
            _there_and_back(_looked_up_late),
            "The gradient is wrong, and nothing complained. Your function looks up a name of the loop, and backward() "
            "runs it again when the loop is over: each part then runs the last steps. Pass the part as an argument.",
        ),
        Mistake(
            _there_and_back(lambda x, steps, parts, checkpoint: _run(x, steps)),
            "No checkpoint is in it: the chain keeps all that it kept before.",
        ),
        Mistake(
            _there_and_back(lambda x, steps, parts, checkpoint: _one_after_the_other(x, steps, len(steps), checkpoint)),
            "Each step has a checkpoint of its own, and each keeps its input. Put all steps of a part into one.",
        ),
        Mistake(
            _there_and_back(lambda x, steps, parts, checkpoint: checkpoint(_run, x, steps)),
            "One checkpoint is around everything. Cut the list into as many parts as asked for.",
        ),
        Mistake(
            _there_and_back(
                lambda x, steps, parts, checkpoint: _one_after_the_other(x, steps, len(steps) // parts, checkpoint)
            ),
            "You make parts of that length. parts says how many there are: each has len(steps) // parts steps.",
        ),
        Mistake(
            _there_and_back(_cut_off),
            "No way leads back to x. Leave out detach() and no_grad(): checkpoint itself decides what is recorded.",
        ),
        Mistake(
            _there_and_back(_from_the_start),
            "Each part begins at x again. Give the result of one part to the next.",
        ),
        Mistake(
            _there_and_back(lambda x, steps, parts, checkpoint: checkpoint(_run, x, _pieces(steps, parts)[0])),
            "Only the first part is run.",
        ),
    ),
    right=(_there_and_back(_one_after_the_other),),
)

ALL = (
    ONE_STORAGE, CHAIN, TWO_REFUSE, BROKEN, REPAIRED, NOTES, FIVE_GRAPHS, HALVES, FLAT, LEVELS, METER, WALL,
)  # fmt: skip
