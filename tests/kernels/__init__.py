"""Kernels for tests that start quickly: forks of one process that has imported what every lesson imports."""
