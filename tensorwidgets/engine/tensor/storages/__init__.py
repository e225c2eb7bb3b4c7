"""Storages: the bytes, the bytes read as one kind of number, and what both have in common."""
