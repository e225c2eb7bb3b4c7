"""No text of any picture is cut or lies on another, in windows from a telephone's to a wide screen's."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.gallery import PICTURES, still

CUT = Path(__file__).with_name("cut.js").read_text(encoding="utf-8")
MEETING = Path(__file__).with_name("meeting.js").read_text(encoding="utf-8")
WIDTHS = (320, 480, 900, 1400)


@pytest.mark.parametrize("width", WIDTHS)
def test_no_text_is_cut_or_lies_on_another(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.set_content(f'<!doctype html><body style="margin:0">{still()}</body>')
    assert page.locator(".tw").count() == len(PICTURES)
    assert page.evaluate(CUT, ".tw") == []
    assert page.evaluate(MEETING, ".tw") == []


def test_a_cut_text_would_be_found(page: Page) -> None:
    page.set_content('<div class="tw"><div style="width:20px;overflow:hidden">forward</div></div>')
    assert len(page.evaluate(CUT, ".tw")) == 1


def test_texts_on_each_other_would_be_found(page: Page) -> None:
    page.set_content('<div class="tw"><b>below</b><i style="margin-left:-20px">above</i></div>')
    assert len(page.evaluate(MEETING, ".tw")) == 1
