"""Random programs of gradients, views and in-place writes, the same on two engines."""
