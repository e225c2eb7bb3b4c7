"""The caching allocator: PyTorch's programs, made-up programs, rules, statistics and snapshots."""
