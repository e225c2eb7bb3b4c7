"""What reading and writing files may raise, besides what the operating system says.

Everything that is wrong *with a file* is a `FileError`; that a pickle asks for something that is not on the list of
what a file may hold is a `RefusedGlobal`. Both say which record of the file is meant.
"""

from __future__ import annotations

from pickle import UnpicklingError
from typing import Any, NoReturn

from ..errors.reasons import Reason


class FileError(RuntimeError):
    """A file is damaged, is not what it says it is, or asks for what it may not have."""


class RefusedGlobal(FileError, UnpicklingError):
    """A pickle names a class or function that no file of tensors needs. It was not called, nor even looked up.

    >>> issubclass(RefusedGlobal, RuntimeError) and issubclass(RefusedGlobal, UnpicklingError)
    True
    """


def refuse_record(
    record: str, message: str, because: str = "", *instead: str, rule: str = "file.record", **facts: Any
) -> NoReturn:
    """Raise a `FileError` about one record of a file."""
    facts["record"] = record
    raise Reason(rule, FileError, f"{record}: {message}", because, instead, facts).exception() from None


def refuse_global(record: str, name: str) -> NoReturn:
    """Raise a `RefusedGlobal` about a name in a pickle."""
    message = f"{record}: the pickle asks for {name}, which is not on the list of what a file may hold"
    because = "nothing was called: a pickle is a program, and only the words that tensors are told in are understood"
    ways = ("save tensors, numbers, text, lists and dicts, not objects of other classes",)
    facts = {"record": record, "name": name}
    raise Reason("file.global", RefusedGlobal, message, because, ways, facts).exception() from None
