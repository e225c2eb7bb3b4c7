"""The shelf: which lessons there are, what each teaches, and where its source lies. The puzzles lie beside them.

>>> start = LESSONS[0]
>>> start.number, start.title, start.file
('00', 'Start here', '00_start_here.ipynb')
>>> start.ready
True
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable


@dataclass(frozen=True)
class Lesson:
    """One place on the shelf, filled or still to be."""

    number: str
    """Two digits; a word for a page outside of the order."""
    title: str
    teaches: str
    on_pytorch: bool = True
    """Whether the lesson also runs on PyTorch."""
    needs_gpu: bool = False
    """Whether PyTorch needs a GPU for it. Ours simulates one."""

    @property
    def file(self) -> str:
        """The name of its notebook, in the package and in a student's folder alike."""
        if not self.number.isdigit():
            return f"{self.number}.ipynb"
        return f"{self.number}_{re.sub(r'[^a-z0-9]+', '_', self.title.lower())}.ipynb"

    @property
    def source(self) -> Traversable:
        """Its one source, from which every copy is built."""
        return files("tensorwidgets.course") / "lessons" / self.file

    @property
    def ready(self) -> bool:
        return self.source.is_file()


LESSONS = (
    Lesson("00", "Start here", "whether everything works, how a lesson works, and this map"),
    Lesson("01", "Numbers in a box", "what a list really holds, and why a tensor is one run of bytes instead"),
    Lesson("02", "Dimensions and creation", "from a single number to many dimensions, and the ways to make each"),
    Lesson("03", "Storage", "offset and strides: the arithmetic that turns an index into a place in memory"),
    Lesson("04", "Views or copies", "which operations share memory, which must copy, and how to tell for sure"),
    Lesson("05", "Indexing", "picking out parts: slices, None, ellipsis, masks and lists of positions"),
    Lesson("06", "Dtypes", "bits behind a number, casting, promotion, and what precision costs"),
    Lesson("07", "Broadcasting", "how shapes that differ are made to fit without a byte being copied"),
    Lesson("08", "Einsum", "a small language of letters that says which dimensions meet and which are summed"),
    Lesson("09", "Named dimensions", "calling a dimension by its name, and what that catches", on_pytorch=False),
    Lesson("10", "The API by category", "the hundreds of operations, sorted into a dozen families"),
    Lesson("11", "NumPy next door", "handing memory to NumPy and its neighbours and back, with no copy"),
    Lesson("12", "Devices", "where a tensor lives, what moving it costs, and a GPU to practise on", needs_gpu=True),
    Lesson("13", "Allocators", "where bytes come from, and why freed memory is not given back", needs_gpu=True),
    Lesson(
        "14",
        "Dispatch and other tensors",
        "the path of a call, and tensors that are sparse, small or empty",
        on_pytorch=False,
    ),
    Lesson("15", "Files", "saving and loading, partial reads, and which files not to trust"),
    Lesson("16", "Gradients", "what backward works out, where it puts it, and a loop that sharpens a photograph"),
    Lesson("17", "The tape and its memory", "what a graph keeps alive, which write breaks it, and how to let go"),
    Lesson("18", "Layers", "the parts of networks, built from tensors that require gradients"),
    Lesson("19", "Training", "the loop that makes a network learn, and the optimizers in it"),
    Lesson("20", "Loading data", "datasets, batches, shuffles, and processes that load ahead"),
    Lesson("21", "Many processes", "one training spread over several processes"),
    Lesson("22", "A small language model", "attention from views, masks and einsum, trained until it writes verses"),
    Lesson("23", "Glossary", "the words of the course, each in a sentence, with its lesson"),
)


PUZZLES = Lesson("puzzles", "Puzzles", "thirty pictures to make, each with one line of code: a game for any time")
NOTEBOOKS = (*LESSONS, PUZZLES)
"""All that is handed out."""


def map_of_the_course(lessons: tuple[Lesson, ...] = NOTEBOOKS) -> str:
    """The shelf as a Markdown table; lessons that are there are links.

    >>> print(map_of_the_course(LESSONS[:1]))
    | lesson | what it teaches |
    | --- | --- |
    | [00 Start here](00_start_here.ipynb) | whether everything works, how a lesson works, and this map |
    """
    rows = ["| lesson | what it teaches |", "| --- | --- |"]
    for lesson in lessons:
        name = f"{lesson.number} {lesson.title}" if lesson.number.isdigit() else lesson.title
        where = f"[{name}]({lesson.file})" if lesson.ready else f"{name} (coming)"
        rows.append(f"| {where} | {lesson.teaches} |")
    return "\n".join(rows)
