"""GPUs in pictures: tensors of two devices in one call, what a picture fetches, and which allocator is drawn."""

from __future__ import annotations

from collections.abc import Iterator
from html import unescape

import pytest

import tensorwidgets as torch
from tensorwidgets.engine import memory


@pytest.fixture(autouse=True)
def gpu(request: pytest.FixtureRequest) -> Iterator[None]:
    if "main_memory" in request.node.name:
        yield
        return
    with torch.cuda.simulate():
        yield


def on_gpu() -> torch.Tensor:
    return torch.arange(12.0, device="cuda").reshape(3, 4)


def test_why_draws_a_clash_of_devices_with_its_ways_out() -> None:
    g = on_gpu()
    shown = torch.why("x + g", x=torch.ones(3, 4), g=g)._repr_mimebundle_()
    assert "Expected all tensors to be on the same device" in shown["text/plain"]
    html = unescape(shown["text/html"])
    for words in ("x.to('cuda:0')", "g.to('cpu')", "48 bytes", "10 µs"):
        assert words in html


def test_after_an_error_the_tensors_are_named_by_their_devices() -> None:
    g = on_gpu()
    with pytest.raises(RuntimeError) as refused:
        torch.mm(g, torch.ones(4, 2))
    shown = torch.why(refused.value)._repr_mimebundle_()
    assert "the tensor on cpu" in shown["text/html"] and "mat2 is on cpu" in shown["text/plain"]
    del g, refused, shown


def test_other_explanations_are_text_alone() -> None:
    assert set(torch.why("x.t()", x=torch.ones(2, 3))._repr_mimebundle_()) == {"text/plain"}


def test_a_picture_fetches_its_window_and_says_how_much() -> None:
    g = on_gpu()
    assert "Fetched from cuda:0: 48 bytes." in repr(torch.show(g)).replace("\n", " ")
    large = torch.zeros(400, 500, device="cuda")
    drawn = repr(torch.show(large)).replace("\n", " ")
    assert f"Fetched from cuda:0: {4 * (6 * 12 + 12)} bytes." in drawn and "of 200,000 cells are not drawn" in drawn
    assert "Fetched" not in repr(torch.show(g.cpu()))


def test_a_map_says_the_device_and_the_alignment() -> None:
    g = on_gpu()
    drawn = repr(torch.show.memory(g=g, row=g[1], large=torch.zeros(1 << 19)))
    assert "48 bytes" in drawn and drawn.count("cuda:0") == 2 and "2.1 MB, aligned to 64" in drawn


def test_the_allocator_of_main_memory_is_found_without_an_argument() -> None:
    cached = memory.use("caching", total=64 << 20)
    try:
        x = torch.empty(1 << 20)
        assert "main memory" in repr(torch.show.allocator()) and cached.statistics().allocated == 4 << 20
        del x
    finally:
        memory.use("pool")
    with pytest.raises(ValueError, match="no caching allocator is in use"):
        torch.show.allocator()
