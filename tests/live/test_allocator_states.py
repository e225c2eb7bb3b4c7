"""AllocatorExplorer in many states: by hand, by walks, through a recording, through what it refuses."""

from __future__ import annotations

import pytest

import tensorwidgets as tw
from tensorwidgets import show
from tests.live.walking import control, explained, press, walk
from tests.pictures.memory.test_allocator_picture import fragmented


def test_fragmentation_by_hand_and_its_cure() -> None:
    w = tw.AllocatorExplorer(memory="44 MiB")
    for size in ("6", "0.7 MiB", "7", "5", "13.25"):
        press(w, "size", size)
        press(w, "allocate")
    press(w, "free c")
    w.allocate(3)
    w.size = "10"
    press(w, "allocate")
    assert w.reason is not None
    assert w.reason.rule == "allocator.out_of_memory"
    assert w.status.startswith("Refused: 10.00 MiB must lie in one run")
    press(w, "free d")
    assert w.reason is None
    press(w, "allocate")
    assert w.reason is None and "g 10" in w.html
    press(w, "refusal")
    assert w.step == 8 and w.reason is not None
    press(w, "empty")
    press(w, "again")
    assert w.status == "Nothing was allocated yet."


def test_a_wrong_size_is_explained_and_nothing_is_allocated() -> None:
    w = tw.AllocatorExplorer()
    press(w, "size", "many")
    assert control(w, "size")["wrong"] and w.reason is not None
    press(w, "allocate")
    assert "step" not in {c["name"] for c in w.controls}
    with pytest.raises(ValueError, match="'many' is not a number of bytes"):
        w.allocate("many")
    with pytest.raises(KeyError, match="no block in use is called 'z'"):
        w.free("z")
    with pytest.raises(ValueError, match="memory='lots'"):
        tw.AllocatorExplorer(memory="lots")


def test_a_recording_is_walked_through_and_not_changed() -> None:
    w = show.allocator(fragmented()).live()
    assert "Out of memory, with memory to spare" in w.html
    press(w, "before")
    assert w.status.startswith("Step 7 of 8: f allocated")
    press(w, "step", 1)
    press(w, "allocate")
    assert w.status.startswith("Step 1 of 8: a allocated")
    with pytest.raises(ValueError, match="this is a recording"):
        w.allocate(3)


def test_what_is_reserved_is_asked() -> None:
    w = tw.AllocatorExplorer(predict=True)
    w.allocate(6)
    assert w.question == "+ a 6: how many MiB are reserved after it?"
    w.answer = "20"
    assert w.right


@pytest.mark.parametrize("seed", range(6))
def test_walks(seed: int) -> None:
    w = tw.AllocatorExplorer(memory="44 MiB")
    walk(w, seed, 60, lambda: explained(w))
