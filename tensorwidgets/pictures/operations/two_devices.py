"""Tensors of two devices in one call: where each is, why they may not meet, and what each way out copies.

A notebook shows it for `why("x + g", x=x, g=g)`, and for `why()` after such an error.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...engine.devices.times import seconds_of_copy
from ...engine.errors.reasons import Reason
from ..arrays.values import bytes_text, shape_text
from ..drawing.html import div, escape, framed, row, table, tag, td
from ..drawing.inline import bold
from ..drawing.picture import Picture
from ..drawing.scene import Block, Gap, Heading, Note, Sentence, Sheet, Title, columns, note
from ..drawing.tokens import EDGE, INK, LINE, MONO, MUTED, SANS, TINT
from .move import path_between, time_text


@dataclass(frozen=True)
class There:
    """A tensor of the call, and where it is."""

    label: str
    device: str
    what: str
    nbytes: int


def devices_picture(reason: Reason, labels: Sequence[str] = (), call: str = "") -> Picture | None:
    """The picture of a refusal of two devices; None if the reason does not know the tensors."""
    known = reason.facts.get("tensors", ())
    if len({device for device, *_ in known}) < 2:
        return None
    names = labels if len(labels) == len(known) else [f"the tensor on {device}" for device, *_ in known]
    tensors = [
        There(name, device, f"{shape_text(size)} {dtype}", nbytes)
        for name, (device, size, dtype, nbytes) in zip(names, known, strict=True)
    ]
    title = (bold(call or "A call"), " has tensors on two devices")
    blocks: list[Block] = [Title(title, "refused"), Apart(tuple(tensors)), Gap(16), Heading("Ways out")]
    devices = sorted({t.device for t in tensors}, reverse=True)  # a GPU first
    ways = tuple(_way(tensors, device) for device in devices)
    blocks.append(Sheet(("write", "copies", "time, modelled", "computes on"), ways, WAYS))
    blocks += [Note("Times by the model of show.move: 10 µs to begin, and the bytes by the rate of the path."), Gap(4)]
    subject = call or "The call"
    return Picture([*blocks, Sentence(subject, reason.because, reason.message, "clash")])


WAYS = (180, 80, 110, 90)


def _way(tensors: Sequence[There], device: str) -> tuple[str, str, str, str]:
    """What to write so that all tensors are on a device."""
    moving = [t for t in tensors if t.device != device]
    words = [f"{t.label}.to({device!r})" if t.label.isidentifier() else f".to({device!r}) of {t.label}" for t in moving]
    seconds = sum(seconds_of_copy(t.nbytes, path_between(t.device, device)) for t in moving)
    return ", ".join(words), bytes_text(sum(t.nbytes for t in moving)), time_text(seconds), device


@dataclass(frozen=True)
class Apart:
    """The tensors in boxes of their devices, and a cross between them."""

    tensors: tuple[There, ...]

    @property
    def devices(self) -> list[str]:
        return list(dict.fromkeys(t.device for t in self.tensors))

    def html(self) -> str:
        cells, widths = "", []
        for k, device in enumerate(self.devices):
            if k:
                cross = tag("b", "✕", f"font:600 18px/24px {SANS};color:{LINE['vermillion']}")
                cells += td(cross, "text-align:center;vertical-align:middle")
                widths.append(40)
            cells += self._box(device, k)
            widths.append(200)
        return framed(table([row(cells)], widths, cls="tw-devices"))

    def _box(self, device: str, k: int) -> str:
        hue = "blue" if device == "cpu" else "green"
        inner = div(tag("b", escape(device)), f"font:400 13px/20px {MONO};color:{INK}")
        words = []
        for t in self.tensors:
            if t.device == device:
                inner += div(escape(f"{t.label}  {t.what}"), f"font:400 12px/18px {MONO};color:{INK}")
                inner += div(escape(bytes_text(t.nbytes)), f"font:400 11px/16px {SANS};color:{MUTED}")
                words.append(f"{t.label} {t.what}")
        look = f"background:{TINT[hue]};border:1px solid {EDGE};padding:8px;text-align:left;vertical-align:top"
        return td(inner, look, f"i-device{k}", note(device, ", ".join(words)))

    def text(self) -> str:
        rows = [[t.device, t.label, t.what, bytes_text(t.nbytes)] for t in self.tensors]
        return columns([["device", "", "", ""], *rows], left=True)
