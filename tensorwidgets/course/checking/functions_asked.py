"""Exercises whose answer is a function: run on fixed cases and compared with a slow function.

Besides what it gives, its manner is looked at: did it allocate, does the number of its calls grow with the tensor?
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isnan, nan
from typing import Any, NamedTuple

import numpy as np

from tensorwidgets.pictures.arrays.layout import Layout
from tensorwidgets.pictures.arrays.sources import is_array
from tensorwidgets.pictures.arrays.values import count, shape_text
from tensorwidgets.pictures.drawing.scene import Block

from .drawn import yours_and_wanted
from .plainly import Raised, Table, as_text, holds_tables, plainly, stacked, table_of
from .references import once
from .tensors_asked import IN_A_LIST, first_difference, share
from .verdict import Exercise, Fact, Mistake, Verdict, not_started
from .watching import Elsewhere, Manner, unrecorded, watched

NO_RETURN = "Does your function end with return? print() shows a value, and returns nothing."
PRINTED = "Your function prints its result and returns nothing. Write return where it says print."
FAILED = {
    "NameError": "Your function uses a name that Python does not know. Is it spelled as in the lesson, and was the "
    "cell that makes it run?",
    "UnboundLocalError": "Your function reads a name before it gives it a value.",
    "NotImplementedError": "Your function still raises NotImplementedError. Put your answer in its place.",
    "RecursionError": "Your function calls itself and never comes to an end.",
    "SystemExit": "Your function ends the program. Write return where it says exit.",
}
"""What helps where a function failed, by the kind of its error."""
SAID = {
    "does not require grad and does not have a grad_fn": "backward() found no way back: nothing that this was made "
    "from requires a gradient, or the history was cut off on the way, as detach(), item() and no_grad() do.",
    "grad can be implicitly created only for scalar outputs": "backward() begins at one number. Make one of these "
    "numbers first.",
    "backward through the graph a second time": "What was kept for backward() is freed by the first call. A loss that "
    "is made once can go backward once: compute it again in each turn.",
    "a leaf Variable that requires grad is being used in an in-place": "A write into a leaf that requires a gradient "
    "is refused while operations are recorded. Do it under torch.no_grad().",
    "'float' object has no attribute 'backward'": "A plain number, as item() returns, has no history. Call backward() "
    "on the tensor.",
    "'Tensor' object has no attribute 'zero_grad'": "Modules and optimizers have zero_grad(). For a tensor, write "
    "x.grad = None.",
    "log_softmax_lastdim_kernel_impl": "Whole numbers have no softmax. cross_entropy takes the scores first, and the "
    "labels after them.",
    "torch.nn.Parameter or None expected": "An attribute that holds a parameter takes no plain number or tensor. Write "
    "into the parameter, under torch.no_grad().",
    "NoneType": "Something is None here, where a tensor or a number should be. Which name is it, and which line left "
    "it so?",
}
"""What helps where a function failed, by what its error says."""
BY_HAND = "The numbers are right. Now work them out by hand, and compare."
WROTE = (
    "Your function wrote into what it was given, so the numbers of its caller have changed. Where nobody asks for "
    "that, make a new tensor."
)
ARGUMENTS = "Keep the arguments of the function as the lesson wrote them."


class Case(NamedTuple):
    """One call: how it is written, the tensor and the other arguments, and the tensor whose view it is."""

    text: str
    x: Any
    rest: tuple[Any, ...] = ()
    whole: Any = None
    """The value of `w` in the text; x itself by default."""

    @property
    def said(self) -> str:
        """The call, and what `w` is in it: a lesson may have a `w` of its own.

        >>> import numpy as np
        >>> Case("place(w[1:], 1, 2)", np.zeros((2, 4)), (1, 2), np.zeros((3, 4))).said
        'place(w[1:], 1, 2) for w of size (3, 4)'
        """
        w = self.x if self.whole is None else self.whole
        return (
            f"{self.text} for w of size {shape_text(tuple(w.shape))}" if re.search(r"\bw\b", self.text) else self.text
        )


class Placed(NamedTuple):
    """A result, and the devices of the tensors in it."""

    value: Any
    devices: tuple[str, ...]


def devices_of(gave: Any) -> tuple[str, ...]:
    """The devices of all tensors in a result, in their order.

    >>> import tensorwidgets as torch
    >>> devices_of(([torch.ones(2), torch.ones(2, device="meta")], 3))
    ('cpu', 'meta')
    """
    if isinstance(gave, (list, tuple)):
        return tuple(device for part in gave for device in devices_of(part))
    return (str(gave.device),) if is_array(gave) and hasattr(gave, "device") else ()


class Outcome(NamedTuple):
    """What one run of a function came to."""

    value: Any
    """What it gave; where it is to write, what the whole storage holds afterwards."""
    gave: Any
    manner: Manner
    unmoved: bool
    """Whether the tensor still lies where it lay."""
    wrote: bool = False
    """Whether it wrote into what it was given."""


class Looks(NamedTuple):
    """All of a function that is judged."""

    values: tuple[Any, ...]
    dtypes: tuple[str, ...] = ()
    copied: bool = False
    looped: bool = False
    crossed: tuple[int | None, ...] = ()
    shares: bool = False


def two_tables(case: Case, yours: Any, wanted: Any) -> tuple[Block, ...]:
    """What was given beside what is wanted, where both are tables."""
    if not isinstance(yours, Table) or not isinstance(wanted, Table):
        return ()
    return yours_and_wanted(yours, wanted, None, None, "", sorted({*wanted.values}))


@dataclass(frozen=True, kw_only=True)
class FunctionExercise(Exercise):
    """The cases begin with a small tensor and end with a large one, so that a loop shows."""

    function: str
    """What it is called."""
    cases: Callable[[Any], Sequence[Case]]
    """Fresh at each call, in the library given."""
    wanted: Callable[..., Any]
    """The slow function. It may return a list for a tensor with these numbers."""
    writes: bool = False
    """Whether it is to write into its tensor: then no copy is to be made, and no Python loop."""
    views: bool = False
    """Whether what it gives is to read the memory of its tensor: no copy, no loop."""
    apart: bool = False
    """Whether what it gives is to lie in other memory than its tensor."""
    at_once: bool = False
    """Whether it is to do without a Python loop."""
    dtype: str | None = None
    """The dtype of what it gives, where that is asked for as well."""
    places: bool = False
    """Whether it matters on which device its tensors are. What is wanted then gives tensors, and no lists for them."""
    crosses: bool = False
    """Whether it matters how many bytes cross between main memory and a GPU: as many as for what is wanted."""
    turned: str = ""
    """What is said below a right answer after which its tensor requires a gradient."""
    by_hand: bool = False
    """Whether gradients are to be worked out without backward()."""
    decimals: int | None = None
    """To how many decimals results are compared, where two right ways may round differently."""
    drawn: Callable[[Case, Any, Any], tuple[Block, ...]] = two_tables
    """Yours and wanted of the first case that differs."""

    def judge(self, answer: Any, library: Any, called: str) -> Verdict:
        if answer is ...:
            return not_started()
        if not callable(answer):
            return Verdict("not yet", "your answer", f"is {as_text(plainly(answer))}, not a function")
        cases = list(self.cases(library))
        mine = [self._run(answer, case, library) for case in cases]
        if all(o.gave is ... for o in mine) and not (self.writes and any(o.manner.calls for o in mine)):
            return not_started()
        values = once(self, library, "wanted", lambda: self._wanted_values(library))
        looks = self._looks(mine, cases)
        fewest = self._fewest(library, looks)
        facts = self._facts(mine, looks, values, fewest)
        if all(fact.right for fact in facts):
            if self.by_hand:
                mine_alone = self._by_hand(answer, library, values)
                facts += (Fact(mine_alone, "by hand", "without backward()" if mine_alone else "with backward()"),)
            if not all(fact.right for fact in facts):
                said, part = "lets backward() work out the gradient", (len(facts) - 1) / len(facts)
                return Verdict("not yet", self.function, said, BY_HAND, facts, share=part)
            turned = any(getattr(case.x, "requires_grad", False) for case in cases)
            note = self.turned if turned else WROTE if not self.writes and any(o.wrote for o in mine) else ""
            return Verdict("done", f"all {len(cases)} cases", "as wanted", facts=facts, after=note)
        agree = sum(a == b for a, b in zip(looks.values, values, strict=True)) / len(values)
        share = (agree + sum(fact.right for fact in facts[1:])) / len(facts) if agree else 0.0
        like = looks.values if self.gpu else None  # where they are kept, all of their results are
        known = once(self, library, "mistakes", lambda: self._known(library, like))
        known = [(mistake, as_here) for mistake, as_here in known if _failed_alike(as_here.values, looks.values)]
        hint = next((m.hint for m, as_here in known if as_here == looks), "")
        if not hint and looks.values != values:
            hint = next((m.hint for m, as_here in known if as_here.values == looks.values), "")
        if not hint and (tables := _lists_stacked(looks.values, values)) != looks.values:
            hint = next((m.hint for m, as_here in known if as_here.values == tables), "")
            hint = IN_A_LIST if tables == values else hint
        if _miscalled(answer, mine[0].value):
            hint = ARGUMENTS  # a known mistake may fail with a TypeError too
        for case, yours, want in zip(self.cases(library), looks.values, values, strict=True):
            if yours != want:
                seen = self._draw(case, yours, want)
                hint = hint or self._forgot(answer, mine, yours)
                return Verdict("not yet", case.said, self._differs(yours, want), hint, facts, seen, share=share)
        if fewest != looks.crossed:
            case, moved, enough = next(x for x in zip(cases, looks.crossed, fewest, strict=True) if x[1] != x[2])
            return Verdict("not yet", case.said, _carried(moved, enough), hint, facts, share=share)
        return Verdict("not yet", self.function, self._manner(mine, looks), hint, facts, share=share)

    def _by_hand(self, answer: Any, library: Any, values: tuple[Any, ...]) -> bool:
        """Whether a right answer is right as well where nothing is recorded for backward()."""
        quietly = unrecorded(library, answer)
        return tuple(self._run(quietly, case, library).value for case in self.cases(library)) == values

    def _wanted_values(self, library: Any) -> tuple[Any, ...]:
        return tuple(self._run(self.wanted, case, library).value for case in self.cases(library))

    def _fewest(self, library: Any, looks: Looks) -> tuple[int | None, ...]:
        """The bytes that have to cross in each case, where that matters and is counted."""
        if not self.crosses or None in looks.crossed:
            return looks.crossed
        wanted = self._looked_at(self.wanted, library)
        return wanted.crossed if wanted else ()

    def _known(self, library: Any, like: tuple[Any, ...] | None) -> list[tuple[Mistake, Looks]]:
        """The known mistakes and how they look; with results given, those alone that give the same."""
        found = [(mistake, self._looked_at(mistake.answer, library, like)) for mistake in self.mistakes]
        return [(mistake, looks) for mistake, looks in found if looks is not None]

    def _looked_at(self, function: Any, library: Any, like: tuple[Any, ...] | None = None) -> Looks | None:
        """How a function looks; nothing, and no further case is run, where it differs from the results given."""
        cases = list(self.cases(library))
        outcomes: list[Outcome] = []
        for case in cases:
            outcomes.append(self._run(function, case, library))
            if like is not None and outcomes[-1].value != like[len(outcomes) - 1]:
                return None
        return self._looks(outcomes, cases)

    def _run(self, function: Any, case: Case, library: Any) -> Outcome:
        before = Layout.of(case.x, values=False) if is_array(case.x) else None
        numbers = plainly((case.x, *case.rest))
        try:
            if self.writes or self.views or self.at_once or self.crosses or isinstance(function, Elsewhere):
                gave, manner = watched(library, function, case.x, *case.rest)
            else:
                gave, manner = function(case.x, *case.rest), Manner(1, 0)  # to watch is to keep what was computed
        except (Exception, SystemExit) as refused:
            first = "" if isinstance(refused, SystemExit) else (str(refused).splitlines() or [""])[0]
            return Outcome(Raised(type(refused).__name__, first), None, Manner(1, 0), True)
        if self.writes:
            value = plainly(case.x if case.whole is None else case.whole)
        elif function is self.wanted and isinstance(gave, list):
            value = self._rounded(table_of(gave))
        else:
            value = self._rounded(plainly(gave))
        if self.places and gave is not None:
            value = Placed(value, devices_of(gave))
        after = Layout.of(case.x, values=False) if before else None
        same = (
            before is None
            or after is not None
            and ((before.owner, before.byte_offset, before.size) == (after.owner, after.byte_offset, after.size))
        )
        return Outcome(value, gave, manner, same, plainly((case.x, *case.rest)) != numbers)

    def _rounded(self, value: Any) -> Any:
        """Numbers as the dtype asked for holds them, so that another dtype is reported as that and not as numbers that
        print alike; and to as many decimals as are compared."""
        if isinstance(value, Table):
            return Table(value.size, tuple(map(self._rounded, value.values)))
        if type(value) is tuple:
            return tuple(map(self._rounded, value))
        if not isinstance(value, float):
            return value
        if isnan(value):
            return nan  # always the same object: no NaN equals another one, and two answers full of them are alike
        value = float(np.float32(value)) if self.dtype == "float32" else value
        return value if self.decimals is None else round(value, self.decimals) + 0.0

    def _looks(self, outcomes: Sequence[Outcome], cases: Sequence[Case]) -> Looks:
        values = tuple(o.value for o in outcomes)
        dtypes = tuple(_dtype(o.gave) for o in outcomes) if self.dtype else ()
        copied = self.writes and any(o.manner.allocated for o in outcomes)
        if self.views:
            copied = any(is_array(o.gave) and not share(o.gave, c.x) for o, c in zip(outcomes, cases, strict=True))
        looped = False
        if self.writes or self.views or self.at_once:
            small, large = cases[0].x.size(), cases[-1].x.size()
            grown = outcomes[-1].manner.calls - outcomes[0].manner.calls
            looped = grown >= min(b - a for a, b in zip(small, large, strict=True))
        crossed = tuple(o.manner.crossed for o in outcomes) if self.crosses else ()
        shares = self.apart and any(
            is_array(o.gave) and share(o.gave, c.x) for o, c in zip(outcomes, cases, strict=True)
        )
        return Looks(values, dtypes, copied, looped, crossed, shares)

    def _facts(
        self, mine: Sequence[Outcome], looks: Looks, wanted: tuple[Any, ...], fewest: tuple[int | None, ...]
    ) -> tuple[Fact, ...]:
        agree = sum(a == b for a, b in zip(looks.values, wanted, strict=True))
        facts = [Fact(agree == len(wanted), "result", f"{agree} of {len(wanted)} cases as wanted")]
        if self.places:
            there = sum(a == b for a, b in zip(_devices(looks.values), _devices(wanted), strict=True))
            facts.append(Fact(there == len(wanted), "device", f"{there} of {len(wanted)} cases as wanted"))
        if self.crosses and None not in looks.crossed:
            right = sum(a == b for a, b in zip(looks.crossed, fewest, strict=True))
            facts.append(Fact(right == len(wanted), "bytes that crossed", f"{right} of {len(wanted)} cases as wanted"))
        if self.dtype:
            other = next((d for d in looks.dtypes if d != self.dtype), "")
            facts.append(Fact(not other, f"dtype {self.dtype}", f"yours {other}" if other else "the same"))
        if self.writes:
            still = all(o.unmoved for o in mine)
            facts.append(Fact(still, "storage", "the one that x had" if still else "not the one that x had"))
        if self.writes or self.views:
            most = max(o.manner.allocated for o in mine)
            fine = "nothing allocated" if self.writes else "reads the storage of x"
            result = (f"{count(most, 'byte')} allocated" if most else "a storage of its own") if looks.copied else fine
            facts.append(Fact(not looks.copied, "no copy made", result))
        if self.apart:
            facts.append(Fact(not looks.shares, "memory", "that of x" if looks.shares else "other than that of x"))
        if self.writes or self.views or self.at_once:
            grow = "calls grow with the tensor" if looks.looped else "none"
            facts.append(Fact(not looks.looped, "no Python loop", grow))
        return tuple(facts)

    def _manner(self, mine: Sequence[Outcome], looks: Looks) -> str:
        """What is wrong with a function whose results are right."""
        if self.dtype and any(d != self.dtype for d in looks.dtypes):
            return f"gives {next(d for d in looks.dtypes if d != self.dtype)}, wanted {self.dtype}"
        if not all(o.unmoved for o in mine):
            return "left x in another storage than the one it had"
        if looks.shares:
            return "gave back the memory of x"
        if looks.copied:
            most = max(o.manner.allocated for o in mine)
            return "made a copy" + (f": {count(most, 'byte')} were allocated" if most else "")
        return "loops in Python: the number of its calls grows with the size of the tensor"

    def _forgot(self, answer: Any, mine: Sequence[Outcome], yours: Any) -> str:
        """What helps where a call failed, or every call came back with nothing."""
        if isinstance(yours, Raised):
            known = (hint for said, hint in SAID.items() if said in yours.message)
            own = yours.kind != "NotImplementedError" or not yours.message  # with words it is an operation's
            return next(known, FAILED.get(yours.kind, "") if own else "")
        return (
            "" if self.writes or any(o.value is not None for o in mine) else PRINTED if _prints(answer) else NO_RETURN
        )

    def _differs(self, yours: Any, wanted: Any) -> str:
        if isinstance(yours, Placed) and isinstance(wanted, Placed):
            if yours.value == wanted.value:
                return f"gave a result on {_listed(yours.devices)}, wanted {_listed(wanted.devices)}"
            return self._differs(yours.value, wanted.value)
        if isinstance(yours, Raised):
            return f"raised {yours}"
        if type(yours) is tuple and holds_tables(wanted):
            return self._differs_in(yours, wanted)
        if isinstance(yours, Table) and isinstance(wanted, Table):
            place, said = first_difference(yours, wanted)
            if place == "size":
                return f"gave another size: {said}"
            (index, a), b = next((one, b) for one, b in zip(yours.items(), wanted.values, strict=True) if one[1] != b)
            where = ", ".join(map(str, index))
            a, b = _told_apart(a, b)
            return f"leaves {a} at w[{where}], wanted {b}" if self.writes else f"gave {a} at [{where}], wanted {b}"
        mine, other = _told_apart(yours, wanted)
        return f"gave {mine}, wanted {other}"

    def _differs_in(self, yours: tuple, wanted: tuple) -> str:
        """Of results that are several tensors: which is the first that differs, and in what?"""
        where = ""
        while type(yours) is tuple and holds_tables(wanted):
            if len(yours) != len(wanted):
                inside = f" in result{where}" * bool(where)
                return f"gave {count(len(yours), 'part')}{inside}, wanted {len(wanted)}"
            k = next(k for k, (one, other) in enumerate(zip(yours, wanted, strict=True)) if one != other)
            where += f"[{k}]"
            yours, wanted = yours[k], wanted[k]
        return f"{self._differs(yours, wanted)}, in result{where}"

    def _draw(self, case: Case, yours: Any, wanted: Any) -> tuple[Block, ...]:
        if isinstance(yours, Placed) and isinstance(wanted, Placed):
            yours, wanted = yours.value, wanted.value
        return () if isinstance(yours, Raised) or yours == wanted else self.drawn(case, yours, wanted)


def _carried(moved: int | None, enough: int | None) -> str:
    """How an answer went about it that moves other bytes than it has to.

    >>> _carried(48, 24)
    'moved 48 bytes over the bus, and 24 are enough'
    >>> _carried(0, 24)
    'moved 0 bytes over the bus, and 24 have to cross'
    """
    moved, enough = moved or 0, enough or 0
    ending = f"{enough:,} are enough" if moved > enough else f"{enough:,} have to cross"
    return f"moved {count(moved, 'byte')} over the bus, and {ending}"


def _failed_alike(values: tuple[Any, ...], others: tuple[Any, ...]) -> bool:
    """Whether two answers that raise errors of one kind also say the same: other words are another mistake.

    >>> freed, mixed = Raised("RuntimeError", "a second time"), Raised("RuntimeError", "shape '[3]' is invalid")
    >>> _failed_alike((1, freed), (2, freed)), _failed_alike((freed,), (mixed,))
    (True, False)
    """
    pairs = zip(values, others, strict=True)
    return all(a.gist == b.gist for a, b in pairs if isinstance(a, Raised) and isinstance(b, Raised))


def _miscalled(function: Any, value: Any) -> bool:
    """Whether a function failed because it does not take the arguments that it is called with."""
    name = getattr(function, "__qualname__", "")
    return isinstance(value, Raised) and bool(name) and value.message.startswith(f"{name}() ") and (
        "positional argument" in value.message)  # fmt: skip


def _lists_stacked(values: tuple[Any, ...], wanted: tuple[Any, ...]) -> tuple[Any, ...]:
    """Results with one tensor in place of each list, where a tensor is wanted.

    >>> _lists_stacked(((1, 2), 3), (Table((2,), (1, 2)), 3))
    (Table(size=(2,), values=(1, 2)), 3)
    """
    pairs = zip(values, wanted, strict=True)
    return tuple((stacked(value) or value) if isinstance(want, Table) else value for value, want in pairs)


def _prints(function: Any) -> bool:
    """Whether a function of the student's own calls print.

    >>> _prints(lambda x: print(x)), _prints(lambda x: x), _prints(len)
    (True, False, False)
    """
    return "print" in getattr(getattr(function, "__code__", None), "co_names", ())


def _told_apart(one: Any, other: Any) -> tuple[str, str]:
    """Two values as text, in full where they would look alike.

    >>> _told_apart(0.2, 0.30000000000000004), _told_apart(0.2, 0.20000000298023224), _told_apart(1, 1.0)
    (('0.2', '0.3'), ('0.2', '0.20000000298023224'), ('1', '1.0'))
    """
    a, b = as_text(one), as_text(other)
    return (a, b) if a != b else (repr(one), repr(other))


def _devices(values: tuple[Any, ...]) -> list[tuple[str, ...]]:
    return [value.devices if isinstance(value, Placed) else () for value in values]


def _listed(devices: tuple[str, ...]) -> str:
    return " and ".join(devices) or "no device: there is no tensor in it"


def _dtype(gave: Any) -> str:
    return Layout.of(gave, values=False).dtype if is_array(gave) else type(gave).__name__
