"""An answer that compares storages by id is marked as it is judged in the notebook."""

from __future__ import annotations

import json

import tensorwidgets as torch
from tensorwidgets.course.marking.wire import Receiver, Sender


def test_two_storage_objects_over_one_memory_stay_two() -> None:
    w = torch.arange(12).reshape(3, 4)
    other = torch.from_numpy(w.numpy())
    sender = Sender()
    told = json.loads(json.dumps([sender.value(one) for one in (w, w[1], other, other[1], w)]))
    receiver = Receiver(sender.storages())
    here = [receiver.value(one) for one in told]
    ids = [id(one.untyped_storage()) for one in here]
    assert ids[0] == ids[1] == ids[4] != ids[2] == ids[3]
    assert len({one.untyped_storage().data_ptr() for one in here}) == 1
    here[2][0, 0] = 99
    assert here[0][0, 0] == 99


def test_a_message_without_the_storage_object_is_read_as_before() -> None:
    sender = Sender()
    told = sender.value(torch.arange(3))
    del told["owner"]
    assert Receiver(sender.storages()).value(told).tolist() == [0, 1, 2]
