"""How is a pickle of plain data read without running anything? Numbers, text, lists, tuples, dictionaries; no more.

A pickle is a program, and Python's own reader runs whatever it names. This one knows only the instructions that build
plain data, and refuses a file with any other. It builds no more than one object an instruction.

>>> import pickle
>>> read_plain(pickle.dumps({"sizes": [512, 1024], "stream": 0}))
{'sizes': [512, 1024], 'stream': 0}
"""

from __future__ import annotations

import pickletools
from struct import Struct, error
from typing import Any, NoReturn

_I4, _U2, _U4, _U8, _FLOAT = (Struct(form).unpack_from for form in ("<i", "<H", "<I", "<Q", ">d"))
_LONGEST_NUMBER = 64
_CONSTANTS = {0x4E: None, 0x88: True, 0x89: False}
_EMPTY = {0x7D: dict, 0x5D: list, 0x29: tuple}
_SKIPPED = {0x80: 1, 0x95: 8}
"""Instructions that announce something, with the bytes that follow them: the protocol, a frame."""
_PUTS = {0x71: 1, 0x72: 4}
_TUPLES = {0x85: 1, 0x86: 2, 0x87: 3}
_NUMBERS = {0x4A: (_I4, 4), 0x4D: (_U2, 2), 0x47: (_FLOAT, 8)}
_TEXTS = {0x8C: (None, 1), 0x58: (_U4, 4), 0x8D: (_U8, 8)}


def read_plain(data: bytes) -> Any:
    """The object in a pickle of plain data; raises ValueError for any other."""
    try:
        return _read(data)
    except (IndexError, KeyError, error, UnicodeDecodeError, TypeError, AttributeError):
        raise ValueError("it is damaged, or not a pickle at all") from None


def _read(data: bytes) -> Any:
    # One loop and local names: a file of 20,000 events has a million instructions.
    at, stack, marks, memo = 0, [], [], []  # type: ignore[var-annotated]
    get, push = memo.__getitem__, stack.append
    while True:
        op = data[at]
        at += 1
        if op == 0x68:  # BINGET
            push(get(data[at]))
            at += 1
        elif op == 0x6A:  # LONG_BINGET
            push(get(_U4(data, at)[0]))
            at += 4
        elif op == 0x94:  # MEMOIZE
            memo.append(stack[-1])
        elif op == 0x4B:  # BININT1
            push(data[at])
            at += 1
        elif op == 0x8A:  # LONG1
            length = data[at]
            if length > _LONGEST_NUMBER or at + 1 + length > len(data):
                raise IndexError
            push(int.from_bytes(data[at + 1 : at + 1 + length], "little", signed=True))
            at += 1 + length
        elif op in _NUMBERS:
            form, length = _NUMBERS[op]
            push(form(data, at)[0])
            at += length
        elif op == 0x28:  # MARK
            marks.append(stack)
            stack = []
            push = stack.append
        elif op in (0x75, 0x65, 0x74):  # SETITEMS, APPENDS, TUPLE
            items = stack
            stack = marks.pop()
            push = stack.append
            if op == 0x75:
                _set_items(stack[-1], items)
            elif op == 0x65:
                _must_be_list(stack[-1]).extend(items)
            else:
                push(tuple(items))
        elif op in _EMPTY:
            push(_EMPTY[op]())
        elif op == 0x61:  # APPEND
            value = stack.pop()
            _must_be_list(stack[-1]).append(value)
        elif op == 0x73:  # SETITEM
            pair = stack[-2:]
            del stack[-2:]
            _set_items(stack[-1], pair)
        elif op in _TUPLES:
            count = _TUPLES[op]
            if len(stack) < count:
                raise IndexError
            parts = tuple(stack[-count:])
            stack[-count:] = [parts]
        elif op in _CONSTANTS:
            push(_CONSTANTS[op])
        elif op in _TEXTS:
            measure, width = _TEXTS[op]
            begin = at + width
            end = begin + (measure(data, at)[0] if measure else data[at])
            if end > len(data):
                raise IndexError
            push(data[begin:end].decode("utf-8", "surrogatepass"))
            at = end
        elif op in _SKIPPED:
            at += _SKIPPED[op]
        elif op in _PUTS:
            length = _PUTS[op]
            if int.from_bytes(data[at : at + length], "little") != len(memo):
                raise IndexError  # Python numbers them in order
            memo.append(stack[-1])
            at += length
        elif op == 0x2E and len(stack) == 1 and not marks:  # STOP
            return stack[0]
        else:
            _refuse(op, at - 1)


def _set_items(target: Any, items: list[Any]) -> None:
    if type(target) is not dict or len(items) % 2:
        raise TypeError
    for key in items[::2]:
        if type(key) is not str and (type(key) is not int or not -(1 << 31) < key < 1 << 31):
            raise TypeError
    target.update(zip(items[::2], items[1::2], strict=True))


def _must_be_list(target: Any) -> list[Any]:
    if type(target) is not list:
        raise TypeError
    return target


def _refuse(op: int, at: int) -> NoReturn:
    names = {ord(known.code): known.name for known in pickletools.opcodes}
    raise ValueError(f"this pickle asks for more than plain data (instruction {names.get(op, hex(op))} at byte {at})")
