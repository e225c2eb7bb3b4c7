"""Questions that come late or twice, from several pages, and in another thread than the one that sets traits."""

from __future__ import annotations

import multiprocessing
import os
import random
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from ipywidgets import Widget
from jupyter_client.manager import KernelManager

import tensorwidgets as tw
from tensorwidgets.live.alone import alone
from tensorwidgets.live.explorer import PAGES, Explorer
from tests.live.test_explorers import MADE
from tests.live.walking import ODD, value_for


@pytest.fixture(autouse=True)
def no_widget_is_left() -> Iterator[None]:
    yield
    Widget.close_all()


def ask(w: Explorer, n: int, name: str, value: Any = None, page: str = "a", **more: Any) -> None:
    """A message of a page."""
    w._received(w, {"asked": {"page": page, "n": n, "name": name, "value": value, **more}}, [])


def page_of(w: Explorer) -> dict[str, Any]:
    """What a page knows that hears every message from now on; `messages` are the keys of each."""
    page: dict[str, Any] = {**w.get_state(), "messages": []}

    def send(msg: dict[str, Any], buffers: Any = None) -> None:
        page.update(msg["state"])
        page["messages"].append(set(msg["state"]))

    w._send = send  # type: ignore[method-assign]
    return page


def test_a_question_behind_a_later_one_is_not_answered() -> None:
    """A kernel can hand the later one to another thread, which is faster."""
    w = tw.AllocatorExplorer(memory="44 MiB")
    ask(w, 1, "size", "5")
    ask(w, 3, "size", "5 MiB")
    page = page_of(w)
    ask(w, 2, "size", "5 M")
    assert w.size == "5 MiB" and page["messages"] == []
    ask(w, 4, "allocate")
    ask(w, 4, "allocate", again=True)
    ask(w, 4, "allocate")
    assert w.status == "Step 1 of 1: a allocated, 5,242,880 bytes: 5 MiB in use, 20 MiB reserved."
    assert w.answered == {"a": 4} and len(page["messages"]) == 2


def test_pages_number_their_own_questions() -> None:
    w = tw.AllocatorExplorer(memory="44 MiB")
    for page in "ab":
        ask(w, 1, "allocate", page=page)
    assert w._last == 2 and w.answered == {"a": 1, "b": 1}
    for k in range(2, 3 * PAGES):
        ask(w, k, "empty", page="a")
        ask(w, 1, "empty", page=f"c{k}")
    assert len(w.answered) == PAGES and w.answered["a"] == 3 * PAGES - 1


def test_a_value_and_its_picture_are_one_message_with_a_number() -> None:
    w = tw.AllocatorExplorer(memory="44 MiB")
    w.allocate("6 MiB")
    page = page_of(w)
    w.step = 0
    w.set_state({"size": "5 MiB"})
    ask(w, 1, "step", 1)
    w.free("a")
    assert [keys for keys in page["messages"] if "turn" not in keys] == [{"size"}]  # the echo of what the page has set
    assert len(page["messages"]) == 5 and page["turn"] == w.turn


def test_what_was_changed_is_shown_if_an_observer_fails() -> None:
    w = tw.AllocatorExplorer(memory="44 MiB")
    page = page_of(w)
    w.observe(lambda change: 1 / 0, "size")
    with pytest.raises(ZeroDivisionError):
        ask(w, 1, "size", "5 M")
    assert page["answered"] == {"a": 1} and page["html"] == w.html
    assert page["controls"][0]["value"] == "5 M" and "not a number of bytes" in page["html"]


def test_an_explorer_draws_on_if_an_observer_of_the_answer_fails() -> None:
    w = tw.StepsExplorer("x.t()[1:]", predict=True, x=tw.arange(6.0).reshape(2, 3))
    w.answer = "view"
    page = page_of(w)
    w.observe(lambda change: 1 / 0, "answer")
    with pytest.raises(ZeroDivisionError):
        ask(w, 1, "before")  # another question, so the answer to the last is taken away
    w.unobserve_all("answer")
    w.predict = False
    assert page["html"] == w.html and "Is x" not in w.html


@pytest.mark.parametrize("second", [lambda w: ask(w, 2, "size", "7 MiB"), lambda w: setattr(w, "size", "7 MiB")])
def test_threads_draw_one_after_the_other(second: Callable[[Explorer], None]) -> None:
    """The first has made its picture and is held up; the second must not be overtaken by it."""
    w = tw.AllocatorExplorer(memory="44 MiB")
    page = page_of(w)
    scene, made, overtaken = w._scene, threading.Event(), threading.Event()

    def slow() -> Any:
        blocks = scene()
        if threading.current_thread() is first:
            made.set()
            overtaken.wait(0.1)
        return blocks

    w._scene = slow  # type: ignore[method-assign]
    first = threading.Thread(target=lambda: ask(w, 1, "size", "no size"))
    first.start()
    made.wait()
    second(w)
    overtaken.set()
    first.join()
    assert w.size == "7 MiB" and w.reason is None
    assert page["html"] == w.html and "not a number of bytes" not in w.html


CELL = """
for _ in range(2_000):
    if w.size == "7 MiB":
        break
    w.step = 1 - w.step
    time.sleep(0.005)
print(w.size)
"""


def test_a_question_is_answered_while_a_cell_draws() -> None:
    """JupyterLab asks in a subshell, and the cell ends when it has been heard."""
    manager = KernelManager()
    manager.start_kernel()
    client = manager.client()
    client.start_channels()
    client.wait_for_ready(timeout=60)
    said: list[str] = []

    def run(code: str) -> None:
        def hook(message: dict[str, Any]) -> None:
            content = message["content"]
            if message["msg_type"] == "stream":
                said.append(content["text"].strip())
            elif message["msg_type"] == "execute_input" and "range" in content["code"]:
                client.shell_channel.send(question)

        client.execute_interactive(code, output_hook=hook, timeout=60)

    run("import time\nimport tensorwidgets as torch\nw = torch.AllocatorExplorer()\nprint(w.allocate(5), w.model_id)")
    client.control_channel.send(client.session.msg("create_subshell_request", {}))
    subshell = client.get_control_msg(timeout=60)["content"]["subshell_id"]
    asked = {"page": "a", "n": 1, "name": "size", "value": "7 MiB"}
    content = {"comm_id": said.pop().split()[1], "data": {"method": "custom", "content": {"asked": asked}}}
    question = client.session.msg("comm_msg", content)
    question["header"]["subshell_id"] = subshell
    run(CELL)
    client.stop_channels()
    manager.shutdown_kernel(now=True)
    assert said == ["7 MiB"]


@pytest.mark.parametrize("name", ["EinsumExplorer", "BroadcastExplorer", "NamedDimsExplorer"])
def test_questions_in_one_thread_and_traits_in_another(name: str) -> None:
    w = MADE[name]()
    page, errors = page_of(w), list[BaseException]()
    first = {trait: getattr(w, trait) for trait in w.STATE}

    def browser() -> None:
        chance = random.Random(1)
        for n in range(1, 31):
            spec = chance.choice(w.controls)
            ask(w, n, spec["name"], value_for(w, spec, chance))

    def cells() -> None:
        chance = random.Random(2)
        for _ in range(30):
            trait = chance.choice(w.STATE)
            setattr(w, trait, chance.choice([first[trait], chance.choice(ODD)]))

    def kept(work: Callable[[], None]) -> None:
        try:
            work()
        except BaseException as error:
            errors.append(error)

    every = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        threads = [threading.Thread(target=kept, args=[work]) for work in (browser, cells)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
    finally:
        sys.setswitchinterval(every)
    assert errors == [] and page["answered"] == {"a": 30}
    shown = w.html, w.controls
    assert (page["html"], page["controls"]) == shown
    w._redraw()
    assert (w.html, w.controls) == shown


def test_a_forked_process_does_not_wait_for_a_thread_that_it_lacks() -> None:
    w = tw.AllocatorExplorer(memory="44 MiB")
    held, over = threading.Event(), threading.Event()

    def hold() -> None:
        with alone():
            held.set()
            over.wait()

    holder = threading.Thread(target=hold)
    holder.start()
    held.wait()
    if hasattr(os, "fork"):
        child = multiprocessing.get_context("fork").Process(target=w.allocate, args=["6 MiB"])
        child.start()
        child.join(20)
        child.kill()
        assert child.exitcode == 0
    over.set()
    holder.join()
    assert w.allocate("6 MiB") == "a"
