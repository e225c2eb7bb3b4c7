"""How many pictures a second does the scrubber of `AllocatorExplorer` paint over a long history, in a real JupyterLab?

    python -m benchmarks.scrubbing            # 20,000 events
    python -m benchmarks.scrubbing 2000

The slider moves on at every frame of the page for five seconds, as under a hand that drags it. A picture counts when
its text has changed from one frame to the next. The time to open is that from running the cell to the first picture.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.browser.chrome import launch
from tests.browser.lab import Desk, Lab

SECONDS = 5
HISTORY = """\
import random
import tensorwidgets as torch
draw = random.Random(0)
with torch.cuda.simulate(memory="2 GiB"):
    torch.cuda.memory._record_memory_history(max_entries={events})
    held = []
    for _ in range({events}):
        if draw.random() < 0.55 or len(held) < 20:
            held.append(torch.empty(draw.randrange(1, 4_000_000), device="cuda"))
        if len(held) > 60 or draw.random() < 0.3:
            held.pop(draw.randrange(len(held)))
    snapshot = torch.cuda.memory._snapshot()
    held.clear()"""
OPEN = "import time\nstart = time.perf_counter()\nw = torch.AllocatorExplorer(snapshot)\nw"
SCRUB = """async (seconds) => {
  const frame = () => new Promise(requestAnimationFrame);
  const slider = document.querySelector('.twl [data-name=step] input');
  const text = () => document.querySelector('.twl .tw').textContent;
  const last = Number(slider.max);
  let at = Math.floor(last / 10), before = text(), painted = 0, frames = 0;
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    at = (at + 37) % last;
    const now = document.querySelector('.twl [data-name=step] input');
    now.value = at;
    now.dispatchEvent(new Event('input', { bubbles: true }));
    await frame();
    frames += 1;
    const after = text();
    if (after !== before) { painted += 1; before = after; }
  }
  return [painted / seconds, frames / seconds];
}"""


def main(arguments: list[str]) -> None:
    events = int(arguments[0]) if arguments else 20_000
    with tempfile.TemporaryDirectory() as folder, Lab(Path(folder)) as lab, sync_playwright() as playwright:
        running = launch(playwright.chromium)
        desk = Desk(lab, running.new_page())
        notebook = desk.open([HISTORY.format(events=events), OPEN])
        notebook.run_all()
        notebook.page.wait_for_selector(".twl [data-name=step] input")
        opened = notebook.kernel("time.perf_counter() - start")
        count = notebook.kernel("len(snapshot['device_traces'][0])")
        start = time.perf_counter()
        pictures, frames = notebook.evaluate(SCRUB, SECONDS)
        print(f"{count} events, opened in {float(opened):.2f} s (the question included)")
        seconds = time.perf_counter() - start
        print(f"{pictures:.0f} pictures a second, {frames:.0f} frames a second, for {seconds:.1f} s")
        running.close()


if __name__ == "__main__":
    main(sys.argv[1:])
