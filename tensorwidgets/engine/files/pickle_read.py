"""An interpreter for pickles that can do nothing but build.

A pickle is a program for a small stack machine, and Python's own reader lets it call anything. This one knows the
instructions, and asks a *world* for the two that reach outside: a global by its name, and something that lies beside
the pickle. What the world gives for a global is called only if it is a `Maker`, made by us. There is no other call in
this file, no import, no attribute looked up by a name from the pickle.

Each instruction builds at most as much as it is long, but for calls and for what is found again; those are counted,
so that a short pickle cannot fill the memory.
"""

from __future__ import annotations

import struct
from collections import Counter, OrderedDict
from collections.abc import Callable
from typing import Any, NoReturn, Protocol

from .errors import FileError, refuse_record
from .instructions import TABLE
from .nesting import Keys, Word, check_nesting

_LONGEST_INT = 1 << 12
"""Bytes of the largest whole number: quite enough, and quickly printed."""


class Maker(Word):
    """A function on the list of what a pickle may call."""

    __slots__ = ("name", "make")

    def __init__(self, name: str, make: Callable[..., Any]):
        self.name, self.make = name, make

    def __repr__(self) -> str:
        return self.name


class World(Protocol):
    """What there is outside the pickle."""

    def find(self, name: str) -> Any:
        """What a global stands for; refuses all that is not on the list."""

    def beside(self, id: Any) -> Any:
        """What lies beside the pickle by this id."""

    def build(self, made: Any, state: Any) -> None:
        """Set the state of an object; refuses all but a few."""


class Interpreter:
    """Reads one pickle.

    >>> class Nothing:
    ...     def find(self, name): raise FileError(name)
    >>> Interpreter(b"\\x80\\x02]q\\x00K\\x01a.", Nothing()).run()
    [1]
    """

    def __init__(self, data: bytes, world: Any, record: str = "data.pkl", start: int = 0):
        self.data, self.world, self.record, self.at = data, world, record, start
        self.stack: list[Any] = []
        self.marks: list[list[Any]] = []
        self.memo: dict[int, Any] = {}
        self.keys = Keys(record, len(data))
        self.budget = 8 * len(data) + (1 << 20)
        """Bytes (or items) that calls may still build."""

    def run(self) -> Any:
        """The object that the pickle builds. Afterwards `at` is where the pickle ends."""
        data, end, table = self.data, len(self.data), TABLE
        began = self.at
        try:
            while self.at < end:
                began = self.at
                op = data[began]
                self.at = began + 1
                if op == 46:  # STOP
                    return self._result()
                table[op](self)
        except FileError:
            raise
        except (IndexError, struct.error):
            self.fail(f"breaks off or takes from an empty stack at byte {began:,}")
        except Exception as error:
            self.fail(f"cannot be read at byte {began:,}: {type(error).__name__} {error}"[:300])
        self.fail(f"breaks off after {end:,} bytes, before its end")

    def _result(self) -> Any:
        if self.marks or len(self.stack) != 1:
            self.fail(f"ends at byte {self.at - 1:,} with {len(self.stack)} objects in hand in place of one")
        result = self.stack.pop()
        self.memo.clear()
        check_nesting(result, self.record, getattr(self.world, "keeps_words", False))
        return result

    def fail(self, message: str) -> NoReturn:
        """Refuse the pickle."""
        refuse_record(self.record, message, rule="file.pickle")

    def charge(self, amount: int) -> None:
        """Count what a call builds."""
        self.budget -= amount
        if self.budget < 0:
            self.fail(
                f"builds more than {8 * len(self.data) + (1 << 20):,} bytes by repetition at byte {self.at:,}: "
                "a small pickle that grows huge is made to fill up a computer's memory"
            )

    # -- what the instructions need ------------------------------------------------------------------------------

    def take(self, size: int) -> bytes:
        """The next bytes of the pickle."""
        start = self.at
        end = start + size
        if size < 0 or end > len(self.data):
            self.fail(f"at byte {start:,} says that {size:,} bytes follow, and {len(self.data) - start:,} do")
        self.at = end
        return self.data[start:end]

    def line(self) -> str:
        end = self.data.find(b"\n", self.at, self.at + 512)
        if end < 0:
            self.fail(f"has no end of line behind byte {self.at:,}")
        raw, self.at = self.data[self.at : end], end + 1
        try:
            return raw.decode()
        except UnicodeDecodeError:
            self.fail(f"names at byte {self.at:,} what is no text: {raw[:60]!r}")

    def since_mark(self) -> list[Any]:
        """What was put on the stack since the last mark."""
        items = self.stack
        self.stack = self.marks.pop()
        return items

    def text(self, raw: bytes) -> None:
        try:
            self.stack.append(raw.decode("utf-8", "surrogatepass"))
        except UnicodeDecodeError:
            self.fail(f"holds text at byte {self.at - len(raw):,} that is not UTF-8")

    def whole_number(self, size: int) -> None:
        if size > _LONGEST_INT:
            self.fail(f"holds a whole number of {size:,} bytes at byte {self.at:,}")
        self.stack.append(int.from_bytes(self.take(size), "little", signed=True))

    def recall(self, number: int) -> None:
        result = self.memo.get(number, self)
        if result is self:
            self.fail(f"at byte {self.at:,} asks for object {number:,}, which has not been made")
        self.stack.append(result)

    def call(self, maker: Any, args: Any) -> Any:
        if type(maker) is not Maker:
            self.fail(f"calls, at byte {self.at:,}, what is no function: {type(maker).__name__}")
        if type(args) is not tuple:
            self.fail(f"calls {maker} at byte {self.at:,} with {type(args).__name__} in place of arguments")
        for arg in args:
            if type(arg) in _MEASURED:
                self.charge(len(arg))
        try:
            return maker.make(*args)
        except FileError:
            raise
        except Exception as error:
            self.fail(f"calls {maker} at byte {self.at:,} with what does not fit: {error}"[:400])

    def set_items(self, items: list[Any]) -> None:
        target = self.stack[-1]
        if type(target) not in (dict, OrderedDict, Counter):
            if self._odd(target, items):
                return
            self.fail(f"at byte {self.at:,} sets items of {type(target).__name__}")
        if len(items) % 2:
            self.fail(f"at byte {self.at:,} sets a key without a value")
        for i in range(0, len(items), 2):
            key = items[i]
            if type(key) is not str:
                self.keys.check(key, target)
            target[key] = items[i + 1]

    def extend(self, items: list[Any]) -> None:
        target = self.stack[-1]
        if type(target) is not list:
            if self._odd(target, items):
                return
            self.fail(f"at byte {self.at:,} appends to {type(target).__name__}")
        target.extend(items)

    def add(self, items: list[Any]) -> None:
        target = self.stack[-1]
        if type(target) is not set:
            if self._odd(target, items):
                return
            self.fail(f"at byte {self.at:,} adds to {type(target).__name__}")
        for item in items:
            self.keys.check(item, target)
        target.update(items)

    def _odd(self, target: Any, items: list[Any]) -> bool:
        """Whether the world takes items for an object that is no container."""
        odd = getattr(self.world, "odd", None)
        return odd is not None and odd(target, items)


_MEASURED = frozenset((str, bytes, bytearray, list, dict, set, tuple, OrderedDict))
"""Arguments that a call may copy."""
