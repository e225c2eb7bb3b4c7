"""The errors that reading and writing files raise, besides those of the operating system.

Anything wrong *with a file* is a `FileError`; a pickle that names a global outside the allow-list is a `RefusedGlobal`.
Both name the record of the file.
"""

from __future__ import annotations

from pickle import UnpicklingError
from typing import Any, NoReturn

from ..errors.reasons import Reason


class FileError(RuntimeError):
    """A file is damaged, contradicts itself, or names something that is not allowed."""


class RefusedGlobal(FileError, UnpicklingError):
    """A pickle names a class or function that is not on the allow-list. It was neither imported nor called.

    >>> issubclass(RefusedGlobal, RuntimeError) and issubclass(RefusedGlobal, UnpicklingError)
    True
    """


class Elsewhere(Exception):
    """Carries an error that is not the file's, such as that of a function of the caller, past those who explain files.

    >>> Elsewhere(ValueError("mine")).error
    ValueError('mine')
    """

    def __init__(self, error: Exception):
        super().__init__(error)
        self.error = error


def refuse_record(
    record: str, message: str, because: str = "", *instead: str, rule: str = "file.record", **facts: Any
) -> NoReturn:
    """Raise a `FileError` about one record of a file."""
    facts["record"] = record
    raise Reason(rule, FileError, f"{record}: {message}", because, instead, facts).exception() from None


def refuse_global(record: str, name: str) -> NoReturn:
    """Raise a `RefusedGlobal` about a name in a pickle."""
    message = f"{record}: the pickle refers to {name}, which is not on the list of what a file may contain"
    because = "nothing was called: a pickle is a program, and load interprets only the instructions that tensors need"
    ways = ("save tensors, numbers, text, lists and dicts, not objects of other classes",)
    facts = {"record": record, "name": name}
    raise Reason("file.global", RefusedGlobal, message, because, ways, facts).exception() from None
