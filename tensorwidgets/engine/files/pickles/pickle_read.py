"""`Interpreter`: a pickle interpreter that builds data and cannot run code.

A pickle is a program for a small stack machine, and Python's own reader lets it call anything. This interpreter
executes the instructions and leaves the two that reach outside the pickle to a `World`: `find_class` and
`persistent_load`. The value of a global is called only if it is a `Maker`, which only this package creates. This file
contains no other call on behalf of a pickle, no import, and no attribute lookup by a name from the pickle.

Most instructions build at most as many bytes as they are long. Calls and memo lookups can build more, so they are
counted, and a short pickle cannot exhaust memory.
"""

from __future__ import annotations

import struct
from collections import Counter, OrderedDict
from collections.abc import Callable
from typing import Any, NoReturn, Protocol

from ..errors import Elsewhere, FileError, refuse_record
from .instructions import TABLE
from .nesting import AllowedGlobal, Keys, check_nesting

_LONGEST_INT = 1 << 12
"""The largest integer in bytes: large enough for any file, and still quick to print."""


class Maker(AllowedGlobal):
    """A function on the allow-list: the only thing that a pickle may call."""

    __slots__ = ("name", "make")

    def __init__(self, name: str, make: Callable[..., Any]):
        self.name, self.make = name, make

    def __repr__(self) -> str:
        return self.name


class World(Protocol):
    """What a pickle can reach outside itself."""

    def find_class(self, name: str) -> Any:
        """The value of a global; refuses a name that is not on the allow-list."""

    def persistent_load(self, id: Any) -> Any:
        """The object stored outside the pickle under this id."""

    def build(self, made: Any, state: Any) -> None:
        """Set the state of an object; refuses most types."""


class Interpreter:
    """Reads one pickle.

    >>> class Nothing:
    ...     def find_class(self, name): raise FileError(name)
    >>> Interpreter(b"\\x80\\x02]q\\x00K\\x01a.", Nothing()).run()
    [1]
    """

    def __init__(self, data: bytes, world: Any, record: str = "data.pkl", start: int = 0, encoding: str | None = None):
        self.data, self.world, self.record, self.at = data, world, record, start
        self.encoding = encoding
        """How the caller reads text of Python 2, whose pickles do not say it: 'bytes' leaves it as it is."""
        self.stack: list[Any] = []
        self.marks: list[list[Any]] = []
        self.memo: dict[int, Any] = {}
        self.keys = Keys(record, len(data))
        self.budget = 8 * len(data) + (1 << 20)
        """How many bytes (or items) calls may still build."""

    def run(self) -> Any:
        """Build and return the object. Afterwards `at` is the end of the pickle."""
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
        except Elsewhere as passed:
            raise passed.error from None
        except (IndexError, struct.error):
            self.fail(f"ends early or pops from an empty stack at byte {began:,}")
        except Exception as error:
            self.fail(f"cannot be read at byte {began:,}: {type(error).__name__} {error}"[:300])
        self.fail(f"is truncated after {end:,} bytes")

    def _result(self) -> Any:
        if self.marks or len(self.stack) != 1:
            self.fail(
                f"ends at byte {self.at - 1:,} with {len(self.stack)} objects on the stack; exactly one is expected"
            )
        result = self.stack.pop()
        self.memo.clear()
        check_nesting(result, self.record, getattr(self.world, "keeps_globals", False))
        return result

    def fail(self, message: str) -> NoReturn:
        """Raise the error for this pickle."""
        refuse_record(self.record, message, rule="file.pickle")

    def charge(self, amount: int) -> None:
        """Count the bytes that a call builds, and refuse the pickle if they exceed the limit."""
        self.budget -= amount
        if self.budget < 0:
            self.fail(
                f"builds more than {8 * len(self.data) + (1 << 20):,} bytes by repetition at byte {self.at:,}: "
                "a small pickle that grows huge is built to exhaust memory"
            )

    # -- helpers for the instructions ----------------------------------------------------------------------------

    def take(self, size: int) -> bytes:
        """The next bytes of the pickle."""
        start = self.at
        end = start + size
        if size < 0 or end > len(self.data):
            self.fail(f"at byte {start:,} says that {size:,} bytes follow, but only {len(self.data) - start:,} do")
        self.at = end
        return self.data[start:end]

    def line(self) -> str:
        end = self.data.find(b"\n", self.at, self.at + 512)
        if end < 0:
            self.fail(f"has no end of line after byte {self.at:,}")
        raw, self.at = self.data[self.at : end], end + 1
        try:
            return raw.decode()
        except UnicodeDecodeError:
            self.fail(f"has a name at byte {self.at:,} that is not text: {raw[:60]!r}")

    def since_mark(self) -> list[Any]:
        """Pop everything above the last mark."""
        items = self.stack
        self.stack = self.marks.pop()
        return items

    def text(self, raw: bytes) -> None:
        try:
            self.stack.append(raw.decode("utf-8", "surrogatepass"))
        except UnicodeDecodeError:
            self.fail(f"holds text at byte {self.at - len(raw):,} that is not UTF-8")

    def python2_text(self, raw: bytes) -> None:
        """Text whose encoding only the caller knows; UTF-8 without a word of theirs."""
        if self.encoding is None:
            self.text(raw)
        elif self.encoding == "bytes":
            self.stack.append(raw)
        else:
            try:
                self.stack.append(raw.decode(self.encoding))
            except (UnicodeDecodeError, LookupError) as error:
                raise Elsewhere(error) from None

    def whole_number(self, size: int) -> None:
        if size > _LONGEST_INT:
            self.fail(f"holds an integer of {size:,} bytes at byte {self.at:,}")
        self.stack.append(int.from_bytes(self.take(size), "little", signed=True))

    def recall(self, number: int) -> None:
        result = self.memo.get(number, self)
        if result is self:
            self.fail(f"at byte {self.at:,} refers to object {number:,}, which does not exist yet")
        self.stack.append(result)

    def call(self, maker: Any, args: Any) -> Any:
        if type(maker) is not Maker:
            self.fail(f"calls at byte {self.at:,} something that is not a function: {type(maker).__name__}")
        if type(args) is not tuple:
            self.fail(f"calls {maker} at byte {self.at:,} with a {type(args).__name__} instead of a tuple of arguments")
        for arg in args:
            if type(arg) in _MEASURED:
                self.charge(len(arg))
        try:
            return maker.make(*args)
        except FileError:
            raise
        except Exception as error:
            self.fail(f"calls {maker} at byte {self.at:,} with invalid arguments: {error}"[:400])

    def set_items(self, items: list[Any]) -> None:
        target = self.stack[-1]
        if type(target) not in (dict, OrderedDict, Counter):
            if self._world_adds(target, items):
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
            if self._world_adds(target, items):
                return
            self.fail(f"at byte {self.at:,} appends to {type(target).__name__}")
        target.extend(items)

    def add(self, items: list[Any]) -> None:
        target = self.stack[-1]
        if type(target) is not set:
            if self._world_adds(target, items):
                return
            self.fail(f"at byte {self.at:,} adds to {type(target).__name__}")
        for item in items:
            self.keys.check(item, target)
        target.update(items)

    def _world_adds(self, target: Any, items: list[Any]) -> bool:
        """Offer the items of an object that is not a container to the world; return whether it took them."""
        add_items = getattr(self.world, "add_items", None)
        return add_items is not None and add_items(target, items)


_MEASURED = frozenset((str, bytes, bytearray, list, dict, set, tuple, OrderedDict))
"""Types of arguments that a call may copy, so that their size counts."""
