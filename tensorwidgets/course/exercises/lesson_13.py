"""Lesson 13, allocators: what is asked and wanted, and the usual mistakes with the hint for each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tensorwidgets.course.checking.functions_asked import Case, FunctionExercise
from tensorwidgets.course.checking.plans_asked import LINE, MIB, PlanExercise, Ran
from tensorwidgets.course.checking.prediction import WordPrediction
from tensorwidgets.course.checking.values_asked import Statement, StatementsExercise
from tensorwidgets.course.checking.verdict import Fact, Mistake
from tensorwidgets.course.checking.watching import library_that_made

# -- where bytes begin ------------------------------------------------------------------------------

NEXT_LINE = WordPrediction(
    number="13.1",
    question="x holds float32 and begins at a multiple of 64. For which smallest k > 0 does x[k:] begin at one too?",
    subject="x[k:]",
    answer=16,
    reason="16: each float32 takes 4 bytes, and 16 of them take 64",
    otherwise={
        64: "64 counts bytes. How many float32 lie in 64 bytes?",
        4: "4 is the size of one float32. x[4:] begins 16 bytes further on",
        8: "that would be so for float64. float32 takes 4 bytes",
        1: "x[1:] begins 4 bytes further on, and copies nothing",
        32: "32 works too, but it is not the smallest",
        128: "128 works too, but it is not the smallest",
    },
)


def _tables(torch: Any) -> list[Case]:
    asked = [(5, 4), (16, 4), (17, 4), (100, 8), (3, 1), (40, 2)]
    return [Case(f"pitch({columns}, {itemsize})", columns, (itemsize,)) for columns, itemsize in asked]


def _pitch(columns: int, itemsize: int) -> int:
    elements = columns
    while elements * itemsize % 64:
        elements += 1
    return elements


PITCH = FunctionExercise(
    number="13.2",
    task="rows that begin at multiples of 64 bytes",
    function="pitch",
    cases=_tables,
    wanted=_pitch,
    hints=(
        "How many bytes does a row take? Round that up to a multiple of 64, and count in elements again.",
        "Rounding up without floats: -(-n // 64) * 64. Divide by itemsize at the end.",
    ),
    mistakes=(
        Mistake(
            lambda columns, itemsize: -(-columns // 64) * 64,
            "You round the number of elements up to a multiple of 64. It is the bytes that have to be one.",
        ),
        Mistake(
            lambda columns, itemsize: columns * itemsize // 64 * 64 // itemsize,
            "You round down, so the end of a row has no room. Round up.",
        ),
        Mistake(
            lambda columns, itemsize: (columns * itemsize // 64 + 1) * 64 // itemsize,
            "A row that fits exactly gets 64 bytes too many. pitch(16, 4) is 16.",
        ),
        Mistake(
            lambda columns, itemsize: -(-columns * itemsize // 64) * 64,
            "Those are bytes. The length of a row is asked for in elements: divide by itemsize.",
        ),
        Mistake(
            lambda columns, itemsize: -(columns * itemsize) % 64 // itemsize,
            "That is how many elements are added. Return the length of the whole row.",
        ),
    ),
    right=(lambda columns, itemsize: -(-columns * itemsize // 64) * 64 // itemsize,),
)

# -- a whole number of blocks -----------------------------------------------------------------------

THREE_BLOCKS = WordPrediction(
    number="13.3",
    question="Three tensors of 1, 128 and 129 float32 on an empty GPU: what does memory_allocated() return?",
    subject="1, 128 and 129 numbers",
    answer=2048,
    reason="2048: 512 bytes, 512 bytes and 1,024 bytes: each request is rounded up to a multiple of 512",
    otherwise={
        1032: "that is what the numbers take. Each request is rounded up to a multiple of 512 bytes",
        1536: "the third tensor needs 516 bytes, and one block of 512 is too small for it",
        1088: "a GPU's blocks are not multiples of 64, but of 512",
        1152: "a GPU's blocks are not multiples of 64, but of 512",
        258: "that is how many numbers there are. Each takes 4 bytes, and a block is a multiple of 512",
        2097152: "that is what the allocator took from the driver. memory_allocated() counts the blocks in use",
        3072: "the first two tensors need a single block of 512 each: for 4 bytes, and for 512 bytes",
    },
)

EDGES = (1, 512, 513, MIB, MIB + 1, 10 * MIB - 511, 10 * MIB, 20 * MIB + 1)


def _requests(torch: Any) -> list[Case]:
    return [Case(f"request({nbytes})", nbytes) for nbytes in EDGES]


def _block(nbytes: int) -> int:
    return max(-(-nbytes // 512) * 512, 512)


def _segment(size: int) -> int:
    """By the rules, a step at a time."""
    if size <= MIB:
        return 2 * MIB
    if size < 10 * MIB:
        return 20 * MIB
    segment = 0
    while segment < size:
        segment += 2 * MIB
    return segment


def _request(nbytes: int) -> tuple[int, int]:
    return _block(nbytes), _segment(_block(nbytes))


REQUEST = FunctionExercise(
    number="13.4",
    task="from a request to a block and a segment",
    function="request",
    cases=_requests,
    wanted=_request,
    hints=(
        "Two steps, one after the other. First the block. Then look up the segment for this block in the table.",
        "block = -(-nbytes // 512) * 512. Then three cases: block <= MiB, block < 10 * MiB, and the rest.",
    ),
    mistakes=(
        Mistake(
            lambda nbytes: (_block(nbytes), _segment(nbytes)),
            "Round first: the table is about blocks. A request of 10 MiB less 511 bytes becomes a block of 10 MiB.",
        ),
        Mistake(
            lambda nbytes: (_block(nbytes), 20 * MIB if _block(nbytes) == MIB else _segment(_block(nbytes))),
            "A block of exactly 1 MiB is small: up to 1 MiB means <=.",
        ),
        Mistake(
            lambda nbytes: (nbytes // 512 * 512 + 512, _segment(nbytes // 512 * 512 + 512)),
            "A request of 512 bytes is a block of 512 already. You add another 512 to it.",
        ),
        Mistake(
            lambda nbytes: (_block(nbytes), 20 * MIB if _block(nbytes) > MIB else 2 * MIB),
            "A block of 10 MiB and more has a segment to itself, of a multiple of 2 MiB. 20 MiB may be too small.",
        ),
        Mistake(
            lambda nbytes: (nbytes, _segment(_block(nbytes))),
            "The segments are right. But the first number is the block: round the request up to a multiple of 512.",
        ),
        Mistake(
            lambda nbytes: _request(nbytes)[::-1],
            "The two numbers are the wrong way round: first the block, then the segment.",
        ),
    ),
    right=(_request,),
)

# -- gone, and still there --------------------------------------------------------------------------

STILL_RESERVED = WordPrediction(
    number="13.5",
    question="Three tensors of 6 MiB are made on an empty GPU and deleted. How many MiB does memory_reserved() report?",
    subject="after del",
    answer=20,
    reason="20: the blocks went back to the allocator, and the allocator keeps its segment of 20 MiB",
    otherwise={
        0: "that is memory_allocated(). The allocator keeps the segment for the next request",
        18: "that is what the tensors took. The driver was asked for one segment of 20 MiB",
        60: "all three fit into one segment: 6 and 6 and 6 are 18, and a segment has 20",
        40: "all three fit into one segment: 6 and 6 and 6 are 18, and a segment has 20",
        6: "a segment for blocks of 6 MiB has 20 MiB",
        24: "a segment for blocks under 10 MiB has 20 MiB, and the three fit into one",
    },
)


def _measured(torch: Any) -> list[Case]:
    # The largest first: a meter that does not forget old peaks then reports the same at every try.
    return [Case(f"measured(torch.ones({n}))", torch.ones(n)) for n in (5000, 1000, 129, 128, 1)]


def _costs(x: Any) -> tuple[int, int]:
    block = _block(4 * len(x))
    return block, 2 * block


def _metered(said: Callable[..., Any], reset: bool = True, held: bool = True) -> Callable[[Any], Any]:
    """What `measured` of the lesson returns with a meter that reports `said(before, after, peak, result)`."""

    def measured(x: Any) -> Any:
        torch = library_that_made(x)
        kept = x.to("cuda")
        large = torch.ones(100 * len(x), device="cuda")
        del large
        if reset:
            torch.cuda.reset_peak_memory_stats()
        before = torch.cuda.memory_allocated()
        result = x.to("cuda") * 2 + 1
        if not held:
            result = result.cpu()
        found = said(before, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), result)
        del kept
        return found

    return measured


MEASURE = FunctionExercise(
    number="13.6",
    task="what a call leaves, and what it needs on the way",
    function="measured",
    gpu=True,
    cases=_measured,
    wanted=_costs,
    hints=(
        "Four lines: forget old peaks, note what is allocated, call f and keep its result, and return two differences.",
        "torch.cuda.reset_peak_memory_stats(), before = torch.cuda.memory_allocated(), result = f(). What is left is "
        "memory_allocated() - before, and the peak is max_memory_allocated() - before.",
    ),
    mistakes=(
        Mistake(
            _metered(lambda before, after, peak, result: (after - before, peak - before), reset=False),
            "That is the peak of an earlier tensor. Call reset_peak_memory_stats() before f.",
        ),
        Mistake(
            _metered(lambda before, after, peak, result: (after - before, peak)),
            "The second number counts what was there before f as well. Note memory_allocated() first, and subtract it.",
        ),
        Mistake(
            _metered(lambda before, after, peak, result: (after - before, peak - before), held=False),
            "Nothing seems to be left: the result was gone when you looked. Give it a name: result = f().",
        ),
        Mistake(
            _metered(lambda before, after, peak, result: (after, peak)),
            "Both numbers count what was there before f. Note memory_allocated() first, and subtract it from both.",
        ),
        Mistake(
            _metered(lambda before, after, peak, result: (peak - before, after - before)),
            "The two are the wrong way round: first what is left, then the peak.",
        ),
        Mistake(
            _metered(lambda before, after, peak, result: (result.nbytes, 2 * result.nbytes)),
            "That is what the numbers need. The allocator hands out whole blocks: ask memory_allocated().",
        ),
    ),
    right=(_metered(lambda before, after, peak, result: (after - before, peak - before)),),
)

# -- holes ------------------------------------------------------------------------------------------

LARGEST = WordPrediction(
    number="13.7",
    question="44 MiB, eight tensors of 5 MiB, every second one deleted. How many MiB may a new tensor take?",
    subject="the largest tensor",
    answer=5,
    reason="5: each hole has 5 MiB, no two of them touch, and 4 MiB are left with the driver",
    otherwise={
        24: "24 MiB are free, but in five places. A tensor needs one run of bytes",
        20: "20 MiB are free, but in four places. A tensor needs one run of bytes",
        10: "no two of the holes lie side by side: between any two of them is a tensor that lives",
        4: "that is what is left with the driver. The holes have 5 MiB each",
        9: "a hole and what is left with the driver do not lie side by side",
        40: "half of the tensors are still alive",
        44: "half of the tensors are still alive",
        0: "each of the deleted tensors left a hole, and it can be used again",
    },
)

HALF = 22 * MIB


def _led_to(r: Ran) -> str:
    if r.why in ("unreadable", "unknown"):
        return r.why
    if r.stopped < 0:
        last = [event.action for event in list(getattr(r.allocator.record, "events", ()))[-2:]]
        if r.allocator.statistics.num_alloc_retries:
            return "given back"
        return "new segment" if last[0] == "segment_alloc" else "hole"
    if r.stopped < len(r.lines) - 1:
        return "early"
    return "done" if r.free >= HALF else "full"


def _half_free(r: Ran) -> tuple[Fact, ...]:
    refused = r.why == "refused" and r.stopped == len(r.lines) - 1
    return (
        Fact(refused, "6 MiB", "refused" if refused else "not refused"),
        Fact(r.free >= HALF, "free", f"{r.free / MIB:g} MiB of 44, and 22 are wanted"),
    )


EIGHT = tuple(f"{name} = 5" for name in "abcdefgh")
MAKE_IT_FAIL = PlanExercise(
    number="13.8",
    task="make it fail with half of the memory free",
    memory=44,
    last=("last = 6",),
    outcome=_led_to,
    facts_of=_half_free,
    hints=(
        "The allocator asks for segments of 20 MiB, twice. Fill both, so that the driver has nothing left to give. "
        "Then make holes.",
        "Holes that touch become one. So leave something alive between any two, and keep each hole under 6 MiB.",
    ),
    mistakes=(
        Mistake(
            (*EIGHT, "del a", "del b", "del e", "del f"),
            "It fits into a hole. Holes that touch become one: leave something alive between them.",
        ),
        Mistake(
            (*EIGHT[:4], "del a", "del c"),
            "The driver gave a new segment for it. Fill the second segment too, before you make holes.",
        ),
        Mistake(
            ("a = 20", *(f"s{k} = 1" for k in range(24)), *(f"del s{k}" for k in range(24))),
            "Segments in which nothing lives are given back before a request is refused. Keep something alive in each.",
        ),
        Mistake(
            ("a = 20", "b = 20"),
            "It is refused, but only because the memory is full. Half of it, 22 MiB, has to be free.",
        ),
        Mistake(("a = 30", "b = 20"), "The plan itself asks for more than 44 MiB. Only the last 6 should be refused."),
        Mistake(("del a",), "You can only delete a tensor that is there. Look at the names."),
        Mistake(("a = 5 MiB",), "A line is a name and a number of MiB, or del and a name: a = 5, del a."),
    ),
    right=(
        (*EIGHT, "del a", "del c", "del e", "del g"),
        ("a = 5", "b = 2", "c = 5", "d = 3", *EIGHT[4:], "i = 5", "del a", "del c", "del e", "del g", "del i"),
    ),
)

# -- a plan -----------------------------------------------------------------------------------------

PROGRAM = ("t1 = 6", "k1 = 4", "t2 = 6", "k2 = 4", "t3 = 6", "k3 = 4", "t4 = 6", "k4 = 4")
AFTERWARDS = ("del t1", "del t2", "del t3", "del t4", "big = 12")


def _parts(lines: tuple[str, ...]) -> list[tuple[str, float]]:
    found = [LINE.fullmatch(line) for line in lines]
    return sorted((said["name"], float(said["size"])) for said in found if said and said["size"])


def _same_lines(r: Ran) -> bool:
    return _parts(r.lines[: -len(AFTERWARDS)]) == _parts(PROGRAM)


def _packed(r: Ran) -> str:
    mine = r.lines[: -len(AFTERWARDS)]
    if any(line.strip().startswith("del ") for line in mine):
        return "del"
    if len(mine) != len(PROGRAM) or not _same_lines(r):
        return "other lines"
    if r.stopped < 0:
        return "done"
    return "holes" if r.stopped == len(r.lines) - 1 else f"early, at {mine[r.stopped].strip()[0]}"


def _all_there(r: Ran) -> tuple[Fact, ...]:
    same = _same_lines(r)
    fits = r.stopped < 0
    return (
        Fact(same, "lines", "the eight of the program" if same else "not the eight of the program"),
        Fact(fits, "12 MiB", "fits" if fits else "does not fit" if r.stopped == len(r.lines) - 1 else "not reached"),
    )


CURE = PlanExercise(
    number="13.9",
    task="the same tensors, without the holes",
    memory=44,
    last=AFTERWARDS,
    outcome=_packed,
    facts_of=_all_there,
    hints=(
        "A segment has 20 MiB, and both have to be full to the last byte. Which four tensors fill one?",
        "Two of 6 and two of 4 fill a segment. Put the two that go side by side, so that they leave one hole.",
    ),
    mistakes=(
        Mistake(
            PROGRAM,
            "Each t leaves a hole of 6 MiB between tensors that stay. Put two of them side by side.",
        ),
        Mistake(
            (*PROGRAM[1::2], *PROGRAM[::2]),
            "The four that stay leave 4 MiB at the end of the first segment, where no t fits: the last has no room.",
        ),
        Mistake(
            (*PROGRAM[::2], *PROGRAM[1::2]),
            "Three t leave 2 MiB at the end of the first segment, where nothing fits. So the last k has no room.",
        ),
        Mistake(
            (*PROGRAM[:2], "del t1", *PROGRAM[2:]),
            "The program needs all eight at the same time. Change only the order in which they are made.",
        ),
        Mistake(PROGRAM[:6], "All eight tensors are needed, each with its size. Change only their order."),
    ),
    right=(
        ("k1 = 4", "k2 = 4", "t1 = 6", "t2 = 6", "k3 = 4", "k4 = 4", "t3 = 6", "t4 = 6"),
        ("t1 = 6", "t2 = 6", "k1 = 4", "k2 = 4", "t3 = 6", "k3 = 4", "t4 = 6", "k4 = 4"),
    ),
)

# -- the queue --------------------------------------------------------------------------------------

NOTES = StatementsExercise(
    number="13.10",
    task="true or false, six times",
    hints=(
        "Which of the two is meant: the allocator, which hands out blocks, or the driver, which hands out segments?",
        "A live tensor is never moved and never deleted by the allocator. And a GPU works through a queue.",
    ),
    statements=(
        Statement(
            "torch.cuda.empty_cache() deletes tensors that are not used any more.",
            False,
            "It returns segments in which no tensor lives. A tensor is deleted when its last name goes, and only then.",
        ),
        Statement(
            "Another program can use the memory that del has freed.",
            False,
            "The allocator keeps it for this program. Others get it after empty_cache(), or when this program ends.",
        ),
        Statement(
            "A tensor of one float32 takes 512 bytes of a GPU's memory.",
            True,
            "A block is a multiple of 512 bytes, and 512 is the smallest. Look at memory_allocated().",
        ),
        Statement(
            "The allocator moves tensors together when the holes between them are too small.",
            False,
            "A tensor stays where it is until it is deleted: other code holds its address. That is why order matters.",
        ),
        Statement(
            "A free block in one segment and a free block in another can hold one tensor together.",
            False,
            "A tensor lies in one run of bytes, in one segment.",
        ),
        Statement(
            "When g * 2 returns, a real GPU has computed it.",
            False,
            "The call puts the work into a queue and returns. torch.cuda.synchronize() waits until the queue is empty.",
        ),
    ),
)

# -- a picture of yours -----------------------------------------------------------------------------

COLUMNS = 16


def _pictures(torch: Any) -> list[Case]:
    def case(count: int, every: int) -> Case:
        text = f"in_memory((torch.arange({count}) % {every} == 0).reshape(-1, {COLUMNS}))"
        return Case(text, (torch.arange(count) % every == 0).reshape(-1, COLUMNS))

    return [case(16, 2), case(16, 5), case(32, 3), case(48, 7)]


def _as_marks(picture: Any) -> tuple[str, ...]:
    return tuple("".join(".#"[bright] for bright in row) for row in picture.tolist())


def _in_memory(engrave: Callable[[Any, Callable[[], Any]], Any], eighths: int = 1) -> Callable[[Any], Any]:
    """What `in_memory` of the lesson returns; `engrave` gets a picture and what makes a pixel of so many eighths."""

    def in_memory(picture: Any) -> tuple[str, ...]:
        torch = library_that_made(picture)
        torch.cuda.empty_cache()
        kept = engrave(picture, lambda: torch.empty(eighths * MIB // 8, dtype=torch.uint8, device="cuda"))
        rows = [
            "".join(".#"[b["state"] == "active_allocated"] * (b["size"] * 8 // MIB) for b in segment["blocks"])
            for segment in torch.cuda.memory_snapshot()
        ]
        del kept
        return tuple(rows)

    return in_memory


def _all_first(picture: Any, pixel: Callable[[], Any]) -> list:
    bright = picture.flatten().tolist()
    return [made for made, stays in zip([pixel() for _ in bright], bright, strict=True) if stays]


def _one_by_one(picture: Any, pixel: Callable[[], Any]) -> list:
    kept = []
    for stays in picture.flatten().tolist():
        made = pixel()
        if stays:
            kept.append(made)
    return kept


def _row_by_row(picture: Any, pixel: Callable[[], Any]) -> list:
    return [_all_first(row, pixel) for row in picture]


def _one_large(picture: Any, pixel: Callable[[], Any]) -> list:
    first = pixel()
    large = library_that_made(picture).empty(picture.numel() * first.numel(), dtype=first.dtype, device="cuda")
    del first
    return list(large.split(MIB // 8))[:1]


ENGRAVE = FunctionExercise(
    number="13.11",
    task="a picture of holes",
    function="in_memory",
    gpu=True,
    cases=_pictures,
    wanted=_as_marks,
    hints=(
        "A new tensor goes into the smallest hole that fits. So no hole may be there while you still make tensors.",
        "Make a tensor for every pixel of the whole picture first, bright or dark. Then keep the bright ones alone.",
        "picture.flatten().tolist() is a list of True and False. Make a list of tensors, one for each, and return a "
        "second list with those whose pixel is True. The others end with the function.",
    ),
    mistakes=(
        Mistake(
            _in_memory(_one_by_one),
            "Each tensor falls into the hole of a dark one before it. Make all of them first, and delete afterwards.",
        ),
        Mistake(
            _in_memory(lambda picture, pixel: [pixel() for stays in picture.flatten().tolist() if stays]),
            "The bright pixels lie side by side. A hole is where a tensor was: make one for each dark pixel as well.",
        ),
        Mistake(
            _in_memory(_row_by_row),
            "The holes of the first row were filled by the second. Make the whole picture, and delete afterwards.",
        ),
        Mistake(
            _in_memory(lambda picture, pixel: _all_first(~picture, pixel)),
            "It is a negative: the bright pixels are the holes. Keep those whose pixel is True.",
        ),
        Mistake(
            _in_memory(lambda picture, pixel: _all_first(picture.t(), pixel)),
            "You go down the columns. Go along the rows: each row of the picture fills one segment.",
        ),
        Mistake(
            _in_memory(lambda picture, pixel: [pixel() for _ in picture.flatten()]),
            "Everything is in use. Return the bright tensors alone: what is in a list stays alive.",
        ),
        Mistake(
            _in_memory(lambda picture, pixel: _all_first(picture, pixel)[:0]),
            "Nothing is in use any more: your tensors went with the function. Return a list with the bright ones.",
        ),
        Mistake(
            _in_memory(_one_large),
            "One large tensor cannot have holes: a view of it keeps all of it alive. Make a tensor for each pixel.",
        ),
        Mistake(
            _in_memory(_all_first, eighths=8),
            "Your pixels take a whole MiB each, so two of them fill a row. Make them of MiB // 8 bytes.",
        ),
        Mistake(
            _in_memory(_all_first, eighths=4),
            "Your pixels are four times too large: an element of float32 takes 4 bytes. Use dtype=torch.uint8.",
        ),
    ),
    right=(_in_memory(_all_first),),
)

ALL = (
    NEXT_LINE, PITCH, THREE_BLOCKS, REQUEST, STILL_RESERVED, MEASURE, LARGEST, MAKE_IT_FAIL, CURE, NOTES, ENGRAVE,
)  # fmt: skip
