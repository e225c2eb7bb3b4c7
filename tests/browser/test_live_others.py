"""The other seven explorers in a real JupyterLab: opened with their twins, run, moved by mouse, keys and Python."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import nbformat

import tensorwidgets as torch
from tensorwidgets.live.explorer import Explorer
from tests.browser.lab import Lab, Notebook, says, until, write_notebook

FIRST = "import tensorwidgets as torch\nx = torch.arange(6.).reshape(2, 3)\nw = torch.ones(2, requires_grad=True)"
CELLS = {
    "b": "torch.BroadcastExplorer((3, 1), (4,))",
    "e": "torch.EinsumExplorer('ij,kj->ik', x, x)",
    "n": "torch.NamedDimsExplorer((2, 3), (2,), names=(('a', 'b'), ('a',)), labels=['p', 'q'])",
    "d": "torch.DtypeExplorer(1.5, dtype='float16')",
    "s": "torch.StepsExplorer('x.t().reshape(-1)', x=x)",
    "g": "torch.BackwardExplorer((w * w.exp()).sum(), labels=['loss'])",
    "m": "torch.AllocatorExplorer(memory='44 MiB')",
}
DARK = "async () => { await jupyterapp.commands.execute('apputils:change-theme', {theme: 'JupyterLab Dark'}); }"
LIGHT = DARK.replace("Dark", "Light")


def saved_with_twins(lab: Lab) -> Path:
    """A notebook as a build leaves it: each cell with the static twin of its explorer."""
    path = write_notebook(
        lab.root / "twins.ipynb", [FIRST, *(f"{name} = {code}\n{name}" for name, code in CELLS.items())]
    )
    notebook = nbformat.read(path, as_version=4)
    for cell, code in zip(notebook.cells[1:], CELLS.values(), strict=True):
        made: Explorer = eval(
            code, {"torch": torch, "x": torch.arange(6.0).reshape(2, 3), "w": torch.ones(2, requires_grad=True)}
        )
        bundle = made.twin()._repr_mimebundle_()
        cell.outputs = [nbformat.v4.new_output("execute_result", bundle, execution_count=1)]
    nbformat.write(notebook, path)
    return path


def test_all_seven(open_notebook: Callable[..., Notebook], lab: Lab) -> None:
    notebook = open_notebook(saved_with_twins(lab))
    page = notebook.page
    page.wait_for_selector(".jp-OutputArea-output table")
    assert page.locator(".jp-OutputArea-output .tw").count() == 7
    assert "Error displaying widget" not in page.locator("body").inner_text()
    notebook.run_all()
    until(page, "document.querySelectorAll('[data-twl=ready] [data-tw=ready]').length === 7")
    assert page.locator(".jp-OutputArea-output").count() == 7

    def part(number: int, selector: str) -> str:
        return f".twl >> nth={number} >> {selector}"

    def type_into(number: int, name: str, text: str) -> None:
        page.focus(part(number, f'[data-name="{name}"] input'))
        page.keyboard.press("ControlOrMeta+a")
        page.keyboard.type(text)

    # Broadcasting: typed letter by letter, fixed by a click, set by Python.
    type_into(0, "shape 0", "3, 4")
    type_into(0, "shape 1", "3")
    says(page, 0, "A.T + B")
    assert page.evaluate("document.activeElement.closest('[data-name]').dataset.name") == "shape 1"
    assert page.locator(part(0, "input >> nth=1")).input_value() == "3"
    page.click(part(0, '[data-name="fix 0"]'))
    says(page, 0, "A + B[:, None]")
    notebook.becomes("b.shapes, b.result", "(((3, 4), (3, 1)), (3, 4))")
    notebook.kernel("setattr(b, 'shapes', ((2, 1), (5,)))")
    says(page, 0, "(2, 1) + (5,) gives (2, 5)")

    # Einsum: the sum grows by arrow keys; a cell of the result is chosen by a click; a step by Enter.
    page.focus(part(1, '[data-name="term"] input'))
    page.keyboard.press("ArrowLeft")
    until(page, "document.querySelectorAll('.twl')[1].querySelector('output').textContent === '2 of 3'")
    notebook.becomes("e.term, e.value", "(2, 25.0)")
    page.click(part(1, '.tw [aria-label^="result[0, 1]:"]'))
    says(page, 1, "result[0, 1]")
    notebook.becomes("e.selected, e.value", "('result[0, 1]', 4.0)")
    page.focus(part(1, '[data-name="step sum"]'))
    page.keyboard.press("Enter")
    says(page, 1, "Sum: the letters")
    assert page.locator(part(1, '[data-name="step sum"]')).get_attribute("aria-pressed") == "true"
    notebook.kernel("setattr(e, 'equation', 'ij,jk')")
    says(page, 1, "one letter has one size")

    # Names: moved by keys, aligned by a click.
    says(page, 2, "a clash of names")
    page.focus(part(2, '[data-name="right"]'))
    page.keyboard.press("Enter")
    says(page, 2, "p.align_to")
    notebook.becomes("n.order, n.result", "(('b', 'a'), ('b', 'a'))")
    page.click(part(2, '[data-name="over"]'))
    page.click(part(2, '[data-name="as 1"]'))
    says(page, 2, "p + q.align_as(p)")
    notebook.kernel("setattr(n, 'order', ('b',))")
    says(page, 2, "align_to never drops a dimension")

    # Bits: flipped by a click and by Enter, with the focus staying on the bit; cast by menu; typed.
    page.click(part(3, '.tw [aria-label^="float16 bit 15:"]'))
    says(page, 3, "-1.5")
    notebook.becomes("d.value, d.bits", "(-1.5, '1011111000000000')")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    until(page, "document.querySelectorAll('.twl')[3].querySelector('input').value !== '-1.5'")
    assert page.evaluate("document.activeElement.ariaLabel").startswith("float16 bit 14: 1")
    notebook.becomes("d.bits[:2]", "'11'")
    type_into(3, "value", "0.1")
    says(page, 3, "what is stored is never exactly 0.1")
    page.locator(part(3, '[data-name="cast"] select')).select_option("int8")
    says(page, 3, "int8")
    notebook.kernel("setattr(d, 'bits', '10000000')")
    says(page, 3, "-128")

    # Steps: back by a button, on by keys, another expression by typing.
    page.click(part(4, '[data-name="before"]'))
    says(page, 4, "nothing is copied")
    page.focus(part(4, '[data-name="step"] input'))
    page.keyboard.press("ArrowRight")
    says(page, 4, "where does it copy?")
    type_into(4, "expression", "x.t().view(6)")
    says(page, 4, "why is it refused?")
    notebook.becomes("s.kinds, s.reason.rule", "(('start', 'view', 'refused'), 'view.span')")
    notebook.kernel("setattr(s, 'expression', 'x[1]')")
    says(page, 4, "x[1]: nothing is copied")

    # Backward: to the start by a button, to where gradients meet by another, back by keys, on by Python.
    page.click(part(5, '[data-name="start"]'))
    says(page, 5, "backward starts with 1")
    page.focus(part(5, '[data-name="meet"]'))
    page.keyboard.press("Enter")
    says(page, 5, "2 gradients meet")
    notebook.becomes("g.step", "3")
    page.focus(part(5, '[data-name="step"] input'))
    page.keyboard.press("ArrowLeft")
    says(page, 5, "what arrives at Exp")
    assert page.locator(part(5, "output")).inner_text() == "3 of 4"
    notebook.kernel("setattr(g, 'step', 4)")
    says(page, 5, "2 gradients meet")
    assert page.locator(part(5, "output")).inner_text() == "all done"

    # The allocator: a size typed, allocated by Enter and by a click, freed by a click, refused, back by keys.
    type_into(6, "size", "5 MiB")
    page.focus(part(6, '[data-name="allocate"]'))
    page.keyboard.press("Enter")
    says(page, 6, "the driver gives a segment of 20 MiB")
    type_into(6, "size", "13 MiB")
    page.click(part(6, '[data-name="allocate"]'))
    page.wait_for_selector(part(6, '[data-name="free b"]'))
    page.click(part(6, '[data-name="free a"]'))
    page.wait_for_selector(part(6, '[data-name="free a"]'), state="detached")
    notebook.becomes("m.step, m.status.split(':')[1]", "(3, ' a freed, 5,242,880 bytes')")
    type_into(6, "size", "40 MiB")
    page.click(part(6, '[data-name="allocate"]'))
    page.click(part(6, '[data-name="refusal"]'))
    says(page, 6, "largest hole: 24 MiB")
    page.focus(part(6, '[data-name="step"] input'))
    page.keyboard.press("Home")
    until(page, "document.querySelectorAll('.twl')[6].querySelector('output').textContent.startsWith('0 of')")
    notebook.kernel("(m.empty_cache(), setattr(m, 'step', 2))")
    says(page, 6, "the smallest free block that holds it, 15 MiB")

    notebook.evaluate(DARK)
    until(page, "document.querySelectorAll('.twl.dark .tw.dark').length === 7")
    page.wait_for_selector("#jupyterlab-splash", state="detached")
    notebook.evaluate(LIGHT)
    until(page, "document.querySelectorAll('.twl.dark').length === 0")
    page.wait_for_selector("#jupyterlab-splash", state="detached")
    moving = """all => all.map(e => getComputedStyle(e))
      .filter(s => s.transitionDuration !== '0s' || s.animationName !== 'none').length"""
    assert page.eval_on_selector_all(".twl, .twl *", moving) == 0
    assert page.locator(".twl :is(input, select):not([aria-label])").count() == 0
    assert page.locator(".twl :is(button, input, select, .tw-cell):not([data-lm-suppress-shortcuts])").count() == 0
