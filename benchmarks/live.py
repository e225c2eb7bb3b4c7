"""The kernel's own share of a slider's step, and what a hover and a drag cost in the browser, for every explorer.

    python -m benchmarks.live            # the kernel's share: from the question to the message that answers it
    python -m benchmarks.live browser    # besides, hovers and drags on a canvas of 100,000 cells, in milliseconds

A step is what the browser sends; it ends when the traits of its answer are set. The median and the 95th percentile are
told: a person waits for the slow ones.
"""

from __future__ import annotations

import gc
import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import tensorwidgets as tw
from tensorwidgets.live.explorer import Explorer
from tensorwidgets.live.module import module

STEPS = 200


def press(w: Explorer, name: str, value: Any = None) -> None:
    question = {"page": "benchmark", "n": w.answered.get("benchmark", 0) + 1, "name": name, "value": value}
    w._received(w, {"asked": question}, [])


def rows() -> list[tuple[str, Explorer, Callable[[Explorer, int], None]]]:
    """Explorers of the size of a lesson, and what is done to each in its k-th step."""
    x = tw.arange(12.0).reshape(3, 4)
    views = tw.StorageExplorer(x, x.t(), x[1:], labels=["x", "x.t()", "x[1:]"])
    large = tw.StorageExplorer(np.arange(100_000.0).reshape(250, 400), labels=["big"])
    dragged = tw.StorageExplorer(np.arange(100_000.0).reshape(250, 400), labels=["big"])
    thin = tw.StorageExplorer(tw.arange(100_000.0).reshape(250, 400), labels=["big"])
    return [
        ("storage, one view, offset", tw.StorageExplorer(x[0], labels=["x"]), lambda w, k: press(w, "offset", k % 9)),
        ("storage, three views, stride", views, lambda w, k: press(w, "stride 0", k % 5)),
        ("broadcast, typed", tw.BroadcastExplorer((3, 1), (4,)), lambda w, k: press(w, "shape 0", f"{k % 4 + 1}, 1")),
        ("broadcast, clash", tw.BroadcastExplorer((3, 4), (3,)), lambda w, k: press(w, "shape 1", str(k % 2 + 2))),
        ("einsum, one more term", tw.EinsumExplorer("ij,jk->ik", x, x.t()), lambda w, k: press(w, "term", k % 5)),
        ("einsum, steps", tw.EinsumExplorer("ij,jk->ik", x, x.t()), lambda w, k: press(w, "step multiply")),
        ("names, moved", tw.NamedDimsExplorer((2, 3, 4), names=("a", "b", "c"), labels=["x"]),
         lambda w, k: press(w, "right" if k % 2 else "left")),
        ("bits, flipped", tw.DtypeExplorer(1.1), lambda w, k: press(w, "cell", f"float32 bit {k % 23}")),
        ("steps, one on", tw.StepsExplorer("x.t()[1:].reshape(-1)", x=x), lambda w, k: press(w, "step", k % 4)),
        ("100,000 cells, another view", large, lambda w, k: press(w, "t")),
        ("100,000 cells, size dragged", dragged, lambda w, k: press(w, "size 1", 400 - k)),
        ("100,000 cells, stride dragged", thin, lambda w, k: press(w, "stride 0", 400 - k)),
    ]  # fmt: skip


def timed(w: Explorer, step: Callable[[Explorer, int], None], count: int) -> list[float]:
    """Milliseconds of each step, the first few apart."""
    took = []
    for k in range(count + 5):
        start = time.perf_counter()
        step(w, k)
        took.append((time.perf_counter() - start) * 1e3)
    return took[5:]


def kernel() -> None:
    print(f"{'step':32}{'median ms':>10}{'95 %':>8}{'kB of html':>12}")
    for name, w, step in rows():
        took = timed(w, step, STEPS if "100,000" not in name else 30)
        slow = statistics.quantiles(took, n=20)[-1]
        print(f"{name:32}{statistics.median(took):10.2f}{slow:8.2f}{len(w.html) / 1000:12.1f}")


def memory() -> None:
    """Bytes that are left of a hundred explorers, made and closed, after a first hundred."""

    def hundred() -> None:
        for _ in range(100):
            tw.StorageExplorer(np.arange(1000.0), labels=["x"]).close()
        gc.collect()

    hundred()
    tracemalloc.start()
    hundred()
    before = tracemalloc.get_traced_memory()[0]
    hundred()
    left = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    print(f"\nleft of a hundred explorers, made and closed: {left / 1000:.1f} kB")
    print(f"the module: {len(module().encode()) / 1000:.1f} kB, sent once for each explorer")


HOVERS = """async () => {
  const frame = () => new Promise(requestAnimationFrame);
  const canvas = root.querySelector('.twl-board canvas');
  const told = root.querySelector('.twl-told');
  const box = canvas.getBoundingClientRect();
  const frames = [], took = [];
  for (let k = 1; k <= 200; k++) {
    await frame();
    const before = told.textContent;
    const [clientX, clientY] = [box.x + ((k * 97) % box.width), box.y + ((k * 61) % box.height)];
    const start = performance.now();
    canvas.dispatchEvent(new PointerEvent('pointermove', { bubbles: true, clientX, clientY }));
    told.getBoundingClientRect();
    took.push(performance.now() - start);
    let n = 0;
    while (told.textContent === before && n < 9) { await frame(); n += 1; }
    frames.push(n);
  }
  took.sort((a, b) => a - b);
  return [Math.max(...frames), took[100], took[190]];
}"""
WATCH = """() => {
  const at = () => performance.now();
  let start;
  window.took = [];
  root.addEventListener('pointermove', () => { start = at(); }, true);
  root.addEventListener('pointermove', () => {
    root.getBoundingClientRect();
    window.took.push(at() - start);
  });
}"""
"""Notes how long the page works for each move of the pointer, until it is painted and laid out."""


def browser() -> None:
    """A page with the module and one explorer's traits in place of a kernel."""
    from playwright.sync_api import sync_playwright

    from tests.browser.chrome import launch
    from tests.browser.test_live_page import filled

    w = tw.StorageExplorer(np.arange(100_000.0).reshape(250, 400), labels=["big"])
    with sync_playwright() as playwright:
        running = launch(playwright.chromium)
        page = running.new_page()
        page.set_content(filled(w))
        page.wait_for_selector(".twl-sheet[data-ready='100000']")
        most, median, slow = page.evaluate(HOVERS)
        print(f"\n100,000 cells: a hover takes {median:.2f} ms ({slow:.2f} at 95 %), frames: {most}")
        page.evaluate(WATCH)
        print(f"\n{'a drag over 100,000 cells':32}{'median ms':>10}{'95 %':>8}{'most':>8}")
        for name in ("size 1", "size 0", "offset"):
            box = page.locator(f'[data-grip="{name}"]').bounding_box()
            assert box is not None
            x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
            page.mouse.move(x, y)
            page.mouse.down()
            page.evaluate("window.took.length = 0")
            page.mouse.move(x + (-180 if name == "size 1" else 90), y - 120 * (name == "size 0"), steps=120)
            took = page.evaluate("window.took")
            page.mouse.up()
            slow = statistics.quantiles(took, n=20)[-1]
            print(f"{name:32}{statistics.median(took):10.2f}{slow:8.2f}{max(took):8.2f}")
        running.close()


def main(arguments: Sequence[str]) -> None:
    kernel()
    memory()
    if "browser" in arguments:
        browser()


if __name__ == "__main__":
    main(sys.argv[1:])
