"""A picture of every kind, and the static twin of every explorer: what a notebook may hold.

    python -m tests.browser.gallery styles.html

writes all of them onto one page, to look through: the box at the top sets the width, and the theme is that of the
system. JupyterLab leaves 592 pixels for an output in a window of 1024.
"""

from __future__ import annotations

import ast
import io
import sys
from collections.abc import Callable
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

import tensorwidgets as tw
from tensorwidgets.engine.memory.caching import CachingAllocator, SimulatedDriver
from tensorwidgets.engine.memory.caching.history import History
from tensorwidgets.live import StorageExplorer
from tensorwidgets.pictures import Picture, show
from tensorwidgets.pictures.memory.census import census, change
from tensorwidgets.pictures.memory.lines import Watch
from tensorwidgets.pictures.memory.memory import memory
from tensorwidgets.pictures.operations.calls import Called, calls
from tests.pictures.learning.test_loader_picture import noted
from tests.pictures.learning.test_ranks_picture import TRACES
from tests.pictures.learning.test_surface_picture import bowl
from tests.pictures.memory.test_allocator_picture import fragmented
from tests.pictures.memory.test_memory_roles import trained
from tests.pictures.operations.test_operation_pictures import DRAW, LEAF

X = np.arange(12, dtype=np.float32).reshape(3, 4)


def after_a_cell() -> Picture:
    """The map of memory after a cell that wrote, allocated and freed."""
    names: dict[str, Any] = {"x": X.copy(), "old": np.ones(3), "big": np.zeros(5000)}
    names["row"] = names["x"][1]
    before = census(names)
    names["row"][0] = 7
    names["new"] = np.ones(4)
    del names["old"]
    after = census(names)
    return memory(after, change(before, after), {"row": "x[1]"}, "row[0] = 7")


def line_by_line() -> Picture:
    """The map of memory after a cell of several lines, one of which leaves a large storage for a row."""
    names: dict[str, Any] = {}
    source = "big = np.zeros((1000, 1000))\nrow = big[0]\ndel big\nrow[3] = 1"
    watch = Watch(lambda: {name: value for name, value in names.items() if name not in ("np", "__builtins__")})
    names["np"] = np

    def run_one(statement: ast.stmt) -> None:
        exec(compile(ast.Module([statement], []), "cell", "exec"), names)

    watch.run(ast.parse(source), source, run_one, names)
    after, changed = watch.finish()
    return memory(after, changed, {}, source, watch.trace())


def a_file() -> Picture:
    file = io.BytesIO()
    tw.save({"x": tw.arange(6.0).reshape(2, 3).t(), "w": tw.ones(3)}, file)
    file.seek(0)
    return tw.inspect_file(file)


def refused_move() -> Any:
    """An explorer that was asked for what cannot be."""
    explorer = StorageExplorer(X, labels=["x"])
    explorer.offset = 9
    return explorer


def image() -> np.ndarray:
    """A colourful image of 60 x 90 pixels."""
    y, x = np.mgrid[0:60, 0:90]
    return np.stack([x * 2, y * 4, x + y], -1).astype(np.uint8)


def quantized() -> Picture:
    x = tw.linspace(-2, 4, 12)
    return show(x, tw.quantize_per_tensor(x, 0.02, 128, tw.quint8), labels=["x", "q"])


def sparse() -> Picture:
    return show(tw.tensor([[0.0, 2.0, 0.0], [3.0, 0.0, 4.0]]).to_sparse(), labels=["s"])


def many_steps() -> Picture:
    """The picture of an allocator with more steps and segments than are drawn one by one."""
    gpu = CachingAllocator(SimulatedDriver(2 << 30))
    gpu.record = History()
    held = [gpu.allocate(30_000 * number + 1) for number in range(300)]
    for block in held[::3]:
        gpu.free(block)
    return show.allocator(gpu, step=350)


LIVE: dict[str, Callable[[], Picture]] = {
    "StorageExplorer": lambda: show(X, X.T, labels=["x", "x.T"]),
    "StepsExplorer": lambda: show.steps("x.T[1:].reshape(-1)", x=X),
    "BroadcastExplorer": lambda: show.broadcast(X, X[0], labels=["x", "row"]),
    "EinsumExplorer": lambda: show.einsum("ij,jk->ik", X, X.T, labels=["x", "w"]),
    "NamedDimsExplorer": lambda: show.names((2, 3), names=("b", "t"), align_to=("t", "b"), labels=["x"]),
    "DtypeExplorer": lambda: show.bits(0.1),
    "AllocatorExplorer": lambda: show.allocator(fragmented()),
    "BackwardExplorer": lambda: DRAW["backward"]("x"),
    "TrainingExplorer": lambda: DRAW["training"]("x"),
    "SurfaceExplorer": lambda: show.surface(bowl, lr=0.051),
}
"""What each explorer is made from."""

PICTURES: dict[str, Callable[[], Any]] = {
    **{name: (lambda draw=draw: draw("x")) for name, draw in DRAW.items()},
    "views": lambda: show(X, X.T, X[1:, ::2], X[::-1], np.broadcast_to(X[1:2], (3, 4)), labels=list("xtsre")),
    "two storages": lambda: show(X, X.copy(), X.view(np.int16)[:1], labels=["x", "copy", "bytes"]),
    "three dimensions": lambda: show(np.arange(24).reshape(2, 3, 4), labels=["x"]),
    "large": lambda: show(np.arange(1e6).reshape(1000, 1000), labels=["x"]),
    "bars": lambda: show(
        np.arange(4096).reshape(4, 16, 8, 8).swapaxes(1, 2),
        np.lib.stride_tricks.sliding_window_view(np.arange(200), 12)[::-3],
        np.broadcast_to(np.arange(60)[:50, None], (50, 9)),
        labels=["heads", "windows", "column"],
    ),
    "lanes": lambda: show(*(lambda x: (x, x[::-2, 3:], x.T))(np.arange(1200).reshape(30, 40)), labels=list("xst")),
    "often read": lambda: show(np.broadcast_to(np.zeros(1), (1000, 10**6)), labels=["x"]),
    "five digits": lambda: show(
        np.linspace(-1, 1, 16) / 3, np.linspace(-1, 1, 12).reshape(3, 4) / 7, labels=["x", "y"]
    ),
    "seventeen": lambda: show(np.arange(17), labels=["x"]),
    "large and meta": lambda: show(tw.empty(10**5, 10**4, device="meta"), labels=["m"]),
    "image": lambda: show(image(), labels=["photo"]),
    "images": lambda: show(np.stack([image()[:20, :30]] * 8).transpose(0, 3, 1, 2) / 255, labels=["batch"]),
    "odd numbers": lambda: show(np.array([np.nan, np.inf, -np.inf, 1 + 1e-9]), labels=["x"]),
    "long values": lambda: show(
        np.array([-0.5j, 3.14159 - 2.71828j]),
        np.array(["2024-01-15", "NaT"], "M8[D]"),
        np.array(["hello world"]),
        np.ma.masked_array([1, 2, 3], [0, 1, 0]),
        labels=["c", "d", "t", "m"],
    ),  # fmt: skip
    "empty": lambda: show(np.zeros((0, 3)), labels=["x"]),
    "meta": lambda: show(tw.empty(3, 4, device="meta"), labels=["m"]),
    "quantized": quantized,
    "sparse": sparse,
    "sparse, large": lambda: show(tw.eye(400).to_sparse_bsr((4, 4)), labels=["s"]),
    "bits of halves": lambda: show.bits(np.array([0.0, 1.5], np.float16), labels=["h"]),
    "list of lists of lists": lambda: show.list_or_tensor([[[1, 2], [3, 4]], [[5, 6], [7, 8]]]),
    "memory on meta": lambda: show.memory(x=X, plan=tw.empty(50, 40, device="meta")),
    "steps": lambda: show.steps("x.T[1:].reshape(-1)", x=X),
    "steps refused": lambda: show.steps("x.t().view(-1)", x=tw.arange(12).view(3, 4)),
    "memory": lambda: show.memory(x=X, row=X[1], t=X.T, other=np.ones(3), big=np.zeros(5000)),
    "memory with a graph": lambda: show.memory(x=LEAF, y=(LEAF * LEAF.exp()).sum()),
    "memory of a training": lambda: show.memory(trained(tw)),
    "memory after a cell": after_a_cell,
    "memory, line by line": line_by_line,
    "memory, nothing": lambda: show.memory({"n": 3}),
    "move": lambda: show.move(X, "cuda", labels=["x"]),
    "allocator": lambda: show.allocator(fragmented()),
    "allocator, many steps": many_steps,
    "allocator, nothing": lambda: show.allocator(CachingAllocator(SimulatedDriver(1 << 20))),
    "calls": lambda: calls([Called("t", "x", "view", "(4, 3)", 0), Called("reshape", "x.t()", "copy", "(12,)", 48)]),
    "no calls": lambda: calls([]),
    "loader": lambda: show.loader(noted(0.02, 0.01)),
    "ranks": lambda: show.ranks(TRACES),
    "route": lambda: show.route("add", tw.ones(3), 1),
    "route refused": lambda: show.route("add", tw.ones(2, names=("a",)), tw.ones(2, names=("b",))),
    "file": a_file,
    **{f"twin of {name}": (lambda draw=draw: draw().live().twin()) for name, draw in LIVE.items()},
    "twin of a refused move": lambda: refused_move().twin(),
}
"""Each under the name of what it shows."""


@cache
def bundles() -> dict[str, dict[str, str]]:
    """What a notebook gets of each picture. All of them take a second, so they are drawn once."""
    return {name: dict(draw()._repr_mimebundle_()) for name, draw in PICTURES.items()}


def drawn() -> str:
    """The HTML of all pictures, with their scripts."""
    return "".join(bundle["text/html"] for bundle in bundles().values())


def still() -> str:
    """The HTML of all pictures without the scripts."""
    return "".join(bundle["text/html"].partition("<script>")[0] for bundle in bundles().values())


PAGE = """<!doctype html><meta charset="utf-8"><title>Every kind of picture</title>
<meta name="color-scheme" content="light dark">
<style>
body {{ font: 14px system-ui; margin: 16px; }} h2 {{ font-size: 15px; margin: 40px 0 8px; }}
header {{ position: sticky; top: 0; background: Canvas; padding: 8px 0; z-index: 9; }}
section > div {{ width: var(--wide); outline: 1px dotted gray; overflow-x: auto; }}
</style>
<header><label>width <input type="number" value="{width}" step="40" oninput="set(this.value)"> px</label>
<span id="cut"></span></header>
{sections}
<script>
const set = (wide) => {{
  document.body.style.setProperty('--wide', wide + 'px');
  const wider = ({{ children: [, box] }}) => box.scrollWidth > box.clientWidth;
  const cut = [...document.querySelectorAll('section')].filter(wider);
  document.getElementById('cut').textContent = cut.length + ' wider than that: ' + cut.map((s) => s.id).join(', ');
}};
set({width});
</script>
"""


def page(width: int = 592) -> str:
    """All pictures on one page."""
    sections = (
        f'<section id="{escape(name)}"><h2>{escape(name)}</h2><div>{bundle["text/html"]}</div></section>'
        for name, bundle in bundles().items()
    )
    return PAGE.format(width=width, sections="\n".join(sections))


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page(), encoding="utf-8")
    print(f"{len(PICTURES)} pictures: {Path(sys.argv[1]).resolve().as_uri()}")
