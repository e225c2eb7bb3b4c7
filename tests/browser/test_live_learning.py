"""A training that is drawn while it goes on, and optimizers on a surface, in a real JupyterLab."""

from __future__ import annotations

from collections.abc import Callable

from tensorwidgets.live.saving import TWIN
from tests.browser.lab import Notebook, says

FIRST = "import tensorwidgets as torch\nlog = torch.TrainingLog('SGD')\nlog.live()"
LOOP = """\
x = torch.tensor(4.0, requires_grad=True)
optimizer = torch.optim.SGD([x], lr=0.01)
for step in log.track(range(200)):
    loss = x * x
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    log(loss=loss, lr=0.01)
"""
SURFACE = """\
def bowl(a, b):
    return a * a + 20 * b * b
w = torch.SurfaceExplorer(bowl, lr=0.04, start=(-1.5, 1))
w"""


def test_a_training_and_a_surface(open_notebook: Callable[..., Notebook]) -> None:
    notebook = open_notebook([FIRST, LOOP, SURFACE])
    page = notebook.page
    notebook.run_all()

    # The view was opened before the loop; it shows its end, and so does the twin that is saved.
    says(page, 0, "in 200 steps")
    assert page.locator(".twl >> nth=0 >> .tw-chart").count() == 2
    notebook.save()
    (output,) = notebook.saved().cells[0].outputs
    twin = output.metadata[TWIN] if TWIN in output.metadata else output.data["text/html"]
    assert "in 200 steps" in twin and "in 200 steps" in output.data["text/plain"]
    said = "".join(o.get("text", "") for o in notebook.saved().cells[1].outputs)
    assert "200/200" in said, "the bar of tqdm is text"

    # Hovering one chart lights up the same steps of the other.
    page.hover(".twl >> nth=0 >> .tw-chart >> nth=0 >> td >> nth=5")
    assert page.locator(".twl >> nth=0 >> .tw-hot").count() == 2

    # A place of the surface is the start: by the mouse, then by keys.
    says(page, 1, "The ring is the start: a -1.5, b 1.")
    page.click(".twl >> nth=1 >> .tw-surface td >> nth=60")
    page.wait_for_selector(".twl .tw-pin")
    notebook.becomes("w.start == w._base.ground.centre(12, 2)", "True")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    notebook.becomes("w.start == w._base.ground.centre(12, 3)", "True")
    page.focus(".twl >> nth=1 >> [data-name=lr] input")
    page.keyboard.press("Home")
    # The text is there at once, and it is never the place on the slider.
    beside = "e => [e.ariaValueText, e.parentElement.querySelector('output').textContent]"
    assert page.locator(".twl >> nth=1 >> [data-name=lr] input").evaluate(beside) == ["1e-5", "1e-5"]
    notebook.becomes("w.lr", "1e-05")
    notebook.kernel("setattr(w, 'lr', 0.06)")
    says(page, 1, "✗ diverges")
    page.click(".twl >> nth=1 >> [data-name=SGD]")
    notebook.becomes("w.optimizers", "('momentum', 'Adam')")
