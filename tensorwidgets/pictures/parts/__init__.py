"""Which parts do several pictures share? Grids, strips, chips, axes, bits."""
