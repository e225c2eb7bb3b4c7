"""The pickle instructions that the interpreter knows: those of protocols 0 to 5 that files of tensors use.

Any other instruction is refused: extension codes (EXT), out-of-band buffers, and the text forms of protocol 0 that no
writer of tensors uses.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from pickle import PROTO
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .pickle_read import Interpreter

_I4, _U2, _U4, _U8 = (struct.Struct(f).unpack_from for f in ("<i", "<H", "<I", "<Q"))
_DOUBLE = struct.Struct(">d").unpack_from
_HIGHEST = 5


def _unknown(p: Interpreter) -> None:
    p.fail(f"contains an unsupported instruction at byte {p.at - 1:,}: {bytes([p.data[p.at - 1]])!r}")


TABLE: list[Callable[[Interpreter], Any]] = [_unknown] * 256


def instruction(code: bytes) -> Callable[[Callable[[Interpreter], Any]], Callable[[Interpreter], Any]]:
    """Decorator: register the function that executes an instruction."""

    def enter(function: Callable[[Interpreter], Any]) -> Callable[[Interpreter], Any]:
        TABLE[code[0]] = function
        return function

    return enter


def _constant(code: bytes, make: Callable[[], Any]) -> None:
    TABLE[code[0]] = lambda p: p.stack.append(make())


_constant(b"N", lambda: None)
_constant(b"\x88", lambda: True)
_constant(b"\x89", lambda: False)
_constant(b"]", list)
_constant(b"}", dict)
_constant(b")", tuple)
_constant(b"\x8f", set)


# -- numbers, text, bytes ----------------------------------------------------------------------------------------


@instruction(b"K")
def _byte(p: Interpreter) -> None:
    p.stack.append(p.data[p.at])
    p.at += 1


@instruction(b"M")
def _two_bytes(p: Interpreter) -> None:
    p.stack.append(_U2(p.data, p.at)[0])
    p.at += 2


@instruction(b"J")
def _four_bytes(p: Interpreter) -> None:
    p.stack.append(_I4(p.data, p.at)[0])
    p.at += 4


@instruction(b"G")
def _float(p: Interpreter) -> None:
    p.stack.append(_DOUBLE(p.data, p.at)[0])
    p.at += 8


@instruction(b"\x8a")
def _long(p: Interpreter) -> None:
    p.whole_number(p.take(1)[0])


@instruction(b"\x8b")
def _very_long(p: Interpreter) -> None:
    p.whole_number(_I4(p.take(4))[0])


@instruction(b"X")
def _text(p: Interpreter) -> None:
    p.text(p.take(_U4(p.take(4))[0]))


@instruction(b"\x8c")
def _short_text(p: Interpreter) -> None:
    p.text(p.take(p.take(1)[0]))


@instruction(b"\x8d")
def _long_text(p: Interpreter) -> None:
    p.text(p.take(_U8(p.take(8))[0]))


@instruction(b"U")
def _python2_text(p: Interpreter) -> None:
    p.python2_text(p.take(p.take(1)[0]))


@instruction(b"T")
def _long_python2_text(p: Interpreter) -> None:
    p.python2_text(p.take(_I4(p.take(4))[0]))


@instruction(b"C")
def _short_bytes(p: Interpreter) -> None:
    p.stack.append(p.take(p.take(1)[0]))


@instruction(b"B")
def _bytes(p: Interpreter) -> None:
    p.stack.append(p.take(_U4(p.take(4))[0]))


@instruction(b"\x8e")
def _long_bytes(p: Interpreter) -> None:
    p.stack.append(p.take(_U8(p.take(8))[0]))


@instruction(b"\x96")
def _bytearray(p: Interpreter) -> None:
    p.stack.append(bytearray(p.take(_U8(p.take(8))[0])))


# -- containers --------------------------------------------------------------------------------------------------


@instruction(b"(")
def _mark(p: Interpreter) -> None:
    p.marks.append(p.stack)
    p.stack = []


@instruction(b"t")
def _tuple(p: Interpreter) -> None:
    items = p.since_mark()
    p.stack.append(tuple(items))


@instruction(b"l")
def _list(p: Interpreter) -> None:
    items = p.since_mark()
    p.stack.append(items)


@instruction(b"d")
def _dict(p: Interpreter) -> None:
    items = p.since_mark()
    p.stack.append({})
    p.set_items(items)


@instruction(b"\x91")
def _frozenset(p: Interpreter) -> None:
    items = p.since_mark()
    p.stack.append(set())
    p.add(items)
    p.stack[-1] = frozenset(p.stack[-1])


@instruction(b"\x85")
def _tuple1(p: Interpreter) -> None:
    p.stack[-1] = (p.stack[-1],)


@instruction(b"\x86")
def _tuple2(p: Interpreter) -> None:
    second = p.stack.pop()
    p.stack[-1] = (p.stack[-1], second)


@instruction(b"\x87")
def _tuple3(p: Interpreter) -> None:
    third, second = p.stack.pop(), p.stack.pop()
    p.stack[-1] = (p.stack[-1], second, third)


@instruction(b"a")
def _append(p: Interpreter) -> None:
    p.extend([p.stack.pop()])


@instruction(b"e")
def _append_many(p: Interpreter) -> None:
    p.extend(p.since_mark())


@instruction(b"s")
def _set_item(p: Interpreter) -> None:
    value, key = p.stack.pop(), p.stack.pop()
    p.set_items([key, value])


@instruction(b"u")
def _set_items(p: Interpreter) -> None:
    p.set_items(p.since_mark())


@instruction(b"\x90")
def _add_many(p: Interpreter) -> None:
    p.add(p.since_mark())


# -- the stack and the memory ------------------------------------------------------------------------------------


@instruction(b"0")
def _pop(p: Interpreter) -> None:
    p.stack.pop()


@instruction(b"1")
def _pop_mark(p: Interpreter) -> None:
    p.since_mark()


@instruction(b"2")
def _again(p: Interpreter) -> None:
    p.stack.append(p.stack[-1])


@instruction(b"q")
def _put(p: Interpreter) -> None:
    p.memo[p.data[p.at]] = p.stack[-1]
    p.at += 1


@instruction(b"r")
def _long_put(p: Interpreter) -> None:
    p.memo[_U4(p.data, p.at)[0]] = p.stack[-1]
    p.at += 4


@instruction(b"\x94")
def _memoize(p: Interpreter) -> None:
    p.memo[len(p.memo)] = p.stack[-1]


@instruction(b"h")
def _get(p: Interpreter) -> None:
    p.recall(p.data[p.at])
    p.at += 1


@instruction(b"j")
def _long_get(p: Interpreter) -> None:
    p.recall(_U4(p.data, p.at)[0])
    p.at += 4


# -- globals, calls, persistent ids ------------------------------------------------------------------------------


@instruction(b"c")
def _global(p: Interpreter) -> None:
    module = p.line()
    p.stack.append(p.world.find_class(f"{module}.{p.line()}"))


@instruction(b"\x93")
def _stack_global(p: Interpreter) -> None:
    name, module = p.stack.pop(), p.stack.pop()
    if type(name) is not str or type(module) is not str:
        p.fail(f"names a global at byte {p.at:,} by a value that is not text")
    p.stack.append(p.world.find_class(f"{module}.{name}"))


@instruction(b"R")
def _reduce(p: Interpreter) -> None:
    args = p.stack.pop()
    p.stack[-1] = p.call(p.stack[-1], args)


@instruction(b"\x81")
def _new_object(p: Interpreter) -> None:
    _reduce(p)


@instruction(b"b")
def _build(p: Interpreter) -> None:
    state = p.stack.pop()
    p.world.build(p.stack[-1], state)


@instruction(b"Q")
def _persistent_id(p: Interpreter) -> None:
    p.stack[-1] = p.world.persistent_load(p.stack[-1])


@instruction(PROTO)
def _protocol(p: Interpreter) -> None:
    version = p.take(1)[0]
    if version > _HIGHEST:
        p.fail(f"uses protocol {version}; the highest protocol is {_HIGHEST}")


@instruction(b"\x95")
def _frame(p: Interpreter) -> None:
    length = _U8(p.take(8))[0]
    if length > len(p.data) - p.at:
        p.fail(f"at byte {p.at:,} says that {length:,} bytes follow, but only {len(p.data) - p.at:,} do")
