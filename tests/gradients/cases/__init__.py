"""Calls and small programs in files of text, with what PyTorch answers: points, refusals, graphs, sparse tensors."""
