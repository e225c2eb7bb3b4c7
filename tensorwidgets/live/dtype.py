"""DtypeExplorer: flip a bit, type a number, cast it, or read the same bytes as another type."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import traitlets as t

from ..engine import FACE
from ..engine.errors.reasons import Reason
from ..pictures.arrays.decimals import decimal
from ..pictures.arrays.number_formats import BOOL, FLOATS, FORMATS, INTEGERS, Float, Format, Number, is_finite
from ..pictures.arrays.values import count
from ..pictures.drawing.inline import Line
from ..pictures.drawing.scene import Block, Gap, Note, Sheet, Title
from ..pictures.operations.bits import boxed_bits, exact_of, in_fours, number_blocks
from ..pictures.parts.bit_rows import BitRow, BitRows
from ..pictures.parts.number_line import number_lines
from . import traits
from .controls import Button, Control, Menu, Slider, Text
from .explorer import Explorer, refusal
from .expressions import reason_of
from .typed.integers import integer, refused
from .typed.number import answer_of, elements_of, exact_number, name_of, number_of, own_type


class DtypeExplorer(Explorer):
    """A number as its dtype stores it. The number is an element of a tensor, and the engine does every cast.

    >>> w = DtypeExplorer(1.5, dtype="float16")
    >>> w.bits
    '0011111000000000'
    >>> w.bits = "1011111000000000"
    >>> w.value
    -1.5
    >>> w.cast("int8"), w.value, w.bits
    (None, -1, '11111111')
    >>> w.read_as("uint8"), w.value
    (None, 255)
    """

    value = t.Any(0, help="The number, or what was typed for it.")
    dtype = traits.Text("float32", help="The name of its type.")
    bits = traits.Text("", help="Its bits, the sign first.")
    element = traits.Whole(0, help="Which element, where the bytes are read as several.")

    STATE = ("value", "dtype", "bits", "element")

    def __init__(self, value: Any = 1.1, *, dtype: Any = None, predict: bool = False, label: str = ""):
        if isinstance(value, complex):
            raise TypeError(f"DtypeExplorer() takes a real number; {value} is two: its .real and its .imag")
        if not isinstance(value, str) and elements_of(value) is None and isinstance(number_of(value), Reason):
            raise TypeError(f"DtypeExplorer() takes a number, the text of one, or an array, not {value!r}")
        super().__init__()
        self._tensor = FACE["tensor"]([0.0])
        self._wanted: Number | int | None = None
        self._typed: str | None = None
        self._wrong: tuple[Reason, str] | None = None
        self._past: list[Any] = []
        self._label = label
        with self._at_once():
            self.predict = predict
            self.dtype = name_of(dtype) if dtype is not None else own_type(value)
            several = elements_of(value)
            if several is not None:
                self._keep(several)
                if dtype is not None:
                    self._keep(several.to(FACE[self.dtype]) if self.dtype in FORMATS else several)
            else:
                self._put(value, str(self.dtype))
            if self._wrong is not None and dtype is None:
                self._put(value, "float64")
            self._first = self._tensor
            self._follow()

    # -- the state -----------------------------------------------------------------------------------

    @property
    def form(self) -> Format:
        """The type that the number is stored in."""
        return FORMATS[str(self._tensor.dtype).rpartition(".")[2]]

    @property
    def _at(self) -> int:
        asked = integer(self.element)
        return min(max(asked or 0, 0), self._tensor.numel() - 1)

    def _bytes(self) -> bytes:
        return bytes(self._tensor.view(FACE["uint8"]).tolist())

    def _pattern(self) -> int:
        """The bits of the selected element, as one integer."""
        wide = self.form.nbytes
        return int.from_bytes(self._bytes()[self._at * wide : (self._at + 1) * wide], "little")

    def _keep(self, tensor: Any) -> None:
        self._past.append((self._tensor, self._wanted))
        del self._past[:-50]
        self._tensor, self._wanted, self._wrong = tensor, None, None

    def _follow(self) -> None:
        """Updates the traits from the tensor."""
        self.dtype = self.form.name
        self.bits = f"{self._pattern():0{self.form.width}b}"
        self.element = self._at
        self._typed = None
        self.value = self._tensor[self._at].item()

    def _put(self, value: Any, dtype: str) -> None:
        """Stores a number from the user."""
        number = number_of(value)
        self._typed = str(value)
        if dtype not in FORMATS:
            self._wrong = refused("number", f"Types are {', '.join(FORMATS)}; {dtype!r} is not one of them."), "dtype"
        elif isinstance(number, Reason):
            self._wrong = number, "value"
        else:
            try:
                tensor = FACE["tensor"]([number], dtype=FACE[dtype])
            except Exception as error:
                self._wrong = reason_of(error), f"{value} as {dtype}"
                return
            self._keep(tensor)
            exact = exact_number(value, number) if isinstance(value, str) else exact_of(number)
            self._wanted = exact if isinstance(self.form, Float) else None

    def _set_pattern(self, pattern: int) -> None:
        """Overwrites the bits of the selected element."""
        wide = self.form.nbytes
        data = bytearray(self._bytes())
        data[self._at * wide : (self._at + 1) * wide] = pattern.to_bytes(wide, "little")
        if self.form is BOOL and pattern > 1:
            self._wrong = (
                refused("number", "A bool is a byte that holds 0 or 1, never another."),
                "bool",
            )
            return
        self._keep(FACE["tensor"](list(data), dtype=FACE["uint8"]).view(self._tensor.dtype))

    def cast(self, dtype: str) -> None:
        """`x.to(dtype)`: the nearest number of another type, in bytes of its own."""
        with self._at_once():
            self._as(dtype, "to")

    def read_as(self, dtype: str) -> None:
        """`x.view(dtype)`: the same bytes, read as another type."""
        with self._at_once():
            self._as(dtype, "view")

    def _as(self, dtype: Any, how: str) -> None:
        name = name_of(dtype)
        if name not in FORMATS:
            self._wrong = refused("number", f"Types are {', '.join(FORMATS)}; {name!r} is not one of them."), "dtype"
            return
        if how == "view" and name == "bool" and set(self._bytes()) - {0, 1}:
            self._wrong = (
                refused("number", "A bool is a byte that holds 0 or 1, and these bytes hold more."),
                ".view(torch.bool)",
            )
            return
        before = self.form.decode(self._pattern())
        try:
            source = self._tensor if how == "view" else self._tensor[self._at : self._at + 1]
            tensor = getattr(source, how)(FACE[name])
        except Exception as error:
            self._wrong = reason_of(error), f".{how}(torch.{name})"
            return
        self._keep(tensor)
        self._follow()
        if how == "to" and is_finite(before) and self.form is not BOOL:
            # What was cast, so that the picture tells what became of it; where the engine's cast is the nearest number.
            nearest = self.form.encode(Fraction(before) if isinstance(self.form, Float) else int(before))  # type: ignore[arg-type]
            self._wanted = before if nearest == self._pattern() else None

    def _changed(self, names: Sequence[str]) -> None:
        (name,) = names
        if name == "value":
            self._put(self.value, self.form.name)
        elif name == "dtype":
            asked = name_of(self.dtype)
            self._as(asked, "to")
        elif name == "bits":
            self._write(self.bits)
        if self._wrong is None or name == "element":
            self._wrong = None if name == "element" else self._wrong
            self._follow()

    def _write(self, bits: Any) -> None:
        text = "".join(str(bits).split())
        if not re.fullmatch(rf"[01]{{{self.form.width}}}", text):
            description = (
                f"{self.form.name} has {self.form.width} bits, each 0 or 1; "
                f"{str(bits)[:80]!r} has {len(text)} characters."
            )
            self._wrong = refused("number", description), "bits"
        else:
            self._set_pattern(int(text, 2))

    # -- controls ------------------------------------------------------------------------------------

    def _cell(self, name: str) -> None:
        """A click on a bit flips it; other cells are selected."""
        result = re.fullmatch(r"(\w+) bit (\d+)", name)
        if result is None or result[1] != self.form.name or int(result[2]) >= self.form.width:
            super()._cell(name)
            return
        self._wrong = None
        self._set_pattern(self._pattern() ^ (1 << int(result[2])))
        if self._wrong is None:
            self._follow()

    def _moved(self, name: str, value: Any) -> None:
        known, self._wrong = self._wrong, None
        typed = None
        if name == "value":
            self._put(str(value), self.form.name)
            typed = self._typed
        elif name in ("cast", "read"):
            self._as(str(value), "to" if name == "cast" else "view")
        elif name in ("up", "down"):
            self._step(name == "up") if isinstance(self.form, Float) else self._count(name == "up")
        elif name == "element":
            self.element = value
        elif name == "back" and self._past:
            self._tensor, self._wanted = self._past.pop()
        elif name == "over":
            self._keep(self._first)
        elif name != "back":
            self._wrong = known
        if self._wrong is None:
            self._follow()
            self._typed = typed

    def _count(self, up: bool) -> None:
        """To the next whole number of this type."""
        number = int(self._tensor[self._at].item())
        then = number + (1 if up else -1)
        if self.form.decode(self.form.encode(then)) != then or (self.form is BOOL and then not in (0, 1)):
            self._wrong = (
                refused("number", f"{number} is the {'largest' if up else 'smallest'} {self.form.name}."),
                "next",
            )
            return
        self._set_pattern(self.form.encode(then))

    def _step(self, up: bool) -> None:
        """To the next number of this type."""
        assert isinstance(self.form, Float)
        pattern = self._pattern()
        here = self.form.decode(pattern)
        if here != here or (isinstance(here, float) and here and (here > 0) == up):
            text = "not a number has no neighbours" if here != here else f"nothing lies beyond {here}"
            self._wrong = refused("number", f"{self.form.name}: {text}."), "next"
            return
        magnitude = pattern & ~self.form.sign_bit
        if not magnitude:
            pattern = 1 if up else self.form.sign_bit | 1
        else:
            pattern += 1 if up != bool(pattern & self.form.sign_bit) else -1
        if self.form.decode(pattern) != self.form.decode(pattern):
            edge = "largest" if up else "smallest"
            self._wrong = refused("number", f"{decimal(here)} is the {edge} {self.form.name}."), "next"
            return
        self._set_pattern(pattern)

    def _controls(self) -> list[Control]:
        typed = self._typed if self._typed is not None else str(self._tensor[self._at].item())
        wrong = self._wrong is not None and self._typed is not None
        out: list[Control] = [Text("value", "", typed, 28, wrong, group="number")]
        out.append(Button("down", "▼ next below", "the number below in this type", group="number"))
        out.append(Button("up", "▲ next above", "the number above in this type", group="number"))
        out.append(Button("back", "undo", "back to what was before", group="number"))
        out.append(Button("over", "start over", "the number that was given", group="number"))
        names = tuple(FORMATS)
        out.append(Menu("cast", ".to(torch.…)", self.form.name, names, group="cast"))
        out.append(Menu("read", ".view(torch.…)", self.form.name, names, group="re-read"))
        many = self._tensor.numel()
        if many > 1:
            out.append(Slider("element", "", self._at, 0, many - 1, group="element"))
        return out

    # -- what is seen and said -----------------------------------------------------------------------

    def _scene(self) -> Sequence[Block]:
        form, pattern = self.form, self._pattern()
        stored = form.decode(pattern)
        self.reason = None if self._wrong is None else self._wrong[0]
        wanted = self._wanted if self._wanted is not None else stored
        name = decimal(wanted, 24)
        family: Sequence[Format] = FLOATS if isinstance(form, Float) else INTEGERS
        plainly = isinstance(form, Float) and not isinstance(wanted, int) and form.encode(wanted) == pattern
        boxed = boxed_bits(form, pattern, wanted) if plainly else []  # type: ignore[arg-type]
        row = BitRow(form.name, form, pattern, frozenset(boxed))
        if form is BOOL:
            blocks: list[Block] = [Title(f"{bool(pattern)}, one byte", "bool"), BitRows((row,))]
        else:
            others = [f for f in family if f is not form]
            blocks = number_blocks(name, wanted, [form, *others], self._label, form if self._wanted is None else None)
            blocks[1] = BitRows((row,))
            blocks.insert(2, Gap(10))
            if isinstance(form, Float) and is_finite(wanted):
                lines = number_lines(Fraction(wanted), name, [(form.name, form)])
                blocks[4:4] = lines
        blocks.insert(2, Note("Click a bit, or press Enter on it, and it flips.", top=6))
        if self._tensor.numel() > 1:
            blocks.insert(3, self._elements())
        if self._wrong is not None:
            blocks[1:1] = [refusal(*self._wrong), Gap(16)]
        return blocks

    def _elements(self) -> Sheet:
        """All elements, if the bytes are read as several."""
        wide = self.form.nbytes
        data = self._bytes()
        heads: tuple[Line, ...] = ("element", self.form.name, "bytes in storage, lowest first")
        rows = []
        for k in range(self._tensor.numel()):
            piece = data[k * wide : (k + 1) * wide]
            number = self.form.decode(int.from_bytes(piece, "little"))
            mark = " ◂" if k == self._at else ""
            rows.append((f"[{k}]{mark}", decimal(number, 33), in_fours(piece)))
        return Sheet(heads, tuple(rows), (108, 264, 240))

    def _status_text(self) -> str:
        stored = self.form.decode(self._pattern())
        many = self._tensor.numel()
        which = f", element {self._at} of {count(many, 'element')}" if many > 1 else ""
        return f"{self.form.name}{which}: {decimal(stored, 40)}, bits {self.bits}."

    def _quiz(self) -> tuple[str, str] | None:
        stored = self.form.decode(self._pattern())
        if self._wrong is not None:
            return None
        return f"Which number do the bits {self.bits} hold in {self.form.name}?", answer_of(stored)

    def _covered(self) -> Sequence[Block]:
        return [Title(f"A number in {self.form.name}"), BitRows((BitRow(self.form.name, self.form, self._pattern()),))]
