"""How does a class of tensors change what PyTorch's functions do with its instances? By `__torch_function__`.

A class that defines nothing gets results of its own class:

>>> import tensorwidgets as torch
>>> class Mine(torch.Tensor):
...     pass
>>> torch.ones(2).as_subclass(Mine) + 1
Mine([2., 2.])

A class that defines `__torch_function__` is asked about each call that the user makes, and may pass it on:
`tensorwidgets.overrides` has an example.

Plain tensors meet nothing of this. A tensor of such a class has a key, so its calls take the long route, where the
`station` asks the classes; which function the user called is read off the stack (`called`). Members that never take
that route, such as `shape` and `item`, are wrapped in the class itself (`members`). A mode is asked where recordings
are (`modes`).
"""
