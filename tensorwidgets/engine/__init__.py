"""Storages, tensors, ops and files: all that knows numbers and no pictures."""
