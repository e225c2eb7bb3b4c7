"""A recording lists each call: what was asked, what came of it, what it cost."""

from __future__ import annotations

import threading

import tensorwidgets as tw
from tensorwidgets.engine.dispatch import registry


def test_views_copies_and_writes_are_told_apart() -> None:
    x = tw.arange(6.0).reshape(2, 3)
    place = tw.tensor([0])
    with tw.recording() as calls:
        x.t()
        x.t().reshape(-1)
        x + 1
        x.add_(1)
        x[0] = 7
        x[place]
        x.contiguous()
        x.t().contiguous()
        x.sum().item()
    outcomes = [(c.op, c.outcome, c.allocated) for c in calls]
    assert outcomes == [
        ("t", "view", 0),
        ("t", "view", 0),
        ("reshape", "copy", 24),
        ("add", "new", 24),
        ("add_", "in place", 0),
        ("setitem", "in place", 0),
        ("getitem", "copy", 12),
        ("contiguous", "itself", 0),
        ("t", "view", 0),
        ("contiguous", "copy", 24),
        ("sum", "new", 4),
    ]
    assert calls[0].shared == ("A",) and calls[2].shared == ()
    assert calls.allocated == 24 + 24 + 12 + 24 + 4


def test_calls_inside_a_call_are_not_listed() -> None:
    with tw.recording() as calls:
        tw.ones(2, 3).flatten()
    assert [c.op for c in calls] == ["ones", "flatten"]


def test_a_refusal_is_listed_too() -> None:
    x = tw.ones(2, 3)
    with tw.recording() as calls:
        try:
            x.t().view(-1)
        except RuntimeError:
            pass
    assert [c.outcome for c in calls] == ["view", "refused"]
    assert calls[1].error.startswith("view size is not compatible")


def test_nothing_is_watched_before_and_after() -> None:
    assert not registry.watching
    with tw.recording():
        assert registry.watching
        with tw.recording() as inner:
            tw.ones(1)
        assert registry.watching
    assert not registry.watching and len(inner) == 1


def test_other_threads_are_not_recorded() -> None:
    with tw.recording() as calls:
        thread = threading.Thread(target=lambda: tw.ones(2) + 1)
        thread.start()
        thread.join()
    assert list(calls) == []


def test_a_recording_keeps_no_memory_alive() -> None:
    import gc
    import weakref

    with tw.recording() as calls:
        x = tw.ones(4) + 1
        storage = weakref.ref(x.untyped_storage())
        del x
    gc.collect()
    assert storage() is None and len(calls) == 2


def test_the_text_says_it_in_a_line_each() -> None:
    x = tw.ones(2, 3)
    with tw.recording() as calls:
        x.t().reshape(6) + 1
    assert repr(calls).split("\n") == [
        "t        A float32 [2, 3]    -> view of A, size [3, 2], stride (1, 3)",
        "reshape  A float32 [3, 2], 6 -> copy B, size [6], stride (1,), 24 bytes",
        "add      B float32 [6], 1    -> new C, size [6], stride (1,), 24 bytes",
    ]


def test_a_sparse_tensor_is_told_by_the_storages_of_its_parts() -> None:
    dense = tw.eye(3)
    with tw.recording() as calls:
        kept = dense.to_sparse()
        twice = kept + kept
        kept.to_dense()
    made, added, back = calls
    assert made.outcome == "new" and "sparse_coo" in made.answered()
    assert made.allocated == kept.indices().nbytes + kept.values().nbytes
    assert added.inputs[0] == added.inputs[1] == made.outputs[0]
    room_for_both = 2 * twice.indices().nbytes  # two equal patterns leave half of it, as in PyTorch
    assert twice.indices().untyped_storage().nbytes() == room_for_both == 96
    assert added.allocated == twice.values().nbytes + room_for_both
    assert back.allocated == 36 and calls.allocated == sum(call.allocated for call in calls)
