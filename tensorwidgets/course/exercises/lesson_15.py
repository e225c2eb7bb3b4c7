"""Lesson 15, files: what is asked, what is wanted, and the usual mistakes with the hint meant for each."""

from __future__ import annotations

import io
from typing import Any

from tensorwidgets.course.checking.functions_asked import Case, FunctionExercise
from tensorwidgets.course.checking.prediction import WordPrediction
from tensorwidgets.course.checking.tensors_asked import TensorExercise
from tensorwidgets.course.checking.values_asked import Statement, StatementsExercise, ValueExercise
from tensorwidgets.course.checking.verdict import Mistake
from tensorwidgets.course.checking.watching import library_that_made

# -- there and back ---------------------------------------------------------------------------------

STILL_SHARED = WordPrediction(
    number="15.1",
    question='After both["points"][0, 1] = -1, what is both["turned"][1, 0]?',
    subject='both["turned"][1, 0]',
    answer=-1,
    reason="-1: one storage was saved and one was loaded, and both tensors read it",
    otherwise={
        7: "then the two would have been saved as two storages; one was saved, for both",
        1: "that is points[1, 0]; the question is about turned[1, 0], which is points[0, 1]",
    },
)


def _tables(torch: Any) -> list[Case]:
    def case(rows: int, columns: int, view: str) -> Case:
        w = torch.arange(rows * columns).reshape(rows, columns)
        return Case(f"there_and_back(w{view})", {"": w, ".t()": w.t(), "[1:]": w[1:]}[view], (), w)

    return [case(2, 2, ""), case(2, 3, ".t()"), case(3, 2, "[1:]"), case(7, 8, "")]


def _saved(x: Any) -> io.BytesIO:
    file = io.BytesIO()
    library_that_made(x).save(x, file)
    return file


def _from_the_start(x: Any) -> Any:
    file = _saved(x)
    file.seek(0)
    return library_that_made(x).load(file)


THERE_AND_BACK = FunctionExercise(
    number="15.2",
    task="into a file in memory, and back",
    function="there_and_back",
    cases=_tables,
    wanted=lambda x: x.tolist(),
    apart=True,
    hints=(
        "Four lines: make the file, save, go back to its beginning, load.",
        "file.seek(0) goes back to the beginning.",
    ),
    mistakes=(
        Mistake(
            lambda x: library_that_made(x).load(_saved(x)),
            "After writing, you are at the end of the file, and there is nothing more to read. file.seek(0) goes back.",
        ),
        Mistake(_saved, "This is the file. Return what you load from it."),
        Mistake(lambda x: x, "This is x itself. Return what you load from the file."),
        Mistake(lambda x: _saved(x).getvalue(), "These are the bytes of the file. Return what you load from it."),
        Mistake(lambda x: library_that_made(x).save(x, io.BytesIO()), "save gives nothing back. Load from the file."),
    ),
    right=(_from_the_start, lambda x: library_that_made(x).load(io.BytesIO(_saved(x).getvalue()))),
)

# -- what a view takes along ------------------------------------------------------------------------

THE_WHOLE_TABLE = WordPrediction(
    number="15.3",
    question="How many bytes of numbers does torch.save(big[0], ...) write, if big is 1000 by 1000?",
    subject="torch.save(big[0], ...)",
    answer=4000000,
    reason="4000000: the whole storage, a million numbers of 4 bytes each",
    otherwise={
        4000: "that is the row alone; but its storage is that of the whole table, and a storage is written whole",
        1000: "that is how many elements the row has; each takes 4 bytes, and the whole storage is written",
        1000000: "that is how many numbers; each takes 4 bytes",
        8000000: "that would be float64; zeros are float32, 4 bytes each",
    },
)

ONE_ROW = TensorExercise(
    number="15.4",
    task="a row that takes only its own numbers along",
    made=lambda torch: torch.arange(20, 32).reshape(4, 3)[2],
    wanted=lambda row: row,
    shares=False,
    hints=(
        "What is written is the storage. So these numbers need a storage of their own.",
        "clone() always makes one. Does contiguous(), if the row is contiguous already?",
    ),
    mistakes=(
        Mistake(lambda x: x, "This is the view itself: its storage holds the whole table."),
        Mistake(
            lambda x: x.unsqueeze(0),
            "This is the row in a table of its own shape, and still a view: the whole storage goes along.",
        ),
        Mistake(lambda x: x[:2].clone(), "A storage of its own, and only two of the three numbers."),
        Mistake(lambda x: x.clone().unsqueeze(0), "A storage of its own, with one dimension too many. Return the row."),
        Mistake(lambda x: x.clone().zero_(), "A storage of its own, but not the numbers of x."),
    ),
    right=(lambda x: x.clone(), lambda x: x + 0, lambda x: x.new_tensor(x.tolist())),
)

# -- a file that runs -------------------------------------------------------------------------------

WHAT_HAPPENS = WordPrediction(
    number="15.5",
    question="pickle.load reads an object whose class is not there: refused, an object, or is a function called?",
    subject="pickle.load",
    answer="called",
    reason="called: the file says which function to call, and does not need the class",
    otherwise={
        "refused": "it would be, if the class had to be there; but this class asked to be saved as a call",
        "object": "an object would need its class; this one asked to be saved as a call",
    },
)

ALLOWED = StatementsExercise(
    number="15.6",
    task="what may be in a file that torch.load reads",
    hints=(
        "Tensors are stored as storages and numbers about them. What would a function be stored as?",
        "Save each of them into a file of its own, and try to load it.",
    ),
    statements=(
        Statement("A dict of tensors.", True, "This is the usual case: a dict with a tensor under each key."),
        Statement("A list of numbers.", True, "Numbers, strings, lists, tuples and dicts hold no program."),
        Statement("A lambda function.", False, "A function is a program. Files that ask for one are refused."),
        Statement(
            "An object of a class of your own.",
            False,
            "To build it, its class would have to be called. Save the tensors and numbers in it, in a dict.",
        ),
        Statement("A string.", True, "A string is a value, like a number."),
    ),
)

# -- a format for all -------------------------------------------------------------------------------

ONE_CHUNK = WordPrediction(
    number="15.7",
    question="Chunks of 1,000 rows, of a million: how many rows are read for long[-2:]?",
    subject="long[-2:]",
    answer=1000,
    reason="1000: the chunk that the last two rows are in, and no other",
    otherwise={
        2: "a chunk is read whole, also for one row of it",
        1000000: "the dataset knows where each chunk is, and reads those that the index touches",
        2000: "the last two rows are in the same chunk: rows 999,000 to 999,999",
    },
)

CLOSED = ValueExercise(
    number="15.8",
    task="the line that fails",
    asked="the line that fails",
    hints=(
        "Where does the block of with end? From there on the file is closed.",
        "Which of the lines after the block reads from the disk, and not from memory?",
    ),
    mistakes=(
        Mistake(4, "first is an array in memory, read while the file was open. from_numpy takes it over."),
        Mistake(5, "tensor lies in memory, and so does its shape."),
        Mistake(3, "Here the file is open: the index reads from it."),
        Mistake(2, "This reads nothing yet, and the file is open."),
        Mistake(1, "Opening to read, in mode r, is right."),
        Mistake("none", "One line reads from the dataset after its file has been closed."),
    ),
    right=(6,),
)

# -- true or false ----------------------------------------------------------------------------------

A_COPY = WordPrediction(
    number="15.9",
    question="x = torch.ones(2, 2) is saved, then x.zero_(). What is torch.load(...)[0, 0]?",
    subject="what was saved",
    answer=1,
    reason="1: the file holds what was there when it was written",
    otherwise={0: "then every write would have to reach the file as well; it is a copy"},
)

TRUE_OR_FALSE = StatementsExercise(
    number="15.10",
    task="true or false, seven times",
    hints=(
        "Each of them can be tried in a cell of its own before you answer.",
        "For the first: what does mode w do to a file that is there?",
    ),
    statements=(
        Statement(
            'To load from a file, you open it in mode "wb".',
            False,
            'w empties the file, for writing. To read bytes, open it in mode "rb".',
        ),
        Statement(
            "Tensors that shared memory when they were saved share it after they are loaded.",
            True,
            "A storage is written once, and each tensor's way of reading it.",
        ),
        Statement(
            "A pickle is data, and reading it cannot run anything.",
            False,
            "It is a program: one of its words is a call.",
        ),
        Statement(
            "torch.save(x[0], ...) writes only the row.",
            False,
            "It writes the whole storage. x[0].clone() has its own.",
        ),
        Statement(
            "A slice of an HDF5 dataset reads the whole dataset.", False, "It reads the pieces that the slice touches."
        ),
        Statement(
            "After file.close(), a dataset of that file can still be read.",
            False,
            "The numbers are on the disk, and the way to them is closed. Read first.",
        ),
        Statement(
            "HDF5 files can be read by programs that know nothing of Python.",
            True,
            "It is a format of its own, with readers in many languages.",
        ),
    ),
)

# -- a postcard -------------------------------------------------------------------------------------


def _cards(torch: Any) -> list[Case]:
    x = (torch.arange(6 * 5 * 3) * 41 % 256).reshape(6, 5, 3).to(torch.uint8)
    views = {"": x, "[1:3, 2:]": x[1:3, 2:], ".transpose(0, 1)": x.transpose(0, 1), "[:1, :2]": x[:1, :2]}
    return [Case(f"postcard(w{text})", view, (), x) for text, view in views.items()]


def _by_pixel(picture: Any) -> tuple[str, Any]:
    colours = [colour for row in picture.tolist() for pixel in row for colour in pixel]
    header = f"P6\n{picture.shape[1]} {picture.shape[0]}\n255\n"
    return header, library_that_made(picture).tensor(colours, dtype=picture.dtype)


def _whole_storage(picture: Any) -> Any:
    numbers = picture.storage().tolist()
    return library_that_made(picture).tensor(numbers, dtype=picture.dtype)


POSTCARD = FunctionExercise(
    number="15.11",
    task="the header and the colours of a picture file",
    function="postcard",
    cases=_cards,
    wanted=_by_pixel,
    hints=(
        'The header is f"P6\\n{columns} {rows}\\n255\\n". In which order does shape have rows and columns?',
        "All numbers in one row, in the order of the picture: that is reshape(-1), which copies where it has to.",
    ),
    mistakes=(
        Mistake(
            lambda p: (f"P6\n{p.shape[0]} {p.shape[1]}\n255\n", p.reshape(-1)),
            "shape begins with the rows. The header wants the columns first.",
        ),
        Mistake(
            lambda p: (f"P6 {p.shape[1]} {p.shape[0]} 255", p.reshape(-1)),
            'The header has three lines. Each ends with "\\n".',
        ),
        Mistake(
            lambda p: (f"P6\n{p.shape[1]} {p.shape[0]}\n255", p.reshape(-1)),
            'The last line of the header ends with "\\n" too, or the first colour becomes part of it.',
        ),
        Mistake(
            lambda p: (_by_pixel(p)[0], _whole_storage(p)),
            "That is the storage: of a crop it holds too much, and of a picture on its side the order is wrong.",
        ),
        Mistake(
            lambda p: (_by_pixel(p)[0], p.permute(2, 0, 1).reshape(-1)),
            "This writes all reds first, then all greens. The file wants the three colours of each pixel together.",
        ),
        Mistake(
            lambda p: (_by_pixel(p)[0], p.transpose(0, 1).reshape(-1)),
            "This goes column after column. The file wants row after row.",
        ),
        Mistake(
            lambda p: (_by_pixel(p)[0], p),
            "The colours are wanted in one row: a tensor with one dimension.",
        ),
    ),
    right=(
        lambda p: (_by_pixel(p)[0], p.reshape(-1)),
        lambda p: (_by_pixel(p)[0], p.flatten()),
        lambda p: (_by_pixel(p)[0], p.contiguous().view(-1)),
    ),
)

ALL = (
    STILL_SHARED, THERE_AND_BACK, THE_WHOLE_TABLE, ONE_ROW, WHAT_HAPPENS, ALLOWED, ONE_CHUNK, CLOSED, A_COPY,
    TRUE_OR_FALSE, POSTCARD,
)  # fmt: skip
