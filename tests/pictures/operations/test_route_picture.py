"""The drawn route: the stations of the printed one, and no call made."""

from __future__ import annotations

import numpy as np
import pytest

import tensorwidgets as tw
from tensorwidgets.pictures import show
from tests.pictures.parsed import parse


def stations(picture: object) -> list[str]:
    (table,) = parse(picture.html()).all("table", "tw-route")  # type: ignore[attr-defined]
    return [cell.all("div")[0].text() for cell in table.all("td") if cell.all("div")]


def test_the_stations_are_those_of_the_route() -> None:
    dense, sparse = tw.eye(2), tw.eye(2).to_sparse()
    for call in (
        ("add", dense, 1),
        (tw.mm, sparse, dense),
        ("cos", sparse),
        ("t", dense.to("meta")),
        ("add", dense.conj(), 1),
    ):
        route = tw.route(*call)
        picture = show.route(*call)
        assert stations(picture) == [place for place, _ in route.stations]
        assert repr(route) in repr(picture)
        assert show.route(route).html() == picture.html()


def test_a_kind_and_a_category_of_one_name_are_told_once() -> None:
    assert "call    add: pointwise\n" in repr(show.route("add", tw.ones(3), 1))
    assert "call  t: view, " in repr(show.route("t", tw.ones(2, 3))).replace("    ", "  ")


def test_a_call_of_another_library_has_no_way_here() -> None:
    with pytest.raises(TypeError, match="an array of NumPy does not take it"):
        show.route("add", np.ones(3), 1)
    with pytest.raises(TypeError, match="an array of NumPy does not take it"):
        show.route("add", tw.ones(3), other=np.ones(3))


@pytest.mark.torch
def test_a_call_of_pytorch_has_no_way_here() -> None:
    import torch

    with pytest.raises(TypeError, match="a tensor of PyTorch does not take it"):
        show.route("add", torch.ones(3), 1)


def test_a_route_draws_itself() -> None:
    route = tw.route("add", tw.ones(2), 1)
    bundle = route._repr_mimebundle_()
    assert bundle["text/plain"] == repr(route)
    assert bundle["text/html"].startswith('<div class="tw"')


def test_a_refusal_is_drawn_as_one() -> None:
    html = show.route("cos", tw.eye(2).to_sparse()).html()
    assert "dashed" in html and "the call is refused" in html
    assert "dashed" not in show.route("cos", tw.eye(2)).html()


def test_a_block_of_autocast_is_a_station_and_keys_do_not_choose_alone() -> None:
    x = tw.ones(2, 2)
    plain = show.route("matmul", x, x)
    with tw.autocast("cpu"):
        cast = show.route("matmul", x, x)
    assert stations(plain)[:2] == ["call", "keys"] and "nothing else does" in plain.html()
    assert stations(cast)[:2] == ["call", "autocast"] and "nothing else does" not in cast.html()
    assert "The open block of autocast chooses the dtypes" in cast.html()
