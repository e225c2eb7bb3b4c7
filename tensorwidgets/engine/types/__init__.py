"""Which numbers, sizes, devices and formats are there, and which dtype wins? No arrays, no tensors."""
