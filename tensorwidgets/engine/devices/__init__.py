"""How do tensors live and compute elsewhere than in main memory?

The room is imported with the first tensor on a GPU, simulated or real. `gpus` says which GPUs there are, `simulated`
and `cupy_arrays` are the two kinds of places, and `calls` is the station of a call with such a tensor.
"""
