"""A move between devices: what is copied, over which path, and how long that takes. `show.move(x, "cuda")`.

Times are modelled, not measured: a start of 10 microseconds, and the bytes by the rate of the path.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from ...engine.devices.times import PATHS, seconds_of_copy
from ..arrays.layout import Layout
from ..arrays.values import bytes_text, shape_text
from ..drawing.html import div, escape, framed, row, table, tag, td
from ..drawing.inline import bold
from ..drawing.picture import Picture
from ..drawing.scene import Block, Gap, Heading, Note, Sentence, Sheet, Title, columns, note
from ..drawing.tokens import EDGE, INK, LINE, MONO, MUTED, SANS, TINT


def time_text(value: float) -> str:
    """A time in three digits.

    >>> time_text(0.0895), time_text(3.6e-4), time_text(1.04e-5)
    ('89.5 ms', '360 µs', '10.4 µs')
    """
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value / 1e-6:.3g} µs"


def move_picture(x: Any, label: str, device: Any) -> Picture:
    """The picture of `x.to(device)`; nothing is moved for it."""
    layout = Layout.of(x, values=False)
    here, there = str(layout.device), place_named(device)
    if here == "meta" != there:
        raise ValueError(f"{label} has no numbers to move: its device is meta. torch.empty_like makes some")
    nbytes = layout.numel * layout.itemsize
    what = f"{shape_text(layout.size)} {layout.dtype}"
    call = f"{label}.to({there!r})"
    if here == there:
        said = Sentence(call, f"{label} is there already: the same object comes back", "Nothing is copied.")
        return Picture([Title((bold(label), f" stays on {here}"), "nothing moves"), said])
    if there == "meta":
        after = "A tensor on meta has a size and a dtype, and no memory."
        kept = Sentence(call, f"{label} keeps its numbers on {here}", after)
        return Picture([Title((bold(label), " becomes a plan without numbers"), "nothing is copied"), kept])
    path = path_between(here, there)
    time = time_text(seconds_of_copy(nbytes, path))
    drawn = Arrow(label, what, here, there, f"{bytes_text(nbytes)}", f"{path}, {time}, modelled")
    rows = tuple(
        (name, words, f"{rate:,} GB/s", time_text(seconds_of_copy(nbytes, name))) for name, words, rate in PATHS
    )  # fmt: skip
    blocks: list[Block] = [Title((bold(label), f" is copied from {here} to {there}"), bytes_text(nbytes)), drawn]
    blocks += [Heading("How long it takes, modelled"), Sheet(("path", "", "rate", "time"), rows, (76, 250, 92, 84))]
    blocks += [Note("Modelled: 10 µs to begin, and the bytes by the rate. Nothing was measured."), Gap(4)]
    first = f"{bytes_text(nbytes)} are copied, in {time} by the {path} path"
    return Picture([*blocks, Sentence(call, first, f"{label} stays where it is: a move makes a new tensor.")])


TYPES = ("cpu", "cuda", "mps", "xpu", "meta", "privateuseone")


def place_named(device: Any) -> str:
    """A device as tensors write it. What a library has made of a name is taken as it is.

    >>> place_named("cuda"), place_named(1), place_named("cpu:0")
    ('cuda:0', 'cuda:1', 'cpu')
    """
    if isinstance(device, int) and not isinstance(device, bool) and device >= 0:
        return f"cuda:{device}"
    text = str(device)
    if not hasattr(device, "type"):
        named = re.fullmatch(r"([a-z]+)(:\d+)?", device) if isinstance(device, str) else None
        if named is None or named[1] not in TYPES:
            raise ValueError(
                f"show.move(x, device) draws a move to a device, and {device!r} is not one: "
                "write 'cuda', 'cuda:1', 'cpu', or the .device of a tensor"
            )
    kind = text.partition(":")[0]
    return kind if kind in ("cpu", "meta") else f"{kind}:0" if text == kind else text


def path_between(here: str, there: str) -> str:
    """The path that a plain `.to` takes: over NVLink between GPUs, else from or to pageable memory."""
    return "NVLink" if here.startswith("cuda") and there.startswith("cuda") else "pageable"


@dataclass(frozen=True)
class Arrow:
    """Two places, and the arrow between them with its bytes and its time."""

    label: str
    what: str
    here: str
    there: str
    size: str
    time: str

    def html(self) -> str:
        shaft = div(escape(self.size), f"font:600 12px/18px {SANS};color:{INK}")
        line = div("", f"height:0;border-top:2px solid {LINE['orange']};line-height:1px")
        below = div(escape(self.time), f"font:400 11px/16px {SANS};color:{MUTED};white-space:nowrap")
        head = tag("b", "▶", f"color:{LINE['orange']}")
        cells = self._box(self.here, "blue", "i-m0", "stays")
        cells += td(shaft + line + below, "vertical-align:middle;padding:0 0 0 8px")
        cells += td(head, "vertical-align:middle;text-align:left")
        cells += self._box(self.there, "green", "i-m0", "new")
        return framed(table([row(cells)], [172, 168, 16, 172], cls="tw-move"))

    def _box(self, place: str, hue: str, key: str, state: str) -> str:
        inner = div(tag("b", escape(place)), f"font:400 13px/20px {MONO}")
        inner += div(escape(self.label), f"font:400 12px/18px {MONO}")
        inner += div(escape(self.what), f"font:400 12px/18px {MONO}")
        inner += div(escape(state), f"font:400 11px/16px {SANS};color:{MUTED}")
        look = f"background:{TINT[hue]};border:1px solid {EDGE};padding:8px;text-align:left"
        return td(inner, look, key, note(f"{self.label} on {place}", f"{self.what}, {self.size}"))

    def text(self) -> str:
        lines = [[self.here, "", self.there], [self.label, f"-- {self.size} -->", f"{self.label} (new)"]]
        return columns([*lines, [self.what, self.time, self.what]], left=True)
